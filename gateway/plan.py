"""What a compiled policy consists of: everything that could be worked out before the first call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING, Any

from gateway.decision import Code, Effect, Finding
from gateway.frozen import frozen
from gateway.results.redaction import Redact
from gateway.results.returns import UNDECLARED, Returns
from gateway.risk import RiskLevel
from gateway.session import Channel

if TYPE_CHECKING:
    from gateway.cel import Environment, Parsed, Program
    from gateway.glob import Glob
    from gateway.interval import Until
    from gateway.schema import ArgumentPath, Validator, WithDefaults
    from gateway.template import Template


@frozen
class Condition:
    """One CEL expression of a policy: parsed for listing, planned for deciding; `reads` are its variables."""

    parsed: Parsed
    program: Program
    environment: Environment
    reads: frozenset[str]


@frozen
class Selector:
    """Which subjects' sessions a rule is about; None means every one."""

    tenants: tuple[Glob, ...] | None = None
    agents: tuple[Glob, ...] | None = None
    channels: frozenset[Channel] | None = None


EVERY_SESSION = Selector()
"""What a rule has that chooses no sessions."""


@frozen
class RulePlan:
    """A rule as it applies to one tool."""

    id: str
    effect: Effect
    place: str
    when: Condition | None = None
    unless: Condition | None = None
    selector: Selector = EVERY_SESSION
    monitored: bool = False
    until: Until | None = None
    message: str = ""
    reason: str = ""
    owner: str = ""
    lifts: frozenset[str] = frozenset()
    approval: Mapping[str, Any] = field(default_factory=dict)
    response: Any = None
    context: str = ""
    only_when: Program | None = None
    """The program of `when`, where the rule has that alone: no `unless`, no selected sessions, no `until`."""
    finding: Finding | None = None
    """What the rule holds against a call where it matches without an error; None for an allow."""


class Scope(Enum):
    """What a limit keeps a count for."""

    CALL = "call"
    TURN = "turn"
    SESSION = "session"
    SUBJECT = "subject"
    TENANT = "tenant"
    TOOL = "tool"
    VALUE = "cel"


@frozen
class LimitPlan:
    """A limit as it applies to one tool: so much in a stretch of time, or so often in a row."""

    id: str
    place: str
    scope: Scope
    code: Code
    most: int
    window: int | None
    """The stretch of time in microseconds; None where equal calls or rounds in a row are counted."""
    by: Condition | None = None
    """What gives the value that it is counted by."""
    amount: Condition | None = None
    """What gives how much a call takes; without it each takes 1."""
    currency: Condition | None = None
    currencies: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """`most` and `window` for each currency."""
    when: Condition | None = None
    unless: Condition | None = None
    selector: Selector = EVERY_SESSION
    monitored: bool = False
    until: Until | None = None
    message: str = ""
    reason: str = ""

    @property
    def conditions(self) -> tuple[Condition | None, ...]:
        """Its expressions."""
        return (self.when, self.unless, self.by, self.amount, self.currency)


@frozen
class ResultPlan:
    """An entry of `results` as it applies to one tool."""

    id: str
    place: str
    redactions: tuple[Redact, ...]
    when: Condition | None = None
    unless: Condition | None = None
    selector: Selector = EVERY_SESSION
    message: str = ""


@frozen
class UnlistedResultPlan:
    """An entry of `results` for tools that the catalogue lacks, by patterns; it applies whatever its condition is."""

    tools: tuple[str, ...]
    plan: ResultPlan


@frozen
class ForcedPlan:
    """Arguments that the policy sets, whatever the model wrote."""

    id: str
    place: str
    values: tuple[tuple[str, Condition], ...]
    when: Condition | None
    unless: Condition | None
    otherwise_deny: bool
    selector: Selector = EVERY_SESSION
    message: str = ""


@frozen
class Inspected:
    """An argument that holds a command, SQL or a path, and how to read it."""

    path: ArgumentPath
    kind: str

    @property
    def argument(self) -> str:
        """The argument's name as messages show it."""
        return ".".join("*" if name is None else name for name in self.path)


@frozen
class Wrapped:
    """Where a meta-tool's arguments name the inner tool and hold its arguments."""

    tool: tuple[str, ...]
    arguments: tuple[str, ...]


@frozen
class ToolPlan:
    """A tool of the catalogue with everything that concerns it."""

    name: str
    risk: RiskLevel
    place: str
    view: Mapping[str, Any]
    description: str
    permissions: tuple[str, ...]
    schema: Mapping[str, Any]
    validator: Validator
    defaults: WithDefaults
    emitted: Callable[[frozenset[str]], Mapping[str, Any]]
    permission_set: frozenset[str] = frozenset()
    enabled: bool = True
    mode: str | None = None
    switch_on: bool = True
    channels: frozenset[Channel] | None = None
    requires: tuple[str, ...] = ()
    resource: tuple[ResourceTemplate, ...] = ()
    forced: tuple[ForcedPlan, ...] = ()
    rules: tuple[RulePlan, ...] = ()
    limits: tuple[LimitPlan, ...] = ()
    inspected: tuple[Inspected, ...] = ()
    roles: Mapping[str, tuple[ArgumentPath, ...]] = field(default_factory=dict)
    sensitive: tuple[ArgumentPath, ...] = ()
    """Where `x-sensitive` arguments stand: they are shown to nobody."""
    reads: frozenset[str] = frozenset()
    """The variables that the tool's conditions read; no other is made for a call."""
    read_only_when: Condition | None = None
    wraps: Wrapped | None = None
    describe: Template | None = None
    idempotent: bool = False
    """Whether a call that runs twice does no more than one that runs once."""
    once: Template | None = None
    """What a call makes: a second one of the same is asked about."""
    stops: bool = False
    """Whether the model's work ends where a person rejects a call."""
    arrays: tuple[str, ...] = ()
    endpoint: str = ""
    """Where the host finds it: an approval of a call is one of a call that goes there."""
    timeout: float | None = None
    """How long it may run, in seconds."""
    returns: Returns = UNDECLARED
    results: tuple[ResultPlan, ...] = ()
    result_reads: frozenset[str] = frozenset()
    """The variables that the conditions of `results` read."""
    sensitive_fields: tuple[Redact, ...] = ()
    """Fields of a result that have the name of an `x-sensitive` argument: they are shown to nobody either."""
    overridden: str = ""
    """Where the tenant's override of the tool stands, if it has one."""
    pin: str | None = None
    """The digest that its server must list it with; empty where nobody accepted any, None where it may change."""


@frozen
class OverridePlan:
    """What differs in one tool for one tenant: `values` as written, `changes` by field of the tool's plan."""

    tenant: str
    tool: str
    place: str
    values: Mapping[str, Any]
    changes: Mapping[str, Any]
    until: Until | None
    reason: str
    confirmed_by: str


@frozen
class ConfirmedRelaxation:
    """A relaxation of one tool for one tenant, and who confirmed it: what its audit row is made of."""

    tenant: str
    tool: str
    declared: Mapping[str, Any]
    effective: Mapping[str, Any]
    enforced: bool
    """Whether anything of it changes what is decided, and not only what is shown."""
    digest: str
    by: str
    at: str
    reason: str
    until: str | None


@frozen
class ResourceTemplate:
    """A permission with run-time parts, such as `form:{args.code}:{tool.action}`."""

    template: Template
    could_match: Callable[[str, Mapping[str, str]], bool]


@frozen
class AgentPlan:
    """An agent: the tools that it is bound to and the tenants that it is on for."""

    name: str
    tools: frozenset[str]
    tenants: frozenset[str]
    tenant_globs: tuple[Glob, ...]
    view: Mapping[str, Any]
    max_steps: int | None = None
    """How many steps a turn may have; a step is one answer of the model with calls in it."""

    def on_for(self, tenant: str) -> bool:
        """Whether the agent is switched on for a tenant; no entry means off."""
        return tenant in self.tenants or any(glob.matches(tenant) for glob in self.tenant_globs)
