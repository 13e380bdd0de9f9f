"""A condition as the cases in which it holds, each with what it says of every expression that it compares.

A case is what is left of `&&` once each `||` has been decided. What lies below the comparisons is told apart as text,
so that two cases are only ever found to contradict each other, or to follow from each other, where they really do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, isinf
from typing import TYPE_CHECKING, Any

from gateway.checks.without_nan import is_number

if TYPE_CHECKING:
    from gateway.cel.syntax import Binary, Call, Node
    from gateway.relaxation.implied import Read

_MOST = 64
"""How many cases are looked at before nothing is said."""
_MOST_VALUES = 64
"""How many whole numbers between two bounds are tried one by one."""

Value = tuple[str, Any]
"""A constant, beside the kind within which it is compared."""
Test = tuple[str, str]
"""A function of texts such as `startsWith`, and its constant."""


@dataclass(frozen=True, slots=True)
class Says:
    """What a case says of one expression; `terms` are its words for that."""

    terms: tuple[str, ...] = ()
    truth: bool | None = None
    low: tuple[float, bool] | None = None
    """The bound below, and whether it is left out itself."""
    high: tuple[float, bool] | None = None
    among: frozenset[Value] | None = None
    unlike: frozenset[Value] = frozenset()
    passes: frozenset[Test] = frozenset()
    fails: frozenset[Test] = frozenset()
    both: bool = False
    """Whether it was said to be true and to be false."""

    def and_(self, other: Says) -> Says:
        """What both say together."""
        among = self.among if other.among is None else other.among
        if self.among is not None and other.among is not None:
            among = self.among & other.among
        return Says(
            tuple(dict.fromkeys((*self.terms, *other.terms))),
            other.truth if self.truth is None else self.truth,
            max(filter(None, (self.low, other.low)), default=None),
            min(filter(None, (self.high, other.high)), key=_from_above, default=None),
            among,
            self.unlike | other.unlike,
            self.passes | other.passes,
            self.fails | other.fails,
            self.both or other.both or {self.truth, other.truth} >= {True, False},
        )

    def admits(self, value: Value) -> bool:
        """Whether a constant may be the value."""
        kind, one = value
        if value in self.unlike or (self.among is not None and value not in self.among):
            return False
        if self.low is not None or self.high is not None:
            if kind != "number":
                return False
            if self.low is not None and not _above(one, self.low):
                return False
            if self.high is not None and not _below(one, self.high):
                return False
        if not self.passes and not self.fails:
            return True
        return kind == "text" and all(_passes(one, test) is (test in self.passes) for test in self._tests)

    @property
    def _tests(self) -> frozenset[Test]:
        return self.passes | self.fails

    def values(self, *, whole: bool) -> tuple[Value, ...] | None:
        """All values that there may be, if they are few enough to be listed."""
        if self.among is not None:
            fractions = (one for one in self.among if not (whole and one[0] == "number" and one[1] % 1))
            return tuple(filter(self.admits, fractions))
        if self.low is None or self.high is None:
            return None
        low, high = self.low[0], self.high[0]
        if low == high:
            return tuple(filter(self.admits, [("number", low)]))
        if low > high:
            return ()
        if not whole or high - low > _MOST_VALUES:
            return None
        return tuple(
            filter(self.admits, (("number", one) for one in range(int(low // 1), int(high // 1) + 1)))
        )

    def sharpened(self) -> Says:
        """The same of a whole number, with bounds that are reached."""
        low, high = self.low, self.high
        return replace(
            self,
            low=None if low is None or isinf(low[0]) else (_next_whole(low), False),
            high=None if high is None or isinf(high[0]) else (-_next_whole(_mirror(high)), False),
        )

    def impossible(self, *, whole: bool) -> bool:
        """Whether no value is all of this."""
        if self.both:
            return True
        values = self.values(whole=whole)
        if values is not None:
            return not values
        return any(_apart(one, other) for one in self.passes for other in self.passes) or any(
            _within(one, other) for one in self.passes for other in self.fails
        )

    def follows_from(self, other: Says, *, whole: bool) -> bool:
        """Whether whatever the other one admits is admitted here."""
        values = other.values(whole=whole)
        if values is not None and self.truth is None:
            return all(map(self.admits, values))
        if whole:
            other = other.sharpened()
        if self.among is not None or (self.truth is not None and self.truth is not other.truth):
            return False
        if self.low is not None and (other.low is None or not _reaches(other.low, self.low)):
            return False
        if self.high is not None and (
            other.high is None or not _reaches(_mirror(other.high), _mirror(self.high))
        ):
            return False
        if any(other.admits(one) for one in self.unlike):
            return False
        if not all(any(_within(mine, test) for mine in other.passes) for test in self.passes):
            return False
        return all(
            any(_within(test, mine) for mine in other.fails)
            or any(_apart(mine, test) for mine in other.passes)
            for test in self.fails
        )


Case = Mapping[str, Says]
"""What is said of each expression, by its text."""
Cases = tuple[Case, ...]


def cases(text: str) -> Cases | None:
    """The cases in which a condition in canonical spelling is true; None if they can't be told."""
    return _cases(text, negated=False)


def opposite_cases(text: str) -> Cases | None:
    """The cases in which it is false."""
    return _cases(text, negated=True)


def joined(one: Case, other: Case) -> Case:
    """What both cases say together."""
    found = dict(one)
    for name, says in other.items():
        found[name] = says if name not in found else found[name].and_(says)
    return found


def contradiction(case: Case, whole: Set[str] = frozenset()) -> tuple[str, Says] | None:
    """An expression of which a case says what no value is."""
    for name, says in case.items():
        if says.impossible(whole=is_whole(name, whole)):
            return name, says
    return None


def follows(narrow: Cases, wide: Cases, whole: Set[str] = frozenset()) -> bool:
    """Whether each case of one condition is within a case of another."""
    return all(any(_case_follows(case, one, whole) for one in wide) for case in narrow)


def _case_follows(narrow: Case, wide: Case, whole: Set[str]) -> bool:
    return all(
        name in narrow and says.follows_from(narrow[name], whole=is_whole(name, whole))
        for name, says in wide.items()
    )


def implied(narrow: str, wide: str) -> bool:
    """Whether one condition is true wherever another one is."""
    some, all_ = cases(narrow), cases(wide)
    return narrow == wide or bool(some and all_ and follows(some, all_)) or loops_within(narrow, wide)


def loops_within(narrow: str, wide: str, whole: Set[str] = frozenset()) -> bool:
    """Whether one condition is true wherever another one is, both with a loop, as their structure shows."""
    from gateway.relaxation.implied import implies

    if not any(macro in narrow and macro in wide for macro in MACROS):
        return False
    first, second = _read(narrow), _read(wide)
    return first is not None and second is not None and implies(first, second, whole)


MACROS = (".exists(", ".all(")


@lru_cache(maxsize=4096)
def _read(text: str) -> Read | None:
    from gateway.relaxation.conditions import read

    return read(text)


def is_whole(name: str, whole: Set[str]) -> bool:
    """Whether what an expression comes to is no fraction."""
    return name in whole or name.startswith("size(") or name.endswith(".size()")


class _TooMany(Exception):
    pass


@lru_cache(maxsize=4096)
def _cases(text: str, *, negated: bool) -> Cases | None:
    found = _read(text)
    if found is None:
        return None
    try:
        every = _Reading(text).cases(found.tree, negated=negated)
    except _TooMany:
        return None
    return tuple(every)


class _Reading:
    def __init__(self, text: str) -> None:
        self.source = text

    def text(self, node: Node) -> str:
        return self.source[node.start : node.end]

    def cases(self, node: Node, *, negated: bool) -> list[Case]:
        from gateway.cel.syntax import Literal, Logic, LogicOperator, Unary, UnaryOperator

        match node:
            case Unary(operator=UnaryOperator.NOT, operand=operand):
                return self.cases(operand, negated=not negated)
            case Literal(value=bool(value)):
                return [{}] if value is not negated else []
            case Logic(operator=operator, terms=terms):
                every = [self.cases(term, negated=negated) for term in terms]
                if (operator is LogicOperator.OR) is not negated:
                    found = [case for one in every for case in one]
                else:
                    found = _product(every)
                if len(found) > _MOST:
                    raise _TooMany
                return found
        return [self.atom(node, negated=negated)]

    def atom(self, node: Node, *, negated: bool) -> Case:
        from gateway.cel.syntax import Binary, Call

        words = f"!({self.text(node)})" if negated and not isinstance(node, Call) else self.text(node)
        words = f"!{words}" if negated and isinstance(node, Call) else words
        found: tuple[Node, Says] | None = None
        if isinstance(node, Binary):
            found = _compared(node, negated=negated)
        elif isinstance(node, Call):
            found = _tested(node, negated=negated)
        if found is None:
            return {self.text(node): Says((words,), truth=not negated)}
        return {self.text(found[0]): replace(found[1], terms=(words,))}


def _product(every: Iterable[list[Case]]) -> list[Case]:
    so_far: list[Case] = [{}]
    for one in every:
        if len(so_far) * len(one) > _MOST:
            raise _TooMany
        so_far = [joined(before, case) for before in so_far for case in one]
    return so_far


def _compared(node: Binary, *, negated: bool) -> tuple[Node, Says] | None:
    from gateway.cel.syntax import BinaryOperator, Literal

    if node.operator in (BinaryOperator.EQUAL, BinaryOperator.IN):
        values = _constants(node)
        if values is None:
            return None
        if len(values) == 1 and (only := next(iter(values)))[0] == "bool":
            return node.left, Says(truth=only[1] is not negated)
        return node.left, Says(unlike=values) if negated else Says(among=values)
    right = node.right
    if not isinstance(right, Literal) or right.value.__class__ not in (int, float):
        return None
    if negated and not is_number(node.left):
        return None  # NaN is neither above a bound nor below it
    bound = right.value
    match node.operator, negated:
        case (BinaryOperator.GREATER, False) | (BinaryOperator.LESS_EQUAL, True):
            return node.left, Says(low=(bound, True))
        case (BinaryOperator.GREATER_EQUAL, False) | (BinaryOperator.LESS, True):
            return node.left, Says(low=(bound, False))
        case (BinaryOperator.LESS, False) | (BinaryOperator.GREATER_EQUAL, True):
            return node.left, Says(high=(bound, True))
        case (BinaryOperator.LESS_EQUAL, False) | (BinaryOperator.GREATER, True):
            return node.left, Says(high=(bound, False))
    return None


def _constants(node: Binary) -> frozenset[Value] | None:
    from gateway.cel.syntax import Access, BinaryOperator, ListNode, Literal

    written: list[Node] = [node.right]
    if node.operator is BinaryOperator.IN:
        if not isinstance(node.right, ListNode):
            return None
        written = [element.value for element in node.right.elements if element.access is Access.PLAIN]
        if len(written) < len(node.right.elements):
            return None
    found = [value_of(one.value) if isinstance(one, Literal) else None for one in written]
    return None if None in found else frozenset(one for one in found if one is not None)


def value_of(constant: Any) -> Value | None:
    """A constant as cases hold it."""
    if constant is None:
        return "null", None
    if isinstance(constant, bool):
        return "bool", constant
    if isinstance(constant, int | float):
        return "number", constant
    return ("text", constant) if isinstance(constant, str) else None


_TESTS = ("startsWith", "endsWith", "contains")


def _tested(node: Call, *, negated: bool) -> tuple[Node, Says] | None:
    from gateway.cel.syntax import Literal

    if node.name not in _TESTS or node.target is None or len(node.arguments) != 1:
        return None
    constant = node.arguments[0]
    if not isinstance(constant, Literal) or not isinstance(constant.value, str):
        return None
    tests = frozenset({(node.name, constant.value)})
    return node.target, Says(fails=tests) if negated else Says(passes=tests)


def _passes(text: str, test: Test) -> bool:
    name, part = test
    if name == "contains":
        return part in text
    return text.startswith(part) if name == "startsWith" else text.endswith(part)


def _within(narrow: Test, wide: Test) -> bool:
    """Whether each text that passes one test passes the other."""
    if wide[0] == narrow[0] or wide[0] == "contains":
        return _passes(narrow[1], wide)
    return False


def _apart(one: Test, other: Test) -> bool:
    """Whether no text passes both tests."""
    if one[0] != other[0] or one[0] == "contains":
        return False
    return not _within(one, other) and not _within(other, one)


def _next_whole(low: tuple[float, bool]) -> int:
    least = ceil(low[0])
    return least + 1 if low[1] and least == low[0] else least


def _from_above(bound: tuple[float, bool]) -> tuple[float, bool]:
    return bound[0], not bound[1]


def _mirror(bound: tuple[float, bool]) -> tuple[float, bool]:
    return -bound[0], bound[1]


def _reaches(tight: tuple[float, bool], loose: tuple[float, bool]) -> bool:
    """Whether a bound below is no lower than another one."""
    return tight >= loose


def _above(value: float, low: tuple[float, bool]) -> bool:
    return value > low[0] or (value == low[0] and not low[1])


def _below(value: float, high: tuple[float, bool]) -> bool:
    return value < high[0] or (value == high[0] and not high[1])
