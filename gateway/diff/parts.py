"""The parts of which policies consist: which tools each is about, and policies with a part put back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gateway.compile.management import bound_by
from gateway.compile.names import governed
from gateway.frozen import frozen
from gateway.glob import select
from gateway.relaxation import item_of

if TYPE_CHECKING:
    from gateway.compile.declared import Declared
    from gateway.plan import ToolPlan
    from gateway.policy import Policy
    from gateway.sources import Assembled

Tools = Mapping[str, "Declared"]


@frozen
class Part:
    """One named part of a policy, as items of a change call it."""

    name: str
    section: str
    key: str


def parts_of(sides: Iterable[Assembled]) -> Mapping[str, Part]:
    """Every part of some policies by the beginning of its items; each setting is a part of its own."""
    found: dict[str, Part] = {}
    for side in sides:
        policy = side.policy
        for section, key in _KEYS.items():
            for one in getattr(policy, section):
                name = item_of(section, getattr(one, key))
                found[name] = Part(name, section, getattr(one, key))
        for name in policy.lists:
            item = item_of("lists", name)
            found[item] = Part(item, "lists", name)
        for name in type(policy.settings).model_fields:
            found[f"settings.{name}"] = Part(f"settings.{name}", "settings", name)
        for tenant, tool in _overridden(side):
            item = item_of("overrides", tenant, tool)
            found[item] = Part(item, "overrides", tool)
    return found


_KEYS = {
    "agents": "name",
    "servers": "name",
    "tools": "name",
    "arguments": "id",
    "rules": "id",
    "limits": "id",
    "results": "id",
}
"""The sections whose parts have names, and the key that holds them."""


def _overridden(side: Assembled) -> Iterator[tuple[str, str]]:
    for plans in side.compiled.engine.catalogue.overrides.values():
        for plan in plans:
            yield plan.tenant, plan.tool


def part_of(item: str, parts: Mapping[str, Part]) -> Part | None:
    """The part that an item is about: the longest name with which it begins."""
    name = item
    while name:
        if name in parts:
            return parts[name]
        name = name.rpartition(".")[0]
    return None


def tools_of(part: Part, side: Assembled) -> frozenset[str]:
    """The tools that a part of a policy has a say in; those of a server or setting are all that it may be about."""
    declared, policy = side.compiled.declared, side.policy
    if part.section in ("tools", "overrides"):
        return frozenset((part.key,)) & declared.keys()
    if part.section == "agents":
        bound = (bound_by(one.tools, declared) for one in policy.agents if one.name == part.key)
        modes = (name for name, plan in side.compiled.engine.tools.items() if plan.mode is not None)
        return frozenset[str]().union(*bound, modes)
    if part.section == "servers":
        return frozenset(name for name in declared if name.startswith(f"{part.key}/"))
    if part.section == "lists":
        return frozenset(name for name, plan in side.compiled.engine.tools.items() if "lists" in plan.reads)
    if part.section == "settings":
        reached = _REACHED.get(part.key)
        tools = side.compiled.engine.tools
        return frozenset(name for name, plan in tools.items() if reached is None or reached(plan))
    named = (governed(one, declared) for one in getattr(policy, part.section) if one.id == part.key)
    return frozenset[str]().union(*named)


_REACHED: Mapping[str, Callable[[ToolPlan], bool]] = {
    **dict.fromkeys(
        ("packs", "patterns", "artifacts", "protected_paths", "protected_branches"),
        lambda plan: bool(plan.inspected or plan.wraps),
    ),
    "switches": lambda plan: bool(plan.view.get("switch") or plan.wraps),
}
"""Which tools a setting has a say in, where that is not each one."""


def put_back(new: Policy, old: Policy, part: Part) -> Policy:
    """The new policy, but for one part, which is as in the old one."""
    if part.section == "settings":
        settings = new.settings.model_copy(update={part.key: getattr(old.settings, part.key)})
        if part.key not in old.settings.model_fields_set:
            settings.model_fields_set.discard(part.key)
        return replace(new, settings=settings)
    if part.section == "lists":
        lists = {name: one for name, one in new.lists.items() if name != part.key}
        if part.key in old.lists:
            lists[part.key] = old.lists[part.key]
        return replace(new, lists=lists)
    if part.section == "overrides":
        return replace(new, overrides=old.overrides)
    key = _KEYS[part.section]
    before = [one for one in getattr(old, part.section) if getattr(one, key) == part.key]
    kept = [one for one in getattr(new, part.section) if getattr(one, key) != part.key]
    changed: dict[str, Any] = {part.section: (*kept, *before)}
    if part.section == "tools":
        changed["defaults"] = old.defaults
    return replace(new, **changed)


def sliced(policy: Policy, declared: Tools, names: frozenset[str]) -> Policy:
    """The policy of a few of its tools alone: what is decided about these is the same, and it compiles at once."""
    kept = {name: declared[name] for name in names if name in declared}

    def narrowed(section: Iterable[Any], chosen: Callable[[Any], Iterable[str]]) -> tuple[Any, ...]:
        found = ((one, tuple(sorted(names.intersection(chosen(one))))) for one in section)
        return tuple(one.model_copy(update={"tools": tools}) for one, tools in found if tools)

    rules = narrowed(policy.rules, lambda one: governed(one, declared))
    gone = {rule.id for rule in policy.rules} - {rule.id for rule in rules}
    return replace(
        policy,
        tools=tuple(one for one in policy.tools if one.name in kept),
        servers=tuple(one for one in policy.servers if any(name.startswith(f"{one.name}/") for name in kept)),
        agents=tuple(
            one.model_copy(update={"tools": tuple(sorted(names.intersection(bound_by(one.tools, declared))))})
            for one in policy.agents
        ),
        defaults=narrowed(policy.defaults, lambda one: select(one.tools, declared)),
        arguments=narrowed(policy.arguments, lambda one: governed(one, declared)),
        rules=tuple(_without_lifts(rule, gone) for rule in rules),
        limits=(),
        invariants=(),
        results=narrowed(policy.results, lambda one: governed(one, declared)),
        overrides=narrowed(policy.overrides, lambda one: select(one.tools, declared)),
    )


def _without_lifts(rule: Any, gone: set[str]) -> Any:
    """A rule without the names of rules that are not there; they were never about the same tool."""
    if gone.isdisjoint(rule.lifts):
        return rule
    return rule.model_copy(update={"lifts": tuple(name for name in rule.lifts if name not in gone)})
