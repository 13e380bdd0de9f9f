"""Forced arguments: entries of `arguments`, for each tool that declares what they set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gateway.cel import Environment, ObjectType, Outcome, check
from gateway.cel.types import comparable
from gateway.compile.conditions import Compiled, listed, possible, read_conditions, read_expression, read_lets
from gateway.compile.names import governed, selector
from gateway.compile.planned import Planned, selects_nothing
from gateway.compile.report import Report
from gateway.diagnostic import Diagnostic
from gateway.plan import ForcedPlan

if TYPE_CHECKING:
    from gateway.compile.declared import Declared
    from gateway.compile.tools import Typed
    from gateway.policy import ArgumentEntry


def plan_forced(
    entry: ArgumentEntry,
    tools: Mapping[str, Declared],
    typed: Mapping[str, Typed],
    base: Environment,
    planned: Planned,
    report: Report,
) -> None:
    """Plan an `arguments` entry; one that can set nothing is an error, or makes the policy not ready."""
    if not governed(entry, tools):
        selects_nothing(entry, tools, planned)
    names = _with_argument(entry, tools, typed, report)
    environments = {name: typed[name].listing_environment for name in names} or {"": base}
    lets = read_lets(entry.where, entry.let, environments, report)
    conditions = read_conditions(entry, lets, environments, report)
    values: dict[str, Compiled] = {}
    for key in sorted(entry.set):
        value = read_expression(entry.where, ("set", key), lets, environments, report, expects=None)
        if value is not None and _fits(entry, key, value, names, typed, report):
            values[key] = value
    if conditions is None or len(values) != len(entry.set):
        return
    when, unless = conditions
    if (when or unless) and names and _never(names, typed, when, unless):
        planned.unready.append(
            Diagnostic(
                "never-matches",
                f"the entry `{entry.id}` can never set anything for any of its tools",
                entry.where.span("when" if entry.when is not None else "unless"),
                "an argument that is not forced is the model's own; correct the condition",
            )
        )
    unbuilt = frozenset[str]().union(*(c.unbuilt for c in (when, unless, *values.values()) if c is not None))
    if unbuilt:
        report.error(
            "not-built",
            f"the entry `{entry.id}` needs {listed(unbuilt)}, which is not built yet",
            entry.where.span("id"),
            "an argument that can't be forced would be the model's own; remove the entry until then",
        )
        return
    for name in names:
        declared = typed[name].arguments
        planned.forced.setdefault(name, []).append(
            ForcedPlan(
                id=entry.id,
                place=entry.where.span("id").place,
                values=tuple(
                    (key, value.condition(name)) for key, value in values.items() if key in declared
                ),
                when=when.condition(name) if when else None,
                unless=unless.condition(name) if unless else None,
                otherwise_deny=entry.otherwise == "deny",
                selector=selector(entry),
                message=entry.message or "",
            )
        )


def _never(
    names: list[str], typed: Mapping[str, Typed], when: Compiled | None, unless: Compiled | None
) -> bool:
    """Whether the condition is certainly false for every tool, whatever the session is."""
    return all(
        possible(
            when.condition(name) if when else None,
            unless.condition(name) if unless else None,
            typed[name].known,
        )
        == {Outcome.FALSE}
        for name in names
    )


def _fits(
    entry: ArgumentEntry,
    key: str,
    value: Compiled,
    names: list[str],
    typed: Mapping[str, Typed],
    report: Report,
) -> bool:
    """Whether the value has the argument's type in each tool that declares it, as far as types tell."""
    for name in names:
        arguments = typed[name].environment.variables["args"]
        declared = arguments.fields.get(key) if isinstance(arguments, ObjectType) else None
        given = check(value.parsed, typed[name].listing_environment, expects=None).type
        if declared is not None and not comparable(declared.type, given):
            report.error(
                "wrong-type",
                f"`{key}` of `{name}` is {declared.type}, but the value is {given}",
                entry.where.span("set", key),
                "set a value of the argument's type",
            )
            return False
    return True


def _with_argument(
    entry: ArgumentEntry, tools: Mapping[str, Declared], typed: Mapping[str, Typed], report: Report
) -> list[str]:
    """The entry's tools that declare one of its keys; a tool named exactly must declare all of them."""
    names: list[str] = []
    exact = {pattern for pattern in entry.tools if "*" not in pattern}
    for name in governed(entry, tools):
        declared = typed[name].arguments
        missing = [key for key in sorted(entry.set) if key not in declared]
        if name in exact:
            for key in missing:
                known = sorted(declared)
                report.unknown(f"argument of `{name}`", key, entry.where.key_span("set", key), known)
        if len(missing) < len(entry.set):
            names.append(name)
    matched = [name for name in governed(entry, tools) if name not in exact]
    known_to_any = frozenset[str]().union(*(typed[name].arguments for name in matched))
    for key in sorted(entry.set):
        if matched and not exact and key not in known_to_any:
            report.unknown(
                "argument of any of these tools", key, entry.where.key_span("set", key), known_to_any
            )
    return names
