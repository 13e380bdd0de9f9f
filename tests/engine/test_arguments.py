"""Step 4: one canonical call: normal form, defaults, forced values. Rows C6, E2, and design of the call."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.call import ToolCall
from gateway.decision import Code, Effect, Obligation, Step
from gateway.diagnostic import PolicyError
from tests.engine.build import SHOP, compiled, decide, gateway, session

MEMORY = """
version: 1
settings: {types: {session.facts: {bases: list(string)}}}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - {name: recall, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [query, user_id], properties: {query: {type: string}, user_id: {type: string}}}}
  - {name: docs, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [query, bases], properties: {query: {type: string}, bases: {type: array, items: {type: string}}}}}
arguments:
  - {id: own-memory, tools: ["*"], set: {user_id: subject.id}}
  - {id: own-bases, tools: [docs], when: session.channel == "internal", set: {bases: session.facts.bases}, otherwise: deny}
"""


@pytest.mark.parametrize(
    "unreadable",
    [
        "{",
        "",
        "[]",
        "null",
        '"x"',
        '{"query": "a", "query": "b"}',
        '{"query": NaN}',
        '{"query": 1e999}',
        '{"query": 99999999999999999999}',
        '{"query": "\\ud800"}',
        '{"query": "\\u0000"}',
        "{" * 100_000,
        '{"query": ' + "[" * 5000 + "]" * 5000 + "}",
        {"query": float("inf")},
        {"query": 2**63},
        {"query": "a\0"},
        {"query": "\udfff"},
        {"query": ...},
        {"query": {1: 2}},
        ["query"],
        None,
        7,
    ],
    ids=str,
)
def test_what_cannot_be_read_without_guessing_is_refused(unreadable: Any) -> None:  # C6
    decision = gateway().before({"tool": "search", "arguments": unreadable}, session())
    assert (decision.effect, decision.code) == (Effect.DENY, Code.ARGUMENTS_UNREADABLE)
    assert decision.message


def test_json_text_is_read() -> None:  # C6
    decision = decide("search", '{"query": "x", "limit": 5}')
    assert decision.proceeds
    assert decision.arguments == {"query": "x", "limit": 5}


def test_a_call_without_id_is_given_one() -> None:  # C6
    gate = gateway()
    call = {"tool": "search", "arguments": {"query": "x"}}
    first, second = gate.before(call, session()).call_id, gate.before({**call, "id": ""}, session()).call_id
    assert first and second and first != second


def test_integral_floats_are_integers() -> None:
    decision = decide("search", {"query": "x", "limit": 5.0})
    assert decision.arguments == {"query": "x", "limit": 5}
    assert type((decision.arguments or {})["limit"]) is int


def test_defaults_are_filled_in_and_the_host_must_run_them() -> None:
    given = {"query": "x"}
    decision = decide("search", given)
    assert decision.arguments == {"query": "x", "limit": 10}
    assert decision.obligations == (Obligation.FINAL_ARGUMENTS,)
    assert given == {"query": "x"}


def test_arguments_that_need_no_change_are_not_copied() -> None:
    given = {"query": "x", "limit": 5}
    decision = decide("search", given)
    assert decision.arguments is given
    assert decision.obligations == ()


def test_a_host_that_cannot_change_arguments_is_refused_instead() -> None:
    gate = gateway(supports=())
    decision = gate.before({"tool": "search", "arguments": {"query": "x"}}, session())
    assert (decision.effect, decision.code) == (Effect.DENY, Code.OBLIGATION_UNSUPPORTED)
    assert gate.before({"tool": "search", "arguments": {"query": "x", "limit": 3}}, session()).proceeds


@pytest.mark.parametrize("channel", ["internal", "external"])
@pytest.mark.parametrize("written", [{}, {"user_id": "somebody-else"}, {"user_id": None}, {"user_id": 5}])
def test_a_forced_argument_replaces_what_the_model_wrote(channel: str, written: dict[str, Any]) -> None:  # E2
    decision = decide("recall", {"query": "x", **written}, text=MEMORY, channel=channel)
    assert decision.proceeds
    assert decision.arguments == {"query": "x", "user_id": "u-1"}
    assert Obligation.FINAL_ARGUMENTS in decision.obligations


def test_true_is_not_taken_for_one_when_forcing() -> None:  # E2
    text = MEMORY.replace("user_id: {type: string}", "user_id: {type: integer}").replace(
        "user_id: subject.id", 'user_id: "1"'
    )
    decision = decide("recall", {"query": "x", "user_id": True}, text=text)
    assert decision.arguments is not None
    assert decision.arguments["user_id"] is not True
    assert decision.arguments["user_id"] == 1


def test_forced_in_one_channel_and_refused_in_the_other() -> None:  # E2
    facts = {"bases": ["b1"]}
    inside = decide("docs", {"query": "x", "bases": ["b2"]}, text=MEMORY, facts=facts)
    assert inside.arguments == {"query": "x", "bases": ["b1"]}
    outside = decide("docs", {"query": "x", "bases": ["b1"]}, text=MEMORY, facts=facts, channel="external")
    assert (outside.code, outside.rule) == (Code.FORCED_ARGUMENT_UNAVAILABLE, "own-bases")


@pytest.mark.parametrize("facts", [{}, {"bases": None}, {"bases": 2**70}])
def test_a_forced_value_that_is_not_there_refuses(facts: dict[str, Any]) -> None:  # E2
    decision = decide("docs", {"query": "x", "bases": ["mine"]}, text=MEMORY, facts=facts)
    assert (decision.effect, decision.code, decision.rule) == (
        Effect.DENY,
        Code.FORCED_ARGUMENT_UNAVAILABLE,
        "own-bases",
    )
    hidden = {h.name: h.link for h in gateway(MEMORY).tools(session(facts=facts)).hidden}
    assert hidden["docs"] == "forced"


def test_a_forced_value_still_meets_the_schema() -> None:
    text = MEMORY.replace("bases: {type: array, items: {type: string}}", "bases: {type: array, maxItems: 1}")
    decision = decide("docs", {"query": "x"}, text=text, facts={"bases": ["b1", "b2"]})
    assert (decision.effect, decision.code) == (Effect.DENY, Code.FORCED_ARGUMENT_UNAVAILABLE)
    assert "bases" not in decision.message
    assert "`bases`" in decision.detail


@pytest.mark.parametrize("name", ["reply.to", "to[0]", "."])
def test_a_forced_argument_with_a_dot_in_its_name_is_known_as_forced(name: str) -> None:
    text = MEMORY.replace(
        "bases: {type: array, items: {type: string}}", f'"{name}": {{type: array, maxItems: 1}}'
    )
    text = text.replace("[query, bases]", f'[query, "{name}"]').replace("set: {bases:", f'set: {{"{name}":')
    decision = decide("docs", {"query": "x"}, text=text, facts={"bases": ["b1", "b2"]})
    assert (decision.effect, decision.code) == (Effect.DENY, Code.FORCED_ARGUMENT_UNAVAILABLE)
    assert name == "." or name not in decision.message


@pytest.mark.parametrize("facts", [{"bases": "b1"}, {"bases": [1]}, {"bases": b"b1"}])
def test_a_fact_of_another_type_than_declared_counts_as_absent(facts: dict[str, Any]) -> None:
    decision = decide("docs", {"query": "x"}, text=MEMORY, facts=facts)
    assert (decision.effect, decision.code) == (Effect.DENY, Code.FORCED_ARGUMENT_UNAVAILABLE)


def test_two_forced_values_conflict_unless_equal() -> None:
    two = MEMORY + "  - {id: other, tools: [recall], set: {user_id: '\"u-2\"'}}\n"
    decision = decide("recall", {"query": "x"}, text=two)
    assert (decision.code, decision.rule) == (Code.FORCED_ARGUMENT_CONFLICT, "own-memory")
    assert decide("recall", {"query": "x"}, text=two, subject={"id": "u-2"}).proceeds


def test_the_model_is_not_shown_forced_arguments() -> None:
    (docs, recall) = gateway(MEMORY).tools(session(facts={"bases": []})).visible
    assert "user_id" not in recall.parameters["properties"]
    assert recall.parameters["required"] == ["query"]
    assert "bases" not in docs.parameters["properties"]


@pytest.mark.parametrize(
    "wrong",
    [
        "{id: x, tools: [recall], set: {user_id: args.query}}",
        "{id: x, tools: [recall], when: 'args.query == \"a\"', set: {user_id: subject.id}}",
        "{id: x, tools: [recall], set: {user: subject.id}}",
        "{id: x, tools: [recall], set: {user_id: subject.name}}",
        "{id: x, tools: [recal], set: {user_id: subject.id}}",
        "{id: own-memory, tools: [recall], set: {user_id: subject.id}}",
    ],
)
def test_entries_that_cannot_work_do_not_load(wrong: str) -> None:
    with pytest.raises(PolicyError):
        compiled(MEMORY + f"  - {wrong}\n")


def test_a_call_with_unknown_keys_is_refused() -> None:
    decision = gateway(SHOP).before({"tool": "search", "args": {"query": "x"}}, session())
    assert (decision.effect, decision.code) == (Effect.DENY, Code.ARGUMENTS_UNREADABLE)
    assert "`args`" in decision.detail


FORCING = """
version: 1
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - {name: t, risk: READ_ONLY, permissions: [], parameters: {type: object, properties: {a: {}, b: {}}}}
"""


def forced(*entries: str, **changes: Any) -> Any:
    text = FORCING + "arguments:\n" + "".join(f"  - {entry}\n" for entry in entries)
    return decide("t", {"b": 1}, text=text, **changes)


def test_an_entry_for_other_sessions_sets_nothing() -> None:
    for selector in ("tenants: [beta]", "channels: [external]"):
        entry = f"{{id: e, tools: [t], {selector}, set: {{a: '1'}}}}"
        text = FORCING.replace('tenants: ["*"]', "tenants: [acme, beta]") + f"arguments:\n  - {entry}\n"
        assert decide("t", {"b": 1}, text=text).arguments == {"b": 1}
    text = (
        FORCING.replace("agents: [", "agents: [{name: other, tools: [t], tenants: [acme]}, ")
        + "arguments:\n  - {id: e, tools: [t], agents: [other], set: {a: '1'}}\n"
    )
    assert decide("t", {"b": 1}, text=text).arguments == {"b": 1}
    assert decide("t", {"b": 1}, text=text, agent="other").arguments == {"b": 1, "a": 1}


def test_a_false_condition_leaves_the_argument_alone_and_goes_on_with_the_next_entry() -> None:  # E2
    decision = forced(
        "{id: e, tools: [t], when: session.can_ask, set: {a: '1'}}",
        "{id: f, tools: [t], unless: session.can_ask, set: {a: '2'}}",
        can_ask=False,
    )
    assert decision.arguments == {"b": 1, "a": 2}
    assert forced("{id: e, tools: [t], when: session.dry_run, set: {b: '2'}}").arguments == {"b": 1}


def test_an_error_in_a_condition_counts_as_a_match() -> None:  # E2
    entry = "{id: e, tools: [t], when: 'int(subject.id) == 7', set: {b: '2'}}"
    assert forced(entry).arguments == {"b": 2}
    assert forced(entry.replace("}}", "}, otherwise: deny}")).arguments == {"b": 2}


def test_a_set_becomes_a_sorted_list() -> None:
    decision = forced("{id: e, tools: [t], set: {a: subject.roles}}", subject={"roles": ["b", "c", "a"]})
    assert decision.arguments == {"b": 1, "a": ["a", "b", "c"]}


def test_a_refusal_says_what_is_missing() -> None:
    message = (
        "{id: e, tools: [t], when: session.dry_run, set: {a: '1'}, otherwise: deny, message: Only in trials.}"
    )
    decision = forced(message)
    assert decision.code is Code.FORCED_ARGUMENT_UNAVAILABLE
    assert decision.message.startswith("Only in trials. ")
    assert "`e`" in decision.detail
    assert "its condition does not hold" in decision.detail
    silent = forced(message.replace(", message: Only in trials.", ""))
    assert silent.message.startswith("This call needs something that the conversation does not supply.")
    null = forced("{id: e, tools: [t], set: {a: 'null'}}")
    assert (null.code, null.arguments) == (Code.FORCED_ARGUMENT_UNAVAILABLE, None)
    assert "`a` has no value: it is null" in null.detail
    assert [finding.step.value for finding in null.findings] == [4]


def test_a_conflict_names_both_entries() -> None:
    decision = forced("{id: e, tools: [t], set: {a: '1'}}", "{id: f, tools: [t], set: {a: 'true'}}")
    assert (decision.effect, decision.code) == (Effect.DENY, Code.FORCED_ARGUMENT_CONFLICT)
    assert "`e` and `f` set `a`" in decision.detail
    assert [finding.step.value for finding in decision.findings] == [4]
    assert forced("{id: e, tools: [t], set: {a: '1'}}", "{id: f, tools: [t], set: {a: '1'}}").proceeds


def test_under_a_glob_only_declared_keys_are_set() -> None:
    text = MEMORY.replace(
        "set: {user_id: subject.id}", "set: {user_id: subject.id, bases: session.facts.bases}"
    )
    facts = {"bases": ["b"]}
    assert decide("recall", {"query": "x"}, text=text, facts=facts).arguments == {
        "query": "x",
        "user_id": "u-1",
    }
    assert decide("docs", {"query": "x"}, text=text, facts=facts).arguments == {"query": "x", "bases": ["b"]}


@pytest.mark.parametrize(
    "parameters",
    [
        "{type: object, allOf: [{type: object, required: [user_id], properties: {user_id: {type: string}}}]}",
        '{type: object, $ref: "#/$defs/who", $defs: {who: {type: object, required: [user_id], properties: {user_id: {type: string}}}}}',
        "{type: object, properties: {query: {type: string}}, anyOf: [{properties: {user_id: {type: string}}}]}",
    ],
)
def test_an_argument_that_is_declared_in_a_part_of_the_schema_is_forced_too(parameters: str) -> None:  # E2
    text = MEMORY.replace(
        "arguments:\n",
        f"  - {{name: x_memory, risk: READ_ONLY, permissions: [], parameters: {parameters}}}\narguments:\n",
    )
    decision = decide("x_memory", {"user_id": "somebody-else"}, text=text)
    assert (decision.arguments or {})["user_id"] == "u-1"
    shown = {tool.name: tool.parameters for tool in gateway(text).tools(session(facts={"bases": []})).visible}
    assert "user_id" not in str(shown["x_memory"])


def test_one_tool_has_one_spelling() -> None:
    text = """
version: 1
agents: [{name: clerk, tools: ["*", "*/*"], tenants: ["*"]}]
tools: [{name: hub/delete, risk: READ_ONLY, permissions: []}]
servers: [{name: hub, tools: ["*"]}]
rules:
  - {id: no-hub, tools: ["*"], when: 'has(call.server) && call.server == "hub" && call.tool == "delete"', effect: deny}
"""
    gate = gateway(text)
    for call in ({"tool": "delete", "server": "hub"}, {"tool": "hub/delete"}):
        assert gate.before(call, session()).rule == "no-hub", call
    assert gate.before(ToolCall("hub/delete", id="c"), session()).rule == "no-hub"


def test_what_a_host_does_with_a_decision_does_not_change_the_policy() -> None:
    text = (
        MEMORY.replace(
            "arguments:\n", "  - {name: ask, risk: READ_ONLY, permissions: []}\narguments:\n"
        ).replace("bases: session.facts.bases", "bases: lists.allowed")
        + "lists: {allowed: [b1]}\nrules:\n"
        + "  - {id: answer, tools: [ask], effect: respond, response: {items: []}}\n"
    )
    gate = gateway(text)
    call = {"tool": "docs", "arguments": {"query": "x"}}
    for _ in range(2):
        decision = gate.before(call, session())
        assert decision.arguments is not None
        assert decision.arguments["bases"] == ["b1"]
        decision.arguments["bases"].append("evil")
        answered = gate.before({"tool": "ask"}, session())
        assert answered.response == {"items": []}
        answered.response["items"].append("a secret of this tenant")
        docs = next(tool for tool in gate.tools(session()).visible if tool.name == "docs")
        assert "query" in docs.parameters["properties"]
        docs.parameters["properties"].clear()


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("{id: x, tools: ['*'], set: {user_idd: subject.id}}", "unknown-name"),
        ("{id: x, tools: ['later_*'], set: {user_id: subject.nope}}", "cel-name"),
        ("{id: x, tools: [recall], set: {user_id: subject.roles}}", "wrong-type"),
        ("{id: x, tools: [docs], set: {bases: subject.id}}", "wrong-type"),
    ],
)
def test_a_value_that_can_never_be_set_does_not_load(entry: str, code: str) -> None:  # E2
    with pytest.raises(PolicyError) as caught:
        compiled(MEMORY + f"  - {entry}\n")
    assert [d.code for d in caught.value.diagnostics] == [code]


def test_an_unless_that_holds_leaves_the_argument_alone() -> None:  # E2
    entry = "{id: e, tools: [t], unless: session.can_ask, set: {b: '2'}}"
    assert forced(entry).arguments == {"b": 1}
    assert forced(entry, can_ask=False).arguments == {"b": 2}


def test_an_entry_under_a_glob_refuses_nothing_of_a_tool_without_its_key() -> None:  # E2
    entry = "{id: e, tools: ['*'], when: session.dry_run, set: {c: '1'}, otherwise: deny}"
    text = (
        FORCING
        + "  - {name: u, risk: READ_ONLY, permissions: [], parameters: {type: object, properties: {c: {}}}}\n"
    )
    text += f"arguments:\n  - {entry}\n"
    assert decide("t", {}, text=text).proceeds
    assert decide("u", {}, text=text).code is Code.FORCED_ARGUMENT_UNAVAILABLE


@pytest.mark.parametrize("selector", ["tools: [recall], risk: '>LOW'", "tools: ['re*', '!recall']"])
def test_an_entry_whose_selectors_leave_no_tool_is_not_ready(selector: str) -> None:  # E2
    gate = gateway(MEMORY + f"  - {{id: x, {selector}, set: {{user_id: subject.id}}}}\n")
    assert [d.code for d in gate.manifest.unready] == ["never-matches"]
    assert gate.before({"tool": "recall", "arguments": {"query": "x"}}, session()).code is Code.NOT_READY


def test_nothing_that_a_model_is_shown_names_a_forced_argument() -> None:
    parameters = (
        "{type: object, required: [user_id], properties: {user_id: {type: string}, q: {type: string}}, "
        '$ref: "#/$defs/U", $defs: {U: {properties: {user_id: {description: hush}}}}, not: {required: [user_id, zz]}, '
        "propertyNames: {enum: [user_id, q]}, examples: [{user_id: secret}], default: {user_id: me}, "
        "dependentRequired: {q: [user_id]}}"
    )
    text = MEMORY.replace(
        "arguments:\n",
        f"  - {{name: x, risk: READ_ONLY, permissions: [], parameters: {parameters}}}\narguments:\n",
    )
    shown = {tool.name: tool.parameters for tool in gateway(text).tools(session(facts={"bases": []})).visible}
    assert "q" in shown["x"]["properties"]
    assert "user_id" not in str(shown["x"])


def test_a_value_that_no_call_can_hold_is_not_set() -> None:  # E2
    decision = forced("{id: e, tools: [t], set: {a: 0.0 / 0.0}}")
    assert (decision.code, decision.rule) == (Code.FORCED_ARGUMENT_UNAVAILABLE, "e")
    assert "`a` has no value: " in decision.detail


def test_an_exact_tool_s_key_need_not_be_in_the_tools_of_a_glob() -> None:  # E2
    text = MEMORY.replace('{id: own-memory, tools: ["*"],', '{id: own-memory, tools: [recall, "do*"],')
    assert decide("recall", {"query": "x"}, text=text).arguments == {"query": "x", "user_id": "u-1"}
    assert decide("docs", {"query": "x"}, text=text, facts={"bases": []}).proceeds


def test_a_forced_value_that_breaks_the_schema_is_refused_with_the_schema() -> None:  # E2
    text = MEMORY.replace("bases: {type: array, items: {type: string}}", "bases: {type: array, maxItems: 1}")
    (finding,) = decide("docs", {"query": "x"}, text=text, facts={"bases": ["b1", "b2"]}).findings
    assert finding.step is Step.RESOURCE


@pytest.mark.parametrize("condition", ["when: 'false'", "unless: 'true'", "when: 'tool.group == \"none\"'"])
def test_an_entry_that_never_applies_is_not_ready(condition: str) -> None:  # E2
    gate = gateway(MEMORY + f"  - {{id: x, tools: [recall], {condition}, set: {{query: subject.id}}}}\n")
    assert [d.code for d in gate.manifest.unready] == ["never-matches"]


@pytest.mark.parametrize(
    ("condition", "underlined"),
    [
        ("when: 1 > 2", "1 > 2"),
        ("unless: 1 < 2", "1 < 2"),
        ("unless: 1 < 2, when: session.dry_run", "session.dry_run"),
    ],
)
def test_an_entry_that_never_applies_is_shown_where_it_says_so(condition: str, underlined: str) -> None:
    gate = gateway(MEMORY + f"  - {{id: x, tools: [recall], {condition}, set: {{query: subject.id}}}}\n")
    assert [d.span.text for d in gate.manifest.unready if d.span is not None] == [underlined]


def test_a_turn_of_another_type_than_declared_forces_as_a_match_does() -> None:  # E2
    text = MEMORY.replace("types: {", "types: {turn: {ambiguous: bool}, ").replace(
        "set: {user_id: subject.id}",
        "when: has(turn.ambiguous) && turn.ambiguous == true, set: {user_id: subject.id}",
    )
    for ambiguous, user in ((True, "u-1"), (False, "mine"), ("yes", "u-1")):
        decision = decide(
            "recall", {"query": "x", "user_id": "mine"}, text=text, turn={"ambiguous": ambiguous}
        )
        assert decision.arguments == {"query": "x", "user_id": user}


def test_an_entry_whose_tools_are_not_there_yet_is_not_said_to_never_apply() -> None:
    entry = "  - {id: x, tools: ['later_*'], when: session.dry_run, set: {query: subject.id}}\n"
    assert "never-matches" not in [d.code for d in gateway(MEMORY + entry).manifest.unready]
