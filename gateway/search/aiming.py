"""Changes a request so that a condition comes out true, or false, as far as its structure shows how.

What it can't see through is left alone: whether it succeeded is told by deciding, never by this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from gateway.cel.syntax import (
    Binary,
    BinaryOperator,
    Call,
    Conditional,
    Has,
    Ident,
    Literal,
    Logic,
    LogicOperator,
    Macro,
    MacroKind,
    Node,
    Parsed,
    Scoped,
    ScopedKind,
    Unary,
    UnaryOperator,
)
from gateway.search.harvest import Pool, beside
from gateway.search.regexes import bent, fitting, near
from gateway.search.request import ITERATION, World
from gateway.search.seeing import HOLDS, Known, Scope, Sight, Unseen

_DEEPEST = 40
_MOST = 16
"""How many elements of a list are aimed at."""


class Aim(Sight):
    """Aims at the outcome of conditions."""

    def __init__(self, world: World, rng: Random, pool: Pool, known: Known) -> None:
        super().__init__(world, known)
        self.rng = rng
        self.pool = pool

    def at(self, parsed: Parsed, *, wanted: bool) -> None:
        """Try to make a condition come out as wanted."""
        if parsed.ast is not None:
            self._aim(parsed.ast, dict(parsed.lets), wanted=wanted, depth=0)

    def _aim(self, node: Node, scope: Scope, *, wanted: bool, depth: int) -> None:
        if depth > _DEEPEST:
            return
        below = depth + 1
        if isinstance(node, Logic):
            terms = list(node.terms)
            if (node.operator is LogicOperator.AND) is not wanted:
                terms = [self.rng.choice(terms)]
            # What was aimed at first may be lost again by what comes later, so it is looked at once more.
            for term in terms if len(terms) == 1 else (*terms, *terms):
                if self.truth(term, scope) is not wanted:
                    self._aim(term, scope, wanted=wanted, depth=below)
        elif isinstance(node, Unary) and node.operator is UnaryOperator.NOT:
            self._aim(node.operand, scope, wanted=not wanted, depth=below)
        elif isinstance(node, Conditional):
            first = self.rng.randrange(2) == 0
            self._aim(node.condition, scope, wanted=first, depth=below)
            self._aim(node.then if first else node.otherwise, scope, wanted=wanted, depth=below)
        elif isinstance(node, Binary):
            self._compare(node, scope, wanted=wanted)
        elif isinstance(node, Call):
            self._called(node, scope, wanted=wanted)
        elif isinstance(node, Has):
            self._present(node, scope, wanted=wanted)
        elif isinstance(node, Macro):
            self._quantified(node, scope, wanted=wanted, depth=below)
        elif isinstance(node, Scoped):
            if node.kind in (ScopedKind.BIND, ScopedKind.LAZY):
                self._aim(node.body, {**scope, node.variable: node.value}, wanted=wanted, depth=below)
        elif isinstance(node, Ident) and isinstance(scope.get(node.name), Parsed):
            inner = scope[node.name]
            assert isinstance(inner, Parsed)  # noqa: S101 - as just asked
            if inner.ast is not None:
                self._aim(inner.ast, {**scope, **inner.lets}, wanted=wanted, depth=below)
        else:
            self._solve(node, scope, wanted)

    def _compare(self, node: Binary, scope: Scope, *, wanted: bool) -> None:
        name = node.operator
        if name is BinaryOperator.IN:
            self._member(node, scope, wanted=wanted)
            return
        if name not in HOLDS:
            return
        sides = [(node.left, node.right, False), (node.right, node.left, True)]
        if self.rng.randrange(4) == 0:
            sides.reverse()
        for target, other, swapped in sides:
            try:
                bound = self.value(other, scope)
            except Unseen:
                continue
            fits = HOLDS[name]
            for value in self._around(bound):
                try:
                    holds = fits(bound, value) if swapped else fits(value, bound)
                except TypeError:
                    continue
                if holds is wanted and self._solve(target, scope, value):
                    return

    def _around(self, bound: Any) -> list[Any]:
        """Values at a bound and beside it, in any order."""
        rng = self.rng
        if isinstance(bound, bool):
            found: list[Any] = [bound, not bound]
        elif isinstance(bound, int | float):
            found = [bound, beside(bound, rng), bound + 1, bound - 1, self.pool.number(rng), bound * 2]
        elif isinstance(bound, str):
            found = [bound, bent(bound, rng), self.pool.text(rng), bound + "x"]
        elif isinstance(bound, list):
            found = [bound, bound[:-1], [*bound, self.pool.text(rng)]]
        else:
            found = [bound, self.pool.text(rng)]
        rng.shuffle(found)
        return found

    def _member(self, node: Binary, scope: Scope, *, wanted: bool) -> None:
        try:
            listed = self.value(node.right, scope)
        except Unseen:
            listed = None
        path = self.place(node.right, scope)
        if path is not None:
            try:
                one = self.value(node.left, scope)
            except Unseen:
                return
            here = list(listed) if isinstance(listed, list | tuple) else []
            if isinstance(listed, dict):
                self.world.put((*path, one), self.pool.text(self.rng)) if wanted else self.world.drop(
                    (*path, one)
                )
            elif wanted and one not in here:
                self.world.put(path, [*here, one])
            elif not wanted:
                self.world.put(path, [each for each in here if each != one])
        elif isinstance(listed, list | tuple) and listed:
            one = self.rng.choice(listed)
            self._solve(node.left, scope, one if wanted else self._other(one))

    def _other(self, value: Any) -> Any:
        if isinstance(value, str):
            return bent(value, self.rng) if self.rng.randrange(2) else self.pool.text(self.rng)
        return self.pool.number(self.rng) if isinstance(value, int | float) else self.pool.text(self.rng)

    def _called(self, node: Call, scope: Scope, *, wanted: bool) -> None:
        if node.name in ("startsWith", "endsWith", "contains", "matches") and node.target is not None:
            try:
                argument = self.value(node.arguments[0], scope)
            except (Unseen, IndexError):
                return
            if isinstance(argument, str):
                now = self._now(node.target, scope)
                self._solve(node.target, scope, self._text(node.name, argument, now, wanted=wanted))
        else:
            self._solve(node, scope, wanted)

    def _now(self, node: Node, scope: Scope) -> Any:
        """What an expression comes to now; nothing where that can't be told."""
        try:
            return self.value(node, scope)
        except Unseen:
            return None

    def _text(self, name: str, argument: str, now: Any, *, wanted: bool) -> str:
        rng = self.rng
        some = now if isinstance(now, str) and rng.randrange(2) else ""
        some = some or rng.choice(("", "x", "/x", "x/", self.pool.text(rng)))
        if name == "matches":
            return fitting(argument, rng) if wanted else near(argument, rng)
        if not wanted:
            return rng.choice((bent(argument, rng), argument[:-1], argument[1:], some, argument.swapcase()))
        if name == "startsWith":
            return argument + some
        return some + argument if name == "endsWith" else some + argument + rng.choice(("", some))

    def _present(self, node: Has, scope: Scope, *, wanted: bool) -> None:
        path = self.below(node.operand, node.field, scope)
        if path is None:
            return
        if not wanted:
            self.world.drop(path)
        elif not self.world.has(path):
            text = path != ITERATION and self.rng.randrange(2)
            self.world.put(path, self.pool.text(self.rng) if text else self.pool.number(self.rng))

    def _quantified(self, node: Macro, scope: Scope, *, wanted: bool, depth: int) -> None:
        """Make a list of one or two elements of which the body says what is wanted."""
        try:
            elements = self.value(node.range, scope)
        except Unseen:
            elements = None
        path = self.place(node.range, scope)
        if path is None:
            if (
                isinstance(elements, list | tuple)
                and elements
                and node.kind in (MacroKind.ALL, MacroKind.EXISTS)
            ):
                chosen = [self.rng.choice(elements)]
                if (node.kind is MacroKind.ALL) is wanted:
                    chosen = list(elements)
                for one in chosen:
                    literal = Literal(node.start, node.start, one)
                    self._aim(node.body, {**scope, node.variables[-1]: literal}, wanted=wanted, depth=depth)
            return
        if node.kind not in (MacroKind.ALL, MacroKind.EXISTS, MacroKind.EXISTS_ONE):
            return
        if isinstance(elements, str) or not isinstance(elements, list):
            elements = []
        if node.kind is MacroKind.ALL and wanted and self.rng.randrange(3) == 0:
            self.world.put(path, [])
            return
        count = max(1, min(len(elements), _MOST)) if self.rng.randrange(2) else self.rng.choice((1, 1, 2, 3))
        kept = [*elements, *[self.pool.text(self.rng) for _ in range(count)]][:count]
        self.world.put(path, kept)
        every = (node.kind is MacroKind.ALL) is wanted
        at = range(count) if every or self.rng.randrange(3) == 0 else (self.rng.randrange(count),)
        for index in at:
            self._aim(node.body, {**scope, node.variables[-1]: (*path, index)}, wanted=wanted, depth=depth)

    def _solve(self, node: Node, scope: Scope, value: Any) -> bool:
        """Make an expression come out as a value, where what it reads can be set so."""
        path = self.place(node, scope)
        if path is not None:
            self.world.put(path, value)
            return True
        if isinstance(node, Ident):
            inner = scope.get(node.name)
            if isinstance(inner, Parsed) and inner.ast is not None:
                return self._solve(inner.ast, {**scope, **inner.lets}, value)
            return False
        if isinstance(node, Binary):
            return self._undo(node, scope, value)
        if not isinstance(node, Call):
            return False
        inside = node.target if node.target is not None else next(iter(node.arguments), None)
        if inside is None:
            return False
        if node.name == "size" and isinstance(value, int) and not isinstance(value, bool):
            return self._sized(inside, scope, value)
        undo = _UNDONE.get(node.name)
        return undo is not None and self._solve(inside, scope, undo(value))

    def _sized(self, node: Node, scope: Scope, size: int) -> bool:
        path = self.place(node, scope)
        if path is None or not 0 <= size <= 10_000:
            return False
        now = self._now(node, scope)
        if isinstance(now, list):
            self.world.put(path, [*now, *[self.pool.text(self.rng) for _ in range(size - len(now))]][:size])
        elif self.rng.randrange(2):
            self.world.put(path, str(now or "").ljust(size, "x")[:size])
        else:
            self.world.put(path, str(now or "").rjust(size, "x")[-size or size :])
        return True

    def _undo(self, node: Binary, scope: Scope, value: Any) -> bool:
        """`x + 5 == 7` is `x == 2`; of a remainder any number that leaves it will do."""
        if not isinstance(value, int | float) or isinstance(value, bool):
            return False
        for target, other, swapped in ((node.left, node.right, False), (node.right, node.left, True)):
            try:
                known = self.value(other, scope)
            except Unseen:
                continue
            if not isinstance(known, int | float) or isinstance(known, bool):
                continue
            now = self._now(target, scope)
            now = now if isinstance(now, int | float) and not isinstance(now, bool) else 0
            back = _back(node.operator, value, known, swapped=swapped, now=now)
            if back is not None and self._solve(target, scope, back):
                return True
        return False


_UNDONE: Mapping[str, Callable[[Any], Any]] = {
    "lowerAscii": lambda value: value.swapcase() if isinstance(value, str) else value,
    "upperAscii": lambda value: value.swapcase() if isinstance(value, str) else value,
    "trim": lambda value: f" {value} " if isinstance(value, str) else value,
    "string": lambda value: value,
    "int": str,
    "double": str,
    "value": lambda value: value,
    "orValue": lambda value: value,
}
"""What a function is given so that it may return a value."""


def _back(
    operator: BinaryOperator, value: Any, known: Any, *, swapped: bool, now: float
) -> int | float | None:
    """The operand with which an operation comes to a value; of several that do one near to what it is now."""
    if operator is BinaryOperator.ADD:
        back: int | float = value - known
    elif operator is BinaryOperator.SUBTRACT:
        back = known - value if swapped else value + known
    elif operator is BinaryOperator.MODULO and not swapped and known:
        back = now - now % known + value + known
    elif operator is BinaryOperator.MULTIPLY and known and value % known == 0:
        back = value // known
    elif operator is BinaryOperator.DIVIDE and not swapped:
        back = value * known
    else:
        return None
    return back
