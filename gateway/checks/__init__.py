"""The linter: one check a file, named here in the order in which they run.

A check is a module. Its docstring is the page that a user reads, with an example under `Bad:`, one under `Good:`, and
how to silence it. Its name with dashes is the check's id. Its `check`, or `check_at` if the answer depends on the day,
yields what it finds; `check_ignores` looks at the comments after all others have spoken. Findings are warnings unless
it has a `SEVERITY`, and likely to matter unless it has a `CONFIDENCE`. A comment `# gateway: ignore[CHECK] why` on the
line that a finding points at, or alone on the line above it, silences that check there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from gateway.checks.ignores import Ignores
from gateway.diagnostic import Confidence, Diagnostic, Severity

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

_NAMES = (
    "undeclared_risk",
    "undescribed_write",
    "ungoverned_tool",
    "unclear_name",
    "unclear_description",
    "verbless_name",
    "same_description",
    "alias_tool",
    "bare_parameter",
    "unclear_schema",
    "twin_argument",
    "uninspected_argument",
    "unmarked_recipient",
    "unmarked_secret",
    "unscoped_argument",
    "open_schema",
    "undeclared_outcome",
    "unguarded_replace",
    "hidden_text",
    "instructing_text",
    "written_secret",
    "near_duplicate_group",
    "unknown_permission",
    "misspelt_name",
    "unbound_tool",
    "open_server",
    "cut_catalogue",
    "crowded_agent",
    "shared_console",
    "unmatched_glob",
    "unused_list",
    "missing_message",
    "idle_lift",
    "literal_wildcard",
    "wide_protection",
    "unknown_subcommand",
    "misspelt_scheme",
    "open_guard",
    "word_class",
    "unproved_pattern",
    "unanchored_pattern",
    "open_host",
    "costly_condition",
    "failing_condition",
    "alphabetical_number",
    "impossible_condition",
    "certain_condition",
    "redundant_term",
    "shadowed_rule",
    "repeated_rule",
    "refused_allow",
    "inexact_number",
    "idle_selector",
    "broad_allow",
    "lax_limit",
    "unlimited_tool",
    "deny_list",
    "unowned_rule",
    "telling_message",
    "endless_trial",
    "distant_end",
    "unconditional_allow",
    "endless_relaxation",
    "expired_relaxation",
    "posture",
    "unexplained_ignore",
    "unused_ignore",
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


def confidence_of(module: ModuleType) -> Confidence:
    """How sure it is that what a check finds matters."""
    confidence: Confidence = getattr(module, "CONFIDENCE", Confidence.LIKELY)
    return confidence


def check_policy(policy: Policy, compiled: Compiled, now: datetime) -> tuple[Diagnostic, ...]:
    """What the checks find at a moment in a policy that compiles, sorted by place; never an error."""
    ignores = Ignores(policy)
    found = [d for module in CHECKS for d in _found(module, policy, compiled, now) if not ignores.silences(d)]
    known = [check_id(module) for module in CHECKS]
    for module in CHECKS:
        if hasattr(module, "check_ignores"):
            about = (_coded(module, each) for each in module.check_ignores(ignores, known))
            found += [d for d in about if not ignores.silences(d)]
    return tuple(sorted(found, key=lambda diagnostic: diagnostic.sort_key))


def spoken(found: Iterable[Diagnostic], policy: Policy) -> Iterator[Diagnostic]:
    """What was found, without what comments in the policy silence."""
    ignores = Ignores(policy)
    return (diagnostic for diagnostic in found if not ignores.silences(diagnostic))


def _found(module: ModuleType, policy: Policy, compiled: Compiled, now: datetime) -> Iterator[Diagnostic]:
    if hasattr(module, "check_at"):
        found = module.check_at(policy, compiled, now)
    elif hasattr(module, "check"):
        found = module.check(policy, compiled)
    else:
        return
    yield from (_coded(module, diagnostic) for diagnostic in found)


def _coded(module: ModuleType, diagnostic: Diagnostic) -> Diagnostic:
    return replace(
        diagnostic, code=check_id(module), severity=severity_of(module), confidence=confidence_of(module)
    )
