"""What a value can be beyond its type: of which kinds, within which bounds, which of a few that are listed.

A domain holds at least all that the value can be, so what is outside it is proved impossible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from functools import reduce
from typing import Any

from gateway.cel.operators import equal
from gateway.cel.syntax import BinaryOperator
from gateway.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DYN,
    INT,
    NEVER,
    NULL,
    NUMBERS,
    STRING,
    UINT,
    ListType,
    MapType,
    ObjectType,
    SimpleType,
    Type,
    comparable,
    join,
    literal_type,
)
from gateway.frozen import frozen, identified
from gateway.ranges import ANYWHERE, Number, Range, exactly

_EXACT = 2**53
_SIMPLE = frozenset({BOOL, BYTES, DOUBLE, INT, NULL, STRING, UINT})


@frozen
class Never:
    """What a text is known never to be: texts that look right with what is wrong with each, and characters."""

    texts: Mapping[str, str] = field(default_factory=dict)
    characters: str = ""
    advice: str = ""

    def __reduce__(self) -> tuple[type[Never], tuple[()]]:
        """Only the author of a policy is told it: one that is kept needs nothing of it."""
        return Never, ()


@frozen
class Form:
    """One kind of value that may be there: its type, its range, and what its elements can be."""

    type: Type
    range: Range = ANYWHERE
    element: Domain | None = None
    first: tuple[Domain | None, ...] = ()
    """What the first elements of a list can be, where each has its own type."""
    never: Never | None = None

    def lacks(self, text: str) -> bool:
        """Whether a text holds a character that is never in a value of this kind."""
        return self.never is not None and any(one in self.never.characters for one in text)


@identified
class Domain:
    """The forms that a value may have, by the name of their kind."""

    forms: Mapping[str, Form]
    written: bool = False
    """Whether the expression itself says all of it, as of the elements of `[1, 2]`: comparing these is no mistake."""

    @property
    def type(self) -> Type:
        """The one type that the value has, or dyn; never if nothing fits."""
        if not self.forms:
            return NEVER
        found = {form.type for form in self.forms.values()}
        return found.pop() if len(found) == 1 else DYN

    @property
    def types(self) -> tuple[Type, ...]:
        """Every type that the value may have."""
        return tuple(form.type for form in self.forms.values())

    def __str__(self) -> str:
        return " or ".join(str(form.type) for form in self.forms.values())

    def only(self, kinds: Iterable[str]) -> Domain:
        """The domain of a value that is known to be of one of some kinds."""
        kept = set(kinds)
        return Domain({kind: form for kind, form in self.forms.items() if kind in kept}, self.written)

    @property
    def listed(self) -> tuple[Any, ...] | None:
        """The only values, if all of them are known."""
        values: list[Any] = []
        for kind, form in self.forms.items():
            if kind == "null":
                values.append(None)
            elif form.range.listed is None:
                return None
            else:
                values.extend(one for one in form.range.listed if form.range.holds(_measure(one)))
        return tuple(values)


KINDS = frozenset({"null", "bool", "int", "uint", "double", "string", "bytes", "list", "map"})
ANY_KIND: Mapping[str, Type] = {
    **{type_.name: type_ for type_ in _SIMPLE},
    "list": ListType(DYN),
    "map": MapType(STRING, DYN, free=True),
}


def kind_of_type(type_: Type) -> str | None:
    """The kind of the values of a type; None where that is not known, or of no interest."""
    match type_:
        case SimpleType(name=name):
            return name if type_ in _SIMPLE else None
        case ListType():
            return "list"
        case MapType() | ObjectType():
            return "map"
    return None


def of_type(type_: Type) -> Domain | None:
    """All values of a type; None if it does not say the kind."""
    kind = kind_of_type(type_)
    return None if kind is None else Domain({kind: Form(type_)})


def of_literal(value: Any) -> Domain | None:
    """A constant."""
    type_ = literal_type(value)
    kind = kind_of_type(type_)
    return None if kind is None else Domain({kind: Form(type_, exactly((value,)))}, written=True)


def texts(values: Iterable[str]) -> Domain:
    """One of some texts."""
    return Domain({"string": Form(STRING, exactly(values))})


def sizes(domain: Domain) -> Domain:
    """How many characters, elements or keys a value of a domain can have."""
    form = Form(INT, reduce(Range.either, map(_sizes, domain.forms.values())))
    return Domain({"int": form}, domain.written)


def _sizes(form: Form) -> Range:
    listed = form.range.listed
    if listed is not None and all(one.__class__ is str for one in listed):
        return exactly(len(one) for one in listed if _within(one, form.range))
    return Range(0 if form.range.low is None else form.range.low, form.range.high)


def either(domains: Iterable[Domain | None]) -> Domain | None:
    """A value of one of several domains; None where one of them is not known."""
    found: dict[str, Form] = {}
    written = True
    for domain in domains:
        if domain is None:
            return None
        written = written and domain.written
        for kind, form in domain.forms.items():
            mine = found.get(kind)
            if mine is None:
                found[kind] = form
            elif mine is not form:
                element = either((mine.element, form.element))
                type_ = join(mine.type, form.type)
                type_ = type_ if kind_of_type(type_) == kind else ANY_KIND[kind]
                found[kind] = Form(type_, mine.range.either(form.range), element)
    return Domain(found, written and bool(found))


def values_of(type_: ObjectType) -> Domain | None:
    """What any value of an object can be; None if one of them is not known."""
    known = [one.domain or of_type(one.type) for one in type_.fields.values()]
    return either([*known, type_.others] if type_.open else known)


def as_doubles(form: Form) -> Form:
    """The form of whole and other numbers once all of them are turned into doubles."""
    range_ = form.range
    low = None if range_.low is None else min(range_.low, _double(range_.low))
    high = None if range_.high is None else max(range_.high, _double(range_.high))
    return replace(
        form,
        type=DOUBLE,
        range=Range(
            low,
            high,
            range_.low_open and _is_exact(range_.low),
            range_.high_open and _is_exact(range_.high),
            None if range_.listed is None else tuple(map(_double, range_.listed)),
        ),
    )


def _double(value: Number) -> Number:
    try:
        return float(value)
    except OverflowError:
        return value


def _is_exact(value: Number | None) -> bool:
    return value is not None and -_EXACT <= value <= _EXACT


def _measure(value: Any) -> Number:
    """What bounds are about: a number itself, the size of anything that has one."""
    return value if value.__class__ in (int, float) or isinstance(value, int) else len(value)


# What two values can never be to each other


def never_equal(left: Domain, right: Domain) -> bool:
    """Whether no value of one domain equals one of the other."""
    return all(
        not comparable(one.type, other.type) or _apart(one, other)
        for one in left.forms.values()
        for other in right.forms.values()
    )


def _apart(one: Form, other: Form) -> bool:
    """Whether the ranges of two forms of one kind have nothing in common."""
    if one.type == NULL:
        return False
    if one.range.listed is not None and other.range.listed is not None:
        return not _common(one, other)
    if other.range.listed is not None:
        one, other = other, one
    if one.range.listed is not None:
        return not any(_may_be(value, other) for value in one.range.listed)
    return _below(one.range, other.range) or _below(other.range, one.range)


def _may_be(value: Any, form: Form) -> bool:
    return _within(value, form.range) and not (isinstance(value, str) and form.lacks(value))


def _within(value: Any, range_: Range) -> bool:
    return range_.holds(_measure(value))


def _common(one: Form, other: Form) -> bool:
    return any(
        equal(value, second)
        for value in one.range.listed or ()
        if _within(value, one.range)
        for second in other.range.listed or ()
        if _within(second, other.range)
    )


def _below(one: Range, other: Range) -> bool:
    """Whether all of one range is less than all of the other."""
    if one.high is None or other.low is None:
        return False
    return one.high < other.low or (one.high == other.low and (one.high_open or other.low_open))


_ORDERS: Mapping[BinaryOperator, Callable[[Any, Any], bool]] = {
    BinaryOperator.LESS: lambda left, right: left < right,
    BinaryOperator.LESS_EQUAL: lambda left, right: left <= right,
    BinaryOperator.GREATER: lambda left, right: left > right,
    BinaryOperator.GREATER_EQUAL: lambda left, right: left >= right,
}


def never_ordered(symbol: BinaryOperator, left: Domain, right: Domain) -> bool:
    """Whether no value of the left is in this order with one of the right, as far as numbers tell."""
    return bool(left.forms and right.forms) and all(
        _never_ordered(symbol, one, other) for one in left.forms.values() for other in right.forms.values()
    )


def _never_ordered(symbol: BinaryOperator, one: Form, other: Form) -> bool:
    if one.type not in NUMBERS or other.type not in NUMBERS:
        return False
    if symbol in (BinaryOperator.LESS, BinaryOperator.LESS_EQUAL):
        one, other = other, one
    strict = symbol in (BinaryOperator.LESS, BinaryOperator.GREATER)
    highest, high_open = _highest(one.range)
    lowest, low_open = _lowest(other.range)
    if highest is None or lowest is None:
        return False
    # Integers and doubles are compared as doubles, so large ones tell nothing.
    if not (_is_exact(highest) and _is_exact(lowest)) and {one.type, other.type} != {INT}:
        return False
    return highest < lowest or (highest == lowest and (strict or high_open or low_open))


def _highest(range_: Range) -> tuple[Number | None, bool]:
    if range_.listed is not None:
        return max((one for one in range_.listed if range_.holds(one)), default=None), False
    return range_.high, range_.high_open


def _lowest(range_: Range) -> tuple[Number | None, bool]:
    if range_.listed is not None:
        return min((one for one in range_.listed if range_.holds(one)), default=None), False
    return range_.low, range_.low_open


# In words


def in_words(domain: Domain, *, low: bool = True, high: bool = True) -> str:
    """What a value can be, for people, with these of its bounds; empty if nothing narrows it."""
    listed = domain.listed
    if listed is not None and 0 < len(listed) <= _MOST_LISTED:
        return f"it is {'one of ' if len(listed) > 1 else ''}{', '.join(f'`{shown(one)}`' for one in listed)}"
    if len(domain.forms) != 1:
        return ""
    ((kind, form),) = domain.forms.items()
    least, most = form.range.low if low else None, form.range.high if high else None
    unit = _UNITS.get(kind, ("", ""))
    parts: list[str] = []
    if least is not None:
        parts.append(f"{'more than' if form.range.low_open else 'at least'} {_counted(least, unit)}")
    if most is not None:
        parts.append(f"{'less than' if form.range.high_open else 'at most'} {_counted(most, unit)}")
    return f"it {'has' if unit[0] else 'is'} {' and '.join(parts)}" if parts else ""


_MOST_LISTED = 20
_UNITS = {"string": ("character", "characters"), "list": ("element", "elements"), "map": ("key", "keys")}


def _counted(count: Number, unit: tuple[str, str]) -> str:
    shown_count = int(count) if isinstance(count, float) and count.is_integer() else count
    return f"{shown_count} {unit[0] if count == 1 else unit[1]}".rstrip()


def shown(value: Any) -> str:
    """A constant as it stands in a message: texts bare, others as CEL writes them."""
    from gateway.diagnostic import shortened

    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    return shortened(value) if isinstance(value, str) else str(value)
