"""Other names of programs: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "hub": "git",
        "grm": "rm",
        "gfind": "find",
        "fdfind": "fd",
        "bfs": "find",
        "mariadb": "mysql",
        "mycli": "mysql",
        "pgcli": "psql",
        **dict.fromkeys(("ysqlsh", "vsql", "gsql", "edb-psql"), "psql"),
        "clickhouse-local": "clickhouse-client",
        "flyctl": "fly",
        "sql": "sqlcl",
        "sqlite": "sqlite3",
        "mariadb-admin": "mysqladmin",
        "gxargs": "xargs",
        "gtimeout": "timeout",
        "genv": "env",
        "gnice": "nice",
        "del": "del-cli",
    }
)
