"""`gatewayctl try`: one call is run without a model. Row D7."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from gatewayctl.commands import cli

from tests.managing.office import POLICY

WHO: dict[str, Any] = {
    "id": "s-1",
    "tenant": "acme",
    "agent": "clerk",
    "channel": "internal",
    "subject": {
        "id": "u-1",
        "tenant": "acme",
        "authenticated": True,
        "permissions": ["row:read", "gateway:try"],
    },
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "policy.yaml").write_text(POLICY)
    (tmp_path / "session.json").write_text(json.dumps(WHO))
    (tmp_path / "tried_tools.py").write_text(
        "def read(arguments):\n    return {'rows': 3}\n\ndef fails(arguments):\n    raise ValueError('no rows')\n\nnumber = 1\n"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(tool: str, function: str = "tried_tools:read", *more: str) -> Any:
    known = ["--session", "session.json", "--policies", "policy.yaml", "--log", "log.jsonl"]
    return CliRunner().invoke(cli, ["try", tool, "{}", "--function", function, *known, *more])


def test_a_call_is_run_and_recorded(folder: Path) -> None:
    found = run("read")
    assert found.exit_code == 0, found.output
    assert found.output.startswith("allow  ALLOWED  read\n")
    assert '{"rows": 3}' in found.output
    kinds = [json.loads(line)["kind"] for line in (folder / "log.jsonl").read_text().splitlines()]
    assert kinds[-3:] == ["trial", "decision", "result"]
    told = json.loads(run("read", "tried_tools:read", "--format", "json").output)
    assert (told["ran"], told["code"]) == (True, "ALLOWED")


def test_what_a_person_must_confirm_runs_once_they_have(folder: Path) -> None:
    from gateway import Gateway, open_store
    from gateway.answering import Answer, Verdict
    from tests.managing.office import operator

    risky = POLICY.replace("name: read, title: Read, risk: READ_ONLY", "name: read, risk: HIGH")
    (folder / "policy.yaml").write_text(risky)
    (folder / "session.json").write_text(json.dumps({**WHO, "can_ask": True}))
    store = open_store(f"sqlite://{folder}/store/s.db")
    more = ("--id", "t-1", "--store", f"sqlite://{folder}/store/s.db")
    asked = run("read", "tried_tools:read", *more, "--format", "json")
    request = json.loads(asked.output)["approval"]["id"]
    gateway = Gateway.load(folder / "policy.yaml", store=store)
    gateway.resume(request, Answer(Verdict.APPROVE), operator("acme"))
    assert '{"rows": 3}' in run("read", "tried_tools:read", *more).output
    assert "ALREADY_COMPLETED" in run("read", "tried_tools:read", *more).output


def test_what_is_refused_or_fails_has_the_exit_code_1(folder: Path) -> None:
    refused = run("write")
    assert refused.exit_code == 1
    assert "why: the subject lacks the permission `row:write`" in refused.output
    failed = run("read", "tried_tools:fails")
    assert failed.exit_code == 1
    assert "no rows" in failed.output
    (folder / "session.json").write_text(
        json.dumps({**WHO, "subject": {**WHO["subject"], "permissions": ["row:read"]}})
    )
    assert "`gateway:try`" in run("read").output


@pytest.mark.parametrize(
    ("function", "why"),
    [
        ("read", "`read` names no function"),
        ("nothing_there:read", "can't be imported: ModuleNotFoundError"),
        ("tried_tools:gone", "can't be imported: AttributeError"),
        ("tried_tools:number", "is no function"),
    ],
)
def test_a_function_that_is_not_there_is_told(folder: Path, function: str, why: str) -> None:
    found = run("read", function)
    assert found.exit_code == 2
    assert why in found.output
