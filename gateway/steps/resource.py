"""Step 5: permissions with run-time parts, then the tool's declared schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gateway.decision import Code, Effect, Finding, Step
from gateway.frozen import frozen
from gateway.permission import segment
from gateway.plan import ResourceTemplate
from gateway.schema import ArgumentProblem
from gateway.steps.deciding import Deciding
from gateway.steps.secrets import HIDDEN, covered, inside
from gateway.template import Placeholder, reach


def step(ctx: Deciding) -> Finding | None:
    """Refuse a resource that the subject may not touch (B13), then arguments that break the schema (B18)."""
    if ctx.tool.resource:
        held = ctx.session.subject.permissions if ctx.session.subject is not None else frozenset()
        for resource in ctx.tool.resource:
            permission = rendered(resource, ctx)
            if isinstance(permission, Finding):
                return permission
            if permission not in held:
                secret = any(_is_secret(part, ctx) for part in resource.template.placeholders)
                return Finding(
                    Effect.DENY,
                    Code.RESOURCE_PERMISSION_DENIED,
                    f"the subject lacks the resource permission `{resource.template.text if secret else permission}`",
                    f"The user lacks the permission `{permission}` for this resource."
                    if _is_open(resource, ctx)
                    else "The user lacks the permission for this resource.",
                    step=Step.RESOURCE,
                )
    problem = ctx.tool.validator.problem(ctx.arguments)
    if problem is None:
        return None
    problem = _without_names(problem, ctx)
    if problem.path and problem.path[0] in ctx.forced:
        return Finding(
            Effect.DENY,
            Code.FORCED_ARGUMENT_UNAVAILABLE,
            f"the value that the policy sets does not fit the tool: {problem.text}",
            "This call needs something that the conversation does not supply.",
            step=Step.RESOURCE,
        )
    return Finding(
        Effect.DENY,
        Code.ARGUMENT_INVALID,
        problem.text,
        problem.text if problem.text.endswith("?") else f"{problem.text}.",
        step=Step.RESOURCE,
    )


def _without_names(problem: ArgumentProblem, ctx: Deciding) -> ArgumentProblem:
    """The problem without keys that the model made up for parts of what is sensitive."""
    path, declares = problem.path, ctx.tool.validator.declares
    named = tuple(
        HIDDEN
        if isinstance(step, str) and inside(ctx, path[: place + 1]) and not declares(path[: place + 1])
        else step
        for place, step in enumerate(path)
    )
    return problem if named == path else replace(problem, path=named)


def _is_open(resource: ResourceTemplate, ctx: Deciding) -> bool:
    """Whether all values in a permission are the model's own, and none is a secret."""
    return not any(
        _is_secret(part, ctx) or (part.root == "args" and part.names[0] in ctx.forced)
        for part in resource.template.placeholders
    )


def _is_secret(part: Placeholder, ctx: Deciding) -> bool:
    """Whether an argument, or anything in it, is sensitive."""
    return part.root == "args" and covered(ctx, part.names)


def rendered(resource: ResourceTemplate, ctx: Deciding) -> str | Finding:
    """The permission string of this call; a value that could smuggle in a separator is refused."""
    roots: dict[str, Any] = {"args": ctx.arguments, "tool": ctx.tool.view}
    parts: list[str] = []
    for part in resource.template.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        value = reach(roots, (part.root, *part.names))
        text = segment(value)
        if text is None:
            name = part.path
            return Finding(
                Effect.DENY,
                Code.RESOURCE_PERMISSION_DENIED,
                f"`{name}` can't be part of a permission"
                + ("" if _is_secret(part, ctx) else f": {value!r:.80}"),
                f"`{name}` must be one plain word: not empty, without spaces and without : * , {{ }}."
                if _is_open(resource, ctx)
                else "This resource can't be named in a permission.",
                step=Step.RESOURCE,
            )
        parts.append(text)
    return "".join(parts)


@frozen
class CouldMatch:
    """Whether a permission that is held could be the one that a template stands for.

    `segments` are the template between its colons: the text before the placeholder, the placeholder, the text
    after it. `roots` are what placeholders name that is known before the call.
    """

    segments: tuple[tuple[str, Placeholder | None, str], ...]
    roots: Mapping[str, Any]

    def __call__(self, held: str, fixed: Mapping[str, str]) -> bool:
        """Whether it could for arguments of which some are fixed."""
        parts = held.split(":")
        return len(parts) == len(self.segments) and all(
            self._fits(part, before, placeholder, after, fixed)
            for part, (before, placeholder, after) in zip(parts, self.segments, strict=True)
        )

    def _fits(
        self, part: str, before: str, placeholder: Placeholder | None, after: str, fixed: Mapping[str, str]
    ) -> bool:
        if placeholder is None:
            return part == before
        known = (
            fixed.get(placeholder.path)
            if placeholder.root == "args"
            else segment(reach(self.roots, (placeholder.root, *placeholder.names))) or ""
        )
        if known is not None:
            return bool(known) and part == before + known + after
        if not part.startswith(before) or not part.endswith(after):
            return False
        return segment(part[len(before) : len(part) - len(after)]) is not None
