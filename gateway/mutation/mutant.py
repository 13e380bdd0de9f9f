"""A policy with one thing changed, and how it is made from the compiled one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from gateway.effective import Catalogue
from gateway.testing.targets import callable_tools

if TYPE_CHECKING:
    from gateway.diagnostic import Span
    from gateway.engine import Engine
    from gateway.plan import OverridePlan, ToolPlan
    from gateway.testing.loaded import Loaded

Part = tuple[str, str]
"""A kind of part and its name, as watchers note them."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of a policy; `make` gives the engine that decides with it."""

    id: str
    """Stays the same while the part that is changed does, such as `rule/large/effect:ask`."""
    place: Span
    change: str
    make: Callable[[], Engine]
    reach: frozenset[Part] | None = None
    """The parts of which a case must reach one to be able to notice; None where each case may."""
    rule: str = ""
    """The rule whose condition is changed: its examples may notice."""
    times: int = 1
    """How often a call has to come before the change can show."""


@dataclass(slots=True)
class World:
    """The compiled policy, and the tools that each rule, limit and entry is about."""

    loaded: Loaded
    by_part: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    """The plans of a part by tool, under the section of the tool's plan and the id."""

    open: frozenset[str] = frozenset()
    """The tools that some session can be let call."""

    def __post_init__(self) -> None:
        self.open = frozenset(callable_tools(self.loaded))
        for tool in self.engine.tools.values():
            for section in SECTIONS:
                for plan in getattr(tool, section):
                    self.by_part.setdefault((section, plan.id), {})[tool.name] = plan

    @property
    def engine(self) -> Engine:
        """What decides as the policy says."""
        return self.loaded.compiled.engine

    def plans(self, section: str, name: str) -> dict[str, Any]:
        """A part as it applies to each of its tools."""
        return self.by_part.get((section, name), {})

    def with_tools(self, tools: Mapping[str, ToolPlan]) -> Engine:
        """The engine with other plans of some tools."""
        known = self.engine.catalogue
        declared = {**known.declared, **tools}
        counted = frozenset(name for name, tool in declared.items() if tool.limits)
        return self.engine.varied(Catalogue(declared, known.overrides, counted))

    def with_overrides(self, overrides: Mapping[str, tuple[OverridePlan, ...]]) -> Engine:
        """The engine with other overrides."""
        known = self.engine.catalogue
        kept = {tenant: plans for tenant, plans in overrides.items() if plans}
        return self.engine.varied(Catalogue(known.declared, kept, known.counted))

    def with_part(self, section: str, name: str, change: Callable[[str, Any], Any | None]) -> Engine:
        """The engine with a part changed for each of its tools, or taken away where `change` gives None."""
        changed: dict[str, ToolPlan] = {}
        for tool in self.plans(section, name):
            plans: list[Any] = []
            for plan in getattr(self.engine.tools[tool], section):
                new = change(tool, plan) if plan.id == name else plan
                if new is not None:
                    plans.append(new)
            changed[tool] = with_section(self.engine.tools[tool], section, plans)
        return self.with_tools(changed)


SECTIONS = ("forced", "rules", "limits", "results")


def with_section(tool: ToolPlan, section: str, plans: Iterable[Any]) -> ToolPlan:
    """A tool with other rules, limits or entries."""
    changes: dict[str, Any] = {section: tuple(plans)}
    return replace(tool, **changes)


def about(tools: Collection[str]) -> frozenset[Part]:
    """What a case reaches that asks for one of some tools, or looks for it in a list."""
    return frozenset((kind, name) for kind in ("tools", "listed") for name in tools)
