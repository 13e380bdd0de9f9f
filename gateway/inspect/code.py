"""What a piece of code in a programming language would do, as far as its text tells."""

from __future__ import annotations

from gateway.frozen import frozen
from gateway.inspect.deed import Deed
from gateway.inspect.doubt import Doubt
from gateway.inspect.word import Word


@frozen
class Code:
    """What reading a piece of code found; all offsets are into the code's own text.

    `shells` are texts that it hands to a shell, `commands` argument lists that it runs without one, `queries` the
    SQL that it sends, each with what can't be known left as marks.
    """

    deeds: tuple[Deed, ...] = ()
    shells: tuple[Word, ...] = ()
    commands: tuple[tuple[Word, ...], ...] = ()
    queries: tuple[Word, ...] = ()
    doubts: tuple[Doubt, ...] = ()
