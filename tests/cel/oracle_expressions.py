"""Expressions that several implementations of CEL are asked for, and the values of their variables."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from gateway.cel import DYN, Environment

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
MIXED = st.builds(
    "({} {} {})".format,
    INTS | TEXTS | st.sampled_from(["b", "d", "l", "o", "null", "1.0", "2u"]),
    st.sampled_from(["==", "!=", "<", ">=", "in"]),
    INTS | TEXTS | st.sampled_from(["b", "d", "l", "o", "[1, 'a', 1.0]", "null"]),
) | st.sampled_from(["has(o.z.y)", "has(s.x)", "string(l) == s", "l[d] == 2", "s.all(x, x != s)"])


def conditions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return (
        st.builds("({} {} {})".format, inner, st.sampled_from(["&&", "||"]), inner)
        | st.builds("!{}".format, inner)
        | st.builds("({} ? {} : {})".format, inner, inner, inner)
    )


VALUES: dict[str, Any] = {
    "i": 3,
    "j": -4,
    "s": "ab",
    "b": True,
    "d": 1.0,
    "l": [1, 2, 3],
    "o": {"n": 5, "t": "abc"},
}
ANYTHING = Environment(dict.fromkeys(VALUES, DYN))
