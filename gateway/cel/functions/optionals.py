"""Optional values: what `.?field` and `[?index]` give, and how to get at what they hold."""

from __future__ import annotations

from typing import Any

from gateway.cel.functions.signature import Fails, Function, Overload, Style
from gateway.cel.types import BOOL, NEVER, OptionalType, Variable
from gateway.cel.values import NONE, CelError, ErrorKind, Kind, OptionalValue, kind_of, some

_A = Variable("A")
_OPTIONAL = OptionalType(_A)


def is_zero(value: Any) -> bool:
    """Whether a value is the empty one of its type: null, false, 0, '' or a collection without elements."""
    kind = kind_of(value)
    if kind in (Kind.TIMESTAMP, Kind.DURATION):
        return bool(value.nanos == 0)
    if kind is Kind.OPTIONAL:
        return not value.present
    return kind not in (Kind.TYPE, Kind.OTHER) and not value


def _value(optional: OptionalValue) -> Any:
    if optional.present:
        return optional.value
    raise CelError(ErrorKind.NO_SUCH_KEY, "the optional holds no value")


def _non_zero(value: Any) -> OptionalValue:
    return NONE if is_zero(value) else some(value)


FUNCTIONS = (
    Function(
        "optional.of",
        Style.GLOBAL,
        (Overload((_A,), _OPTIONAL, some, Fails.NEVER),),
        "An optional that holds a value.",
        "optional.of(1).value() == 1",
    ),
    Function(
        "optional.ofNonZeroValue",
        Style.GLOBAL,
        (Overload((_A,), _OPTIONAL, _non_zero, Fails.NEVER),),
        "An optional that holds a value unless it is null, false, 0 or empty.",
        "!optional.ofNonZeroValue('').hasValue()",
    ),
    Function(
        "optional.none",
        Style.GLOBAL,
        (Overload((), OptionalType(NEVER), lambda: NONE, Fails.NEVER),),
        "An optional that holds nothing.",
        "optional.none().orValue(1) == 1",
    ),
    Function(
        "hasValue",
        Style.MEMBER,
        (Overload((_OPTIONAL,), BOOL, lambda optional: optional.present, Fails.NEVER),),
        "Whether an optional holds a value.",
        "{'a': 1}.?a.hasValue()",
    ),
    Function(
        "value",
        Style.MEMBER,
        (Overload((_OPTIONAL,), _A, _value),),
        "What an optional holds, or an error.",
        "{'a': 1}.?a.value() == 1",
    ),
    Function(
        "orValue",
        Style.MEMBER,
        (
            Overload(
                (_OPTIONAL, _A),
                _A,
                lambda optional, other: optional.value if optional.present else other,
                Fails.NEVER,
            ),
        ),
        "What an optional holds, or another value.",
        "{'a': 1}.?b.orValue(2) == 2",
    ),
    Function(
        "or",
        Style.MEMBER,
        (
            Overload(
                (_OPTIONAL, _OPTIONAL),
                _OPTIONAL,
                lambda optional, other: optional if optional.present else other,
                Fails.NEVER,
            ),
        ),
        "The first of two optionals that holds a value.",
        "{'a': 1}.?b.or(optional.of(3)).value() == 3",
    ),
)
