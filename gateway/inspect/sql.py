"""What the statements of an SQL text would do, read from its tokens: strings and comments do nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from gateway.frozen import frozen

MAX_SQL = 64 * 1024


class SqlKind(Enum):
    """Statements that patterns can name."""

    DROP_TABLE = "drop table"
    DROP_DATABASE = "drop database"
    DROP_SCHEMA = "drop schema"
    TRUNCATE = "truncate"
    UNREADABLE = "unreadable"


@frozen
class Statement:
    """One statement that matters, what it acts on, and where it stands in the text."""

    kind: SqlKind
    target: str
    start: int
    end: int


@frozen
class _Token:
    kind: str  # word, string, name, end, other
    text: str
    start: int
    end: int


_DROPS = {
    "TABLE": SqlKind.DROP_TABLE,
    "TABLES": SqlKind.DROP_TABLE,
    "DATABASE": SqlKind.DROP_DATABASE,
    "KEYSPACE": SqlKind.DROP_DATABASE,
    "SCHEMA": SqlKind.DROP_SCHEMA,
}
_BETWEEN = frozenset(("FOREIGN", "TEMPORARY", "TEMP", "EXTERNAL", "TRANSIENT", "DYNAMIC", "ICEBERG"))
_RUNS_TEXT = frozenset(
    ("EXEC", "EXECUTE", "PREPARE", "DO", "IMMEDIATE", "DBLINK", "DBLINK_EXEC", "SP_EXECUTESQL", "OPENQUERY")
)
_OPENERS = frozenset(
    ("BEGIN", "THEN", "ELSE", "LOOP", "AS", "EXPLAIN", "ANALYZE", "COMMIT", "GO", "IMMEDIATE", "TRANSACTION")
)
_DEPTH = 3
_GATE = re.compile(r"drop|truncate", re.IGNORECASE)
_LEXEMES = r"""(?P<space>\s+)
    |(?P<hint>/\*M?!\d*|\*/)
    |(?P<comment>%s|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z))
    |(?P<dollar>\$(?:[A-Za-z_]\w*)?\$)
    |(?P<string>%s)
    |(?P<name>`[^`]*(?:`|\Z)|\[[^\]\n]*\]|%s)
    |(?P<word>[^\W\d]\w*)
    |(?P<end>;|\\[;gG]\w*|\\\\)
    |(?P<meta>\\[^\n\\]*)
    |(?P<other>\S)"""
_ESCAPED = r"(?:[^%s\\]|\\.|%s%s)*(?:%s|\Z)"
_ESCAPED_STRING = r"'" + _ESCAPED % ("'", "'", "'", "'")
_ESCAPED_NAME = r'"' + _ESCAPED % ('"', '"', '"', '"')
# Servers differ in whether a backslash hides a quote and `--x` starts a comment; each view reads one way.
_STANDARD = re.compile(
    _LEXEMES
    % (
        r"--[^\n\r]*",
        r"[eE]" + _ESCAPED_STRING + r"|[nNbBxX]?'(?:[^']|'')*(?:'|\Z)",
        r'"(?:[^"]|"")*(?:"|\Z)',
    ),
    re.VERBOSE | re.DOTALL,
)
_MYSQL = re.compile(
    _LEXEMES % (r"--(?:\s[^\n]*|\Z)|\#[^\n]*", _ESCAPED_STRING, _ESCAPED_NAME),
    re.VERBOSE | re.DOTALL,
)
_LIKE_MYSQL = frozenset(("mysql", "mariadb", "bigquery", "clickhouse", "snowflake", "databricks", "spark"))
_LIKE_STANDARD = frozenset(
    ("postgres", "postgresql", "sqlite", "tsql", "mssql", "oracle", "duckdb", "redshift")
)


def statements(text: str, dialect: str | None) -> tuple[Statement, ...]:
    """The dangerous statements of a text, in the strictest reading when the dialect is not known."""
    if not _GATE.search(text):
        return ()
    if len(text) > MAX_SQL:
        return (Statement(SqlKind.UNREADABLE, "", 0, len(text)),)
    name = (dialect or "").lower()
    views = [v for v, others in ((_STANDARD, _LIKE_MYSQL), (_MYSQL, _LIKE_STANDARD)) if name not in others]
    return tuple(dict.fromkeys(s for view in views for s in _scan(text, 0, view, _DEPTH)))


def _tokens(text: str, view: re.Pattern[str]) -> Iterator[_Token]:
    at = 0
    while at < len(text):
        found = view.match(text, at)
        if found is None:
            return
        kind, end = found.lastgroup or "other", found.end()
        if found.group("dollar") is not None:
            close = text.find(found.group("dollar"), end)
            inner = text[end : close if close >= 0 else len(text)]
            yield _Token("string", inner, end, end + len(inner))
            at = end + len(inner) + (len(found.group("dollar")) if close >= 0 else 0)
            continue
        if kind == "string":
            body = found.group()
            skip = body.index("'") + 1
            inner = body[skip:].removesuffix("'").replace("''", "'")
            yield _Token("string", inner, at + skip, end)
        elif kind not in ("space", "comment", "hint", "meta"):
            yield _Token(kind, found.group(), at, end)
        at = end


def _scan(text: str, base: int, view: re.Pattern[str], depth: int) -> Iterator[Statement]:
    tokens = list(_tokens(text, view))
    words = [t.text.upper() if t.kind == "word" else "" for t in tokens]
    for i, word in enumerate(words):
        if word == "DROP":
            after = i + 1
            while after < len(words) and words[after] in _BETWEEN:
                after += 1
            kind = _DROPS.get(words[after]) if after < len(words) else None
            if kind is not None:
                yield _statement(kind, tokens, i, after + 1, base)
        elif word == "TRUNCATE" and _starts(tokens, words, i) and not _is_call(tokens, i):
            after = i + 2 if words[i + 1 : i + 2] in (["TABLE"], ["DATABASE"], ["ONLY"]) else i + 1
            yield _statement(SqlKind.TRUNCATE, tokens, i, after, base)
    if depth == _DEPTH:
        # A prepared statement is given values, not a text to run.
        for i in range(len(words) - 2):
            if words[i] == "EXECUTE" and _starts(tokens, words, i) and tokens[i + 2].text == "(":
                words[i] = ""
    if depth and (not _RUNS_TEXT.isdisjoint(words) or any(t.text == "\\gexec" for t in tokens)):
        for token in tokens:
            # MySQL takes double quotes for a text.
            if (token.kind == "string" or token.text.startswith('"')) and _GATE.search(token.text):
                quote = token.text.startswith('"') and token.kind == "name"
                text = token.text[1:].removesuffix('"') if quote else token.text
                yield from _scan(text, base + token.start + quote, view, depth - 1)


def _starts(tokens: list[_Token], words: list[str], i: int) -> bool:
    if i == 0 or tokens[i - 1].kind == "end" or words[i - 1] in _OPENERS:
        return True
    # `GO` and T-SQL end statements without a semicolon; there TABLE follows.
    return words[i + 1 : i + 2] == ["TABLE"] or tokens[i - 1].text == ")"


def _is_call(tokens: list[_Token], i: int) -> bool:
    return i + 1 < len(tokens) and tokens[i + 1].text == "("


def _statement(kind: SqlKind, tokens: list[_Token], first: int, after: int, base: int) -> Statement:
    texts = [t.text.upper() for t in tokens[after : after + 3]]
    if texts[:2] == ["IF", "EXISTS"]:
        after += 2
    elif texts[:1] == ["ONLY"]:
        after += 1
    target, last = "", tokens[min(after, len(tokens)) - 1]
    for token in tokens[after : after + 5]:
        if token.kind == "end" or (target and token.text != "." and not target.endswith(".")):
            break
        target, last = target + token.text.strip('"`[]'), token
    return Statement(kind, target, base + tokens[first].start, base + last.end)
