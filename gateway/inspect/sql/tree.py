"""Whether a condition keeps nothing back: read from its syntax tree, which sqlglot makes."""

from __future__ import annotations

import logging
import operator
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from gateway.inspect.sql.lexer import Token
from gateway.later import later

logging.getLogger("sqlglot").disabled = True

MAX_CONDITION = 400
_MAX_BRACKETS = 40
_FALLBACKS = ("postgres", "mysql", "tsql")
_NAMES = {
    "postgresql": "postgres",
    "mariadb": "mysql",
    "mssql": "tsql",
    "standard": "",
}
_KNOWN_WORDS = """
postgres mysql sqlite tsql snowflake bigquery clickhouse oracle duckdb redshift spark hive databricks trino  presto
"""
_KNOWN = frozenset(_KNOWN_WORDS.split())
_KEYS = later(r"(?:\w*_)?(?:id|pk|uuid|guid|rowid|oid|ctid|key)|rownum|_id|rowid", re.IGNORECASE)
_MADE = later(
    r"(?:date_)?(?:created|updated|inserted|modified|added)(?:_?(?:at|on|date|time|ts))?", re.IGNORECASE
)
_ANY_TEXT = frozenset(("", "%", "%%", "*", "*%"))
_ANY_REGEX = frozenset(("", ".*", "^", "$", "^.*$", ".", ".?", "^.*", ".*$"))
_NOW = frozenset(
    ("now", "getdate", "sysdate", "systimestamp", "getutcdate", "sysdatetime", "utc_timestamp", "today")
)
_LARGE = 1e8
_COMPARES: dict[type[Any], Callable[[Any, Any], bool]] = {
    exp.EQ: operator.eq,
    exp.NullSafeEQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
}
_ARITHMETIC: dict[type[Any], Callable[[Any, Any], Any]] = {
    exp.Add: operator.add,
    exp.Sub: operator.sub,
    exp.Mul: operator.mul,
}
_TURNED: dict[type[Any], type[Any]] = {exp.GT: exp.LT, exp.LT: exp.GT, exp.GTE: exp.LTE, exp.LTE: exp.GTE}
_SAME = (exp.EQ, exp.GTE, exp.LTE, exp.NullSafeEQ)


def always(condition: Sequence[Token], dialect: str, table: str) -> bool | None:
    """Whether a condition on the rows of a table holds for all of them; None where it can't be read."""
    if len(condition) > MAX_CONDITION or sum(t.text == "(" for t in condition) > _MAX_BRACKETS:
        return None
    text = "".join(_spaced(condition, i) for i in range(len(condition)))
    name = _NAMES.get(dialect, dialect)
    tried = dict.fromkeys(([name] if name in _KNOWN else []) + list(_FALLBACKS))
    read: list[bool] = []
    for one in tried:
        try:
            parsed = parse_one(f"SELECT 1 WHERE {text}", read=one)
            where = parsed.args.get("where")
            if where is not None:
                read.append(_Condition(table).holds(where.this))
        except (SqlglotError, RecursionError):
            continue
        if read:
            break
    return any(read) if read else None


def _spaced(condition: Sequence[Token], i: int) -> str:
    """A token, apart from the one before it unless the two may be one operator."""
    token = condition[i]
    joined = i > 0 and token.kind == condition[i - 1].kind == "other" and token.start == condition[i - 1].end
    return _written(token) if joined else " " + _written(token)


def _written(token: Token) -> str:
    """A token as all dialects write it."""
    if token.kind == "string":
        text = token.text.replace("\\", "").replace("'", "''")
        return f"'{text}'"
    if token.kind == "name":
        inner = token.name.replace('"', "")
        return f'"{inner}"' if inner else "''"
    if token.kind == "variable" or token.text in ("?", "\ue000"):
        return "unknown_value()"
    return token.text if token.text.isprintable() else "unknown_value()"


class _Condition:
    """Judges the parts of one condition."""

    def __init__(self, table: str) -> None:
        self._table = table.lower().rpartition(".")[2]

    def holds(self, part: Any) -> bool:
        """Whether it is true for every row, as far as people mean it."""
        if isinstance(part, exp.Paren):
            return self.holds(part.this)
        if isinstance(part, exp.And):
            return all(self.holds(each) for each in part.flatten())
        if isinstance(part, exp.Or):
            parts = list(part.flatten())
            return any(self.holds(each) for each in parts) or _complete(parts)
        if isinstance(part, exp.Not):
            return self._never(part.this)
        if isinstance(part, exp.Is) and part.args.get("negate"):
            return _filled(part)
        value = _constant(part)
        if value is not None:
            return bool(value) and value != "0"
        if isinstance(part, exp.Column):
            # A key is never zero, and a text in double quotes may be a number.
            return _is_key(part) or (part.name.isdigit() and part.name != "0")
        return self._compared(part)

    def _never(self, part: Any) -> bool:
        """Whether it is false for every row."""
        if isinstance(part, exp.Paren):
            return self._never(part.this)
        if isinstance(part, exp.Not):
            return self.holds(part.this)
        if isinstance(part, exp.And):
            return any(self._never(each) for each in part.flatten())
        if isinstance(part, exp.Or):
            return all(self._never(each) for each in part.flatten())
        if isinstance(part, exp.Is):
            return _filled(part)
        if isinstance(part, exp.Exists):
            return False
        if isinstance(part, (exp.NEQ, exp.GT, exp.LT)) and _equal(part.this, part.expression):
            return True
        if isinstance(part, exp.In) and part.args.get("query") is None:
            # No key is one of these.
            return _is_key(part.this) and all(_constant(e) in (0, -1, "") for e in part.expressions)
        value = _constant(part)
        return value is not None and not value

    def _compared(self, part: Any) -> bool:
        left, right = part.args.get("this"), part.args.get("expression")
        if isinstance(part, _SAME) and _equal(left, right):
            return True
        if isinstance(part, exp.EQ) and isinstance(right, exp.Any):
            return self._whole(right.find(exp.Select), left)
        if isinstance(part, exp.Is) and isinstance(left, exp.Null):
            return isinstance(right, exp.Null)
        if isinstance(part, (exp.GT, exp.GTE, exp.NEQ, exp.LT, exp.LTE)):
            return _beyond(part, left, right)
        if isinstance(part, (exp.Like, exp.ILike, exp.SimilarTo)):
            return _constant(right) in _ANY_TEXT if _constant(right) != "" else False
        if isinstance(part, (exp.RegexpLike, exp.RegexpILike)):
            return _constant(right) in _ANY_REGEX
        if isinstance(part, exp.In):
            return self._member(part)
        if isinstance(part, exp.Exists):
            return _uncorrelated(part.this)
        if isinstance(part, exp.Between):
            low, high = _constant(part.args.get("low")), _constant(part.args.get("high"))
            return _is_key(part.this) and _number(low) and _number(high) and low <= 1 and high >= _LARGE
        if isinstance(part, exp.Is) and isinstance(right, exp.Boolean):
            return right.this is True and self.holds(left)
        if isinstance(part, exp.NullSafeNEQ):
            return isinstance(right, exp.Null) and _is_key(left)
        return False

    def _member(self, part: Any) -> bool:
        """`id in (select id from the same table)`, `1 in (1)`, `id in (id)`."""
        if any(_equal(part.this, each) for each in part.expressions):
            return True
        query = part.args.get("query")
        return self._whole(query.this if isinstance(query, exp.Subquery) else query, part.this)

    def _whole(self, select: Any, column: Any) -> bool:
        """Whether a query gives this column of each row of the same table."""
        if not isinstance(select, exp.Select) or select.args.get("limit") or select.args.get("group"):
            return False
        where = select.args.get("where")
        if select.args.get("joins") or (where is not None and not self.holds(where.this)):
            return False
        source = select.find(exp.Table)
        columns = select.expressions
        same = source is not None and source.name.lower() == self._table
        return same and len(columns) == 1 and _named(columns[0]) == _named(column)


def _filled(part: Any) -> bool:
    """Whether what is compared with NULL always has a value."""
    return isinstance(part.expression, exp.Null) and (_is_key(part.this) or _constant(part.this) is not None)


def _complete(parts: list[Any]) -> bool:
    """Whether one of the parts is what another denies."""
    plain = [p.unnest() for p in parts]
    denied = [p.this.unnest() for p in plain if isinstance(p, exp.Not)]
    denied += [exp.Is(this=p.this, expression=p.expression) for p in plain if p.args.get("negate")]
    if any(d == p for d in denied for p in plain):
        return True
    equals = [p for p in plain if isinstance(p, exp.EQ)]
    unequal = [p for p in plain if isinstance(p, exp.NEQ)]
    return any(e.this == u.this and e.expression == u.expression for e in equals for u in unequal)


def _equal(left: Any, right: Any) -> bool:
    return left == right and not any(isinstance(n, (exp.Rand, exp.Null)) for n in left.walk())


def _named(part: Any) -> str:
    return str(part.alias_or_name).lower() if part is not None else ""


def _is_key(part: Any) -> bool:
    """Whether a column is one that each row has a value of."""
    return isinstance(part, exp.Column) and _KEYS.fullmatch(part.name) is not None and not _refers(part.name)


def _refers(name: str) -> bool:
    """Whether it may be another table's key, which can be empty."""
    return name.lower() not in ("_id", "row_id") and name.lower().endswith(("_id", "_key"))


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _beyond(part: Any, left: Any, right: Any) -> bool:
    """A comparison with a limit that no row reaches, such as `id > 0` or `created_at < now()`."""
    kind = type(part)
    if not isinstance(left, exp.Column) and isinstance(right, exp.Column):
        left, right, kind = right, left, _TURNED.get(kind, kind)
    if isinstance(left, exp.Length):
        limit = _constant(right)
        return kind is exp.GTE and _number(limit) and limit <= 0
    limit = _constant(right)
    if isinstance(left, exp.Column) and _MADE.fullmatch(left.name):
        return kind in (exp.LT, exp.LTE) and _is_now(right)
    if not _is_key(left):
        return False
    if kind is exp.NEQ:
        return limit in (0, -1, "", "0", "-1") or isinstance(right, exp.Null)
    if not _number(limit):
        return False
    if kind in (exp.GT, exp.GTE):
        return bool(limit <= (kind is exp.GTE))
    return bool(limit >= _LARGE)


def _is_now(part: Any) -> bool:
    if isinstance(part, (exp.CurrentTimestamp, exp.CurrentDate, exp.CurrentDatetime)):
        return True
    return isinstance(part, (exp.Anonymous, exp.Column)) and part.name.lower() in _NOW


def _uncorrelated(query: Any) -> bool:
    """Whether a query asks for nothing that depends on the row."""
    if not isinstance(query, exp.Select):
        return False
    where = query.args.get("where")
    return where is None or bool(_constant(where.this))


def _constant(part: Any) -> Any:
    """What an expression without columns is worth; None where that isn't known."""
    if isinstance(part, (exp.Paren, exp.Cast)):
        return _constant(part.this)
    if isinstance(part, exp.Boolean):
        return bool(part.this)
    if isinstance(part, exp.Literal):
        if part.is_string:
            return str(part.this)
        return _float(str(part.this))
    if isinstance(part, exp.Neg):
        value = _constant(part.this)
        return -value if _number(value) else None
    if isinstance(part, exp.Not):
        value = _constant(part.this)
        return None if value is None else not value
    return _computed(part)


@cache
def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _computed(part: Any) -> Any:
    compare = _COMPARES.get(type(part))
    if compare is not None:
        left, right = _constant(part.this), _constant(part.expression)
        if left is None or right is None:
            return None
        if type(left) is not type(right):
            left, right = str(left), str(right)
            if left.removesuffix(".0") == right.removesuffix(".0"):
                right = left
        return compare(left, right)
    if type(part) in _ARITHMETIC:
        left, right = _constant(part.this), _constant(part.expression)
        if not _number(left) or not _number(right):
            return None
        return (
            left + right
            if isinstance(part, exp.Add)
            else left - right
            if isinstance(part, exp.Sub)
            else left * right
        )
    if isinstance(part, exp.In) and part.args.get("query") is None:
        value = _constant(part.this)
        return None if value is None else (value in [_constant(e) for e in part.expressions] or None)
    if isinstance(part, exp.Between):
        values = [_constant(part.args.get(k)) for k in ("this", "low", "high")]
        return values[1] <= values[0] <= values[2] if all(_number(v) for v in values) else None
    if isinstance(part, (exp.Coalesce, exp.Upper, exp.Lower)):
        return _constant(part.this)
    if isinstance(part, (exp.Like, exp.ILike)):
        left, right = _constant(part.this), _constant(part.expression)
        return None if left is None or right is None else (right in _ANY_TEXT or left == right)
    return None
