"""Reads the statements of a text in one way, and tells what each would do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gateway.inspect.sql.cut import Tokens, TooMuch, closing, explained, pieces, statements_of, word
from gateway.inspect.sql.dynamic import BUILDERS, MAX_TEXT, assigned, text_of
from gateway.inspect.sql.kinds import HARMLESS, SqlKind, Statement
from gateway.inspect.sql.lexer import tokens
from gateway.inspect.sql.objects import NOT_READ, Said, alter, create, drop, rights, truncate
from gateway.inspect.sql.rows import named, on_all, source, taken, target
from gateway.inspect.sql.server import calls, meta, other
from gateway.inspect.sql.words import DEFINES, DROPS, SYSTEM_TABLES, TEXT_CALLS, UNTRUSTED
from gateway.inspect.word import UNKNOWN
from gateway.later import later

MAX_DEPTH = 4
MAX_TOKENS = 24_000
_CHARACTERS = 16
# What a statement costs beside its tokens: conditions on rows may need a parser, texts that are run are put together.
_STATEMENT = 8
_COSTS = {
    **dict.fromkeys(("DELETE", "UPDATE", "MERGE"), 40),
    **dict.fromkeys(("EXEC", "EXECUTE", "PREPARE", "DO", "CALL"), 20),
}
NOT_KNOWN = "what it runs is only known when it runs"
NESTED = "the SQL is nested too deep to be analysed"
_BY_LINE = frozenset(("", "tsql", "mssql"))
_TEMPORARY = later(r"[#@]|(?:pg_temp(?:_\d+)?|temp|tempdb)\.", re.IGNORECASE)
_LATER = frozenset(
    (
        SqlKind.DROP_TABLE,
        SqlKind.DROP_DATABASE,
        SqlKind.DROP_SCHEMA,
        SqlKind.TRUNCATE,
        SqlKind.DELETE_ALL,
        SqlKind.UPDATE_ALL,
        SqlKind.REPLACE_TABLE,
        SqlKind.ALTER_DROP,
        SqlKind.GRANT_ADMIN,
        SqlKind.ALTER_USER,
    )
)
_NOT_BLOCKS = frozenset(
    ("TRANSACTION", "TRAN", "WORK", "CONVERSATION", "DISTRIBUTED", "IMMEDIATE", "EXCLUSIVE")
)
_LOOPS = frozenset(("IF", "LOOP", "WHILE", "REPEAT", "FOR"))
_ON_ROWS = frozenset(
    (
        SqlKind.DROP_TABLE,
        SqlKind.TRUNCATE,
        SqlKind.DELETE_ALL,
        SqlKind.UPDATE_ALL,
        SqlKind.ALTER_DROP,
        SqlKind.ALTER,
    )
)


class Budget:
    """How many tokens may be looked at for one text, with all that is run inside it."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = MAX_TOKENS

    def spend(self, count: int) -> None:
        """Take from what is left."""
        self._left -= count
        if self._left < 0:
            raise TooMuch


class Judge:
    """Goes through a text once; what it learns of variables and temporary tables holds for the rest."""

    def __init__(self, view: re.Pattern[str], dialect: str, budget: Budget, depth: int = 0) -> None:
        self.unknown = False
        """Whether some statement begins with no word that is known."""
        self._view = view
        self._dialect = dialect
        self._budget = budget
        self._depth = depth
        self._temporary: set[str] = set()
        self._variables: dict[str, str] = {}
        self._block = False
        self._stored = False
        self._open = 0
        self._begun = False
        self._waiting = False

    def run(self, text: str, base: int) -> Iterator[Statement]:
        """The statements of a text that starts at `base`."""
        by_line = text if self._dialect in _BY_LINE else ""
        before: Tokens = ()
        for piece in pieces(tokens(text, self._view)):
            if not piece:
                continue
            self._budget.spend(len(piece))
            if piece[0].text.lower() == "\\gexec":
                yield from self._results(before, base)
            before = piece
            for kind, told, first, last in self._piece(piece, by_line):
                yield from self._kept(kind, told, base + first, base + last)

    def _results(self, query: Tokens, base: int) -> Iterator[Statement]:
        """psql's `\\gexec` runs what the query before it gives."""
        if not query:
            return
        end = next((i for i in range(len(query)) if word(query, i) == "FROM"), len(query))
        place = (query[0].start, query[-1].end)
        for kind, told, first, last in self._built(query[1:end], place):
            yield from self._kept(kind, told, base + first, base + last)

    def _kept(self, kind: SqlKind, told: str, start: int, end: int) -> Iterator[Statement]:
        made = Statement(kind, told, start, end)
        if not self._stored or kind in (SqlKind.OS, SqlKind.UNREADABLE, SqlKind.STORED):
            yield made
        elif kind in _LATER:
            yield Statement(SqlKind.STORED, f"(later) {made.said}", start, end)

    def _piece(self, piece: Tokens, by_line: str) -> Iterator[tuple[SqlKind, str, int, int]]:
        if piece[0].kind == "meta":
            if meta(piece[0].text):
                yield SqlKind.OS, piece[0].text.strip(), piece[0].start, piece[0].end
            return
        if explained(piece) is not None:
            yield SqlKind.READ, "explain", piece[0].start, piece[-1].end
            return
        if piece[0].text == UNKNOWN:
            self.unknown = True
            if any(word(piece, i) in DROPS for i in (1, 2)):
                yield SqlKind.UNREADABLE, NOT_KNOWN, piece[0].start, piece[-1].end
        for kind, told, after in calls(piece, self._dialect):
            yield kind, told, piece[after - 1].start, piece[after - 1].end
        for i, token in enumerate(piece):
            if (token.word or token.name.upper()) in TEXT_CALLS:
                yield from self._called(piece, i)
        for statement in statements_of(piece, by_line):
            self._budget.spend(len(statement))
            yield from self._statement(statement)
        self._leave(piece)

    def _leave(self, piece: Tokens) -> None:
        """Count the blocks of a body that is stored, to know where it ends."""
        if not self._stored:
            return
        for i, token in enumerate(piece):
            after, before = word(piece, i + 1), word(piece, i - 1)
            if token.word == "BEGIN" and after not in _NOT_BLOCKS:
                self._open, self._begun = self._open + 1, True
            elif token.word == "CASE" and before != "END":
                self._open += 1
            elif token.word == "END" and after not in _LOOPS:
                self._open -= 1
        declares = not self._begun and any(t.word == "IS" for t in piece)
        self._waiting = declares or (self._waiting and not self._begun)
        if self._open <= 0 and not self._waiting:
            self._stored, self._open, self._begun = False, 0, False

    def _statement(self, s: Tokens) -> Iterator[tuple[SqlKind, str, int, int]]:
        self._budget.spend(_COSTS.get(s[0].word, _STATEMENT))
        given = assigned(s)
        if given is not None:
            value = text_of(given[1], self._variables)
            self._budget.spend(len(value) // _CHARACTERS)
            self._variables[given[0]] = value
        verb = s[0].word
        if verb in ("EXEC", "EXECUTE", "PREPARE", "DO", "CALL"):
            yield from self._run_text(s, verb)
            return
        some = False
        for kind, told, after in self._said(s, verb):
            some = True
            own = kind in _ON_ROWS and self._is_temporary(told, kind)
            last = s[max(0, min(after, len(s)) - 1)]
            yield SqlKind.WRITE if own else kind, told, s[0].start, last.end
        if verb == "CREATE" and not self._stored:
            yield from self._defined(s)
        if not some and not given and verb not in ("DO", "END"):
            self.unknown = True

    def _said(self, s: Tokens, verb: str) -> Iterator[Said]:
        if verb == "DROP":
            yield from self._dropped(s)
        elif verb == "TRUNCATE":
            yield from truncate(s)
        elif verb in ("DELETE", "UPDATE"):
            yield from self._rows(s, verb)
        elif verb in ("INSERT", "REPLACE"):
            yield from self._put(s, verb)
        elif verb == "MERGE":
            yield from self._merged(s)
        elif verb == "CREATE":
            yield from create(s, self._dialect)
        elif verb == "ALTER":
            yield from alter(s, self._dialect)
        elif verb in ("GRANT", "REVOKE", "DENY"):
            yield from rights(s)
        else:
            yield from other(s, self._dialect)
            if verb in ("SELECT", "WITH"):
                self._remember_into(s)

    def _dropped(self, s: Tokens) -> Iterator[Said]:
        for kind, told, after in drop(s):
            yield kind, NOT_KNOWN if kind is SqlKind.UNREADABLE else told, after
            at = after
            while kind is SqlKind.DROP_TABLE and word(s, at) == ",":
                name, at = named(s, at + 1)
                yield kind, name, at

    def _rows(self, s: Tokens, verb: str) -> Iterator[Said]:
        if verb == "UPDATE" and word(s, 1) == "STATISTICS":
            yield SqlKind.DDL, "", len(s)
            return
        name, after = target(s)
        table = source(s, name)
        if SYSTEM_TABLES.fullmatch(table.upper()):
            yield SqlKind.ALTER_USER, f"{verb.lower()} of {table}", after
            return
        kind = taken(s, self._dialect, table)
        yield kind, NOT_READ if kind is SqlKind.UNREADABLE else table, after

    def _put(self, s: Tokens, verb: str) -> Iterator[Said]:
        i = 1
        while word(s, i) in (
            "INTO",
            "OVERWRITE",
            "TABLE",
            "OR",
            "REPLACE",
            "IGNORE",
            "LOW_PRIORITY",
            "DELAYED",
        ):
            i += 1
        name, after = named(s, i)
        words = {word(s, k) for k in range(i)}
        if SYSTEM_TABLES.fullmatch(name.upper()):
            yield SqlKind.ALTER_USER, f"{verb.lower()} into {name}", after
        elif "OVERWRITE" in words:
            kind = SqlKind.OS if name.upper() in ("DIRECTORY", "LOCAL") else SqlKind.REPLACE_TABLE
            yield kind, f"insert overwrite {name}", after
        elif self._is_temporary(name, SqlKind.DROP_TABLE):
            yield SqlKind.WRITE, name, after
        elif verb == "REPLACE" or "REPLACE" in words:
            yield SqlKind.REPLACE, f"into {name}", after
        else:
            yield SqlKind.WRITE, name, after

    def _merged(self, s: Tokens) -> Iterator[Said]:
        name, after = named(s, 1 + (word(s, 1) == "INTO"))
        on = next((i for i in range(len(s)) if word(s, i) == "ON"), len(s))
        when = next((i for i in range(on, len(s)) if word(s, i) == "WHEN"), len(s))
        deletes = any(word(s, i) == "DELETE" and word(s, i - 1) == "THEN" for i in range(len(s)))
        updates = any(word(s, i) == "UPDATE" and word(s, i - 1) == "THEN" for i in range(len(s)))
        every = SqlKind.DELETE_ALL if deletes else SqlKind.UPDATE_ALL
        all_rows = (deletes or updates) and on_all(s[on + 1 : when], self._dialect, name, every) is every
        # The usual way to put all rows in the place of others.
        all_rows = all_rows or (deletes and [t.word for t in s[on + 1 : when]] == ["FALSE"])
        kind = every if all_rows else SqlKind.REPLACE if deletes else SqlKind.WRITE
        yield kind, f"merge into {name}" if kind is SqlKind.REPLACE else name, after

    def _remember_into(self, s: Tokens) -> None:
        for i in range(len(s)):
            if word(s, i) == "INTO" and word(s, i + 1) in ("TEMP", "TEMPORARY"):
                self._temporary.add(named(s, i + 2 + (word(s, i + 2) == "TABLE"))[0].lower())

    def _is_temporary(self, told: str, kind: SqlKind) -> bool:
        name = (
            told.removeprefix("table ").partition(" ")[0]
            if kind in (SqlKind.ALTER, SqlKind.ALTER_DROP)
            else told
        )
        if _TEMPORARY.match(name):
            return True
        if name.lower() not in self._temporary:
            return False
        if kind is SqlKind.DROP_TABLE:
            # The next one of this name is another.
            self._temporary.discard(name.lower())
        return True

    def _defined(self, s: Tokens) -> Iterator[tuple[SqlKind, str, int, int]]:
        """A temporary table is remembered; what a routine holds is looked at as run later."""
        words = [word(s, i) for i in range(min(len(s), 8))]
        at = next((i for i, w in enumerate(words) if w in DEFINES), None)
        if "TABLE" in words and not {"TEMP", "TEMPORARY"}.isdisjoint(words[: words.index("TABLE")]):
            k = words.index("TABLE") + 1
            while word(s, k) in ("IF", "NOT", "EXISTS"):
                k += 1
            self._temporary.add(named(s, k)[0].lower())
        if at is None or "(" in words[:at]:
            return
        self._stored, self._open, self._begun, self._waiting = True, 0, False, False
        for token in s[at:]:
            if token.kind == "string" and len(token.text) > 8:
                yield from self._inner(token.text, token.start, 0)

    def _run_text(self, s: Tokens, verb: str) -> Iterator[tuple[SqlKind, str, int, int]]:
        """EXEC, EXECUTE, PREPARE and DO."""
        following = word(s, 1)
        place = (s[0].start, s[-1].end)
        if verb == "DO":
            if any(
                word(s, i) == "LANGUAGE" and s[i + 1].name.upper() in UNTRUSTED for i in range(len(s) - 1)
            ):
                yield SqlKind.OS, "do", *place
            for token in s:
                if token.kind == "string":
                    yield from self._inner(token.text, token.start, 0)
            return
        if verb == "PREPARE":
            start = next((i for i in range(len(s)) if word(s, i) == "FROM"), None)
            if start is not None:
                yield from self._built(s[start + 1 :], place)
            return
        if verb == "CALL" or (following == "AS" and verb != "PREPARE"):
            kind = SqlKind.WRITE if verb == "CALL" else SqlKind.ADMIN
            yield kind, "" if verb == "CALL" else "execute as another user", *place
            return
        if any(word(s, i) == "AT" and s[i - 1].text == ")" for i in range(1, len(s))):
            yield SqlKind.OS, "exec on another server", *place
        if following == "IMMEDIATE":
            yield from self._built(s[2:], place)
        elif (
            following == "("
            or (len(s) > 1 and s[1].kind == "string")
            or following in (BUILDERS - {"REPLACE"})
        ):
            yield from self._built(s[1:] if following != "(" else s[2 : closing(s, 1)], place)
        elif len(s) > 1 and (s[1].text == UNKNOWN or s[1].kind == "variable"):
            known = self._variables.get(s[1].name.upper(), "")
            yield from self._built(s[1:2], place) if known else iter(((SqlKind.DYNAMIC, NOT_KNOWN, *place),))
        elif len(s) > 1 and self._is_text(s):
            yield from self._built(s[1:], place)
        else:
            yield SqlKind.WRITE, "", *place

    def _is_text(self, s: Tokens) -> bool:
        """Whether what follows EXECUTE is a text, not something prepared or a procedure."""
        made = self._block and (_joins(s) or (bool(s[1].word) and word(s, 2) == "("))
        return made or s[1].name.upper() in self._variables

    def _built(self, expression: Tokens, place: tuple[int, int]) -> Iterator[tuple[SqlKind, str, int, int]]:
        """A text that is run, from the expression that makes it."""
        strings = [t for t in expression if t.kind == "string"]
        plain = strings[0] if len(strings) == 1 and expression[0] is strings[0] else None
        if plain is not None and all(
            t.word or t.text in ("(", ")", ",") or t is plain for t in expression[:2]
        ):
            yield from self._inner(plain.text, plain.start, 0)
            return
        text = text_of(expression, self._variables)
        if len(text) >= MAX_TEXT:
            yield SqlKind.UNREADABLE, "the text that it runs is too long to be analysed", *place
        if not text.strip() or text.lstrip(" \t\n(").startswith(UNKNOWN):
            yield SqlKind.DYNAMIC, f"a text that {NOT_KNOWN.removeprefix('what it runs ')}", *place
            if not text.strip(UNKNOWN + " \t\n"):
                return
        for kind, told, _, _ in self._inner(text, 0, 0):
            yield kind, told, *place

    def _called(self, piece: Tokens, i: int) -> Iterator[tuple[SqlKind, str, int, int]]:
        """A function that runs its text."""
        called = word(piece, i + 1) == "("
        if not called and not piece[i].name.upper().startswith("SP_"):
            return
        end = closing(piece, i + 1) if called else len(piece)
        inside = piece[i + 1 + called : end]
        self._budget.spend(2 * len(inside))
        if piece[i].name.upper() == "SP_EXECUTESQL" and inside and inside[0].kind != "other":
            yield from self._built(inside, (piece[i].start, piece[i].end))
            return
        for token in inside:
            if token.kind == "string":
                found = [f for f in self._inner(token.text, token.start, 0) if f[0] not in HARMLESS]
                yield from found

    def _inner(self, text: str, base: int, _: int) -> Iterator[tuple[SqlKind, str, int, int]]:
        if self._depth >= MAX_DEPTH:
            yield SqlKind.UNREADABLE, NESTED, base, base + len(text)
            return
        inner = Judge(self._view, self._dialect, self._budget, self._depth + 1)
        inner._variables = self._variables
        inner._temporary = self._temporary
        inner._block = True
        for made in inner.run(text, base):
            yield made.kind, made.target, made.start, made.end


def _joins(s: Tokens) -> bool:
    """Whether the text is put together, or is the only word that follows."""
    return any(t.text in ("||", "+") for t in s) or len(s) == 2
