"""The runner of conformance cases tells right answers from wrong ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SAMPLE = ROOT / "tests" / "data" / "cel" / "sample.jsonl"


def test_right_and_wrong_answers_are_counted() -> None:
    command = [sys.executable, "-m", "tests.conformance.cel", str(SAMPLE), "-v"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[-1] == "5 of 10 passed"
    assert [line.split() for line in lines[-3:-1]] == [["misses", "0/5"], ["own", "5/5"]]
    assert [line.split(":")[0] for line in lines[:-3]] == [
        "misses/wrong/value",
        "misses/wrong/no_error",
        "misses/wrong/type",
        "misses/wrong/unreadable",
        "misses/wrong/unchecked",
    ]
