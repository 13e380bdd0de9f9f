"""What is asked of an argument for many terms at once: Python that is true where none of them is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Constant = Callable[[Any], str]
"""Gives a value a name in the code that is written."""
_Question = Callable[[Constant, str, list[Any]], str]

_LONGEST = 4096
"""Of longer texts the search is paid for, and may be too dear: the rules themselves decide."""


def _texts_among(constant: Constant, value: str, constants: list[Any]) -> str:
    among = constant(frozenset(constants))
    return f"(len({value}) > {max(map(len, constants))} or {value} not in {among})"


def _numbers_among(constant: Constant, value: str, constants: list[Any]) -> str:
    return f"{value} not in {constant(frozenset(constants))}"


def _begins(constant: Constant, value: str, constants: list[Any]) -> str:
    return f"not {value}.startswith({constant(tuple(dict.fromkeys(constants)))})"


def _ends(constant: Constant, value: str, constants: list[Any]) -> str:
    return f"not {value}.endswith({constant(tuple(dict.fromkeys(constants)))})"


def _holds(constant: Constant, value: str, constants: list[Any]) -> str:
    wanted = list(dict.fromkeys(constants))
    if len(wanted) < _FEW:
        passes = " and ".join(f"{constant(one)} not in {value}" for one in wanted)
    else:
        # No text of them is a pattern, so it never goes back, and those that begin alike are tried at once.
        search = re.compile("|".join(map(re.escape, sorted(wanted)))).search
        passes = f"{constant(search)}({value}) is None"
    return f"len({value}) <= {_LONGEST} and {passes}"


_FEW = 4


def _bound(sign: str, extreme: Callable[[list[Any]], Any]) -> _Question:
    return lambda constant, value, constants: f"{value} {sign} {extreme(constants)!r}"


QUESTIONS: Mapping[str, _Question] = {
    "is": _texts_among,
    "equals": _numbers_among,
    "begins with": _begins,
    "ends with": _ends,
    "holds": _holds,
    ">": _bound("<=", min),
    ">=": _bound("<", min),
    "<": _bound(">=", max),
    "<=": _bound(">", max),
}
"""What a question is called, and what is true where none of its constants makes it true."""
