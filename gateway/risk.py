"""How much harm a tool can do, and the one entry point for every source of risk data."""

from __future__ import annotations

from enum import Enum


class RiskLevel(Enum):
    """The five levels; severity is explicit, never the order of declaration."""

    severity: int
    """0 for READ_ONLY up to 4 for IRREVERSIBLE."""

    def __new__(cls, value: str, severity: int = 0) -> RiskLevel:
        """A member whose value is its name in policies."""
        member = object.__new__(cls)
        member._value_ = value
        member.severity = severity
        return member

    READ_ONLY = "READ_ONLY", 0
    LOW = "LOW", 1
    MEDIUM = "MEDIUM", 2
    HIGH = "HIGH", 3
    IRREVERSIBLE = "IRREVERSIBLE", 4

    def __ge__(self, other: RiskLevel) -> bool:
        return self.severity >= other.severity

    def __gt__(self, other: RiskLevel) -> bool:
        return self.severity > other.severity

    def __le__(self, other: RiskLevel) -> bool:
        return self.severity <= other.severity

    def __lt__(self, other: RiskLevel) -> bool:
        return self.severity < other.severity


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
