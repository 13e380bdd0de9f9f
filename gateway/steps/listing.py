"""Which tools a session sees: the same steps and conditions, evaluated while the arguments are unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gateway.call import ToolCall, fresh
from gateway.cel import Outcome, Partial, outcomes
from gateway.decision import Code, Effect, Finding
from gateway.permission import segment
from gateway.plan import Condition, RulePlan, ToolPlan
from gateway.risk import RiskLevel
from gateway.steps import identity, permissions
from gateway.steps.above import along
from gateway.steps.arguments import forced_values, selects
from gateway.steps.deciding import Deciding, listing_variables
from gateway.steps.outcome import join
from gateway.steps.rules import lapsed, monitored
from gateway.steps.tool import missing_link

if TYPE_CHECKING:
    from gateway.engine import Engine
    from gateway.facts import Facts
    from gateway.session import Session

_CERTAIN = frozenset({Outcome.TRUE, Outcome.ERROR})


@dataclass(frozen=True, slots=True)
class VisibleTool:
    """A tool as the model is shown it: forced arguments are not in its schema."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class HiddenTool:
    """A tool that the session does not see, and the link that hides it."""

    name: str
    link: str
    code: Code
    reason: str
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """All tools of the catalogue, each either visible or hidden, sorted by name."""

    visible: tuple[VisibleTool, ...]
    hidden: tuple[HiddenTool, ...]


def list_tools(engine: Engine, session: Session, facts: Facts, names: Iterable[str] | None = None) -> Listing:
    """All tools of the catalogue, or those named, each visible or hidden.

    Hidden means refused for this session and moment; a visible tool may still be refused when called.
    """
    visible: list[VisibleTool] = []
    hidden: list[HiddenTool] = []
    ctx = Deciding(engine, ToolCall("", id="listing"), session, facts, frozenset(), None)
    refusal = identity.step(ctx)
    tools = engine.tools_for(session, facts)
    for name in sorted(tools if names is None else names):
        tool = tools[name]
        if engine.unready:
            hidden.append(HiddenTool(name, "ready", Code.NOT_READY, "the policy is not ready"))
            continue
        if refusal is not None:
            hidden.append(HiddenTool(name, "identity", refusal.code, refusal.reason))
            continue
        ctx.tool = tool
        shown = _look(ctx, tool)
        if isinstance(shown, HiddenTool):
            hidden.append(shown)
        else:
            visible.append(shown)
    return Listing(tuple(visible), tuple(hidden))


def _look(ctx: Deciding, tool: ToolPlan) -> VisibleTool | HiddenTool:
    broken = missing_link(tool, ctx.agent, ctx.session, ctx.facts)
    if broken is not None:
        return HiddenTool(tool.name, *broken)
    lacking = permissions.missing(tool, ctx.session)
    if lacking is not None:
        return HiddenTool(
            tool.name, "permissions", Code.PERMISSION_DENIED, f"the subject lacks the permission `{lacking}`"
        )
    ctx.purse = None  # each tool is looked at as its calls are decided
    forced = forced_values(ctx) if tool.forced else {}
    if isinstance(forced, Finding):
        return HiddenTool(tool.name, "forced", forced.code, forced.reason, forced.rule)
    unheld = _unheld(ctx, tool, forced)
    if unheld is not None:
        return HiddenTool(tool.name, "resource", Code.RESOURCE_PERMISSION_DENIED, unheld)
    for one in along(ctx):
        known = {**listing_variables(one), "args": Partial(forced)}
        by_rule = _certain_refusal(one, tool, known)
        if by_rule is not None:
            return by_rule
    return VisibleTool(tool.name, tool.description, fresh(tool.emitted(frozenset(forced))))


def _unheld(ctx: Deciding, tool: ToolPlan, forced: Mapping[str, Any]) -> str | None:
    """The first resource permission that nothing held can match, whatever the arguments are."""
    held = ctx.session.subject.permissions if ctx.session.subject is not None else frozenset()
    for resource in tool.resource:
        fixed: dict[str, str] = {}
        for key, value in forced.items():
            text = segment(value)
            if text is None and any(
                not isinstance(part, str) and part.path == f"args.{key}" for part in resource.template.parts
            ):
                return f"the forced argument `{key}` can't be part of a permission"
            if text is not None:
                fixed[f"args.{key}"] = text
        if not any(resource.could_match(permission, fixed) for permission in held):
            return f"no permission that the subject holds matches `{resource.template.text}`"
    return None


def _certain_refusal(ctx: Deciding, tool: ToolPlan, known: Mapping[str, Any]) -> HiddenTool | None:
    certain_asks: list[RulePlan] = []
    possible_lifts: set[str] = set()
    may_allow = may_respond = False
    for rule in tool.rules:
        if not selects(rule.selector, ctx.session) or lapsed(rule, ctx) or monitored(rule, ctx):
            continue
        possible = _rule_outcomes(rule, known)
        if rule.effect is Effect.DENY and possible <= _CERTAIN:
            return HiddenTool(
                tool.name,
                "rule",
                Code.RULE,
                f"the rule `{rule.id}` ({rule.place}) refuses every call",
                rule.id,
            )
        if rule.effect is Effect.ASK and possible <= _CERTAIN:
            certain_asks.append(rule)
        if rule.effect is Effect.ALLOW and Outcome.TRUE in possible:
            may_allow = True
            possible_lifts |= rule.lifts
        if rule.effect is Effect.RESPOND and Outcome.TRUE in possible:
            may_respond = True
    if ctx.session.can_ask is True or may_respond:
        return None
    may_be_read_only = tool.read_only_when is not None and Outcome.TRUE in _outcomes(
        tool.read_only_when, known
    )
    if ctx.session.dry_run and tool.risk is not RiskLevel.READ_ONLY:
        return None  # a placeholder answers before anybody would be asked
    if tool.risk >= ctx.engine.confirm_from and not may_be_read_only and not may_allow:
        if ctx.engine.all_monitored(ctx.facts):
            return None
        return HiddenTool(
            tool.name,
            "answer",
            Code.NOBODY_TO_ASK,
            f"risk {tool.risk.value} needs a confirmation, and nobody can be asked",
        )
    for rule in certain_asks:
        if rule.id not in possible_lifts:
            return HiddenTool(
                tool.name,
                "answer",
                Code.NOBODY_TO_ASK,
                f"the rule `{rule.id}` ({rule.place}) asks about every call, and nobody can be asked",
                rule.id,
            )
    return None


def _rule_outcomes(rule: RulePlan, known: Mapping[str, Any]) -> frozenset[Outcome]:
    when = frozenset({Outcome.TRUE}) if rule.when is None else _outcomes(rule.when, known)
    if rule.unless is None:
        return when
    unless = _outcomes(rule.unless, known)
    return frozenset(join(a, b) for a in when for b in unless)


def _outcomes(condition: Condition, known: Mapping[str, Any]) -> frozenset[Outcome]:
    return outcomes(condition.parsed, condition.environment, known).booleans
