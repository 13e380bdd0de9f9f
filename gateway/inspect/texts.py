"""Commands and SQL, read and compared with patterns and the guard."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Literal

from gateway.decision import Effect
from gateway.inspect.classes import PROTECTED, Classes
from gateway.inspect.command import Command, Found, Remark, bare, command
from gateway.inspect.deed import Deed, Does
from gateway.inspect.doubt import Doubt
from gateway.inspect.guard import Access, Guard
from gateway.inspect.guard_command import Hit, guard_command
from gateway.inspect.headers import header_kind
from gateway.inspect.inspection import Analysis, Inspection, Match
from gateway.inspect.kind import Kind
from gateway.inspect.match import Evidence, Matcher
from gateway.inspect.path.read import read_path
from gateway.inspect.path.trait import PathTrait
from gateway.inspect.pattern import Pattern, clues, kinds_of
from gateway.inspect.pipes import Pipes
from gateway.inspect.place import PathClass, Place
from gateway.inspect.shell.invocation import Reading
from gateway.inspect.shell.parse import MAX_SCRIPT, Unreadable, opaque
from gateway.inspect.shell.scope import Scope
from gateway.inspect.shell.walk import Walk, read
from gateway.inspect.sql import SqlKind, statements
from gateway.inspect.url.pinned import Lookup, led, pinned
from gateway.inspect.url.url import read_url
from gateway.inspect.word import UNKNOWN, holed, shown

_LONGEST_QUOTE = 80
_GIT = "git"
_COMMANDS = (Kind.SHELL, Kind.GIT)
_ANY = "any"
_OUT = frozenset((PathClass.ROOT, PathClass.HOME, PathClass.SYSTEM, PathClass.OUTSIDE, PathClass.UNKNOWN))
_NOTHING: Mapping[str, tuple[str, ...]] = MappingProxyType({})
_PLAIN_ADVICE = "write the command out plainly, with the program and its arguments as they are"


class Texts:
    """Judges texts against patterns and the guard; it never raises, whatever the text."""

    def __init__(self, patterns: tuple[Pattern, ...], guard: Guard) -> None:
        self._guard = guard
        self._by_clue = _by_clue(patterns)
        # A path is no command: only what is written for paths is held against one.
        self._of_paths = _by_clue(tuple(p for p in patterns if Kind.PATH in kinds_of(p.match)))

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
        return replace(found, matches=_ordered(matches))

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
        judging = Judging(self._by_clue, self._guard.at(place), place, text)
        folded = judging.commands([replace(each, kind=kind) for each in commands(reading, text)])
        for doubt in reading.doubts:
            judging.doubt(doubt)
        analysis: Analysis = "folded" if folded else "exact"
        if reading.doubts or any(holed(w.value) for i in reading.invocations for w in i.words):
            analysis = "partial"
        written = {path: made for path, made in reading.files.items() if place.files.get(path) != made}
        return judging.inspection("unparsed" if unparsed else analysis, written)

    def sql(self, text: str, dialect: str | None, place: Place) -> Inspection:
        """What SQL statements would do."""
        judging = Judging(self._by_clue, self._guard, place, text)
        found = tuple(Found(each, each.start, each.end) for each in statements(text, dialect))
        judging.commands([bare(Kind.SQL, None, sql=found)])
        unreadable = any(each.statement.kind is SqlKind.UNREADABLE for each in found)
        return judging.inspection("unparsed" if unreadable else "exact", source=(text, dialect))

    def python(self, text: str, place: Place) -> Inspection:
        """What Python code would do, and the commands and queries that it sends."""

        def walk(reading: Reading) -> None:
            from gateway.inspect.shell.interpreter import interpret_text

            if len(text) > MAX_SCRIPT:
                raise Unreadable(f"the code is longer than {MAX_SCRIPT} characters")
            interpret_text(Walk(reading, opaque(text), Scope(place.cwd, place.home), 0), "python", text)

        return replace(self._read(text, place, Kind.PYTHON, walk), source=(text, None))

    def path(self, text: str, place: Place, access: Access) -> Inspection:
        """What reading or writing a path would touch."""
        reading = read_path(text, place)
        judging = Judging(self._of_paths, self._guard, place, text)
        whole = (0, len(text))
        remarks = [
            Remark(each.trait.value, text[each.start : each.end], each.reason, each.start, each.end)
            for each in reading.remarks
        ]
        where = reading.location.value
        if not place.roots:
            # A session without a workspace has no outside.
            remarks = [remark for remark in remarks if remark.kind != PathTrait.TRAVERSAL.value]
        elif reading.outside is not None:
            remarks.append(Remark(where, text, reading.outside, *whole))
        elif reading.location not in _OUT:
            remarks.append(Remark(where, text, "", *whole))
        if PROTECTED in Classes(place).of(reading.path, None):
            remarks.append(Remark(PROTECTED, text, "", *whole))
        does = Does.READ if access is Access.READ else Does.OVERWRITE
        deed = Deed(does, reading.path, *whole)
        judging.commands([bare(Kind.PATH, None, (deed,), remarks=tuple(remarks), place=whole)])
        return judging.inspection("exact" if reading.location is not PathClass.UNKNOWN else "partial")

    def url(self, text: str, place: Place, lookup: Lookup | None) -> Inspection:
        """What fetching an address would reach; with a lookup, whatever its host leads to is checked as well."""
        judging = Judging(self._by_clue, self._guard, place, text)
        url = read_url(text)
        remarks = [
            Remark(each.kind.value, text[each.start : each.end], each.reason, each.start, each.end)
            for each in url.remarks
        ]
        addresses = () if lookup is None or not url.host else pinned(url, lookup)
        if lookup is not None and url.host:
            remarks += led(url, addresses, text)
        judging.commands([bare(Kind.URL, None, remarks=tuple(remarks), place=(0, len(text)))])
        found = judging.inspection("exact", source=(text, None))
        # Where no address is known there is none that the tool may connect to, whoever lets the call run.
        return found if lookup is None or not url.host else replace(found, pinned=((url.host, addresses),))

    def headers(self, text: str, place: Place) -> Inspection:
        """What a header, its name alone or with its value, would say."""
        judging = Judging(self._by_clue, self._guard, place, text)
        kind = header_kind(text)
        remarks = () if kind is None else (Remark(kind.value, text, "", 0, len(text)),)
        judging.commands([bare(Kind.HEADERS, None, remarks=remarks, place=(0, len(text)))])
        return judging.inspection("exact")


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


def _by_clue(patterns: tuple[Pattern, ...]) -> Mapping[str, tuple[Pattern, ...]]:
    found: dict[str, list[Pattern]] = {}
    for pattern in patterns:
        for clue in clues(pattern.match) or (_ANY,):
            found.setdefault(clue, []).append(pattern)
    return {clue: tuple(known) for clue, known in found.items()}


def commands(reading: Reading, text: str) -> list[Command]:
    """The commands of a reading, and what was found beside them."""
    pipes = Pipes(reading.invocations)
    made = [command(invocation, text, pipes) for invocation in reading.invocations]
    queries = tuple(
        Found(each, query.start, query.end)
        for query in reading.queries
        for each in statements(query.value, None)
    )
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


class Judging:
    """Holds the commands of one text against patterns and the guard, and collects what speaks against it."""

    def __init__(
        self, patterns: Mapping[str, tuple[Pattern, ...]], guard: Guard, place: Place, text: str
    ) -> None:
        self._patterns = patterns
        self._guard = guard
        self._place = place
        self._text = text
        self._classes = Classes(place)
        self._found: dict[tuple[str, int, int], Match] = {}
        self._given: tuple[Command, ...] = ()

    def commands(self, given: list[Command]) -> bool:
        """Judge commands in the order in which they run, and tell whether one matched by what it only turns into."""
        folded, self._given = False, tuple(given)
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
        return Inspection(_ordered(self._found), analysis, written, self._given, source=source)

    def _command(self, one: Command, at: int) -> list[Match]:
        matches: list[Match] = []
        hit = guard_command(self._guard, one, self._place) if one.kind in _COMMANDS else None
        if hit is not None:
            matches.append(_guarded(hit, self._text))
        matcher = Matcher(one, self._given, at, self._classes)
        invocation = one.invocation
        for pattern in self._candidates(one):
            evidence = matcher.held(pattern)
            if evidence is not None:
                whole = self._text[invocation.start : invocation.end][:_LONGEST_QUOTE]
                where = evidence or (Evidence(whole, invocation.start, invocation.end),)
                matches.append(_match(pattern, where, self._text, invocation.carrier))
        for statement in one.sql:
            if statement.statement.kind is SqlKind.UNREADABLE:
                doubt = Doubt(statement.statement.target, statement.start, statement.end)
                matches.append(_unreadable(doubt, self._text))
        return matches

    def _candidates(self, one: Command) -> list[Pattern]:
        """The patterns of which the command shows a clue."""
        lists = [found for clue in (*one.clues(self._classes), _ANY) if (found := self._patterns.get(clue))]
        return list({pattern.id: pattern for found in lists for pattern in found}.values())


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
    why = next((each.why for each in evidence if each.why), "")
    reason = reason.replace("{why}", why) if why else reason.replace(": {why}", "")
    if carrier:
        # The program in front may or may not run its words, so a person decides.
        effect, reason = Effect.ASK, f"if `{carrier}` runs its arguments, {reason}"
    return Match(pattern.id, "pattern", effect, reason, pattern.alternative, start, end, text[start:end])


def _told(evidence: Evidence, text: str) -> str:
    """A part of a command as a reason tells it; one with unknown parts as it was written."""
    if shown(UNKNOWN) in evidence.text and evidence.end - evidence.start <= _LONGEST_QUOTE:
        return text[evidence.start : evidence.end]
    return evidence.text or text[evidence.start : evidence.end][:_LONGEST_QUOTE]


def _unreadable(doubt: Doubt, text: str) -> Match:
    characters = text[doubt.start : doubt.end]
    short = len(characters) <= _LONGEST_QUOTE
    quoted = shown(characters if short else characters[:_LONGEST_QUOTE] + "…")
    reason = f"`{quoted}` can't be checked: {doubt.reason}"
    return Match("", "unreadable", Effect.ASK, reason, _PLAIN_ADVICE, doubt.start, doubt.end, characters)


def _ordered(found: dict[tuple[str, int, int], Match]) -> tuple[Match, ...]:
    matches = sorted(found.values(), key=lambda m: (-m.effect.strictness, m.kind, m.start, m.pattern))
    return tuple(matches)
