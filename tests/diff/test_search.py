"""The search held against proofs and against what policies say: it shows nothing that is proved not to be."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from gateway.decision import Code
from gateway.diff import Pair, Verdict, changes, compare, compiled, verdict
from gateway.load import load_text
from gateway.search import Request, Source, World
from gateway.search.answers import loosened
from gateway.session import SessionError
from gateway.sources import Assembled
from tests.relaxation.edits import edited
from tests.relaxation.generated import policies, usable

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(st.data())
def test_the_search_finds_nothing_against_a_change_that_is_proved(data: st.DataObject) -> None:
    old = data.draw(policies())
    new: Any = old
    for _ in range(data.draw(st.integers(1, 3))):
        new = data.draw(edited(new))
    before, after = usable(old), usable(new)
    assume(verdict(changes(before, after)) is Verdict.PROVED)
    pair = Pair(before.compiled.engine, after.compiled.engine)
    for tool in sorted(after.compiled.engine.tools):
        source = Source((before, after), tool, NOW)
        assert source.find(lambda world: pair.looser(world.request()), 60) is None


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(st.data())
def test_what_is_shown_is_looser_when_it_is_decided_again_and_is_the_same_in_each_run(
    data: st.DataObject,
) -> None:
    old = data.draw(policies())
    new: Any = old
    for _ in range(data.draw(st.integers(1, 3))):
        new = data.draw(edited(new))
    before, after = usable(old), usable(new)
    first, second = (compare(before, after, NOW, 200) for _ in range(2))
    assert [one.as_json(NOW) for one in first.calls] == [one.as_json(NOW) for one in second.calls]
    assert first.changes == second.changes
    pair = Pair(usable(old).compiled.engine, usable(new).compiled.engine)
    for shown in first.calls:
        again = pair.looser(shown.request)
        assert again is not None
        assert again.how == shown.how
        json.dumps(shown.as_json(NOW))
    if first.calls:
        assert first.verdict is Verdict.RELAXED
    else:
        assert verdict(changes(before, after)) is not Verdict.PROVED or first.verdict is Verdict.PROVED


POLICY = """version: 1
settings: {confirm_from: HIGH}
agents: [{name: clerk, tools: ["*"], tenants: [acme]}]
tools:
  - {name: pay, risk: MEDIUM, permissions: ["pay:create"], parameters: {type: object, required: [amount, code], properties: {amount: {type: integer}, code: {type: string}, kind: {type: string}, ids: {type: array, items: {type: string}}}}}
rules:
"""


def side(*rules: str) -> Assembled:
    return compiled(load_text(POLICY + "".join(f"  - {rule}\n" for rule in rules)))


CONDITIONS = [
    "args.amount % 97 == 13 && args.amount > 5000",
    "args.code.matches('^[A-Z]{3}-[0-9]{6}$') && args.amount == 77",
    "size(args.code) == 37 && args.code.startsWith('Q')",
    "has(args.ids) && args.ids.exists(i, i.endsWith('-x') && size(i) > 12)",
    "has(args.ids) && size(args.ids) > 3 && args.ids.all(i, i in ['a', 'b'])",
    "has(args.kind) && args.kind == args.code && args.kind != ''",
    "subject.id == args.code && 'lead' in subject.roles && session.channel == 'external'",
    "args.code.lowerAscii() == 'abc' && args.code != 'abc'",
    "args.amount * 3 + 1 == 3001",
    "args.code.contains('x') ? args.amount < -5 : args.amount == 123456",
    "!has(args.kind) && !has(args.ids) && args.amount > 10 && args.amount < 12",
    "has(call.iteration) && call.iteration > 40 && call.tool == 'pay'",
    "!has(call.iteration) && !has(call.server) && args.code == call.tool",
    "now.getHours() == 3 && now.getDayOfWeek() == 6",
    "now.getMonth() == 6 && args.amount == 12",
]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_call_that_a_condition_is_about_is_found_by_its_structure(condition: str) -> None:
    policy = side(f'{{id: needle, tools: [pay], when: "{condition}", effect: deny}}')
    engine = policy.compiled.engine
    plain = side('{id: other, tools: [pay], when: "args.amount == 3", effect: ask}').compiled.engine
    pair = Pair(engine, plain)

    def refused(world: World) -> bool | None:
        request = world.request()
        return True if pair.answers(request)[0].rule == "needle" else None

    assert Source((policy,), "pay", NOW).find(refused, 3000) is not None


def drawn(policy: Assembled, tool: str = "pay") -> list[World]:
    return list(islice(Source((policy,), tool, NOW).worlds(), 200))


def test_agents_are_mostly_drawn_with_a_tenant_that_they_are_on_for() -> None:
    """With many agents, each at home somewhere else, nearly every request was refused as one of a disabled agent."""
    agents = [f"{{name: a{n}, tools: [pay], tenants: [t{n}, 'x{n}-*']}}" for n in range(12)]
    policy = compiled(
        load_text(
            f"version: 1\nagents: [{', '.join(agents)}]\ntools: [{{name: pay, risk: LOW, permissions: []}}]"
        )
    )
    codes = [
        Pair(policy.compiled.engine, policy.compiled.engine).answers(w.request())[0].code
        for w in drawn(policy)
    ]
    assert Code.AGENT_DISABLED in codes
    assert codes.count(Code.AGENT_DISABLED) < 50
    assert {world.get(("session", "agent")) for world in drawn(policy)} == {f"a{n}" for n in range(12)}


@pytest.mark.parametrize(("most", "longest"), [(1, 3), (20, 21), (63, 64), (64, 3), (5000, 3)])
def test_lists_are_drawn_up_to_one_more_than_they_may_have(most: int, longest: int) -> None:
    text = POLICY.replace("items: {type: string}", f"maxItems: {most}, items: {{type: string}}")
    policy = compiled(load_text(text.replace("rules:\n", "")))
    assert max(len(world.values["args"].get("ids", ())) for world in drawn(policy)) == longest


def test_what_no_condition_reads_is_not_drawn() -> None:
    assert {(world.now, world.request().iteration) for world in drawn(FREE)} == {(NOW, None)}


def test_a_call_is_shown_at_the_moment_of_the_search_where_any_would_do() -> None:
    reads = '{id: night, tools: [pay], when: "now.getHours() < 6", effect: deny}'
    deny = '{id: other, tools: [pay], when: "args.amount >= 3", effect: deny}'
    (shown,) = compare(side(reads, deny), side(reads), NOW).calls
    assert shown.request.now == NOW


def test_the_iteration_of_a_call_is_part_of_what_is_shown() -> None:
    old = side('{id: late, tools: [pay], when: "has(call.iteration) && call.iteration > 7", effect: deny}')
    new = side('{id: late, tools: [pay], when: "has(call.iteration) && call.iteration > 9", effect: deny}')
    (shown,) = compare(old, new, NOW).calls
    assert shown.as_json(NOW)["call"]["iteration"] in (8, 9)
    assert shown.request.call.iteration == shown.as_json(NOW)["call"]["iteration"]


def request(**arguments: Any) -> Request:
    who = {"id": "ann", "tenant": "acme", "authenticated": True, "permissions": ["pay:create"]}
    session = {"id": "s-1", "tenant": "acme", "agent": "clerk", "can_ask": True, "subject": who}
    return Request("pay", {"code": "x", **arguments}, session, NOW)


FREE, ASKS, DENIES = (
    side('{id: other, tools: [pay], when: "args.amount == 3", effect: ask}'),
    side(
        '{id: other, tools: [pay], when: "args.amount >= 3", effect: ask, approval: {by: [a, b], not_self: true}}'
    ),
    side('{id: other, tools: [pay], when: "args.amount >= 3", effect: deny}'),
)
FEWER = side(
    '{id: other, tools: [pay], when: "args.amount >= 3", effect: ask, approval: {by: [a], not_self: true}}'
)
SELF = side('{id: other, tools: [pay], when: "args.amount >= 3", effect: ask, approval: {by: [a, b]}}')


@pytest.mark.parametrize(
    ("old", "new", "how"),
    [
        (DENIES, ASKS, "deny -> ask"),
        (DENIES, FREE, "deny -> allow"),
        (ASKS, FREE, "ask -> allow"),
        (ASKS, DENIES, ""),
        (ASKS, FEWER, ""),
        (FEWER, ASKS, "ask -> ask somebody else"),
        (ASKS, SELF, "ask -> ask somebody else"),
        (SELF, ASKS, ""),
        (FREE, FREE, ""),
    ],
)
def test_what_counts_as_more_permissive(old: Assembled, new: Assembled, how: str) -> None:
    pair = Pair(old.compiled.engine, new.compiled.engine)
    before, after = pair.answers(request(amount=4))
    assert loosened({"amount": 4, "code": "x"}, before, after) == how


def test_a_question_that_nobody_can_answer_counts_as_the_question() -> None:
    silent = Request("pay", {"amount": 4, "code": "x"}, {**request().session, "can_ask": False}, NOW)
    before, after = Pair(DENIES.compiled.engine, ASKS.compiled.engine).answers(silent)
    assert (before.effect, after.effect) == (after.effect, before.effect)
    assert loosened(silent.arguments, before, after) == "deny -> ask"


def test_a_session_that_there_can_not_be_is_passed_over() -> None:
    world = World(
        "pay", {"args": {}, "subject": {"id": "x"}, "session": {"channel": "moon"}, "turn": {}}, NOW
    )
    with pytest.raises(SessionError):
        _ = world.request().who
    assert Source((FREE,), "pay", NOW).find(lambda one: one.request().who and None, 300) is None


def test_the_moments_around_an_end_are_tried() -> None:
    ends = '{id: other, tools: [pay], when: "args.amount >= 3", effect: deny}'
    grant = "{id: grant, tools: [pay], effect: allow, until: 2027-03-31, lifts: [asks]}"
    asks = "{id: asks, tools: [pay], effect: ask}"
    old, new = side(ends, asks, grant), side(ends, asks, grant.replace("2027-03-31", "2027-04-30"))
    (shown,) = compare(old, new, datetime(2027, 4, 10, tzinfo=UTC)).calls
    assert shown.how == "ask -> allow"
    (shown,) = compare(old, new, NOW).calls
    assert datetime(2027, 4, 1, tzinfo=UTC) - timedelta(days=1) < shown.request.now


CODE = """version: 1
settings: {packs: [core, database, git]}
agents: [{name: clerk, tools: ["*"], tenants: [acme]}]
tools:
  - {name: query, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [text], properties: {text: {type: string}}}, inspect: {text: KIND}}
"""


@pytest.mark.parametrize("kind", ["shell", "sql", "python"])
def test_texts_that_are_inspected_are_tried(kind: str) -> None:
    old = CODE.replace("KIND", kind)
    new = old.replace(f", inspect: {{text: {kind}}}", "")
    (shown,) = compare(compiled(load_text(old)), compiled(load_text(new)), NOW).calls
    assert shown.before.code.value == "PATTERN"
    assert (shown.after.effect.value, shown.causes) == ("allow", ("tools.query",))


def test_a_new_pattern_of_an_agent_is_looser_although_no_call_of_today_shows_it() -> None:
    old = POLICY.replace('tools: ["*"]', "tools: [pay]") + "  - {id: one, tools: [pay], effect: ask}\n"
    found = compare(
        compiled(load_text(old)),
        compiled(load_text(old.replace("tools: [pay], tenants", 'tools: ["*"], tenants'))),
        NOW,
    )
    assert [(one.item, one.direction.value) for one in found.changes] == [("agents.clerk.later", "looser")]
    assert (found.verdict, found.calls) == (Verdict.UNPROVED, ())
