"""Reads a pack's YAML into patterns, or tells everything that is wrong with it and where."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from gateway.decision import Effect
from gateway.diagnostic import Diagnostic, Source, Span, suggest
from gateway.inspect.pattern import (
    AllOf,
    AnyOf,
    Condition,
    Flags,
    Not,
    Operand,
    Pattern,
    PatternSeverity,
    Program,
    Sql,
    Subcommand,
    Wildness,
)
from gateway.inspect.place import PathClass
from gateway.inspect.sql import SqlKind

if TYPE_CHECKING:
    from yaml import Node

_ID = re.compile(r"[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*")
_KEYS = ("id", "title", "severity", "effect", "match", "unless", "reason", "alternative", "examples")
_REQUIRED = tuple(key for key in _KEYS if key != "unless")
_EFFECTS = {"deny": Effect.DENY, "ask": Effect.ASK}
E_ = TypeVar("E_", bound=Enum)


class _Wrong(Exception):
    """One thing that is wrong, at a node."""

    def __init__(self, node: Node, code: str, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.node, self.code, self.message, self.advice = node, code, message, advice


def read_pack(text: str, pack: str) -> tuple[list[Pattern], list[Diagnostic]]:
    """The patterns of a pack's text, and what is wrong with the rest."""
    import yaml

    source = Source(f"{pack}.yaml", text)
    patterns: list[Pattern] = []
    wrong: list[Diagnostic] = []
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        at = error.problem_mark.index if error.problem_mark is not None else 0
        return [], [
            Diagnostic("yaml-syntax", error.problem or "the file is not YAML", Span(source, at, at + 1))
        ]
    if root is None or not _is(root, "sequence"):
        return [], [Diagnostic("pattern-shape", "a pack is a list of patterns", Span(source, 0, 1))]
    for node in root.value:
        try:
            patterns.append(_pattern(node, pack))
        except _Wrong as error:
            span = Span(source, error.node.start_mark.index, error.node.end_mark.index)
            wrong.append(Diagnostic(error.code, error.message, span, error.advice))
    return patterns, wrong


def _pattern(node: Node, pack: str) -> Pattern:
    fields = _mapping(node, _KEYS, "a pattern")
    for key in _REQUIRED:
        if key not in fields:
            raise _Wrong(node, "pattern-shape", f"the pattern has no `{key}`")
    name = _string(fields["id"])
    if not _ID.fullmatch(name):
        raise _Wrong(
            fields["id"],
            "pattern-id",
            f"`{name}` is no pattern id",
            "write words with dots: `git.push.force`",
        )
    examples = _mapping(fields["examples"], ("match", "no_match"), "`examples`")
    texts = {key: tuple(_strings(examples[key])) if key in examples else () for key in ("match", "no_match")}
    for key, given in texts.items():
        if not given:
            raise _Wrong(
                fields["examples"], "pattern-examples", f"the pattern `{name}` has no `{key}` examples"
            )
    effect = _string(fields["effect"])
    if effect not in _EFFECTS:
        raise _Wrong(
            fields["effect"],
            "pattern-effect",
            f"`{effect}` is no effect of a pattern",
            "write `deny` or `ask`",
        )
    return Pattern(
        id=name,
        pack=pack,
        title=_string(fields["title"]),
        severity=_member(PatternSeverity, fields["severity"]),
        effect=_EFFECTS[effect],
        match=_condition(fields["match"]),
        unless=_condition(fields["unless"]) if "unless" in fields else None,
        reason=_string(fields["reason"]),
        alternative=_string(fields["alternative"]),
        matches=texts["match"],
        misses=texts["no_match"],
    )


def _condition(node: Node) -> Condition:
    fields = _mapping(node, tuple(_CONDITIONS), "a condition")
    if not fields:
        raise _Wrong(node, "pattern-shape", "the condition is empty, so it would always hold")
    parts = tuple(_CONDITIONS[key](value) for key, value in fields.items())
    return parts[0] if len(parts) == 1 else AllOf(parts)


def _flags(node: Node) -> Condition:
    fields = _mapping(node, ("any", "all"), "`flags`")
    return Flags(
        *(frozenset(_strings(fields[key])) if key in fields else frozenset() for key in ("any", "all"))
    )


def _operand(node: Node) -> Condition:
    fields = _mapping(node, ("class", "prefix", "value", "names"), "`operand`")
    return Operand(
        classes=frozenset(_member(PathClass, n) for n in _items(fields["class"]))
        if "class" in fields
        else frozenset(),
        prefixes=tuple(_strings(fields["prefix"])) if "prefix" in fields else (),
        values=frozenset(_strings(fields["value"])) if "value" in fields else frozenset(),
        names=_member(Wildness, fields["names"]) if "names" in fields else None,
    )


def _parts(node: Node) -> tuple[Condition, ...]:
    return tuple(_condition(part) for part in _items(node))


_CONDITIONS: dict[str, Callable[[Any], Condition]] = {
    "program": lambda node: Program(frozenset(_strings(node))),
    "subcommand": lambda node: Subcommand(frozenset(_strings(node))),
    "flags": _flags,
    "operand": _operand,
    "sql": lambda node: Sql(frozenset(_member(SqlKind, n) for n in _items(node))),
    "all": lambda node: AllOf(_parts(node)),
    "any": lambda node: AnyOf(_parts(node)),
    "not": lambda node: Not(_condition(node)),
}


def _mapping(node: Node, known: tuple[str, ...], what: str) -> dict[str, Any]:
    if not _is(node, "mapping"):
        raise _Wrong(node, "pattern-shape", f"{what} is a mapping")
    fields: dict[str, Any] = {}
    for key, value in node.value:
        name = _string(key)
        if name not in known:
            near = suggest(name, known)
            advice = (
                f"did you mean `{near[0]}`?" if near else "known are " + ", ".join(f"`{k}`" for k in known)
            )
            raise _Wrong(key, "pattern-key", f"{what} has no key `{name}`", advice)
        if name in fields:
            raise _Wrong(key, "pattern-key", f"the key `{name}` stands twice")
        fields[name] = value
    return fields


def _is(node: Any, shape: str) -> bool:
    """Whether a node has a shape; the classes of nodes differ in nothing else."""
    return bool(node.id == shape)


def _items(node: Node) -> list[Any]:
    """The items of a list; one value stands for a list of one."""
    return list(node.value) if _is(node, "sequence") else [node]


def _strings(node: Node) -> list[str]:
    return [_string(item) for item in _items(node)]


def _string(node: Node) -> str:
    if not _is(node, "scalar") or node.tag != "tag:yaml.org,2002:str":
        raise _Wrong(node, "pattern-shape", "a text is expected here", "quote it")
    return str(node.value)


def _member(kind: type[E_], node: Node) -> E_:
    name = _string(node)
    for member in kind:
        if member.value == name:
            return member
    known = ", ".join(f"`{member.value}`" for member in kind)
    raise _Wrong(node, "pattern-word", f"`{name}` is not known here", f"known are {known}")
