"""The macros of CEL: calls that are turned into other nodes while an expression is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gateway.cel.syntax import Call, Has, Ident, Macro, MacroKind, Node, Scoped, ScopedKind, Select


class MacroError(Exception):
    """A macro that is used in a way which it does not have."""

    def __init__(self, node: Node, message: str) -> None:
        super().__init__(message)
        self.start, self.end, self.message = node.start, node.end, message


def expand(call: Call) -> Node:
    """The node that a macro stands for, or the call itself if it is none."""
    if call.target is None:
        return _has(call) if call.name == "has" and len(call.arguments) == 1 else call
    if call.name == "bind" and isinstance(call.target, Ident) and call.target.name == "cel":
        return _bind(call) if len(call.arguments) == 3 else call
    build = _MACROS.get((call.name, len(call.arguments)))
    return call if build is None else build(call, call.target)


def _has(call: Call) -> Node:
    (argument,) = call.arguments
    if not isinstance(argument, Select):
        raise MacroError(argument, "`has` takes a field: `has(x.field)`")
    return Has(
        call.start,
        call.end,
        argument.operand,
        argument.field,
        argument.access,
        argument.field_start,
        argument.end,
    )


def _variable(node: Node) -> str:
    if isinstance(node, Ident) and not node.root:
        return node.name
    raise MacroError(node, "expected a name for the element")


def _variables(call: Call, count: int) -> tuple[str, ...]:
    names = tuple(_variable(node) for node in call.arguments[:count])
    if len(set(names)) < count:
        raise MacroError(call.arguments[1], f"`{names[0]}` names both the index and the element")
    return names


def _bind(call: Call) -> Node:
    name, value, body = call.arguments
    return Scoped(call.start, call.end, ScopedKind.BIND, _variable(name), value, body)


def _optional(kind: ScopedKind) -> Callable[[Call, Node], Node]:
    def build(call: Call, target: Node) -> Node:
        name, body = call.arguments
        return Scoped(call.start, call.end, kind, _variable(name), target, body)

    return build


def _predicate(kind: MacroKind, names: int) -> Callable[[Call, Node], Node]:
    def build(call: Call, target: Node) -> Node:
        variables = _variables(call, names)
        return Macro(call.start, call.end, kind, target, variables, None, call.arguments[names])

    return build


def _transform(kind: MacroKind, names: int) -> Callable[[Call, Node], Node]:
    def build(call: Call, target: Node) -> Node:
        variables = _variables(call, names)
        condition = call.arguments[names] if len(call.arguments) == names + 2 else None
        return Macro(call.start, call.end, kind, target, variables, condition, call.arguments[-1])

    return build


SORTED = "@"
"""The list that `sortBy` sorts: a name that nobody can write."""


def _sort_by(call: Call, target: Node) -> Node:
    """The list under a name, and the function that sorts it by the list of all keys."""
    (variable,) = _variables(call, 1)
    values = Ident(target.start, target.end, SORTED, root=False)
    key = call.arguments[1]
    keys = Macro(key.start, key.end, MacroKind.LIST, values, (variable,), None, key)
    sorted_ = replace(call, target=values, arguments=(keys,))
    return Scoped(call.start, call.end, ScopedKind.BIND, SORTED, target, sorted_)


def _refuse_keys(call: Call, target: Node) -> Node:
    raise MacroError(call.arguments[0], "`sortBy` takes a name and an expression: `list.sortBy(x, x.field)`")


def _filter(call: Call, target: Node) -> Node:
    variables = _variables(call, 1)
    return Macro(
        call.start, call.end, MacroKind.LIST, target, variables, call.arguments[1], call.arguments[0]
    )


_MACROS: dict[tuple[str, int], Callable[[Call, Node], Node]] = {
    ("all", 2): _predicate(MacroKind.ALL, 1),
    ("all", 3): _predicate(MacroKind.ALL, 2),
    ("exists", 2): _predicate(MacroKind.EXISTS, 1),
    ("exists", 3): _predicate(MacroKind.EXISTS, 2),
    ("exists_one", 2): _predicate(MacroKind.EXISTS_ONE, 1),
    ("exists_one", 3): _predicate(MacroKind.EXISTS_ONE, 2),
    ("existsOne", 2): _predicate(MacroKind.EXISTS_ONE, 1),
    ("existsOne", 3): _predicate(MacroKind.EXISTS_ONE, 2),
    ("map", 2): _transform(MacroKind.LIST, 1),
    ("map", 3): _transform(MacroKind.LIST, 1),
    ("filter", 2): _filter,
    ("transformList", 3): _transform(MacroKind.LIST, 2),
    ("transformList", 4): _transform(MacroKind.LIST, 2),
    ("transformMap", 3): _transform(MacroKind.MAP, 2),
    ("transformMap", 4): _transform(MacroKind.MAP, 2),
    ("sortBy", 1): _refuse_keys,
    ("sortBy", 2): _sort_by,
    ("optMap", 2): _optional(ScopedKind.OPTIONAL_MAP),
    ("optFlatMap", 2): _optional(ScopedKind.OPTIONAL_FLAT_MAP),
}
MACRO_NAMES = frozenset({"has", *(name for name, _ in _MACROS)})
"""The names of all macros."""
