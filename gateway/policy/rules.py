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
    BudgetText,
    Channels,
    Duration,
    Expression,
    FieldText,
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

    args: Plain = Field(description="The arguments of the call.")
    tool: ToolName | None = Field(None, description="The tool, where the rule is about several.")
    session: Plain | None = Field(
        None, description="What the session holds, as far as the condition reads it."
    )
    turn: Plain | None = Field(None, description="What the turn holds, as far as the condition reads it.")


class Examples(Part):
    """Calls that show what a condition is for; each load tries them."""

    noun: ClassVar[str] = "the examples"

    match: Listed[Example] = Field((), description="Calls for which the condition must hold.")
    no_match: Listed[Example] = Field((), description="Calls for which it must not hold.")


class Condition(Part):
    """What every part with an id and a condition can say."""

    id: Name = Field(description="The name by which decisions, tests and `lifts` speak of it.")
    tools: Patterns = Field(description='Patterns of the tools that it is about; `["*"]` is every tool.')
    when: Expression | None = Field(None, description="A CEL condition that must hold; absent: it holds.")
    unless: Expression | None = Field(
        None, description="A CEL condition that must not hold; absent: it does not."
    )
    let: dict[Word, Expression] = Field(
        default_factory=dict,
        description="Names for parts of the conditions, each a CEL expression; they are used bare, without a prefix.",
    )
    message: Text | None = Field(None, description="What the model and its user read.")
    reason: Text | None = Field(None, description="Why it exists, for colleagues.")
    owner: Text | None = Field(None, description="Who can change it; `explain` names them.")
    examples: Examples | None = Field(None, description="Calls that each load tries.")
    tenants: Annotated[tuple[Pattern, ...], Field(strict=False, min_length=1)] | None = Field(
        None, description="Only these tenants."
    )
    agents: Annotated[tuple[Pattern, ...], Field(strict=False, min_length=1)] | None = Field(
        None, description="Only these agents."
    )
    channels: Channels | None = Field(None, description="Only these channels: `internal`, `external`.")
    risk: RiskRange | None = Field(None, description='Only tools of this declared risk, such as `">=HIGH"`.')


class ArgumentEntry(Condition):
    """Arguments that are set whatever the model wrote."""

    noun: ClassVar[str] = "an entry of `arguments`"

    set: Annotated[dict[str, Expression], Field(min_length=1)] = Field(
        description="Arguments that the model does not choose, each with an expression that reads no argument."
    )
    otherwise: Literal["deny"] | None = Field(
        None,
        description="`deny` refuses the call where the condition does not hold; absent: the argument is left alone.",
    )

    def problems(self) -> Iterator[Diagnostic]:
        """`otherwise` without a condition would never be asked."""
        if self.otherwise is not None and self.when is None and self.unless is None:
            yield self.wrong("otherwise", "`otherwise` needs `when` or `unless`", "add the condition")


class Monitored(Condition):
    """A condition that can be watched before it is enforced."""

    monitor: bool = Field(False, description="`true` only records what would have happened.")
    until: UntilText | None = Field(
        None,
        description="With `monitor`: until when it is only watched, then it is enforced; on an allow rule: until when"
        " it holds. A day, through its end in UTC, or a moment such as `2027-01-31T18:00:00Z`.",
    )


class Approval(Part):
    """Who must agree, and for how long that counts."""

    noun: ClassVar[str] = "an approval"

    by: Annotated[tuple[Role, ...], Field(strict=False, min_length=1)] | None = Field(
        None, description="Roles, of which whoever agrees must hold one."
    )
    not_self: bool = Field(False, description="Whether the subject can't agree to its own call.")
    expires: Duration | None = Field(
        None,
        description="How long the question stays open, such as `30m`; without a store the host counts it.",
    )
    use_within: Duration | None = Field(
        None, description="How long an approval can be used; without a store the host counts it."
    )


_STRICT_UNTIL = "the end of a rule that refuses would loosen the policy in silence"


class Rule(Monitored):
    """A condition with an effect."""

    noun: ClassVar[str] = "a rule"

    effect: Annotated[Effect, Field(strict=False)] = Field(description="`deny`, `ask`, `allow` or `respond`.")
    approval: Approval | None = Field(
        None, description="Who must agree, beside `effect: ask`; the host is told."
    )
    lifts: Listed[Name] = Field(
        (), description="The ask rules and patterns that an allow rule takes back, by id."
    )
    response: Any = Field(
        None, description="What the model gets in place of a result, beside `effect: respond`."
    )
    context: Text | None = Field(
        None, description="A text that the host gives to the model beside the result."
    )

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
        if self.until is not None and self.monitor and effect is Effect.ALLOW:
            yield self.wrong(
                "until",
                "a monitored `allow` rule has no `until`: it would begin to grant then, for ever",
                "remove `until`, or remove `monitor` if the grant lapses then",
            )
        if self.until is not None and not self.monitor and effect is not Effect.ALLOW:
            yield self.wrong(
                "until",
                f"an enforced `{effect.value}` rule has no `until`: {_STRICT_UNTIL}",
                "remove `until`, or add `monitor: true` if enforcement begins then",
            )


class Limit(Monitored):
    """How often calls may happen."""

    noun: ClassVar[str] = "a limit"

    per: PerKey | None = Field(
        None,
        description="Counted by `call`, `turn`, `session`, `subject`, `tenant`, `tool` or `{cel: expression}`.",
    )
    rate: RateText | None = Field(None, description="How many calls in which time, such as `20/h`.")
    budget: BudgetText | None = Field(
        None,
        description="How much may be spent in which time, such as `1000/30d`, or by currency: `{EUR: 1000/30d}`.",
    )
    amount: Expression | None = Field(
        None, description="What a call spends of `budget`: a CEL expression that gives a number."
    )
    currency: Expression | None = Field(
        None, description="The currency of `amount`, a CEL expression; one without a budget is refused."
    )
    repeats: Annotated[int, Field(ge=2, le=1000)] | None = Field(
        None, description="How many equal calls in a row; a tool that is polled is left out with `!name`."
    )
    empty_rounds: Annotated[int, Field(ge=1, le=100)] | None = Field(
        None,
        description="How many answers of the model in a row, in one turn, whose calls all brought nothing new.",
    )

    def problems(self) -> Iterator[Diagnostic]:
        """A limit is a rate or a budget, counted by something, or how often something comes in a row."""
        kinds = [
            key for key in ("rate", "budget", "repeats", "empty_rounds") if getattr(self, key) is not None
        ]
        if len(kinds) != 1:
            yield self.wrong(
                "id",
                "a limit has one of `rate`, `budget`, `repeats` and `empty_rounds`",
                "write one, and another limit for another",
            )
        if self.rate is not None and self.per is None:
            yield self.wrong("rate", "a rate needs `per`", "say what is counted by, such as `per: subject`")
        if self.repeats is not None and self.per is not None:
            yield self.wrong("per", "`per` has no place beside `repeats`", "repeats are those of a session")
        if self.empty_rounds is not None:
            for key in ("per", "when", "unless"):
                if getattr(self, key) is not None:
                    yield self.wrong(
                        key, f"`{key}` has no place beside `empty_rounds`", "rounds are those of a turn"
                    )
        yield from self._spending()
        if self.until is not None and not self.monitor:
            yield self.wrong(
                "until",
                f"an enforced limit has no `until`: {_STRICT_UNTIL}",
                "remove `until`, or add `monitor: true` if enforcement begins then",
            )

    def _spending(self) -> Iterator[Diagnostic]:
        """What belongs to a budget, and has no place without one."""
        if self.budget is None:
            for key in ("amount", "currency"):
                if getattr(self, key) is not None:
                    yield self.wrong(key, f"`{key}` has no place without `budget`", "add the budget")
            return
        if self.per is None:
            yield self.wrong("budget", "a budget needs `per`", "say whose it is, such as `per: subject`")
        if self.amount is None:
            yield self.wrong(
                "budget", "a budget needs `amount`", "say what a call spends: `amount: args.amount`"
            )
        if self.currency is None and "" not in self.budget:
            yield self.wrong(
                "budget",
                "budgets by currency need `currency`",
                "say which one is meant: `currency: args.currency`",
            )
        if self.currency is not None and "" in self.budget:
            # A model that chooses the currency would have as many budgets as it can think of names.
            yield self.wrong(
                "budget",
                "a budget beside `currency` says of which one it is",
                "write `budget: {EUR: 1000/30d}`",
            )


class Trust(Enum):
    """Whether what a field of a result says may be relied on."""

    TRUSTED = "trusted"
    UNTRUSTED = "untrusted"


class Redaction(Part):
    """What is blanked out of a result: what a detector finds, or a field."""

    noun: ClassVar[str] = "a redaction"

    detector: Name | None = Field(
        None, description="What finds the texts that are blanked out, such as `secrets`."
    )
    field: FieldText | None = Field(
        None,
        description="The fields that are blanked out, such as `**.password`; `*` is one level, `**` any depth.",
    )

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

    fields: Annotated[dict[Text, Annotated[Trust, Field(strict=False)]], Field(min_length=1)] | None = Field(
        None, description="Which fields of the result are `trusted` or `untrusted` (not in force yet)."
    )
    redact: Annotated[tuple[Redaction, ...], Field(strict=False, min_length=1)] | None = Field(
        None, description="What is blanked out: what detectors find, and fields."
    )

    def problems(self) -> Iterator[Diagnostic]:
        """A result that asks for nothing is a typo."""
        if self.fields is None and self.redact is None:
            yield self.wrong("id", "a result has `fields` or `redact`", "write at least one of them")
