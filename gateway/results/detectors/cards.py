"""Numbers of payment cards, as their issuers give them out: digits in their usual groups, whose last one checks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gateway.later import later
from gateway.results.detectors.format import Format

FIELDS: tuple[str, ...] = ()
NUMBERS = True

_ISSUED = (
    ("4", "4", (13, 16, 19)),  # Visa
    ("51", "55", (16,)),  # Mastercard
    ("2221", "2720", (16,)),
    ("34", "34", (15,)),  # American Express
    ("37", "37", (15,)),
    ("300", "305", (14, 16, 19)),  # Diners Club
    ("3095", "3095", (14, 16, 19)),
    ("36", "36", (14, 16, 19)),
    ("38", "39", (14, 16, 19)),
    ("3528", "3589", (16, 17, 18, 19)),  # JCB
    ("6011", "6011", (16, 17, 18, 19)),  # Discover
    ("644", "659", (16, 17, 18, 19)),
    ("62", "62", (16, 17, 18, 19)),  # UnionPay
    ("5018", "5018", (16, 17, 18, 19)),  # Maestro
    ("5020", "5020", (16, 17, 18, 19)),
    ("5038", "5038", (16, 17, 18, 19)),
    ("5893", "5893", (16, 17, 18, 19)),
    ("6304", "6304", (16, 17, 18, 19)),
    ("6759", "6763", (16, 17, 18, 19)),
    ("2200", "2204", (16,)),  # Mir
    ("508", "508", (16,)),  # RuPay
    ("60", "60", (16,)),
    ("81", "82", (16,)),
)
"""The first digits that each brand gives out, from and to, and how many there are in all."""

_SHAPES = frozenset(
    (
        *((4, 4, 4, last) for last in (1, 2, 3, 4)),
        *((4, 4, 4, 4, last) for last in (1, 2, 3)),
        (4, 3, 3, 3), (4, 6, 4), (4, 6, 5), (4, 5, 6), (6, 10), (6, 13), (8, 8), (4, 4, 8), (4, 8, 4),
    )
)  # fmt: skip
"""How many digits stand together where a number is written in groups."""
_MOST_GROUPS, _SMALLEST = 5, 4
_SHORTEST, _LONGEST = 13, 19
_FIRST = frozenset("234568")

_DIGITS = later("[0-9]+")
_BEFORE = later(r"[0-9A-Za-z+]\Z|[0-9]\.\Z")
"""What stands before digits that are no card's: a letter, the plus of a telephone number, the point of a number."""
_BEHIND = later(r"[0-9A-Za-z_]|\.0*[1-9]")
"""What stands behind such: a letter, or a fraction."""
_IN_UUID = later(r"[0-9A-Fa-f]{8}-\Z")


def _cards(match: Any) -> Iterator[tuple[int, int]]:
    """The cards among digits with blanks and dashes between them; other numbers may stand around them."""
    text = match.string
    groups = [group.span() for group in _DIGITS.finditer(text, *match.span())]
    sizes = tuple(end - start for start, end in groups)
    for first, (start, _) in enumerate(groups):
        if text[start] not in _FIRST or sizes[first] < _SMALLEST:
            continue
        for last in range(first, min(first + _MOST_GROUPS, len(groups))):
            shape, end = sizes[first : last + 1], groups[last][1]
            if last > first and shape not in _SHAPES:
                continue
            digits = "".join([text[at:behind] for at, behind in groups[first : last + 1]])
            if _is_issued(digits) and _checks(digits) and _stands_alone(text, start, end):
                yield start, end


def _stands_alone(text: str, start: int, end: int) -> bool:
    before = text[max(start - 9, 0) : start]
    return not (_BEFORE.search(before) or _IN_UUID.search(before) or _BEHIND.match(text, end))


def _is_issued(digits: str) -> bool:
    return _SHORTEST <= len(digits) <= _LONGEST and any(
        len(digits) in lengths and first <= digits[: len(first)] <= last for first, last, lengths in _ISSUED
    )


def _checks(digits: str) -> bool:
    """Whether the last digit is the one that Luhn's formula asks for."""
    odd, even = map(int, digits[-1::-2]), map(int, digits[-2::-2])
    return (sum(odd) + sum(sum(divmod(2 * d, 10)) for d in even)) % 10 == 0


_BETWEEN = r"(?:[ \x{a0}\x{2007}\x{2009}\x{202f}]{1,2}|[-\x{2010}-\x{2015}\x{2212}])?"

FORMATS: tuple[Format, ...] = (
    Format(
        "card number",
        rf"[0-9](?:{_BETWEEN}[0-9]){{12,}}",
        (
            "4111 1111 1111 1111",
            "card 5500-0000-0000-0004.",
            "3782 822463 10005",
            "2026-11-30 3782 822463 10005",
            "4111 1111 1111 1111 123",
            "4111111111111111 12 27",
            "5123 4111 1111 1111 1111",
            "4111\u00a01111\u00a01111\u00a01111",
            "4111  1111  1111  1111",
            "4111\u20131111\u20131111\u20131111",
            "4222222222222",
            "4222 222 222 222",
            "30569309025904",
            "6011111111111117 3530111333300000",
            "6759649826438453",
            "4111111111111111.0",
            "4111111111111111.",
        ),
        (
            "4111 1111 1111 1112",
            "4111 1111 1111 1112 123",
            "order 2026-11-30",
            "1234567890123",
            "0.4111111111111111",
            "4111111111111111.25",
            "+4111 1111 1111 1111",
            "x4111111111111111",
            "7992739871300003",
            "41111111-1111-1111-1111-",
            "abcdef12-4111-1111-1111-1111",
        ),
        broad=rf"[2-68](?:{_BETWEEN}[0-9]){{12}}|[2-68]\.[0-9]{{9,18}}[Ee]",
        within=_cards,
    ),
)
