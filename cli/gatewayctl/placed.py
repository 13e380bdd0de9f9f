"""Where in a policy the part stands that an item of a difference names."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from gateway.relaxation import item_of

if TYPE_CHECKING:
    from gateway.diagnostic import Span
    from gateway.policy import Policy
    from gateway.relaxation import Change

_NAMES = MappingProxyType(
    {
        **dict.fromkeys(("agents", "servers", "tools"), "name"),
        **dict.fromkeys(("arguments", "rules", "limits", "results"), "id"),
    }
)
"""The sections, each with the key that names its parts."""


def place_in(change: Change, old: Policy, new: Policy) -> str | None:
    """Where the part stands that differs: in the new policy, or in the old one if it is gone."""
    span = place_of(change.item, new) or place_of(change.item, old)
    return None if span is None else span.place


def place_of(item: str, policy: Policy) -> Span | None:
    """The name of the part, or the key of a setting; nothing for what has no place of its own."""
    section = item.partition(".")[0]
    if section == "settings":
        written = ((document, key) for document in policy.documents for key in document.data.get(section, ()))
        places = (
            document.key_span((section, key)) for document, key in written if _is_about(item, section, key)
        )
        return next(places, None)
    if section == "lists":
        lists = (one for name, one in policy.lists.items() if _is_about(item, section, name))
        return next((one.where.key_span() for one in lists), None)
    key = _NAMES.get(section)
    if key is None:
        return None
    parts = (part for part in getattr(policy, section) if _is_about(item, section, getattr(part, key)))
    return next((part.where.span(key) for part in parts), None)


def _is_about(item: str, section: str, name: str) -> bool:
    """Whether an item is a part, or something of it."""
    return f"{item}.".startswith(f"{item_of(section, name)}.")
