"""YAML as plain data whose every character knows its place."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gateway.diagnostic import PolicyError, Source
from gateway.document import Document, read_document, source_of
from gateway.files import MAX_BYTES
from gateway.nodes import MAX_DEPTH


def read(text: str) -> Document:
    return read_document(Source("a.yaml", text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("0", 0),
        ("-12", -12),
        ("+3", 3),
        ("1.5", 1.5),
        ("-0.5", -0.5),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("9223372036854775807", 2**63 - 1),
        ("off", "off"),
        ("on", "on"),
        ("yes", "yes"),
        ("no", "no"),
        ("True", "True"),
        ("NULL", "NULL"),
        ("2027-03-31", "2027-03-31"),
        ("2027-03-31T10:00:00Z", "2027-03-31T10:00:00Z"),
        ("0x1F", "0x1F"),
        ("0o17", "0o17"),
        ("017", "017"),
        ("1_000", "1_000"),
        ("01.5", "01.5"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        (".", "."),
        ("1:30", "1:30"),
        ("'true'", "true"),
        ('"1"', "1"),
        ("|-\n  1", "1"),
    ],
)
def test_plain_scalars_follow_the_core_rules(text: str, value: object) -> None:
    data = read(f"a: {text}\n").data
    assert data == {"a": value}
    assert type(data["a"]) is type(value)


def test_keys_are_strings() -> None:
    assert read("1: a\ntrue: b\n~: c\n2027-01-31: d\n").data == {
        "1": "a",
        "true": "b",
        "~": "c",
        "2027-01-31": "d",
    }


def test_an_empty_text_is_null() -> None:
    assert read("").data is None
    assert read("# only a comment\n").data is None


@pytest.mark.parametrize(
    ("text", "code", "underlined"),
    [
        ("a: 1\nb: 2\na: 3\n", "duplicate-key", "a"),
        ("a: {b: 1, 'b': 2}\n", "duplicate-key", "'b'"),
        ("? [a]\n: b\n", "key-not-text", "["),
        ("a: &x 1\n", "yaml-anchor", "&x 1"),
        ("a: *x\n", "yaml-alias", "*x"),
        ("a: !x 1\n", "yaml-tag", "!x 1"),
        ("<<: {a: 1}\n", "merge-key", "<<"),
        ("a: 1\n---\nb: 1\n", "many-documents", "---"),
        ("a: 1e999\n", "number-too-large", "1e999"),
        ("a: 9223372036854775808\n", "number-too-large", "9223372036854775808"),
        ("a: \ufeff\n", "byte-order-mark", "\ufeff"),
        ("a: \0\n", "control-character", "\0"),
        ("a: \x1b[31m\n", "control-character", "\x1b"),
        ("# note\u2028a: 1\n", "control-character", "\u2028"),
        ("# note\x85a: 1\n", "control-character", "\x85"),
        ("# note\ra: 1\n", "control-character", "\r"),
        ("a: \u202e1\n", "control-character", "\u202e"),
        ('a: "\\0"\n', "control-character", '"\\0"'),
        ("[" * (MAX_DEPTH + 1), "too-deep", "["),
    ],
)
def test_what_is_refused(text: str, code: str, underlined: str) -> None:
    with pytest.raises(PolicyError) as caught:
        read(text)
    (found,) = caught.value.diagnostics
    assert found.span is not None
    assert (found.code, found.span.text) == (code, underlined)


def test_a_duplicate_key_names_the_first() -> None:
    with pytest.raises(PolicyError) as caught:
        read("a: 1\nb: 2\na: 3\n")
    (found,) = caught.value.diagnostics
    assert found.span is not None
    assert (found.span.line, found.related[0].span.line) == (3, 1)


def test_a_text_without_a_colon_is_a_value() -> None:
    assert read("just words\n").data == "just words"


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(PolicyError) as caught:
        source_of("a.yaml", "é: ".encode() + b"\xff\n")
    (found,) = caught.value.diagnostics
    assert found.span is not None
    assert (found.code, found.span.column) == ("not-utf-8", 4)
    with pytest.raises(PolicyError, match="file-too-large"):
        source_of("a.yaml", b" " * (MAX_BYTES + 1))


def test_spans_of_values_and_keys() -> None:
    document = read("rules:\n  - {id: a, tools: [b, 'c']}\n  - id: d\n    when:\nend: 1\n")
    assert document.span(("rules", 0)).text == "{id: a, tools: [b, 'c']}"
    assert document.span(("rules", 0, "tools")).text == "[b, 'c']"
    assert document.span(("rules", 0, "tools", 1)).text == "'c'"
    assert document.key_span(("rules", 0, "tools")).text == "tools"
    assert document.span(("rules", 1)).text == "id: d\n    when:"
    assert document.span(("rules", 1, "when")).text == "when"
    assert document.span(("rules", 1, "missing")).text == document.span(("rules", 1)).text
    assert document.key_span(("end",)).place == "a.yaml:5:1"


@pytest.mark.parametrize(
    ("text", "part", "written"),
    [
        ('a: "x == \\"y\\""\n', '"y"', '\\"y\\"'),
        ('a: "x == \\"y\\" && z"\n', '"y"', '\\"y\\"'),
        ('a: "x \\u00e9 z"\n', "é", "\\u00e9"),
        ("a: 'x == ''y'' && z'\n", "'y'", "''y''"),
        ('a: x == "y"\n', '"y"', '"y"'),
    ],
)
def test_a_part_that_ends_with_an_escape_is_underlined_whole(text: str, part: str, written: str) -> None:
    """The last character was cut to its backslash, so that a mend of it left half an escape."""
    excerpt = read(text).excerpt(("a",))
    at = excerpt.text.index(part)
    assert excerpt.span(at, at + len(part)).text == written


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a: x == wrong && y\n", "wrong"),
        ("a: 'it''s == wrong'\n", "wrong"),
        ('a: "\\u00e9\\t\\"x\\" == wrong"\n', "wrong"),
        ("a: |\n  x &&\n\n    y == wrong\n  z\n", "wrong"),
        ("a: >-\n  x &&\n  y &&\n\n    z == wrong\n\n  end\n", "wrong"),
        ("a:\n  x &&\n\n  y == wrong &&\n  z\n", "wrong"),
        ("a: 'x &&\n\n   y ''\n   == wrong'\n", "wrong"),
        ('a: "x && \\\n   y\n  == wrong"\n', "wrong"),
        ("a: |2-\n    x\n   wrong\n", "wrong"),
        ("a: >+\n\n  𝄞 é\n  wrong\n\n\nb: 1\n", "wrong"),
        ("- - a: |\n      x\n      wrong\n", "wrong"),
    ],
)
def test_a_word_in_an_expression_is_found_in_the_file(text: str, word: str) -> None:
    document = read(text)
    path: tuple[str | int, ...] = ("a",) if isinstance(document.data, dict) else (0, 0, "a")
    excerpt = document.excerpt(path)
    value: Any = document.data
    for step in path:
        value = value[step]
    assert excerpt.text == value
    at = excerpt.text.index(word)
    assert excerpt.span(at, at + len(word)).text == word
    assert len(excerpt.offsets) == len(excerpt.text) + 1


PIECES = st.sampled_from(
    ["a", "é", "𝄞", " ", "  ", "\t", "\n", "\n\n", "\n ", "'", "''", '"', '\\"', "\\n", "\\u00e9", "\\\n", ":", "#",
     ": ", " #", "- ", "x", "|", ">", "\r\n", "\\L", "{", "}", "[", "]", ",", "!", "&", "*", "?", "%"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=25).map("".join)
STYLES = st.sampled_from(["{}", "a: {}\n", "a: '{}'\n", 'a: "{}"\n'])
BLOCKS = st.sampled_from(["|", ">", "|-", ">-", "|+", ">+", "|2", ">2-"])


def indented(header: str, lines: list[str]) -> str:
    return f"a: {header}\n" + "".join(f"  {line}\n" for line in lines) + "b: 1\n"


LINES = st.lists(st.sampled_from(["x", "", " y", "é  ", "z w", "\tq", "  ", "# c", "- a: b"]), max_size=8)
DOCUMENTS = st.one_of(
    st.builds(lambda style, text: style.replace("{}", text), STYLES, TEXTS),
    st.builds(indented, BLOCKS, LINES),
)


def scalars(document: Document) -> list[tuple[tuple[str | int, ...], Any]]:
    found: list[tuple[tuple[str | int, ...], Any]] = []
    pending: list[tuple[tuple[str | int, ...], Any]] = [((), document.data)]
    while pending:
        path, value = pending.pop()
        if isinstance(value, dict):
            pending.extend(((*path, key), item) for key, item in value.items())
        elif isinstance(value, list):
            pending.extend(((*path, index), item) for index, item in enumerate(value))
        else:
            found.append((path, value))
    return found


FOLDED = frozenset(" \n")


@given(DOCUMENTS)
def test_offsets_lead_back_to_the_same_characters(text: str) -> None:
    try:
        document = read(text)
    except PolicyError:
        return
    for path, value in scalars(document):
        excerpt = document.excerpt(path)
        if isinstance(value, str):
            assert excerpt.text == value
        assert len(excerpt.offsets) == len(excerpt.text) + 1
        assert list(excerpt.offsets) == sorted(excerpt.offsets)
        for char, offset in zip(excerpt.text, excerpt.offsets, strict=False):
            there = text[offset]
            assert there == char or there == "\\" or (char in FOLDED and there in "\n\r")


@given(st.one_of(DOCUMENTS, st.text(max_size=60), TEXTS))
def test_no_text_ever_crashes_the_reader(text: str) -> None:
    try:
        read(text)
    except PolicyError as error:
        for diagnostic in error.diagnostics:
            assert diagnostic.span is not None
            assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text) + 1


@given(st.binary(max_size=60))
def test_no_bytes_ever_crash_the_reader(content: bytes) -> None:
    try:
        document = read_document(source_of("a.yaml", content))
    except PolicyError as error:
        assert error.diagnostics
    else:
        assert document.source.text.encode() == content.removeprefix(b"\xef\xbb\xbf")


@given(DOCUMENTS)
def test_both_parsers_of_the_library_give_the_same_places(text: str) -> None:
    def events(loader: Any) -> list[tuple[str, int, int]] | None:
        parsed: Any = yaml.parse(text, Loader=loader)
        try:
            return [
                (event.value, event.start_mark.index, event.end_mark.index)
                for event in parsed
                if hasattr(event, "value") and event.style not in ("|", ">")
            ]
        except (yaml.YAMLError, ValueError):
            return None

    slow, fast = events(yaml.SafeLoader), events(yaml.CSafeLoader)
    if slow is not None and fast is not None:
        assert slow == fast
