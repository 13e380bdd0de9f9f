"""Reading expressions: exact places, several mistakes at once, and input that means harm."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.cel import DYN, CelError, Environment, check, outcomes, parse, plan
from gateway.cel.syntax import MAX_DEPTH, MAX_SOURCE, Binary, Call, Literal, Logic, Select, Unary
from gateway.diagnostic import Excerpt, Source

FIVE_THOUSAND = 5_000


def mistakes(text: str) -> list[tuple[str, str, str]]:
    """Code, underlined characters and message of everything that is wrong."""
    parsed = parse(Excerpt.whole(text))
    found = []
    for diagnostic in parsed.diagnostics:
        assert diagnostic.span is not None
        found.append((diagnostic.code, diagnostic.span.text, diagnostic.message))
    assert (parsed.ast is None) == bool(found)
    return found


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "", "the expression is empty"),
        ("  ", "  ", "the expression is empty"),
        ("a == ", "", "expected a value, found the end"),
        ("a = 1", "=", "`=` has no meaning in an expression"),
        ("a & b", "&", "`&` has no meaning in an expression"),
        ("a and b", "and", "the expression should end before `and`"),
        ("not a", "a", "the expression should end before `a`"),
        ("a <> b", "<>", "`<>` is no operator here"),
        ("a ?? b == b", "??", "`??` is no operator here"),
        ("a?.size() > 1", "?.", "`?.` is no operator here"),
        ("a is null", "is null", "`is null` is no operator here"),
        ("a.b is not null && c", "is not null", "`is not null` is no operator here"),
        ("a not in b", "not in", "`not in` is no operator here"),
        ("a in ('x', 'y')", "(", "there are no tuples here"),
        ("a contains 'x'", "contains", "the expression should end before `contains`"),
        ("(a || b", "(", "`(` is never closed"),
        ("f(a, b", "(", "`(` is never closed"),
        ("[1, 2", "[", "`[` is never closed"),
        ("{'a': 1", "{", "`{` is never closed"),
        ("{'a' 1}", "1", "expected `:`, found `1`"),
        ("a ? b", "?", "`?` is never closed"),
        ("a.1", ".1", "the expression should end before `.1`"),
        ("a.", "", "expected a field's name after `.`, found the end"),
        ("a.in", "in", "expected a field's name after `.`, found `in`"),
        ("'abc", "'abc", "a string never ends"),
        ('"""abc', '"""abc', "a string never ends"),
        (r"'\q'", r"\q", r"`\q` is not an escape"),
        (r"'\ud800'", r"\ud800", r"`\ud800` is not a character"),
        (r"'\U00110000'", r"\U00110000", r"`\U00110000` is not a character"),
        (r"b'\u00e9'", r"\u00e9", r"`\u00e9` stands for a character, not a byte"),
        ("1abc", "1abc", "`1abc` is not a number"),
        ("9223372036854775808", "9223372036854775808", "`9223372036854775808` is out of the range of int"),
        (
            "18446744073709551616u",
            "18446744073709551616u",
            "`18446744073709551616u` is out of the range of uint",
        ),
        ("if", "if", "`if` is a reserved word"),
        ("while(1)", "while", "`while` is a reserved word"),
        ("has(a)", "a", "`has` takes a field: `has(x.field)`"),
        ("a.all(1, true)", "1", "expected a name for the element"),
        ("a.all(i, i, true)", "i", "`i` names both the index and the element"),
        ("Money{amount: 1}", "Money{", "messages can't be built here"),
        ("(a)(1)", "(a)", "only a function's name can be called"),
        ("f(1,)", ",", "a call has no `,` after its last argument"),
        ("`a", "`", "a name in backquotes never ends"),
        ("a # b", "#", "`#` has no meaning in an expression"),
    ],
)
def test_a_mistake_and_its_place(text: str, place: str, message: str) -> None:
    assert mistakes(text)[0] == ("cel-syntax", place, message)


def test_several_mistakes_are_told_at_once() -> None:
    assert [place for _, place, _ in mistakes("f(1, , 2) && has(a) || [1 2]")] == [",", "a", "2"]
    assert [place for _, place, _ in mistakes("a == 'x\\q' && (b || ) && c.all(1, c)")] == ["\\q", ")", "1"]
    assert len(mistakes("1 2 && " * 50)) == 10


def test_one_mistake_is_told_once() -> None:
    assert len(mistakes("((((a")) == 1
    assert len(mistakes("[1, 2, ) + x")) == 1
    for foreign in ("a <> b", "a ?? b", "a?.b()", "a is null", "a not in b && c", "a in ('x', 'y', 'z')"):
        assert len(mistakes(foreign)) == 1


@pytest.mark.parametrize("text", ["a ?.b : c", "not in b", "is == null", "a in (b)", "a<b||b>a", "[?a.?b]"])
def test_what_only_looks_like_another_language_is_read(text: str) -> None:
    assert mistakes(text) == []


def test_places_of_nodes_cover_their_parentheses_inside() -> None:
    parsed = parse(Excerpt.whole("(a + b).c == -(1) && !f(x)"))
    assert isinstance(parsed.ast, Logic)
    compared, negated = parsed.ast.terms
    assert isinstance(compared, Binary)
    assert parsed.span(compared).text == "(a + b).c == -(1)"
    assert isinstance(compared.left, Select)
    assert parsed.span(compared.left).text == "(a + b).c"
    assert parsed.span(compared.left.operand).text == "a + b"
    assert parsed.span(compared.right).text == "-(1)"
    assert isinstance(negated, Unary)
    assert parsed.span(negated).text == "!f(x)"
    assert isinstance(negated.operand, Call)


def test_chains_are_one_node_and_priorities_are_kept() -> None:
    chain = parse(Excerpt.whole("a && (b && c) && d")).ast
    assert isinstance(chain, Logic)
    assert len(chain.terms) == 4
    mixed = parse(Excerpt.whole("a || b && c")).ast
    assert isinstance(mixed, Logic)
    assert mixed.operator.value == "||"
    least = parse(Excerpt.whole("-9223372036854775808")).ast
    assert isinstance(least, Literal)
    assert least.value == -(2**63)


def test_places_are_those_in_the_file() -> None:
    source = Source("rules.yaml", 'when: "a == 1 && \\"x\\" = b"')
    text = 'a == 1 && "x" = b'
    offsets = []
    at = 7
    for char in text:
        at += char == '"'
        offsets.append(at)
        at += 1
    parsed = parse(Excerpt(text, source, [*offsets, at]))
    span = parsed.diagnostics[0].span
    assert span is not None
    assert (span.source.name, span.text, span.column) == ("rules.yaml", "=", 24)


def test_comments_and_trailing_commas() -> None:
    assert mistakes("a && // why\n b") == []
    assert mistakes("[1, 2,] == [1, 2] && {'a': 1,} == {'a': 1}") == []


class TestLimits:
    @pytest.mark.parametrize(
        "text",
        [
            "(" * FIVE_THOUSAND,
            "[" * FIVE_THOUSAND,
            "[" * 300 + "]" * 300,
            "!" * FIVE_THOUSAND + "a",
            "-" * FIVE_THOUSAND + "a",
            "f(" * 2_000,
            "a" + "+a" * 3_000,
            "a" + ".b" * 3_000,
            "a" + "[0]" * 2_000,
            "a ? " * 1_000,
            "true ? a : " * 600 + "b",
            "a.all(x, " * 500,
            "{1: " * FIVE_THOUSAND,
            "x" * (MAX_SOURCE + 1),
            "[" + "1," * 4_000 + "]",
        ],
        ids=lambda text: text[:8],
    )
    def test_hostile_input_is_refused_with_words(self, text: str) -> None:
        codes = {code for code, _, _ in mistakes(text)}
        assert codes <= {"cel-limit", "cel-syntax"}
        assert codes

    @pytest.mark.parametrize(
        "text",
        [
            "!" * (MAX_DEPTH - 1) + "a",
            "a" + " && a" * 1_500,
            "(" * (MAX_DEPTH - 1) + "a" + ")" * (MAX_DEPTH - 1),
            "(a && (b || " * 60 + "a" + "))" * 60,
            "a ? " * 1 + "a : a",
            "[" * 120 + "]" * 120 + "==[]",
            "a" + " + a" * (MAX_DEPTH - 2),
            "[a].map(x, " * 60 + "a" + ")" * 60,
            "a == [" + "'text'," * 1_000 + "]",
        ],
        ids=lambda text: text[:8],
    )
    def test_what_is_within_the_limits_works_in_every_stage(self, text: str) -> None:
        parsed = parse(Excerpt.whole(text))
        assert parsed.diagnostics == ()
        environment = Environment({"a": DYN, "b": DYN})
        check(parsed, environment, expects=None)
        outcomes(parsed, environment, {})
        program = plan(parsed, environment)
        for run in (program.evaluate, program.watch):
            try:
                run({"a": True, "b": False})
            except CelError:
                continue


PIECES = st.sampled_from(
    """a b.c ( ) [ ] { } , : ? . .? [? + - * / % ! && || == != < <= in 1 2u 1.5 0x 'a' "b \\ ' \" ''' r' b' ` has( .all(x,
    .map( x = & | ; # // \n if true null and not é 🐱 \x00 \ud800 f(""".split(" ")  # noqa: SIM905
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=25).map(" ".join) | st.text(max_size=40))
def test_whatever_is_written_gives_diagnostics_or_a_tree_that_works(text: str) -> None:
    parsed = parse(Excerpt.whole(text))
    assert (parsed.ast is None) == bool(parsed.diagnostics)
    environment = Environment({"a": DYN, "b": DYN, "x": DYN})
    checked = check(parsed, environment)
    for diagnostic in checked.diagnostics:
        assert diagnostic.span is not None
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
    if parsed.ast is not None:
        outcomes(parsed, environment, {})
        plan(parsed, environment).watch({"a": 1, "b": {"c": [1]}, "x": "y"})
