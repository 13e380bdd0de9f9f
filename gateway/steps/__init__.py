"""The steps of a decision, one file each, in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable

from gateway.decision import Finding, Step
from gateway.steps import (
    approval,
    arguments,
    confirmation,
    dry_run,
    identity,
    inspection,
    journal,
    lifting,
    limits,
    once,
    permissions,
    resource,
    rules,
    tool,
    wrapped,
)
from gateway.steps.deciding import Deciding

Refusing = Callable[[Deciding], Finding | None]
Evaluating = Callable[[Deciding], None]

REFUSING: tuple[tuple[Step, Refusing], ...] = (
    (Step.IDENTITY, identity.step),
    (Step.TOOL, tool.step),
    (Step.PERMISSIONS, permissions.step),
    (Step.ARGUMENTS, arguments.step),
    (Step.RESOURCE, resource.step),
    (Step.JOURNAL, journal.step),
)
"""The first finding of these ends the decision: nothing below runs."""

EVALUATING: tuple[tuple[Step, Evaluating], ...] = (
    (Step.EVALUATION, wrapped.step),
    (Step.EVALUATION, inspection.step),
    (Step.EVALUATION, rules.step),
    (Step.EVALUATION, limits.step),
    (Step.CONFIRMATION, confirmation.step),
    (Step.JOURNAL, journal.outcome),
    (Step.JOURNAL, once.step),
    (Step.LIFTING, lifting.step),
    (Step.APPROVAL, approval.step),
    (Step.DRY_RUN, dry_run.step),
)
"""All of these run; the strictest of their findings wins."""
