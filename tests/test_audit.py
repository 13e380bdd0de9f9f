"""The audit file: a row for each confirmed relaxation, written once, by whoever serves. Row B8."""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gateway import Code, Gateway, PolicyError
from gateway.audit import MAX_BYTES
from gateway.testing import load
from tests.engine.build import session
from tests.engine.test_overrides import overriding

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
RELAXING = {
    "tenant": "acme",
    "tools": ["write", "drop"],
    "permissions": [],
    "risk": "LOW",
    "reason": "pilot of the clerks",
}


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "policy.yaml"
    path.write_text(overriding({**RELAXING, "until": "2027-01-31"}))
    return path


def serve(policy: Path, audit: Path | None, now: datetime = NOW) -> Gateway:
    return Gateway.load(policy, audit=audit, clock=lambda: now)


def rows(audit: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in audit.read_text().splitlines()]


def test_a_row_says_what_was_relaxed_by_whom_and_why(policy: Path, tmp_path: Path) -> None:
    audit = tmp_path / "audit.jsonl"
    serve(policy, audit)
    drop, write = rows(audit)
    assert len(drop.pop("digest")) == 64
    assert drop == {
        "at": "2026-12-01T12:00:00+00:00",
        "tenant": "acme",
        "tool": "drop",
        "risk_from": "IRREVERSIBLE",
        "risk_to": "LOW",
        "confirmation_from": True,
        "confirmation_to": False,
        "permissions_from": ["row:drop"],
        "permissions_to": [],
        "enabled_from": True,
        "enabled_to": True,
        "enforcement_changes": True,
        "operator_id": None,
        "operator_name": "ops",
        "confirmed_on": "2026-11-30",
        "reason": "pilot of the clerks",
        "until": "2027-01-31",
    }
    assert (write["tool"], write["permissions_from"]) == ("write", ["row:read", "row:write"])
    assert audit.stat().st_mode & 0o077 == 0


def test_a_lowered_risk_alone_changes_no_enforcement(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(overriding({"tenant": "acme", "tools": ["drop"], "risk": "LOW"}))
    serve(path, tmp_path / "audit.jsonl")
    (row,) = rows(tmp_path / "audit.jsonl")
    assert row["enforcement_changes"] is False


def test_a_relaxation_is_recorded_once_however_often_it_is_loaded(policy: Path, tmp_path: Path) -> None:
    audit = tmp_path / "audit.jsonl"
    for _ in range(3):
        serve(policy, audit)
    assert [row["tool"] for row in rows(audit)] == ["drop", "write"]
    policy.write_text(overriding({**RELAXING, "until": "2027-02-28"}))
    serve(policy, audit)
    assert [(row["tool"], row["until"]) for row in rows(audit)] == [
        ("drop", "2027-01-31"),
        ("write", "2027-01-31"),
        ("drop", "2027-02-28"),
        ("write", "2027-02-28"),
    ]


def test_without_an_audit_file_a_relaxing_policy_does_not_start(policy: Path) -> None:
    with pytest.raises(PolicyError) as caught:
        serve(policy, None)
    (found,) = caught.value.diagnostics
    assert (found.code, "--audit" in found.help) == ("no-audit", True)


def test_an_audit_file_that_cannot_be_written_stops_the_start(policy: Path, tmp_path: Path) -> None:
    with pytest.raises(PolicyError) as caught:
        serve(policy, tmp_path / "nowhere" / "audit.jsonl")
    assert caught.value.diagnostics[0].code == "audit-unwritable"


def test_what_relaxes_nothing_or_is_over_writes_no_row(policy: Path, tmp_path: Path) -> None:
    audit = tmp_path / "audit.jsonl"
    serve(policy, audit, datetime(2027, 2, 1, tzinfo=UTC))
    policy.write_text(overriding({"tenant": "acme", "tools": ["write"], "enabled": False}))
    serve(policy, audit)
    assert not audit.exists()


def test_looking_at_a_policy_writes_no_row(policy: Path) -> None:
    assert load(policy).compiled.relaxations
    assert [path.name for path in policy.parent.iterdir()] == ["policy.yaml"]


def test_a_line_that_was_cut_off_is_kept_and_the_row_is_written_again(policy: Path, tmp_path: Path) -> None:
    audit = tmp_path / "audit.jsonl"
    serve(policy, audit)
    whole = audit.read_bytes()
    audit.write_bytes(whole[:-20])
    serve(policy, audit)
    content = audit.read_bytes()
    assert content.startswith(whole[:-20] + b"\n")
    assert json.loads(content.splitlines()[-1])["tool"] == "write"
    assert len(content.splitlines()) == 3


@pytest.mark.parametrize("content", [b"\xff\xfe\n", b"[" * 100_000 + b"\n", b"null\n17\n{}\n\n"])
def test_lines_that_are_no_rows_stand_for_nothing(policy: Path, tmp_path: Path, content: bytes) -> None:
    audit = tmp_path / "audit.jsonl"
    audit.write_bytes(content)
    serve(policy, audit)
    assert audit.read_bytes().startswith(content)
    assert len(audit.read_bytes()[len(content) :].splitlines()) == 2


def test_processes_that_start_at_once_write_each_row_once(policy: Path, tmp_path: Path) -> None:
    audit = tmp_path / "audit.jsonl"
    with multiprocessing.get_context("fork").Pool(4) as pool:
        pool.starmap(_serve_there, [(str(policy), str(audit))] * 12)
    assert [row["tool"] for row in rows(audit)] == ["drop", "write"]


def _serve_there(policy: str, audit: str) -> None:
    Gateway.load(policy, audit=audit, clock=lambda: NOW)


def test_a_process_killed_at_any_moment_leaves_whole_rows_or_none(policy: Path, tmp_path: Path) -> None:
    audit = tmp_path / "audit.jsonl"
    code = f"import gateway; gateway.Gateway.load({str(policy)!r}, audit={str(audit)!r}); print('up', flush=True)"
    for delay in (0.15, 0.3, 0.45, 0.6):
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL)
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
    serve(policy, audit)
    assert sorted(row["tool"] for row in rows(audit)) == ["drop", "write"]


def test_what_is_no_file_of_rows_stops_the_start_and_is_not_read(policy: Path, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    large = tmp_path / "large"
    with large.open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)
    for path in ("/dev/full", "/dev/zero", fifo, tmp_path, large):
        with pytest.raises(PolicyError) as caught:
            Gateway.load(policy, audit=path)
        assert caught.value.diagnostics[0].code == "audit-unwritable", path


def test_a_file_that_another_program_holds_is_not_waited_for_without_end(
    policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.audit._PAUSE", 0.001)
    audit = tmp_path / "audit.jsonl"
    with audit.open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(PolicyError) as caught:
            serve(policy, audit)
    assert "another program holds it" in caught.value.diagnostics[0].message


def test_two_entries_that_say_the_same_are_one_row(tmp_path: Path) -> None:
    text = overriding({"tenant": "acme", "tools": ["write"], "permissions": []})
    start, entry = text.rstrip().removesuffix("]").split("overrides: [")
    path = tmp_path / "policy.yaml"
    path.write_text(f"{start}overrides: [{entry}, {entry}]\n")
    serve(path, tmp_path / "audit.jsonl")
    assert len(rows(tmp_path / "audit.jsonl")) == 1


def test_a_row_that_says_something_else_does_not_stand_for_the_true_one(policy: Path, tmp_path: Path) -> None:
    audit = tmp_path / "audit.jsonl"
    serve(policy, audit)
    planted = [{**row, "operator_name": "nobody"} for row in rows(audit)]
    audit.write_text("".join(f"{json.dumps(row)}\n" for row in planted))
    serve(policy, audit)
    assert [row["operator_name"] for row in rows(audit)] == ["nobody", "nobody", "ops", "ops"]


def test_the_audit_file_is_guarded(tmp_path: Path) -> None:
    path, audit = tmp_path / "policy.yaml", tmp_path / "audit.jsonl"
    tool = "  - {name: run, risk: LOW, permissions: [], inspect: {command: shell}, parameters: {type: object, properties: {command: {type: string}}}}\n"
    text = overriding({"tenant": "acme", "tools": ["write"], "permissions": []})
    path.write_text(text.replace("overrides:", f"{tool}overrides:"))
    gate = serve(path, audit)
    decision = gate.before({"tool": "run", "arguments": {"command": f"echo > {audit}"}}, session())
    assert decision.code is Code.GUARD


@pytest.mark.parametrize("where", ["policies", "user", "project", "audit"])
def test_a_path_with_a_nul_is_no_path(policy: Path, tmp_path: Path, where: str) -> None:
    paths: dict[str, Any] = {"audit": tmp_path / "audit.jsonl", where: f"{tmp_path}/a\0b"}
    with pytest.raises(PolicyError) as caught:
        Gateway.load(paths.pop("policies", policy), **paths)
    assert caught.value.diagnostics[0].code == "no-path"
