"""Code that a program is given as a text: analysed like a script of its own."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from gateway.inspect.deed import Deed, Does, Origin
from gateway.inspect.options import bind, options
from gateway.inspect.shell.invocation import Simple, Text
from gateway.inspect.word import DECODED, NETWORK, UNKNOWN, Word, certain, holed
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

# What stands before the command in `exec=…`, `ProxyCommand=…`.
_KEY = later(
    r"(?:exec|ProxyCommand|LocalCommand|KnownHostsCommand|(?:DPkg|APT)::[\w:-]+)\s*[= ]\s*", re.IGNORECASE
)
_FROM = {NETWORK: Origin.NETWORK, DECODED: Origin.DECODED}
_GIVEN_FILES = frozenset(("pre",))


def run_text(walk: Walk, simple: Simple, texts: Text, word: Word, positional: Text | None = None) -> Text:
    """Analyse the possible texts of some code, which stands in a word, and tell what it prints."""
    printed: Text = (UNKNOWN,)
    for text in texts:
        if holed(text) and not certain(text).strip():
            came_from(walk, simple, text)
            walk.reading.doubt("the code that it runs is only known when it runs", simple.start, simple.end)
            continue
        scope = walk.scope.copy()
        scope.positional = positional
        place = (simple.start, simple.end)
        base = walk.script.find(text, word.start, word.end)
        printed = walk.read(text, base, place, scope, simple.stdin)
    return printed


def came_from(walk: Walk, simple: Simple, text: str) -> None:
    """Record that what runs comes from elsewhere, where that is known."""
    for mark, origin in _FROM.items():
        if mark in text:
            deed = Deed(Does.EXEC, "", simple.start, simple.end, walk.scope.cwd, origin=origin)
            walk.reading.deeds.append(deed)


def run_named(walk: Walk, simple: Simple, word: Word) -> None:
    """Analyse a command that an option, a setting or a variable names; an unknown one is the user's own."""
    if certain(word.value).strip():
        run_text(walk, simple, (word.value,), word)
    else:
        came_from(walk, simple, word.value)


def run_options(walk: Walk, simple: Simple, known: str, words: tuple[Word, ...]) -> None:
    """Analyse the commands that some options give, whatever other options stand between them."""
    if not known:
        return
    table = options(known)
    for name, values in bind(table, words).flags.items():
        for word in values if name in table.arity else ():
            text = _KEY.sub("", word.value)
            # Programs add the names of files.
            run_named(
                walk, simple, replace(word, value=f"{text} {UNKNOWN}" if name in _GIVEN_FILES else text)
            )


def run_stdin(walk: Walk, simple: Simple, texts: Text | None) -> Text:
    """Analyse what a shell reads from its input, if anything is fed into it."""
    if texts is None:
        return (UNKNOWN,)
    # The code is the input, so that nothing is left for the commands in it to read.
    return run_text(walk, replace(simple, stdin=None), texts, Word("", simple.start, simple.end))
