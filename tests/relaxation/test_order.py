"""Order that means nothing decides nothing: where `diff` sees no difference, no condition sees one either."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from gateway.call import ToolCall
from gateway.cel import DYN, Environment, parse, plan
from gateway.decision import Effect
from gateway.diagnostic import Excerpt
from gateway.diff import Verdict, changes, verdict
from gateway.facts import Facts
from gateway.session import Session
from tests.engine.build import NOW
from tests.relaxation.generated import Json, side

ROLE: Json = {"type": "string", "x-role": "recipient"}
FREE: Json = {"type": "object", "additionalProperties": {"type": "string"}}
FREE_ROLES: Json = {"type": "object", "additionalProperties": ROLE}


def policy(condition: str, properties: Json, **tool: Any) -> Json:
    return {
        "version": 1,
        "agents": [{"name": "clerk", "tools": ["*"], "tenants": ["*"]}],
        "tools": [
            {
                "name": "pay",
                "risk": "LOW",
                "permissions": [],
                "parameters": {"type": "object", "properties": {"q": {"type": "string"}, **properties}},
                **tool,
            }
        ],
        "rules": [
            {"id": "no", "tools": ["pay"], "effect": "deny", "when": f"has(args.q) && ({condition})"},
        ],
    }


def turned(value: Any) -> Any:
    """The value with every mapping in it written the other way round."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return [turned(each) for each in value] if isinstance(value, list) else value


def effects(written: Json, given: Json) -> list[Effect]:
    """What is decided for sessions that can ask and that can't, from both channels, with roles of either kind."""
    engine = side(written).compiled.engine
    call = ToolCall.of({"id": "c", "tool": "pay", "arguments": given})
    return [
        engine.decide(
            call,
            Session.of(
                {
                    "id": "s",
                    "tenant": "acme",
                    "agent": "clerk",
                    "channel": channel,
                    "can_ask": can_ask,
                    "subject": {
                        "id": "u",
                        "tenant": "acme",
                        "authenticated": True,
                        "roles": [role],
                        "permissions": ["a", "b"],
                    },
                }
            ),
            Facts(NOW, lambda path: path),
        ).effect
        for channel in ("internal", "external")
        for can_ask in (True, False)
        for role in ("a", "b")
    ]


CASES: dict[str, tuple[str, Json, Json, Json]] = {
    "roles-by-property": (
        'roles.recipient[0] == "x"',
        {"q": ROLE, "z": ROLE},
        {},
        {"q": "x", "z": "y"},
    ),
    "roles-by-free-key": (
        'roles.recipient[0] == "x"',
        {"o": {**FREE_ROLES, "default": {"k": "x", "l": "y"}}},
        {},
        {"q": "q"},
    ),
    "keys-of-defaults": (
        'args.map(k, k)[1] == "a"',
        {"a": {"type": "string", "default": "1"}, "b": {"type": "string", "default": "2"}},
        {},
        {"q": "q"},
    ),
    "keys-of-a-default": (
        'args.o.map(k, k)[0] == "x"',
        {"o": {**FREE, "default": {"x": "1", "y": "2"}}},
        {},
        {"q": "q"},
    ),
    "values-of-a-default": (
        'args.o.transformList(k, v, v)[0] == "1"',
        {"o": {**FREE, "default": {"x": "1", "y": "2"}}},
        {},
        {"q": "q"},
    ),
    "keys-of-the-config": (
        '(tool.config.map(k, k)[0] == "x") == session.can_ask',
        {},
        {"config": {"x": 1, "y": 2}},
        {"q": "q"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_mapping_written_the_other_way_round_decides_the_same(name: str) -> None:
    condition, properties, tool, given = CASES[name]
    old = policy(condition, properties, **tool)
    new = turned(old)
    assert changes(side(old), side(new)) == ()
    assert effects(old, given) == effects(new, given)
    assert Effect.DENY in effects(old, given)


LISTS: dict[str, tuple[str, Json, Json]] = {
    "permissions": (
        "tool.permissions[0] in subject.roles",
        {"permissions": ["b", "a"]},
        {"permissions": ["a", "b"]},
    ),
    "permissions-said-twice": (
        "size(tool.permissions) == 2",
        {"permissions": ["a", "a"]},
        {"permissions": ["a"]},
    ),
    "requires": ('tool.requires[0] == "b"', {"requires": ["b", "a"]}, {"requires": ["a", "b"]}),
    "channels": (
        "tool.channels[0] != session.channel",
        {"channels": ["internal", "external"]},
        {"channels": ["external", "internal"]},
    ),
    "channels-that-are-all": (
        "session.channel in tool.channels",
        {"channels": ["internal", "external"]},
        {},
    ),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_of_a_tool_in_another_order_decides_the_same(name: str) -> None:
    condition, before, after = LISTS[name]
    old, new = policy(condition, {}, **before), policy(condition, {}, **after)
    assert changes(side(old), side(new)) == ()
    assert effects(old, {"q": "q"}) == effects(new, {"q": "q"})


def test_a_tool_without_channels_shows_all_of_them() -> None:
    assert set(effects(policy("session.channel in tool.channels", {}), {"q": "q"})) == {Effect.DENY}


def test_the_order_of_a_list_in_a_config_is_a_difference_where_it_is_read() -> None:
    """What is in a list there is the author's own, and so is its order."""
    old, new = (
        policy("tool.config.zones[0] == 'x'", {}, config={"zones": z}) for z in (["x", "y"], ["y", "x"])
    )
    assert verdict(changes(side(old), side(new))) is Verdict.UNPROVED


def test_a_role_that_moves_to_another_name_with_a_dot_is_a_difference() -> None:
    """`a.b` is a property of its own, and `b` of `a` another one: they looked alike."""
    plain: Json = {"type": "string"}

    def roles(one: Json, other: Json) -> Json:
        inner = {"type": "object", "properties": {"b": other}}
        return policy('"x" in roles.recipient', {"a.b": one, "a": inner})

    found = changes(side(roles(ROLE, plain)), side(roles(plain, ROLE)))
    assert verdict(found) is Verdict.UNPROVED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("m.map(k, k)", ["a", "b", "c"]),
        ("m.transformList(k, v, v)", [2, 3, 1]),
        ("m.filter(k, k != 'b')", ["a", "c"]),
        ("m.transformMap(k, v, v).map(k, k)", ["a", "b", "c"]),
        ("{'z': 1, 'y': 2}.map(k, k)", ["y", "z"]),
        ("{2: 1, 'y': 2, true: 3}.map(k, k) == {true: 3, 'y': 2, 2: 1}.map(k, k)", True),
    ],
)
def test_macros_go_through_a_map_by_its_keys(text: str, expected: Any) -> None:
    value = plan(parse(Excerpt.whole(text)), Environment({"m": DYN})).evaluate(
        {"m": {"c": 1, "b": 3, "a": 2}}
    )
    assert value == expected


def test_what_is_gone_through_is_left_as_it_was() -> None:
    given = {"m": {"c": {"z": 1, "y": 2}, "a": 1}}
    before = copy.deepcopy(given)
    plan(parse(Excerpt.whole("m.map(k, k)")), Environment({"m": DYN})).evaluate(given)
    assert [*given["m"]] == [*before["m"]]
