"""All mutants of a policy, in the order of its sections."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.mutation import catalogue, parts
from gateway.mutation.mutant import Mutant, World

if TYPE_CHECKING:
    from gateway.testing.loaded import Loaded

_SECTIONS = (
    catalogue.settings,
    catalogue.agents,
    catalogue.tools,
    parts.arguments,
    parts.rules,
    parts.limits,
    parts.results,
    catalogue.overrides,
)


def mutants(loaded: Loaded) -> Iterator[Mutant]:
    """Every change that is tried: none of them is the policy itself in other words, as far as that is seen."""
    world = World(loaded)
    for section in _SECTIONS:
        yield from section(world)
