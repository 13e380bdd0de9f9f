"""`gatewayctl approvals`: a person answers, at a terminal, what they were shown whole."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from gatewayctl.commands import cli

from gateway import Code
from gateway.answering import Answer, Verdict
from gateway.approvals import approval_key
from gateway.state import Key, Kind, Put, Unavailable
from gateway.stores import open_store
from tests.cli.terminal import at_a_terminal
from tests.remembering.world import CLERK, World, call, person


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(open_store(url(tmp_path)))
    made.now = datetime.now(UTC)
    return made


def url(folder: Path) -> str:
    return f"sqlite://{folder}/state/store.db"


def asked(world: World, made: dict[str, Any] | None = None) -> str:
    approval = world.gateway().before(made or call("pay"), CLERK).approval
    assert approval is not None
    return str(approval["id"])


def options(folder: Path, *more: str) -> list[str]:
    return ["--store", url(folder), "--tenant", "acme", *more]


def run(*arguments: str) -> Any:
    return CliRunner().invoke(cli, ["approvals", *arguments])


def test_questions_are_listed_and_shown_whole(world: World, tmp_path: Path) -> None:
    name = asked(world, call("pay", id="\u202eevil\n\x1b[2J"))
    listed = run("list", *options(tmp_path))
    assert listed.exit_code == 0
    assert name in listed.output
    assert "1 question in the tenant `acme`" in listed.output
    shown = run("show", name, *options(tmp_path))
    assert r'"\u202eevil\n\u001b[2J"' in shown.output
    assert "\u202e" not in shown.output
    assert "because    CONFIRM" in shown.output
    (found,) = json.loads(run("list", *options(tmp_path, "--format", "json")).output)["approvals"]
    assert (found["id"], found["tool"], found["reasons"]) == (name, "pay", ["CONFIRM"])


def test_another_tenant_sees_none_of_them(world: World, tmp_path: Path) -> None:
    name = asked(world)
    assert "0 questions" in run("list", "--store", url(tmp_path)).output
    assert run("show", name, "--store", url(tmp_path)).exit_code == 2


def test_a_person_at_a_terminal_approves(world: World, tmp_path: Path) -> None:
    name = asked(world)
    code, shown = at_a_terminal(["approvals", "approve", name, *options(tmp_path)], None)
    assert (code, "is approved." in shown) == (0, True), shown
    assert 'arguments  {"id": "a", "amount": 1}' in shown
    assert world.gateway().before(call("pay"), CLERK).proceeds


def test_a_person_at_a_terminal_rejects(world: World, tmp_path: Path) -> None:
    name = asked(world)
    more = options(tmp_path, "--reason", "not this month")
    code, shown = at_a_terminal(["approvals", "reject", name, *more], None)
    assert (code, "is rejected." in shown) == (0, True), shown
    decision = world.gateway().before(call("pay"), CLERK)
    assert decision.code is Code.APPROVAL_REJECTED
    assert "not this month" in decision.message


def test_another_word_answers_nothing(world: World, tmp_path: Path) -> None:
    name = asked(world)
    code, shown = at_a_terminal(["approvals", "approve", name, *options(tmp_path)], "yes")
    assert (code, "Nothing has changed." in shown) == (1, True), shown
    assert not world.gateway().before(call("pay"), CLERK).proceeds


def test_without_a_terminal_nobody_answers(world: World, tmp_path: Path) -> None:
    name = asked(world)
    done = subprocess.run(
        [sys.executable, "-m", "gatewayctl", "approvals", "approve", name, *options(tmp_path)],
        input="yes\n" * 10,
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
    )
    assert done.returncode == 2
    assert "there is no terminal" in done.stderr
    assert not world.gateway().before(call("pay"), CLERK).proceeds


def test_a_role_that_is_demanded_is_named(world: World, tmp_path: Path) -> None:
    name = asked(world, call("wire", amount=500))
    code, shown = at_a_terminal(["approvals", "approve", name, *options(tmp_path)], None)
    assert code == 2
    assert "one of finance other than who asked" in shown
    more = options(tmp_path, "--role", "finance")
    code, shown = at_a_terminal(["approvals", "approve", name, *more], None)
    assert (code, "is approved." in shown) == (0, True), shown


def test_looking_makes_no_store(tmp_path: Path) -> None:
    done = run("list", *options(tmp_path))
    assert done.exit_code == 2
    assert "there is no store" in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a-1", "nonsense", "a-" + "0" * 32 + "-1"])
def test_a_question_that_is_not_there(name: str, world: World, tmp_path: Path) -> None:
    done = run("show", name, *options(tmp_path))
    assert done.exit_code == 2
    assert "there is no question" in done.output


def test_where_no_store_is_named_the_variable_was_not_told() -> None:
    done = CliRunner(env={"GATEWAY_STORE": None}).invoke(cli, ["approvals", "list"])
    assert done.exit_code == 2
    assert "GATEWAY_STORE" in done.output


def test_a_store_that_is_none(tmp_path: Path) -> None:
    done = run("list", "--store", "mysql://x")
    assert done.exit_code == 2
    assert "no kind of store" in done.output


def change_kept(world: World, name: str, change: dict[str, Any]) -> None:
    key = approval_key("acme", name.rpartition("-")[0])
    kept = json.loads(world.store.read((key,)).entries[key].value)
    world.store.apply([Put(key, json.dumps({**kept, **change}).encode(), None)])


@pytest.mark.parametrize(
    "change",
    [
        {"asked": 10**30},
        {"asked": -(10**17)},
        {"expires": "soon"},
        {"expires": 10**40},
        {"use_within": []},
        {"demands": [1]},
        {"demands": [{"by": "finance"}]},
        {"demands": [{"by": [7]}]},
        {"demands": [{"not_self": "no"}]},
        {"prompt": None},
        {"number": True},
        {"reasons": [1]},
        {"iteration": "x"},
        {"given": [{"by": 1, "roles": [], "at": 1}]},
        {"given": [{"by": "u-2", "roles": [1], "at": 1}]},
        {"given": [{"by": "u-2", "roles": [], "at": 10**30}]},
    ],
    ids=str,
)
def test_one_question_that_can_not_be_read_hid_all_others(
    world: World, tmp_path: Path, change: dict[str, Any]
) -> None:
    broken, whole = asked(world), asked(world, call("pay", "c-2"))
    change_kept(world, broken, change)
    listed = run("list", *options(tmp_path))
    assert (listed.exit_code, whole in listed.output) == (1, True), listed.output
    assert f"what the store keeps of {broken.rpartition('-')[0]} can't be read" in listed.output
    told = json.loads(run("list", *options(tmp_path, "--format", "json")).output)
    assert ([one["id"] for one in told["approvals"]], told["unreadable"]) == (
        [whole],
        [broken.rpartition("-")[0]],
    )
    assert run("show", broken, *options(tmp_path)).exit_code == 2
    assert world.gateway().before(call("pay"), CLERK).code is Code.STATE_UNAVAILABLE
    with pytest.raises(Unavailable):
        world.gateway().resume(broken, Answer(Verdict.APPROVE), person("u-2"))


def test_a_list_without_questions_did_not_say_that_it_is_one_tenant_s(world: World, tmp_path: Path) -> None:
    asked(world)
    assert "--tenant NAME" in run("list", "--store", url(tmp_path)).output
    assert "--tenant NAME" not in run("list", *options(tmp_path)).output


def test_ids_that_are_secrets_were_shown_to_whoever_answers(world: World, tmp_path: Path) -> None:
    token = "ghp_" + "q7Zk0uYbV3nTgL5xWmP8sRc1dEhJ2aFo9iKt"
    subject = {**CLERK["subject"], "id": f"u {token}"}
    session = {**CLERK, "id": token, "subject": subject}
    approval = world.gateway().before(call("pay", token), session).approval
    assert approval is not None
    for command in (["show", approval["id"]], ["list"]):
        for form in ("text", "json"):
            output = run(*command, *options(tmp_path, "--format", form)).output
            assert approval["id"] in output
            assert token not in output


def test_a_question_that_was_answered_looked_as_if_it_were_answered_again(
    world: World, tmp_path: Path
) -> None:
    name = asked(world)
    world.gateway().resume(name, Answer(Verdict.APPROVE), person("u-2"))
    for status in ("approved", "used"):
        for command in ("approve", "reject"):
            code, shown = at_a_terminal(["approvals", command, name, *options(tmp_path)], None)
            assert (code, f"it is {status}" in shown, "press Enter" in shown) == (2, True, False), shown
        world.gateway().before(call("pay"), CLERK)


CALLS = [call("look", "c-1"), call("pay", "c-2"), call("pay", "c-3", id="b")]


def test_a_plan_could_not_be_answered_at_a_terminal(world: World, tmp_path: Path) -> None:  # B25
    plan = world.gateway().plan(CALLS, CLERK)
    names = [one.approval["id"] for one in plan.decisions if one.approval]
    assert (
        f"{plan.id}  a plan, which answers together: {', '.join(names)}"
        in run("list", *options(tmp_path)).output
    )
    told = json.loads(run("list", *options(tmp_path, "--format", "json")).output)
    assert told["plans"] == [{"id": plan.id, "approvals": names}]
    told = json.loads(run("show", plan.id, *options(tmp_path, "--format", "json")).output)
    assert [one["arguments"]["id"] for one in told["approvals"]] == ["a", "b"]
    code, shown = at_a_terminal(["approvals", "approve", plan.id, *options(tmp_path)], None)
    assert (code, shown.count("is approved.")) == (0, 2), shown
    assert 'arguments  {"id": "b", "amount": 1}' in shown
    assert all(world.gateway().before(one, CLERK).proceeds for one in CALLS)
    assert "a plan" not in run("list", *options(tmp_path)).output
    code, shown = at_a_terminal(["approvals", "reject", plan.id, *options(tmp_path)], None)
    assert (code, "it is used" in shown) == (2, True), shown


def test_a_plan_at_a_terminal_is_approved_whole_or_not_at_all(world: World, tmp_path: Path) -> None:  # B25
    plan = world.gateway().plan([*CALLS, call("wire", "c-4", amount=500)], CLERK)
    code, shown = at_a_terminal(["approvals", "approve", plan.id, *options(tmp_path)], None)
    assert (code, "one of finance" in shown) == (2, True), shown
    assert not world.gateway().before(CALLS[1], CLERK).proceeds
    missing = run("show", "p-1", *options(tmp_path))
    assert (missing.exit_code, "no plan" in missing.output) == (2, True)


def test_a_plan_that_can_not_be_read_hides_no_question(world: World, tmp_path: Path) -> None:
    plan = world.gateway().plan(CALLS, CLERK)
    world.store.apply([Put(Key("acme", Kind.PLAN, plan.id), b"7", None)])
    assert "2 questions" in run("list", *options(tmp_path)).output
    assert run("show", plan.id, *options(tmp_path)).exit_code == 2
