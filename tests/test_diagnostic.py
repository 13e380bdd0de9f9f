"""Spans and diagnostics: places, excerpts, and what people read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.diagnostic import (
    COLOUR,
    Diagnostic,
    Excerpt,
    PolicyError,
    Related,
    Severity,
    Source,
    Span,
    printable,
    render,
    suggest,
)


def at(text: str, part: str, name: str = "p.yaml") -> Span:
    """The span of the first occurrence of a part."""
    start = text.index(part)
    return Span(Source(name, text), start, start + len(part))


def rendered(text: str, part: str, message: str = "wrong") -> list[str]:
    return render(Diagnostic("some-check", message, at(text, part))).split("\n")


# Places.


def test_lines_and_columns_count_from_one() -> None:
    source = Source("p.yaml", "ab\n\ncd")
    assert [source.position(i) for i in range(7)] == [(1, 1), (1, 2), (1, 3), (2, 1), (3, 1), (3, 2), (3, 3)]
    assert [source.line(n) for n in range(5)] == ["", "ab", "", "cd", ""]


def test_a_carriage_return_is_no_part_of_the_line() -> None:
    source = Source("p.yaml", "ab\r\ncd\r\n")
    assert source.line(1) == "ab"
    assert source.position(4) == (2, 1)


def test_a_span_knows_its_text_and_place() -> None:
    span = at("a: 1\nrisk: HGH\n", "HGH")
    assert (span.text, span.line, span.column, span.place) == ("HGH", 2, 7, "p.yaml:2:7")


@given(st.text(st.sampled_from("ab\n\r字")), st.data())
def test_positions_are_those_of_counting(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    before = text[:offset]
    expected = (before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1)
    assert Source("x", text).position(offset) == expected


def test_an_excerpt_points_into_its_source() -> None:
    # A block scalar: the text `a &&\nb` without the four columns of indent.
    text = "when: |\n    a &&\n    b\n"
    offsets = [12, 13, 14, 15, 16, 21, 22]
    excerpt = Excerpt("a &&\nb", Source("p.yaml", text), offsets)
    assert excerpt.span(0, 1).text == "a"
    assert excerpt.span(5, 6).text == "b"
    assert excerpt.span(5, 6).place == "p.yaml:3:5"
    assert excerpt.span(0, 6).text == "a &&\n    b"


def test_an_excerpt_keeps_spans_inside_itself() -> None:
    excerpt = Excerpt.whole("a + b")
    assert excerpt.span(-3, 99).text == "a + b"
    assert (excerpt.span(5, 5).start, excerpt.span(5, 5).end) == (5, 5)
    assert (excerpt.span(4, 1).start, excerpt.span(4, 1).end) == (4, 4)
    assert excerpt.source.name == "<expression>"


@given(st.text(), st.integers(-5, 50), st.integers(-5, 50))
def test_a_whole_text_has_the_spans_of_slicing(text: str, start: int, end: int) -> None:
    span = Excerpt.whole(text).span(start, end)
    first = min(max(start, 0), len(text))
    assert span.text == text[first : max(first, min(end, len(text)))]


# What people read.


def test_the_very_characters_are_underlined() -> None:
    assert rendered("version: 1\nrisk: HGH # high\n", "HGH", "unknown risk `HGH`") == [
        "p.yaml:2:7: error[some-check]: unknown risk `HGH`",
        "    2 | risk: HGH # high",
        "      |       ^^^",
    ]


def test_help_and_related_places_follow() -> None:
    text = "a: 1\na: 2\n"
    source = Source("p.yaml", text)
    diagnostic = Diagnostic(
        "duplicate-key",
        "the key `a` stands twice",
        Span(source, 5, 6),
        help="remove one",
        severity=Severity.WARNING,
        related=(Related(Span(source, 0, 1), "first here"),),
    )
    assert render(diagnostic) == (
        "p.yaml:2:1: warning[duplicate-key]: the key `a` stands twice\n"
        "    2 | a: 2\n"
        "      | ^\n"
        "  p.yaml:1:1: first here\n"
        "    1 | a: 1\n"
        "      | ^\n"
        "  help: remove one"
    )


def test_without_a_place_there_is_one_line() -> None:
    assert render(Diagnostic("no-policy", "there is no policy")) == "error[no-policy]: there is no policy"


def test_wide_characters_take_two_columns() -> None:
    assert rendered("组: 表单", "表单")[1:] == ["    1 | 组: 表单", "      |     ^^^^"]


def test_combining_marks_take_none() -> None:
    assert rendered("e\u0301a: x", "x")[2] == "      |     ^"


def test_control_and_direction_characters_are_written_out() -> None:
    lines = rendered("a\t\u202eb: \x1b[2J!", "!")
    assert lines[1] == r"    1 | a\t\u202eb: \x1b[2J!"
    assert lines[2] == "      | " + " " * len(r"a\t\u202eb: \x1b[2J") + "^"


def test_a_character_that_is_written_out_is_underlined_whole() -> None:
    assert rendered("a\u200bb", "\u200b")[2] == "      |  ^^^^^^"


def test_names_and_messages_can_not_steer_a_terminal() -> None:
    span = Span(Source("x\x1b[31m.yaml", "a"), 0, 1)
    diagnostic = Diagnostic("c", "m\x1b", span, help="h\x07", related=(Related(span, "r\r"),))
    shown = render(diagnostic)
    assert all(c == "\n" or c.isprintable() for c in shown)


def test_a_span_over_several_lines_is_underlined_on_its_first() -> None:
    assert rendered("abc\ndef", "bc\ndef")[1:] == ["    1 | abc", "      |  ^^"]


@pytest.mark.parametrize("text", ["", "abc"])
def test_the_end_of_a_text_can_be_pointed_at(text: str) -> None:
    end = Span(Source("p.yaml", text), len(text), len(text))
    assert render(Diagnostic("c", "m", end)).endswith(f"    1 | {text}\n      | {' ' * len(text)}^")


def test_a_long_line_is_cut_around_the_place() -> None:
    text = "x" * 1000 + "HERE" + "y" * 1000
    lines = rendered(text, "HERE")
    assert len(lines[1]) < 160
    column = lines[2].index("^")
    assert lines[1][column : column + 4] == "HERE"
    assert lines[2].count("^") == 4


def test_colour_changes_no_text() -> None:
    diagnostic = Diagnostic("c", "m", at("a: b", "b"), help="h")
    painted = render(diagnostic, COLOUR)
    assert "\x1b[31m" in painted
    for code in ("31", "33", "34", "36", "1", "2", "0"):
        painted = painted.replace(f"\x1b[{code}m", "")
    assert painted == render(diagnostic)


@given(st.text(min_size=1), st.data())
def test_every_place_of_every_text_can_be_shown(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    shown = render(Diagnostic("c", "m", Span(Source("p", text), start, end)))
    assert "^" in shown
    assert len(shown.split("\n")) == 3
    assert all(c == "\n" or c.isprintable() for c in shown)


@given(st.text())
def test_printable_text_stays_printable(text: str) -> None:
    once = printable(text)
    assert all(c.isprintable() for c in once)
    assert printable(once) == once


# Errors and suggestions.


def test_an_error_holds_each_diagnostic_once_in_order_of_place() -> None:
    text = "a\nb\n"
    one, two = Diagnostic("x", "one", at(text, "a")), Diagnostic("x", "two", at(text, "b"))
    nowhere = Diagnostic("x", "there is no policy")
    error = PolicyError([two, one, nowhere, two])
    assert error.diagnostics == (nowhere, one, two)
    assert str(error) == f"{render(nowhere)}\n{render(one)}\n{render(two)}"


@pytest.mark.parametrize(
    ("word", "most", "expected"),
    [
        ("form_lst", 2, ["form_list"]),
        ("frm_get", 2, ["form_get", "form_list"]),
        ("zzz", 2, []),
        ("form_get", 1, ["form_get"]),
    ],
)
def test_suggestions_are_alike_and_few(word: str, most: int, expected: list[str]) -> None:  # B14
    assert suggest(word, ["form_list", "form_get", "pay_invoice"], most=most)[: len(expected)] == expected
    assert len(suggest(word, ["form_list", "form_get", "pay_invoice"], most=most)) <= most


@pytest.mark.parametrize(
    ("word", "known", "expected"),
    [
        ("rulez", ["rules"], ["rules"]),
        ("HIHG", ["HIGH"], ["HIGH"]),
        ("clrek", ["clerk"], ["clerk"]),
        ("extern", ["internal", "external"], ["external"]),
        ("canonical", ["isCanonical"], ["isCanonical"]),
        ("lower", ["filter"], []),
        ("not", ["int"], []),
        ("abs", ["has"], []),
        ("user", ["turn"], []),
        ("foo", ["roots"], []),
        ("date", ["matches"], []),
        ("cel-name", ["unclear-name"], []),
        ("cel-optional", ["unconditional-allow"], []),
    ],
)
def test_one_suggestion_is_a_few_letters_away(word: str, known: list[str], expected: list[str]) -> None:
    assert suggest(word, known) == expected


@given(st.text(max_size=8), st.lists(st.text(max_size=8)), st.integers(1, 2))
def test_suggestions_come_from_the_known_words(word: str, known: list[str], most: int) -> None:  # B14
    found = suggest(word, known, most=most)
    assert len(found) <= most
    assert set(found) <= set(known)
