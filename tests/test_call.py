"""Calls, and the normal form that their arguments are brought into."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.call import MAX_DEPTH, MAX_ITEMS, MAX_TEXT, CallError, ToolCall, normal_arguments, same


def nested(depth: int) -> dict[str, Any]:
    """An object whose innermost empty object stands `depth` objects deep."""
    value: dict[str, Any] = {}
    for _ in range(depth - 1):
        value = {"a": value}
    return value


# Calls.


def test_a_call_is_read_from_a_mapping() -> None:
    call = ToolCall.of(
        {"id": "c-1", "tool": "read", "server": "files", "arguments": {"p": 1}, "iteration": 2}
    )
    assert call == ToolCall(tool="read", arguments={"p": 1}, id="c-1", server="files", iteration=2)
    assert call.name == "files/read"
    assert ToolCall(tool="read").name == "read"


def test_an_empty_id_is_given_one_of_its_own() -> None:  # C6
    first, second = ToolCall.of({"tool": "read"}), ToolCall.of({"tool": "read", "id": ""})
    assert first.id
    assert second.id
    assert first.id != second.id


def test_giving_an_id_changes_nothing_else() -> None:  # C6
    bare = ToolCall(tool="read", arguments={"path": "a"}, server="files", iteration=3)
    given_id = ToolCall.of(bare)
    assert given_id.id
    assert given_id == ToolCall("read", {"path": "a"}, given_id.id, "files", 3)


def test_a_call_with_an_id_is_handed_back() -> None:
    call = ToolCall(tool="read", id="c-1")
    assert ToolCall.of(call) is call


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "call.tool is the tool's name, a string that is not empty"),
        ({"tool": ""}, "call.tool is the tool's name, a string that is not empty"),
        ({"tool": 7}, "call.tool is the tool's name, a string that is not empty"),
        ({"tool": "read", "server": 1}, "call.server is a string, not int"),
        ({"tool": "read", "id": 1}, "call.id is a string, not int"),
        ({"tool": "read", "iteration": True}, "call.iteration is an integer, not bool"),
        ({"tool": "read", "iteration": "1"}, "call.iteration is an integer, not str"),
        (
            {"tool": "read", "args": {}},
            "a call has no key `args` (known: arguments, id, iteration, server, tool)",
        ),
        ([], "a call is a mapping, not a list"),
    ],
)
def test_a_call_that_can_not_be_read(value: Any, message: str) -> None:
    with pytest.raises(CallError) as caught:
        ToolCall.of(value)
    assert str(caught.value) == message


# Arguments.


def test_arguments_that_are_normal_are_the_same_object() -> None:
    arguments = {"a": [1, 2.5, "x", None, True, {"b": []}], "ü": -(2**63), "z": 2**63 - 1}
    assert normal_arguments(arguments) is arguments


def test_json_text_and_bytes_are_read() -> None:
    expected = {"a": [1, "ü"], "b": None}
    text = '{"a": [1.0, "ü"], "b": null}'
    assert normal_arguments(text) == normal_arguments(text.encode()) == expected


@pytest.mark.parametrize(
    ("value", "normal"),
    [(1.0, 1), (-0.0, 0), (1e15, 10**15), (0.5, 0.5), (-(2.0**63), -(2**63))],
)
def test_integral_floats_become_integers(value: float, normal: float) -> None:
    result = normal_arguments({"x": [value]})["x"][0]
    assert result == normal
    assert type(result) is type(normal)


def test_what_changes_is_copied_and_the_rest_is_shared() -> None:
    kept = {"b": 1}
    arguments = {"a": 1.0, "kept": kept}
    result = normal_arguments(arguments)
    assert result == {"a": 1, "kept": {"b": 1}}
    assert result["kept"] is kept
    assert type(arguments["a"]) is float


@pytest.mark.parametrize(
    "value",
    [OrderedDict(a=1), MappingProxyType({"a": 1}), {"a": 1}],
)
def test_any_mapping_becomes_a_plain_object(value: Any) -> None:
    result = normal_arguments(value)
    assert type(result) is dict
    assert result == {"a": 1}


def test_tuples_become_lists() -> None:
    assert normal_arguments({"a": (1, (2,))}) == {"a": [1, [2]]}


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ('{"a": 1, "a": 2}', "the key `a` stands twice"),
        ('{"x": {"pk": 1, "pk": 1}}', "the key `pk` stands twice"),
        ('{"a": NaN}', "`NaN` is not a JSON number"),
        ('{"a": -Infinity}', "`-Infinity` is not a JSON number"),
        ('{"a": 1e999}', "the number at arguments.a is not finite"),
        ('{"a": 9223372036854775808}', "the integer at arguments.a does not fit into 64 bits"),
        ('{"a": ' + "9" * 100_000 + "}", "does not fit into 64 bits"),
        ('{"a": "\\u0000"}', "the text at arguments.a holds a NUL character"),
        ('{"\\u0000": 1}', "holds a NUL character"),
        ('{"a": ["\\ud800"]}', "the text at arguments.a[0] holds half a surrogate pair"),
        ('{"\\udc00": 1}', "holds half a surrogate pair"),
        ("[1]", "the arguments are an object, not a list"),
        ("null", "the arguments are an object, not null"),
        ("true", "the arguments are an object, not a boolean"),
        ("7", "the arguments are an object, not a number"),
        ('"{}"', "the arguments are an object, not a string"),
        ("", "the arguments are not JSON"),
        ('{"a": 1', "the arguments are not JSON"),
        ("{'a': 1}", "(line 1, column 2)"),
        ('{"a": 1} x', "the arguments are not JSON"),
        ("[" * 100_000, "nested deeper than"),
        ('{"a":' * 100_000, "nested deeper than"),
    ],
)
def test_json_text_that_is_refused(text: str, part: str) -> None:  # C6
    with pytest.raises(CallError) as caught:
        normal_arguments(text)
    assert part in str(caught.value)


@pytest.mark.parametrize(
    ("value", "part"),
    [
        ({"a": float("nan")}, "the number at arguments.a is not finite"),
        ({"a": [float("-inf")]}, "the number at arguments.a[0] is not finite"),
        ({"a": 2**63}, "the integer at arguments.a does not fit"),
        ({"a": -(2**63) - 1}, "the integer at arguments.a does not fit"),
        ({"a": 2.0**63}, "the integer at arguments.a does not fit"),
        ({"a": "x\0"}, "the text at arguments.a holds a NUL"),
        ({"a": "\ud83d"}, "the text at arguments.a holds half a surrogate pair"),
        ({1: "a"}, "a key of the object at arguments is no string (int)"),
        ({"a": {None: 1}}, "a key of the object at arguments.a is no string (NoneType)"),
        ({"a": {1, 2}}, "the value at arguments.a is no JSON value (set)"),
        ({"a": b"x"}, "the value at arguments.a is no JSON value (bytes)"),
        ([("a", 1)], "the arguments are an object, not a list"),
        (None, "the arguments are an object, not null"),
        (b"\xff{}", "the arguments are not UTF-8 (byte 0)"),
    ],
)
def test_objects_that_are_refused(value: Any, part: str) -> None:
    with pytest.raises(CallError) as caught:
        normal_arguments(value)
    assert part in str(caught.value)


def test_depth_has_a_bound() -> None:
    assert normal_arguments(nested(MAX_DEPTH))
    for too_deep in (nested(MAX_DEPTH + 1), json.dumps(nested(MAX_DEPTH + 1))):
        with pytest.raises(CallError, match=f"nested deeper than {MAX_DEPTH}"):
            normal_arguments(too_deep)


def test_an_object_that_holds_itself_is_too_deep() -> None:
    endless: dict[str, Any] = {}
    endless["self"] = endless
    with pytest.raises(CallError, match="nested deeper"):
        normal_arguments(endless)


def test_size_has_bounds() -> None:
    with pytest.raises(CallError, match=f"more than {MAX_ITEMS} values"):
        normal_arguments({"a": [0] * MAX_ITEMS})
    with pytest.raises(CallError, match=f"more than {MAX_ITEMS} values"):
        normal_arguments({"a": {str(i): None for i in range(MAX_ITEMS)}})
    with pytest.raises(CallError, match=f"longer than {MAX_TEXT} characters"):
        normal_arguments({"a": "x" * MAX_TEXT})
    with pytest.raises(CallError, match=f"longer than {MAX_TEXT} characters"):
        normal_arguments('{"a": "' + "x" * MAX_TEXT + '"}')


def test_a_long_key_above_many_values_is_cheap_and_its_message_short() -> None:
    arguments = {"k" * 4_000_000: [0.5] * 90_000}
    start = time.process_time()
    normal_arguments(arguments)
    assert time.process_time() - start < 2
    with pytest.raises(CallError) as caught:
        normal_arguments({"k" * 4_000_000: {"a": float("nan")}})
    assert len(str(caught.value)) < 200


scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False, min_value=-1e18, max_value=1e18)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
)
keys = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(keys, values, max_size=4))
def test_the_normal_form_is_equal_and_its_own_normal_form(arguments: dict[str, Any]) -> None:
    normal = normal_arguments(arguments)
    assert normal == arguments
    assert normal_arguments(normal) is normal


@given(st.dictionaries(keys, values, max_size=4))
def test_an_object_and_its_json_text_have_one_normal_form(arguments: dict[str, Any]) -> None:
    assert normal_arguments(json.dumps(arguments)) == normal_arguments(arguments)


@given(st.text() | st.binary() | st.from_type(object))
def test_whatever_comes_is_read_or_refused(value: Any) -> None:  # B5
    try:
        normal = normal_arguments(value)
    except CallError:
        return
    assert type(normal) is dict


# Sameness: what decides whether a host must run other arguments than the model wrote.


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (True, 1),
        (0, False),
        ([1], [True]),
        ({"a": {"b": 0}}, {"a": {"b": False}}),
        (1, "1"),
        (None, False),
        ([1, 2], [2, 1]),
        ([1], [1, 1]),
        ({"a": 1}, {"a": 1, "b": None}),
        ({"a": None}, {"b": None}),
        ([], {}),
    ],
)
def test_what_is_not_the_same_json(a: Any, b: Any) -> None:
    assert not same(a, b)
    assert not same(b, a)


def test_the_order_of_keys_says_nothing() -> None:
    assert same({"a": [1, {"b": 2}], "c": None}, {"c": None, "a": [1, {"b": 2}]})


@given(st.dictionaries(keys, values, max_size=4), st.dictionaries(keys, values, max_size=4))
def test_two_normal_objects_are_the_same_if_their_json_is(a: dict[str, Any], b: dict[str, Any]) -> None:
    first, second = normal_arguments(a), normal_arguments(b)
    assert same(first, json.loads(json.dumps(first)))
    assert same(first, second) == (json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True))
