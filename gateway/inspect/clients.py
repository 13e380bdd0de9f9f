"""Programs that send SQL to a database, and how they are given it: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateway.frozen import frozen
from gateway.inspect.options import Bound
from gateway.inspect.word import Word


@frozen
class Client:
    """How an SQL client is given statements: options, operands from an index on, and its input."""

    dialect: str | None
    options: tuple[str, ...]
    operands: int = 100


CLIENTS: Mapping[str, Client] = MappingProxyType(
    {
        "psql": Client("postgres", ("command",)),
        "mysql": Client("mysql", ("execute", "init-command")),
        "sqlite3": Client("sqlite", ("cmd",), 1),
        "duckdb": Client("duckdb", ("command", "cmd", "s"), 1),
        "sqlcmd": Client("tsql", ("query", "initial-query")),
        "clickhouse-client": Client("clickhouse", ("query",)),
        "clickhouse": Client("clickhouse", ("query",)),
        "snowsql": Client("snowflake", ("query",)),
        "cqlsh": Client("standard", ("execute",)),
        "cockroach": Client("postgres", ("execute",)),
        "bq": Client("bigquery", (), 1),
        "usql": Client(None, ("command",)),
        "sqlplus": Client("oracle", ()),
        "isql": Client(None, ()),
        "db2": Client(None, (), 0),
        "trino": Client(None, ("execute",)),
        "presto": Client(None, ("execute",)),
        "hive": Client(None, ("e",)),
        "beeline": Client(None, ("e",)),
        "spark-sql": Client("spark", ("e",)),
        "impala-shell": Client(None, ("query",)),
        "litecli": Client("sqlite", ("execute",)),
        "heroku": Client("postgres", ("command",)),
        "supabase": Client("postgres", ()),
        "wrangler": Client("sqlite", ("command",)),
        "prisma": Client(None, ()),
    }
)


def texts(
    client: Client, bound: Bound, stdin: tuple[str, ...] | None, place: tuple[int, int]
) -> tuple[Word, ...]:
    """All SQL that a client is given; its input stands where the command does."""
    given = [word for name in client.options for word in bound.flags.get(name, ())]
    given += bound.operands[client.operands :]
    return (*given, *(Word(text, *place) for text in stdin or ()))
