"""Overrides: what differs for one tenant, tool by tool, and the confirmation of what they relax."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gateway.compile.report import Report
from gateway.diagnostic import Related
from gateway.effective import declared_values
from gateway.glob import ByName, select
from gateway.override import KEYS, changes_of, confirmation, fields_of, key_of, lapsing, relaxed, values_of
from gateway.plan import ConfirmedRelaxation, OverridePlan, ToolPlan
from gateway.relaxation import Change

if TYPE_CHECKING:
    from gateway.policy import Override


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A confirmed relaxation of one tool for one tenant, and the changes that it consists of."""

    confirmed: ConfirmedRelaxation
    changes: tuple[Change, ...]


@dataclass(slots=True)
class Overrides:
    """The overrides of each tenant, and the relaxations among them."""

    by_tenant: dict[str, tuple[OverridePlan, ...]]
    relaxations: tuple[Relaxation, ...]


def plan_overrides(overrides: Sequence[Override], tools: Mapping[str, ToolPlan], report: Report) -> Overrides:
    """Every override for each tool that it is about; what relaxes and is not confirmed is an error (B8)."""
    tools = ByName(tools)
    planned: dict[str, list[OverridePlan]] = {}
    relaxations: list[Relaxation] = []
    written: dict[tuple[str, str, str], tuple[Any, Override]] = {}
    for override in overrides:
        values = override_values(override)
        changes: dict[str, tuple[Change, ...]] = {}
        for name in sorted(select(override.tools, tools)):
            _conflicts(override, name, values, written, report)
            changes[name] = changes_of(override.tenant, tools[name], values)
            planned.setdefault(override.tenant, []).append(_plan(override, tools[name], values))
        _lapsing(override, [change for each in changes.values() for change in each], report)
        relaxations.extend(_confirmed(override, tools, values, changes, report))
    by_tenant = {tenant: tuple(plans) for tenant, plans in planned.items()}
    return Overrides(by_tenant, tuple(relaxations))


def override_values(override: Override) -> dict[str, Any]:
    """What an override overrides, as plain values."""
    values = values_of({key: getattr(override, key) for key in KEYS})
    if "permissions" in values:
        values["permissions"] = list(values["permissions"])
    if "risk" in values:
        values["risk"] = values["risk"].value
    return values


def _plan(override: Override, tool: ToolPlan, values: Mapping[str, Any]) -> OverridePlan:
    place = override.where.span().place
    return OverridePlan(
        tenant=override.tenant,
        tool=tool.name,
        place=place,
        values=MappingProxyType(dict(values)),
        changes=MappingProxyType(fields_of(tool, values, place)),
        until=override.until,
        reason=override.reason or "",
        confirmed_by=override.confirm.by if override.confirm is not None else "",
    )


def _conflicts(
    override: Override,
    tool: str,
    values: Mapping[str, Any],
    written: dict[tuple[str, str, str], tuple[Any, Override]],
    report: Report,
) -> None:
    """Report two values for one key: which of them counts would depend on the order of files."""
    for key, value in values.items():
        first, where = written.setdefault((override.tenant, tool, key), (value, override))
        if first != value:
            report.error(
                "conflicting-override",
                f"`{key}` of `{tool}` is overridden twice for the tenant `{override.tenant}`",
                override.where.key_span(key),
                "keep one of them, or narrow `tools`",
                (Related(where.where.key_span(key), "the other value"),),
            )


def _lapsing(override: Override, changes: Sequence[Change], report: Report) -> None:
    """Report an end of something that tightens: it would loosen the policy in silence (5.5)."""
    tightening = lapsing(changes)
    if override.until is not None and tightening is not None:
        report.error(
            "wrong-value",
            f"an override that tightens has no `until`: its end would loosen the policy in silence "
            f"({tightening})",
            override.where.key_span("until"),
            "remove `until`, or put what only loosens for a while into an override of its own",
        )


def _confirmed(
    override: Override,
    tools: Mapping[str, ToolPlan],
    values: Mapping[str, Any],
    changes: Mapping[str, tuple[Change, ...]],
    report: Report,
) -> Iterator[Relaxation]:
    """The relaxations of an override that somebody confirmed; report one that nobody did."""
    relaxing = {name: each for name, found in changes.items() if (each := relaxed(found))}
    if not relaxing:
        return
    until = None if override.until is None else override.until.text
    digest = confirmation(override.tenant, until, relaxing.values())
    first_tool, (first, *_) = next(iter(relaxing.items()))
    key = key_of(first)
    what = f"the override of tenant `{override.tenant}` relaxes `{first_tool}`: {first.meaning}"
    every = [
        (override.where.key_span(key_of(change)), f"`{name}`: {change.meaning}")
        for name, each in relaxing.items()
        for change in each
    ]
    what += f" (and {len(every) - 1} more)" if len(every) > 1 else ""
    related = tuple(Related(*one) for one in every) if len(every) > 1 else ()
    confirm = override.confirm
    if override.reason is None:
        report.error(
            "unconfirmed-relaxation",
            f"{what}, and says no `reason`",
            override.where.key_span(key),
            "say why in `reason`; its audit row repeats it",
            related,
        )
    elif confirm is None:
        report.error(
            "unconfirmed-relaxation",
            f"{what}; nobody confirmed it",
            override.where.key_span(key),
            f'whoever answers for it adds `confirm: {{by: NAME, at: YYYY-MM-DD, digest: "{digest}"}}`',
            related,
        )
    elif confirm.digest != digest:
        report.error(
            "unconfirmed-relaxation",
            f"{what}; what was confirmed is something else",
            override.where.below("confirm").span("digest"),
            f"look at what it does now; its digest is `{digest}`",
            related,
        )
    else:
        for name, each in relaxing.items():
            declared = declared_values(tools[name])
            confirmed = ConfirmedRelaxation(
                tenant=override.tenant,
                tool=name,
                declared=declared,
                effective={**declared, **values},
                enforced=any(change.enforced for change in each),
                digest=digest,
                by=confirm.by,
                at=confirm.at.isoformat(),
                reason=override.reason,
                until=until,
            )
            yield Relaxation(confirmed, each)
