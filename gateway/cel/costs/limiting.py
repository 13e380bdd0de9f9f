"""Which arguments have no limit of their own, and which limits would keep a condition within its budget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from gateway.cel.budget import MAX_STEPS
from gateway.cel.costs.bound import Limit, bound
from gateway.cel.costs.reading import arguments_read
from gateway.cel.domain import Domain, Form, of_type
from gateway.cel.environment import Environment
from gateway.cel.syntax import Parsed
from gateway.cel.types import Field, ObjectType, Type

_KEYWORDS = {"string": "maxLength", "list": "maxItems", "map": "maxProperties"}
_TRIED = {
    "maxLength": (10_000, 1_000, 200, 50),
    "maxItems": (1_000, 200, 50, 10),
    "maxProperties": (1_000, 200, 50, 10),
}
_MOST_PLACES = 6
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Place:
    """A value of a call that may be of any length: the names that lead to it, `*` for any element."""

    path: tuple[str, ...]
    keyword: str

    @property
    def name(self) -> str:
        """How it is called in a message."""
        return ".".join(("args", *self.path))


def unlimited(parsed: Parsed, environment: Environment) -> tuple[Place, ...]:
    """The arguments that an expression reads which have no limit of their own, and what in them has none."""
    args = environment.variables.get("args")
    if not isinstance(args, ObjectType):
        return ()
    names, _ = arguments_read(parsed)
    found = [
        place
        for name in names
        if (field := args.fields.get(name)) is not None
        for place in _below(field.type, field.domain, (name,))
    ]
    return tuple(dict.fromkeys(found))[:_MOST_PLACES]


def enough(
    parsed: Parsed, environment: Environment, limits: Mapping[str, Limit], places: Sequence[Place]
) -> Mapping[Place, int] | None:
    """The widest limits, and of these the fewest, within which the expression stays; None if none do."""
    for number in range(4):
        for count in range(1, len(places) + 1):
            for chosen in combinations(places, count):
                found = {place: _TRIED[place.keyword][number] for place in chosen}
                limited = _with(environment, found)
                if bound(parsed, limited, limits).steps <= MAX_STEPS:
                    return found
    return None


def _below(type_: Type, domain: Domain | None, path: tuple[str, ...]) -> Iterator[Place]:
    known = domain or of_type(type_)
    if known is None or len(path) > _DEEPEST:
        return
    for kind, form in known.forms.items():
        listed = form.range.listed is not None
        own_fields = isinstance(form.type, ObjectType)
        if kind in _KEYWORDS and form.range.high is None and not listed and not own_fields:
            yield Place(path, _KEYWORDS[kind])
        if form.element is not None:
            yield from _below(form.element.type, form.element, (*path, "*"))
        if isinstance(form.type, ObjectType):
            for name, field in form.type.fields.items():
                yield from _below(field.type, field.domain, (*path, name))


def _with(environment: Environment, limits: Mapping[Place, int]) -> Environment:
    args = environment.variables["args"]
    for place, most in limits.items():
        if isinstance(args, ObjectType):
            args = _of_object(args, place.path, place.keyword, most)
    return environment.with_variables(args=args)


def _of_object(type_: ObjectType, path: tuple[str, ...], keyword: str, most: int) -> ObjectType:
    field = type_.fields[path[0]]
    domain = field.domain or of_type(field.type)
    if domain is None:
        return type_
    limited = _limited(domain, path[1:], keyword, most)
    kept = field.type if len(limited.forms) != 1 else limited.type
    changed = Field(kept, field.optional, limited)
    return ObjectType(type_.name, {**type_.fields, path[0]: changed}, type_.open, type_.missing, type_.others)


def _limited(domain: Domain, path: tuple[str, ...], keyword: str, most: int) -> Domain:
    return Domain({kind: _form(kind, form, path, keyword, most) for kind, form in domain.forms.items()})


def _form(kind: str, form: Form, path: tuple[str, ...], keyword: str, most: int) -> Form:
    if not path:
        return replace(form, range=replace(form.range, high=most)) if _KEYWORDS.get(kind) == keyword else form
    if path[0] == "*":
        return (
            form
            if form.element is None
            else replace(form, element=_limited(form.element, path[1:], keyword, most))
        )
    if isinstance(form.type, ObjectType) and path[0] in form.type.fields:
        return replace(form, type=_of_object(form.type, path, keyword, most))
    return form
