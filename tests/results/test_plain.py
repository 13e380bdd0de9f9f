"""Whatever a host passes comes out as plain JSON data, bounded, and says what is not there."""

from __future__ import annotations

import json
import math
from asyncio import CancelledError
from collections import OrderedDict, deque
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum, IntEnum
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.results import plain as module
from gateway.results.plain import Reading, plain
from tests.results.build import steps


class Colour(Enum):
    RED = "red"


class Level(IntEnum):
    LOW = 1


class Point(NamedTuple):
    x: int
    password: str


@dataclass
class Row:
    id: int
    tags: tuple[str, ...]


class Model:
    def model_dump(self, *, mode: str, by_alias: bool) -> Any:
        assert (mode, by_alias) == ("json", True)
        return {"content": [], "_meta": {"a": 1}}


class OldModel:
    def model_dump(self) -> Any:
        return {"a": (1, 2)}


class Raises:
    def __str__(self) -> str:
        raise RuntimeError("no")

    __repr__ = __str__


class RaisingModel:
    def model_dump(self, **_: Any) -> Any:
        raise SystemError("no")


class RaisingMapping(dict[str, Any]):
    def items(self) -> Any:
        raise RuntimeError("no")


class Lying(str):
    def __len__(self) -> int:
        raise RuntimeError("no")

    def encode(self, *_: Any) -> Any:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("given", "made"),
    [
        (None, None),
        (True, True),
        (2.5, 2.5),
        (math.inf, "inf"),
        ("text", "text"),
        (b"text", "text"),
        (bytearray(b"ab"), "ab"),
        ((1, (2,)), [1, [2]]),
        ({3}, [3]),
        (deque([1]), [1]),
        (OrderedDict(a=1), {"a": 1}),
        ({2: "a", None: "b", True: "c"}, {"2": "a", "null": "b", "true": "c"}),
        ({1: "a", "1": "b"}, {"1": "a", "1 (2)": "b"}),
        ({("a", 1): 2}, {"['a', 1]": 2}),
        (Colour.RED, "red"),
        ({Colour.RED: 1, Level.LOW: 2}, {"red": 1, "1": 2}),
        (Point(1, "a"), {"x": 1, "password": "a"}),
        ([Point(1, "a")], [{"x": 1, "password": "a"}]),
        (Level.LOW, 1),
        (Row(1, ("a",)), {"id": 1, "tags": ["a"]}),
        (Model(), {"content": [], "_meta": {"a": 1}}),
        (OldModel(), {"a": [1, 2]}),
        (SimpleNamespace(content=[1], isError=False), {"content": [1], "isError": False}),
        (date(2026, 12, 1), "2026-12-01"),
        (Decimal("1.10"), "1.10"),
        (ValueError("bad"), "ValueError: bad"),
        ("\ud800", "\\ud800"),
        ({"a\ud800": "\udfff"}, {"a\\ud800": "\\udfff"}),
    ],
)
def test_it_is_made_plain(given: Any, made: Any) -> None:
    assert plain(given).value == made
    assert type(plain(given).value) is type(made)


def test_what_is_plain_is_not_copied() -> None:
    value = {"a": [1, "é", None, True, {"b": 2.5}]}
    assert plain(value).value is value
    assert plain(value).left_out == ()


def test_what_json_has_a_form_for_is_written_as_it_is() -> None:
    value = {"a": [1, "é", None, True, {"b": 2.5}]}
    assert Reading(value).written == '{"a": [1, "é", null, true, {"b": 2.5}]}'
    assert Reading(value).plain.value is value


@pytest.mark.parametrize(
    "given",
    [
        "text",
        7,
        None,
        {"a": float("nan")},
        {"a": "\ud800"},
        {"a": b"x"},
        {"a": {1, 2}},
        {"a": Lying("x")},
        {"a": Raises()},
        ["x" * 2_000_000],
        list(range(20_000)),
        [10**5000],
    ],
)
def test_what_has_no_form_or_is_large_is_read_first(given: Any) -> None:
    assert Reading(given).written is None


@pytest.mark.parametrize("given", [{1: "a"}, {"a": {None: "b"}}, [("a", "b")], {"a": ({"b": 1},)}])
def test_keys_that_are_no_texts_and_tuples_are_read_before_they_are_looked_through(given: Any) -> None:
    made = Reading(given).plain.value
    assert is_plain(made)
    assert made == plain(given).value


def test_only_what_has_to_be_is_copied() -> None:
    kept = {"a": 1}
    made = plain({"kept": kept, "changed": (1,)}).value
    assert made == {"kept": {"a": 1}, "changed": [1]}
    assert made["kept"] is kept


@pytest.mark.parametrize(
    ("given", "what"),
    [
        (b"\xff\xfe\x00", "binary data of 3 bytes"),
        (Raises(), "an object that can't be read (Raises)"),
        (RaisingModel(), "an object that can't be read (RaisingModel)"),
        (RaisingMapping(a=1), "an object that can't be read (RaisingMapping)"),
        (1 << 5000, "an integer too long to write"),
    ],
)
def test_what_can_t_be_read_is_left_out_and_said(given: Any, what: str) -> None:
    assert plain(given).value == f"(left out: {what})"
    assert plain([1, given]).value[0] == 1
    assert plain([given]).left_out == (what,)


class Ends:
    """Raises one exception wherever it is touched."""

    def __init__(self, error: type[BaseException]) -> None:
        self._error = error

    def __str__(self) -> str:
        raise self._error

    @property
    def __class__(self) -> Any:
        raise self._error

    @__class__.setter
    def __class__(self, value: Any) -> None:
        raise AssertionError("nothing sets a class")

    def __hash__(self) -> int:
        return 1


ENDS = [SystemExit, KeyboardInterrupt, CancelledError, GeneratorExit, MemoryError, BaseException]


@pytest.mark.parametrize("error", ENDS)
def test_an_object_that_ends_the_host_is_left_out(error: type[BaseException]) -> None:
    what = "(left out: an object that can't be read (Ends))"
    for value in (Ends(error), [Ends(error)], {"a": Ends(error)}, (Ends(error),)):
        assert what in json.dumps(plain(value).value)
    assert plain({Ends(error): 1}).value == {what: 1}


def test_iterating_and_asking_a_class_may_end_the_host_as_well() -> None:
    class Meta(type):
        @property
        def __name__(cls) -> str:  # type: ignore[override]
            raise SystemExit

    class Items(deque[int], metaclass=Meta):
        def __iter__(self) -> Any:
            raise SystemExit

    assert plain(Items([1])).value == "(left out: an object that can't be read (Items))"


@pytest.mark.parametrize("name", ["two words", "x" * 41, "</tool-data>", "pass\nword"])
def test_a_class_is_named_only_as_code_names_classes(name: str) -> None:
    kind = type(name, (Raises,), {})
    assert plain(kind()).left_out == ("an object that can't be read (an object)",)


def test_a_text_in_many_places_counts_as_often_as_it_is_written() -> None:
    text = "x" * 900_000
    assert Reading([text]).written is not None
    assert Reading([text] * 2).written is None
    assert Reading([{text: 1}] * 2).written is None
    assert Reading([[text], [text]]).written is None
    assert Reading(["x" * 400] * 2_000).written is not None


def test_a_tuple_in_many_places_counts_as_often_as_it_is_written() -> None:
    shared: Any = ("x",)
    for _ in range(40):
        shared = (shared, shared)
    assert steps(lambda: Reading([shared])) < 50_000
    assert Reading([shared]).written is None
    assert Reading({"a": (1, "b")}).written == '{"a": [1, "b"]}'


def test_long_keys_in_many_places_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_TEXT", 1_000)
    row = {"k" * 100: 1}
    made = plain([row] * 500)
    assert sum(key.count("k") for one in made.value for key in one) == 1_000
    assert made.left_out == ("what comes after 1000 characters",)


def nested(levels: int, kind: str) -> Any:
    value: Any = "end"
    for _ in range(levels):
        value = [value] if kind == "list" else {"a": value}
    return value


@pytest.mark.parametrize("kind", ["list", "dict"])
def test_ten_thousand_levels_are_cut_and_said(kind: str) -> None:
    made = plain(nested(10_000, kind))
    assert made.left_out == (f"what is nested deeper than {module.MAX_DEPTH} levels",)
    assert "end" not in json.dumps(made.value)
    assert plain(nested(module.MAX_DEPTH - 1, kind)).left_out == ()


def test_what_contains_itself_ends() -> None:
    circle: list[Any] = []
    circle.append(circle)
    both: dict[str, Any] = {}
    both.update(a=both, b=circle)
    for value in (circle, both):
        made = plain(value)
        assert made.left_out
        json.dumps(made.value)


def test_the_number_of_values_and_characters_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_VALUES", 100)
    wide = plain(list(range(1000)))
    assert len(wide.value) == 101
    assert wide.left_out == ("what comes after 100 values",)
    shared: Any = "x"
    for _ in range(30):
        shared = [shared, shared]  # a billion values, in thirty lists
    assert Reading(shared).plain.left_out == ("what comes after 100 values",)
    assert len(plain({str(n): n for n in range(1000)}).value) == 101
    monkeypatch.setattr(module, "MAX_TEXT", 50)
    assert plain(["x" * 60]).value == ["x" * 50 + "(left out: what comes after 50 characters)"]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.binary(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text() | st.integers(), inner, max_size=4)
        | st.tuples(inner)
    ),
    max_leaves=20,
)


def is_plain(value: Any) -> bool:
    if type(value) is dict:
        return all(type(key) is str and is_plain(item) for key, item in value.items())
    if type(value) is list:
        return all(map(is_plain, value))
    return value is None or type(value) in (str, bool, int, float)


@given(JSON)
def test_everything_comes_out_plain_and_can_be_written(value: Any) -> None:
    made = plain(value).value
    assert is_plain(made)
    json.dumps(made, allow_nan=False, ensure_ascii=False).encode()
    assert plain(made).value is made


def test_a_text_of_another_class_is_taken_for_its_letters() -> None:
    value = plain([Lying("ab")]).value
    assert type(value[0]) is str
    assert value == ["ab"]
