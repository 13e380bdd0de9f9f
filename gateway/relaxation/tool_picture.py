"""A tool as plain values by key: with its defaults, and with what it fixes in its own templates written out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gateway.relaxation.change import Values
from gateway.relaxation.conditions import NEVER, expression_of, in_force
from gateway.relaxation.paths import path_of
from gateway.relaxation.spelled import Lists
from gateway.relaxation.written import written
from gateway.risk import parse_or_high
from gateway.schema import argument_type, role_paths, sensitive_paths
from gateway.session import Channel
from gateway.template import Placeholder, Template

if TYPE_CHECKING:
    from gateway.policy import Where

NO_ARGUMENTS: Mapping[str, Any] = {"type": "object", "properties": {}}
"""A tool without `parameters` takes none."""
_SHOWN = ("title", "group", "source", "endpoint", "version", "action", "update", "mode", "switch")


def tool_values(
    values: Mapping[str, Any], view: Mapping[str, Any], read_only_when: Where | None, lists: Lists
) -> Values:
    """A tool's declared values with defaults; `view` is the tool as templates see it."""
    schema = values.get("parameters") or NO_ARGUMENTS
    result, wraps = values.get("result"), values.get("wraps")
    channels: Sequence[Channel] = values.get("channels") or tuple(Channel)
    timeout = values.get("timeout")
    whole = argument_type(schema)
    return {
        "risk": parse_or_high(values.get("risk")).value,
        "permissions": sorted(set(values.get("permissions") or ())),
        "resource_permissions": sorted({_filled(t, view) for t in values.get("resource_permissions") or ()}),
        "enabled": values.get("enabled") is not False,
        "channels": sorted(channel.value for channel in channels),
        "requires": sorted(set(values.get("requires") or ())),
        "parameters": schema,
        "x-sensitive": _sensitive(schema, _names(whole.fields)),
        "x-role": {role: sorted(map(path_of, paths)) for role, paths in role_paths(schema).items()},
        "inspect": dict(values.get("inspect") or {}),
        "read_only_when": _read_only_when(read_only_when, lists),
        "written": _written(read_only_when, lists),
        "wraps": None if wraps is None else {"tool": wraps.tool.text, "arguments": wraps.arguments.text},
        "config": dict(values.get("config") or {}),
        "result": None
        if result is None
        else {
            "arrays": sorted(result.arrays),
            "shape": None if result.shape is None else result.shape.value,
            "truncate": result.truncate,
            "limit": result.limit,
        },
        "description": _text(values.get("description")),
        "describe": _text(values.get("describe")),
        "idempotent": values.get("idempotent") is True,
        "idempotency_key": _text(values.get("idempotency_key")),
        "on_rejection": values.get("on_rejection") or "tell",
        "timeout": None if timeout is None else timeout.total_seconds(),
        "arguments": None if whole.values is not None else _names(whole.fields),
        **{key: values.get(key) for key in _SHOWN},
    }


def _sensitive(schema: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """The hidden arguments by path; where all are, each by its name as well."""
    paths = sensitive_paths(schema)
    every = names if any(all(step is None for step in path) for path in paths) else ()
    return sorted({*map(path_of, paths), *every})


def _names(names: Iterable[str]) -> list[str]:
    return sorted(path_of((name,)) for name in names)


def _read_only_when(where: Where | None, lists: Lists) -> str | None:
    text = NEVER if where is None else in_force(expression_of(where, ("read_only_when",), {}, lists))
    return None if text == NEVER else text


def _written(where: Where | None, lists: Lists) -> Values | None:
    if where is None:
        return None
    text = where.excerpt("read_only_when").text
    return written(text, [text], lists)


def _text(template: Template | None) -> str | None:
    return None if template is None else template.text


def _filled(template: Template, view: Mapping[str, Any]) -> str:
    """The template with what the tool says of itself; placeholders of arguments stay."""

    def text(placeholder: Placeholder) -> str:
        if placeholder.root != "tool":
            return f"{{{placeholder.path}}}"
        value: Any = view
        for name in placeholder.names:
            value = value.get(name) if isinstance(value, Mapping) else None
        return "" if value is None else str(value)

    return template.fill(text)
