"""A quick look at long texts: whether they hold no word at all that could matter, as large INSERTs do."""

from __future__ import annotations

import re

from gateway.inspect.sql.kinds import SqlKind
from gateway.inspect.sql.words import (
    ADMIN_CALLS,
    ADMIN_VERBS,
    OS_CALLS,
    TABLE_CALLS,
    TEXT_CALLS,
    VERBS,
    WRITE_CALLS,
)
from gateway.later import later

_ORDINARY_WORDS = """
SELECT INSERT VALUES WITH SHOW BEGIN COMMIT DESC LIST SET
"""
_ORDINARY = frozenset(_ORDINARY_WORDS.split())
_RISKS = (
    VERBS | OS_CALLS | ADMIN_CALLS | WRITE_CALLS | TABLE_CALLS | TEXT_CALLS | ADMIN_VERBS.keys()
) - _ORDINARY
_MORE_WORDS = """
OUTFILE DUMPFILE OVERWRITE INTO PROGRAM GLOBAL PERSIST PASSWORD ROLE AUTHORIZATION
"""
_MORE = frozenset(_MORE_WORDS.split())
_WORDS = later(r"[^\W\d]\w*")
_PROCEDURES = ("XP_", "SP_", "UTL_", "DBMS_", "LIB_", "PG_", "SQLITE_")
_MARKS = later(r"[\\$@#\ue000]|!!|^\.", re.MULTILINE)


def harmless(text: str) -> SqlKind | None:
    """The kind of a text that only reads, or adds rows; None where it has to be read."""
    words = [word.upper() for word in _WORDS.findall(text)]
    first = words[0] if words else ""
    if first not in ("SELECT", "INSERT", "WITH") or _MARKS.search(text):
        return None
    found = set(words)
    if not found.isdisjoint(_RISKS) or any(word.startswith(_PROCEDURES) for word in found):
        return None
    found &= _MORE
    if first == "INSERT":
        return SqlKind.WRITE if found <= {"INTO"} else None
    return SqlKind.READ if not found and "INSERT" not in words and "SET" not in words else None
