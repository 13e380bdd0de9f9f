"""Cuts tokens into statements: at semicolons, and wherever a server would start one without."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from gateway.inspect.sql.lexer import Token
from gateway.inspect.sql.words import BETWEEN, DROPS, HELD, OBJECTS_OF_ALTER, VERBS
from gateway.inspect.word import UNKNOWN

Tokens = Sequence[Token]

_OPENERS = frozenset(
    ("BEGIN", "THEN", "ELSE", "LOOP", "DO", "TRY", "CATCH", "ATOMIC", "AS", "ANALYZE", "ANALYSE", "REPEAT")
)
_NEVER_BEFORE = frozenset(("FOR", "ON", "KEY", "OR", "BEFORE", "AFTER", "OF", "INSTEAD", ","))
_NO_TABLE = frozenset(("SET", "OF", "NOWAIT", "SKIP", "CASCADE", "ON", "RESTRICT", "NO"))
_NO_CALL = frozenset(("ON", "FUNCTION", "PROCEDURE"))
_NOT_RUN = frozenset(("GRANT", "REVOKE", "ON", ",", "ROW", "STATEMENT", "WITH", "ALL", "END"))
_ACCOUNTS = frozenset(("USER", "LOGIN", "ROLE"))
_ASIDE = frozenset(("SHOW", "DESCRIBE", "DESC", "HELP", "COMMENT"))
_AFTER_ROWS = frozenset(("SELECT", "PRINT", "DECLARE", "WAITFOR"))
_NO_VERB = frozenset((",", ")", "=", ".", "(", "<", ">", "+", "-", "::"))
_FAR = 24
MAX_PIECE = 6000


class TooMuch(Exception):
    """More has to be read than the limits allow for."""


def pieces(every: Iterable[Token]) -> Iterator[list[Token]]:
    """What stands between the ends of statements; a command of the client is a piece of its own."""
    made: list[Token] = []
    for token in every:
        if token.kind in ("end", "meta"):
            yield made
            made = []
            if token.kind == "meta" or token.text.lower() == "\\gexec":
                yield [token]
        else:
            made.append(token)
            if len(made) > MAX_PIECE:
                raise TooMuch
    yield made


def word(tokens: Tokens, i: int) -> str:
    """The keyword at an index, or what else stands there."""
    if not 0 <= i < len(tokens):
        return ""
    return tokens[i].word or (tokens[i].text if tokens[i].kind == "other" else "")


def explained(piece: Tokens) -> int | None:
    """Where a statement starts that is only planned, not run: its index; None where the piece is run."""
    if word(piece, 0) not in ("EXPLAIN", "DESCRIBE", "DESC"):
        return None
    i, runs = 1, False
    if word(piece, 1) == "(":
        close = closing(piece, 1)
        for k in range(2, close):
            off = word(piece, k + 1) in ("FALSE", "OFF") or (k + 1 < close and piece[k + 1].text == "0")
            runs = runs or (word(piece, k) in ("ANALYZE", "ANALYSE") and not off)
        i = close + 1
    while word(piece, i) in ("ANALYZE", "ANALYSE", "VERBOSE", "PLAN", "EXTENDED", "COSTS"):
        runs = runs or word(piece, i) in ("ANALYZE", "ANALYSE")
        i += 1
    return None if runs else i


def closing(tokens: Tokens, i: int) -> int:
    """The index of the bracket that closes the one at `i`, or where the tokens end."""
    depth = 0
    for k in range(i, len(tokens)):
        text = tokens[k].text if tokens[k].kind == "other" else ""
        depth += (text == "(") - (text == ")")
        if depth == 0:
            return k
    return len(tokens)


def statements_of(piece: Tokens, by_line: str) -> Iterator[Tokens]:
    """The statements in a piece, those in brackets apart; `by_line` is the text where a line can start one."""
    if explained(piece) is not None or word(piece, 0) in _ASIDE:
        yield piece
        return
    ends: dict[int, int] = {}
    running: list[tuple[int, int]] = []
    leading = next((i for i, token in enumerate(piece) if token.text != "("), 0)
    depth, verb, told = 0, "", False
    for i, token in enumerate(piece):
        if token.kind == "other" and token.text in "()":
            depth += 1 if token.text == "(" else -1
        elif token.word and _starts(piece, i, i == leading, verb, told, depth, by_line):
            verb, told = token.word, False
            while running and running[-1][1] >= depth:
                ends[running.pop()[0]] = i
            ends[i] = len(piece)
            running.append((i, depth))
        while running and running[-1][1] > depth:
            ends[running.pop()[0]] = i
        told = told or token.word in ("TO", "FROM")
    for start, end in ends.items():
        yield piece[start:end]


def _starts(piece: Tokens, i: int, leads: bool, verb: str, told: bool, depth: int, by_line: str) -> bool:
    """Whether a statement starts at a keyword."""
    current, before, after = piece[i].word, word(piece, i - 1), word(piece, i + 1)
    first = leads or before == UNKNOWN
    opened = first or before in _OPENERS or (before in (")", ">", ":") and current in HELD)
    if verb in ("GRANT", "REVOKE", "DENY") and not (told and current in ("DROP", "TRUNCATE", "EXEC")):
        return False
    if current in _SHAPES:
        return first or _SHAPES[current](piece, i, opened, verb)
    if first:
        return True
    if current in _AFTER_ROWS and verb in ("DELETE", "UPDATE") and depth == 0:
        return True
    if current == "CREATE" and after in _ACCOUNTS:
        return before != "ALTER"
    if current not in VERBS or after in _NO_VERB:
        return False
    if before in _OPENERS:
        return before != "AS" or current in ("SELECT", "WITH", "VALUES", "MERGE", "GRANT", "COPY")
    return (
        "\n" in by_line[piece[i - 1].end : piece[i].start]
        and before not in (",", "(", "=", "+", "-", ".")
        and depth == 0
    )


def _drop(piece: Tokens, i: int, opened: bool, verb: str) -> bool:
    k = i + 1
    while word(piece, k) in BETWEEN:
        k += 1
    what = word(piece, k)
    if verb == "ALTER" and (what in OBJECTS_OF_ALTER or word(piece, i - 2) == "PUBLICATION"):
        return False
    return what in DROPS and word(piece, k + 1) not in (",", ")", "=", ".", "(")


def _truncate(piece: Tokens, i: int, opened: bool, verb: str) -> bool:
    after = word(piece, i + 1)
    if after in ("TABLE", "DATABASE", "ONLY"):
        return True
    return (opened or word(piece, i - 1) == ")") and after not in _NO_VERB and i + 1 < len(piece)


def _delete(piece: Tokens, i: int, opened: bool, verb: str) -> bool:
    before, after = word(piece, i - 1), word(piece, i + 1)
    if before in _NEVER_BEFORE or verb in ("ALTER", "MERGE"):
        return False
    named = i + 1 < len(piece) and piece[i + 1].kind in ("word", "name", "variable")
    return after in ("FROM", "TOP") or (opened and before != "THEN" and named and after not in ("ON", "WHEN"))


def _update(piece: Tokens, i: int, opened: bool, verb: str) -> bool:
    if word(piece, i - 1) in _NEVER_BEFORE or word(piece, i + 1) in _NO_TABLE or verb == "ALTER":
        return False
    return any(word(piece, k) == "SET" for k in range(i + 1, min(i + _FAR, len(piece))))


def _insert(piece: Tokens, i: int, opened: bool, verb: str) -> bool:
    return word(piece, i + 1) in ("INTO", "OVERWRITE", "OR", "IGNORE") and verb != "MERGE"


def _replace(piece: Tokens, i: int, opened: bool, verb: str) -> bool:
    return word(piece, i + 1) == "INTO" and word(piece, i - 1) != "OR"


def _merge(piece: Tokens, i: int, opened: bool, verb: str) -> bool:
    return word(piece, i + 1) == "INTO"


def _exec(piece: Tokens, i: int, opened: bool, verb: str) -> bool:
    if word(piece, i - 1) in _NOT_RUN or word(piece, i + 1) in _NO_CALL:
        return False
    return i + 1 < len(piece) and (piece[i + 1].kind != "other" or piece[i + 1].text in ("(", "@", UNKNOWN))


def _alter(piece: Tokens, i: int, opened: bool, verb: str) -> bool:
    return word(piece, i + 1) in DROPS or (opened and i + 1 < len(piece))


def _paired(*following: str) -> Callable[[Tokens, int, bool, str], bool]:
    return lambda piece, i, opened, verb: word(piece, i + 1) in following


_SHAPES = {
    "DROP": _drop,
    "TRUNCATE": _truncate,
    "DELETE": _delete,
    "UPDATE": _update,
    "INSERT": _insert,
    "REPLACE": _replace,
    "MERGE": _merge,
    "EXEC": _exec,
    "EXECUTE": _exec,
    "ALTER": _alter,
    "BACKUP": _paired("DATABASE", "LOG"),
    "RESTORE": _paired("DATABASE", "LOG"),
    "BULK": _paired("INSERT"),
    "SHUTDOWN": _paired("WITH"),
}
