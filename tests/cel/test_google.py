"""Our answers against those of Google's own implementation, where the extra `oracle` is installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.cel import CelError, parse, plan
from gateway.diagnostic import Excerpt
from tests.cel.oracle_expressions import ANYTHING, COMPARED, MIXED, VALUES, conditions

cel = pytest.importorskip("cel_expr_python.cel", reason="the extra `oracle` is not installed")

KNOWN: Mapping[str, Callable[[str], bool]] = {
    "its parser takes `!!x` for `x`, and so finds no error where `x` is no bool": lambda text: "!!" in text,
    "it makes an int of a bool, which CEL has no function for": lambda text: "int(b)" in text,
}
"""Why it may answer otherwise, and of which expressions that is so."""


def theirs(text: str) -> tuple[str, Any]:
    """A value, an error, or that the expression is refused."""
    environment = cel.NewEnv(variables=dict.fromkeys(VALUES, cel.Type.DYN))
    try:
        expression = environment.compile(text)
    except Exception:
        return "refused", None
    value = expression.eval(data=VALUES)
    return ("error", None) if "ERROR" in str(value.type()) else ("value", value.plain_value())


def ours(text: str) -> tuple[str, Any]:
    """A value or an error, with and without generated Python."""
    program = plan(parse(Excerpt.whole(text)), ANYTHING)
    program.generate()
    answers: list[tuple[str, Any]] = []
    for evaluate in (program.exact, program.evaluate):
        try:
            answers.append(("value", evaluate(VALUES)))
        except CelError:
            answers.append(("error", None))
    assert answers[0] == answers[1]
    return answers[0]


@settings(max_examples=500, deadline=None)
@given(st.recursive(COMPARED | MIXED, conditions, max_leaves=5))
def test_both_say_the_same_but_for_known_reasons(text: str) -> None:
    one, other = ours(text), theirs(text)
    same = one == other and type(one[1]) is type(other[1])
    assert same or other[0] == "refused" or any(holds(text) for holds in KNOWN.values()), (text, one, other)


@pytest.mark.parametrize("text", ["!!i", "int(b) == 1"])
def test_it_does_answer_otherwise(text: str) -> None:
    assert (ours(text)[0], theirs(text)[0]) == ("error", "value")
    assert any(holds(text) for holds in KNOWN.values())
