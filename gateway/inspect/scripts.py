"""Shell commands and code, read and judged."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace

from gateway.inspect.binding import command
from gateway.inspect.clued import Clued
from gateway.inspect.command import Command, Found, bare
from gateway.inspect.guard import Guard
from gateway.inspect.inspection import Analysis, Inspection
from gateway.inspect.judging import Judging, ordered
from gateway.inspect.kind import Kind
from gateway.inspect.pipes import Pipes
from gateway.inspect.place import Place
from gateway.inspect.shell.invocation import Reading
from gateway.inspect.shell.parse import MAX_SCRIPT, Unreadable, opaque
from gateway.inspect.shell.scope import Scope
from gateway.inspect.shell.walk import Walk, read
from gateway.inspect.word import holed

_GIT = "git"
OWN_VARIABLES = ("GATEWAY_STORE", "GATEWAY_LOG")
"""Variables of the environment that tell where the gateway's own files are; no agent has a use for them."""


class Scripts:
    """Judges commands and code; it never raises, whatever the text."""

    def __init__(self, patterns: Clued, guard: Guard) -> None:
        self._patterns = patterns
        self._guard = guard

    def shell(self, text: str, place: Place) -> Inspection:
        """What a shell command would do."""
        return self._script(text, place, Kind.SHELL)

    def git(self, text: str, place: Place) -> Inspection:
        """What `git` would do with these arguments, whether or not a shell reads them."""
        written = f"{_GIT} {text}"
        found = _behind(self._script(written, place, Kind.GIT), len(written) - len(text), text)
        words = _split(text)
        plain = shlex.join((_GIT, *(words[1:] if words[:1] == [_GIT] else words)))
        if plain == written:
            return found
        other = _whole(self._script(plain, place, Kind.GIT), text)
        told = {match.pattern for match in found.matches}
        more = [match for match in other.matches if match.pattern not in told]
        matches = {(match.pattern, match.start, match.end): match for match in (*found.matches, *more)}
        return replace(found, matches=ordered(matches))

    def _script(self, text: str, place: Place, kind: Kind) -> Inspection:
        def walk(reading: Reading) -> None:
            read(reading, text, 0, (0, len(text)), Scope(place.cwd, place.home))

        return self._read(text, place, kind, walk)

    def _read(self, text: str, place: Place, kind: Kind, walk: Callable[[Reading], None]) -> Inspection:
        """Read a text in some way, and judge all that it would run and do."""
        reading = Reading(files=dict(place.files))
        unparsed = False
        try:
            walk(reading)
        except Unreadable as error:
            unparsed = True
            reading.doubt(str(error), 0, len(text))
        except RecursionError:
            # The caller may leave us less room than our own limits allow for.
            unparsed = True
            reading.doubt("it is nested too deep to be analysed", 0, len(text))
        for name in OWN_VARIABLES:
            if (at := text.find(name)) >= 0:
                reading.doubt("it says where the gateway keeps what it remembers", at, at + len(name))
        judging = Judging(self._patterns, self._guard.at(place), place, text)
        made = commands(reading, text)
        folded = judging.commands([one if one.kind is kind else replace(one, kind=kind) for one in made])
        for doubt in reading.doubts:
            judging.doubt(doubt)
        analysis: Analysis = "folded" if folded else "exact"
        if reading.doubts or any(holed(w.value) for i in reading.invocations for w in i.words):
            analysis = "partial"
        written = {path: held for path, held in reading.files.items() if place.files.get(path) != held}
        return judging.inspection("unparsed" if unparsed else analysis, written)

    def python(self, text: str, place: Place) -> Inspection:
        """What Python code would do, and the commands and queries that it sends."""

        def walk(reading: Reading) -> None:
            from gateway.inspect.shell.interpreter import interpret_text

            if len(text) > MAX_SCRIPT:
                raise Unreadable(f"the code is longer than {MAX_SCRIPT} characters")
            interpret_text(Walk(reading, opaque(text), Scope(place.cwd, place.home), 0), "python", text)

        return replace(self._read(text, place, Kind.PYTHON, walk), source=(text, None))


def _split(text: str) -> list[str]:
    """The words of a text as a tool without a shell parts them."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _behind(inspection: Inspection, length: int, text: str) -> Inspection:
    """An inspection of a text that has so many characters in front of what was given."""
    matches = []
    for match in inspection.matches:
        start, end = max(match.start - length, 0), max(match.end - length, 0)
        matches.append(replace(match, start=start, end=end, text=text[start:end]))
    return replace(inspection, matches=tuple(matches))


def _whole(inspection: Inspection, text: str) -> Inspection:
    """An inspection of another spelling of a text, all of which it stands for."""
    matches = tuple(replace(match, start=0, end=len(text), text=text) for match in inspection.matches)
    return replace(inspection, matches=matches)


def commands(reading: Reading, text: str) -> list[Command]:
    """The commands of a reading, and what was found beside them."""
    pipes = Pipes(reading.invocations)
    made = [command(invocation, text, pipes) for invocation in reading.invocations]
    queries = _queries(reading) if reading.queries else ()
    # What a program's own line and its code tell alike is one deed.
    told = (
        {(deed.does, deed.target, deed.secret) for one in made for deed in one.deeds}
        if reading.deeds
        else set()
    )
    deeds = tuple(deed for deed in reading.deeds if (deed.does, deed.target, deed.secret) not in told)
    if deeds or queries:
        made.append(bare(Kind.SHELL, None, deeds, queries, place=(0, len(text))))
    return made


def _queries(reading: Reading) -> tuple[Found, ...]:
    from gateway.inspect.sql.read import statements

    return tuple(
        Found(each, query.start, query.end)
        for query in reading.queries
        for each in statements(query.value, None)
    )
