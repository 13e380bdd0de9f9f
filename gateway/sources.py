"""Where policies are read from, and what comes of them: the way from files to an engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic, PolicyError

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy


@dataclass(frozen=True, slots=True)
class Assembled:
    """A policy as written, and compiled."""

    policy: Policy
    compiled: Compiled


@dataclass(frozen=True, slots=True)
class Sources:
    """The policies that are trusted most, and lower layers that may only make them stricter."""

    policies: Path
    lower: tuple[Path, ...] = ()

    def assemble(self) -> Assembled:
        """Everything that is written there, whole or not at all (`PolicyError`)."""
        from gateway.compile import compile_policy
        from gateway.guarded import guard_for
        from gateway.load import load_policy

        policy = load_policy(self.policies, lower=self.lower)
        return Assembled(policy, compile_policy(policy, guard_for(self.policies, *self.lower)))


def sources_of(policies: str | Path, *lower: str | Path | None) -> Sources:
    """The sources at some paths; a lower layer that is None is not there."""
    if not str(policies):
        raise PolicyError([Diagnostic("no-path", "the path of the policies is empty")])
    given: Sequence[str | Path] = [layer for layer in lower if layer is not None]
    return Sources(Path(policies), tuple(map(Path, given)))
