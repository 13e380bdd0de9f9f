"""Patterns are found by clues: all that may match, and no more are made than are asked for."""

from __future__ import annotations

from pathlib import Path

import yaml

from gateway.inspect.classes import Classes
from gateway.inspect.clued import clued, clued_when_asked, places
from gateway.inspect.kind import Kind
from gateway.inspect.match import Matcher
from gateway.inspect.pattern import clues, kinds_of
from gateway.patterns import PACKS, load_packs
from tests.inspect.places import EXAMPLES, INSPECTOR, inspected

PATTERNS = load_packs(PACKS)
CLUES = sorted({clue for pattern in PATTERNS for clue in clues(pattern.match) or ()})


def test_a_clue_leads_to_each_pattern_that_shows_it_and_to_those_that_need_none() -> None:
    known = clued(PATTERNS)
    for clue in (*CLUES, "program nothing-of-the-kind"):
        wanted = [p for p in PATTERNS if (shown := clues(p.match)) is None or clue in shown]
        assert known.of([clue]) == wanted


def test_several_clues_lead_to_each_pattern_once() -> None:
    found = clued(PATTERNS).of(CLUES)
    assert found == list(PATTERNS)


def test_those_for_paths_are_the_ones_that_say_so() -> None:
    found = clued(PATTERNS).of_paths.of(CLUES)
    assert found == [p for p in PATTERNS if Kind.PATH in kinds_of(p.match)]
    assert 0 < len(found) < len(PATTERNS)


def test_only_what_a_clue_leads_to_is_made_and_only_once() -> None:
    made: list[int] = []
    known = clued_when_asked(places(PATTERNS), lambda place: made.append(place) or PATTERNS[place])  # type: ignore[func-returns-value]
    assert made == []
    found = known.of(["program dropdb"])
    assert [PATTERNS[place] for place in made] == found
    assert 0 < len(made) < len(PATTERNS) / 4
    known.of(["program dropdb"])
    assert len(made) == len(found)


DATA = Path(__file__).parents[1] / "data" / "inspect"
STOPPED = [
    text for texts in yaml.safe_load((DATA / "must_stop.yaml").read_text("utf-8")).values() for text in texts
]
TOLD = [example for pattern in PATTERNS for example in pattern.matches]


def test_no_pattern_matches_that_clues_do_not_lead_to() -> None:
    known, classes = clued(PATTERNS), Classes(EXAMPLES)
    found = [INSPECTOR.shell(text, EXAMPLES) for text in STOPPED[::20]]
    found += [inspected(example) for example in TOLD[::3]]
    for inspection in found:
        for at, command in enumerate(inspection.commands):
            likely = {pattern.id for pattern in known.of(command.clues(classes))}
            matcher = Matcher(command, inspection.commands, at, classes, {})
            held = {pattern.id for pattern in PATTERNS if matcher.held(pattern) is not None}
            assert held <= likely, (command.program, [word.value for word in command.words])
