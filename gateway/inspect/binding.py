"""Binds the options of a command, and finds out what it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gateway.inspect.carriers import WRAPPERS
from gateway.inspect.clients import CLIENTS, Client, texts
from gateway.inspect.command import Command, Found, reached
from gateway.inspect.deed import Does
from gateway.inspect.deeds import deeds
from gateway.inspect.kind import Kind
from gateway.inspect.modes import with_mode
from gateway.inspect.options import Bound, Reading, bind
from gateway.inspect.pipes import ALONE, Pipes
from gateway.inspect.programs import CASELESS, spec
from gateway.inspect.shell.invocation import Invocation
from gateway.inspect.shell.search import found
from gateway.inspect.word import Word, certain


def command(invocation: Invocation, source: str, pipes: Pipes = ALONE) -> Command:
    """Bind an invocation's options and find out what it does."""
    program, words = invocation.program, invocation.words
    known = spec(program)
    subcommand = ""
    if known.subcommands:
        leading = bind(known.options, words, Reading.LEADING)
        subcommand = certain(leading.operands[0].value) if leading.operands else ""
        known = spec(f"{program} {subcommand}")
        bound = bind(known.options, leading.operands[1:])
        operands = (*leading.operands[:1], *bound.operands)
        # The subcommand is one operand more.
        bound = replace(bound, flags=_all(leading, bound), loose=frozenset(at + 1 for at in bound.loose))
    elif program == "find":
        bound = _find(words)
        operands = bound.operands
    else:
        bound = bind(known.options, words, Reading.LEADING if program in WRAPPERS else Reading.ANYWHERE)
        bound = with_mode(program, bound)
        operands = bound.operands
    if "recursive" not in bound.flags and {"find", "fd"} & set(invocation.wrappers):
        bound = replace(bound, flags={**bound.flags, "recursive": words[:1]})
    client = CLIENTS.get(program)
    sql = _sql(client, bound, invocation, source) if client is not None else ()
    done = deeds(program, known, bound, invocation)
    remarks = tuple(remark for deed in done if deed.does is Does.NET for remark in reached(deed))
    caseless = program in CASELESS
    return Command(
        program, bound, operands, invocation, Kind.SHELL, subcommand, sql, done, remarks, pipes, caseless
    )


def _all(leading: Bound, bound: Bound) -> Mapping[str, tuple[Word, ...]]:
    """The options of a subcommand, with the long ones that stand before it, and `--` with what stands behind it.

    A letter means one thing before a subcommand and another behind it.
    """
    made = {name: words for name, words in leading.flags.items() if len(name) > 1}
    for name, words in bound.flags.items():
        made[name] = (*made.get(name, ()), *words)
    return {**made, "--": bound.ended} if bound.ended else made


def _find(words: tuple[Word, ...]) -> Bound:
    deletes = tuple(w for w in words if certain(w.value) == "-delete")
    if not deletes:
        return Bound({}, ())
    place = (words[0].start, words[-1].end)
    return Bound({"delete": deletes}, tuple(Word(path, *place) for path in found(words)))


def _sql(client: Client, bound: Bound, invocation: Invocation, source: str) -> tuple[Found, ...]:
    given = texts(client, bound, invocation.stdin, (invocation.start, invocation.end))
    made: list[Found] = []
    if not given:
        return ()
    from gateway.inspect.sql.read import statements

    for word in given:
        for statement in statements(word.value, client.dialect):
            text = word.value[statement.start : statement.end]
            at = source.find(text, word.start)
            made.append(
                Found(statement, at, at + len(text)) if at >= 0 else Found(statement, word.start, word.end)
            )
    return tuple(made)
