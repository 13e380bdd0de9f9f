"""The actions on overrides: set and remove. A relaxation is confirmed, and its audit row written with it (B8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gateway.audit import audit_row
from gateway.call import PREFIX
from gateway.compile.overrides import override_values
from gateway.diagnostic import PolicyError
from gateway.effective import declared_values
from gateway.frozen import frozen
from gateway.interval import passed
from gateway.load import load_text
from gateway.managing.desk import Desk, ManagementError, gone, put
from gateway.managing.kept import KeptOverride, about_of, override_key
from gateway.managing.texts import policy_text, said
from gateway.override import KEYS, changes_of, confirmation, lapsing, relaxed
from gateway.plan import ConfirmedRelaxation, ToolPlan
from gateway.relaxation import Change as Difference
from gateway.state import Change, Entry


@frozen
class Relaxing:
    """What an override would relax, in words, and the digest that confirms it; both empty where nothing does."""

    meanings: tuple[str, ...]
    confirm: str


def relaxing(desk: Desk, given: Mapping[str, Any]) -> Relaxing:
    """What would have to be confirmed."""
    if not all(isinstance(given.get(key) or "", str) for key in ("tool", "reason", "until", "confirm")):
        raise ManagementError("`tool`, `reason`, `until` and `confirm` are texts")
    tool = _tool(desk, given.get("tool") or "")
    new = _override(desk, tool, given)
    found = _relaxing(desk, tool, new)
    return Relaxing(tuple(one.meaning for one in found), _wanted(desk, new, found))


def override(desk: Desk, given: Mapping[str, Any]) -> object:
    """Keep an override in place of the one before."""
    tool = _tool(desk, given["tool"])
    new = _override(desk, tool, given)
    relaxing = _relaxing(desk, tool, new)
    _check(new, relaxing, _wanted(desk, new, relaxing))
    place = override_key(desk.tenant, tool.name)

    def change(entry: Entry | None) -> Sequence[Change]:
        if entry is not None and _same(entry, new):
            return ()
        rows = (desk.row(_row(desk, tool, new, relaxing)),) if relaxing else ()
        return (put(place, entry, new.packed()), *rows)

    changed = desk.changed(place, change)
    return {
        "tool": tool.name,
        "changed": changed,
        "relaxes": [one.meaning for one in relaxing],
        "overrides": dict(new.values),
        "until": new.until,
    }


def reset(desk: Desk, given: Mapping[str, Any]) -> object:
    """Remove an override (B9); it may be one of a tool that is gone."""
    place = override_key(desk.tenant, given["tool"])
    changed = desk.changed(place, lambda entry: () if entry is None else (gone(place, entry),))
    return {"tool": given["tool"], "changed": changed}


def _tool(desk: Desk, name: str) -> ToolPlan:
    catalogue = desk.current().engine.catalogue
    tool = catalogue.declared.get(name)
    if tool is None:
        raise ManagementError(f"there is no tool `{name}` in this tenant")
    if name.startswith(PREFIX):
        raise ManagementError(f"`{name}` is a management tool; those are the same for every tenant")
    if any(plan.tool == name for plan in desk.policy.catalogue.overrides.get(desk.tenant, ())):
        raise ManagementError(
            f"the policy's files override `{name}` for this tenant; change it there, or remove it there first"
        )
    return tool


def _override(desk: Desk, tool: ToolPlan, given: Mapping[str, Any]) -> KeptOverride:
    """What was asked for, read as an override of a policy file is."""
    about = {key: given[key] for key in (*KEYS, "until") if given.get(key) is not None}
    entry = {"tenant": "tenant", "tools": [tool.name], **about}  # whose it is decides nothing of what it says
    try:
        written = load_text(policy_text({"overrides": [entry]}), "override").overrides[0]
    except PolicyError as error:
        raise ManagementError(said(error)) from None
    values = override_values(written)
    if not values:
        raise ManagementError(f"it overrides nothing; say one of {', '.join(KEYS)}")
    if written.until is not None and passed(written.until, desk.now):
        raise ManagementError(f"`until` is over already: {written.until.text}")
    return KeptOverride(
        tool=tool.name,
        values=values,
        reason=given.get("reason") or "",
        until=None if written.until is None else written.until.text,
        by=desk.operator.id,
        name=desk.operator_name,
        at=desk.now.date().isoformat(),
        digest=given.get("confirm") or "",
        about=about_of(desk.current().extension.own.get(tool.name)),
    )


def _relaxing(desk: Desk, tool: ToolPlan, new: KeptOverride) -> tuple[Difference, ...]:
    """What relaxes by it; what tightens has no end."""
    differences = changes_of(desk.tenant, tool, new.values)
    tightening = lapsing(differences)
    if new.until is not None and tightening is not None:
        raise ManagementError(
            f"an override that tightens has no `until`: its end would loosen the policy in silence "
            f"({tightening})"
        )
    return relaxed(differences)


def _wanted(desk: Desk, new: KeptOverride, relaxing: Sequence[Difference]) -> str:
    return confirmation(desk.tenant, new.until, [relaxing], new.about) if relaxing else ""


def _check(new: KeptOverride, relaxing: Sequence[Difference], wanted: str) -> None:
    if not relaxing and new.digest:
        raise ManagementError("nothing relaxes by it, so there is nothing to confirm")
    what = "; ".join(one.meaning for one in relaxing)
    if relaxing and not new.reason.strip():
        raise ManagementError(f"it relaxes `{new.tool}` ({what}): say why, in `reason`")
    if new.digest != wanted:
        other = "what was confirmed is something else" if new.digest else "nobody confirmed it"
        raise ManagementError(
            f"it relaxes `{new.tool}` ({what}), and {other}; whoever answers for it says `confirm: {wanted}`"
        )


def _same(entry: Entry, new: KeptOverride) -> bool:
    try:
        return KeptOverride.of(entry.value).says_as(new)
    except ValueError:
        return False


def _row(desk: Desk, tool: ToolPlan, new: KeptOverride, relaxing: Sequence[Difference]) -> dict[str, Any]:
    declared = declared_values(tool)
    confirmed = ConfirmedRelaxation(
        tenant=desk.tenant,
        tool=tool.name,
        declared=declared,
        effective={**declared, **new.values},
        enforced=any(one.enforced for one in relaxing),
        digest=new.digest,
        by=new.name,
        at=new.at,
        reason=new.reason,
        until=new.until,
    )
    return audit_row(confirmed, desk.policy.confirm_from, desk.now, new.by)
