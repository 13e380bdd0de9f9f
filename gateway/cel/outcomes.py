"""What an expression can come to while some values are unknown: every real outcome is among the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from gateway.cel import abstract, reached
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
from gateway.cel.environment import TYPE_NAMES, Environment, resolve, resolve_call
from gateway.cel.evaluate import implementation
from gateway.cel.fields import loop_types
from gateway.cel.functions.signature import Fails
from gateway.cel.operators import OPERATORS, elements, negate
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
    NEVER,
    ListType,
    MapType,
    ObjectType,
    OptionalType,
    Type,
    join,
    settle,
)
from gateway.cel.values import NONE, CelError, Kind, OptionalValue, kind_of, some

_MOST_ELEMENTS = 200


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

    def visit(self, node: Node) -> Result:
        return _VISITS[node.__class__](self, node)

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
        return self.applied(negate, [operand], lambda types: unknown(types[0], may_error=True))

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

        return self.applied(OPERATORS[symbol], [left, right], otherwise)

    def applied(
        self,
        run: Callable[..., Any],
        operands: Sequence[Result],
        otherwise: Callable[[Sequence[Type]], Result],
    ) -> Result:
        """A strict operation: done if all operands are known, else whatever can be said by their types."""
        values = [operand.value for operand in operands]
        may_error = any(operand.may_error for operand in operands)
        if any(value is None for value in values):
            return FAILS
        if all(isinstance(value, Known) for value in values):
            try:
                result = known(run(*[value.value for value in values if isinstance(value, Known)]))
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
            run = implementation(function, nodes)
        except CelError:
            return FAILS
        overloads = function.overloads

        def otherwise(types: Sequence[Type]) -> Result:
            choice = choose(overloads, types)
            if choice is None:
                return ANYTHING
            return unknown(choice.result, may_error=choice.fails is Fails.SOMETIMES)

        return self.applied(run, [self.visit(argument) for argument in nodes], otherwise)

    # Collections

    def optional(self, node: Node, access: Access) -> Result:
        """An element as it is put into a collection; an optional one that is present, or may be."""
        result = self.visit(node)
        if access is Access.PLAIN or result.value is None:
            return result
        type_ = type_of(result.value)
        inner = type_.value if isinstance(type_, OptionalType) else DYN
        return unknown(inner, may_error=result.may_error or not isinstance(type_, OptionalType))

    def list(self, node: ListNode) -> Result:
        results = [self.optional(element.value, element.access) for element in node.elements]
        if any(result.value is None for result in results):
            return FAILS
        may_error = any(result.may_error for result in results)
        values = [result.value for result in results]
        plain = all(element.access is Access.PLAIN for element in node.elements)
        if plain and all(isinstance(value, Known) for value in values):
            return Result(Known([value.value for value in values if isinstance(value, Known)]), may_error)
        return Result(Unknown(ListType(_joined(values))), may_error)

    def map(self, node: MapNode) -> Result:
        keys = [self.visit(entry.key) for entry in node.entries]
        results = [self.optional(entry.value, entry.access) for entry in node.entries]
        if any(result.value is None for result in (*keys, *results)):
            return FAILS
        names = [key.value.value for key in keys if isinstance(key.value, Known)]
        safe = len(names) == len(keys) and all(name.__class__ is str for name in names)
        may_error = any(result.may_error for result in (*keys, *results))
        if not safe or len(set(names)) < len(names):
            may_error = True
        elif all(entry.access is Access.PLAIN for entry in node.entries) and all(
            isinstance(result.value, Known) for result in results
        ):
            values = [result.value.value for result in results if isinstance(result.value, Known)]
            return Result(Known(dict(zip(names, values, strict=True))), may_error)
        key_type = _joined([key.value for key in keys])
        return Result(Unknown(MapType(key_type, _joined([r.value for r in results]))), may_error)

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
        pairs = range_.items() if isinstance(range_, Mapping) else enumerate(found)
        rows = (
            [(Known(one),) for one in found]
            if len(node.variables) == 1
            else [(Known(one), Known(other)) for one, other in pairs]
        )
        bodies: list[tuple[Truths, Result, Known]] = []
        for row in rows:
            with self.naming(node.variables, row):
                kept = abstract.TRUE if node.condition is None else truths(self.visit(node.condition))
                body = self.visit(node.body) if Outcome.TRUE in kept else FAILS
            bodies.append((kept, body, row[0]))
        if node.kind in (MacroKind.LIST, MacroKind.MAP):
            return _collected(node.kind, bodies)
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
            body = _wrapped(body)
        result = body if isinstance(inner, Known) else union((body, known(NONE)))
        return Result(result.value, result.may_error or may_error)


_QUANTIFIERS = {MacroKind.ALL: LogicOperator.AND, MacroKind.EXISTS: LogicOperator.OR}


def _wrapped(body: Result) -> Result:
    if isinstance(body.value, Known):
        return Result(Known(some(body.value.value)), body.may_error)
    if body.value is None:
        return body
    return Result(Unknown(OptionalType(body.value.type)), body.may_error)


def _joined(values: Sequence[Value | None]) -> Type:
    type_: Type = NEVER
    for value in values:
        type_ = join(type_, type_of(value))
    return type_


def _collected(kind: MacroKind, bodies: Sequence[tuple[Truths, Result, Known]]) -> Result:
    """The list or map of the elements that are kept, or may be."""
    possible = [(kept, body, key) for kept, body, key in bodies if kept != abstract.FALSE]
    may_error = any(Outcome.ERROR in kept or body.may_error for kept, body, _ in possible)
    for kept, body, _ in possible:
        if kept == abstract.ERROR or (kept == abstract.TRUE and body.value is None):
            return FAILS
    if all(
        kept & abstract.EITHER == abstract.TRUE and isinstance(body.value, Known)
        for kept, body, _ in possible
    ):
        made = [(key.value, body.value.value) for _, body, key in possible if isinstance(body.value, Known)]
        return Result(Known(dict(made) if kind is MacroKind.MAP else [one for _, one in made]), may_error)
    value = _joined([body.value for _, body, _ in possible])
    if kind is MacroKind.LIST:
        return Result(Unknown(ListType(value)), may_error)
    return Result(Unknown(MapType(_joined([key for _, _, key in possible]), value)), may_error)


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
