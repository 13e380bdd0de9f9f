"""Decide whether an agent's tool call may run, from policies written as YAML and CEL."""

from __future__ import annotations

from time import time_ns
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gateway.cache import Cache, user_cache
    from gateway.call import ToolCall
    from gateway.decision import Basis, Code, Decision, Effect, Finding, Obligation
    from gateway.diagnostic import Diagnostic, PolicyError, Span
    from gateway.results.review import Review
    from gateway.risk import RiskLevel, parse_or_high
    from gateway.runtime import Explanation, Gateway
    from gateway.serving import Manifest, OnRelaxation
    from gateway.session import Channel, Session, Subject, SubjectKind
    from gateway.steps.listing import HiddenTool, Listing, VisibleTool

BEGAN = time_ns()
"""When the first of this package was imported, in nanoseconds since 1970; all of its code was read after that."""

_HOMES = {
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
    "OnRelaxation": "gateway.serving",
    "PolicyError": "gateway.diagnostic",
    "Review": "gateway.results.review",
    "RiskLevel": "gateway.risk",
    "Session": "gateway.session",
    "Span": "gateway.diagnostic",
    "Subject": "gateway.session",
    "SubjectKind": "gateway.session",
    "ToolCall": "gateway.call",
    "VisibleTool": "gateway.steps.listing",
    "parse_or_high": "gateway.risk",
    "user_cache": "gateway.cache",
}

__all__ = [
    "Basis",
    "Cache",
    "Channel",
    "Code",
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
    "PolicyError",
    "Review",
    "RiskLevel",
    "Session",
    "Span",
    "Subject",
    "SubjectKind",
    "ToolCall",
    "VisibleTool",
    "parse_or_high",
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
