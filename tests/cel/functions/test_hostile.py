"""No function takes long or makes much, whatever it is given: what it does is paid for before it is done."""

from __future__ import annotations

import time
import tracemalloc
from typing import Any

import pytest

from gateway.cel import DYN, CelError, Environment, ErrorKind, Known, outcomes, parse, plan
from gateway.diagnostic import Excerpt

EVALUATED = 2.0
"""Seconds of processor time: many times what it takes, because others may use the machine too; a square takes minutes."""
MOST_MADE = 150_000_000
"""Bytes: a condition may make some copies of a long argument, never a thousand."""

LONG = "ab" * 2_000_000
MEDIUM = "a" * 100_000
NUMBERS = list(range(100_000))
TEXTS = [str(number) for number in NUMBERS]
ALIKE = ["x" * 2_000 + str(number) for number in range(20_000)]
SLOW_PART = "a" * 50 + "b" + "a" * 40


def evaluated(text: str, variables: dict[str, Any]) -> Any:
    parsed = parse(Excerpt.whole(text))
    assert parsed.ast is not None, parsed.diagnostics
    program = plan(parsed, Environment())
    generated = program.generate()
    found: list[Any] = []
    for evaluate in (program.exact, generated.evaluate) if generated else (program.exact,):
        start = time.process_time()
        try:
            found.append(evaluate(variables))
        except CelError as error:
            found.append(error)
        assert time.process_time() - start < EVALUATED
    assert len({str(value) for value in found}) == 1
    return found[0]


def nested(function: str, depth: int, inside: str = "a") -> str:
    for _ in range(depth):
        inside = function.replace("#", inside)
    return inside


def doubled(depth: int) -> str:
    """A list that holds the last one twice, at each depth."""
    text = "v.flatten(99).size() >= 0"
    for _ in range(depth):
        text = f"cel.bind(v, [v, v], {text})"
    return f"cel.bind(v, [1], {text})"


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        ("a.replace('a', a).size() > 0", {"a": MEDIUM}),
        ("a.replace('', a).size() > 0", {"a": MEDIUM}),
        ("l.exists(x, a.replace('b', x).size() == 0)", {"l": TEXTS, "a": LONG}),
        ("l.map(x, a).join(a).size() > 0", {"l": NUMBERS, "a": LONG}),
        ("l.map(x, a.reverse()).size() > 0", {"l": NUMBERS, "a": LONG}),
        ("l.map(x, a.substring(x)).size() > 0", {"l": NUMBERS, "a": LONG}),
        ("l.map(x, a.lowerAscii()).size() > 0", {"l": NUMBERS, "a": LONG}),
        ("l.map(x, a.trim()).size() > 0", {"l": NUMBERS, "a": LONG}),
        ("l.map(x, a.split('')).size() > 0", {"l": NUMBERS, "a": MEDIUM}),
        ("l.map(x, a.split('a')).size() > 0", {"l": NUMBERS, "a": MEDIUM}),
        ("l.exists(x, a.indexOf(p) > 0)", {"l": NUMBERS, "a": "a" * 29_000, "p": SLOW_PART}),
        ("l.exists(x, a.contains(p))", {"l": NUMBERS, "a": "a" * 29_000, "p": SLOW_PART}),
        ("l.exists(x, a.lastIndexOf(p) > 0)", {"l": NUMBERS, "a": LONG, "p": "ab" * 500 + "b"}),
        (f"{nested('strings.quote(#)', 40)}.size() > 0", {"a": '"'}),
        (f"{nested('base64.encode(bytes(#))', 60)}.size() > 0", {"a": MEDIUM}),
        ("l.map(x, base64.decode(a)).size() > 0", {"l": NUMBERS, "a": "aaaa" * 100_000}),
        ("'%s'.format([l.map(x, l)]).size() > 0", {"l": NUMBERS}),
        ("('%.1000f'.format([1.0]) + l.map(x, '%.1000f'.format([x])).join()).size() > 0", {"l": NUMBERS}),
        ("l.map(x, f.format([a, a, a])).size() > 0", {"l": NUMBERS, "a": LONG, "f": "%s%x%s"}),
        ("l.map(x, f.format([])).size() > 0", {"l": NUMBERS, "f": "%%" * 100_000}),
        (doubled(20), {}),
        ("l.map(x, l.slice(0, 100000)).size() > 0", {"l": NUMBERS}),
        ("l.map(x, l.reverse()).size() > 0", {"l": NUMBERS}),
        ("l.map(x, lists.range(x)).size() > 0", {"l": NUMBERS}),
        ("l.exists(x, l.sort()[0] != l[0])", {"l": TEXTS}),
        ("l.exists(x, l.sort()[0] != l[0])", {"l": ALIKE}),
        ("l.exists(x, l.sortBy(y, -y)[0] == l[0])", {"l": NUMBERS}),
        ("l.exists(x, l.distinct().size() == 0)", {"l": [{"a": [n]} for n in NUMBERS]}),
        ("l.exists(x, sets.contains([x], l))", {"l": NUMBERS}),
        ("sets.intersects(l, m)", {"l": [n * (2**61 - 1) for n in NUMBERS], "m": [1] * 100_000}),
        ("cel.bind(u, url(s), cel.bind(v, url(s), l.all(x, u == v)))", {"l": NUMBERS, "s": "https://a/" + "b" * 300_000}),
        ("cel.bind(u, url(s), l.map(x, '%s%s'.format([u, u])).size() > 0)", {"l": NUMBERS, "s": "https://a/" + "b" * 300_000}),
        ("l.map(x, decimal(x)).distinct().size() == 0", {"l": [str(n * (2**61 - 1)) for n in NUMBERS]}),
        ("l.exists(x, s.first().value() != 'a')", {"l": NUMBERS, "s": frozenset(["a", *TEXTS])}),
        ("regex.extractAll(a, 'a.*c|a').size() > 0", {"a": MEDIUM}),
        ("regex.extractAll(a, p).size() > 0", {"a": MEDIUM, "p": "a.*c|a"}),
        ("l.exists(x, regex.extract(a, '[ab]*c').hasValue())", {"l": NUMBERS, "a": LONG}),
        ("l.exists(p, regex.extract('aaaa', p).hasValue())", {"l": [f"[b-c]{{1,30}}{n}" for n in NUMBERS]}),
        ("regex.replace(a, 'a', b).size() > 0", {"a": MEDIUM, "b": LONG}),
        ("regex.replace(a, '(a*)', r).size() > 0", {"a": MEDIUM, "r": r"\1" * 10_000}),
        ("l.exists(x, regex.replace('b', 'a', r) == '')", {"l": NUMBERS, "r": r"\0" * 10_000}),
        ("l.exists(x, a.glob(p))", {"l": NUMBERS, "a": LONG, "p": "*ab" * 20 + "*c"}),
        ("l.exists(x, a.glob('*/*'))", {"l": NUMBERS, "a": "/" * 2_000_000}),
        ("l.exists(x, permissions.covers(l, l + [x]))", {"l": TEXTS}),
        ("permissions.of(l).size() > 0", {"l": [MEDIUM] * 100}),
        ("l.exists(x, d * d * d * d == d)", {"l": NUMBERS, "d": 3}),
    ],
)  # fmt: skip
def test_it_ends_early(text: str, variables: dict[str, Any]) -> None:
    found = evaluated(text, variables)
    assert isinstance(found, CelError)
    assert found.kind is ErrorKind.LIMIT


@pytest.mark.parametrize(
    "text",
    [
        "a.replace('a', a).size() > 0",
        "l.map(x, a).join(a).size() > 0",
        "l.map(x, lists.range(10000)).size() > 0",
        "l.map(x, a + a).size() > 0",
        "regex.replace(a, 'a', a).size() > 0",
        "'%s'.format([l.map(x, a)]).size() > 0",
        doubled(24),
    ],
)
def test_little_memory_is_taken_before_it_ends(text: str) -> None:
    variables = {"a": "a" * 50_000, "l": NUMBERS}
    tracemalloc.start()
    try:
        parsed = parse(Excerpt.whole(text))
        with pytest.raises(CelError) as caught:
            plan(parsed, Environment()).evaluate(variables)
        assert tracemalloc.get_traced_memory()[1] < MOST_MADE
    finally:
        tracemalloc.stop()
    assert caught.value.kind is ErrorKind.LIMIT


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        ("a.split(' ').map(w, w.lowerAscii()).distinct().sort().join(',').size() > 0", {"a": "Some Words " * 2_000}),
        ("a.replace('ab', 'x').size() == 2000000", {"a": LONG}),
        ("a.trim().reverse().size() == a.size()", {"a": LONG}),
        ("a.indexOf('c') == -1 && a.lastIndexOf('c') == -1", {"a": LONG}),
        ("lists.range(50000).map(x, x * 2).slice(0, 10).size() == 10", {}),
        ("l.distinct().size() == 30000 && l.sort().first().value() == '0'", {"l": TEXTS[:30_000]}),
        ("sets.contains(l, m) && sets.intersects(l, m)", {"l": TEXTS[:30_000], "m": TEXTS[:20_000]}),
        ("'%s'.format([l]).size() > 1000", {"l": NUMBERS[:50_000]}),
        ("regex.extractAll(a, '[a-z]+@[a-z]+').size() == 60", {"a": ("lorem ipsum " * 20 + "ann@acme ") * 60}),
        ("regex.replace(a, '[0-9]', '').size() == 4000000", {"a": LONG}),
        ("l.map(x, decimal(x)).sort()[0] == decimal('0')", {"l": TEXTS[:10_000]}),
        ("l.exists(x, x.glob('99*9'))", {"l": TEXTS}),
        ("permissions.covers(l, m)", {"l": frozenset(TEXTS[:10_000]), "m": TEXTS[:5_000]}),
    ],
)  # fmt: skip
def test_ordinary_data_stays_within_the_limit(text: str, variables: dict[str, Any]) -> None:
    assert evaluated(text, variables) is True


@pytest.mark.parametrize("text", ["lists.range(900000).size() > 1", "l.map(x, lists.range(x)).size() > 1"])
def test_foreseeing_is_paid_for_too(text: str) -> None:
    start = time.process_time()
    parsed = parse(Excerpt.whole(" || ".join(f"({text} && {n} == 0)" for n in range(20))))
    found = outcomes(parsed, Environment({"l": DYN}), {"l": NUMBERS[-200:]})
    assert time.process_time() - start < EVALUATED
    assert not isinstance(found.value, Known)
