"""Random expressions and hostile values, drawn from anything that can choose: a `Random`, or hypothesis's."""

from __future__ import annotations

from collections import OrderedDict, UserDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from random import Random
from types import MappingProxyType
from typing import Any

from gateway.cel import (
    BOOL,
    DOUBLE,
    DYN,
    INT,
    STRING,
    Duration,
    Environment,
    Field,
    ListType,
    MapType,
    ObjectType,
    Timestamp,
    UInt,
)
from gateway.cel.functions import STANDARD
from gateway.cel.functions.signature import Function, Style
from gateway.cel.types import Type
from gateway.cel.values import NONE, TypeValue, some


class Missing(dict[str, Any]):
    """A dict that has a value for every key."""

    def __missing__(self, key: str) -> str:
        return "made up"


class Odd(str):
    """A text that is equal to everything and begins with anything."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return True

    def __contains__(self, part: object) -> bool:
        return True

    def startswith(self, *_: Any) -> bool:
        return True

    def endswith(self, *_: Any) -> bool:
        return True


class Colour(StrEnum):
    RED = "red"


class Weird(int):
    """A number that is below everything."""

    def __lt__(self, other: object) -> bool:
        return True


class Broken(Mapping[str, Any]):
    """A mapping whose every method fails."""

    def __getitem__(self, key: str) -> Any:
        raise RuntimeError("getitem")

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError("iter")

    def __len__(self) -> int:
        raise RuntimeError("len")


class Disguised:
    """An object that says it is a str."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return str

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = object.__hash__


SCALARS: tuple[Any, ...] = (
    0, 1, -1, 2, 7, 1000, 2**53, 2**53 + 1, 2**63 - 1, -(2**63), 2**63, 2**70, -(2**70), UInt(1), UInt(3),
    0.0, -0.0, 1.0, 1.5, 2.0**53, float(2**63), float("nan"), float("inf"), -float("inf"),
    True, False, None, "", "a", "abc", "red", "a.b", "/etc/x", "\ud800", "é", "x" * 300, b"", b"abc",
    Odd("a"), Colour.RED, Weird(5), Disguised(),
    datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 1), timedelta(hours=1), Timestamp(5), Duration(7),
    TypeValue("int"), NONE, some(1), some({"a": 1}), some("a"),
)  # fmt: skip

COLLECTIONS: tuple[Any, ...] = (
    [], {}, (), set(), frozenset(), [1, 2, 3], ["a", "abc"], [True, 1], [1, 1.0], [None], [float("nan")],
    ("a", "red"), {"a", "b"}, frozenset({"a", "finance"}), frozenset({1}), [Odd("a")], [Broken()],
    {"a": 1}, {"a": 1, "b": "abc"}, {"a": True}, {1: "a"}, {True: "a"}, {"a": {"b": 1}}, {"a": None},
    {"a": "abc", "n": 5, "l": [1, 2], "m": {"a": 1.5}}, {"a": 2**70}, {"n": 3, "l": [1, 2], "m": {"x": 1}},
    [[1], [1]], [{"a": 1}, {"a": 2}], [{"a": "abc"}, {"b": 1}], [["a", 1], {"a": [1]}],
    Missing(), Missing(a=1), Broken(), OrderedDict(a=1), MappingProxyType({"a": 1, "n": 2}), UserDict({"a": "x"}),
    {"a": Missing()}, {"a": Broken()}, {"n": 1, "l": Broken()}, {"n": 1, "m": Broken()}, {"a": Odd("a")},
    {Odd("z"): 1}, list(range(40)), ["abc"] * 70, {"a": Disguised()}, {"a": datetime(2026, 1, 1)},
)  # fmt: skip

FUNCTIONS = [function for function in STANDARD if function.built and not function.written]
_OF_TYPE: dict[str, tuple[str, ...]] = {
    "string": ("s", "'a'", "'abc'", "''", "'a,b,c'", "'%s %d'", "'YWJj'", "'::1'", "'10.0.0.0/8'", "'https://a.b/c?d=1'",
               "'LOW'", "'1.50'", "'[a-c]+'", "'2026-01-01T00:00:00Z'", "'1h'", "'UTC'", "s + 'a'", "'a*'"),
    "int": ("0", "1", "2", "-1", "n", "n + 1", "64", "9223372036854775807"),
    "uint": ("0u", "1u", "3u", "18446744073709551615u"),
    "double": ("0.0", "1.5", "-2.5", "n * 1.0", "1e308"),
    "bool": ("true", "false", "o"),
    "bytes": ("b''", "b'abc'", "bytes(s)"),
    "timestamp": ("timestamp(0)", "timestamp('2026-11-30T09:05:07.25Z')", "timestamp(s)"),
    "duration": ("duration('1h')", "duration(s)", "duration('-1.5s')"),
    "decimal": ("decimal('1.50')", "decimal(n)", "decimal('-3')", "decimal(s)"),
    "net.IP": ("ip('::1')", "ip('10.0.0.1')", "ip(s)"),
    "net.CIDR": ("cidr('10.0.0.0/8')", "cidr(s)"),
    "kubernetes.URL": ("url('https://a.b/c?d=1')", "url(s)"),
    "list": ("l", "[1, 2, 3]", "['a', 'abc']", "[]", "[[1], [2, [3]]]", "[n, 1]", "[s]", "[1.5, n]", "['b', 'a', 'b']"),
    "any": ("n", "s", "1", "'a'", "optional.of(1)", "args.?a", "[1]", "{'b': 1, 'a': 2}", "2.5", "3u"),
}  # fmt: skip

NAMES = ("args", "s", "n", "l", "m", "o")
_FIELDS = ("a", "b", "n", "l", "m")
_LITERALS = (
    "0", "1", "2", "-1", "5", "1000", "9223372036854775807", "9007199254740993", "1.0", "1.5", "-0.0", "2u", "1u",
    "true", "false", "null", "''", "'a'", "'abc'", "'red'", "b'abc'", "[]", "{}", "[1, 2]", "['a', 'abc']",
    "[1.0, 'a', true]", "{'a': 1}", "{1: 'a', true: 2}", "int", "duration('1h')", "timestamp(0)",
)  # fmt: skip
_PATTERNS = ("'^a'", "'c$'", "'^abc$'", "'b'", "'a.c'", "'[a-c]+'", "'('")
_TYPED = ObjectType(
    "args",
    {
        "a": Field(DYN, optional=True),
        "n": Field(DOUBLE, optional=True),
        "l": Field(ListType(DOUBLE), optional=True),
        "m": Field(MapType(STRING, DOUBLE), optional=True),
    },
)
_SHALLOW = ObjectType(
    "m", {"a": Field(DOUBLE, optional=True), "n": Field(DOUBLE, optional=True), "b": Field(STRING)}
)
ENVIRONMENTS = (
    Environment(),
    Environment(variables=dict.fromkeys(NAMES, DYN)),
    Environment(
        variables={"args": _TYPED, "m": _SHALLOW, "n": DOUBLE, "s": STRING, "l": ListType(DOUBLE), "o": BOOL}
    ),
    Environment(
        variables={"args": _SHALLOW, "args.a": _SHALLOW, "space.s": INT, "l": DYN}, container="space"
    ),
)


def values(chance: Random) -> dict[str, Any]:
    """A value for most of the names."""
    found = {name: chance.choice(SCALARS if chance.random() < 0.4 else COLLECTIONS) for name in NAMES}
    if chance.random() < 0.6:
        found["args"] = {
            field: chance.choice((*SCALARS, *COLLECTIONS)) for field in _FIELDS if chance.random() < 0.8
        }
    if chance.random() < 0.1:
        del found[chance.choice(NAMES)]
    found["space.s"] = 5
    return found


class Expressions:
    """Makes one random expression; every macro variable that is in reach may be used."""

    def __init__(self, chance: Random, lets: Sequence[str] = ()) -> None:
        self.chance = chance
        self.known = [*NAMES, "args.a", "args.n", "args.l", "args.m", "args.a.b", *lets]
        self.count = 0

    def pick(self, *choices: Callable[[int], str]) -> Callable[[int], str]:
        return self.chance.choice(choices)

    def some(self, choices: Sequence[str]) -> str:
        return self.chance.choice(choices)

    def condition(self, depth: int) -> str:
        """An expression that is likely to be true or false."""
        if depth <= 0:
            return self.some(("true", "o", "has(args.a)", "has(m.n)", "args.a == 1", "n > 5", "'a' in l"))
        return self.pick(
            self._comparison, self._comparison, self._comparison, self._text, self._logic, self._logic, self._not,
            self._choice, self._quantifier, self._quantifier, self._has, self._membership, self._membership, self.value,
        )(depth - 1)  # fmt: skip

    def value(self, depth: int) -> str:
        """Any expression."""
        if depth <= 0:
            return self.some(self.known) if self.chance.random() < 0.6 else self.some(_LITERALS)
        return self.pick(
            self._path, self._path, self._path, self._arithmetic, self._arithmetic, self._index, self._size,
            self._list, self._map, self._bind, self._optional, self._built, self._convert, self._literal,
            self._called, self._called, self._called, self._block, self._sorted, self.condition, self._choice, self._negative,
        )(depth - 1)  # fmt: skip

    def _literal(self, depth: int) -> str:
        return self.some(_LITERALS)

    def _path(self, depth: int) -> str:
        return (
            f"{self.some(self.known)}.{self.some(_FIELDS)}"
            if self.chance.random() < 0.5
            else self.some(self.known)
        )

    def _comparison(self, depth: int) -> str:
        sign = self.some(("==", "==", "!=", "<", "<=", ">", ">="))
        other = self.some(_LITERALS) if self.chance.random() < 0.6 else self.value(depth)
        sides = [self.value(depth), other]
        if self.chance.random() < 0.2:
            sides.reverse()
        return f"({sides[0]} {sign} {sides[1]})"

    def _arithmetic(self, depth: int) -> str:
        return f"({self.value(depth)} {self.some(('+', '-', '*', '/', '%'))} {self.value(depth)})"

    def _negative(self, depth: int) -> str:
        return f"-({self.value(depth)})"

    def _logic(self, depth: int) -> str:
        sign = self.some((" && ", " || "))
        return f"({sign.join(self.condition(depth) for _ in range(self.chance.choice((2, 2, 3, 4))))})"

    def _not(self, depth: int) -> str:
        return f"!{self.condition(depth)}" if self.chance.random() < 0.5 else f"!({self.condition(depth)})"

    def _choice(self, depth: int) -> str:
        return f"({self.condition(depth)} ? {self.value(depth)} : {self.value(depth)})"

    def _has(self, depth: int) -> str:
        step = "." if self.chance.random() < 0.9 else ".?"
        return f"has({self.some(self.known)}{step}{self.some(_FIELDS)})"

    def _text(self, depth: int) -> str:
        name = self.some(("startsWith", "endsWith", "contains", "matches"))
        if name == "matches" and self.chance.random() < 0.8:
            part = self.some(_PATTERNS)
        else:
            part = self.some(("'a'", "''", "'abc'")) if self.chance.random() < 0.6 else self.value(depth)
        return f"{self.value(depth)}.{name}({part})"

    def _membership(self, depth: int) -> str:
        left = (
            self.value(depth)
            if self.chance.random() < 0.5
            else self.some(("'a'", "1", "true", "1.0", "null"))
        )
        right = (
            self.value(depth)
            if self.chance.random() < 0.5
            else self.some(("['a', 'abc']", "[1, 2, 5]", "l", "m"))
        )
        return f"({left} in {right})"

    def _index(self, depth: int) -> str:
        key = (
            self.some(("'a'", "0", "1", "-1", "1.0", "true", "n", "s"))
            if self.chance.random() < 0.7
            else "?'a'"
        )
        return f"{self.value(depth)}[{key}]"

    def _size(self, depth: int) -> str:
        value = self.value(depth)
        return f"size({value})" if self.chance.random() < 0.5 else f"{value}.size()"

    def _list(self, depth: int) -> str:
        return f"[{self.value(depth)}, {self.value(depth)}]"

    def _map(self, depth: int) -> str:
        return f"{{{self.some(_LITERALS)}: {self.value(depth)}, 'k': {self.value(depth)}}}"

    def _optional(self, depth: int) -> str:
        chain = f"{self.some(self.known)}.?{self.some(_FIELDS)}"
        return self.some(
            (
                f"{chain}.orValue({self.some(_LITERALS)})",
                f"{chain}.b.orValue('a')",
                f"{chain}.hasValue()",
                f"{chain}.optMap(v, v == 1).orValue(false)",
                f"{chain}.optFlatMap(v, v.?a)",
                f"{chain}",
                f"[{chain}, ?{chain}]",
                f"optional.of({self.some(self.known)}).value()",
            )
        )

    def _convert(self, depth: int) -> str:
        return f"{self.some(('int', 'uint', 'double', 'string', 'bool', 'type', 'dyn', 'nothing'))}({self.value(depth)})"

    def _called(self, depth: int) -> str:
        """Any function there is, with so many arguments as it may have; most of them of the kinds that it takes."""
        return self.call_of(self.chance.choice(FUNCTIONS), depth)

    def call_of(self, function: Function, depth: int) -> str:
        """A call of a function."""
        overload = self.chance.choice(function.overloads)
        types = [*overload.parameters]
        if overload.more is not None:
            types.extend([overload.more] * self.chance.choice((0, 1, 2, 3)))
        arguments = [self._of(type_, depth) for type_ in types]
        if function.style is Style.MEMBER:
            target, *arguments = arguments
            return f"{target}.{function.name}({', '.join(arguments)})"
        return f"{function.name}({', '.join(arguments)})"

    def _of(self, type_: Type, depth: int) -> str:
        if self.chance.random() < 0.3:
            return self.value(depth)
        known = _OF_TYPE.get(str(type_))
        if known is None:
            known = _OF_TYPE["list" if isinstance(type_, ListType) else "any"]
        return self.some(known)

    def _block(self, depth: int) -> str:
        """Values that are used in any order, each also by those behind it."""
        count = self.chance.choice((1, 2, 3))
        outer = self.known
        values: list[str] = []
        for number in range(count):
            values.append(self.value(depth))
            self.known = [*self.known, *[f"cel.index({number})"] * 3]
        body = self.value(depth)
        self.known = outer
        return f"cel.block([{', '.join(values)}], {body})"

    def _sorted(self, depth: int) -> str:
        range_ = self._range(depth)
        return self._with_variables(1, lambda names: f"{range_}.sortBy({names[0]}, {self.value(depth)})")

    def _with_variables(self, count: int, make: Callable[[list[str]], str]) -> str:
        names = []
        for _ in range(count):
            self.count += 1
            # Sometimes a name hides a variable.
            names.append(self.some(NAMES) if self.chance.random() < 0.1 else f"v{self.count}")
        if len(set(names)) < count:
            names = [f"v{self.count}", f"w{self.count}"]
        outer = self.known
        self.known = [*outer, *names, *names, *names, *(f"{name}.a" for name in names)]
        made = make(names)
        self.known = outer
        return made

    def _range(self, depth: int) -> str:
        if self.chance.random() < 0.5:
            return self.some(
                (
                    "l",
                    "args.l",
                    "m",
                    "[1, 2, 3]",
                    "['a', 'abc']",
                    "args",
                    "{'a': 1, 'b': 2}",
                    "{'b': 1, 'a': n, 'c': s}",
                )
            )
        return self.value(depth)

    def _quantifier(self, depth: int) -> str:
        range_ = self._range(depth)
        count = 2 if self.chance.random() < 0.25 else 1
        name = self.some(("all", "exists", "exists_one"))
        return self._with_variables(
            count, lambda names: f"{range_}.{name}({', '.join(names)}, {self.condition(depth)})"
        )

    def _built(self, depth: int) -> str:
        range_ = self._range(depth)
        name = self.some(("map", "map", "filter", "transformList", "transformMap"))
        count = 2 if name.startswith("transform") else 1
        filtered = name != "filter" and self.chance.random() < 0.4

        def make(names: list[str]) -> str:
            parts = [*names]
            if filtered:
                parts.append(self.condition(depth))
            parts.append(self.condition(depth) if name == "filter" else self.value(depth))
            return f"{range_}.{name}({', '.join(parts)})"

        return self._with_variables(count, make)

    def _bind(self, depth: int) -> str:
        value = self.value(depth)
        return self._with_variables(1, lambda names: f"cel.bind({names[0]}, {value}, {self.value(depth)})")
