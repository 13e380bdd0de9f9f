"""What an editor offers about a finding; what it offers is done here, and looked at again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gatewayctl.editor.actions import actions
from gatewayctl.editor.policies import Policies
from lsprotocol.types import Position, Range

from gateway.diagnostic import Diagnostic, Edit, Source, Span
from tests.editor.conversation import Editor, Message
from tests.editor.policy import POLICY

UNUSED = POLICY.replace("lists:\n", "lists:\n  nobody: [x]\n")
IGNORE = "Ignore `unused-list` here"
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 1000, "character": 0}}


def offered(editor: Editor, path: Path, within: Message = WHOLE) -> list[Message]:
    return list(
        editor.ask(
            "textDocument/codeAction",
            {"textDocument": {"uri": path.as_uri()}, "range": within, "context": {"diagnostics": []}},
        )
    )


def done(text: str, changes: dict[str, list[Any]], path: Path) -> str:
    """The text after the one change that an action makes in it."""
    (edit,) = changes[path.as_uri()]
    lines = text.split("\n")
    offsets = [
        sum(len(line) + 1 for line in lines[: end["line"]]) + end["character"]
        for end in (edit["range"]["start"], edit["range"]["end"])
    ]
    return text[: offsets[0]] + str(edit["newText"]) + text[offsets[1] :]


def codes(found: list[Message]) -> list[str]:
    return [each["code"] for each in found]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (UNUSED, "  # gateway: ignore[unused-list] why"),
        (UNUSED.replace("\n", "\r\n"), "  # gateway: ignore[unused-list] why\r"),
        (
            UNUSED.replace("  nobody", "  # gateway: ignore[posture] soon\n  nobody"),
            "  # gateway: ignore[posture, unused-list] soon",
        ),
        (
            UNUSED.replace("nobody: [x]", "nobody: [x] # gateway: ignore[posture] soon"),
            "  nobody: [x] # gateway: ignore[posture, unused-list] soon",
        ),
    ],
)
def test_a_check_is_silenced_where_it_finds(editor: Editor, tmp_path: Path, text: str, line: str) -> None:
    path = tmp_path / "policy.yaml"
    assert "unused-list" in codes(editor.open(path, text))
    (action,) = [each for each in offered(editor, path) if each["title"] == IGNORE]
    assert action["kind"] == "quickfix"
    assert codes(action["diagnostics"]) == ["unused-list"]
    silent = done(text, action["edit"]["changes"], path)
    assert line in silent.split("\n")
    assert "unused-list" not in codes(editor.type(path, silent))


def test_actions_are_those_of_the_stretch_that_is_asked_about(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    editor.open(path, UNUSED)
    last = {"start": {"line": 40, "character": 0}, "end": {"line": 40, "character": 1}}
    assert [each for each in offered(editor, path, last) if each["title"] == IGNORE] == []


def test_errors_are_not_silenced(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    assert codes(editor.open(path, POLICY.replace("effect: ask", "effect: asc"))) == ["wrong-value"]
    assert [each for each in offered(editor, path) if each["title"].startswith("Ignore")] == []


@pytest.mark.parametrize(
    ("when", "silenced"),
    [
        (
            "    when: |\n      true &&\n      false\n",
            "    # gateway: ignore[costly-condition] why\n    when: |\n",
        ),
        (
            "    when: 'true &&\n      false'\n",
            "    # gateway: ignore[costly-condition] why\n    when: 'true",
        ),
        (
            "    # gateway: ignore[posture] soon\n    when: >-\n      true &&\n      false\n",
            "    # gateway: ignore[posture, costly-condition] soon\n    when: >-\n",
        ),
        (
            "    when: | # gateway: ignore[posture] soon\n      true &&\n      false\n",
            "    when: | # gateway: ignore[posture, costly-condition] soon\n",
        ),
    ],
)
def test_what_lies_in_a_text_of_many_lines_is_silenced_at_its_key(
    tmp_path: Path, when: str, silenced: str
) -> None:
    path, policies = tmp_path / "policy.yaml", Policies()
    text = f"version: 1\nrules:\n  - id: a\n{when}"
    policies.open[path] = text
    at = text.index("false")
    finding = Diagnostic("costly-condition", "this is dear", Span(Source(str(path), text), at, at + 5))
    (action,) = actions(policies, path, [finding], _everything(), "utf-16")
    assert action.edit is not None
    assert action.edit.changes is not None
    (edit,) = action.edit.changes[path.as_uri()]
    lines = text.splitlines(keepends=True)
    row, column = edit.range.start.line, edit.range.start.character
    lines[row] = lines[row][:column] + edit.new_text + lines[row][column:]
    assert silenced in "".join(lines)


def test_a_mend_is_offered_whole_and_only_for_the_text_that_it_was_made_for(tmp_path: Path) -> None:
    path, other, policies = tmp_path / "a.yaml", tmp_path / "b.yaml", Policies()
    policies.open[path] = 'version: 1\nlists: {"😀": [1], a: [2]}\n'
    source, there = Source(str(path), policies.open[path]), Source(str(other), "version: 1\nlists: {}\n")
    at = source.text.index("a: [2]")
    edits = (Edit(Span(source, at, at + 1), "b"), Edit(Span(there, 0, 7), "versoin"))
    finding = Diagnostic("unused-list", "misspelt", edits[0].span, "write `b`", edits=edits)
    mend, _ = actions(policies, path, [finding], _everything(), "utf-16")
    assert (mend.title, mend.is_preferred) == ("write `b`", True)
    assert mend.edit is not None
    assert mend.edit.changes is not None
    (here,) = mend.edit.changes[path.as_uri()]
    column = len("lists: {") + len('"😀": [1], ') + 1  # the smiley has two units
    assert here.range == Range(Position(1, column), Position(1, column + 1))
    assert [edit.new_text for edit in mend.edit.changes[other.as_uri()]] == ["versoin"]
    policies.open[other] = "version: 1\n"
    (only,) = actions(policies, path, [finding], _everything(), "utf-16")
    assert only.title == IGNORE
    policies.open[path] += "\n"
    assert actions(policies, path, [finding], _everything(), "utf-16") == []


def _everything() -> Range:
    return Range(Position(0, 0), Position(1000, 0))
