"""Times engines in turn over the same calls, after each of their answers was found right."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter_ns, thread_time, thread_time_ns
from typing import Any

from tests.benchmarks.engines import IF_CHAIN, OURS, Ready, engine
from tests.benchmarks.workload import Effect, Policy, Question

PASSES = 3
"""How often each call is timed; its shortest time counts."""
_LEAST = 40
_FIRST = 15


class WrongAnswer(Exception):
    """An engine that answers otherwise than the oracle; its times mean nothing."""


@dataclass(frozen=True, slots=True)
class Built:
    """An engine with a policy, and the seconds that it took to make it."""

    name: str
    ready: Ready
    seconds: float


@dataclass(frozen=True, slots=True)
class Times:
    """How long an engine took, in microseconds for one decision; `by_effect` are medians, too."""

    p50: float
    p99: float
    per_second: float
    by_effect: Mapping[Effect, float]
    calls: int
    load: float


def build(names: Iterable[str], policy: Policy) -> list[Built]:
    """The engines with a policy."""
    built = []
    for name in names:
        began = thread_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what other engines say of their own dependencies
            ready = engine(name).ready(policy)
        built.append(Built(name, ready, thread_time() - began))
    return built


@dataclass(frozen=True, slots=True)
class Run:
    """An engine and the questions that it is timed with, under a name."""

    name: str
    engine: Built
    questions: Sequence[Question]


def measure(runs: Sequence[Run], seconds: float) -> dict[str, Times]:
    """Time the runs in turn, each over as many of its calls as the engine decides in about so many seconds."""
    overhead = clock_overhead()
    asks = {run.name: run.engine.ready.ask for run in runs}
    work = {run.name: _work(run, seconds) for run in runs}
    best = {name: [10**12] * len(prepared) for name, prepared in work.items()}
    spent = dict.fromkeys(work, 10**15)
    for _ in range(PASSES):
        for name, ask in asks.items():
            _time(ask, work[name], best[name])
            spent[name] = min(spent[name], _run(ask, work[name]))
    return {
        run.name: _times(
            [max(t - overhead, 1) for t in best[run.name]],
            spent[run.name],
            [right for _, right in run.questions],
            run.engine.seconds,
        )
        for run in runs
    }


def clock_overhead() -> int:
    """The nanoseconds that reading the clock twice takes, which are no part of a decision."""
    return int(median(-perf_counter_ns() + perf_counter_ns() for _ in range(10_000)))


def _work(run: Run, seconds: float) -> list[tuple[Any, ...]]:
    """The prepared calls that an engine is timed with, each answered rightly."""
    one, questions = run.engine, run.questions
    first = _checked(one, questions[:_FIRST])
    began = perf_counter_ns()
    for each in first:
        one.ready.ask(*each)
    single = (perf_counter_ns() - began) / 1e9 / len(first)
    # Each call is asked once to be checked, and twice in each pass.
    fitting = int(seconds / single / (2 * PASSES + 1))
    every = one.name in (OURS, IF_CHAIN)
    return _checked(one, questions if every else questions[: max(_LEAST, fitting)])


def _checked(one: Built, questions: Sequence[Question]) -> list[tuple[Any, ...]]:
    """The calls as the engine takes them, after it answered them; `WrongAnswer` if it answers one otherwise."""
    prepared = []
    for call, right in questions:
        prepared.append(one.ready.prepare(call))
        answer = one.ready.effect(one.ready.ask(*prepared[-1]))
        if answer is not right:
            raise WrongAnswer(f"{one.name}: {call}: {answer.value}, not {right.value}")
    return prepared


def _time(ask: Callable[..., Any], work: Sequence[tuple[Any, ...]], best: list[int]) -> None:
    for number, each in enumerate(work):
        began = perf_counter_ns()
        ask(*each)
        taken = perf_counter_ns() - began
        if taken < best[number]:
            best[number] = taken


def _run(ask: Callable[..., Any], work: Sequence[tuple[Any, ...]]) -> int:
    """The processor time of all calls without a look at the clock between them."""
    began = thread_time_ns()
    for each in work:
        ask(*each)
    return thread_time_ns() - began


def _times(best: list[int], spent: int, effects: Sequence[Effect], load: float) -> Times:
    by_effect = {
        effect: median(of_it) / 1000
        for effect in Effect
        if (of_it := [t for t, found in zip(best, effects, strict=False) if found is effect])
    }
    ordered = sorted(best)
    return Times(
        p50=median(ordered) / 1000,
        p99=ordered[len(ordered) * 99 // 100] / 1000,
        per_second=len(best) / (max(spent, 1) / 1e9),
        by_effect=by_effect,
        calls=len(best),
        load=load,
    )
