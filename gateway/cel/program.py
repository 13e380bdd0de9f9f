"""A program is an expression ready to be evaluated: exactly from the start, and by generated Python once that pays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any

from gateway.cel.budget import MAX_STEPS, Purse
from gateway.cel.environment import Environment
from gateway.cel.evaluate import Mode, planned
from gateway.cel.frame import BUDGET, Frame, Run
from gateway.cel.syntax import Node, Parsed
from gateway.cel.values import CelError, ErrorKind
from gateway.diagnostic import Excerpt, Span, printable
from gateway.frozen import frozen

if TYPE_CHECKING:
    from gateway.cel.generate import Generated

PAYS_AFTER = 300
"""Generating takes a quarter of a millisecond and saves most of a microsecond an evaluation."""

_STRIDE = 37
_programs = count()


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
    """An expression that can be evaluated any number of times, from any number of threads.

    It begins with closures, which are ready at once. Python is generated for an expression only after as many
    evaluations as that takes time for, so a process that decides one call never does; the first program to get there
    is not the last, so that no single decision waits for all of them. Generated or not, the answers are the same.
    """

    __slots__ = (
        "_environment",
        "_generated",
        "_parsed",
        "_run",
        "_slots",
        "_tried",
        "_watching",
        "evaluate",
        "exact",
    )

    evaluate: Callable[[Mapping[str, Any]], Any]
    """The value for some variables; raises `CelError`. Another function once Python has been generated."""
    exact: Callable[[Mapping[str, Any]], Any]
    """The same, always by closures."""

    def __init__(self, parsed: Parsed, environment: Environment) -> None:
        self._parsed = parsed
        self._environment = environment
        run, slots = planned(parsed, environment, Mode.EVALUATE)
        self._run = run
        self._slots = slots
        self._watching: Run | None = None
        self._generated: Generated | None = None
        self._tried = False
        # A closure saves the look-ups of a method: most conditions are small, and there are many.
        if slots:
            self.exact = lambda variables: run([variables, MAX_STEPS, None, *slots])
        else:
            self.exact = lambda variables: run([variables, MAX_STEPS, None])
        self.evaluate = self._counting()

    def __reduce__(self) -> tuple[Callable[[Parsed, Environment], Program], tuple[Parsed, Environment]]:
        return plan, (self._parsed, self._environment)

    def _counting(self) -> Callable[[Mapping[str, Any]], Any]:
        exact = self.exact
        left = PAYS_AFTER + next(_programs) * _STRIDE % PAYS_AFTER

        def evaluate(variables: Mapping[str, Any]) -> Any:
            nonlocal left
            left -= 1  # two threads may count one evaluation, or generate twice: neither changes an answer
            if left >= 0:
                return exact(variables)
            self.generate()
            return self.evaluate(variables)

        return evaluate

    def generate(self) -> Generated | None:
        """The Python for the expression, which evaluates it from now on; None if it stays with the closures."""
        from gateway.cel.generate import generate

        if not self._tried:
            self._generated = generate(self._parsed, self._environment, self.exact)
            self.evaluate = self.exact if self._generated is None else self._generated.evaluate
            self._tried = True
        return self._generated

    @property
    def source(self) -> str:
        """The Python for the expression, below the expression as a comment."""
        generated = self.generate()
        written = "".join(f"# {printable(line)}\n" for line in self._parsed.excerpt.text.splitlines())
        return written + (
            generated.source if generated else "# evaluated by closures, without Python of its own\n"
        )

    def within(self, variables: Mapping[str, Any], purse: Purse) -> Any:
        """The value by closures, paid for from what the evaluations before have left."""
        start = min(MAX_STEPS, purse.left)
        frame: Frame = [variables, start, None, *self._slots]
        try:
            return self._run(frame)
        except CelError as error:
            raise _for_one_decision(error) if frame[BUDGET] < 0 and start < MAX_STEPS else error from None
        finally:
            purse.left = max(0, purse.left - (start - frame[BUDGET]))

    def watch(self, variables: Mapping[str, Any], steps: int = MAX_STEPS) -> Watched:
        """The same evaluation, with what every part of it came to; it may take so many steps."""
        if self._watching is None:
            self._watching = planned(self._parsed, self._environment, Mode.WATCH)[0]
        observed: list[tuple[Excerpt, Node, Any, CelError | None]] = []
        frame: Frame = [variables, steps, observed, *self._slots]
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


def _for_one_decision(error: CelError) -> CelError:
    """The same error of a condition that would have been within its own budget."""
    spent = CelError(ErrorKind.LIMIT, "too much work for the conditions of one decision")
    return spent if error.excerpt is None else spent.at(error.excerpt, error.start, error.end)


def _observation(excerpt: Excerpt, node: Node, value: Any, error: CelError | None) -> Observation:
    return Observation(excerpt.span(node.start, node.end), excerpt.text[node.start : node.end], value, error)
