"""A store is opened by its address, and an address that says nothing known is told so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gateway.malformed import Malformed
from gateway.state import Unavailable
from gateway.stores import open_store
from gateway.stores.memory import MemoryStore
from gateway.stores.postgres import PostgresStore
from gateway.stores.sqlite import SQLiteStore, Synchronous


def test_each_address_opens_its_kind(tmp_path: Path, schema: str) -> None:
    for url, kind in (
        ("memory:", MemoryStore),
        (f"sqlite://{tmp_path}/a/store.db", SQLiteStore),
        (f"sqlite://{tmp_path}/a/with%20space%3F.db", SQLiteStore),
        (schema, PostgresStore),
    ):
        store = open_store(url)
        assert type(store) is kind
        store.close()
    assert sorted(each.name for each in (tmp_path / "a").iterdir()) == ["store.db", "with space?.db"]


@pytest.mark.parametrize("written", list(Synchronous))
def test_durability_is_a_setting_of_the_address(tmp_path: Path, written: Synchronous) -> None:
    store = open_store(f"sqlite://{tmp_path}/store.db?synchronous={written.value}")
    assert isinstance(store, SQLiteStore)
    assert store.synchronous is written
    store.close()
    plain = open_store(f"sqlite://{tmp_path}/store.db")
    assert isinstance(plain, SQLiteStore)
    assert plain.synchronous is Synchronous.FULL
    plain.close()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("", "the address has no scheme"),
        ("store.db", "the address has no scheme"),
        ("/var/lib/store.db", "the address has no scheme"),
        ("memory", "the address has no scheme"),
        ("redis://host/0", "`redis` is no kind of store"),
        ("memory:x", "`memory` is no kind of store"),
        ("sqlite:store.db", "a store's file has an absolute path"),
        ("sqlite://host/store.db", "a store's file has an absolute path"),
        ("sqlite:///dir/", "a store's file has an absolute path"),
        ("sqlite:///dir/%00", "a store's file has an absolute path"),
        ("sqlite:///store.db?sync=full", "`sync` is no setting of a store in a file"),
        ("sqlite:///store.db?synchronous=off", "`off` is no value of `synchronous`"),
        ("sqlite:///store.db?synchronous", "the address of the store can't be read"),
        ("postgresql://[host/db", "the address of the store can't be read"),
        ("postgresql://host/db?schema=a;b", "`a;b` is no name of a schema"),
        ("postgresql://host/db?schema=", "`` is no name of a schema"),
        ("postgresql://me:hush@host/db?nonsense=1", "the address of the database can't be read"),
    ],
)
def test_an_address_that_says_nothing_known_is_told_so(url: str, message: str) -> None:
    with pytest.raises(Malformed) as caught:
        open_store(url)
    assert caught.value.message == message
    assert caught.value.help
    assert "hush" not in str(caught.value)


def test_a_database_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(Unavailable) as caught:
        open_store("postgresql://me:hush@127.0.0.1:1/db")
    assert "127.0.0.1" in str(caught.value)
    assert "hush" not in str(caught.value)


def test_postgresql_without_its_driver_says_what_to_install() -> None:
    program = (
        "import sys\nsys.modules['psycopg'] = None\nfrom gateway.stores import open_store\n"
        "try:\n    open_store('postgresql://host/db')\nexcept Exception as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(
        "Unavailable PostgreSQL needs psycopg: `pip install 'gatewayctl[postgres]'`"
    )


def test_a_kind_of_store_loads_no_other() -> None:
    program = (
        "import sys\nfrom gateway.stores import open_store\nopen_store('memory:')\n"
        "print(*[name for name in ('sqlite3', 'psycopg') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
