"""The linter: one check a file, named here in the order in which they run.

A check is a module. Its docstring is the page that a user reads, with an example under `Bad:`, one under `Good:`, and
how to silence it. Its name with dashes is the check's id. Its `check`, or `check_at` if the answer depends on the day,
yields what it finds. Findings are warnings unless it has a `SEVERITY`. A comment `# lint: allow CHECK` on the line that
a finding points at, or on the line above it, silences that check there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic, Severity, Span

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.document import Document
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
    "unanchored_pattern",
    "open_host",
    "costly_condition",
    "alphabetical_number",
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
    return tuple(sorted(spoken(found, policy), key=lambda diagnostic: diagnostic.sort_key))


def spoken(found: Iterable[Diagnostic], policy: Policy) -> Iterator[Diagnostic]:
    """What was found, without what comments in the policy allow."""
    texts = {document.source: document for document in policy.documents}
    return (d for d in found if d.span is None or not _silenced(d.code, d.span, texts.get(d.span.source)))


def _found(module: ModuleType, policy: Policy, compiled: Compiled, now: datetime) -> Iterator[Diagnostic]:
    if hasattr(module, "check_at"):
        yield from module.check_at(policy, compiled, now)
    else:
        yield from module.check(policy, compiled)


_ALLOWED = re.compile(r"#\s*lint:\s*allow\s+([a-z, -]+)")


def _silenced(check: str, span: Span, document: Document | None) -> bool:
    """Whether a comment on the line, or alone on the line above it, allows what a check found there."""
    for number in (span.line, span.line - 1):
        line = span.source.line(number)
        if number != span.line and not line.lstrip().startswith("#"):
            continue
        for match in _ALLOWED.finditer(line):
            named = check in re.split(r"[,\s]+", match[1])
            if named and not _in_value(document, number, match.start()):
                return True
    return False


def _in_value(document: Document | None, line: int, column: int) -> bool:
    """Whether this is no comment, but part of a text that the policy holds."""
    return document is not None and document.in_scalar(document.source.offset(line) + column)
