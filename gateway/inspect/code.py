"""What a piece of code in a programming language would do, as far as its text tells."""

from __future__ import annotations

from dataclasses import replace

from gateway.frozen import frozen
from gateway.inspect.deed import Deed
from gateway.inspect.doubt import Doubt
from gateway.inspect.word import Word


@frozen
class Code:
    """What reading a piece of code found; all offsets are into the code's own text.

    `shells` are texts that it hands to a shell, `commands` argument lists that it runs without one, `queries` the
    SQL that it sends, each with what can't be known left as marks. The directory of a deed is as seen from where the
    code starts: `.` is that directory itself.
    """

    deeds: tuple[Deed, ...] = ()
    shells: tuple[Word, ...] = ()
    commands: tuple[tuple[Word, ...], ...] = ()
    queries: tuple[Word, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    written: tuple[tuple[str, str], ...] = ()
    """Files that hold a text afterwards which is known to its last character."""


def placed(code: Code, start: int, end: int) -> Code:
    """The same with one place for all of it, where the text that was read is not what stands there."""

    def word(one: Word) -> Word:
        return Word(one.value, start, end)

    return Code(
        tuple(replace(deed, start=start, end=end) for deed in code.deeds),
        tuple(word(one) for one in code.shells),
        tuple(tuple(word(one) for one in words) for words in code.commands),
        tuple(word(one) for one in code.queries),
        tuple(Doubt(doubt.reason, start, end) for doubt in code.doubts),
        code.written,
    )
