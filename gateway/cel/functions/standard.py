"""The functions of the CEL standard that work on strings, bytes, lists and maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gateway.cel.budget import Cost, searched
from gateway.cel.functions.signature import Fails, Function, Overload, Style, Work
from gateway.cel.types import BOOL, BYTES, DYN, INT, STRING, TYPE, ListType, MapType, Variable
from gateway.cel.values import TypeValue, no_overload, type_name

_ANY_LIST = ListType(Variable("A"))
_ANY_MAP = MapType(Variable("A"), Variable("B"))
_SIZES = tuple(Overload((sized,), INT, len, Fails.NEVER) for sized in (STRING, BYTES, _ANY_LIST, _ANY_MAP))


def _type(value: Any) -> TypeValue:
    return TypeValue(type_name(value))


def _compared(_: Any, part: Any) -> int:
    return len(part) >> 10 if isinstance(part, str) else 0


def _with_constant(
    name: str, run: Callable[[str, str], bool], cost: Cost | None
) -> Callable[[Sequence[Any]], Work | None]:
    """Ask texts for the same part again and again, without looking for the overload."""

    def specialise(constants: Sequence[Any]) -> Work | None:
        part = constants[1] if len(constants) == 2 else None
        if not isinstance(part, str):
            return None

        def asked(text: Any, _: Any) -> bool:
            if isinstance(text, str):
                return run(text, part)
            raise no_overload(name, text, part)

        return Work(asked, cost)

    return specialise


def _on_strings(run: Any) -> tuple[Overload, ...]:
    return (Overload((STRING, STRING), BOOL, run, Fails.NEVER),)


FUNCTIONS = (
    Function(
        "size",
        Style.GLOBAL,
        _SIZES,
        "The number of characters of a string, bytes, elements of a list or entries of a map.",
        "size('héllo') == 5",
    ),
    Function(
        "size",
        Style.MEMBER,
        _SIZES,
        "The number of characters of a string, bytes, elements of a list or entries of a map.",
        "[1, 2].size() == 2",
    ),
    Function(
        "contains",
        Style.MEMBER,
        _on_strings(lambda text, part: part in text),
        "Whether a string has another one anywhere inside.",
        "'gateway'.contains('way')",
        _with_constant("contains", str.__contains__, searched),
        searched,
    ),
    Function(
        "startsWith",
        Style.MEMBER,
        _on_strings(str.startswith),
        "Whether a string begins with another one.",
        "'infra:read'.startsWith('infra:')",
        _with_constant("startsWith", str.startswith, None),
        _compared,
    ),
    Function(
        "endsWith",
        Style.MEMBER,
        _on_strings(str.endswith),
        "Whether a string ends with another one.",
        "'ann@acme.com'.endsWith('@acme.com')",
        _with_constant("endsWith", str.endswith, None),
        _compared,
    ),
    Function(
        "type",
        Style.GLOBAL,
        (Overload((DYN,), TYPE, _type, Fails.NEVER),),
        "The type of a value.",
        "type(1) == int",
    ),
    Function(
        "dyn",
        Style.GLOBAL,
        (Overload((DYN,), DYN, lambda value: value, Fails.NEVER),),
        "The same value, of which the checker shall assume no type.",
        "dyn(1) == 1.0",
    ),
)
