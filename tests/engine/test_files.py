"""Policies in several files: neither the files' names nor the order of sections and entries changes anything."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.call import ToolCall
from gateway.compile import Compiled, compile_policy
from gateway.diagnostic import PolicyError
from gateway.facts import Facts
from gateway.inspect.guard import Guard
from gateway.load import load_policy
from gateway.session import Session
from tests.engine.build import NOW, answer, session

Part = dict[str, Any]

TEXT: Part = {
    "type": "object",
    "required": ["x"],
    "properties": {"x": {"type": "integer"}, "who": {"type": "string"}},
}
SECTIONS: dict[str, list[Part]] = {
    "agents": [
        {"name": "clerk", "tools": ["*", "!hidden"], "tenants": ["acme"]},
        {"name": "other", "tools": ["read"], "tenants": ["acme"], "max_risk": "READ_ONLY"},
    ],
    "defaults": [
        {"tools": ["write", "erase"], "permissions": ["order:pay"], "requires": ["sandbox"]},
        {"tools": ["erase"], "permissions": ["order:delete"], "requires": ["net", "sandbox"]},
        {"tools": ["*"], "parameters": TEXT},
    ],
    "tools": [
        {"name": "read", "risk": "READ_ONLY", "permissions": []},
        {"name": "write", "risk": "MEDIUM", "permissions": ["order:read"]},
        {"name": "erase", "risk": "HIGH", "permissions": ["order:read"]},
        {"name": "hidden", "risk": "LOW", "permissions": []},
    ],
    "arguments": [
        {"id": "whose", "tools": ["*"], "set": {"who": "subject.id"}},
        {"id": "again", "tools": ["write"], "when": "turn.late", "set": {"who": '"u-2"'}},
    ],
    "rules": [
        {"id": "big", "tools": ["*"], "when": "args.x > 10", "effect": "ask", "message": "Big.", "context": "B."},
        {"id": "huge", "tools": ["write", "erase"], "when": "args.x > 100", "effect": "deny", "message": "Huge."},
        {"id": "broken", "tools": ["write"], "when": "args.x / (args.x - 7) == 0", "effect": "ask"},
        {"id": "late", "tools": ["read"], "when": "turn.late", "effect": "respond", "response": {"later": True}},
        {"id": "grant", "tools": ["erase"], "when": "args.x == 50", "effect": "allow", "lifts": ["big"], "context": "A."},
        {"id": "trial", "tools": ["*"], "when": "args.x < 0", "effect": "deny", "monitor": True},
    ],
}  # fmt: skip
HEAD: Part = {
    "settings": {"confirm_from": "HIGH", "types": {"turn": {"late": "bool"}}},
    "lists": {"names": ["a", "b"]},
}
CALLS = [(tool, x) for tool in ("read", "write", "erase", "hidden") for x in (-1, 5, 7, 50, 60, 101)]
TURNS: tuple[dict[str, bool], ...] = ({}, {"late": True}, {"late": False})


def compiled_files(files: dict[str, str]) -> Compiled:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder) / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        return compile_policy(load_policy(Path(folder)), Guard((), ()))


def answers(made: Compiled) -> list[Any]:
    """Every answer of the engine, without the places at which rules were written."""
    found: list[Any] = []
    facts = Facts(NOW)
    for turn in TURNS:
        who = Session.of(session(turn=turn, capabilities=["sandbox", "net"]))
        listing = made.engine.list_tools(who, facts)
        found.append([(tool.name, tool.description, dict(tool.parameters)) for tool in listing.visible])
        found.append([(tool.name, tool.link, tool.code, tool.rule) for tool in listing.hidden])
        for tool, x in CALLS:
            call: Any = {"id": "c", "tool": tool, "arguments": {"x": x}}
            decision = made.engine.decide(ToolCall.of(call), who, facts)
            found.append(
                (
                    *answer(decision),
                    decision.errors,
                    [(f.effect, f.code, f.rule, f.message) for f in decision.findings],
                    [f.rule for f in decision.monitored],
                    None if decision.approval is None else decision.approval["reasons"],
                )
            )
    return found


ONE_FILE = answers(compiled_files({"all.yaml": json.dumps({"version": 1, **HEAD, **SECTIONS})}))


def test_the_policy_of_this_page_gives_many_different_answers() -> None:
    decided = [one for one in ONE_FILE if isinstance(one, tuple)]
    assert {one[0].value for one in decided} == {"allow", "ask", "deny", "respond"}
    assert len({(one[0], one[1], one[2]) for one in decided}) >= 8


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5), st.randoms(use_true_random=False))
def test_the_files_and_their_names_never_matter(count: int, chance: random.Random) -> None:
    names = [f"{folder}{letter}{ending}" for folder in ("", "sub/") for letter in "abcdefgh" for ending in (".yaml", ".yml")]  # fmt: skip
    chosen = chance.sample(names, count)
    files: dict[str, dict[str, Any]] = {name: {"version": 1} for name in chosen}
    for key, value in HEAD.items():
        files[chance.choice(chosen)][key] = value
    parts = [(section, part) for section, entries in SECTIONS.items() for part in entries]
    chance.shuffle(parts)
    for section, part in parts:
        files[chance.choice(chosen)].setdefault(section, []).append(part)
    made = compiled_files({name: json.dumps(content) for name, content in files.items()})
    assert answers(made) == ONE_FILE


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_sections_entries_and_keys_never_matters(chance: random.Random) -> None:
    def shuffled(part: Part) -> Part:
        keys = list(part)
        chance.shuffle(keys)
        return {key: part[key] for key in keys}

    content: Part = {"version": 1, **HEAD}
    for section, entries in SECTIONS.items():
        content[section] = [shuffled(part) for part in chance.sample(entries, len(entries))]
    assert answers(compiled_files({"all.yaml": json.dumps(shuffled(content))})) == ONE_FILE


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=False))
def test_what_is_wrong_is_wrong_in_any_order(chance: random.Random) -> None:
    """The set of messages is the same, whichever file comes first."""
    wrong: dict[str, list[Part]] = {
        "rules": [
            {"id": "a", "tools": ["raed"], "effect": "deny"},
            {"id": "b", "tools": ["read"], "when": "args.y > 1", "effect": "deny"},
            {"id": "big", "tools": ["read"], "effect": "deny"},
        ],
        "tools": [{"name": "read", "risk": "LOW", "permissions": []}],
        "defaults": [{"tools": ["read"], "group": "x"}, {"tools": ["re*"], "group": "y"}],
    }
    files: dict[str, Part] = {"a.yaml": {"version": 1}, "b.yaml": {"version": 1}, "c.yaml": {"version": 1}}
    names = list(files)
    files[chance.choice(names)].update(HEAD)
    parts = [(key, part) for key in SECTIONS for part in (*SECTIONS[key], *wrong.get(key, ()))]
    chance.shuffle(parts)
    for section, part in parts:
        files[chance.choice(names)].setdefault(section, []).append(part)
    with pytest.raises(PolicyError) as caught:
        compiled_files({name: json.dumps(content) for name, content in files.items()})
    assert {one.message for one in caught.value.diagnostics} >= {
        "no tool is called `raed`",
        "the id `big` stands twice",
        "the tool `read` is declared twice",
        "the tool `read` gets two different values for `group`",
    }
