"""Decisions and explanations as JSON for scripts, and what the policy has to say about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gateway.decision import Step
from gatewayctl.condition import misfits

if TYPE_CHECKING:
    from gateway.call import ToolCall
    from gateway.decision import Decision
    from gateway.plan import RulePlan
    from gateway.runtime import Explanation
    from gateway.session import Session
    from gateway.testing import Loaded
    from gatewayctl.patterned import Ground


@dataclass(frozen=True, slots=True)
class Background:
    """The rules that a call's tool is subject to, where it and the agent are declared, and the patterns it met."""

    rules: Mapping[str, RulePlan]
    places: Mapping[str, str]
    patterns: Mapping[str, Ground]


def background(loaded: Loaded, call: ToolCall, session: Session, decision: Decision) -> Background:
    """What a policy declares about a call's tool and agent, and what it sets of the patterns that it met."""
    from gatewayctl.patterned import grounds

    plan = loaded.compiled.engine.tools.get(call.name)
    places = {} if plan is None else {"tool": plan.place}
    for each in loaded.policy.agents:
        if each.name == session.agent:
            places["agent"] = each.where.span().place
    rules = {} if plan is None else {rule.id: rule for rule in plan.rules}
    return Background(rules, places, grounds(loaded, call, session, decision))


def decision_json(decision: Decision) -> dict[str, Any]:
    """A decision, with everything that a host or an operator may need."""
    return {
        "effect": decision.effect.value,
        "code": decision.code.value,
        "rule": decision.rule,
        "basis": decision.basis.value,
        "tool": decision.tool,
        "message": decision.message,
        "detail": decision.detail,
        "arguments": decision.shown,
        "response": decision.response,
        "approval": decision.approval,
        "context": decision.context,
        "obligations": [obligation.value for obligation in decision.obligations],
        "monitored": sorted({finding.rule or finding.code.value for finding in decision.monitored}),
        "errors": decision.errors,
        "analysis": decision.analysis,
        "decision": decision.id,
    }


def in_the_way(explanation: Explanation) -> list[tuple[str, str, str]]:
    """What kept rules about inspected arguments from letting the call pass: the rule, its call, and why it is false."""
    if explanation.decision.proceeds:
        return []
    return [
        (entry.rule, call, why)
        for entry in explanation.decision.trace
        if entry.rule is not None and entry.step is Step.EVALUATION
        for call, why in misfits(entry.observed).items()
    ]


def explanation_json(explanation: Explanation, about: Background) -> dict[str, Any]:
    """A decision with its trace, the page of its code, and what would have been accepted."""
    decision = explanation.decision
    return {
        "id": decision.call_id,
        **decision_json(decision),
        "trace": [
            {
                "step": entry.step.value,
                "state": entry.state,
                "text": entry.text,
                "rule": entry.rule,
                "observed": [{"text": seen.text, "value": seen.value} for seen in entry.observed],
            }
            for entry in decision.trace
        ],
        "rules": {
            entry.rule: {"place": rule.place, "owner": rule.owner or None, "effect": rule.effect.value}
            for entry in decision.trace
            if entry.rule is not None and (rule := about.rules.get(entry.rule)) is not None
        },
        "patterns": {
            name: {
                "effect": ground.effect.value,
                "shipped": ground.shipped.value,
                "set_at": ground.set_at or None,
                "because_of": list(ground.entries),
            }
            for name, ground in about.patterns.items()
        },
        "in_the_way": [
            {"rule": rule, "call": call, "why": why} for rule, call, why in in_the_way(explanation)
        ],
        "declared": about.places,
        "page": page_json(decision.code.value),
        "accepted": [
            {"change": each.change, "effect": each.effect.value, "code": each.code.value}
            for each in explanation.accepted
        ],
    }


def page_json(code: str) -> dict[str, str]:
    """A code's page."""
    from gateway.codes import PAGES
    from gateway.decision import Code

    page = PAGES[Code(code)]
    return {"code": code, "meaning": page.meaning, "retry": page.retry, "who": page.who, "next": page.next}
