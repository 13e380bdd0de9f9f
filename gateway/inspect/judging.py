"""Holds commands against patterns and the guard."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from gateway.decision import Effect
from gateway.inspect.classes import Classes
from gateway.inspect.clued import Clued
from gateway.inspect.clues import shown as shown_by
from gateway.inspect.command import Command
from gateway.inspect.doubt import Doubt
from gateway.inspect.guard import LocatedGuard
from gateway.inspect.inspection import Analysis, Inspection, Match
from gateway.inspect.match.evidence import Evidence
from gateway.inspect.match.view import View
from gateway.inspect.pattern import Pattern
from gateway.inspect.place import Place
from gateway.inspect.sql.kinds import SqlKind
from gateway.inspect.word import UNKNOWN, shown

if TYPE_CHECKING:
    from gateway.inspect.guard_command import Hit

_LONGEST_QUOTE = 80
_NOTHING: Mapping[str, tuple[str, ...]] = MappingProxyType({})
_PLAIN_ADVICE = "write the command out plainly, with the program and its arguments as they are"


class Judging:
    """Holds the commands of one text against patterns and the guard, and collects what speaks against it."""

    def __init__(self, patterns: Clued, guard: LocatedGuard | None, place: Place, text: str) -> None:
        self._patterns = patterns
        self._guard = guard
        self._place = place
        self._text = text
        self._classes = Classes(place)
        self._found: dict[tuple[str, int, int], Match] = {}
        self._given: tuple[Command, ...] = ()
        self._seen: dict[int, tuple[int, int]] = {}

    def commands(self, given: list[Command]) -> bool:
        """Judge commands in the order in which they run, and tell whether one matched by what it only turns into."""
        folded, self._given = False, tuple(given)
        self._seen = {}
        for i, one in enumerate(given):
            for match in self._command(one, i):
                key = (match.pattern, match.start, match.end)
                known = self._found.get(key)
                if known is None or known.effect.strictness < match.effect.strictness:
                    self._found[key] = match
                    folded = folded or any(w.value not in self._text for w in one.words)
        return folded

    def doubt(self, doubt: Doubt) -> None:
        """Add what can't be read."""
        match = _unreadable(doubt, self._text)
        self._found.setdefault(("", match.start, match.end), match)

    def inspection(
        self,
        analysis: Analysis,
        written: Mapping[str, tuple[str, ...]] = _NOTHING,
        source: tuple[str, str | None] | None = None,
    ) -> Inspection:
        """All that was found, strictest first; what a pattern says of the same characters need not be told twice."""
        said = {(match.start, match.end) for match in self._found.values() if match.pattern}
        for match in tuple(self._found.values()):
            if match.kind == "unreadable" and (match.start, match.end) in said:
                del self._found[match.pattern, match.start, match.end]
        return Inspection(ordered(self._found), analysis, written, self._given, source=source)

    def _command(self, one: Command, at: int) -> list[Match]:
        matches: list[Match] = []
        if self._guard is not None:
            from gateway.inspect.guard_command import guard_command, guard_deeds

            is_code = not (one.program or one.words or one.redirects)
            hit = (guard_deeds if is_code else guard_command)(self._guard, one, self._place)
            if hit is not None and not self._is_told(hit):
                matches.append(_guarded(hit, self._text))
        view = View(one, self._given, at, self._classes, self._seen)
        invocation = one.invocation
        for trial, branches in self._patterns.of(shown_by(one, self._classes)):
            evidence = trial.held(view, branches)
            if evidence is not None:
                whole = self._text[invocation.start : invocation.end][:_LONGEST_QUOTE]
                where = evidence or (Evidence(whole, invocation.start, invocation.end),)
                matches.append(_match(trial.pattern, where, self._text, invocation.carrier))
        for statement in one.sql:
            if statement.statement.kind is SqlKind.UNREADABLE:
                doubt = Doubt(statement.statement.target, statement.start, statement.end)
                matches.append(_unreadable(doubt, self._text))
        return matches

    def _is_told(self, hit: Hit) -> bool:
        """Whether the guard has denied the characters of a hit, or code that they are part of."""
        return any(
            match.kind == "guard" and match.start <= hit.start and hit.end <= match.end
            for match in self._found.values()
        )


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
    what = ", ".join(dict.fromkeys(_told(e, text) for e in _distinct(evidence)))[:200]
    reason, effect = pattern.reason.replace("{what}", what), pattern.effect
    why = next((each.why for each in evidence if each.why), "")
    reason = reason.replace("{why}", why) if why else reason.replace(": {why}", "")
    if carrier:
        # The program in front may or may not run its words, so a person decides.
        effect, reason = Effect.ASK, f"if `{carrier}` runs its arguments, {reason}"
    instead = pattern.alternative.replace("{what}", what)
    return Match(pattern.id, "pattern", effect, reason, instead, start, end, text[start:end])


def _distinct(evidence: tuple[Evidence, ...]) -> list[Evidence]:
    """The evidence without what a word may stand for as well: a file in a directory of its name."""
    made: list[Evidence] = []
    for one in evidence:
        last = made[-1] if made else None
        if last is None or (one.start, one.end) != (last.start, last.end) or not _below(one.text, last.text):
            made.append(one)
    return made


def _below(path: str, other: str) -> bool:
    return bool(other) and path.startswith(other.rstrip("/") + "/")


def _told(evidence: Evidence, text: str) -> str:
    """A part of a command as a reason tells it; one with unknown parts as it was written."""
    made = shown(UNKNOWN) in evidence.text or evidence.text.startswith("/dev/fd/")
    if made and evidence.end - evidence.start <= _LONGEST_QUOTE:
        return text[evidence.start : evidence.end]
    return evidence.text or text[evidence.start : evidence.end][:_LONGEST_QUOTE]


def _unreadable(doubt: Doubt, text: str) -> Match:
    characters = text[doubt.start : doubt.end]
    short = len(characters) <= _LONGEST_QUOTE
    quoted = shown(characters if short else characters[:_LONGEST_QUOTE] + "…")
    reason = f"`{quoted}` can't be checked: {doubt.reason}"
    return Match("", "unreadable", Effect.ASK, reason, _PLAIN_ADVICE, doubt.start, doubt.end, characters)


def ordered(found: Mapping[tuple[str, int, int], Match]) -> tuple[Match, ...]:
    """Matches as they are told: the strictest first."""
    matches = sorted(found.values(), key=lambda m: (-m.effect.strictness, m.kind, m.start, m.pattern))
    return tuple(matches)
