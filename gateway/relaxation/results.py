"""Results: what is blanked out or marked as untrusted protects; what is trusted grants."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateway.policy import Trust
from gateway.relaxation.change import (
    Judge,
    Judged,
    Values,
    are,
    label,
    moved,
    named,
    other,
    relaxed,
    tightened,
)
from gateway.relaxation.selected import Weight, selection


def weigh(old: Values, new: Values) -> Weight:
    """An entry can protect with one key and grant with another."""
    return Weight(protects=_protects(old), grants=_grants(new))


def _protects(entry: Values) -> bool:
    return bool(entry.get("redact")) or Trust.UNTRUSTED.value in (entry.get("fields") or {}).values()


def _grants(entry: Values) -> bool:
    return Trust.TRUSTED.value in (entry.get("fields") or {}).values()


def fields(old: Values, new: Values) -> Judged:
    """Which fields of a result are relied on."""
    before, after = old.get("fields") or {}, new.get("fields") or {}
    trusted = [f for f in after if after[f] == Trust.TRUSTED.value and before.get(f) != after[f]]
    if trusted:
        return relaxed(f"{are(trusted)} trusted")
    forgotten = [f for f in before if before[f] == Trust.UNTRUSTED.value and f not in after]
    if forgotten:
        return relaxed(f"{are(forgotten)} no longer marked as untrusted")
    lost = [f for f in before if before[f] == Trust.TRUSTED.value and f not in after]
    marked = [f for f in after if after[f] == Trust.UNTRUSTED.value and before.get(f) != after[f]]
    told = [f"{are(lost)} no longer trusted"] if lost else []
    told += [f"{are(marked)} marked as untrusted"] if marked else []
    return tightened("; ".join(told) or "no field is trusted")


def redact(old: Values, new: Values) -> Judged:
    """What is blanked out."""
    lost, gained = moved(old, new, "redact")
    if lost:
        return relaxed(f"{are(lost)} no longer blanked out")
    return tightened(f"{are(gained)} blanked out")


def added(new: Values) -> Judged:
    """A new entry."""
    if not new["tools"]:
        return other("an entry about no tool", enforced=False)
    text = f"a new entry about {named(new['tools'])}"
    return relaxed(f"{text}, which trusts fields") if _grants(new) else tightened(text)


def removed(old: Values) -> Judged:
    """An entry that is gone."""
    if not old["tools"]:
        return other("an entry about no tool is gone", enforced=False)
    text = f"an entry about {named(old['tools'])} is gone"
    return relaxed(text) if _protects(old) else tightened(text)


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        **selection(weigh),
        "fields": fields,
        "redact": redact,
        "message": label("the message"),
        "reason": label("the reason"),
        "owner": label("the owner"),
        "examples": label("the list of examples"),
    }
)
