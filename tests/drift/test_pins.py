"""Pins: read with the policy, and held against what a server lists before its tools are called. Row A17."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway import Code, Gateway, PolicyError
from gateway.cache import Cache
from gateway.diff import Verdict, changes, confirmed_in, verdict
from gateway.drift import Status, compare, digests_of, read_list
from gateway.drift.pinning import FILE, Acceptance, PinnedTool, pins_text
from gateway.load import load_text
from gateway.relaxation import Direction
from gateway.risk import RiskLevel
from gateway.sources import sources_of
from gateway.testing import load
from tests.drift.github import CALL, GET, POLICY, PRS, SESSION, answer, changed, write_policies
from tests.reference import PAGE, shown

HEAD = "version: 1\n"


def errors(folder: Path) -> list[tuple[str, str]]:
    with pytest.raises(PolicyError) as error:
        load(folder)
    return [(one.code, one.message) for one in error.value.diagnostics]


# --- the file --------------------------------------------------------------------------------------------------------

ODD = "ab \"\\'\n\t\r #:-{}[]&*!|>%@`\u200b\u200d\ufe0f\U000e0041\x85\u2028\x1b\x7f\xa0é\U0001f600\ufeff~\uffff?,"
TEXTS = st.one_of(
    st.text(st.sampled_from(ODD), max_size=12),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12),
    st.sampled_from(["null", "true", "1", "~", "2026-01-01", "- x", "a: b", " \n  x"]),
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(-1.5, 1.5).map(abs) | TEXTS,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(TEXTS, below, max_size=3),
    max_leaves=12,
)
OBJECTS = st.dictionaries(TEXTS, VALUES, max_size=3)


@given(TEXTS, TEXTS, VALUES, OBJECTS, OBJECTS)
def test_whatever_a_server_says_is_read_again_as_it_was_written(
    title: str, description: str, value: Any, output: Any, annotations: Any
) -> None:
    schema = {"type": "object", "examples": [value], "properties": {"x": {"description": description}}}
    tool = changed(
        title=title, description=description, inputSchema=schema, outputSchema=output, annotations=annotations
    )
    listed = [*read_list(answer(tool, {**tool, "name": "other"}), "github").tools.values()]
    accepted = Acceptance("ann: #1", date(2026, 11, 30), 'so "be" it\n', "0a")
    text = pins_text(PinnedTool(each, accepted) for each in listed)
    pins = load_text(text).pins
    assert [pin.listed for pin in pins] == listed
    assert [pin.digest for pin in pins] == [each.digest for each in listed]
    assert pins[0].accepted is not None
    assert (pins[0].accepted.by, pins[0].accepted.reason) == (accepted.by, accepted.reason)
    assert pins_text(PinnedTool(each, accepted) for each in reversed(listed)) == text
    assert all(line.isprintable() for line in text.splitlines())


def test_a_pin_that_was_changed_by_hand_is_an_error(tmp_path: Path) -> None:
    folder = write_policies(tmp_path / "p", GET)
    file = folder / FILE
    file.write_text(file.read_text().replace("Get an issue.", "Get any issue."))
    assert errors(folder) == [("wrong-value", "the pin of `github/get_issue` is not what its digest says")]


@pytest.mark.parametrize(
    ("pins", "code"),
    [
        ("pins: [{tool: get, digest: x, input: {type: object}}]", "wrong-value"),
        ("pins: [{tool: github/get, digest: x, input: {type: array}}]", "wrong-value"),
        ("pins: [{tool: github/get, digest: x}]", "missing-key"),
        ("pins: [{tool: github/get, digest: x, input: {type: object}, more: 1}]", "unknown-key"),
    ],
)
def test_a_pin_that_is_none_is_an_error(tmp_path: Path, pins: str, code: str) -> None:
    folder = write_policies(tmp_path / "p")
    (folder / "more.yaml").write_text(f"{HEAD}{pins}\n")
    assert code in {found for found, _ in errors(folder)}


def test_a_tool_is_pinned_once_and_of_a_server_that_is_declared(tmp_path: Path) -> None:
    folder = write_policies(tmp_path / "p", GET)
    (folder / "again.yaml").write_text((folder / FILE).read_text())
    assert errors(folder) == [("duplicate-name", "the tool `github/get_issue` is pinned twice")]
    (folder / "again.yaml").unlink()
    (folder / "policy.yaml").write_text(POLICY.replace("name: github,", "name: gitlab,"))
    assert ("unknown-name", "no server is called `github`") in errors(folder)


def test_a_lower_layer_has_no_pins(tmp_path: Path) -> None:
    write_policies(tmp_path / "p", GET)
    below = tmp_path / "below.yaml"
    (tmp_path / "p" / FILE).rename(below)
    with pytest.raises(PolicyError) as error:
        load(tmp_path / "p", below)
    assert [one.code for one in error.value.diagnostics] == ["lower-layer"]


def test_pins_that_hold_nobody_are_told(tmp_path: Path) -> None:
    text = POLICY.replace(", pinned: true", "")
    loaded = load(write_policies(tmp_path / "p", GET, text=text))
    assert "the pins of `github` refuse nothing" in [
        one.message for one in loaded.gateway.manifest.not_in_force
    ]
    assert loaded.gateway.before(CALL, SESSION).code is Code.ALLOWED
    unpinned = load(write_policies(tmp_path / "q"))
    assert "the tool `github/get_issue` has no pin, so all of its calls are refused" in [
        one.message for one in unpinned.gateway.manifest.not_in_force
    ]


def notes(folder: Path) -> list[tuple[str, str, str]]:
    """What is told of servers and pins, each with the file in which it stands and the text there."""
    found = load(folder).compiled.diagnostics
    assert all(one.span is not None for one in found)
    return [(one.code, Path(one.span.place).name if one.span else "", one.message) for one in found]


@pytest.mark.parametrize(
    ("server", "told"),
    [
        ('tools: ["*"], pinned: true', ""),
        ('tools: ["get_*"], pinned: true', "`tools` of the server `github` is not in force: it is"),
        (
            'tools: ["*"], risk: LOW, permissions: [], pinned: true',
            "`risk` and `permissions` of the server `github` are not in force: they are",
        ),
        (
            'tools: ["*"], risk: LOW',
            "`tools` and `risk` of the server `github` are not in force: they are",
        ),
    ],
)
def test_of_a_pinned_server_all_was_said_not_to_be_in_force(tmp_path: Path, server: str, told: str) -> None:
    text = POLICY.replace('tools: ["*"], pinned: true', server)
    found = notes(write_policies(tmp_path / "p", GET, text=text))
    said = [message for code, _, message in found if "of the server" in message]
    assert said == ([f"{told} not built yet"] if told else [])


def test_a_missing_pin_was_told_without_a_place(tmp_path: Path) -> None:
    (told,) = notes(write_policies(tmp_path / "p"))
    assert told == (
        "no-pin",
        "policy.yaml:3:18",
        "the tool `github/get_issue` has no pin, so all of its calls are refused",
    )


def test_pins_of_tools_that_are_not_declared_were_passed_over(tmp_path: Path) -> None:
    (one,) = notes(write_policies(tmp_path / "p", GET, PRS))
    assert one[0] == "not-in-force"
    assert one[1].startswith(FILE)
    assert one[2] == "the pin of `github/list_prs` lets nothing be called: `tools` does not declare it"
    (two,) = notes(write_policies(tmp_path / "q", GET, PRS, {**PRS, "name": "more"}))
    assert two[2] == (
        "the pin of `github/list_prs` and 1 more of `github` lets nothing be called: "
        "`tools` does not declare them"
    )


# --- what is decided -------------------------------------------------------------------------------------------------


def test_a_tool_is_called_only_as_it_is_pinned(tmp_path: Path) -> None:
    gate = Gateway.load(write_policies(tmp_path / "p", GET))

    def said() -> tuple[Code, str]:
        decision = gate.before(CALL, SESSION)
        hidden = {one.name: one.reason for one in gate.tools(SESSION).hidden}
        assert ("github/get_issue" in hidden) is not decision.proceeds
        if not decision.proceeds:
            assert decision.outside_code == "TOOL_NOT_FOUND"
            assert decision.findings[0].reason == f"pin: {hidden['github/get_issue']}"
        return decision.code, hidden.get("github/get_issue", "")

    assert said() == (Code.TOOL_CHANGED, "the host has not said what the pinned server `github` lists")
    assert gate.listed("github", answer(GET, PRS)) == {
        "github/get_issue": Status.KNOWN,
        "github/list_prs": Status.NEW,
    }
    assert said() == (Code.ALLOWED, "")
    assert said() == (Code.ALLOWED, "")  # also where it is answered without the steps
    assert gate.listed("github", json.dumps(answer(changed(description="Other."), PRS))) == {
        "github/get_issue": Status.CHANGED,
        "github/list_prs": Status.NEW,
    }
    assert said() == (Code.TOOL_CHANGED, "the tool `github/get_issue` is not the one that was pinned")
    gate.listed("github", answer(GET))
    assert said()[0] is Code.ALLOWED
    assert gate.listed("github", answer(PRS)) == {
        "github/get_issue": Status.GONE,
        "github/list_prs": Status.NEW,
    }
    assert said() == (Code.TOOL_CHANGED, "the server `github` lists no tool `github/get_issue` now")
    gate.listed("github", answer(GET, GET))
    assert said()[0] is Code.TOOL_CHANGED
    gate.listed("github", answer(GET))
    assert said()[0] is Code.ALLOWED


def test_a_list_that_can_not_be_used_lets_nothing_be_called(tmp_path: Path) -> None:
    gate = Gateway.load(write_policies(tmp_path / "p", GET))
    gate.listed("github", answer(GET))
    assert gate.before(CALL, SESSION).code is Code.ALLOWED
    with pytest.raises(PolicyError):
        gate.listed("github", "no list")
    assert gate.before(CALL, SESSION).code is Code.TOOL_CHANGED


def test_what_one_server_lists_says_nothing_of_another(tmp_path: Path) -> None:
    gate = Gateway.load(write_policies(tmp_path / "p", GET))
    gate.listed("github", answer(GET))
    gate.listed("gitlab", answer(changed(description="Other.")))
    assert gate.before(CALL, SESSION).code is Code.ALLOWED


def test_a_tool_without_a_pin_is_refused_however_it_is_listed(tmp_path: Path) -> None:
    gate = Gateway.load(write_policies(tmp_path / "p", PRS))
    assert gate.listed("github", answer(GET, {"name": "get_issue2", "inputSchema": []})) == {
        "github/get_issue": Status.NEW,
        "github/get_issue2": Status.NEW,
    }
    decision = gate.before(CALL, SESSION)
    assert decision.code is Code.TOOL_CHANGED
    assert decision.detail.endswith("the tool `github/get_issue` of the pinned server `github` has no pin")


def test_a_pin_is_held_from_a_cache_and_with_a_store_as_well(tmp_path: Path) -> None:
    from gateway.stores import open_store

    folder = write_policies(tmp_path / "p", GET)
    cache = Cache(tmp_path / "cache")
    for _ in range(2):
        gate = Gateway.load(folder, cache=cache, store=open_store(f"sqlite://{tmp_path}/s/store.db"))
        for tool, code in ((GET, Code.ALLOWED), (changed(title="T"), Code.TOOL_CHANGED)):
            gate.listed("github", answer(tool))
            assert gate.before(CALL, SESSION).code is code


def test_a_reload_with_the_accepted_pin_takes_the_tool(tmp_path: Path) -> None:
    folder = write_policies(tmp_path / "p", GET)
    gate = Gateway.load(folder)
    new = changed(description="Other.")
    gate.listed("github", answer(new))
    assert gate.before(CALL, SESSION).code is Code.TOOL_CHANGED
    write_policies(folder, new)
    with pytest.raises(PolicyError):
        gate.reload()  # nobody said that the change was accepted
    assert gate.before(CALL, SESSION).code is Code.TOOL_CHANGED
    accept(folder, GET, new)
    gate.reload()
    assert gate.before(CALL, SESSION).code is Code.ALLOWED


def accept(folder: Path, old: Any, new: Any) -> None:
    """Write the pin of a tool that changed, and that somebody accepted."""
    was, now = (read_list(answer(each), "github").tools["github/get_issue"] for each in (old, new))
    accepted = Acceptance("ann", date(2026, 11, 30), "looked", was.digest)
    (folder / FILE).write_text(pins_text([PinnedTool(now, accepted)]))


def test_what_a_server_hints_at_raises_the_risk_of_a_pinned_tool(tmp_path: Path) -> None:
    destroys = changed(annotations={"destructiveHint": True})
    gate = Gateway.load(write_policies(tmp_path / "p", destroys))
    gate.listed("github", answer(destroys))
    decision = gate.before(CALL, {**SESSION, "can_ask": True})
    assert (decision.code, decision.effect.value) == (Code.CONFIRM, "ask")
    calm = changed(annotations={"readOnlyHint": True})
    text = POLICY.replace("risk: READ_ONLY\n", "risk: HIGH\n")
    loaded = load(write_policies(tmp_path / "q", calm, text=text))
    assert loaded.compiled.engine.tools["github/get_issue"].risk is RiskLevel.HIGH


def test_the_comparison_is_the_same_for_a_policy_and_its_engine(tmp_path: Path) -> None:
    loaded = load(write_policies(tmp_path / "p", GET, PRS))
    now = read_list(answer(GET, changed(name="new")), "github")
    assert compare(loaded.policy, now) == {
        "github/get_issue": Status.KNOWN,
        "github/list_prs": Status.GONE,
        "github/new": Status.NEW,
    }
    # The engine knows the pins of those tools that can be called.
    assert compare(loaded.compiled.engine, now) == {
        "github/get_issue": Status.KNOWN,
        "github/new": Status.NEW,
    }
    assert digests_of(loaded.compiled.engine).keys() == {"github/get_issue"}


def test_the_example_of_the_language_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_policies(tmp_path / "policies", GET)
    monkeypatch.chdir(tmp_path)
    exec(shown(PAGE.read_text(encoding="utf-8"), "listed"), {})  # noqa: S102
    assert capsys.readouterr().out == "github/get_issue gone\n"


# --- what a change relaxes -------------------------------------------------------------------------------------------


def judged(old: Path, new: Path) -> list[tuple[str, Direction, bool]]:
    sides = [sources_of(str(folder)).assemble() for folder in (old, new)]
    found = changes(*sides)
    agreed = confirmed_in(*sides)
    assert verdict(found) is not Verdict.UNPROVED
    return [(one.item, one.direction, one.item in agreed) for one in found]


def test_another_pin_relaxes_and_accepting_it_confirms_that(tmp_path: Path) -> None:
    old = write_policies(tmp_path / "old", GET)
    new = write_policies(tmp_path / "new", changed(description="Other."))
    item = "pins.github/get_issue.digest"
    assert judged(old, new) == [(item, Direction.RELAXED, False)]
    accept(new, GET, changed(description="Other."))
    assert judged(old, new) == [(item, Direction.RELAXED, True)]
    # It was accepted as a change of something else.
    third = write_policies(tmp_path / "third", changed(title="T"))
    assert judged(third, new) == [(item, Direction.RELAXED, False)]


def test_pins_that_come_and_go(tmp_path: Path) -> None:
    with_pin, without = write_policies(tmp_path / "a", GET), write_policies(tmp_path / "b")
    assert judged(without, with_pin) == [("pins.github/get_issue", Direction.RELAXED, False)]
    assert judged(with_pin, without) == [("pins.github/get_issue", Direction.TIGHTENED, False)]


def test_a_pinned_server_that_goes_relaxes(tmp_path: Path) -> None:
    pinned = write_policies(tmp_path / "a", GET)
    line = 'servers: [{name: github, tools: ["*"], pinned: true}]\n'
    assert line in POLICY
    gone = write_policies(tmp_path / "b", text=POLICY.replace(line, ""))
    assert ("servers.github", Direction.RELAXED, False) in judged(pinned, gone)
    loose = write_policies(tmp_path / "c", GET, text=POLICY.replace(", pinned: true", ""))
    assert ("servers.github.pinned", Direction.RELAXED, False) in judged(pinned, loose)


NO_TOOL = POLICY.replace("  - name: github/get_issue", "  - name: get_issue")


def test_a_decision_differs_by_a_server_only_where_its_tools_are_declared(tmp_path: Path) -> None:
    for name, text, enforced in (("with", POLICY, True), ("without", NO_TOOL, False)):
        (tmp_path / name).mkdir()
        line = 'servers: [{name: github, tools: ["*"], pinned: true}]\n'
        folders = [
            write_policies(tmp_path / name / "pinned", text=text),
            write_policies(tmp_path / name / "loose", text=text.replace(", pinned: true", "")),
            write_policies(tmp_path / name / "none", text=text.replace(line, "")),
        ]
        pinned, loose, none = (sources_of(str(folder)).assemble() for folder in folders)
        for old, new, item, direction in (
            (pinned, loose, "servers.github.pinned", Direction.RELAXED),
            (loose, pinned, "servers.github.pinned", Direction.TIGHTENED),
            (pinned, none, "servers.github", Direction.RELAXED),
            (none, pinned, "servers.github", Direction.TIGHTENED),
        ):
            (one,) = [one for one in changes(old, new) if one.item.startswith("servers.")]
            assert (one.item, one.direction, one.enforced) == (item, direction, enforced)
        (one,) = changes(none, loose)
        assert (one.item, one.direction, one.enforced) == ("servers.github", Direction.RELAXED, False)


def test_a_pin_of_a_tool_that_is_not_declared_takes_nothing_yet(tmp_path: Path) -> None:
    old = sources_of(str(write_policies(tmp_path / "a"))).assemble()
    new = sources_of(str(write_policies(tmp_path / "b", GET, PRS))).assemble()
    assert [(one.item, one.meaning, one.enforced) for one in changes(old, new)] == [
        ("pins.github/get_issue", "the tool is taken as it is pinned", True),
        (
            "pins.github/list_prs",
            "the tool is taken as it is pinned, once a pinned server's tool of that name is declared",
            False,
        ),
    ]


def test_a_rule_about_a_pinned_tool_is_shown_by_calls(tmp_path: Path) -> None:  # C2
    from datetime import UTC, datetime

    from gateway.diff import compare as compared

    rule = 'rules: [{id: few, tools: ["github/*"], when: args.number > 5, effect: deny}]\n'
    old = sources_of(str(write_policies(tmp_path / "a", GET, text=POLICY + rule))).assemble()
    text = POLICY + rule.replace("> 5", "> 50")
    new = sources_of(str(write_policies(tmp_path / "b", GET, text=text))).assemble()
    found = compared(old, new, now=datetime(2026, 12, 1, tzinfo=UTC))
    (shown,) = found.calls
    assert (shown.before.code, shown.after.code) == (Code.RULE, Code.ALLOWED)


def test_cases_take_a_pinned_server_at_its_pins(tmp_path: Path) -> None:
    loaded = load(write_policies(tmp_path / "p", GET))
    assert loaded.gateway.before(CALL, SESSION).code is Code.ALLOWED
    loaded = load(write_policies(tmp_path / "q", PRS))
    assert loaded.gateway.before(CALL, SESSION).code is Code.TOOL_CHANGED
