"""The fewest steps with which an expression can come to a value: what can only fail is a mistake, found at load."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from gateway.cel.budget import ERROR_STEPS, MAX_STEPS, weight
from gateway.cel.environment import Environment, resolve, resolve_call
from gateway.cel.functions import STANDARD
from gateway.cel.functions.signature import Style
from gateway.cel.syntax import (
    Access,
    Call,
    Conditional,
    Ident,
    ListNode,
    Literal,
    Logic,
    Macro,
    MacroKind,
    Node,
    Parsed,
    Scoped,
    ScopedKind,
    Select,
    children,
)
from gateway.cel.types import ObjectType

_RANGE = STANDARD.find("lists.range", Style.GLOBAL)


@dataclass(frozen=True, slots=True)
class TooDear:
    """A part of an expression that takes more steps than there are, whatever the values are."""

    node: Node
    steps: int

    @property
    def message(self) -> tuple[str, str]:
        """What is wrong, and what to do."""
        return (
            f"this takes at least {self.steps:,} steps, and a condition may take {MAX_STEPS:,}: it always fails",
            "go through fewer elements, or through each list once and not once for each element of another",
        )


def too_dear(parsed: Parsed, environment: Environment) -> TooDear | None:
    """The smallest part that can't come to a value within the budget, if the whole expression can't."""
    if parsed.ast is None or not any(isinstance(node, Macro | Call) for node in _below(parsed.ast)):
        return None
    visitor = _Visitor(parsed, environment)
    steps = visitor.visit(parsed.ast)
    if steps <= MAX_STEPS:
        return None
    node = parsed.ast
    while True:
        dear = [one for one in children(node) if visitor.of.get(id(one), 0) > MAX_STEPS]
        if not dear:
            return TooDear(node, visitor.of[id(node)])
        node = dear[0]


def fewest_steps(parsed: Parsed, environment: Environment) -> int:
    """The fewest steps that an evaluation takes which comes to a value."""
    return 0 if parsed.ast is None else _Visitor(parsed, environment).visit(parsed.ast)


def _below(root: Node) -> list[Node]:
    found = [root]
    for node in found:
        found.extend(children(node))
    return found


class _Visitor:
    """What is not certain takes no steps: a `let` may have been used before, an absent argument takes none."""

    def __init__(self, parsed: Parsed, environment: Environment) -> None:
        self.parsed = parsed
        self.environment = environment
        self.locals: frozenset[str] = frozenset()
        self.of: dict[int, int] = {}

    def visit(self, node: Node) -> int:
        special = _VISITS.get(node.__class__)
        steps = sum(map(self.visit, children(node))) if special is None else special(self, node)
        self.of[id(node)] = steps
        return steps

    def call(self, node: Call) -> int:
        function, target = resolve_call(node, self.environment, {*self.locals, *self.parsed.lets})
        steps = sum(map(self.visit, node.arguments)) + (0 if target is None else self.visit(target))
        return steps + (self.count(node) if function is _RANGE else 0)

    def logic(self, node: Logic) -> int:
        """The first term may decide; where it can't come to a value, its error is absorbed."""
        cheapest, before = None, 0
        for term in node.terms:
            own = self.visit(term)
            cheapest = before + own if cheapest is None else min(cheapest, before + own)
            before += min(own, ERROR_STEPS)
        return cheapest or 0

    def conditional(self, node: Conditional) -> int:
        condition = self.visit(node.condition)
        return condition + min(self.visit(node.then), self.visit(node.otherwise))

    def macro(self, node: Macro) -> int:
        steps, count = self.visit(node.range), self.count(node.range)
        outer = self.locals
        self.locals = outer | set(node.variables)
        condition = 0 if node.condition is None else self.visit(node.condition)
        body = self.visit(node.body)
        self.locals = outer
        steps += count * (1 + weight((node.condition, node.body)))
        if node.kind is MacroKind.ALL or node.kind is MacroKind.EXISTS:
            return steps + (min(body, ERROR_STEPS) if count else 0)
        return steps + count * (body if node.condition is None else condition)

    def scoped(self, node: Scoped) -> int:
        value = self.visit(node.value)
        outer = self.locals
        self.locals = outer | {node.variable}
        body = self.visit(node.body)
        self.locals = outer
        if node.kind is ScopedKind.BIND:
            return value + body
        return body if node.kind is ScopedKind.LAZY else value

    def count(self, node: Node) -> int:
        """The fewest elements of a list."""
        if isinstance(node, ListNode):
            return sum(element.access is Access.PLAIN for element in node.elements)
        if isinstance(node, Macro):
            return self.count(node.range) if node.kind is MacroKind.LIST and node.condition is None else 0
        if isinstance(node, Call):
            function, _ = resolve_call(node, self.environment, {*self.locals, *self.parsed.lets})
            number = node.arguments[0] if function is _RANGE and node.arguments else None
            return number.value if isinstance(number, Literal) and number.value.__class__ is int else 0
        return self.declared(node) if isinstance(node, Ident | Select) else 0

    def declared(self, node: Ident | Select) -> int:
        """The fewest elements that a list of the policy, or of the call's schema, has."""
        found = resolve(node, self.environment, {*self.locals, *self.parsed.lets})
        if found is None or not found.rest:
            return 0
        type_ = self.environment.variables.get(found.name)
        domain = None
        for step in found.rest:
            field = type_.fields.get(step.field) if isinstance(type_, ObjectType) else None
            if field is None:
                return 0
            type_, domain = field.type, field.domain
        form = domain.forms.get("list") if domain is not None and len(domain.forms) == 1 else None
        return int(form.range.low or 0) if form is not None else 0


_Visit: TypeAlias = Callable[[_Visitor, Any], int]
_VISITS: Mapping[type, _Visit] = {
    Literal: lambda visitor, node: 0,
    Ident: lambda visitor, node: 0,
    Call: _Visitor.call,
    Logic: _Visitor.logic,
    Conditional: _Visitor.conditional,
    Macro: _Visitor.macro,
    Scoped: _Visitor.scoped,
}
