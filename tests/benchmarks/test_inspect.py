"""The benchmark of inspection times what it says, and misses what is missed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gateway.decision import Decision
from gateway.inspect.inspection import Inspection
from tests.benchmarks import inspect as benchmark

GROUPS = benchmark.workload()


def test_every_command_is_a_text_of_at_most_4_kb() -> None:
    texts = [text for group in GROUPS.values() for text in group]
    assert all(isinstance(text, str) and len(text.encode()) <= benchmark.LONGEST for text in texts)
    assert all(len(text) > benchmark.LONGEST - 100 for text in GROUPS[benchmark.LONG])
    assert len(set(texts)) == len(texts)


def test_only_what_is_dangerous_is_objected_to() -> None:
    work = benchmark.inspection()
    for name, texts in GROUPS.items():
        for text in texts:
            found = work(text)
            assert isinstance(found, Inspection)
            if name not in (benchmark.SQL, benchmark.LONG):
                assert bool(found.matches) is (name == "dangerous"), text


def test_a_decision_holds_what_inspection_finds() -> None:
    work = benchmark.decision()
    answers = [work("git status"), work("git push --force")]
    assert all(isinstance(answer, Decision) for answer in answers)
    assert [answer.proceeds for answer in answers if isinstance(answer, Decision)] == [True, False]


def test_the_parser_of_sql_is_seen_when_it_is_loaded() -> None:
    plain = [text for name, texts in GROUPS.items() if name != benchmark.SQL for text in texts]
    assert not benchmark.loads_sqlglot(plain)
    assert benchmark.loads_sqlglot(["psql -c 'DELETE FROM a WHERE lower(b) = lower(b)'"])


def test_the_labelled_commands_are_those_that_are_short_enough(tmp_path: Path) -> None:
    items = [
        {"kind": "shell", "text": "ls"},
        {"kind": "sql", "text": "SELECT 1"},
        {"kind": "shell", "text": "é" * benchmark.LONGEST},
    ]
    (tmp_path / "shell_x.jsonl").write_text(
        "".join(json.dumps(item) + "\n" for item in items), encoding="utf-8"
    )
    assert benchmark.labelled(tmp_path) == ["ls"]


def test_the_spread() -> None:
    times = [float(number) for number in range(200)]
    found = benchmark.spread(times, [str(number) for number in range(200)])
    assert (found.p50, found.p99, found.slowest) == (99.5, 198.0, "199")


@pytest.mark.parametrize(("most", "code"), [(10**6, 0), (0.0, 1)])
def test_the_last_line_says_whether_the_targets_are_met(
    most: float, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(benchmark, "P50_MS", most)
    monkeypatch.setattr(benchmark, "P99_MS", most)
    monkeypatch.setattr(benchmark, "PASSES", 1)
    monkeypatch.setattr(benchmark, "workload", lambda: {"short": ["ls", "git status"]})
    assert benchmark.main([]) == code
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("2 commands: shlex p50 ")
    assert lines[-1].endswith("missed" if code else "met")
    assert lines[-2] == "sqlglot was not loaded for the 2 commands without SQL"
