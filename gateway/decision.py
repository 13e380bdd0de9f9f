"""What was decided about a call, and what each step held against it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum, IntEnum, StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from gateway.frozen import frozen

if TYPE_CHECKING:
    from gateway.risk import RiskLevel
    from gateway.state import Change


class Effect(Enum):
    """What happens to a call; the strictest of all findings wins."""

    strictness: int
    """0 for allow, then ask, respond, and 3 for deny."""

    def __new__(cls, value: str, strictness: int = 0) -> Effect:
        """A member whose value is its name in policies; strictness is explicit, never the order here."""
        member = object.__new__(cls)
        member._value_ = value
        member.strictness = strictness
        return member

    ALLOW = "allow", 0
    ASK = "ask", 1
    RESPOND = "respond", 2
    DENY = "deny", 3


class Basis(Enum):
    """Why a call may go on: by default, by an enforced allow rule, or by a person's approval."""

    DEFAULT = "default"
    RULE = "rule"
    APPROVAL = "approval"


class Obligation(StrEnum):
    """What a host must do when it proceeds; one that a host can't do turns the decision into deny."""

    FINAL_ARGUMENTS = "final-arguments"
    """Run `Decision.arguments`, which differ from what the model wrote."""
    NAMED_APPROVER = "named-approver"
    """Have the question answered by somebody whom each of `Decision.approval["demands"]` accepts."""
    PINNED_ADDRESSES = "pinned-addresses"
    """Connect to no other address of a host than those in `Decision.pinned`; ask again before following a redirect."""


class Step(IntEnum):
    """The steps of a decision, in order; the value is the step's number in traces."""

    READY = 0
    IDENTITY = 1
    TOOL = 2
    PERMISSIONS = 3
    ARGUMENTS = 4
    RESOURCE = 5
    JOURNAL = 6
    EVALUATION = 7
    CONFIRMATION = 8
    LIFTING = 9
    APPROVAL = 10
    DRY_RUN = 11
    RESULT = 12
    ANSWER = 13
    STATE = 14


class Class(IntEnum):
    """Kinds of findings inside step 7, in the order that decides ties."""

    GUARD = 0
    INSPECTION = 1
    GUARD_ALONG = 2
    """The guard's, where a command hits guarded files along with much else: the command itself is told first."""
    FLOW = 3
    RULE = 4
    LIMIT = 5
    OTHER = 6


class Code(StrEnum):
    """What a decision says in one word; never renamed. `gatewayctl explain CODE` prints its page."""

    ALLOWED = "ALLOWED"
    NOT_READY = "NOT_READY"
    NO_IDENTITY = "NO_IDENTITY"
    NO_TENANT = "NO_TENANT"
    CROSS_TENANT = "CROSS_TENANT"
    AGENT_DISABLED = "AGENT_DISABLED"
    SESSION_MISMATCH = "SESSION_MISMATCH"
    TOOL_NOT_FOUND = "TOOL_NOT_FOUND"
    TOOL_NOT_BOUND = "TOOL_NOT_BOUND"
    TOOL_DISABLED = "TOOL_DISABLED"
    TOOL_CHANGED = "TOOL_CHANGED"
    REQUIREMENT_MISSING = "REQUIREMENT_MISSING"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    ARGUMENTS_UNREADABLE = "ARGUMENTS_UNREADABLE"
    FORCED_ARGUMENT_UNAVAILABLE = "FORCED_ARGUMENT_UNAVAILABLE"
    FORCED_ARGUMENT_CONFLICT = "FORCED_ARGUMENT_CONFLICT"
    RESOURCE_PERMISSION_DENIED = "RESOURCE_PERMISSION_DENIED"
    ARGUMENT_INVALID = "ARGUMENT_INVALID"
    CALL_ID_REUSED = "CALL_ID_REUSED"
    ALREADY_COMPLETED = "ALREADY_COMPLETED"
    ALREADY_DONE = "ALREADY_DONE"
    OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN"
    GUARD = "GUARD"
    PATTERN = "PATTERN"
    UNREADABLE = "UNREADABLE"
    RULE = "RULE"
    RATE_LIMIT = "RATE_LIMIT"
    STEP_LIMIT = "STEP_LIMIT"
    REPEATED = "REPEATED"
    BUDGET = "BUDGET"
    NOTHING_NEW = "NOTHING_NEW"
    CONFIRM = "CONFIRM"
    APPROVAL_REJECTED = "APPROVAL_REJECTED"
    APPROVAL_EXPIRED = "APPROVAL_EXPIRED"
    DRY_RUN = "DRY_RUN"
    NOBODY_TO_ASK = "NOBODY_TO_ASK"
    OBLIGATION_UNSUPPORTED = "OBLIGATION_UNSUPPORTED"
    STATE_UNAVAILABLE = "STATE_UNAVAILABLE"
    POLICY_ERROR = "POLICY_ERROR"
    REVIEWED = "REVIEWED"
    RESULT_WITHHELD = "RESULT_WITHHELD"
    RESULT_UNRECORDED = "RESULT_UNRECORDED"
    EXECUTED_OTHER_ARGUMENTS = "EXECUTED_OTHER_ARGUMENTS"


@frozen
class Finding:
    """What a step or a rule holds against a call.

    `reason` is for the operator; `message` is what the model may read. A host's own findings use the
    same type and may only tighten.
    """

    effect: Effect
    code: Code
    reason: str
    message: str = ""
    rule: str | None = None
    kind: Class = Class.OTHER
    step: Step = Step.EVALUATION
    errors: tuple[str, ...] = ()
    response: Any = None
    approval: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rank(self) -> tuple[int, int, int, str]:
        """Sorts findings: strictest first, then by step, class and id, so that order never matters."""
        return (-self.effect.strictness, self.step, self.kind, self.rule or "")


TraceState = Literal["passed", "refused", "not reached", "held against", "lifted", "monitored", "error"]


@frozen
class Observed:
    """A sub-expression's text and the value (or error) that it had for this call."""

    text: str
    value: str


@frozen
class TraceEntry:
    """One line of a trace: a step, or a rule that applied, and what came of it."""

    step: Step
    state: TraceState
    text: str
    rule: str | None = None
    observed: tuple[Observed, ...] = ()


class _Like:
    """One that is like another one but for some values of its own: it has no others, and asks the other for them.

    Many decisions differ in little more than their ids; so they take a fifth of the memory, and of the time.
    """

    __slots__ = ("like",)

    like: Decision

    def __getattr__(self, name: str) -> Any:
        if name in type(self).__slots__:
            try:
                return getattr(object.__getattribute__(self, "like"), name)
            except AttributeError:
                pass
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


@frozen
class Decision(_Like):
    """The answer to one call. Ask `.proceeds`; a decision has no truth value of its own.

    `message` speaks to the model, `detail` and `trace` to the operator, joined by `id`.
    """

    id: str
    effect: Effect
    code: Code
    message: str
    detail: str
    basis: Basis = Basis.DEFAULT
    rule: str | None = None
    tool: str = ""
    call_id: str = ""
    arguments: Mapping[str, Any] | None = None
    """What the tool is run with; for people and logs there is `shown`."""
    shown: Mapping[str, Any] | None = None
    """The arguments with those hidden that the tool's schema marks as sensitive."""
    response: Any = None
    approval: Mapping[str, Any] | None = None
    context: tuple[str, ...] = ()
    obligations: tuple[Obligation, ...] = ()
    findings: tuple[Finding, ...] = ()
    monitored: tuple[Finding, ...] = ()
    errors: tuple[str, ...] = ()
    trace: tuple[TraceEntry, ...] = ()
    policy: str = ""
    """The digest of the policy that decided; empty where none could."""
    analysis: Literal["exact", "folded", "partial", "unparsed"] | None = None
    """How much of the inspected arguments could be read; None where nothing was inspected."""
    pinned: Mapping[str, tuple[str, ...]] | None = None
    """The addresses that were checked, by host."""
    written: Mapping[str, tuple[str, ...]] | None = None
    """What files would hold after the call, as far as inspection tells: what a later call runs is looked up here."""
    risk: RiskLevel | None = None
    """The risk that is enforced; None where no tool was found."""
    timeout: float | None = None
    """How long the tool may run, in seconds, where it says so."""
    repeatable: bool = False
    """Whether the call may run again without harm, after a failure say: it only reads, or is declared idempotent."""
    stops: bool = False
    """Whether a person rejected the call and the tool says that this ends the model's work (`on_rejection: stop`)."""
    changes: tuple[Change, ...] = ()
    """What has to be remembered of it; a gateway has done so before it gives the decision."""

    @property
    def proceeds(self) -> bool:
        """Whether the call may run now, with `arguments`."""
        return self.effect is Effect.ALLOW

    @property
    def outside_code(self) -> str:
        """The code that the model and the host are told: it never tells that a hidden tool exists."""
        return OUTSIDE.get(self.code, self.code).value

    def __bool__(self) -> bool:
        raise TypeError("a decision is neither true nor false; ask `decision.proceeds`")


OUTSIDE: Mapping[Code, Code] = MappingProxyType(
    dict.fromkeys((Code.TOOL_NOT_BOUND, Code.TOOL_DISABLED, Code.TOOL_CHANGED), Code.TOOL_NOT_FOUND)
)
