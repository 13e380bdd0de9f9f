"""Packs that are wrong: each mistake is told at the characters that make it."""

from __future__ import annotations

import pytest

from gateway.decision import Effect
from gateway.inspect.pattern import AllOf, Example, Flags, Program
from gateway.patterns.reader import read_pack

GOOD = """\
- id: a.b
  title: A
  severity: high
  effect: ask
  match: {program: [x], flags: {any: [force]}}
  reason: "because"
  alternative: "do `y`"
  examples: {match: [x -f], no_match: [y]}
"""


def test_a_pattern() -> None:
    (pattern,), wrong = read_pack(GOOD, "mine")
    assert wrong == []
    assert (pattern.id, pattern.pack, pattern.effect) == ("a.b", "mine", Effect.ASK)
    assert pattern.match == AllOf((Program(frozenset({"x"})), Flags(frozenset({"force"}), frozenset())))
    assert (pattern.matches, pattern.misses) == ((Example("x -f"),), (Example("y"),))


@pytest.mark.parametrize(
    ("before", "after", "code", "characters"),
    [
        ("examples: {match: [x -f], no_match: [y]}", "", "pattern-shape", None),
        ("no_match: [y]", "", "pattern-examples", "{match: [x -f], }"),
        ("match: [x -f]", "match: []", "pattern-examples", "{match: [], no_match: [y]}"),
        ("a.b", "A b", "pattern-id", "A b"),
        ("effect: ask", "effect: allow", "pattern-effect", "allow"),
        ("severity: high", "severity: hight", "pattern-word", "hight"),
        ("program: [x]", "programm: [x]", "pattern-key", "programm"),
        ("title: A", "titel: A", "pattern-key", "titel"),
        ("title: A", "title: 7", "pattern-shape", "7"),
        ("{program: [x], flags: {any: [force]}}", "{}", "pattern-shape", "{}"),
        ("flags: {any: [force]}", "operand: {class: [rot]}", "pattern-word", "rot"),
        ("title: A", "id: A", "pattern-key", "id"),
    ],
)
def test_mistakes(before: str, after: str, code: str, characters: str | None) -> None:
    patterns, (diagnostic,) = read_pack(GOOD.replace(before, after, 1), "mine")
    assert patterns == []
    assert diagnostic.code == code
    assert diagnostic.span is not None
    assert characters is None or diagnostic.span.text == characters


@pytest.mark.parametrize("text", ["", "a: b", "just text", "- [", "- 1"])
def test_what_is_no_pack(text: str) -> None:
    patterns, wrong = read_pack(text, "mine")
    assert patterns == []
    assert len(wrong) == 1


def test_all_mistakes_are_told_at_once() -> None:
    patterns, wrong = read_pack(GOOD + GOOD.replace("a.b", "A!") + GOOD.replace("ask", "maybe"), "mine")
    assert len(patterns) == 1
    assert [d.code for d in wrong] == ["pattern-id", "pattern-effect"]
