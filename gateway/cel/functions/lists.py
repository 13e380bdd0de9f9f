"""Lists: their parts, their order, and lists made of lists. Places are counted from 0."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import attrgetter
from typing import Any

from gateway.cel.budget import MAX_STEPS, count, length, made, size
from gateway.cel.functions.sets import key_of
from gateway.cel.functions.signature import Fails, Function, Overload, Style
from gateway.cel.types import DYN, INT, ORDERED, STRING, ListType, OptionalType, Variable
from gateway.cel.values import NONE, CelError, ErrorKind, Kind, OptionalValue, adopt, kind_of, some

_A = Variable("A")
_LIST = ListType(_A)
_ORDERED_LISTS = tuple(ListType(type_) for type_ in sorted(ORDERED, key=str))
_INSTANTS = frozenset({Kind.TIMESTAMP, Kind.DURATION})
_LISTS = frozenset({list, tuple, set, frozenset})
_UNORDERED = frozenset({Kind.NULL, Kind.LIST, Kind.MAP, Kind.TYPE, Kind.OPTIONAL, Kind.OTHER})
_TOO_MUCH = MAX_STEPS + 1


def _slice(values: Any, start: int, end: int) -> list[Any]:
    own = adopt(values)
    if 0 <= start <= end <= len(own):
        return list(own[start:end])
    raise CelError(ErrorKind.OUT_OF_RANGE, f"a list of {len(own)} has no part from {start} to {end}")


def _flatten(values: Any, depth: int = 1) -> list[Any]:
    if depth < 0:
        raise CelError(ErrorKind.OUT_OF_RANGE, f"a list can't be flattened to a depth of {depth}")
    found: list[Any] = []
    pending = [(iter(adopt(values)), depth)]
    while pending:
        rest, left = pending[-1]
        for value in rest:
            if left and value.__class__ in _LISTS:
                pending.append((iter(adopt(value)), left - 1))
                break
            found.append(value)
        else:
            pending.pop()
    return found


def _distinct(values: Any) -> list[Any]:
    found: dict[Hashable, Any] = {}
    for value in adopt(values):
        found.setdefault(key_of(value), value)
    return list(found.values())


def _first(values: Any) -> OptionalValue:
    return some(adopt(values)[0]) if values else NONE


def _last(values: Any) -> OptionalValue:
    return some(adopt(values)[-1]) if values else NONE


def _ordered(values: Any) -> list[Any]:
    """What a list is sorted by: values of one kind, which has an order."""
    keys = [adopt(value) for value in adopt(values)]
    kinds = set(map(kind_of, keys))
    if len(kinds) > 1:
        raise CelError(ErrorKind.NO_SUCH_OVERLOAD, "`sort` takes values of one type")
    if kinds & _UNORDERED:
        raise CelError(ErrorKind.NO_SUCH_OVERLOAD, f"`sort` can't take a list of {kinds.pop().value}")
    return list(map(attrgetter("nanos"), keys)) if kinds & _INSTANTS else keys


def _sort(values: Any) -> list[Any]:
    return _sort_by(values, values)


def _sort_by(values: Any, keys: Any) -> list[Any]:
    """The values in the order of the keys; what has equal keys stays in the order that it has."""
    own, order = adopt(values), _ordered(keys)
    if len(own) != len(order):
        raise CelError(ErrorKind.INVALID, "`sortBy` takes as many keys as there are elements")
    return [own[place] for place in sorted(range(len(own)), key=order.__getitem__)]


def _listed(values: Any, *_: Any) -> int:
    """A host's set has to be put in order before anything can be taken from it."""
    return 10 * len(values) if isinstance(values, set | frozenset) else 0


def _copied(values: Any, *_: Any) -> int:
    if isinstance(values, str):
        return made(2 * len(values))
    return _listed(values) + (count(values) >> 3)


def _part(values: Any, start: Any, end: Any) -> int:
    whole = isinstance(start, int) and isinstance(end, int)
    return _listed(values) + (max(0, min(end, count(values)) - start) >> 3 if whole else 0)


def _flat(values: Any, depth: Any = 1) -> int:
    """Every element at every depth, counted before the list is made: one list may stand in many places."""
    if not isinstance(depth, int) or count(values) == 0:
        return 0
    steps = _listed(values)
    pending = [(values, depth)]
    while pending:
        current, left = pending.pop()
        steps += 2 * len(current)
        if steps > MAX_STEPS:
            return _TOO_MUCH
        if left > 0:
            pending.extend((value, left - 1) for value in current if value.__class__ in _LISTS)
    return steps


def _compared(values: Any) -> int:
    return _listed(values) + 5 * size(values)


def _sorted(values: Any, keys: Any = None) -> int:
    by = values if keys is None else keys
    rounds = count(by).bit_length()
    characters = sum(map(length, by)) if count(by) else 0
    return _listed(values) + (count(by) * (8 + rounds) >> 1) + (characters * rounds >> 9)


def _counted(number: Any) -> int:
    return max(0, min(number, _TOO_MUCH)) if isinstance(number, int) else 0


def _of_list(
    name: str, run: Callable[..., Any], result: Any, summary: str, example: str, cost: Any
) -> Function:
    overload = Overload((_LIST,), result, run, Fails.NEVER)
    return Function(name, Style.MEMBER, (overload,), summary, example, cost=cost)


FUNCTIONS = (
    _of_list(
        "first",
        _first,
        OptionalType(_A),
        "The first element of a list, as an optional.",
        "[1, 2, 3].first().value() == 1",
        _listed,
    ),
    _of_list(
        "last",
        _last,
        OptionalType(_A),
        "The last element of a list, as an optional.",
        "[].last().orValue(0) == 0",
        _listed,
    ),
    Function(
        "slice",
        Style.MEMBER,
        (Overload((_LIST, INT, INT), _LIST, _slice),),
        "The part of a list from one place up to another.",
        "[1, 2, 3, 4].slice(1, 3) == [2, 3]",
        cost=_part,
    ),
    Function(
        "flatten",
        Style.MEMBER,
        (
            Overload((ListType(_LIST),), _LIST, _flatten, Fails.NEVER),
            Overload((ListType(DYN), INT), ListType(DYN), _flatten),
        ),
        "A list with the elements of the lists in it in their place, down to a depth, which is 1 if it is not given.",
        "[1, [2, [3]]].flatten() == [1, 2, [3]]",
        cost=_flat,
    ),
    _of_list(
        "distinct",
        _distinct,
        _LIST,
        "The elements of a list, each once, in the order in which they come first.",
        "[1, 2, 1.0, 3].distinct() == [1, 2, 3]",
        _compared,
    ),
    Function(
        "reverse",
        Style.MEMBER,
        (
            Overload((STRING,), STRING, lambda text: text[::-1], Fails.NEVER),
            Overload((_LIST,), _LIST, lambda values: list(adopt(values))[::-1], Fails.NEVER),
        ),
        "The characters of a string, or the elements of a list, from the last to the first.",
        "'abc'.reverse() == 'cba' && [1, 2].reverse() == [2, 1]",
        cost=_copied,
    ),
    Function(
        "sort",
        Style.MEMBER,
        tuple(Overload((ordered,), ordered, _sort) for ordered in _ORDERED_LISTS),
        "The elements of a list, which have one type, from the least to the greatest.",
        "[3, 1, 2].sort() == [1, 2, 3]",
        cost=_sorted,
    ),
    Function(
        "sortBy",
        Style.MEMBER,
        tuple(Overload((_LIST, ordered), _LIST, _sort_by) for ordered in _ORDERED_LISTS),
        "The elements of a list in the order of what an expression gives for each: a macro, `x.sortBy(e, …)`.",
        "['ccc', 'a', 'bb'].sortBy(e, size(e)) == ['a', 'bb', 'ccc']",
        cost=_sorted,
        written="list(A).sortBy(name, expression)",
    ),
    Function(
        "lists.range",
        Style.GLOBAL,
        (Overload((INT,), ListType(INT), lambda number: list(range(number)), Fails.NEVER),),
        "The numbers from 0 up to one that is not among them.",
        "lists.range(3) == [0, 1, 2]",
        cost=_counted,
    ),
)
