"""Permissions with run-time parts: which held permission could match before the arguments are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.permission import segment
from gateway.plan import ResourceTemplate
from gateway.steps.resource import reach
from gateway.template import Placeholder, Template


def plan_resource(template: Template, tool: Mapping[str, Any], config: Mapping[str, Any]) -> ResourceTemplate:
    """A resource permission; each of its segments has at most one placeholder, so matching is one pass."""
    roots = {"tool": tool, "config": config}
    segments = _segments(template)

    def could_match(held: str, fixed: Mapping[str, str]) -> bool:
        parts = held.split(":")
        return len(parts) == len(segments) and all(
            _fits(part, before, placeholder, after, fixed)
            for part, (before, placeholder, after) in zip(parts, segments, strict=True)
        )

    def _fits(
        part: str, before: str, placeholder: Placeholder | None, after: str, fixed: Mapping[str, str]
    ) -> bool:
        if placeholder is None:
            return part == before
        known = (
            fixed.get(placeholder.path)
            if placeholder.root == "args"
            else segment(reach(roots, (placeholder.root, *placeholder.names))) or ""
        )
        if known is not None:
            return bool(known) and part == before + known + after
        if not part.startswith(before) or not part.endswith(after):
            return False
        return segment(part[len(before) : len(part) - len(after)]) is not None

    return ResourceTemplate(template, could_match)


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
