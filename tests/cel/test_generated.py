"""Generated Python tells the same as the closures, or leaves the answer to them."""

from __future__ import annotations

import ast
import re
import threading
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gateway.cel.generate
import gateway.cel.program
from gateway.cel import (
    BOOL,
    DYN,
    STRING,
    CelError,
    Environment,
    parse,
    plan,
)
from gateway.cel.functions import STANDARD, Library
from gateway.cel.functions.signature import Function, Overload, Style
from gateway.cel.generate import generate
from gateway.cel.program import PAYS_AFTER, Program
from gateway.diagnostic import Excerpt
from gateway.testing import load_cases
from tests.cel.both_ways import Counted, agreed, outcome, read, two_ways
from tests.cel.random_expressions import (
    ENVIRONMENTS,
    FUNCTIONS,
    Expressions,
    values,
)

ROOT = Path(__file__).parent.parent.parent
DATA = ROOT / "tests" / "data" / "cel"
MANY = 200_000
"""Expressions of the long run, which takes a quarter of an hour."""


def drawn(chance: Random) -> tuple[str, dict[str, str]]:
    """A random expression and its lets."""
    lets: dict[str, str] = {}
    if chance.random() < 0.2:
        for name in ("one", "two", "three")[: chance.choice((1, 2, 3))]:
            lets[name] = Expressions(chance, [*lets]).value(2)
    return Expressions(chance, [*lets]).condition(chance.choice((1, 2, 2, 3, 3, 4))), lets


def compare(chance: Random, times: int) -> None:
    """One random expression, on some random values, both ways."""
    text, lets = drawn(chance)
    parsed = read(text, lets)
    assert parsed is not None
    ways = two_ways(parsed, chance.choice(ENVIRONMENTS))
    if ways is None:
        return
    exact, generated = ways
    for _ in range(times):
        variables = values(chance)
        assert outcome(generated, variables) == outcome(exact.exact, variables), (text, lets, variables)


@given(st.randoms(use_true_random=False))
def test_it_tells_the_same(chance: Random) -> None:
    compare(chance, 3)


@pytest.mark.parametrize("seed", range(5))
def test_it_tells_the_same_of_many(seed: int) -> None:
    for number in range(100):
        compare(Random(seed * 1_000 + number), 4)  # noqa: S311


def test_most_expressions_are_generated_and_answer_by_themselves() -> None:
    total = generated = values_ = fast = 0
    for number in range(600):
        chance = Random(number)  # noqa: S311
        parsed = read(*drawn(chance))
        assert parsed is not None
        ways = two_ways(parsed, chance.choice(ENVIRONMENTS))
        total += 1
        if ways is None:
            continue
        generated += 1
        variables = values(chance)
        if outcome(ways[1], variables)[0] == "value":
            values_ += 1
            fast += ways[0].asked == 0
    assert generated > 0.95 * total
    assert fast > 0.7 * values_


@pytest.mark.parametrize("seed", range(4))
def test_every_function_is_tried_with_what_it_takes(seed: int) -> None:
    own = list(FUNCTIONS)
    generated = tried = answered = 0
    for function in own:
        for number in range(15):
            chance = Random(f"{function.name} {function.style} {seed} {number}")  # noqa: S311
            text = Expressions(chance).call_of(function, 1)
            parsed = read(text)
            assert parsed is not None, text
            ways = two_ways(parsed, chance.choice(ENVIRONMENTS))
            if ways is None:
                continue
            generated += 1
            variables = values(chance)
            wanted = outcome(ways[0].exact, variables)
            assert outcome(ways[1], variables) == wanted, (text, variables)
            tried += wanted[0] == "value"
            answered += wanted[0] == "value" and ways[0].asked == 0
    assert generated > 0.95 * 15 * len(own)
    assert tried > 2 * len(own)
    assert answered > 0.9 * tried


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_it_tells_the_same_of_very_many(seed: int) -> None:
    for number in range(MANY // 20):
        compare(Random(10**9 + seed * MANY + number), 3)  # noqa: S311


HOSTILE = (
    "'\"'", "'\\''", "'\\\\'", "'\\n'", "'\\r\\n'", "'{x}'", "'%s{0}'", "'\\u2028\\u0000'", "'é\\ud7ff😀'", "r'\\'", "'''a\n'b'''",
    "\"'; raise Doubt #\"", "b'\\x00\\xff'", "1e308", "-1e308", "5e-324", "-0.0", "9223372036854775807", "-9223372036854775808",
    "18446744073709551615u", "null", "'\\\\N{x}'", "'\"\"\"'",
)  # fmt: skip


@pytest.mark.parametrize("literal", HOSTILE)
def test_literals_come_out_as_they_were_written(literal: str) -> None:
    for text in (
        literal,
        f"x == {literal}",
        f"[{literal}].exists(v, v == x)",
        f"x in [{literal}, {literal}]",
        f"{{'k': {literal}}}",
    ):
        parsed = read(text)
        assert parsed is not None, text
        ways = two_ways(parsed, Environment())
        assert ways is not None
        value = plan(read(literal), Environment()).exact({})  # type: ignore[arg-type]
        for x in (value, 1, "a"):
            assert outcome(ways[1], {"x": x}) == outcome(ways[0].exact, {"x": x})


def test_names_of_a_policy_are_no_names_of_the_code() -> None:
    ours = {"variables", "exact", "Doubt", "CAUGHT", "unset", "left", "condition"}
    python = {"type", "len", "enumerate", "str", "int", "float", "bool", "dict", "list", "frozenset"}
    names = [*sorted(ours | python), "t1", "t2", "k1", "k2", "__import__", "exec"]
    text = " && ".join(
        f"{name}.{name}.exists({name}, {name}.{name} == 1) && has({name}.{name})" for name in names
    )
    parsed = read(text)
    assert parsed is not None
    for environment in (Environment(), Environment(variables=dict.fromkeys(names, DYN))):
        variables = {name: {name: [{name: 1}]} for name in names}
        generated = plan(parsed, environment).generate()
        assert generated is not None
        for node in ast.walk(ast.parse(generated.source)):
            assert not isinstance(node, ast.Import | ast.ImportFrom | ast.Lambda)
            if isinstance(node, ast.Name):
                assert node.id in ours | python or re.fullmatch(r"[tk]\d+", node.id)
            if isinstance(node, ast.Attribute):
                assert node.attr in {"append", "items", "present", "value", "startswith", "endswith"}
        if environment.variables:
            assert agreed(parsed, environment, variables) is True


def test_the_source_names_its_expression_in_a_comment_that_can_not_end() -> None:
    text = "x ==\n'a\\n'\r\n|| x == '\u2028import os\x0cimport sys\x85' // it's"
    source = plan(parse(Excerpt.whole(text)), Environment()).source
    comments = source[: source.index("def condition")]
    assert all(line.startswith("# ") for line in comments.splitlines())
    assert comments.splitlines()[0] == "# x =="
    ast.parse(source)
    unreadable = plan(parse(Excerpt.whole("1 +")), Environment())
    assert unreadable.source.splitlines() == ["# 1 +", "# evaluated by closures, without Python of its own"]


def test_functions_of_an_environment_are_not_taken_for_ours() -> None:
    run = Overload((STRING, STRING), BOOL, lambda text, part: "never")
    own = Function("startsWith", Style.MEMBER, (run,), "Own.", "true")
    others = [function for function in STANDARD if function.name != "startsWith"]
    environment = Environment(functions=Library(own, *others))
    for text in ("'a'.startsWith('a')", "'a'.startsWith('a') && true", "!'a'.startsWith('a') || true"):
        parsed = read(text)
        assert parsed is not None
        ways = two_ways(parsed, environment)
        assert ways is not None
        assert outcome(ways[1], {}) == outcome(ways[0].exact, {})


@pytest.mark.parametrize(
    "text",
    [
        " && ".join(f"x.a{number} == {number}" for number in range(200)),
        " || ".join(f"(x.a{number} == 1) == (x.b{number} == 2)" for number in range(150)),
        "(" + " || ".join(f"x.a{number} == 1" for number in range(150)) + ") == true",
        "!" * 240 + "x",
        "(" * 200 + "x" + " == true)" * 200,
        "1" + " + 1" * 200 + " == x",
        "x ? 1 : " * 100 + "2",
        "(" * 80 + "x" + " ? x.a : x.b)" * 80,
        "".join(f"l.exists(v{number}, " for number in range(25)) + "x" + ")" * 25,
        "[" * 100 + "x" + "]" * 100 + " == x",
        " || ".join(f"l == [x, {number}]" for number in range(2_000 // 8)),
        "x in [" + ", ".join(map(str, range(500))) + "]",
    ],
)  # fmt: skip
def test_large_expressions_are_evaluated_some_way(text: str) -> None:
    parsed = read(text)
    assert parsed is not None
    for x in (True, False, 201, {"a": 1}):
        outcome_ = outcome(lambda variables: agreed(parsed, Environment(), variables), {"x": x, "l": [1]})
        assert outcome_[0] in ("value", "error")


def test_lets_that_use_each_other_do_not_grow_without_end() -> None:
    lets = {"a0": "x.a"}
    for number in range(1, 40):
        lets[f"a{number}"] = f"x.o{number} ? a{number - 1} : a{number - 1}"
    parsed = read("a39", lets)
    assert parsed is not None
    assert plan(parsed, Environment()).generate() is None


class Reads(dict[str, Any]):
    """Variables that count what is read."""

    def __init__(self, **variables: Any) -> None:
        super().__init__(variables)
        self.read: list[str] = []

    def __getitem__(self, name: str) -> Any:
        self.read.append(name)
        return super().__getitem__(name)


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("args.a == 1 || args.a == 2 || args.b == 3", ["args"]),
        ("skip || (big && big)", ["skip", "args"]),
        ("[1, 2, 3].all(v, big && v > 0)", ["args"]),
        ("[1, 2, 3].all(v, v > 5 || big) && big", ["args", "args"]),
        ("!skip || big", ["skip"]),
        ("[].all(v, big)", []),
    ],
)
def test_what_is_needed_twice_is_read_once_and_only_when_it_is_needed(text: str, reads: list[str]) -> None:
    parsed = read(text, {"big": "args.b == 3"})
    assert parsed is not None
    ways = two_ways(parsed, Environment())
    assert ways is not None
    variables = Reads(args={"a": 5, "b": 3}, skip=False)
    assert ways[1](variables) is True
    assert variables.read == reads
    assert ways[0].asked == 0


# When it is generated.


def test_python_is_generated_once_that_pays() -> None:
    program = plan(parse(Excerpt.whole("x == 1")), Environment())
    first = program.evaluate
    for _ in range(2 * PAYS_AFTER):
        assert program.evaluate({"x": 1}) is True
    generated = program.generate()
    assert generated is not None
    assert program.evaluate is generated.evaluate
    assert program.generate() is generated
    assert first({"x": 1}) is True
    assert program.evaluate is generated.evaluate


def test_it_is_not_tried_again_where_it_is_not_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def nothing(*_: Any) -> None:
        tried.append("once")

    monkeypatch.setattr(gateway.cel.generate, "generate", nothing)
    program = plan(parse(Excerpt.whole("x == 1")), Environment())
    first = program.evaluate
    for _ in range(2 * PAYS_AFTER + 5):
        assert first({"x": 1}) is True
    assert program.evaluate is program.exact
    assert program.generate() is None
    assert tried == ["once"]


def test_not_all_programs_are_generated_at_once() -> None:
    programs = [plan(parse(Excerpt.whole("x == 1")), Environment()) for _ in range(100)]
    most, before = 0, 0
    for _ in range(2 * PAYS_AFTER):
        for program in programs:
            program.evaluate({"x": 1})
        now = sum(program._generated is not None for program in programs)
        most, before = max(most, now - before), now
    assert before == len(programs)
    assert most <= 5


def test_threads_may_meet_while_python_is_generated() -> None:
    program = plan(parse(Excerpt.whole("x.exists(v, v == 3)")), Environment())
    wrong: list[Any] = []

    def work() -> None:
        for number in range(1_000):
            if program.evaluate({"x": [1, 2, number % 4]}) is not (number % 4 == 3):
                wrong.append(number)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert program.generate() is not None


def test_errors_of_the_exact_way_do_not_show_the_doubt() -> None:
    generated = plan(parse(Excerpt.whole("x.a == 1")), Environment()).generate()
    assert generated is not None
    with pytest.raises(CelError) as caught:
        generated.evaluate({"x": {}})
    assert caught.value.__context__ is None


# How often it answers.


@pytest.mark.parametrize("policy", ["platform", "coding-agent"])
def test_it_answers_most_conditions_of_ordinary_policies(
    policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tally: list[Counted] = []
    evaluations: list[int] = []

    def counting(self: Program) -> Any:
        exact = Counted(self.exact)
        generated = generate(self._parsed, self._environment, exact)
        tally.append(exact)

        def evaluate(variables: Any) -> Any:
            evaluations.append(1)
            return (generated.evaluate if generated else exact)(variables)

        return evaluate

    monkeypatch.setattr(Program, "_counting", counting)
    cases = load_cases(ROOT / "policies" / policy)
    evaluations.clear()
    for exact in tally:
        exact.asked = 0
    for case in cases:
        case.check()
    asked = sum(exact.asked for exact in tally)
    print(f"{policy}: {len(tally)} programs, {len(evaluations)} evaluations, {asked} left to the exact way")
    assert len(evaluations) > 20
    assert asked < 0.2 * len(evaluations)


@pytest.mark.parametrize("name", ["values.txt", "errors.txt", "functions/values.txt", "functions/errors.txt"])
def test_cases_of_the_language(name: str) -> None:
    number = generated = 0
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        text = line.split(" | ", 2)[-1] if name.endswith("errors.txt") else line
        if not text or line.startswith("#"):
            continue
        parsed = read(text)
        assert parsed is not None
        ways = two_ways(parsed, Environment())
        number += 1
        if ways is not None:
            generated += 1
            assert outcome(ways[1], {}) == outcome(ways[0].exact, {})
    assert generated > 0.9 * number
