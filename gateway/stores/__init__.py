"""Where what is remembered lies: in memory, in a file (SQLite) or in a database (PostgreSQL)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from gateway.malformed import Malformed

if TYPE_CHECKING:
    from gateway.state import Store

_FORMS = "write `memory:`, `sqlite:///absolute/path` or `postgresql://user@host/database`"
_T = TypeVar("_T", bound=Enum)


def open_store(url: str) -> Store:
    """The store at an address: `memory:`, `sqlite:///path?synchronous=full` or `postgresql://…?schema=name`.

    Raises `Malformed` where the address says nothing that is known, and `Unavailable` where the store can't be opened.
    """
    if url == "memory:":
        from gateway.stores.memory import MemoryStore

        return MemoryStore()
    try:
        parts = urlsplit(url)
        settings = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    except ValueError:
        raise Malformed("the address of the store can't be read", _FORMS) from None
    match parts.scheme:
        case "sqlite":
            return _sqlite(parts.netloc, unquote(parts.path), settings)
        case "postgresql" | "postgres":
            query = "&".join(one for one in parts.query.split("&") if not one.startswith("schema="))
            return _postgres(urlunsplit(parts._replace(query=query)), settings.get("schema"))
    known = f"`{parts.scheme}` is no kind of store" if parts.scheme else "the address has no scheme"
    raise Malformed(known, _FORMS)


def _sqlite(host: str, path: str, settings: Mapping[str, str]) -> Store:
    from gateway.stores.sqlite import SQLiteStore, Synchronous

    if host or not path.startswith("/") or path.endswith("/") or "\0" in path:
        raise Malformed("a store's file has an absolute path", "write `sqlite:///absolute/path`")
    unknown = settings.keys() - {"synchronous"}
    if unknown:
        raise Malformed(f"`{min(unknown)}` is no setting of a store in a file", "there is `synchronous`")
    written = settings.get("synchronous", Synchronous.FULL.value)
    return SQLiteStore(path, _choice(Synchronous, "synchronous", written))


def _postgres(address: str, schema: str | None) -> Store:
    try:
        from gateway.stores.postgres import PostgresStore
    except ImportError as error:
        from gateway.state import Unavailable

        raise Unavailable(
            f"PostgreSQL needs psycopg: `pip install 'gatewayctl[postgres]'` ({error})"
        ) from error
    return PostgresStore(address) if schema is None else PostgresStore(address, schema)


def _choice(choices: type[_T], setting: str, written: str) -> _T:
    try:
        return choices(written)
    except ValueError:
        known = ", ".join(f"`{one.value}`" for one in choices)
        raise Malformed(f"`{written}` is no value of `{setting}`", f"there are {known}") from None
