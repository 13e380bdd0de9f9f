"""The values of CEL that Python has no type for, and the error of an evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING, Any, Self

from gateway.frozen import frozen, identified

if TYPE_CHECKING:
    from gateway.diagnostic import Excerpt, Span

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
UINT_MAX = 2**64 - 1
NANOS = 1_000_000_000
TIMESTAMP_MIN = -62_135_596_800 * NANOS
TIMESTAMP_MAX = 253_402_300_800 * NANOS - 1


class ErrorKind(Enum):
    """Why an evaluation failed."""

    NO_SUCH_OVERLOAD = "no such overload"
    NO_SUCH_KEY = "no such key"
    NO_SUCH_NAME = "no such name"
    OUT_OF_RANGE = "out of range"
    DIVIDE_BY_ZERO = "divide by zero"
    INVALID = "invalid value"
    LIMIT = "limit"
    NOT_BUILT = "not built"


class CelError(Exception):
    """An evaluation that failed; `start` and `end` are offsets into `excerpt`, once they are known."""

    def __init__(self, kind: ErrorKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.start = -1
        self.end = -1
        self.excerpt: Excerpt | None = None

    def at(self, excerpt: Excerpt, start: int, end: int) -> CelError:
        """The same error, placed there unless it already has a place further inside."""
        if self.excerpt is None:
            self.excerpt, self.start, self.end = excerpt, start, end
        return self

    @property
    def span(self) -> Span | None:
        """Where in the source the evaluation failed."""
        return None if self.excerpt is None else self.excerpt.span(self.start, self.end)


class UInt(int):
    """An unsigned integer of 64 bits."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{int(self)}u"


class _Ordered:
    """What is ordered by its nanoseconds, each only beside its own kind."""

    __slots__ = ()
    nanos: Any

    def __lt__(self, other: Self) -> bool:
        return self.nanos < other.nanos if other.__class__ is self.__class__ else NotImplemented

    def __le__(self, other: Self) -> bool:
        return self.nanos <= other.nanos if other.__class__ is self.__class__ else NotImplemented

    def __gt__(self, other: Self) -> bool:
        return self.nanos > other.nanos if other.__class__ is self.__class__ else NotImplemented

    def __ge__(self, other: Self) -> bool:
        return self.nanos >= other.nanos if other.__class__ is self.__class__ else NotImplemented


@frozen
class Timestamp(_Ordered):
    """A moment, in nanoseconds since 1970 UTC."""

    nanos: int

    @classmethod
    def of(cls, nanos: int) -> Timestamp:
        """The moment, or an error outside the years 1 to 9999."""
        if TIMESTAMP_MIN <= nanos <= TIMESTAMP_MAX:
            return cls(nanos)
        raise CelError(ErrorKind.OUT_OF_RANGE, "timestamp out of range")


@frozen
class Duration(_Ordered):
    """A stretch of time, in nanoseconds."""

    nanos: int

    @classmethod
    def of(cls, nanos: int) -> Duration:
        """The duration, or an error beyond 64 bits."""
        if INT_MIN <= nanos <= INT_MAX:
            return cls(nanos)
        raise CelError(ErrorKind.OUT_OF_RANGE, "duration out of range")


MAX_DIGITS = 38


@frozen
class Decimal:
    """An exact number: whole units, each a tenth, a hundredth and so on, as the scale says.

    Two are equal if their values are: 1.5 is 1.50. As text each keeps its own digits.
    """

    units: int
    scale: int

    @classmethod
    def of(cls, units: int, scale: int) -> Decimal:
        """The number, or an error if it has more digits than fit; zeros at its end are given up first."""
        while scale and units % 10 == 0 and (scale > MAX_DIGITS or abs(units) >= _DECIMAL_END):
            units, scale = units // 10, scale - 1
        if scale <= MAX_DIGITS and abs(units) < _DECIMAL_END:
            return cls(units, scale)
        raise CelError(ErrorKind.OUT_OF_RANGE, f"a decimal has more than {MAX_DIGITS} digits")

    def scaled(self, scale: int) -> int:
        """The units at a scale that is not smaller."""
        return int(self.units * 10 ** (scale - self.scale))

    def _beside(self, other: Decimal) -> tuple[int, int]:
        scale = max(self.scale, other.scale)
        return self.scaled(scale), other.scaled(scale)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Decimal):
            return NotImplemented
        one, two = self._beside(other)
        return one == two

    def __lt__(self, other: Decimal) -> bool:
        one, two = self._beside(other)
        return one < two

    def __le__(self, other: Decimal) -> bool:
        one, two = self._beside(other)
        return one <= two

    def __gt__(self, other: Decimal) -> bool:
        one, two = self._beside(other)
        return one > two

    def __ge__(self, other: Decimal) -> bool:
        one, two = self._beside(other)
        return one >= two

    def __hash__(self) -> int:
        # Of the text, whose hash nobody can foresee: units that hash alike could be chosen.
        text = str(self)
        return hash(text.rstrip("0").rstrip(".") if self.scale else text)

    def __bool__(self) -> bool:
        return self.units != 0

    def __str__(self) -> str:
        digits = str(abs(self.units)).rjust(self.scale + 1, "0")
        sign = "-" if self.units < 0 else ""
        place = len(digits) - self.scale
        return f"{sign}{digits[:place]}.{digits[place:]}" if self.scale else f"{sign}{digits}"

    __repr__ = __str__


_DECIMAL_END = 10**MAX_DIGITS


@frozen
class Ip:
    """An address of the internet: the family 4 or 6, and its bits as a number."""

    family: int
    bits: int

    def __hash__(self) -> int:
        # Of the text, whose hash nobody can foresee: bits that hash alike could be chosen.
        return hash((self.family, hex(self.bits)))


@frozen
class Cidr:
    """A range of addresses: one of them, and how many bits all have in common."""

    ip: Ip
    length: int


@frozen
class Url:
    """A URL by its parts; `text` is the whole in the one spelling that we keep."""

    text: str
    scheme: str
    hostname: str
    port: str
    path: str
    query: str


@frozen
class TypeValue:
    """A type as a value: what `type(x)` gives, and what `int` alone names."""

    name: str


@identified
class OptionalValue:
    """A value that may be absent."""

    value: Any
    present: bool


NONE = OptionalValue(None, False)


def some(value: Any) -> OptionalValue:
    """An optional that holds a value."""
    return OptionalValue(value, True)


class Kind(Enum):
    """The run-time kinds of values; the texts are the names that CEL gives their types."""

    BOOL = "bool"
    INT = "int"
    UINT = "uint"
    DOUBLE = "double"
    STRING = "string"
    BYTES = "bytes"
    NULL = "null_type"
    LIST = "list"
    MAP = "map"
    TIMESTAMP = "google.protobuf.Timestamp"
    DURATION = "google.protobuf.Duration"
    DECIMAL = "decimal"
    IP = "net.IP"
    CIDR = "net.CIDR"
    URL = "kubernetes.URL"
    TYPE = "type"
    OPTIONAL = "optional_type"
    OTHER = "dyn"


KINDS: dict[type, Kind] = {
    bool: Kind.BOOL,
    int: Kind.INT,
    UInt: Kind.UINT,
    float: Kind.DOUBLE,
    str: Kind.STRING,
    bytes: Kind.BYTES,
    type(None): Kind.NULL,
    list: Kind.LIST,
    tuple: Kind.LIST,
    frozenset: Kind.LIST,
    set: Kind.LIST,
    dict: Kind.MAP,
    Timestamp: Kind.TIMESTAMP,
    datetime: Kind.TIMESTAMP,
    Duration: Kind.DURATION,
    timedelta: Kind.DURATION,
    Decimal: Kind.DECIMAL,
    Ip: Kind.IP,
    Cidr: Kind.CIDR,
    Url: Kind.URL,
    TypeValue: Kind.TYPE,
    OptionalValue: Kind.OPTIONAL,
}
_BASES = (UInt, bool, int, float, str, bytes, list, tuple, frozenset, set, Timestamp, datetime, timedelta)


def kind_of(value: Any) -> Kind:
    """The kind of a value, whether CEL made it or a host passed it."""
    kind = KINDS.get(value.__class__)
    if kind is not None:
        return kind
    if isinstance(value, Mapping):
        return Kind.MAP
    for base in _BASES:
        if isinstance(value, base):
            return KINDS[base]
    return Kind.OTHER


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def adopt(value: Any) -> Any:
    """A host's value as CEL knows it: datetimes and timedeltas become ours, sets become lists.

    A datetime without a time zone is taken as UTC. Everything else stays what it is.
    """
    if isinstance(value, datetime):
        aware = value if value.tzinfo else value.replace(tzinfo=UTC)
        return Timestamp.of((aware - _EPOCH) // _MICROSECOND * 1000)
    if isinstance(value, timedelta):
        return Duration.of(value // _MICROSECOND * 1000)
    if isinstance(value, frozenset | set):
        return sorted(value, key=repr)  # one order, whatever the hash seed
    if value.__class__ not in KINDS:
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return int(value)
    return value


def type_name(value: Any) -> str:
    """The name of a value's type, for messages and for `type()`."""
    return kind_of(value).value


def no_overload(what: str, *values: Any) -> CelError:
    """The error of an operator or function that has no meaning for these values."""
    return CelError(
        ErrorKind.NO_SUCH_OVERLOAD, f"`{what}` can't take {', '.join(type_name(value) for value in values)}"
    )
