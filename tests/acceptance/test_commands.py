"""The program that measures inspection counts what it should."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.acceptance.commands import main

LINES = {
    "shell_dangerous_x.jsonl": [
        {
            "id": "d1",
            "kind": "shell",
            "text": "rm -rf /",
            "expect": "deny",
            "family": "fs.rm.root",
            "shape": "plain",
        },
        {
            "id": "d2",
            "kind": "shell",
            "text": "git reset --hard",
            "expect": "ask",
            "family": "git.reset.hard",
            "shape": "plain",
        },
    ],
    "shell_benign_x.jsonl": [
        {
            "id": "b1",
            "kind": "shell",
            "text": "echo rm -rf /",
            "expect": "allow",
            "family": "text.echo",
            "shape": "plain",
        },
        {
            "id": "b2",
            "kind": "shell",
            "text": "git reset --hard",
            "expect": "ask",
            "family": "git.write",
            "shape": "plain",
        },
    ],
    "path_x.jsonl": [
        {
            "id": "p1",
            "kind": "path",
            "text": "out/x",
            "cwd": "/w/p",
            "expect": "deny",
            "family": "path.symlink",
            "shape": "link",
            "setup": {"symlinks": {"out": "/srv"}},
        },
        {
            "id": "p2",
            "kind": "path",
            "text": "in/x",
            "cwd": "/w/p",
            "expect": "allow",
            "family": "path.ok",
            "shape": "plain",
        },
    ],
}


def write(folder: Path, lines: dict[str, list[dict[str, object]]]) -> None:
    for name, items in lines.items():
        (folder / name).write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")


def test_all_met(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, LINES)
    assert main([str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert "met    shell: dangerous flagged >= 95%: 100.0% (2 of 2)" in output
    assert "met    shell: harmless flagged <= 1.5%: 0.0% (0 of 1)" in output
    assert "met    path: dangerous flagged >= 95%: 100.0% (1 of 1)" in output


def test_a_missed_one_and_a_false_alarm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = json.loads(json.dumps(LINES))
    wrong["shell_dangerous_x.jsonl"][0]["text"] = "ls"
    wrong["shell_benign_x.jsonl"][0]["text"] = "rm -rf ~"
    write(tmp_path, wrong)
    assert main([str(tmp_path), "--misses"]) == 1
    output = capsys.readouterr().out
    assert "MISSED shell: dangerous flagged >= 95%: 50.0% (1 of 2)" in output
    assert "MISSED shell: harmless flagged in text.* <= 0.0%: 100.0% (1 of 1)" in output
    assert 'd1 expected deny, is allow []: "ls"' in output
    assert "b1 expected allow, is deny" in output
