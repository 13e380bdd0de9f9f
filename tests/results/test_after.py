"""After a call: what is redacted, withheld, said and kept. Each mechanism has a case that it alone decides."""

from __future__ import annotations

import json
import pickle
from asyncio import CancelledError
from enum import Enum
from typing import Any, NamedTuple

import pytest

from gateway import Code, Effect, PolicyError, Review
from gateway.results.redact import BLANK
from gateway.results.review import Blanked, Problem
from tests.engine.build import SHOP, gateway, session
from tests.results.build import NONCE, TOKEN, USUAL, after, inside, with_results

TOOLS = """
  - {name: login, risk: LOW, permissions: [], parameters: {type: object, required: [user, secret_word, pin], properties: {user: {type: string}, secret_word: {type: string, x-sensitive: true}, pin: {type: integer, x-sensitive: true}}}}
  - {name: store, risk: LOW, permissions: [], parameters: {type: object, required: [box], properties: {box: {type: object, additionalProperties: true, x-sensitive: true, properties: {keys: {type: array, items: {type: string}}}}}}}
  - {name: vault, risk: LOW, permissions: [], parameters: {type: object, x-sensitive: true, required: [user], properties: {user: {type: string}}}}
  - {name: wrap, risk: LOW, permissions: [], wraps: {tool: args.tool, arguments: args.input}, parameters: {type: object, required: [tool, input], properties: {tool: {type: string}, input: {type: object, additionalProperties: true}}}}
"""
SENSITIVE = SHOP.replace('"!order_purge"]', '"!order_purge", login, store, vault, wrap]') + TOOLS
LOGIN = {"user": "ann", "secret_word": 'open "sesame"', "pin": 4711}


def everything(review: Review) -> str:
    """Whatever of a review somebody could read."""
    fields = [getattr(review, name) for name in Review.__dataclass_fields__]
    return "\n".join(
        [
            repr(review),
            str(pickle.dumps(fields[:4])),
            *map(repr, fields),
            json.dumps(review.full),
            json.dumps(review.result),
        ]
    ).replace(review.id, "")  # random, it may hold any digits


# --- redaction by entries --------------------------------------------------------------------------------------------

PLACES: dict[str, Any] = {
    "a text": "one {} two",
    "a field": {"a": "{}"},
    "a nested list": {"a": [[["x {} y"]]]},
    "a key": {"a": {"x {}": 1}},
    "JSON in a text": json.dumps({"a": "{}"}),
    "JSON in JSON in a text": json.dumps({"a": json.dumps(["{}"])}),
    "JSON lines": json.dumps({"a": 1}) + "\n" + json.dumps({"a": "{}"}),
    "broken JSON": '{"a": "{}", ',
    "content": {"content": [{"type": "text", "text": "{}"}]},
    "JSON in content": {"content": [{"type": "text", "text": json.dumps({"a": "{}"})}], "isError": False},
    "structured content": {"content": [], "structuredContent": {"a": "{}"}},
    "structured content in Python's spelling": {"content": [], "structured_content": {"a": ["{}"]}},
    "metadata": {"content": [{"type": "text", "text": "x"}], "_meta": {"a": "{}"}},
    "annotations of a block": {"content": [{"type": "text", "text": "x", "annotations": {"a": "{}"}}]},
    "a resource": {"content": [{"type": "resource", "resource": {"uri": "f:a", "text": "{}"}}]},
    "a resource's address": {"content": [{"type": "resource_link", "uri": "https://a/{}", "name": "n"}]},
    "error text": {"content": [{"type": "text", "text": "failed: {}"}], "isError": True},
    "bytes": b"one {} two",
    "a tuple": ("{}",),
}


def put(value: Any, secret: str) -> Any:
    """The value with the secret in place of each `{}`."""
    if isinstance(value, str):
        return value.replace("{}", secret)
    if isinstance(value, bytes):
        return value.replace(b"{}", secret.encode())
    if isinstance(value, dict):
        return {put(key, secret): put(item, secret) for key, item in value.items()}
    return type(value)(put(item, secret) for item in value) if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("place", PLACES)
def test_a_token_is_nowhere_in_what_is_given_out(place: str) -> None:  # A14
    result = put(PLACES[place], TOKEN)
    review = after(result)
    assert review.code is Code.REVIEWED
    assert TOKEN not in everything(review)
    assert BLANK in json.dumps(review.result)
    assert BLANK in json.dumps(review.full)
    assert review.redacted == (Blanked("no-secrets", "detector secrets", 1),)
    assert review.changed
    plainly = after(result, text=with_results('{id: other, tools: ["*"], redact: [{field: other}]}'))
    assert TOKEN in everything(plainly)  # it is this detector that finds it


@pytest.mark.parametrize(
    "block",
    [
        {"type": "text", "text": "hi", "password": "hunter2"},
        {"type": "text", "text": "hi", TOKEN: 1, "password": "hunter2"},
        {"type": "text", "text": "hi", "more": {"password": "hunter2", TOKEN: TOKEN}},
        {"type": "resource_link", "uri": "a:b", "name": "n", "password": "hunter2", "x": TOKEN},
        {"type": "resource", "resource": {"uri": "a:b", "text": "x", "password": "hunter2", TOKEN: 1}},
        {"type": "image", "data": "aGk=", "mimeType": "image/png", "password": "hunter2"},
    ],
)
def test_what_a_block_of_mcp_holds_beside_its_own_fields_is_redacted(block: dict[str, Any]) -> None:
    review = after({"content": [block]})
    assert review.code is Code.REVIEWED
    assert TOKEN not in everything(review)
    assert "hunter2" not in everything(review)
    assert review.result["content"][0]["type"] == block["type"]
    assert set(block) - {TOKEN} <= set(review.full["content"][0])


def test_an_error_mark_that_is_an_object_is_redacted() -> None:
    review = after({"content": [], "isError": {"password": "hunter2", "t": TOKEN}})
    assert review.is_error
    assert TOKEN not in everything(review)
    assert "hunter2" not in everything(review)


def test_a_secret_in_a_class_s_name_is_not_told() -> None:
    def fails(_: Any) -> str:
        raise RuntimeError

    review = after({"a": type(TOKEN, (), {"__str__": fails})()})
    assert review.findings
    assert TOKEN not in everything(review)


def test_a_named_tuple_hides_no_field() -> None:
    class Login(NamedTuple):
        user: str
        password: str

    assert after(Login("ann", "hunter2")).result == {"user": "ann", "password": BLANK}
    assert after({Where.FIELD: "hunter2"}).result == {"password": BLANK}


class Where(Enum):
    FIELD = "password"


def test_a_token_in_an_exception_is_not_told() -> None:
    review = after(RuntimeError("no access", TOKEN))
    assert review.is_error
    assert TOKEN not in everything(review)
    assert "RuntimeError" in inside(review)


@pytest.mark.parametrize(
    "result",
    [
        {"user": {"password": "hunter2"}},
        {"password": {"a": ["hunter2"]}},
        {"rows": [{"Password": "hunter2"}]},
        [[{"password": "hunter2"}]],
        json.dumps({"password": "hunter2"}, indent=2),
        {"body": json.dumps({"a": json.dumps({"password": "hunter2"})})},
        '{"\\u0070assword": "hunter2"}',
        {"body": '{"\\u0070ass\\u0077ord": "hunter2"}'},
        '{"a":' * 500 + '{"password": "hunter2"}' + "}" * 500,
        "note: {\\u0022password\\u0022: \\u0022hunter2\\u0022}",
        '"{\\"password\\": \\"hunter2\\"}"',
        "user: ann\npassword: hunter2",
        "<password>hunter2</password>",
        {
            "content": [{"type": "text", "text": "password=hunter2"}],
            "structuredContent": {"password": "hunter2"},
        },
    ],
)
def test_a_field_is_blanked_out_wherever_it_stands(result: Any) -> None:
    review = after(result)
    assert review.code is Code.REVIEWED
    assert "hunter2" not in everything(review)
    assert {one.what for one in review.redacted} == {"field **.password"}
    unfiltered = after(result, text=SHOP)
    assert "hunter2" in everything(unfiltered)
    assert unfiltered.redacted == ()


def test_a_key_that_stands_twice_hides_nothing() -> None:
    review = after('{"a": {"password": "hunter2"}, "a": 1}')
    assert "hunter2" not in everything(review)
    assert review.result == '{"a": {"password": "(redacted)"}, "a": 1}'


def test_a_detector_blanks_fields_that_hold_nothing_but_a_secret() -> None:
    result = {
        "Credentials": {"SecretAccessKey": "abcd-1234", "Region": "x"},
        "headers": {"Authorization": "own-scheme abcd-1234"},
    }
    made = after(result, text=with_results('{id: e, tools: ["*"], redact: [{detector: secrets}]}')).result
    assert made == {
        "Credentials": {"SecretAccessKey": BLANK, "Region": "x"},
        "headers": {"Authorization": BLANK},
    }


def test_json_that_was_not_touched_stays_as_it_was_written() -> None:
    result = {"body": '{ "a":1 }', "password": "x"}
    assert after(result).result == {"body": '{ "a":1 }', "password": BLANK}


@pytest.mark.parametrize(
    "result",
    [
        "{'password': 'hunter2'}",
        '{"password": "hunter2"',
        {"body": '[{"password": "hunter2"'},
        {"content": [{"type": "text", "text": "{password: hunter2}"}]},
        "[" * 10_000 + '{"password": "hunter2"}',
    ],
)
def test_what_can_t_be_parsed_where_a_field_is_filtered_is_withheld(result: Any) -> None:
    review = after(result)
    assert (review.code, review.withheld) == (Code.RESULT_WITHHELD, True)
    assert "hunter2" not in everything(review)
    assert review.text.startswith("The result is not shown")
    assert not after(result, text=SHOP).withheld


@pytest.mark.parametrize(
    "result", ["{'user': 'ann'}", "your password has changed", "[12:30] password ok", "[info] all well"]
)
def test_a_text_that_holds_no_such_field_passes(result: str) -> None:
    review = after(result)
    assert inside(review) == result
    assert not review.changed


def test_deeper_json_in_json_than_is_looked_through_is_withheld_where_it_names_the_field() -> None:
    value = json.dumps({"password": "hunter2"})
    for _ in range(5):
        value = json.dumps({"a": value})
    assert after(value).code is Code.RESULT_WITHHELD
    assert "hunter2" not in everything(after(value))


def test_a_secret_that_the_bound_would_cut_in_two_is_blanked_first() -> None:
    review = after("x" * 3980 + TOKEN)
    assert TOKEN[:12] not in everything(review)


def test_entries_choose_by_tool_tenant_agent_and_channel() -> None:
    entries = {
        "{id: e, tools: [order_read], redact: [{detector: secrets}]}": False,
        '{id: e, tools: ["s*"], redact: [{detector: secrets}]}': True,
        '{id: e, tools: ["*"], tenants: [beta], redact: [{detector: secrets}]}': False,
        '{id: e, tools: ["*"], tenants: [acme], redact: [{detector: secrets}]}': True,
        '{id: e, tools: ["*"], agents: [reader], redact: [{detector: secrets}]}': False,
        '{id: e, tools: ["*"], channels: [external], redact: [{detector: secrets}]}': False,
        '{id: e, tools: ["*"], risk: ">=LOW", redact: [{detector: secrets}]}': False,
        '{id: e, tools: ["*"], when: args.query == "x", redact: [{detector: secrets}]}': True,
        '{id: e, tools: ["*"], when: \'"nobody" in subject.roles\', redact: [{detector: secrets}]}': False,
        '{id: e, tools: ["*"], unless: args.query == "x", redact: [{detector: secrets}]}': False,
        '{id: e, tools: ["*"], when: result.kind == "private", redact: [{detector: secrets}]}': True,
        '{id: e, tools: ["*"], unless: result.kind == "private", redact: [{detector: secrets}]}': False,
    }
    for entry, applies in entries.items():
        text = with_results(entry.replace('["*"]', "[search]") if "args.query" in entry else entry)
        for result in ({"kind": "private", "t": TOKEN}, json.dumps({"kind": "private", "t": TOKEN})):
            assert bool(after(result, text=text).redacted) is applies, entry


def test_a_condition_that_can_t_be_evaluated_withholds_the_whole() -> None:
    text = with_results('{id: e, tools: ["*"], when: result.kind == "private", redact: [{field: other}]}')
    review = after({"no_kind": 1}, text=text)
    assert review.code is Code.RESULT_WITHHELD
    assert "`e`" in review.detail
    assert "`e`" not in review.message


def test_a_condition_that_is_not_built_yet_counts_as_held() -> None:
    text = with_results(
        "{id: e, tools: [search], when: origin(args.query).untrusted, redact: [{detector: secrets}]}"
    )
    assert after(TOKEN, text=text).redacted
    assert "redacts as if the condition held" in gateway(text).manifest.not_in_force[0].help


def test_the_message_of_an_entry_is_told_where_it_blanked_something() -> None:
    text = with_results('{id: e, tools: ["*"], redact: [{detector: secrets}], message: Ask ops for tokens.}')
    assert after(TOKEN, text=text).text.endswith(">\nAsk ops for tokens.")
    assert "Ask ops" not in after("fine", text=text).text


# --- x-sensitive -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "result",
    [
        'you said open "sesame"!',
        {"echo": 'open "sesame"'},
        {'open "sesame"': 1},
        'log: "open \\"sesame\\"" accepted',
        {"log": json.dumps({"w": 'open "sesame"'})},
        {"log": 'then {"w": "open \\"sesame\\""}'},
        {"secret_word": "something else that is one"},
        {"a": [{"pin": 9}]},
        {"n": 4711},
        {"n": 4711.0},
        ["4711"],
        "the pin is 4711.",
        ValueError('wrong: open "sesame"'),
    ],
)
def test_sensitive_values_and_fields_of_their_names_are_blanked(result: Any) -> None:
    review = after(result, tool="login", arguments=LOGIN, text=SENSITIVE)
    said = everything(review)
    assert "sesame" not in said
    assert "something else" not in said
    assert "4711" not in said.replace("\\u", "")
    assert review.redacted
    assert {one.entry for one in review.redacted} == {"x-sensitive"}
    assert after(result, tool="search", text=SENSITIVE).redacted == ()


def test_a_short_value_is_blanked_as_a_whole_only() -> None:
    arguments = {**LOGIN, "secret_word": "abc"}
    review = after(["abc", "abcd"], tool="login", arguments=arguments, text=SENSITIVE)
    assert review.result == [BLANK, "abcd"]


def test_a_value_that_looks_like_json_is_blanked_as_a_whole() -> None:
    review = after(["[12]"], tool="login", arguments={**LOGIN, "secret_word": "[12]"}, text=SENSITIVE)
    assert review.result == [BLANK]


def test_values_in_a_sensitive_object_are_sensitive_each() -> None:
    arguments = {"box": {"keys": ["first-key", "second-key"]}}
    review = after("first-key or second-key", tool="store", arguments=arguments, text=SENSITIVE)
    assert review.result == f"{BLANK} or {BLANK}"


def test_a_mark_on_the_whole_is_one_on_each_argument() -> None:
    review = after({"user": "bob", "by": "anna"}, tool="vault", arguments={"user": "anna"}, text=SENSITIVE)
    assert review.result == {"user": BLANK, "by": BLANK}


def test_a_boolean_is_no_secret() -> None:
    text = SENSITIVE.replace("pin: {type: integer", "pin: {type: boolean")
    review = after({"ok": True}, tool="login", arguments={**LOGIN, "pin": True}, text=text)
    assert review.result == {"ok": True}


def test_the_arguments_that_ran_count_and_those_that_the_model_wrote() -> None:
    text = SENSITIVE + 'arguments: [{id: w, tools: [login], set: {secret_word: subject.tenant + "-word"}}]\n'
    gate = gateway(text)
    call = {"id": "c-1", "tool": "login", "arguments": LOGIN}
    decision = gate.before(call, session())
    for given in (decision, None):
        review = gate.after(call, session(), ["acme-word", 'open "sesame"', "free"], given)
        assert review.result == [BLANK, BLANK, "free"]


def test_arguments_that_can_t_be_read_withhold_the_result_of_a_tool_with_sensitive_ones() -> None:
    review = after("x", tool="login", arguments='{"secret_word": ', text=SENSITIVE)
    assert review.code is Code.RESULT_WITHHELD
    assert after("x", tool="search", arguments='{"query": ').code is Code.REVIEWED


def test_the_inner_tool_of_a_wrapped_call_counts_too() -> None:
    text = with_results("{id: inner, tools: [login], redact: [{field: note}]}", text=SENSITIVE)
    arguments = {"tool": "login", "input": LOGIN}
    review = after({"w": 'open "sesame"', "note": "x"}, tool="wrap", arguments=arguments, text=text)
    assert review.result == {"w": BLANK, "note": BLANK}


# --- which tools, which sessions, which decisions --------------------------------------------------------------------


def test_a_tool_that_the_catalogue_lacks_is_reviewed_by_what_holds_for_all() -> None:
    entries = ('{id: e, tools: ["*"], when: args.query == "x", redact: [{detector: secrets}]}',)
    text = with_results(entries[0].replace('"*"', 'search, "mcp/*"'))
    assert after(TOKEN, tool="unknown").redacted
    assert after(TOKEN, tool="mcp/unknown", text=text).redacted
    assert not after(TOKEN, tool="unknown", text=text).redacted
    assert after("x" * 5000, tool="unknown").truncated


def test_a_refused_call_must_not_have_run() -> None:
    gate = gateway(USUAL)
    call = {"id": "c-1", "tool": "order_off", "arguments": {}}
    decision = gate.before(call, session())
    review = gate.after(call, session(), "the data", decision)
    assert review.code is Code.RESULT_WITHHELD
    assert "the data" not in everything(review)


def test_a_decision_about_another_tool_is_none() -> None:
    gate = gateway(USUAL)
    decision = gate.before({"id": "c", "tool": "search", "arguments": {"query": "x"}}, session())
    assert gate.after(
        {"id": "c", "tool": "order_read", "arguments": {"id": "1"}}, session(), "x", decision
    ).withheld


@pytest.mark.parametrize(
    "changes",
    [
        {"tenant": None},
        {"subject": None},
        {"agent": "nobody"},
        {"visiting": "beta"},
        {"channel": "radio"},
        {"odd": 1},
    ],
)
def test_a_session_that_is_not_clear_withholds_the_result(changes: dict[str, Any]) -> None:
    review = after(TOKEN, **changes)
    assert review.code is Code.RESULT_WITHHELD
    assert TOKEN not in everything(review)


@pytest.mark.parametrize("call", [{}, {"tool": ""}, {"tool": "search", "odd": 1}, [], None])
def test_a_call_that_can_t_be_read_withholds_the_result(call: Any) -> None:
    assert gateway(USUAL).after(call, session(), "x").code is Code.RESULT_WITHHELD


def test_a_policy_that_is_not_ready_withholds_the_result() -> None:
    assert after("x", text="version: 1\n").code is Code.RESULT_WITHHELD
    never = "rules: [{id: never, tools: [search], when: 1 > 2, effect: deny}]\n"
    assert after("x", text=SHOP + never).code is Code.RESULT_WITHHELD


def test_a_failure_of_our_own_shows_nothing_and_does_not_raise() -> None:  # 5.4
    gate = gateway(USUAL)

    def fails() -> str:
        raise RuntimeError(TOKEN)

    gate._nonces = fails
    call = {"id": "c-1", "tool": "search", "arguments": {"query": "x"}}
    review = gate.after(call, session(), TOKEN)
    assert review.code is Code.RESULT_UNRECORDED
    assert TOKEN not in everything(review)
    assert "RuntimeError" in review.detail
    wrong: Any = "allow"
    assert gateway(USUAL).after(call, session(), "x", wrong).code is Code.RESULT_UNRECORDED


@pytest.mark.parametrize("kind", [["string", "null"], {"a": 1}, None, 3, True, "unknown"])
def test_a_result_that_only_resembles_mcp_s_form_comes_through(kind: Any) -> None:
    results: list[Any] = [
        {"content": [{"type": kind}]},
        {"content": [{}]},
        {"content": [kind]},
        {"content": kind},
    ]
    for result in results:
        review = after(result)
        assert review.code is Code.REVIEWED
        assert json.loads(inside(review)) == review.result == result
    assert after({"isError": kind}).result == {"isError": kind}
    assert after({1: kind}).result == {"1": kind}


def test_a_failure_of_our_own_keeps_mcp_s_form() -> None:
    class Answer:
        def __init__(self) -> None:
            self.content = [{"type": "text", "text": TOKEN}]

    gate = gateway(USUAL)
    call = {"id": "c-1", "tool": "search", "arguments": {"query": "x"}}
    wrong: Any = "allow"
    for result in ({"content": [{"type": "text", "text": TOKEN}]}, Answer()):
        for review in (
            gate.after(call, session(), result, wrong),
            gate.after({}, session(), result),
            gate.after(call, {"odd": 1}, result),
        ):
            assert review.result == {"content": [{"type": "text", "text": review.message}], "isError": True}
            assert TOKEN not in everything(review)
    assert gate.after({}, session(), Hostile(SystemExit)).result.startswith("The result is not shown")


class Hostile:
    """Raises one exception wherever it is touched."""

    def __init__(self, error: type[BaseException]) -> None:
        object.__setattr__(self, "error", error)

    def __getattribute__(self, name: str) -> Any:
        raise object.__getattribute__(self, "error")

    def __str__(self) -> str:
        raise object.__getattribute__(self, "error")


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, CancelledError, GeneratorExit, ValueError])
def test_an_object_that_raises_wherever_it_is_touched_does_not_end_the_host(
    error: type[BaseException],
) -> None:
    for result in (Hostile(error), [Hostile(error)], {"a": Hostile(error)}, {Hostile(error): 1}):
        review = after(result)
        assert review.code is Code.REVIEWED
        assert "can't be read" in inside(review)
    blocks = {"content": [{"type": "text", "text": Hostile(error)}]}
    assert after(blocks).code is Code.REVIEWED
    assert after(blocks, text="version: 1\n").result["isError"] is True


def test_a_call_that_raises_when_it_is_looked_at_is_answered() -> None:
    gate = gateway(USUAL)
    call: Any = Hostile(ValueError)
    assert gate.after(call, session(), "x").withheld
    assert gate.before(call, session()).effect is Effect.DENY
    assert gate.explain(call, session()).decision.effect is Effect.DENY
    assert gate.before_unlisted(call, session()).effect is Effect.DENY
    assert not gate.tools(call).visible
    assert gate.entry(call).effect is Effect.DENY
    named: Any = {"tool": Hostile(ValueError)}
    assert gate.after(named, session(), "x").withheld
    assert gate.before(named, session()).effect is Effect.DENY


# --- what a review says ----------------------------------------------------------------------------------------------


def test_the_host_keeps_the_whole_while_the_model_gets_the_start() -> None:  # E10
    review = after("password: hunter2\n" + "x" * 10_000)
    assert review.truncated
    assert len(review.text) < 5_000
    assert review.full == f"password: {BLANK}\n" + "x" * 10_000


@pytest.mark.parametrize(
    "result",
    [
        {"stdout": "a line\n" * 80_000, "stderr": "", "interrupted": False, "isImage": False, "code": 0},
        {"a": {"b": [{"log": 'say "x"\n' * 10_000}, None, 1.5, True, {}]}, "password": "hunter2"},
        [{"type": "text", "text": "line\n" * 10_000, "n": k} for k in range(20)],
        [
            {
                "type": "image",
                "source": {"type": "base64", "media_type": "image/png", "data": "aGkh" * 500_000},
            }
        ],
        {"content": [{"type": "image", "data": "aGkh" * 500_000, "mimeType": "image/png"}], "isError": False},
        {
            "content": [{"type": "text", "text": "line\n" * 10_000}] * 3,
            "structuredContent": {"a": ["b"] * 9_000},
        },
        {f"k{n}": n for n in range(20_000)},
        [["x"] * 9_000, [1] * 9_000],
    ],
)
def test_the_full_result_has_the_very_structure_of_what_came(result: Any) -> None:
    """A host that has bounds of its own can show `full` in place of `result`."""

    def expected(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: BLANK if k == "password" else expected(v) for k, v in value.items()}
        return [expected(item) for item in value] if isinstance(value, list) else value

    review = after(result)
    assert review.truncated
    assert review.full == expected(result)
    assert repr(review.full) == repr(expected(result))  # the kinds and the order, too


def test_a_result_that_nothing_changes_is_handed_back_as_it_is() -> None:
    result = {"a": [1, {"b": "c"}]}
    review = after(result)
    assert review.result is result
    assert review.full is result
    assert (review.changed, review.truncated, review.is_error, review.withheld) == (
        False,
        False,
        False,
        False,
    )
    assert (review.code, review.tool, review.call_id, review.message, review.detail) == (
        Code.REVIEWED,
        "search",
        "c-1",
        "",
        "",
    )
    assert inside(review) == '{"a": [1, {"b": "c"}]}'


def test_a_withheld_result_in_mcp_s_form_keeps_that_form() -> None:
    review = after({"content": [{"type": "text", "text": "{password: x}"}]})
    assert review.withheld
    assert review.result == {"content": [{"type": "text", "text": review.message}], "isError": True}


def test_errors_are_known_as_such() -> None:
    assert after(ValueError("x")).is_error
    assert after({"content": [], "isError": True}).is_error
    assert after({"content": [], "is_error": True}).is_error
    assert not after({"content": [], "isError": False}).is_error
    assert not after({"isError": True, "more": 1}).is_error  # not MCP's form


def test_the_model_reads_content_and_structured_content_once() -> None:
    data = {"a": 1}
    both = {"content": [{"type": "text", "text": '{"a":1}'}], "structuredContent": data}
    assert inside(after(both)) == '{"a":1}'
    apart = {"content": [{"type": "text", "text": "one row"}], "structuredContent": data}
    assert inside(after(apart)) == 'one row\n{"a": 1}'
    picture = {"content": [{"type": "image", "data": "aGk=", "mimeType": "image/png"}]}
    assert inside(after(picture)) == "(an image that can't be shown as text)"
    assert after(picture).result == picture


def test_what_is_left_out_is_said() -> None:
    review = after({"a": b"\xff"})
    assert review.findings == (Problem("left out", "binary data of 1 bytes"),)
    assert review.changed
    assert "binary data" in review.detail


def test_a_review_has_no_truth_value() -> None:
    with pytest.raises(TypeError, match=r"review\.withheld"):
        bool(after("x"))


def test_each_fence_has_a_nonce_of_its_own() -> None:
    gate = gateway(USUAL)
    call = {"id": "c-1", "tool": "search", "arguments": {"query": "x"}}
    texts = {gate.after(call, session(), "x").text for _ in range(50)}
    assert len(texts) == 50
    assert NONCE not in "".join(texts)


# --- quiet and quick ----------------------------------------------------------------------------------------------------


def test_many_keys_that_are_blanked_out_alike_all_stay() -> None:
    review = after({f"{TOKEN}{number:05}": number for number in range(20_000)})
    assert len(review.full) == 20_000
    assert TOKEN not in json.dumps(review.full)


def test_code_that_names_a_header_is_shown_as_it_is() -> None:
    code = "headers = {\n  authorization: req.headers.authorization,\n  client_secret: os.environ['S'],\n}\n"
    assert after(code).full == code
    assert after({"authorization": "abcd-1234"}).full == {"authorization": BLANK}


def test_more_sensitive_values_than_can_be_looked_for_withhold_the_result() -> None:
    tool = "  - {name: keep, risk: READ_ONLY, permissions: [], parameters: {type: object, properties: {pins: {type: array, x-sensitive: true, items: {type: string}}}}}\n"
    text = SHOP.replace('"!order_purge"]', '"!order_purge", keep]') + tool
    call = {"tool": "keep", "arguments": {"pins": [f"pin-{number}" for number in range(20_000)]}}
    gate = gateway(text)
    assert gate.after(call, session(), "short").code is Code.REVIEWED
    assert gate.after(call, session(), "long " * 100_000).code is Code.RESULT_WITHHELD


def test_a_field_does_not_hide_what_a_detector_would_have_found() -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKC\n-----END RSA PRIVATE KEY-----"
    text = with_results(
        '{id: s, tools: ["*"], redact: [{detector: secrets}]}',
        '{id: f, tools: ["*"], redact: [{field: "**.key"}]}',
    )
    assert "MIIEpAIBAAKC" not in after(f"key: {key}\nend", text=text).text


@pytest.mark.parametrize("levels", [60, 70, 200, 600, 900])
@pytest.mark.parametrize("frames", [0, 500])
def test_nothing_leaks_however_deep_it_is_nested(levels: int, frames: int) -> None:
    result: Any = {"password": "hunter2xyz", "note": f"use {TOKEN}"}
    for _ in range(levels):
        result = [result]

    def below(count: int) -> Review:
        return below(count - 1) if count else after(result)

    review = below(frames)
    assert "hunter2xyz" not in everything(review)
    assert TOKEN not in everything(review)
    assert review.code is Code.REVIEWED
    text: Any = "x" * 9_000
    for _ in range(levels):
        text = [text]
    assert after(text).code is Code.REVIEWED


@pytest.mark.parametrize(
    "result",
    [
        {"content": [], "meta": {"total": 0, "page": 3}},
        {"is_error": False, "meta": {"rows": 3}},
        {"content": [{"type": "text", "value": "hello"}], "meta": {"total": 1}},
        {"isError": True},
    ],
)
def test_what_only_looks_like_mcp_s_form_is_read_as_data(result: dict[str, Any]) -> None:
    review = after(result)
    assert json.dumps(result) in review.text
    assert review.result == result


MANY = "**.a" + ".*" * 11 + ".b"


@pytest.mark.parametrize("tools", ['"*"', "search", '"unlisted_*"'])
def test_field_patterns_that_are_too_many_to_look_for_do_not_load(tools: str) -> None:
    with pytest.raises(PolicyError) as caught:
        gateway(with_results(f'{{id: many, tools: [{tools}], redact: [{{field: "{MANY}"}}]}}'))
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == ("wrong-value", "these field patterns together are too many")
    assert found.span is not None
    assert MANY in found.span.text


def test_a_review_says_how_often_each_thing_was_blanked_out_and_of_an_argument_no_more() -> None:
    arguments = {"user": "ann", "secret_word": "sesame", "pin": 4711}
    result = ["sesame", "say sesame, sesame", {"note": f"{TOKEN} {TOKEN}"}]
    text = with_results('{id: no-secrets, tools: ["*"], redact: [{detector: secrets}]}', text=SENSITIVE)
    assert after(result, tool="login", arguments=arguments, text=text).redacted == (
        Blanked("no-secrets", "detector secrets", 2),
        Blanked("x-sensitive", "argument", 3),
    )


def test_what_is_withheld_is_an_error_and_not_what_the_tool_returned() -> None:
    review = after('{"password": "x', text=USUAL)
    assert (review.code, review.is_error, review.changed) == (Code.RESULT_WITHHELD, True, True)


def test_an_entry_about_tools_that_are_not_listed_is_about_its_tenants_only() -> None:
    entry = '{id: theirs, tools: ["ext_*"], tenants: [beta], redact: [{field: "**.note"}]}'
    assert "kept" in after({"note": "kept"}, tool="ext_a", text=with_results(entry)).text
    other = entry.replace("beta", "acme")
    assert "kept" not in after({"note": "kept"}, tool="ext_a", text=with_results(other)).text


@pytest.mark.parametrize(("levels", "code"), [(4, Code.REVIEWED), (5, Code.RESULT_WITHHELD)])
def test_calls_are_looked_through_four_times(levels: int, code: Code) -> None:
    call: Any = {"tool": "login", "input": {"user": "ann", "secret_word": "open sesame", "pin": 4711}}
    for _ in range(levels - 1):
        call = {"tool": "wrap", "input": call}
    review = after("open sesame", tool="wrap", arguments=call, text=SENSITIVE)
    assert review.code is code
    assert "open sesame" not in everything(review)
