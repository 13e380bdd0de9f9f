"""The most steps that an evaluation of an expression can take, whatever the values are within their limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, inf, isinf
from typing import Any, TypeAlias

from gateway.cel.budget import ERROR_STEPS, weight
from gateway.cel.costs import extents
from gateway.cel.costs.extents import (
    ANYTHING,
    TRUTH,
    Extent,
    any_of,
    collection,
    of_constant,
    optional,
    outside,
    small,
    within,
)
from gateway.cel.costs.forms import ZERO, Form, Loop, most_of
from gateway.cel.costs.functions import call
from gateway.cel.costs.operators import operator
from gateway.cel.costs.texts import Given
from gateway.cel.environment import Environment, resolve, resolve_call
from gateway.cel.evaluate import implementation
from gateway.cel.functions.signature import Fails
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
from gateway.cel.types import BOOL, DOUBLE, DYN, TYPE, ListType, MapType, ObjectType
from gateway.cel.values import CelError


@dataclass(frozen=True, slots=True)
class Limit:
    """How many characters and how many elements and entries there are in all of a variable."""

    characters: float = inf
    items: float = inf
    plain: bool = False
    """Whether it came as JSON and fits its type, so that no list in it is a set."""
    sets: frozenset[str] = frozenset()
    """The fields of it that are certainly sets."""


@dataclass(frozen=True, slots=True)
class Bound:
    """The most steps of an evaluation, infinite if nothing limits them, and those of each part of it.

    `of` has the steps for the whole of each node, by `id`; in a loop those for one turn.
    """

    steps: float
    of: Mapping[int, float] = field(default_factory=dict)


def bound(parsed: Parsed, environment: Environment, limits: Mapping[str, Limit]) -> Bound:
    """The most steps that the exact evaluation takes where each variable is within its type and its limit."""
    if parsed.ast is None:
        return Bound(0)
    visitor = _Visitor(parsed, environment, limits)
    cost = (visitor.visit(parsed.ast)[0] + visitor.lets_cost).most
    # A part in a million, for what sums of floats may lack.
    return Bound(inf if isinf(cost) else ceil(cost * (1 + 1e-6)), visitor.of)


Path: TypeAlias = tuple[str, ...]
_Cost: TypeAlias = tuple[Form, Extent, bool]
"""The steps, what comes out, and whether it may fail."""


class _Visitor:
    def __init__(self, parsed: Parsed, environment: Environment, limits: Mapping[str, Limit]) -> None:
        self.parsed = parsed
        self.environment = environment
        self.limits = limits
        self.locals: dict[str, Extent] = {}
        self.lazy: set[str] = set()
        self.there: frozenset[Path] = frozenset()
        self.lets: dict[int, Extent] = {}
        self.lets_cost = ZERO
        self.of: dict[int, float] = {}

    def visit(self, node: Node) -> _Cost:
        found = _VISITS[node.__class__](self, node)
        self.of[id(node)] = found[0].most
        return found

    @property
    def shadowing(self) -> set[str]:
        return {*self.locals, *self.parsed.lets}

    def literal(self, node: Literal) -> _Cost:
        return ZERO, of_constant(node.value), False

    def ident(self, node: Ident) -> _Cost:
        if not node.root:
            if node.name in self.locals:
                return ZERO, self.locals[node.name], node.name in self.lazy
            if node.name in self.parsed.lets:
                return ZERO, self.let(self.parsed.lets[node.name]), True
        return self.named(node) or (ZERO, ANYTHING, True)

    def let(self, let: Parsed) -> Extent:
        """A named expression, which is paid for once however often it is used."""
        known = self.lets.get(id(let))
        if known is None:
            outer = self.parsed, self.locals, self.there
            self.parsed, self.locals, self.there = let, {}, frozenset()
            cost, known, _ = (ZERO, ANYTHING, True) if let.ast is None else self.visit(let.ast)
            self.parsed, self.locals, self.there = outer
            self.lets_cost += cost
            self.lets[id(let)] = known
        return known

    def named(self, node: Ident | Select) -> _Cost | None:
        found = resolve(node, self.environment, self.shadowing)
        if found is None:
            return None
        type_ = self.environment.variables.get(found.name)
        if type_ is None:
            return ZERO, small(TYPE), bool(found.rest)
        limit = self.limits.get(found.name, Limit())
        whole = Extent(type_, Form(limit.characters), Form(limit.items), Form(limit.items), plain=limit.plain)
        may_fail = not limit.plain
        if not found.rest:
            return ZERO, within(whole, type_, None), may_fail
        path: Path = (found.name,)
        for step in found.rest:
            path = (*path, step.field)
            may_fail = may_fail or not (_is_there(whole, step.field) or path in self.there)
            whole = extents.field(whole, step.field)
        if found.rest[0].field in limit.sets and len(found.rest) == 1:
            whole = replace(whole, hashed=True)
        return ZERO, whole, may_fail

    def select(self, node: Select) -> _Cost:
        named = self.named(node)
        if named is not None:
            return named
        cost, operand, fails = self.visit(node.operand)
        found = extents.field(operand, node.field)
        if node.access is not Access.PLAIN:
            return cost, optional(found), True
        return cost, found, fails or not (_is_there(operand, node.field) or _path(node) in self.there)

    def has(self, node: Has) -> _Cost:
        cost, operand, may_fail = self.visit(node.operand)
        return cost, TRUTH, may_fail or not isinstance(operand.type, MapType | ObjectType)

    def index(self, node: Index) -> _Cost:
        cost, operand, _ = self.visit(node.operand)
        key, _, _ = self.visit(node.index)
        name = node.index.value if isinstance(node.index, Literal) else None
        found = extents.field(operand, name) if isinstance(name, str) else extents.inside(operand)
        return cost + key, found if node.access is Access.PLAIN else optional(found), True

    def unary(self, node: Unary) -> _Cost:
        cost, operand, fails = self.visit(node.operand)
        if node.operator is UnaryOperator.NOT:
            return cost, TRUTH, fails or operand.type != BOOL
        return cost, operand if operand.small else replace(operand, type=DYN), fails or operand.type != DOUBLE

    def binary(self, node: Binary) -> _Cost:
        left_cost, left, left_fails = self.visit(node.left)
        right_cost, right, right_fails = self.visit(node.right)
        cost, result = operator(node.operator, left, right)
        if (node.operator is BinaryOperator.IN and _texts(node.right)) or (
            node.operator in _EQUALITY and _text(node.right)
        ):
            cost = ZERO
        fails = left_fails or right_fails or not _never_fails(node.operator, left, right)
        return left_cost + right_cost + cost, result, fails

    def logic(self, node: Logic) -> _Cost:
        cost, may_fail, outer = ZERO, False, self.there
        for term in node.terms:
            own, extent, fails = self.visit(term)
            cost += own.plus(ERROR_STEPS) if fails else own
            may_fail = may_fail or fails or extent.type != BOOL
            if not fails:
                self.there |= _asked(term, holds=node.operator is LogicOperator.AND)
        self.there = outer
        return cost, TRUTH, may_fail

    def conditional(self, node: Conditional) -> _Cost:
        cost, condition, fails = self.visit(node.condition)
        fails, outer = fails or condition.type != BOOL, self.there
        self.there = outer | _asked(node.condition, holds=True)
        then, one, then_fails = self.visit(node.then)
        self.there = outer | _asked(node.condition, holds=False)
        otherwise, other, other_fails = self.visit(node.otherwise)
        self.there = outer
        return cost + most_of(then, otherwise), extents.either(one, other), fails or then_fails or other_fails

    def call(self, node: Call) -> _Cost:
        function, target = resolve_call(node, self.environment, self.shadowing)
        nodes = (*(() if target is None else (target,)), *node.arguments)
        visited = [self.visit(argument) for argument in nodes]
        cost = ZERO
        for own, _, _ in visited:
            cost += own
        if function is None or not function.built:
            return cost, ANYTHING, True
        try:
            work = implementation(function, nodes)
        except CelError:
            return cost, ANYTHING, True
        literals = [one.value if isinstance(one, Literal) else None for one in nodes]
        given = Given([extent for _, extent, _ in visited], literals)
        own, result = call(function, given, costs=work.cost is not None)
        choice = choose(function.overloads, [extent.type for extent in given.extents])
        certain = choice is not None and choice.fails is Fails.NEVER
        return cost + own, result, not certain or any(fails for _, _, fails in visited)

    def list(self, node: ListNode) -> _Cost:
        visited = [self.visit(element.value) for element in node.elements]
        return self.gathered(ListType(DYN), visited, visited)

    def map(self, node: MapNode) -> _Cost:
        keys = [self.visit(entry.key) for entry in node.entries]
        values = [self.visit(entry.value) for entry in node.entries]
        return self.gathered(MapType(DYN, DYN), values, keys + values)

    def gathered(self, type_: ListType | MapType, values: Sequence[_Cost], every: Sequence[_Cost]) -> _Cost:
        cost = items = characters = ZERO
        for own, extent, _ in every:
            cost, items, characters = cost + own, items + extent.items, characters + extent.text
        inside = any_of(extent for _, extent, _ in values)
        made = collection(type_, Form(float(len(values))), inside, items, characters)
        return cost, made, any(fails for _, _, fails in every) or isinstance(type_, MapType)

    def macro(self, node: Macro) -> _Cost:
        cost, range_, range_fails = self.visit(node.range)
        loop = Loop(range_.count)
        outer, there = self.locals, self.there
        self.there = frozenset(path for path in there if path[0] not in node.variables)
        own = extents.variables_of_loop(range_, loop, len(node.variables))
        self.locals = {**outer, **dict(zip(node.variables, own, strict=True))}
        turn = Form(1.0 + weight((node.condition, node.body)))
        if node.condition is not None:
            turn += self.visit(node.condition)[0]
        body, result, fails = self.visit(node.body)
        turn += body
        self.locals, self.there = outer, there
        quantifies = node.kind is MacroKind.ALL or node.kind is MacroKind.EXISTS
        if quantifies and fails:
            turn = turn.plus(ERROR_STEPS)
        cost += turn.over(loop)
        if node.kind is MacroKind.LIST or node.kind is MacroKind.MAP:
            characters, items = result.text.over(loop), result.items.over(loop)
            if node.kind is MacroKind.MAP:
                characters += range_.text
            type_ = ListType(result.type) if node.kind is MacroKind.LIST else MapType(DYN, result.type)
            return cost, collection(type_, loop.turns, outside(result, loop), items, characters), True
        certain = quantifies and result.type == BOOL and isinstance(range_.type, ListType)
        return cost, TRUTH, fails or range_fails or not certain

    def scoped(self, node: Scoped) -> _Cost:
        cost, value, fails = self.visit(node.value)
        outer, there = self.locals, self.there
        self.there = frozenset(path for path in there if path[0] != node.variable)
        self.locals = {**outer, node.variable: value}
        if node.kind is ScopedKind.LAZY:
            self.lazy.add(node.variable)
        body, result, body_fails = self.visit(node.body)
        self.locals, self.there = outer, there
        if node.kind in (ScopedKind.OPTIONAL_MAP, ScopedKind.OPTIONAL_FLAT_MAP):
            return cost + body, result, True
        return cost + body, result, fails or body_fails


_EQUALITY = frozenset({BinaryOperator.EQUAL, BinaryOperator.UNEQUAL})


def _path(node: Node) -> Path:
    """The names of a chain of plain selections on a name; none for anything else."""
    names: list[str] = []
    while isinstance(node, Select) and node.access is Access.PLAIN:
        names.append(node.field)
        node = node.operand
    return (node.name, *reversed(names)) if isinstance(node, Ident) and not node.root else ()


def _asked(node: Node, *, holds: bool) -> frozenset[Path]:
    """What is there if a condition holds, or does not: whatever `has()` was asked for."""
    if isinstance(node, Unary) and node.operator is UnaryOperator.NOT:
        return _asked(node.operand, holds=not holds)
    if isinstance(node, Logic) and (node.operator is LogicOperator.AND) is holds:
        return frozenset[Path]().union(*(_asked(term, holds=holds) for term in node.terms))
    if isinstance(node, Has) and holds and node.access is Access.PLAIN and (path := _path(node.operand)):
        return frozenset({(*path, node.field)})
    return frozenset()


def _is_there(extent: Extent, name: str) -> bool:
    """Whether a field is certainly there."""
    if not extent.plain or not isinstance(extent.type, ObjectType):
        return False
    found = extent.type.fields.get(name)
    return found is not None and not found.optional


def _never_fails(symbol: BinaryOperator, left: Extent, right: Extent) -> bool:
    if symbol in _EQUALITY:
        return True
    if symbol is BinaryOperator.IN:
        return isinstance(right.type, ListType) or (
            left.textual and isinstance(right.type, MapType | ObjectType)
        )
    choice = choose(OPERATOR_OVERLOADS[symbol], [left.type, right.type])
    return choice is not None and choice.fails is Fails.NEVER


def _text(node: Node) -> bool:
    return isinstance(node, Literal) and node.value.__class__ is str


def _texts(node: Node) -> bool:
    """Whether a list is one of texts alone, in which looking for one takes as long as in no list."""
    return (
        isinstance(node, ListNode) and bool(node.elements) and all(_text(one.value) for one in node.elements)
    )


_Visit: TypeAlias = Callable[[_Visitor, Any], _Cost]
_VISITS: Mapping[type, _Visit] = {
    Literal: _Visitor.literal,
    Ident: _Visitor.ident,
    Select: _Visitor.select,
    Has: _Visitor.has,
    Index: _Visitor.index,
    Call: _Visitor.call,
    Unary: _Visitor.unary,
    Binary: _Visitor.binary,
    Logic: _Visitor.logic,
    Conditional: _Visitor.conditional,
    ListNode: _Visitor.list,
    MapNode: _Visitor.map,
    Macro: _Visitor.macro,
    Scoped: _Visitor.scoped,
}
