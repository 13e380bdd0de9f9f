"""What of its variables an expression reads: for tools that agree in these it means the same."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gateway.cel.syntax import Has, Ident, Node, Parsed, Select, children
from gateway.cel.types import ObjectType
from gateway.frozen import frozen

if TYPE_CHECKING:
    from gateway.cel.environment import Environment


@frozen
class Read:
    """The names that an expression reads, and which fields of `args` and `tool`; None where it reads all of them."""

    names: tuple[str, ...]
    arguments: tuple[str, ...] | None
    tool: tuple[str, ...] | None

    def alike(self, environment: Environment) -> Hashable:
        """What is the same for all environments that the expression can't tell apart."""
        known = environment.variables
        ids = tuple(id(known.get(name)) for name in self.names)
        if self.arguments == ():
            return ids
        type_ = known.get("args")
        if self.arguments is None or not isinstance(type_, ObjectType):
            return (*ids, id(environment))
        fields = [type_.fields.get(name) for name in self.arguments]
        return (*ids, id(environment)) if None in fields else (*ids, *map(id, fields))

    def told_by(self, tool: Mapping[str, Any]) -> Hashable:
        """What the expression sees of a tool's declared values."""
        return repr(tool) if self.tool is None else repr([tool.get(name) for name in self.tool])


def read_of(expressions: Iterable[Parsed]) -> Read:
    """What some expressions read, with the names that they are bound to."""
    names: set[str] = set()
    fields: dict[str, set[str]] = {"args": set(), "tool": set()}
    whole: set[str] = set()
    pending: list[Node] = [
        tree
        for parsed in expressions
        for tree in (parsed.ast, *(one.ast for one in parsed.lets.values()))
        if tree is not None
    ]
    while pending:
        node = pending.pop()
        if isinstance(node, Select | Has) and isinstance(node.operand, Ident) and node.operand.name in fields:
            fields[node.operand.name].add(node.field)
            names.add(node.operand.name)
            continue
        if isinstance(node, Ident):
            whole.add(node.name)
            names.add(node.name)
        pending.extend(children(node))
    arguments, tool = (None if name in whole else tuple(sorted(fields[name])) for name in ("args", "tool"))
    return Read(tuple(sorted(names - {"args"})), arguments, tool)
