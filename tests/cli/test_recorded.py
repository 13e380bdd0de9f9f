"""What a person does at a terminal stands in the decision log, and the log of a call names who let it run. Row C13."""

from __future__ import annotations

import getpass
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from gatewayctl.commands import cli

from gateway import Gateway
from gateway.answering import Answer, Verdict
from gateway.recorders.file import FileRecorder
from gateway.recorders.store import StoreRecorder, log_key
from gateway.state import Append
from gateway.stores import open_store
from tests.cli.terminal import at_a_terminal
from tests.managing.office import POLICY
from tests.remembering.world import CLERK, SHOP, call, person


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GATEWAY_STORE", f"sqlite://{tmp_path}/state/store.db")
    monkeypatch.setenv("GATEWAY_LOG", f"{tmp_path}/log/decisions.jsonl")
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "policy.yaml").write_text(SHOP)
    return tmp_path


def gateway(here: Path) -> Gateway:
    store = open_store(f"sqlite://{here}/state/store.db")
    recorder = FileRecorder(here / "log" / "decisions.jsonl")
    return Gateway.load(here / "policies", store=store, recorder=recorder, clock=lambda: datetime.now(UTC))


def asked(gate: Gateway, made: dict[str, Any]) -> str:
    approval = gate.before(made, CLERK).approval
    assert approval is not None
    return str(approval["id"])


def shown(name: str, *more: str) -> list[dict[str, Any]]:
    result = CliRunner().invoke(cli, ["log", "show", name, "--format", "json", *more])
    assert result.exit_code == 0, result.output
    records: list[dict[str, Any]] = json.loads(result.output)["records"]
    return records


def test_an_answer_at_a_terminal_was_not_in_the_log(here: Path) -> None:  # C13
    gate = gateway(here)
    name = asked(gate, call("pay"))
    code, output = at_a_terminal(["approvals", "approve", name, "--tenant", "acme"], None)
    assert code == 0, output
    assert gate.before(call("pay"), CLERK).proceeds
    question, answer, ran = shown(name)
    assert (question["kind"], question["effect"], question["request"]) == ("decision", "ask", name)
    assert (answer["kind"], answer["verdict"], answer["subject"]) == (
        "approval",
        "approve",
        getpass.getuser(),
    )
    assert (answer["tenant"], answer["session"]) == ("acme", "terminal")
    assert (ran["effect"], ran["basis"], ran["approved_by"]) == ("allow", "approval", [getpass.getuser()])


def test_an_answer_that_is_refused_is_in_the_log(here: Path) -> None:  # C13
    name = asked(gateway(here), call("wire", amount=500))
    code, output = at_a_terminal(["approvals", "approve", name, "--tenant", "acme"], None)
    assert code == 2, output
    *_, tried, refused = shown(name)
    assert "refused" not in tried
    assert refused["refused"] is True
    assert "one of finance" in refused["errors"][0]


def test_an_answer_that_can_not_be_recorded_does_not_count(here: Path) -> None:
    gate = gateway(here)
    name = asked(gate, call("pay"))
    (here / "file").write_text("")
    more = ["--tenant", "acme", "--log", f"{here}/file/log.jsonl"]
    code, output = at_a_terminal(["approvals", "approve", name, *more], None)
    assert (code, "the log can't be used" in output) == (2, True), output
    other = f"sqlite://{here}/state/other.db"
    open_store(other).apply([Append(log_key("acme"), b"nonsense", 1)])
    more = ["--tenant", "acme", "--log", other]
    code, output = at_a_terminal(["approvals", "approve", name, *more], None)
    assert (code, "the record of the answer can't be written" in output) == (2, True), output
    assert not gate.before(call("pay"), CLERK).proceeds


def test_a_log_in_the_store_is_written_there(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite://{here}/state/store.db"
    monkeypatch.setenv("GATEWAY_LOG", f"{url}#acme")
    store = open_store(url)
    gate = Gateway.load(here / "policies", store=store, recorder=StoreRecorder(store))
    name = asked(gate, call("pay"))
    code, output = at_a_terminal(["approvals", "reject", name, "--tenant", "acme"], None)
    assert code == 0, output
    assert [row["kind"] for row in shown(name)] == ["decision", "approval"]


def test_the_record_of_a_call_named_no_approval(here: Path) -> None:  # C13
    gate = gateway(here)
    name = asked(gate, call("wire", amount=5000))
    gate.resume(name, Answer(Verdict.APPROVE), person("fay", "finance"))
    gate.resume(name, Answer(Verdict.APPROVE), person("bob", "board"))
    assert gate.before(call("wire", amount=5000), CLERK).proceeds
    ran = shown(name)[-1]
    assert (ran["request"], ran["approved_by"]) == (name, ["fay", "bob"])
    assert not gate.before(call("save", "c-2"), CLERK).approval
    assert {"request", "approved_by"}.isdisjoint(shown("c-2")[0])


def test_who_approved_is_written_without_secrets(here: Path) -> None:  # C13
    gate = gateway(here)
    name = asked(gate, call("pay"))
    token = "ghp_" + "q7Zk0uYbV3nTgL5xWmP8sRc1dEhJ2aFo9iKt"
    gate.resume(name, Answer(Verdict.APPROVE), person(token))
    assert gate.before(call("pay"), CLERK).proceeds
    assert shown(name)[-1]["approved_by"] == ["(redacted)"]


def test_an_override_at_a_terminal_was_not_in_the_log(here: Path) -> None:  # C13
    (here / "policies" / "policy.yaml").write_text(POLICY)
    open_store(f"sqlite://{here}/state/store.db")
    options = ["--tenant", "acme"]
    for arguments in (["set", "read", "--disabled"], ["reset", "read"]):
        result = CliRunner().invoke(cli, ["override", *arguments, *options])
        assert result.exit_code == 0, result.output
    log = (here / "log" / "decisions.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in log]
    assert [(row["kind"], row["tool"], row["subject"]) for row in records] == [
        ("decision", "gateway/override", getpass.getuser()),
        ("result", "gateway/override", getpass.getuser()),
        ("decision", "gateway/reset", getpass.getuser()),
        ("result", "gateway/reset", getpass.getuser()),
    ]
    assert records[0]["arguments"]["enabled"] is False
