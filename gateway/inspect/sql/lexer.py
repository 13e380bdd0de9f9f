"""The tokens of an SQL text, by the rules of a family of servers: what is a string, a comment or a name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gateway.frozen import frozen
from gateway.later import later


@frozen
class Token:
    """One token; `word` is its text in capitals where it can be a keyword, `name` its text without quotes."""

    kind: str  # word, name, string, number, variable, meta, end, other
    text: str
    start: int
    end: int
    word: str = ""

    @property
    def name(self) -> str:
        """A name without its quotes, as it would be called."""
        if self.kind == "name":
            return self.text.strip('"`[]')
        return self.text if self.kind in ("word", "variable") else ""


_LEXEMES = r"""(?P<space>\s+)
    |(?P<hint>%s)
    |(?P<comment>%s|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z))
    |(?P<delimiter>DELIMITER[ \t]+(?P<mark>[^\w\s]\S*)(?=\s|\Z))
    |(?P<dollar>\$(?:[A-Za-z_]\w*)?\$)
    |(?P<string>%s)
    |(?P<name>`[^`]*(?:`|\Z)|\[[\w .$\#@-]+\]|%s)
    |(?P<word>[^\W\d]\w*(?:\$\w+)*)
    |(?P<number>\d[\w.]*)
    |(?P<variable>@{1,2}\w+|\#{1,2}\w+)
    |(?P<end>;|\\[;gG]\w*|\\\\)
    |(?P<meta>%s)
    |(?P<line>^(?:\.[a-z]|:?!!|:r\b)[^\n]*)
    |(?P<other><=>|<>|[<>!:]=|\|\||::|\S)"""
_FLAGS = re.VERBOSE | re.DOTALL | re.MULTILINE | re.IGNORECASE
_ESCAPED = r"(?:[^%s\\]|\\.|%s%s)*(?:%s|\Z)"
_ESCAPED_STRING = r"'" + _ESCAPED % ("'", "'", "'", "'")
_ESCAPED_NAME = r'"' + _ESCAPED % ('"', '"', '"', '"')
_PLAIN_STRING = r"[eE]" + _ESCAPED_STRING + r"|[nNbBxX]?'(?:[^']|'')*(?:'|\Z)"
_ORACLE_STRING = r"[nN]?[qQ]'(?=\S)|[nN]?'(?:[^']|'')*(?:'|\Z)"
_PLAIN_NAME = r'"(?:[^"]|"")*(?:"|\Z)'
_RUNS_HINTS = r"/\*M?!\d*|\*/"
_NO_HINTS = r"\*/"
_DASHES = r"--[^\n\r]*|^\#[ \t!][^\n]*"
_MYSQL_COMMENTS = r"--(?:\s[^\n]*|\Z)|\#[^\n]*"


_META = r"\\[^\n\\]*"
_MYSQL_META = r"\\[!.T][^\n]*|\\."


def _view(hints: str, comments: str, strings: str, names: str, meta: str = _META) -> re.Pattern[str]:
    return re.compile(_LEXEMES % (hints, comments, strings, names, meta), _FLAGS)


# Servers differ in whether a backslash hides a quote, `--x` starts a comment and a comment can be run; each view
# reads one way.
_STANDARD = _view(_NO_HINTS, _DASHES, _PLAIN_STRING, _PLAIN_NAME)
_ORACLE = _view(_NO_HINTS, _DASHES, _ORACLE_STRING, _PLAIN_NAME)
_MYSQL = _view(_RUNS_HINTS, _MYSQL_COMMENTS, _ESCAPED_STRING, _ESCAPED_NAME, _MYSQL_META)
_ESCAPING = _view(_NO_HINTS, r"--[^\n\r]*|\#[^\n]*", _ESCAPED_STRING, _ESCAPED_NAME)
_VIEWS = {
    **dict.fromkeys(("mysql", "mariadb"), (_MYSQL,)),
    **dict.fromkeys(("bigquery", "clickhouse", "snowflake", "databricks", "spark", "hive"), (_ESCAPING,)),
    **dict.fromkeys(
        ("postgres", "postgresql", "sqlite", "tsql", "mssql", "duckdb", "redshift"), (_STANDARD,)
    ),
    "oracle": (_ORACLE,),
}
_QUOTED = later(r"[a-z]{0,2}'", re.IGNORECASE)
_CLOSES = {"[": "]", "{": "}", "(": ")", "<": ">"}
_BLANK = " \t\r"


def views(dialect: str) -> tuple[re.Pattern[str], ...]:
    """The ways in which a text of this dialect can be read; of an unknown one, all that differ."""
    return _VIEWS.get(dialect, (_STANDARD, _MYSQL))


def tokens(text: str, view: re.Pattern[str]) -> Iterator[Token]:
    """The tokens of a text, without blanks and comments."""
    at, ends, fresh = 0, "", True
    while at < len(text):
        if ends and text.startswith(ends, at):
            yield Token("end", ends, at, at + len(ends))
            at, fresh = at + len(ends), True
            continue
        found = view.match(text, at)
        if found is None:
            return
        kind, end = found.lastgroup or "other", found.end()
        if kind in ("space", "comment", "hint"):
            at = end
            continue
        if kind == "delimiter":
            ends = found["mark"] if found["mark"] != ";" else ""
            yield Token("end", found.group(), at, end)
        elif kind == "dollar":
            close = text.find(found.group(), end)
            stop = close if close >= 0 else len(text)
            yield Token("string", text[end:stop], end, stop)
            end = stop + len(found.group()) if close >= 0 else stop
        elif kind == "string":
            opened = end < len(text) and found.group()[-2:].upper() == "Q'"
            end = _oracle_end(text, end) if opened else end
            yield _string(text[at:end], at, end)
        elif kind == "word":
            word = found.group().upper()
            ended = word == "GO" and _alone(text, at, end)
            yield Token("end" if ended else "word", found.group(), at, end, "" if ended else word)
        elif kind == "line":
            # The commands of clients stand where a statement would start, or they are something else.
            end = end if fresh else at + 1
            yield Token("meta" if fresh else "other", text[at:end], at, end)
        else:
            yield Token(kind, found.group(), at, end)
        fresh = kind in ("end", "delimiter", "meta") or (kind == "line" and fresh)
        at = end


def _oracle_end(text: str, at: int) -> int:
    """Where a string of Oracle ends that chose its own quote, the character at `at`."""
    close = text.find(_CLOSES.get(text[at], text[at]) + "'", at + 1)
    return close + 2 if close >= 0 else len(text)


def _string(text: str, start: int, end: int) -> Token:
    quote = _QUOTED.match(text)
    skip = quote.end() if quote is not None else 1
    if text[:1] in "qQ" or text[:2].lower() == "nq":
        # Oracle's own quotes have one more character on either side.
        return Token("string", text[skip + 1 : -2], start + skip + 1, end)
    return Token("string", text[skip:].removesuffix("'").replace("''", "'"), start + skip, end)


def _alone(text: str, start: int, end: int) -> bool:
    """Whether a word is all that its line holds."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    after = text[end : end + 20].partition("\n")[0]
    return not before.strip(_BLANK) and (not after.strip(_BLANK) or after.strip(_BLANK).isdigit())
