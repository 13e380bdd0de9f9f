"""Reads a pack's YAML into patterns, or tells everything that is wrong with it and where."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gateway.decision import Effect
from gateway.diagnostic import Diagnostic, Source, Span
from gateway.inspect.kind import PINNED, Kind
from gateway.inspect.pattern import Example, Pattern, PatternSeverity
from gateway.patterns.conditions import condition
from gateway.patterns.nodes import Wrong, is_a, items, mapping, member, string

if TYPE_CHECKING:
    from yaml import Node

_ID = re.compile(r"[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*")
_KEYS = ("id", "title", "severity", "effect", "match", "unless", "reason", "alternative", "examples")
_REQUIRED = tuple(key for key in _KEYS if key != "unless")
_EXAMPLES: Mapping[str, tuple[Any, ...]] = {
    **{kind.value: (kind, False) for kind in Kind if kind is not Kind.PATH},
    "read": (Kind.PATH, False),
    "write": (Kind.PATH, True),
    "pinned": (Kind.URL, False, PINNED),
}
_EFFECTS = {"deny": Effect.DENY, "ask": Effect.ASK}


def read_pack(text: str, pack: str) -> tuple[list[Pattern], list[Diagnostic]]:
    """The patterns of a pack's text, and what is wrong with the rest."""
    import yaml

    source = Source(f"{pack}.yaml", text)
    patterns: list[Pattern] = []
    wrong: list[Diagnostic] = []
    try:
        root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        at = error.problem_mark.index if error.problem_mark is not None else 0
        return [], [
            Diagnostic("yaml-syntax", error.problem or "the file is not YAML", Span(source, at, at + 1))
        ]
    if root is None or not is_a(root, "sequence"):
        return [], [Diagnostic("pattern-shape", "a pack is a list of patterns", Span(source, 0, 1))]
    for node in root.value:
        try:
            patterns.append(_pattern(node, pack))
        except Wrong as error:
            span = Span(source, error.node.start_mark.index, error.node.end_mark.index)
            wrong.append(Diagnostic(error.code, error.message, span, error.advice))
    return patterns, wrong


def _pattern(node: Node, pack: str) -> Pattern:
    fields = mapping(node, _KEYS, "a pattern")
    for key in _REQUIRED:
        if key not in fields:
            raise Wrong(node, "pattern-shape", f"the pattern has no `{key}`")
    name = string(fields["id"])
    if not _ID.fullmatch(name):
        raise Wrong(
            fields["id"],
            "pattern-id",
            f"`{name}` is no pattern id",
            "write words with dots: `git.push.force`",
        )
    examples = mapping(fields["examples"], ("match", "no_match"), "`examples`")
    texts = {key: _examples(examples[key]) if key in examples else () for key in ("match", "no_match")}
    for key, given in texts.items():
        if not given:
            raise Wrong(
                fields["examples"], "pattern-examples", f"the pattern `{name}` has no `{key}` examples"
            )
    effect = string(fields["effect"])
    if effect not in _EFFECTS:
        raise Wrong(
            fields["effect"],
            "pattern-effect",
            f"`{effect}` is no effect of a pattern",
            "write `deny` or `ask`",
        )
    return Pattern(
        id=name,
        pack=pack,
        title=string(fields["title"]),
        severity=member(PatternSeverity, fields["severity"]),
        effect=_EFFECTS[effect],
        match=condition(fields["match"]),
        unless=condition(fields["unless"]) if "unless" in fields else None,
        reason=string(fields["reason"]),
        alternative=string(fields["alternative"]),
        matches=texts["match"],
        misses=texts["no_match"],
    )


def _examples(node: Node) -> tuple[Example, ...]:
    """Examples: a text is a shell command, `{write: PATH}` or `{sql: TEXT}` anything else that is inspected."""
    return tuple(_example(item) for item in items(node))


def _example(node: Node) -> Example:
    if not is_a(node, "mapping"):
        return Example(string(node))
    fields = mapping(node, tuple(_EXAMPLES), "an example")
    if len(fields) != 1:
        raise Wrong(node, "pattern-examples", "an example has one key, such as `write`")
    ((kind, text),) = fields.items()
    return Example(string(text), *_EXAMPLES[kind])
