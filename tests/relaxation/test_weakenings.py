"""Laws of single edits: what weakens is relaxed, under its name; the way back relaxes nothing and is not passed over."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.diff import Verdict, changes, verdict
from gateway.relaxation import Direction
from gateway.sources import Assembled
from tests.relaxation.generated import Json, policies, side, usable

VAULT: Json = {
    "name": "vault",
    "title": "Vault",
    "risk": "HIGH",
    "permissions": ["a", "vault"],
    "resource_permissions": ["vault:{args.box}", "all:{args.box}"],
    "channels": ["internal"],
    "requires": ["box", "key"],
    "switch": "vault",
    "inspect": {"command": "shell", "file": "path"},
    "parameters": {
        "type": "object",
        "required": ["box", "sum"],
        "properties": {
            "box": {"type": "string", "maxLength": 9},
            "sum": {"type": "integer", "minimum": 1, "maximum": 90},
            "kind": {"enum": ["gold", "silver"]},
            "command": {"type": "string"},
            "file": {"type": "string"},
            "place": {"type": "string", "x-role": "path"},
            "word": {"type": "string", "x-sensitive": True},
        },
    },
}
OUTER: Json = {
    "name": "outer",
    "risk": "LOW",
    "permissions": [],
    "wraps": {"tool": "args.tool", "arguments": "args.input"},
    "parameters": {
        "type": "object",
        "required": ["tool", "input"],
        "properties": {"tool": {"type": "string"}, "input": {"type": "object", "additionalProperties": True}},
    },
}
RULES: list[Json] = [
    {
        "id": "no",
        "tools": ["vault", "outer"],
        "effect": "deny",
        "when": 'session.facts.limit > 5 || session.facts.limit in [1, 2] || subject.id.startsWith("x")',
    },
    {
        "id": "trial",
        "tools": ["vault"],
        "effect": "deny",
        "when": "args.sum > 80",
        "monitor": True,
        "until": "2027-01-31",
    },
    {
        "id": "who",
        "tools": ["vault"],
        "effect": "ask",
        "unless": "session.facts.limit > 50",
        "approval": {"by": ["boss"], "not_self": True, "expires": "30m", "use_within": "5m"},
    },
    {"id": "instead", "tools": ["vault"], "effect": "respond", "response": {"a": 1}, "when": "args.sum == 7"},
    {
        "id": "may",
        "tools": ["outer"],
        "effect": "allow",
        "until": "2027-01-31",
        "when": "session.facts.limit > 3",
        "tenants": ["acme"],
        "agents": ["keeper"],
        "channels": ["internal"],
        "lifts": [],
    },
]


def rich(policy: Json) -> Json:
    """A generated policy with parts in it that every weakening below finds."""
    whole = copy.deepcopy(policy)
    whole["settings"].update(
        {
            "confirm_from": "MEDIUM",
            "packs": ["core", "git"],
            "unknown_tools": "ask",
            "monitor_until": "2027-01-01",
        }
    )
    whole["settings"]["switches"] |= {"vault": True, "off": False}
    whole["tools"] += [
        copy.deepcopy(VAULT),
        copy.deepcopy(OUTER),
        {"name": "still", "risk": "LOW", "permissions": [], "enabled": False},
    ]
    whole["agents"].append(
        {
            "name": "keeper",
            "tools": ["vault", "outer"],
            "tenants": ["acme"],
            "max_risk": "HIGH",
            "max_steps": 5,
        }
    )
    whole["rules"] += copy.deepcopy(RULES)
    whole["arguments"] += [
        {
            "id": "own",
            "tools": ["vault"],
            "set": {"box": "subject.id", "kind": '"gold"'},
            "when": 'session.channel == "internal"',
            "otherwise": "deny",
        }
    ]
    whole["limits"] = [
        {"id": "rate", "tools": ["vault"], "per": "subject", "rate": "5/h"},
        {"id": "loops", "tools": ["vault"], "repeats": 3},
        {"id": "rounds", "tools": ["vault"], "empty_rounds": 3},
        {
            "id": "spend",
            "tools": ["vault"],
            "per": "subject",
            "budget": {"EUR": "100/d"},
            "amount": "1",
            "currency": "'EUR'",
        },
    ]
    whole["results"] = [
        {
            "id": "clean",
            "tools": ["vault", "outer"],
            "fields": {"a": "untrusted"},
            "redact": [{"detector": "secrets"}, {"field": "x"}],
        }
    ]
    whole["servers"] = [
        {"name": "hub", "tools": ["get_*"], "risk": "LOW", "permissions": ["hub"], "pinned": True}
    ]
    whole["overrides"] = [
        {
            "tenant": "acme",
            "tools": ["vault"],
            "permissions": ["a", "vault", "acme"],
            "enabled": False,
            "reason": "R",
        }
    ]
    return whole


def named(policy: Json, section: str, name: str) -> Json:
    found: Json
    (found,) = [part for part in policy[section] if name in (part.get("name"), part.get("id"))]
    return found


def put(section: str, name: str, *path: Any, value: Any) -> Callable[[Json], None]:
    def edit(policy: Json) -> None:
        at: Any = named(policy, section, name)
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = value

    return edit


def cut(section: str, name: str, *path: Any) -> Callable[[Json], None]:
    def edit(policy: Json) -> None:
        at: Any = named(policy, section, name)
        for step in path[:-1]:
            at = at[step]
        del at[path[-1]]

    return edit


def gone(section: str, name: str) -> Callable[[Json], None]:
    return lambda policy: policy[section].remove(named(policy, section, name))


def setting(key: str, value: Any) -> Callable[[Json], None]:
    return lambda policy: policy["settings"].update({key: value})


ARGS = ("parameters", "properties")
WEAKENINGS: list[tuple[str, Callable[[Json], None]]] = [
    ("settings.confirm_from", setting("confirm_from", "HIGH")),
    ("settings.packs", setting("packs", ["core"])),
    ("settings.packs", setting("packs", [])),
    ("settings.switches.off", lambda policy: policy["settings"]["switches"].update(off=True)),
    ("settings.unknown_tools", setting("unknown_tools", "abstain")),
    ("settings.monitor_until", setting("monitor_until", "2027-01-02")),
    ("agents.keeper.tools", put("agents", "keeper", "tools", value=["vault", "outer", "still"])),
    ("agents.keeper.tenants", put("agents", "keeper", "tenants", value=["acme", "beta"])),
    ("agents.keeper.tenants", put("agents", "keeper", "tenants", value=["a*"])),
    ("agents.keeper.max_risk", cut("agents", "keeper", "max_risk")),
    ("agents.keeper.max_steps", put("agents", "keeper", "max_steps", value=6)),
    (
        "agents.fresh",
        lambda policy: policy["agents"].append({"name": "fresh", "tools": ["outer"], "tenants": ["acme"]}),
    ),
    ("tools.vault.risk", put("tools", "vault", "risk", value="LOW")),
    ("tools.vault.risk", put("tools", "vault", "risk", value="MEDIUM")),
    ("tools.outer.risk", put("tools", "outer", "risk", value="READ_ONLY")),
    ("tools.vault.permissions", put("tools", "vault", "permissions", value=["a"])),
    (
        "tools.vault.resource_permissions",
        put("tools", "vault", "resource_permissions", value=["all:{args.box}"]),
    ),
    ("tools.vault.channels", cut("tools", "vault", "channels")),
    ("tools.vault.requires", put("tools", "vault", "requires", value=["box"])),
    ("tools.still.enabled", cut("tools", "still", "enabled")),
    ("tools.outer.wraps", cut("tools", "outer", "wraps")),
    ("tools.vault.inspect", cut("tools", "vault", "inspect", "command")),
    ("tools.vault.read_only_when", put("tools", "vault", "read_only_when", value="session.facts.limit > 3")),
    ("tools.vault.parameters", put("tools", "vault", "parameters", "required", value=["sum"])),
    ("tools.vault.parameters", put("tools", "vault", "parameters", "additionalProperties", value=True)),
    ("tools.vault.parameters", put("tools", "vault", *ARGS, "more", value={"type": "string"})),
    ("tools.vault.parameters", put("tools", "vault", *ARGS, "sum", "maximum", value=91)),
    ("tools.vault.parameters", cut("tools", "vault", *ARGS, "box", "maxLength")),
    ("tools.vault.parameters", put("tools", "vault", *ARGS, "kind", "enum", value=["gold", "silver", "tin"])),
    ("tools.vault.x-role", cut("tools", "vault", *ARGS, "place", "x-role")),
    ("tools.vault.x-sensitive", cut("tools", "vault", *ARGS, "word", "x-sensitive")),
    ("rules.no", gone("rules", "no")),
    ("rules.who", gone("rules", "who")),
    ("rules.instead", gone("rules", "instead")),
    ("rules.trial", gone("rules", "trial")),
    ("rules.no.effect", put("rules", "no", "effect", value="ask")),
    ("rules.no.tools", put("rules", "no", "tools", value=["vault"])),
    ("rules.no.tools", put("rules", "no", "risk", value=">=HIGH")),
    ("rules.no.tenants", put("rules", "no", "tenants", value=["acme"])),
    ("rules.no.agents", put("rules", "no", "agents", value=["keeper"])),
    ("rules.no.channels", put("rules", "no", "channels", value=["external"])),
    ("rules.no.monitor", put("rules", "no", "monitor", value=True)),
    (
        "rules.no.condition",
        put(
            "rules",
            "no",
            "when",
            value='session.facts.limit > 6 || session.facts.limit in [1, 2] || subject.id.startsWith("x")',
        ),
    ),
    (
        "rules.no.condition",
        put(
            "rules",
            "no",
            "when",
            value='session.facts.limit > 5 || session.facts.limit in [1] || subject.id.startsWith("x")',
        ),
    ),
    (
        "rules.no.condition",
        put(
            "rules",
            "no",
            "when",
            value='session.facts.limit > 5 || session.facts.limit in [1, 2] || subject.id.startsWith("xy")',
        ),
    ),
    (
        "rules.no.condition",
        put("rules", "no", "when", value="session.facts.limit > 5 || session.facts.limit in [1, 2]"),
    ),
    (
        "rules.no.condition",
        put(
            "rules",
            "no",
            "when",
            value='has(session.facts.limit) && (session.facts.limit > 5 || session.facts.limit in [1, 2] || subject.id.startsWith("x"))',
        ),
    ),
    ("rules.no.condition", put("rules", "no", "unless", value='"boss" in subject.roles')),
    ("rules.who.condition", put("rules", "who", "unless", value="session.facts.limit > 40")),
    ("rules.who.condition", put("rules", "who", "when", value="session.can_ask")),
    ("rules.trial.monitor", put("rules", "trial", "until", value="2027-02-01")),
    ("rules.trial.monitor", cut("rules", "trial", "until")),
    ("rules.who.approval.by", put("rules", "who", "approval", "by", value=["boss", "staff"])),
    ("rules.who.approval.by", cut("rules", "who", "approval", "by")),
    ("rules.who.approval.not_self", cut("rules", "who", "approval", "not_self")),
    ("rules.who.approval.expires", put("rules", "who", "approval", "expires", value="31m")),
    ("rules.who.approval.use_within", cut("rules", "who", "approval", "use_within")),
    ("rules.may.until", put("rules", "may", "until", value="2027-02-01")),
    ("rules.may.until", cut("rules", "may", "until")),
    ("rules.may.lifts", put("rules", "may", "lifts", value=["who"])),
    ("rules.may.condition", put("rules", "may", "when", value="session.facts.limit > 2")),
    ("rules.may.tools", put("rules", "may", "tools", value=["outer", "vault"])),
    ("rules.may.tenants", cut("rules", "may", "tenants")),
    ("rules.may.agents", cut("rules", "may", "agents")),
    ("rules.may.channels", cut("rules", "may", "channels")),
    (
        "rules.more",
        lambda policy: policy["rules"].append({"id": "more", "tools": ["vault"], "effect": "allow"}),
    ),
    ("arguments.own", gone("arguments", "own")),
    ("arguments.own.otherwise", cut("arguments", "own", "otherwise")),
    ("arguments.own.set", cut("arguments", "own", "set", "kind")),
    ("arguments.own.tenants", put("arguments", "own", "tenants", value=["acme"])),
    (
        "arguments.own.condition",
        put("arguments", "own", "when", value='session.channel == "internal" || session.dry_run'),
    ),
    ("limits.rate", gone("limits", "rate")),
    ("limits.rate.rate", put("limits", "rate", "rate", value="6/h")),
    ("limits.rate.rate", put("limits", "rate", "rate", value="5/30m")),
    ("limits.spend", gone("limits", "spend")),
    ("limits.spend.budget", put("limits", "spend", "budget", value={"EUR": "100.5/d"})),
    ("limits.spend.budget", put("limits", "spend", "budget", value={"EUR": "100/12h"})),
    ("limits.spend.budget", put("limits", "spend", "budget", value={"EUR": "100/d", "USD": "1/d"})),
    ("limits.rounds.empty_rounds", put("limits", "rounds", "empty_rounds", value=4)),
    ("limits.loops.repeats", put("limits", "loops", "repeats", value=4)),
    ("limits.loops.monitor", put("limits", "loops", "monitor", value=True)),
    ("results.clean", gone("results", "clean")),
    ("results.clean.tools", put("results", "clean", "tools", value=["vault"])),
    ("results.clean.redact", put("results", "clean", "redact", value=[{"field": "x"}])),
    ("results.clean.fields", put("results", "clean", "fields", "a", value="trusted")),
    ("results.clean.condition", put("results", "clean", "when", value="session.can_ask")),
    ("servers.hub.tools", put("servers", "hub", "tools", value=["get_*", "list_*"])),
    ("servers.hub.risk", cut("servers", "hub", "risk")),
    ("servers.hub.permissions", put("servers", "hub", "permissions", value=[])),
    ("servers.hub.pinned", cut("servers", "hub", "pinned")),
    ("servers.hub", gone("servers", "hub")),
    (
        "overrides.acme.vault.permissions",
        lambda policy: policy["overrides"][0].update(permissions=["a", "acme"]),
    ),
    ("overrides.acme.vault.enabled", lambda policy: policy["overrides"][0].pop("enabled")),
]


PLAIN: Json = {
    "version": 1,
    "settings": {"confirm_from": "LOW", "switches": {}, "types": {"session.facts": {"limit": "int"}}},
    "agents": [{"name": "clerk", "tools": ["run"], "tenants": ["acme", "beta"]}],
    "tools": [{"name": "run", "risk": "LOW", "permissions": []}],
    "arguments": [],
    "rules": [],
}


def pair(
    policy: Json, edit: Callable[[Json], None], make: Callable[[Json], Assembled] | None = None
) -> tuple[Assembled, Assembled]:
    strict = rich(policy)
    weak = copy.deepcopy(strict)
    edit(weak)
    if make is None:
        return strict_side(json.dumps(strict)), side(weak)
    return make(strict), make(weak)


@cache
def strict_side(policy: str) -> Assembled:
    """Compiled once for all weakenings of the same policy."""
    return side(json.loads(policy))


def check(item: str, strict: Assembled, weak: Assembled) -> None:
    found = changes(strict, weak)
    assert item in [change.item for change in found if change.relaxed], found
    assert verdict(found) is Verdict.RELAXED
    back = changes(weak, strict)
    assert back
    assert item in [change.item for change in back]
    assert [change for change in back if change.relaxed] == []


NAMES = [f"{index}-{item}" for index, (item, _) in enumerate(WEAKENINGS)]


@pytest.mark.parametrize(("item", "edit"), WEAKENINGS, ids=NAMES)
def test_a_weakening_is_relaxed_under_its_name_and_the_way_back_is_no_relaxation(
    item: str, edit: Callable[[Json], None]
) -> None:
    check(item, *pair(PLAIN, edit))


@settings(max_examples=40)
@given(policies(), st.sampled_from(WEAKENINGS))
def test_so_it_is_among_whatever_other_parts(
    policy: Json, weakening: tuple[str, Callable[[Json], None]]
) -> None:
    item, edit = weakening
    check(item, *pair(policy, edit, usable))


UNKNOWN: list[tuple[str, Callable[[Json], None]]] = [
    ("settings.types", lambda policy: policy["settings"]["types"]["session.facts"].update(limit="double")),
    ("tools.vault.parameters", put("tools", "vault", *ARGS, "sum", "default", value=5)),
    ("tools.vault.inspect", put("tools", "vault", "inspect", "command", value="sql")),
    ("rules.no.condition", put("rules", "no", "when", value='"boss" in subject.roles')),
    ("rules.instead.condition", put("rules", "instead", "when", value="args.sum == 8")),
    ("arguments.own.set", put("arguments", "own", "set", "kind", value='"silver"')),
]


@pytest.mark.parametrize(("item", "edit"), UNKNOWN, ids=[item for item, _ in UNKNOWN])
def test_what_has_no_known_direction_is_never_passed_over(item: str, edit: Callable[[Json], None]) -> None:
    strict, weak = pair(PLAIN, edit)
    for found in (changes(strict, weak), changes(weak, strict)):
        assert verdict(found) is Verdict.UNPROVED
        (change,) = [change for change in found if change.item == item]
        assert (change.direction, change.enforced) == (Direction.OTHER, True)
