"""Names for values: macros, which are turned into other nodes while an expression is read."""

from __future__ import annotations

from typing import Any

from gateway.cel.functions.signature import Function, Overload, Style
from gateway.cel.types import DYN, Type, Variable
from gateway.cel.values import CelError, ErrorKind

_BODY = Variable("A")


def _unread(*_: Any) -> Any:
    """No call gets here: each with so many arguments has become another node, or is an error."""
    raise CelError(ErrorKind.INVALID, "a macro that was not read as one")


def _macro(name: str, written: str, parameters: tuple[Type, ...], summary: str, example: str) -> Function:
    overload = Overload(parameters, parameters[-1], _unread)
    return Function(f"cel.{name}", Style.GLOBAL, (overload,), summary, example, written=f"cel.{written}")


FUNCTIONS = (
    _macro(
        "bind",
        "bind(name, value, A)",
        (DYN, DYN, _BODY),
        "An expression in which a value, which is evaluated first, has a name.",
        "cel.bind(parts, 'a:b'.split(':'), parts[0] + parts[1]) == 'ab'",
    ),
    _macro(
        "block",
        "block([value, …], A)",
        (DYN, _BODY),
        "An expression in which values have numbers, for tools; each is evaluated where it is first used, once.",
        "cel.block([1, cel.index(0) + 1], cel.index(1) + cel.index(1)) == 4",
    ),
    _macro(
        "index",
        "index(number)",
        (DYN,),
        "The value of a block that has a number, from 0.",
        "cel.block([1, 'a'], cel.index(1)) == 'a'",
    ),
    _macro(
        "iterVar",
        "iterVar(depth, number)",
        (DYN, DYN),
        "A name for the element of a macro, made of two numbers, for tools.",
        "[1, 2].map(cel.iterVar(0, 0), cel.iterVar(0, 0) * 2) == [2, 4]",
    ),
    _macro(
        "accuVar",
        "accuVar(depth, number)",
        (DYN, DYN),
        "A name for a value, made of two numbers, for tools.",
        "cel.bind(cel.accuVar(0, 0), 2, cel.accuVar(0, 0) * 2) == 4",
    ),
)
