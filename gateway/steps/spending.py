"""How much of a limit a call takes, exactly: one call, or an amount in millionths of a currency."""

from __future__ import annotations

import json
from decimal import Decimal as Digits
from math import isfinite
from typing import Any

from gateway.amounts import PLACES
from gateway.cel import CelError
from gateway.cel.values import Decimal
from gateway.frozen import frozen
from gateway.plan import Condition, LimitPlan
from gateway.steps.deciding import Deciding, call_variables
from gateway.steps.work import counted

LARGEST = 2**61
"""More than any budget has; what is more is as good as this."""


class Uncounted(Exception):
    """What a call takes of a limit can't be told; `message` is what the model is told beside."""

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.message = message


@frozen
class Taken:
    """What a call takes: so much of `most` in a stretch of time."""

    amount: int
    most: int
    window: int
    currency: str = ""


def taken(limit: LimitPlan, window: int, ctx: Deciding) -> Taken:
    """What a call takes of a limit; raises `Uncounted`."""
    if limit.amount is None:
        return Taken(1, limit.most, window)
    amount = _millionths(value_of(limit.amount, ctx, "`amount`"))
    if limit.currency is None:
        return Taken(amount, limit.most, window)
    currency = value_of(limit.currency, ctx, "`currency`")
    bound = limit.currencies.get(currency) if isinstance(currency, str) else None
    if bound is None:
        named = json.dumps(currency, ensure_ascii=True, default=repr)[:60]
        known = ", ".join(sorted(limit.currencies))
        raise Uncounted(
            f"it has no budget in the currency {named}",
            f"There is no budget in this currency; there is in {known}.",
        )
    return Taken(amount, *bound, currency)


def value_of(condition: Condition, ctx: Deciding, what: str) -> Any:
    """What an expression of a limit comes to; raises `Uncounted`."""
    variables = call_variables(ctx)
    purse = counted(ctx, variables)
    program = condition.program
    try:
        return program.evaluate(variables) if purse is None else program.within(variables, purse)
    except CelError as error:
        raise Uncounted(f"{what} can't be evaluated: {error.message}") from None


def _millionths(value: Any) -> int:
    """A number in millionths; what is beyond them is rounded up, so that nothing is spent unseen."""
    if isinstance(value, Decimal):
        units, scale = value.units, value.scale
    elif isinstance(value, int) and not isinstance(value, bool):
        units, scale = int(value), 0
    elif isinstance(value, float) and isfinite(value):
        # The fewest digits that tell a double apart are those that were written.
        sign, digits, exponent = Digits(repr(value)).as_tuple()
        units, scale = int("".join(map(str, digits))) * (-1 if sign else 1), -int(exponent)
    else:
        raise Uncounted("`amount` gives no number")
    if units < 0:
        raise Uncounted("`amount` is less than nothing", "An amount can't be less than nothing.")
    shift = PLACES - scale
    return min(units * int(10**shift) if shift >= 0 else -(-units // int(10**-shift)), LARGEST)
