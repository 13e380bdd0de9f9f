"""The promise of `proved` for what conditions see of order: nothing that is only reordered decides less strictly."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gateway.diff import Verdict, changes, verdict
from tests.relaxation.edits import reordered
from tests.relaxation.generated import ORDERED, ORDERED_ARGUMENTS, Json, side
from tests.relaxation.test_honest import decided, strictness

ROLE = {"type": "string", "x-role": "recipient"}
PROPERTIES: dict[str, list[Json]] = {
    "iban": [ROLE, {**ROLE, "default": "DE1"}, {"type": "string"}],
    "note": [ROLE, {**ROLE, "default": "DE2"}, {"type": "string"}],
    "amount": [{"type": "integer"}, {"type": "integer", "default": 30}],
    "o": [
        {"type": "object", "additionalProperties": True, "default": {"y": "1", "x": "2"}},
        {
            "type": "object",
            "additionalProperties": {"type": "string", "x-role": "money"},
            "default": {"y": "1", "x": "2"},
        },
        {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "y": {"type": "string", "default": "1", "x-role": "money"},
                "x": {"type": "string", "default": "2", "x-role": "money"},
            },
            "default": {},
        },
    ],
}
TOOL: dict[str, list[Any]] = {
    "permissions": [["a", "b"], ["b", "a"], ["a"], ["a", "a"]],
    "channels": [None, ["internal", "external"], ["external", "internal"]],
    "requires": [None, ["key", "box"]],
    "config": [None, {"x": 1, "y": 2}, {"x": [1, 2], "y": {"x": 1, "z": 2}}],
}


@st.composite
def ordered(draw: st.DrawFn) -> Json:
    """A policy with a tool that has a value for every key, and one rule that sees order."""
    condition = draw(st.sampled_from(ORDERED + ORDERED_ARGUMENTS))
    tool = {key: draw(st.sampled_from(values)) for key, values in TOOL.items()}
    properties = {name: draw(st.sampled_from(schemas)) for name, schemas in PROPERTIES.items()}
    return {
        "version": 1,
        "agents": [{"name": "clerk", "tools": ["pay"], "tenants": ["acme"]}],
        "tools": [
            {
                "name": "pay",
                "risk": "LOW",
                **{key: value for key, value in tool.items() if value is not None},
                "parameters": {"type": "object", "properties": properties},
            }
        ],
        "arguments": [],
        "rules": [
            {
                "id": "no",
                "tools": ["pay"],
                "effect": "deny",
                "when": f"has(args.amount) && ({draw(st.sampled_from(['{}', '!({})'])).format(condition)})",
            }
        ],
    }


@st.composite
def rewritten(draw: st.DrawFn, policy: Json) -> Json:
    """The policy in another order, with a default written out or left out, or with a value said twice."""
    new: Json = draw(reordered(policy))
    (tool,) = new["tools"]
    if draw(st.booleans()):
        tool["channels"] = ["external", "internal"] if draw(st.booleans()) else None
        tool = new["tools"][0] = {key: value for key, value in tool.items() if value is not None}
    if draw(st.booleans()):
        tool["permissions"] = [*tool["permissions"], tool["permissions"][0]]
    return new


CALLS = [
    {"amount": 1},
    {},
    {"amount": 1, "note": "DE1", "iban": "x"},
    {"iban": "DE1", "note": "x", "amount": 30},
    {"amount": 1, "o": {"x": "1", "y": "2"}},
    {"amount": 1, "o": {"y": "1", "x": "2"}},
]


@settings(max_examples=80)
@given(st.data())
def test_what_is_only_reordered_is_decided_as_before_or_is_not_proved(data: st.DataObject) -> None:
    policy = data.draw(ordered())
    before, after = side(policy), side(data.draw(rewritten(policy)))
    found = changes(before, after)
    assume(verdict(found) is Verdict.PROVED)
    for arguments in CALLS:
        for channel in ("internal", "external"):
            for can_ask, permissions in ((True, ["a", "b"]), (False, ["a"])):
                session = {
                    "id": "s-1",
                    "tenant": "acme",
                    "agent": "clerk",
                    "channel": channel,
                    "can_ask": can_ask,
                    "capabilities": ["box", "key"],
                    "subject": {
                        "id": "u",
                        "tenant": "acme",
                        "authenticated": True,
                        "permissions": permissions,
                    },
                }
                call = {"id": "c-1", "tool": "pay", "arguments": arguments}
                one, two = decided(before, call, session), decided(after, call, session)
                assert strictness(two) >= strictness(one), (json.dumps(policy), found, call, session)
