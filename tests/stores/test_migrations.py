"""A store of every older version is brought up to this one, wholly or not at all; one of a newer is refused.

`data/sqlite-N.sql` and `data/postgres-N.sql` are stores as the version N left them, all with the same content.
"""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import psycopg
import pytest

from gateway.state import Append, Count, Entry, Key, Kind, Lost, Put, Row, Store, Unavailable, Window, key
from gateway.stores import open_store, postgres, sqlite
from gateway.stores import schema as tables
from gateway.stores.schema import POSTGRES, SQLITE, Migrations

DATA = Path(__file__).parent / "data"
CALL = key("acme", Kind.JOURNAL, "session", "call")
ODD = Key("te\0nant", Kind.OVERRIDE, "na\ud800me")
RATE = key("acme", Kind.LIMIT, "rate")
LOG = key("acme", Kind.AUDIT)


def filled(store: Store) -> None:
    """What each fixture holds."""
    store.apply([Put(CALL, b"started", 0, 5_000), Put(ODD, b"\0\xff", 0), Count(RATE, 1_000, 3, 500, 9)])
    store.apply([Put(CALL, b"completed", 1, 6_000), Append(LOG, b"one", 1), Append(LOG, b"two", 2)])


def check(store: Store) -> None:
    """All of it is there, and the store works on."""
    state = store.read([CALL, ODD, Window(RATE, 0)])
    assert state.entries == {CALL: Entry(b"completed", 2), ODD: Entry(b"\0\xff", 1)}
    assert state.totals == {Window(RATE, 0): 3}
    assert store.rows(LOG, 0, 9) == [Row(1, b"one"), Row(2, b"two")]
    before = store.generation(ODD.tenant, ODD.kind)
    store.apply([Put(ODD, b"", 1), Append(LOG, b"three", 3), Count(RATE, 1_001, 6, 500, 9)])
    assert store.generation(ODD.tenant, ODD.kind) != before > 0
    with pytest.raises(Lost):
        store.apply([Count(RATE, 1_002, 1, 500, 9)])
    assert store.sweep(1_500, 9) == 1
    assert store.sweep(6_001, 9) == 2


def sqlite_fixture(version: int, path: Path) -> str:
    path.touch(0o600)
    connection = sqlite3.connect(path)
    connection.executescript((DATA / f"sqlite-{version}.sql").read_text())
    connection.close()
    return f"sqlite://{path}"


def name_of(url: str) -> str:
    return dict(parse_qsl(urlsplit(url).query))["schema"]


def postgres_fixture(version: int, server: str, url: str) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        text = (DATA / f"postgres-{version}.sql").read_text()
        connection.execute(text.replace("{schema}", name_of(url)).encode())


# --- from every version ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", range(1, len(SQLITE) + 1))
def test_a_file_of_each_version_is_brought_up(tmp_path: Path, version: int) -> None:
    store = open_store(sqlite_fixture(version, tmp_path / "store.db"))
    check(store)
    store.close()


@pytest.mark.parametrize("version", range(1, len(POSTGRES) + 1))
def test_a_schema_of_each_version_is_brought_up(server: str, schema: str, version: int) -> None:
    postgres_fixture(version, server, schema)
    store = open_store(schema)
    check(store)
    store.close()


def test_a_new_store_of_this_version_is_as_its_fixture(tmp_path: Path) -> None:
    """A version that was published does not change any more."""
    store = open_store(f"sqlite://{tmp_path}/store.db")
    filled(store)
    store.close()
    fixture = (DATA / f"sqlite-{len(SQLITE)}.sql").read_text()
    assert dump(tmp_path / "store.db") == fixture


def dump(path: Path) -> str:
    connection = sqlite3.connect(path)
    header = [f"PRAGMA {name} = {connection.execute(f'PRAGMA {name}').fetchone()[0]};" for name in HEADER]
    lines = [*header, *connection.iterdump()]
    connection.close()
    return "\n".join(lines) + "\n"


HEADER = ("application_id", "user_version")


# --- a version that is still to come ---------------------------------------------------------------------------------

NEXT_SQLITE: Migrations = (*SQLITE, ("ALTER TABLE entries ADD COLUMN note TEXT", "CREATE TABLE more (a)"))
NEXT_POSTGRES: Migrations = (
    *POSTGRES,
    ("ALTER TABLE {schema}.entries ADD COLUMN note text", "CREATE TABLE {schema}.more (a integer)"),
)
BROKEN = ("CREATE TABLE {schema}extra (a integer)", "this is no statement")


def test_a_file_goes_through_all_versions_and_then_is_too_new_for_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = sqlite_fixture(1, tmp_path / "store.db")
    early = open_store(url)
    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "SQLITE", NEXT_SQLITE)
        with ThreadPoolExecutor(4) as pool:
            for store in pool.map(lambda _: open_store(url), range(4)):
                store.close()
        late = open_store(url)
    late.apply([Put(key("acme", Kind.SESSION), b"", 0)])
    early.apply([Put(key("acme", Kind.SESSION), b"", 1)])
    late.close()
    early.close()
    with pytest.raises(Unavailable, match="is of version 2, and this program knows none after 1: update it"):
        open_store(url)


def test_a_schema_goes_through_all_versions_and_then_is_too_new_for_this_one(
    server: str, schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    postgres_fixture(1, server, schema)
    with monkeypatch.context() as patch:
        patch.setattr(postgres, "POSTGRES", NEXT_POSTGRES)
        with ThreadPoolExecutor(4) as pool:
            opened = list(pool.map(lambda _: open_store(schema), range(4)))
        check(opened[0])
        for store in opened:
            store.close()
    with pytest.raises(Unavailable, match="is of version 2, and this program knows none after 1: update it"):
        open_store(schema)


def test_a_file_is_brought_up_wholly_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = sqlite_fixture(1, tmp_path / "store.db")
    broken = (*NEXT_SQLITE, tuple(one.replace("{schema}", "") for one in BROKEN))
    before = dump(tmp_path / "store.db")
    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "SQLITE", broken)
        with pytest.raises(Unavailable, match="syntax error"):
            open_store(url)
    assert dump(tmp_path / "store.db") == before
    store = open_store(url)
    check(store)
    store.close()


def test_a_schema_is_brought_up_wholly_or_not_at_all(
    server: str, schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    postgres_fixture(1, server, schema)
    with monkeypatch.context() as patch:
        patch.setattr(postgres, "POSTGRES", (*NEXT_POSTGRES, tuple(one.replace("}", "}.") for one in BROKEN)))
        with pytest.raises(Unavailable, match="syntax error"):
            open_store(schema)
    store = open_store(schema)
    check(store)
    store.close()


def test_both_databases_have_the_same_versions() -> None:
    assert len(tables.SQLITE) == len(tables.POSTGRES)
