"""SQL: statements count, strings and comments don't; A8."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.inspect.clues import clues
from gateway.inspect.sql.kinds import SqlKind
from gateway.inspect.sql.read import MAX_SQL, facts, statements
from gateway.inspect.word import UNKNOWN
from tests.inspect.places import INSPECTOR, PATTERNS, PLACE
from tests.lists import read_list

EFFECTS = ("allow", "ask", "deny")
DIALECTS = (
    None,
    *("postgres", "mysql", "sqlite", "tsql", "snowflake", "bigquery", "clickhouse", "oracle", "duckdb"),
)
Case = tuple[str, str, str | None]


def load() -> list[Case]:
    made: list[Case] = []
    for name in ("sql", "sql_dialects"):
        for effect, groups in read_list(f"inspect/{name}.yaml").items():
            for case in (case for cases in groups.values() for case in cases):
                dialect, text = (None, case) if isinstance(case, str) else next(iter(case.items()))
                made.append((effect, text, dialect))
    return made


FROM_T = "DELETE FROM t WHERE {}"
CASES = load()
DANGEROUS = [(text, dialect) for effect, text, dialect in CASES if effect != "allow"]
# What ends in an open comment or a word of a client changes what follows it.
ALONE = [
    (t, d)
    for t, d in DANGEROUS
    if t[0] != "." and not any(c in t for c in ("--", "#", "\\", "DELIMITER", "!!"))
]


def effect(text: str, dialect: str | None) -> str:
    return max(
        (m.effect.value for m in INSPECTOR.sql(text, dialect, PLACE).matches),
        key=EFFECTS.index,
        default="allow",
    )


@pytest.mark.parametrize(("expected", "text", "dialect"), CASES)
def test_cases(expected: str, text: str, dialect: str | None) -> None:  # A8
    assert effect(text, dialect) == expected


def test_spans_and_reasons() -> None:
    text = "select 1; drop table if exists users cascade;"
    (match,) = INSPECTOR.sql(text, "postgres", PLACE).matches
    assert match.text == "drop table if exists users"
    assert match.pattern == "db.drop"
    assert "`drop table users`" in match.reason


def test_every_kind_that_is_not_ordinary_has_a_pattern() -> None:
    ordinary = {SqlKind.READ, SqlKind.WRITE, SqlKind.DDL, SqlKind.UNREADABLE}
    shown = {clue for pattern in PATTERNS for clue in clues(pattern.match) or ()}
    assert {clue for clue in shown if clue.startswith("sql ")} == {
        f"sql {kind.value}" for kind in set(SqlKind) - ordinary
    }


@given(st.sampled_from(DANGEROUS), st.sampled_from(DIALECTS))
def test_a_literal_never_counts(case: tuple[str, str | None], dialect: str | None) -> None:
    escaped = case[0].replace("\\", "").replace("'", "''")
    assert effect(f"SELECT '{escaped}' AS x", dialect) == "allow"


@given(st.sampled_from(DANGEROUS), st.sampled_from(DIALECTS))
def test_a_comment_never_counts(case: tuple[str, str | None], dialect: str | None) -> None:
    inside = case[0].replace("*/", "").replace("/*", "").lstrip("!M")
    assert effect(f"/* {inside} */ SELECT 1", dialect) == "allow"
    assert effect("SELECT 1 -- " + inside.replace("\n", " ").replace("\r", " "), dialect) == "allow"


@given(st.sampled_from(ALONE), st.sampled_from(CASES))
def test_more_statements_are_never_less_strict(first: tuple[str, str | None], second: Case) -> None:
    text, dialect = first
    after = effect(f"{text}\n;\n{second[1]}", dialect)
    assert EFFECTS.index(after) >= EFFECTS.index(effect(text, dialect))
    before = effect(f"SELECT 'it'; {text}", dialect)
    assert EFFECTS.index(before) >= EFFECTS.index(effect(text, dialect))


@given(st.sampled_from(ALONE), st.sampled_from([str.lower, str.upper, str.swapcase]))
def test_case_changes_nothing(case: tuple[str, str | None], change: object) -> None:
    text, dialect = case
    if any(c in text for c in "'$\"") and callable(change):
        return
    assert callable(change)
    assert effect(change(text), dialect) == effect(text, dialect)


@given(st.lists(st.sampled_from([" ", "'", '"', "`", "$$", "(", ")", ";", "\\", "/*", "*/", "--", "\n", "#", "[", "GO",
        "DROP", "TABLE", "DELETE", "FROM", "WHERE", "EXEC", "EXPLAIN", "CREATE", "TRIGGER", "x", "=", ",", UNKNOWN,
        "CASE", "END", "BEGIN", "DELIMITER ", "ALTER", "GRANT", "SET", "1", ".", "@", "MERGE", "COPY", "ATTACH"]),
        max_size=30), st.sampled_from(DIALECTS))  # fmt: skip
def test_no_text_raises(parts: list[str], dialect: str | None) -> None:
    for text in ("".join(parts), " ".join(parts)):
        for statement in statements(text, dialect):
            assert 0 <= statement.start <= statement.end <= len(text)
        facts(text, dialect)


def test_limits_end_in_doubt() -> None:
    (match,) = INSPECTOR.sql("SELECT 1;" + " " * MAX_SQL, None, PLACE).matches
    assert (match.kind, match.effect.value) == ("unreadable", "ask")
    nested = "SELECT 1"
    for _ in range(8):
        nested = "EXECUTE IMMEDIATE '" + nested.replace("'", "''") + "'"
    assert effect(nested, "oracle") == "ask"
    assert effect(FROM_T.format("(" * 5000 + "id" + ")" * 5000), None) == "ask"
    assert effect(FROM_T.format(" OR ".join(["a < b"] * 5000)), None) == "ask"


def test_unknown_parts() -> None:
    assert effect(f"DROP {UNKNOWN} users", None) == "ask"
    assert effect(f"{UNKNOWN} TABLE users", None) == "ask"
    assert effect(FROM_T.format(UNKNOWN), None) == "ask"
    assert effect(f"DROP TABLE {UNKNOWN}", None) == "deny"
    assert effect(FROM_T.format(f"id = {UNKNOWN}"), None) == "allow"
    assert effect(UNKNOWN, None) == "allow"


@pytest.mark.parametrize(
    ("text", "writes", "tables"),
    [
        ("select * from a, b x join c on true", False, ("a", "b", "c")),
        ("with q as (select 1 from z) select * from q, public.k", False, ("z", "public.k")),
        ("with d as (delete from t where id = 5 returning *) select * from d", True, ("t",)),
        ("select extract(day from x), trim(both from y) from d", False, ("d",)),
        ("insert into a select * from b", True, ("a", "b")),
        ("update a set x = 1 from b where a.id = b.id", True, ("a", "b")),
        ("merge into t using s on t.a = s.a when matched then update set x = 1", True, ("t", "s")),
        ("drop table if exists a, b", True, ("a", "b")),
        ("create table if not exists n (a int)", True, ("n",)),
        ("begin; select 1; commit", False, ()),
        ("explain delete from t", False, ("t",)),
        ("select nextval('x')", True, ()),
        ("select * into n from o", True, ("n", "o")),
        ("what is this", True, ()),
        ("call p()", True, ()),
        ("set transaction read write", True, ()),
        ("", False, ()),
    ],
)
def test_facts(text: str, writes: bool, tables: tuple[str, ...]) -> None:
    found = facts(text, None)
    assert (found.writes, found.tables) == (writes, tables)


def test_how_much_was_read() -> None:
    assert facts("select 1", None).analysis == "exact"
    assert facts("select 1", None).kinds == ("read",)
    assert facts("what is this", None).analysis == "partial"
    assert facts(f"select {UNKNOWN}", None).analysis == "partial"
    assert facts("exec(@x)", "tsql").analysis == "partial"
    assert facts("x" * (MAX_SQL + 1), None).analysis == "unparsed"
    assert facts("x" * (MAX_SQL + 1), None).writes


def test_the_parser_is_loaded_for_conditions_only() -> None:
    code = """
import sys
from gateway.inspect.sql.read import facts, statements
for text in ("select 1", "drop table a", "delete from a", "delete from a where id = 5", "update a set x = 1 where id in (1)"):
    statements(text, None)
    facts(text, None)
print("sqlglot" in sys.modules)
statements("delete from a where id < b", None)
print("sqlglot" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
    assert done.stderr == ""
