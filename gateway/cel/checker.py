"""Find what is wrong with an expression before it is ever evaluated, and what it reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from gateway.cel import fields
from gateway.cel.environment import Environment, dotted, resolve, resolve_call
from gateway.cel.evaluate import implementation
from gateway.cel.functions.signature import NOT_CONSTANT, Elements, Style
from gateway.cel.macros import MACRO_NAMES
from gateway.cel.names import Names
from gateway.cel.signatures import OPERATOR_OVERLOADS, choose
from gateway.cel.syntax import (
    Access,
    Binary,
    BinaryOperator,
    Call,
    Conditional,
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
    Parsed,
    Scoped,
    ScopedKind,
    Select,
    Unary,
    UnaryOperator,
)
from gateway.cel.types import (
    BOOL,
    DYN,
    INT,
    NEVER,
    STRING,
    UINT,
    ListType,
    MapType,
    ObjectType,
    OptionalType,
    Type,
    accepts,
    comparable,
    join,
    literal_type,
    settle,
)
from gateway.cel.values import CelError
from gateway.diagnostic import Diagnostic, shortened, suggest


@dataclass(frozen=True, slots=True)
class Checked:
    """The type of an expression, what is wrong with it, and what it depends on.

    `reads` are paths such as `("args", "amount")`; `calls` are names of functions, `unbuilt` those among them
    that have no implementation yet.
    """

    type: Type
    diagnostics: tuple[Diagnostic, ...]
    reads: frozenset[tuple[str, ...]]
    calls: frozenset[str]
    unbuilt: frozenset[str]


def check(parsed: Parsed, environment: Environment, expects: Type | None = BOOL) -> Checked:
    """Check an expression; `expects` is the type that it has to give, None for any."""
    checker = _Checker(parsed, environment)
    if parsed.ast is None:
        return Checked(DYN, parsed.diagnostics, frozenset(), frozenset(), frozenset())
    type_ = settle(checker.visit(parsed.ast))
    if expects is not None and not accepts(expects, type_, {}):
        checker.report("cel-type", parsed.ast, f"this gives {type_}, but {expects} is needed")
    return Checked(
        type_,
        tuple(dict.fromkeys(checker.diagnostics)),
        frozenset(checker.reads),
        frozenset(checker.calls),
        frozenset(checker.unbuilt),
    )


class _Checker(Names):
    def visit(self, node: Node) -> Type:
        return _VISITS[node.__class__](self, node)

    # Operators

    def literal(self, node: Literal) -> Type:
        return literal_type(node.value)

    def unary(self, node: Unary) -> Type:
        if node.operator is UnaryOperator.NOT:
            self.require_bool(node.operand, "`!`")
            return BOOL
        type_ = self.visit(node.operand)
        if type_ in fields.SIGNED or type_ in (DYN, NEVER):
            return type_
        return self.report("cel-type", node, f"`-` takes a number, not {type_}")

    def binary(self, node: Binary) -> Type:
        left, right = self.visit(node.left), self.visit(node.right)
        symbol = node.operator
        if symbol in (BinaryOperator.EQUAL, BinaryOperator.UNEQUAL):
            if not comparable(left, right):
                self.report("cel-type", node, f"{left} and {right} are never equal")
            self.chosen(node.left, node.right)
            self.chosen(node.right, node.left)
            return BOOL
        if symbol is BinaryOperator.IN:
            return self.contained(node, left, right)
        choice = choose(OPERATOR_OVERLOADS[symbol], (left, right))
        if choice is None:
            return self.report("cel-type", node, f"`{symbol.value}` can't take {left} and {right}")
        return choice.result

    def contained(self, node: Binary, left: Type, right: Type) -> Type:
        inside = fields.loop_types(right, 1)
        if inside is None:
            help_ = "write `text.contains(part)`" if right == STRING else ""
            self.report(
                "cel-type", node.right, f"`in` takes a list or a map on its right, not {right}", help_
            )
        elif not comparable(left, inside[0]):
            self.report("cel-type", node, f"{left} is never in {right}")
        elif isinstance(right, ObjectType) and isinstance(node.left, Literal):
            named = fields.field_type(right, node.left.value)
            if isinstance(named, fields.Wrong):
                self.report(named.code, node.left, named.message, named.help)
        elif isinstance(node.right, ListNode):
            for element in node.right.elements:
                self.chosen(node.left, element.value)
        return BOOL

    def chosen(self, node: Node, other: Node) -> None:
        """Report a text that a field never is."""
        choices = self.choices.get(id(node), ())
        if not choices or not isinstance(other, Literal) or other.value.__class__ is not str:
            return
        text = other.value
        if text not in choices:
            near = [choice for choice in choices if choice.lower() == text.lower()] or suggest(text, choices)
            listed = ", ".join(f"`{choice}`" for choice in choices[:20])
            help_ = f"did you mean `{near[0]}`" if near else f"it is one of {listed}"
            name = self.parsed.excerpt.text[node.start : node.end]
            self.report("cel-type", other, f"`{name}` is never `{shortened(text)}`", help_)

    def logic(self, node: Logic) -> Type:
        marks = [self.guard(self.meant(node.operator, term)) for term in node.terms]
        for position, term in enumerate(node.terms):
            with self.guarded(mark for other, mark in enumerate(marks) if other != position):
                self.require_bool(term, f"`{node.operator.value}`")
        return BOOL

    @staticmethod
    def meant(operator: LogicOperator, term: Node) -> Node:
        """The `has` that a term of a chain may be: under `||` it has to be negated."""
        if operator is LogicOperator.AND:
            return term
        negated = isinstance(term, Unary) and term.operator is UnaryOperator.NOT
        return term.operand if negated and isinstance(term, Unary) else Literal(term.start, term.end, None)

    def conditional(self, node: Conditional) -> Type:
        self.require_bool(node.condition, "`? :`")
        with self.guarded((self.guard(node.condition),)):
            then = self.visit(node.then)
        otherwise = self.visit(node.otherwise)
        type_ = join(then, otherwise)
        if type_ == DYN and not comparable(then, otherwise):
            return self.report("cel-type", node, f"one branch gives {then}, the other {otherwise}")
        return type_

    # Calls, literals and macros

    def call(self, node: Call) -> Type:
        function, target = resolve_call(node, self.environment, self.shadowing)
        if function is None and (beside := self.beside(target)):
            for argument in node.arguments:
                self.visit(argument)
            return self.not_beside(node, beside)
        nodes = (*(() if target is None else (target,)), *node.arguments)
        types = [self.visit(argument) for argument in nodes]
        if function is None:
            return self.unknown_function(node)
        self.calls.add(function.name)
        if not function.built:
            self.unbuilt.add(function.name)
        choice = choose(function.overloads, types)
        if choice is None:
            given = ", ".join(map(str, types))
            known = " or ".join(f"`{function.called(overload)}`" for overload in function.overloads)
            return self.report(
                "cel-type", node, f"`{function.name}` can't take ({given})", f"it is {known}", node.name_start
            )
        try:
            implementation(function, nodes)
            if function.verify is not None:
                function.verify([self.constant(argument) for argument in nodes])
        except CelError as error:
            constant = next((a for a in reversed(nodes) if isinstance(a, Literal)), node)
            self.report("cel-syntax", constant, error.message)
        return choice.result

    def constant(self, node: Node) -> Any:
        """The value of a literal, or the types in a list that was visited."""
        if isinstance(node, Literal):
            return node.value
        return self.elements.get(id(node), NOT_CONSTANT)

    def beside(self, target: Node | None) -> tuple[str, ...]:
        """The functions of a namespace such as `math`, if that is what a call's target names."""
        prefix = "" if target is None else dotted(target)
        if not prefix or target is None or resolve(target, self.environment, self.shadowing) is not None:
            return ()
        if prefix.split(".")[0] in self.shadowing:
            return ()
        names = self.environment.functions.names(Style.GLOBAL)
        return tuple(name for name in names if name.startswith(f"{prefix}."))

    def not_beside(self, node: Call, beside: tuple[str, ...]) -> Type:
        prefix = beside[0].rpartition(".")[0]
        near = suggest(node.name, [name.rpartition(".")[2] for name in beside])
        known = f"there are {', '.join(f'`{name}`' for name in beside)}"
        help_ = f"did you mean `{prefix}.{near[0]}`" if near else known
        message = f"there is no function `{prefix}.{node.name}`"
        return self.report("cel-name", node, message, help_, node.start, node.name_end)

    def unknown_function(self, node: Call) -> Type:
        style = Style.GLOBAL if node.target is None else Style.MEMBER
        library = self.environment.functions
        other = Style.MEMBER if style is Style.GLOBAL else Style.GLOBAL
        if node.name in MACRO_NAMES:
            help_ = "a macro takes a name and an expression: `list.all(x, x > 0)`"
        elif library.find(node.name, other):
            help_ = f"write `{node.name}(x)`" if other is Style.GLOBAL else f"write `x.{node.name}(…)`"
        else:
            known = [*library.names(style), *MACRO_NAMES]
            near = suggest(node.name, known)
            help_ = f"did you mean `{near[0]}`" if near else ""
        message = f"there is no function `{node.name}`"
        return self.report("cel-name", node, message, help_, node.name_start, node.name_end)

    def list(self, node: ListNode) -> Type:
        element: Type = NEVER
        types = tuple(self.optional(item.value, item.access) for item in node.elements)
        for type_ in types:
            element = join(element, type_)
        if all(item.access is Access.PLAIN for item in node.elements):
            self.elements[id(node)] = Elements(types)
        return ListType(element)

    def optional(self, node: Node, access: Access) -> Type:
        type_ = self.visit(node)
        if access is Access.PLAIN or type_ == DYN:
            return type_
        if isinstance(type_, OptionalType):
            return type_.value
        return self.report("cel-type", node, f"`?` takes an optional, not {type_}")

    def map(self, node: MapNode) -> Type:
        key: Type = NEVER
        value: Type = NEVER
        for entry in node.entries:
            own = self.visit(entry.key)
            if own not in (BOOL, INT, UINT, STRING, DYN):
                self.report("cel-type", entry.key, f"a key can't be {own}")
            key = join(key, own)
            value = join(value, self.optional(entry.value, entry.access))
        return MapType(key, value)

    def macro(self, node: Macro) -> Type:
        range_ = self.visit(node.range)
        types = fields.loop_types(range_, len(node.variables))
        if types is None:
            self.report("cel-type", node.range, f"a macro goes through a list or a map, not {range_}")
            types = (DYN,) * len(node.variables)
        with self.naming(**dict(zip(node.variables, types, strict=True))):
            if isinstance(range_, ObjectType) and not range_.open:
                self.keys[self.locals[node.variables[0]][1]] = tuple(range_.fields)
            if node.kind not in (MacroKind.LIST, MacroKind.MAP):
                self.require_bool(node.body, f"`{node.kind.value}`")
                return BOOL
            if node.condition is not None:
                self.require_bool(node.condition, "a filter")
            body = self.visit(node.body)
        return ListType(body) if node.kind is MacroKind.LIST else MapType(types[0], body)

    def scoped(self, node: Scoped) -> Type:
        value = self.visit(node.value)
        if node.kind in (ScopedKind.OPTIONAL_MAP, ScopedKind.OPTIONAL_FLAT_MAP):
            if isinstance(value, OptionalType):
                value = value.value
            elif value != DYN:
                value = self.report(
                    "cel-type", node.value, f"`{node.kind.value}` takes an optional, not {value}"
                )
        with self.naming(**{node.variable: value}):
            body = self.visit(node.body)
        if node.kind is ScopedKind.OPTIONAL_MAP:
            return OptionalType(body)
        return body


_Visit: TypeAlias = Callable[[_Checker, Any], Type]
_VISITS: Mapping[type, _Visit] = {
    Literal: _Checker.literal,
    Ident: _Checker.chain,
    Select: _Checker.chain,
    Index: _Checker.chain,
    Has: _Checker.has,
    Call: _Checker.call,
    Unary: _Checker.unary,
    Binary: _Checker.binary,
    Logic: _Checker.logic,
    Conditional: _Checker.conditional,
    ListNode: _Checker.list,
    MapNode: _Checker.map,
    Macro: _Checker.macro,
    Scoped: _Checker.scoped,
}
