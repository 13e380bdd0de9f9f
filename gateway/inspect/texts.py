"""Commands and SQL, read and compared with patterns and the guard."""

from __future__ import annotations

from typing import Literal

from gateway.decision import Effect
from gateway.inspect.command import Command, command
from gateway.inspect.doubt import Doubt
from gateway.inspect.guard import Guard
from gateway.inspect.guard_command import Hit, guard_command
from gateway.inspect.inspection import CLEAN, Analysis, Inspection, Match
from gateway.inspect.match import Evidence, Matcher
from gateway.inspect.pattern import Pattern, kinds, programs
from gateway.inspect.place import Place
from gateway.inspect.shell.invocation import Reading
from gateway.inspect.shell.parse import Unreadable
from gateway.inspect.shell.scope import Scope
from gateway.inspect.shell.walk import read
from gateway.inspect.sql import SqlKind, statements
from gateway.inspect.word import UNKNOWN, shown

_LONGEST_QUOTE = 80
_PLAIN_ADVICE = "write the command out plainly, with the program and its arguments as they are"


class Texts:
    """Judges commands and SQL against patterns and the guard; it never raises, whatever the text."""

    def __init__(self, patterns: tuple[Pattern, ...], guard: Guard) -> None:
        self._guard = guard
        self._by_program: dict[str, tuple[Pattern, ...]] = {}
        self._sql: tuple[Pattern, ...] = tuple(p for p in patterns if kinds(p.match))
        for pattern in patterns:
            for program in programs(pattern.match):
                self._by_program[program] = (*self._by_program.get(program, ()), pattern)

    def shell(self, text: str, place: Place) -> Inspection:
        """What a shell command would do."""
        reading = Reading()
        unparsed = False
        try:
            read(reading, text, 0, (0, len(text)), Scope(place.cwd, place.home))
        except Unreadable as error:
            unparsed = True
            reading.doubt(str(error), 0, len(text))
        except RecursionError:
            # The caller may leave us less room than our own limits allow for.
            unparsed = True
            reading.doubt("the command is nested too deep to be analysed", 0, len(text))
        found: dict[tuple[str, int, int], Match] = {}
        folded = False
        for invocation in reading.invocations:
            one = command(invocation, text)
            for match in self._command(one, text, place):
                known = found.get((match.pattern, match.start, match.end))
                if known is None or known.effect.strictness < match.effect.strictness:
                    found[match.pattern, match.start, match.end] = match
                    folded = folded or any(w.value not in text for w in invocation.words)
        for doubt in reading.doubts:
            match = _unreadable(doubt, text)
            found.setdefault(("", match.start, match.end), match)
        analysis: Analysis = "folded" if folded else "exact"
        if reading.doubts or any(UNKNOWN in w.value for i in reading.invocations for w in i.words):
            analysis = "partial"
        return Inspection(_ordered(found), "unparsed" if unparsed else analysis)

    def sql(self, text: str, dialect: str | None) -> Inspection:
        """What SQL statements would do."""
        found: dict[tuple[str, int, int], Match] = {}
        analysis: Analysis = "exact"
        for statement in statements(text, dialect):
            start, end = statement.start, statement.end
            if statement.kind is SqlKind.UNREADABLE:
                match = _unreadable(Doubt(statement.target, start, end), text)
                found["", start, end] = match
                analysis = "unparsed"
                continue
            evidence = (Evidence(statement.said, start, end),)
            for pattern in self._sql:
                if statement.kind in kinds(pattern.match):
                    found[pattern.id, start, end] = _match(pattern, evidence, text, "")
        return Inspection(_ordered(found), analysis) if found else CLEAN

    def _command(self, one: Command, text: str, place: Place) -> list[Match]:
        matches: list[Match] = []
        hit = guard_command(self._guard.at(place), one, place)
        if hit is not None:
            matches.append(_guarded(hit, text))
        patterns = self._by_program.get(one.program, ())
        if one.sql:
            patterns = tuple(dict.fromkeys((*patterns, *self._sql)))
        matcher = Matcher(one, place)
        for pattern in patterns:
            evidence = matcher.held(pattern)
            if evidence is not None:
                invocation = one.invocation
                whole = text[invocation.start : invocation.end][:_LONGEST_QUOTE]
                where = evidence or (Evidence(whole, invocation.start, invocation.end),)
                matches.append(_match(pattern, where, text, invocation.carrier))
        for statement in one.sql:
            if statement.statement.kind is SqlKind.UNREADABLE:
                doubt = Doubt(statement.statement.target, statement.start, statement.end)
                matches.append(_unreadable(doubt, text))
        return matches


def _guarded(hit: Hit, text: str) -> Match:
    """A hit of the guard; one that is only possible is for a person to decide."""
    kind: Literal["guard", "unreadable"] = "guard" if hit.effect is Effect.DENY else "unreadable"
    pattern = "guard" if kind == "guard" else ""
    characters = text[hit.start : hit.end]
    return Match(
        pattern, kind, hit.effect, hit.reason, hit.advice, hit.start, hit.end, characters, beside=hit.holds
    )


def _match(pattern: Pattern, evidence: tuple[Evidence, ...], text: str, carrier: str) -> Match:
    start, end = evidence[0].start, evidence[0].end
    what = ", ".join(dict.fromkeys(_told(e, text) for e in evidence))[:200]
    reason, effect = pattern.reason.replace("{what}", what), pattern.effect
    if carrier:
        # The program in front may or may not run its words, so a person decides.
        effect, reason = Effect.ASK, f"if `{carrier}` runs its arguments, {reason}"
    return Match(pattern.id, "pattern", effect, reason, pattern.alternative, start, end, text[start:end])


def _told(evidence: Evidence, text: str) -> str:
    """A part of a command as a reason tells it; one with unknown parts as it was written."""
    if shown(UNKNOWN) in evidence.text and evidence.end - evidence.start <= _LONGEST_QUOTE:
        return text[evidence.start : evidence.end]
    return evidence.text


def _unreadable(doubt: Doubt, text: str) -> Match:
    characters = text[doubt.start : doubt.end]
    short = len(characters) <= _LONGEST_QUOTE
    quoted = shown(characters if short else characters[:_LONGEST_QUOTE] + "…")
    reason = f"`{quoted}` can't be checked: {doubt.reason}"
    return Match("", "unreadable", Effect.ASK, reason, _PLAIN_ADVICE, doubt.start, doubt.end, characters)


def _ordered(found: dict[tuple[str, int, int], Match]) -> tuple[Match, ...]:
    matches = sorted(found.values(), key=lambda m: (-m.effect.strictness, m.kind, m.start, m.pattern))
    return tuple(matches)
