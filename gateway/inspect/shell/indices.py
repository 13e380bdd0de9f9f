"""Texts that the shell reads as an item of an array: the command in such an index runs, quoted or not."""

from __future__ import annotations

from collections.abc import Iterator

from gateway.later import later

# A field of `awk` is none.
_INDEX = later(
    r"""'[A-Za-z_]\w{0,80}\[[^'\]\n]{0,400}?(?:\$\((?!NF\b|\d)|`)|"[A-Za-z_]\w{0,80}\[[^"\]\n]{0,400}?\\(?:\$\(|`)"""
)
_EVALUATES = later(
    r"(?:test|printf|\[)\s[^\n]*-(?:v|eq|ne|lt|le|gt|ge)\b|\(\(|\$\[|"
    r"(?:^|[;&|({\s])(?:let|read|declare|typeset|local|export|readonly|unset|mapfile|readarray|getopts|wait)\s"
)


def indices(text: str) -> Iterator[tuple[int, int]]:
    """Where a script has quoted texts that are items of arrays with a command as their index."""
    if "[" not in text or not _EVALUATES.search(text):
        return iter(())
    return (match.span() for match in _INDEX.finditer(text))
