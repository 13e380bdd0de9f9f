"""What a case of a test file may expect, and the small values that its keys hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from enum import Enum
from typing import Annotated, Any, ClassVar

from pydantic import Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticKnownError

from gateway.decision import Basis, Code, Effect, Obligation
from gateway.diagnostic import Diagnostic
from gateway.malformed import Malformed
from gateway.policy.part import Part
from gateway.policy.words import Duration, Listed, Plain, Text


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


Fixture = Annotated[
    str | Mapping[str, Any],
    PlainValidator(_fixture),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "object"}]}),
]
"""The name of a fixture, or a mapping, which may start from one with `like`."""

Moment = Annotated[
    datetime,
    PlainValidator(moment),
    WithJsonSchema({"type": "string", "pattern": f"^{_MOMENT.pattern}$"}),
]


class ExpectedDemand(Part):
    """Who must agree to a call; keys that are not written are not compared."""

    noun: ClassVar[str] = "an expected demand"

    rule: Text | None = Field(None, description="The rule that asks.")
    by: Listed[Text] | None = Field(None, description="The roles, of which whoever agrees must hold one.")
    not_self: bool = Field(False, description="Whether the subject can't agree to its own call.")
    expires: Duration | None = Field(None, description="How long the question stays open, such as `30m`.")
    use_within: Duration | None = Field(None, description="How long an approval can be used.")


class Expected(Part):
    """What a decision must be; keys that are not written are not compared."""

    noun: ClassVar[str] = "an expectation"
    may_be_empty: ClassVar[frozenset[str]] = frozenset({"response"})

    effect: Annotated[Effect, Field(strict=False)] | None = Field(
        None, description="What happens to the call: `allow`, `ask`, `respond` or `deny`."
    )
    code: Annotated[Code, Field(strict=False)] | None = Field(
        None, description="Why, in one word, such as `CONFIRM`."
    )
    rule: Text | None = Field(None, description="The rule, pattern, limit or entry that decided.")
    basis: Annotated[Basis, Field(strict=False)] | None = Field(
        None, description="Why an allowed call goes on: by `default`, or because a `rule` grants it."
    )
    message: Text | None = Field(
        None, description="What the model reads, whole; each `*` stands for any characters."
    )
    detail: Text | None = Field(
        None, description="What the operator reads, whole; each `*` stands for any characters."
    )
    arguments: Plain | None = Field(None, description="The final arguments.")
    response: Any = Field(None, description="What the model gets in place of a result.")
    context: Listed[Text] | None = Field(None, description="The texts that the host gives to the model.")
    findings: Listed[Text] | None = Field(
        None, description="Everything that is held against the call: ids, and codes where there is no id."
    )
    monitored: Listed[Text] | None = Field(
        None, description="What is only watched, and would be held against it: ids, or codes."
    )
    obligations: Listed[Annotated[Obligation, Field(strict=False)]] | None = Field(
        None, description="What the host must do, such as `final-arguments`."
    )
    demands: Listed[ExpectedDemand] | None = Field(
        None, description="Who must agree: one entry for each `approval` of the rules that ask."
    )

    def problems(self) -> Iterator[Diagnostic]:
        """An expectation that expects nothing always passes."""
        if not self.model_fields_set:
            yield Diagnostic(
                "wrong-value", "nothing is expected", self.where.key_span(), "add `effect` or `code`"
            )


class ExpectedReview(Part):
    """What must become of a result; keys that are not written are not compared."""

    noun: ClassVar[str] = "an expected review"

    redacted: Listed[Text] | None = Field(None, description="The entries that blanked something out.")
    withheld: bool | None = Field(None, description="Whether nothing of the result is shown.")
    truncated: bool | None = Field(None, description="Whether it is cut.")
    contains: Listed[Text] = Field((), description="What stands in the text that the model gets.")
    lacks: Listed[Text] = Field((), description="What does not stand in it.")

    def problems(self) -> Iterator[Diagnostic]:
        """A review of which nothing is expected always passes."""
        if not self.model_fields_set:
            yield Diagnostic(
                "wrong-value", "nothing is expected", self.where.key_span(), "add `redacted` or `lacks`"
            )


class ExpectedList(Part):
    """Tools that must be among the visible ones, or all of these, and the link that hides each of some others."""

    noun: ClassVar[str] = "an expected list"

    visible: Listed[Text] = Field((), description="Tools that are seen, among others.")
    only: Listed[Text] | None = Field(None, description="All tools that are seen; `[]` for none.")
    hidden: dict[Text, Annotated[Link, Field(strict=False)]] = Field(
        default_factory=dict, description="Tools that are not seen, each with the link that hides it."
    )

    def problems(self) -> Iterator[Diagnostic]:
        """A list that expects nothing always passes."""
        if not self.visible and not self.hidden and self.only is None:
            yield Diagnostic(
                "wrong-value",
                "nothing is expected",
                self.where.key_span(),
                "name `hidden` tools, or all that are visible in `only` (`only: []` for none)",
            )
