"""What is sensitive around or inside a wrapped call is told by nobody: not in parts, not escaped, not computed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.decision import Code, Decision, Effect
from gateway.inspect.guard import Guard
from gateway.steps.secrets import without
from tests.engine.build import gateway, session

WORD = "Sw0rdfish77"
TEXT = """
version: 1
settings: {confirm_from: HIGH, packs: [core, files]}
agents: [{name: clerk, tools: ["*"], tenants: [acme]}]
tools:
  - {name: run, risk: MEDIUM, permissions: [], parameters: {type: object, required: [command], properties: {command: {type: string}, k: {enum: [a, b]}, m: {type: object, additionalProperties: {type: integer}}}}, inspect: {command: shell}}
  - {name: secret_run, risk: MEDIUM, permissions: [], parameters: {type: object, required: [command], properties: {command: {type: string, x-sensitive: true}}}, inspect: {command: shell}}
  - {name: open_plain, risk: LOW, permissions: [], parameters: {type: object, properties: {pin: {type: string}, note: {type: string}}}}
  - {name: grave, risk: HIGH, permissions: [], describe: "Set {args.pin}", parameters: {type: object, properties: {pin: {type: string}, note: {type: string}}}}
  - {name: loose, risk: HIGH, permissions: [], parameters: {type: object, properties: {pin: {type: string}}, additionalProperties: true}}
  - {name: headed, risk: LOW, permissions: [], parameters: {type: object, properties: {headers: {type: object, additionalProperties: {type: string, x-sensitive: true}}}}}
  - {name: login, risk: LOW, permissions: [], parameters: {type: object, properties: {pin: {type: string, x-sensitive: true}, note: {type: string}}}}
  - {name: reset, risk: LOW, permissions: [], resource_permissions: ["pin:{args.pin}"], parameters: {type: object, properties: {pin: {type: string}}}}
  - {name: bag, risk: LOW, permissions: [], parameters: {type: object, properties: {key: {type: object, x-sensitive: true, additionalProperties: {type: integer}}}}}
  - {name: outer, risk: LOW, permissions: [], wraps: {tool: args.tool, arguments: args.input}, parameters: {type: object, required: [tool, input], properties: {tool: {type: string}, input: {type: object, additionalProperties: true}}}}
  - {name: texted, risk: LOW, permissions: [], wraps: {tool: args.tool, arguments: args.input}, parameters: {type: object, required: [tool, input], properties: {tool: {type: string}, input: {type: string}}}}
  - {name: hidden_object, risk: LOW, permissions: [], wraps: {tool: args.tool, arguments: args.input}, parameters: {type: object, required: [tool, input], properties: {tool: {type: string}, input: {type: object, additionalProperties: true, x-sensitive: true}}}}
  - {name: hidden_text, risk: LOW, permissions: [], wraps: {tool: args.tool, arguments: args.input}, parameters: {type: object, required: [tool, input], properties: {tool: {type: string}, input: {type: string, x-sensitive: true}}}}
  - {name: hidden_part, risk: LOW, permissions: [], wraps: {tool: args.tool, arguments: args.input}, parameters: {type: object, required: [tool, input], properties: {tool: {type: string}, input: {type: object, properties: {pin: {type: string, x-sensitive: true}}, additionalProperties: true}}}}
  - {name: beside, risk: LOW, permissions: [], wraps: {tool: args.tool, arguments: args.input}, parameters: {type: object, required: [tool, input], properties: {tool: {type: string}, token: {type: string, x-sensitive: true}, input: {type: object, additionalProperties: true}}}}
  - {name: read_outside, risk: LOW, permissions: [], inspect: {input: shell}, wraps: {tool: args.tool, arguments: args.input}, parameters: {type: object, required: [tool, input], properties: {tool: {type: string}, input: {type: object, properties: {command: {type: string}}, additionalProperties: true}}}}
  - {name: pinned, risk: LOW, permissions: [], resource_permissions: ["pin:{args.input.pin}"], wraps: {tool: args.tool, arguments: args.input}, parameters: {type: object, required: [tool, input], properties: {tool: {type: string}, input: {type: object, properties: {pin: {type: string}}, additionalProperties: true}}}}
"""
READS_PIN = "has(args.pin) && int(args.pin) > 3"
READS_INNER = "has(args.input.pin) && int(args.input.pin) > 3"


def told(tool: str, arguments: Any, *rules: str, guard: Guard | None = None, **changes: Any) -> Decision:
    """The decision, of which neither form nor its explanation tells the word, beside what runs."""
    lines = "".join(f"  - {rule}\n" for rule in rules)
    gate = gateway(TEXT + ("rules:\n" + lines if lines else ""), guard=guard)
    call = {"id": "c-1", "tool": tool, "arguments": arguments}
    decision = gate.before(call, session(**changes))
    for one in (decision, gate.explain(call, session(**changes)).decision):
        said = repr([getattr(one, name) for name in one.__slots__ if name not in ("arguments", "like")])
        assert "rdfish" not in said.lower()
    return decision


def rule(when: str, tool: str, effect: str = "deny", rest: str = "") -> str:
    return f"{{id: r, tools: [{tool}], when: {json.dumps(when)}, effect: {effect}{rest}}}"


def wrapped(outer: str, inner: str, given: Any) -> dict[str, Any]:
    return {"tool": inner, "input": json.dumps(given) if "text" in outer else given}


HIDING = ["hidden_object", "hidden_text"]


@pytest.mark.parametrize("outer", HIDING)
@pytest.mark.parametrize(
    ("command", "code"),
    [
        (f"rm -rf /srv/{WORD}", Code.PATTERN),
        (f"rm -rf ${WORD}", Code.PATTERN),
        (f'bash -c "${WORD}"', Code.UNREADABLE),
        (f"echo x > /etc/{WORD}.yaml", Code.GUARD),
    ],
)
def test_parts_of_a_command_were_told_where_all_that_is_wrapped_is_sensitive(
    outer: str, command: str, code: Code
) -> None:
    guard = Guard((f"/etc/{WORD}.yaml",), ())
    decision = told(outer, wrapped(outer, "run", {"command": command}), guard=guard)
    assert code in {finding.code for finding in decision.findings}
    assert "may repeat a sensitive argument" in decision.message


def test_parts_of_a_command_that_is_sensitive_itself_were_told() -> None:
    decision = told("secret_run", {"command": f"rm -rf /srv/{WORD}"})
    assert (decision.code, decision.rule) == (Code.PATTERN, "fs.delete.outside")
    assert decision.message.startswith(
        "`command`: it matches `fs.delete.outside`; its text may repeat a sensitive argument, so it is not told. Instead: "
    )


def test_a_tool_that_inspects_what_is_sensitive_in_the_call_it_wraps_told_of_it() -> None:
    told("read_outside", wrapped("read_outside", "secret_run", {"command": f"rm -rf /srv/{WORD}"}))
    plain = {"tool": "run", "input": {"command": "rm -rf /srv/other"}}
    decision = gateway(TEXT).before({"tool": "read_outside", "arguments": plain}, session())
    assert "/srv/other" in decision.message


@pytest.mark.parametrize("outer", HIDING)
@pytest.mark.parametrize(
    "given",
    [
        {"command": "echo hi", WORD: 1},
        {"command": "echo hi", "swordfish": 1},
        {"command": "echo hi", "m": {"swordfish": "x"}},
        {"command": "echo hi", "m": {"swordfish": 1.5}},
    ],
)
def test_keys_of_what_is_sensitive_were_told_where_they_did_not_fit(outer: str, given: Any) -> None:
    decision = told(outer, wrapped(outer, "run", given))
    assert decision.code is Code.ARGUMENT_INVALID
    assert "(hidden)" in decision.message


def test_keys_of_a_sensitive_object_were_told_where_they_did_not_fit() -> None:
    decision = told("bag", {"key": {"swordfish": "x"}})
    assert decision.detail == "`key.(hidden)` must be a whole number"


@pytest.mark.parametrize("outer", HIDING)
@pytest.mark.parametrize("changes", [{}, {"dry_run": True}])
def test_keys_of_what_is_sensitive_were_told_in_the_question_and_in_a_dry_run(
    outer: str, changes: dict[str, Any]
) -> None:
    given = {"pin": "x", "swordfish": 1, "deep": {"swordfish": 2}}
    decision = told(outer, wrapped(outer, "loose", given), **changes)
    assert '{"pin": "(hidden)", "(hidden)": "(hidden)"}' in decision.message


def test_a_key_whose_value_alone_is_sensitive_is_told() -> None:
    call = {"tool": "headed", "arguments": {"headers": {"X-Trace": 5}}}
    assert "`headers.X-Trace` must be a text" in gateway(TEXT).before(call, session()).message


def test_names_that_the_schema_declares_are_still_told() -> None:
    decision = told("hidden_object", wrapped("hidden_object", "run", {"command": "ls", "k": WORD}))
    assert '`k` must be one of `"a"`, `"b"`' in decision.message


@pytest.mark.parametrize("outer", HIDING)
@pytest.mark.parametrize(
    "given",
    ['{"swordfish": 1, "swordfish": 2}', {"swordfish\0": 1}, {"swordfish": "\0"}, {"swordfish": 2**70}],
)
def test_keys_of_what_is_sensitive_were_told_where_it_could_not_be_read(outer: str, given: Any) -> None:
    if outer == "hidden_text":
        text = given if isinstance(given, str) else json.dumps(given)
        decision = told(outer, {"tool": "run", "input": text})
        assert decision.code in (Code.ARGUMENTS_UNREADABLE, Code.ARGUMENT_INVALID)
    elif not isinstance(given, str):
        assert told(outer, {"tool": "run", "input": given}).code is Code.ARGUMENTS_UNREADABLE


@pytest.mark.parametrize("outer", [*HIDING, "hidden_part"])
@pytest.mark.parametrize("effect", ["allow", "deny", "ask"])
@pytest.mark.parametrize(
    ("when", "pin"),
    [
        (READS_PIN, WORD),
        (READS_PIN, f"{WORD}\n\x1b\u202e`"),
        (READS_PIN, WORD + "x" * 400),
        ("has(args.pin) && int(args.pin.upperAscii()) > 3", WORD),
        ("has(args.pin) && {'a': 1}[args.pin] > 3", WORD),
    ],
)
def test_an_error_of_an_inner_rule_told_what_is_sensitive_outside(
    outer: str, effect: str, when: str, pin: str
) -> None:
    decision = told(outer, wrapped(outer, "open_plain", {"pin": pin}), rule(when, "open_plain", effect))
    assert decision.errors == ("r: its error may repeat a sensitive argument, so it is not told",)


@pytest.mark.parametrize("outer", HIDING)
def test_what_is_only_watched_of_an_inner_call_told_what_is_sensitive(outer: str) -> None:
    watched = rule(READS_PIN, "open_plain", rest=", monitor: true")
    decision = told(outer, wrapped(outer, "open_plain", {"pin": WORD}), watched)
    assert [finding.rule for finding in decision.monitored] == ["r"]


@pytest.mark.parametrize("effect", ["allow", "deny"])
def test_an_outer_rule_told_what_the_inner_tool_says_is_sensitive(effect: str) -> None:
    decision = told("outer", wrapped("outer", "login", {"pin": WORD}), rule(READS_INNER, "outer", effect))
    assert decision.errors == ("r: its error may repeat a sensitive argument, so it is not told",)


def test_an_outer_rule_told_the_text_that_a_sensitive_argument_is_written_in() -> None:
    for given in ({"pin": WORD}, {"pin": f'"{WORD}\n'}):
        decision = told("texted", wrapped("texted", "login", given), rule("int(args.input) > 3", "texted"))
        assert decision.errors == ("r: its error may repeat a sensitive argument, so it is not told",)


def test_what_is_sensitive_three_calls_deep_was_told_by_the_outermost_rule() -> None:
    deep = wrapped("outer", "texted", wrapped("texted", "login", {"pin": WORD}))
    reads = "has(args.input.input) && int(args.input.input) > 3"
    decision = told("outer", deep, rule(reads, "outer"))
    assert decision.effect is Effect.DENY


def test_what_is_sensitive_outside_stays_so_three_calls_deep() -> None:
    deep = wrapped("hidden_object", "texted", wrapped("texted", "open_plain", {"pin": WORD}))
    decision = told("hidden_object", deep, rule(READS_PIN, "open_plain"))
    assert decision.errors == ("r: its error may repeat a sensitive argument, so it is not told",)


def test_a_sensitive_argument_beside_the_wrapped_call_was_told_where_the_call_repeats_it() -> None:
    given = {**wrapped("beside", "open_plain", {"pin": f"{WORD}\n"}), "token": f"{WORD}\n"}
    gate = gateway(f"{TEXT}rules:\n  - {rule(READS_PIN, 'open_plain')}\n")
    decision = gate.before({"tool": "beside", "arguments": given}, session())
    assert decision.effect is Effect.DENY
    assert WORD not in repr([decision.message, decision.detail, decision.findings, decision.errors])
    given = {**wrapped("beside", "run", {"command": f"rm -rf /srv/{WORD}"}), "token": WORD}
    assert "/srv/(hidden)" in gateway(TEXT).before({"tool": "beside", "arguments": given}, session()).message


@pytest.mark.parametrize("outer", [*HIDING, "hidden_part"])
def test_the_question_of_an_inner_call_told_what_is_sensitive_outside(outer: str) -> None:
    decision = told(outer, wrapped(outer, "grave", {"pin": WORD, "note": "x"}))
    assert (decision.effect, decision.code) == (Effect.ASK, Code.CONFIRM)
    assert decision.approval is not None
    assert 'Set "(hidden)"' in decision.approval["prompt"]


@pytest.mark.parametrize("outer", [*HIDING, "hidden_part"])
def test_a_dry_run_of_an_inner_call_told_what_is_sensitive_outside(outer: str) -> None:
    decision = told(outer, wrapped(outer, "open_plain", {"pin": WORD}), dry_run=True)
    assert decision.code is Code.DRY_RUN
    assert "(hidden)" in json.dumps(decision.response)


@pytest.mark.parametrize(
    ("outer", "inner"), [("hidden_object", "reset"), ("hidden_text", "reset"), ("pinned", "login")]
)
@pytest.mark.parametrize("pin", [WORD, f"{WORD}:*"])
def test_a_permission_told_what_is_sensitive_around_or_inside(outer: str, inner: str, pin: str) -> None:
    decision = told(outer, wrapped(outer, inner, {"pin": pin}))
    assert decision.code is Code.RESOURCE_PERMISSION_DENIED


def test_a_short_secret_garbled_the_place_of_a_rule() -> None:
    given = wrapped("hidden_object", "open_plain", {"pin": "x", "note": "1"})
    decision = told("hidden_object", given, rule(READS_PIN, "open_plain"))
    assert "(test.yaml:2" in decision.detail
    assert "(hidden)" not in decision.detail


@pytest.mark.parametrize(
    ("text", "secrets", "left"),
    [
        ("a 1h30m of 100, not 1", {"1"}, "a 1h30m of 100, not (hidden)"),
        ("rules.yaml:1:10 and `1`", {"1"}, "rules.yaml:1:10 and `(hidden)`"),
        ("the card's 123, not 1234 or 0.123", {"123"}, "the card's (hidden), not 1234 or 0.123"),
        ("xSw0rdx", {"Sw0rd", "Sw0r", "hidden"}, "x(hidden)x"),
        ("`a\\nbcd` or a\nbcd", {"a\nbcd"}, "`(hidden)` or (hidden)"),
        ("plain", {"", "p"}, "plain"),
    ],
)
def test_a_text_is_cleaned_of_secrets_and_stays_readable(text: str, secrets: set[str], left: str) -> None:
    assert without(text, secrets) == left


WRITING = """
version: 1
settings: {confirm_from: IRREVERSIBLE}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - {name: run, risk: LOW, permissions: [], inspect: {command: shell}, parameters: {type: object, required: [command], properties: {command: {type: string}}}}
  - {name: run_hidden, risk: LOW, permissions: [], inspect: {command: shell}, parameters: {type: object, required: [command], properties: {command: {type: string, x-sensitive: true}}}}
  - {name: write, risk: LOW, permissions: [], inspect: {path: path}, parameters: {type: object, required: [path, content], properties: {path: {type: string, x-role: path}, content: {type: string, x-role: content, x-sensitive: true}}}}
"""


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("write", {"path": "a.sh", "content": "rm -rf /hunter2"}),
        ("run_hidden", {"command": "echo 'rm -rf /hunter2' > a.sh"}),
    ],
)
def test_a_call_that_ran_a_file_told_the_sensitive_text_that_was_written_to_it(
    tool: str, arguments: dict[str, str]
) -> None:
    asked = gateway(WRITING)
    assert asked.before({"id": "a", "tool": tool, "arguments": arguments}, session()).effect is Effect.ALLOW
    call = {"id": "b", "tool": "run", "arguments": {"command": "sh a.sh"}}
    decision = asked.before(call, session())
    assert decision.effect is not Effect.ALLOW
    assert "hunter2" not in repr(decision)
    assert "hunter2" not in repr(asked.explain(call, session()))
