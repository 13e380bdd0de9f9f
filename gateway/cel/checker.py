"""Find what is wrong with an expression before it is ever evaluated, and what it reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, TypeAlias

from gateway.cel import fields, mends
from gateway.cel.asked import Asked
from gateway.cel.costs.least import too_dear
from gateway.cel.domain import Domain, Form, either, kind_of_type, of_type, sizes, texts, values_of
from gateway.cel.environment import Environment, resolve_call
from gateway.cel.evaluate import implementation
from gateway.cel.functions.signature import NOT_CONSTANT, Elements, Function
from gateway.cel.learned import Fact
from gateway.cel.names import Local
from gateway.cel.signatures import OPERATOR_OVERLOADS, Choice, choose
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
from gateway.diagnostic import Diagnostic

_MOST_COMBINED = 64


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
        help_ = mends.for_condition(parsed.ast, checker.side(parsed.ast, type_)) if expects == BOOL else ""
        checker.report("cel-type", parsed.ast, f"this gives {type_}, but {expects} is needed", help_)
    if not checker.diagnostics and (dear := too_dear(parsed, environment)) is not None:
        checker.report("cel-limit", dear.node, *dear.message)
    return Checked(
        type_,
        tuple(dict.fromkeys(checker.diagnostics)),
        frozenset(checker.reads),
        frozenset(checker.calls),
        frozenset(checker.unbuilt),
    )


class _Checker(Asked):
    def visit(self, node: Node) -> Type:
        type_ = _VISITS[node.__class__](self, node)
        self.carry(node, type_)
        return type_

    # Operators

    def literal(self, node: Literal) -> Type:
        return literal_type(node.value)

    def unary(self, node: Unary) -> Type:
        if node.operator is UnaryOperator.NOT:
            self.require_bool(node.operand, "`!`")
            return BOOL
        type_ = self.visit(node.operand)
        types = self.types(node.operand, type_)
        signed = [one for one in types if one in fields.SIGNED or one in (DYN, NEVER)]
        if len(signed) == len(types):
            return type_
        if signed:
            wrong = next(one for one in types if one not in signed)
            return self.may_be(node.operand, wrong, str(signed[0]), "`-` takes a number")
        return self.report(
            "cel-type", node, f"`-` takes a number, not {self.named_type(node.operand, type_)}"
        )

    def binary(self, node: Binary) -> Type:
        left, right = self.visit(node.left), self.visit(node.right)
        symbol = node.operator
        if symbol in (BinaryOperator.EQUAL, BinaryOperator.UNEQUAL):
            self.compared(node, left, right)
            return BOOL
        if symbol is BinaryOperator.IN:
            return self.contained(node, left, right)
        given = (self.types(node.left, left), self.types(node.right, right))
        chosen = {pair: choose(OPERATOR_OVERLOADS[symbol], pair) for pair in product(*given)}
        results = [choice.result for choice in chosen.values() if choice is not None]
        if not results:
            sides = f"{self.named_type(node.left, left)} and {self.named_type(node.right, right)}"
            help_ = self.conversion(node, left, right)
            return self.report("cel-type", node, f"`{symbol.value}` can't take {sides}", help_)
        for (one, other), choice in chosen.items():
            if choice is None:
                position = 0 if len(given[0]) > 1 else 1
                good = next(pair for pair, fits in chosen.items() if fits is not None)
                why = f"`{symbol.value}` can't take {one} and {other}"
                side = (node.left, node.right)[position]
                return self.may_be(side, (one, other)[position], kind_of_type(good[position]) or "", why)
        self.ordered(node, left, right)
        self.divided(node, self.domain(node.right, right))
        return results[0] if all(result == results[0] for result in results) else DYN

    def logic(self, node: Logic) -> Type:
        holds = node.operator is LogicOperator.AND
        facts = [self.learned(term, holds) for term in node.terms]
        for position, term in enumerate(node.terms):
            others = (fact for other, own in enumerate(facts) if other != position for fact in own)
            with self.guarded(others):
                self.require_bool(term, f"`{node.operator.value}`")
        return BOOL

    def conditional(self, node: Conditional) -> Type:
        self.require_bool(node.condition, "`? :`")
        with self.guarded(self.learned(node.condition, holds=True)):
            then = self.visit(node.then)
        with self.guarded(fact for fact in self.learned(node.condition, holds=False) if fact.kinds):
            otherwise = self.visit(node.otherwise)
        type_ = join(then, otherwise)
        if type_ == DYN and not comparable(then, otherwise):
            return self.report("cel-type", node, f"one branch gives {then}, the other {otherwise}")
        self.may_become(node, type_, self.domain(node.then, then), self.domain(node.otherwise, otherwise))
        return type_

    def may_become(self, node: Node, type_: Type, *domains: Domain | None) -> None:
        """Remember that a node is whatever one of others is."""
        domain = None if isinstance(type_, OptionalType) else either(domains)
        if domain is not None and domain.forms:
            self.domains[id(node)] = domain

    # Calls, literals and macros

    def call(self, node: Call) -> Type:
        function, target = resolve_call(node, self.environment, self.shadowing)
        if not self.callable(node, function, target) or function is None:
            return DYN
        nodes = (*(() if target is None else (target,)), *node.arguments)
        types = [self.visit(argument) for argument in nodes]
        self.calls.add(function.name)
        if not function.built:
            self.unbuilt.add(function.name)
        possible = [self.types(*pair) for pair in zip(nodes, types, strict=True)]
        if prod(map(len, possible)) > _MOST_COMBINED:
            possible = [(type_,) for type_ in types]
        chosen = {given: choose(function.overloads, given) for given in product(*possible)}
        choices = [choice for choice in chosen.values() if choice is not None]
        if not choices:
            given = ", ".join(self.named_type(*pair) for pair in zip(nodes, types, strict=True))
            known = " or ".join(f"`{function.called(overload)}`" for overload in function.overloads)
            help_ = mends.for_call(function, [*map(self.side, nodes, types)]) or f"it is {known}"
            return self.report(
                "cel-type", node, f"`{function.name}` can't take ({given})", help_, node.name_start
            )
        if len(choices) < len(chosen):
            return self.sometimes(function, nodes, chosen)
        try:
            implementation(function, nodes)
            if function.verify is not None:
                function.verify([self.constant(argument) for argument in nodes])
        except CelError as error:
            constant = next((a for a in reversed(nodes) if isinstance(a, Literal)), node)
            self.report("cel-value", constant, error.message)
        else:
            self.asked(function, nodes, types)
        result = choices[0].result
        if any(choice.result != result for choice in choices):
            result = DYN
        return self.called(node, function.name, nodes, types, result)

    def sometimes(
        self, function: Function, nodes: Sequence[Node], chosen: Mapping[tuple[Type, ...], Choice | None]
    ) -> Type:
        """Report the argument that a function can't take where it is of one of its kinds."""
        good = next(given for given, choice in chosen.items() if choice is not None)
        bad = next(given for given, choice in chosen.items() if choice is None)
        for position, node in enumerate(nodes):
            mended = (*bad[:position], good[position], *bad[position + 1 :])
            if mended != bad and (chosen[mended] is not None or position == len(nodes) - 1):
                wanted = kind_of_type(good[position]) or ""
                return self.may_be(
                    node, bad[position], wanted, f"`{function.name}` can't take {bad[position]}"
                )
        return DYN

    def called(
        self, node: Call, name: str, nodes: Sequence[Node], types: Sequence[Type], result: Type
    ) -> Type:
        """What is known of the result of some functions."""
        if name == "size" and len(nodes) == 1:
            domain = self.domain(nodes[0], types[0])
            if domain is not None and domain.forms:
                self.domains[id(node)] = sizes(domain)
        elif name in ("orValue", "value") and isinstance(types[0], OptionalType):
            inside = self.domains.get(id(nodes[0])) or of_type(types[0].value)
            rest = [self.domain(nodes[1], types[1])] if name == "orValue" else []
            self.may_become(node, result, inside, *rest)
            found = self.domains.get(id(node))
            return result if found is None else found.type
        return result

    def constant(self, node: Node) -> Any:
        """The value of a literal, or the types in a list that was visited."""
        if isinstance(node, Literal):
            return node.value
        return self.elements.get(id(node), NOT_CONSTANT)

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
        found = {
            type_: fields.loop_types(type_, len(node.variables)) for type_ in self.types(node.range, range_)
        }
        good = [type_ for type_, types in found.items() if types is not None]
        types = found[good[0]] if len(good) == 1 else None
        if not good:
            named = self.named_type(node.range, range_)
            self.report("cel-type", node.range, f"a macro goes through a list or a map, not {named}")
        elif len(good) < len(found):
            wrong = next(type_ for type_ in found if type_ not in good)
            kind = kind_of_type(good[0]) or ""
            self.may_be(node.range, wrong, kind, "a macro goes through a list or a map")
        types = types or (DYN,) * len(node.variables)
        over = good[0] if len(good) == 1 else DYN
        with self.naming(**self.naming_elements(node, over, self.variables(node, over, types))):
            if node.kind not in (MacroKind.LIST, MacroKind.MAP):
                self.require_bool(node.body, f"`{node.kind.value}`")
                return BOOL
            facts: list[Fact] = []
            if node.condition is not None:
                self.require_bool(node.condition, "a filter")
                facts = self.learned(node.condition, holds=True)
            with self.guarded(facts):
                body = self.visit(node.body)
            inside = self.domain(node.body, body)
        if node.kind is MacroKind.MAP:
            return MapType(types[0], body)
        if inside is not None:
            self.domains[id(node)] = Domain({"list": Form(ListType(body), element=inside)}, inside.written)
        return ListType(body)

    def variables(self, node: Macro, range_: Type, types: Sequence[Type]) -> dict[str, Local]:
        """The variables of a macro with what is known of each."""
        domain = self.domain(node.range, range_)
        form = None if domain is None else domain.forms.get(kind_of_type(range_) or "")
        element = None if form is None else form.element
        if isinstance(range_, ListType):
            domains = (element,) if len(types) == 1 else (None, element)
            return {
                name: Local(type_, "", known)
                for name, type_, known in zip(node.variables, types, domains, strict=True)
            }
        keys = texts(range_.fields) if isinstance(range_, ObjectType) and not range_.open else None
        first = Local(types[0], "", keys, self.path(node.range))
        if isinstance(range_, ObjectType) and len(types) > 1:
            element = values_of(range_)
            types = (types[0], DYN if element is None else element.type)
        second = {
            name: Local(type_, "", element) for name, type_ in zip(node.variables[1:], types[1:], strict=True)
        }
        return {node.variables[0]: first, **second}

    def scoped(self, node: Scoped) -> Type:
        value = self.visit(node.value)
        if node.kind in (ScopedKind.OPTIONAL_MAP, ScopedKind.OPTIONAL_FLAT_MAP):
            if isinstance(value, OptionalType):
                value = value.value
            elif value != DYN:
                value = self.report(
                    "cel-type", node.value, f"`{node.kind.value}` takes an optional, not {value}"
                )
        local = Local(value, "", self.domains.get(id(node.value)), words=self.words.get(id(node.value)))
        with self.naming(**{node.variable: local}):
            body = self.visit(node.body)
        if (known := self.domains.get(id(node.body))) is not None:
            self.domains[id(node)] = known
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
