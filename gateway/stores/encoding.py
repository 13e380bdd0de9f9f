"""How names are kept: as bytes, which keep every character apart and are in the order of the texts."""

from __future__ import annotations

from gateway.state import LONGEST, WATCHED, Kind, Unavailable

_LARGEST = 2**63 - 1


def encoded(text: str) -> bytes:
    """The bytes of a tenant or a name; NUL and lone surrogates are as good as any character."""
    made = text.encode("utf-8", "surrogatepass")
    if len(made) > LONGEST:
        raise Unavailable(f"a name of {len(made):,} bytes is longer than the {LONGEST:,} that a store holds")
    return made


def decoded(kept: bytes) -> str:
    """The text that was encoded so."""
    return kept.decode("utf-8", "surrogatepass")


def fitting(*numbers: int | None) -> None:
    """Refuse a number that databases don't hold."""
    for number in numbers:
        if number is not None and not -_LARGEST <= number <= _LARGEST:
            raise Unavailable("a number needs more than 64 bits, which a store does not hold")


def watched(kind: Kind) -> None:
    """Refuse to tell the generation of a kind that has none."""
    if kind not in WATCHED:
        raise ValueError(f"`{kind.value}` has no generation")
