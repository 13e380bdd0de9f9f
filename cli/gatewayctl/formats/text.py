"""For people: each place with its line and the characters underlined, and how many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gatewayctl.output import say, say_diagnostics
from gatewayctl.wording import counted

if TYPE_CHECKING:
    from gateway.diagnostic import Diagnostic


def say_found(found: Sequence[Diagnostic], *, ok: bool) -> None:
    """Print them with an empty line after each; the last line counts them."""
    from gateway.diagnostic import Severity

    say_diagnostics(found)
    count = Counter(diagnostic.severity for diagnostic in found)
    say(", ".join(counted(count[severity], severity.value) for severity in Severity))
