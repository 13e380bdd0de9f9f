"""The engines that are measured: one file each, named here.

A file has `ready`, which makes the engine for a policy. What can be worked out before a call is worked out there or in
`prepare`, outside of what is timed. An engine that is not installed raises `ImportError` there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, cast

from tests.benchmarks.workload import Call, Effect, Policy

ENGINES = {
    "gatewayctl": "ours",
    "if chain": "if_chain",
    "cedarpy": "cedar",
    "regorus": "rego",
    "agent-os-kernel": "agent_os_kernel",
    "cel-python": "cel_python",
}
"""The names that are printed, and the modules."""
OURS, IF_CHAIN = "gatewayctl", "if chain"


@dataclass(frozen=True, slots=True)
class Ready:
    """An engine with a policy: `ask` is what is timed, with what `prepare` makes of a call."""

    ask: Callable[..., Any]
    prepare: Callable[[Call], tuple[Any, ...]]
    effect: Callable[[Any], Effect]


class EngineFile(Protocol):
    """What the module of an engine has."""

    def ready(self, policy: Policy) -> Ready:
        """The engine with a policy."""


def engine(name: str) -> EngineFile:
    """The engine of a name."""
    return cast("EngineFile", import_module(f"{__name__}.{ENGINES[name]}"))
