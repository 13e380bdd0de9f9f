"""SQL: statements count, strings and comments don't; A8."""

from __future__ import annotations

import pytest

from gateway.inspect.sql import SqlKind, statements
from tests.inspect.places import INSPECTOR, PLACE


@pytest.mark.parametrize(
    ("text", "dialect", "kind", "target"),
    [
        ("DROP TABLE users", None, SqlKind.DROP_TABLE, "users"),
        ("drop table if exists shop.users cascade", "postgres", SqlKind.DROP_TABLE, "shop.users"),
        ('DROP TABLE "my table"', None, SqlKind.DROP_TABLE, "my table"),
        ("drop/**/table a", None, SqlKind.DROP_TABLE, "a"),
        ("drop -- not yet\n table a", None, SqlKind.DROP_TABLE, "a"),
        ("/*!50000 DROP TABLE users */", "mysql", SqlKind.DROP_TABLE, "users"),
        ("DROP TEMPORARY TABLE a", "mysql", SqlKind.DROP_TABLE, "a"),
        ("DROP DATABASE shop", None, SqlKind.DROP_DATABASE, "shop"),
        ("DROP SCHEMA public CASCADE", None, SqlKind.DROP_SCHEMA, "public"),
        ("TRUNCATE orders", None, SqlKind.TRUNCATE, "orders"),
        ("truncate table only orders", "postgres", SqlKind.TRUNCATE, "orders"),
        ("select 1; truncate a", None, SqlKind.TRUNCATE, "a"),
        ("begin truncate table a end", "tsql", SqlKind.TRUNCATE, "a"),
        ("SELECT 1\nGO\nDROP TABLE a\nGO", "tsql", SqlKind.DROP_TABLE, "a"),
        ("SELECT 1 \\; DROP TABLE a \\g", "postgres", SqlKind.DROP_TABLE, "a"),
        ("EXECUTE IMMEDIATE 'drop table a'", None, SqlKind.DROP_TABLE, "a"),
        ("DO $$ BEGIN EXECUTE 'truncate a'; END $$", "postgres", SqlKind.TRUNCATE, "a"),
        ("EXEC('DROP TABLE a')", "tsql", SqlKind.DROP_TABLE, "a"),
        ("select '\\'; drop table a; --'", "postgres", SqlKind.DROP_TABLE, "a"),
        ("select 1 --1; drop table a", "mysql", SqlKind.DROP_TABLE, "a"),
        ("select 'it''s'; drop table a", None, SqlKind.DROP_TABLE, "a"),
    ],
)
def test_dangerous(text: str, dialect: str | None, kind: SqlKind, target: str) -> None:
    (statement,) = statements(text, dialect)
    assert (statement.kind, statement.target) == (kind, target)


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("select 1", None),
        ("select 'drop table a'", None),
        ("select 1 -- drop table a", None),
        ("/* drop table a */ select 1", None),
        ('select "drop table a" from b', None),
        ("select $$drop table a$$", "postgres"),
        ("insert into notes values ('truncate a; drop table b')", None),
        ("select 'it\\'s; drop table a'", "mysql"),
        ("select 1 # drop table a", "mysql"),
        ("select date_trunc('day', x), truncate(1.5, 0)", None),
        ("alter table a drop column b", None),
        ("select dropped, truncated from a", None),
        ("create table drop_log (x int)", None),
        ("drop index a_idx", None),
        ("grant truncate on a to b", None),
    ],
)
def test_harmless(text: str, dialect: str | None) -> None:
    assert statements(text, dialect) == ()


def test_spans_and_reasons() -> None:
    text = "select 1; drop table if exists users cascade;"
    (match,) = INSPECTOR.sql(text, "postgres", PLACE).matches
    assert match.text == "drop table if exists users"
    assert match.pattern == "db.drop"
    assert "`drop table users`" in match.reason
