"""The conditions of a decision share one budget; what is evaluated after it ran out counts as an error."""

from __future__ import annotations

import json
import random
import time
from itertools import permutations
from typing import Any

import pytest

from gateway import Code, Gateway
from gateway.cel.budget import MAX_STEPS
from gateway.decision import Decision, Effect
from gateway.session import Session
from gateway.steps.work import DECISION_STEPS, fits, work_of
from tests.engine.build import NOW, compiled, gateway, said, session

TOOLS = """version: 1
settings: {confirm_from: HIGH, types: {session.facts: {ids: list(string)}}}
agents: [{name: clerk, tools: ["*"], tenants: [acme]}]
tools:
  - {name: send, risk: LOW, permissions: [], parameters: {type: object, required: [to], properties: {to: {type: array, items: {type: string}}, body: {type: string}}}}
  - {name: peek, risk: LOW, permissions: [], read_only_when: "args.to.all(a, args.to.exists(b, a == b))", parameters: {type: object, required: [to], properties: {to: {type: array, items: {type: string}}}}}
  - {name: outer, risk: LOW, permissions: [], wraps: {tool: args.tool, arguments: args.input}, parameters: {type: object, required: [tool, input, to], properties: {tool: {type: string}, to: {type: array, items: {type: string}}, input: {type: object, additionalProperties: true}}}}
"""
MANY = {"to": [f"t{number}" for number in range(280)]}
"""With these, a rule that compares each with each takes about three quarters of what one may take."""
PAIRS = "args.to.exists(a, args.to.exists(b, a + 'x' == b))"
OUT = "too much work for the conditions of one decision"


def rule(name: str, effect: str = "deny", when: str = PAIRS, tools: str = "send") -> str:
    return f"{{id: {name}, tools: [{tools}], when: {json.dumps(when)}, effect: {effect}}}"


def policy(*rules: str, more: str = "") -> str:
    return f"{TOOLS}rules:\n" + "".join(f"  - {one}\n" for one in rules) + more


def errors(decision: Decision) -> list[str]:
    return [error for error in decision.errors if OUT in error]


def once(text: str) -> Gateway:
    """A gateway that is asked once."""
    return Gateway(compiled(text).engine, gateway(text).manifest, clock=lambda: NOW)


def decided(text: str, arguments: Any = None, *, tool: str = "send", **changes: Any) -> Decision:
    given = MANY if arguments is None else arguments
    return once(text).before({"id": "c-1", "tool": tool, "arguments": given}, session(**changes))


def test_one_rule_has_its_own_budget_and_all_of_them_one_together() -> None:
    count = DECISION_STEPS // MAX_STEPS
    few, many = (policy(*(rule(f"r{n:02}") for n in range(size))) for size in (count - 2, count + 30))
    assert errors(decided(few)) == []
    assert decided(few).effect is Effect.ALLOW
    refused = decided(many)
    assert refused.effect is Effect.DENY
    assert refused.code is Code.RULE
    assert len(errors(refused)) > 25
    assert decided(many, {"to": ["a", "b"]}).effect is Effect.ALLOW


def test_hostile_arguments_against_many_rules_end_soon() -> None:
    text = policy(*(rule(f"r{n:03}", when=f"args.to.exists(a, a.contains('x{n}yzabc'))") for n in range(300)))
    arguments = {"to": ["ab" * 40_000] * 90}
    start = time.process_time()
    assert decided(text, arguments).effect is Effect.DENY
    assert time.process_time() - start < 5


def test_an_allow_that_could_not_be_evaluated_allows_nothing() -> None:
    dear = [rule(f"a{n}") for n in range(6)]
    ask = rule("b-ask", "ask", "args.to.size() > 2")
    lift = "{id: z-staff, tools: [send], when: %s, effect: allow, lifts: [b-ask]}"
    free = policy(ask, lift % json.dumps("args.to.size() > 1"))
    assert decided(free).effect is Effect.ALLOW
    spent = policy(*dear, ask, lift % json.dumps("args.to.all(a, a != '')"))
    decision = decided(spent)
    assert {finding.rule for finding in decision.findings} >= {"b-ask"}


def test_what_takes_nothing_is_evaluated_also_when_nothing_is_left() -> None:
    dear = [rule(f"a{n}") for n in range(6)]
    text = policy(*dear, rule("z", "deny", "args.to[0] == 'other'"), rule("y", "ask", "args.to[0] == 't0'"))
    found = {finding.rule: finding.errors for finding in decided(text).findings}
    assert "z" not in found
    assert found["y"] == ()


def test_the_order_of_the_rules_in_the_files_never_matters() -> None:
    rules = [
        rule("a"),
        rule("b", when=f"{PAIRS} || args.to.size() == 3"),
        rule("c", "ask"),
        rule("d"),
        rule("e"),
    ]
    answers = [said(decided(policy(*order))) for order in list(permutations(rules))[::40]]
    for one in answers:
        assert [f.rule for f in one["findings"]] == [f.rule for f in answers[0]["findings"]]
        assert one["effect"] is answers[0]["effect"]
        assert [e.split("(")[0] for e in one["errors"]] == [e.split("(")[0] for e in answers[0]["errors"]]


def test_explaining_comes_to_the_same_decision() -> None:
    text = policy(*(rule(f"r{n}") for n in range(9)), rule("s", "ask", "args.to.size() > 5"))
    gate = once(text)
    call = {"id": "c-1", "tool": "send", "arguments": MANY}
    explained = gate.explain(call, session()).decision
    assert {**said(explained), "trace": ()} == said(gate.before(call, session()))
    assert any(OUT in entry.text for entry in explained.trace)


@pytest.mark.parametrize("count", [3, 400, 900, 20_000])
def test_a_decision_is_the_same_however_often_it_was_made(count: int) -> None:
    text = policy(*(rule(f"r{n}", when="args.to.exists(a, a.contains('needle-in-it'))") for n in range(12)))
    arguments = {"to": ["hay" * 40] * count}
    call = {"tool": "send", "arguments": arguments, "id": "c-1"}
    gate = once(text)
    who = Session.of(session())
    first = said(gate.before(call, who))
    for plan in compiled(text).engine.tools["send"].rules:
        assert plan.when is not None
        plan.when.program.generate()
    for _ in range(3):
        assert said(gate.before(call, who)) == first


@pytest.mark.parametrize(
    "held",
    [
        "dyn(session).facts",
        "dyn(session)['facts']",
        "dyn(session).?facts.orValue({})",
        "[dyn(session)][0].facts",
        "[session, subject][0].facts",
        "(true ? dyn(session) : dyn(subject)).facts",
        "optional.of(dyn(session)).value().facts",
        "[[dyn(session)]].flatten()[0].facts",
        "[dyn(session)].map(x, x.facts)[0]",
        "cel.bind(s, dyn(session), s.facts)",
        "session.facts",
    ],
)
def test_a_part_of_a_value_without_a_type_was_taken_to_have_no_more_elements_than_the_whole(
    held: str,
) -> None:
    pairs = f"{held}.exists(a, {held}.exists(b, a + 'x%d' == dyn(b)))"
    text = policy(*(rule(f"r{n:02}", when=pairs % n) for n in range(10)))
    facts = {f"t{number}": "on" for number in range(280)}
    assert len(errors(decided(text, {"to": []}, facts=facts))) > 3
    assert decided(text, {"to": []}, facts={"a": "on"}).effect is Effect.ALLOW


def test_read_only_when_that_could_not_be_evaluated_does_not_hold() -> None:
    text = TOOLS.replace("name: peek, risk: LOW", "name: peek, risk: HIGH")
    assert decided(text, tool="peek").effect is Effect.ALLOW
    spent = text + "rules:\n" + "".join(f"  - {rule(f'r{n}', 'ask', tools='peek')}\n" for n in range(6))
    assert Code.CONFIRM in {finding.code for finding in decided(spent, tool="peek").findings}


def test_a_wrapped_call_is_paid_for_from_the_same_budget() -> None:
    rules = [rule(f"i{n}") for n in range(3)] + [rule(f"o{n}", tools="outer") for n in range(3)]
    text = policy(*rules)
    assert decided(text).effect is Effect.ALLOW
    arguments = {"tool": "send", "input": MANY, "to": MANY["to"]}
    assert errors(decided(text, arguments, tool="outer")) != []


def test_results_are_withheld_where_their_conditions_take_too_much() -> None:
    entry = "  - {id: x%d, tools: [send], when: %s, redact: [{field: a}]}\n"
    more = "results:\n" + "".join(entry % (n, json.dumps(PAIRS)) for n in range(9))
    gate = gateway(TOOLS + more)
    call = {"id": "c-1", "tool": "send", "arguments": {"to": ["a"]}}
    assert gate.after(call, session(), {"a": 1}).code is Code.REVIEWED
    assert gate.after({**call, "arguments": MANY}, session(), {"a": 1}).code is not Code.REVIEWED


def test_a_forced_value_that_takes_too_much_is_not_available() -> None:
    more = "arguments: [{id: own, tools: [send], set: {to: 'session.facts.ids.filter(a, session.facts.ids.exists(b, a == b))'}}]\n"
    ids = [f"i{n}" for n in range(1_500)]
    decision = decided(TOOLS + more, {"to": []}, facts={"ids": ids})
    assert decision.code is Code.FORCED_ARGUMENT_UNAVAILABLE
    assert decided(TOOLS + more, {"to": []}, facts={"ids": ids[:20]}).effect is Effect.ALLOW


@pytest.mark.parametrize(
    ("when", "always"),
    [
        ("args.to.size() > 3 && session.channel == 'internal'", True),
        ("'finance' in subject.roles", True),
        ("has(args.body) && args.body == 'x' || args.to[0] in ['a', 'b']", True),
        ("args.to[0].startsWith('a')", True),
        ("args.to.exists(a, a.endsWith('@x'))", True),
        ("has(args.body) && args.body.contains('x')", True),
        ("args.to.exists(a, args.to.exists(b, a == b))", False),
        ("session.facts.ids.exists(a, a == 'x')", False),
    ],
)
def test_for_usual_conditions_nothing_is_counted(when: str, always: bool) -> None:
    engine = compiled(policy(rule("r", when=when))).engine
    work = work_of(engine.tools["send"])
    assert work.always is always
    assert work.always or work.rung is not None


def test_only_what_is_read_is_looked_at() -> None:
    engine = compiled(
        policy(*(rule(f"r{n}", when="args.to.exists(a, a.contains('needle'))") for n in range(30)))
    ).engine
    work = work_of(engine.tools["send"])
    assert work.arguments == ("to",)
    assert work.small_for({"args": {"to": ["a"], "body": "x" * 1_000_000}})
    assert not work.small_for({"args": {"to": ["a" * 1_000_000]}})
    whole = compiled(policy(rule("r", when="size(args) > 1 && args.to == args.to"))).engine
    assert work_of(whole.tools["send"]).arguments is None


def test_a_size_is_looked_at_everywhere_in_a_value() -> None:
    chance = random.Random(3)  # noqa: S311

    def made(depth: int) -> Any:
        kind = chance.choice("tdlns" if depth else "tn")
        if kind == "d":
            return {f"k{n}": made(depth - 1) for n in range(chance.randrange(4))}
        if kind in "ls":
            return [made(depth - 1) for _ in range(chance.randrange(4))]
        return "x" * chance.randrange(9) if kind == "t" else chance.choice((1, 2.5, None, True))

    def counted(value: Any) -> tuple[int, int]:
        if isinstance(value, str):
            return len(value), 0
        inside = (
            [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
        )
        below = [counted(one) for one in inside]
        own = len(value) if isinstance(value, dict | list) else 0
        return sum(one for one, _ in below), own + sum(other for _, other in below)

    for _ in range(500):
        value = made(4)
        characters, items = counted(value)
        assert fits(value, (characters, items))
        assert not fits(value, (characters - 1, items))
        assert not fits(value, (characters, items - 1))
