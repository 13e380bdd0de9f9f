"""Results: what is blanked out or marked as untrusted protects; what is trusted grants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
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
from gateway.relaxation.conditions import ALWAYS
from gateway.relaxation.globs import beyond, certainly_beyond
from gateway.relaxation.selected import Weight, selection
from gateway.results.folding import folded


def weigh(old: Values, new: Values) -> Weight:
    """An entry can protect with one key and grant with another."""
    return Weight(protects=_protects(old), grants=_grants(new))


def weigh_condition(old: Values, new: Values) -> Weight:
    """A result is withheld where the condition fails, and blanked out where it needs what is not built yet."""
    return replace(weigh(old, new), soft_errors=_protects(old), unbuilt=ALWAYS)


def unlisted(old: Values, new: Values) -> Judged:
    """The tools that the catalogue lacks, by the patterns as they are written; conditions don't count for these."""
    before, after = _split(old), _split(new)
    lost, kept = beyond(after[0], before[0]), beyond(before[1], after[1])
    if lost or kept:
        gone = named(lost) if lost else named([f"!{pattern}" for pattern in kept])
        text = (
            f"of the tools that the catalogue lacks it is about fewer: {gone} is {'gone' if lost else 'new'}"
        )
        sure = not lost or certainly_beyond(after[0], before[0])
        return relaxed(text) if sure else other(text, enforced=True)
    return tightened("of the tools that the catalogue lacks it is about more")


def _split(entry: Values) -> tuple[list[str], list[str]]:
    patterns: list[str] = entry.get("unlisted") or []
    wanted = [pattern for pattern in patterns if not pattern.startswith("!")]
    return wanted, [pattern[1:] for pattern in patterns if pattern.startswith("!")]


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
    lost = [one for one in lost if not any(_covers(other, one) for other in gained)]
    if lost:
        return relaxed(f"{are(lost)} no longer blanked out")
    return tightened(f"{are(gained)} blanked out")


def _covers(wide: str, narrow: str) -> bool:
    """Whether a field pattern is about every field of a name, and so about what another one is about."""
    if not wide.startswith("field: **.") or not narrow.startswith("field: "):
        return False
    name = folded(wide.removeprefix("field: **."))
    return "." not in name and folded(narrow.removeprefix("field: ")).rpartition(".")[2] == name


def added(new: Values) -> Judged:
    """A new entry."""
    if not _about(new):
        return other("an entry about no tool", enforced=False)
    text = f"a new entry about {_about(new)}"
    return relaxed(f"{text}, which trusts fields") if _grants(new) else tightened(text)


def removed(old: Values) -> Judged:
    """An entry that is gone."""
    if not _about(old):
        return other("an entry about no tool is gone", enforced=False)
    text = f"an entry about {_about(old)} is gone"
    return relaxed(text) if _protects(old) else tightened(text)


def _about(entry: Values) -> str:
    """The tools in a sentence, with those that the catalogue lacks."""
    listed, patterns = entry["tools"], entry.get("unlisted")
    told = [named(listed)] if listed else []
    told += [f"tools that the catalogue lacks ({named(patterns)})"] if patterns else []
    return " and ".join(told)


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        **selection(weigh, condition=weigh_condition),
        "unlisted": unlisted,
        "fields": fields,
        "redact": redact,
        "message": label("the message"),
        "reason": label("the reason"),
        "owner": label("the owner"),
        "examples": label("the list of examples"),
    }
)
