"""Code that a program is given as a text: analysed like a script of its own."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from gateway.inspect.options import bind, options
from gateway.inspect.shell.invocation import Simple, Text
from gateway.inspect.word import UNKNOWN, Word, certain

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

# What stands before the command in `exec=…`, `ProxyCommand=…`.
_KEY = re.compile(r"(?:exec|ProxyCommand|LocalCommand|KnownHostsCommand)\s*[= ]\s*", re.IGNORECASE)


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
        base = walk.script.find(text, word.start, word.end)
        printed = walk.read(text, base, place, scope, simple.stdin)
    return printed


def run_named(walk: Walk, simple: Simple, word: Word) -> None:
    """Analyse a command that an option, a setting or a variable names; an unknown one is the user's own."""
    if certain(word.value).strip():
        run_text(walk, simple, (word.value,), word)


def run_options(walk: Walk, simple: Simple, known: str, words: tuple[Word, ...]) -> None:
    """Analyse the commands that some options give, whatever other options stand between them."""
    if not known:
        return
    table = options(known)
    for name, values in bind(table, words).flags.items():
        for word in values if name in table.arity else ():
            run_named(walk, simple, replace(word, value=_KEY.sub("", word.value)))


def run_stdin(walk: Walk, simple: Simple, texts: Text | None) -> Text:
    """Analyse what a shell reads from its input, if anything is fed into it."""
    if texts is None:
        return (UNKNOWN,)
    # The code is the input, so that nothing is left for the commands in it to read.
    return run_text(walk, replace(simple, stdin=None), texts, Word("", simple.start, simple.end))
