"""Parts of a policy as plain values by key, the same for everything that has the same effect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Any

from gateway.decision import Effect
from gateway.glob import Glob
from gateway.patterns import PACKS
from gateway.relaxation.change import Values
from gateway.relaxation.conditions import condition_of, expression_of
from gateway.relaxation.globs import later, least
from gateway.relaxation.spelled import Lists
from gateway.relaxation.watched import FOR_EVER
from gateway.relaxation.written import written_of
from gateway.results.folding import folded
from gateway.risk import RiskLevel
from gateway.session import Channel

if TYPE_CHECKING:
    from gateway.interval import Until
    from gateway.policy import (
        Agent,
        ArgumentEntry,
        Condition,
        Limit,
        Monitored,
        Pin,
        Result,
        Rule,
        Server,
        Settings,
        TypeText,
    )

CONVENTIONS = ("protected_branches", "protected_paths", "artifacts")
_LABELS = ("message", "reason", "owner")


def settings_values(settings: Settings) -> Values:
    """The settings with their defaults; each switch that is on is a key."""
    packs = settings.packs if settings.given("packs") else tuple(PACKS)
    return {
        "confirm_from": settings.confirm_from.value,
        "packs": sorted(set(packs)),
        "unknown_tools": settings.unknown_tools.value,
        "monitor_until": None if settings.monitor_until is None else settings.monitor_until.isoformat(),
        "types": {
            part: {name: _type(text) for name, text in fields.items()}
            for part, fields in settings.types.items()
        }
        or None,
        **{f"switches.{name}": True for name, on in settings.switches.items() if on},
        **{f"patterns.{name}": effect.value for name, effect in settings.patterns.items()},
        **{key: sorted(set(getattr(settings, key))) for key in CONVENTIONS},
    }


def _type(text: TypeText) -> str:
    inside = ", ".join(map(_type, text.parameters))
    return f"{text.name}({inside})" if inside else text.name


def agent_values(agent: Agent, bound: Iterable[str], *, modes: bool, reads: frozenset[str]) -> Values:
    """An agent with the tools that its patterns select; `modes` says whether some tool needs no binding."""
    return {
        "tools": sorted(bound),
        "later": later(agent.tools),
        "tenants": least(agent.tenants),
        "max_steps": agent.max_steps,
        "max_risk": None if agent.max_risk is None else agent.max_risk.value,
        "modes": modes,
        "reads": sorted(reads),
    }


def pin_values(pin: Pin, *, held: bool) -> Values:
    """A pin; all that it says of the tool is in its digest."""
    return {"digest": pin.digest, "held": held}


def server_values(server: Server, *, held: bool) -> Values:
    """A server as it is declared, and whether a decision about a declared tool can differ by its pins."""
    return {
        "tools": least(server.tools),
        "risk": None if server.risk is None else server.risk.value,
        "permissions": sorted(server.permissions or ()),
        "pinned": server.pinned,
        "held": held,
    }


def _condition_values(
    part: Condition, tools: Iterable[str], agents: Iterable[str], lists: Lists
) -> dict[str, Any]:
    """What every part with a condition says; `tools` are those that it is about."""
    everyone = part.tenants is None or "*" in part.tenants
    examples = part.examples
    return {
        "tools": sorted(tools),
        "later": later(part.tools),
        "tenants": None if everyone else least(part.tenants or ()),
        "agents": sorted(name for name in agents if _is_selected(name, part.agents)),
        "channels": sorted(channel.value for channel in part.channels or Channel),
        "condition": condition_of(part, lists),
        "written": written_of(part, lists),
        "examples": None if examples is None else examples.model_dump(mode="json", exclude_unset=True),
        **{key: getattr(part, key) for key in _LABELS},
    }


def _is_selected(name: str, patterns: tuple[str, ...] | None) -> bool:
    return patterns is None or "*" in patterns or any(Glob(pattern).matches(name) for pattern in patterns)


def _monitored_values(part: Monitored) -> dict[str, Any]:
    until = _moment(part.until)
    return {
        "id": part.id,
        "noun": part.noun.partition(" ")[2],
        "monitor": (until or FOR_EVER) if part.monitor else None,
    }


def _moment(until: Until | None) -> str | None:
    return None if until is None else until.moment.astimezone(UTC).isoformat()


def rule_values(
    rule: Rule,
    tools: Iterable[str],
    agents: Iterable[str],
    lists: Lists,
    *,
    irreversible: Iterable[str] = (),
    lifted: bool = False,
) -> Values:
    """A rule; `lifted` says whether an allow rule takes it back, `irreversible` are the worst of its tools."""
    approval = rule.approval
    grants = rule.effect is Effect.ALLOW
    return {
        **_condition_values(rule, tools, agents, lists),
        **_monitored_values(rule),
        "effect": rule.effect.value,
        "until": _moment(rule.until) if grants else None,
        "lifts": sorted(set(rule.lifts)),
        "response": rule.response,
        "context": rule.context,
        "approval.by": None if approval is None or approval.by is None else sorted(set(approval.by)),
        "approval.not_self": approval is not None and approval.not_self,
        "approval.expires": None if approval is None else _seconds(approval.expires),
        "approval.use_within": None if approval is None else _seconds(approval.use_within),
        "lifted": lifted,
        "irreversible": sorted(irreversible),
    }


def _seconds(stretch: timedelta | None) -> int | None:
    return None if stretch is None else int(stretch.total_seconds())


def arguments_values(
    entry: ArgumentEntry, tools: Iterable[str], agents: Iterable[str], lists: Lists
) -> Values:
    """An entry of forced arguments."""
    return {
        **_condition_values(entry, tools, agents, lists),
        "set": {key: expression_of(entry.where, ("set", key), entry.let, lists) for key in sorted(entry.set)},
        "otherwise": entry.otherwise,
    }


def limit_values(limit: Limit, tools: Iterable[str], agents: Iterable[str], lists: Lists) -> Values:
    """A limit."""
    per, rate = limit.per, limit.rate
    counted = None if per is None else per.counted.value
    if per is not None and per.cel is not None:
        counted = f"cel: {expression_of(limit.where, ('per', 'cel'), limit.let, lists)}"
    return {
        **_condition_values(limit, tools, agents, lists),
        **_monitored_values(limit),
        "per": counted,
        "rate": None if rate is None else {"count": rate.count, "seconds": _seconds(rate.window)},
        "budget": None
        if limit.budget is None
        else {
            currency: {"most": one.most, "seconds": _seconds(one.window)}
            for currency, one in limit.budget.items()
        },
        **{
            key: None if getattr(limit, key) is None else expression_of(limit.where, (key,), limit.let, lists)
            for key in ("amount", "currency")
        },
        "repeats": limit.repeats,
        "empty_rounds": limit.empty_rounds,
    }


def result_values(
    result: Result, tools: Iterable[str], agents: Iterable[str], lists: Lists, *, catalogue: Iterable[str]
) -> Values:
    """What is done to results; `catalogue` names the tools that either policy has."""
    chosen = _condition_values(result, tools, agents, lists)
    del chosen["later"]  # `unlisted` says it, of servers' tools as well
    return {
        "unlisted": _unlisted(result, frozenset(catalogue)),
        **chosen,
        "fields": None
        if result.fields is None
        else {key: trust.value for key, trust in result.fields.items()},
        "redact": sorted(
            {
                f"field: {folded(one.field.text)}" if one.field is not None else f"detector: {one.detector}"
                for one in result.redact or ()
            }
        ),
    }


def _unlisted(result: Result, catalogue: frozenset[str]) -> list[str] | None:
    """The patterns of tools that the catalogue lacks, which count as HIGH; a lone `*` is every tool."""
    covers = result.risk is None or result.risk.holds(RiskLevel.HIGH)
    if result.redact is None or not covers:
        return None
    patterns = [*result.tools, *(["*/*"] if "*" in result.tools else [])]
    return least(pattern for pattern in patterns if pattern.removeprefix("!") not in catalogue) or None


_EXPRESSIONS = ("condition", "read_only_when", "amount", "currency")


def conditions_of(values: Mapping[str, Any]) -> Iterable[str]:
    """The expressions in a picture."""
    yield from (values[key] for key in _EXPRESSIONS if values.get(key) is not None)
    yield from (values.get("set") or {}).values()
    if str(values.get("per")).startswith("cel: "):
        yield values["per"].removeprefix("cel: ")
