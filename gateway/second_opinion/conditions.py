"""Every condition of a policy as it applies to each of its tools, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gateway.cel import DYN, Environment, Parsed, bind, check, parse
from gateway.compile.names import governed

if TYPE_CHECKING:
    from gateway.policy import Condition
    from gateway.testing.loaded import Loaded


@dataclass(frozen=True, slots=True)
class Asked:
    """A condition, whose it is, the tools that it applies to, and the variables that it reads."""

    whose: str
    parsed: Parsed
    environments: Mapping[str, Environment]
    reads: frozenset[str]


def conditions(loaded: Loaded) -> Iterator[Asked]:
    """The conditions of rules, forced arguments, limits and results, and each `read_only_when`."""
    policy, typed = loaded.policy, loaded.compiled.typed
    declared = loaded.compiled.declared
    for section, parts in (
        ("rule", policy.rules),
        ("entry", policy.arguments),
        ("limit", policy.limits),
        ("result", policy.results),
    ):
        for part in parts:
            environments = {name: typed[name].environment for name in governed(part, declared)}
            if section == "result":
                environments = {name: each.with_variables(result=DYN) for name, each in environments.items()}
            for keys in _keys(part):
                yield _asked(f"the {section} `{part.id}`", part, keys, environments)
    for name, tool in sorted(declared.items()):
        if tool.get("read_only_when") is not None:
            where = tool.places["read_only_when"]
            parsed = parse(where.excerpt("read_only_when"))
            environments = {name: typed[name].environment}
            yield Asked(f"the tool `{name}`", parsed, environments, _reads(parsed, environments))


def _keys(part: Condition) -> Iterator[tuple[str, ...]]:
    for key in ("when", "unless"):
        if getattr(part, key) is not None:
            yield (key,)
    for name in sorted(getattr(part, "set", ())):
        yield ("set", name)
    per = getattr(part, "per", None)
    if per is not None and per.cel is not None:
        yield ("per", "cel")
    for key in ("amount", "currency"):
        if getattr(part, key, None) is not None:
            yield (key,)


def _asked(
    whose: str, part: Condition, keys: tuple[str, ...], environments: Mapping[str, Environment]
) -> Asked:
    lets: dict[str, Parsed] = {}
    for name in part.let:
        lets[name] = bind(parse(part.where.excerpt("let", name)), dict(lets))
    parsed = bind(parse(part.where.excerpt(*keys)), lets)
    return Asked(whose, parsed, environments, _reads(parsed, environments))


def _reads(parsed: Parsed, environments: Mapping[str, Environment]) -> frozenset[str]:
    checked = (check(parsed, environment, expects=None) for environment in environments.values())
    return frozenset(path[0] for one in checked for path in one.reads)
