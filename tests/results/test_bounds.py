"""Bounds: what is cut says so, says how to get the rest, and data stays data of the same shape."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway import Review
from gateway.results.bounds import HARD_LIMIT, Bound, advice, paging_arguments
from gateway.results.fence import harmless
from gateway.results.form import is_mcp, text_of
from gateway.results.media import spoken
from gateway.results.returns import DEFAULT_LIMIT
from gateway.results.review import Problem
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


def test_the_advice_names_an_argument_that_leads_to_the_rest() -> None:
    assert (
        "call it again with `offset` set behind what is shown for the rest" in cut("x" * 5000, "paged").text
    )
    assert "call it again with narrower arguments for the rest" in cut("x" * 5000, "plain").text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("page", "per_page"),
            "call it again with a smaller `per_page`, for as much at a time as is shown whole",
        ),
        (("limit", "skip"), "call it again with `skip` set behind what is shown for the rest"),
        (
            ("cursor",),
            "the rest is on no other page; call it again with other arguments than `cursor`, for less",
        ),
        ((), "call it again with narrower arguments for the rest"),
    ],
)
def test_no_advice_leads_past_what_was_cut_off(arguments: tuple[str, ...], said: str) -> None:
    assert advice(paging_arguments(arguments)) == said


def test_arguments_that_page_are_known_by_their_names() -> None:
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
    shown = made["rows"]
    assert shown == ROWS["rows"][: len(shown)]  # type: ignore[index]
    assert len(shown) > 80
    assert f"({len(shown)} of 500 items of a list)" in review.message  # no text among the rows
    assert review.findings == (Problem("cut", f"{len(shown)} of 500 items of a list"),)
    assert review.full == ROWS


def test_a_list_of_texts_says_itself_what_it_lost() -> None:
    review = cut([f"line {n}" for n in range(2_000)])
    *shown, said = review.result
    assert shown == [f"line {n}" for n in range(len(shown))]
    assert said == f"… ({2_000 - len(shown)} more of 2000 items)"
    assert review.findings == ()


LINES = "line\n" * 1_000


@pytest.mark.parametrize(
    "text", [LINES, 'say "x" ' * 700, "\\" * 5_000, "\x1b" * 5_000, "\u200b" * 5_000, "é" * 5_000]
)
def test_a_text_with_many_escapes_takes_no_field_away(text: str) -> None:
    review = cut({"id": 1, "log": text, "ok": True})
    assert list(review.result) == ["id", "log", "ok"]
    assert (review.result["id"], review.result["ok"]) == (1, True)
    start, _, end = review.result["log"].rpartition("… (")
    assert text.startswith(start)
    assert end == f"{len(start)} of {len(text)} characters)"
    assert 3_800 < len(inside(review)) <= 4_000


def test_a_list_of_objects_with_a_long_text_keeps_its_shape() -> None:
    review = cut([{"type": "text", "text": LINES}])
    (block,) = review.result
    assert block["type"] == "text"
    assert LINES.startswith(block["text"].rpartition("… (")[0])
    assert len(block["text"]) > 3_000
    two = cut([{"type": "text", "text": "first"}, {"type": "text", "text": LINES}]).result
    assert [set(block) for block in two] == [{"type", "text"}] * 2
    assert two[0]["text"] == "first"


def test_all_fields_stay_while_there_is_room_for_them() -> None:
    many = {f"field {n}": "x" * 1_000 for n in range(100)}
    made = cut({**many, "last": True}).result
    assert list(made) == [*many, "last"]
    assert made["last"] is True
    assert all(made[key].startswith("xxx") and "…" in made[key] for key in many)


def test_numbers_keep_their_kind_or_their_place() -> None:
    review = cut({"a": list(range(5_000)), "b": [[n] for n in range(3_000)], "c": 7})
    assert all(type(item) is int for item in review.result["a"])
    assert all(type(item) is list for item in review.result["b"])
    assert review.result["c"] == 7
    assert len(review.findings) == 2


PICTURE = "iVBORw0KGgo" * 6_000
CARRIERS: list[dict[str, Any]] = [
    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PICTURE}},
    {"type": "image", "data": PICTURE, "mimeType": "image/png"},
    {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}"}},
    {"type": "input_audio", "input_audio": {"data": PICTURE, "format": "wav"}},
    {"type": "image", "file": {"base64": PICTURE, "type": "image/png", "originalSize": 9}},
]


@pytest.mark.parametrize("block", CARRIERS)
def test_a_picture_outside_of_mcp_s_form_is_shown_whole_or_not_at_all(block: dict[str, Any]) -> None:
    words = {"type": "text", "text": "w" * 9_000}
    review = cut([block, words])
    assert review.result[0] == block
    assert review.result[1]["text"].startswith("www")
    assert len(review.text) < 5_000
    assert PICTURE[:200] not in review.text
    assert cut({"content": [block], "n": 1}).result == {"content": [block], "n": 1}
    many = cut([block] * 20).result
    assert many[0] == block
    assert many[-1]["type"] == "text"
    assert "is not shown" in many[-1]["text"]
    assert len(json.dumps(many)) < HARD_LIMIT + 20_000


@pytest.mark.parametrize(
    "odd", [{"base64": PICTURE, "name": "a.png"}, {"blob": PICTURE, "mimeType": "a/b", "uri": "f:a"}]
)
def test_encoded_data_in_other_objects_is_not_cut_in_two(odd: dict[str, Any]) -> None:
    for result in (odd, {"rows": [odd]}, [odd]):
        said = json.dumps(cut(result).result)
        assert "(66000 characters of encoded data that can't be shown as text)" in said
        assert PICTURE[:100] not in said


def test_a_picture_in_json_in_a_text_is_text() -> None:
    written = json.dumps({"id": 1, "picture": CARRIERS[0]})
    for result in (written, {"content": [{"type": "text", "text": written}]}):
        review = cut(result)
        assert review.truncated
        text = review.result if isinstance(review.result, str) else review.result["content"][0]["text"]
        assert json.loads(text)["id"] == 1
        assert len(text) <= 4_000


def test_words_in_a_picture_s_place_are_words() -> None:
    """What is no encoded data has no greater bound than all other texts."""
    block = {"type": "image", "source": {"type": "base64", "data": "do as I say! " * 1_000}}
    assert len(json.dumps(cut([block]).result)) < 4_100
    wide = {"type": "image", "data": PICTURE, "mimeType": "image/png", "alt": "x" * 10_000}
    assert len(json.dumps(cut([wide]).result)) < 4_100


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
    assert second["text"].startswith("y" * 999 + "… (cut: 999 of 3000")  # and a line break before it
    structured = cut({"content": [], "structuredContent": ROWS})
    assert structured.result["structuredContent"]["total"] == 500
    assert structured.result["content"][-1]["text"].startswith("(cut: not all of the result is shown (")


def read(review: Review) -> int:
    """How many characters of the structure a model could read, pictures aside."""
    return len(json.dumps(spoken(review.result), ensure_ascii=False))


@pytest.mark.parametrize(
    "result",
    [
        {"content": [{"type": "text", "text": "x"}] * 5_000},
        {"content": [{"type": "text", "text": "x" * 3_900}] * 50},
        {"content": [{"type": "text", "text": ""}] * 9_000},
        {"content": [{"type": "text", "text": "x", "annotations": {"a": "y" * 3_000}}] * 5},
        {"content": [{"type": "resource_link", "uri": "a:b", "name": "n", "description": "d" * 3_000}] * 5},
        {"content": [{"type": "resource", "resource": {"uri": "a:b", "text": "x" * 3_000}}] * 5},
        {"content": [], "structuredContent": {"a": "x" * 9_000}, "structured_content": {"b": "y" * 9_000}},
        {"content": [], "_meta": {"a": "x" * 9_000}, "meta": {"b": "y" * 9_000}, "structuredContent": ROWS},
        {**mcp("x" * 9_000), "_meta": {"a": "x" * 9_000}, "structuredContent": ROWS},
        {**mcp("x"), "isError": {"a": "x" * 9_000}},
    ],
)
def test_all_parts_of_mcp_s_form_have_one_bound_together(result: dict[str, Any]) -> None:
    review = cut(result)
    assert is_mcp(review.result)
    assert review.truncated
    frames = 40 * len(review.result["content"])  # the keys and quotes of blocks
    assert read(review) <= 4_000 + 600 + frames
    assert read(review) < len(json.dumps(result))
    said = [block for block in review.result["content"] if "(cut: " in block.get("text", "")]
    said += [
        block for block in review.result["content"] if "(cut: " in block.get("resource", {}).get("text", "")
    ]
    assert len(said) == 1
    assert len(inside(review)) <= 4_600


def test_structured_content_and_its_text_are_cut_alike() -> None:
    review = cut(mcp(json.dumps(ROWS), structuredContent=ROWS))
    assert json.loads(review.result["content"][0]["text"]) == review.result["structuredContent"]
    assert len(review.result["structuredContent"]["rows"]) > 80
    fits = mcp(json.dumps({"a": "x" * 3_000}), structuredContent={"a": "x" * 3_000})
    assert cut(fits).result is fits or cut(fits).result == fits
    assert not cut(fits).truncated


def test_pictures_count_against_the_hard_limit_together() -> None:
    picture = {"type": "image", "data": "a" * 400_000, "mimeType": "image/png"}
    made = cut({"content": [picture] * 3}).result["content"]
    assert made[:2] == [picture] * 2
    assert made[2]["type"] == "text"


@pytest.mark.parametrize(
    "text", ["\x1b" * 4_000, "\U000e0041" * 4_000, "\u200b" * 4_000, "<tooldata" * 444, "＜tooldata" * 2_000]
)
def test_what_is_written_out_counts_as_it_is_written(text: str) -> None:
    for result in (text, {"a": text}, [text], mcp(text), {"a": text[:2_000], "b": text[:2_000]}):
        assert len(inside(cut(result))) <= 4_200
    short = {"a": "\x7f" * 1_500}  # as it stands within the bound, and not as it is written
    assert len(inside(cut(short))) <= 4_000


def test_pictures_are_passed_on_up_to_the_hard_limit() -> None:
    picture = {"content": [{"type": "image", "data": "a" * 50_000, "mimeType": "image/png"}]}
    assert cut(picture).result == picture
    huge = {"content": [{"type": "image", "data": "a" * (HARD_LIMIT + 1), "mimeType": "image/png"}]}
    assert cut(huge).result["content"][0]["type"] == "text"
    file = {"content": [{"type": "resource", "resource": {"uri": "a:b", "text": "x" * 9_000}}]}
    resource = cut(file).result["content"][0]["resource"]
    assert resource["uri"] == "a:b"
    assert resource["text"].startswith("x" * 3_900)
    assert "… (cut: " in resource["text"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=40) | st.dictionaries(st.text(max_size=20), inner, max_size=20),
    max_leaves=60,
)


def fits_shape(made: Any, whole: Any) -> bool:
    """Whether what was cut has the types of the whole, wherever it has anything."""
    if type(made) is not type(whole):
        return False
    if isinstance(whole, str):
        return bool(made == whole) or ("…" in made and whole.startswith(made[: made.rindex("…")]))
    if isinstance(whole, dict):
        return all(key == "…" or fits_shape(made[key], whole[key]) for key in made)
    if isinstance(whole, list):
        if made and type(whole[0]) is str and made[-1] not in whole and str(made[-1]).startswith("… ("):
            made = made[:-1]
        return len(made) <= len(whole) and all(map(fits_shape, made, whole))
    return bool(made == whole)


@given(JSON, st.integers(100, 2_000))
def test_whatever_is_cut_stays_within_the_bound_and_keeps_its_shape(value: Any, limit: int) -> None:
    bound = Bound(limit)
    made = bound.whole(value)
    assert (made is value) is not bound.cut
    assert fits_shape(made, value)
    if isinstance(value, str):
        assert len(harmless(made)) <= limit + 200
    elif isinstance(value, list | dict):
        assert len(harmless(text_of(made))) <= limit
    json.dumps(made)
    if isinstance(value, dict) and sum(len(harmless(json.dumps(k))) + 30 for k in value) < limit:
        assert list(made) == list(value)


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
        assert shown == rows[: len(shown)]
        assert f"({len(shown)} of 300 items of a list)" in review.message
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
