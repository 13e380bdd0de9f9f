"""The macros of CEL: calls that are turned into other nodes while an expression is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gateway.cel.syntax import (
    Access,
    Call,
    Has,
    Ident,
    ListNode,
    Literal,
    Macro,
    MacroKind,
    Node,
    Scoped,
    ScopedKind,
    Select,
)


class MacroError(Exception):
    """A macro that is used in a way which it does not have."""

    def __init__(self, node: Node, message: str) -> None:
        super().__init__(message)
        self.start, self.end, self.message = node.start, node.end, message


def expand(call: Call) -> Node:
    """The node that a macro stands for, or the call itself if it is none."""
    if call.target is None:
        return _has(call) if call.name == "has" and len(call.arguments) == 1 else call
    key = call.name, len(call.arguments)
    if isinstance(call.target, Ident) and call.target.name == "cel" and key in _NAMED:
        return _NAMED[key](call)
    build = _MACROS.get(key)
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


def _block(call: Call) -> Node:
    """Values that each may use those before it, then an expression that may use all."""
    values, body = call.arguments
    if not isinstance(values, ListNode):
        raise MacroError(values, "`cel.block` takes a list of values: `cel.block([…], …)`")
    for place in range(len(values.elements) - 1, -1, -1):
        element = values.elements[place]
        if element.access is Access.OPTIONAL:
            raise MacroError(element.value, "a value of `cel.block` can't be optional")
        body = Scoped(call.start, call.end, ScopedKind.LAZY, f"@index{place}", element.value, body)
    return body


def _numbered(prefix: str) -> Callable[[Call], Node]:
    """A name made of numbers, which no source can spell otherwise."""

    def build(call: Call) -> Node:
        numbers = [node.value if isinstance(node, Literal) else None for node in call.arguments]
        for number, node in zip(numbers, call.arguments, strict=True):
            if number.__class__ is not int or number < 0:
                raise MacroError(node, f"`cel.{call.name}` takes numbers from 0, written out")
        return Ident(call.start, call.end, prefix + ":".join(map(str, numbers)))

    return build


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
_NAMED: dict[tuple[str, int], Callable[[Call], Node]] = {
    ("bind", 3): _bind,
    ("block", 2): _block,
    ("index", 1): _numbered("@index"),
    ("iterVar", 2): _numbered("@it:"),
    ("accuVar", 2): _numbered("@ac:"),
}
MACRO_NAMES = frozenset({"has", *(name for name, _ in _MACROS)})
"""The names of all macros."""
