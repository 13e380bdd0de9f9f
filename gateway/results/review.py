"""What became of a result: what goes back to the model, and what the host keeps."""

from __future__ import annotations

from typing import Any

from gateway.decision import Code
from gateway.frozen import frozen


@frozen
class Blanked:
    """Something that was blanked out: the entry (or `x-sensitive`), what it asked for, how often; never a value."""

    entry: str
    what: str
    count: int

    def __str__(self) -> str:
        times = "" if self.count == 1 else f" ({self.count} times)"
        return f"{self.entry}: {self.what}{times}"


@frozen
class Problem:
    """What is odd about a result and withholds nothing: it breaks its tool's contract, or a part of it is missing."""

    kind: str
    message: str


@frozen
class Review:
    """A result as it may be shown. Nothing in it holds a value that was blanked out.

    `text` is what the model gets where results are texts: fenced, bounded and redacted. `result` has the structure
    of the result itself, redacted and bounded, for hosts that pass structures on. `full` is redacted and not cut, for
    the host's own screens and for hosts that have bounds of their own. `message` speaks to the model, `detail` to the
    operator.
    """

    id: str
    tool: str
    call_id: str
    code: Code
    text: str
    result: Any
    full: Any
    is_error: bool = False
    truncated: bool = False
    changed: bool = False
    redacted: tuple[Blanked, ...] = ()
    findings: tuple[Problem, ...] = ()
    message: str = ""
    detail: str = ""

    @property
    def withheld(self) -> bool:
        """Whether nothing of the result is shown."""
        return self.code is not Code.REVIEWED

    def __bool__(self) -> bool:
        raise TypeError("a review is neither true nor false; ask `review.withheld` or `review.is_error`")
