"""What a `*.test.yaml` file may say, as its author wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, PlainValidator
from pydantic_core import PydanticKnownError

from gateway.decision import Code, Effect
from gateway.diagnostic import Diagnostic
from gateway.malformed import Malformed
from gateway.policy.part import Part
from gateway.policy.words import Listed, Plain, Text


class Link(Enum):
    """The links of the chain that makes a tool visible, in the order in which they are tried."""

    READY = "ready"
    IDENTITY = "identity"
    KNOWN = "known"
    BOUND = "bound"
    CHANNEL = "channel"
    SWITCH = "switch"
    MODE = "mode"
    ENABLED = "enabled"
    REQUIREMENT = "requirement"
    PERMISSIONS = "permissions"
    FORCED = "forced"
    RESOURCE = "resource"
    RULE = "rule"
    ANSWER = "answer"


_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)", re.ASCII)


def moment(value: object) -> datetime:
    """A moment with its zone, such as `2026-12-01T10:00:00Z`."""
    if not isinstance(value, str):
        raise PydanticKnownError("string_type")
    try:
        if _MOMENT.fullmatch(value) is not None:
            return datetime.fromisoformat(value)
    except ValueError:
        pass
    raise Malformed(f"`{value}` is no moment", "write a moment with its zone, such as `2026-12-01T10:00:00Z`")


def _fixture(value: object) -> str | Mapping[str, Any]:
    if isinstance(value, str | dict):
        return value
    raise Malformed("this is neither a name nor a mapping", "write a fixture's name, or a mapping of its own")


Fixture = Annotated[str | Mapping[str, Any], PlainValidator(_fixture)]
"""The name of a fixture, or a mapping, which may start from one with `like`."""


class Expected(Part):
    """What a decision must be; keys that are not written are not compared."""

    noun: ClassVar[str] = "an expectation"

    effect: Annotated[Effect, Field(strict=False)] | None = None
    code: Annotated[Code, Field(strict=False)] | None = None
    rule: Text | None = None
    message: Text | None = None
    arguments: Plain | None = None
    monitored: Listed[Text] | None = None

    def problems(self) -> Iterator[Diagnostic]:
        """An expectation that expects nothing always passes."""
        if not self.model_fields_set:
            yield Diagnostic(
                "wrong-value", "nothing is expected", self.where.key_span(), "add `effect` or `code`"
            )


class ExpectedReview(Part):
    """What must become of a result; keys that are not written are not compared."""

    noun: ClassVar[str] = "an expected review"

    redacted: Listed[Text] | None = None
    withheld: bool | None = None
    truncated: bool | None = None
    contains: Listed[Text] = ()
    lacks: Listed[Text] = ()

    def problems(self) -> Iterator[Diagnostic]:
        """A review of which nothing is expected always passes."""
        if not self.model_fields_set:
            yield Diagnostic(
                "wrong-value", "nothing is expected", self.where.key_span(), "add `redacted` or `lacks`"
            )


class ExpectedList(Part):
    """Tools that must be among the visible ones, or all of these, and the link that hides each of some others."""

    noun: ClassVar[str] = "an expected list"

    visible: Listed[Text] = ()
    only: Listed[Text] | None = None
    hidden: dict[Text, Annotated[Link, Field(strict=False)]] = Field(default_factory=dict)

    def problems(self) -> Iterator[Diagnostic]:
        """A list that expects nothing always passes."""
        if not self.visible and not self.hidden and self.only is None:
            yield Diagnostic(
                "wrong-value",
                "nothing is expected",
                self.where.key_span(),
                "name `hidden` tools, or all that are visible in `only` (`only: []` for none)",
            )


_ABOUT_CALLS = ("expect", "review")
_QUESTIONS = ("expect", "list", "entry", "review")


class CasePart(Part):
    """One question to the policy, and the answer that it must give."""

    noun: ClassVar[str] = "a case"

    name: Text
    session: Fixture
    call: Fixture | None = None
    now: Annotated[datetime, PlainValidator(moment)] | None = None
    expect: Expected | None = None
    list: ExpectedList | None = None
    entry: Expected | None = None
    result: Any = None
    review: ExpectedReview | None = None

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


class CaseFile(Part):
    """A file of cases."""

    noun: ClassVar[str] = "a test file"

    version: Literal[1]
    sessions: dict[str, Plain] = Field(default_factory=dict)
    calls: dict[str, Plain] = Field(default_factory=dict)
    cases: Annotated[tuple[CasePart, ...], Field(strict=False, min_length=1)]
