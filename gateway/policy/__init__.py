"""A policy as its author wrote it: nothing is resolved yet, every part knows its span."""

from gateway.policy.catalogue import Agent, Defaults, ResultShape, Server, Shape, Tool, ToolFields, Wraps
from gateway.policy.invariants import Invariant
from gateway.policy.part import Part, Where
from gateway.policy.pins import Accepted, Pin
from gateway.policy.rules import (
    Approval,
    ArgumentEntry,
    Condition,
    Example,
    Examples,
    Limit,
    Monitored,
    Redaction,
    Result,
    Rule,
    Trust,
)
from gateway.policy.selector import Compare, Counted, Per, RiskSelector
from gateway.policy.settings import Confirmation, Override, PatternEffect, Settings, UnknownTools
from gateway.policy.typetext import TypeText
from gateway.policy.whole import NamedList, Policy

__all__ = [
    "Accepted",
    "Agent",
    "Approval",
    "ArgumentEntry",
    "Compare",
    "Condition",
    "Confirmation",
    "Counted",
    "Defaults",
    "Example",
    "Examples",
    "Invariant",
    "Limit",
    "Monitored",
    "NamedList",
    "Override",
    "Part",
    "PatternEffect",
    "Per",
    "Pin",
    "Policy",
    "Redaction",
    "Result",
    "ResultShape",
    "RiskSelector",
    "Rule",
    "Server",
    "Settings",
    "Shape",
    "Tool",
    "ToolFields",
    "Trust",
    "TypeText",
    "UnknownTools",
    "Where",
    "Wraps",
]
