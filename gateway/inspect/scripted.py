"""Programs with small languages of their own, and the files that their scripts write: awk, sed, SQL clients."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from gateway.inspect.deed import Deed, Does, deed
from gateway.inspect.options import Bound
from gateway.inspect.shell.invocation import Invocation
from gateway.inspect.word import Word
from gateway.later import later

_LONGEST = 4096
_PRINTS = later(
    r"""\bprint(?:f\b|\b)[^;{}\n>]*>>?\s*\(?\s*
    (?:"(?P<file>[^"\n]+)"|ENVIRON\["HOME"\]\s*"(?P<home>[^"\n]+)"|(?P<name>[A-Za-z_]\w*))""",
    re.VERBOSE,
)
_INPUTS = ("ARGV", "FILENAME")
# `w FILE` as a command of its own, behind an address, or behind `s/a/b/`.
_WRITES = later(r"(?:\A|[\n;{}!$\d/|#,\s]|[/|#,][gpiIMm\d]+)[wW][ \t]+([^\n]+)")
_SAVES = later(
    r"""^\s*\.(?:once|output|backup|clone|save|log|trace)\s+(?P<lite>[^\n]+)|\\(?:o|g|w|out|write)\s+(?P<psql>[^\s|;]+)
    |(?:\\T|^\s*tee)\s+(?P<mysql>[^\s;]+)""",
    re.VERBOSE | re.MULTILINE,
)


def _written(path: str, word: Word, invocation: Invocation) -> Deed:
    return deed(Does.OVERWRITE, Word(path, word.start, word.end), invocation.cwd)


def _awk(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`gawk -i inplace` writes back what it reads, and a script can print to files, the ones that it reads too."""
    own = not {"file", "source", "exec"}.isdisjoint(bound.flags)
    operands = bound.operands if own else bound.operands[1:]
    given = dict(word.value.split("=", 1) for word in bound.flags.get("assign", ()) if "=" in word.value)
    inputs = any(word.value == "inplace" for word in bound.flags.get("include", ()))
    for word in (*bound.flags.get("source", ()), *(() if own else bound.operands[:1])):
        for found in _PRINTS.finditer(word.value[:_LONGEST]):
            name = found["name"] or ""
            inputs = inputs or name in _INPUTS
            path = given.get(name) or found["file"] or (f"~{found['home']}" if found["home"] else "")
            if path:
                yield _written(path, word, invocation)
    for word in operands if inputs else ():
        yield deed(Does.OVERWRITE, word, invocation.cwd)


def _sed(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """The files that `w` names in a script."""
    scripts = bound.flags.get("expression", ()) or (
        () if "file" in bound.flags else tuple(word for word in bound.operands if word.value)[:1]
    )
    for word in scripts:
        for found in _WRITES.finditer(word.value[:_LONGEST]):
            yield _written(found[1].strip(), word, invocation)


def _client(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """The files that a client's own commands write what it prints to, or a whole database."""
    place = (invocation.start, invocation.end)
    words = [*invocation.words, *(Word(text, *place) for text in invocation.stdin or ())]
    for word in words:
        for found in _SAVES.finditer(word.value[:_LONGEST]):
            text = found[found.lastgroup or 0]
            # The name of a database can stand in front.
            for part in text.split() if found["lite"] else (text,):
                if not part.startswith(("-", "|")):
                    yield _written(part.strip("'\""), word, invocation)


SCRIPTED_DEEDS: Mapping[str, Callable[[Bound, Invocation], Iterable[Deed]]] = MappingProxyType(
    {
        **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _awk),
        "sed": _sed,
        **dict.fromkeys(("sqlite3", "litecli", "duckdb", "psql", "mysql"), _client),
    }
)
"""What each such program does."""
