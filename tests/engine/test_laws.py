"""Laws of the engine, over generated policies: order never matters, strict rules never loosen, watching changes nothing."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.decision import Decision
from gateway.runtime import Gateway, Manifest
from tests.engine.build import NOW, SHOP, compiled, session

CONDITIONS = [
    None,
    "has(args.amount) && args.amount > 100",
    '"sales" in subject.roles',
    "session.facts.limit > 3",
    "session.facts.limit / 0 > 1",
    "turn.ambiguous",
    '!(session.channel == "internal")',
    'roles.recipient.exists(r, r == "DE1")',
    'tool.risk == "MEDIUM" && session.can_ask',
]
EFFECTS = ["deny", "ask", "allow", "respond"]
TOOL = "order_pay"


@st.composite
def rules(draw: st.DrawFn, *, most: int = 5, effects: tuple[str, ...] = tuple(EFFECTS)) -> list[str]:
    made = []
    for index in range(draw(st.integers(0, most))):
        effect = draw(st.sampled_from(effects))
        when, unless = draw(st.sampled_from(CONDITIONS)), draw(st.sampled_from(CONDITIONS))
        parts = [f"id: r{index}", f"tools: [{TOOL}]", f"effect: {effect}"]
        if when is not None:
            parts.append(f"when: '{when}'")
        if unless is not None:
            parts.append(f"unless: '{unless}'")
        if effect == "respond":
            parts.append("response: {a: 1}")
        if effect == "allow" and draw(st.booleans()):
            parts.append(f"lifts: [r{draw(st.integers(0, most - 1))}]")
        made.append("{" + ", ".join(parts) + "}")
    return _without_dangling_lifts(made)


def _without_dangling_lifts(made: list[str]) -> list[str]:
    liftable = {rule[5:7] for rule in made if "effect: ask" in rule or "effect: deny" in rule}
    kept = []
    for rule in made:
        head, lifts, tail = rule.partition(", lifts: [")
        kept.append(rule if not lifts or tail[:2] in liftable else head + "}")
    return kept


SESSIONS = st.fixed_dictionaries(
    {
        "can_ask": st.booleans(),
        "dry_run": st.booleans(),
        "channel": st.sampled_from(["internal", "external"]),
        "facts": st.sampled_from([{}, {"limit": 1}, {"limit": 9}, {"limit": "x"}]),
        "turn": st.sampled_from([{}, {"ambiguous": True}, {"ambiguous": False}]),
        "subject": st.sampled_from([{"roles": []}, {"roles": ["sales"]}]),
    }
)
ARGUMENTS = st.fixed_dictionaries(
    {"amount": st.sampled_from([1, 1000]), "iban": st.sampled_from(["DE1", "FR1"])}
)


def decided(
    made: list[str], changes: dict[str, Any], arguments: dict[str, Any], base: str = SHOP
) -> Decision:
    text = base + ("rules:\n" + "".join(f"  - {rule}\n" for rule in made) if made else "")
    ready = compiled(text)
    gate = Gateway(ready.engine, Manifest(path="", **ready.summary), clock=lambda: NOW)
    return gate.before({"id": "c", "tool": TOOL, "arguments": arguments}, session(**changes))


def answer(decision: Decision) -> tuple[Any, ...]:
    return (
        decision.effect,
        decision.code,
        decision.rule,
        decision.basis,
        decision.message,
        decision.arguments,
        decision.response,
        decision.context,
        decision.obligations,
    )


@settings(max_examples=60, deadline=None)
@given(rules(), SESSIONS, ARGUMENTS, st.randoms(use_true_random=False))
def test_the_order_of_rules_never_matters(
    made: list[str], changes: dict[str, Any], arguments: dict[str, Any], chance: random.Random
) -> None:
    shuffled = list(made)
    chance.shuffle(shuffled)
    assert answer(decided(made, changes, arguments)) == answer(decided(shuffled, changes, arguments))


@settings(max_examples=60, deadline=None)
@given(rules(), rules(most=1, effects=("deny", "ask")), SESSIONS, ARGUMENTS)
def test_adding_a_deny_or_ask_rule_never_loosens(
    made: list[str], more: list[str], changes: dict[str, Any], arguments: dict[str, Any]
) -> None:
    added = [rule.replace("id: r0", "id: added") for rule in more]
    before = decided(made, changes, arguments)
    after = decided(made + added, changes, arguments)
    assert after.effect.strictness >= before.effect.strictness


@settings(max_examples=60, deadline=None)
@given(rules(), st.integers(0, 4), SESSIONS, ARGUMENTS)
def test_an_error_in_any_rule_never_loosens(
    made: list[str], which: int, changes: dict[str, Any], arguments: dict[str, Any]
) -> None:
    """Replacing a rule's condition by one that fails gives an answer at least as strict."""
    if which >= len(made):
        return
    rule = made[which]
    head = rule.split(", when:")[0].split(", unless:")[0].rstrip("}")
    tail = "".join(
        f", {key}{rule.split(key, 1)[1].split('}')[0]}{'}' if key == 'response: ' else ''}"
        for key in ("response: ", "lifts: ")
        if key in rule
    )
    failing = f"{head}, when: 'session.facts.limit / 0 == 1'{tail}}}"
    changes = {**changes, "facts": {"limit": 1}}
    before = decided(made, changes, arguments)
    after = decided([*made[:which], failing, *made[which + 1 :]], changes, arguments)
    assert after.effect.strictness >= before.effect.strictness


@settings(max_examples=60, deadline=None)
@given(rules(), rules(most=2), SESSIONS, ARGUMENTS)
def test_monitored_rules_never_change_an_answer(
    made: list[str], watched: list[str], changes: dict[str, Any], arguments: dict[str, Any]
) -> None:
    more = [
        rule.replace("id: r", "id: w", 1).replace("lifts: [r", "lifts: [w")[:-1] + ", monitor: true}"
        for rule in watched
    ]
    assert answer(decided(made, changes, arguments)) == answer(decided(made + more, changes, arguments))


@settings(max_examples=40, deadline=None)
@given(rules(), SESSIONS, ARGUMENTS)
def test_explaining_is_the_same_decision(
    made: list[str], changes: dict[str, Any], arguments: dict[str, Any]
) -> None:
    text = SHOP + ("rules:\n" + "".join(f"  - {rule}\n" for rule in made) if made else "")
    ready = compiled(text)
    gate = Gateway(ready.engine, Manifest(path="", **ready.summary), clock=lambda: NOW)
    call = {"id": "c", "tool": TOOL, "arguments": arguments}
    who = session(**changes)
    explained = gate.explain(call, who).decision
    assert answer(explained) == answer(gate.before(call, who))
    assert explained.trace
