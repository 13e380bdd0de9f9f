"""The patterns of dangerous commands that are in force, and why the others are not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from gateway.compile.report import Report
from gateway.decision import Effect
from gateway.inspect.classes import HOLDS_PROTECTED, PROTECTED
from gateway.inspect.found_in import found_in
from gateway.inspect.kind import Kind
from gateway.inspect.pattern import Operand, Pattern, parts
from gateway.patterns import PACKS, load_packs
from gateway.policy import PatternEffect

if TYPE_CHECKING:
    from gateway.policy import Policy


@dataclass(frozen=True)
class InForce:
    """The patterns that are in force; `unsure` says that a misspelt pack leaves open which these are."""

    patterns: tuple[Pattern, ...]
    packs: tuple[str, ...]
    off: frozenset[str]
    unsure: bool

    @cached_property
    def ids(self) -> frozenset[str]:
        """Their ids."""
        return frozenset(pattern.id for pattern in self.patterns)

    @cached_property
    def kinds(self) -> Mapping[str, frozenset[Kind]]:
        """The kinds of arguments in which each of them may be found."""
        return {pattern.id: found_in(pattern) for pattern in self.patterns}

    @cached_property
    def missing(self) -> Mapping[str, str]:
        """For the id of each pattern that is not in force, and for each pack, why it finds nothing."""
        reasons = {
            pattern.id: self._why(pattern) for pattern in load_packs(PACKS) if pattern.id not in self.ids
        }
        return {**{pack: f"`{pack}` is a pack: write the id of a pattern" for pack in PACKS}, **reasons}

    def _why(self, pattern: Pattern) -> str:
        if pattern.id in self.off:
            return f"`{pattern.id}` is `off` in `settings.patterns`"
        return f"`{pattern.id}` is in the pack `{pattern.pack}`, which is off"

    def lacking(self, reads: Callable[[Pattern], bool]) -> str:
        """How one of the patterns that `reads` tells comes into force; nothing if one is, or if that is not known."""
        if self.unsure or any(map(reads, self.patterns)):
            return ""
        wanted = [pattern for pattern in load_packs(PACKS) if reads(pattern)]
        off = [pattern.id for pattern in wanted if pattern.id in self.off and pattern.pack in self.packs]
        if off:
            return f"it needs {listed(off)}, which `patterns` turns off"
        return f"it needs the pack {listed(dict.fromkeys(pattern.pack for pattern in wanted))}, which is off"


def listed(names: Iterable[str]) -> str:
    """Names of which one is enough, in a sentence."""
    return " or ".join(f"`{name}`" for name in names)


def in_force(policy: Policy, report: Report) -> InForce:
    """The patterns of the packs that are on, with the effects that the settings give them."""
    settings = policy.settings
    wanted = packs(policy)
    known = [pack for pack in wanted if pack in PACKS]
    for index, pack in enumerate(wanted):
        if pack in PACKS:
            continue
        report.unknown("pack", pack, settings.where.span("packs", index), PACKS)
    unsure = len(known) < len(wanted)
    chosen = settings.patterns
    off = frozenset(name for name, effect in chosen.items() if effect is PatternEffect.OFF)
    loaded = load_packs(known)
    _check_chosen(policy, InForce(loaded, tuple(known), frozenset(), unsure), report)
    force = InForce(tuple(_as_set(loaded, chosen)), tuple(known), off, unsure)
    for key, reads in READ_BY.items():
        if getattr(settings, key) and (lacking := force.lacking(reads)):
            span = settings.where.key_span(key)
            report.error("idle-setting", f"no pattern that is in force asks for `{key}`", span, lacking)
    return force


_CLASSES = frozenset((PROTECTED, HOLDS_PROTECTED))


def _reads_paths(pattern: Pattern) -> bool:
    return any(not _CLASSES.isdisjoint(getattr(part, "classes", ())) for part in parts(pattern.match))


def _reads_branches(pattern: Pattern) -> bool:
    return any(isinstance(part, Operand) and part.branches for part in parts(pattern.match))


READ_BY: Mapping[str, Callable[[Pattern], bool]] = {
    "protected_paths": _reads_paths,
    "protected_branches": _reads_branches,
}
"""The settings that do nothing by themselves, and which patterns ask for them."""


def packs(policy: Policy) -> tuple[str, ...]:
    """The packs that are on: all of them unless the settings name some."""
    return policy.settings.packs if policy.settings.given("packs") else tuple(PACKS)


def _check_chosen(policy: Policy, loaded: InForce, report: Report) -> None:
    """Report what `settings.patterns` names in vain."""
    known = [pattern.id for pattern in load_packs(PACKS)]
    for name in policy.settings.patterns:
        span = policy.settings.where.key_span("patterns", name)
        if name in PACKS:
            help_ = (
                f"each pattern is named by its id, such as `{_first(name)}`; `packs` says which packs are on"
            )
            report.error("unknown-name", f"`{name}` is a pack, not a pattern", span, help_)
        elif name not in known:
            report.unknown("pattern", name, span, known)
        elif name not in loaded.ids and not loaded.unsure:
            report.error(
                "idle-pattern",
                f"the pattern `{name}` is in a pack that is off",
                span,
                "remove it, or name the pack",
            )


def _first(pack: str) -> str:
    return load_packs([pack])[0].id


def _as_set(patterns: Iterable[Pattern], chosen: Mapping[str, PatternEffect]) -> Iterator[Pattern]:
    for pattern in patterns:
        effect = chosen.get(pattern.id)
        if effect is None:
            yield pattern
        elif effect is not PatternEffect.OFF:
            yield replace(pattern, effect=Effect(effect.value))
