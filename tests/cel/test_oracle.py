"""Our answers against those of cel-python, on the part of CEL where that library follows the specification."""

from __future__ import annotations

import sys
import warnings
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.cel import CelError, Environment, parse, plan
from gateway.diagnostic import Excerpt

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import celpy
    from celpy.adapter import json_to_cel
    from celpy.evaluation import CELEvalError

_limit = sys.getrecursionlimit()
ORACLE = celpy.Environment()
sys.setrecursionlimit(_limit)  # the library raises it for the whole process

INTS = st.sampled_from(["0", "1", "-2", "7", "i", "j", "o.n"])
TEXTS = st.sampled_from(["''", "'a'", "'abc'", "s", "o.t"])


def _ints(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "/", "%"]), inner)


NUMBERS = st.recursive(INTS, _ints, max_leaves=4) | st.builds("size({})".format, TEXTS)
STRINGS = TEXTS | st.builds("({} + {})".format, TEXTS, TEXTS)
COMPARED = (
    st.builds("({} {} {})".format, NUMBERS, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), NUMBERS)
    | st.builds("({} {} {})".format, STRINGS, st.sampled_from(["==", "!=", "<", ">"]), STRINGS)
    | st.builds("{}.{}({})".format, TEXTS, st.sampled_from(["startsWith", "endsWith", "contains"]), TEXTS)
    | st.builds("({} in [{}, {}])".format, NUMBERS, INTS, INTS)
    | st.builds(
        "l.{}(x, x {} {})".format,
        st.sampled_from(["all", "exists", "exists_one"]),
        st.sampled_from(["<", "=="]),
        INTS,
    )
    | st.sampled_from(["has(o.n)", "has(o.z)", "b", "true", "false"])
)


def _conditions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return (
        st.builds("({} {} {})".format, inner, st.sampled_from(["&&", "||"]), inner)
        | st.builds("!{}".format, inner)
        | st.builds("({} ? {} : {})".format, inner, inner, inner)
    )


VALUES: dict[str, Any] = {"i": 3, "j": -4, "s": "ab", "b": True, "l": [1, 2, 3], "o": {"n": 5, "t": "abc"}}
FAILED = "failed"


def theirs(text: str) -> Any:
    program = ORACLE.program(ORACLE.compile(text))
    activation: Any = json_to_cel(VALUES)
    try:
        return bool(program.evaluate(activation))
    except CELEvalError:
        return FAILED


def ours(text: str) -> Any:
    try:
        return plan(parse(Excerpt.whole(text)), Environment()).evaluate(VALUES)
    except CelError:
        return FAILED


@settings(max_examples=80, deadline=None)
@given(st.recursive(COMPARED, _conditions, max_leaves=5))
def test_both_say_the_same(text: str) -> None:
    assert ours(text) == theirs(text)
