"""What both databases are told, which is the same but for how a parameter and a table are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gateway.state import Append, Change, Count, Delete, Entry, Key, Kind, Put, State, Window
from gateway.stores.encoding import encoded, fitting

Statement = tuple[str, Sequence[Any]]

_TOGETHER = 12
"""So many things are read with one statement."""

_KIND = {kind: kind.value for kind in Kind}
_HERE = "tenant = ? AND kind = ? AND name = ?"
_BEFORE = f"(SELECT coalesce(max(number), 0) + 1 AS next FROM lines WHERE {_HERE}) AS held"


def placed(key: Key) -> tuple[bytes, str, bytes]:
    """The columns that a key is kept in."""
    return encoded(key.tenant), _KIND[key.kind], encoded(key.name)


def state(keys: Sequence[Key | Window], rows: Sequence[tuple[int, bytes, int]]) -> State:
    """What was read, from the rows of `Statements.reads`."""
    entries: dict[Key, Entry] = {}
    totals: dict[Window, int] = {}
    for place, value, number in rows:
        key = keys[place]
        if isinstance(key, Window):
            totals[key] = int(number)
        else:
            entries[key] = Entry(value, number)
    return State(entries, totals)


class Statements:
    """The statements for tables under a prefix, with parameters marked so.

    Those that make a change do so in one row, or in none where it is lost.
    """

    def __init__(self, prefix: str, mark: str) -> None:
        def written(text: str) -> str:
            for table in ("entries", "counts", "lines", "generations"):
                for word in ("INTO", "FROM", "UPDATE"):
                    text = text.replace(f"{word} {table}", f"{word} {prefix}{table}")
            return text.replace("?", mark)

        self.put_new = written(
            "INSERT INTO entries (value, expires, tenant, kind, name, version) VALUES (?, ?, ?, ?, ?, 1)"
            " ON CONFLICT (tenant, kind, name) DO NOTHING"
        )
        self.put_any = written(
            "INSERT INTO entries AS held (value, expires, tenant, kind, name, version)"
            " VALUES (?, ?, ?, ?, ?, 1) ON CONFLICT (tenant, kind, name) DO UPDATE SET"
            " value = excluded.value, expires = excluded.expires, version = held.version + 1"
        )
        self.put_next = written(
            f"UPDATE entries SET value = ?, expires = ?, version = version + 1 WHERE {_HERE} AND version = ?"
        )
        self.delete = written(f"DELETE FROM entries WHERE {_HERE} AND version = ?")
        self.count = written(
            "INSERT INTO counts AS held (tenant, kind, name, at, amount, until) SELECT ?, ?, ?, ?, ?, ?"
            f" WHERE (SELECT coalesce(sum(amount), 0) FROM counts WHERE {_HERE} AND at > ?) + ? <= ?"
            " ON CONFLICT (tenant, kind, name, at) DO UPDATE SET amount = held.amount + excluded.amount,"
            " until = CASE WHEN held.until > excluded.until THEN held.until ELSE excluded.until END"
        )
        self.append = written(
            f"INSERT INTO lines (tenant, kind, name, number, value) SELECT ?, ?, ?, next, ? FROM {_BEFORE}"
        )
        self.append_next = f"{self.append} WHERE next = {mark}"

        self.entry = written(f"SELECT ?, value, version FROM entries WHERE {_HERE}")
        self.total = written(
            f"SELECT ?, CAST(NULL AS bytea), coalesce(sum(amount), 0) FROM counts WHERE {_HERE} AND at > ?"
        )
        self.piece = written(f"SELECT substr(value, ?, ?), length(value) FROM entries WHERE {_HERE}")
        self.listed = written(
            "SELECT name, value, version FROM entries WHERE tenant = ? AND kind = ? AND name > ?"
            " ORDER BY name LIMIT ?"
        )
        self.counted = written(f"SELECT at, amount FROM counts WHERE {_HERE} AND at > ? ORDER BY at LIMIT ?")
        self.rows = written(
            f"SELECT number, value FROM lines WHERE {_HERE} AND number > ? ORDER BY number LIMIT ?"
        )
        self.last = written(f"SELECT number, value FROM lines WHERE {_HERE} ORDER BY number DESC LIMIT 1")
        self.generation = written("SELECT number FROM generations WHERE tenant = ? AND kind = ?")
        # The time is asked for twice, as an entry may be put again while this waits for it.
        self.sweep_entries = written(
            "DELETE FROM entries WHERE expires < ? AND (tenant, kind, name) IN"
            " (SELECT tenant, kind, name FROM entries WHERE expires < ? LIMIT ?)"
        )
        self.sweep_counts = written(
            "DELETE FROM counts WHERE until <= ? AND (tenant, kind, name, at) IN"
            " (SELECT tenant, kind, name, at FROM counts WHERE until <= ? LIMIT ?)"
        )

        self._reading: dict[tuple[bool, ...], str] = {}

    def reads(self, keys: Sequence[Key | Window]) -> list[Statement]:
        """What reads them, in several parts where they are many; each row begins with the place of its key."""
        return [self._read(keys, start) for start in range(0, len(keys), _TOGETHER)]

    def _read(self, keys: Sequence[Key | Window], start: int) -> Statement:
        parameters: list[Any] = []
        shape = []
        for place, key in enumerate(keys[start : start + _TOGETHER], start):
            if isinstance(key, Window):
                parameters += (place, *placed(key.key), key.after)
                shape.append(True)
            else:
                parameters += (place, *placed(key))
                shape.append(False)
        return self._read_of(tuple(shape)), parameters

    def _read_of(self, shape: tuple[bool, ...]) -> str:
        found = self._reading.get(shape)
        if found is None:
            each = (self.total if is_window else self.entry for is_window in shape)
            found = self._reading[shape] = " UNION ALL ".join(each)
        return found

    def of(self, change: Change) -> Statement:
        """What makes a change, if it can be made."""
        tenant, kind, name = placed(change.key)
        match change:
            case Put(value=value, expected=expected, expires=expires):
                fitting(expected, expires)
                if expected is None:
                    return self.put_any, (value, expires, tenant, kind, name)
                if expected == 0:
                    return self.put_new, (value, expires, tenant, kind, name)
                return self.put_next, (value, expires, tenant, kind, name, expected)
            case Count(at=at, amount=amount, window=window, most=most):
                fitting(at, amount, most, at + window, at - window)
                return self.count, (
                    *(tenant, kind, name, at, amount, at + window),
                    *(tenant, kind, name, at - window, amount, most),
                )
            case Append(value=value, expected=None):
                return self.append, (tenant, kind, name, value, tenant, kind, name)
            case Append(value=value, expected=number):
                fitting(number)
                return self.append_next, (tenant, kind, name, value, tenant, kind, name, number)
            case Delete(expected=expected):
                fitting(expected)
                return self.delete, (tenant, kind, name, expected)
