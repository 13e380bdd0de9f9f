"""How much harm a tool can do, and the one entry point for every source of risk data."""

from __future__ import annotations

from enum import Enum


class RiskLevel(Enum):
    """The five levels; severity is explicit, never the order of declaration."""

    READ_ONLY = "READ_ONLY"
    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"
    IRREVERSIBLE = "IRREVERSIBLE"

    @property
    def severity(self) -> int:
        """0 for READ_ONLY up to 4 for IRREVERSIBLE."""
        return _SEVERITY[self]

    def __ge__(self, other: RiskLevel) -> bool:
        return _SEVERITY[self] >= _SEVERITY[other]

    def __gt__(self, other: RiskLevel) -> bool:
        return _SEVERITY[self] > _SEVERITY[other]

    def __le__(self, other: RiskLevel) -> bool:
        return _SEVERITY[self] <= _SEVERITY[other]

    def __lt__(self, other: RiskLevel) -> bool:
        return _SEVERITY[self] < _SEVERITY[other]


_SEVERITY = {
    RiskLevel.READ_ONLY: 0,
    RiskLevel.LOW: 1,
    RiskLevel.MEDIUM: 2,
    RiskLevel.HIGH: 3,
    RiskLevel.IRREVERSIBLE: 4,
}
_BY_NAME = {level.value: level for level in RiskLevel}


def parse_or_high(value: object) -> RiskLevel:
    """The level that a value names; anything missing or unreadable is HIGH.

    Falling back to HIGH costs one question too many; falling back to anything lower runs a write.
    """
    if isinstance(value, RiskLevel):
        return value
    if isinstance(value, str):
        return _BY_NAME.get(value, RiskLevel.HIGH)
    return RiskLevel.HIGH
