"""One case of a test file, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gateway.decision import TraceEntry
from gateway.diagnostic import Diagnostic, printable

if TYPE_CHECKING:
    from gateway.diagnostic import Span
    from gateway.testing.expected import Expected, ExpectedList, ExpectedReview
    from gateway.testing.loaded import Loaded


@dataclass(frozen=True, slots=True)
class Case:
    """A question to a policy and the answer that it must give; `str` names it for pytest."""

    name: str
    span: Span
    session: Mapping[str, Any]
    call: Mapping[str, Any] | None
    now: datetime | None
    expected: Expected | ExpectedList | ExpectedReview
    loaded: Loaded
    result: Any = None
    times: int = 1
    """The call comes so often, and the last answer is looked at."""

    def __str__(self) -> str:
        return self.name

    @property
    def place(self) -> str:
        """`file:line` of the case."""
        return f"{self.span.source.name}:{self.span.line}"

    def check(self) -> None:
        """Ask the policy, and raise an `AssertionError` that says what differs."""
        from gateway.testing.compare import run_case

        report = run_case(self)
        if not report.passed:
            raise AssertionError(report.text)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One thing that differs from what was expected."""

    what: str
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class CaseReport:
    """What came of a case; `deciding` is the line of the trace that led to another answer.

    `instead` is what came of the rule that was expected to lead to it.
    """

    case: Case
    mismatches: tuple[Mismatch, ...]
    deciding: TraceEntry | None = None
    instead: TraceEntry | None = None

    @property
    def passed(self) -> bool:
        """Whether everything is as expected."""
        return not self.mismatches

    @property
    def text(self) -> str:
        """The case and each difference, as people read them."""
        lines = [f"{self.case.place}: {self.case.name}", *(f"  {line}" for line in self._lines())]
        return "\n".join(map(printable, lines))

    @property
    def finding(self) -> Diagnostic:
        """The failure of the case, at its place."""
        return Diagnostic("failed-case", f"the case fails: {'; '.join(self._lines())}", self.case.span)

    def _lines(self) -> Iterator[str]:
        for m in self.mismatches:
            yield f"{m.what}: expected {m.expected}, got {m.got}"
        if self.deciding is not None:
            yield f"decided by: {_text(self.deciding)}"
        if self.instead is not None:
            yield f"expected {_text(self.instead)}"


def _text(entry: TraceEntry) -> str:
    """A line of a trace in one line of text, with the values that its rule read."""
    rule = f"rule `{entry.rule}`: " if entry.rule else ""
    values = "; ".join(f"{seen.text} = {seen.value}" for seen in entry.observed)
    return f"{rule}{entry.text}{f' [{values}]' if values else ''}"
