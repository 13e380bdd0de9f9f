"""What is kept in the store of a tenant's tools: overrides, custom tools, and the rows of its audit."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from gateway.frozen import frozen
from gateway.later import later
from gateway.override import KEYS
from gateway.state import Entry, Key, Kind, Store, Unavailable, key

if TYPE_CHECKING:
    from collections.abc import Iterator

CUSTOM_NAME = later(r"[a-z][a-z0-9_]{1,63}", re.ASCII)
_PAGE = 500
_MOST = 5_000
"""How many overrides and custom tools one tenant may have together."""


@frozen
class KeptOverride:
    """A tool's override: what it changes, why, until when, who set it, and the digest of what was confirmed of it."""

    tool: str
    values: Mapping[str, Any]
    reason: str
    until: str | None
    by: str
    name: str
    at: str
    digest: str
    about: str = ""
    """What a custom tool was when this was said of it; nothing for a tool of the policy."""

    def packed(self) -> bytes:
        """The override as a store keeps it."""
        return _packed({name: getattr(self, name) for name in self.__dataclass_fields__})

    @classmethod
    def of(cls, kept: bytes) -> KeptOverride:
        """An override that a store kept; `ValueError` where it is none."""
        values = _mapping(kept)
        try:
            made = cls(**values)
        except TypeError as error:
            raise ValueError(f"it is no override: {error}") from None
        texts = (
            made.tool,
            made.reason,
            made.by,
            made.name,
            made.at,
            made.digest,
            made.about,
            made.until or "",
        )
        if not all(isinstance(text, str) for text in texts) or not _are_values(made.values):
            raise ValueError("it is no override: a value of it has another type")
        return made

    def says_as(self, other: KeptOverride) -> bool:
        """Whether another one says the same, whoever set it and when."""
        keys = ("tool", "values", "reason", "until", "digest", "about")
        return all(getattr(self, key) == getattr(other, key) for key in keys)


@frozen
class Kept:
    """Everything that is kept of a tenant's tools, by name; an override that can't be read is None."""

    overrides: Mapping[str, KeptOverride | None]
    tools: Mapping[str, Mapping[str, Any]]
    entries: tuple[tuple[str, bytes], ...]
    """The same as it lies in the store."""
    lost: tuple[str, ...] = ()
    """Entries that are about no tool that could be told."""


def override_key(tenant: str, tool: str) -> Key:
    """Where the override of a tool is kept."""
    return key(tenant, Kind.OVERRIDE, "override", tool)


def tool_key(tenant: str, name: str) -> Key:
    """Where a custom tool is kept."""
    return key(tenant, Kind.OVERRIDE, "tool", name)


def audit_key(tenant: str) -> Key:
    """Where the rows of the audit are kept."""
    return key(tenant, Kind.AUDIT, "tools")


def declaration_of(kept: bytes) -> Mapping[str, Any]:
    """A custom tool that a store kept, as a policy would declare it; `ValueError` where it is none."""
    return _mapping(kept)


def about_of(declared: Mapping[str, Any] | None) -> str:
    """What a custom tool is, in a digest: an override of it is one of this tool, and not of another of the name."""
    return "" if declared is None else sha256(packed_declaration(declared)).hexdigest()


def packed_declaration(declared: Mapping[str, Any]) -> bytes:
    """A custom tool as a store keeps it."""
    return _packed(declared)


def kept_in(store: Store, tenant: str) -> Kept:
    """All that a store keeps of a tenant's tools; raises `Unavailable`."""
    overrides: dict[str, KeptOverride | None] = {}
    tools: dict[str, Mapping[str, Any]] = {}
    entries: list[tuple[str, bytes]] = []
    lost: list[str] = []
    for place, entry in _entries(store, tenant):
        what, name = _name_of(place)
        entries.append((place.name, entry.value))
        if not name:
            lost.append(place.name)
        elif what == "override":
            overrides[name] = _override(entry, name)
        elif (declared := _tool(entry, name)) is not None:
            tools[name] = declared
    return Kept(overrides, tools, tuple(entries), tuple(lost))


def _entries(store: Store, tenant: str) -> Iterator[tuple[Key, Entry]]:
    after, seen = "", 0
    while found := store.listed(tenant, Kind.OVERRIDE, after, _PAGE):
        seen += len(found)
        if seen > _MOST:
            raise Unavailable(f"the tenant has more than {_MOST} overrides and custom tools")
        yield from found
        after = found[-1][0].name


def _name_of(place: Key) -> tuple[str, str]:
    """What is kept of which tool; nothing where the name of the entry does not tell that."""
    try:
        what, name = json.loads(place.name)
    except (ValueError, TypeError, RecursionError):
        return "", ""
    known = what in ("override", "tool") and isinstance(name, str)
    return (what, name) if known else ("", "")


def _override(entry: Entry, name: str) -> KeptOverride | None:
    """An override; None where it can't be read, and then nobody knows what it took away."""
    try:
        found = KeptOverride.of(entry.value)
    except ValueError:
        return None
    return found if found.tool == name else None


def _tool(entry: Entry, name: str) -> Mapping[str, Any] | None:
    """A custom tool; one that can't be read is not there."""
    try:
        found = declaration_of(entry.value)
    except ValueError:
        return None
    return found if found.get("name") == name and CUSTOM_NAME.fullmatch(name) is not None else None


def _packed(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values, sort_keys=True).encode()


def _mapping(kept: bytes) -> dict[str, Any]:
    try:
        values = json.loads(kept)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is no JSON: {error}") from None
    if not isinstance(values, dict):
        raise ValueError("it is no mapping")
    return values


_RISKS = ("READ_ONLY", "LOW", "MEDIUM", "HIGH", "IRREVERSIBLE")


def _are_values(values: object) -> bool:
    """Whether these are what an override may say, each of its type."""
    if not isinstance(values, dict) or not values.keys() <= set(KEYS):
        return False
    texts = (values.get(name, "") for name in ("title", "description", "group"))
    permissions = values.get("permissions", [])
    return (
        all(isinstance(text, str) for text in texts)
        and isinstance(permissions, list)
        and all(isinstance(one, str) for one in permissions)
        and isinstance(values.get("enabled", True), bool)
        and isinstance(values.get("parameters", {}), dict)
        and values.get("risk", "HIGH") in _RISKS
    )
