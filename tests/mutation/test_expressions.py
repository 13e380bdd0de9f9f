"""Variants of conditions: each changes one thing, and decides as one would read it."""

from __future__ import annotations

import pytest

from gateway.cel import BOOL, DYN, Environment, MapType, bind, parse, plan
from gateway.cel.types import STRING
from gateway.diagnostic import Excerpt
from gateway.mutation.expressions import variants

ENVIRONMENT = Environment({"args": MapType(STRING, DYN), "on": BOOL})


def changes(text: str) -> list[tuple[str, str]]:
    return [(one.id, one.change) for one in variants(parse(Excerpt.whole(text)))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on", [("negate-1", "`on` is turned round")]),
        ("!on", [("negate-1", "`on` is turned round")]),
        ("true", []),
        ("on && args.a == 'x'", [
            ("drop-1", "`on` is left out"),
            ("drop-2", "`args.a == 'x'` is left out"),
            ("negate-1", "`on` is turned round"),
            ("negate-2", "`args.a == 'x'` is turned round"),
        ]),
        ("on || on", [("drop-1", "`on` is left out"), ("negate-1", "`on` is turned round"), ("negate-2", "`on` is turned round")]),
        ("on ? args.a : args.b", [
            ("then-1", "`on ? args.a : args.b` is always `args.a`"),
            ("else-1", "`on ? args.a : args.b` is always `args.b`"),
            ("negate-1", "`on` is turned round"),
            ("negate-2", "`args.a` is turned round"),
            ("negate-3", "`args.b` is turned round"),
        ]),
        ("args.n > 10", [("negate-1", "`args.n > 10` is turned round"), ("bound-1:>=", "`args.n > 10` has `>=`"), ("moved-1", "`args.n > 10` has 11")]),
        ("args.n >= 10", [("negate-1", "`args.n >= 10` is turned round"), ("bound-1:>", "`args.n >= 10` has `>`"), ("moved-1", "`args.n >= 10` has 9")]),
        ("args.n < 10", [("negate-1", "`args.n < 10` is turned round"), ("bound-1:<=", "`args.n < 10` has `<=`"), ("moved-1", "`args.n < 10` has 9")]),
        ("10 < args.n", [("negate-1", "`10 < args.n` is turned round"), ("bound-1:<=", "`10 < args.n` has `<=`"), ("moved-1", "`10 < args.n` has 11")]),
        ("args.n < args.m", [("negate-1", "`args.n < args.m` is turned round"), ("bound-1:<=", "`args.n < args.m` has `<=`")]),
        ("args.l.exists(x, x > 1 && x < 5)", [
            ("negate-1", "`args.l.exists(x, x > 1 && x < 5)` is turned round"),
            ("drop-1", "`x > 1` is left out"),
            ("drop-2", "`x < 5` is left out"),
            ("negate-2", "`x > 1` is turned round"),
            ("bound-1:>=", "`x > 1` has `>=`"),
            ("moved-1", "`x > 1` has 2"),
            ("negate-3", "`x < 5` is turned round"),
            ("bound-2:<=", "`x < 5` has `<=`"),
            ("moved-2", "`x < 5` has 4"),
        ]),
        ("args.l.exists(x, x > 1)", [
            ("negate-1", "`args.l.exists(x, x > 1)` is turned round"),
            ("bound-1:>=", "`x > 1` has `>=`"),
            ("moved-1", "`x > 1` has 2"),
        ]),
    ],
)  # fmt: skip
def test_every_variant_of_an_expression(text: str, expected: list[tuple[str, str]]) -> None:
    assert changes(text) == expected


@pytest.mark.parametrize(
    ("text", "variant", "values", "before", "after"),
    [
        ("on && args.n > 10", "drop-1", {"on": False, "args": {"n": 11}}, False, True),
        ("on && args.n > 10", "negate-2", {"on": True, "args": {"n": 11}}, True, False),
        ("on && args.n > 10", "bound-1:>=", {"on": True, "args": {"n": 10}}, False, True),
        ("on && args.n > 10", "moved-1", {"on": True, "args": {"n": 11}}, True, False),
        ("on || args.n > 10", "drop-2", {"on": False, "args": {"n": 11}}, True, False),
        ("args.l.all(x, x > 1 || on)", "drop-2", {"on": True, "args": {"l": [1]}}, True, False),
        ("has(args.n) ? on : !on", "then-1", {"on": True, "args": {}}, False, True),
    ],
)
def test_a_variant_decides_as_one_would_read_it(
    text: str, variant: str, values: dict[str, object], before: bool, after: bool
) -> None:
    parsed = parse(Excerpt.whole(text))
    (changed,) = [one for one in variants(parsed) if one.id == variant]
    assert plan(parsed, ENVIRONMENT).evaluate(values) is before
    assert plan(changed.parsed, ENVIRONMENT).evaluate(values) is after


def test_a_named_part_is_changed_wherever_it_is_used() -> None:
    many = parse(Excerpt.whole("args.n > 10", "many"))
    more = bind(parse(Excerpt.whole("many && on", "more")), {"many": many})
    whole = bind(parse(Excerpt.whole("many || more")), {"many": many, "more": more})
    found = {one.id: one for one in variants(whole)}
    assert list(found) == [
        "drop-1",
        "drop-2",
        *("let-many/negate-1", "let-many/bound-1:>=", "let-many/moved-1"),
        *("let-more/drop-1", "let-more/drop-2", "let-more/negate-1"),
    ]
    ten = {"on": True, "args": {"n": 10}}
    assert plan(whole, ENVIRONMENT).evaluate(ten) is False
    assert plan(found["let-many/bound-1:>="].parsed, ENVIRONMENT).evaluate(ten) is True
    assert plan(found["let-more/drop-1"].parsed, ENVIRONMENT).evaluate(ten) is True
    assert found["let-many/moved-1"].place.source.name == "many"
