"""What fails for every value is an error when a policy is loaded."""

from __future__ import annotations

import json

import pytest

from gateway.diagnostic import PolicyError
from tests.engine.build import compiled

TOOLS = """version: 1
settings: {confirm_from: HIGH}
agents: [{name: clerk, tools: ["*"], tenants: [acme]}]
lists: {days: [mon, tue]}
tools:
  - {name: t, risk: LOW, permissions: [], parameters: {type: object, required: [n, d, x, rows, free, pair], properties: {n: {type: integer}, d: {type: number}, zero: {const: 0}, x: {type: array, maxItems: 3, items: {type: string}}, rows: {type: array, items: {type: array, maxItems: 1, items: {type: string}}}, free: {type: array, items: {type: string}}, pair: {type: array, prefixItems: [{type: string}], items: {type: integer}}}}}
rules:
  - {id: r, tools: [t], when: WHEN, effect: deny}
"""


def refused(condition: str) -> list[tuple[str, str]]:
    try:
        compiled(TOOLS.replace("WHEN", json.dumps(condition)))
    except PolicyError as error:
        return [(diagnostic.code, diagnostic.message) for diagnostic in error.diagnostics]
    return []


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("args.x[3] == 'a'", "`args.x` has at most 3 elements, so none at 3"),
        ("args.x[?3].hasValue()", "`args.x` has at most 3 elements, so none at 3"),
        ("args.rows.exists(r, r[1] == 'a')", "`r` has at most 1 element, so none at 1"),
        ("args.rows[0][1] == 'a'", "`args.rows[0]` has at most 1 element, so none at 1"),
        ("lists.days[2] == 'mon'", "`lists.days` has at most 2 elements, so none at 2"),
        ("args.x.filter(a, a != '')[-1] == 'a'", "no list has an element at -1"),
        ("args.free[-1] == 'a'", "no list has an element at -1"),
        ("args.pair[-2] == 1", "no list has an element at -2"),
    ],
)
def test_an_element_that_no_list_has_loaded(condition: str, message: str) -> None:
    assert refused(condition) == [("cel-value", message)]


@pytest.mark.parametrize(
    "condition",
    ["args.n / 0 > 1", "args.n % 0 == 1", "uint(args.n) / 0u > 1u", "dyn(args.n) / 0 > 1"],
)
def test_a_division_by_zero_loaded(condition: str) -> None:
    ((code, message),) = refused(condition)
    assert code == "cel-value"
    assert "always fails: it divides by zero" in message


@pytest.mark.parametrize(
    "condition",
    [
        "args.x[2] == 'a'",
        "args.x[?2].hasValue()",
        "args.free[99] == 'a'",
        "args.free[args.n] == 'a'",
        "args.pair[1] == 1",
        "args.rows[5].size() > 0",
        "{-1: 'a'}[-1] == 'a'",
        "{3: 'a'}[3] == 'a'",
        "args.n / 2 > 1",
        "['a', 'b'][2] == 'a' || args.n > 1",
        "1 / 0 == args.n",
        "0 / args.n > 1",
        "args.d / 0.5 > 1.0",
        "args.d / 0.0 > 1.0",
        "args.n / (args.n - 1) > 1",
    ],
)
def test_what_may_succeed_still_loads(condition: str) -> None:
    assert refused(condition) == []
