"""An invocation with its options bound: what patterns look at."""

from __future__ import annotations

from gateway.frozen import frozen
from gateway.inspect.clients import CLIENTS, Client, texts
from gateway.inspect.options import Bound, Reading, bind, options
from gateway.inspect.programs import OPTIONS
from gateway.inspect.shell.invocation import Invocation
from gateway.inspect.shell.nested import found
from gateway.inspect.sql import Statement, statements
from gateway.inspect.word import Word, certain


@frozen
class Found:
    """A dangerous statement and the characters of the inspected text that it stands in."""

    statement: Statement
    start: int
    end: int


@frozen
class Command:
    """A program with its subcommand, options, operands and the SQL that it is given."""

    program: str
    subcommand: str
    bound: Bound
    sql: tuple[Found, ...]
    invocation: Invocation


_PLAIN = ""


def command(invocation: Invocation, source: str) -> Command:
    """Bind an invocation's options and find the SQL that it is given."""
    program, words = invocation.program, invocation.words
    subcommand = ""
    if program == "git":
        leading = bind(options(OPTIONS["git"]), words, Reading.LEADING)
        subcommand, rest = _git_subcommand(leading)
        bound = bind(options(OPTIONS.get(f"git {subcommand}", _PLAIN)), rest)
    elif program == "find":
        bound = _find(words)
    else:
        bound = bind(options(OPTIONS.get(program, _PLAIN)), words)
    if "recursive" not in bound.flags and {"find", "fd"} & set(invocation.wrappers):
        bound = Bound({**bound.flags, "recursive": words[:1]}, bound.operands)
    client = CLIENTS.get(program)
    sql = _sql(client, bound, invocation, source) if client is not None else ()
    return Command(program, subcommand, bound, sql, invocation)


def _git_subcommand(leading: Bound) -> tuple[str, tuple[Word, ...]]:
    """The subcommand and its words."""
    if not leading.operands:
        return "", ()
    return certain(leading.operands[0].value), leading.operands[1:]


def _find(words: tuple[Word, ...]) -> Bound:
    deletes = tuple(w for w in words if certain(w.value) == "-delete")
    if not deletes:
        return Bound({}, ())
    place = (words[0].start, words[-1].end)
    return Bound({"delete": deletes}, tuple(Word(path, *place) for path in found(words)))


def _sql(client: Client, bound: Bound, invocation: Invocation, source: str) -> tuple[Found, ...]:
    given = texts(client, bound, invocation.stdin, (invocation.start, invocation.end))
    made: list[Found] = []
    for word in given:
        for statement in statements(word.value, client.dialect):
            text = word.value[statement.start : statement.end]
            at = source.find(text, word.start)
            made.append(
                Found(statement, at, at + len(text)) if at >= 0 else Found(statement, word.start, word.end)
            )
    return tuple(made)
