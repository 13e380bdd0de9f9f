"""Budgets: how much may be spent in which time, in each currency if there are several."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta

from gateway.amounts import MILLION, PLACES
from gateway.frozen import frozen
from gateway.interval import parse_duration
from gateway.malformed import Malformed

_BUDGET = re.compile(rf"([0-9]{{1,12}})(?:\.([0-9]{{1,{PLACES}}}))?/([1-9][0-9]{{0,8}})?([smhd])", re.ASCII)
_CURRENCY = re.compile(r"[A-Za-z0-9_.-]{1,40}", re.ASCII)
_HELP = "write an amount and a stretch of time, such as `1000/30d`"


@frozen
class Spending:
    """So much, in millionths, in each stretch of time."""

    most: int
    window: timedelta


Budget = Mapping[str, Spending]
"""By currency; under the empty text where amounts have none."""


def parse_budget(value: object) -> Budget:
    """A budget such as `1000/30d`, or one for each currency, such as `{EUR: 1000/30d, USD: 1200/30d}`."""
    if isinstance(value, str):
        return {"": _spending(value)}
    if not isinstance(value, Mapping) or not value:
        raise Malformed("this is no budget", _HELP)
    for currency in value:
        if not isinstance(currency, str) or _CURRENCY.fullmatch(currency) is None:
            raise Malformed(f"`{currency}` is no currency", "write a short name, such as `EUR`")
    return {currency: _spending(text) for currency, text in value.items()}


def _spending(text: object) -> Spending:
    match = _BUDGET.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise Malformed(f"`{text}` is no budget", _HELP)
    most = int(match[1]) * MILLION + int((match[2] or "").ljust(PLACES, "0"))
    if most == 0:
        raise Malformed(f"`{text}` is a budget of nothing", "write a rule that denies the calls")
    return Spending(most, parse_duration(f"{match[3] or 1}{match[4]}"))
