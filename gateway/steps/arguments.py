"""Step 4: the arguments in normal form, with defaults, and with the values that the policy forces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.call import CallError, fresh, normal_arguments, same
from gateway.cel import Outcome
from gateway.cel.budget import Purse
from gateway.decision import Code, Effect, Finding, Step
from gateway.lineage import chain
from gateway.plan import Condition, ForcedPlan, Selector
from gateway.session import Session
from gateway.steps.above import along
from gateway.steps.deciding import Deciding, Trace, listing_variables
from gateway.steps.outcome import holds, watch
from gateway.steps.secrets import sensitive
from gateway.steps.work import purse_of


def step(ctx: Deciding) -> Finding | None:
    """Read the arguments once; what stands in `ctx.arguments` afterwards is what every later step sees."""
    try:
        given = normal_arguments(ctx.call.arguments)
    except CallError as error:
        reason = error.unnamed if sensitive(ctx) else str(error)
        return Finding(
            Effect.DENY,
            Code.ARGUMENTS_UNREADABLE,
            reason,
            f"The arguments can't be read: {reason}.",
            step=Step.ARGUMENTS,
        )
    ctx.given = given
    arguments: Mapping[str, Any] = ctx.tool.defaults(given)
    if ctx.tool.forced:
        if ctx.trace is not None:
            _watch(ctx, ctx.trace)
        forced = forced_values(ctx)
        if isinstance(forced, Finding):
            return forced
        ctx.forced = frozenset(forced)
        if ctx.trace is not None:
            _trace(ctx, ctx.trace)
        if any(key not in arguments or not same(arguments[key], value) for key, value in forced.items()):
            arguments = {**arguments, **forced}
    ctx.arguments = arguments
    return None


def forced_values(ctx: Deciding) -> dict[str, Any] | Finding:
    """The values that the policy sets for this session and tool, or why they can't be had (E2).

    Entries read no argument, so listing and deciding get the same answer. What is set for an agent above a sub-agent
    is set for that, too.
    """
    values: dict[str, Any] = {}
    source: dict[str, str] = {}
    for one in along(ctx):
        variables, purse = listing_variables(one), purse_of(ctx)
        for entry in ctx.tool.forced:
            if not selects(entry.selector, one.session):
                continue
            who = entry.id if one is ctx else f"{entry.id} for the agent {one.session.agent} above"
            if holds(entry, variables, purse)[0] is Outcome.FALSE:
                if entry.otherwise_deny:
                    return _unavailable(entry, who, "its condition does not hold")
                continue
            for key, condition in entry.values:
                value = _value(condition, variables, purse)
                if isinstance(value, CallError):
                    return _unavailable(entry, who, f"`{key}` has no value: {value}")
                if key in values and not same(values[key], value):
                    return _conflict(entry, f"`{source[key]}` and `{who}` set `{key}` to different values")
                values[key] = value
                source[key] = who
    return values


def selects(selector: Selector, session: Session) -> bool:
    """Whether a rule is about this session at all; one about an agent is about those that work for it, too."""
    if selector.channels is not None and session.channel not in selector.channels:
        return False
    if selector.tenants is not None and not any(g.matches(session.tenant or "") for g in selector.tenants):
        return False
    agents = selector.agents
    return agents is None or any(glob.matches(one.agent) for one in chain(session) for glob in agents)


def _value(condition: Condition, variables: dict[str, Any], purse: Purse) -> Any:
    from gateway.cel import CelError

    try:
        value = condition.program.within(variables, purse)
    except CelError as error:
        return CallError(str(error))
    if value is None:
        return CallError("it is null")
    if isinstance(value, frozenset):
        value = sorted(value)
    try:
        return fresh(normal_arguments({"value": value})["value"])
    except CallError as error:
        return error


def _watch(ctx: Deciding, trace: Trace) -> None:
    variables = listing_variables(ctx)
    for entry in ctx.tool.forced:
        if selects(entry.selector, ctx.session):
            trace.evaluated(entry.id, holds(entry, variables)[0], watch(entry, variables))
        else:
            trace.evaluated(entry.id, Outcome.FALSE)


def _trace(ctx: Deciding, trace: Trace) -> None:
    noted: set[str] = set()
    for one in along(ctx):
        variables = listing_variables(one)
        for entry in ctx.tool.forced:
            if entry.id in noted or not selects(entry.selector, one.session):
                continue
            if holds(entry, variables)[0] is not Outcome.FALSE:
                noted.add(entry.id)
                named = ", ".join(f"`{key}`" for key, _ in entry.values)
                above = "" if one is ctx else f", for the agent `{one.session.agent}` above"
                text = f"{named} set by the policy, whatever the model wrote ({entry.place}){above}"
                trace.note(Step.ARGUMENTS, "passed", text, entry.id)


def _conflict(entry: ForcedPlan, reason: str) -> Finding:
    return Finding(
        Effect.DENY,
        Code.FORCED_ARGUMENT_CONFLICT,
        reason,
        "The policy contradicts itself about this call.",
        rule=entry.id,
        step=Step.ARGUMENTS,
    )


def _unavailable(entry: ForcedPlan, who: str, why: str) -> Finding:
    return Finding(
        Effect.DENY,
        Code.FORCED_ARGUMENT_UNAVAILABLE,
        f"the entry `{who}` ({entry.place}): {why}",
        entry.message or "This call needs something that the conversation does not supply.",
        rule=entry.id,
        step=Step.ARGUMENTS,
    )
