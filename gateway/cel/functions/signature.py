"""Functions as data: what they take and give, what they do, a sentence and an example."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from enum import Enum
from functools import cached_property
from typing import Any, TypeAlias

from gateway.cel.budget import Cost
from gateway.cel.types import DYN, ListType, MapType, ObjectType, OptionalType, Type, Variable
from gateway.cel.values import KINDS, Kind, adopt, kind_of, no_overload
from gateway.frozen import frozen

Implementation: TypeAlias = Callable[..., Any]


class Style(Enum):
    """How a function is called: `name(x)`, or `x.name()`."""

    GLOBAL = "global"
    MEMBER = "member"


class Fails(Enum):
    """Whether a call with arguments of the declared types can fail."""

    NEVER = "never"
    SOMETIMES = "sometimes"


@frozen
class Overload:
    """One signature; a member's target is its first parameter. Without `run` it is not built yet."""

    parameters: tuple[Type, ...]
    result: Type
    run: Implementation | None
    fails: Fails = Fails.SOMETIMES
    more: Type | None = None
    """The type of any number of further arguments, if there may be some."""

    def taking(self, count: int) -> tuple[Type, ...] | None:
        """The parameters of a call with so many arguments; None if it takes fewer, or more."""
        further = count - len(self.parameters)
        if further == 0:
            return self.parameters
        return None if further < 0 or self.more is None else (*self.parameters, *(self.more,) * further)


class NotConstant:
    """Stands for an argument whose value is only known when the expression is evaluated."""


NOT_CONSTANT = NotConstant()


@frozen
class Elements:
    """Stands for a list that is written with so many elements, of which only the types are known."""

    types: tuple[Type, ...]


@frozen
class Work:
    """What runs for a call, and what that costs; without a cost it takes as long for any arguments."""

    run: Implementation
    cost: Cost | None = None


@frozen
class Function:
    """A function with its overloads; the example is an expression that is true.

    `specialise` is given the arguments that are constants. It answers with a faster implementation, or None;
    it raises `CelError` for constants with which every call would fail. `cost` is given the values of a call.
    `verify` raises it too: for arguments that are constants, or lists of so many elements with these types.
    """

    name: str
    style: Style
    overloads: tuple[Overload, ...]
    summary: str
    example: str
    specialise: Callable[[Sequence[Any]], Work | None] | None = None
    cost: Cost | None = None
    verify: Callable[[Sequence[Any]], None] | None = None
    judge: Callable[[str], tuple[str, str] | None] | None = None
    """What is wrong with a constant text behind the first argument, or in a list there, and what to write instead."""
    written: str = ""
    """How it is called, if it is a macro: what that takes are names and expressions."""

    @property
    def built(self) -> bool:
        """Whether each overload has an implementation."""
        return all(overload.run is not None for overload in self.overloads)

    def called(self, overload: Overload) -> str:
        """How it is called with these types: `name(int)`, or `string.name(int)`."""
        if self.written:
            return self.written
        first, *rest = map(str, overload.parameters) if overload.parameters else ("",)
        if overload.more is not None:
            rest.append("…")
        if self.style is Style.MEMBER:
            return f"{first}.{self.name}({', '.join(rest)})"
        return f"{self.name}({', '.join((first, *rest))})"


class Library:
    """Functions by name and style."""

    def __init__(self, *functions: Function) -> None:
        self._make: Callable[[], Iterable[Function]] = lambda: functions
        _ = self._functions

    @classmethod
    def of(cls, make: Callable[[], Iterable[Function]]) -> Library:
        """Functions that are made when one of them is first looked for."""
        made = cls.__new__(cls)
        made._make = make
        return made

    @cached_property
    def _functions(self) -> dict[tuple[str, Style], Function]:
        functions = tuple(self._make())
        found = {(function.name, function.style): function for function in functions}
        if len(found) < len(functions):
            raise ValueError("two functions have the same name and style")
        return found

    def __iter__(self) -> Iterator[Function]:
        return iter(self._functions.values())

    def find(self, name: str, style: Style) -> Function | None:
        """The function of that name and style."""
        return self._functions.get((name, style))

    def names(self, style: Style) -> tuple[str, ...]:
        """All names of a style."""
        return tuple(name for name, own in self._functions if own is style)


_KIND_OF_TYPE = {
    "bool": Kind.BOOL,
    "int": Kind.INT,
    "uint": Kind.UINT,
    "double": Kind.DOUBLE,
    "string": Kind.STRING,
    "bytes": Kind.BYTES,
    "null": Kind.NULL,
    "timestamp": Kind.TIMESTAMP,
    "duration": Kind.DURATION,
    "decimal": Kind.DECIMAL,
    "net.IP": Kind.IP,
    "net.CIDR": Kind.CIDR,
    "kubernetes.URL": Kind.URL,
    "type": Kind.TYPE,
}
_MOST_KNOWN = 256


def _takes(parameter: Type, kind: Kind) -> bool:
    match parameter:
        case ListType():
            return kind is Kind.LIST
        case MapType() | ObjectType():
            return kind is Kind.MAP
        case OptionalType():
            return kind is Kind.OPTIONAL
        case Variable(among=among):
            return not among or any(_takes(type_, kind) for type_ in among)
    return parameter == DYN or _KIND_OF_TYPE.get(parameter.name) is kind


def overload_for(function: Function, arguments: Sequence[Any]) -> Overload | None:
    """The overload that fits the kinds of these values."""
    kinds = [kind_of(argument) for argument in arguments]
    for overload in function.overloads:
        parameters = overload.taking(len(kinds))
        if parameters is not None and all(map(_takes, parameters, kinds)):
            return overload
    return None


def dispatcher(function: Function, count: int) -> Implementation:
    """One callable for all overloads with so many arguments.

    Which overload fits is remembered by the classes of the arguments.
    """
    known: dict[Any, Implementation] = {}

    def find(*arguments: Any) -> Any:
        overload = overload_for(function, arguments)
        if overload is None or overload.run is None:
            raise no_overload(function.name, *arguments)
        classes = tuple(argument.__class__ for argument in arguments)
        if not _OWN.issuperset(classes):
            return overload.run(*map(adopt, arguments))
        if len(known) < _MOST_KNOWN:
            known[classes[0] if count == 1 else classes] = overload.run
        return overload.run(*arguments)

    def one(only: Any) -> Any:
        run = known.get(only.__class__)
        return find(only) if run is None else run(only)

    def two(first: Any, second: Any) -> Any:
        run = known.get((first.__class__, second.__class__))
        return find(first, second) if run is None else run(first, second)

    def any_number(*arguments: Any) -> Any:
        run = known.get(tuple([argument.__class__ for argument in arguments]))
        return find(*arguments) if run is None else run(*arguments)

    if count == 1:
        return one
    return two if count == 2 else any_number


_OWN = frozenset(KINDS) - {datetime, timedelta, set, frozenset}
"""Classes whose values functions take as they are; others are adopted first."""
