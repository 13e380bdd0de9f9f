"""The tables that statements name."""

from __future__ import annotations

from collections.abc import Iterator

from gateway.inspect.sql.cut import Tokens, word
from gateway.inspect.sql.rows import named

_BEFORE = frozenset(
    (
        "FROM",
        "JOIN",
        "INTO",
        "UPDATE",
        "TABLE",
        "TABLES",
        "USING",
        "TRUNCATE",
        "OVERWRITE",
        "ONLY",
        "COPY",
        "EXISTS",
    )
)
_SKIPPED_WORDS = """
IF NOT EXISTS ONLY TABLE LATERAL LOW_PRIORITY IGNORE INTO FROM CONCURRENTLY OVERWRITE LOCAL
"""
_SKIPPED = frozenset(_SKIPPED_WORDS.split())
_NO_TABLES_WORDS = """
SELECT VALUES WHERE SET ON AS STDIN STDOUT OUTFILE DUMPFILE PROGRAM UNNEST JSON_TABLE BTREE HASH GIN GIST  OF NOWAIT
SKIP CASCADE RESTRICT TOP FUNCTION DEFAULT
"""
_NO_TABLES = frozenset(_NO_TABLES_WORDS.split())
_TEXT_CALLS_WORDS = """
EXTRACT SUBSTRING TRIM OVERLAY POSITION SUBSTR
"""
_TEXT_CALLS = frozenset(_TEXT_CALLS_WORDS.split())
_MORE = frozenset(("FROM", "USING", "TABLE", "TABLES", "TRUNCATE"))


def tables(piece: Tokens) -> Iterator[str]:
    """The tables of a piece, without those that it defines itself in WITH."""
    own = {
        piece[i].name.lower()
        for i in range(len(piece) - 1)
        if piece[i].name and (_defines(piece, i) or (word(piece, i + 1) == "(" and _lists(piece, i)))
    }
    for i in range(len(piece)):
        if word(piece, i) not in _BEFORE or _in_call(piece, i):
            continue
        if word(piece, i) == "UPDATE" and word(piece, i - 1) in ("FOR", "ON", "KEY", "DO", "THEN"):
            continue
        if word(piece, i) == "EXISTS" and word(piece, 0) not in ("DROP", "CREATE", "ALTER"):
            continue
        at = i + 1
        while word(piece, at) in _SKIPPED:
            at += 1
        while at < len(piece) and piece[at].kind in ("word", "name") and word(piece, at) not in _NO_TABLES:
            name, after = named(piece, at)
            called = word(piece, after) == "(" and word(piece, i) in ("FROM", "JOIN", "USING")
            if not called and name.lower() not in own:
                yield name
            if word(piece, i) not in _MORE or called:
                break
            # More follow after a comma, each perhaps with another name.
            while word(piece, after) == "AS" or (
                after < len(piece) and piece[after].kind in ("word", "name") and word(piece, after + 1) == ","
            ):
                after += 1
            if word(piece, after) != ",":
                break
            at = after + 1


def _defines(piece: Tokens, i: int) -> bool:
    if word(piece, i - 1) not in ("WITH", "RECURSIVE", ","):
        return False
    at = i + 1
    if word(piece, at) != "AS":
        return False
    at += 1
    while word(piece, at) in ("NOT", "MATERIALIZED"):
        at += 1
    return word(piece, at) == "("


def _lists(piece: Tokens, i: int) -> bool:
    """A name in WITH with its columns."""
    return word(piece, i - 1) in ("WITH", "RECURSIVE")


def _in_call(piece: Tokens, i: int) -> bool:
    """Whether FROM belongs to a function such as `extract(day from x)`."""
    if word(piece, i) != "FROM":
        return False
    if word(piece, i - 1) == "DISTINCT" and word(piece, i - 2) in ("IS", "NOT"):
        return True
    depth = 0
    for k in range(i - 1, max(-1, i - 40), -1):
        text = word(piece, k)
        depth += (text == ")") - (text == "(")
        if depth < 0:
            return word(piece, k - 1) in _TEXT_CALLS
    return False
