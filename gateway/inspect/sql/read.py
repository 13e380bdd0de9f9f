"""What the statements of an SQL text would do: strings, comments and names do nothing.

Tokens tell nearly all of it. The parser of conditions is loaded only when rows are changed under a condition that is
not plainly one on a column.
"""

from __future__ import annotations

from typing import Literal

from gateway.frozen import frozen
from gateway.inspect.sql.calls import only_computes
from gateway.inspect.sql.cut import TooMuch, pieces
from gateway.inspect.sql.gate import harmless
from gateway.inspect.sql.judge import Budget, Judge
from gateway.inspect.sql.kinds import SqlKind, Statement
from gateway.inspect.sql.lexer import tokens, views
from gateway.inspect.sql.tables import tables
from gateway.inspect.word import marked

MAX_SQL = 64 * 1024
TOO_LONG = "the SQL is too long to be analysed"
_SHORT = 4096
_OPEN = frozenset((SqlKind.UNREADABLE, SqlKind.DYNAMIC))


@frozen
class SqlFacts:
    """What a text of SQL comes to, for conditions that authors write.

    `writes` is false only where every statement is known and none does more than read.
    """

    writes: bool
    kinds: tuple[str, ...]
    tables: tuple[str, ...]
    analysis: Literal["exact", "partial", "unparsed"]


def statements(text: str, dialect: str | None) -> tuple[Statement, ...]:
    """The statements of a text, in the strictest reading when the dialect is not known."""
    return _read(text, dialect)[0]


def facts(text: str, dialect: str | None) -> SqlFacts:
    """What the statements of a text do, and the tables that they name."""
    found, exact = _read(text, dialect)
    writes = not exact
    calls = True
    kinds = tuple(sorted({statement.kind.value for statement in found}))
    names: dict[str, None] = {}
    if any(statement.target == TOO_LONG for statement in found):
        return SqlFacts(True, kinds, (), "unparsed")
    try:
        for view in views((dialect or "").lower()):
            for piece in pieces(tokens(text, view)):
                names.update(dict.fromkeys(tables(piece)))
                calls = calls and only_computes(piece)
    except TooMuch:
        exact = False
    whole = exact and not marked(text) and all(s.kind not in _OPEN for s in found)
    writes = writes or not calls or any(s.kind is not SqlKind.READ for s in found)
    return SqlFacts(writes, kinds, tuple(names), "exact" if whole else "partial")


def _read(text: str, dialect: str | None) -> tuple[tuple[Statement, ...], bool]:
    """The statements, and whether each begins with a word that is known."""
    if len(text) > MAX_SQL:
        return (Statement(SqlKind.UNREADABLE, TOO_LONG, 0, len(text)),), False
    if len(text) > _SHORT and (kind := harmless(text)) is not None:
        return (Statement(kind, "", 0, len(text)),), True
    name = (dialect or "").lower()
    made: dict[Statement, None] = {}
    known = False
    for view in views(name):
        judge = Judge(view, name, Budget())
        try:
            made.update(dict.fromkeys(judge.run(text, 0)))
        except (TooMuch, RecursionError):
            made[Statement(SqlKind.UNREADABLE, TOO_LONG, 0, len(text))] = None
        # What one server can't read is no statement to it; another may.
        known = known or not judge.unknown
    return tuple(made), known
