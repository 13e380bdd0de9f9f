"""What is blanked out of a result, ready to be looked for."""

from __future__ import annotations

import json
import math
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any

from gateway.later import later
from gateway.results.detectors import DETECTORS, Detector
from gateway.results.fields import FieldPattern, Place, any_depth, start
from gateway.results.folding import folded
from gateway.results.redaction import Redact
from gateway.results.texts import head_finder, names_expression
from gateway.results.unseen import HINT as UNSEEN
from gateway.results.unseen import has_lone_return, has_unseen
from gateway.results.views import unescaped


def field_patterns(redactions: Iterable[Redact]) -> dict[FieldPattern, Redact]:
    """The fields that are looked for, those of detectors too, each with the first that asks for it."""
    found: dict[FieldPattern, Redact] = {}
    detectors: dict[str, Redact] = {}
    for one in redactions:
        if one.field is not None:
            found.setdefault(one.field, one)
        elif one.detector is not None:
            detectors.setdefault(one.detector, one)
    for name, one in detectors.items():
        for field in DETECTORS[name].fields:
            found.setdefault(any_depth(field), one)
    return found


class Filters:
    """Detectors and field patterns of all entries that apply, put together once."""

    def __init__(self, redactions: tuple[Redact, ...]) -> None:
        by_field = field_patterns(redactions)
        by_detector: dict[str, Redact] = {}
        for redaction in redactions:
            if redaction.detector is not None:
                by_detector.setdefault(redaction.detector, redaction)
        self.names: Mapping[str, Redact] = {
            folded(pattern.name): one for pattern, one in by_field.items() if one.field is not None
        }
        """The fields that are blanked out in texts without a structure as well: those that somebody named."""
        self.detectors: tuple[tuple[Redact, Detector], ...] = tuple(
            (redaction, DETECTORS[name]) for name, redaction in by_detector.items()
        )
        self.numbers: tuple[Detector, ...] = tuple(one for _, one in self.detectors if one.numbers)
        """Those that look at numbers in data as well."""
        self.fields: tuple[Redact, ...] = tuple(by_field.values())
        self.root: Place = start(by_field)
        self.heads: Callable[[str], Iterator[Any]] = head_finder(self.names)
        self.written_fields: tuple[tuple[Redact, Detector, Callable[[str], Iterator[Any]]], ...] = tuple(
            (redaction, one, _written_finder(one.fields)) for redaction, one in self.detectors if one.fields
        )
        """Fields of detectors in a text that begins like JSON and can't be read; the first group is the value."""
        self.named: Callable[[str], Any] = _search(names_expression(self.names)) if self.names else _nothing
        keys = {folded(pattern.name) for pattern in by_field}
        # Searched for in a result that is written as JSON: without a hit nothing in it has to be blanked out. An
        # escape may stand for any letter, in JSON inside of a text, and what is not seen may stand inside of a word.
        hints = [r"\\[ux/]", UNSEEN, *(detector.hint for _, detector in self.detectors)]
        hints += [names_expression(keys)] if keys else []
        if any(json.dumps(name, ensure_ascii=False)[1:-1] != name for name in keys):
            hints.append("")  # a name that is written with escapes: look at every result
        self._hints = "|".join(hints)
        self.may_find: Callable[[bytes], Any] = _search(self._hints)

    def __bool__(self) -> bool:
        return bool(self.fields or self.detectors)

    @cached_property
    def _all_hints(self) -> Callable[[Any], Iterator[Any]]:
        import re2

        return re2.compile(f"(?:{self._hints})").finditer  # type: ignore[no-any-return]

    def doubts(self, text: str) -> list[tuple[int, int]]:
        """The parts of a text, in order, that touch whatever may have to be blanked out in it."""
        return [match.span() for match in self._all_hints(text)]

    def doubtful(self, texts: list[str]) -> frozenset[str]:
        """Those of the texts in which something may have to be blanked out."""
        joined = "\n".join(texts)
        data = joined.encode()
        lengths = map(len, texts) if len(data) == len(joined) else (len(text.encode()) for text in texts)
        ends = list(accumulate(map(_AND_ITS_END, lengths)))
        found: set[str] = set()
        # A match that goes over several texts counts for all of them.
        for match in self._all_hints(data):
            first, last = (
                bisect_right(ends, match.start()),
                bisect_right(ends, max(match.end() - 1, match.start())),
            )
            found.update(texts[first : last + 1])
        return frozenset(found)


_AND_ITS_END: Callable[[int], int] = (1).__add__


def _search(expression: str) -> Callable[[Any], Any]:
    import re2

    options = re2.Options()
    options.never_capture = True
    search: Callable[[Any], Any] = re2.compile(expression, options).search
    return search


def _written_finder(fields: tuple[str, ...]) -> Callable[[str], Iterator[Any]]:
    import re2

    quote = r'\\*"'
    return re2.compile(  # type: ignore[no-any-return]
        rf'"(?:{names_expression(fields)}){quote}\s*:\s*\[?\s*{quote}([^"\\]+)'
    ).finditer


def _nothing(_: str) -> None:
    return None


@lru_cache(maxsize=256)
def filters(redactions: tuple[Redact, ...]) -> Filters:
    """The filters of some entries, made once for all calls to which the same entries apply."""
    return Filters(redactions)


_MOST_COMPARED = 1_000_000_000


class Values:
    """The values of this call's sensitive arguments, wherever they come back."""

    SHORTEST_INSIDE = 4
    """A shorter value is blanked out as a whole text only, not inside of others."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.whole = frozenset(form for text in texts for form in _forms(text))
        """Whole texts that are values, in lower case."""
        inside = {form for form in self.whole if len(form) >= self.SHORTEST_INSIDE}
        self.inside = tuple(sorted(inside, key=lambda t: (-len(t), t)))
        self._longest = max(map(len, self.whole), default=0)

    def __bool__(self) -> bool:
        return bool(self.whole)

    def too_many_for(self, characters: int) -> bool:
        """Whether looking for each of them in so many characters would take too long."""
        return len(self.inside) * characters > _MOST_COMPARED

    def may_stand_in(self, rendered: str) -> bool:
        """Whether some value may be in a result that is written as JSON."""
        lower, meant = folded(rendered), unescaped(rendered)
        if any(text in lower for text in self.whole) or has_unseen(meant) or has_lone_return(meant):
            return True
        meant = folded(_same_lines(meant))
        return any(text.rstrip("\\") in meant for text in self.whole)

    def is_whole(self, text: str) -> bool:
        """Whether a text is a value, blanks around it aside."""
        bare = text.strip()
        if len(bare) > self._longest:
            return False
        return folded(bare) in self.whole or (bare != text and folded(text) in self.whole)

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Where values stand inside of a text."""
        lower = folded(text)
        for value in self.inside:
            at = lower.find(value)
            while at >= 0:
                yield at, at + len(value)
                at = lower.find(value, at + len(value))


def _forms(text: str) -> Iterator[str]:
    """A value as it may come back: composed or not, in capitals, with its lines ended in each way, without blanks."""
    for written in (text, *_numbers(text)):
        composed = {written, unicodedata.normalize("NFC", written), unicodedata.normalize("NFD", written)}
        # Some letters have no capital of their own, and become two.
        for form in composed | {form.upper() for form in composed} | {form.lower() for form in composed}:
            lines = _same_lines(form)
            for one in (form, lines, lines.replace("\n", "\r\n"), lines.replace("\n", "\r")):
                for meant in (one, one.strip(), unescaped(one)):
                    if meant:
                        yield folded(meant)


def _numbers(text: str) -> Iterator[str]:
    """The other ways in which JSON and Python write a number."""
    if len(text) > 40 or _NUMBER.fullmatch(text) is None:
        return
    value = float(text)
    if math.isfinite(value):
        yield repr(value)
        if value.is_integer() and abs(value) < 1e30:
            yield str(int(value))


_NUMBER = later(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def _same_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
