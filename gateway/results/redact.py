"""Blanking out: fields, what detectors find, and values of sensitive arguments, wherever in a result they stand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from gateway.results.fields import Place
from gateway.results.filters import SENSITIVE, Filters, Redact, Values
from gateway.results.plain import Names, plain, texts_in
from gateway.results.texts import values as field_values
from gateway.results.withheld import Withheld

BLANK = "(redacted)"
MAX_NESTED = 4
"""How many times JSON may stand in a text inside JSON."""

_ARGUMENT = Redact(SENSITIVE)


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
            doubtful = self._doubtful
            return (
                value if doubtful is not None and value not in doubtful else self._text(value, here, nested)
            )
        if kind is int and not self._values:
            return value
        if kind is dict:
            return self._object(value, here, nested)
        if kind is list:
            items = [self.value(item, here, nested) for item in value]
            return value if all(a is b for a, b in zip(items, value, strict=True)) else items
        if self._values and kind is not bool and value is not None and self._is_sensitive(value):
            return self._blank(_ARGUMENT)
        return value

    def _object(self, value: dict[str, Any], place: Place, nested: int) -> dict[str, Any]:
        doubtful, known = self._doubtful, place.known
        if doubtful is None or place.other.hit is not None or not doubtful.isdisjoint(value):
            return self._rewritten(value, place, nested)
        # No key is a field that is looked for: such a key holds the field's name, and is doubtful.
        changed: dict[str, Any] | None = None
        for key, item in value.items():
            kind = type(item)
            if kind is str:
                if item not in doubtful:
                    continue
            elif kind is not dict and kind is not list:
                continue
            new = self.value(item, known.get(key) or place.below(key), nested)
            if new is not item:
                changed = dict(value) if changed is None else changed
                changed[key] = new
        return value if changed is None else changed

    def _rewritten(self, value: dict[str, Any], place: Place, nested: int) -> dict[str, Any]:
        doubtful, fields = self._doubtful, self._filters.fields
        changed: dict[str, Any] | None = None
        names = Names()
        for done, (key, item) in enumerate(value.items()):
            below = place.below(key)
            name = key if doubtful is not None and key not in doubtful else self._plain_text(key)
            if below.hit is not None:
                new: Any = self._blank(fields[below.hit])
            else:
                new = self.value(item, below, nested)
            if changed is None and (new is not item or name is not key):
                changed = dict(list(value.items())[:done])
            if changed is not None:
                changed[names.free(name, changed)] = new
        return value if changed is None else changed

    def _text(self, text: str, place: Place, nested: int) -> str:
        if self._values and text in self._values.whole:
            return self._blank(_ARGUMENT)
        first = text[:1]
        if first <= " ":
            first = text.lstrip()[:1]
        if first in _JSON_BEGINS:
            read = _parsed(text) if nested < MAX_NESTED else None
            if read is not None:
                try:
                    return self._json(text, read, place, nested + 1)
                except RecursionError:
                    pass  # too deep to be looked through: as a text that can't be read
            if self._filters.names and _begins_like_json(text) and self._filters.named(text) is not None:
                raise Withheld(
                    "a field has to be blanked out in a text that begins like JSON and can't be read"
                )
        found = self._plain_text(text, with_fields=True)
        if found is text and "\\" in text:
            # Escapes of JSON in a text that is none as a whole: looked at as what they stand for.
            meant = _unescaped(text)
            if meant != text:
                new = self._plain_text(meant, with_fields=True)
                return text if new is meant else new
        return found

    def _json(self, text: str, read: _Read, place: Place, nested: int) -> str:
        texts = None if self._values else texts_in(read.values)
        outside, self._doubtful = self._doubtful, None if texts is None else self._filters.doubtful(texts)
        try:
            new = [self.value(value, place, nested) for value in read.values]
        finally:
            self._doubtful = outside
        if not read.doubled and all(a is b for a, b in zip(new, read.values, strict=True)):
            return text
        indent = 2 if len(new) == 1 and "\n" in text.strip() else None
        return "\n".join(json.dumps(value, ensure_ascii=False, indent=indent) for value in new)

    def _plain_text(self, text: str, *, with_fields: bool = False) -> str:
        """The text as words: fields by their syntax, what detectors find, and sensitive values.

        Each is looked for in the text as it came, so that none hides what another one would have found.
        """
        spans: list[tuple[int, int, Redact]] = []
        if with_fields and self._may_have_fields(text):
            names = self._filters.names
            spans += [(at, end, names[name]) for (at, end), name in field_values(text, self._filters.heads)]
        if len(text) >= _SHORTEST:
            for redact, detector in self._detectors:
                spans += [(start, end, redact) for start, end in detector.find(text)]
        if self._values:
            if text in self._values.whole:
                return self._blank(_ARGUMENT)
            spans += [(start, end, _ARGUMENT) for start, end in self._values.find(text)]
        return self._cut(text, sorted(spans, key=lambda s: s[:2])) if spans else text

    def _may_have_fields(self, text: str) -> bool:
        if ":" not in text and "=" not in text and ">" not in text:
            return False
        lower = text.lower()
        for name in self._filters.names:  # noqa: SIM110  # a loop is quicker than `any`
            if name in lower:
                return True
        return False

    def _cut(self, text: str, spans: list[tuple[int, int, Redact]]) -> str:
        parts: list[str] = []
        done = 0
        for start, end, redact in spans:
            if end <= done:
                continue
            if start >= done:
                parts += (text[done:start], self._blank(redact))
            done = end
        return "".join((*parts, text[done:]))

    def _is_sensitive(self, value: float) -> bool:
        if str(value) in self._values.whole:
            return True
        return isinstance(value, float) and value.is_integer() and str(int(value)) in self._values.whole

    def _blank(self, redact: Redact) -> str:
        self.blanked[redact] = self.blanked.get(redact, 0) + 1
        return BLANK


_JSON_BEGINS = frozenset('{["')
_SHORTEST = 8
"""No detector finds anything in less."""


class _Read:
    """One or more JSON values that a text consists of; `doubled` if some key stood twice, so that one is lost."""

    __slots__ = ("doubled", "values")

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.doubled = False

    def pairs(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            self.doubled = True
        return made


_BLANKS = re.compile(r"[ \t\r\n]*")


def _parsed(text: str) -> _Read | None:
    """The JSON of a text, also several values one after the other; None if it is anything else."""
    read = _Read()
    decode: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder(object_pairs_hook=read.pairs).raw_decode
    at = _BLANKS.match(text).end()  # type: ignore[union-attr]  # it matches nothing, too
    try:
        while at < len(text):
            value, at = decode(text, at)
            read.values.append(value)
            at = _BLANKS.match(text, at).end()  # type: ignore[union-attr]
    except (ValueError, RecursionError):
        return None
    if "\\ud" in text or "\\uD" in text:  # perhaps half of a pair, which no expression can be held against
        whole = plain(read.values)
        if whole.left_out:
            return None
        read.values = whole.value
    return read


def _begins_like_json(text: str) -> bool:
    bare = text.lstrip()
    return bare.startswith("{") or (bare.startswith("[") and bare[1:64].lstrip()[:1] in ("{", "[", '"', ""))


_ESCAPE = re.compile(r"\\+(?:u00([2-7][0-9A-Fa-f])|(/))")


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda m: m[2] or chr(int(m[1], 16)), text)


def parts(blanked: dict[Redact, int]) -> Iterator[tuple[str, str, int]]:
    """What was blanked out: the entry, what it asked for, and how often; sorted."""
    summed: dict[tuple[str, str], int] = {}
    for redact, count in blanked.items():
        what = "argument" if redact == _ARGUMENT else redact.what
        summed[redact.entry, what] = summed.get((redact.entry, what), 0) + count
    for (entry, what), count in sorted(summed.items()):
        yield entry, what, count
