"""Code that a program is given as a text: analysed like a script of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.inspect.shell.invocation import Simple, Text
from gateway.inspect.word import UNKNOWN, Word, certain

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk


def run_text(walk: Walk, simple: Simple, texts: Text, word: Word, positional: Text | None = None) -> Text:
    """Analyse the possible texts of some code, which stands in a word, and tell what it prints."""
    printed: Text = (UNKNOWN,)
    for text in texts:
        if UNKNOWN in text and not certain(text).strip():
            walk.reading.doubt("the code that it runs is only known when it runs", simple.start, simple.end)
            continue
        scope = walk.scope.copy()
        scope.positional = positional
        place = (simple.start, simple.end)
        printed = walk.read(text, walk.script.find(text, word.start, word.end), place, scope)
    return printed


def run_stdin(walk: Walk, simple: Simple, texts: Text | None) -> Text:
    """Analyse what a shell reads from its input, if anything is fed into it."""
    if texts is None:
        return (UNKNOWN,)
    return run_text(walk, simple, texts, Word("", simple.start, simple.end))
