"""What is blanked out of a result, ready to be looked for."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any

from gateway.results.detectors import DETECTORS, Detector
from gateway.results.fields import FieldPattern, Place, any_depth, start
from gateway.results.texts import head_finder, names_expression


@dataclass(frozen=True, slots=True, eq=False)
class Redact:
    """One thing that an entry blanks out: what a detector finds, or a field; the policy has each once."""

    entry: str
    detector: str | None = None
    field: FieldPattern | None = None

    @property
    def what(self) -> str:
        """The detector or the field as the policy writes it."""
        return f"detector {self.detector}" if self.field is None else f"field {self.field.text}"


SENSITIVE = "x-sensitive"
"""What stands in place of an entry's id where a tool's schema marks an argument."""


def sensitive_field(name: str) -> Redact:
    """What blanks out every field that is named as an argument marked `x-sensitive`."""
    return Redact(SENSITIVE, None, any_depth(name))


class Filters:
    """Detectors and field patterns of all entries that apply, put together once."""

    def __init__(self, redactions: tuple[Redact, ...]) -> None:
        by_field: dict[FieldPattern, Redact] = {}
        by_detector: dict[str, Redact] = {}
        for redaction in redactions:
            if redaction.field is not None:
                by_field.setdefault(redaction.field, redaction)
            elif redaction.detector is not None:
                by_detector.setdefault(redaction.detector, redaction)
        self.names: Mapping[str, Redact] = {pattern.name.lower(): one for pattern, one in by_field.items()}
        """The fields that are blanked out in texts without a structure as well: those that somebody named."""
        for name, redaction in by_detector.items():
            for field in DETECTORS[name].fields:
                by_field.setdefault(any_depth(field), redaction)
        self.detectors: tuple[tuple[Redact, Detector], ...] = tuple(
            (redaction, DETECTORS[name]) for name, redaction in by_detector.items()
        )
        self.fields: tuple[Redact, ...] = tuple(by_field.values())
        self.root: Place = start(by_field)
        self.heads: Callable[[str], Iterator[Any]] = head_finder(self.names)
        self.named: Callable[[str], Any] = _search(names_expression(self.names)) if self.names else _nothing
        keys = {pattern.name.lower() for pattern in by_field}
        # Searched for in a result that is written as JSON: without a hit nothing in it has to be blanked out. An
        # escape may stand for any letter, in JSON inside of a text.
        hints = [r"\\[u/]", *(detector.hint for _, detector in self.detectors)]
        hints += [names_expression(keys)] if keys else []
        if any(json.dumps(name, ensure_ascii=False)[1:-1] != name for name in keys):
            hints.append("")  # a name that is written with escapes: look at every result
        self._hints = "|".join(hints)
        self.may_find: Callable[[bytes], Any] = _search(self._hints)

    def __bool__(self) -> bool:
        return bool(self.fields or self.detectors)

    @cached_property
    def _all_hints(self) -> Callable[[bytes], Iterator[Any]]:
        import re2

        return re2.compile(f"(?:{self._hints})").finditer  # type: ignore[no-any-return]

    def doubtful(self, texts: list[str]) -> frozenset[str]:
        """Those of the texts in which something may have to be blanked out."""
        joined = "\n".join(texts)
        data = joined.encode()
        lengths = map(len, texts) if len(data) == len(joined) else (len(text.encode()) for text in texts)
        ends = [end + index for index, end in enumerate(accumulate(lengths), 1)]
        found: set[str] = set()
        # A match that goes over several texts counts for all of them.
        for match in self._all_hints(data):
            first, last = (
                bisect_right(ends, match.start()),
                bisect_right(ends, max(match.end() - 1, match.start())),
            )
            found.update(texts[first : last + 1])
        return frozenset(found)


def _search(expression: str) -> Callable[[Any], Any]:
    import re2

    options = re2.Options()
    options.never_capture = True
    search: Callable[[Any], Any] = re2.compile(expression, options).search
    return search


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
        self.whole = frozenset(texts)
        inside: set[str] = set()
        for text in self.whole:
            if len(text) >= self.SHORTEST_INSIDE:
                inside |= {text, *_escaped(text)}
        self.inside = tuple(sorted(inside, key=lambda t: (-len(t), t)))
        self._escapes = any(_escaped(text) for text in self.whole)

    def __bool__(self) -> bool:
        return bool(self.whole)

    def too_many_for(self, characters: int) -> bool:
        """Whether looking for each of them in so many characters would take too long."""
        return len(self.inside) * characters > _MOST_COMPARED

    def may_stand_in(self, rendered: str) -> bool:
        """Whether some value may be in a result that is written as JSON."""
        return self._escapes or any(text in rendered for text in self.whole)

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Where values stand inside of a text."""
        for value in self.inside:
            at = text.find(value)
            while at >= 0:
                yield at, at + len(value)
                at = text.find(value, at + len(value))


def _escaped(text: str) -> set[str]:
    """The text as it is written inside JSON, where that differs, also one level further in."""
    once = {json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
    return {form for one in once for form in (one, json.dumps(one)[1:-1])} - {text}
