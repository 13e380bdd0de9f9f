"""CEL expressions in one spelling: two that differ only in how they are written have the same text."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from gateway.cel import Parsed, UInt
from gateway.cel.macros import SORTED
from gateway.cel.syntax import (
    Access,
    Binary,
    BinaryOperator,
    Call,
    Conditional,
    Element,
    Has,
    Ident,
    Index,
    ListNode,
    Literal,
    Logic,
    LogicOperator,
    Macro,
    MacroKind,
    MapNode,
    Node,
    Scoped,
    ScopedKind,
    Select,
    Unary,
    UnaryOperator,
)

_MOST = 64 * 1024
"""How many characters a spelling may have: names for sub-expressions can be nested without end."""

_TERNARY, _OR, _AND, _RELATION, _SUM, _PRODUCT, _UNARY, _MEMBER = range(1, 9)
_WEIGHT: Mapping[BinaryOperator, int] = MappingProxyType(
    {
        BinaryOperator.ADD: _SUM,
        BinaryOperator.SUBTRACT: _SUM,
        BinaryOperator.MULTIPLY: _PRODUCT,
        BinaryOperator.DIVIDE: _PRODUCT,
        BinaryOperator.MODULO: _PRODUCT,
    }
)
MIRRORED: Mapping[BinaryOperator, BinaryOperator] = MappingProxyType(
    {
        BinaryOperator.EQUAL: BinaryOperator.EQUAL,
        BinaryOperator.LESS: BinaryOperator.GREATER,
        BinaryOperator.LESS_EQUAL: BinaryOperator.GREATER_EQUAL,
        BinaryOperator.GREATER: BinaryOperator.LESS,
        BinaryOperator.GREATER_EQUAL: BinaryOperator.LESS_EQUAL,
    }
)
"""What a comparison is with its sides exchanged."""


class Unspellable(Exception):
    """The expression is too long once its names are written out, or holds a constant that has no text."""


Lists = Mapping[str, Sequence[Any]]
"""The constants of a policy, by name."""


def spelled(parsed: Parsed, lists: Lists = MappingProxyType({})) -> str:
    """The expression with `let` names and `lists` written out, variables of macros renamed, and operands in order."""
    if parsed.ast is None:
        raise Unspellable
    return _Spelling(parsed.lets, lists, {}, 0).text(parsed.ast, 0)


class _Spelling:
    """Writes nodes: `lets` and `lists` are what is known here, `renamed` the variables of the macros around."""

    def __init__(
        self, lets: Mapping[str, Parsed], lists: Lists, renamed: Mapping[str, str], depth: int
    ) -> None:
        self.lets = lets
        self.lists = lists
        self.renamed = renamed
        self.depth = depth

    def inside(self, names: tuple[str, ...]) -> _Spelling:
        """The same with variables of a macro; they hide other names."""
        fresh = {name: f"_{self.depth + index + 1}" for index, name in enumerate(names)}
        return _Spelling(self.lets, self.lists, {**self.renamed, **fresh}, self.depth + len(names))

    def text(self, node: Node, least: int) -> str:
        """A node's text, in parentheses where its operator binds less than `least`."""
        weight, text = _WRITERS[node.__class__](self, node)
        if len(text) > _MOST:
            raise Unspellable
        return f"({text})" if weight < least else text

    def named(self, node: Ident) -> tuple[int, str]:
        if not node.root and node.name in self.renamed:
            return _MEMBER, self.renamed[node.name]
        let = None if node.root else self.lets.get(node.name)
        if let is None or let.ast is None:
            return _MEMBER, node.name
        # What a name stands for was bound before: it sees no macro around the place where it is used.
        inner = _Spelling(let.lets, self.lists, {}, self.depth)
        return _MEMBER, inner.text(let.ast, _MEMBER)

    def selected(self, node: Select) -> tuple[int, str]:
        if node.access is Access.PLAIN and node.field in self.lists and self._is_lists(node.operand):
            return _MEMBER, f"[{', '.join(map(_constant, self.lists[node.field]))}]"
        mark = "?" if node.access is Access.OPTIONAL else ""
        return _MEMBER, f"{self.text(node.operand, _MEMBER)}.{mark}{field_text(node.field)}"

    def _is_lists(self, node: Node) -> bool:
        hidden = {*self.renamed, *self.lets}
        return isinstance(node, Ident) and node.name == "lists" and (node.root or "lists" not in hidden)

    def has(self, node: Has) -> tuple[int, str]:
        mark = "?" if node.access is Access.OPTIONAL else ""
        return _MEMBER, f"has({self.text(node.operand, _MEMBER)}.{mark}{field_text(node.field)})"

    def indexed(self, node: Index) -> tuple[int, str]:
        mark = "?" if node.access is Access.OPTIONAL else ""
        return _MEMBER, f"{self.text(node.operand, _MEMBER)}[{mark}{self.text(node.index, 0)}]"

    def called(self, node: Call) -> tuple[int, str]:
        target = "" if node.target is None else f"{self.text(node.target, _MEMBER)}."
        return _MEMBER, f"{target}{node.name}({', '.join(self.text(each, 0) for each in node.arguments)})"

    def unary(self, node: Unary) -> tuple[int, str]:
        # A number behind a minus would be read as one constant.
        least = _MEMBER if node.operator is UnaryOperator.NOT else _MEMBER + isinstance(node.operand, Literal)
        return _UNARY, f"{node.operator.value}{self.text(node.operand, least)}"

    def binary(self, node: Binary) -> tuple[int, str]:
        if node.operator is BinaryOperator.UNEQUAL:
            return _UNARY, f"!({self.binary(replace(node, operator=BinaryOperator.EQUAL))[1]})"
        weight = _WEIGHT.get(node.operator, _RELATION)
        left, right = self.text(node.left, weight), self.text(node.right, weight + 1)
        mirrored = MIRRORED.get(node.operator)
        if mirrored is not None:
            left, right = self.text(node.left, weight + 1), self.text(node.right, weight + 1)
            first = (isinstance(node.left, Literal), left)
            if first > (isinstance(node.right, Literal), right):
                return weight, f"{right} {mirrored.value} {left}"
        return weight, f"{left} {node.operator.value} {right}"

    def logic(self, node: Logic) -> tuple[int, str]:
        weight = _AND if node.operator is LogicOperator.AND else _OR
        terms = {self.text(term, weight + 1) for term in self._flat(node)}
        if len(terms) == 1:
            # Said once more it is still asked to be true or false.
            terms.add("true" if weight == _AND else "false")
        return weight, f" {node.operator.value} ".join(sorted(terms))

    def _flat(self, node: Logic) -> list[Node]:
        found: list[Node] = []
        for term in node.terms:
            if isinstance(term, Logic) and term.operator is node.operator:
                found.extend(self._flat(term))
            else:
                found.append(term)
        return found

    def conditional(self, node: Conditional) -> tuple[int, str]:
        condition, then = self.text(node.condition, _OR), self.text(node.then, _OR)
        return _TERNARY, f"{condition} ? {then} : {self.text(node.otherwise, _TERNARY)}"

    def listed(self, node: ListNode) -> tuple[int, str]:
        return _MEMBER, f"[{', '.join(map(self._element, node.elements))}]"

    def _element(self, element: Element) -> str:
        return f"{'?' if element.access is Access.OPTIONAL else ''}{self.text(element.value, 0)}"

    def mapped(self, node: MapNode) -> tuple[int, str]:
        entries = (
            f"{'?' if entry.access is Access.OPTIONAL else ''}{self.text(entry.key, 0)}: {self.text(entry.value, 0)}"
            for entry in node.entries
        )
        return _MEMBER, "{" + ", ".join(entries) + "}"

    def macro(self, node: Macro) -> tuple[int, str]:
        inside = self.inside(node.variables)
        name, parts = _MACRO_NAMES[node.kind, len(node.variables)], [node.condition, node.body]
        if node.kind is MacroKind.LIST and len(node.variables) == 1 and _is(node.body, node.variables[0]):
            name, parts = "filter", [node.condition]
        written = [inside.text(part, 0) for part in parts if part is not None]
        arguments = ", ".join((*(inside.renamed[name] for name in node.variables), *written))
        return _MEMBER, f"{self.text(node.range, _MEMBER)}.{name}({arguments})"

    def scoped(self, node: Scoped) -> tuple[int, str]:
        if node.variable == SORTED:
            match node.body:
                case Call(arguments=(Macro(variables=(variable,), body=key),)):
                    names = self.inside((SORTED, variable))
                    sorted_ = f"sortBy({names.renamed[variable]}, {names.text(key, 0)})"
                    return _MEMBER, f"{self.text(node.value, _MEMBER)}.{sorted_}"
        inside = self.inside((node.variable,))
        variable, body = inside.renamed[node.variable], inside.text(node.body, 0)
        if node.kind is ScopedKind.BIND:
            return _MEMBER, f"cel.bind({variable}, {self.text(node.value, 0)}, {body})"
        return _MEMBER, f"{self.text(node.value, _MEMBER)}.{node.kind.value}({variable}, {body})"

    def literal(self, node: Literal) -> tuple[int, str]:
        text = _constant(node.value)
        return (_UNARY if text.startswith("-") else _MEMBER), text


def _is(node: Node, name: str) -> bool:
    return isinstance(node, Ident) and node.name == name and not node.root


def field_text(name: str) -> str:
    """A name behind a dot."""
    return name if name.isidentifier() and name.isascii() else f"`{name}`"


def _constant(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, UInt):
        return repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float) and value - value == 0:
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bytes):
        return 'b"' + "".join(f"\\x{byte:02x}" for byte in value) + '"'
    raise Unspellable


_MACRO_NAMES: Mapping[tuple[MacroKind, int], str] = MappingProxyType(
    {
        **{
            (kind, count): kind.value
            for kind in (MacroKind.ALL, MacroKind.EXISTS, MacroKind.EXISTS_ONE)
            for count in (1, 2)
        },
        (MacroKind.LIST, 1): "map",
        (MacroKind.LIST, 2): "transformList",
        (MacroKind.MAP, 2): "transformMap",
    }
)
_WRITERS: Mapping[type, Callable[[_Spelling, Any], tuple[int, str]]] = MappingProxyType(
    {
        Literal: _Spelling.literal,
        Ident: _Spelling.named,
        Select: _Spelling.selected,
        Has: _Spelling.has,
        Index: _Spelling.indexed,
        Call: _Spelling.called,
        Unary: _Spelling.unary,
        Binary: _Spelling.binary,
        Logic: _Spelling.logic,
        Conditional: _Spelling.conditional,
        ListNode: _Spelling.listed,
        MapNode: _Spelling.mapped,
        Macro: _Spelling.macro,
        Scoped: _Spelling.scoped,
    }
)
