"""Patterns are found by clues: all that may match, and no more are made than are asked for."""

from __future__ import annotations

from gateway.inspect.classes import Classes
from gateway.inspect.clued import Clued, clued, clued_when_asked, places
from gateway.inspect.clues import clues, shown
from gateway.inspect.kind import Kind
from gateway.inspect.match.trial import Trial
from gateway.inspect.match.view import View
from gateway.inspect.pattern import Pattern, branches, kinds_of
from gateway.patterns import PACKS, load_packs
from tests.inspect.places import EXAMPLES, INSPECTOR, inspected
from tests.lists import read_list

PATTERNS = load_packs(PACKS)
NEEDED = [[clues(branch) for branch in branches(pattern.match)] for pattern in PATTERNS]
CLUES = sorted({clue for pattern in NEEDED for needed in pattern for clue in needed or ()})


def found(known: Clued, shown_ones: list[str]) -> list[tuple[Pattern, list[int]]]:
    """The patterns that clues lead to, with the branches."""
    return [(trial.pattern, among) for trial, among in known.of(shown_ones)]


def test_a_clue_leads_to_each_branch_that_needs_it_and_to_those_that_need_none() -> None:
    known = clued(PATTERNS)
    for clue in (*CLUES, "program nothing-of-the-kind"):
        wanted = [
            (pattern, led)
            for pattern, each in zip(PATTERNS, NEEDED, strict=True)
            if (led := [at for at, needed in enumerate(each) if needed is None or clue in needed])
        ]
        assert found(known, [clue]) == wanted


def test_several_clues_lead_to_each_branch_once() -> None:
    wanted = [(pattern, list(range(len(each)))) for pattern, each in zip(PATTERNS, NEEDED, strict=True)]
    assert found(clued(PATTERNS), CLUES) == wanted


def test_those_for_paths_are_the_ones_that_say_so() -> None:
    led = [pattern for pattern, _ in found(clued(PATTERNS).of_paths, CLUES)]
    assert led == [p for p in PATTERNS if Kind.PATH in kinds_of(p.match)]
    assert 0 < len(led) < len(PATTERNS)


def test_only_what_a_clue_leads_to_is_made_and_only_once() -> None:
    made: list[int] = []
    known = clued_when_asked(places(PATTERNS), lambda place: made.append(place) or PATTERNS[place])  # type: ignore[func-returns-value]
    assert made == []
    led = [pattern for pattern, _ in found(known, ["program dropdb"])]
    assert [PATTERNS[place] for place in made] == led
    assert 0 < len(made) < len(PATTERNS) / 4
    known.of(["program dropdb"])
    assert len(made) == len(led)


STOPPED = [text for texts in read_list("inspect/must_stop.yaml").values() for text in texts]
TOLD = [example for pattern in PATTERNS for example in pattern.matches]


def test_no_branch_holds_that_clues_do_not_lead_to() -> None:
    known, classes = clued(PATTERNS), Classes(EXAMPLES)
    trials = [Trial(pattern) for pattern in PATTERNS]
    inspections = [INSPECTOR.shell(text, EXAMPLES) for text in STOPPED[::20]]
    inspections += [inspected(example) for example in TOLD[::3]]
    for inspection in inspections:
        for at, command in enumerate(inspection.commands):
            likely = {
                (trial.pattern.id, branch)
                for trial, among in known.of(shown(command, classes))
                for branch in among
            }
            view = View(command, inspection.commands, at, classes, {})
            held = {
                (trial.pattern.id, branch)
                for trial in trials
                for branch in range(len(trial.branches))
                if trial.held(view, [branch]) is not None
            }
            assert held <= likely, (command.program, [word.value for word in command.words])
