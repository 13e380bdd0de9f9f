"""Laws of the engine, over generated policies: order never matters, strict rules never loosen, watching changes nothing."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.decision import Decision
from gateway.runtime import Gateway
from gateway.serving import Manifest
from tests.engine.build import NOW, SHOP, answer, compiled, session

CONDITIONS = [
    None,
    "has(args.amount) && args.amount > 100",
    '"sales" in subject.roles',
    "session.facts.limit > 3",
    "session.facts.limit / (1 - 1) > 1",
    "turn.ambiguous",
    '!(session.channel == "internal")',
    'roles.recipient.exists(r, r == "DE1")',
    'tool.risk == "MEDIUM" && session.can_ask',
]
EFFECTS = ["deny", "ask", "allow", "respond"]
TOOL = "order_pay"


Rule = dict[str, Any]


@st.composite
def rules(draw: st.DrawFn, *, most: int = 5, effects: tuple[str, ...] = tuple(EFFECTS)) -> list[Rule]:
    made: list[Rule] = []
    for index in range(draw(st.integers(0, most))):
        rule: Rule = {"id": f"r{index}", "tools": [TOOL], "effect": draw(st.sampled_from(effects))}
        for key in ("when", "unless"):
            condition = draw(st.sampled_from(CONDITIONS))
            if condition is not None:
                rule[key] = condition
        if rule["effect"] == "respond":
            rule["response"] = {"a": 1}
        if rule["effect"] == "allow" and draw(st.booleans()):
            rule["lifts"] = [f"r{draw(st.integers(0, most - 1))}"]
        made.append(rule)
    liftable = {rule["id"] for rule in made if rule["effect"] in ("ask", "deny")}
    for rule in made:
        if not liftable.issuperset(rule.get("lifts", ())):
            del rule["lifts"]
    return made


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


def gate_for(made: list[Rule]) -> Gateway:
    ready = compiled(SHOP + ("rules: " + json.dumps(made) + "\n" if made else ""))
    return Gateway(ready.engine, Manifest(path="", **ready.summary), clock=lambda: NOW)


def decided(made: list[Rule], changes: dict[str, Any], arguments: dict[str, Any]) -> Decision:
    return gate_for(made).before({"id": "c", "tool": TOOL, "arguments": arguments}, session(**changes))


@settings(max_examples=60, deadline=None)
@given(rules(), SESSIONS, ARGUMENTS, st.randoms(use_true_random=False))
def test_the_order_of_rules_never_matters(
    made: list[Rule], changes: dict[str, Any], arguments: dict[str, Any], chance: random.Random
) -> None:
    shuffled = list(made)
    chance.shuffle(shuffled)
    assert answer(decided(made, changes, arguments)) == answer(decided(shuffled, changes, arguments))


@settings(max_examples=60, deadline=None)
@given(rules(), rules(most=1, effects=("deny", "ask")), SESSIONS, ARGUMENTS)
def test_adding_a_deny_or_ask_rule_never_loosens(
    made: list[Rule], more: list[Rule], changes: dict[str, Any], arguments: dict[str, Any]
) -> None:
    added = [{**rule, "id": "added"} for rule in more]
    before = decided(made, changes, arguments)
    after = decided(made + added, changes, arguments)
    assert after.effect.strictness >= before.effect.strictness


@settings(max_examples=60, deadline=None)
@given(rules(), st.integers(0, 4), SESSIONS, ARGUMENTS)
def test_an_error_in_any_rule_never_loosens(
    made: list[Rule], which: int, changes: dict[str, Any], arguments: dict[str, Any]
) -> None:
    """Replacing a rule's condition by one that fails gives an answer at least as strict."""
    if which >= len(made):
        return
    failing = {key: value for key, value in made[which].items() if key != "unless"}
    failing["when"] = "session.facts.limit / (1 - 1) == 1"
    changes = {**changes, "facts": {"limit": 1}}
    before = decided(made, changes, arguments)
    after = decided([*made[:which], failing, *made[which + 1 :]], changes, arguments)
    assert after.effect.strictness >= before.effect.strictness


@settings(max_examples=60, deadline=None)
@given(rules(), rules(most=2), SESSIONS, ARGUMENTS)
def test_monitored_rules_never_change_an_answer(
    made: list[Rule], watched: list[Rule], changes: dict[str, Any], arguments: dict[str, Any]
) -> None:
    more: list[Rule] = []
    for rule in watched:
        copy = {**rule, "id": rule["id"].replace("r", "w"), "monitor": True}
        if "lifts" in rule:
            copy["lifts"] = [name.replace("r", "w") for name in rule["lifts"]]
        more.append(copy)
    assert answer(decided(made, changes, arguments)) == answer(decided(made + more, changes, arguments))


@settings(max_examples=40, deadline=None)
@given(rules(), SESSIONS, ARGUMENTS)
def test_explaining_is_the_same_decision(
    made: list[Rule], changes: dict[str, Any], arguments: dict[str, Any]
) -> None:
    gate = gate_for(made)
    call = {"id": "c", "tool": TOOL, "arguments": arguments}
    who = session(**changes)
    explained = gate.explain(call, who).decision
    assert answer(explained) == answer(gate.before(call, who))
    assert explained.trace
