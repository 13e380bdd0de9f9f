"""The variables that a condition may read, typed from what the policy declares and from a tool's schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gateway.cel import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    Environment,
    Field,
    ListType,
    MapType,
    ObjectType,
    Type,
)
from gateway.cel.domain import Domain, Form, either, of_literal, texts
from gateway.ranges import Range
from gateway.risk import RiskLevel
from gateway.schema import ROLES
from gateway.session import Channel, SubjectKind
from gateway.steps.conforming import Conforms

if TYPE_CHECKING:
    from gateway.policy import Policy, TypeText

_SIMPLE: Mapping[str, Type] = {
    "string": STRING,
    "bool": BOOL,
    "int": INT,
    "double": DOUBLE,
    "bytes": BYTES,
    "timestamp": TIMESTAMP,
    "duration": DURATION,
    "dyn": DYN,
}
_TEXTS = ListType(STRING)
_ANYTHING = MapType(STRING, DYN)


_CHOICES: Mapping[str, tuple[str, ...]] = {
    "risk": tuple(level.value for level in RiskLevel),
    "max_risk": tuple(level.value for level in RiskLevel),
    "channel": tuple(channel.value for channel in Channel),
    "kind": tuple(kind.value for kind in SubjectKind),
    "modes": ("off", "auto", "on"),
}
"""The only texts that a field with this name is, or that its values are, wherever it stands."""


def _object(name: str, required: Mapping[str, Type], **optional: Type) -> ObjectType:
    def field(key: str, type_: Type, optional: bool) -> Field:
        domain = texts(_CHOICES[key]) if key in _CHOICES else None
        if domain is not None and isinstance(type_, MapType):
            domain = Domain({"map": Form(type_, element=domain)})
        return Field(type_, optional, domain)

    fields = {key: field(key, type_, False) for key, type_ in required.items()}
    fields.update({key: field(key, type_, True) for key, type_ in optional.items()})
    return ObjectType(name, fields)


_TOOL = _object(
    "tool",
    {
        "name": STRING,
        "title": STRING,
        "group": STRING,
        "description": STRING,
        "source": STRING,
        "version": STRING,
        "action": STRING,
        "risk": STRING,
        "mode": STRING,
        "switch": STRING,
        "update": STRING,
        "enabled": BOOL,
        "permissions": _TEXTS,
        "requires": _TEXTS,
        "channels": _TEXTS,
        "config": _ANYTHING,
    },
)
_AGENT = _object("agent", {"name": STRING, "tools": _TEXTS}, max_steps=INT, max_risk=STRING)
_CALL = _object("call", {"id": STRING, "tool": STRING}, server=STRING, iteration=INT)


def declared_type(text: TypeText) -> Type:
    """The type that `settings.types` writes as a text."""
    if text.name == "list":
        return ListType(declared_type(text.parameters[0]))
    if text.name == "map":
        return MapType(declared_type(text.parameters[0]), declared_type(text.parameters[1]))
    return _SIMPLE[text.name]


def conforms(text: TypeText) -> Conforms:
    """Whether a host's value has the type that `settings.types` declares; what has not counts as absent."""
    return Conforms(text.name, conforms(text.parameters[-1]) if text.parameters else None)


def declared_checks(policy: Policy) -> dict[str, dict[str, Conforms]]:
    """For each part that hosts supply, the check of every field that `settings.types` declares."""
    return {
        str(part): {key: conforms(text) for key, text in fields.items()}
        for part, fields in policy.settings.types.items()
    }


def listing_environment(policy: Policy) -> Environment:
    """What is known before any argument is: tool, subject, session, agent, turn, lists and the time."""
    types: dict[str, Mapping[str, TypeText]] = {str(k): v for k, v in policy.settings.types.items()}

    def declared(name: str) -> ObjectType:
        fields = {key: Field(declared_type(text)) for key, text in types.get(name, {}).items()}
        return ObjectType(
            name, fields, missing=f"what the host supplies is declared in `settings.types.{name}`"
        )

    attributes = declared("subject.attributes") if "subject.attributes" in types else _ANYTHING
    return Environment(
        variables={
            "tool": _TOOL,
            "agent": _AGENT,
            "subject": _object(
                "subject",
                {
                    "id": STRING,
                    "tenant": STRING,
                    "kind": STRING,
                    "authenticated": BOOL,
                    "roles": _TEXTS,
                    "permissions": _TEXTS,
                    "attributes": attributes,
                },
            ),
            "session": _object(
                "session",
                {
                    "id": STRING,
                    "tenant": STRING,
                    "agent": STRING,
                    "channel": STRING,
                    "modes": MapType(STRING, STRING),
                    "capabilities": _TEXTS,
                    "facts": declared("session.facts"),
                    "can_ask": BOOL,
                    "dry_run": BOOL,
                    "roots": _TEXTS,
                },
                cwd=STRING,
                home=STRING,
            ),
            "turn": declared("turn"),
            "lists": ObjectType(
                "lists",
                {name: _constants(named.values) for name, named in policy.lists.items()},
            ),
            "now": TIMESTAMP,
        },
        elsewhere=_ELSEWHERE,
    )


_BEFORE_THE_CALL = "forced arguments are set before it: read `subject`, `session`, `turn`, `tool` or `now`"
_ELSEWHERE: Mapping[str, str] = {
    **dict.fromkeys(("args", "roles", "call", "inspect"), _BEFORE_THE_CALL),
    "result": "it is there after the call: only conditions under `results` can read it",
}
"""What a variable that is not there yet is waiting for."""


def _constants(values: tuple[Any, ...]) -> Field:
    type_ = ListType(_element(values))
    element = either(map(of_literal, values)) if values else None
    return Field(type_, domain=Domain({"list": Form(type_, Range(len(values), len(values)), element)}))


def _element(values: tuple[Any, ...]) -> Type:
    types = {bool: BOOL, int: INT, float: DOUBLE, str: STRING}
    kinds = {types[type(value)] for value in values}
    return kinds.pop() if len(kinds) == 1 else DYN


def any_call_environment(base: Environment) -> Environment:
    """The variables of a call of a tool that is not known: nothing can be said of its arguments."""
    return base.with_variables(
        args=DYN,
        roles=ObjectType("roles", {role: Field(ListType(DYN)) for role in ROLES}),
        call=_CALL,
        inspect=DYN,
    )


def call_environment(
    base: Environment,
    arguments: ObjectType,
    roles: Mapping[str, Field],
    inspected: Mapping[str, ObjectType | None],
) -> Environment:
    """The listing's variables and those of a call of one tool; of an argument without facts nothing is known."""
    known = {name: Field(DYN if facts is None else facts) for name, facts in inspected.items()}
    missing = "what is inspected is declared in the `inspect` of the tool"
    # Where a name in it is misspelt, that is told there, and not once more at each condition.
    misspelt = not known.keys() <= arguments.fields.keys()
    return base.with_variables(
        args=arguments,
        roles=ObjectType("roles", roles),
        call=_CALL,
        inspect=DYN if misspelt else ObjectType("inspect", known, missing=missing),
    )
