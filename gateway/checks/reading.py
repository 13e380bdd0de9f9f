"""The arguments of tools, and what rules read of them, as checks look at them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gateway.call import PREFIX
from gateway.checks.conditions import expressions, walk
from gateway.decision import Effect
from gateway.policy import Rule

if TYPE_CHECKING:
    from gateway.cel.syntax import Node
    from gateway.compile import Compiled
    from gateway.compile.declared import Declared
    from gateway.diagnostic import Span
    from gateway.plan import ToolPlan
    from gateway.policy import Policy

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")
_DEEPEST = 4
_ONE_OF = ("enum", "const", "pattern")
SECRET = frozenset(
    (
        *("password", "passwd", "pwd", "passphrase", "secret", "client secret", "secret key", "private key"),
        *("api key", "apikey", "access key", "access token", "auth token", "bearer token", "refresh token"),
        *(
            "api token",
            "token",
            "credential",
            "credentials",
            "cvv",
            "cvc",
            "otp",
            "new password",
            "old password",
        ),
    )
)
"""Names of what nobody may see, word by word."""
_DATES = frozenset(("date", "date-time", "time", "duration", "uuid"))


def words(name: str) -> tuple[str, ...]:
    """The words of a name in small letters, whether humps, `_` or anything else separates them."""
    return tuple(_WORD.findall(_HUMP.sub("_", name).lower()))


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a tool, or a field inside one; `path` leads to it, `keys` to its schema in `parameters`."""

    tool: Declared
    path: tuple[str | None, ...]
    keys: tuple[str | int, ...]
    schema: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Its own name, without those of what it lies in."""
        return next(step for step in reversed(self.path) if step is not None)

    @property
    def words(self) -> tuple[str, ...]:
        """The words of its name."""
        return words(self.name)

    @property
    def span(self) -> Span:
        """Where its name stands."""
        return self.tool.places["parameters"].key_span("parameters", *self.keys)

    @property
    def role(self) -> object:
        """Its `x-role`, if it has one."""
        inner = self.schema.get("items")
        return self.schema.get("x-role") or (inner.get("x-role") if isinstance(inner, Mapping) else None)

    @property
    def is_text(self) -> bool:
        """Whether it is a text, or a list of texts, that is none of a few."""
        return _is_text(self.schema)

    @property
    def description(self) -> str:
        """What the schema says of it."""
        text = self.schema.get("description")
        return text if isinstance(text, str) else ""


def _is_text(schema: object) -> bool:
    if not isinstance(schema, Mapping) or any(key in schema for key in _ONE_OF):
        return False
    kinds = schema.get("type")
    kinds = {kinds} if isinstance(kinds, str) else set(kinds or ())
    if "array" in kinds:
        return _is_text(schema.get("items"))
    return "string" in kinds and schema.get("format") not in _DATES


def own_tools(compiled: Compiled) -> Iterator[Declared]:
    """The tools that the policy declares itself."""
    return (tool for name, tool in compiled.declared.items() if not name.startswith(PREFIX))


def arguments(tool: Declared) -> Iterator[Argument]:
    """Each argument of a tool, also those inside objects and lists."""
    schema = tool.get("parameters")
    if schema is not None:
        yield from _below(tool, schema, (), ())


def _below(
    tool: Declared, schema: object, path: tuple[str | None, ...], keys: tuple[str | int, ...]
) -> Iterator[Argument]:
    if not isinstance(schema, Mapping) or len(path) > _DEEPEST:
        return
    for name, inner in schema.get("properties", {}).items():
        if isinstance(inner, Mapping):
            here = (*keys, "properties", name)
            yield Argument(tool, (*path, name), here, inner)
            yield from _below(tool, inner, (*path, name), here)
    if path and isinstance(schema.get("items"), Mapping):
        yield from _below(tool, schema["items"], (*path, None), (*keys, "items"))


def forced(plan: ToolPlan) -> frozenset[str]:
    """The arguments that the policy sets."""
    return frozenset(name for entry in plan.forced for name, _ in entry.values)


_NOTHING: frozenset[str] = frozenset()


class Reads:
    """Which arguments and roles the rules of a policy read, by their ids."""

    def __init__(self, policy: Policy) -> None:
        self._of_rule: dict[str, set[str]] = {}
        self._of_tool: dict[str, frozenset[str]] = {}
        for expression in expressions(policy):
            if isinstance(expression.part, Rule):
                held = self._of_rule.setdefault(expression.part.id, set())
                held.update(name for node in walk(expression.parsed) for name in _read(node))

    def of(self, plan: ToolPlan) -> frozenset[str]:
        """The arguments that rules which refuse or ask read: `name` for each, `roles.name` for a role."""
        read = self._of_tool.get(plan.name)
        if read is None:
            strict = (rule.id for rule in plan.rules if rule.effect is not Effect.ALLOW)
            read = frozenset[str]().union(*map(self.of_rule, strict))
            self._of_tool[plan.name] = read
        return read

    def of_rule(self, rule: str) -> Set[str]:
        """The same for one rule, whatever its effect."""
        return self._of_rule.get(rule, _NOTHING)


def _read(node: Node) -> Iterator[str]:
    from gateway.cel.syntax import Has, Ident, Index, Literal, Select

    match node:
        case Select(operand=Ident(name="args"), field=name) | Has(operand=Ident(name="args"), field=name):
            yield name
        case Index(operand=Ident(name="args"), index=Literal(value=str() as name)):
            yield name
        case (
            Select(operand=Ident(name="inspect"), field=name) | Has(operand=Ident(name="inspect"), field=name)
        ):
            yield name
        case Select(operand=Ident(name="roles"), field=name):
            yield f"roles.{name}"
