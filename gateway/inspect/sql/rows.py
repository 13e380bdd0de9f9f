"""Statements that change rows: whether they take all rows of a table."""

from __future__ import annotations

import re

from gateway.inspect.sql.cut import Tokens, closing, word
from gateway.inspect.sql.kinds import SqlKind
from gateway.inspect.sql.lexer import Token
from gateway.inspect.word import UNKNOWN
from gateway.later import later

_MODIFIERS = frozenset(("LOW_PRIORITY", "QUICK", "IGNORE", "FROM", "ONLY", "HIGH_PRIORITY", "LAZY"))
_ENDS = frozenset(
    (
        "RETURNING",
        "ORDER",
        "LIMIT",
        "OPTION",
        "OUTPUT",
        "GROUP",
        "SETTINGS",
        "LOG",
        "WHEN",
        "RETURN",
        "FETCH",
        "IF",
    )
)
_LOOSE_JOINS = frozenset(("LEFT", "RIGHT", "FULL", "CROSS", "NATURAL", "OUTER"))
_NO_COLUMNS = frozenset(("NOT", "TRUE", "FALSE", "NULL", "EXISTS", "CASE", "UNKNOWN"))
_VALUES = frozenset(("string", "number", "variable"))
# Columns that may lie beyond a limit in each row.
_ORDERED = later(r"(?:id|key|pk|row|num|created|updated|inserted|modified|added)", re.IGNORECASE)
_FEW = 1000
_LONGEST_NAME = 20


def named(tokens: Tokens, i: int) -> tuple[str, int]:
    """The dotted name at an index, and the index after it."""
    name, at = "", i
    while at < min(len(tokens), i + _LONGEST_NAME):
        token = tokens[at]
        part = token.name or (
            token.text if token.kind in ("string", "number") or token.text == UNKNOWN else ""
        )
        if not part and token.text not in ("*", "@", "%"):
            break
        name, at = name + (part or token.text), at + 1
        if word(tokens, at) not in (".", "@", UNKNOWN) and not (
            at < len(tokens) and tokens[at].text == UNKNOWN
        ):
            break
        if word(tokens, at) in (".", "@"):
            name, at = name + tokens[at].text, at + 1
            while word(tokens, at) == ".":
                name, at = name + ".", at + 1
    return name.rstrip(".@"), at


def target(statement: Tokens) -> tuple[str, int]:
    """What DELETE or UPDATE acts on, and the index after it."""
    i = 1
    while word(statement, i) in _MODIFIERS or word(statement, i) in ("TOP", "("):
        if word(statement, i) in ("TOP", "("):
            at = i + 1 if word(statement, i) == "TOP" else i
            i = closing(statement, at) + 1 if word(statement, at) == "(" else at + 1
            if word(statement, i) == "PERCENT":
                i += 1
            continue
        i += 1
    return named(statement, i)


def source(statement: Tokens, name: str) -> str:
    """The table behind a name that may be an alias, as in `DELETE o FROM orders o`."""
    for i in range(1, len(statement)):
        if word(statement, i) in ("FROM", "JOIN", "USING", ",", "UPDATE"):
            table, after = named(statement, i + 1)
            after += word(statement, after) == "AS"
            if after < len(statement) and statement[after].name == name and table:
                return table
    return name


def taken(statement: Tokens, dialect: str, table: str) -> SqlKind:
    """Whether DELETE or UPDATE takes all rows, some, or what nobody can tell."""
    every = SqlKind.DELETE_ALL if statement[0].word == "DELETE" else SqlKind.UPDATE_ALL
    top = _top(statement)
    if _limited(statement):
        return SqlKind.WRITE
    where = next((i for i in top if word(statement, i) in ("WHERE", "PREWHERE")), None)
    if where is None:
        return SqlKind.WRITE if _joined(statement, top, dialect, table) else every
    end = next((i for i in top if i > where and word(statement, i) in _ENDS), len(statement))
    condition = statement[where + 1 : end]
    if _elsewhere(statement[:where], condition, table):
        return every
    return _judged(condition, dialect, table, every)


def _elsewhere(before: Tokens, condition: Tokens, table: str) -> bool:
    """Whether a condition speaks of another table only, which the statement joins with nothing."""
    words = [token.word for token in before]
    if "JOIN" in words or not ("USING" in words or (words[0] == "UPDATE" and "FROM" in words)):
        return False
    name, after = target(before)
    after += word(before, after) == "AS"
    alias = before[after].name if after < len(before) else ""
    own = {name.lower(), table.lower().rpartition(".")[2], name.lower().rpartition(".")[2], alias.lower()}
    qualifiers = {t.name.lower() for i, t in enumerate(condition) if t.name and word(condition, i + 1) == "."}
    plain = all(
        not t.name
        or t.word in ("AND", "OR", "NOT")
        or "." in (word(condition, i - 1), word(condition, i + 1))
        for i, t in enumerate(condition)
    )
    return bool(qualifiers) and plain and own.isdisjoint(qualifiers) and word(condition, 0) != "("


def on_all(condition: Tokens, dialect: str, table: str, every: SqlKind) -> SqlKind:
    """The kind of a change under a condition that stands elsewhere, as in ClickHouse or MERGE."""
    return _judged(condition, dialect, table, every)


def _judged(condition: Tokens, dialect: str, table: str, every: SqlKind) -> SqlKind:
    if not condition:
        return every
    if all(t.text in (UNKNOWN, "(", ")") for t in condition):
        return SqlKind.UNREADABLE
    if _plain(condition):
        return SqlKind.WRITE
    from gateway.inspect.sql.tree import always

    held = always(condition, dialect, table)
    if held is None:
        return SqlKind.UNREADABLE
    return every if held else SqlKind.WRITE


def _top(statement: Tokens) -> list[int]:
    """The indices that stand in no bracket."""
    made, depth = [], 0
    for i, token in enumerate(statement):
        if token.kind == "other":
            depth += (token.text == "(") - (token.text == ")")
        if depth == 0:
            made.append(i)
    return made


def _limited(statement: Tokens) -> bool:
    """Whether a small number of rows is all that it takes."""
    for i in _top(statement):
        if word(statement, i) in ("LIMIT", "TOP"):
            at = i + 2 if word(statement, i + 1) == "(" else i + 1
            given = statement[at].text if at < len(statement) else ""
            percent = "PERCENT" in (word(statement, at + 1), word(statement, at + 2))
            return given.isdigit() and int(given) <= _FEW and not percent
    return False


def _joined(statement: Tokens, top: list[int], dialect: str, table: str) -> bool:
    """Whether a join with another table holds rows back."""
    others = next((i for i in top if word(statement, i) in ("FROM", "USING") and i > 2), None)
    if others is not None and (statement[0].word == "UPDATE" or word(statement, others) == "USING"):
        own = {table.lower().rpartition(".")[2], target(statement)[0].lower()}
        if own.isdisjoint(t.name.lower() for t in statement[others:]):
            return False
    for i in top:
        if (
            word(statement, i) == "JOIN"
            and not {word(statement, i - 1), word(statement, i - 2)} & _LOOSE_JOINS
        ):
            on = next((k for k in top if k > i and word(statement, k) in ("ON", "USING")), None)
            if on is None:
                continue
            if word(statement, on) == "USING":
                return True
            stops = ("SET", "JOIN", "INNER", "LEFT", "OUTPUT")
            end = next((k for k in top if k > on and word(statement, k) in stops), len(statement))
            return _judged(statement[on + 1 : end], dialect, table, SqlKind.DELETE_ALL) is SqlKind.WRITE
    return False


def _plain(condition: Tokens) -> bool:
    """Whether one of the parts that must all hold compares a column with a value: then most rows stay."""
    top = set(_top(condition))
    if any(word(condition, i) in ("OR", "XOR", "||", "UNION", "SELECT") for i in top):
        return False
    parts: list[list[int]] = [[]]
    for i in range(len(condition)):
        if i in top and word(condition, i) == "AND":
            parts.append([])
        else:
            parts[-1].append(i)
    return any(_compares([condition[i] for i in part]) for part in parts)


def _compares(part: list[Token]) -> bool:
    """Whether a part compares a column with a value, so that rows stay."""
    denied = word(part, 0) == "NOT"
    part = part[1:] if denied else part
    name, at = named(part, 0)
    if not name or part[0].kind not in ("word", "name") or word(part, 0) in _NO_COLUMNS:
        return False
    rest = part[at:]
    if not rest:
        return denied or (_ORDERED.search(name) is None and not name.isdigit())
    if denied:
        return False
    if word(part, 0) == "CURRENT" and word(part, 1) == "OF":
        return True
    operator = rest[0].text.upper()
    if operator == "=":
        return _is_value(rest[1:]) or _other_column(name, rest[1:])
    if operator == "IS":
        return [t.word for t in rest[1:]] == ["NULL"]
    if operator == "LIKE":
        return len(rest) == 2 and rest[1].kind == "string" and any(c.isalnum() for c in rest[1].text)
    if operator in ("<", ">", "<=", ">=", "<>", "!="):
        return _ORDERED.search(name) is None and _is_value(rest[1:])
    if operator == "IN" and word(rest, 1) == "(" and closing(rest, 1) == len(rest) - 1:
        return all(t.kind in _VALUES or t.text in (",", "?", UNKNOWN) for t in rest[2:-1])
    return False


def _is_value(tokens: Tokens) -> bool:
    if len(tokens) == 1:
        return tokens[0].kind in _VALUES or tokens[0].text in ("?", UNKNOWN)
    return (
        len(tokens) == 2
        and tokens[0].text in ("$", ":", "%", "-", "@")
        and tokens[1].kind in ("number", "word")
    )


def _other_column(name: str, tokens: Tokens) -> bool:
    """Whether it is a column of another table, or another one."""
    other, after = named(tokens, 0)
    if not other or after != len(tokens) or tokens[0].kind not in ("word", "name"):
        return False
    mine, theirs = name.lower().rpartition("."), other.lower().rpartition(".")
    return mine[2] != theirs[2] or bool(mine[0] and theirs[0] and mine[0] != theirs[0])
