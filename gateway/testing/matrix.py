"""Tables of test files: sessions and calls are named once, and each pair of them is a case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import Field, PlainValidator, ValidationError, WithJsonSchema

from gateway.decision import Effect
from gateway.diagnostic import Diagnostic, Span, suggest
from gateway.malformed import Malformed
from gateway.policy.explain import explain
from gateway.policy.part import Part, Where
from gateway.policy.words import Listed, Text
from gateway.testing.expected import Expected, Fixture, Moment


def _cell(value: object) -> str | Mapping[str, Any]:
    if isinstance(value, str | dict):
        return value
    raise Malformed("this is no expectation", "write an effect, or a mapping with `effect`, `code` and so on")


_CELL = {"anyOf": [{"enum": [effect.value for effect in Effect]}, {"type": "object"}]}
_Cell = Annotated[str | Mapping[str, Any], PlainValidator(_cell), WithJsonSchema(_CELL)]


class MatrixPart(Part):
    """What each of some sessions is answered about each of some calls."""

    noun: ClassVar[str] = "a matrix"

    name: Text = Field(description="What it shows; the names of its cases begin with it.")
    now: Moment | None = Field(None, description="The moment as of which its cases are decided.")
    sessions: Listed[Text] = Field((), description="The sessions, by name.")
    session: Fixture | None = Field(None, description="The one session that `subjects` ask in, by turns.")
    subjects: Listed[Text] = Field((), description="The subjects, by name, in place of `sessions`.")
    default: _Cell | None = Field(
        None, description="What each pair must come to that the table leaves out: an effect or a mapping."
    )
    calls: Annotated[dict[Text, _Cell], Field(min_length=1)] = Field(
        description="For each call by name an effect for all sessions, or a mapping from sessions to expectations."
    )

    def problems(self) -> Iterator[Diagnostic]:
        """Its rows are sessions, or subjects in one session."""
        if bool(self.sessions) is bool(self.subjects):
            yield self.wrong(
                "name", "a matrix has either `sessions` or `subjects`", "name those whose calls are decided"
            )
        elif self.subjects and self.session is None:
            yield self.wrong("subjects", "`subjects` need a `session`", "name the session that they ask in")
        elif self.sessions and self.session is not None:
            yield self.wrong("session", "`session` has no place beside `sessions`", "remove it")

    @property
    def rows(self) -> tuple[str, ...]:
        """Whose calls are decided, by name."""
        return self.sessions or self.subjects


@dataclass(frozen=True, slots=True)
class Cell:
    """One pair of a matrix, and what is expected of it."""

    name: str
    row: str
    call: str
    expected: Expected
    where: Where
    """Where the expectation stands."""
    place: Span
    """Where a failure is shown."""


def cells(part: MatrixPart, where: Where, problems: list[Diagnostic]) -> Iterator[Cell]:
    """Every pair of a matrix, call by call; what is wrong with an expectation is a problem."""
    default = None
    if part.default is not None:
        default = _expected(part.default, where.below("default"), problems)
    for call, value in part.calls.items():
        at = where.below("calls", call)
        if isinstance(value, str):
            whole, table = _expected(value, at, problems), {}
        else:
            whole, table = default, dict(value)
            _unknown_rows(part, table, at, problems)
        for row in part.rows:
            if row in table:
                here = at.below(row)
                expected, place = _expected(table[row], here, problems), here.span()
            else:
                expected, place = whole, at.key_span()
                here = at if isinstance(value, str) else where.below("default")
                if expected is None and not isinstance(value, str) and part.default is None:
                    message = f"nothing is expected of `{call}` as `{row}`"
                    problems.append(
                        Diagnostic("missing-key", message, place, f"write `{row}: …`, or a `default`")
                    )
            if expected is not None:
                yield Cell(f"{part.name}: {call} as {row}", row, call, expected, here, _line(place))


def _unknown_rows(part: MatrixPart, table: Mapping[str, Any], at: Where, problems: list[Diagnostic]) -> None:
    for row in table:
        if row not in part.rows:
            near = suggest(row, part.rows)
            help_ = (
                f"did you mean `{near[0]}`?" if near else f"it has {', '.join(f'`{r}`' for r in part.rows)}"
            )
            problems.append(
                Diagnostic("unknown-name", f"the matrix has no row `{row}`", at.key_span(row), help_)
            )


def _expected(value: object, at: Where, problems: list[Diagnostic]) -> Expected | None:
    """An effect alone, or a mapping as `expect` has it."""
    if isinstance(value, str):
        effects = {effect.value: effect for effect in Effect}
        if value in effects:
            return Expected(effect=effects[value])
        near = suggest(value, effects)
        help_ = (
            f"did you mean `{near[0]}`?"
            if near
            else f"write one of {', '.join(f'`{each}`' for each in effects)}"
        )
        problems.append(Diagnostic("wrong-value", f"`{value}` is no effect", at.span(), help_))
        return None
    try:
        expected = Expected.model_validate(value)
    except ValidationError as error:
        problems.extend(explain(error, Expected, at))
        return None
    problems.extend(expected.placed(at))
    return expected


def _line(span: Span) -> Span:
    """The first line of it."""
    end = span.source.text.find("\n", span.start, span.end)
    return span if end < 0 else Span(span.source, span.start, end)
