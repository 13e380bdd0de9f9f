"""Generated policies."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from gateway.diagnostic import PolicyError
from gateway.diff import compiled
from gateway.load import load_text
from gateway.sources import Assembled

Json = dict[str, Any]


def side(policy: Json | str) -> Assembled:
    """A policy as written and compiled; overrides that relax are confirmed first, as an operator does it."""
    if isinstance(policy, dict):
        overrides = [_confirmed(policy, override) for override in policy.get("overrides", ())]
        policy = json.dumps({**policy, **({"overrides": overrides} if overrides else {})})
    return compiled(load_text(policy, "policy.yaml"))


def _confirmed(policy: Json, override: Json) -> Json:
    try:
        compiled(load_text(json.dumps({**policy, "overrides": [override]})))
    except PolicyError as error:
        digests = [re.search(r'digest: "(\w+)"', found.help) for found in error.diagnostics]
        for match in digests:
            if match is not None:
                return {**override, "confirm": {"by": "ops", "at": "2026-11-30", "digest": match[1]}}
    return override


def usable(policy: Json) -> Assembled:
    """The same for a generated policy; one that does not load is no example."""
    rules = policy["rules"]
    liftable = {rule["id"] for rule in rules if rule["effect"] in ("ask", "deny")}
    mended = [
        {key: value for key, value in rule.items() if key != "lifts" or liftable.issuperset(value)}
        for rule in rules
    ]
    made: Assembled | None = None
    with suppress(PolicyError):
        made = side({**policy, "rules": mended})
    assume(made is not None)
    assert made is not None
    return made


NUMBERS = st.sampled_from([0, 5, 10, 20])
RISKS = st.sampled_from(["READ_ONLY", "LOW", "MEDIUM", "HIGH", "IRREVERSIBLE"])
EFFECTS = st.sampled_from(["deny", "ask", "allow", "respond"])
NAMES = ["pay", "read", "run", "form", "beta"]
GLOBS = st.sampled_from(
    [["*"], ["pay"], ["pay", "read"], ["*", "!pay"], ["r*"], ["form", "beta"], ["pay", "r*"]]
)
TENANTS = st.sampled_from([["acme"], ["*"], ["a*"], ["acme", "beta"], ["b*"]])
PACKS = st.sampled_from([[], ["core"], ["core", "git", "files", "database"]])


ORDERED = [
    "tool.permissions[0] in subject.permissions",
    "size(tool.permissions) == 2",
    "session.channel in tool.channels",
    "tool.channels[0] != session.channel",
    "tool.requires[0] in session.capabilities",
    '(tool.config.map(k, k)[0] == "x") == session.can_ask',
    "tool.config.transformList(k, v, v)[0] == 1",
]
"""Conditions that see the order in which a tool's values are written, and what they are by default."""
ORDERED_ARGUMENTS = [
    'roles.recipient[0] == "DE1"',
    'args.map(k, k)[1] == "iban"',
    "args.transformList(k, v, v)[0] == 30",
    'args.o.map(k, k)[0] == "x"',
    'roles.money[0] == "1"',
]
"""The same of arguments."""


@st.composite
def atoms(draw: st.DrawFn, *, arguments: bool) -> str:
    """A condition without `&&`, `||` and `!`; some fail for some sessions."""
    number = draw(NUMBERS)
    general = [
        f"session.facts.limit > {number}",
        f"session.facts.limit <= {number}",
        f"session.facts.limit in [{number}, 7]",
        f"session.facts.limit == {number}",
        f"10 / session.facts.limit > {number}",
        '"sales" in subject.roles',
        'session.channel == "internal"',
        f'session.facts.place.startsWith("{"abc"[: number // 5]}x")',
        "has(session.facts.limit)",
        'tool.risk == "LOW"',
        '"read" in agent.tools',
        "session.facts.limit in lists.numbers",
        f"lists.numbers.exists(n, n > {number})",
        "lists.numbers.exists(n, n > session.facts.limit)",
        f"lists.numbers.all(n, n >= session.facts.limit || n == {number})",
        "session.facts.limit in lists.numbers + [7]",
        f"size(lists.numbers) > {number // 10}",
        f"size(subject.roles) >= {number // 10}",
        "lists.numbers.exists(i, n, i < 1 && n == session.facts.limit)",
        "[lists].exists(l, session.facts.limit in l.numbers)",
        *ORDERED,
    ]
    own = [
        f"has(args.amount) && args.amount > {number}",
        f"has(args.amount) && args.amount >= {number}",
        f"has(args.amount) && args.amount < {number}",
        f"!has(args.amount) || {number} < args.amount",
        'has(args.iban) && args.iban.startsWith("DE")',
        'has(args.note) && args.note == "x"',
        "roles.recipient.all(r, r != 'DE1')",
        *ORDERED_ARGUMENTS,
    ]
    return draw(st.sampled_from(own + general if arguments else general))


@st.composite
def conditions(draw: st.DrawFn, *, arguments: bool = False) -> str:
    """A small condition."""
    terms = draw(st.lists(atoms(arguments=arguments), min_size=1, max_size=3))
    signed = [draw(st.sampled_from(["({})", "!({})"])).format(term) for term in terms]
    return draw(st.sampled_from([" && ", " || "])).join(signed)


@st.composite
def rules(draw: st.DrawFn, index: int) -> Json:
    """A rule."""
    effect, tools = draw(EFFECTS), draw(GLOBS)
    rule: Json = {"id": f"r{index}", "tools": tools, "effect": effect}
    for key in ("when", "unless"):
        if draw(st.booleans()):
            rule[key] = draw(conditions(arguments=tools == ["pay"]))
    for key, values in (
        ("tenants", TENANTS),
        ("agents", AGENTS),
        ("channels", CHANNELS),
        ("risk", SELECTORS),
    ):
        if draw(st.integers(0, 4)) == 0:
            rule[key] = draw(values)
    if draw(st.integers(0, 5)) == 0:
        rule["monitor"] = True
    if effect == "respond":
        rule["response"] = {"a": 1}
    if effect == "allow" and draw(st.booleans()):
        rule["lifts"] = [f"r{draw(st.integers(0, 3))}"]
    if effect == "allow" and "monitor" not in rule and draw(st.booleans()):
        rule["until"] = draw(st.sampled_from(["2026-01-31", "2027-01-31"]))
    if effect == "ask" and draw(st.booleans()):
        rule["approval"] = draw(
            st.sampled_from([{"by": ["boss"]}, {"by": ["boss", "staff"], "not_self": True}])
        )
    return rule


AGENTS = st.sampled_from([["clerk"], ["c*"], ["reader"], ["clerk", "reader"]])
CHANNELS = st.sampled_from([["internal"], ["external"], ["internal", "external"]])
SELECTORS = st.sampled_from([">=LOW", ">=HIGH", "READ_ONLY", "<HIGH"])
PERMISSIONS = st.sampled_from([[], ["a"], ["a", "b"], ["b", "a"], ["b"]])


@st.composite
def arguments(draw: st.DrawFn, index: int) -> Json:
    """An entry of forced arguments."""
    entry: Json = {
        "id": f"f{index}",
        "tools": ["pay"],
        "set": {"iban": draw(st.sampled_from(["subject.id", '"DE1"']))},
    }
    if draw(st.booleans()):
        entry["when"] = draw(conditions())
        if draw(st.booleans()):
            entry["otherwise"] = "deny"
    return entry


AMOUNTS = st.sampled_from(
    [
        {"type": "integer"},
        {"type": "number"},
        {"type": "integer", "maximum": 10},
        {"type": "integer", "minimum": 5, "maximum": 20},
        {"type": "integer", "exclusiveMaximum": 10},
        {"type": "number", "enum": [1, 5, 11]},
        {"type": "integer", "default": 30},
        {"enum": [1, 5]},
        {},
    ]
)
TEXTS = st.sampled_from(
    [
        {"type": "string"},
        {"type": "string", "maxLength": 3},
        {"type": "string", "x-role": "recipient"},
        {"type": "string", "pattern": "^DE"},
        {"type": "string", "x-sensitive": True},
        {"type": ["string", "null"]},
    ]
)


@st.composite
def schemas(draw: st.DrawFn) -> Json:
    """The schema of `pay`."""
    schema: Json = {
        "type": "object",
        "required": draw(st.sampled_from([["amount", "iban"], ["amount"], []])),
        "properties": {"amount": draw(AMOUNTS), "iban": draw(TEXTS), "note": draw(TEXTS)},
    }
    if draw(st.booleans()):
        free = {"type": "string", "x-role": "money"}
        schema["properties"]["o"] = {
            "type": "object",
            "additionalProperties": free,
            "default": {"y": "1", "x": "2"},
        }
    if draw(st.integers(0, 4)) == 0:
        schema["additionalProperties"] = True
    return schema


@st.composite
def tools(draw: st.DrawFn, name: str) -> Json:
    """A tool."""
    tool: Json = {"name": name, "risk": draw(RISKS), "permissions": draw(PERMISSIONS)}
    if name == "pay":
        tool["parameters"] = draw(schemas())
    if name == "run":
        tool["parameters"] = {"type": "object", "properties": {"command": {"type": "string"}}}
        if draw(st.booleans()):
            tool["inspect"] = {"command": "shell"}
    if name == "form":
        tool["parameters"] = {"type": "object", "properties": {"code": {"type": "string"}}}
        tool["action"] = draw(st.sampled_from(["edit", "look"]))
        if draw(st.booleans()):
            tool["resource_permissions"] = ["form:{args.code}:{tool.action}"]
    if name == "beta":
        tool["switch"] = "beta"
    for key, values in (
        ("channels", CHANNELS),
        ("requires", st.sampled_from([["box"], ["key", "box"]])),
        ("config", st.sampled_from([{"x": 1}, {"x": 1, "y": 2}])),
        ("enabled", st.booleans()),
        ("read_only_when", conditions()),
        ("mode", st.just("web")),
        ("title", st.sampled_from(["One", "Two"])),
    ):
        if draw(st.integers(0, 5)) == 0:
            tool[key] = draw(values)
    return tool


@st.composite
def overrides(draw: st.DrawFn) -> Json:
    """An override of one key; what relaxes may end."""
    values: Json = draw(
        st.sampled_from(
            [
                {"permissions": []},
                {"permissions": ["b"]},
                {"permissions": ["a", "b"]},
                {"enabled": True},
                {"enabled": False},
                {"risk": "LOW"},
                {"risk": "HIGH"},
                {"title": "Other"},
            ]
        )
    )
    override: Json = {
        "tenant": draw(st.sampled_from(["acme", "acme", "beta"])),
        "tools": draw(st.sampled_from([["pay"], ["pay", "read"], ["run"], ["*"]])),
        "reason": "agreed",
        **values,
    }
    if draw(st.booleans()) and values not in ({"enabled": False}, {"risk": "HIGH"}):
        override["until"] = draw(st.sampled_from(["2026-01-31", "2027-01-31", "2028-01-31"]))
    return override


@st.composite
def results(draw: st.DrawFn, index: int) -> Json:
    """An entry that blanks out, for tools that the catalogue has or lacks."""
    entry: Json = {
        "id": f"s{index}",
        "tools": draw(st.one_of(GLOBS, st.sampled_from([["mcp*"], ["*", "!mcp*"], ["m*", "pay"], ["*/*"]]))),
        "redact": draw(
            st.sampled_from(
                [
                    [{"field": "**.password"}],
                    [{"detector": "emails"}, {"field": "note"}],
                    [{"field": "rows.*"}],
                ]
            )
        ),
    }
    if draw(st.booleans()):
        entry["when"] = draw(
            st.sampled_from(
                [
                    "result.total == 1",
                    "size(result.rows) > 0",
                    "has(result.rows)",
                    "session.facts.limit > 5",
                    "has(result.rows) && origin(result.rows).untrusted",
                ]
            )
        )
    for key, values in (("tenants", TENANTS), ("risk", SELECTORS)):
        if draw(st.integers(0, 3)) == 0:
            entry[key] = draw(values)
    return entry


@st.composite
def policies(draw: st.DrawFn) -> Json:
    """A policy with a few tools and rules."""
    settings: Json = {
        "confirm_from": draw(st.sampled_from(["LOW", "MEDIUM", "HIGH"])),
        "switches": {"beta": draw(st.booleans())},
        "types": {"session.facts": {"limit": "int", "place": "string"}},
        "unknown_tools": draw(st.sampled_from(["ask", "deny", "abstain"])),
    }
    if draw(st.booleans()):
        settings["packs"] = draw(PACKS)
    if draw(st.integers(0, 6)) == 0:
        settings["monitor_until"] = "2027-01-01"
    return {
        "version": 1,
        "settings": settings,
        "lists": {"numbers": draw(st.lists(NUMBERS, max_size=3))},
        "agents": [
            {"name": "clerk", "tools": draw(GLOBS), "tenants": draw(TENANTS)},
            {"name": "reader", "tools": ["r*"], "tenants": draw(TENANTS)},
        ],
        "tools": [draw(tools(name)) for name in (*NAMES, *draw(st.sampled_from([[], ["extra"]])))],
        "arguments": [draw(arguments(index)) for index in range(draw(st.integers(0, 1)))],
        "rules": [draw(rules(index)) for index in range(draw(st.integers(1, 4)))],
        "results": [draw(results(index)) for index in range(draw(st.integers(0, 2)))],
        "overrides": draw(st.lists(overrides(), max_size=2)),
    }
