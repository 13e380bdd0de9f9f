"""Texts that are too big, too deep or too odd: they are asked about, and nothing is ever raised."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.inspect.guard import Access
from gateway.inspect.inspection import Inspection
from tests.inspect.places import GUARDED, INSPECTOR, PLACE

PIECES = st.sampled_from(
    [
        *"\"'`$(){}[]<>|&;\\\n\t #*?~!=-+:/,",
        *("<<EOF\n", "\nEOF\n", "<<<", "$(", "${", "$((", "))", "$'", "<(", "${x:-", "]]", "[[ "),
        *(
            "rm",
            " -rf ",
            "/",
            "git push --force",
            "sh -c ",
            "eval ",
            "if ",
            "then ",
            "fi",
            "for i in ",
            "do ",
            "done",
        ),
        *(
            "psql -c ",
            "DROP TABLE a",
            "x",
            "f() ",
            "case ",
            "esac",
            "é",
            "\ud800",
            "\x00",
            "\ue000",
            "\ue012",
            "policies",
            "git -c alias.a=",
            "env -S ",
            " -name ",
            "find ",
            "cp -t",
            "\ue004",
            "${x%",
            "shopt -s dotglob;",
        ),
    ]
)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 70_000,
        "ls\0",
        "echo " + "$(" * 5_000,
        "(" * 300 + "ls" + ")" * 300,
        "if a; then " * 400 + "ls;" + "fi;" * 400,
        "echo {a,b}" + "{a,b}" * 20,
        "ls a b c\n" * 7_000,
        "${a" * 2_000,
        "sh -c " * 100,
        "sudo " * 10_000 + "rm -rf /",
    ],
    ids=[
        "size",
        "nul",
        "nesting",
        "parentheses",
        "ifs",
        "braces",
        "length",
        "expansions",
        "shells",
        "wrappers",
    ],
)
def test_what_exceeds_a_limit_is_asked_about(text: str) -> None:
    inspection = INSPECTOR.shell(text, PLACE)
    assert text == "sh -c " * 100 or [m.kind for m in inspection.matches] == ["unreadable"]
    assert all(m.effect.value == "ask" for m in inspection.matches)


def test_a_limit_does_not_hide_what_was_found_before() -> None:
    found = INSPECTOR.shell("rm -rf /; echo " + "$(" * 5_000, PLACE).matches
    assert {m.kind for m in found} == {"pattern", "unreadable"}


def lie_in(text: str, *inspections: Inspection) -> None:
    """Each match quotes the text at its place, and a text that can't be read is never without one."""
    for inspection in inspections:
        for match in inspection.matches:
            assert 0 <= match.start <= match.end <= len(text)
            assert match.text == text[match.start : match.end]
        assert inspection.matches or inspection.analysis != "unparsed"


@given(st.lists(PIECES, max_size=40).map("".join))
def test_shell_never_raises(text: str) -> None:
    lie_in(text, INSPECTOR.shell(text, PLACE), GUARDED.shell(text, PLACE))


@given(st.text(st.characters(), max_size=200))
def test_any_text_is_answered(text: str) -> None:
    lie_in(text, INSPECTOR.shell(text, PLACE), INSPECTOR.sql(text, None, PLACE))
    lie_in(text, GUARDED.shell(text, PLACE), GUARDED.path(text, PLACE, Access.WRITE))


@given(
    st.lists(
        st.sampled_from(
            ["'", '"', "`", "--", "/*", "*/", "$$", "drop ", "table ", "truncate ", ";", "a", "\\"]
        )
    )
)
def test_sql_never_raises(pieces: list[str]) -> None:
    text = "".join(pieces)
    for match in INSPECTOR.sql(text, None, PLACE).matches:
        assert match.text == text[match.start : match.end] != ""


def test_a_long_sql_text_is_asked_about() -> None:
    (match,) = INSPECTOR.sql("drop " + "x" * 70_000, None, PLACE).matches
    assert match.kind == "unreadable"


@pytest.mark.parametrize(
    "text",
    [
        "env " + "-i " * 5_000 + "-S 'rm -rf /srv'",
        "sort " + "-k1 " * 8_000,
        "rm -rf " + " ".join(f"a{i}*" for i in range(5_000)),
        "rm -rf " + " ".join(f"$X/a{i}" for i in range(5_000)),
        "find " + " ".join(f"a{i}" for i in range(5_000)) + " -name a -delete",
    ],
    ids=lambda text: text[:12],
)
def test_many_words_take_no_longer_each_than_few(text: str) -> None:
    start = time.perf_counter()
    GUARDED.shell(text, PLACE)
    assert time.perf_counter() - start < 10


@pytest.mark.parametrize("text", ["echo > 1<", "rm a > 2> b", "env -S", "git -c", "cp -t", "${x%}"])
def test_commands_that_are_cut_short_raise_nothing(text: str) -> None:
    lie_in(text, INSPECTOR.shell(text, PLACE), GUARDED.shell(text, PLACE))


@pytest.mark.parametrize("char", ["\U000def9f", "\U0010ffff", "\ue0ff", "\ud800", "😀"])
@pytest.mark.parametrize("text", ["echo {@b", "cat <<@\nx\n@\n:", "a${@}", "@ {@..2}", "[[ @ =~ {@ ]]"])
def test_characters_that_the_parser_has_no_table_for(text: str, char: str) -> None:
    assert INSPECTOR.shell(f"{text.replace('@', char)}; rm -rf /srv", PLACE).matches


def test_characters_of_many_bytes_leave_places_as_they_are() -> None:
    text = "echo 'é 😀 \U000def9f'; rm -rf /srv/data"
    (match,) = INSPECTOR.shell(text, PLACE).matches
    assert match.text == text[match.start : match.end] == "/srv/data"
