"""What looks like the mark of a fence: the same letters in any form and script, behind any bracket."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Any
from unicodedata import category, name, normalize

from gateway.later import later

MARK = "tool-data"
_NAME = MARK.replace("-", "")

_ALIKE = {
    "<": "⋖⋘˂ᐸᚲ︿𝈶",
    "t": "тТτΤᴛᎢꓔⲧⲦꭲ⊤𐊗𐌕†",
    "o": "оОοΟօՕᴏᴑסهⲟⲞσჿဝଠⵔꓳꬽɵӨөθΘ𐐬𐐄ഠ𑣈∅",
    "l": "ӏӀІΙιɩƖʟוןߊⵏꓲꓡⳑⳐᏞꮮᒪᛁɭɫⲒꙇı∟",
    "d": "ԁᴅᎠꭰᏧᑯᗞᗪꓒꓓðÐժძδ∂",
    "a": "аАɑαΑᴀ⍺ᎪꓮᗅⲁⲀꭺ𐊠ɐ",
    "oo": "ꝏꝎꚙꚘထ∞",
    "0": "○◯●⚪⚫⬤◦°〇٥۵०০੦૦୦௦౦೦൦๐໐၀߀",
    "1": "ǀ│∣⏐┃¦ا١۱",
}
"""Characters that are read as those of our mark, by what they are read as; mere signs as 0 and 1."""
_BRACKET_NAMES = later(
    r"LESS[- ]THAN|SMALLER THAN|PRECEDES|LEFT-POINTING|LEFT.* (?:ANGLE|BINDING) BRACKET|LEFTWARDS \w+ ARROWHEAD"
)
_BRACKET_BLOCKS = (
    (0xAB, 0xAC), (0x2000, 0x2C00), (0x3000, 0x3020), (0xFE10, 0xFE70), (0xFF00, 0xFF70), (0x1F780, 0x1F800),
)  # fmt: skip
_LATIN = later(
    r"LATIN (?:SMALL |CAPITAL |EPIGRAPHIC |SINGLE-STOREY )*LETTER (?:SMALL |CAPITAL |REVERSED |TURNED |OPEN |BARRED )*"
    r"([TOLDA])(?: WITH .*)?"
)
"""The names by which Unicode calls forms of the letters of our mark."""

_UNKNOWN = "\x1a"
"""A letter or sign of which it is not known what it is read as."""
_BLANK = " "


@cache
def _brackets() -> frozenset[str]:
    """All that is read as the bracket of a mark, and is none in ASCII."""
    named = (
        chr(code)
        for first, behind in _BRACKET_BLOCKS
        for code in range(first, behind)
        if _BRACKET_NAMES.search(name(chr(code), ""))
    )
    return frozenset((*named, *_ALIKE["<"]))


class _Letters(dict[int, str | None]):
    """What each character is read as, worked out when it is first met."""

    def __init__(self) -> None:
        super().__init__((code, chr(code)) for code in range(0x80))
        self[ord(_UNKNOWN)] = None
        self.update((code, _BLANK) for code in (9, 10, 11, 12, 13))
        self.update((ord(c), letter) for letter, alike in _ALIKE.items() for c in alike)
        # White letters in black circles and squares, and flags' letters.
        for first in (0x1F150, 0x1F170, 0x1F1E6):
            self.update((first + at, chr(ord("a") + at)) for at in range(26))

    def __missing__(self, code: int) -> str | None:
        char = chr(code)
        found = "<" if char in _brackets() else _read_as(char)
        if len(self) < _MOST_KNOWN:
            self[code] = found
        return found


def _read_as(char: str) -> str | None:
    latin = _LATIN.fullmatch(name(char, ""))
    if latin is not None:
        return latin[1].lower()
    kind = category(char)[0]
    return _UNKNOWN if kind in "LSN" else _BLANK if kind == "Z" else None


_MOST_KNOWN = 20_000
_LETTERS = _Letters()
_SIGNS = {"|": "1", "I": "1"}
_KEPT = frozenset("<01abcdefghijklmnopqrstuvwxyz")
_ASCII = bytes(ord(_SIGNS.get(chr(code), chr(code).lower())) for code in range(256))
_DROPPED = bytes(code for code in range(256) if chr(_ASCII[code]) not in _KEPT)
_DROPPED_BUT_UNKNOWN = bytes(code for code in _DROPPED if chr(code) not in (_UNKNOWN, _BLANK))
_NOT_READ = (_UNKNOWN + _BLANK).encode()
_LEAST_READ = 4
"""How many letters of a mark must be read where the others are letters that nobody knows."""


@cache
def _marks() -> Any:
    """Finds a mark in a skeleton; zeros and ones may be letters, or mean nothing."""
    return _expression("", "")


@cache
def _half_read() -> Any:
    """Finds what may be a mark in a skeleton with unknown letters: one word right behind a bracket."""
    return _expression(_UNKNOWN, _BLANK)


def _expression(unknown: str, blank: str) -> Any:
    import re2

    letters = {"o": "o0", "l": "l1i"}
    return re2.compile(
        f"<[01{blank}]*" + "[01]*".join(f"[{letters.get(c, c)}{unknown}]" for c in _NAME),
    )


@cache
def _bracket() -> Callable[[bytes], Any]:
    import re2

    found = {"<", "＜", "﹤", "≮", *_brackets()}
    return re2.compile(f"[{''.join(sorted(found))}]").search  # type: ignore[no-any-return]


def looks_like_a_mark(text: str) -> bool:
    """Whether somewhere in a text a reader could see a mark such as ours."""
    if text.isascii():
        return "<" in text and _marks().search(_skeleton(text)) is not None
    if _bracket()(text.encode("utf-8", "replace")) is None:
        return False
    return next(_found(_skeleton(text)), None) is not None


def _found(skeleton: bytes) -> Iterator[tuple[bool, int]]:
    """Whether a mark was read only in part, and its place: of one that was not, without what is not read."""
    for match in _marks().finditer(skeleton.translate(None, _NOT_READ)):
        yield False, match.start()
    for match in _half_read().finditer(skeleton):
        if sum(match[0].count(letter) for letter in (b"t", b"o", b"l", b"d", b"a")) >= _LEAST_READ:
            yield True, match.start()


def _skeleton(text: str) -> bytes:
    """The letters and brackets of a text, in all forms and scripts as the plain ones.

    In a text that is not ASCII, blanks and letters that are not known stay as well.
    """
    if text.isascii():
        return text.encode("ascii").translate(_ASCII, _DROPPED)
    # Not NFKC, which would make one letter of a bracket and a stroke through it.
    text = normalize("NFKD", text).translate(_LETTERS)
    return text.encode("ascii").translate(_ASCII, _DROPPED_BUT_UNKNOWN)


@lru_cache(maxsize=4096)
def _of_one(char: str) -> bytes:
    """What one character is in the skeleton of a text that is not ASCII."""
    return _skeleton(char + "\u0301")


def defanged(text: str) -> str:
    """The text with the bracket of every mark that looks like ours written as `&lt;`."""
    parts: list[bytes] = []
    places: list[int] = []
    read: list[int] = []
    for index, c in enumerate(text):
        found = _of_one(c)
        if found:
            parts.append(found)
            places += [index] * len(found)
            read += [index] * len(found.translate(None, _NOT_READ))
    marks = {(places if in_part else read)[at] for in_part, at in _found(b"".join(parts))}
    return "".join(["&lt;" if index in marks else c for index, c in enumerate(text)])
