"""What an expression can come to while some values are unknown: every real outcome is among the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from gateway.cel import abstract, gathered, reached
from gateway.cel.abstract import (
    ANYTHING,
    FAILS,
    Known,
    Outcome,
    Partial,
    Result,
    Truths,
    Unknown,
    Value,
    combined,
    known,
    of_truths,
    truths,
    type_of,
    union,
    unknown,
)
from gateway.cel.budget import COSTS, SMALL, Cost
from gateway.cel.environment import TYPE_NAMES, Environment, Resolved, resolve, resolve_call
from gateway.cel.evaluate import implementation
from gateway.cel.fields import loop_types
from gateway.cel.functions.signature import Fails
from gateway.cel.maps import elements
from gateway.cel.operators import OPERATORS, negate
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
    DOUBLE,
    DYN,
    ListType,
    MapType,
    ObjectType,
    OptionalType,
    Type,
    settle,
)
from gateway.cel.values import NONE, CelError, Kind, OptionalValue, kind_of

_MOST_ELEMENTS = 200
_MOST_WORK = 3_000
"""How many nodes may be visited, each element of a known list anew; after that a macro may give anything."""

_STEPS_OF_VISIT = 50
_SHORT, _LOW = 100, 1_000
"""A text or a number that no operation becomes dear with."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What an expression can come to: as a condition, and as any value (None if it always fails)."""

    booleans: frozenset[Outcome]
    value: Known | Unknown | None
    may_error: bool


def outcomes(parsed: Parsed, environment: Environment, known: Mapping[str, Any]) -> Outcomes:
    """The possible outcomes where `known` holds what is known of the variables.

    A value there is complete, or a `Partial`; every other variable may be any value of its declared type.
    """
    if parsed.ast is None:
        return Outcomes(abstract.ERROR, None, may_error=True)
    result = _Evaluator(parsed, environment, known).visit(parsed.ast)
    value = result.value
    if isinstance(value, Unknown | Partial):
        value = Unknown(settle(value.type))
    return Outcomes(truths(result), value, result.may_error)


class _Evaluator:
    def __init__(self, parsed: Parsed, environment: Environment, known: Mapping[str, Any]) -> None:
        self.parsed = parsed
        self.environment = environment
        self.known = known
        self.locals: dict[str, Result] = {}
        self.lets: dict[int, Result] = {}
        self.names: dict[tuple[str, ...], Result] = {}
        self.left = _MOST_WORK
        self.looping = False

    def visit(self, node: Node) -> Result:
        self.left -= 1
        return ANYTHING if self.looping and self.left < 0 else _VISITS[node.__class__](self, node)

    @property
    def shadowing(self) -> set[str]:
        return {*self.locals, *self.parsed.lets}

    @contextmanager
    def naming(self, names: Sequence[str], values: Sequence[Value]) -> Iterator[None]:
        outer = self.locals
        self.locals = {**outer, **{n: Result(v) for n, v in zip(names, values, strict=True)}}
        yield
        self.locals = outer

    # Names and what is reached through them

    def literal(self, node: Literal) -> Result:
        return known(node.value)

    def ident(self, node: Ident) -> Result:
        if not node.root:
            if node.name in self.locals:
                return self.locals[node.name]
            if node.name in self.parsed.lets:
                return self.let(self.parsed.lets[node.name])
        return self.named(node) or ANYTHING

    def let(self, let: Parsed) -> Result:
        found = self.lets.get(id(let))
        if found is None:
            outer = self.parsed, self.locals
            self.parsed, self.locals = let, {}
            found = self.lets[id(let)] = FAILS if let.ast is None else self.visit(let.ast)
            self.parsed, self.locals = outer
        return found

    def named(self, node: Ident | Select) -> Result | None:
        found = resolve(node, self.environment, self.shadowing)
        if found is None:
            return None
        path = (found.name, *(step.field for step in found.rest))
        result = self.names.get(path)
        if result is None:
            result = self.names[path] = self.reached(found)
        return result

    def reached(self, found: Resolved) -> Result:
        declared = self.environment.variables.get(found.name)
        if declared is None:
            result = known(TYPE_NAMES[found.name])
        elif found.name in self.known:
            result = Result(reached.entered(self.known[found.name], declared))
        else:
            result = unknown(declared)
        for step in found.rest:
            result = reached.field(result, step.field, Access.PLAIN)
        return result

    def select(self, node: Select) -> Result:
        if node.access is Access.PLAIN and (named := self.named(node)):
            return named
        return reached.field(self.visit(node.operand), node.field, node.access)

    def has(self, node: Has) -> Result:
        return reached.has(self.visit(node.operand), node.field)

    def index(self, node: Index) -> Result:
        return reached.index(self.visit(node.operand), self.visit(node.index), node.access)

    # Operators and calls

    def unary(self, node: Unary) -> Result:
        operand = self.visit(node.operand)
        if node.operator is UnaryOperator.NOT:
            return of_truths(abstract.inverted(truths(operand)))
        if isinstance(operand.value, Unknown) and operand.value.type == DOUBLE:
            return operand
        return self.applied(negate, None, [operand], lambda types: unknown(types[0], may_error=True))

    def binary(self, node: Binary) -> Result:
        left, right = self.visit(node.left), self.visit(node.right)
        symbol = node.operator

        def otherwise(types: Sequence[Type]) -> Result:
            if symbol in (BinaryOperator.EQUAL, BinaryOperator.UNEQUAL):
                return unknown(BOOL)
            if symbol is BinaryOperator.IN:
                return reached.contained(left, right)
            choice = choose(OPERATOR_OVERLOADS[symbol], types)
            if choice is None:
                return ANYTHING
            return unknown(choice.result, may_error=choice.fails is Fails.SOMETIMES)

        return self.applied(OPERATORS[symbol], COSTS.get(symbol), [left, right], otherwise)

    def applied(
        self,
        run: Callable[..., Any],
        cost: Cost | None,
        operands: Sequence[Result],
        otherwise: Callable[[Sequence[Type]], Result],
    ) -> Result:
        """A strict operation: done if all operands are known, else whatever can be said by their types."""
        values = [operand.value for operand in operands]
        may_error = any(operand.may_error for operand in operands)
        if any(value is None for value in values):
            return FAILS
        held = [value.value for value in values if isinstance(value, Known)]
        if len(held) == len(values):
            try:
                if cost is not None and not all(map(_small, held)):
                    self.left -= cost(*held) // _STEPS_OF_VISIT if self.left >= 0 else 0
                    if self.left < 0:
                        return ANYTHING
                result = known(run(*held))
            except CelError:
                return FAILS
        else:
            result = otherwise([type_of(value) for value in values])
        return Result(result.value, result.may_error or may_error)

    def logic(self, node: Logic) -> Result:
        return of_truths(combined(node.operator, [truths(self.visit(term)) for term in node.terms]))

    def conditional(self, node: Conditional) -> Result:
        condition = truths(self.visit(node.condition))
        results = [FAILS] if Outcome.ERROR in condition else []
        if Outcome.TRUE in condition:
            results.append(self.visit(node.then))
        if Outcome.FALSE in condition:
            results.append(self.visit(node.otherwise))
        return union(results)

    def call(self, node: Call) -> Result:
        function, target = resolve_call(node, self.environment, self.shadowing)
        if function is None or not function.built:
            return FAILS
        nodes = (*(() if target is None else (target,)), *node.arguments)
        try:
            work = implementation(function, nodes)
        except CelError:
            return FAILS
        overloads = function.overloads

        def otherwise(types: Sequence[Type]) -> Result:
            choice = choose(overloads, types)
            if choice is None:
                return ANYTHING
            return unknown(choice.result, may_error=choice.fails is Fails.SOMETIMES)

        return self.applied(work.run, work.cost, [self.visit(argument) for argument in nodes], otherwise)

    # Collections

    def element(self, node: Node, access: Access) -> gathered.Item:
        return gathered.Item(self.visit(node), access)

    def list(self, node: ListNode) -> Result:
        return gathered.list_of([self.element(element.value, element.access) for element in node.elements])

    def map(self, node: MapNode) -> Result:
        keys = [self.visit(entry.key) for entry in node.entries]
        return gathered.map_of(keys, [self.element(entry.value, entry.access) for entry in node.entries])

    def macro(self, node: Macro) -> Result:
        range_ = self.visit(node.range)
        value = range_.value
        if value is None:
            return FAILS
        if isinstance(value, Known):
            if kind_of(value.value) not in (Kind.LIST, Kind.MAP):
                return FAILS
            if len(value.value) <= _MOST_ELEMENTS:
                result = self.over_known(node, value.value)
                return Result(result.value, result.may_error or range_.may_error)
        type_ = type_of(value)
        types = loop_types(type_, len(node.variables))
        if types is None:
            return FAILS
        certain = isinstance(type_, ListType | MapType | ObjectType)
        return self.over_unknown(node, types, may_error=range_.may_error or not certain)

    def over_known(self, node: Macro, range_: Any) -> Result:
        """Element by element, as a program would."""
        found = elements(range_)
        pairs = found.items() if isinstance(found, Mapping) else enumerate(found)
        rows = (
            [(Known(one),) for one in found]
            if len(node.variables) == 1
            else [(Known(one), Known(other)) for one, other in pairs]
        )
        bodies: list[tuple[Truths, Result, Known]] = []
        outer, self.looping = self.looping, True
        for row in rows:
            with self.naming(node.variables, row):
                kept = abstract.TRUE if node.condition is None else truths(self.visit(node.condition))
                body = self.visit(node.body) if Outcome.TRUE in kept else FAILS
            if self.left < 0:
                break
            bodies.append((kept, body, row[0]))
        self.looping = outer
        if self.left < 0:
            return ANYTHING
        if node.kind in (MacroKind.LIST, MacroKind.MAP):
            return gathered.kept_of(node.kind, bodies)
        each = [truths(body) for _, body, _ in bodies]
        if node.kind is MacroKind.EXISTS_ONE:
            return of_truths(abstract.exactly_one(each))
        return of_truths(combined(_QUANTIFIERS[node.kind], each))

    def over_unknown(self, node: Macro, types: Sequence[Type], *, may_error: bool) -> Result:
        """Any number of elements, none included."""
        with self.naming(node.variables, [Unknown(type_) for type_ in types]):
            kept = abstract.TRUE if node.condition is None else truths(self.visit(node.condition))
            body = self.visit(node.body)
        errors = abstract.ERROR if may_error else frozenset()
        if node.kind is MacroKind.ALL:
            return of_truths(truths(body) | abstract.TRUE | errors)
        if node.kind in (MacroKind.EXISTS, MacroKind.EXISTS_ONE):
            return of_truths(truths(body) | abstract.FALSE | errors)
        may_error = may_error or Outcome.ERROR in kept or (Outcome.TRUE in kept and body.may_error)
        if node.kind is MacroKind.LIST:
            return unknown(ListType(type_of(body.value)), may_error=may_error)
        return unknown(MapType(types[0], type_of(body.value)), may_error=may_error)

    def scoped(self, node: Scoped) -> Result:
        value = self.visit(node.value)
        if node.kind is ScopedKind.LAZY:
            outer = self.locals
            self.locals = {**outer, node.variable: value}
            body = self.visit(node.body)
            self.locals = outer
            return body
        if value.value is None:
            return FAILS
        if node.kind is ScopedKind.BIND:
            with self.naming((node.variable,), (value.value,)):
                body = self.visit(node.body)
            return Result(body.value, body.may_error or value.may_error)
        inner = value.value
        may_error = value.may_error
        if isinstance(inner, Known):
            if not isinstance(inner.value, OptionalValue):
                return FAILS
            if not inner.value.present:
                return Result(Known(NONE), may_error)
            held: Value = Known(inner.value.value)
        else:
            type_ = inner.type
            held = Unknown(type_.value if isinstance(type_, OptionalType) else DYN)
            may_error = may_error or not isinstance(type_, OptionalType)
        with self.naming((node.variable,), (held,)):
            body = self.visit(node.body)
        if node.kind is ScopedKind.OPTIONAL_MAP:
            body = gathered.wrapped(body)
        result = body if isinstance(inner, Known) else union((body, known(NONE)))
        return Result(result.value, result.may_error or may_error)


def _small(value: Any) -> bool:
    kind = value.__class__
    if kind is int:
        return bool(value <= _LOW)
    return kind in SMALL or (kind is str and len(value) <= _SHORT)


_QUANTIFIERS = {MacroKind.ALL: LogicOperator.AND, MacroKind.EXISTS: LogicOperator.OR}


_Visit: TypeAlias = Callable[[_Evaluator, Any], Result]
_VISITS: Mapping[type, _Visit] = {
    Literal: _Evaluator.literal,
    Ident: _Evaluator.ident,
    Select: _Evaluator.select,
    Has: _Evaluator.has,
    Index: _Evaluator.index,
    Call: _Evaluator.call,
    Unary: _Evaluator.unary,
    Binary: _Evaluator.binary,
    Logic: _Evaluator.logic,
    Conditional: _Evaluator.conditional,
    ListNode: _Evaluator.list,
    MapNode: _Evaluator.map,
    Macro: _Evaluator.macro,
    Scoped: _Evaluator.scoped,
}
