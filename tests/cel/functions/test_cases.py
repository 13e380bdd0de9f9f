"""What each library's functions give, where they fail, and what the checker refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gateway.cel import (
    DYN,
    STRING,
    CelError,
    Environment,
    ErrorKind,
    MapType,
    Parsed,
    check,
    parse,
    plan,
)
from gateway.cel.functions import LIBRARIES, STANDARD
from gateway.diagnostic import Excerpt
from tests.cel.both_ways import agreed

DATA = Path(__file__).parent.parent.parent / "data" / "cel" / "functions"


def lines(name: str) -> list[str]:
    written = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [line for line in written if line and not line.startswith("#")]


def parsed(text: str) -> Parsed:
    found = parse(Excerpt.whole(text))
    assert found.ast is not None, found.diagnostics
    return found


def value_of(text: str, /, **variables: Any) -> Any:
    return agreed(parsed(text), Environment(), variables)


@pytest.mark.parametrize("text", lines("values.txt"))
def test_it_checks_and_is_true(text: str) -> None:
    assert check(parsed(text), Environment()).diagnostics == ()
    assert value_of(text) is True


@pytest.mark.parametrize("line", lines("errors.txt"))
def test_it_fails_there(line: str) -> None:
    kind, place, text = line.split(" | ", 2)
    with pytest.raises(CelError) as caught:
        value_of(text)
    assert caught.value.kind is ErrorKind(kind)
    assert caught.value.span is not None
    assert caught.value.span.text == place


@pytest.mark.parametrize("line", lines("refused.txt"))
def test_it_does_not_check(line: str) -> None:
    place, message, text = line.split(" | ", 2)
    found = parse(Excerpt.whole(text))
    diagnostics = found.diagnostics or check(found, Environment()).diagnostics
    assert [(d.span.text, d.message) for d in diagnostics if d.span] == [(place, message)]


def test_a_variable_hides_only_what_can_be_called_on_it() -> None:
    environment = Environment({"lists": MapType(STRING, DYN), "sets": STRING})
    for text, value in (("lists.range(2)", [0, 1]), ("sets.contains('a')", True), ("lists.range", "mine")):
        assert check(parsed(text), environment, expects=None).diagnostics == ()
        assert plan(parsed(text), environment).evaluate({"lists": {"range": "mine"}, "sets": "cat"}) == value
    (wrong,) = check(parsed("cel.bind(lists, [1], lists.range(2))"), environment, expects=None).diagnostics
    assert wrong.message == "there is no function `range`"


def test_every_library_is_tried() -> None:
    tried = "\n".join(lines("values.txt"))
    for library in LIBRARIES[LIBRARIES.index(next(own for own in LIBRARIES if "strings" in own.__name__)) :]:
        for function in library.FUNCTIONS:
            assert not function.built or f"{function.name}(" in tried or "optional" in library.__name__


@pytest.mark.parametrize("function", tuple(STANDARD), ids=lambda f: f"{f.style.value}-{f.name}")
def test_a_wrong_number_or_kind_of_arguments_is_an_error_and_nothing_worse(function: Any) -> None:
    if not function.built:
        return
    for count in range(6):
        for value in (None, True, -1, 10**400, 2.5, "x", b"x", [None], {"a": 1}, frozenset({1}), [[["%s"]]]):
            name = function.name if count == 0 or function.style.value == "global" else f"x.{function.name}"
            given = count - 1 if name.startswith("x.") else count
            text = f"{name}({', '.join(['x'] * given)})"
            if parse(Excerpt.whole(text)).ast is None:
                continue
            try:
                value_of(text, x=value)
            except CelError as error:
                assert error.message
