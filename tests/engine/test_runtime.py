"""The edge: whatever goes wrong inside, the call does not run, and the answer says why."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.decision import Code, Decision, Effect, Finding
from gateway.diagnostic import PolicyError
from gateway.patterns import PACKS
from gateway.runtime import Gateway
from gateway.session import Session
from tests.engine.build import PAY, SHOP, gateway, session, with_rules

ANYTHING = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.binary(max_size=3)
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
GATE = gateway()


@settings(max_examples=300, deadline=None)
@given(ANYTHING, ANYTHING)
def test_before_never_raises(call: Any, who: Any) -> None:
    decision = GATE.before(call, who)
    assert decision.effect is Effect.DENY
    assert decision.message


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["search", "run", "sql", "write_file", "order_pay"]), ANYTHING)
def test_arguments_of_any_shape_are_answered(tool: str, arguments: Any) -> None:
    decision = GATE.before({"tool": tool, "arguments": arguments}, session())
    assert isinstance(decision, Decision)
    assert decision.code is not Code.POLICY_ERROR


@settings(max_examples=100, deadline=None)
@given(ANYTHING)
def test_listing_and_entry_never_raise(who: Any) -> None:
    assert GATE.tools(who).visible == ()
    assert GATE.entry(who).effect is Effect.DENY


def test_a_failure_of_our_own_refuses_and_says_so() -> None:
    def broken_clock() -> datetime:
        raise OSError("no clock")

    gate = Gateway(GATE._serving.engine, GATE.manifest, clock=broken_clock)
    decision = gate.before({"tool": "search", "arguments": {"query": "x"}}, session())
    assert (decision.effect, decision.code) == (Effect.DENY, Code.POLICY_ERROR)
    assert "no clock" in decision.detail
    assert "no clock" not in decision.message
    assert gate.tools(session()).visible == ()
    assert gate.entry(session()).code is Code.POLICY_ERROR


def test_a_decision_has_no_truth_value() -> None:
    decision = GATE.before({"tool": "search", "arguments": {"query": "x"}}, session())
    with pytest.raises(TypeError, match="proceeds"):
        bool(decision)


def test_typed_sessions_and_plain_ones_are_the_same() -> None:
    call = {"id": "c", "tool": "order_pay", "arguments": PAY}
    plain, typed = GATE.before(call, session()), GATE.before(call, Session.of(session()))
    assert (plain.effect, plain.code, plain.arguments) == (typed.effect, typed.code, typed.arguments)


def test_a_policy_without_agents_or_tools_is_not_ready() -> None:
    for text, codes in (
        ("version: 1\n", ["no-agents", "no-tools"]),
        ("version: 1\nagents: [{name: clerk, tools: ['*'], tenants: ['*']}]\n", ["no-tools"]),
        ("version: 1\ntools: [{name: search, risk: READ_ONLY, permissions: []}]\n", ["no-agents"]),
    ):
        gate = gateway(text)
        assert [diagnostic.code for diagnostic in gate.manifest.unready] == codes
        assert not gate.manifest.ready
        decision = gate.before({"tool": "search"}, session())
        assert (decision.effect, decision.code) == (Effect.DENY, Code.NOT_READY)
        assert gate.entry(session()).code is Code.NOT_READY
        assert gate.tools(session()).visible == ()


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("{id: r, tools: [search], when: '1 == 1', effect: deny}", "constant-condition"),
        ("{id: r, tools: [search], when: 'false', effect: ask}", "constant-condition"),
        ("{id: r, tools: [search], when: '\"a\" in []', effect: deny}", "constant-condition"),
        ("{id: r, tools: [search], when: 'tool.risk == \"HIGH\"', effect: deny}", "never-matches"),
        ("{id: r, tools: [search], unless: '!(tool.risk == \"HIGH\")', effect: deny}", "never-matches"),
    ],
)
def test_a_rule_that_can_never_match_is_not_ready(rule: str, code: str) -> None:
    gate = gateway(with_rules(rule))
    assert [d.code for d in gate.manifest.unready] == [code]
    assert gate.manifest.unready[0].span is not None
    decision = gate.before({"tool": "search", "arguments": {"query": "x"}}, session())
    assert decision.code is Code.NOT_READY
    for each in gate.manifest.unready:
        assert f"{each.message} (test.yaml:" in decision.detail


def test_a_rule_that_depends_on_the_tool_is_ready() -> None:
    gate = gateway(with_rules("{id: r, tools: ['*'], when: 'tool.risk == \"IRREVERSIBLE\"', effect: deny}"))
    assert gate.manifest.ready
    assert gate.before({"tool": "order_delete", "arguments": {"id": "1"}}, session()).rule == "r"


def test_load_takes_a_directory_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(SHOP)
    assert Gateway.load(tmp_path).manifest.files == 1
    (tmp_path / "b.yaml").write_text("version: 1\nrules: [{id: x}]\n")
    with pytest.raises(PolicyError):
        Gateway.load(tmp_path)
    with pytest.raises(PolicyError):
        Gateway.load(tmp_path / "missing")


def test_the_order_and_number_of_files_never_matter(tmp_path: Path) -> None:
    head, rules = (
        SHOP,
        'version: 1\nrules:\n  - {id: no, tools: [search], when: args.query == "x", effect: deny}\n',
    )
    for first, second in (("a.yaml", "b.yaml"), ("b.yaml", "a.yaml")):
        folder = tmp_path / first[0]
        folder.mkdir()
        (folder / first).write_text(head)
        (folder / second).write_text(rules)
        decision = Gateway.load(folder).before({"tool": "search", "arguments": {"query": "x"}}, session())
        assert decision.rule == "no"


def test_the_manifest_says_what_is_loaded() -> None:
    manifest = gateway(with_rules("{id: no, tools: [search], effect: deny, monitor: true}")).manifest
    assert (manifest.files, manifest.tools, manifest.agents, manifest.rules, manifest.skipped) == (
        1,
        14,
        3,
        1,
        0,
    )
    assert manifest.packs == PACKS
    assert "search" not in manifest.without_rule
    assert "web" in manifest.without_rule
    assert any("`beta`" in line for line in manifest.posture)
    assert any("`no`" in line for line in manifest.posture)


def test_the_gateway_guards_the_policies_that_it_was_loaded_from(tmp_path: Path) -> None:
    policies = tmp_path / "policies"
    policies.mkdir()
    (policies / "shop.yaml").write_text(SHOP)
    link = tmp_path / "innocent"
    link.symlink_to(policies)
    gate = Gateway.load(policies, clock=lambda: datetime(2026, 12, 1, tzinfo=UTC))
    who = session(cwd=str(tmp_path), roots=[str(tmp_path)])
    for command in (
        "rm policies/shop.yaml",
        "echo > policies/shop.yaml",
        "mv policies elsewhere",
        "sed -i s/deny/allow/ policies/shop.yaml",
        "rm innocent/shop.yaml",
        f"cd {policies} && tee shop.yaml",
        "chmod 777 ./policies/../policies/shop.yaml",
    ):
        decision = gate.before({"tool": "run", "arguments": {"command": command}}, who)
        assert (decision.effect, decision.code) == (Effect.DENY, Code.GUARD), command
    for path in (
        "policies/shop.yaml",
        str(policies / "new.yaml"),
        "innocent/shop.yaml",
        "x/../policies/shop.yaml",
    ):
        decision = gate.before({"tool": "write_file", "arguments": {"path": path}}, who)
        assert (decision.effect, decision.code) == (Effect.DENY, Code.GUARD), path
    for command in ("cat policies/shop.yaml", "git add policies", "grep -r deny policies", "ls policies"):
        decision = gate.before({"tool": "run", "arguments": {"command": command}}, who)
        assert decision.proceeds, (command, decision.detail)


def test_host_settings_are_guarded_in_every_workspace(tmp_path: Path) -> None:
    (tmp_path / "shop.yaml").write_text(SHOP)
    gate = Gateway.load(tmp_path / "shop.yaml")
    who = session()
    for path in (
        ".claude/settings.json",
        "/home/dev/shop/.claude/settings.local.json",
        "/home/dev/.claude/settings.json",
    ):
        decision = gate.before({"tool": "write_file", "arguments": {"path": path}}, who)
        assert decision.code is Code.GUARD, path
    removed = gate.before({"tool": "run", "arguments": {"command": "rm ~/.claude/settings.json"}}, who)
    assert removed.code is Code.GUARD
    assert gate.before({"tool": "write_file", "arguments": {"path": "src/settings.json"}}, who).proceeds


def test_no_rule_lifts_the_guard_and_nothing_monitors_it(tmp_path: Path) -> None:
    text = with_rules("{id: grant, tools: ['*'], effect: allow}").replace(
        "confirm_from: HIGH", "confirm_from: HIGH\n  monitor_until: 2027-01-01"
    )
    (tmp_path / "shop.yaml").write_text(text)
    gate = Gateway.load(tmp_path / "shop.yaml", clock=lambda: datetime(2026, 12, 1, tzinfo=UTC))
    decision = gate.before(
        {"tool": "write_file", "arguments": {"path": str(tmp_path / "shop.yaml")}}, session()
    )
    assert (decision.effect, decision.code) == (Effect.DENY, Code.GUARD)


def test_decisions_can_be_sent_to_another_process() -> None:
    decision = GATE.before({"tool": "order_pay", "arguments": PAY}, session())
    assert pickle.loads(pickle.dumps(decision)) == decision  # noqa: S301


class _Unruly(dict[str, Any]):
    """A mapping that fails in whatever is asked of it."""

    def get(self, *_: Any) -> Any:
        raise RuntimeError("no")

    def keys(self) -> Any:
        raise _Unprintable


class _Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("not even this")


def test_objects_that_fail_in_every_way_are_refused() -> None:
    assert GATE.before(_Unruly(tool="search"), session()).effect is Effect.DENY
    assert GATE.before({"tool": "search"}, _Unruly()).effect is Effect.DENY
    assert GATE.tools(_Unruly()).visible == ()
    assert GATE.entry(_Unruly()).effect is Effect.DENY


@pytest.mark.parametrize("finding", ["deny", Finding("deny", Code.RULE, "r"), None])  # type: ignore[arg-type]
def test_a_finding_that_is_none_is_refused(finding: Any) -> None:
    decision = GATE.before({"tool": "search", "arguments": {"query": "x"}}, session(), [finding])
    assert (decision.effect, decision.code) == (Effect.DENY, Code.POLICY_ERROR)


@pytest.mark.parametrize("name", ["x" * 5_000_000, "a/" * 1000, "\ud800", "t\x1b[2J", "\u202egnp"])
def test_odd_names_are_refused_in_few_clean_words(name: str) -> None:
    for key in ("tool", "id", "server"):
        call = {"tool": "search", "arguments": {"query": "x"}, key: name}
        decision = GATE.before(call, session())
        for text in (decision.message, decision.detail, decision.tool):
            assert len(text) < 2000
            assert text.isprintable()


def test_every_decision_can_be_copied_and_sent() -> None:
    import copy
    import dataclasses

    who = Session.of(session())
    assert pickle.loads(pickle.dumps(who)) == who == copy.deepcopy(who)  # noqa: S301
    calls: list[dict[str, Any]] = [
        {"tool": "zz"},
        {"tool": "order_delete", "arguments": {"id": "1"}},
        {"tool": "order_pay", "arguments": {}},
        {"tool": "run", "arguments": {"command": "rm -rf /"}},
    ]
    for call in calls:
        decision = GATE.before(call, who)
        assert pickle.loads(pickle.dumps(decision)) == decision == copy.deepcopy(decision)  # noqa: S301
        assert dataclasses.asdict(decision)["code"] == decision.code


def test_who_asks_comes_before_what_is_asked() -> None:
    unreadable = {"tool": "search", "bogus": 1}
    assert GATE.before(unreadable, None).code is Code.NO_IDENTITY
    assert GATE.before(unreadable, session(agent="ghost")).code is Code.AGENT_DISABLED
    assert GATE.before(unreadable, session()).code is Code.ARGUMENTS_UNREADABLE


def test_what_a_session_holds_is_not_told_to_the_model() -> None:
    decision = GATE.before({"tool": "search"}, {**session(), "modes": {"web": "s3cret"}})
    assert "s3cret" in decision.detail
    assert "s3cret" not in decision.message


def test_an_empty_path_is_no_policy() -> None:
    with pytest.raises(PolicyError):
        Gateway.load("")


def test_explaining_survives_what_deciding_survives() -> None:
    def broken_clock() -> datetime:
        raise OSError("no clock")

    gate = Gateway(GATE._serving.engine, GATE.manifest, clock=broken_clock)
    assert gate.explain({"tool": "search"}, session()).decision.code is Code.POLICY_ERROR
    assert GATE.explain({}, session()).decision.code is Code.ARGUMENTS_UNREADABLE


def test_the_posture_names_each_weaker_setting_and_no_other() -> None:
    def weak(settings: str) -> tuple[str, ...]:
        return gateway(f"version: 1\nsettings: {{{settings}}}\n").manifest.posture

    assert weak("confirm_from: LOW") == ()
    assert weak(f"confirm_from: LOW, packs: [{', '.join(reversed(PACKS))}]") == ()
    (one,) = weak(f"confirm_from: LOW, packs: [{', '.join(pack for pack in PACKS if pack != 'database')}]")
    assert one == "pattern packs are off: database (`packs`)"
    (one,) = weak("confirm_from: HIGH")
    assert one == "calls below risk HIGH are not confirmed (`confirm_from`)"
    (one,) = weak("confirm_from: LOW, monitor_until: 2027-01-01")
    assert one.startswith("rules and patterns are only watched until 2027-01-01")
    assert weak("confirm_from: LOW, switches: {a: true, b: false}") == ("the switch `a` is on (`switches`)",)
    (one,) = weak("confirm_from: LOW, unknown_tools: abstain")
    assert one.startswith("tools that the catalogue lacks are left to the host")


def test_a_grant_of_what_cannot_be_undone_is_posture_unless_it_ends() -> None:
    rule = "{id: grant, tools: ['*'], when: 'session.can_ask', effect: allow}"
    (line,) = [line for line in gateway(with_rules(rule)).manifest.posture if "grant" in line]
    assert "`order_delete`" in line
    assert "`order_purge`" in line
    assert "`search`" not in line
    ending = rule.replace("effect: allow", "effect: allow, until: 2027-01-31")
    assert not [line for line in gateway(with_rules(ending)).manifest.posture if "grant" in line]
