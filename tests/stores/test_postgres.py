"""The store in a database: lost connections, slow servers, narrow roles, and what others changed."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from gateway.state import Key, Kind, Lost, Put, Unavailable, Window, key
from gateway.stores import open_store
from gateway.stores.postgres import BOUND, PostgresStore
from gateway.stores.watch import Notices, Watch
from tests.stores.server import GIVEN, with_setting
from tests.stores.test_migrations import name_of

CALL = key("acme", Kind.JOURNAL, "call")
TOOL = key("acme", Kind.OVERRIDE, "tool")
Admin = psycopg.Connection[tuple[object, ...]]


@pytest.fixture
def admin(server: str) -> Iterator[Admin]:
    with psycopg.connect(server, autocommit=True) as connection:
        yield connection


@pytest.fixture
def name(schema: str) -> str:
    return name_of(schema)


@pytest.fixture
def make(server: str, name: str) -> Iterator[Callable[[float], PostgresStore]]:
    opened = []

    def made(patience: float = 5) -> PostgresStore:
        opened.append(PostgresStore(with_setting(server, f"application_name={name}"), name, patience))
        return opened[-1]

    yield made
    for store in opened:
        store.close()


def backends(admin: Admin, name: str, condition: str = "true") -> list[int]:
    found = admin.execute(
        f"SELECT pid FROM pg_stat_activity WHERE application_name = %s AND {condition}".encode(), (name,)
    )
    return [int(str(pid)) for (pid,) in found]


def end(admin: Admin, name: str) -> int:
    """End all connections of a store, and wait until they are gone."""
    pids = backends(admin, name)
    for pid in pids:
        admin.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
    return len(pids)


# --- connections -----------------------------------------------------------------------------------------------------


def test_a_lost_connection_is_made_anew(make: Callable[..., PostgresStore], admin: Admin, name: str) -> None:
    store = make()
    assert end(admin, name) == 1
    store.apply([Put(CALL, b"1", 0)])
    assert end(admin, name) == 1
    assert store.read([CALL]).entries[CALL].value == b"1"
    assert end(admin, name) == 1
    store.apply([Put(CALL, b"2", 1)])
    assert store.read([CALL]).entries[CALL].version == 2


def test_when_all_connections_are_lost_one_failure_is_enough(
    make: Callable[..., PostgresStore], admin: Admin, name: str
) -> None:
    store = make()
    for each in [store._pool.take() for _ in range(4)]:
        store._pool.give(each)
    assert end(admin, name) == 4
    store.apply([Put(CALL, b"", 0)])


def hooked(admin: Admin, name: str, when: str) -> None:
    """From now on each change of an entry ends the connection that makes it, at once or when it commits; how often is counted."""
    admin.execute(f"CREATE SEQUENCE {name}.tries".encode())
    admin.execute(
        f"""CREATE FUNCTION {name}.cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM nextval('{name}.tries'); PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$""".encode()
    )
    admin.execute(
        f"CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON {name}.entries {when} FOR EACH ROW"
        f" EXECUTE FUNCTION {name}.cut()".encode()
    )


def tries(admin: Admin, name: str) -> int:
    ((number, called),) = admin.execute(f"SELECT last_value, is_called FROM {name}.tries".encode()).fetchall()
    return int(str(number)) if called else 0


def test_what_was_not_committed_is_tried_once_more(
    make: Callable[..., PostgresStore], admin: Admin, name: str
) -> None:
    store = make()
    hooked(admin, name, "")
    with pytest.raises(Unavailable, match="connection"):
        store.apply([Put(CALL, b"", 0)])
    assert tries(admin, name) == 2


def test_what_may_have_been_committed_is_never_tried_again(
    make: Callable[..., PostgresStore], admin: Admin, name: str
) -> None:
    store = make()
    hooked(admin, name, "DEFERRABLE INITIALLY DEFERRED")
    with pytest.raises(Unavailable, match="connection"):
        store.apply([Put(CALL, b"", 0)])
    assert tries(admin, name) == 1
    assert store.read([CALL]).entries == {}


def test_connections_are_few(make: Callable[..., PostgresStore], admin: Admin, name: str) -> None:
    store = make()
    threads = [threading.Thread(target=lambda: [store.read([CALL]) for _ in range(10)]) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(backends(admin, name)) <= 8
    store.close()
    deadline = time.monotonic() + 30
    while backends(admin, name) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert backends(admin, name) == []


# --- waiting ---------------------------------------------------------------------------------------------------------


def test_one_waits_for_a_lock_no_longer_than_it_is_patient(
    make: Callable[..., PostgresStore], server: str, name: str
) -> None:
    store = make(0.4)
    with psycopg.connect(server) as other:
        other.execute(f"LOCK TABLE {name}.entries".encode())
        for ask in (lambda: store.apply([Put(CALL, b"", 0)]), lambda: store.read([CALL])):
            began = time.monotonic()
            with pytest.raises(Unavailable, match="timeout"):
                ask()
            assert time.monotonic() - began < 10
        other.rollback()
    store.apply([Put(CALL, b"", 0)])


@pytest.mark.skipif(GIVEN in os.environ, reason="the server's processes are not this machine's")
def test_one_waits_no_longer_for_a_server_that_stands_still(
    make: Callable[..., PostgresStore], admin: Admin, name: str
) -> None:
    store = make(0.4)
    for ask in (lambda: store.apply([Put(CALL, b"", 0)]), lambda: store.read([CALL])):
        store.read([])
        (pid,) = backends(admin, name)
        os.kill(pid, signal.SIGSTOP)
        try:
            began = time.monotonic()
            with pytest.raises(Unavailable, match="did not answer within"):
                ask()
            assert time.monotonic() - began < 10
        finally:
            os.kill(pid, signal.SIGCONT)
        end(admin, name)


# --- the schema ------------------------------------------------------------------------------------------------------


def test_a_role_that_owns_its_schema_alone_can_use_it(server: str, admin: Admin, name: str) -> None:
    admin.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'narrow'".encode())
    try:
        parts = urlsplit(server)
        url = urlunsplit(parts._replace(netloc=f"{name}:narrow@{parts.netloc.rpartition('@')[2]}"))
        with pytest.raises(Unavailable, match="permission denied"):
            open_store(with_setting(url, f"schema={name}"))
        admin.execute(f"CREATE SCHEMA {name} AUTHORIZATION {name}".encode())
        for _ in range(2):
            store = open_store(with_setting(url, f"schema={name}"))
            store.apply([Put(TOOL, b"", None)])
            assert store.generation("acme", Kind.OVERRIDE) > 0
            store.sweep(0, 1)
            store.close()
    finally:
        admin.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE".encode())
        admin.execute(f"DROP ROLE {name}".encode())


def test_two_schemas_are_two_stores(server: str, schema: str) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        try:
            one, other = open_store(schema), PostgresStore(server, f"{name_of(schema)}_2")
            one.apply([Put(TOOL, b"", 0)])
            assert other.read([TOOL]).entries == {}
            assert other.generation("acme", Kind.OVERRIDE) == 0
            one.close()
            other.close()
        finally:
            connection.execute(f"DROP SCHEMA {name_of(schema)}_2 CASCADE".encode())


def test_a_server_that_does_not_wait_for_its_disk_is_told_to(server: str, schema: str) -> None:
    store = open_store(f"{schema}&options=-c%20synchronous_commit%3Doff")
    assert isinstance(store, PostgresStore)
    assert store._rows_of("SHOW synchronous_commit", ()) == [("on",)]
    store.close()


# --- what others changed ---------------------------------------------------------------------------------------------


def seen_after(store: PostgresStore, before: int) -> float:
    """Seconds until a store tells another generation."""
    began = time.monotonic()
    while store.generation("acme", Kind.OVERRIDE) == before:
        time.sleep(0.002)
        assert time.monotonic() - began < 5
    return time.monotonic() - began


def listening(admin: Admin, name: str) -> list[int]:
    return backends(admin, name, "starts_with(query, 'LISTEN')")


def heard(admin: Admin, name: str) -> None:
    deadline = time.monotonic() + 30
    while not listening(admin, name):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    time.sleep(0.05)


def test_what_others_change_is_heard_long_before_the_bound(
    make: Callable[..., PostgresStore], admin: Admin, name: str
) -> None:
    store, other = make(), make()
    number = store.generation("acme", Kind.OVERRIDE)
    heard(admin, name)
    delays = []
    for version in range(8):
        assert store.generation("acme", Kind.OVERRIDE) == number
        other.apply([Put(TOOL, b"", version)])
        delays.append(seen_after(store, number))
        number = store.generation("acme", Kind.OVERRIDE)
    assert sorted(delays)[4] < BOUND / 2
    assert max(delays) < BOUND + 2


def test_what_others_say_on_the_channel_stops_nobody_listening(
    make: Callable[..., PostgresStore], admin: Admin, name: str
) -> None:
    store = make()
    number = store.generation("acme", Kind.OVERRIDE)
    heard(admin, name)
    for said in ("", "override", "override xyz", "nonsense 61", "override ff", "journal 61"):
        admin.execute("SELECT pg_notify(%s, %s)", (name, said))
    time.sleep(0.1)
    assert store.generation("acme", Kind.OVERRIDE) == number
    make().apply([Put(TOOL, b"", 0)])
    assert seen_after(store, number) < BOUND / 2
    assert len(listening(admin, name)) == 1


def test_it_is_told_from_memory(make: Callable[..., PostgresStore], admin: Admin, name: str) -> None:
    store = make()
    store.generation("acme", Kind.OVERRIDE)
    heard(admin, name)
    store.generation("acme", Kind.OVERRIDE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "_rows_of", None)
        assert store.generation("acme", Kind.OVERRIDE) == 0


def test_who_can_not_listen_sees_it_within_the_bound_and_listens_again(
    make: Callable[..., PostgresStore], admin: Admin, name: str
) -> None:
    store, other = make(), make()
    before = store.generation("acme", Kind.OVERRIDE)
    heard(admin, name)
    (pid,) = listening(admin, name)
    admin.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
    other.apply([Put(TOOL, b"", 0)])
    assert seen_after(store, before) < BOUND + 2
    heard(admin, name)


def test_the_bound_holds_without_anybody_who_tells(make: Callable[..., PostgresStore]) -> None:
    def deaf() -> Notices:
        yield from ()

    store, other = make(), make()
    watch = Watch(store._generation, deaf, 0.2)
    before = watch.generation("acme", Kind.OVERRIDE)
    other.apply([Put(TOOL, b"", 0)])
    began = time.monotonic()
    while watch.generation("acme", Kind.OVERRIDE) == before:
        time.sleep(0.005)
    assert time.monotonic() - began < 3
    watch.close()


def test_what_is_changed_by_hand_counts_too(
    make: Callable[..., PostgresStore], admin: Admin, name: str
) -> None:
    store = make()
    store.apply([Put(TOOL, b"", 0)])
    before = store.generation("acme", Kind.OVERRIDE)
    admin.execute(f"DELETE FROM {name}.entries".encode())
    assert seen_after(store, before) < BOUND + 2
    assert store.read([TOOL]).entries == {}


def test_a_generation_is_not_told_from_memory_when_the_database_is_gone(
    make: Callable[..., PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = make()
    store.generation("acme", Kind.OVERRIDE)
    store._pool.close()
    time.sleep(0)
    with pytest.raises(Unavailable):
        store.generation("acme", Kind.OVERRIDE)


# --- the order of locks ----------------------------------------------------------------------------------------------


def deadlocks(admin: Admin, name: str) -> int:
    """How many there were, when all connections of a store are gone and have told theirs."""
    deadline = time.monotonic() + 30
    while backends(admin, name) and time.monotonic() < deadline:
        time.sleep(0.01)
    ((number,),) = admin.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    return int(str(number))


def together(store: PostgresStore, orders: Sequence[Sequence[Key]]) -> None:
    """Threads that put all of their keys at once, each in its order, again and again."""
    failed: list[BaseException] = []

    def work(order: Sequence[Key]) -> None:
        try:
            for _ in range(15):
                store.apply([Put(each, b"", None) for each in order])
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(order,)) for order in orders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    keys = {each for order in orders for each in order}
    versions = [entry.version for entry in store.read(list(keys)).entries.values()]
    assert sum(versions) == 15 * sum(map(len, orders))


def test_those_who_change_the_same_in_another_order_do_not_wait_for_each_other(
    make: Callable[..., PostgresStore], admin: Admin, name: str
) -> None:
    before = deadlocks(admin, name)
    store = make()
    keys = [key("acme", Kind.JOURNAL, str(number)) for number in range(12)]
    together(store, [(keys[turn:] + keys[:turn])[:: 1 if turn % 2 else -1] for turn in range(6)])
    held = [int(number) for number in store._locks([Put(each, b"", 0) for each in keys])[1:-1].split(",")]
    assert held == sorted(held)
    store.close()
    assert deadlocks(admin, name) == before


def test_those_who_change_other_entries_of_the_same_kinds_do_not_wait_for_each_other(
    make: Callable[..., PostgresStore], admin: Admin, name: str
) -> None:
    before = deadlocks(admin, name)
    store = make()
    pairs = [
        [key("acme", Kind.OVERRIDE, str(number)), key("acme", Kind.APPROVAL, str(number))]
        for number in range(6)
    ]
    together(store, [pair[:: 1 if turn % 2 else -1] for turn, pair in enumerate(pairs)])
    store.close()
    assert deadlocks(admin, name) == before


def test_an_entry_that_is_put_again_while_a_sweep_waits_for_it_stays(
    make: Callable[..., PostgresStore], server: str, name: str
) -> None:
    store = make()
    store.apply([Put(CALL, b"old", 0, 1_000)])
    swept: list[int] = []
    with psycopg.connect(server) as other:
        other.execute(f"UPDATE {name}.entries SET expires = 9000, version = 2".encode())
        thread = threading.Thread(target=lambda: swept.append(store.sweep(5_000, 10)))
        thread.start()
        time.sleep(0.3)
        other.commit()
    thread.join()
    assert swept == [0]
    assert store.read([CALL, Window(CALL, 0)]).entries[CALL].version == 2
    with pytest.raises(Lost):
        store.apply([Put(CALL, b"", 1)])
