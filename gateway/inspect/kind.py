"""What an inspected argument is."""

from __future__ import annotations

from enum import Enum


class Kind(Enum):
    """What an inspected argument is."""

    SHELL = "shell"
    SQL = "sql"
    PATH = "path"
    URL = "url"
    PYTHON = "python"
    GIT = "git"
    HEADERS = "headers"


PINNED = "pinned"
"""What `{url: pinned}` says: the addresses of the host are looked up and checked, and none but these are used."""
_DIALECTS = """
bigquery clickhouse databricks duckdb hive mariadb mysql oracle postgres presto redshift snowflake spark sqlite trino
tsql
"""
DIALECTS: frozenset[str] = frozenset(_DIALECTS.split())
"""The dialects of SQL that `{sql: …}` can name."""
