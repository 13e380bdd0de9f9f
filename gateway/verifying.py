"""Looks for calls of which an invariant does not hold, among those that the policy is likely to tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from gateway.call import ToolCall
from gateway.cel import CelError
from gateway.engine import EVERYTHING
from gateway.facts import Facts
from gateway.frozen import frozen
from gateway.search import Request, Source, World
from gateway.session import Session
from gateway.steps.deciding import Deciding, some_variables

if TYPE_CHECKING:
    from gateway.compile.invariants import InvariantPlan
    from gateway.decision import Decision
    from gateway.engine import Engine
    from gateway.plan import Condition
    from gateway.sources import Assembled

TRIES = 4000
"""How many calls are tried for each invariant, over all tools that it is about."""
_LEAST = 100


@frozen
class Violation:
    """A call of which an invariant does not hold; `error` says why, where that can't be told."""

    request: Request
    decision: Decision
    error: str = ""


@frozen
class Verified:
    """What came of an invariant: a call that violates it, or so many that do not."""

    invariant: InvariantPlan
    tried: int
    violation: Violation | None = None


def verify(side: Assembled, now: datetime, tries: int = TRIES) -> tuple[Verified, ...]:
    """Every invariant of a policy, each held against calls of the tools that it is about."""
    return tuple(_verified(side, one, now, tries) for one in side.compiled.invariants)


def _verified(side: Assembled, invariant: InvariantPlan, now: datetime, tries: int) -> Verified:
    each = max(_LEAST, tries // len(invariant.conditions))
    tried = 0
    for name in sorted(invariant.conditions):
        condition = invariant.conditions[name]
        source = Source((side,), name, now, goals=(condition.parsed,))
        found = source.find(partial(_violates, side.compiled.engine, condition), each)
        tried += each
        if found is not None:
            return Verified(invariant, tried, found.answer)
    return Verified(invariant, tried)


def _violates(engine: Engine, condition: Condition, world: World) -> Violation | None:
    request = world.request()
    call, session, facts = request.call, request.who, Facts(request.now)
    decision = engine.decide(call, session, facts)
    if decision.arguments is None or session.dry_run:
        return None  # refused before any rule looks at it, or nothing runs
    variables = _variables(engine, call, session, facts, decision, condition)
    try:
        holds = condition.program.evaluate(variables)
    except CelError as error:
        return Violation(request, decision, str(error))
    return None if holds is True else Violation(request, decision)


def _variables(
    engine: Engine, call: ToolCall, session: Session, facts: Facts, decision: Decision, condition: Condition
) -> Mapping[str, Any]:
    ctx = Deciding(engine, call, session, facts, EVERYTHING, None)
    ctx.tool = engine.tools_for(session, facts)[call.name]
    ctx.agent = engine.agents[session.agent]
    ctx.arguments = decision.arguments or {}
    return {**some_variables(ctx, condition.reads - {"decision"}), "decision": _shown(decision)}


def _shown(decision: Decision) -> Mapping[str, Any]:
    demands = () if decision.approval is None else decision.approval.get("demands", ())
    approvers = sorted({role for demand in demands for role in demand.get("by", ())})
    return {
        "effect": decision.effect.value,
        "code": decision.code.value,
        "rule": decision.rule or "",
        "basis": decision.basis.value,
        "approvers": approvers,
    }
