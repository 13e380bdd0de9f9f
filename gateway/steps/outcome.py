"""What a condition comes to: true, false or an error, and how `when` and `unless` combine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from gateway.cel import CelError, Outcome, Watched
from gateway.cel.budget import Purse
from gateway.plan import Condition

_JOINED = {
    (when, unless): (
        Outcome.FALSE
        if when is Outcome.FALSE or unless is Outcome.TRUE
        else Outcome.ERROR
        if Outcome.ERROR in (when, unless)
        else Outcome.TRUE
    )
    for when in Outcome
    for unless in Outcome
}


NEITHER = "the condition is neither true nor false"
"""The error of a condition whose value is no truth value."""

_TRUE = (Outcome.TRUE, "")
_FALSE = (Outcome.FALSE, "")


def evaluate(
    condition: Condition, variables: Mapping[str, Any], purse: Purse | None = None
) -> tuple[Outcome, str]:
    """The outcome of a condition and, where it is an error, the error's text; a purse pays for it."""
    program = condition.program
    try:
        value = program.evaluate(variables) if purse is None else program.within(variables, purse)
    except CelError as error:
        return Outcome.ERROR, str(error)
    if value is False:
        return _FALSE
    if value is True:
        return _TRUE
    return Outcome.ERROR, NEITHER


def join(when: Outcome, unless: Outcome) -> Outcome:
    """The outcome of `(when) && !(unless)` with CEL's absorption of errors."""
    return _JOINED[when, unless]


class Conditional(Protocol):
    """Anything with `when` and `unless`."""

    @property
    def when(self) -> Condition | None:
        """What must hold; absent is true."""

    @property
    def unless(self) -> Condition | None:
        """What must not hold; absent is false."""


def holds(part: Conditional, variables: Mapping[str, Any], purse: Purse | None = None) -> tuple[Outcome, str]:
    """The outcome of `(when) && !(unless)`, and the error's text where there is one."""
    when, when_error = _TRUE if part.when is None else evaluate(part.when, variables, purse)
    if part.unless is None or when is Outcome.FALSE:
        return when, when_error
    unless, unless_error = evaluate(part.unless, variables, purse)
    return join(when, unless), "" if unless is Outcome.TRUE else when_error or unless_error


def watch(part: Conditional, variables: Mapping[str, Any]) -> tuple[Watched, ...]:
    """What every part of the conditions that is evaluated comes to, for whoever watches."""
    watched: list[Watched] = []
    for condition in (part.when, part.unless):
        if condition is not None and not (watched and watched[0].value is False):
            watched.append(condition.program.watch(variables))
    return tuple(watched)
