"""Turn an expression into a program, which evaluates it or watches how it is evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, TypeAlias

from gateway.cel import closures, loops
from gateway.cel.budget import MAX_STEPS, weight
from gateway.cel.conform import converter
from gateway.cel.environment import TYPE_NAMES, Environment, resolve, resolve_call
from gateway.cel.frame import FIRST_SLOT, OBSERVED, Frame, Place, Run
from gateway.cel.functions.signature import NOT_CONSTANT, Function, Work, dispatcher
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
    Macro,
    MapNode,
    Node,
    Parsed,
    Scoped,
    ScopedKind,
    Select,
    Unary,
)
from gateway.cel.values import CelError, ErrorKind
from gateway.diagnostic import Excerpt, Span
from gateway.frozen import frozen

_MOST_OBSERVED = 1_000
_EQUALITY = frozenset({BinaryOperator.EQUAL, BinaryOperator.UNEQUAL})
_ORDER = frozenset(
    {BinaryOperator.LESS, BinaryOperator.LESS_EQUAL, BinaryOperator.GREATER, BinaryOperator.GREATER_EQUAL}
)
_WATCHED = (Ident, Select, Has, Index, Call, Binary, Macro)


@frozen
class Observation:
    """A part of an expression that was evaluated, and what came out: a value, or an error."""

    span: Span
    text: str
    value: Any
    error: CelError | None


@frozen
class Watched:
    """A whole evaluation: the value or the error, and the parts in source order."""

    value: Any
    error: CelError | None
    observed: tuple[Observation, ...]


class Program:
    """An expression that can be evaluated any number of times, from any number of threads."""

    __slots__ = ("_environment", "_parsed", "_slots", "_watching", "evaluate")

    evaluate: Callable[[Mapping[str, Any]], Any]
    """The value for some variables; raises `CelError`."""

    def __init__(self, parsed: Parsed, environment: Environment) -> None:
        self._parsed = parsed
        self._environment = environment
        run, slots = _planned(parsed, environment, _Mode.EVALUATE)
        self._slots = slots
        self._watching: Run | None = None
        # A closure saves the look-ups of a method: most conditions are small, and there are many.
        if slots:
            self.evaluate = lambda variables: run([variables, MAX_STEPS, None, *slots])
        else:
            self.evaluate = lambda variables: run([variables, MAX_STEPS, None])

    def __reduce__(self) -> tuple[Callable[[Parsed, Environment], Program], tuple[Parsed, Environment]]:
        return plan, (self._parsed, self._environment)

    def watch(self, variables: Mapping[str, Any]) -> Watched:
        """The same evaluation, with what every part of it came to."""
        if self._watching is None:
            self._watching = _planned(self._parsed, self._environment, _Mode.WATCH)[0]
        observed: list[tuple[Excerpt, Node, Any, CelError | None]] = []
        frame: Frame = [variables, MAX_STEPS, observed, *self._slots]
        value: Any = None
        failed: CelError | None = None
        try:
            value = self._watching(frame)
        except CelError as error:
            failed = error
        observed.sort(key=lambda seen: (seen[0] is not self._parsed.excerpt, seen[1].start, -seen[1].end))
        return Watched(value, failed, tuple(_observation(*seen) for seen in observed))


def plan(parsed: Parsed, environment: Environment) -> Program:
    """The program of an expression; whether it checks plays no part, and one with syntax errors always fails."""
    return Program(parsed, environment)


def _observation(excerpt: Excerpt, node: Node, value: Any, error: CelError | None) -> Observation:
    return Observation(excerpt.span(node.start, node.end), excerpt.text[node.start : node.end], value, error)


class _Mode(Enum):
    EVALUATE = "evaluate"
    WATCH = "watch"


def _planned(parsed: Parsed, environment: Environment, mode: _Mode) -> tuple[Run, tuple[Any, ...]]:
    planner = _Planner(parsed, environment, mode)
    run = planner.whole()
    return run, (loops.UNSET,) * (planner.next_slot - FIRST_SLOT)


def _observing(run: Run, excerpt: Excerpt, node: Node) -> Run:
    def observed(frame: Frame) -> Any:
        seen = frame[OBSERVED]
        try:
            value = run(frame)
        except CelError as error:
            if len(seen) < _MOST_OBSERVED:
                seen.append((excerpt, node, None, error))
            raise
        if len(seen) < _MOST_OBSERVED:
            seen.append((excerpt, node, value, None))
        return value

    return observed


class _Planner:
    def __init__(self, parsed: Parsed, environment: Environment, mode: _Mode) -> None:
        self.parsed = parsed
        self.environment = environment
        self.mode = mode
        self.locals: dict[str, int] = {}
        self.lets: dict[int, Run] = {}
        self.converted: dict[str, Run] = {}
        self.next_slot = FIRST_SLOT

    def plan(self, node: Node) -> Run:
        run = _PLANS[node.__class__](self, node)
        if self.mode is _Mode.WATCH and isinstance(node, _WATCHED) and not self.unremarkable(node):
            return _observing(run, self.parsed.excerpt, node)
        return run

    def whole(self) -> Run:
        """The expression at hand; one that could not be read always fails."""
        if self.parsed.ast is None:
            unusable = CelError(ErrorKind.INVALID, "the expression has syntax errors")
            return closures.failing(unusable, (self.parsed.excerpt, 0, len(self.parsed.excerpt.text)))
        return self.plan(self.parsed.ast)

    def operand(self, node: Node) -> Run:
        """What a field or an element is taken from: a name there is not worth watching by itself."""
        return self.ident(node) if isinstance(node, Ident) else self.plan(node)

    def unremarkable(self, node: Node) -> bool:
        """Macro variables and names of types say nothing by themselves."""
        return isinstance(node, Ident) and (node.name in self.locals or node.name in TYPE_NAMES)

    def place(self, node: Node) -> Place:
        return self.parsed.excerpt, node.start, node.end

    def slot(self) -> int:
        self.next_slot += 1
        return self.next_slot - 1

    @property
    def shadowing(self) -> set[str]:
        return {*self.locals, *self.parsed.lets}

    def literal(self, node: Literal) -> Run:
        return closures.constant(node.value)

    def ident(self, node: Ident) -> Run:
        if not node.root:
            if node.name in self.locals:
                return closures.slot(self.locals[node.name])
            if node.name in self.parsed.lets:
                return self.let(self.parsed.lets[node.name])
        return self.name(node) or closures.variable(node.name, self.place(node))

    def name(self, node: Ident | Select) -> Run | None:
        """A chain that begins with a declared variable or a type's name."""
        found = resolve(node, self.environment, self.shadowing)
        if found is None:
            return None
        if found.name in TYPE_NAMES and found.name not in self.environment.variables:
            run = closures.constant(TYPE_NAMES[found.name])
        else:
            run = self.variable(found.name, node)
        for position, step in enumerate(found.rest):
            run = closures.select(run, step.field, (self.parsed.excerpt, step.field_start, step.end))
            if position == 0 and found.name not in TYPE_NAMES and found.name not in self.converted:
                run = closures.field_of_variable(found.name, step.field, run)
        return run

    def variable(self, name: str, node: Node) -> Run:
        """A declared variable, once for an evaluation made what its type says."""
        run = closures.variable(name, self.place(node))
        convert = converter(self.environment.variables[name])
        if convert is None:
            return run
        if name not in self.converted:
            self.converted[name] = loops.once(self.slot(), lambda frame: convert(run(frame)))
        return self.converted[name]

    def let(self, let: Parsed) -> Run:
        known = self.lets.get(id(let))
        if known is None:
            slot = self.slot()
            outer = self.parsed, self.locals
            self.parsed, self.locals = let, {}
            body = self.whole()
            self.parsed, self.locals = outer
            known = self.lets[id(let)] = loops.once(slot, body)
        return known

    def select(self, node: Select) -> Run:
        place = self.parsed.excerpt, node.field_start, node.end
        if node.access is Access.OPTIONAL:
            return closures.optional_select(self.operand(node.operand), node.field, place)
        return self.name(node) or closures.select(self.operand(node.operand), node.field, place)

    def has(self, node: Has) -> Run:
        return closures.has(self.operand(node.operand), node.field, self.place(node))

    def index(self, node: Index) -> Run:
        return closures.index(
            self.operand(node.operand), self.plan(node.index), node.access, self.place(node)
        )

    def unary(self, node: Unary) -> Run:
        return closures.unary(node.operator, self.plan(node.operand), self.place(node))

    def binary(self, node: Binary) -> Run:
        place, symbol = self.place(node), node.operator
        if symbol is BinaryOperator.IN:
            if isinstance(node.right, ListNode) and (texts := _texts(node.right)):
                return closures.in_texts(self.plan(node.left), texts)
            if isinstance(node.left, Literal) and node.left.value.__class__ is str:
                return closures.text_in(node.left.value, self.plan(node.right), place)
        if isinstance(node.right, Literal):
            value = node.right.value
            if symbol in _EQUALITY and value.__class__ is str:
                return closures.compared_with_text(symbol, self.plan(node.left), value)
            if symbol in _ORDER and value.__class__ is int:
                return closures.compared_with_number(symbol, self.plan(node.left), value, place)
        return closures.binary(symbol, self.plan(node.left), self.plan(node.right), place)

    def logic(self, node: Logic) -> Run:
        return closures.logic(node.operator, [self.plan(term) for term in node.terms], self.place(node))

    def conditional(self, node: Conditional) -> Run:
        return closures.conditional(
            self.plan(node.condition), self.plan(node.then), self.plan(node.otherwise), self.place(node)
        )

    def call(self, node: Call) -> Run:
        function, target = resolve_call(node, self.environment, self.shadowing)
        place = self.place(node)
        if function is None:
            return closures.failing(CelError(ErrorKind.NO_SUCH_NAME, f"no function `{node.name}`"), place)
        if not function.built:
            return closures.failing(CelError(ErrorKind.NOT_BUILT, f"`{node.name}` is not built yet"), place)
        arguments = (*(() if target is None else (target,)), *node.arguments)
        try:
            work = implementation(function, arguments)
        except CelError as error:
            return closures.failing(error, place)
        return closures.call(work.run, work.cost, [self.plan(argument) for argument in arguments], place)

    def list(self, node: ListNode) -> Run:
        elements = [(self.plan(element.value), element.access) for element in node.elements]
        return closures.list_of(elements, self.place(node))

    def map(self, node: MapNode) -> Run:
        entries = [(self.plan(entry.key), self.plan(entry.value), entry.access) for entry in node.entries]
        return closures.map_of(entries, self.place(node))

    def macro(self, node: Macro) -> Run:
        place = self.parsed.excerpt, node.range.start, node.range.end
        range_ = self.plan(node.range)
        outer, slot = self.locals, self.slot()
        steps = 1 + weight((node.condition, node.body))
        if len(node.variables) == 1:
            self.locals = {**outer, node.variables[0]: slot}
            walk = loops.one_by_one(range_, steps, place)
            condition = None if node.condition is None else self.plan(node.condition)
            body = self.plan(node.body)
        else:
            first, second = self.slot(), self.slot()
            self.locals = {**outer, node.variables[0]: first, node.variables[1]: second}
            walk = loops.in_pairs(range_, steps, place)
            condition = (
                None
                if node.condition is None
                else loops.unpacked(slot, first, second, self.plan(node.condition))
            )
            body = loops.unpacked(slot, first, second, self.plan(node.body))
        self.locals = outer
        return loops.loop(node.kind, walk, slot, condition, body, self.place(node))

    def scoped(self, node: Scoped) -> Run:
        value = self.plan(node.value)
        outer, slot = self.locals, self.slot()
        self.locals = {**outer, node.variable: slot}
        body = self.plan(node.body)
        self.locals = outer
        if node.kind is ScopedKind.BIND:
            return loops.bound(value, slot, body)
        if node.kind is ScopedKind.OPTIONAL_MAP:
            return loops.optional_map(value, slot, body, self.place(node))
        return loops.optional_flat_map(value, slot, body, self.place(node))


def implementation(function: Function, arguments: tuple[Node, ...]) -> Work:
    """What runs for a call, and its cost: made for its constant arguments, if the function can do that."""
    if function.specialise is not None:
        constants = [a.value if isinstance(a, Literal) else NOT_CONSTANT for a in arguments]
        if special := function.specialise(constants):
            return special
    return Work(dispatcher(function, len(arguments)), function.cost)


def _texts(node: ListNode) -> frozenset[str] | None:
    values = [element.value for element in node.elements if element.access is Access.PLAIN]
    texts = [value.value for value in values if isinstance(value, Literal) and value.value.__class__ is str]
    return frozenset(texts) if len(texts) == len(node.elements) else None


_Plan: TypeAlias = Callable[[_Planner, Any], Run]
_PLANS: Mapping[type, _Plan] = {
    Literal: _Planner.literal,
    Ident: _Planner.ident,
    Select: _Planner.select,
    Has: _Planner.has,
    Index: _Planner.index,
    Call: _Planner.call,
    Unary: _Planner.unary,
    Binary: _Planner.binary,
    Logic: _Planner.logic,
    Conditional: _Planner.conditional,
    ListNode: _Planner.list,
    MapNode: _Planner.map,
    Macro: _Planner.macro,
    Scoped: _Planner.scoped,
}
