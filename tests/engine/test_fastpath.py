"""The fast path: it answers plain calls, always as the steps would, and leaves everything else to them."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway import Code, Gateway, ToolCall
from gateway.call import MAX_TEXT
from gateway.decision import Effect, Finding
from gateway.session import Session
from tests.engine.build import NOW, compiled, confirmed, gateway, said, session

SHOP = """version: 1
settings:
  confirm_from: HIGH
  types: {session.facts: {limit: int}}
agents: [{name: clerk, tools: ["*", "docs/*", "!unbound"], tenants: [acme, beta]}]
tools:
  - name: pay
    risk: MEDIUM
    permissions: ["order:pay"]
    parameters:
      type: object
      required: [amount, to]
      properties:
        amount: {type: number}
        to: {type: string}
        note: {type: [string, "null"]}
        urgent: {type: boolean}
        tags: {type: array, items: {type: string}}
        count: {type: integer}
  - {name: bare, risk: LOW, permissions: []}
  - {name: open, risk: LOW, permissions: [], parameters: {type: object, additionalProperties: true}}
  - {name: mixed, risk: LOW, permissions: [], parameters: {type: object, required: [m], properties: {m: {type: [boolean, integer, string]}, o: {type: [boolean, number, "null"]}}}}
  - {name: filled, risk: LOW, permissions: [], parameters: {type: object, properties: {n: {type: integer, default: 3}}}}
  - {name: risky, risk: HIGH, permissions: []}
  - {name: secret, risk: LOW, permissions: [], parameters: {type: object, properties: {pin: {type: string, x-sensitive: true}}}}
  - {name: shell, risk: LOW, permissions: [], parameters: {type: object, properties: {command: {type: string}}}, inspect: {command: shell}}
  - {name: row, risk: LOW, permissions: [], resource_permissions: ["row:{args.id}"], parameters: {type: object, required: [id], properties: {id: {type: string}}}}
  - {name: limited, risk: LOW, permissions: []}
  - {name: timed, risk: LOW, permissions: []}
  - {name: moded, mode: m, risk: LOW, permissions: []}
  - {name: writes, risk: LOW, permissions: []}
  - {name: unbound, risk: LOW, permissions: []}
  - {name: "docs/read", risk: LOW, permissions: []}
rules:
  - {id: of-facts, tools: [limited], when: session.facts.limit > 3, effect: deny}
  - {id: of-time, tools: [timed], when: 'now > timestamp("2030-01-01T00:00:00Z")', effect: deny}
"""
PAY = {"amount": 5, "to": "DE1"}


def seated(gate: Gateway, **changes: Any) -> Session:
    """A session that this gateway has seen often enough to know it."""
    who = Session.of(session(**changes))
    for _ in range(2):
        gate._serving.fast.answer({"tool": "bare", "arguments": {}, "id": "c"}, who)
    return who


def taken(gate: Gateway, who: Session, tool: str, arguments: Any, **more: Any) -> bool:
    """Whether the fast path answers a call, and if so as the steps do."""
    call = {"tool": tool, "arguments": arguments, "id": "c-1", **more}
    answer = gate._serving.fast.answer(call, who)
    if answer is not None:
        assert said(answer) == said(gate.before(call, copy.copy(who)))
        assert answer.call_id == "c-1"
    return answer is not None


def test_a_session_is_known_from_its_third_call_on() -> None:
    gate = gateway(SHOP)
    who = Session.of(session())
    call = {"tool": "pay", "arguments": PAY, "id": "c"}
    assert [gate._serving.fast.answer(call, who) is not None for _ in range(4)] == [False, False, True, True]


def test_ids_are_new_each_time() -> None:
    gate = gateway(SHOP)
    who = seated(gate)
    ids = {gate.before({"tool": "pay", "arguments": PAY, "id": "c"}, who).id for _ in range(100)}
    assert len(ids) == 100
    assert all(one.startswith("d-") and len(one) == 18 for one in ids)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("pay", PAY),
        ("pay", {**PAY, "amount": 5.5}),
        ("pay", {**PAY, "to": "Žofie"}),
        ("pay", {**PAY, "note": None, "urgent": True, "tags": ["a", "b"]}),
        ("bare", {}),
        ("open", {"x": {"y": [1, 2]}}),
        ("filled", {"n": 1}),
        ("docs/read", {}),
    ],
)
def test_plain_calls_take_it(tool: str, arguments: Any) -> None:
    gate = gateway(SHOP)
    assert taken(gate, seated(gate), tool, arguments)


def test_a_call_object_takes_it_too() -> None:
    gate = gateway(SHOP)
    who = seated(gate)
    assert gate._serving.fast.answer(ToolCall("pay", PAY, "c"), who) is not None
    assert gate._serving.fast.answer(ToolCall("read", {}, "c", server="docs"), who) is None
    assert gate._serving.fast.answer(ToolCall("pay", PAY, "c", iteration=1), who) is None


class Liar:
    """An object of a host that says it is a text, or an object."""

    def __init__(self, kind: type) -> None:
        self.kind = kind

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return self.kind

    def isascii(self) -> bool:
        return True

    def __len__(self) -> int:
        return 1

    def __contains__(self, part: object) -> bool:
        return False

    def items(self) -> tuple[()]:
        return ()


class Text(str):
    """A text of a host's own class."""

    __slots__ = ()


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("pay", {"amount": "5", "to": "DE1"}),
        ("pay", {"amount": 5}),
        ("pay", {**PAY, "amount": 5.0}),  # becomes 5, which is an obligation
        ("pay", {**PAY, "amount": float("nan")}),
        ("pay", {**PAY, "count": 2**63}),
        ("pay", {**PAY, "to": "a\0"}),
        ("pay", {**PAY, "to": "\ud800"}),
        ("pay", {**PAY, "to": "x" * (MAX_TEXT + 1)}),
        ("pay", {**PAY, "to": Text("DE1")}),
        ("pay", {**PAY, "to": Liar(str)}),
        ("pay", {**PAY, "amount": Liar(int)}),
        ("pay", Liar(dict)),
        ("pay", {**PAY, "other": 1}),
        ("pay", {Text("amount"): 5, "to": "DE1"}),
        ("pay", {"amount": 5, "to": "DE1", 1: 2}),
        ("pay", '{"amount": 5, "to": "DE1"}'),
        ("pay", [("amount", 5)]),
        ("pay", None),
        ("filled", {}),
        ("risky", {}),
        ("secret", {"pin": "1"}),
        ("shell", {"command": "ls"}),
        ("row", {"id": "1"}),
        ("limited", {}),
        ("timed", {}),
        ("moded", {}),
        ("nothing", {}),
    ],
)
def test_what_the_steps_have_to_look_at_does_not_take_it(tool: str, arguments: Any) -> None:
    gate = gateway(SHOP)
    who = seated(gate, facts={"limit": 1}, modes={"m": "on"})
    assert not taken(gate, who, tool, arguments)
    gate.before({"tool": tool, "arguments": arguments, "id": "c"}, who)  # the same three times more


def test_tools_without_rules_have_schemas_of_their_own() -> None:
    gate = gateway(SHOP)
    who = seated(gate)
    assert taken(gate, who, "bare", {})
    assert taken(gate, who, "filled", {"n": 1})
    for tool, other in (("bare", {"n": 1}), ("filled", {"n": "x"}), ("filled", {"amount": 5, "to": "x"})):
        assert not taken(gate, who, tool, other)
        assert gate.before({"tool": tool, "arguments": other, "id": "c"}, who).code is Code.ARGUMENT_INVALID


@pytest.mark.parametrize("call_id", ["", "x" * 257, 5, None])
def test_an_id_that_is_none_does_not_take_it(call_id: Any) -> None:
    gate = gateway(SHOP)
    assert not taken(gate, seated(gate), "pay", PAY, id=call_id)


def test_keys_that_a_call_has_not_are_left_to_the_steps() -> None:
    gate = gateway(SHOP)
    who = seated(gate)
    assert not taken(gate, who, "pay", PAY, server="docs")
    assert gate._serving.fast.answer({"tool": "pay", "args": PAY, "id": "c"}, who) is None


def test_names_that_a_model_makes_up_are_not_kept() -> None:
    gate = gateway(SHOP)
    who = seated(gate)
    for number in range(100):
        gate.before({"tool": f"no-{number}", "arguments": {}, "id": "c"}, who)
    (seat,) = who.seats.values()
    assert set(seat.lanes) <= set(gate._serving.engine.tools)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"subject": {"permissions": []}}, Code.PERMISSION_DENIED),
        ({"subject": {"authenticated": False}}, Code.NO_IDENTITY),
        ({"subject": None}, Code.NO_IDENTITY),
        ({"tenant": "beta"}, Code.CROSS_TENANT),
        ({"tenant": "other", "subject": {"tenant": "other"}}, Code.AGENT_DISABLED),
        ({"agent": "nobody"}, Code.AGENT_DISABLED),
        ({"visiting": "beta"}, Code.CROSS_TENANT),
        ({"dry_run": True}, Code.DRY_RUN),
        ({"modes": {"m": "on"}, "agent": "nobody"}, Code.AGENT_DISABLED),
    ],
)
def test_who_may_not_is_refused_as_often_as_it_asks(changes: dict[str, Any], code: Code) -> None:
    gate = gateway(SHOP)
    who = seated(gate, **changes)
    assert taken(gate, who, "pay", PAY) == (code is not Code.DRY_RUN)
    assert gate.before({"tool": "pay", "arguments": PAY, "id": "c"}, who).code is code
    assert (
        gate.before({"tool": "pay", "arguments": {"amount": "no"}, "id": "c"}, who).effect is not Effect.ALLOW
    )


def test_sessions_that_a_rule_is_and_is_not_for_do_not_share_what_is_known() -> None:
    rule = """{id: outside, tools: [bare], channels: [external], unless: '"boss" in subject.roles', effect: deny}"""
    gate = gateway(f"{SHOP}  - {rule}\n")
    inside, outside = seated(gate, channel="internal"), seated(gate, channel="external")
    call = {"tool": "bare", "arguments": {}, "id": "c"}
    for _ in range(2):
        assert taken(gate, inside, "bare", {})
        assert gate.before(call, outside).code is Code.RULE


def test_a_rule_that_fails_is_no_rule_that_does_not_hold() -> None:
    gate = gateway(SHOP + "  - {id: low, tools: [bare], when: subject.attributes.level < 3, effect: deny}\n")
    call = {"tool": "bare", "arguments": {}, "id": "c"}
    for attributes, code in (({}, Code.RULE), ({"level": 1}, Code.RULE), ({"level": 5}, Code.ALLOWED)):
        who = seated(gate, subject={"attributes": attributes})
        assert taken(gate, who, "bare", {}) is (code is Code.ALLOWED)
        assert gate.before(call, who).code is code


def test_what_a_host_adds_to_a_known_session_is_paid_for() -> None:
    rules = "".join(
        f"  - {{id: p{n}, tools: [bare], when: 'subject.attributes.l.exists(a, a == -{n})', effect: deny}}\n"
        for n in range(1, 41)
    )
    gate = gateway(SHOP + rules)
    listed = [1, 2]
    who = seated(gate, subject={"attributes": {"l": listed}})
    assert taken(gate, who, "bare", {})
    listed.extend(range(60_000))  # a host may keep what it gave
    call = {"tool": "bare", "arguments": {}, "id": "c"}
    explained = Gateway.explain(gate, call, who).decision
    assert explained.code is Code.RULE
    assert "too much work" in explained.errors[0]
    assert said(gate.before(call, who)) == said(replace(explained, trace=()))


class Listed(list[int]):
    """A list of a host's own class."""


def test_what_a_host_supplies_is_paid_for_whatever_is_declared_of_it_and_whatever_its_class() -> None:
    facts = "dyn(session.facts).exists(a, dyn(session.facts).exists(b, a + 'x{n}' == b))"
    listed = "subject.attributes.l.exists(a, a == -{n})"
    supplied = {"facts": {f"t{n}": 1 for n in range(280)}}
    attributes = {"subject": {"attributes": {"l": Listed(range(60_000))}}}
    for condition, count, changes in ((facts, 6, supplied), (listed, 40, attributes)):
        rules = "".join(
            f'  - {{id: p{n}, tools: [bare], when: "{condition.format(n=n)}", effect: deny}}\n'
            for n in range(count)
        )
        text = (
            SHOP.replace("  types: {session.facts: {limit: int}}\n", "").split("rules:")[0]
            + "rules:\n"
            + rules
        )
        decision = Gateway.before(
            gateway(text), {"tool": "bare", "arguments": {}, "id": "c"}, session(**changes)
        )
        assert "too much work" in decision.errors[0]
        assert not decision.proceeds


def test_arguments_that_the_policy_sets_are_set() -> None:
    text = SHOP + "arguments: [{id: count, tools: [pay], set: {count: '7'}}]\n"
    gate = gateway(text)
    who = seated(gate)
    assert not taken(gate, who, "pay", PAY)
    decision = gate.before({"tool": "pay", "arguments": PAY, "id": "c"}, who)
    assert decision.arguments == {**PAY, "count": 7}


def test_a_mode_that_is_switched_off_later_hides_its_tool_before_anything_else() -> None:
    gate = gateway(
        SHOP.replace(
            "{name: moded, mode: m, risk: LOW, permissions: []}",
            "{name: moded, mode: m, risk: LOW, permissions: [x]}",
        )
    )
    modes = {"m": "on"}
    who = seated(gate, modes=modes)
    call = {"tool": "moded", "arguments": {}, "id": "c"}
    assert gate.before(call, who).code is Code.PERMISSION_DENIED
    who.modes["m"] = "off"  # type: ignore[index]  # a host may keep what it gave
    assert gate.before(call, who).code is Code.TOOL_DISABLED


def test_the_tools_that_are_named_beside_a_hidden_one_are_those_of_the_moment() -> None:
    text = SHOP.replace("{name: bare,", "{name: bare, mode: m,").replace("{name: unbound,", "{name: bares,")
    gate = gateway(text.replace('"!unbound"', '"!bares"'))
    modes = {"m": "on"}
    who = seated(gate, modes=modes)
    call = {"tool": "bares", "arguments": {}, "id": "c"}
    assert "`bare`" in gate.before(call, who).message
    who.modes["m"] = "off"  # type: ignore[index]  # a host may keep what it gave
    assert "`bare`" not in gate.before(call, who).message


RULED = """
  - {id: outside, tools: [bare], channels: [external], effect: deny}
  - {id: there, tools: [bare], tenants: [acme], unless: '"sales" in subject.roles', effect: deny}
"""


@pytest.mark.parametrize(
    ("changes", "allowed"),
    [
        ({"channel": "internal"}, True),
        ({"channel": "external"}, False),
        ({"subject": {"roles": ["hr"]}}, False),
        ({"tenant": "beta", "subject": {"tenant": "beta", "roles": ["hr"]}}, True),
    ],
)
def test_rules_for_other_sessions_are_no_hindrance(changes: dict[str, Any], allowed: bool) -> None:
    gate = gateway(SHOP + RULED.lstrip("\n"))
    who = seated(gate, **changes)
    assert taken(gate, who, "bare", {}) is allowed
    assert gate.before({"tool": "bare", "arguments": {}, "id": "c"}, who).proceeds is allowed


def test_a_changed_copy_of_a_known_session_is_another_session() -> None:
    gate = gateway(SHOP)
    who = seated(gate)
    assert taken(gate, who, "pay", PAY)
    for stranger in (
        replace(who, tenant="beta"),
        replace(who, subject=replace(who.subject, permissions=())),  # type: ignore[type-var]
    ):
        assert not gate.before({"tool": "pay", "arguments": PAY, "id": "c"}, stranger).proceeds
    for same in (copy.copy(who), copy.deepcopy(who), pickle.loads(pickle.dumps(who))):  # noqa: S301  # our own
        assert not hasattr(same, "seats")
        assert same == who


def test_a_hosts_own_finding_counts_in_a_known_session() -> None:
    gate = gateway(SHOP)
    who = seated(gate)
    call = {"tool": "pay", "arguments": PAY, "id": "c"}
    held = Finding(Effect.DENY, Code.RULE, "no")
    assert not gate.before(call, who, [held]).proceeds
    assert not gate.before(call, who, iter([held])).proceeds
    assert gate.before(call, who, []).proceeds


def test_each_gateway_knows_a_session_for_itself() -> None:
    strict = gateway(SHOP.replace('permissions: ["order:pay"]', 'permissions: ["order:refund"]'))
    loose = gateway(SHOP)
    who = seated(loose)
    seated_too = seated(strict)
    call = {"tool": "pay", "arguments": PAY, "id": "c"}
    for _ in range(4):
        assert loose.before(call, who).proceeds
        assert not strict.before(call, who).proceeds
        assert not strict.before(call, seated_too).proceeds
    for _ in range(8):
        gateway(SHOP).before(call, who)
    assert len(who.seats) <= 4
    assert loose.before(call, who).proceeds


def test_an_override_that_ends_is_not_remembered() -> None:
    text = confirmed(
        SHOP
        + "overrides: [{tenant: acme, tools: [pay], permissions: [], reason: pilot, until: 2026-12-24}]\n"
    )
    made = compiled(text)
    times = [NOW]
    gate = Gateway(made.engine, gateway(text).manifest, clock=lambda: times[0])
    who = seated(gate, subject={"permissions": []})
    assert taken(gate, who, "pay", PAY)
    times[0] = datetime(2026, 12, 24, 23, 59, tzinfo=UTC)
    assert taken(gate, who, "pay", PAY)
    times[0] += timedelta(minutes=1)
    for _ in range(4):
        assert gate.before({"tool": "pay", "arguments": PAY, "id": "c"}, who).code is Code.PERMISSION_DENIED


def test_after_a_reload_the_new_policy_decides(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(SHOP)
    gate = Gateway.load(path)
    who = seated(gate)
    call = {"tool": "pay", "arguments": PAY, "id": "c"}
    before = gate.before(call, who)
    assert before.proceeds
    path.write_text(SHOP + "  - {id: stop, tools: [pay], when: args.amount > 1, effect: deny}\n")
    gate.reload()
    for _ in range(4):
        assert gate.before(call, who).code is Code.RULE


# --- rules -----------------------------------------------------------------------------------------------------------

CONDITIONS = (
    "args.amount > 100",
    "args.amount >= 100",
    "args.amount < 3",
    "args.amount < 100",
    "args.amount >= 4",
    "args.amount <= 2",
    "3.5 >= args.amount",
    "has(args.count) && args.count == 7",
    "has(args.count) && args.count in [7, 8, 9]",
    "args.to == 'x'",
    "'x' == args.to",
    "args.to in ['x', 'y']",
    "args.to.startsWith('x')",
    "args.to.endsWith('y')",
    "args.to.contains('xy')",
    "has(args.note) && args.note != null && args.note.contains('x')",
    "has(args.note)",
    "has(args.tags) && size(args.tags) > 1",
    "has(args.tags) && args.tags.exists(t, t == 'x')",
    "args.amount > 3 && args.to == 'x' && 'sales' in subject.roles",
    "args.amount / 0.0 > 3.0 && args.to == 'x'",
    "args.amount > 9007199254740992",
    "args.amount > 9007199254740995",
    "args.amount <= 9007199254740992.0",
    "args.amount >= -9007199254740992.0",
    "args.amount > 3 || args.to == 'x'",
    "args.to in ['x', 'y', 'xy'] && args.amount > 3",
    "args.to.contains('x') && args.amount > 3",
    "!(args.to == 'x')",
    "has(args.urgent) && args.urgent",
    "args.to != 'x'",
    "'sales' in subject.roles",
    "tool.name == 'pay' && has(args.count) && args.count > 5",
)
values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-10, 200),
    st.sampled_from([2**53, 2**53 + 1, -(2**63), 2**63, 0.5, 3.5, 100.0, 1e300, float("nan"), float("inf")]),
    st.sampled_from(["", "x", "y", "xy", "axyb", "xx", "\0", "é", "\ud800", "x" * 5000, "a" * 5000 + "xy"]),
    st.lists(st.sampled_from(["x", "y"]), max_size=3),
)
arguments = st.one_of(
    st.fixed_dictionaries(
        {
            "amount": st.sampled_from([1, 3, 5, 100, 101, 0.5, 3.5]),
            "to": st.sampled_from(["x", "y", "axyb", "q"]),
        },
        optional={
            "note": st.sampled_from([None, "", "x"]),
            "count": st.sampled_from([1, 7, 8]),
            "urgent": st.booleans(),
            "tags": st.lists(st.sampled_from(["x", "y"]), max_size=2),
        },
    ),
    st.dictionaries(st.sampled_from(["amount", "to", "note", "count", "urgent", "tags", "other"]), values),
)
rules = st.lists(
    st.tuples(
        st.sampled_from(CONDITIONS),
        st.sampled_from(["deny", "ask", "allow"]),
        st.sampled_from([None, "args.to == 'y'"]),
    ),
    min_size=1,
    max_size=6,
)


def with_rules(made: list[tuple[str, str, str | None]]) -> str:
    lines = [
        f'  - {{id: n{number}, tools: [pay], when: "{when}", effect: {effect}'
        + (f', unless: "{unless}"' if unless else "")
        + "}\n"
        for number, (when, effect, unless) in enumerate(made)
    ]
    return SHOP + "".join(lines)


GRID = [
    {"amount": amount, "to": to, **more}
    for amount in (-1, 2, 3, 3.5, 4, 99, 100, 100.5, 101, 2**53, 2**53 + 1, 2**53 + 3, -(2**53) - 1)
    for to in ("x", "y", "xy", "axyb", "q", "", "xé", "a" * 5000 + "xy")
    for more in (
        {},
        {"note": None, "count": 7, "urgent": True, "tags": ["x"]},
        {"note": "xy", "count": 6, "urgent": False, "tags": []},
    )
]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_at_each_bound_it_says_what_the_steps_say(condition: str) -> None:
    gate = gateway(with_rules([(condition, "deny", None)]))
    who = seated(gate)
    answered = refused = 0
    for some in GRID:
        call = {"tool": "pay", "arguments": some, "id": "c"}
        quick = gate._serving.fast.answer(call, who)
        answered += quick is not None
        decided = Gateway.explain(gate, call, who).decision  # evaluates every rule
        assert quick is None or said(quick) == said(replace(decided, trace=()))
        assert said(Gateway.before(gate, call, who)) == said(replace(decided, trace=()))
        refused += not decided.proceeds
    assert 3 * answered >= len(GRID) - refused  # where it gives way, the rule had to be evaluated


@pytest.mark.parametrize(
    "condition",
    [
        "args.m == 1",
        "args.m in [1, 2]",
        "args.m == 'x'",
        "args.m in ['x', 'y']",
        "has(args.o) && args.o == 1",
        "has(args.o) && args.o == 1 && args.m == 'x'",
        "has(args.o) && args.o in [1] && args.m == 'x'",
    ],
)
def test_a_value_of_another_class_is_left_to_the_rule(condition: str) -> None:
    text = SHOP + f'  - {{id: r, tools: [mixed], when: "{condition}", effect: deny}}\n'
    gate = gateway(text)
    who = seated(gate)
    for m in (True, False, 0, 1, 3, "x", "z", ""):
        for o in ({}, {"o": None}, {"o": True}, {"o": 1}, {"o": 1.5}, {"o": 7}):
            call = {"tool": "mixed", "arguments": {"m": m, **o}, "id": "c"}
            decided = Gateway.explain(gate, call, who).decision
            assert said(gate.before(call, who)) == said(replace(decided, trace=()))


def test_only_rules_that_are_false_are_ruled_out() -> None:
    gate = gateway(with_rules([(condition, "deny", None) for condition in CONDITIONS]))
    tool = gate._serving.engine.tools["pay"]
    narrow = gate._serving.engine.narrow(tool)
    who = Session.of(session())
    ruled_out = 0
    for some in GRID:
        variables = {"args": some, "subject": who.subject and who.subject.view, "tool": tool.view}
        kept = {*narrow.always, *narrow.candidates(some)}
        if narrow.plain is not None and narrow.plain(some) is not None:
            assert set(narrow.plain(some) or ()) == set(narrow.candidates(some))
        for place, rule in enumerate(tool.rules):
            if place not in kept:
                assert rule.when is not None
                assert rule.when.program.evaluate(variables) is False, (rule.id, some)
                ruled_out += 1
    assert ruled_out > len(GRID) * len(CONDITIONS) / 4


@settings(max_examples=200)
@given(rules, st.lists(arguments, min_size=1, max_size=8))
def test_it_says_what_the_steps_say(
    made: list[tuple[str, str, str | None]], given_arguments: list[dict[str, Any]]
) -> None:
    gate = gateway(with_rules(made))  # asks three times more, and compares
    who = seated(gate)
    for some in given_arguments:
        gate.before({"tool": "pay", "arguments": some, "id": "c"}, who)


@settings(max_examples=150)
@given(rules, st.lists(arguments, min_size=1, max_size=4))
def test_no_rule_that_may_hold_is_ruled_out(
    made: list[tuple[str, str, str | None]], given_arguments: list[dict[str, Any]]
) -> None:
    gate = gateway(with_rules(made))
    for some in given_arguments:
        call = {"tool": "pay", "arguments": some, "id": "c"}
        explained = gate.explain(call, session()).decision  # evaluates every rule
        assert said(replace(explained, trace=())) == said(gate.before(call, session()))
