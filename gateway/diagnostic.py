"""What is wrong, how bad it is, and the exact characters that say so."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import field
from enum import Enum

from gateway.frozen import frozen


@frozen
class Source:
    """A text with a name (a path, or `<expression>`), in which spans point."""

    name: str
    text: str
    _starts: list[int] = field(default_factory=list, repr=False, compare=False)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        starts = self._starts
        if not starts:
            starts[:] = [0, *(i + 1 for i, char in enumerate(self.text) if char == "\n")]
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def offset(self, number: int) -> int:
        """The offset at which a line begins, counted from 1."""
        self.position(0)
        return self._starts[number - 1] if 1 <= number <= len(self._starts) else len(self.text)

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its line break."""
        self.position(0)
        if not 1 <= number <= len(self._starts):
            return ""
        start = self._starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : len(self.text) if end < 0 else end].rstrip("\r")


@frozen
class Span:
    """A stretch of a source: both ends are offsets in characters, `end` is one past the last."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """The characters that the span covers."""
        return self.source.text[self.start : self.end]

    @property
    def line(self) -> int:
        """Line of the first character, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, from 1."""
        return self.source.position(self.start)[1]

    @property
    def place(self) -> str:
        """`file:line:column`, as editors understand it."""
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"


@frozen
class Excerpt:
    """A text taken out of a source that still knows where each of its characters stands there.

    `offsets` has one entry for each character and one for the end.
    """

    text: str
    source: Source
    offsets: Sequence[int]

    @classmethod
    def whole(cls, text: str, name: str = "<expression>") -> Excerpt:
        """A text that is its own source."""
        return cls(text, Source(name, text), range(len(text) + 1))

    def span(self, start: int, end: int) -> Span:
        """The span in the source of the characters from `start` to `end`."""
        last = len(self.offsets) - 1
        start = min(max(start, 0), last)
        end = min(max(end, start), last)
        if end == start:
            return Span(self.source, self.offsets[start], self.offsets[start])
        at, behind = self.offsets[end - 1], self.offsets[end]
        # What is written as two or more characters, such as an escaped quote, ends where the next one begins.
        escaped = behind - at > 1 and self.source.text[at] in "\\'"
        return Span(self.source, self.offsets[start], behind if escaped else at + 1)


class Severity(Enum):
    """How bad a diagnostic is; only errors stop a load."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Confidence(Enum):
    """How sure a diagnostic is that what it says matters, however bad that would be."""

    CERTAIN = "certain"
    """It follows from the policy alone."""
    LIKELY = "likely"
    """It is seldom meant."""
    POSSIBLE = "possible"
    """It is worth a look."""


@frozen
class Edit:
    """What to write in place of a span, so that a diagnostic no longer holds and nothing else changes."""

    span: Span
    text: str


@frozen
class Related:
    """Another place that belongs to a diagnostic, such as the first of two equal names."""

    span: Span
    message: str


@frozen
class Diagnostic:
    """One thing that is wrong: lower case, no full stop, the user's words in backticks; help apart."""

    code: str
    message: str
    span: Span | None = None
    help: str = ""
    severity: Severity = Severity.ERROR
    related: tuple[Related, ...] = ()
    confidence: Confidence = Confidence.CERTAIN
    edits: tuple[Edit, ...] = ()
    """The safe mend, all of it or nothing; no decision depends on whether it is made."""

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        """Order by file and place, so that the same input always prints the same list."""
        if self.span is None:
            return ("", 0, 0, self.code, self.message)
        return (self.span.source.name, self.span.start, self.span.end, self.code, self.message)


class PolicyError(Exception):
    """Policy files that can't be used; `diagnostics` holds everything that is wrong with them."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        unique = dict.fromkeys(diagnostics)
        self.diagnostics: tuple[Diagnostic, ...] = tuple(sorted(unique, key=lambda d: d.sort_key))
        super().__init__("\n".join(render(d) for d in self.diagnostics))


_LONGEST_WORD = 100


def suggest(word: str, known: Iterable[str], *, most: int = 1) -> list[str]:
    """The known words most like a misspelt one (similarity >= 0.5), best first; long texts are no words.

    A single one is what was probably meant: all but a few letters are the same, or one is part of the other.
    """
    from difflib import get_close_matches

    if len(word) > _LONGEST_WORD:
        return []
    words = sorted({other for other in known if len(other) <= _LONGEST_WORD})
    if most > 1:
        return get_close_matches(word, words, n=most, cutoff=0.5)
    return [one for one in get_close_matches(word, words, n=_TRIED, cutoff=0.5) if _misspelt(word, one)][:1]


_TRIED = 4
_SHORT_PART = 4


def _misspelt(word: str, other: str) -> bool:
    """Whether one word may be the other with a few letters wrong."""
    one, two = sorted((word.lower(), other.lower()), key=len)
    if len(one) >= _SHORT_PART and one in two:
        return True
    return _slips(one, two) <= max(1, len(one) // 3)


def certain(word: str, known: Iterable[str]) -> str:
    """The one known word that a misspelt one can only be, or nothing.

    It alone has the same letters but for capitals, or no other is even nearly as near as it, which is one slip away.
    """
    words = {other for other in known if abs(len(other) - len(word)) <= _NEXT}
    alike = [other for other in words if other.lower() == word.lower()]
    if not alike and _SHORT_PART <= len(word) <= _LONGEST_WORD:
        near = [other for other in words if _slips(word.lower(), other.lower()) <= _NEXT]
        alike = near if len(near) == 1 and _slips(word.lower(), near[0].lower()) == 1 else []
    return alike[0] if len(alike) == 1 else ""


_NEXT = 2


def respelt(word: str, known: Iterable[str], span: Span) -> tuple[Edit, ...]:
    """The edit that puts right a misspelt word which is all that a span holds, in quotes or not; none if unsure."""
    quote = span.text[: 1 if span.text[:1] in ("'", '"') else 0]
    meant = certain(word, known) if span.text == f"{quote}{word}{quote}" else ""
    if not meant or not _plain(meant):
        return ()
    at = span.start + len(quote)
    return (Edit(Span(span.source, at, at + len(word)), meant),)


def _plain(word: str) -> bool:
    """Whether YAML and CEL read a word as it stands, in quotes or not."""
    return word.isascii() and word[0].isalpha() and all(char.isalnum() or char in "_./-" for char in word)


def _slips(one: str, two: str) -> int:
    """How many letters are wrong, missing, added or swapped with the next."""
    before: list[int] = []
    row = list(range(len(two) + 1))
    for i, letter in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, there in enumerate(two, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != there))
            if i > 1 and j > 1 and letter == two[j - 2] and there == one[i - 2]:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]


_LONGEST_SHOWN = 80


def shortened(text: str) -> str:
    """As much of a name as a message repeats."""
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


class Ink:
    """Colour for a terminal; `PLAIN` has none."""

    def __init__(self, codes: dict[str, str]) -> None:
        self._codes = codes

    def __call__(self, name: str, text: str) -> str:
        """The text in the named colour: red, yellow, green, blue, cyan, bold or dim."""
        code = self._codes.get(name)
        return f"\x1b[{code}m{text}\x1b[0m" if code and text else text


PLAIN = Ink({})
COLOUR = Ink(
    {"red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36", "bold": "1", "dim": "2"}
)
_SEVERITY_INK = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks without a shape, which count as printable all the same."""


def printable(text: str) -> str:
    """The text with every character that could steer a terminal or hide its direction written out."""
    if text.isprintable() and (text.isascii() or _INVISIBLE.isdisjoint(text)):
        return text
    return "".join(
        c
        if c == " " or (c.isprintable() and c not in _INVISIBLE)
        else c.encode("unicode_escape", "backslashreplace").decode("ascii")
        for c in text
    )


def printable_lines(text: str) -> str:
    """As `printable`, for a text that may have several lines."""
    if text.isascii() and text.isprintable():
        return text
    return "\n".join(map(printable, text.splitlines()))


def render(diagnostic: Diagnostic, ink: Ink = PLAIN) -> str:
    """The diagnostic as people read it: place, message, the line with the characters underlined, help.

    What is certain is not marked as such.
    """
    paint = _SEVERITY_INK[diagnostic.severity]
    sure = diagnostic.confidence is Confidence.CERTAIN
    code = diagnostic.code if sure else f"{diagnostic.code}, {diagnostic.confidence.value}"
    head = f"{ink(paint, diagnostic.severity.value)}[{code}]: {printable(diagnostic.message)}"
    lines = [head if diagnostic.span is None else f"{ink('bold', printable(diagnostic.span.place))}: {head}"]
    if diagnostic.span is not None:
        lines += _underlined(diagnostic.span, paint, ink)
    for related in diagnostic.related:
        lines.append(f"  {printable(related.span.place)}: {printable(related.message)}")
        lines += _underlined(related.span, "blue", ink)
    if diagnostic.help:
        lines.append(f"  {ink('bold', 'help')}: {printable(diagnostic.help)}")
    return "\n".join(lines)


_WIDEST_LINE = 140


def _underlined(span: Span, paint: str, ink: Ink) -> list[str]:
    number, column = span.source.position(span.start)
    line = span.source.line(number)
    length = max(1, min(span.end - span.start, len(line) - column + 1))
    first = 0
    if len(line) > _WIDEST_LINE:
        first = max(0, column - 1 - _WIDEST_LINE // 3)
    shown = line[first : first + _WIDEST_LINE]
    length = max(1, min(length, _WIDEST_LINE - (column - 1 - first)))
    before, marked = shown[: column - 1 - first], shown[column - 1 - first : column - 1 - first + length]
    gutter = f"{number:>5} | "
    return [
        ink("dim", gutter) + printable(shown),
        " " * (len(gutter) - 2)
        + ink("dim", "| ")
        + " " * _cells(printable(before))
        + ink(paint, "^" * max(1, _cells(printable(marked)))),
    ]


def _cells(text: str) -> int:
    """How many columns a terminal gives the text: two for a wide character, none for a combining mark."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        0 if category(char) in ("Mn", "Me") else 2 if east_asian_width(char) in ("W", "F") else 1
        for char in text
    )
