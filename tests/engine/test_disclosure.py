"""What of a call's arguments is repeated: to whoever confirms it, to the model, and to whoever has it explained."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from gateway.decision import Code, Effect
from tests.engine.build import PAY, SHOP, decide, gateway, session, with_rules

SEND = """
version: 1
settings: {confirm_from: LOW}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - name: send
    risk: LOW
    permissions: []
    parameters:
      type: object
      properties:
        key: {x-sensitive: true, additionalProperties: true}
        count: {additionalProperties: true}
        logins: {type: array, items: {type: object, properties: {user: {type: string}, pin: {type: string, x-sensitive: true}}}}
        headers: {type: object, additionalProperties: {type: string, x-sensitive: true}}
        mixed: {anyOf: [{type: object, properties: {pin: {type: string, x-sensitive: true}}}, {type: array, items: {type: string}}]}
        either: {anyOf: [{type: string}, {type: array, items: {type: string, x-sensitive: true}}]}
"""


def asked(arguments: dict[str, Any], text: str = SEND, tool: str = "send", **changes: Any) -> str:
    decision = decide(tool, arguments, text=text, **changes)
    assert (decision.effect, decision.code) == (Effect.ASK, Code.CONFIRM)
    (finding,) = decision.findings
    return finding.message


def test_what_is_sensitive_is_hidden_wherever_it_stands() -> None:
    assert asked({"key": {"a": 1}, "count": 2}) == (
        'A person must confirm: `send` with {"key": "(hidden)", "count": 2}.'
    )
    logins = [{"user": "ann", "pin": "4711"}, {"user": "bob"}]
    assert asked({"logins": logins}) == (
        "A person must confirm: `send` with "
        '{"logins": [{"user": "ann", "pin": "(hidden)"}, {"user": "bob"}]}.'
    )
    assert asked({"headers": {"cookie": "c-1", "token": "t-1"}}) == (
        'A person must confirm: `send` with {"headers": {"cookie": "(hidden)", "token": "(hidden)"}}.'
    )
    assert asked({"either": ["s-1"]}) == 'A person must confirm: `send` with {"either": ["(hidden)"]}.'
    assert (
        asked({"mixed": {"pin": "p-1"}})
        == 'A person must confirm: `send` with {"mixed": {"pin": "(hidden)"}}.'
    )
    assert asked({"mixed": ["plain"]}) == 'A person must confirm: `send` with {"mixed": ["plain"]}.'
    assert asked({"either": "plain"}) == 'A person must confirm: `send` with {"either": "plain"}.'


def test_what_is_sensitive_as_a_whole_is_hidden_argument_by_argument() -> None:
    text = SEND.replace("      type: object\n", "      type: object\n      x-sensitive: true\n", 1)
    assert text != SEND
    assert asked({"count": 4711, "either": "p"}, text=text) == (
        'A person must confirm: `send` with {"count": "(hidden)", "either": "(hidden)"}.'
    )


def observed(condition: str, arguments: dict[str, Any], text: str = SEND, **changes: Any) -> dict[str, str]:
    given = " && ".join(f"has(args.{name})" for name in arguments)
    both = f"{given} && ({condition})"
    rule = f"{{id: look, tools: [send], when: '{both}', effect: deny, monitor: true}}"
    call = {"tool": "send", "arguments": arguments}
    entries = gateway(with_rules(rule, text=text)).explain(call, session(**changes)).decision.trace
    (one,) = [entry for entry in entries if entry.rule == "look"]
    return {seen.text: seen.value for seen in one.observed}


def test_what_is_sensitive_is_hidden_in_all_that_a_condition_saw() -> None:
    key = {"a": ["s3cret", 4711], "b": True, "c": None, "d": 'q"uoté'}
    seen = observed("args.key == args.count", {"key": key, "count": [True, None, "see s3cret, True, None"]})
    assert seen["args.key"] == '{"a": ["(hidden)", (hidden)], "b": true, "c": null, "d": "(hidden)"}'
    assert seen["args.count"] == '[true, null, "see (hidden), True, None"]'
    logins = [{"user": "ann", "pin": "p-1"}, {"user": "bob"}]
    seen = observed("args.logins == args.count", {"logins": logins, "count": 1})
    assert seen["args.logins"] == '[{"user": "ann", "pin": "(hidden)"}, {"user": "bob"}]'
    seen = observed("args.headers == args.count", {"headers": {"cookie": "c-1"}, "count": 1})
    assert seen["args.headers"] == '{"cookie": "(hidden)"}'
    seen = observed("args.either == args.count", {"either": "plain", "count": 1})
    assert seen["args.either"] == '"plain"'
    seen = observed("args.mixed == args.count", {"mixed": ["plain"], "count": 1})
    assert seen["args.mixed"] == '["plain"]'


def test_what_is_computed_from_arguments_beside_a_sensitive_one_is_hidden() -> None:
    seen = observed(
        '(args.key + "x").size() > 2 && args.count * 2 > 90 && [args.key].exists(k, k + "x" == "y")',
        {"key": "Topsecret#1", "count": 91_234},
    )
    assert "opsecret" not in str(seen)
    assert "182468" not in str(seen)
    assert seen["args.count"] == "91234"
    assert seen["args.count * 2 > 90"] == "true"
    seen = observed('subject.roles.size() + 40 > 1 && session.id + "x" != ""', {"key": "Topsecret#1"})
    assert (seen["subject.roles.size() + 40"], seen['session.id + "x"']) == ("41", '"s-1x"')


@pytest.mark.parametrize("condition", ["int(args.key) > 5", "{}[args.key] == 1", "timestamp(args.key) > now"])
def test_no_error_of_a_condition_repeats_a_sensitive_argument(condition: str) -> None:
    rule = f"{{id: look, tools: [send], when: 'has(args.key) && {condition}', effect: deny}}"
    call = {"tool": "send", "arguments": {"key": "Topsecret#1"}}
    gate = gateway(with_rules(rule, text=SEND))
    explained = gate.explain(call, session())
    assert explained.decision.code is Code.RULE
    assert "its error may repeat a sensitive argument" in explained.decision.detail
    for decision in (gate.before(call, session()), explained.decision):
        assert "opsecret" not in repr(replace(decision, arguments=None))
    assert "opsecret" not in repr(explained.accepted)


def test_an_empty_secret_hides_nothing() -> None:
    seen = observed("args.key == args.count", {"key": "", "count": "ab"})
    assert (seen["args.key"], seen["args.count"]) == ('""', '"ab"')


def test_values_that_json_lacks_are_shown_as_policies_write_them() -> None:
    def one(condition: str, part: str) -> str:
        return observed(condition, {"count": 1})[part]

    assert one('now < timestamp("2030-01-01T00:00:00Z")', "now") == '"2026-12-01T12:00:00Z"'
    assert one('now - duration("60s") < now', 'now - duration("60s")') == '"2026-12-01T11:59:00Z"'
    assert one('now - timestamp("2026-12-01T11:00:00Z") > duration("60s")', DIFFERENCE) == '"3600s"'
    assert one("args.?key.hasValue()", "args.?key") == '"(absent)"'
    assert one("args.?count.hasValue()", "args.?count") == "1"
    assert one("bytes(subject.id) == bytes(session.id)", "bytes(subject.id)") == "\"b'u-1'\""
    assert one('ip("::FFFF:a00:1") == ip("10.0.0.1")', 'ip("::FFFF:a00:1")') == '"10.0.0.1"'
    assert one('cidr("10.0.0.7/8").prefixLength() == 8', 'cidr("10.0.0.7/8")') == '"10.0.0.7/8"'


def test_of_a_url_only_scheme_and_host_are_explained_since_secrets_may_be_encoded_in_the_rest() -> None:
    address = 'url("https://ann:hunter2@acme.com/s%33cret?key=s%33cret")'
    assert observed(f"{address} == {address}", {"count": 1})[address] == '"https://acme.com/…"'


DIFFERENCE = 'now - timestamp("2026-12-01T11:00:00Z")'


class Odd:
    """A host's object that nothing is known of."""


@pytest.mark.parametrize(
    ("fact", "shown"),
    [
        (frozenset({"b", "a"}), '["a", "b"]'),
        (frozenset({1, "a"}), '["a", 1]'),
        (datetime(2026, 12, 1, tzinfo=UTC), '"2026-12-01T00:00:00Z"'),
        (timedelta(minutes=2), '"120s"'),
        (datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=9))), "<datetime>"),
        (Odd(), '"<Odd>"'),
        ({(1, 2): 3}, "<dict>"),
        ({"when": {1}}, '{"when": "<set>"}'),
    ],
)
def test_whatever_a_host_supplies_is_explained_as_it_is_decided(fact: Any, shown: str) -> None:
    rule = "{id: look, tools: [search], when: session.facts.limit == 5, effect: deny, monitor: true}"
    text = with_rules(rule, text=SHOP.replace("limit: int", "limit: dyn"))
    call, who = {"tool": "search", "arguments": {"query": "x"}}, session(facts={"limit": fact})
    explained = gateway(text).explain(call, who).decision
    assert explained.code is gateway(text).before(call, who).code is Code.ALLOWED
    (one,) = [entry for entry in explained.trace if entry.rule == "look"]
    assert {seen.text: seen.value for seen in one.observed}["session.facts.limit"] == shown


def test_a_description_names_the_call_in_the_tool_s_own_words() -> None:  # B19
    text = SHOP.replace("confirm_from: HIGH", "confirm_from: MEDIUM")
    assert asked(PAY, text, "order_pay") == 'A person must confirm: Pay 100 to "DE1".'
    assert asked({**PAY, "note": "now"}, text, "order_pay") == (
        'A person must confirm: Pay 100 to "DE1" (and {"note": "now"}).'
    )
    about_note = text.replace("Pay {args.amount}", "Pay {args.note}")
    assert asked(PAY, about_note, "order_pay") == (
        'A person must confirm: `order_pay` with {"amount": 100, "iban": "DE1"}.'
    )


def test_a_description_may_name_the_tool_and_its_configuration() -> None:
    text = SEND.replace(
        "risk: LOW",
        'risk: LOW\n    config: {sms: fast}\n    describe: "{tool.name} {args.count} by {config.sms}"',
    )
    assert asked({"count": 2}, text) == 'A person must confirm: "send" 2 by "fast".'


def test_what_a_description_names_of_the_tool_is_no_argument() -> None:
    text = SEND.replace("risk: LOW", 'risk: LOW\n    config: {count: 5}\n    describe: "By {config.count}"')
    assert asked({"count": 2}, text) == 'A person must confirm: By 5 (and {"count": 2}).'


def test_a_description_hides_what_is_sensitive() -> None:
    text = SEND.replace("risk: LOW", 'risk: LOW\n    describe: "Send {args.key}"')
    assert asked({"key": "s3cret"}, text) == 'A person must confirm: Send "(hidden)".'


def test_a_long_value_is_cut_and_its_length_is_said() -> None:
    text = SEND.replace("risk: LOW", 'risk: LOW\n    describe: "Send {args.count}"')
    assert asked({"count": "é" * 198}, text) == f'A person must confirm: Send "{"é" * 198}".'
    assert asked({"count": "é" * 199}, text) == f'A person must confirm: Send "{"é" * 199}… (201 characters).'
    raw = '{"count": "' + "x" * 387
    assert asked({"count": "x" * 387}) == f'A person must confirm: `send` with {raw}"}}.'
    assert asked({"count": "x" * 390}) == (
        f"A person must confirm: `send` with {(raw + 'xxx')[:400]}… (403 characters)."
    )


NESTED = """
version: 1
settings: {confirm_from: LOW}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - {name: outer, wraps: {tool: args.call.tool, arguments: args.call.input}, risk: LOW, permissions: [], parameters: {type: object, required: [call], properties: {why: {type: string}, call: {type: object, required: [tool], properties: {tool: {type: string}, input: {type: object, additionalProperties: true}}}}}}
  - {name: inner, risk: READ_ONLY, permissions: [], parameters: {type: object, properties: {user: {type: string}, pin: {type: string, x-sensitive: true}}}}
"""


def test_a_wrapped_call_is_shown_in_its_place_as_its_own_tool_discloses_it() -> None:
    call = {"tool": "inner", "input": {"user": "ann", "pin": "p-1"}}
    assert asked({"call": call, "why": "x"}, NESTED, "outer") == (
        "A person must confirm: `outer` with "
        '{"call": {"tool": "inner", "input": {"user": "ann", "pin": "(hidden)"}}, "why": "x"}.'
    )
    assert asked({"call": {"tool": "inner"}}, NESTED, "outer") == (
        'A person must confirm: `outer` with {"call": {"tool": "inner"}}.'
    )


# --- what people and logs are shown -----------------------------------------------------------------------------------

RESET = """
version: 1
settings: {confirm_from: LOW}
agents: [{name: clerk, tools: ["*"], tenants: [acme]}]
tools:
  - {name: reset, risk: HIGH, permissions: [], inspect: {command: shell}, parameters: {type: object, properties: {login: {type: string}, word: {type: string, x-sensitive: true}, command: {type: string, x-sensitive: true}}}}
  - {name: outer, risk: LOW, permissions: [], wraps: {tool: args.tool, arguments: args.input}, parameters: {type: object, properties: {tool: {type: string}, input: {type: object, additionalProperties: true}}}}
"""
WORD = "Tr0ub4dor&3xyz"


def test_arguments_are_shown_without_sensitive_ones_and_run_with_them() -> None:
    given = {"login": "ann", "word": WORD}
    for call, final in (
        ({"tool": "reset", "arguments": given}, given),
        (
            {"tool": "outer", "arguments": {"tool": "reset", "input": given}},
            {"tool": "reset", "input": given},
        ),
    ):
        decision = gateway(RESET).before(call, session())
        assert decision.arguments == final
        assert decision.approval is not None
        assert WORD not in repr([decision.shown, decision.approval, decision.message, decision.findings])
        assert "ann" in repr(decision.shown)
        assert WORD not in decision.approval["prompt"]


def test_what_is_found_in_a_sensitive_command_does_not_repeat_it() -> None:
    command = f"rm -rf /srv/{WORD}"
    decision = gateway(RESET).before({"tool": "reset", "arguments": {"command": command}}, session())
    assert decision.code is Code.PATTERN
    assert WORD not in repr([decision.message, decision.detail, decision.findings, decision.shown])


def test_without_sensitive_arguments_nothing_is_copied() -> None:
    decision = decide("order_pay", PAY)
    assert decision.shown is decision.arguments
