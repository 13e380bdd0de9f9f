"""A hook that records: one real process a message, all in one chain."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.hosts.test_hook_process import POLICY, argv, hook, message, refused
from tests.recording.world import looked_at, said


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    (tmp_path / "policy.yaml").write_text(POLICY)
    return [
        "claude-code",
        "--policies",
        str(tmp_path / "policy.yaml"),
        "--log",
        str(tmp_path / "state" / "log"),
    ]


def test_each_message_is_recorded_in_one_chain(words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "state" / "log"
    assert hook(message("ls"), *words).returncode == 0
    refused(hook(message("deploy now"), *words))
    assert hook(message(tool_name="Unknown", tool_input={}), *words).returncode == 0
    after = message("ls", hook_event_name="PostToolUse", tool_response={"stdout": "a", "stderr": ""})
    assert hook(after, *words).returncode == 0
    rows = said(path)
    assert [(row["kind"], row["tool"], row["code"]) for row in rows] == [
        ("decision", "shell", "ALLOWED"),
        ("decision", "shell", "RULE"),
        ("decision", "unknown", "TOOL_NOT_FOUND"),
        ("decision", "unknown", "ALLOWED"),
        ("result", "shell", "REVIEWED"),
    ]
    assert looked_at(path).found == ()


def test_a_log_that_can_t_be_used_refuses_every_call(words: list[str], tmp_path: Path) -> None:
    log = tmp_path / "state"
    log.write_text("no directory")
    assert "log" in refused(hook(message("ls"), *words))
    log.unlink()
    log.mkdir()
    (log / "log").mkdir()
    assert "log" in refused(hook(message("ls"), *words))


def test_what_a_killed_hook_let_run_stands_in_the_log(words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "state" / "log"
    passed = 0
    for turn in range(8):
        process = subprocess.Popen(
            argv(*words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert process.stdin is not None
        process.stdin.write(message("ls"))
        process.stdin.close()
        process.stdin = None
        time.sleep(0.05 * turn)
        process.send_signal(signal.SIGKILL)
        out, _ = process.communicate(timeout=60)
        passed += bool(out) and b'"deny"' not in out
    # What a killed supervisor started may still be writing.
    for _ in range(100):
        if not _running(path):
            break
        time.sleep(0.05)
    assert hook(message("ls"), *words).returncode == 0
    recorded = [row for row in said(path) if row["kind"] == "decision"]
    assert len(recorded) >= passed + 1
    assert looked_at(path).ok


def _running(path: Path) -> bool:
    """Whether a process still has the log open."""
    found = False
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            found = found or str(link.readlink()) == str(path)
        except OSError:
            continue
    return found


def test_the_option_is_told_in_both_places() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gatewayctl", "hook", "--nonsense"],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert b"[--log PATH]" in done.stdout + done.stderr
    assert json.loads(done.stdout)
