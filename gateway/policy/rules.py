"""Forced arguments, rules, limits and results: what is decided about calls and what comes back."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from gateway.decision import Effect
from gateway.diagnostic import Diagnostic
from gateway.policy.part import Part
from gateway.policy.words import (
    Channels,
    Duration,
    Expression,
    Listed,
    Name,
    Pattern,
    Patterns,
    PerKey,
    Plain,
    RateText,
    RiskRange,
    Role,
    Text,
    ToolName,
    UntilText,
    Word,
)


class Example(Part):
    """A call that a condition must match, or must not."""

    noun: ClassVar[str] = "an example"

    args: Plain
    tool: ToolName | None = None
    session: Plain | None = None
    turn: Plain | None = None


class Examples(Part):
    """Calls that show what a condition is for; each load tries them."""

    noun: ClassVar[str] = "the examples"

    match: Listed[Example] = ()
    no_match: Listed[Example] = ()


class Condition(Part):
    """What every part with an id and a condition can say."""

    id: Name
    tools: Patterns
    when: Expression | None = None
    unless: Expression | None = None
    let: dict[Word, Expression] = Field(default_factory=dict)
    message: Text | None = None
    reason: Text | None = None
    owner: Text | None = None
    examples: Examples | None = None
    tenants: Annotated[tuple[Pattern, ...], Field(strict=False, min_length=1)] | None = None
    agents: Annotated[tuple[Pattern, ...], Field(strict=False, min_length=1)] | None = None
    channels: Channels | None = None
    risk: RiskRange | None = None


class ArgumentEntry(Condition):
    """Arguments that are set whatever the model wrote."""

    noun: ClassVar[str] = "an entry of `arguments`"

    set: Annotated[dict[str, Expression], Field(min_length=1)]
    otherwise: Literal["deny"] | None = None

    def problems(self) -> Iterator[Diagnostic]:
        """`otherwise` without a condition would never be asked."""
        if self.otherwise is not None and self.when is None and self.unless is None:
            yield self.wrong("otherwise", "`otherwise` needs `when` or `unless`", "add the condition")


class Monitored(Condition):
    """A condition that can be watched before it is enforced."""

    monitor: bool = False
    until: UntilText | None = None


class Approval(Part):
    """Who must agree, and for how long that counts."""

    noun: ClassVar[str] = "an approval"

    by: Annotated[tuple[Role, ...], Field(strict=False, min_length=1)] | None = None
    not_self: bool = False
    expires: Duration | None = None
    use_within: Duration | None = None


_STRICT_UNTIL = "the end of a rule that refuses would loosen the policy in silence"


class Rule(Monitored):
    """A condition with an effect."""

    noun: ClassVar[str] = "a rule"

    effect: Annotated[Effect, Field(strict=False)]
    approval: Approval | None = None
    lifts: Listed[Name] = ()
    response: Any = None
    context: Text | None = None

    def problems(self) -> Iterator[Diagnostic]:
        """Keys that belong to another effect, and an end of a rule that refuses."""
        effect = self.effect
        if self.given("response") and effect is not Effect.RESPOND:
            yield self.wrong("response", f"`response` has no place beside `effect: {effect.value}`")
        if effect is Effect.RESPOND and not self.given("response"):
            yield self.wrong(
                "effect", "`effect: respond` needs `response`", "add what the model gets instead"
            )
        if self.lifts and effect is not Effect.ALLOW:
            yield self.wrong("lifts", f"`lifts` has no place beside `effect: {effect.value}`")
        if self.approval is not None and effect is not Effect.ASK:
            yield self.wrong("approval", f"`approval` has no place beside `effect: {effect.value}`")
        if self.until is not None and not self.monitor and effect is not Effect.ALLOW:
            yield self.wrong(
                "until",
                f"an enforced `{effect.value}` rule has no `until`: {_STRICT_UNTIL}",
                "remove `until`, or add `monitor: true` if enforcement begins then",
            )


class Limit(Monitored):
    """How often calls may happen."""

    noun: ClassVar[str] = "a limit"

    per: PerKey | None = None
    rate: RateText | None = None
    repeats: Annotated[int, Field(ge=2, le=1000)] | None = None

    def problems(self) -> Iterator[Diagnostic]:
        """A limit is either a rate, counted by something, or a number of repeats."""
        if (self.rate is None) == (self.repeats is None):
            yield self.wrong("id", "a limit has either `rate` or `repeats`", "write one of them")
        if self.rate is not None and self.per is None:
            yield self.wrong("rate", "a rate needs `per`", "say what is counted by, such as `per: subject`")
        if self.repeats is not None and self.per is not None:
            yield self.wrong("per", "`per` has no place beside `repeats`", "repeats are those of a session")
        if self.until is not None and not self.monitor:
            yield self.wrong(
                "until",
                f"an enforced limit has no `until`: {_STRICT_UNTIL}",
                "remove `until`, or add `monitor: true` if enforcement begins then",
            )


class Trust(Enum):
    """Whether what a field of a result says may be relied on."""

    TRUSTED = "trusted"
    UNTRUSTED = "untrusted"


class Redaction(Part):
    """What is blanked out of a result: what a detector finds, or a field."""

    noun: ClassVar[str] = "a redaction"

    detector: Name | None = None
    field: Text | None = None

    def problems(self) -> Iterator[Diagnostic]:
        """One of the two, not both."""
        if (self.detector is None) == (self.field is None):
            yield Diagnostic(
                "wrong-value",
                "a redaction has either `detector` or `field`",
                self.where.span(),
                "write one of them",
            )


class Result(Condition):
    """What is done to a result before the model sees it."""

    noun: ClassVar[str] = "a result"

    fields: Annotated[dict[Text, Annotated[Trust, Field(strict=False)]], Field(min_length=1)] | None = None
    redact: Annotated[tuple[Redaction, ...], Field(strict=False, min_length=1)] | None = None

    def problems(self) -> Iterator[Diagnostic]:
        """A result that asks for nothing is a typo."""
        if self.fields is None and self.redact is None:
            yield self.wrong("id", "a result has `fields` or `redact`", "write at least one of them")
