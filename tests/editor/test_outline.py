"""The reader of half-typed text: of whole texts it says what the strict one says, and no text stops it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gatewayctl.editor.completion import completions
from gatewayctl.editor.definition import definitions, references
from gatewayctl.editor.hover import hovered
from gatewayctl.editor.outline import Kind, Node
from gatewayctl.editor.policies import Policies
from gatewayctl.editor.reading import outline
from gatewayctl.editor.symbols import symbols
from hypothesis import given
from hypothesis import strategies as st

from gateway.diagnostic import Source
from gateway.document import parse_document
from tests.editor.policy import POLICY

ROOT = Path(__file__).parent.parent.parent
FILES = sorted(
    path for folder in ("policies", "cli", "gateway", "tests") for path in (ROOT / folder).rglob("*.y*ml")
)


def spaced(data: Any) -> Any:
    """Data in whose texts all white space is the same: how lines are folded is for the strict reader."""
    if isinstance(data, dict):
        return {key: spaced(value) for key, value in data.items()}
    if isinstance(data, list):
        return [spaced(value) for value in data]
    return " ".join(data.split()) if isinstance(data, str) else data


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_whole_text_is_read_as_the_strict_reader_does(path: Path) -> None:
    source = Source(str(path), path.read_bytes().decode("utf-8", "replace"))
    document, problems = parse_document(source)
    if document is not None and not problems:
        assert spaced(outline(source).root.data()) == spaced(document.data)


def places(node: Node) -> list[Node]:
    below = [each for entry in node.entries for each in (entry.key, entry.value) if each is not None]
    return [node, *(inner for each in below for inner in places(each))]


def sound(text: str) -> None:
    """Each node lies in the text, and each character of a scalar knows its place."""
    for node in places(outline(Source("x", text)).root):
        assert 0 <= node.start <= node.end <= len(text)
        if node.excerpt is not None:
            assert node.kind is Kind.SCALAR
            assert len(node.excerpt.offsets) == len(node.excerpt.text) + 1
            assert all(0 <= offset <= len(text) for offset in node.excerpt.offsets)


def test_a_policy_is_read_up_to_each_of_its_characters() -> None:
    for end in range(len(POLICY)):
        sound(POLICY[:end])


@given(
    st.lists(
        st.sampled_from([*"-:?[]{},'\"|>#&*! \n\tab1", "  ", "\n  ", "- ", ": ", "when: ", "\r\n"]),
        max_size=60,
    )
)
def test_no_text_stops_the_reader(pieces: list[str]) -> None:
    sound("".join(pieces))


@given(
    st.integers(0, len(POLICY)),
    st.integers(0, len(POLICY)),
    st.sampled_from(["", "[", "'", '"', "\\", ".", "😀", "{x: "]),
)
def test_no_question_fails_in_a_text_that_is_being_typed(start: int, length: int, typed: str) -> None:
    text = POLICY[:start] + typed + POLICY[start + length % 7 :]
    path, policies = Path("/nowhere/policy.yaml"), Policies()
    policies.open[path] = text
    offset = start + len(typed)
    completions(policies, path, offset, "utf-16")
    hovered(policies, path, offset, "utf-16", None)
    definitions(policies, path, offset, "utf-16")
    references(policies, path, offset, "utf-16")
    symbols(policies, path, "utf-16")


@pytest.mark.parametrize("opened", ["[", "{", "- ", "a: [", "'", '"'])
def test_deep_and_long_texts_are_read(opened: str) -> None:
    sound(opened * 3000)
    sound(f"{opened}\n" * 3000)
    sound("".join(" " * depth + "a:\n" for depth in range(300)))


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("rules:\n  - id: a\n    tools: [x\n  - id: b\n", ("rules", 1, "id")),
        ("rules:\n  - id: 'a\n  - id: b\n", ("rules", 1, "id")),
        ("rules:\n  - {id: a, tools: [x\n  - id: b\n", ("rules", 1, "id")),
        ("rules:\n  - id: a\n    wh\n  - id: b\n", ("rules", 1, "id")),
        ("lists:\n  a: [1\nrules:\n- id: b\n", ("rules", 0, "id")),
    ],
)
def test_what_follows_something_that_was_not_closed_is_read(text: str, path: tuple[str | int, ...]) -> None:
    node = outline(Source("x", text)).node(path)
    assert node is not None
    assert node.text == "b"
