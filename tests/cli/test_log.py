"""`gatewayctl log` and `gatewayctl explain ID`: what they print, and how they end."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from gatewayctl.commands import cli

from gateway import Code, Effect, Finding, Gateway
from gateway.answering import Answer, ApprovalError, Verdict
from gateway.chain import Anchor
from gateway.diagnostic import PolicyError
from gateway.record import Unrecorded
from gateway.recorders.anchors import AnchorFile
from gateway.recorders.file import FileRecorder
from gateway.recorders.store import StoreRecorder
from gateway.stores import open_store
from gateway.stores.memory import MemoryStore
from tests.remembering.world import CLERK, SHOP, call, person

LIMITED = SHOP + "limits: [{id: saves, tools: [save], per: subject, rate: 1/h}]\n"
HIDING = SHOP.replace("id: {type: string}", "id: {type: string, x-sensitive: true}")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def said(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--format", "json").output)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "policy.yaml").write_text(SHOP)
    (tmp_path / "clerk.json").write_text(json.dumps(CLERK))
    return tmp_path


def recorded(here: Path) -> tuple[str, str]:
    """A log with some decisions; the ids of one that was allowed and one that was refused."""
    gate = Gateway.load(
        here / "policies",
        recorder=FileRecorder(here / "log.jsonl", anchors=AnchorFile(here / "anchors"), every=2),
    )
    allowed = gate.before(call("save"), CLERK)
    gate.after(call("save"), CLERK, {"saved": 1}, allowed)
    refused = gate.before(call("gone", "c-2"), CLERK)
    gate.before(call("pay", "c-3"), CLERK)
    return allowed.id, refused.id


def test_tail_prints_the_last_records(here: Path) -> None:  # C13
    recorded(here)
    result = run("log", "tail", "--log", "log.jsonl")
    assert result.exit_code == 0
    assert [line.split()[1:4] for line in result.output.splitlines()] == [
        ["decision", "allow", "ALLOWED"],
        ["result", "REVIEWED", "`save`"],
        ["decision", "deny", "TOOL_NOT_FOUND"],
        ["decision", "ask", "CONFIRM"],
    ]
    assert len(run("log", "tail", "-n", "2", "--log", "log.jsonl").output.splitlines()) == 2


def test_tail_chooses_records(here: Path) -> None:
    recorded(here)
    result = run("log", "tail", "--where", "tool=save", "--where", "kind=decision", "--log", "log.jsonl")
    assert len(result.output.splitlines()) == 1
    assert run("log", "tail", "--where", "tool", "--log", "log.jsonl").exit_code == 2
    rows = run(
        "log", "tail", "--where", "effect=deny", "--log", "log.jsonl", "--format", "json"
    ).output.splitlines()
    assert [json.loads(row)["code"] for row in rows] == ["TOOL_NOT_FOUND"]


def test_tail_did_not_say_why_something_was_refused(here: Path) -> None:  # C13
    gate = Gateway.load(here / "policies", recorder=FileRecorder(here / "log.jsonl"), store=MemoryStore())
    approval = gate.before(call("wire", amount=500), CLERK).approval
    assert approval is not None
    with pytest.raises(ApprovalError):
        gate.resume(approval["id"], Answer(Verdict.APPROVE), person("bob"))
    policy = here / "policies" / "policy.yaml"
    policy.write_text(policy.read_text().replace("confirm_from: HIGH", "confirm_from: IRREVERSIBLE"))
    with pytest.raises(PolicyError):
        gate.reload()
    answer, reload = run("log", "tail", "--where", "refused=true", "--log", "log.jsonl").output.splitlines()
    assert re.search(r" approval approve by bob .*refused: .*one of finance", answer), answer
    assert reload.endswith("refused: relaxing-reload")
    by_code = run("log", "tail", "--where", "errors=relaxing-reload", "--log", "log.jsonl")
    assert by_code.output.splitlines() == [reload]


def test_tail_said_nothing_of_a_key_that_no_record_has(here: Path) -> None:
    recorded(here)
    mistyped = run("log", "tail", "--where", "efect=deny", "--where", "tool=save", "--log", "log.jsonl")
    assert mistyped.output == "no record has the key `efect`\n"


def test_show_prints_all_about_one(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # C13
    allowed, _ = recorded(here)
    monkeypatch.setenv("GATEWAY_LOG", "log.jsonl")
    result = run("log", "show", allowed)
    assert result.exit_code == 0
    assert 'arguments  {"id": "a", "amount": 1}' in result.output
    assert "record 1: decision" in result.output
    assert len(re.findall(r"^  (?:took|ran)  +[\d.e+-]+ ms$", result.output, re.MULTILINE)) == 3, (
        result.output
    )
    assert "record 2: result" in result.output
    assert [row["n"] for row in said("log", "show", "c-1")["records"]] == [1, 2]
    nothing = run("log", "show", "d-0000000000000000")
    assert nothing.exit_code == 2
    assert "nothing about" in nothing.output


def test_show_mixed_calls_of_several_conversations(here: Path) -> None:  # C13
    recorded(here)
    Gateway.load(here / "policies", recorder=FileRecorder(here / "log.jsonl")).before(
        call("save"), {**CLERK, "id": "s-2"}
    )
    mixed = run("log", "show", "c-1", "--log", "log.jsonl").output
    assert mixed.splitlines()[-1] == (
        "these are calls of several conversations: `s-1`, `s-2`; `--session ID` shows those of one"
    )
    assert "several" not in run("log", "show", "c-2", "--log", "log.jsonl").output
    for session, numbers in (("s-1", [1, 2]), ("s-2", [5])):
        rows = said("log", "show", "c-1", "--session", session, "--log", "log.jsonl")["records"]
        assert [row["n"] for row in rows] == numbers
    assert run("log", "show", "c-1", "--session", "s-3", "--log", "log.jsonl").exit_code == 2


def test_verify_finds_what_was_done_to_a_log(here: Path) -> None:  # C13
    recorded(here)
    whole = run("log", "verify", "--log", "log.jsonl", "--anchors", "anchors")
    assert whole.exit_code == 0
    assert "whole: 4 records, the last is 4" in whole.output
    assert "anchors bear out up to record 4" in whole.output
    log = here / "log.jsonl"
    text = log.read_bytes()
    lines = text.splitlines(keepends=True)
    for changed, fault in (
        (text.replace(b'"effect":"deny"', b'"effect":"ally"'), "edited"),
        (b"".join([lines[0], *lines[2:]]), "gap"),
        (b"".join([lines[1], lines[0], *lines[2:]]), "order"),
        (b"".join(lines[:3]), "truncated"),
        (text + b"nonsense\n", "unreadable"),
    ):
        log.write_bytes(changed)
        told = said("log", "verify", "--log", "log.jsonl", "--anchors", "anchors")
        assert told["ok"] is False
        assert fault in [one["fault"] for one in told["found"]]
        result = run("log", "verify", "--log", "log.jsonl", "--anchors", "anchors")
        assert result.exit_code == 1
        assert "NOT WHOLE" in result.output
    log.write_bytes(text + b'{"n":5,')
    torn = run("log", "verify", "--log", "log.jsonl")
    assert torn.exit_code == 0
    assert "torn: log.jsonl:5" in torn.output
    assert "no anchors: the end may be missing" in torn.output


def test_stats_counts_for_each_tool(here: Path) -> None:  # E8
    recorded(here)
    result = run("log", "stats", "--log", "log.jsonl")
    assert result.exit_code == 0
    head, gone, pay, save, _ = result.output.splitlines()
    assert head.split()[:6] == ["tool", "calls", "allow", "ask", "respond", "deny"]
    assert gone.split()[:6] == ["gone", "1", "0", "0", "0", "1"]
    assert pay.split()[:6] == ["pay", "1", "0", "1", "0", "0"]
    assert save.split()[:9] == ["save", "1", "1", "0", "0", "0", "1", "0", "0"]
    tools = said("log", "stats", "--log", "log.jsonl")["tools"]
    assert [tool["tool"] for tool in tools] == ["gone", "pay", "save"]
    assert tools[2]["running_us"] >= 0


def test_a_log_in_a_store_is_read_by_its_tenant(here: Path) -> None:
    url = f"sqlite://{here}/state/store.db"
    store = open_store(url)
    Gateway.load(here / "policies", recorder=StoreRecorder(store)).before(call("save"), CLERK)
    store.close()
    assert said("log", "verify", "--log", f"{url}#acme")["records"] == 1
    assert "ALLOWED" in run("log", "tail", "--log", f"{url}#acme").output


def test_a_log_of_nobody_was_said_to_be_whole(here: Path) -> None:  # C13
    url = f"sqlite://{here}/state/store.db"
    store = open_store(url)
    gate = Gateway.load(here / "policies", recorder=StoreRecorder(store))
    gate.before(call("save"), CLERK)
    for log in (f"{url}#acne", f"{url}#"):
        mistyped = run("log", "verify", "--log", log)
        assert (mistyped.exit_code, "has no records" in mistyped.output) == (1, True), mistyped.output
        assert said("log", "verify", "--log", log)["ok"] is False
    (here / "empty").write_text("")
    assert run("log", "verify", "--log", "empty").exit_code == 1
    for command in (["tail"], ["show", "c-1"], ["verify"], ["stats"]):
        unnamed = run("log", *command, "--log", url)
        assert (unnamed.exit_code, f"{url}#TENANT" in unnamed.output) == (2, True), unnamed.output
    gate.reload()
    assert said("log", "verify", "--log", f"{url}#")["records"] == 1


@pytest.mark.parametrize("log", ["no-such-log", "sqlite:///no/such/store.db", "nonsense://x", "policies"])
@pytest.mark.parametrize("command", [("tail",), ("show", "x"), ("verify",), ("stats",)])
def test_a_log_that_can_t_be_read_is_said(here: Path, command: tuple[str, ...], log: str) -> None:
    result = run("log", *command, "--log", log)
    assert result.exit_code == 2, result.output
    assert "can't be read" in result.output or "no kind of store" in result.output
    assert not Path("/no").exists()
    failed = run("log", *command, "--log", log, "--format", "json")
    assert json.loads(failed.output.splitlines()[0])["ok"] is False


def test_no_log_is_said(here: Path) -> None:
    result = run("log", "tail")
    assert result.exit_code == 2
    assert "GATEWAY_LOG" in result.output
    assert run("log", "verify", "--log", "x", "--anchors", "none").exit_code == 2


# --- explain ID ---------------------------------------------------------------------------------------------------------


def test_explain_prints_what_is_kept_and_says_what_is_missing(here: Path) -> None:
    allowed, refused = recorded(here)
    result = run("explain", allowed, "--log", "log.jsonl")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("ALLOW  ALLOWED  `save`\n")
    assert '  arguments  {"id": "a", "amount": 1}' in result.output
    assert "It is not decided again" in result.output
    assert "--session FILE" in result.output
    denied = run("explain", refused, "--log", "log.jsonl", "--session", "clerk.json")
    assert denied.exit_code == 1
    assert "deny TOOL_NOT_FOUND" in denied.output
    assert "refused before they were looked at" in denied.output
    told = said("explain", allowed, "--log", "log.jsonl")
    assert told["again"] is None
    assert len(told["missing"]) == 1
    assert told["record"]["id"] == allowed
    assert [row["kind"] for row in told["results"]] == ["result"]


def test_explain_decides_again_where_all_inputs_are_there(here: Path) -> None:
    allowed, _ = recorded(here)
    result = run("explain", allowed, "--log", "log.jsonl", "--session", "clerk.json")
    assert result.exit_code == 0, result.output
    assert "Decided again, the answer is the same:" in result.output
    assert "Step by step" in result.output
    told = said("explain", allowed, "--log", "log.jsonl", "--session", "clerk.json")
    assert told["missing"] == []
    assert told["again"]["effect"] == "allow"
    review = json.loads((here / "log.jsonl").read_text().splitlines()[1])["id"]
    assert said("explain", review, "--log", "log.jsonl")["record"]["id"] == allowed


def missing(here: Path, name: str, *more: str) -> str:
    told = said("explain", name, "--log", "log.jsonl", *(more or ("--session", "clerk.json")))
    assert told["again"] is None
    return " | ".join(told["missing"])


def test_explain_does_not_decide_by_another_session_or_policy(here: Path) -> None:
    allowed, _ = recorded(here)
    (here / "other.json").write_text(json.dumps({**CLERK, "id": "s-2"}))
    assert "is another" in missing(here, allowed, "--session", "other.json")
    policy = here / "policies" / "policy.yaml"
    policy.write_text(SHOP.replace("confirm_from: HIGH", "confirm_from: LOW"))
    assert "the policy of that time" in missing(here, allowed)
    policy.unlink()
    policy.parent.rmdir()
    assert "--policies PATH" in missing(here, allowed)


@pytest.mark.parametrize(
    ("text", "arguments", "what"),
    [
        (HIDING, {"id": "a"}, "of which 1 are hidden"),
        (SHOP, {"id": "x" * 5000}, "too long"),
        (LIMITED, {"id": "a"}, "what limits had counted then"),
    ],
)
def test_explain_says_what_of_a_call_is_missing(
    here: Path, text: str, arguments: dict[str, Any], what: str
) -> None:
    (here / "policies" / "policy.yaml").write_text(text)
    gate = Gateway.load(here / "policies", recorder=FileRecorder(here / "log.jsonl"))
    gate.before(call("save", "c-0", **arguments), CLERK)
    decision = gate.before(call("save", "c-1", **arguments), CLERK)
    assert what in missing(here, decision.id)


def test_explain_wanted_counts_that_a_call_never_reached(here: Path) -> None:
    (here / "policies" / "policy.yaml").write_text(LIMITED)
    gate = Gateway.load(here / "policies", recorder=FileRecorder(here / "log.jsonl"))
    decision = gate.before(call("save", other=1), CLERK)
    assert decision.code is Code.ARGUMENT_INVALID
    assert "limits" not in missing(here, decision.id)


def test_explain_did_not_say_what_a_person_lifted(here: Path) -> None:
    gate = Gateway.load(here / "policies", recorder=FileRecorder(here / "log.jsonl"), store=MemoryStore())
    approval = gate.before(call("wire", amount=500), CLERK).approval
    assert approval is not None
    gate.resume(approval["id"], Answer(Verdict.APPROVE), person("fay", "finance"))
    decision = gate.before(call("wire", amount=500), CLERK)
    result = run("explain", decision.id, "--log", "log.jsonl")
    lifted = f"  lifted by fay, who answered `{approval['id']}`: ask RULE by large, ask CONFIRM"
    assert lifted in result.output.splitlines(), result.output
    told = said("explain", decision.id, "--log", "log.jsonl")
    assert [one["code"] for one in told["lifted"]] == ["RULE", "CONFIRM"]
    lines = (here / "log.jsonl").read_text().splitlines(keepends=True)
    (here / "rest.jsonl").write_text("".join(lines[1:]))
    assert "which this log does not have" in run("explain", decision.id, "--log", "rest.jsonl").output


def test_explain_said_that_no_decision_is_written_down(here: Path) -> None:
    result = run("explain", "d-1234")
    assert result.exit_code == 2
    assert "16 digits" in result.output
    assert "yet" not in result.output


def test_explain_decided_again_without_what_the_host_held_against_the_call(here: Path) -> None:
    gate = Gateway.load(here / "policies", recorder=FileRecorder(here / "log.jsonl"))
    finding = Finding(Effect.DENY, Code.RULE, "the host's scanner found a virus")
    decision = gate.before(call("save"), CLERK, [finding])
    assert "what the host itself held against the call: 1 finding" in missing(here, decision.id)
    let_run = gate.before(call("save", "c-2"), CLERK)
    assert said("explain", let_run.id, "--log", "log.jsonl", "--session", "clerk.json")["missing"] == []


def test_explain_decided_again_without_whose_conversation_it_was(here: Path) -> None:
    gate = Gateway.load(here / "policies", recorder=FileRecorder(here / "log.jsonl"), store=MemoryStore())
    gate.before(call("save"), CLERK)
    other = {**CLERK, "subject": {**CLERK["subject"], "id": "u-9"}}
    (here / "other.json").write_text(json.dumps(other))
    decision = gate.before(call("save", "c-2"), other)
    assert decision.code is Code.SESSION_MISMATCH
    assert "whose conversation it is" in missing(here, decision.id, "--session", "other.json")


def test_explain_decided_a_hosts_own_tool_again_as_one_that_is_gone(here: Path) -> None:
    gate = Gateway.load(here / "policies", recorder=FileRecorder(here / "log.jsonl"))
    decision = gate.before_unlisted(call("their_own"), CLERK)
    assert decision.proceeds
    assert "a tool of the host's own" in missing(here, decision.id)


def test_explain_knows_the_session_of_a_record_whose_ids_are_blanked_out(here: Path) -> None:
    session = {**CLERK, "id": "ghp_" + "q7Zk0uYbV3nTgL5xWmP8sRc1dEhJ2aFo9iKt", "turn": {"id": 7}}
    (here / "secret.json").write_text(json.dumps(session))
    gate = Gateway.load(here / "policies", recorder=FileRecorder(here / "log.jsonl"))
    decision = gate.before(call("save"), session)
    told = said("explain", decision.id, "--log", "log.jsonl", "--session", "secret.json")
    assert (told["record"]["session"], told["missing"]) == ("(redacted)", [])


def test_explain_told_a_decision_that_could_not_be_recorded_as_one_that_let_a_call_run(here: Path) -> None:
    class Gone(AnchorFile):
        def put(self, anchor: Anchor) -> None:
            raise Unrecorded("the other disk is gone")

    recorder = FileRecorder(here / "log.jsonl", anchors=Gone(here / "anchors"), every=1)
    decision = Gateway.load(here / "policies", recorder=recorder).before(call("save"), CLERK)
    result = run("explain", decision.id, "--log", "log.jsonl")
    assert result.exit_code == 1
    assert result.output.startswith("DENY  STATE_UNAVAILABLE")


def test_explain_says_where_there_is_no_such_decision(here: Path) -> None:
    recorded(here)
    result = run("explain", "d-0123456789abcdef", "--log", "log.jsonl")
    assert result.exit_code == 2
    assert "no decision" in result.output
    assert run("explain", "d-0123456789abcdef").exit_code == 2
