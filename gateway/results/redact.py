"""Blanking out: fields, what detectors find, and values of sensitive arguments, wherever in a result they stand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from gateway.results import jsontext
from gateway.results.fields import Place
from gateway.results.filters import Filters, Values
from gateway.results.plain import Names
from gateway.results.redaction import SENSITIVE, Redact
from gateway.results.texts import SEPARATORS
from gateway.results.texts import values as field_values
from gateway.results.views import View, views
from gateway.results.withheld import Withheld

BLANK = "(redacted)"
MAX_NESTED = 4
"""How many times JSON may stand in a text inside JSON."""

_ARGUMENT = Redact(SENSITIVE)
_Cut = tuple[int, int, str]
"""A part of a text, and what stands in its place."""


class Redactor:
    """Blanks out one result, and remembers what it blanked out; nothing that it remembers is from the result."""

    def __init__(self, filters: Filters, values: Values, doubtful: frozenset[str] | None = None) -> None:
        """`doubtful` are the texts and keys in which something may be found; None stands for all of them."""
        self._filters = filters
        self._values = values
        self._detectors = filters.detectors
        self._doubtful = doubtful
        self.blanked: dict[Redact, int] = {}

    def value(self, value: Any, place: Place | None = None, nested: int = 0) -> Any:
        """The value with everything blanked out that has to be; the very same object where that is nothing."""
        here = self._filters.root if place is None else place
        kind = type(value)
        if kind is str:
            if here.hit is not None and (held := self._held(value, here.hit)) is not None:
                return self._blank(held)
            doubtful = self._doubtful
            return (
                value if doubtful is not None and value not in doubtful else self._text(value, here, nested)
            )
        if kind is dict:
            return self._object(value, here, nested)
        if kind is list:
            items = [self.value(item, here, nested) for item in value]
            return value if all(a is b for a, b in zip(items, value, strict=True)) else items
        if kind is bool or value is None:
            return value
        return self._number(value)

    def _object(self, value: dict[str, Any], place: Place, nested: int) -> dict[str, Any]:
        doubtful, known = self._doubtful, place.known
        if doubtful is None or place.other.hit is not None or not doubtful.isdisjoint(value):
            return self._rewritten(value, place, nested)
        # No key is a field that is looked for: such a key holds the field's name, and is doubtful.
        changed: dict[str, Any] | None = None
        numbers = self._filters.numbers
        for key, item in value.items():
            kind = type(item)
            if kind is str:
                if item not in doubtful:
                    continue
            elif kind is not dict and kind is not list and not numbers:
                continue
            new = self.value(item, known.get(key) or place.below(key), nested)
            if new is not item:
                changed = dict(value) if changed is None else changed
                changed[key] = new
        return value if changed is None else changed

    def _rewritten(self, value: dict[str, Any], place: Place, nested: int) -> dict[str, Any]:
        doubtful = self._doubtful
        changed: dict[str, Any] | None = None
        names = Names()
        for done, (key, item) in enumerate(value.items()):
            below = place.below(key)
            name = (
                key
                if doubtful is not None and key not in doubtful
                else self._text(key, self._filters.root, nested)
            )
            whole = self._whole(below)
            new: Any = self._blank(whole) if whole is not None else self.value(item, below, nested)
            if changed is None and (new is not item or name is not key):
                changed = dict(list(value.items())[:done])
            if changed is not None:
                changed[names.free(name, changed)] = new
        return value if changed is None else changed

    def _whole(self, place: Place) -> Redact | None:
        """What asks for the value here to be blanked out whatever it is."""
        if place.hit is None:
            return None
        redact = self._filters.fields[place.hit]
        return redact if redact.field is not None else None

    def _held(self, value: str, hit: int) -> Redact | None:
        """What asks for a text to be blanked out that stands in a field of a detector."""
        redact = self._filters.fields[hit]
        if any(one is redact and detector.holds(value) for one, detector in self._detectors):
            return redact
        return None

    def _number(self, value: float) -> Any:
        if self._values and self._is_sensitive(value):
            return self._blank(_ARGUMENT)
        if isinstance(value, float):
            if not value.is_integer() or abs(value) > _EXACT:
                return value
            whole = int(value)
        else:
            whole = value
        for redact, detector in self._detectors:
            if detector.numbers and any(detector.find(str(whole))):
                return self._blank(redact)
        return value

    def _text(self, text: str, place: Place, nested: int) -> str:
        if self._values and self._values.is_whole(text):
            return self._blank(_ARGUMENT)
        first = text[:1]
        if first <= " " or first == _MARK:
            first = text.lstrip(_BEFORE_JSON)[:1]
        if first not in _JSON_BEGINS:
            return self._plain_text(text)
        if nested < MAX_NESTED and jsontext.is_json(text, text.startswith(_MARK)):
            return self._json(text, place, nested + 1)
        begins = _begins_like_json(text)
        if begins and self._filters.names and self._names_a_field(text):
            raise Withheld("a field has to be blanked out in a text that begins like JSON and can't be read")
        return self._plain_text(text, like_json=begins)

    def _json(self, text: str, place: Place, nested: int) -> str:
        """JSON in a text with what has to be blanked out cut out of it; all else stays as it was written."""
        filters = self._filters
        everywhere = bool(self._values)
        scalars = everywhere or bool(filters.numbers)
        doubts = iter(() if everywhere else filters.doubts(text))
        first, last = (0, len(text)) if everywhere else next(doubts, _NO_DOUBT)
        outside, self._doubtful = self._doubtful, None
        cuts: list[_Cut] = []
        above: list[Place] = []
        here = below = place
        done = 0
        for token in jsontext.tokens(text, scalars=scalars):
            kind = token.lastindex
            if kind == jsontext.OPEN:
                above.append(here)
                here = below
                continue
            if kind == jsontext.CLOSE:
                below = here = above.pop()
                continue
            start, end = token.span(jsontext.SCALAR if kind == jsontext.SCALAR else jsontext.TEXT)
            while last <= start:
                first, last = next(doubts, _NO_DOUBT)
            if first >= end and kind == jsontext.TEXT and below.hit is None:
                if last is _END and not scalars:
                    break
                continue
            if start < done:
                if kind == jsontext.KEY:
                    below = here
                continue
            if kind == jsontext.SCALAR:
                if text[start] in _DIGITS and (new := self._scalar(text[start:end])) is not None:
                    cuts.append((start, end, new))
                continue
            said = jsontext.string(text, start, end)
            if kind == jsontext.TEXT:
                new = self.value(said, below, nested)
                if new is not said:
                    cuts.append((start, end, _written(new)))
                continue
            below = here.below(said)
            if first < end and (name := self._text(said, filters.root, nested)) is not said:
                cuts.append((start, end, _written(name)))
            whole = self._whole(below)
            if whole is not None:
                at, done = jsontext.value_span(text, token.end())
                cuts.append((at, done, _written(self._blank(whole))))
        self._doubtful = outside
        return _with(text, cuts)

    def _scalar(self, written: str) -> str | None:
        number = json.loads(written)
        new = self._number(number)
        return None if new is number else _written(new)

    def _plain_text(self, text: str, *, like_json: bool = False) -> str:
        """The text as words: fields by their syntax, what detectors find, and sensitive values.

        Each is looked for in the text as it came, so that none hides what another one would have found, and in each
        other way of reading it.
        """
        spans: list[tuple[int, int, Redact]] = []
        for view in views(text):
            spans += ((*view.span(start, end), redact) for start, end, redact in self._found(view, like_json))
        if self._values and any(self._values.is_whole(view.text) for view in views(text)):
            return self._blank(_ARGUMENT)
        return self._cut(text, sorted(spans, key=lambda s: s[:2])) if spans else text

    def _found(self, view: View, like_json: bool) -> Iterator[tuple[int, int, Redact]]:
        text, filters = view.text, self._filters
        if filters.names and any(c in text for c in SEPARATORS) and self._names_a_field(text):
            for (start, end), name in field_values(text, filters.heads):
                yield start, end, filters.names[name]
        if len(text) >= _SHORTEST:
            for redact, detector in self._detectors:
                for start, end in detector.find(text):
                    yield start, end, redact
            if like_json:
                for redact, detector, find in filters.written_fields:
                    for match in find(text):
                        if detector.holds(match.group(1)):
                            yield *match.span(1), redact
        if self._values:
            for start, end in self._values.find(text):
                yield start, end, _ARGUMENT

    def _names_a_field(self, text: str) -> bool:
        if not text.isascii():
            return self._filters.named(text) is not None
        lower = text.lower()
        for name in self._filters.names:  # noqa: SIM110  # a loop is quicker than `any`
            if name in lower:
                return True
        return False

    def _cut(self, text: str, spans: list[tuple[int, int, Redact]]) -> str:
        cuts: list[_Cut] = []
        done = 0
        for start, end, redact in spans:
            if end <= done:
                continue
            if start >= done:
                cuts.append((start, end, self._blank(redact)))
            else:
                cuts[-1] = (cuts[-1][0], end, BLANK)
            done = end
        return _with(text, cuts)

    def _is_sensitive(self, value: float) -> bool:
        if str(value).lower() in self._values.whole:
            return True
        return isinstance(value, float) and value.is_integer() and str(int(value)) in self._values.whole

    def _blank(self, redact: Redact) -> str:
        self.blanked[redact] = self.blanked.get(redact, 0) + 1
        return BLANK


_END = 1 << 62
_NO_DOUBT = (_END, _END)
"""Behind every text."""
_JSON_BEGINS = frozenset('{["')
_EXACT = 1 << 53
"""Above it a float says nothing of a number's last digits."""
_DIGITS = frozenset("-0123456789")
_MARK = "\ufeff"
_BEFORE_JSON = " \t\r\n\f\v" + _MARK
_SHORTEST = 5
"""No detector finds anything in less."""


def _with(text: str, cuts: list[_Cut]) -> str:
    if not cuts:
        return text
    parts: list[str] = []
    done = 0
    for start, end, new in cuts:
        parts += (text[done:start], new)
        done = end
    return "".join((*parts, text[done:]))


def _written(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _begins_like_json(text: str) -> bool:
    bare = text.lstrip(_BEFORE_JSON)
    return bare.startswith("{") or (bare.startswith("[") and bare[1:64].lstrip()[:1] in ("{", "[", '"', ""))


def parts(blanked: dict[Redact, int]) -> Iterator[tuple[str, str, int]]:
    """What was blanked out: the entry, what it asked for, and how often; sorted."""
    summed: dict[tuple[str, str], int] = {}
    for redact, count in blanked.items():
        what = "argument" if redact == _ARGUMENT else redact.what
        summed[redact.entry, what] = summed.get((redact.entry, what), 0) + count
    for (entry, what), count in sorted(summed.items()):
        yield entry, what, count
