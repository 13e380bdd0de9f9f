"""Small texts that choose: tools by their risk, and what a limit counts by."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from gateway.diagnostic import suggest
from gateway.malformed import Malformed
from gateway.risk import RiskLevel

_RISK = re.compile(r"(>=|<=|==|>|<)? *([A-Za-z_]+)", re.ASCII)


class Compare(Enum):
    """How a tool's risk is compared with the level that a rule names."""

    AT_LEAST = ">="
    AT_MOST = "<="
    ABOVE = ">"
    BELOW = "<"
    EQUAL = "=="


@dataclass(frozen=True, slots=True)
class RiskSelector:
    """Tools of some risks, such as `>=LOW`."""

    compare: Compare
    level: RiskLevel

    def holds(self, level: RiskLevel) -> bool:
        """Whether a tool of this risk is chosen."""
        match self.compare:
            case Compare.AT_LEAST:
                return level >= self.level
            case Compare.AT_MOST:
                return level <= self.level
            case Compare.ABOVE:
                return level > self.level
            case Compare.BELOW:
                return level < self.level
            case Compare.EQUAL:
                return level is self.level


def parse_risk_selector(text: str) -> RiskSelector:
    """A level, perhaps with a comparison before it."""
    match = _RISK.fullmatch(text)
    if match is None:
        raise Malformed(f"`{text}` selects no risk", 'write a comparison and a level, such as `">=LOW"`')
    if match[2] not in RiskLevel.__members__:
        raise Malformed(
            f"`{match[2]}` is no risk", risk_help(match[2]), start=match.start(2), end=match.end(2)
        )
    return RiskSelector(Compare(match[1] or "=="), RiskLevel[match[2]])


def risk_help(word: str) -> str:
    """The five levels, with the one that was probably meant."""
    levels = ", ".join(f"`{level.value}`" for level in RiskLevel)
    likely = suggest(word.upper(), RiskLevel.__members__)
    return f"did you mean `{likely[0]}`? the levels are {levels}" if likely else f"the levels are {levels}"


class Counted(Enum):
    """What a limit keeps a count for."""

    CALL = "call"
    TURN = "turn"
    SESSION = "session"
    SUBJECT = "subject"
    TENANT = "tenant"
    TOOL = "tool"
    VALUE = "cel"


@dataclass(frozen=True, slots=True)
class Per:
    """What a limit counts by; `cel` is an expression's text where `counted` is a value."""

    counted: Counted
    cel: str | None = None


def parse_per(value: object) -> Per:
    """One of the words, or a mapping with `cel` alone."""
    if isinstance(value, dict):
        text = value.get("cel")
        if len(value) == 1 and isinstance(text, str) and text.strip():
            return Per(Counted.VALUE, text)
    elif isinstance(value, str) and value != Counted.VALUE.value:
        for counted in Counted:
            if counted.value == value:
                return Per(counted)
    words = [counted.value for counted in Counted if counted is not Counted.VALUE]
    likely = suggest(value, words) if isinstance(value, str) else []
    known = ", ".join(f"`{word}`" for word in words)
    raise Malformed(
        f"`{value}` is nothing to count by" if isinstance(value, str) else "a limit can't count by this",
        (f"did you mean `{likely[0]}`? " if likely else "")
        + f"write one of {known}, or `{{cel: expression}}`",
    )
