"""Steps 3 and 5: static and resource permissions, then the schema. Rows B2, B13, B18."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.decision import Code, Effect
from gateway.diagnostic import PolicyError
from tests.engine.build import PAY, PERMISSIONS, SHOP, compiled, decide, gateway, session

ROW = "row:customers:edit"


def test_every_declared_permission_is_needed_and_the_first_missing_is_named() -> None:  # B2
    assert decide("order_pay", PAY).effect is Effect.ALLOW
    for held, first in [
        ([], "order:read"),
        (["order:read"], "order:pay"),
        (["order:read", "order:pay"], "bank:use"),
        (["order:pay", "bank:use"], "order:read"),
        (["bank:use"], "order:read"),
    ]:
        decision = decide("order_pay", PAY, subject={"permissions": held})
        assert (decision.effect, decision.code) == (Effect.DENY, Code.PERMISSION_DENIED), held
        assert f"`{first}`" in decision.message
        assert f"`{first}`" in decision.detail


def test_a_held_wildcard_is_only_a_string() -> None:  # B2
    decision = decide("order_pay", PAY, subject={"permissions": ["*", "order:*", "order:read:x"]})
    assert decision.code is Code.PERMISSION_DENIED


def test_no_permissions_means_being_signed_in_is_enough() -> None:
    assert decide("search", {"query": "x"}, subject={"permissions": []}).proceeds


def test_a_resource_permission_is_its_own_refusal() -> None:  # B13
    denied = decide("order_row", {"table": "customers"})
    assert (denied.effect, denied.code) == (Effect.DENY, Code.RESOURCE_PERMISSION_DENIED)
    assert f"`{ROW}`" in denied.detail
    assert decide("order_row", {"table": "customers"}, subject={"permissions": [ROW]}).proceeds
    other = decide("order_row", {"table": "orders"}, subject={"permissions": [ROW]})
    assert other.code is Code.RESOURCE_PERMISSION_DENIED


@pytest.mark.parametrize(
    "smuggled",
    ["customers:edit", "*", "a,b", "{x}", "a b", "", "a\tb", "a\nb", "a\u00a0b", "a\u200bb", 1.5, True, None, ["customers"], {"a": 1}],
)  # fmt: skip
def test_a_value_cannot_smuggle_in_a_separator_or_wildcard(smuggled: Any) -> None:  # B13
    held = [*PERMISSIONS, ROW, "row:*:edit", "row:customers:edit:edit", f"row:{smuggled}:edit"]
    decision = decide("order_row", {"table": smuggled}, subject={"permissions": held})
    assert (decision.effect, decision.code) == (Effect.DENY, Code.RESOURCE_PERMISSION_DENIED)


def test_an_absent_value_is_no_segment() -> None:  # B13
    assert (
        decide("order_row", {}, subject={"permissions": ["row::edit"]}).code
        is Code.RESOURCE_PERMISSION_DENIED
    )


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"amount": 1}, "iban"),
        ({"amount": "1", "iban": "X"}, "amount"),
        ({"amount": 1.5, "iban": "X"}, "amount"),
        ({"amount": True, "iban": "X"}, "amount"),
        ({"amount": 1, "iban": "X", "memo": "x"}, "memo"),
    ],
)
def test_a_wrong_argument_is_named_with_what_is_expected(
    arguments: dict[str, Any], field: str
) -> None:  # B18
    decision = decide("order_pay", arguments)
    assert (decision.effect, decision.code) == (Effect.DENY, Code.ARGUMENT_INVALID)
    assert f"`{field}`" in decision.message
    assert "try again" in decision.message


def test_a_bound_of_the_schema_is_in_the_message() -> None:  # B18
    decision = decide("search", {"query": "x", "limit": 1000})
    assert decision.code is Code.ARGUMENT_INVALID
    assert "`limit`" in decision.message
    assert "100" in decision.message


def test_a_tool_without_parameters_takes_none() -> None:
    assert decide("order_beta", {}).proceeds
    assert decide("order_beta", {"x": 1}).code is Code.ARGUMENT_INVALID


def test_resource_permissions_come_before_the_schema() -> None:
    decision = decide("order_row", {"table": "customers", "nonsense": 1})
    assert decision.code is Code.RESOURCE_PERMISSION_DENIED


def test_static_permissions_come_before_the_arguments_are_read() -> None:
    decision = decide("order_pay", "{", subject={"permissions": []})
    assert decision.code is Code.PERMISSION_DENIED


def test_a_resource_permission_that_nothing_held_can_match_hides_the_tool() -> None:  # B13
    def link(held: list[str]) -> str | None:
        listing = gateway().tools(session(subject={"permissions": held}))
        return {h.name: h.link for h in listing.hidden}.get("order_row")

    assert link([]) == "resource"
    assert link(["row:customers:view"]) == "resource"
    assert link(["row:a:b:edit"]) == "resource"
    assert link([ROW]) is None


NUMBERED = """
version: 1
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
defaults:
  - {tools: ["*"], resource_permissions: ["row:{args.id}", "at:{args.place.city}:{tool.action}"]}
tools:
  - {name: row, action: edit, risk: READ_ONLY, permissions: [], parameters: {type: object, properties: {id: {}, place: {additionalProperties: true}}}}
"""


@pytest.mark.parametrize(
    ("arguments", "held", "allowed"),
    [
        ({"id": 7, "place": {"city": "b"}}, ["row:7", "at:b:edit"], True),
        ({"id": 7.0, "place": {"city": "b"}}, ["row:7", "at:b:edit"], True),
        ({"id": -7, "place": {"city": "b"}}, ["row:-7", "at:b:edit"], True),
        ({"id": 7, "place": {"city": "b"}}, ["row:7"], False),
        ({"id": 7, "place": {"city": "b"}}, ["at:b:edit"], False),
        ({"id": 7, "place": {"city": "b"}}, ["row:7", "at:b:view"], False),
        ({"id": True, "place": {"city": "b"}}, ["row:True", "row:true", "row:1", "at:b:edit"], False),
        ({"id": 7, "place": "city"}, ["row:7", "at::edit", "at:city:edit"], False),
        ({"id": 7, "place": {}}, ["row:7", "at::edit", "at:None:edit"], False),
    ],
)
def test_every_resource_permission_is_needed(arguments: Any, held: list[str], allowed: bool) -> None:  # B13
    decision = decide("row", arguments, text=NUMBERED, subject={"permissions": held})
    assert decision.proceeds is allowed
    assert allowed or decision.code is Code.RESOURCE_PERMISSION_DENIED


def test_the_value_that_is_no_segment_is_named() -> None:  # B13
    decision = decide("row", {"id": "a:b"}, text=NUMBERED, subject={"permissions": ["row:a:b"]})
    assert decision.detail == "`args.id` can't be part of a permission: 'a:b'"
    assert decision.message.startswith("`args.id` must be one plain word")


def test_listing_knows_forced_arguments_of_resource_permissions() -> None:  # B13, E2
    text = NUMBERED + "arguments:\n  - {id: own, tools: [row], set: {id: subject.id}}\n"

    def link(text: str, *held: str, **subject: Any) -> str | None:
        listing = gateway(text).tools(session(subject={"permissions": list(held), **subject}))
        return {h.name: h.link for h in listing.hidden}.get("row")

    assert link(text, "row:u-1", "at:b:edit") is None
    assert link(text, "row:u-2", "at:b:edit") == "resource"
    assert link(text, "row:u-1") == "resource"
    assert link(text, "row:a:b", "at:b:edit", id="a:b") == "resource"
    assert link(text, "row:x", "at:b:edit", id="a:b") == "resource"
    assert link(NUMBERED, "row:u-2", "at:b:edit") is None
    elsewhere = NUMBERED + 'arguments:\n  - {id: own, tools: [row], set: {place: \'{"city": "b"}\'}}\n'
    assert link(elsewhere.replace("{args.place.city}", "{args.id}"), "row:1", "at:b:edit") is None
    undeclared = NUMBERED.replace("action: edit, ", "")
    assert link(undeclared, "row:1", "at:b:edit", "at:b:") == "resource"


def test_a_hidden_tool_says_which_permission_is_missing() -> None:
    hidden = {h.name: h for h in gateway().tools(session(subject={"permissions": []})).hidden}
    assert hidden["order_pay"].code is Code.PERMISSION_DENIED
    assert hidden["order_pay"].reason == "the subject lacks the permission `order:read`"
    assert hidden["order_row"].code is Code.RESOURCE_PERMISSION_DENIED
    assert hidden["order_row"].reason == (
        "no permission that the subject holds matches `row:{args.table}:{tool.action}`"
    )


@pytest.mark.parametrize("template", ["row:{args.a}{args.b}", "row:{args.a}.{args.b}", "{args.a}-{args.b}:x"])
def test_two_values_in_one_segment_do_not_load(template: str) -> None:  # B13
    text = (
        SHOP
        + f'  - {{name: two, risk: LOW, permissions: [], resource_permissions: ["{template}"], '
        + "parameters: {type: object, properties: {a: {type: string}, b: {type: string}}}}\n"
    )
    with pytest.raises(PolicyError) as caught:
        compiled(text)
    assert [d.code for d in caught.value.diagnostics] == ["ambiguous-template"]
    compiled(text.replace("}{", "}:{").replace("}.{", "}:{").replace("}-{", "}:{"))


def test_a_question_needs_no_full_stop() -> None:  # B18
    (finding,) = decide("search", {"query": "x", "limt": 5}).findings
    assert finding.message.endswith(" did you mean `limit`?")
    (finding,) = decide("search", {"query": "x", "limit": 500}).findings
    assert finding.message == f"{finding.reason}."


@pytest.mark.parametrize(
    ("held", "visible"),
    [
        ("row:t-7.v:view", True),
        ("row:t-a-b.v:view", True),
        ("row:t-.v:view", False),
        ("row:t.v:view", False),
        ("row:x-7.v:view", False),
        ("row:t-7.w:view", False),
        ("row:t-7.v:edit", False),
        ("row:t-*.v:view", False),
        ("row:t-7.v", False),
        ("row:t-7.v:view:more", False),
        ("roww:t-7.v:view", False),
    ],
)
def test_a_value_inside_a_segment_is_matched_between_its_neighbours(held: str, visible: bool) -> None:  # B13
    text = NUMBERED.replace('"row:{args.id}"', '"row:t-{args.id}.v:view"').replace(
        ', "at:{args.place.city}:{tool.action}"', ""
    )
    assert "t-{args.id}.v" in text
    assert "at:" not in text
    shown = [tool.name for tool in gateway(text).tools(session(subject={"permissions": [held]})).visible]
    assert ("row" in shown) is visible


def test_a_permission_s_neighbours_of_a_value_never_overlap() -> None:  # B13
    text = NUMBERED.replace('"row:{args.id}"', '"row:aa{args.id}aa"').replace(
        ', "at:{args.place.city}:{tool.action}"', ""
    )
    for held, visible in (("row:aaa", False), ("row:aaaa", False), ("row:aaaaa", True)):
        listing = gateway(text).tools(session(subject={"permissions": [held]}))
        assert bool(listing.visible) is visible, held


def test_a_forced_value_stands_between_its_neighbours() -> None:  # B13, E2
    text = NUMBERED.replace('"row:{args.id}"', '"row:t-{args.id}.v"').replace(
        ', "at:{args.place.city}:{tool.action}"', ""
    )
    text += "arguments:\n  - {id: own, tools: [row], set: {id: subject.id}}\n"
    for held, visible in (
        ("row:t-u-1.v", True),
        ("row:t-u-2.v", False),
        ("row:u-1.v", False),
        ("row:t-u-1", False),
        ("row:u-1", False),
    ):
        listing = gateway(text).tools(session(subject={"permissions": [held]}))
        assert bool(listing.visible) is visible, held


def test_a_missing_resource_permission_is_named_unless_it_holds_a_secret() -> None:  # B13
    decision = decide("order_row", {"table": "t"})
    assert decision.message.startswith("The user lacks the permission `row:t:edit` for this resource.")
    text = SHOP.replace(
        "properties: {table: {type: string}", "properties: {table: {type: string, x-sensitive: true}"
    )
    decision = decide("order_row", {"table": "t-4711"}, text=text)
    assert decision.code is Code.RESOURCE_PERMISSION_DENIED
    assert "4711" not in decision.message
    assert decision.detail == "the subject lacks the resource permission `row:{args.table}:{tool.action}`"
    decision = decide("order_row", {"table": "t:4711"}, text=text)
    assert decision.message.startswith("This resource can't be named in a permission.")
    assert decision.detail == "`args.table` can't be part of a permission"
    decision = decide("order_row", {"table": "t:4711", "data": {"table": 1}})
    assert decision.message.startswith("`args.table` must be one plain word")


@pytest.mark.parametrize(
    ("given", "secret"),
    [
        ("type: object, required: [table]", "type: object, x-sensitive: true, required: [table]"),
        ("type: object, required: [table]", "type: object, additionalProperties: {x-sensitive: true}, required: [table]"),
        ("type: object, required: [table]", "type: object, patternProperties: {'^t': {x-sensitive: true}}, required: [table]"),
        ("type: object, required: [table]", "type: object, allOf: [{x-sensitive: true}], required: [table]"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("table", ["t-4711", "t:4711"])
def test_a_secret_is_one_wherever_the_schema_says_so(given: str, secret: str, table: str) -> None:  # B13
    assert given in SHOP
    lines = [line.replace(given, secret) if "order_row" in line else line for line in SHOP.splitlines()]
    decision = decide("order_row", {"table": table}, text="\n".join(lines) + "\n")
    assert decision.code is Code.RESOURCE_PERMISSION_DENIED
    assert "4711" not in decision.message + decision.detail


def test_an_argument_that_is_named_like_a_key_of_the_tool_is_told_from_it() -> None:  # B13
    text = SHOP.replace(
        "data: {type: object, additionalProperties: true}}}}", "action: {type: string, x-sensitive: true}}}}"
    )
    assert text != SHOP
    assert "`row:t:edit`" in decide("order_row", {"table": "t", "action": "x"}, text=text).detail


@pytest.mark.parametrize(
    ("value", "starts"),
    [("t-1", "The user lacks the permission for this resource."), ("t:1", "This resource can't be named")],
)
def test_a_resource_permission_with_a_forced_value_does_not_tell_it(
    value: str, starts: str
) -> None:  # B13, E2
    text = SHOP + f"arguments:\n  - {{id: own, tools: [order_row], set: {{table: \"'{value}'\"}}}}\n"
    decision = decide("order_row", {}, text=text)
    assert decision.code is Code.RESOURCE_PERMISSION_DENIED
    assert decision.message.startswith(starts)
    assert value not in decision.message
    plain = SHOP + "arguments:\n  - {id: own, tools: [order_row], set: {data: \"{'a': 1}\"}}\n"
    assert "`row:t:edit`" in decide("order_row", {"table": "t"}, text=plain).message
