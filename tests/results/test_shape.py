"""The contract of a result: what breaks it is said, and the table of lists for planning prompts."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.results.shape import MAIN_LISTS, WRAPPERS, Shape, rendered
from tests.engine.build import SHOP, gateway, session
from tests.results.build import TOKEN, after, with_results

TOOLS = """
  - {name: catalogue, risk: READ_ONLY, permissions: [], result: {arrays: [widgets, "已停用的类型", items], shape: known}}
  - {name: counted, risk: READ_ONLY, permissions: [], result: {arrays: [], shape: known}}
  - {name: loose, risk: READ_ONLY, permissions: [], result: {arrays: [rows], shape: open}}
  - {name: undeclared, risk: READ_ONLY, permissions: []}
  - {name: recorded, risk: READ_ONLY, permissions: [], result: {arrays: [data, records], shape: known}}
"""
TEXT = (
    SHOP.replace('"!order_purge"]', '"!order_purge", catalogue, counted, loose, undeclared, recorded]')
    + TOOLS
)


def said(result: Any, tool: str = "catalogue", text: str = TEXT) -> list[str]:
    review = after(result, tool=tool, arguments={}, text=text)
    assert not review.withheld  # B15: reported, never blocking
    return [problem.message for problem in review.findings if problem.kind == "shape"]


@pytest.mark.parametrize(
    "result",
    [
        {"widgets": [], "已停用的类型": [1], "note": "x"},
        {},
        '{"items": []}',
        {"content": [{"type": "text", "text": '{"items": []}'}]},
        {"content": [{"type": "text", "text": '{"other": []}'}], "structuredContent": {"items": []}},
        "just words",
    ],
)
def test_a_result_that_keeps_its_contract_is_not_spoken_of(result: Any) -> None:  # B15
    assert said(result) == []


def test_a_list_that_is_not_declared_is_a_problem() -> None:
    assert said({"rows": [], "n": 1}) == ["`rows` holds a list that `result.arrays` does not declare"]
    assert said({"content": [], "structuredContent": {"rows": []}}) == said({"rows": []})
    assert said('{"rows": []}') == said({"rows": []})


def test_a_declared_key_without_a_list_is_a_problem() -> None:
    assert said({"widgets": {"a": 1}}) == ["`widgets` is declared as a list, and holds something else"]
    assert said({"已停用的类型": None}) == ["`已停用的类型` is declared as a list, and holds something else"]


def test_a_list_in_place_of_an_object_is_a_problem() -> None:
    assert said([1, 2]) == ["the result is a list, and the tool declares an object with lists in it"]


@pytest.mark.parametrize("tool", ["loose", "undeclared", "unknown"])
def test_open_results_have_no_contract(tool: str) -> None:
    assert said({"anything": [], "rows": 1}, tool) == []


def test_a_secret_key_is_not_named() -> None:
    text = with_results('{id: e, tools: ["*"], redact: [{detector: secrets}]}', text=TEXT)
    assert said({TOKEN: []}, text=text) == ["`(redacted)` holds a list that `result.arrays` does not declare"]


def test_only_some_keys_are_named() -> None:
    assert len(said({f"k{n}": [] for n in range(100)})) == 10


def test_main_lists_and_wrappers_are_what_plans_rely_on() -> None:
    assert MAIN_LISTS == ("items", "list", "models")
    assert WRAPPERS == ("items", "list", "models", "rows", "records")
    assert Shape("t", ("rows", "list"), True).main == "list"
    assert Shape("t", ("records",), True).main == "records"
    assert Shape("t", ("data",), True).main is None


def test_the_table_of_a_session_names_its_visible_tools_only() -> None:  # B15
    table = gateway(TEXT).planning_table(session())
    assert table == (
        "These tools return lists under these keys (the main list is marked with *):\n"
        "- catalogue: widgets, 已停用的类型, items*\n"
        "- recorded: data, records*\n"
        "\n"
        "These tools return no list; do not pick rows from their results:\n"
        "- counted\n"
        "\n"
        "The keys of these results are not known; print the keys first, then decide what to read:\n"
        "- loose (sometimes: rows)\n"
        "- order_beta\n- order_delete\n- order_pay (sometimes: receipts)\n- order_read\n- run\n- search\n- sql\n"
        "- undeclared\n- write_file"
    )
    assert gateway(TEXT).planning_table(None) == ""


def test_a_table_without_tools_is_empty() -> None:
    assert rendered(()) == ""
