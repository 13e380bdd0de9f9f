"""Generated Python never gives a value where the exact way refuses the work."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import gateway.cel.program
from gateway.cel import Environment, ErrorKind
from gateway.cel.generate import writer
from tests.cel.both_ways import outcome, read, two_ways
from tests.cel.random_expressions import ENVIRONMENTS, SCALARS, Expressions, values

LARGE: tuple[Any, ...] = (
    list(range(30)), list(range(400)), ["abc"] * 200, ["x" * 3000] * 20, "x" * 5000, "x" * 40000,
    {f"k{number}": number for number in range(300)}, [["a"] * 50] * 20, "a" * 300,
    {"a": "x" * 9000, "l": list(range(100)), "n": 5, "b": ["a"] * 2000},
)  # fmt: skip


@pytest.mark.parametrize("steps", [600, 3_000, 20_000])
def test_what_is_too_much_work_is_refused_both_ways(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway.cel.program, "MAX_STEPS", steps)
    monkeypatch.setattr(writer, "MAX_STEPS", steps)
    refused = 0
    for number in range(300):
        chance = Random(number)  # noqa: S311
        parsed = read(Expressions(chance).condition(chance.choice((1, 2, 3))))
        assert parsed is not None
        ways = two_ways(parsed, chance.choice(ENVIRONMENTS))
        if ways is None:
            continue
        for _ in range(4):
            variables = values(chance)
            for name in variables:
                if chance.random() < 0.5:
                    variables[name] = chance.choice(LARGE)
            if chance.random() < 0.5:
                variables["args"] = {field: chance.choice(LARGE + SCALARS) for field in "ablmn"}
            wanted = outcome(ways[0].exact, variables)
            assert outcome(ways[1], variables) == wanted
            refused += wanted[0] == "error" and wanted[1] is ErrorKind.LIMIT
    assert refused


def test_work_outside_of_loops_and_in_them_adds_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway.cel.program, "MAX_STEPS", 1_000)
    monkeypatch.setattr(writer, "MAX_STEPS", 1_000)
    parsed = read("x.contains('b') || l.all(v, v >= 0)")
    assert parsed is not None
    ways = two_ways(parsed, Environment())
    assert ways is not None
    for length in (300, 490):
        variables = {"x": "a" * 8_000, "l": list(range(length))}
        assert outcome(ways[1], variables) == outcome(ways[0].exact, variables)
        assert outcome(ways[1], variables)[0] == ("value" if length == 300 else "error")


@pytest.mark.parametrize(
    ("text", "x", "y"),
    [
        ("x.contains('b') || true", "a" * 40_000, ""),
        ("x.contains(y) || true", "a" * 40_000, "b"),
        ("y.startsWith(x) || true", "a" * 1_100_000, "b"),
        ("y.endsWith(x) || true", "a" * 1_100_000, "b"),
        ("x.matches('b') || true", "a" * 40_000, ""),
        ("x.matches('a.b') || true", "a" * 40_000, ""),
        ("'b' in x || true", ["a"] * 5_000, ""),
        ("'b' in x || true", ("a",) * 5_000, ""),
        ("y in x || true", ["a"] * 5_000, "b"),
        ("5 in x || true", list(range(5_000)), ""),
        ("y in x || true", [[1]] * 100, [2]),
        ("x == y || true", "a" * 1_100_000, "a" * 1_100_000),
        ("x != y || true", [1] * 500, [1] * 500),
        ("x == [1, y] || true", [1, "a" * 2_000_000], "a" * 2_000_000),
        ("x < y || true", "a" * 1_100_000, "a" * 1_100_000),
        ("x + y != '' || true", "a" * 70_000, ""),
        ("size(x + y) > 0 || true", [1] * 9_000, []),
        ("size(string(x)) > 0 || true", "a" * 140_000, ""),
        ("x.all(v, v == 1 || true)", [1] * 600, ""),
        ("x.all(v, x.all(w, w + v > 0))", [1] * 12, ""),
        ("x.all(v, y.contains('b') || true)", [1] * 5, "a" * 8_000),
        ("x.exists_one(v, v == 1) || true", [1] * 600, ""),
        ("x.map(v, v) != [] || true", [1] * 1_200, ""),
        ("x.all(k, v, k != v || true)", [1] * 600, ""),
        ("x.contains(y) || true", "a" * 3_000, "a" * 50 + "b" + "a" * 40),
        ("x.contains('aaaaaaab') || true", "a" * 20_000, ""),
        ("x.all(v, y.contains('aaaaaaab') || true)", [1] * 2, "a" * 8_000),
        ("size(lists.range(x)) > 0 || true", 9_000, ""),
        ("[1, 2, 3].all(v, lists.range(x) != [])", 3_000, ""),
        ("math.greatest(x) == 1 || true", [1] * 200, ""),
        ("x.all(v, timestamp(v) > timestamp(0) || true)", ["2026-11-30T09:05:07Z"] * 30, ""),
        ("x.all(v, isIP(v) || true)", ["::1"] * 20, ""),
        ("x.all(v, math.greatest(v, 1, 2) > 0 || true)", [1] * 300, ""),
        ("x.replace('a', y) == '' || true", "a" * 1_000, "b" * 1_000),
        ("size(x.sort()) > 0 || true", list(range(900)), ""),
        ("size(x.map(v, v).sortBy(v, -v)) > 0 || true", list(range(300)), ""),
        ("'%s'.format([x]) == '' || true", [1] * 500, ""),
        ("size(x.distinct()) > 0 || true", [1] * 900, ""),
        ("cel.block([x.map(v, v + 1)], cel.index(0).all(v, cel.index(0)[0] == 2 && v == 2))", [1] * 90, ""),
        (
            "y.size() > 5 || cel.block([x.map(v, v + 1)], [1, 2, 3, 4, 5, 6].all(v, cel.block([x.map(w, w)], cel.index(0) != [])))",
            [1] * 180,
            "",
        ),
        ("x.all(k, k != '' || true)", {str(number): 1 for number in range(600)}, ""),
        ("size(x.transformMap(k, v, v)) > 0 || true", {str(number): 1 for number in range(1_100)}, ""),
    ],
)
def test_no_value_comes_out_where_the_exact_way_refuses_the_work(
    text: str, x: Any, y: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway.cel.program, "MAX_STEPS", 1_000)
    monkeypatch.setattr(writer, "MAX_STEPS", 1_000)
    parsed = read(text)
    assert parsed is not None
    ways = two_ways(parsed, Environment())
    assert ways is not None
    variables = {"x": x, "y": y}
    wanted = outcome(ways[0].exact, variables)
    assert wanted[1] is ErrorKind.LIMIT
    assert outcome(ways[1], variables) == wanted
