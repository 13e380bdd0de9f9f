"""Conditions: one spelling for what means the same, and claims about two of them that evaluation bears out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.cel import DYN, CelError, Environment, bind, parse, plan
from gateway.diagnostic import Excerpt
from gateway.relaxation.conditions import NEVER, condition_of, covered, in_force, read, reads_of
from gateway.relaxation.spelled import Unspellable, spelled
from tests.relaxation.generated import side

NAMES = ("a", "b", "s", "l", "m")
ENVIRONMENT = Environment(dict.fromkeys(NAMES, DYN))


def spelling(text: str, **lets: str) -> str:
    known: dict[str, Any] = {}
    for name, expression in lets.items():
        known[name] = bind(parse(Excerpt.whole(expression)), dict(known))
    return spelled(parse(Excerpt.whole(spelled(bind(parse(Excerpt.whole(text)), known)))))


def outcome(text: str, variables: dict[str, Any]) -> bool | None:
    """True, false, or None for an error."""
    parsed = parse(Excerpt.whole(text))
    assert parsed.ast is not None, text
    try:
        value = plan(parsed, ENVIRONMENT).evaluate(variables)
    except CelError:
        return None
    return value if isinstance(value, bool) else None


# --- one spelling ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a>1&&b", "b  &&  a > 1"),
        ("(a || b) || s", "s || (b || a)"),
        ("a && a && b", "b && a"),
        ("1 < a", "a > 1"),
        ("1 <= a", "a >= 1"),
        ('"x" == s', "s == 'x'"),
        ("a == b", "b == a"),
        ("a < b", "b > a"),
        ("l.exists(x, x > a)", "l.exists(y, (y) > a)"),
        ("l.filter(x, x > 1).size() > 2", "l.filter(z, z > 1).size() > 2"),
        ("l.existsOne(x, x > 1)", "l.exists_one(i, i > 1)"),
        ("l.exists(x, m.all(y, x == y))", "l.exists(y, m.all(x, y == x))"),
        ("a ? (b) : (s)", "a ? b : s"),
        ("0x10 < a", "a > 16"),
        ("a // why\n && b", "a && b"),
    ],
)
def test_what_is_only_written_differently_is_spelled_the_same(one: str, other: str) -> None:
    assert spelling(one) == spelling(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a - b - s == 1", "a - (b - s) == 1"),
        ("a && (b || s)", "a && b || s"),
        ("a > 1", "a >= 1"),
        ("a == 1", "a == 1.0"),
        ("a == 1", "a == 1u"),
        ("s == 'x'", "s == b'x'"),
        ("l.exists(x, m.all(y, x == y))", "l.exists(x, m.all(y, y == y))"),
        ("l.exists(x, m.exists(y, x > y))", "l.exists(x, m.exists(y, y > x))"),
        ("a < b", "b < a"),
        ("-(-a) == 1", "- -a == 1 && true"),
        ("m.a == 1", "m.?a == 1"),
        ("[1, 2] == l", "[2, 1] == l"),
    ],
)
def test_what_means_something_else_is_spelled_differently(one: str, other: str) -> None:
    assert spelling(one) != spelling(other)


def test_names_of_parts_are_written_out_and_see_no_macro_around_them() -> None:
    assert spelling("big && b", big="a > 1") == spelling("a > 1 && b")
    assert spelling("whole && s", one="a", whole="one || b") == spelling("(a || b) && s")
    # `x` in `big` is a variable of the call, whatever the macro calls its elements.
    assert spelling("l.exists(a, big && a > 2)", big="a > 1") == spelling("l.exists(y, a > 1 && y > 2)")
    # The macro's own variable hides the name.
    assert spelling("l.exists(big, big > 2)", big="a > 1") == spelling("l.exists(y, y > 2)")


def test_names_that_double_at_each_step_end_before_memory_does() -> None:
    lets = {"x0": "a"} | {f"x{i + 1}": f"x{i} + x{i}" for i in range(40)}
    known: dict[str, Any] = {}
    for name, text in lets.items():
        known[name] = bind(parse(Excerpt.whole(text)), dict(known))
    with pytest.raises(Unspellable):
        spelled(bind(parse(Excerpt.whole("x40 > 1")), known))
    policy = (
        "version: 1\nagents: [{name: a, tools: [t], tenants: [acme]}]\n"
        "tools: [{name: t, risk: LOW, permissions: [], parameters: {type: object, required: [n], properties: {n: {type: integer}}}}]\n"
        f"rules: [{{id: r, tools: [t], effect: deny, when: 'x12 > 1', let: {{{', '.join(f'{k}: {v}' for k, v in lets.items() if int(k[1:]) < 13).replace(': a', ': args.n')}}}}}]\n"
    )
    (rule,) = side(policy).policy.rules
    assert condition_of(rule, {})


_ATOMS = st.sampled_from(
    [
        "a > 1",
        "a > 2",
        "a >= 2",
        "2 < a",
        "a < 2",
        "a == 2",
        "a != 2",
        "a in [1, 2]",
        "a in [2]",
        "a in [2, 'x']",
        "10 / a > 2",
        's.startsWith("x")',
        's.startsWith("xy")',
        's.contains("y")',
        's.endsWith("xy")',
        's.endsWith("y")',
        's > "x"',
        's >= "xy"',
        "b",
        "true",
        "false",
        "has(m.k)",
        "m.k > 1",
        "m.k > 2",
        "l.exists(x, x > 1)",
        "l.exists(x, x > 1 && b)",
        "l.all(x, x > 1)",
        "l.all(x, x > 1 || b)",
        "l.all(x, x > 2)",
        "a in []",
        "a in [1] + [2, 'x']",
        "[1, 2].exists(x, x > a)",
        "[2].exists(x, x > a)",
        "[2].exists(x, x >= a)",
        "[2, 'x'].exists(x, x == a)",
        "[].exists(x, x == a)",
        "[1, 2].all(x, x > a)",
        "[2].all(x, x > a)",
        "['x', 'xy'].all(x, s.contains(x))",
        "['xy'].exists(x, s.endsWith(x))",
        "[1, 2].exists(i, x, i < 1 && x > a)",
        "[2].exists(i, x, i < 1 && x > a)",
        "size(s) > 1",
        "size(s) >= 2",
        "size(s) < 2",
        "size(s) <= 1.5",
        "size(s) == 2",
        "l.size() >= 1",
        "l.size() > 0",
        "(b ? a > 1 : a > 2)",
        "(b ? a > 2 : a > 2)",
    ]
)


def _joined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        inner.map(lambda x: f"!({x})"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}) && ({pair[1]})"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}) || ({pair[1]})"),
    )


CONDITIONS = st.recursive(_ATOMS, _joined, max_leaves=5)
VARIABLES = st.fixed_dictionaries(
    {},
    optional={
        "a": st.sampled_from([0, 1, 2, 3, 1.5, 2.0, "x", None]),
        "b": st.sampled_from([True, False, 1]),
        "s": st.sampled_from(["x", "xy", "y", "", "xyxy", 5]),
        "l": st.lists(st.sampled_from([0, 1, 2, 3, "x"]), max_size=2),
        "m": st.sampled_from([{}, {"k": 1}, {"k": 2}, {"k": 3}, {"k": "x"}]),
    },
)


@settings(max_examples=120)
@given(CONDITIONS, st.lists(VARIABLES, min_size=4, max_size=4))
def test_a_spelling_means_what_was_written_and_is_its_own_spelling(
    text: str, tries: list[dict[str, Any]]
) -> None:
    written = spelling(text)
    assert spelling(written) == written
    for variables in tries:
        assert outcome(written, variables) is outcome(text, variables), (written, variables)


@settings(max_examples=500)
@given(CONDITIONS, CONDITIONS, st.lists(VARIABLES, min_size=6, max_size=6))
def test_what_is_said_to_match_at_least_as_much_does_whether_errors_count_or_not(
    first: str, second: str, tries: list[dict[str, Any]]
) -> None:
    one, other = spelling(first), spelling(second)
    if not covered(one, other):
        return
    for variables in tries:
        before, after = outcome(one, variables), outcome(other, variables)
        if before is True:
            assert after is True, (one, other, variables)
        if before is None:
            assert after is not False, (one, other, variables)


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ("a > 2", "a > 1"),
        ("a > 1", "a >= 1"),
        ("a < 1", "a <= 2"),
        ("a == 3", "a >= 2"),
        ("a == 3", "a in [3, 4]"),
        ("a in [3]", "a in [3, 4]"),
        ("a in [3, 4]", "a > 2.5"),
        ("!(a > 1)", "!(a > 2)"),
        ("a != 1 && a != 2", "a != 1"),
        ("!(a in [1, 2])", "!(a in [1])"),
        ("a > 1 && b", "a > 1"),
        ("a > 1", "a > 1 || b"),
        ("has(m.k) && m.k > 1", "m.k > 1"),
        ("!(a > 1 || b)", "!b"),
        ("!b", "!(a > 1 && b)"),
        ("!(a > 1) && !b", "!(a > 1 && b)"),
        ('s.startsWith("xy")', 's.startsWith("x")'),
        ('s.endsWith("xy")', 's.endsWith("y")'),
        ('s.contains("xy")', 's.contains("y")'),
        ("l.exists(x, x > 2)", "l.exists(y, y > 1)"),
        ("l.all(x, x > 2)", "l.all(x, x > 1 || x == 0)"),
        ("b ? a > 2 : false", "b ? a > 1 : true"),
        ("false", "a > 1"),
        ("[2].exists(x, x > a)", "[1, 2].exists(y, y > a)"),
        ("[2, 1].exists(x, x > a)", "[1, 3, 2].exists(y, y > a)"),
        ("[1, 2].all(x, x > a)", "[2].all(x, x > a)"),
        ("!([1, 2].exists(x, x > a))", "!([2].exists(x, x > a))"),
        ("a in [1]", "a in [2] + [1]"),
        ("!(a in [1, 2])", "a != 1"),
        ("size(s) > 1", "size(s) >= 1"),
        ("size(s) >= 3", "size(s) > 1"),
        ("size(s) <= 1", "size(s) <= 2"),
        ("a > 1", "true"),
    ],
)
def test_known_directions_are_seen_and_only_that_way_round(narrow: str, wide: str) -> None:
    one, other = spelling(narrow), spelling(wide)
    assert covered(one, other)
    assert not covered(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("size(s) > 1", "size(s) >= 2"),
        ("l.size() <= 1", "l.size() < 2"),
        ("[1, 2].all(x, x > a)", "[2, 1].all(x, x > a)"),
    ],
)
def test_what_is_the_same_for_whole_numbers_and_in_another_order_matches_both_ways(
    one: str, other: str
) -> None:
    assert covered(spelling(one), spelling(other))
    assert covered(spelling(other), spelling(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a > 1", "a >= 2"),
        ("[2].exists(i, x, x > i)", "[1, 2].exists(i, x, x > i)"),
        ("[2].exists_one(x, x > a)", "[1, 2].exists_one(x, x > a)"),
        ("[b].exists(x, x)", "[b, s].exists(x, x)"),
        ("[0.0].exists(x, 1.0 / x > 0.0)", "[-0.0].exists(x, 1.0 / x > 0.0)"),
        ("[1].exists(x, x == a)", "[true].exists(x, x == a)"),
        ("size(s) >= 2u", "size(s) > 1"),
    ],
)
def test_what_only_looks_alike_is_not_claimed(one: str, other: str) -> None:
    assert not (covered(spelling(one), spelling(other)) and covered(spelling(other), spelling(one)))


def test_lists_are_written_out_where_they_are_the_policys_own() -> None:
    lists = {"n": [1, -2, 2.5, True, 'a"b'], "m": []}

    def out(text: str, **lets: str) -> str:
        known = {name: bind(parse(Excerpt.whole(each)), {}) for name, each in lets.items()}
        return spelled(bind(parse(Excerpt.whole(text)), known), lists)

    assert out("a in lists.n") == 'a in [1, -2, 2.5, true, "a\\"b"]'
    assert out("l.exists(x, lists.m.all(y, x == y && a in lists.m))") == (
        "l.exists(_1, [].all(_2, _1 == _2 && a in []))"
    )
    assert out("deep", deep="a in lists.m") == "(a in [])"
    assert out("m.lists.n == a") == "a == m.lists.n"
    assert out("l.exists(lists, lists.n == a)") == "l.exists(_1, _1.n == a)"
    assert out("lists.n == a", lists="m") == "a == m.n"
    assert out("has(lists.n) && lists.other == a") == "a == lists.other && has(lists.n)"
    assert out("lists.?n.hasValue()") == "lists.?n.hasValue()"


def test_what_needs_facts_that_are_not_there_yet_never_matches() -> None:
    text = spelling('a > 1 || origin("x").untrusted')
    assert in_force(text) == NEVER
    assert in_force("a > 1 || inspect.command.network") != NEVER
    assert in_force(spelling('roles.recipient.exists(r, origin(r) == "x")')) == NEVER
    assert in_force("a > 1") == "a > 1"
    assert not covered("a > 1", text)
    assert covered(text, "a > 1")


def test_nothing_is_claimed_about_what_cannot_be_read() -> None:
    assert read("let a = b; a > 1") is None
    assert not covered("let a = b; a > 1", "let a = b; a > 1 || b")
    assert reads_of(["let a = b; a > 1"]) == {"*"}


def test_what_a_condition_reads_is_found_wherever_it_stands() -> None:
    found = reads_of(['l.exists(x, x == tool.risk) && has(agent.max_risk) && tool["mode"] == "x"'])
    assert {"tool.risk", "agent.max_risk", "tool"} <= found
    assert "tool.mode" not in found
