"""What paveo reports is read rightly, and the hook that it is given answers."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.paveo import ACTIONS, hook, outcome, settings


def report(*, passing: int = 0, code: int = 0) -> dict[str, Any]:
    actions: list[dict[str, Any]] = [
        {"name": name, "spellings": 4, "stopped": 4, "passing": []} for name in ACTIONS
    ]
    actions[1]["stopped"] -= passing
    actions[1]["passing"] = [f"spelling {number}" for number in range(passing)]
    return {"exit": code, "actions": actions}


def test_all_stopped() -> None:
    well, lines = outcome(report())
    assert well
    assert lines[-1].endswith("20 of 20 spellings are stopped")


def test_what_passes_is_named() -> None:
    well, lines = outcome(report(passing=1, code=1))
    assert not well
    assert lines[0] == 'passes, delete: "spelling 0"'
    assert lines[-1].endswith("19 of 20 spellings are stopped")


def test_an_ordinary_call_that_is_stopped_is_a_failure() -> None:
    assert not outcome(report(code=2))[0]


def test_an_action_that_was_not_tried_is_a_failure() -> None:
    found = report()
    found["actions"][0] |= {"spellings": 0, "stopped": 0}
    assert not outcome(found)[0]


@pytest.mark.parametrize(("command", "stopped"), [("git push -f", True), ("git status", False)])
def test_the_hook_that_is_registered_answers(tmp_path: Path, command: str, stopped: bool) -> None:
    entry = settings(hook())["hooks"]["PreToolUse"][0]
    message = {
        "session_id": "s",
        "cwd": str(tmp_path),
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
    }
    done = subprocess.run(
        ["/bin/sh", "-c", entry["hooks"][0]["command"]],
        input=json.dumps(message),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
        timeout=60,
    )
    assert done.returncode == (2 if stopped else 0), done.stderr
