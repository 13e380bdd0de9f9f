"""Results: what is blanked out or marked as untrusted protects; what is trusted grants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from gateway.policy import Trust
from gateway.relaxation.change import (
    Direction,
    Judge,
    Judged,
    Values,
    are,
    context,
    label,
    moved,
    named,
    other,
    relaxed,
    tightened,
)
from gateway.relaxation.conditions import ALWAYS
from gateway.relaxation.globs import beyond, certainly_beyond
from gateway.relaxation.held import alone, covers, items_of, judged_with_others, marked_as, split
from gateway.relaxation.selected import Weight, selection


def weigh(old: Values, new: Values) -> Weight:
    """An entry can protect with one key and grant with another; what another one protects, too, is not lost."""
    return Weight(protects=bool(alone(old)), grants=_grants(new))


def weigh_condition(old: Values, new: Values) -> Weight:
    """A result is withheld where the condition fails, and blanked out where it needs what is not built yet."""
    return replace(weigh(old, new), soft_errors=bool(alone(old)), unbuilt=ALWAYS)


def unlisted(old: Values, new: Values) -> Judged:
    """The tools that the catalogue lacks, by the patterns as they are written; conditions don't count for these."""
    before, after = split(old), split(new)
    lost, kept = beyond(after[0], before[0]), beyond(before[1], after[1])
    if lost or kept:
        gone = named(lost) if lost else named([f"!{pattern}" for pattern in kept])
        text = (
            f"of the tools that the catalogue lacks it is about fewer: {gone} is {'gone' if lost else 'new'}"
        )
        if old.get("unlisted_held"):
            return other(f"{text}; {_ANOTHER}", enforced=False)
        sure = not lost or certainly_beyond(after[0], before[0])
        return relaxed(text) if sure else other(text, enforced=True)
    return tightened("of the tools that the catalogue lacks it is about more")


_ANOTHER = "another entry protects the same"


def _protects(entry: Values) -> bool:
    return bool(items_of(entry))


def _grants(entry: Values) -> bool:
    return Trust.TRUSTED.value in (entry.get("fields") or {}).values()


def fields(old: Values, new: Values) -> Judged:
    """Which fields of a result are relied on."""
    before, after = old.get("fields") or {}, new.get("fields") or {}
    trusted = [f for f in after if after[f] == Trust.TRUSTED.value and before.get(f) != after[f]]
    if trusted:
        return relaxed(f"{are(trusted)} trusted")
    forgotten = [f for f in before if before[f] == Trust.UNTRUSTED.value and f not in after]
    held = [f for f in forgotten if marked_as(f) in old.get("held", ())]
    if len(forgotten) > len(held):
        return relaxed(f"{are([f for f in forgotten if f not in held])} no longer marked as untrusted")
    lost = [f for f in before if before[f] == Trust.TRUSTED.value and f not in after]
    marked = [f for f in after if after[f] == Trust.UNTRUSTED.value and before.get(f) != after[f]]
    told = [f"{are(lost)} no longer trusted"] if lost else []
    told += [f"{are(marked)} marked as untrusted"] if marked else []
    if held and not told:
        return other(f"{are(held)} marked as untrusted by another entry", enforced=False)
    return tightened("; ".join(told) or "no field is trusted")


def redact(old: Values, new: Values) -> Judged:
    """What is blanked out."""
    lost, gained = moved(old, new, "redact")
    lost = [one for one in lost if not any(covers(other, one) for other in new["redact"])]
    held = [one for one in lost if one in old.get("held", ())]
    if len(lost) > len(held):
        return relaxed(f"{are([one for one in lost if one not in held])} no longer blanked out")
    if gained:
        return tightened(f"{are(gained)} blanked out")
    text = (
        f"{are(held)} blanked out by another entry" if held else "the same is blanked out by fewer patterns"
    )
    return other(text, enforced=False)


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
    if not _protects(old):
        return tightened(f"an entry about {_about(old)} is gone")
    tools = [name for name in old["tools"] if name not in old.get("elsewhere", ())]
    left = _about({"tools": tools, "unlisted": None if old.get("unlisted_held") else old.get("unlisted")})
    if not left:
        return other(f"an entry about {_about(old)} is gone; {_ANOTHER}", enforced=False)
    return relaxed(f"an entry about {left} is gone")


def _about(entry: Values) -> str:
    """The tools in a sentence, with those that the catalogue lacks."""
    listed, patterns = entry["tools"], entry.get("unlisted")
    told = [named(listed)] if listed else []
    told += [f"tools that the catalogue lacks ({named(patterns)})"] if patterns else []
    return " and ".join(told)


def _selecting(judge: Judge) -> Judge:
    """The judge of a key that chooses calls: an entry of which all is protected by another one can't lose any."""

    def judged(old: Values, new: Values) -> Judged | None:
        found = judge(old, new)
        idle = _protects(old) and not alone(old) and not _grants(old) and not _grants(new)
        if found is None or not idle or (not found.enforced and found.direction is Direction.OTHER):
            return found
        return other(f"{found.meaning}; {_ANOTHER}", enforced=False)

    return judged


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        **{
            key: judge if judge is context else judged_with_others(_selecting(judge))
            for key, judge in selection(weigh, condition=weigh_condition).items()
        },
        "unlisted": judged_with_others(unlisted),
        "fields": judged_with_others(fields),
        "redact": judged_with_others(redact),
        "message": label("the message"),
        "reason": label("the reason"),
        "owner": label("the owner"),
        "examples": label("the list of examples"),
        "elsewhere": context,
        "held": context,
        "unlisted_held": context,
        "wider": context,
    }
)
