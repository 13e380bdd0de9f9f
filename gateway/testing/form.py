"""What a `*.test.yaml` file may say, as its author wrote it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from gateway.diagnostic import Diagnostic
from gateway.policy.part import Part
from gateway.policy.words import Listed, Plain, Text
from gateway.testing.expected import Expected, ExpectedList, ExpectedReview, Fixture, Moment
from gateway.testing.matrix import MatrixPart

_ABOUT_CALLS = ("expect", "review")
_QUESTIONS = ("expect", "list", "entry", "review")


class CasePart(Part):
    """One question to the policy, and the answer that it must give."""

    noun: ClassVar[str] = "a case"

    name: Text = Field(description="What it shows; each case has another name.")
    session: Fixture = Field(description="Who asks: the name of a session, or a mapping of its own.")
    call: Fixture | None = Field(
        None, description="What is asked: the name of a call, or a mapping of its own."
    )
    repeated: Annotated[int, Field(ge=2, le=10_000)] | None = Field(
        None, description="The call comes so often in a row, and the last answer is looked at: for limits."
    )
    now: Moment | None = Field(
        None, description="The moment as of which it is decided, such as `2026-12-01T10:00:00Z`."
    )
    expect: Expected | None = Field(None, description="What the decision about the call must be.")
    list: ExpectedList | None = Field(None, description="Which tools must be seen, and which not.")
    entry: Expected | None = Field(None, description="Whether the conversation may start.")
    result: Any = Field(None, description="What the tool returned, for `review`.")
    review: ExpectedReview | None = Field(None, description="What must become of the result.")

    def problems(self) -> Iterator[Diagnostic]:
        """A case asks one question: about a call, its result, the list of tools, or the start of a conversation."""
        asked = [key for key in _QUESTIONS if self.given(key)]
        if len(asked) != 1:
            message = "a case has one of `expect`, `list`, `entry` and `review`"
            yield self.wrong(asked[1] if asked else "name", message, "write one case for each question")
        elif asked[0] in _ABOUT_CALLS and not self.given("call"):
            what = "that is decided" if asked == ["expect"] else "that the result is of"
            yield self.wrong(asked[0], f"`{asked[0]}` needs a `call`", f"add the call {what}")
        elif asked[0] not in _ABOUT_CALLS and self.given("call"):
            yield self.wrong("call", f"`call` has no place beside `{asked[0]}`", "remove it")
        elif asked == ["review"] and not self.given("result"):
            yield self.wrong("review", "`review` needs a `result`", "add what the tool returned")
        elif asked != ["review"] and self.given("result"):
            yield self.wrong("result", f"`result` has no place beside `{asked[0]}`", "remove it")
        elif asked != ["expect"] and self.given("repeated"):
            yield self.wrong("repeated", f"`repeated` has no place beside `{asked[0]}`", "remove it")


class EquivalentPart(Part):
    """A mutant of the policy that decides as the policy does, so that no case can tell them apart."""

    noun: ClassVar[str] = "an equivalent mutant"

    mutant: Text = Field(description="Its id, as `gatewayctl test --mutate` prints it.")
    reason: Text = Field(description="Why no case can tell it from the policy.")


class CaseFile(Part):
    """A file of cases."""

    noun: ClassVar[str] = "a test file"

    version: Literal[1] = Field(description="Always `1`.")
    now: Moment | None = Field(
        None, description="The moment as of which all cases are decided that name none."
    )
    subjects: dict[str, Plain] = Field(
        default_factory=dict, description="Subjects by name; a session names one in `subject`."
    )
    sessions: dict[str, Plain] = Field(default_factory=dict, description="Sessions by name.")
    calls: dict[str, Plain] = Field(default_factory=dict, description="Calls by name.")
    cases: Annotated[tuple[CasePart, ...], Field(strict=False, min_length=1)] = Field(
        (), description="Questions, each with the answer that it must get."
    )
    matrices: Annotated[tuple[MatrixPart, ...], Field(strict=False, min_length=1)] = Field(
        (), description="Tables of sessions and calls, with the answer for each pair of them."
    )
    equivalent: Listed[EquivalentPart] = Field(
        (), description="Mutants that are known to decide as the policy does."
    )

    def problems(self) -> Iterator[Diagnostic]:
        """A file without a question passes whatever the policy says."""
        if not self.cases and not self.matrices:
            yield Diagnostic(
                "missing-key", "there is no case", self.where.span(), "write `cases` or `matrices`"
            )
