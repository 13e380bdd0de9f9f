"""The benchmark asks what it says, believes only right answers, and counts as met what is met."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.benchmarks import engine as command
from tests.benchmarks.engines import ENGINES, IF_CHAIN, OURS, Ready
from tests.benchmarks.measure import Built, Run, Times, WrongAnswer, build, clock_overhead, measure
from tests.benchmarks.oracle import right_answer
from tests.benchmarks.report import BASE, Place, growths, lines_of, markdown, replaced, targets
from tests.benchmarks.workload import Effect, candidates, make_calls, make_policy, shapes, with_body

POLICY = make_policy(30, 40)
QUESTIONS = make_calls(POLICY, 300, right_answer)


def run(*words: str) -> Result:
    return CliRunner().invoke(command.main, [*words])


# --- the workload ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tools", "rules"), [shape for shape in shapes() if shape[0] < 3000])
def test_the_calls_are_mixed_as_it_is_said(tools: int, rules: int) -> None:
    policy = make_policy(tools, rules)
    assert (len(policy.tools), len(policy.rules)) == (tools, rules)
    count = Counter(right for _, right in make_calls(policy, 400, right_answer))
    assert 0.5 < count[Effect.ALLOW] / 400 < 0.66
    assert 0.2 < count[Effect.DENY] / 400 < 0.34
    assert 0.1 < count[Effect.ASK] / 400 < 0.2


def test_a_thousand_rules_are_160_for_each_of_thirty_tools() -> None:
    assert 150 < candidates(make_policy(30, 1000)) < 175


def test_rules_of_every_kind_catch_calls_of_every_answer() -> None:
    caught = {
        (type(rule.atoms[0]), rule.effect)
        for call, right in QUESTIONS
        for rule in POLICY.by_tool[call.tool]
        if right is rule.effect
    }
    assert len(caught) >= 8


def test_a_body_is_of_its_size_and_changes_no_answer() -> None:
    for call, right in with_body(QUESTIONS[:20], 1000):
        assert len(call.arguments["body"]) == 1000
        assert right_answer(POLICY, call) is right


# --- the engines -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ENGINES)
def test_each_engine_that_is_there_answers_as_the_oracle(name: str) -> None:
    try:
        (built,) = build([name], POLICY)
    except ImportError:
        pytest.skip(f"{name} is not installed")
    questions = (*QUESTIONS, *with_body(QUESTIONS[:20], 1000))
    for call, right in questions if name != "cel-python" else questions[::10]:
        assert built.ready.effect(built.ready.ask(*built.ready.prepare(call))) is right, call


def test_an_engine_that_answers_otherwise_is_not_timed() -> None:
    generous = Ready(lambda: Effect.ALLOW, lambda call: (), lambda effect: effect)
    with pytest.raises(WrongAnswer, match=r"generous: Call\(.*: allow, not (ask|deny)"):
        measure([Run("generous", Built("generous", generous, 0.0), QUESTIONS)], 0.1)


def test_what_is_timed_has_a_median_for_each_answer() -> None:
    (built,) = build([IF_CHAIN], POLICY)
    times = measure([Run("chain", built, QUESTIONS)], 0.1)["chain"]
    assert times.calls == len(QUESTIONS)
    assert 0 < times.p50 <= times.p99
    assert set(times.by_effect) == set(Effect)
    assert times.per_second > 1000
    assert clock_overhead() > 0


# --- what is said ----------------------------------------------------------------------------------------------------


def times(p50: float) -> Times:
    return Times(p50, p50 * 2, 1e6 / p50, {Effect.ALLOW: p50}, 100, 0.5)


def test_targets_are_met_missed_or_not_measured() -> None:
    results = {BASE: {OURS: times(2.0), IF_CHAIN: times(0.36)}}
    ours = {BASE: times(2.0), Place(30, 1000): times(4.1), Place(30, 10, 10**6): times(4.0)}
    found = list(targets(results, ours))
    assert [target.missed for target in found] == [False, True, False, False, False, False]
    assert str(found[0]) == "p50 at 30 tools, 10 rules, times the if chain: 5.56, target 5.6: met"
    assert str(found[1]) == "growth of p50 to 30 tools, 1000 rules: 2.05, target 2: missed"
    assert str(found[2]).endswith("3000 tools, 10 rules: not measured")


def test_growth_is_said_of_every_engine() -> None:
    results = {BASE: {OURS: times(2.0), IF_CHAIN: times(0.5)}, Place(30, 100): {OURS: times(3.0)}}
    assert list(growths(results)) == [f"  {OURS}: 30/100 1.5", f"  {IF_CHAIN}: "]


def test_a_line_for_each_engine() -> None:
    head, titles, ours, chain = lines_of(BASE, {OURS: times(2.0), IF_CHAIN: times(0.5)})
    assert head == "30 tools, 10 rules:"
    assert titles.split()[:2] == ["p50", "us"]
    assert ours.split() == [OURS, "2.00", "4.00", "500,000", "4.0", "2.00", "-", "-", "100", "0.50"]
    assert chain.split()[:3] == ["if", "chain", "0.50"]


def test_a_table_says_where_and_when_it_was_measured() -> None:
    results = {BASE: {OURS: times(2.0)}, Place(30, 10, 10**6): {OURS: times(123.4)}}
    table = list(markdown(results, ["cedarpy is not installed"], {OURS: " 1.0"}))
    assert table[0] == "| p50, us | 30/10 | 1 MB | decisions/s |"
    assert table[2] == f"| {OURS} 1.0 | 2.00 | 123 | 500,000 |"
    assert re.search(r"in-process on 20\d\d-\d\d-\d\d: Python 3\.", table[-2])
    assert table[-1] == "Not measured: cedarpy is not installed."


def test_a_table_takes_its_place_in_a_page() -> None:
    page = "a\n<!-- benchmark -->\nold\n<!-- end of benchmark -->\nb\n"
    assert replaced(page, ["x", "y"]) == page.replace("old", "x\ny")
    with pytest.raises(ValueError, match="there is no"):
        replaced("a\n<!-- benchmark -->\n", ["x"])


def test_the_command_measures_what_is_chosen_and_fails_where_a_target_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- benchmark -->\n<!-- end of benchmark -->\n")
    words = ("--size", "30/10", "--bytes", "1000", "--calls", "60", "--into", str(page), "--markdown")
    engines = ("--engine", OURS, "--engine", IF_CHAIN)
    monkeypatch.setattr("tests.benchmarks.report.MOST_TIMES_THE_CHAIN", 1e9)
    result = run(*words, *engines)
    assert result.exit_code == 0, result.output
    for said in ("30 tools, 10 rules, 1 KB that no rule reads:", "answers: allow", "growth of p50", ": met"):
        assert said in result.output
    assert page.read_text().count(f"| {OURS} |") == 1
    assert "cedarpy" not in result.output
    monkeypatch.setattr("tests.benchmarks.report.MOST_TIMES_THE_CHAIN", 0.0)
    result = run(*words, *engines)
    assert result.exit_code == 1
    assert ", target 0: missed" in result.output


def test_an_engine_that_is_missing_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_installed", lambda name: name == IF_CHAIN)
    result = run("--size", "30/10", "--calls", "60", "--engine", IF_CHAIN, "--engine", "cedarpy")
    assert "not measured: cedarpy is not installed" in result.output


def test_a_size_is_written_as_two_numbers() -> None:
    for wrong in ("30", "30/", "a/b", "0/10"):
        result = run("--size", wrong)
        assert result.exit_code == 2
        assert "such as 30/10" in result.output
