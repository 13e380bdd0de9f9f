"""What a change between two policies relaxes: both as plain values, with everything resolved, judged key by key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC
from enum import Enum
from typing import TYPE_CHECKING, Any

from gateway.compile import compile_policy
from gateway.compile.management import bound_by
from gateway.compile.names import governed
from gateway.effective import declared_values, judged_values
from gateway.inspect.guard import Guard
from gateway.plan import OverridePlan, ToolPlan
from gateway.relaxation import Change, Direction, Kind, Values, compare, compare_parts, item_of
from gateway.relaxation.conditions import reads_of
from gateway.relaxation.held import with_held
from gateway.relaxation.lists import compare_lists
from gateway.relaxation.overridden import ends_later
from gateway.relaxation.pictures import (
    agent_values,
    arguments_values,
    conditions_of,
    limit_values,
    pin_values,
    result_values,
    rule_values,
    server_values,
    settings_values,
)
from gateway.relaxation.read import is_read
from gateway.relaxation.rules import with_elsewhere
from gateway.relaxation.tool_picture import tool_values
from gateway.relaxation.whole import in_all, whole_arguments, whole_facts
from gateway.risk import RiskLevel
from gateway.schema import fields
from gateway.sources import Assembled

if TYPE_CHECKING:
    from gateway.policy import Condition, Invariant, Policy


class Verdict(Enum):
    """What can be said of a change as a whole."""

    RELAXED = "relaxed"
    """Some call may get a more permissive answer, or a protection is weaker."""
    PROVED = "proved"
    """No call gets a more permissive answer than before."""
    UNPROVED = "unproved"
    """Neither is known."""


def compiled(policy: Policy) -> Assembled:
    """The policy compiled, with nothing guarded: what is guarded is the same for all policies."""
    return Assembled(policy, compile_policy(policy, Guard((), ())))


def verdict(found: Iterable[Change]) -> Verdict:
    """The verdict on a change with these differences."""
    listed = list(found)
    if any(change.relaxed for change in listed):
        return Verdict.RELAXED
    unclear = any(change.unproved for change in listed)
    return Verdict.UNPROVED if unclear else Verdict.PROVED


def changes(old: Assembled, new: Assembled) -> tuple[Change, ...]:
    """Every difference that has an effect or is shown to somebody; the order and spelling of files are none."""
    tools = [frozenset(side.compiled.declared) for side in (old, new)]
    both, either = tools[0] & tools[1], tools[0] | tools[1]
    agents = frozenset(a.name for a in old.policy.agents) & frozenset(a.name for a in new.policy.agents)
    pictures = [_Picture(side, both, either, agents) for side in (old, new)]
    reads = reads_of(text for picture in pictures for text in picture.conditions())
    one, two = pictures
    return in_order(
        (
            *_readiness(old, new),
            *compare(Kind.SETTINGS, "settings", one.settings, two.settings),
            *compare_lists(_lists(old), _lists(new), reads),
            *compare_parts(Kind.SERVER, one.servers, two.servers),
            *compare_parts(Kind.PIN, one.pins, two.pins),
            *compare_parts(Kind.AGENT, one.agents(reads), two.agents(reads)),
            *compare_parts(Kind.TOOL, one.tools(reads, two), two.tools(reads, two)),
            *compare_parts(Kind.ARGUMENTS, one.arguments, two.arguments),
            *compare_parts(Kind.RULE, with_elsewhere(one.rules, two.rules), two.rules),
            *compare_parts(Kind.LIMIT, one.limits, two.limits),
            *compare_parts(Kind.RESULT, with_held(one.results, two.results), two.results),
            *_overrides(old, new),
            *_invariants(old.policy, new.policy),
        )
    )


def in_order(found: Iterable[Change]) -> tuple[Change, ...]:
    """Differences as they are shown: what relaxes first."""
    return tuple(sorted(found, key=lambda one: (_ORDER.index(one.direction), not one.enforced, one.item)))


_ORDER = (Direction.RELAXED, Direction.LOOSER, Direction.OTHER, Direction.TIGHTENED)


def _lists(side: Assembled) -> dict[str, list[Any]]:
    return {name: list(named.values) for name, named in side.policy.lists.items()}


def _readiness(old: Assembled, new: Assembled) -> Iterator[Change]:
    """A policy that is not ready refuses every call."""
    before, after = (bool(side.compiled.summary["ready"]) for side in (old, new))
    if before is not after:
        direction = Direction.RELAXED if after else Direction.TIGHTENED
        meaning = "the policy is ready" if after else "the policy is not ready, so every call is refused"
        yield Change("ready", direction, meaning, True, before, after)


class _Picture:
    """One policy as values by name; of tools and agents in lists, only those are named that both policies have."""

    def __init__(
        self, side: Assembled, both: frozenset[str], either: frozenset[str], agents: frozenset[str]
    ) -> None:
        policy, self._declared = side.policy, side.compiled.declared
        self._policy, self._both, self._known = policy, both, sorted(agents)
        self._chosen: dict[int, list[str]] = {}
        lists = _lists(side)
        self.settings = settings_values(policy.settings)
        of_servers = {name.partition("/")[0] for name in both if "/" in name}
        self.servers = {
            server.name: server_values(server, held=server.name in of_servers) for server in policy.servers
        }
        tools = side.compiled.engine.tools
        held = {name for name, tool in tools.items() if tool.pin is not None}
        self.pins = {pin.tool: pin_values(pin, held=pin.tool in held) for pin in policy.pins}
        self._facts = sorted(whole_facts(policy.settings))
        self._whole = {
            name: whole_arguments(tool.schema) for name, tool in side.compiled.engine.tools.items()
        }
        lifted = {name for rule in policy.rules for name in rule.lifts}
        self.rules = {
            rule.id: {
                **rule_values(
                    rule,
                    self._about(rule),
                    self._known,
                    lists,
                    irreversible=self._irreversible(rule),
                    lifted=rule.id in lifted,
                ),
                "whole": self._whole_for(self._governed(rule)),
            }
            for rule in policy.rules
        }
        self.arguments = {
            entry.id: {
                **arguments_values(
                    entry, self._setting(entry.set, self._about(entry), side), self._known, lists
                ),
                "whole": self._facts,
            }
            for entry in policy.arguments
        }
        self.limits = {
            one.id: {
                **limit_values(one, self._about(one), self._known, lists),
                "whole": self._whole_for(self._governed(one)),
            }
            for one in policy.limits
        }
        self.results = {
            one.id: {
                **result_values(one, self._about(one), self._known, lists, catalogue=either),
                "whole": self._facts,
            }
            for one in policy.results
        }
        self._tools = {
            name: tool_values(
                declared.values,
                side.compiled.engine.tools[name].view,
                declared.places.get("read_only_when"),
                lists,
            )
            for name, declared in self._declared.items()
        }
        self._switched_on = {
            name
            for (_, name), plans in _overrides_of(side).items()
            for one in plans
            if one.values.get("enabled")
        }

    def _governed(self, part: Condition) -> list[str]:
        """The tools that a part is about, found once."""
        if id(part) not in self._chosen:
            self._chosen[id(part)] = governed(part, self._declared)
        return self._chosen[id(part)]

    def _about(self, part: Condition) -> list[str]:
        return [name for name in self._governed(part) if name in self._both]

    def _whole_for(self, names: Iterable[str]) -> list[str]:
        """What conditions about some tools read that is never a fraction; what these refuse no condition sees."""
        return sorted({*self._facts, *in_all(self._whole[name] for name in names)})

    def _irreversible(self, part: Condition) -> list[str]:
        named = self._governed(part)
        return [name for name in named if self._declared[name].risk is RiskLevel.IRREVERSIBLE]

    def _setting(self, keys: Iterable[str], names: list[str], side: Assembled) -> list[str]:
        """The tools that declare one of the arguments that an entry sets."""
        tools = side.compiled.engine.tools
        return [name for name in names if not fields(tools[name].schema).keys().isdisjoint(keys)]

    def conditions(self) -> Iterator[str]:
        """Every expression of the policy."""
        for part in (self.rules, self.arguments, self.limits, self.results, self._tools):
            for values in part.values():
                yield from conditions_of(values)

    def agents(self, reads: frozenset[str]) -> dict[str, Values]:
        """The agents; a tool that came or went is a difference of its own, unless conditions read the list."""
        known = self._declared if is_read({"reads": reads}, "agent.tools") else self._both
        modes = any(values["mode"] is not None for values in self._tools.values())
        return {
            agent.name: agent_values(
                agent,
                (name for name in bound_by(agent.tools, self._declared) if name in known),
                modes=modes,
                reads=reads,
            )
            for agent in self._policy.agents
        }

    def tools(self, reads: frozenset[str], new: _Picture) -> dict[str, Values]:
        """The tools with what is needed to judge them; what holds for all calls is taken from the new policy."""
        on = [agent for agent in self._policy.agents if agent.tenants]
        bound = {agent.name: bound_by(agent.tools, self._declared) for agent in on}
        found: dict[str, Values] = {}
        for name, values in self._tools.items():
            agents = sorted(agent for agent, names in bound.items() if name in names)
            switch_on = values["switch"] is None or f"switches.{values['switch']}" in self.settings
            called = bool(agents) if values["mode"] is None else bool(on)
            found[name] = {
                **values,
                "reads": sorted(reads),
                "whole": self._whole_for([name]),
                "bound": agents,
                "switch_on": switch_on,
                "reachable": called and switch_on and (values["enabled"] or name in self._switched_on),
                "confirm_from": new.settings["confirm_from"],
                "unknown_tools": new.settings["unknown_tools"],
            }
        return found


def _invariants(old: Policy, new: Policy) -> Iterator[Change]:
    """What is checked of decisions; none of them is decided by it."""
    before, after = ({one.id: _stated(one) for one in side.invariants} for side in (old, new))
    for name in sorted({*before, *after}):
        one, two = before.get(name), after.get(name)
        if one != two:
            what = "is new" if one is None else "is gone" if two is None else "is another one"
            item = item_of("invariants", name)
            yield Change(item, Direction.OTHER, f"the invariant {what}", False, one, two)


def _stated(one: Invariant) -> Values:
    """An invariant as it is written."""
    texts = {key: getattr(one, key) for key in ("always", "message", "reason", "owner")}
    risk = None if one.risk is None else f"{one.risk.compare}{one.risk.level.value}"
    return {"tools": list(one.tools), "risk": risk, **texts}


def _overrides(old: Assembled, new: Assembled) -> Iterator[Change]:
    """What each tenant's overrides come to: compared where either policy overrides something.

    A tool that came is compared with what it declares; of one that went everything is said.
    """
    before, after = _overrides_of(old), _overrides_of(new)
    for tenant, tool in sorted({*before, *after}):
        if tool in new.compiled.declared:
            yield from compare(
                Kind.OVERRIDE, item_of("overrides", tenant, tool), *_overridden(old, new, tenant, tool)
            )


_Plans = Mapping[tuple[str, str], Sequence[OverridePlan]]


def _overrides_of(side: Assembled) -> _Plans:
    """The overrides by tenant and tool."""
    found: dict[tuple[str, str], list[OverridePlan]] = {}
    for plans in side.compiled.engine.catalogue.overrides.values():
        for plan in plans:
            found.setdefault((plan.tenant, plan.tool), []).append(plan)
    return found


def _overridden(old: Assembled, new: Assembled, tenant: str, tool: str) -> tuple[Values, Values]:
    """What a tenant sees of a tool before and after, under the keys that either policy overrides."""
    before, after = (_overrides_of(side).get((tenant, tool), ()) for side in (old, new))
    keys = {key for plan in (*before, *after) for key in plan.values}
    known = old if tool in old.compiled.declared else new
    return (
        _seen(known.compiled.engine.tools[tool], before, keys),
        _seen(new.compiled.engine.tools[tool], after, keys),
    )


def _seen(tool: ToolPlan, plans: Sequence[OverridePlan], keys: Iterable[str]) -> Values:
    """A tool under some keys with overrides, until when each of them holds, and what it declares otherwise."""
    declared = judged_values(tool, declared_values(tool))
    values = declared_values(tool)
    ends: dict[str, str | None] = {}
    for plan in plans:
        values.update(plan.values)
        end = None if plan.until is None else plan.until.moment.astimezone(UTC).isoformat()
        for key in plan.values:
            # Said twice it holds as long as either says; without an end it holds for ever.
            known = ends.get(key, "")
            ends[key] = None if end is None or known is None else max(end, known)
    shown = judged_values(tool, values)
    return {
        **{key: value for key, value in shown.items() if key not in values or key in keys},
        "declared": {key: declared[key] for key in keys},
        "overridden": sorted(ends),
        "confirmed_by": sorted({plan.confirmed_by for plan in plans if plan.confirmed_by}),
        "reason": sorted({plan.reason for plan in plans if plan.reason}),
        **{f"{key}.until": end for key, end in ends.items() if end is not None},
    }


def confirmed_in(old: Assembled, new: Assembled) -> frozenset[str]:
    """The items of a change that the new policy itself confirms, without which it would not load.

    What is confirmed there is the way from what a tool declares to what it is for a tenant; where the old policy was
    stricter than what is declared now, the change is larger than that.
    """
    items: set[str] = set()
    for each in new.compiled.relaxations:
        tenant, tool = each.confirmed.tenant, each.confirmed.tool
        item = item_of("overrides", tenant, tool)
        before, after = _overridden(old, new, tenant, tool)
        keys = {change.item.rpartition(".")[2] for change in each.changes}
        lost = compare(Kind.OVERRIDE, item, before, {**after, **after["declared"], "overridden": []})
        items |= {f"{item}.{key}" for key in keys} - {one.item for one in lost if one.relaxed or one.unproved}
        items |= {f"{item}.{key}.until" for key in keys if ends_later(before, after, key)}
    was = {pin.tool: pin.digest for pin in old.policy.pins}
    for pin in new.policy.pins:
        if pin.accepted is not None and pin.accepted.was == was.get(pin.tool):
            item = item_of(Kind.PIN.value, pin.tool)
            items.add(item if pin.accepted.was is None else f"{item}.digest")
    return frozenset(items)
