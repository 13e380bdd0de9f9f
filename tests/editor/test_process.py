"""The server as a process: how it ends, what it writes, and what it does with questions that make no sense."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from gatewayctl.editor.policies import Policies

from tests.editor.conversation import PATIENCE, Editor
from tests.editor.policy import POLICY

CANCELLED = -32800


def test_it_ends_when_it_is_told_to() -> None:
    with Editor() as editor:
        assert editor.end() == 0


def test_ending_it_without_a_word_is_a_failure() -> None:
    with Editor() as editor:
        editor.tell("exit", None)
        assert editor.process.wait(PATIENCE) == 1


def test_it_ends_when_who_started_it_has_gone(tmp_path: Path) -> None:
    with Editor() as editor:
        editor.open(tmp_path / "policy.yaml", POLICY)
        assert editor.process.stdin is not None
        editor.process.stdin.close()
        assert editor.process.wait(PATIENCE) == 1


STUCK = (
    "import threading, gatewayctl.editor.checking as checking\n"
    "from gatewayctl.editor.server import serve\n"
    "def find(*read):\n"
    "    open({begun!r}, 'w').close()\n"
    "    threading.Event().wait()\n"
    "checking.find = find\n"
    "serve(None)\n"
)


@pytest.mark.parametrize("way", ["end", "exit", "gone"])
def test_a_check_that_never_ends_does_not_outlive_the_editor(tmp_path: Path, way: str) -> None:
    begun, path = tmp_path / "begun", tmp_path / "policy.yaml"
    with Editor(program=STUCK.format(begun=str(begun))) as editor:
        item = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": POLICY}
        editor.tell("textDocument/didOpen", {"textDocument": item})
        while not begun.exists():
            assert editor.at("hover", path, {"line": 1, "character": 1}) is not None
        if way == "end":
            assert editor.end() == 0
            return
        if way == "exit":
            editor.tell("exit", None)
        else:
            assert editor.process.stdin is not None
            editor.process.stdin.close()
        assert editor.process.wait(PATIENCE) == 1


def test_a_newer_text_does_not_wait_for_ever_behind_an_older_one(tmp_path: Path) -> None:
    begun, path = tmp_path / "begun", tmp_path / "policy.yaml"
    program = STUCK.format(begun=str(begun)).replace(
        "checking.find = find\n",
        "real, checking._PATIENCE = checking.find, 0.01\n"
        "checking.find = lambda *read: (real if len(read[1].layers[0][0].content) > {size} else find)(*read)\n",
    )
    program = program.replace("{size}", str(len(POLICY.encode())))
    with Editor(program=program) as editor:
        item = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": POLICY}
        editor.tell("textDocument/didOpen", {"textDocument": item})
        while not begun.exists():
            assert editor.at("hover", path, {"line": 1, "character": 1}) is not None
        assert editor.type(path, POLICY.replace("effect: ask", "effect: asking"))[0]["code"] == "wrong-value"
        assert editor.end() == 0


def test_without_the_extra_it_says_how_to_install_it(tmp_path: Path) -> None:
    hidden = "import sys; sys.modules['pygls'] = None; from gatewayctl.__main__ import main; sys.argv[1:] = ['lsp']; main()"
    done = subprocess.run(
        [sys.executable, "-c", hidden],
        input="",
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 2
    assert "pip install 'gatewayctl[editor]'" in done.stderr
    assert done.stdout == ""


def test_what_is_printed_by_anybody_goes_to_stderr() -> None:
    loud = (
        "import gatewayctl.editor.server as server\n"
        "real = server._server\n"
        "def louder(chosen):\n"
        "    print('to stdout')\n"
        "    import os; os.write(1, b'to the descriptor')\n"
        "    return real(chosen)\n"
        "server._server = louder\n"
        "raise SystemExit(server.serve(None))\n"
    )
    done = subprocess.run(
        [sys.executable, "-u", "-c", loud], input=b"", capture_output=True, check=False, timeout=PATIENCE
    )
    assert done.stdout == b""
    assert b"to stdout" in done.stderr
    assert b"to the descriptor" in done.stderr


def test_a_question_that_is_called_off_is_answered_and_harms_no_other(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    editor.open(path, POLICY)
    place = {"textDocument": {"uri": path.as_uri()}, "position": {"line": 0, "character": 0}}
    asked = [editor.begin("textDocument/completion", place) for _ in range(5)]
    for number in asked:
        editor.tell("$/cancelRequest", {"id": number})
    for number in asked:
        answer = editor.answer(number)
        assert "error" not in answer or answer["error"]["code"] == CANCELLED
    assert editor.at("hover", path, {"line": 1, "character": 1}) is not None


@pytest.mark.parametrize(
    "position",
    [{"line": 10_000, "character": 0}, {"line": 1, "character": 10_000}, {"line": 0, "character": 0}],
)
@pytest.mark.parametrize("method", ["completion", "hover", "definition", "references"])
def test_no_place_is_too_far(editor: Editor, tmp_path: Path, method: str, position: dict[str, int]) -> None:
    path = tmp_path / "policy.yaml"
    editor.open(path, POLICY)
    more = {"context": {"includeDeclaration": True}} if method == "references" else {}
    answer: Any = editor.at(method, path, position, **more)
    assert answer is None or "error" not in answer


@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "file:///nowhere/at%00all.yaml", "file:///nowhere/x.yaml", "::"]
)
def test_what_is_no_file_is_told_nothing_about(editor: Editor, uri: str) -> None:
    item = {"uri": uri, "languageId": "yaml", "version": 1, "text": POLICY}
    editor.tell("textDocument/didOpen", {"textDocument": item})
    place = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 1}}
    answer = editor.ask("textDocument/hover", place)
    assert answer is None or "contents" in answer
    editor.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


def test_a_failure_inside_is_told_and_the_server_goes_on(tmp_path: Path) -> None:
    program = (
        "import gatewayctl.editor.checking as checking\n"
        "def find(*read): raise LookupError('broken')\n"
        "checking.find = find\n"
        "from gatewayctl.editor.server import serve\n"
        "raise SystemExit(serve(None))\n"
    )
    path = tmp_path / "policy.yaml"
    with Editor(program=program) as editor:
        item = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": POLICY}
        editor.tell("textDocument/didOpen", {"textDocument": item})
        while "window/logMessage" not in editor.told:
            assert editor.at("hover", path, {"line": 1, "character": 1}) is not None
        assert editor.end() == 0


def test_findings_are_told_under_the_address_that_the_editor_gave(editor: Editor, tmp_path: Path) -> None:
    folder = tmp_path / "a b"
    uri = f"{tmp_path.as_uri()}/a%20b/p%6Flicy%40home.yaml"
    item = {
        "uri": uri,
        "languageId": "yaml",
        "version": 1,
        "text": POLICY.replace("effect: ask", "effect: asc"),
    }
    editor.tell("textDocument/didOpen", {"textDocument": item})
    while uri not in editor.shown:
        editor.at("hover", folder / "policy@home.yaml", {"line": 1, "character": 1})
    assert [each["code"] for each in editor.shown[uri]] == ["wrong-value"]


def test_of_each_file_only_the_last_text_is_kept() -> None:
    path, policies = Path("/nowhere/policy.yaml"), Policies()
    for number in range(100):
        policies.open[path] = f"{POLICY}# {number}\n"
        assert policies.copy().outline(path) is policies.outline(path)
    assert len(policies._read) == 1
