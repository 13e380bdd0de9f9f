"""For scripts and editors: one JSON object on one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gatewayctl.output import diagnostic_json, say_json

if TYPE_CHECKING:
    from gateway.diagnostic import Diagnostic


def say_found(found: Sequence[Diagnostic], *, ok: bool) -> None:
    """Print `{"ok": …, "diagnostics": […]}`."""
    say_json({"ok": ok, "diagnostics": [diagnostic_json(diagnostic) for diagnostic in found]})
