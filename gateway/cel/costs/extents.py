"""How much there may be of a value: characters, elements, whole numbers, as far as its type and its limits say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from gateway.cel.costs.forms import ONE, UNLIMITED, ZERO, Form, Loop, Measure, capped, most_of
from gateway.cel.domain import Domain
from gateway.cel.domain import Form as Kind
from gateway.cel.fields import Wrong, field_type
from gateway.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DYN,
    INT,
    NEVER,
    NULL,
    STRING,
    UINT,
    Field,
    ListType,
    MapType,
    ObjectType,
    OptionalType,
    Type,
    literal_type,
)

_SMALL = frozenset({BOOL, INT, UINT, DOUBLE, NULL, NEVER})
_TEXTS = frozenset({STRING, BYTES})
_DEEPEST = 12
"""Below this depth only what holds of the whole value is used."""


@dataclass(frozen=True, slots=True)
class Extent:
    """Upper bounds of a value, or of what an optional holds.

    `text` are the characters in it at every depth, those of keys included, `items` its elements and entries at every
    depth, `count` those of the value itself. `inside` bounds each element by itself. `number` is the most that a whole
    number is.
    """

    type: Type
    text: Form = UNLIMITED
    items: Form = UNLIMITED
    count: Form = UNLIMITED
    number: float = inf
    domain: Domain | None = None
    inside: Extent | None = None
    plain: bool = False
    """Whether it is as its type says, and no list in it a host's set, which has no order of its own."""
    hashed: bool = False
    """Whether it is certainly a set."""

    @property
    def small(self) -> bool:
        """Whether it is certainly a number, a bool or null."""
        return self.type in _SMALL

    @property
    def textual(self) -> bool:
        """Whether it is certainly a text."""
        return self.type in _TEXTS

    @property
    def size(self) -> Form:
        """What `budget.size` counts at most."""
        if self.small:
            return ONE
        characters = self.text.scaled(1 / 4096)
        if self.textual:
            return characters.plus(1)
        inside = self.inside
        flat = inside is not None and (inside.small or inside.textual)
        return (self.items.scaled(1 if flat else 5) + characters).plus(5)


ANYTHING = Extent(DYN)


def small(type_: Type, number: float = inf) -> Extent:
    """A number, a bool or null."""
    return Extent(type_, ZERO, ZERO, ZERO, number, plain=True)


TRUTH = small(BOOL)


def text(characters: Form, type_: Type = STRING) -> Extent:
    """A text."""
    return Extent(type_, characters, ZERO, ZERO, plain=True)


def of_constant(value: Any) -> Extent:
    """A literal of an expression."""
    if isinstance(value, str | bytes):
        return text(Form(float(len(value))), STRING if isinstance(value, str) else BYTES)
    return small(literal_type(value), float(value) if isinstance(value, int) else inf)


def collection(type_: Type, count: Form, inside: Extent, items: Form, characters: Form) -> Extent:
    """A list or a map that the expression makes; `items` and `characters` are those in its elements."""
    return Extent(type_, characters, items + count, count, inside=inside, plain=inside.plain)


def either(one: Extent, other: Extent) -> Extent:
    """One of two values."""
    if one is other:
        return one
    inside = None
    if one.inside is not None and other.inside is not None:
        inside = either(one.inside, other.inside)
    elif one.inside is not None and other.count is ZERO:
        inside = one.inside
    elif other.inside is not None and one.count is ZERO:
        inside = other.inside
    return Extent(
        one.type if one.type == other.type else DYN,
        most_of(one.text, other.text),
        most_of(one.items, other.items),
        most_of(one.count, other.count),
        max(one.number, other.number),
        inside=inside,
        plain=one.plain and other.plain,
    )


def any_of(extents: Iterable[Extent]) -> Extent:
    """One of several values; nothing of nothing."""
    found: Extent | None = None
    for extent in extents:
        found = extent if found is None else either(found, extent)
    return found or small(NEVER)


def declared(type_: Type, domain: Domain | None = None) -> Extent:
    """A value of a declared type, of which nothing else is known."""
    return within(Extent(type_), type_, domain)


def within(whole: Extent, type_: Type, domain: Domain | None) -> Extent:
    """A value of a declared type of which something is known already."""
    most = _most(type_, domain, 0)
    return Extent(
        type_,
        capped(whole.text, most.text),
        capped(whole.items, most.items),
        capped(whole.count, most.count),
        most.number,
        domain,
        plain=whole.plain,
    )


def part(whole: Extent, type_: Type, domain: Domain | None) -> Extent:
    """A value of a declared type that is in another one: it may have all the elements of that, however few that has."""
    return within(replace(whole, count=whole.items), type_, domain)


def optional(extent: Extent) -> Extent:
    """An optional that may hold a value."""
    return replace(extent, type=OptionalType(extent.type))


def held(extent: Extent) -> Extent:
    """What an optional holds."""
    type_ = extent.type
    return replace(extent, type=type_.value) if isinstance(type_, OptionalType) else extent


def field(extent: Extent, name: str) -> Extent:
    """`value.name`, or what an optional holds there."""
    below = _element(extent.domain, extent.type)
    type_ = extent.type.value if isinstance(extent.type, OptionalType) else extent.type
    found = field_type(type_, name, below)
    if extent.inside is not None and not isinstance(type_, ObjectType):
        return extent.inside
    if isinstance(found, Wrong):
        found = Field(DYN)
    return part(extent, found.type, found.domain)


def inside(extent: Extent) -> Extent:
    """Any element of a list, or value of a map."""
    if extent.inside is not None:
        return extent.inside
    return part(extent, *_inner(extent))


def elements(extent: Extent, loop: Loop) -> Extent:
    """The element of a loop: as `inside`, with what all elements have together."""
    one = inside(extent)
    characters = Measure(loop, one.text.most, extent.text)
    items = Measure(loop, one.items.most, extent.items)
    count = Measure(loop, one.count.most, extent.items)
    return replace(
        one,
        text=_measured(characters),
        items=_measured(items),
        count=_measured(count),
    )


def keys(extent: Extent, loop: Loop) -> Extent:
    """The key of an entry in a loop."""
    return text(_measured(Measure(loop, extent.text.most, extent.text)))


def outside(extent: Extent, loop: Loop) -> Extent:
    """The value of a loop's body seen from behind the loop."""
    return replace(
        extent,
        text=extent.text.without(loop),
        items=extent.items.without(loop),
        count=extent.count.without(loop),
        inside=None if extent.inside is None else outside(extent.inside, loop),
    )


def _measured(measure: Measure) -> Form:
    return Form(0.0, {measure: 1.0}) if measure.most else ZERO


def _inner(extent: Extent) -> tuple[Type, Domain | None]:
    """The type of the elements of a value, and what is known of them."""
    type_ = extent.type.value if isinstance(extent.type, OptionalType) else extent.type
    below = _element(extent.domain, type_)
    if isinstance(type_, ListType):
        return type_.element, below
    if isinstance(type_, MapType):
        return type_.value, below
    return DYN, None


def _element(domain: Domain | None, type_: Type) -> Domain | None:
    if domain is None:
        return None
    kind = "list" if isinstance(type_, ListType) else "map"
    form = domain.forms.get(kind)
    if form is None or form.first:
        return None
    return form.element


@dataclass(frozen=True, slots=True)
class _Most:
    text: float
    items: float
    count: float
    number: float = inf


_NOTHING = _Most(0, 0, 0)
_ANY = _Most(inf, inf, inf)


def _most(type_: Type, domain: Domain | None, depth: int) -> _Most:
    """The limits that a type and a domain set by themselves."""
    if depth > _DEEPEST:
        return _ANY
    if domain is None:
        return _most_of_kind(Kind(type_), depth)
    found = [_most_of_kind(form, depth) for form in domain.forms.values()]
    if not found:
        return _NOTHING
    return _Most(*(max(getattr(one, name) for one in found) for name in ("text", "items", "count", "number")))


def _most_of_kind(form: Kind, depth: int) -> _Most:
    type_, range_ = form.type, form.range
    high = inf if range_.high is None else float(range_.high)
    if type_ in _SMALL:
        listed = [one for one in range_.listed or () if isinstance(one, int)]
        return _Most(0, 0, 0, max(listed) if range_.listed is not None and listed else high)
    if type_ in _TEXTS:
        if range_.listed is not None:
            high = min(high, max(map(len, range_.listed), default=0))
        return _Most(high, 0, 0)
    match type_:
        case OptionalType(value=value):
            return _most(value, None, depth + 1)
        case ListType(element=element):
            below = _ANY if form.first else _most(element, form.element, depth + 1)
            return _Most(_times(high, below.text), high + _times(high, below.items), high)
        case MapType(value=value):
            return _Most(inf, high + _times(high, _most(value, form.element, depth + 1).items), high)
        case ObjectType(fields=fields, open=is_open, missing=supplied):
            # What a host supplies may hold more than is declared of it.
            known = not is_open and (not supplied or type_.name == "lists")
            return _most_of_object(fields, depth) if known else _ANY
    return _ANY if type_ == DYN else _Most(_OTHER, 0, 0)


_OTHER = 4_096
"""More characters than an address, a time or a decimal is written with."""


def _most_of_object(fields: Mapping[str, Field], depth: int) -> _Most:
    held = [_most(field.type, field.domain, depth + 1) for field in fields.values()]
    return _Most(
        sum(one.text for one in held) + sum(map(len, fields)),
        sum(one.items for one in held) + len(fields),
        len(fields),
    )


def _times(one: float, other: float) -> float:
    return one * other if one and other else 0.0


def variables_of_loop(extent: Extent, loop: Loop, count: int) -> list[Extent]:
    """The variables of a macro: an element or a key, or an index or a key and the element or value."""
    type_ = extent.type
    by_key = keys(extent, loop)
    if isinstance(type_, MapType | ObjectType):
        return [by_key, elements(extent, loop)][:count]
    if isinstance(type_, ListType):
        place = small(INT, extent.count.most)
        return [elements(extent, loop)] if count == 1 else [place, elements(extent, loop)]
    one = elements(extent, loop)
    return [either(one, by_key)] if count == 1 else [by_key, one]
