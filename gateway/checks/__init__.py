"""The linter: one check a file, named here in the order in which they run.

A check is a module. Its docstring is the page that a user reads, with an example under `Bad:`, one under `Good:`, and
how to silence it. Its name with dashes is the check's id. Its `check`, or `check_at` if the answer depends on the day,
yields what it finds. Findings are warnings unless it has a `SEVERITY`. A comment `# lint: allow CHECK` on the line that
a finding points at, or on the line above it, silences that check there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic, Severity

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

_NAMES = (
    "undeclared_risk",
    "undescribed_write",
    "ungoverned_tool",
    "unclear_name",
    "unclear_description",
    "same_description",
    "bare_parameter",
    "hidden_text",
    "near_duplicate_group",
    "unknown_permission",
    "cut_catalogue",
    "crowded_agent",
    "unmatched_glob",
    "unused_list",
    "missing_message",
    "idle_lift",
    "open_guard",
    "unconditional_allow",
    "endless_relaxation",
    "expired_relaxation",
    "posture",
)
CHECKS: tuple[ModuleType, ...] = tuple(import_module(f"{__name__}.{name}") for name in _NAMES)
"""All checks, as modules."""


def check_id(module: ModuleType) -> str:
    """The name by which a check is reported, explained and silenced."""
    return module.__name__.rpartition(".")[2].replace("_", "-")


def severity_of(module: ModuleType) -> Severity:
    """How bad what a check finds is."""
    severity: Severity = getattr(module, "SEVERITY", Severity.WARNING)
    return severity


def check_policy(policy: Policy, compiled: Compiled, now: datetime) -> tuple[Diagnostic, ...]:
    """What the checks find at a moment in a policy that compiles, sorted by place; never an error."""
    found = (
        replace(diagnostic, code=check_id(module), severity=severity_of(module))
        for module in CHECKS
        for diagnostic in _found(module, policy, compiled, now)
    )
    return tuple(sorted((d for d in found if not _silenced(d)), key=lambda diagnostic: diagnostic.sort_key))


def _found(module: ModuleType, policy: Policy, compiled: Compiled, now: datetime) -> Iterator[Diagnostic]:
    if hasattr(module, "check_at"):
        yield from module.check_at(policy, compiled, now)
    else:
        yield from module.check(policy, compiled)


_ALLOWED = re.compile(r"#\s*lint:\s*allow\s+([a-z, -]+)")


def _silenced(diagnostic: Diagnostic) -> bool:
    span = diagnostic.span
    if span is None:
        return False
    above = span.source.line(span.line - 1).strip()
    for line in (span.source.line(span.line), above if above.startswith("#") else ""):
        match = _ALLOWED.search(line)
        if match is not None and diagnostic.code in re.split(r"[,\s]+", match[1]):
            return True
    return False
