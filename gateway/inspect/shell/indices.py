"""Texts that the shell reads as an item of an array: the command in such an index runs, quoted or not."""

from __future__ import annotations

from collections.abc import Iterator

from gateway.later import later

# `test -v 'a[$(id)]'`, `printf -v`, `read`, `let` and arithmetic take such texts. A field of `awk` is none.
_INDEX = later(r"""'\w{1,80}\[[^'\n]{0,400}?(?:\$\((?!NF\b|\d)|`)|"\w{1,80}\[[^"\n]{0,400}?\\(?:\$\(|`)""")


def indices(text: str) -> Iterator[tuple[int, int]]:
    """Where a script has quoted texts that are items of arrays with a command as their index."""
    return (match.span() for match in _INDEX.finditer(text)) if "[" in text else iter(())
