"""What a policy's settings have to do with the patterns that were held against a call."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gateway.call import ToolCall
    from gateway.decision import Decision, Effect
    from gateway.inspect.place import Conventions
    from gateway.policy import Policy
    from gateway.session import Session
    from gateway.testing import Loaded

_MOST = 100
"""So many protected names are tried."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A pattern that was held against a call: the effect that it is shipped with, and what settings add to it."""

    pattern: str
    effect: Effect
    shipped: Effect
    set_at: str
    """Where the settings change the effect; empty where they do not."""
    entries: tuple[str, ...]
    """The protected names without which it would not have been held against the call."""


def grounds(loaded: Loaded, call: ToolCall, session: Session, decision: Decision) -> Mapping[str, Ground]:
    """The patterns among what was held against a call, by their ids."""
    from gateway.decision import Code
    from gateway.patterns import PACKS, load_packs

    held = {f.rule: f for f in (*decision.findings, *decision.monitored) if f.code is Code.PATTERN and f.rule}
    if not held:
        return {}
    shipped = {pattern.id: pattern.effect for pattern in load_packs(PACKS)}
    names = _names(loaded, call, session)
    return {
        name: Ground(
            name,
            finding.effect,
            shipped[name],
            _set_at(loaded.policy, name),
            tuple(names.get(name, ())),
        )
        for name, finding in held.items()
        if name in shipped
    }


def _set_at(policy: Policy, name: str) -> str:
    settings = policy.settings
    return settings.where.key_span("patterns", name).place if name in settings.patterns else ""


def _names(loaded: Loaded, call: ToolCall, session: Session) -> Mapping[str, list[str]]:
    """The protected names by the patterns that hold only because of them: each is tried alone."""
    from gateway.inspect.place import Conventions

    settings = loaded.policy.settings
    artifacts = settings.artifacts
    tried = [
        *(("protected_paths", at, name) for at, name in enumerate(settings.protected_paths)),
        *(("protected_branches", at, name) for at, name in enumerate(settings.protected_branches)),
    ]
    found: dict[str, list[str]] = {}
    if not tried:
        return found
    without = set(_held(loaded, call, session, Conventions(artifacts)))
    for key, at, name in tried[:_MOST]:
        alone = (
            Conventions(artifacts, (name,))
            if key == "protected_paths"
            else Conventions(artifacts, (), (name,))
        )
        for pattern in _held(loaded, call, session, alone):
            if pattern not in without:
                place = settings.where.span(key, at).place
                found.setdefault(pattern, []).append(f"`{name}` in `settings.{key}` ({place})")
    return found


def _held(loaded: Loaded, call: ToolCall, session: Session, conventions: Conventions) -> Iterator[str]:
    """The ids of what would be held against the call if the deployment's conventions were these."""
    from gateway.facts import Facts
    from gateway.links import Links

    inspector = copy(loaded.compiled.engine.inspector())
    inspector.conventions = conventions
    engine = copy(loaded.compiled.engine)
    engine.inspector = lambda: inspector
    decision = engine.decide(call, session, Facts(loaded.clock(), Links()))
    yield from (f.rule for f in (*decision.findings, *decision.monitored) if f.rule is not None)
