"""What the commands do with streams and files that are not there, or never end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

GATEWAYCTL = f"{sys.executable} -m gatewayctl"


def run(line: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["sh", "-c", line], input=given, capture_output=True, timeout=30, check=False)


def test_a_closed_stdout_is_never_fine() -> None:
    for line in ("demo", "check --batch - --policies cli/gatewayctl/demo"):
        done = run(f"{GATEWAYCTL} {line} >&-")
        assert done.returncode == 2
        assert b"stdout is closed" in done.stderr


def test_a_reader_that_goes_away_is_no_refusal() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        [sys.executable, "-m", "gatewayctl", "demo"],
        stdout=write_end,
        stderr=subprocess.PIPE,
        timeout=30,
        check=False,
    )
    os.close(write_end)
    assert (done.returncode, done.stderr) == (2, b"")


def test_a_session_that_is_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "session")
    done = run(f"{GATEWAYCTL} check x --session {tmp_path / 'session'}")
    assert done.returncode == 2
    assert b"is no regular file" in done.stderr


@pytest.mark.parametrize("words", ["check x", "explain NOPE"])
def test_failures_are_json_where_json_was_asked_for(words: str) -> None:
    done = run(f"{GATEWAYCTL} {words} --format json")
    assert done.returncode == 2
    answer = json.loads(done.stdout)
    assert answer["ok"] is False
    assert answer["error"]
