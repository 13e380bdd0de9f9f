"""Numbers of payment cards: 13 to 19 digits with or without blanks and dashes, whose last digit checks."""

from __future__ import annotations

from gateway.results.detectors.format import Format

FIELDS: tuple[str, ...] = ()


def _checks(text: str) -> bool:
    """Whether the last digit is the one that Luhn's formula asks for."""
    digits = [int(c) for c in text if c.isdigit()]
    odd, even = digits[-1::-2], digits[-2::-2]
    return (sum(odd) + sum(sum(divmod(2 * d, 10)) for d in even)) % 10 == 0


FORMATS: tuple[Format, ...] = (
    Format(
        "card number",
        r"\b[2-6][0-9](?:[ -]?[0-9]){11,17}\b",
        ("4111 1111 1111 1111", "card 5500-0000-0000-0004."),
        ("4111 1111 1111 1112", "order 2026-11-30", "1234567890123"),
        _checks,
    ),
)
