"""`gatewayctl diff` as people and scripts call it: paths, revisions, confirmations, exit codes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from gatewayctl.commands import cli

POLICY = """version: 1
settings: {confirm_from: MEDIUM}
agents: [{name: clerk, tools: [pay], tenants: [acme]}]
tools:
  - {name: pay, risk: HIGH, title: Pay, permissions: ["pay:create"], parameters: {type: object, required: [amount], properties: {amount: {type: integer}}}}
rules:
  - {id: large, tools: [pay], when: args.amount > 1000, effect: deny}
"""
LOOSER = POLICY.replace("1000", "2000")
OTHER = POLICY.replace("args.amount > 1000", "args.amount * 2 > 2000")
HIDDEN = POLICY.replace("args.amount > 1000", "args.amount % 7 == 3")
COVERED = POLICY.replace(
    "rules:", "rules:\n  - {id: huge, tools: [pay], when: args.amount > 9000, effect: deny}"
)
STRICTER = POLICY.replace("1000", "500")


def git(*words: str) -> None:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    who = ("-c", "user.name=ann", "-c", "user.email=ann@acme.example", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *who, *words], check=True, capture_output=True, env=environment, timeout=60)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working directory with an old and a new policy."""
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("old", POLICY),
        ("new", LOOSER),
        ("other", OTHER),
        ("stricter", STRICTER),
        ("hidden", HIDDEN),
        ("covered", COVERED),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "policy.yaml").write_text(text)
    yield tmp_path


def run(*words: str) -> Result:
    result = CliRunner().invoke(cli, ["diff", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def parsed(*words: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(run(*words, "--format", "json").stdout)
    return value


# --- verdicts and exit codes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "verdict", "code", "strict"),
    [
        ("old", "old", "proved", 0, 0),
        ("old", "stricter", "proved", 0, 0),
        ("old", "new", "relaxed", 1, 1),
        ("old", "other", "unproved", 0, 1),
        ("old", "hidden", "relaxed", 1, 1),
        ("covered", "old", "unproved", 1, 1),
        ("new", "old/policy.yaml", "proved", 0, 0),
    ],
)
def test_the_verdict_and_the_exit_code(
    here: Path, old: str, new: str, verdict: str, code: int, strict: int
) -> None:
    assert parsed(old, new)["verdict"] == verdict
    assert run(old, new).exit_code == code
    assert run(old, new, "--strict").exit_code == strict


def test_the_text_groups_what_is_relaxed_first_with_a_digest_to_confirm(here: Path) -> None:
    (here / "new" / "policy.yaml").write_text(LOOSER.replace("title: Pay", "title: Spend"))
    (item, *_) = parsed("old", "new")["items"]
    assert run("old", "new").output.splitlines() == [
        "relaxed  rules.large.condition",
        "  it may match fewer calls: `args.amount > 2000` instead of `args.amount > 1000`",
        "  at new/policy.yaml:7:10",
        f"  digest: {item['digest']}",
        "other  tools.pay.title  (no decision changes)",
        "  `title` differs",
        "  at new/policy.yaml:5:12",
        "",
        "shown by  pay  deny -> ask",
        '  arguments  {"amount": 1001}',
        '  subject    {"id": "alice", "permissions": ["pay:create"], "tenant": "acme"}',
        '  session    {"tenant": "acme", "agent": "clerk", "channel": "internal"}',
        "  before     deny RULE large: the rule `large` (old/policy.yaml:7:10) matched",
        "  after      ask CONFIRM: risk HIGH is at or above `confirm_from: MEDIUM`",
        "  cause      rules.large",
        "",
        "relaxed: 1 relaxed, 1 other, 1 not confirmed",
        "",
        "if that is meant, write this into confirmations.yaml, with who agreed and why:",
        "- item: rules.large.condition",
        f"  digest: {item['digest']}",
        "  by:",
        "  reason:",
        "to check again: gatewayctl diff --confirm=confirmations.yaml -- old new",
    ]


def test_what_is_looser_and_no_call_shows_is_called_so_and_has_to_be_confirmed(here: Path) -> None:
    value = parsed("covered", "old")
    assert [(one["item"], one["direction"]) for one in value["items"]] == [("rules.huge", "looser")]
    assert (value["calls"], value["tried"]) == ([], 4000)
    assert run("covered", "old").output.partition("\n\nif that is meant")[0].splitlines()[-2:] == [
        "of what is looser or unproved 4000 calls showed nothing",
        "unproved: 1 looser, 1 not confirmed",
    ]


SERVER = POLICY + 'servers: [{name: kb, tools: ["get_*"], risk: HIGH, pinned: true}]\n'


def test_what_relaxes_and_changes_no_decision_was_said_to_contradict_itself(here: Path) -> None:
    (here / "old" / "policy.yaml").write_text(SERVER)
    (here / "new" / "policy.yaml").write_text(SERVER.replace("HIGH, pinned", "LOW, pinned"))
    lines = run("old", "new").output.splitlines()
    assert lines[0] == "relaxed  servers.kb.risk  (a protection is weaker; no decision changes today)"
    assert "relaxed: 1 relaxed, 1 not confirmed" in lines
    back = run("new", "old")
    assert (back.exit_code, back.output.splitlines()[0]) == (
        0,
        "tightened  servers.kb.risk  (no decision changes)",
    )
    assert back.output.splitlines()[-1] == "proved: 1 tightened"


def test_what_strict_asks_for_counts_as_not_confirmed_too(here: Path) -> None:
    assert "\nunproved: 1 unproved, 1 not confirmed\n" in run("old", "other", "--strict").output
    assert run("old", "other").output.endswith("\nunproved: 1 unproved\n")


def test_a_call_that_shows_what_is_relaxed_can_be_decided_again_from_the_json(here: Path) -> None:
    (call,) = parsed("old", "hidden")["calls"]
    assert (call["before"]["effect"], call["after"]["effect"], call["cause"]) == (
        "deny",
        "ask",
        ["rules.large"],
    )
    (here / "batch.jsonl").write_text(
        json.dumps({"id": "1", "session": call["session"], "call": call["call"]})
    )
    for policy, effect in (("old", "deny"), ("hidden", "ask")):
        answered = CliRunner().invoke(cli, ["check", "--batch", "batch.jsonl", "--policies", policy])
        assert json.loads(answered.stdout)["effect"] == effect


def test_without_tries_only_what_is_written_is_compared(here: Path) -> None:
    value = parsed("old", "new", "--tries", "0")
    assert (value["verdict"], value["calls"]) == ("unproved", [])
    assert run("old", "new", "--tries", "0").exit_code == 1


CALL = {"tool": "pay", "arguments": {"amount": 1500}}
WHO = {
    "id": "s-1",
    "tenant": "acme",
    "agent": "clerk",
    "can_ask": True,
    "subject": {"id": "ann", "tenant": "acme", "authenticated": True, "permissions": ["pay:create"]},
}


@pytest.mark.parametrize(
    ("old", "new", "said", "looser"),
    [("old", "new", "deny -> ask", True), ("new", "old", "ask -> deny", False)],
)
def test_calls_of_a_corpus_are_decided_by_both(
    here: Path, old: str, new: str, said: str, looser: bool
) -> None:
    lines = [{"id": "paid", "session": WHO, "call": CALL}, {"session": {"id": "s-2"}, "call": CALL}]
    (here / "calls.jsonl").write_text("\n".join(map(json.dumps, lines)))
    corpus = parsed(old, new, "--corpus", "calls.jsonl")["corpus"]
    name = "calls.jsonl:1 (paid)"
    assert corpus == {"asked": 2, "differing": [{"name": name, "said": said, "looser": looser}]}
    assert f"{name}: {said}" in run(old, new, "--corpus", "calls.jsonl").output


def test_the_cases_of_a_test_file_are_a_corpus(here: Path) -> None:
    case = {"name": "pays", "session": WHO, "call": CALL, "expect": {"effect": "ask"}}
    (here / "new" / "pay.test.yaml").write_text(json.dumps({"version": 1, "cases": [case]}))
    (differing,) = parsed("old", "new", "--corpus", "new")["corpus"]["differing"]
    assert differing["name"].endswith(": pays")


def test_a_record_of_a_log_is_decided_as_if_its_subject_held_what_the_tool_takes(here: Path) -> None:
    record = {
        "kind": "decision",
        "id": "d-1",
        "at": 1796126400000000,
        "tenant": "acme",
        "agent": "clerk",
        "subject": "ann",
        "session": "s-1",
        "tool": "pay",
        "arguments": {"amount": 1500},
    }
    hidden = {**record, "id": "d-2", "hidden": 1}
    (here / "log.jsonl").write_text("\n".join(map(json.dumps, [record, hidden])))
    assert parsed("old", "new", "--corpus", "log.jsonl")["corpus"] == {
        "asked": 1,
        "differing": [{"name": "log.jsonl:1 (d-1)", "said": "deny -> ask", "looser": True}],
    }


RECORD = '{"kind": "decision", "tenant": "acme", "agent": "clerk", "tool": "pay", "arguments": {"amount": 1}, "at": AT}'


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"session": {}, "call": {"tool": 1}}',
        '{"session": {"channel": "moon"}, "call": {"tool": "pay"}}',
        '{"session": {}, "call": {"tool": ""}}',
        '{"session": {}, "call": {"tool": "pay"}, "now": "soon"}',
        '{"a": 1, "a": 2}',
        *(
            RECORD.replace("AT", at)
            for at in ('"abc"', "1e300", "null", "NaN", "-1", "1e16", "999999999999999999999")
        ),
    ],
)
def test_a_corpus_that_can_not_be_read_is_exit_2(here: Path, line: str) -> None:
    (here / "calls.jsonl").write_text(line)
    result = run("old", "new", "--corpus", "calls.jsonl")
    assert result.exit_code == 2
    assert "failed inside" not in result.output
    assert run("old", "new", "--corpus", "gone.jsonl").exit_code == 2


def test_what_a_project_s_layer_does_is_compared_too(here: Path) -> None:
    (here / "layer.yaml").write_text(
        "version: 1\nrules: [{id: never, tools: [pay], when: args.amount > 10, effect: deny}]"
    )
    value = parsed("old", "old", "--project", "layer.yaml")
    assert (value["verdict"], [one["item"] for one in value["items"]]) == ("proved", ["rules.never"])


def test_a_setting_that_a_layer_changes_stands_where_it_was_set_first(here: Path) -> None:
    (here / "layer.yaml").write_text("version: 1\nsettings: {confirm_from: LOW}\n")
    (item,) = parsed("old", "old", "--project", "layer.yaml")["items"]
    assert (item["item"], item["place"]) == ("settings.confirm_from", "old/policy.yaml:2:12")


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("confirm_from: MEDIUM", "confirm_from: HIGH", "new/policy.yaml:2:12"),
        ("tools: [pay], tenants: [acme]", 'tools: [pay], tenants: [acme, "b*"]', "new/policy.yaml:3:17"),
        ('permissions: ["pay:create"]', "permissions: []", "new/policy.yaml:5:12"),
        ("  - {id: large, tools: [pay], when: args.amount > 1000, effect: deny}", "", "old/policy.yaml:7:10"),
        ("id: large,", "id: larger.one,", "old/policy.yaml:7:10"),
    ],
)
def test_each_item_says_where_it_stands(here: Path, old: str, new: str, place: str) -> None:
    (here / "new" / "policy.yaml").write_text(POLICY.replace(old, new).removesuffix("rules:\n\n"))
    items = [item for item in parsed("old", "new")["items"] if item["direction"] == "relaxed"] or parsed(
        "old", "new"
    )["items"]
    assert items[0]["place"] == place
    assert f"  at {place}" in run("old", "new").output.splitlines()


def test_the_entry_to_paste_is_refused_until_it_says_who_and_why(here: Path) -> None:
    (here / "new" / "policy.yaml").write_text(LOOSER.replace("id: large", 'id: "la.rge"'))
    (here / "old" / "policy.yaml").write_text(POLICY.replace("id: large", 'id: "la.rge"'))
    output = run("old", "new").output
    entry = output.partition("with who agreed and why:\n")[2].partition("to check again")[0]
    file = here / "confirm it.yaml"
    file.write_text(entry)
    result = run("old", "new", "--confirm", "confirm it.yaml")
    assert result.exit_code == 2
    assert "`by` has no value" in result.output
    file.write_text(entry.replace("by:", "by: ann").replace("reason:", "reason: agreed"))
    assert run("old", "new", "--confirm", "confirm it.yaml").exit_code == 0
    file.write_text("[]")
    again = run("old", "new", "--confirm", "confirm it.yaml", "--strict").output.splitlines()[-1]
    assert again == "to check again: gatewayctl diff '--confirm=confirm it.yaml' --strict -- old new"


def test_the_json_has_the_items_with_both_values_and_the_digests_of_both_policies(here: Path) -> None:
    value = parsed("old", "new")
    (item,) = value["items"]
    assert {key: item[key] for key in ("item", "direction", "enforcement", "old", "new", "confirmed")} == {
        "item": "rules.large.condition",
        "direction": "relaxed",
        "enforcement": True,
        "old": "args.amount > 1000",
        "new": "args.amount > 2000",
        "confirmed": False,
    }
    assert len(item["digest"]) == len(value["old"]) == len(value["new"]) == 64
    assert value["old"] != value["new"]


@pytest.mark.parametrize("broken", ["gone", "broken"])
def test_a_policy_that_does_not_load_is_exit_2(here: Path, broken: str) -> None:
    (here / "broken").mkdir()
    (here / "broken" / "policy.yaml").write_text("version: 1\nrules: [{id: x}]\n")
    for words in ((broken, "new"), ("old", broken)):
        assert run(*words).exit_code == 2
        result = run(*words, "--format", "json")
        assert result.exit_code == 2
        assert json.loads(result.stdout)["ok"] is False


# --- confirmations ---------------------------------------------------------------------------------------------------


def test_what_is_unproved_is_called_so_in_text_and_has_a_digest(here: Path) -> None:
    (item,) = parsed("old", "other")["items"]
    assert (item["direction"], item["enforcement"]) == ("other", True)
    assert run("old", "other").output.splitlines() == [
        "unproved  rules.large.condition",
        "  the condition is another one: `args.amount * 2 > 2000` instead of `args.amount > 1000`",
        "  at other/policy.yaml:7:10",
        f"  digest: {item['digest']}",
        "",
        "of what is looser or unproved 4000 calls showed nothing",
        "unproved: 1 unproved",
    ]


def confirmed(here: Path, new: str = "new", **changes: Any) -> str:
    (item,) = parsed("old", new)["items"]
    entry = {"item": item["item"], "digest": item["digest"], "by": "ann", "reason": "agreed", **changes}
    (here / "confirm.json").write_text(json.dumps([{k: v for k, v in entry.items() if v is not None}]))
    return "confirm.json"


def test_a_confirmed_relaxation_passes(here: Path) -> None:
    file = confirmed(here)
    result = run("old", "new", "--confirm", file, "--strict")
    assert result.exit_code == 0
    assert "  confirmed" in result.output.splitlines()
    value = parsed("old", "new", "--confirm", file)
    assert (value["verdict"], value["items"][0]["confirmed"], value["unused"]) == ("relaxed", True, [])


def test_what_is_unproved_can_be_confirmed_and_then_passes_strictly(here: Path) -> None:
    file = confirmed(here, "other")
    assert run("old", "other", "--strict").exit_code == 1
    result = run("old", "other", "--strict", "--confirm", file)
    assert result.exit_code == 0
    assert result.output.splitlines()[-1] == "unproved: 1 unproved, 1 item confirmed"
    assert "  confirmed" in result.output.splitlines()
    stale = confirmed(here, "other", digest="0" * 64)
    assert run("old", "other", "--strict", "--confirm", stale).exit_code == 1
    assert run("old", "other", "--confirm", stale).exit_code == 0


def test_strict_fails_on_what_is_unproved_beside_a_confirmed_relaxation(here: Path) -> None:
    file = confirmed(here)
    (here / "new" / "policy.yaml").write_text(LOOSER.replace("MEDIUM", "MEDIUM, types: {turn: {a: int}}"))
    assert run("old", "new", "--confirm", file).exit_code == 0
    assert run("old", "new", "--confirm", file, "--strict").exit_code == 1


def test_what_is_proved_needs_no_confirmation(here: Path) -> None:
    file = confirmed(here, "stricter")
    result = run("old", "stricter", "--confirm", file)
    assert "nothing of that name is relaxed or unproved" in result.output


def test_an_entry_confirms_no_other_change_though_names_hold_dots(here: Path) -> None:
    other = "  - {id: large.tools, tools: [pay], when: args.amount > 10, effect: deny}\n"
    (here / "old" / "policy.yaml").write_text(POLICY + other)
    items = parsed("old", "new")["items"]
    assert [item["item"] for item in items] == ['rules."large.tools"', "rules.large.condition"]
    for item in items:
        entry = {"item": item["item"], "digest": item["digest"], "by": "ann", "reason": "agreed"}
        (here / "confirm.json").write_text(json.dumps([entry]))
        said = parsed("old", "new", "--confirm", "confirm.json")["items"]
        assert [one["item"] for one in said if one["confirmed"]] == [item["item"]]
        assert run("old", "new", "--confirm", "confirm.json").exit_code == 1


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"digest": "0" * 64}, "it was something else that was confirmed"),
        ({"item": "rules.small"}, "nothing of that name is relaxed or unproved"),
        ({"until": "2026-11-30"}, "it ended on 2026-11-30"),
    ],
)
def test_a_confirmation_of_something_else_or_of_another_time_counts_for_nothing(
    here: Path, changes: dict[str, Any], why: str
) -> None:
    result = run("old", "new", "--confirm", confirmed(here, **changes), "--now", "2026-12-01T10:00:00Z")
    assert result.exit_code == 1
    assert why in result.output
    assert "confirm.json:1:" in result.output


def test_a_confirmation_counts_through_its_last_day(here: Path) -> None:
    file = confirmed(here, until="2026-12-01")
    assert run("old", "new", "--confirm", file, "--now", "2026-12-01T23:59:59Z").exit_code == 0
    assert run("old", "new", "--confirm", file, "--now", "2026-12-02T00:00:00Z").exit_code == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"by": None}, "`by`"),
        ({"reason": None}, "`reason`"),
        ({"note": "x"}, "`note`"),
        ({"until": "soon"}, "soon"),
    ],
)
def test_a_confirmation_that_lacks_something_is_refused(
    here: Path, changes: dict[str, Any], said: str
) -> None:
    result = run("old", "new", "--confirm", confirmed(here, **changes))
    assert result.exit_code == 2
    assert said in result.output


def test_confirmations_are_a_list(here: Path) -> None:
    (here / "confirm.yaml").write_text("item: x\n")
    assert run("old", "new", "--confirm", "confirm.yaml").exit_code == 2
    assert run("old", "new", "--confirm", "none.yaml").exit_code == 2


# --- revisions -------------------------------------------------------------------------------------------------------


@pytest.fixture
def repository(here: Path) -> Path:
    """The same in a repository, with the old policy committed as `policies`."""
    (here / "old").rename(here / "policies")
    git("init", "-q")
    git("add", "policies")
    git("commit", "-qm", "old")
    (here / "policies" / "policy.yaml").write_text(LOOSER)
    return here


def test_a_revision_is_compared_with_what_lies_here(repository: Path) -> None:
    value = parsed("HEAD:policies", "policies")
    assert [item["item"] for item in value["items"]] == ["rules.large.condition"]
    assert parsed("HEAD:policies/policy.yaml", "policies")["items"] == value["items"]
    assert parsed("HEAD:policies", "main:policies")["verdict"] == "proved"
    assert parsed("HEAD:policies", "main:policies")["items"] == []


@pytest.mark.parametrize(
    ("below", "place"),
    [
        (".", "HEAD:policies"),
        (".", "HEAD:./policies"),
        (".", "HEAD:policies/policy.yaml"),
        (".", "HEAD:./policies/policy.yaml"),
        ("deep/er", "HEAD:policies"),
        ("deep/er", "HEAD:policies/policy.yaml"),
        ("deep/er", "HEAD:../../policies"),
        ("deep/er", "HEAD:../../policies/policy.yaml"),
        ("policies", "HEAD:policies"),
        ("policies", "HEAD:policies/policy.yaml"),
        ("policies", "HEAD:./"),
        ("policies", "HEAD:./policy.yaml"),
        ("policies/inner", "HEAD:../"),
        ("policies/inner", "HEAD:./../policy.yaml"),
    ],
)
def test_a_path_counts_from_the_root_and_with_a_dot_from_the_working_directory(
    repository: Path, monkeypatch: pytest.MonkeyPatch, below: str, place: str
) -> None:
    (repository / below).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(repository / below)
    value = parsed(place, str(repository / "policies"))
    assert [item["item"] for item in value["items"]] == ["rules.large.condition"]


def test_the_help_says_where_a_path_begins() -> None:
    text = " ".join(run("--help").output.split())
    assert "PATH is counted from the root of the repository, REV:./PATH from the working directory" in text


def test_a_directory_has_the_same_digest_in_a_revision(repository: Path) -> None:
    (repository / "policies" / "policy.yaml").write_text(POLICY)
    value = parsed("HEAD:policies", "policies")
    assert value["old"] == value["new"]


def test_messages_name_the_revision_and_the_file(repository: Path) -> None:
    (repository / "policies" / "policy.yaml").write_text("version: 1\nrules: [{id: x}]\n")
    git("commit", "-qam", "broken")
    for place in ("HEAD:policies", "HEAD:policies/"):
        result = run(place, "policies")
        assert result.exit_code == 2
        assert "HEAD:policies/policy.yaml:2:" in result.output
        assert "/tmp" not in result.output
    assert "HEAD:policies/policy.yaml:2:" in run("HEAD:policies/policy.yaml", "policies").output


def test_a_path_with_a_colon_that_is_there_wins(repository: Path) -> None:
    (repository / "HEAD:policies").write_text(STRICTER)
    assert parsed("HEAD:policies", "stricter")["items"] == []


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("nope:policies", "there is no revision `nope`"),
        ("HEAD:nope", "`HEAD` has no `nope`"),
        ("--output=x:policies", "`--output=x:policies` names no revision"),
        ("-h:policies", "`-h:policies` names no revision"),
        (":policies", "`:policies` names no revision"),
        ("HEAD^{commit}:policies:x", "`HEAD^{commit}` has no `policies:x`"),
    ],
)
def test_what_git_does_not_have_or_what_is_an_option_is_exit_2(
    repository: Path, place: str, said: str
) -> None:
    result = CliRunner().invoke(cli, ["diff", "--", place, "policies"])
    assert result.exit_code == 2
    assert f"error: {said}\n" in result.output
    assert not (repository / "x").exists()


@pytest.mark.parametrize("places", [("", "policies"), ("policies", ""), (" ", "policies")])
def test_an_empty_path_is_no_working_directory(repository: Path, places: tuple[str, str]) -> None:
    result = CliRunner().invoke(cli, ["diff", *places])
    assert (result.exit_code, "error: a path is empty\n" in result.output) == (2, True)


def test_outside_a_repository_a_revision_is_exit_2(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(here.parent))
    assert run("HEAD:policies", "new").exit_code == 2


def test_no_filter_hook_or_monitor_of_the_repository_runs(repository: Path) -> None:
    (repository / ".gitattributes").write_text("*.yaml filter=evil diff=evil export-subst\n")
    git("add", ".gitattributes")
    git("commit", "-qm", "attributes")
    for key, value in (
        ("filter.evil.smudge", "touch smudged; cat"),
        ("filter.evil.clean", "touch cleaned; cat"),
        ("core.fsmonitor", "touch monitored"),
        ("core.pager", "touch paged"),
        ("diff.evil.textconv", "touch converted"),
    ):
        git("config", key, value)
    for hook in (repository / ".git" / "hooks").glob("*"):
        hook.unlink()
    hook = repository / ".git" / "hooks" / "post-checkout"
    hook.write_text("#!/bin/sh\ntouch hooked\n")
    hook.chmod(0o755)
    assert run("HEAD:policies", "policies").exit_code == 1
    made = {path.name for path in repository.iterdir()}
    assert made.isdisjoint({"smudged", "cleaned", "monitored", "paged", "converted", "hooked"})


@pytest.mark.parametrize("target", ["../secret.yaml", "policy.yaml", "nowhere", "/etc"])
def test_links_in_a_revision_are_refused_and_never_followed(repository: Path, target: str) -> None:
    (repository / "secret.yaml").write_text(POLICY)
    (repository / "policies" / "link.yaml").symlink_to(target)
    git("add", "policies")
    git("commit", "-qm", "link")
    result = run("HEAD:policies", "stricter")
    assert result.exit_code == 2
    assert "HEAD:policies/link.yaml` is a link" in result.output


def test_a_hidden_policy_in_a_revision_is_refused_as_it_is_in_a_directory(repository: Path) -> None:
    (repository / "policies" / ".hidden.yaml").write_text(POLICY)
    git("add", "-A", "policies")
    git("commit", "-qm", "hidden")
    result = run("HEAD:policies", "stricter")
    assert result.exit_code == 2
    assert "is hidden" in result.output


def _object(kind: str, content: bytes) -> str:
    made = subprocess.run(
        ["git", "hash-object", "-t", kind, "-w", "--stdin", "--literally"],
        input=content,
        capture_output=True,
        check=True,
        timeout=60,
    )
    return made.stdout.decode().strip()


def test_objects_that_nobody_checked_write_nothing_outside(repository: Path) -> None:
    blob = bytes.fromhex(_object("blob", POLICY.encode()))
    outside = bytes.fromhex(_object("blob", str(repository / "target").encode()))
    inner = bytes.fromhex(_object("tree", b"100644 evil.yaml\0" + blob))
    (repository / "target").mkdir()
    link, folder = b"120000 a\0" + outside, b"40000 a\0" + inner
    inside_a = bytes.fromhex(_object("tree", b"120000 planted\0" + outside))
    trees = (
        b"40000 ..\0" + inner,
        link + folder,
        folder + link,
        link + b"40000 a\0" + inside_a,
        link + b"100644 a\0" + blob,
        b"100644 a.yaml\0" + blob + b"100644 a.yaml\0" + blob,
        b"100644 a/../b.yaml\0" + blob,
        b"100644 .\0" + blob,
        b"40000 .GIT\0" + inner,
        b"160000 module\0" + blob,
    )
    for content in trees:
        result = run(f"{_object('tree', content)}:", "stricter")
        assert result.exit_code == 2, result.output
        assert list((repository / "target").iterdir()) == []
    assert not list(repository.parent.glob("evil.yaml"))


def test_a_file_that_is_larger_than_a_policy_may_be_is_not_read(repository: Path) -> None:
    large = "#" * (8 * 1024 * 1024 + 1)
    (repository / "policies" / "large.yaml").write_text(large)
    (repository / "policies" / "notes.txt").write_text(large)
    git("add", "-A", "policies")
    git("commit", "-qm", "large")
    for place in ("HEAD:policies", "HEAD:policies/large.yaml"):
        result = run(place, "stricter")
        assert result.exit_code == 2
        assert "HEAD:policies/large.yaml` is larger than" in result.output
    git("rm", "-q", "policies/large.yaml")
    git("commit", "-qm", "small")
    assert run("HEAD:policies", "stricter").exit_code == 0


def test_more_files_than_the_loader_reads_are_refused(repository: Path) -> None:
    blob = bytes.fromhex(_object("blob", POLICY.encode()))
    tree = b"".join(b"100644 %04d.yaml\0" % number + blob for number in range(1001))
    result = run(f"{_object('tree', tree)}:", "stricter")
    assert result.exit_code == 2
    assert "holds more than 1000 policy files" in result.output


def test_what_git_puts_in_place_of_an_object_is_not_what_was_committed(repository: Path) -> None:
    before = parsed("HEAD:policies", "policies")
    blob = _object("blob", POLICY.encode())
    git("replace", blob, _object("blob", LOOSER.encode()))
    assert parsed("HEAD:policies", "policies") == before


def test_an_object_that_is_not_here_is_not_fetched(repository: Path) -> None:
    blob = _object("blob", POLICY.encode())
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    for key, value in (
        ("core.repositoryformatversion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.url", str(repository)),
        ("remote.origin.promisor", "true"),
        ("remote.origin.uploadpack", f"touch {repository / 'fetched'}; false"),
        ("protocol.file.allow", "always"),
    ):
        git("config", key, value)
    assert run("HEAD:policies", "policies").exit_code == 2
    assert not (repository / "fetched").exists()


def test_a_place_above_the_working_directory_is_read_and_one_above_the_repository_is_not(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = repository / "deep" / "er"
    below.mkdir(parents=True)
    (repository / "policies" / "policy.yaml").write_text(POLICY)
    monkeypatch.chdir(below)
    assert parsed("HEAD:../..", str(repository / "policies"))["items"] == []
    assert run("HEAD:../../..", str(repository / "policies")).exit_code == 2


def test_a_name_that_is_too_long_for_a_file_is_said_to_be(repository: Path) -> None:
    name = "n" * 300 + ".yaml"
    blob = bytes.fromhex(_object("blob", POLICY.encode()))
    tree = _object("tree", b"100644 " + name.encode() + b"\0" + blob)
    for place in (f"{tree}:", f"{tree}:{name}"):
        result = run(place, "stricter")
        assert result.exit_code == 2
        assert "file name too long" in result.output


def test_a_call_that_depends_on_the_moment_says_when(here: Path) -> None:
    text = POLICY + "  - {id: grant, tools: [pay], effect: allow, until: UNTIL}\n"
    (here / "old" / "policy.yaml").write_text(text.replace("UNTIL", "2027-05-31"))
    (here / "new" / "policy.yaml").write_text(text.replace("UNTIL", "2027-06-30"))
    (call,) = parsed("old", "new", "--now", "2026-12-01T12:00:00Z")["calls"]
    assert call["now"].startswith("2027-06-")
    assert f"  at         {call['now']}" in run("old", "new", "--now", "2026-12-01T12:00:00Z").output


def test_each_of_many_parts_that_are_weakened_alike_is_shown_or_said_to_be_left(here: Path) -> None:
    tools = "".join(
        f"  - {{name: t{n}, risk: LOW, permissions: [], parameters: {{type: object, required: [a], properties: {{a: {{type: integer}}}}}}}}\n"
        for n in range(45)
    )
    rules = "".join(f"  - {{id: r{n}, tools: [t{n}], when: args.a > 5, effect: deny}}\n" for n in range(45))
    text = (
        'version: 1\nagents: [{name: clerk, tools: ["t*"], tenants: [acme]}]\ntools:\n'
        + tools
        + "rules:\n"
        + rules
    )
    (here / "old" / "policy.yaml").write_text(text)
    (here / "new" / "policy.yaml").write_text(text.replace("args.a > 5", "args.a > 7"))
    value = parsed("old", "new")
    assert {one["direction"] for one in value["items"]} == {"relaxed"}
    assert len(value["calls"]) == 40
    assert len({cause for call in value["calls"] for cause in call["cause"]}) == 40
    assert "5 parts more may be shown by calls" in run("old", "new").output


def test_a_call_of_a_corpus_that_is_decided_more_permissively_relaxes_what_nobody_could_judge(
    here: Path,
) -> None:
    (here / "calls.jsonl").write_text(json.dumps({"id": "paid", "session": WHO, "call": CALL}))
    plain = ("old", "hidden", "--tries", "0")
    assert (parsed(*plain)["verdict"], run(*plain).exit_code) == ("unproved", 0)
    assert (
        parsed(*plain, "--corpus", "calls.jsonl")["verdict"],
        run(*plain, "--corpus", "calls.jsonl").exit_code,
    ) == (
        "relaxed",
        1,
    )
