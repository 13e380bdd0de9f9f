"""A policy from the cache is the policy: the same decisions, listings, reviews, figures and failures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from gateway import Cache, Gateway, OnRelaxation, PolicyError
from gateway.testing import Case, load_cases
from tests.cache.loading import NOW, SESSION, TOOLS, Place, call, decide, kept, made

ROOT = Path(__file__).parents[2]
WITH_TESTS = sorted(
    {path.parent for where in ("policies", "examples") for path in (ROOT / where).rglob("*.test.y*ml")}
)
WITHOUT = [ROOT / "tests/data/checks/clean.yaml", *sorted((ROOT / "tests/data/engine/noted").rglob("*.yaml"))]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return made(tmp_path)


class At:
    """A clock that stands where the case says."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> Any:
        return self.now


def both(path: Path, directory: Path) -> tuple[Gateway, Gateway, At]:
    """A gateway that was compiled and one of which nothing was, under one clock."""
    clock = At()
    compiled = Gateway.load(path, clock=clock)
    Gateway.load(path, cache=Cache(directory))
    cached = Gateway.load(path, cache=Cache(directory), clock=clock)
    assert kept(cached)
    assert not kept(compiled)
    for gateway in (compiled, cached):
        gateway._nonces = lambda: "nonce"
    return compiled, cached, clock


def asked(gateway: Gateway, case: Case) -> Iterator[Any]:
    """Everything that a gateway says about a case, without what is new each time."""
    yield gateway.tools(case.session)
    yield gateway.shapes(case.session)
    yield replace(gateway.entry(case.session), id="", call_id="")
    if case.call is not None:
        call = {"id": "call-1", **case.call}
        decision = gateway.before(call, case.session)
        yield replace(decision, id="")
        yield replace(gateway.before_unlisted(call, case.session), id="")
        explanation = gateway.explain(call, case.session)
        yield replace(explanation, decision=replace(explanation.decision, id=""))
        result = (
            case.result
            if case.result is not None
            else {"items": [{"password": "p"}], "text": "a@example.org"}
        )
        yield replace(gateway.after(call, case.session, result), id="")
        yield replace(gateway.after(call, case.session, result, decision), id="")


@pytest.mark.parametrize("path", WITH_TESTS, ids=lambda path: path.name)
def test_every_case_of_our_policies_is_answered_alike(path: Path, tmp_path: Path) -> None:
    compiled, cached, clock = both(path, tmp_path / "kept")
    assert cached.manifest == compiled.manifest
    cases = load_cases(path)
    assert cases
    for case in cases:
        clock.now = case.now or NOW
        assert list(asked(cached, case)) == list(asked(compiled, case)), case.place
        clock.now += timedelta(days=3650)  # what ends has ended
        assert list(asked(cached, case)) == list(asked(compiled, case)), case.place


def test_there_are_policies_with_cases() -> None:
    assert {"platform", "coding-agent"} <= {path.name for path in WITH_TESTS}


@pytest.mark.parametrize("path", WITHOUT, ids=lambda path: path.name)
def test_every_tool_of_other_policies_is_the_same(path: Path, tmp_path: Path) -> None:
    compiled, cached, _ = both(path, tmp_path / "kept")
    assert cached.manifest == compiled.manifest
    for name, tool in compiled._serving.engine.tools.items():
        other = cached._serving.engine.tools[name]
        assert (other.view, other.schema, other.permissions, other.reads, other.resource) == (
            tool.view,
            tool.schema,
            tool.permissions,
            tool.reads,
            tool.resource,
        )
        assert [rule.id for rule in other.rules] == [rule.id for rule in tool.rules]


def test_the_guard_is_that_of_the_process_and_not_of_the_form(place: Place) -> None:
    audit = place.root / "audit.jsonl"
    place.load()
    without = place.load()
    assert kept(without)
    assert decide(without, "save", path=str(audit)).proceeds
    guarding = place.load(audit=audit)
    assert kept(guarding)
    for tool, arguments in (("save", {"path": str(audit)}), ("run", {"command": f"rm {audit}"})):
        decision = decide(guarding, tool, **arguments)
        assert decision.code.value == "GUARD", decision
    for guarded in (place.user, place.project / "rules.yaml", place.policies / "tools.yaml"):
        assert decide(without, "save", path=str(guarded)).code.value == "GUARD"


def test_the_users_own_cache_is_guarded_where_the_environment_moves_it(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(place.root / "moved"))
    place.load()
    gateway = place.load()
    assert kept(gateway)
    for command in ("cat", "rm", "cp x"):
        decision = decide(gateway, "run", command=f"{command} {place.root}/moved/gatewayctl/key")
        assert decision.code.value == "GUARD", decision


TIMED = """
version: 1
rules:
  - {id: for-a-while, tools: [pay], when: args.amount < 10, effect: allow, until: 2026-12-31}
  - {id: soon, tools: [run], when: "args.command == 'make'", effect: deny, monitor: true, until: 2026-12-31}
overrides:
  - {tenant: acme, tools: [save], enabled: false, reason: a freeze}
"""


def test_what_ends_is_judged_when_a_call_is_decided(place: Place) -> None:
    (place.policies / "timed.yaml").write_text(TIMED)
    place.load()
    clock = At()
    gateway = place.load(clock=clock)
    assert kept(gateway)
    assert decide(gateway, "pay", amount=5).basis.value == "rule"
    assert decide(gateway, "run", command="make").monitored
    assert not decide(gateway, "save", path="/home/dev/shop/a").proceeds
    clock.now += timedelta(days=60)
    assert decide(gateway, "pay", amount=5).basis.value == "default"
    assert decide(gateway, "run", command="make").rule == "soon"


RELAXING = """
version: 1
overrides:
  - {tenant: beta, tools: [pay], permissions: [], reason: pilot, until: 2026-12-31, confirm: {by: cfo, at: 2026-11-30, digest: "DIGEST"}}
"""


def relaxing(place: Place) -> None:
    path = place.policies / "relaxing.yaml"
    path.write_text(RELAXING)
    with pytest.raises(PolicyError) as refused:
        place.load()
    (said,) = refused.value.diagnostics
    path.write_text(RELAXING.replace("DIGEST", said.help.split("`")[1]))


def test_a_confirmed_relaxation_is_recorded_once_however_it_is_loaded(place: Place) -> None:
    relaxing(place)
    audit = place.root / "audit.jsonl"
    assert not kept(place.load(audit=audit))
    assert kept(place.load(audit=audit))
    assert kept(place.load(audit=audit))
    rows = [json.loads(line) for line in audit.read_text().splitlines()]
    assert [
        (row["tenant"], row["tool"], row["operator_name"], row["enforcement_changes"]) for row in rows
    ] == [("beta", "pay", "cfo", True)]
    other = place.root / "other.jsonl"
    assert kept(place.load(audit=other))
    (row,) = [json.loads(line) for line in other.read_text().splitlines()]
    assert row == {**rows[0], "at": row["at"]}


def test_a_relaxation_without_an_audit_file_is_refused_however_it_is_loaded(place: Place) -> None:
    relaxing(place)
    place.load(audit=place.root / "audit.jsonl")
    for _ in range(2):
        with pytest.raises(PolicyError, match="no audit file"):
            place.load()
    assert kept(
        place.load(clock=lambda: NOW + timedelta(days=60))
    )  # it has ended, so there is nothing to record


def test_a_policy_that_is_not_ready_refuses_alike(place: Place) -> None:
    (place.policies / "more.yaml").write_text(
        "version: 1\nrules: [{id: always, tools: [pay], when: 1 < 2, effect: deny}]\n"
    )
    compiled = place.load()
    cached = place.load()
    assert kept(cached)
    assert cached.manifest == compiled.manifest
    assert not cached.manifest.ready
    one, other = (replace(decide(each, "pay", amount=1), id="") for each in (compiled, cached))
    assert one == other
    assert one.code.value == "NOT_READY"


def test_a_policy_with_errors_says_them_each_time_and_is_not_kept(place: Place) -> None:
    (place.policies / "wrong.yaml").write_text(
        "version: 1\nrules: [{id: a, tools: [pay], when: args.amont > 1, effect: deny}]\n"
    )
    said = []
    for _ in range(2):
        with pytest.raises(PolicyError) as refused:
            place.load()
        said.append(str(refused.value))
    assert said[0] == said[1]
    assert not place.forms


def test_a_gateway_from_the_cache_reloads_and_compares_with_what_it_serves(place: Place) -> None:
    place.load()
    gateway = place.load()
    assert kept(gateway)
    (place.policies / "below" / "rules.yaml").write_text(
        "version: 1\nrules: [{id: large, tools: [pay], when: args.amount > 5000, effect: deny, message: Too much.}]\n"
    )
    with pytest.raises(PolicyError, match="relaxes the policy"):
        gateway.reload()
    assert not decide(gateway, "pay", amount=2000).proceeds
    (change,) = gateway.reload(on_relaxation=OnRelaxation.WARN)
    assert change.relaxed
    assert decide(gateway, "pay", amount=2000).proceeds


def test_what_a_call_has_wrong_is_told_alike(place: Place) -> None:
    compiled = place.load()
    cached = place.load()
    calls = [
        call("pay", amount="1"),
        call("pay", amont=1),
        call("pay", amount=5.5),
        call("pay", amount=1001),
        call("lost"),
        call("run", command=""),
        call("run", command="r''m -rf /srv"),
        call("run", command="deploy"),
        call("run", command="drop"),
        {"id": "call-1", "tool": "pay", "arguments": '{"amount": 1, "amount": 2}'},
    ]
    for each in calls:
        one, other = (gateway.explain(each, SESSION) for gateway in (compiled, cached))
        assert replace(one, decision=replace(one.decision, id="")) == replace(
            other, decision=replace(other.decision, id="")
        )


def test_a_policy_that_can_not_be_written_down_is_served_all_the_same(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Any) -> bytes:
        raise RecursionError

    monkeypatch.setattr("gateway.cache.packed.packed", fail)
    cache = place.cache()
    assert not decide(place.load(cache), "pay", amount=2000).proceeds
    assert (cache.notes, place.forms) == ([], [])


def test_a_form_that_can_not_be_read_back_is_compiled(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.load()
    (form,) = place.forms

    def fail(*_: Any) -> Any:
        raise AttributeError("there is no such class")

    monkeypatch.setattr("gateway.cache.packed.unpacked", fail)
    cache = place.cache()
    assert not kept(place.load(cache))
    assert (cache.notes, place.forms) == ([], [form])


def test_the_whole_policy_stands_in_one_text_too(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(TOOLS)
    cache = Cache(tmp_path / "kept")
    Gateway.load(path, cache=cache)
    assert kept(Gateway.load(path, cache=cache))


WATCHED = """
version: 1
settings: {confirm_from: IRREVERSIBLE, monitor_until: 2026-12-31}
agents: [{name: helper, tools: ["*"], tenants: [acme]}]
tools:
  - {name: read, risk: READ_ONLY, permissions: []}
  - name: meta
    risk: LOW
    permissions: []
    wraps: {tool: args.tool, arguments: args.input}
    parameters: {type: object, required: [tool, input], properties: {tool: {type: string}, input: {type: object, additionalProperties: true}}}
rules:
  - {id: never, tools: [read], when: session.can_ask, effect: deny}
results:
  - {id: no-secrets, tools: ["*"], redact: [{detector: secrets}, {field: "**.password"}]}
"""


def test_settings_that_only_watch_do_so_until_their_day(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(WATCHED)
    _, cached, clock = both(path, tmp_path / "kept")
    assert decide(cached, "read").proceeds
    assert [finding.rule for finding in decide(cached, "read").monitored] == ["never"]
    clock.now += timedelta(days=60)
    assert decide(cached, "read").rule == "never"


def test_what_one_entry_blanks_out_for_several_tools_stays_one_thing(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(WATCHED)
    compiled, cached, _ = both(path, tmp_path / "kept")
    result = {"password": "hunter-2", "token": "ghp_0123456789abcdefghijABCDEFGHIJ012345"}
    wrapping = {"id": "call-1", "tool": "meta", "arguments": {"tool": "read", "input": {}}}
    one, other = (replace(each.after(wrapping, SESSION, result), id="") for each in (compiled, cached))
    assert one == other
    engine = cached._serving.engine
    (outer,), (inner,) = engine.tools["meta"].results, engine.tools["read"].results
    (unlisted,) = engine.unlisted_results
    for several in zip(outer.redactions, inner.redactions, unlisted.plan.redactions, strict=True):
        assert len(set(several)) == 1
