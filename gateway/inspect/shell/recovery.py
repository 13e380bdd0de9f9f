"""Lines that the parser could not read, read with a plainer grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.inspect.shell.interpreter import foreign_line
from gateway.inspect.shell.invocation import Simple
from gateway.inspect.shell.parse import errors
from gateway.inspect.shell.tokens import commands, triggers

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk


def recover(walk: Walk) -> None:
    """Read the lines that the parser could not with the plainest grammar, and doubt what is left."""
    done = 0
    for start, end in sorted(errors(walk.script)):
        first = max(walk.script.text.rfind("\n", 0, start) + 1, done)
        last = walk.script.text.find("\n", end)
        done = last = len(walk.script.text) if last < 0 else last
        if first >= last:
            continue
        foreign_line(walk, first, last)
        for spans in commands(walk.script.text, first, last):
            place = walk.script.place(spans[0][0], spans[-1][1])
            words = tuple(word for span in spans for word in walk.word(span))
            walk.execute(Simple(words, (), None, *place))
        if triggers(walk.script.text[first:last]):
            walk.reading.doubt("its grammar can't be read", *walk.script.place(first, last))
