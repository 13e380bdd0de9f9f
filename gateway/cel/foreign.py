"""What is called otherwise in other languages, and what to write here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gateway.cel.functions.signature import Library, Style
from gateway.cel.macros import MACRO_NAMES
from gateway.cel.signatures import choose
from gateway.cel.types import Type
from gateway.diagnostic import suggest

_CONSTANTS: Mapping[str, str] = {
    "True": "true",
    "False": "false",
    "None": "null",
    "nil": "null",
    "undefined": "null",
    "TRUE": "true",
    "FALSE": "false",
    "NULL": "null",
    "not": "!",
}
_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("user", "principal", "actor", "caller", "identity"), "subject"),
    **dict.fromkeys(("request", "input", "params", "parameters", "arguments", "payload"), "args"),
    **dict.fromkeys(("context", "ctx", "environment", "env"), "session"),
    **dict.fromkeys(("time", "today", "date", "timestamp_now"), "now"),
    **dict.fromkeys(("response", "output"), "result"),
}
"""A name of another language, and the variable that it probably means."""

_UPPER, _LOWER = "`x.upperAscii()`", "`x.lowerAscii()`"
_SIZE, _EMPTY = "`x.size()`", "`x.size() == 0`"
_EXISTS, _ALL = "`list.exists(x, …)`", "`list.all(x, …)`"
_TIME, _LENGTH = '`timestamp("2026-11-30T09:00:00Z")`', '`duration("720h")`'
_HELD = "`value in list`, or `text.contains(part)`"
_SUM = "nothing adds up a list; compare each value with `list.all(x, …)`"
_FUNCTIONS: Mapping[str, str] = {
    **dict.fromkeys(("lower", "lowercase", "toLowerCase", "toLower", "to_lower", "lcase"), _LOWER),
    **dict.fromkeys(("upper", "uppercase", "toUpperCase", "toUpper", "to_upper", "ucase"), _UPPER),
    **dict.fromkeys(("len", "length", "count", "strlen", "card", "getSize", "getLength"), _SIZE),
    **dict.fromkeys(("isEmpty", "is_empty", "empty"), _EMPTY),
    **dict.fromkeys(("any", "some", "anyMatch", "any_match"), _EXISTS),
    **dict.fromkeys(("every", "allMatch", "forAll", "forall"), _ALL),
    **dict.fromkeys(("where", "select", "findAll"), "`list.filter(x, …)`"),
    **dict.fromkeys(("includes", "include", "containsAny", "in_array", "member"), _HELD),
    **dict.fromkeys(("date", "datetime", "dateTime", "time", "toDate", "parseDate", "date_parse"), _TIME),
    **dict.fromkeys(("days", "hours", "minutes", "seconds", "interval", "timedelta"), _LENGTH),
    **dict.fromkeys(
        ("money", "amount", "numeric", "bigdecimal", "Decimal", "currency"), '`decimal("12.30")`'
    ),
    **dict.fromkeys(("str", "toString", "to_string", "text"), "`string(x)`"),
    **dict.fromkeys(("float", "number", "toNumber", "parseFloat"), "`double(x)`"),
    **dict.fromkeys(("integer", "toInt", "parseInt"), "`int(x)`"),
    **dict.fromkeys(("boolean", "toBool"), "`bool(x)`"),
    **dict.fromkeys(("typeof", "type_of", "isinstance"), "`type(x) == string`"),
    **dict.fromkeys(("isset", "defined", "is_defined", "exist", "hasField", "isNotNull"), "`has(x.field)`"),
    **dict.fromkeys(("isNull", "is_null"), "`x == null`"),
    **dict.fromkeys(("coalesce", "ifnull", "nvl", "getOrDefault", "default"), "`x.?field.orValue(…)`"),
    **dict.fromkeys(("min", "minimum"), "`math.least(…)`"),
    **dict.fromkeys(("max", "maximum"), "`math.greatest(…)`"),
    **dict.fromkeys(("sum", "total", "avg", "average"), _SUM),
    **dict.fromkeys(
        ("regex", "regexp", "re_match", "regexMatch", "match", "test", "search"), "`x.matches(…)`"
    ),
    **dict.fromkeys(("like", "fnmatch", "globMatch", "glob_match"), "`x.glob(…)`"),
    **dict.fromkeys(("hasPrefix", "beginsWith", "starts_with"), "`x.startsWith(…)`"),
    **dict.fromkeys(("hasSuffix", "ends_with"), "`x.endsWith(…)`"),
    **dict.fromkeys(("strip", "trimSpace"), "`x.trim()`"),
    **dict.fromkeys(("substr", "mid"), "`x.substring(…)`"),
    **dict.fromkeys(("concat", "append", "plus", "add"), "`a + b`"),
    **dict.fromkeys(("equals", "eq", "equal"), "`a == b`"),
    **dict.fromkeys(("before", "isBefore", "lt", "lessThan"), "`a < b`"),
    **dict.fromkeys(("after", "isAfter", "gt", "greaterThan"), "`a > b`"),
    **dict.fromkeys(("keys", "values", "items"), "`map.all(key, value, …)` or `map.exists(key, value, …)`"),
    **dict.fromkeys(("unique", "uniq"), "`list.distinct()`"),
    **dict.fromkeys(("divide", "div"), "`a / b`, or `a.quotient(b, 2)` of decimals"),
    **dict.fromkeys(("inRange", "cidrMatch", "in_cidr", "ip_in_range"), "`cidr(…).containsIP(x)`"),
    **dict.fromkeys(("year", "getYear"), "`x.getFullYear()`"),
    **dict.fromkeys(("month",), "`x.getMonth()`"),
    **dict.fromkeys(("day", "getDay"), "`x.getDate()`"),
    **dict.fromkeys(("weekday", "dayOfWeek", "isoweekday"), "`x.getDayOfWeek()`"),
    **dict.fromkeys(("hour", "getHour"), "`x.getHours()`"),
    **dict.fromkeys(("minute",), "`x.getMinutes()`"),
    **dict.fromkeys(("hostname", "host"), "`url(x).getHostname()`"),
    "now": "`now`",
    "not": "`!`",
    "and": "`&&`",
    "or": "`||`",
    "if": "`condition ? this : that`",
}
"""A function of another language, and what to write, or why there is no such thing."""


def for_name(name: str, known: Iterable[str]) -> str:
    """What to write instead of a name that nothing has, if that can be told."""
    variables = list(known)
    meant = _CONSTANTS.get(name, "")
    if not meant and _NAMES.get(name) in variables:
        meant = _NAMES[name]
    meant = meant or next(iter(suggest(name, variables)), "")
    return f"did you mean `{meant}`?" if meant else ""


def for_function(name: str, style: Style, library: Library) -> str:
    """What to write instead of a function that there is not, if that can be told."""
    if name in MACRO_NAMES:
        return "a macro takes a name and an expression: `list.all(x, x > 0)`"
    if style is Style.GLOBAL and library.find(name, Style.MEMBER) and name not in _FUNCTIONS:
        return f"write `x.{name}(…)`"
    if style is Style.MEMBER and library.find(name, Style.GLOBAL):
        return f"write `{name}(x)`"
    if meant := _FUNCTIONS.get(name):
        return f"write {meant}" if meant.startswith("`") else meant
    names = library.names(Style.GLOBAL)
    if longer := [f"`{one}(…)`" for one in names if one.endswith(f".{name}") and not one.startswith("cel.")]:
        return f"write {' or '.join(longer)}"
    near = suggest(name, [*library.names(style), *MACRO_NAMES])
    return f"did you mean `{near[0]}`?" if near else ""


def for_field(name: str, type_: Type, library: Library) -> str:
    """What to write instead of a field of a value that has none."""
    function = library.find(name, Style.MEMBER)
    if function is not None and choose(function.overloads, (type_,)) is not None:
        return f"write `{name}()`"
    meant = _FUNCTIONS.get(name, "")
    return f"write {meant}" if meant.startswith("`x.") else ""
