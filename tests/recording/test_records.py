"""What stands in a record: of each decision, result, answer and reload."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from gateway import Confirmed, Gateway, OnRelaxation, PolicyError, Session
from gateway.answering import Answer, ApprovalError, Verdict
from gateway.record import LONGEST_ARGUMENTS, Unrecorded
from gateway.recording import Outputs, Recording, kept_key
from gateway.reloading import step_digest
from gateway.stores.memory import MemoryStore
from tests.engine.build import confirmed
from tests.recording.world import LOGIN, SECRETS, Failing, Kept, gateway
from tests.remembering.world import CLERK, SHOP, call, person

KEY = bytes(range(32))


def without_times(row: dict[str, Any]) -> dict[str, Any]:
    assert row.pop("took") >= 0
    return row


def test_a_decision_is_recorded_with_who_asked_what_and_why() -> None:  # C13, D4
    kept = Kept()
    gate = gateway(kept)
    decision = gate.before({**call("save", amount=3), "iteration": 2}, {**CLERK, "turn": {"id": "t-1"}})
    (row,) = kept.rows
    assert without_times(row) == {
        "kind": "decision",
        "at": "2026-12-01T12:00:00.000000Z",
        "id": decision.id,
        "tenant": "acme",
        "subject": "u-1",
        "session": "s-1",
        "agent": "clerk",
        "turn": "t-1",
        "call": "c-1",
        "iteration": 2,
        "tool": "save",
        "arguments": {"id": "a", "amount": 3},
        "effect": "allow",
        "code": "ALLOWED",
        "basis": "default",
        "policy": gate.manifest.digest,
        "risk": "MEDIUM",
    }


def test_refusals_findings_monitored_rules_and_errors_are_recorded() -> None:
    kept = Kept()
    gate = gateway(kept, SECRETS)
    gate.before(call("pay"), CLERK)
    gate.before(call("save", amount=13), CLERK)
    gate.before(call("sign"), CLERK)
    asked, watched, broken = kept.rows
    assert (asked["effect"], asked["code"]) == ("ask", "CONFIRM")
    assert asked["findings"] == [{"effect": "ask", "code": "CONFIRM"}]
    assert watched["effect"] == "allow"
    assert watched["monitored"] == [{"effect": "deny", "code": "RULE", "rule": "shown"}]
    assert (broken["effect"], broken["rule"]) == ("deny", "bad")
    assert broken["errors"]
    assert "int(args.id)" not in kept.records[2].text, "no text of the policy"


def test_the_name_of_a_tool_that_is_gone_is_kept() -> None:  # D4
    kept = Kept()
    gateway(kept).before(call("gone_tool"), CLERK)
    (row,) = kept.rows
    assert (row["tool"], row["code"]) == ("gone_tool", "TOOL_NOT_FOUND")
    assert "arguments" not in row, "no schema says what is sensitive"


@pytest.mark.parametrize(
    ("what", "who", "code"),
    [
        ({"tool": "save", "id": "c", "arguments": "{"}, CLERK, "ARGUMENTS_UNREADABLE"),
        ({"tool": 7}, CLERK, "ARGUMENTS_UNREADABLE"),
        (call("save"), {"agent": 7}, "NO_IDENTITY"),
        (call("save"), {}, "NO_IDENTITY"),
        (call("save", amount="x"), CLERK, "ARGUMENT_INVALID"),
    ],
)
def test_what_can_t_be_read_is_recorded_too(what: Any, who: Any, code: str) -> None:
    kept = Kept()
    gateway(kept).before(what, who)
    assert [row["code"] for row in kept.rows] == [code]
    assert kept.rows[0]["effect"] == "deny"


class Odd(Mapping[str, Any]):
    """Fails when somebody looks into it."""

    def __getitem__(self, key: str) -> Any:
        raise RuntimeError("pin 1234567")

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError("pin 1234567")

    def __len__(self) -> int:
        return 1


@pytest.mark.parametrize(("what", "who"), [(Odd(), CLERK), (call("save"), Odd()), (7, None)])
def test_what_fails_when_it_is_read_is_recorded_without_what_it_says(what: Any, who: Any) -> None:
    kept = Kept()
    assert not gateway(kept).before(what, who).proceeds
    (row,) = kept.rows
    assert row["effect"] == "deny"
    assert "1234567" not in kept.records[0].text


def test_names_that_are_cut_stay_apart() -> None:
    kept = Kept()
    for end in "ab":
        gateway(kept).before(call("save"), {**CLERK, "id": "s" * 1000 + end})
    one, other = kept.rows
    assert one["session"] != other["session"]
    assert one["session"][:256] == "s" * 256


def test_a_result_is_recorded_without_what_is_in_it() -> None:  # D4
    kept = Kept()
    gate = gateway(kept)
    decision = gate.before(call("save"), CLERK)
    gate.after(call("save"), CLERK, {"saved": "a secret place"}, decision)
    gate.after(call("save"), CLERK, ValueError("no room"))
    _, fine, failed = kept.rows
    assert fine.pop("ran") >= 0
    assert without_times(fine) == {
        "kind": "result",
        "at": "2026-12-01T12:00:00.000000Z",
        "id": kept.records[1].id,
        "tenant": "acme",
        "subject": "u-1",
        "session": "s-1",
        "agent": "clerk",
        "call": "c-1",
        "tool": "save",
        "decision": decision.id,
        "code": "REVIEWED",
        "policy": decision.policy,
    }
    assert failed["is_error"] is True
    assert "ran" not in failed, "nothing says when it began"
    assert "secret place" not in "".join(record.text for record in kept.records)


def test_records_of_a_sub_agents_call_named_no_conversation() -> None:  # D4 C12
    kept = Kept()
    gate = gateway(kept, store=MemoryStore())
    child = gate.child(CLERK, "clerk", "h-1")
    grandchild = gate.child(child, "clerk", "h-2")
    for session in (CLERK, child, grandchild):
        decision = gate.before(call("save"), session)
        gate.after(call("save"), session, "saved", decision)
    gate.trial(call("save", "c-2"), child, lambda arguments: "saved")
    named = [(row["session"], row.get("root")) for row in kept.rows]
    assert named[:6] == [("s-1", None)] * 2 + [("h-1", "s-1")] * 2 + [("h-2", "s-1")] * 2
    assert set(named[6:]) == {("h-1", "s-1")}


def test_the_beginning_of_results_is_kept_if_one_wants_it() -> None:  # D4
    kept = Kept()
    gate = gateway(Recording(kept, outputs=Outputs.BEGINNING))
    token = "ghp_" + "q7Zk0uYbV3nTgL5xWmP8sRc1dEhJ2aFo9iKt"
    gate.after(call("save"), CLERK, f"saved with {token} " + "x" * 5000)
    (row,) = kept.rows
    assert "saved with" in row["output"]
    assert token[6:20] not in row["output"]
    assert len(row["output"]) == 1000


def test_a_call_that_ends_too_late_is_recorded_as_such() -> None:  # D4
    from threading import Event

    kept, go = Kept(), Event()
    ran = gateway(kept).run(call("slow"), CLERK, lambda arguments: go.wait(20))
    assert ran.review is not None
    assert [row["code"] for row in kept.rows] == ["ALLOWED", "OUTCOME_UNKNOWN"]
    go.set()
    for _ in range(200):
        if len(kept.records) == 3:
            break
        Event().wait(0.05)
    assert kept.rows[2]["code"] == "REVIEWED"


def test_answers_are_recorded_before_they_count() -> None:  # C13
    kept, store = Kept(), MemoryStore()
    gate = gateway(kept, store=store)
    approval = gate.before(call("pay"), CLERK).approval
    assert approval is not None
    gate.resume(approval["id"], Answer(Verdict.APPROVE), person("u-2"))
    with pytest.raises(ApprovalError):
        gate.resume(approval["id"], Answer(Verdict.REJECT, "no"), person("u-3"))
    _, given, tried, refused = kept.rows
    assert given == {
        "kind": "approval",
        "at": "2026-12-01T12:00:00.000000Z",
        "tenant": "acme",
        "subject": "u-2",
        "session": "console",
        "agent": "clerk",
        "request": approval["id"],
        "verdict": "approve",
    }
    assert (tried["subject"], tried["verdict"]) == ("u-3", "reject")
    assert refused["refused"] is True
    assert "answered before" in refused["errors"][0]
    assert gate.before(call("pay"), CLERK).proceeds
    assert kept.rows[-1]["basis"] == "approval"


def test_the_audit_told_of_a_reload_that_could_not_be_recorded_and_was_not_served(tmp_path: Path) -> None:
    # B8 C13
    policy, audit = tmp_path / "policy.yaml", tmp_path / "audit.jsonl"
    policy.write_text(SHOP)
    kept = Failing(0)
    gate = Gateway.load(policy, audit=audit, recorder=kept)
    entry = json.dumps({"tenant": "acme", "tools": ["pay"], "risk": "LOW", "reason": "pilot"})
    policy.write_text(confirmed(f"{SHOP}overrides: [{entry}]\n"))
    with pytest.raises(PolicyError, match="the record of the reload"):
        gate.reload()
    assert not audit.exists()
    audit.mkdir()
    with pytest.raises(PolicyError, match="audit file"):
        gate.reload()
    assert [row.get("refused", False) for row in kept.rows[-2:]] == [False, True], (
        "the last one is how it ended"
    )
    audit.rmdir()
    gate.reload()
    assert len(audit.read_text().splitlines()) == 1


def test_reloads_are_recorded_also_those_that_are_refused(tmp_path: Path) -> None:  # C13
    policy = tmp_path / "policy.yaml"
    policy.write_text(SHOP)
    kept = Kept()
    gate = Gateway.load(policy, recorder=kept)
    first = gate.manifest.digest
    policy.write_text(SHOP.replace("confirm_from: HIGH", "confirm_from: MEDIUM"))
    gate.reload()
    second = gate.manifest.digest
    policy.write_text(SHOP)
    with pytest.raises(PolicyError):
        gate.reload()
    policy.write_text("version: 1\nnonsense: true\n")
    with pytest.raises(PolicyError):
        gate.reload()
    policy.write_text(SHOP)
    gate.reload(on_relaxation=OnRelaxation.WARN)
    stricter, relaxing, broken, accepted = kept.rows
    assert (stricter["before"], stricter["policy"]) == (first, second)
    assert "refused" not in stricter
    assert relaxing["errors"] == ["relaxing-reload"]
    assert broken["refused"] is True
    assert broken["before"] == second
    assert accepted["policy"] == first
    assert accepted["changes"]["relaxed"] == 1
    assert all(row["kind"] == "reload" for row in kept.rows)


def test_who_answers_for_what_a_reload_relaxes_is_recorded(tmp_path: Path) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text(SHOP.replace("confirm_from: HIGH", "confirm_from: MEDIUM"))
    kept = Kept()
    gate = Gateway.load(policy, recorder=kept)
    first = gate.manifest.digest
    policy.write_text(SHOP)
    after = Gateway.load(policy).manifest.digest
    confirmed = Confirmed("olga", "as agreed", step_digest(first, after))
    gate.reload(on_relaxation=OnRelaxation.CONFIRM, confirmed=confirmed)
    (row,) = kept.rows
    assert (row["subject"], row["reason"]) == ("olga", "as agreed")
    assert (row["before"], row["policy"]) == (first, after)


def test_only_refusals_of_entries_are_recorded_and_trials_never() -> None:
    kept = Kept()
    gate = gateway(kept)
    gate.entry(CLERK)
    gate.tools(CLERK)
    gate.explain(call("save"), CLERK)
    gate.anew().before(call("save"), CLERK)
    assert kept.rows == []
    gate.entry({**CLERK, "agent": "nobody"})
    (row,) = kept.rows
    assert (row["kind"], row["code"]) == ("entry", "AGENT_DISABLED")


def test_a_tool_of_the_host_s_own_is_recorded() -> None:
    kept = Kept()
    gateway(kept).before_unlisted(call("Bash", command="ls"), CLERK)
    assert [(row["kind"], row["tool"]) for row in kept.rows] == [("decision", "Bash")]


def test_long_arguments_are_left_out_and_the_line_is_bounded() -> None:
    kept = Kept()
    gateway(Recording(kept, KEY)).before(call("save", "c-1", id="x" * 1_000_000), CLERK)
    (row,) = kept.rows
    assert row["length"] > 1_000_000 > LONGEST_ARGUMENTS
    assert "arguments" not in row
    assert len(row["digest"]) == 64
    who = {**CLERK, "id": "é" * 4000, "agent": "clerk", "turn": {"id": "é" * 4000}}
    subject = {**CLERK["subject"], "id": "é" * 4000}
    gateway(kept).before(call("save", "é" * 256, id="é" * 4000), {**who, "subject": subject})
    assert len(kept.records[-1].text) < 40_000


def test_digests_are_keyed_and_without_a_key_there_are_none() -> None:
    kept = Kept()
    gateway(Recording(kept, KEY)).before(
        {"tool": "save", "id": "c", "arguments": '{"amount": 3.0, "id": "a"}'}, CLERK
    )
    gateway(Recording(kept, b"y" * 32)).before(call("save", amount=3), CLERK)
    gateway(kept).before(call("save", amount=3), CLERK)
    mine, other, none = kept.rows
    assert mine["digest"] == hmac.new(KEY, b'{"amount":3,"id":"a"}', sha256).hexdigest()
    assert other["digest"] != mine["digest"]
    assert "digest" not in none
    assert sha256(b'{"amount":3,"id":"a"}').hexdigest() not in "".join(record.text for record in kept.records)
    with pytest.raises(ValueError, match="at least 16 bytes"):
        Recording(kept, b"short")


def test_the_key_is_made_once_and_is_its_user_s_alone(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "log.key"
    made = kept_key(path)
    assert len(made) == 32
    assert kept_key(path) == made
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    with pytest.raises(Unrecorded, match="chmod 600"):
        kept_key(path)
    path.chmod(0o600)
    path.write_text("00ff")
    with pytest.raises(Unrecorded, match="too short"):
        kept_key(path)


def test_the_fast_path_is_recorded_as_the_steps_are() -> None:
    kept, who = Kept(), Session.of(CLERK)
    gate = gateway(kept)
    for _ in range(4):  # it is taken by a session that comes again
        gate.before(call("save", amount=3), who)
        gate.before(call("wire", amount=3), {**CLERK, "agent": "nobody"})
    rows = [{**without_times(row), "id": ""} for row in kept.rows]
    assert rows[0::2] == [rows[0]] * 4
    assert rows[1::2] == [rows[1]] * 4
    assert (rows[0]["code"], rows[1]["code"]) == ("ALLOWED", "AGENT_DISABLED")


def test_login_s_policy_loads() -> None:
    kept = Kept()
    gateway(kept, LOGIN).before({"tool": "login", "id": "c", "arguments": {"pin": "1234567"}}, CLERK)
    (row,) = kept.rows
    assert row["arguments"] == {"pin": "(hidden)"}
    assert row["hidden"] == 1
