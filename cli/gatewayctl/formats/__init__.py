"""How `gatewayctl lint` and `gatewayctl test` print what they find: one format a file, named here.

A format is a module with `say_found`, which prints all diagnostics at once; `ok` is the outcome that the exit code
says, too. Errors that keep a policy from loading are diagnostics like the others.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gateway.diagnostic import Diagnostic

FORMATS = (
    "text",
    "json",
    "sarif",
    "github",
)
"""The names that `--format` takes, and the modules that print so."""
FOR_PEOPLE = frozenset(("text", "github"))
"""The formats behind which people read further lines."""


class FindingsFormat(Protocol):
    """What the module of a format has."""

    def say_found(self, found: Sequence[Diagnostic], *, ok: bool) -> None:
        """Print the diagnostics."""


def findings_format(name: str) -> FindingsFormat:
    """The format of a name."""
    return cast("FindingsFormat", import_module(f"{__name__}.{name}"))
