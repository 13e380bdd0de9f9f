"""Texts that the shell reads as an item of an array: the command in such an index runs, quoted or not."""

from __future__ import annotations

from collections.abc import Iterator

from gateway.later import later

# `test -v 'a[$(id)]'`, `printf -v`, `read`, `let` and arithmetic take such texts. They are looked for without quotes,
# backslashes and line breaks, which may stand within a name; a variable may be any of them.
_EVALUATES = later(
    r"test|printf|let|read|declare|typeset|local|export|readonly|unset|getopts|wait|mapfile|eval|"
    r"\[\s|\[\[|\(\(|\$\[|\$\{|\$\w"
)
_WITHIN_NAMES = str.maketrans("", "", "'\"\\\n")
_OPENING = later(r"(['\"])[A-Za-z_]\w{0,80}\[")
# A field of `awk` is no command.
_COMMAND = later(r"\$\((?!NF\b|\d)|`")
_LONGEST = 400


def indices(text: str) -> Iterator[tuple[int, int]]:
    """Where a script has quoted texts that are items of arrays with a command as their index."""
    if "[" not in text or not _EVALUATES.search(text.translate(_WITHIN_NAMES)):
        return
    for opening in _OPENING.finditer(text):
        end = _command(text, opening.end(), opening[1])
        if end:
            yield opening.start(), end


def _command(text: str, start: int, quote: str) -> int:
    """Where a command begins in an index that starts here, with whatever brackets in it; 0 where there is none."""
    depth = 1
    for at in range(start, min(start + _LONGEST, len(text))):
        char = text[at]
        depth += (char == "[") - (char == "]")
        if depth == 0 or char in (quote, "\n"):
            return 0
        # What stands bare between double quotes is read as a substitution anyway.
        if char in "$`" and (quote == "'" or text[at - 1] == "\\") and (found := _COMMAND.match(text, at)):
            return found.end()
    return 0
