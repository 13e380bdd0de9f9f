"""Reloading: all or nothing, and nothing looser unless it is said. A call stays with the policy that decided it."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from gateway import Code, Confirmed, Gateway, OnRelaxation, PolicyError
from tests.engine.build import confirmed, gateway, session

SHOP = """version: 1
settings: {confirm_from: HIGH}
agents: [{name: clerk, tools: ["*"], tenants: [acme]}]
tools:
  - {name: read, risk: READ_ONLY, permissions: ["row:read"]}
  - {name: write, risk: LOW, permissions: ["row:write"], parameters: {type: object, required: [n], properties: {n: {type: integer}}}}
rules:
  - {id: large, tools: [write], when: args.n > 10, effect: deny, message: Too large.}
"""
STRICTER = SHOP.replace("args.n > 10", "args.n > 5")
LOOSER = SHOP.replace("args.n > 10", "args.n > 50")
UNCLEAR = SHOP.replace("args.n > 10", "args.n % 7 == 3")
HELD = {"permissions": ["row:read", "row:write"]}


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "policy.yaml"
    path.write_text(SHOP)
    return path


def written(gate: Gateway, n: int) -> Code:
    return gate.before({"tool": "write", "arguments": {"n": n}}, session(subject=HELD)).code


def refused(gate: Gateway) -> list[tuple[str, str]]:
    with pytest.raises(PolicyError) as caught:
        gate.reload()
    return [(found.code, found.message) for found in caught.value.diagnostics]


def test_what_tightens_is_served_from_the_next_call_on(policy: Path) -> None:
    gate = Gateway.load(policy)
    first = gate.manifest.digest
    policy.write_text(STRICTER)
    assert written(gate, 7) is Code.ALLOWED
    (change,) = gate.reload()
    assert (change.item, change.relaxed) == ("rules.large.condition", False)
    assert written(gate, 7) is Code.RULE
    assert gate.manifest.digest != first


def test_nothing_new_is_no_change(policy: Path) -> None:
    gate = Gateway.load(policy)
    assert gate.reload() == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LOOSER, "`rules.large.condition` relaxes the policy"),
        (UNCLEAR, "`rules.large.condition` may relax the policy"),
        (
            SHOP.replace('permissions: ["row:read"]', "permissions: []"),
            "`tools.read.permissions` relaxes the policy",
        ),
        (
            SHOP.replace("confirm_from: HIGH", "confirm_from: IRREVERSIBLE"),
            "`settings.confirm_from` relaxes the policy",
        ),
    ],
)
def test_what_relaxes_or_may_is_refused_and_the_policy_before_stays(
    policy: Path, text: str, message: str
) -> None:
    gate = Gateway.load(policy)
    before = gate.manifest
    policy.write_text(text)
    ((code, said),) = refused(gate)
    assert (code, said.startswith(message)) == ("relaxing-reload", True)
    assert gate.manifest is before
    assert written(gate, 11) is Code.RULE
    gate.reload(on_relaxation=OnRelaxation.WARN)
    assert gate.manifest is not before


def test_what_relaxes_is_served_when_somebody_answers_for_just_that_step(policy: Path) -> None:
    gate = Gateway.load(policy)
    how = OnRelaxation.CONFIRM

    def told(confirmed: Confirmed | None = None) -> str:
        with pytest.raises(PolicyError) as caught:
            gate.reload(on_relaxation=how, confirmed=confirmed)
        (found,) = caught.value.diagnostics
        return found.help

    def asked() -> str:
        digest = re.search(r'confirmed=Confirmed\(by, reason, "([0-9a-f]{64})"\)', told())
        assert digest is not None
        return digest[1]

    policy.write_text(LOOSER)
    step = asked()
    policy.write_text(LOOSER + "# another text\n")
    other = asked()
    assert other != step
    wrong = {
        Confirmed("olga", "sale", step): f"what was confirmed is another step, and this one is `{other}`",
        Confirmed("", "sale", other): "a confirmation says who answers for it, and why",
        Confirmed("olga", " ", other): "a confirmation says who answers for it, and why",
    }
    for each, why in wrong.items():
        assert why in told(each)
    assert written(gate, 11) is Code.RULE
    answering = Confirmed("olga", "sale", other)
    (change,) = gate.reload(confirmed=answering)
    assert change.relaxed
    assert written(gate, 11) is Code.ALLOWED
    policy.write_text(STRICTER)
    gate.reload(on_relaxation=how)
    policy.write_text(LOOSER + "# another text\n")
    assert "what was confirmed is another step" in told(answering)  # the way there is another one now


def test_a_warning_tells_what_relaxes(policy: Path, caplog: pytest.LogCaptureFixture) -> None:
    gate = Gateway.load(policy)
    policy.write_text(LOOSER)
    gate.reload(on_relaxation=OnRelaxation.WARN)
    (said,) = [record.getMessage() for record in caplog.records if record.name == "gateway"]
    assert said.startswith("a reload relaxes the policy: rules.large.condition: ")
    policy.write_text(SHOP)
    gate.reload(on_relaxation=OnRelaxation.WARN)
    assert len(caplog.records) == 1


@pytest.mark.parametrize(
    "content", [b"", b"version: 2\n", b"\xff", SHOP.replace("args.n", "args.m").encode(), None]
)
def test_a_policy_that_can_not_be_used_changes_nothing(policy: Path, content: bytes | None) -> None:
    gate = Gateway.load(policy)
    before = gate.manifest
    if content is None:
        policy.unlink()
    else:
        policy.write_bytes(content)
    for how in OnRelaxation:
        with pytest.raises(PolicyError):
            gate.reload(on_relaxation=how)
    assert gate.manifest is before
    assert written(gate, 11) is Code.RULE
    policy.write_text(STRICTER)  # and the next one is compared with what is served, not with what was broken
    assert len(gate.reload()) == 1


def test_a_confirmed_override_is_served_once_its_row_is_written(policy: Path, tmp_path: Path) -> None:
    entry = json.dumps({"tenant": "acme", "tools": ["write"], "permissions": [], "reason": "pilot"})
    relaxing = confirmed(f"{SHOP}overrides: [{entry}]\n")
    without_audit, audit = Gateway.load(policy), tmp_path / "audit.jsonl"
    with_audit = Gateway.load(policy, audit=audit)
    policy.write_text(relaxing)
    assert [code for code, _ in refused(without_audit)] == ["no-audit"]
    assert [change.item for change in with_audit.reload()] == ["overrides.acme.write.permissions"]
    assert [json.loads(line)["tool"] for line in audit.read_text().splitlines()] == ["write"]
    guest = session(subject={"permissions": []})
    call = {"tool": "write", "arguments": {"n": 1}}
    assert with_audit.before(call, guest).code is Code.ALLOWED
    assert without_audit.before(call, guest).code is Code.PERMISSION_DENIED


class Reloading(Mapping[str, Any]):
    """A session during whose second reading the policies change."""

    def __init__(self, gate: Gateway) -> None:
        self._gate = gate
        self._values = session(subject=HELD)
        self._read = 0

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[str]:
        self._read += 1
        if self._read == 4:
            self._gate.reload(on_relaxation=OnRelaxation.WARN)
        return iter(self._values)


def test_the_shapes_of_one_policy_were_looked_up_in_another(policy: Path) -> None:  # B15
    gate = Gateway.load(policy)
    policy.write_text(SHOP.replace("rules:", "  - {name: new, risk: READ_ONLY, permissions: []}\nrules:"))
    reading = Reloading(gate)
    for _ in range(3):
        assert {shape.tool for shape in gate.shapes(reading)} >= {"read", "write"}
    assert {shape.tool for shape in gate.shapes(reading)} == {"new", "read", "write"}


def test_lower_layers_are_read_again_as_well(policy: Path, tmp_path: Path) -> None:
    own = tmp_path / "own" / "own.yaml"
    own.parent.mkdir()
    own.write_text("version: 1\n")
    gate = Gateway.load(policy, project=own)
    own.write_text("version: 1\nrules: [{id: own, tools: [write], effect: deny, message: Not here.}]\n")
    assert [change.item for change in gate.reload()] == ["rules.own"]
    assert written(gate, 1) is Code.RULE
    own.write_text("version: 1\n")
    assert refused(gate)[0][0] == "relaxing-reload"


def test_a_call_is_reviewed_under_the_policy_that_decided_it(policy: Path) -> None:
    hiding = SHOP + "results: [{id: hide, tools: [read], redact: [{field: '**.pin'}]}]\n"
    policy.write_text(hiding)
    gate = Gateway.load(policy)
    call, who = {"id": "c", "tool": "read"}, session(subject=HELD)
    decision = gate.before(call, who)
    policy.write_text(SHOP)
    gate.reload(on_relaxation=OnRelaxation.WARN)
    result: dict[str, Any] = {"pin": "1234"}
    assert "1234" not in repr(gate.after(call, who, result, decision))
    assert "1234" in gate.after(call, who, result).text  # without the decision: the policy that is in force
    for number in range(20):  # one that is long gone
        policy.write_text(f"{SHOP}# {number}\n")
        gate.reload()
    assert gate.after(call, who, result, decision).code is Code.REVIEWED


def test_a_gateway_that_was_not_loaded_from_files_has_nothing_to_reload() -> None:
    with pytest.raises(PolicyError):
        gateway(SHOP).reload()


def test_calls_go_on_while_policies_are_swapped(policy: Path) -> None:
    """Whatever policy a call finds, it is a whole one: no answer but those that one of the two gives."""
    gate = Gateway.load(policy)
    seen: set[tuple[Code, Code]] = set()
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            decision = gate.before({"tool": "write", "arguments": {"n": 7}}, session(subject=HELD))
            review = gate.after(
                {"tool": "write", "arguments": {"n": 7}}, session(subject=HELD), "x", decision
            )
            seen.add((decision.code, review.code))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(6):
        policy.write_text(STRICTER if number % 2 == 0 else SHOP)
        gate.reload(on_relaxation=OnRelaxation.WARN)
    done.set()
    for thread in threads:
        thread.join()
    assert seen == {(Code.ALLOWED, Code.REVIEWED), (Code.RULE, Code.RESULT_WITHHELD)}


def redacting(field: str) -> str:
    return f'{SHOP}results: [{{id: clean, tools: ["*"], redact: [{{field: "**.{field}"}}]}}]\n'


def test_reloading_what_is_there_forgets_no_policy_under_which_a_call_was_decided(policy: Path) -> None:
    policy.write_text(redacting("pa"))
    gate, call = Gateway.load(policy), {"tool": "write", "arguments": {"n": 1}}
    decision = gate.before(call, session(subject=HELD))
    policy.write_text(redacting("pb"))
    gate.reload(on_relaxation=OnRelaxation.WARN)
    for _ in range(40):
        gate.reload()
    assert "hunter2" not in gate.after(call, session(subject=HELD), {"pa": "hunter2"}, decision).text


def test_a_result_is_withheld_where_the_policy_that_decided_the_call_is_long_gone(policy: Path) -> None:
    gate, call = Gateway.load(policy), {"tool": "write", "arguments": {"n": 1}}
    decision = gate.before(call, session(subject=HELD))
    for index in range(40):
        policy.write_text(redacting(f"p{index}"))
        gate.reload(on_relaxation=OnRelaxation.WARN)
    review = gate.after(call, session(subject=HELD), "done", decision)
    assert review.code is Code.RESULT_WITHHELD
    assert "the policy under which the call was decided is no longer known" in review.message
    assert gate.after(call, session(subject=HELD), "done").code is Code.REVIEWED
