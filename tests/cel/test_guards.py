"""Each guard of generated Python: a value for which Python's own idea differs from CEL's."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, tzinfo
from typing import Any

import pytest

from gateway.cel import DOUBLE, DYN, STRING, Environment, Field, ListType, ObjectType
from gateway.cel.generate import generate
from gateway.cel.values import OptionalValue
from tests.cel.both_ways import outcome, read, two_ways
from tests.cel.random_expressions import Broken, Missing, Odd, Weird


class NoneLike:
    """An object that says it is null."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return type(None)

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = object.__hash__


class LikeA:
    """An object that finds itself wherever `'a'` is."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash("a")


class Angry:
    """An object that can't be compared."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")

    __hash__ = object.__hash__


class Held:
    """An object with the fields of an optional."""

    present = True
    value = 1


class Sized:
    """An object with a length that is no collection of CEL."""

    def __len__(self) -> int:
        return 3

    def __iter__(self) -> Iterator[int]:
        return iter((1, 2, 3))


TOP, BOTTOM = 2**63 - 1, -(2**63)
GUARDS: tuple[tuple[str, Any], ...] = (
    # A bool is no number.
    ("x > 0", True), ("0 < x", True), ("x >= 1.0", True), ("x == 1", True), ("x != 0", False), ("x == true", 1),
    ("x != false", 0), ("x == 1.0", True), ("x + 1 == 2", True), ("x - 1 == 0", True), ("x * 2 == 2", True),
    ("x % 2 == 1", True), ("x / 2 == 0", True), ("x in [1, 2]", True), ("1 in x", [True]), ("x == [1]", [True]),
    ("-x == -1", True), ("x < y", True), ("y[x] == 1", True), ("y[x] == 1", 1.0), ("y[x] == 1", 0.5),
    # Only texts have the functions of texts, and classes derived from str don't change what those do.
    ("x.startsWith('q')", Odd("a")), ("x.endsWith('q')", Odd("a")), ("x.contains('q')", Odd("a")),
    ("x.matches('^q')", Odd("a")), ("x.matches('q$')", Odd("a")), ("x.matches('q')", Odd("a")), ("x == 'q'", Odd("a")),
    ("x.matches('^q$')", Odd("a")), ("x.startsWith(z)", Odd("a")), ("z.contains(x)", Odd("q")), ("x == 'a'", LikeA()),
    ("x in ['a', 'b']", LikeA()), ("x in ['a', 'b']", Odd("a")), ("x.startsWith('a')", b"abc"),
    ("x.contains('a')", ["a"]), ("x.contains('a')", {"a": 1}), ("x.matches('a')", ["a"]), ("x.matches('a.')", b"ab"),
    ("z.endsWith(x)", ("c", "d")), ("z.startsWith(x)", ("a", "d")), ("x == z", Odd("q")), ("x < 'b'", Odd("a")),
    ("x + 'b' == 'ab'", Odd("a")), ("x.matches('c$')", "abc\n"), ("x.matches('^é$')", "\ud800"),
    # `in` searches no texts.
    ("'b' in x", "abc"), ("'b' in x", {"b"}), ("'b' in x", ("b",)), ("'b' in x", {"b": 1}), ("'b' in x", Missing()),
    ("x in 'abc'", "b"), ("x in y", 1), ("x in z", "b"), ("'a' in x", [LikeA()]), ("'a' in x", Sized()),
    ("'b' in x", None), ("x in {1: 'a'}", True), ("null in x", [NoneLike()]),
    # Only maps have fields, and a map has no other fields than those in it.
    ("x.made == 'made up'", Missing()), ("has(x.b)", "abc"), ("has(x.b)", ["b"]), ("has(x.a)", Missing(a=1)),
    ("has(x.a.b)", {"a": "abc"}), ("x.a.made == 'made up'", {"a": Missing()}), ("x['made'] == 'made up'", Missing()),
    ("x.?b.orValue('q') == 'q'", ["a"]), ("x.?b.orValue('q') == 'q'", "abc"), ("x.?b.orValue('q') == 'q'", Missing()),
    ("x.?b.orValue('q') == 'q'", {}), ("x.?b.orValue('q') == 'r'", {"b": "r"}), ("x.?b.orValue('q') == 'q'", {"b": None}),
    ("x.?b.hasValue()", Missing()), ("x.a == 1", OptionalValue({"a": 1}, True)), ("has(x.a)", OptionalValue({"a": 1}, True)),
    # Places and keys.
    ("x[0] == 'a'", "abc"), ("x[0] == 1", b"\x01"), ("x[-1] == 2", [1, 2]), ("x[1] == 'a'", {True: "a"}), ("x[2] == 1", [1]),
    ("x[0] == 1", (1,)), ("x[0] == 1", {1}), ("x[z] == 1", {"abc": 1}), ("x[z] == 1", Missing()), ("x[true] == 2", [1, 2]),
    ("x[?0].hasValue()", [1]), ("x[?'a'].hasValue()", {"a": 1}), ("x[1.0] == 2", [1, 2]), ("x[0] == 1", Sized()),
    # Ints have 64 bits.
    ("x + 1 > 0", TOP), ("x - 1 < 0", BOTTOM), ("x * 2 > 0", TOP), ("x + x > 0", 2**62), ("-x > 0", BOTTOM),
    ("1 + x > 0", TOP), ("size(z) * x > 0", TOP), ("x / 1 > 0", 2**70), ("x / -1 > 0", BOTTOM), ("x % -1 == 0", BOTTOM),
    # Division goes towards zero.
    ("x / 2 == -3", -7), ("x % 3 == -1", -7), ("7 / x == -3", -2), ("7 % x == 1", -2), ("x / 0 == 0", 1), ("x % 0 == 0", 1),
    ("7 / x == 0", 0), ("x / 2 == 3", 7.0), ("x % 2 == 1", 7.0), ("x / 2 == 3", 7), ("x % 2 == 1", 7),
    # Doubles and ints are ordered as doubles, but equal as they are.
    ("x < 9007199254740993", 2.0**53), ("x >= 9007199254740993", 2.0**53), ("x == 9007199254740993", 2.0**53),
    ("x > 1.5", 2), ("x < y", float("nan")), ("x == x", float("nan")), ("x < 9007199254740993.0", 2**53), ("x == 1", 1.0),
    # Only true and false are truth values.
    ("x && true", 1), ("x || false", 1), ("true && x", "a"), ("!x", 0), ("!x", []), ("x ? 1 : 2", 1), ("x ? true : false", []),
    ("[1].all(v, x)", 1), ("[1].exists(v, x)", 1), ("[1].exists_one(v, x)", 1), ("[1].filter(v, x) == []", 0),
    ("[1].map(v, x, v) == [1]", 1), ("(x && true) == true", 1), ("(x || true) == true", 1), ("x || x || true", None),
    # null is one value.
    ("x == null", NoneLike()), ("x != null", NoneLike()), ("x == null", None), ("x != null", None), ("x == null", 0),
    # Macros go through lists and maps, and through sets always in the same order.
    ("x.all(v, v == 'a')", "aa"), ("x.all(v, v > 0)", Sized()), ("x.exists(v, v == 97)", b"a"), ("x.map(v, v) == []", "a"),
    ("x.map(v, v)", {"b", "a", "c", "d"}), ("x.map(v, v)", ("a", "b")), ("x.map(v, v)", {"a": 1}),
    ("x.transformList(i, v, [i, v])", {"b", "a", "c"}), ("x.transformMap(i, v, v)", {"a": 1}), ("x.all(v, true)", None),
    ("x.exists_one(v, v > 0)", [1, "a"]), ("x.exists_one(v, v > 0)", [1, 2]), ("x.exists_one(v, v > 0)", [0, 2]),
    ("x.exists(v, v > 0)", ["a", 1]), ("x.exists(v, v > 0)", ["a", 0]), ("x.all(v, v > 0)", ["a", 0]),
    ("x.filter(v, v > 1)", [1, 2, 3]), ("x.map(v, v > 1, v * 2)", [1, 2, 3]), ("x.all(i, v, i < v)", [1, 2]),
    ("x.exists(v, v == 1 || v == 2 && true)", [5, 2]), ("x.exists_one(v, v == 1 || v == 2)", [1, 2, 3]),
    ("x.all(v, v == 1 || v == 2)", [1, 2, 3]), ("x.exists_one(v, v != 1 && v != 2)", [1, 2, 3]),
    # They go through a map by its keys, however it was written, and through ours only.
    ("x.map(k, k)", {"b": 1, "a": 2}), ("x.transformList(k, v, [k, v])", {"b": 1, "a": 2}), ("x.transformMap(k, v, v)", {"b": 1, "a": 2}),
    ("x.map(k, k)", {2: "a", 10: "b", 1: "c"}), ("x.map(k, k)", {"a": 1, 2: 3, True: 4}), ("x.filter(k, x[k] > 0)", {Odd("b"): 1, "a": 2}),
    ("{'b': x, 'a': 1}.map(k, k)", 1), ("{'b': x, 'a': 1}.transformList(k, v, v)", 1), ("x.exists(k, 1 / k == 1)", {1: 1, 0: 0}),
    ("x.map(k, k)", Missing(b=1, a=2)), ("{x: 1, 2: 2, 1: 3}.map(k, k)", True), ("{true: x, 1: 2}.map(k, k)", 1),
    ("[1, 2].transformMap(i, v, v + x)", 1), ("{'b': 1, 'a': x}.transformMap(k, v, v)", 2), ("x || {1: 'a', true: 'b'} == {}", True),
    ("x || {1: 'a', true: 'b'} == {}", False), ("x || {1.5: 'a'} == {}", True), ("x || {1.5: 'a'} == {}", False),
    # A block evaluates a value where it is used first, once, by the names that are good where the value stands.
    ("cel.block([x.q], true)", {}), ("cel.block([x.q], cel.index(0) == 1 || true)", {}), ("cel.block([x.q], cel.index(0) == 1)", {"q": 1}),
    ("cel.block([x, cel.index(0) + 1], cel.index(1) + cel.index(1))", 1), ("cel.block([x, cel.index(0) + 1], cel.index(1))", 2**63 - 1),
    ("[1, 2].map(v, cel.block([v * 10], cel.index(0) + cel.index(0)))", 0), ("cel.block([x + 1], y.map(v, v + cel.index(0)))", 1),
    ("cel.block([1], cel.block([cel.index(0) + 1], cel.index(0) + x))", 1), ("cel.bind(v, 1, cel.block([v + x], cel.bind(v, 5, cel.index(0) + v)))", 2),
    ("y.exists(v, v == 5 || cel.block([x / v], cel.index(0) == 1))", 2), ("cel.block([y.map(v, v + x)], y.map(v, cel.index(0)[v]))", 2),
    ("cel.block([x.a], (x.o && cel.index(0) == 1) || cel.index(0) == 2)", {"o": False, "a": 2}),
    ("cel.block([x.a], (x.o ? cel.index(0) : 0) + cel.index(0))", {"o": False, "a": 2}),
    ("y.all(v, cel.block([x[v]], v == 2 || cel.index(0) == v)) && y.all(w, cel.block([w], cel.index(0) >= 0))", [0, 1]),
    ("y.map(cel.iterVar(0, 0), y.map(cel.iterVar(1, 0), cel.iterVar(0, 0) * cel.iterVar(1, 0) + x))", 1),
    ("cel.bind(cel.accuVar(0, 0), x, cel.accuVar(0, 0) + 1)", 1), ("x.sortBy(v, -v)", [1, 3, 2]), ("x.sortBy(v, v.n)[0].n", [{"n": 2}, {"n": 1}]),
    # Functions of the libraries take their own kinds.
    ("math.greatest(x, 1, 2.5)", 2), ("math.greatest(x, 1, 2.5)", True), ("math.least(x)", [3, 1]), ("math.least(x)", 1), ("math.least(x)", Weird(5)),
    ("math.greatest(x, 1, 2, 3, 4, 5, 6, 7)", 2**70), ("lists.range(x).size()", 5), ("lists.range(x).size()", 2**62), ("lists.range(x)", True),
    ("math.abs(x)", -(2**63)), ("math.bitAnd(x, 1)", True), ("x.distinct()", [1, True, 1.0]), ("x.distinct()", [Odd("a"), "b"]), ("x.sort()", [2, True]),
    ("sets.contains(x, [1])", [True]), ("sets.equivalent(x, ['a'])", {"a"}), ("x.join()", [Odd("a")]), ("x.split('')", Odd("a")), ("x.charAt(1)", Odd("a")),
    ("'%s'.format([x])", {"b": True, "a": None}), ("'%s'.format([x])", Odd("a")), ("decimal(x) == decimal('1')", 1), ("decimal(x) < decimal(2)", "1.50"),
    ("decimal(x) + decimal('0.1') == decimal('1.1')", "1.0"), ("decimal(x) == 1", 1), ("ip(x).isLoopback()", "127.0.0.1"), ("ip(x)", "127.1"),
    ("ip(x) == ip('::1')", "0::1"), ("[ip(x)].distinct()", "::1"), ("url(x).getHostname()", "https://a.b/"), ("url(x) == url(x)", "https://a.b/"),
    ("cidr(x).containsIP('10.0.0.1')", "10.0.0.0/8"), ("x.glob('a*')", Odd("a")), ("risk(x)", "LOW"), ("permissions.of([x, 'a'])", "b"),
    ("timestamp(x)", 5), ("timestamp(x)", "2026-11-30T09:05:07Z"), ("timestamp(x) + duration('1s') > timestamp(0)", datetime(2026, 1, 1)),
    ("base64.decode(x)", "YWJj"), ("x.indexOf('b', 1)", "abc"), ("x.replace('a', 'b', 1)", "aa"), ("regex.extract(x, 'a+').orValue('')", "baa"),
    # Equality goes through collections, each part within its type.
    ("x == {'a': 1}", {"a": True}), ("x == {'a': 1}", Missing(a=1)), ("[x] == [1]", True), ("x == [1.0]", [1]), ("x == y", [True]),
    ("x == {1: 'a'}", {True: "a"}), ("x != [[1]]", [[True]]), ("x == []", ()), ("x == [z]", [Odd("q")]), ("x == b'a'", "a"),
    # Sizes.
    ("size(x) == 3", Sized()), ("size(x) == 1", Missing(a=1)), ("x.size() == 1", {1}), ("size(x) == 1", 5), ("size(x) > 2", "abc"),
    # Map literals have bool, int, uint and text keys, each once, as soon as an entry is reached.
    ("{x: 1, 1: 2} == {}", True), ("{x: 1, 'b': 2} == {}", 1.5), ("{x: 1, 'a': 2} == {}", "a"), ("{[]: 1, 'a': x.q} == {}", {}),
    ("{'a': x.q, [] : 1} == {}", {}), ("{'a': 1, 'b': x}", 5),
    # Optionals.
    ("x.optMap(v, v + 1).hasValue()", Held()), ("x.optMap(v, v + 1).orValue(0) == 2", OptionalValue(1, True)),
    ("x.optFlatMap(v, v.?a).orValue(0) == 2", OptionalValue({"a": 2}, True)), ("x.optMap(v, v)", OptionalValue(None, False)),
    # What is read in one branch is not read in another.
    ("((x.o && x.a == 1) == true) || x.a == 2", {"o": False, "a": 2}), ("(x.o ? x.a : x.b) + x.a == 3", {"o": False, "a": 2, "b": 1}),
    ("((x.o || x.a == 1) == true) && x.a == 2", {"o": True, "a": 2}), ("[1].exists(v, x.o && x.a == v) || x.a == 2", {"o": False, "a": 2}),
    ("(x.o && x.p && x.a == 1 && x.a == 2) == false", {"o": True, "p": True, "a": 1}), ("[].exists(v, x.a == v) || x.a == 2", {"a": 2}),
    ("((x.o || x.p || x.a == 1) == true) || x.p", {"o": False, "p": False, "a": 2}),
    ("[1, 2].all(v, (v == 1 || x.a == 2 || v == 3) == true)", {"a": 2}), ("((x.a == 1) == false) == (x.b == 1)", {"a": 2, "b": 1}),
    ("x != 5 && (y[0] == 0 ? true : x.a == 1) && has(x.b)", "abc"),
    ("x == [1, 'a']", [1, "a"]), ("x == [1, 'a']", [2, "a"]), ("x == [1, 'a']", [1, Odd("a")]), ("x == [1, 'a']", [True, "a"]),
    ("x < 1e999 && x > -1e999", 5.0), ("x == 1e999", float("inf")), ("[1e999] == x", [float("inf")]),
    # What comes first fails first.
    ("(int(x.n) == (['a'].exists(v, v in x.l) ? 1 : 2)) || true", {"n": "q", "l": [Angry()]}),
    # A name that a macro gives hides a variable.
    ("[1, 2].all(x, x > 0) && x == 'q'", "q"), ("x.exists(x, x == 1) && x == [1]", [1]), ("cel.bind(x, 5, x > 4) && x == 1", 1),
    ("cel.bind(v, x.a, v == 1 && v != 2)", {"a": 1}), ("cel.bind(v, x.a, true)", {}),
)  # fmt: skip


@pytest.mark.parametrize(("text", "x"), GUARDS)
def test_guard(text: str, x: Any) -> None:
    for environment in (Environment(), Environment(variables={"x": DYN, "y": DYN, "z": DYN})):
        parsed = read(text)
        assert parsed is not None
        ways = two_ways(parsed, environment)
        assert ways is not None
        variables = {"x": x, "y": [0, 1, 2], "z": "abc"}
        assert outcome(ways[1], variables) == outcome(ways[0].exact, variables)


NUMBERS = ObjectType("args", {"n": Field(DOUBLE), "m": Field(DOUBLE), "s": Field(STRING)})
NESTED = ObjectType("args", {"l": Field(ListType(DOUBLE)), "o": Field(NUMBERS), "n": Field(DOUBLE)})


@pytest.mark.parametrize(
    ("type_", "text", "args"),
    [
        (NUMBERS, "args.n / 4.0 == 0.5", {"n": 2}),
        (NUMBERS, "args.n > 1", {"n": 2}),
        (NUMBERS, "args.n > 1", {"n": True}),
        (NUMBERS, "args.n < 9007199254740993", {"n": 2**53}),
        (NUMBERS, "args.n == args.m", {"n": 1, "m": True}),
        (NUMBERS, "args.n > 1.0", {"n": 10**400}),
        (NUMBERS, "args.n > 1.0 && args.n < 5.0", {"n": 2}),
        (NUMBERS, "args == {'n': 2.0}", {"n": 2}),
        (NUMBERS, "args.map(k, args[k])", {"n": 2, "m": 3}),
        (NUMBERS, "args.map(k, [args.n, args.s])", {"n": 2, "s": 3}),
        (NUMBERS, "args['n']", {"n": 2}),
        (NUMBERS, "args.?n.orValue(5)", {"n": 2}),
        (NUMBERS, "args.?n", {"n": 2}),
        (NUMBERS, "has(args.n) ? args.n : args.m", {"m": 2}),
        (NUMBERS, "has(args.n)", Missing(n=1)),
        (NUMBERS, "args.n", Missing()),
        (NUMBERS, "[args, args]", {"n": 2, "m": 3}),
        (NUMBERS, "size(args) == 1 && 'n' in args", {"n": 2}),
        (NUMBERS, "args.n", "text"),
        (NUMBERS, "args.s", {"n": 2, "s": 2}),
        (NESTED, "args.l", {"l": [1, 2.5]}),
        (NESTED, "args.n", {"n": 1, "l": Broken()}),
        (NESTED, "args.o.n + args.n", {"n": 1, "o": {"n": 2}}),
        (NESTED, "args.l.map(x, args.l.map(y, x * y))", {"l": [1, 2]}),
        (DOUBLE, "args > 1", 2),
        (ListType(DOUBLE), "args[0]", [1]),
    ],
)
def test_whole_numbers_are_doubles_where_the_type_says_so(type_: Any, text: str, args: Any) -> None:
    parsed = read(text)
    assert parsed is not None
    ways = two_ways(parsed, Environment(variables={"args": type_}))
    assert ways is not None
    variables = {"args": args}
    assert outcome(ways[1], variables) == outcome(ways[0].exact, variables)


# What the fast way answers by itself.


@pytest.mark.parametrize(
    ("text", "x"),
    [
        ("[1, 2].all(v, [1].all(w, w <= v)) && x", True),
        ("x.exists(v, has(v.a) && v.a == 1)", [{"b": 1}, {"a": 1}]),
        ("x.all(v, v > 0.5 && v + v > 1.0 && v == 1.0)", [1.0] * 3),
        ("x > 1 && x < 3.0 && x != null && x != 'a' && !(x in ['a'])", 2.5),
        ("x.all(v, v == 'a' && v != 1 && v != true) || true", ["a"] * 90_000),
        ("x.exists(v, v > 39000 && v * 2 > 5 && v % 2 == 0)", list(range(50_000))),
        ("'b' in x && x.exists(v, v == 'b') && size(x) == 2", frozenset({"a", "b"})),
        ("x == [1, 'a', 2] && x != [1] && [1, 2] != [true]", [1, "a", 2]),
        ("x.?a.orValue(1) == 1 && x.?b.b.orValue(1) == 1 && !has(x.?b.b) && x[?'c'].orValue(2) == 2", {}),
        ("cel.bind(v, x + 'b', v == 'ab' && v.contains('b') && v.startsWith('a')) && x.size() == 1", "a"),
        (
            "x.?a.optMap(v, v + 1).orValue(0) == 2 && x.?b.optFlatMap(v, v.?c).orValue(3) == 3",
            {"a": 1, "b": {}},
        ),
        ("math.greatest(x, 1, 2) == 5 && math.least([x, 7]) == 5 && lists.range(x).size() == 5", 5),
        ("cel.block([x + 1, cel.index(0) * 2], cel.index(1) == 12 && [1, 2].all(v, cel.index(0) > v))", 5),
        ("x.map(k, k) == ['a', 'b'] && x.transformMap(k, v, v + 1) == {'a': 2, 'b': 3}", {"b": 2, "a": 1}),
        (
            "x.sortBy(v, -v) == [3, 2, 1] && x.sort().distinct().reverse()[0] == 3 && sets.contains(x, [1])",
            [1, 3, 2],
        ),
        (
            "decimal(x) + decimal('0.10') == decimal('0.3') && x.replace('0', '1').split('.').join('-') == '1-2'",
            "0.2",
        ),
        (
            "isIP(x) && cidr('10.0.0.0/8').containsIP(ip(x)) && url('https://' + x + '/').getHostname() == x",
            "10.0.0.1",
        ),
        (
            "'%s-%d'.format([x, 5]) == 'a-5' && x.glob('a*') && permissions.covers([x, 'b'], [x]) && risk('LOW') == 1",
            "a",
        ),
        ("duration(x) > duration('1h') && int('5') == 5 && string(5) == '5'", "2h"),
        ("x > timestamp(0) && x.getFullYear() == 2026", datetime(2026, 1, 1)),
    ],
)
def test_it_needs_no_help_with(text: str, x: Any) -> None:
    for environment in (Environment(), Environment(variables={"x": DYN})):
        parsed = read(text)
        assert parsed is not None
        ways = two_ways(parsed, environment)
        assert ways is not None
        assert ways[1]({"x": x}) is True
        assert ways[0].asked == 0


def test_a_let_sees_no_variables_of_macros() -> None:
    parsed = read("[5].all(x, big) && ![1].all(x, big && x == 5)", {"big": "x == 1"})
    assert parsed is not None
    ways = two_ways(parsed, Environment())
    assert ways is not None
    assert ways[1]({"x": 1}) is True
    assert ways[0]({"x": 1}) is True


# What the fast way may not do.


class Asked(Exception):
    """The exact way was asked."""


class Spy(dict[str, Any]):
    """A dict that fails as soon as anything of its own runs."""

    def fail(self, *_: Any) -> Any:
        raise AssertionError("a host's code was run")

    __getitem__ = __contains__ = __iter__ = __len__ = __eq__ = __missing__ = fail
    __repr__ = __hash__ = keys = values = items = fail  # type: ignore[assignment]


class Zone(tzinfo):
    def fail(self, _: datetime | None) -> Any:
        raise AssertionError("a host's code was run")

    utcoffset = dst = tzname = fail


SPY = Spy(a=1)
ZONED = datetime(2026, 1, 1, tzinfo=Zone())


@pytest.mark.parametrize(
    "text",
    [
        "x.a == 1", "has(x.a)", "x['a'] == 1", "x[0] == 1", "x == 1", "x == 'a'", "x == null", "x == true", "x != y",
        "x < 1", "x < 'a'", "x + 1 == 2", "x - y == 2", "x in ['a']", "x in [1]", "'a' in x", "1 in x", "x in y", "size(x) == 1",
        "x.all(v, true)", "x.map(v, v) == []", "x.startsWith('a')", "x.matches('a')", "x.contains(z)", "-x == 1", "!x", "x && true",
        "x ? 1 : 2", "[x] == [y]", "[x] == y", "{'a': x} == y", "[x] in [y]", "x.?a.orValue(1) == 1", "x.?a.hasValue()",
        "string(x) == ''", "type(x) == int", "{x: 1} == {}", "z[x] == 1", "optional.of(x) == optional.of(y)", "x[?0].hasValue()",
        "x.optMap(v, v).hasValue()", "[1].map(v, x)[0] == 1", "cel.bind(v, x, v == 1)", "x * 1 == 1", "x % 2 == 1", "x / 2 == 1",
        "cel.block([x], cel.index(0) == 1)", "x.sortBy(v, 1) == []", "[1, 2].sortBy(v, x) == []", "math.greatest(x, 1) == 1", "lists.range(x) == []",
        "[x, y].distinct() == []", "sets.contains([x], [y])", "'%s'.format([x]) == ''", "[x].join() == ''", "ip(x) == ip('::1')", "isURL(x)",
        "decimal(x) == decimal(1)", "x.glob('a')", "permissions.of([x]) == ''", "base64.encode(x) == ''", "x.replace('a', 'b') == ''", "x.first() == x",
        "x.transformMap(k, v, v) == {}", "timestamp(x) > timestamp(0)", "x.format([1]) == ''", "[x].flatten() == []", "x.split('') == []",
    ],
)  # fmt: skip
@pytest.mark.parametrize("x", [SPY, ZONED], ids=["mapping", "time zone"])
def test_code_of_hosts_is_left_to_the_exact_way(text: str, x: Any) -> None:
    def exact(_: Any) -> Any:
        raise Asked

    parsed = read(text)
    assert parsed is not None
    generated = generate(parsed, Environment(), exact)
    assert generated is not None
    try:
        generated.evaluate({"x": x, "y": x, "z": {"a": 1}})
    except Asked:
        return
    assert x is ZONED  # some things can be said of a moment without asking for its offset


def test_long_texts_are_left_to_the_exact_way() -> None:
    for text in (
        "x.contains('b')",
        "x.contains(y)",
        "x == y",
        "x + y == ''",
        "x.matches('b')",
        "x.matches('b.b')",
        "x < y",
    ):
        parsed = read(text)
        assert parsed is not None
        ways = two_ways(parsed, Environment())
        assert ways is not None
        outcome(ways[1], {"x": "a" * 300_000, "y": "a" * 300_000})
        assert ways[0].asked == 1, text
