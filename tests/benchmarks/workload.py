"""What the engines are asked: tools, rules over their arguments, and mixed calls, the same for every engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from random import Random
from typing import Any, TypeAlias

TENANTS = ("acme", "beta", "gamma")
ROLES = ("sales", "finance", "admin")
RISKS = ("READ_ONLY", "LOW", "MEDIUM", "READ_ONLY", "LOW", "MEDIUM", "LOW", "HIGH")
CONFIRMED = "HIGH"
"""Calls of this risk are asked about."""
PER_SERVICE = 5
"""How many tools a rule is about: those of one service, or as many others."""
ALLOWED, DENIED = 0.58, 0.27
"""Which part of the calls is allowed, and which is denied; the rest is asked about."""


class Effect(Enum):
    """What an engine can answer."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class Over:
    """The argument `amount` is greater than a number."""

    number: int


@dataclass(frozen=True, slots=True)
class NameBegins:
    """The argument `name` begins with a text."""

    text: str


@dataclass(frozen=True, slots=True)
class NameIs:
    """The argument `name` is a text."""

    text: str


@dataclass(frozen=True, slots=True)
class PathHolds:
    """There is an argument `path`, and it holds a text."""

    text: str


@dataclass(frozen=True, slots=True)
class Lacks:
    """Whoever asks does not have a role."""

    role: str


Atom: TypeAlias = Over | NameBegins | NameIs | PathHolds | Lacks


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool, its risk and the permissions of which all are needed."""

    name: str
    risk: str
    permissions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule denies or asks where all its atoms hold, for some tools; `written` names them as a policy does."""

    id: str
    effect: Effect
    tools: tuple[str, ...]
    written: tuple[str, ...]
    atoms: tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class Person:
    """Who is behind a call."""

    id: str
    tenant: str
    roles: tuple[str, ...]
    permissions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call and who makes it."""

    tool: str
    arguments: Mapping[str, Any]
    person: Person


Question: TypeAlias = tuple[Call, Effect]
"""A call and its right answer."""


@dataclass(frozen=True)
class Policy:
    """Tools and rules."""

    tools: tuple[Tool, ...]
    rules: tuple[Rule, ...]

    @cached_property
    def by_name(self) -> Mapping[str, Tool]:
        """The tools by their names."""
        return {tool.name: tool for tool in self.tools}

    @cached_property
    def by_tool(self) -> Mapping[str, tuple[Rule, ...]]:
        """The rules that are about each tool, those that deny first."""
        found: dict[str, list[Rule]] = {tool.name: [] for tool in self.tools}
        for rule in sorted(self.rules, key=lambda rule: rule.effect is not Effect.DENY):
            for name in rule.tools:
                found[name].append(rule)
        return {name: tuple(rules) for name, rules in found.items()}


Oracle: TypeAlias = Callable[[Policy, Call], Effect]


def people() -> tuple[Person, ...]:
    """One person for each tenant and role with all permissions, and one with a single permission."""
    return tuple(
        Person(f"{tenant}-{role}-{len(held)}", tenant, (role,), held)
        for tenant in TENANTS
        for role in ROLES
        for held in (("p0", "p1", "p2"), ("p0",))
    )


def make_policy(tools: int, rules: int, seed: int = 7) -> Policy:
    """A policy with so many tools and rules; every other rule is about a service, the others about single tools."""
    chance = Random(seed)  # noqa: S311 - the same workload each time
    services = -(-tools // PER_SERVICE)
    made = tuple(
        Tool(
            f"s{index // PER_SERVICE}_t{index}",
            RISKS[index % len(RISKS)],
            tuple(f"p{n}" for n in range(1 + index % 3)),
        )
        for index in range(tools)
    )
    return Policy(made, tuple(_rule(index, made, services, chance) for index in range(rules)))


def _rule(index: int, tools: tuple[Tool, ...], services: int, chance: Random) -> Rule:
    if index % 2:
        service = f"s{chance.randrange(services)}_"
        names = tuple(tool.name for tool in tools if tool.name.startswith(service))
        written: tuple[str, ...] = (f"{service}*",)
    else:
        chosen = chance.sample(range(len(tools)), min(PER_SERVICE, len(tools)))
        names = written = tuple(tools[number].name for number in sorted(chosen))
    number = 1000 + index
    atoms: tuple[tuple[Atom, ...], ...] = (
        (Over(number),),
        (NameBegins(f"x{number:05}"),),
        (PathHolds(f"/etc/{number:05}"),),
        (Over(number), Lacks("finance")),
        (NameIs(f"n{number:05}"),),
    )
    effect = Effect.DENY if index // 2 % 2 else Effect.ASK
    return Rule(f"r{index}", effect, names, written, atoms[index % len(atoms)])


def make_calls(policy: Policy, count: int, oracle: Oracle, seed: int = 11) -> tuple[Question, ...]:
    """Calls with their right answers, of which about 58 % are allowed, 27 % denied and 15 % asked about."""
    chance = Random(seed)  # noqa: S311 - the same workload each time
    everybody = people()
    return tuple(_question(policy, _wanted(chance), oracle, everybody, chance) for _ in range(count))


def _wanted(chance: Random) -> Effect:
    number = chance.random()
    return Effect.ALLOW if number < ALLOWED else Effect.DENY if number < ALLOWED + DENIED else Effect.ASK


def _question(
    policy: Policy, wanted: Effect, oracle: Oracle, everybody: tuple[Person, ...], chance: Random
) -> Question:
    """A call that the oracle answers so; half of those that are not allowed are caught by a rule."""
    while True:
        by_rule = wanted is not Effect.ALLOW and chance.random() < 0.5
        arguments: dict[str, Any] = {
            "amount": chance.choice((5, 50, 100, 200, 400, 600, 800, 890, 999)),
            "name": chance.choice(("a", "b", "c", "d", "x9", "n9", "order", "travel")),
        }
        if chance.random() < 0.2:
            arguments["path"] = chance.choice(("/tmp/a", "/home/ann/x", "/etc/hosts"))
        name = chance.choice(policy.tools).name
        if by_rule:
            rule = chance.choice(policy.rules)
            name = chance.choice(rule.tools)
            for atom in rule.atoms:
                arguments.update(_satisfying(atom))
        call = Call(name, arguments, chance.choice(everybody))
        if oracle(policy, call) is wanted:
            return call, wanted


def _satisfying(atom: Atom) -> dict[str, Any]:
    match atom:
        case Over(number):
            return {"amount": number + 1}
        case NameBegins(text):
            return {"name": f"{text}-more"}
        case NameIs(text):
            return {"name": text}
        case PathHolds(text):
            return {"path": f"/srv{text}/x"}
    return {}


def with_body(questions: tuple[Question, ...], size: int) -> tuple[Question, ...]:
    """The calls with one more argument of a size, which no rule reads."""
    if not size:
        return questions
    body = ("The quick brown fox jumps over the lazy dog. " * (size // 45 + 1))[:size]
    return tuple(
        (replace(call, arguments={**call.arguments, "body": body}), right) for call, right in questions
    )


def candidates(policy: Policy) -> float:
    """How many rules are about a tool, on average."""
    return sum(map(len, policy.by_tool.values())) / len(policy.tools)


def shapes() -> Iterator[tuple[int, int]]:
    """The numbers of tools and rules that are measured."""
    for tools in (30, 300, 3000):
        for rules in (10, 100, 1000):
            yield tools, rules
