"""CEL expressions of a policy: parsed once, checked against each tool that they can apply to."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gateway.cel import (
    BOOL,
    Checked,
    Environment,
    Outcome,
    Parsed,
    Program,
    Type,
    bind,
    check,
    outcomes,
    parse,
    plan,
)
from gateway.cel.conform import converter
from gateway.cel.reads import read_of
from gateway.compile.report import Report
from gateway.plan import Condition
from gateway.steps.outcome import join

if TYPE_CHECKING:
    from gateway.policy import Condition as Part
    from gateway.policy import Where


@dataclass(slots=True)
class Compiled:
    """An expression that was read: its condition for each tool, and what it reads that is not built yet."""

    parsed: Parsed
    program: Program
    unbuilt: frozenset[str]
    reads: frozenset[str]
    environments: Mapping[str, Environment]

    def condition(self, tool: str) -> Condition:
        """The expression as it applies to one tool."""
        environment = self.environments[tool]
        if any(map(self._converted, (environment, next(iter(self.environments.values()))))):
            # Whole numbers are turned into doubles where this tool's schema says `number`, and only there.
            return Condition(self.parsed, plan(self.parsed, environment), environment, self.reads)
        return Condition(self.parsed, self.program, environment, self.reads)

    def _converted(self, environment: Environment) -> bool:
        """Whether a value that is read may hold a number that need not be whole."""
        known = environment.variables
        return any(
            name in known and converter(known[name]) is not None for name in self.reads & {"args", "roles"}
        )


def read_lets(
    where: Where, lets: Mapping[str, str], environments: Mapping[str, Environment], report: Report
) -> dict[str, Parsed]:
    """The named sub-expressions of a part, checked whether they are used or not; each may use those before it."""
    parsed: dict[str, Parsed] = {}
    taken = {name for environment in environments.values() for name in environment.variables}
    for name in lets:
        if name in taken:
            report.error(
                "taken-name",
                f"`{name}` is a variable of every condition and can't be named anew",
                where.key_span("let", name),
                "choose another name",
            )
            continue
        let = parse(where.excerpt("let", name))
        report.add(let.diagnostics)
        if let.ast is not None:
            parsed[name] = bind(let, dict(parsed))
            for environment in environments.values():
                report.add(check(parsed[name], environment, expects=None).diagnostics)
    return parsed


def read_expression(
    where: Where,
    keys: tuple[str | int, ...],
    lets: Mapping[str, Parsed],
    environments: Mapping[str, Environment],
    report: Report,
    *,
    expects: Type | None = BOOL,
) -> Compiled | None:
    """An expression checked against every tool in `environments`; None if it is wrong for any of them."""
    parsed = parse(where.excerpt(*keys))
    if not report.add(parsed.diagnostics) or parsed.ast is None:
        return None
    parsed = bind(parsed, lets)
    fine = report.add(parsed.diagnostics)
    unbuilt: set[str] = set()
    reads: set[str] = set()
    seen: dict[Any, dict[str, Any]] = {}
    found: dict[Hashable, Checked] = {}
    read = read_of((parsed,))
    for tool, environment in environments.items():
        alike = read.alike(environment)
        checked = found.get(alike)
        if checked is None:
            checked = found[alike] = check(parsed, environment, expects=expects)
        for diagnostic in checked.diagnostics:
            seen.setdefault((diagnostic.code, diagnostic.message, diagnostic.span), {})[tool] = diagnostic
        reads |= {path[0] for path in checked.reads}
        unbuilt |= {f"`{name}()`" for name in checked.unbuilt}
    fine = report.add(_naming(seen.values(), len(environments))) and fine
    if not fine or not environments:
        return None
    program = plan(parsed, next(iter(environments.values())))
    return Compiled(parsed, program, frozenset(unbuilt), frozenset(reads), environments)


_NARROW = "narrow `tools`, or write a rule for each kind of tool"


def _naming(found: Iterable[Mapping[str, Any]], of: int) -> Iterable[Any]:
    """The diagnostics with the tools that each is about, where it is not about all of them.

    What is so for the same tools is told at the first place only.
    """
    from dataclasses import replace

    told: set[Any] = set()
    for by_tool in found:
        tools, first = list(by_tool), next(iter(by_tool.values()))
        helps = list(dict.fromkeys(one.help for one in by_tool.values()))
        near = (one for one in helps if one.startswith("did you mean"))
        help_ = helps[0] if len(helps) == 1 else next(near, "")
        if len(tools) == of:
            yield replace(first, help=help_)
            continue
        if (key := (first.code, first.message, *tools)) in told:
            continue
        told.add(key)
        named = ", ".join(f"`{tool}`" for tool in tools[:3]) + (" and others" if len(tools) > 3 else "")
        help_ = f"{help_}; or {_NARROW}" if help_ else _NARROW
        yield replace(first, message=f"{first.message} (for the tool {named})", help=help_)


def read_conditions(
    part: Part, lets: Mapping[str, Parsed], environments: Mapping[str, Environment], report: Report
) -> tuple[Compiled | None, Compiled | None] | None:
    """The compiled `when` and `unless` of a part; None if one of them is wrong."""
    compiled: list[Compiled | None] = []
    fine = True
    for key in ("when", "unless"):
        if getattr(part, key) is None:
            compiled.append(None)
            continue
        expression = read_expression(part.where, (key,), lets, environments, report)
        fine = fine and expression is not None
        compiled.append(expression)
    return (compiled[0], compiled[1]) if fine else None


def possible(
    when: Condition | None, unless: Condition | None, known: Mapping[str, Any]
) -> frozenset[Outcome]:
    """What `(when) && !(unless)` can come to while only `known` is known."""
    true: frozenset[Outcome] = frozenset({Outcome.TRUE})
    false: frozenset[Outcome] = frozenset({Outcome.FALSE})
    first = true if when is None else outcomes(when.parsed, when.environment, known).booleans
    second = false if unless is None else outcomes(unless.parsed, unless.environment, known).booleans
    return frozenset(join(a, b) for a in first for b in second)


def listed(names: Iterable[str]) -> str:
    """Names in a sentence."""
    return ", ".join(sorted(names))
