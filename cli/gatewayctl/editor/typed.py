"""What a condition can read at its place: variables with their types, from tools and settings as they are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from gateway.cel import (
    DYN,
    Environment,
    Field,
    ListType,
    MapType,
    ObjectType,
    OptionalType,
    Type,
    check,
    parse,
)
from gateway.cel.domain import Domain
from gateway.cel.types import INT, join, literal_type
from gateway.compile.environment import any_call_environment, listing_environment
from gateway.compile.in_force import in_force
from gateway.compile.inspected import Facts
from gateway.compile.invariants import DECISION
from gateway.compile.report import Report
from gateway.compile.shapes import Shapes
from gateway.compile.tools import NO_ARGUMENTS
from gateway.diagnostic import Excerpt
from gateway.glob import select, select_governed
from gateway.malformed import Malformed
from gateway.policy import Policy, Settings
from gateway.schema import check_schema
from gatewayctl.editor.expression import Bound
from gatewayctl.editor.outline import Kind, Node, Outline, Path

if TYPE_CHECKING:
    from gateway.cel.syntax import Parsed

_MOST_TOOLS = 16
"""Of how many tools with different arguments what a condition can read is united."""
_SCALARS = (str, int, float, bool)


@dataclass(frozen=True, slots=True)
class Written:
    """A tool as it is written, with what `defaults` give it."""

    name: str
    node: Node
    schema: Mapping[str, Any]
    inspect: Mapping[str, str]


class Typing:
    """The types of what a policy's conditions read, however much of the policy can't be read."""

    def __init__(self, outlines: Iterable[Outline]) -> None:
        self._roots = [each.root for each in outlines]
        self.tools = self._tools()
        self._base = self._listing()
        self._shapes = Shapes(self._base, Facts(in_force(Policy((), ""), Report())))

    def environments(self, root: Node, path: Path) -> list[tuple[str, Environment]]:
        """What can be read at a place of a file, for each tool that it is about; a tool without a name is any."""
        section, part = path[0], _below(root, path[:2])
        if part is None:
            return [("", self._base)]
        if section == "arguments":
            found = [("", self._base)]
        else:
            names = self.governed(section, part)
            found = list(self._of_tools(names)) or [("", any_call_environment(self._base))]
        if section == "results":
            found = [(name, environment.with_variables(result=DYN)) for name, environment in found]
        if section == "invariants":
            found = [(name, environment.with_variables(decision=DECISION)) for name, environment in found]
        lets = part.get("let")
        if lets is None:
            return found
        return [(name, _with_lets(environment, lets, path)) for name, environment in found]

    def governed(self, section: str | int, part: Node) -> list[str]:
        """The tools that a part is about."""
        if section == "tools":
            name = part.get("name")
            return [name.text] if name is not None and name.text in self.tools else []
        patterns = part.get("tools")
        texts = [item.text for item in patterns.items() if item.text] if patterns is not None else []
        chosen = select(texts, self.tools) if section == "defaults" else select_governed(texts, self.tools)
        return sorted(chosen)

    def _of_tools(self, names: Sequence[str]) -> Iterator[tuple[str, Environment]]:
        shapes: dict[int, str] = {}
        for name in names:
            environment = self._environment(self.tools[name])
            if id(environment) not in shapes:
                shapes[id(environment)] = name
                yield name, environment
            if len(shapes) == _MOST_TOOLS:
                return

    def _environment(self, tool: Written) -> Environment:
        if any(check_schema(tool.schema, None)):
            return any_call_environment(self._base)
        return self._shapes.of(tool.schema, tool.inspect, frozenset()).environment

    def _tools(self) -> dict[str, Written]:
        defaults = [
            (list(_texts(part.get("tools"))), _mapping(part.get("parameters")), _kinds(part.get("inspect")))
            for part in self._parts("defaults")
        ]
        found: dict[str, Written] = {}
        for part in self._parts("tools"):
            name = part.get("name")
            if name is None or not name.text or name.text in found:
                continue
            schema, kinds = _mapping(part.get("parameters")), _kinds(part.get("inspect"))
            for patterns, default_schema, default_kinds in defaults:
                if select(patterns, [name.text]):
                    schema, kinds = schema or default_schema, {**default_kinds, **kinds}
            found[name.text] = Written(name.text, part, schema or NO_ARGUMENTS, kinds)
        return found

    def _parts(self, section: str) -> Iterator[Node]:
        for root in self._roots:
            node = root.get(section)
            if node is not None:
                yield from (item for item in node.items() if item.kind is Kind.MAPPING)

    def _listing(self) -> Environment:
        types: dict[str, Any] = {}
        lists: dict[str, Field] = {}
        for root in self._roots:
            settings = root.get("settings")
            declared = None if settings is None else settings.get("types")
            types.update({} if declared is None else _mapping(declared))
            named = root.get("lists")
            for key, values in () if named is None else named.pairs():
                data = values.data()
                known = (
                    [each for each in data if isinstance(each, _SCALARS)] if isinstance(data, list) else []
                )
                element = reduce(join, map(literal_type, known)) if known else DYN
                lists[key.text] = Field(ListType(element))
        settings_of = Settings()
        for part, fields in types.items():
            settings_of = _with_types(settings_of, part, fields)
        base = listing_environment(Policy((), "", settings=settings_of))
        return base.with_variables(lists=ObjectType("lists", lists))


def bound_to(environment: Environment, bound: Iterable[Bound]) -> Environment:
    """What can be read where macros give names, too."""
    for each in bound:
        source = type_of(each.source, environment)
        names = dict(zip(each.names, _elements(each, source), strict=False))
        environment = environment.with_variables(**names)
    return environment


def type_of(text: str, environment: Environment) -> Type:
    """The type of an expression, as far as it can be told."""
    parsed: Parsed = parse(Excerpt.whole(text))
    return DYN if parsed.ast is None else check(parsed, environment, None).type


def domain_of(text: str, environment: Environment) -> Domain | None:
    """What is known of the values of a field beyond its type."""
    receiver, _, name = text.rpartition(".")
    type_ = type_of(receiver.removesuffix("?"), environment) if receiver else None
    field = type_.fields.get(name.removeprefix("?")) if isinstance(type_, ObjectType) else None
    return None if field is None else field.domain


def described(schema: Mapping[str, Any], path: Sequence[str]) -> str:
    """What a tool's schema says about an argument."""
    node: Any = schema
    for step in path:
        properties = node.get("properties") if isinstance(node, Mapping) else None
        node = properties.get(step) if isinstance(properties, Mapping) else None
    text = node.get("description") if isinstance(node, Mapping) else None
    return text if isinstance(text, str) else ""


def _elements(bound: Bound, source: Type) -> tuple[Type, ...]:
    """The types of what a macro goes through."""
    if bound.macro == "bind":
        return (source,)
    match source:
        case OptionalType(value=value):
            return (value,)
        case ListType(element=element):
            return (element,) if len(bound.names) == 1 else (INT, element)
        case MapType(key=key, value=value):
            return (key, value)
    return (DYN, DYN)


def _with_lets(environment: Environment, lets: Node, path: Path) -> Environment:
    """The environment with the names that `let` gives; the one at the place itself is not among them."""
    own = path[3] if len(path) > 3 and path[2] == "let" else None
    for key, value in lets.pairs():
        if key.text != own and key.text.isidentifier():
            type_ = type_of(value.text, environment) if value.text else DYN
            environment = environment.with_variables(**{key.text: type_})
    return environment


def _with_types(settings: Settings, key: str, fields: Any) -> Settings:
    """The settings with those types that can be read."""
    types: dict[str, Any] = {str(known): dict(own) for known, own in settings.types.items()}
    for name, text in fields.items() if isinstance(fields, Mapping) else ():
        try:
            read = Settings.model_validate({"types": {key: {name: text}}})
        except (ValidationError, Malformed):
            continue
        types.setdefault(key, {}).update(
            {each: own for part in read.types.values() for each, own in part.items()}
        )
    return settings.model_copy(update={"types": types})


def _below(root: Node, path: Path) -> Node | None:
    node = root.get(str(path[0])) if path else None
    items = [] if node is None or len(path) < 2 else [entry.value for entry in node.entries]
    index = path[1] if len(path) > 1 else None
    return items[index] if isinstance(index, int) and index < len(items) else None


def _texts(node: Node | None) -> Iterator[str]:
    yield from (item.text for item in node.items() if item.text) if node is not None else ()


def _mapping(node: Node | None) -> dict[str, Any]:
    data = None if node is None else node.data()
    return data if isinstance(data, dict) else {}


def _kinds(node: Node | None) -> dict[str, str]:
    """What arguments are inspected as, spelled as the loader does: `{sql: postgres}` is `sql postgres`."""
    found: dict[str, str] = {}
    for name, kind in _mapping(node).items():
        if isinstance(kind, str):
            found[name] = kind
        elif isinstance(kind, dict) and len(kind) == 1:
            ((word, more),) = kind.items()
            found[name] = f"{word} {more}"
    return found
