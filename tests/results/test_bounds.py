"""Bounds: what is cut says so, says how to get the rest, and data stays data of the same shape."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.results.bounds import DEFAULT_LIMIT, HARD_LIMIT, Bound, paging_arguments
from gateway.results.form import text_of
from tests.engine.build import SHOP
from tests.results.build import after, inside, steps

TOOLS = """
  - {name: paged, risk: READ_ONLY, permissions: [], parameters: {type: object, properties: {query: {type: string}, page: {type: integer}, page_size: {type: integer}, cursor: {type: string}, offset: {type: integer}}}}
  - {name: whole, risk: READ_ONLY, permissions: [], result: {truncate: false}}
  - {name: short, risk: READ_ONLY, permissions: [], result: {limit: 200}}
  - {name: plain, risk: READ_ONLY, permissions: [], parameters: {type: object, properties: {query: {type: string}}}}
"""
TEXT = SHOP + TOOLS


def cut(result: Any, tool: str = "plain") -> Any:
    return after(result, tool=tool, arguments={}, text=TEXT)


def test_four_thousand_characters_are_shown_and_not_one_more() -> None:  # B16
    assert not cut("x" * 4000).truncated
    assert inside(cut("x" * 4000)) == "x" * 4000
    review = cut("x" * 4001)
    assert review.truncated
    assert review.changed
    assert inside(review).startswith("x" * 4000 + "… (cut: 4000 of 4001 characters are shown; ")
    assert review.result == inside(review)


def test_the_advice_names_the_arguments_that_page() -> None:
    assert (
        "call it again with `page` and `page_size` and `cursor` for the rest" in cut("x" * 5000, "paged").text
    )
    assert "call it again with narrower arguments for the rest" in cut("x" * 5000, "plain").text
    assert paging_arguments(["to", "Limit", "startLine", "start_line"]) == ("Limit", "start_line")


def test_our_own_sentence_stands_outside_of_the_fence() -> None:
    review = cut("x" * 5000)
    assert review.text.endswith(
        "\nNot all of the result is shown; call it again with narrower arguments for the rest."
    )
    assert (
        review.message
        == "Not all of the result is shown; call it again with narrower arguments for the rest."
    )


def test_a_tool_may_say_another_bound_or_none() -> None:  # B16
    assert inside(cut("x" * 300, "short")).startswith("x" * 200 + "…")
    assert not cut("x" * 100_000, "whole").truncated
    assert cut("x" * (HARD_LIMIT + 1), "whole").truncated


ROWS = {"total": 500, "rows": [{"id": n, "name": f"row {n}"} for n in range(500)], "next": None}


def test_data_is_cut_in_place() -> None:
    review = cut(ROWS)
    made = json.loads(inside(review))
    assert made == review.result
    assert (made["total"], made["next"]) == (500, None)
    *shown, said = made["rows"]
    assert shown == ROWS["rows"][: len(shown)]  # type: ignore[index]
    assert len(shown) > 80
    assert said == f"… ({500 - len(shown)} more of 500 items)"
    assert review.full == ROWS


def test_each_part_gets_its_share() -> None:
    made = cut({"a": "x" * 10_000, "b": "short", "c": "y" * 10_000}).result
    assert made["b"] == "short"
    assert 1_800 < made["a"].count("x") < 2_000
    assert 1_800 < made["c"].count("y") < 2_000
    assert made["a"].endswith("of 10000 characters)")


def test_too_many_fields_are_counted() -> None:
    made = cut({f"k{n}": n for n in range(5_000)}).result
    assert made["k0"] == 0
    assert made["…"] == f"{5_000 - len(made) + 1} more of 5000 fields"


def mcp(text: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], **more}


def test_mcp_s_form_is_kept() -> None:
    made = cut(mcp("x" * 5000)).result
    assert made["content"][0]["text"].startswith("x" * 4000 + "… (cut: ")
    both = {"content": [{"type": "text", "text": "x" * 3000}, {"type": "text", "text": "y" * 3000}]}
    first, second = cut(both).result["content"]
    assert first["text"] == "x" * 3000
    assert second["text"].startswith("y" * 1000 + "… (cut: 1000 of 3000")
    structured = cut({"content": [], "structuredContent": ROWS})
    assert structured.result["structuredContent"]["total"] == 500
    assert structured.result["content"][-1]["text"].startswith("(cut: not all of the result is shown; ")


def test_pictures_are_passed_on_up_to_the_hard_limit() -> None:
    picture = {"content": [{"type": "image", "data": "a" * 50_000, "mimeType": "image/png"}]}
    assert cut(picture).result == picture
    huge = {"content": [{"type": "image", "data": "a" * (HARD_LIMIT + 1), "mimeType": "image/png"}]}
    assert cut(huge).result["content"][0]["type"] == "text"
    file = {"content": [{"type": "resource", "resource": {"uri": "a:b", "text": "x" * 9_000}}]}
    resource = cut(file).result["content"][0]["resource"]
    assert resource["uri"] == "a:b"
    assert resource["text"].startswith("x" * 4000 + "…")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=40) | st.dictionaries(st.text(max_size=20), inner, max_size=20),
    max_leaves=60,
)


def fits_shape(made: Any, whole: Any) -> bool:
    """Whether what was cut has the types of the whole, wherever it has anything."""
    if type(made) is not type(whole):
        return False
    if isinstance(whole, dict):
        return all(key == "…" or fits_shape(made[key], whole[key]) for key in made)
    if isinstance(whole, list):
        said = len(made) != len(whole) or (made and made[-1] != whole[-1])
        rows = made[:-1] if said and made and str(made[-1]).startswith("… (") else made
        return all(fits_shape(a, b) for a, b in zip(rows, whole, strict=False))
    return (
        bool(made == whole) if not isinstance(whole, str) else made == whole or made.split("… (")[0] in whole
    )


@given(JSON, st.integers(100, 2_000))
def test_whatever_is_cut_stays_within_the_bound_and_keeps_its_shape(value: Any, limit: int) -> None:
    bound = Bound(limit)
    made = bound.whole(value)
    assert (made is value) is not bound.cut
    if isinstance(value, str):
        assert len(made) <= limit + 200
        return
    assert fits_shape(made, value)
    json.loads(text_of(made))
    assert len(text_of(made).encode("ascii", "ignore")) <= limit * 6
    if bound.cut:
        assert len(text_of(value)) > 40


@pytest.mark.parametrize(
    "wide",
    [lambda n: ["x" * 50] * n, lambda n: {str(k): "x" * 50 for k in range(n)}, lambda n: [[["x"] * n]]],
)
def test_the_work_of_cutting_depends_on_the_bound_and_not_on_the_size(wide: Any) -> None:
    few, many = wide(5_000), wide(50_000)
    assert (
        steps(lambda: Bound(DEFAULT_LIMIT).whole(many)) <= steps(lambda: Bound(DEFAULT_LIMIT).whole(few)) + 50
    )


def test_json_in_a_text_stays_json_when_it_is_cut() -> None:
    rows = [{"id": number, "name": "x" * 40} for number in range(300)]
    for result in (json.dumps(rows), {"content": [{"type": "text", "text": json.dumps(rows)}]}):
        review = after(result)
        assert review.truncated
        text = review.result if isinstance(review.result, str) else review.result["content"][0]["text"]
        shown = json.loads(text)
        assert shown[0] == rows[0]
        assert shown[-1] == f"… ({300 - len(shown) + 1} more of 300 items)"
        assert len(text) <= 4_000


def test_blanks_of_json_are_not_missed() -> None:
    rows = [{"id": number} for number in range(200)]
    written = json.dumps(rows, indent=8)
    assert len(written) > 4_000
    review = after(written)
    assert not review.truncated
    assert json.loads(review.result) == rows


def test_who_changed_something_is_not_told_to_call_again() -> None:  # B16
    long = "x" * 5_000
    assert "call it again" in after(long, tool="search").text
    written = after(long, tool="write_file", arguments={"path": "a"})
    assert written.truncated
    assert "can't be had by calling it again" in written.text
    assert "call it again with" not in written.text + after(long, tool="unheard_of").text
