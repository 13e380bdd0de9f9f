"""Numbers of payment cards: 13 to 19 digits with or without blanks and dashes, whose last digit checks."""

from __future__ import annotations

from typing import Any

from gateway.results.detectors.format import Format

FIELDS: tuple[str, ...] = ()
NUMBERS = True


def _checks(match: Any) -> bool:
    """Whether the last digit is the one that Luhn's formula asks for."""
    digits = [int(c) for c in match[1] if c.isdigit()]
    odd, even = digits[-1::-2], digits[-2::-2]
    return (sum(odd) + sum(sum(divmod(2 * d, 10)) for d in even)) % 10 == 0


_BEFORE = r"(?:^|[^0-9A-Za-z.]|[^0-9]\.)"
"""Neither a letter nor a digit, nor the point of a number."""

FORMATS: tuple[Format, ...] = tuple(
    Format(name, _BEFORE + f"({digits})" + r"\b", matches, misses, _checks, broad=digits)
    for name, digits, matches, misses in (
        (
            "card number",
            r"[2-6][0-9](?:[ -]?[0-9]){11,17}",
            ("4111 1111 1111 1111", "card 5500-0000-0000-0004.", "3782 822463 10005"),
            ("4111 1111 1111 1112", "order 2026-11-30", "1234567890123", "0.4111111111111111"),
        ),
        (
            "card number in groups of four",  # with other numbers behind it
            r"[2-6][0-9]{3}(?:[ -][0-9]{4}){3}",
            ("4111 1111 1111 1111 123",),
            ("4111 1111 1111 1112 123",),
        ),
        (
            "card number without blanks",
            r"[2-6][0-9]{12,18}",
            ("4111111111111111 12 27",),
            ("4111111111111112 12",),
        ),
    )
)
