"""The one function that judges a change, whoever asks: the loader, `diff`, `reload` and the linter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from types import MappingProxyType

from gateway.relaxation import (
    agents,
    arguments,
    limits,
    overridden,
    pins,
    results,
    rules,
    servers,
    settings,
    tools,
)
from gateway.relaxation.change import Change, Judge, Judged, Values, context, digest_of, item_of, other
from gateway.relaxation.held import gone_with_others


class Kind(Enum):
    """What is compared; each kind has its own table of keys."""

    SETTINGS = "settings"
    AGENT = "agents"
    SERVER = "servers"
    PIN = "pins"
    TOOL = "tools"
    ARGUMENTS = "arguments"
    RULE = "rules"
    LIMIT = "limits"
    RESULT = "results"
    OVERRIDE = "override"
    """A tool's declared values, and what a tenant's override makes of them."""


JUDGES: Mapping[Kind, Mapping[str, Judge]] = MappingProxyType(
    {
        Kind.SETTINGS: settings.JUDGES,
        Kind.AGENT: agents.JUDGES,
        Kind.SERVER: servers.JUDGES,
        Kind.PIN: pins.JUDGES,
        Kind.TOOL: tools.JUDGES,
        Kind.ARGUMENTS: arguments.JUDGES,
        Kind.RULE: rules.JUDGES,
        Kind.LIMIT: limits.JUDGES,
        Kind.RESULT: results.JUDGES,
        Kind.OVERRIDE: overridden.JUDGES,
    }
)

_WHOLE: Mapping[Kind, tuple[Callable[[Values], Judged], Callable[[Values], Judged]]] = MappingProxyType(
    {
        Kind.AGENT: (agents.added, agents.removed),
        Kind.SERVER: (servers.added, servers.removed),
        Kind.PIN: (pins.added, pins.removed),
        Kind.TOOL: (tools.added, tools.removed),
        Kind.ARGUMENTS: (arguments.added, arguments.removed),
        Kind.RULE: (rules.added, rules.removed),
        Kind.LIMIT: (limits.added, limits.removed),
        Kind.RESULT: (results.added, gone_with_others(results.removed)),
    }
)
"""For parts that come and go: who judges a new one, and one that is gone."""


def compare(kind: Kind, item: str, old: Values, new: Values) -> tuple[Change, ...]:
    """What differs between two sets of values; a key that no judge knows is never passed over."""
    changes: list[Change] = []
    for key in dict.fromkeys((*old, *new)):
        before, after = old.get(key), new.get(key)
        if before == after and (_is_text(before, after) or digest_of(before) == digest_of(after)):
            continue
        judge = _judge_of(kind, key)
        judged = judge(old, new) if judge is not None else other(f"`{key}` differs", enforced=True)
        if judged is not None:
            changes.append(_change(f"{item}.{key}", judged, before, after))
    return tuple(changes)


def _is_text(one: object, other: object) -> bool:
    """Whether equality says all: of other values it does not, since `1` is `True` in Python only."""
    if isinstance(one, list) and isinstance(other, list):
        return all(isinstance(each, str) for each in one)
    return one is None or (isinstance(one, str) and isinstance(other, str))


def _judge_of(kind: Kind, key: str) -> Judge | None:
    if kind is Kind.SETTINGS and key.startswith("switches."):
        return settings.switch(key.removeprefix("switches."))
    if kind is Kind.SETTINGS and key.startswith("patterns."):
        return settings.pattern(key.removeprefix("patterns."))
    return JUDGES[kind].get(key)


def compare_parts(kind: Kind, old: Mapping[str, Values], new: Mapping[str, Values]) -> tuple[Change, ...]:
    """What differs between two sections of parts that have names."""
    changes: list[Change] = []
    came, went = _WHOLE[kind]
    for name in sorted({*old, *new}):
        item = item_of(kind.value, name)
        if name not in old:
            changes.append(_change(item, came(new[name]), None, _said(kind, new[name])))
        elif name not in new:
            changes.append(_change(item, went(old[name]), _said(kind, old[name]), None))
        else:
            changes.extend(compare(kind, item, old[name], new[name]))
    return tuple(changes)


def _said(kind: Kind, values: Values) -> Values:
    """What the part itself says, without what only its judges have to know."""
    return {key: value for key, value in values.items() if JUDGES[kind].get(key) is not context}


def _change(item: str, judged: Judged, old: object, new: object) -> Change:
    return Change(item, judged.direction, judged.meaning, judged.enforced, old, new)
