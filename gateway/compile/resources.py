"""Permissions with run-time parts: which held permission could match before the arguments are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.plan import ResourceTemplate
from gateway.steps.resource import CouldMatch
from gateway.template import Placeholder, Template


def plan_resource(template: Template, tool: Mapping[str, Any], config: Mapping[str, Any]) -> ResourceTemplate:
    """A resource permission; each of its segments has at most one placeholder, so matching is one pass."""
    roots = {"tool": tool, "config": config}
    return ResourceTemplate(template, CouldMatch(tuple(_segments(template)), roots))


def _segments(template: Template) -> list[tuple[str, Placeholder | None, str]]:
    """The template between its colons: the text before the placeholder, the placeholder, the text after it."""
    segments: list[tuple[str, Placeholder | None, str]] = [("", None, "")]
    for part in template.parts:
        if isinstance(part, Placeholder):
            before, _, after = segments[-1]
            segments[-1] = (before, part, after)
            continue
        first, *more = part.split(":")
        before, placeholder, after = segments[-1]
        segments[-1] = (
            (before + first, None, "") if placeholder is None else (before, placeholder, after + first)
        )
        segments.extend((text, None, "") for text in more)
    return segments
