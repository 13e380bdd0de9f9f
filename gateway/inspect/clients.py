"""Programs that send SQL to a database, and how they are given it: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateway.frozen import frozen
from gateway.inspect.options import Bound
from gateway.inspect.word import Word


@frozen
class Client:
    """How an SQL client is given statements: by options, by operands, and by its input.

    Of a program that does other things too, one of the words `after` has to be an operand; operands are counted
    behind it. With one of the options `unless`, nothing is run.
    """

    dialect: str | None
    options: tuple[str, ...]
    operands: int = 100
    after: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


_EXECUTE = ("execute",)
_COMMAND = ("command",)
_QUERY = ("query",)
_QUERIES = ("query", "initial-query", "Q", "q")
CLIENTS: Mapping[str, Client] = MappingProxyType(
    {
        "psql": Client("postgres", _COMMAND),
        "mysql": Client("mysql", ("execute", "init-command")),
        "mysqlsh": Client("mysql", ("execute",)),
        "dolt": Client("mysql", _QUERY, after=("sql",)),
        "sqlite3": Client("sqlite", ("cmd",), 1),
        "litecli": Client("sqlite", _EXECUTE),
        "turso": Client("sqlite", (), 1, ("shell",)),
        "wrangler": Client("sqlite", _COMMAND, after=_EXECUTE),
        "duckdb": Client("duckdb", ("command", "cmd", "s"), 1),
        "sqlcmd": Client("tsql", _QUERIES),
        "mssql-cli": Client("tsql", _QUERIES),
        "osql": Client("tsql", _QUERIES),
        "tsql": Client("tsql", ()),
        "bcp": Client("tsql", (), 0),
        "clickhouse-client": Client("clickhouse", _QUERY),
        "clickhouse": Client("clickhouse", _QUERY),
        "snowsql": Client("snowflake", _QUERY),
        "snow": Client("snowflake", _QUERY, after=("sql",)),
        "bq": Client("bigquery", (), 0, _QUERY, ("dry_run", "dry-run")),
        "gcloud": Client("bigquery", ("sql",), after=("execute-sql",)),
        "cqlsh": Client("standard", _EXECUTE),
        "cockroach": Client("postgres", _EXECUTE),
        "heroku": Client("postgres", _COMMAND, after=("pg:psql", "psql")),
        "supabase": Client("postgres", ("sql", "query", "command"), 0, ("query", "execute", "sql", "psql")),
        "prisma": Client(None, (), after=_EXECUTE),
        "fly": Client("postgres", _COMMAND, after=("connect",)),
        "railway": Client(None, _COMMAND, after=("connect",)),
        "pscale": Client("mysql", (), after=("shell",)),
        "aws": Client(
            None,
            ("sql", "sqls", "query-string", "query-statement"),
            after=(
                *("start-query-execution", "execute-statement", "execute-sql"),
                *("batch-execute-statement", "start-query"),
            ),
        ),
        **dict.fromkeys(("manage.py", "django-admin"), Client(None, _COMMAND, 0, ("dbshell",))),
        "rails": Client(None, (), after=("dbconsole", "db")),
        "artisan": Client(None, (), after=("db",)),
        "wp": Client("mysql", (), 0, ("query", "cli")),
        "drush": Client("mysql", (), 0, ("sql:query", "sqlq", "sql-query", "sql:cli", "sqlc", "sql-cli")),
        "usql": Client(None, _COMMAND),
        "sqlplus": Client("oracle", ()),
        "sqlcl": Client("oracle", ()),
        "isql": Client(None, ()),
        "db2": Client(None, (), 0),
        "ksql": Client(None, _EXECUTE),
        "trino": Client("trino", _EXECUTE),
        "presto": Client("trino", _EXECUTE),
        "hive": Client("hive", ("e",)),
        "beeline": Client("hive", ("e",)),
        "spark-sql": Client("spark", ("e",)),
        "impala-shell": Client(None, _QUERY),
    }
)


def texts(
    client: Client, bound: Bound, stdin: tuple[str, ...] | None, place: tuple[int, int]
) -> tuple[Word, ...]:
    """All SQL that a client is given; its input stands where the command does."""
    operands = bound.operands
    if client.after:
        at = next((i for i, word in enumerate(operands) if word.value in client.after), None)
        if at is None:
            return ()
        operands = operands[at + 1 :]
    if not bound.flags.keys().isdisjoint(client.unless):
        return ()
    given = [word for name in client.options for word in bound.flags.get(name, ())]
    given += operands[client.operands :]
    return (*given, *(Word(text, *place) for text in stdin or ()))
