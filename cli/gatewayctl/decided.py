"""Decisions and explanations as JSON for scripts, and what the policy has to say about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gateway.decision import Decision
    from gateway.plan import RulePlan
    from gateway.runtime import Explanation
    from gateway.testing import Loaded


@dataclass(frozen=True, slots=True)
class Background:
    """The rules that a call's tool is subject to, and where the tool and the agent are declared."""

    rules: Mapping[str, RulePlan]
    places: Mapping[str, str]


def background(loaded: Loaded, tool: str, agent: str) -> Background:
    """What a policy declares about a tool and the agent that calls it."""
    plan = loaded.compiled.engine.tools.get(tool)
    places = {} if plan is None else {"tool": plan.place}
    for each in loaded.policy.agents:
        if each.name == agent:
            places["agent"] = each.where.span().place
    return Background({} if plan is None else {rule.id: rule for rule in plan.rules}, places)


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
