"""Decide whether an agent's tool call may run, from policies written as YAML and CEL."""

from __future__ import annotations

from time import time_ns
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gateway.answering import Answer, ApprovalError, Verdict
    from gateway.approvals import Request
    from gateway.cache import Cache, user_cache
    from gateway.call import ToolCall
    from gateway.decision import Basis, Code, Decision, Effect, Finding, Obligation
    from gateway.declaring import tool
    from gateway.diagnostic import Diagnostic, PolicyError, Span
    from gateway.plans import Plan
    from gateway.reloading import Confirmed, OnRelaxation
    from gateway.results.review import Review
    from gateway.risk import RiskLevel, parse_or_high
    from gateway.running import Ran
    from gateway.runtime import Explanation, Gateway
    from gateway.serving import Manifest
    from gateway.session import Channel, Session, Subject, SubjectKind
    from gateway.state import Unavailable
    from gateway.steps.listing import HiddenTool, Listing, VisibleTool
    from gateway.stores import open_store

BEGAN = time_ns()
"""When the first of this package was imported, in nanoseconds since 1970; all of its code was read after that."""

_HOMES = {
    "Answer": "gateway.answering",
    "ApprovalError": "gateway.answering",
    "Basis": "gateway.decision",
    "Cache": "gateway.cache",
    "Channel": "gateway.session",
    "Code": "gateway.decision",
    "Decision": "gateway.decision",
    "Diagnostic": "gateway.diagnostic",
    "Effect": "gateway.decision",
    "Explanation": "gateway.runtime",
    "Finding": "gateway.decision",
    "Gateway": "gateway.runtime",
    "HiddenTool": "gateway.steps.listing",
    "Listing": "gateway.steps.listing",
    "Manifest": "gateway.serving",
    "Obligation": "gateway.decision",
    "Confirmed": "gateway.reloading",
    "OnRelaxation": "gateway.reloading",
    "Plan": "gateway.plans",
    "PolicyError": "gateway.diagnostic",
    "Ran": "gateway.running",
    "Request": "gateway.approvals",
    "Review": "gateway.results.review",
    "RiskLevel": "gateway.risk",
    "Session": "gateway.session",
    "Span": "gateway.diagnostic",
    "Subject": "gateway.session",
    "SubjectKind": "gateway.session",
    "ToolCall": "gateway.call",
    "Unavailable": "gateway.state",
    "Verdict": "gateway.answering",
    "VisibleTool": "gateway.steps.listing",
    "open_store": "gateway.stores",
    "parse_or_high": "gateway.risk",
    "tool": "gateway.declaring",
    "user_cache": "gateway.cache",
}

__all__ = [
    "Answer",
    "ApprovalError",
    "Basis",
    "Cache",
    "Channel",
    "Code",
    "Confirmed",
    "Decision",
    "Diagnostic",
    "Effect",
    "Explanation",
    "Finding",
    "Gateway",
    "HiddenTool",
    "Listing",
    "Manifest",
    "Obligation",
    "OnRelaxation",
    "Plan",
    "PolicyError",
    "Ran",
    "Request",
    "Review",
    "RiskLevel",
    "Session",
    "Span",
    "Subject",
    "SubjectKind",
    "ToolCall",
    "Unavailable",
    "Verdict",
    "VisibleTool",
    "open_store",
    "parse_or_high",
    "tool",
    "user_cache",
]


def __getattr__(name: str) -> Any:
    """Public names are imported when they are first used, so that `import gateway` costs nothing."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module `gateway` has no attribute `{name}`")
    from importlib import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
