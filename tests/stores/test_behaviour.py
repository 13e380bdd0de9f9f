"""What every store does, whatever it keeps things in."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from gateway.state import (
    EMPTY,
    LONGEST,
    WATCHED,
    Append,
    Change,
    Count,
    Delete,
    Entry,
    Key,
    Kind,
    Lost,
    Piece,
    Put,
    Row,
    Store,
    Unavailable,
    Window,
    key,
)
from tests.stores.conftest import Stores

CALL = key("acme", Kind.JOURNAL, "session", "call")
RATE = key("acme", Kind.LIMIT, "pay", "ada")
LOG = key("acme", Kind.AUDIT)
MINUTE = 60_000_000
T = 1_790_000_000_000_000


def lost(store: Store, *changes: Change) -> Change:
    with pytest.raises(Lost) as caught:
        store.apply(changes)
    return caught.value.change


# --- entries ---------------------------------------------------------------------------------------------------------


def test_an_entry_is_put_where_none_is_expected_once(stores: Stores) -> None:
    store = stores.open()
    assert store.read([CALL]) == EMPTY
    store.apply([Put(CALL, b"started", 0)])
    again = Put(CALL, b"started again", 0)
    assert lost(store, again) is again
    assert store.read([CALL]).entries == {CALL: Entry(b"started", 1)}


def test_an_entry_is_put_again_only_in_the_version_that_was_read(stores: Stores) -> None:
    store = stores.open()
    store.apply([Put(CALL, b"1", 0)])
    store.apply([Put(CALL, b"2", 1)])
    for expected in (0, 1, 3, -1):
        lost(store, Put(CALL, b"other", expected))
    assert store.read([CALL]).entries[CALL] == Entry(b"2", 2)
    lost(store, Put(key("acme", Kind.JOURNAL, "none"), b"x", 1))


def test_who_expects_nothing_always_puts(stores: Stores) -> None:
    store = stores.open()
    for version in (1, 2, 3):
        store.apply([Put(CALL, b"%d" % version, None)])
        assert store.read([CALL]).entries[CALL] == Entry(b"%d" % version, version)


def test_an_entry_is_removed_only_in_the_version_that_was_read(stores: Stores) -> None:
    store = stores.open()
    lost(store, Delete(CALL, 1))
    store.apply([Put(CALL, b"1", 0), Put(CALL, b"2", 1)])
    lost(store, Delete(CALL, 1))
    store.apply([Delete(CALL, 2)])
    assert store.read([CALL]) == EMPTY
    store.apply([Put(CALL, b"new", 0)])
    assert store.read([CALL]).entries[CALL].version == 1


def test_the_changes_of_one_apply_follow_each_other(stores: Stores) -> None:
    store = stores.open()
    store.apply([Put(CALL, b"1", 0), Put(CALL, b"2", 1), Delete(CALL, 2), Put(CALL, b"3", 0)])
    assert store.read([CALL]).entries[CALL] == Entry(b"3", 1)


@pytest.mark.parametrize("place", range(5))
def test_one_that_is_lost_leaves_nothing_of_the_others(stores: Stores, place: int) -> None:
    store = stores.open()
    held = key("acme", Kind.OVERRIDE, "held")
    store.apply([Put(held, b"before", 0), Append(LOG, b"first", 1), Count(RATE, T, 2, MINUTE, 5)])
    before = store.generation("acme", Kind.OVERRIDE)
    changes: list[Change] = [
        Put(CALL, b"started", 0),
        Put(held, b"after", 1),
        Count(RATE, T, 1, MINUTE, 5),
        Append(LOG, b"second", 2),
    ]
    losing = Delete(key("acme", Kind.SESSION, "gone"), 1)
    assert lost(store, *changes[:place], losing, *changes[place:]) is losing
    assert store.read([CALL, held, Window(RATE, 0)]).entries == {held: Entry(b"before", 1)}
    assert store.read([Window(RATE, 0)]).totals == {Window(RATE, 0): 2}
    assert store.last(LOG) == Row(1, b"first")
    assert store.generation("acme", Kind.OVERRIDE) == before
    store.apply(changes)
    assert store.read([Window(RATE, 0)]).totals == {Window(RATE, 0): 3}


def test_what_was_changed_twice_before_one_was_lost_is_as_it_was(stores: Stores) -> None:
    store = stores.open()
    store.apply([Put(CALL, b"before", 0, T), Count(RATE, T, 1, MINUTE, 9), Append(LOG, b"first", 1)])
    twice: list[Change] = [
        *(Put(CALL, b"1", 1), Delete(CALL, 2), Put(CALL, b"2", 0), Put(CALL, b"3", 1, T + 9)),
        *(Count(RATE, T, 1, 2 * MINUTE, 9), Count(RATE, T, 2, MINUTE, 9)),
        *(Count(RATE, T - 1, 1, MINUTE, 9), Count(RATE, T - 2, 1, MINUTE, 9)),
        *(Append(LOG, b"second", 2), Append(LOG, b"third", 3)),
    ]
    lost(store, *twice, Append(LOG, b"lost", 3))
    assert store.read([CALL]).entries == {CALL: Entry(b"before", 1)}
    assert store.counted(Window(RATE, 0), 9) == [(T, 1)]
    assert store.rows(LOG, 0, 9) == [Row(1, b"first")]
    assert store.sweep(T + MINUTE, 9) == 2


def test_the_first_that_can_not_be_made_is_named(stores: Stores) -> None:
    first, second = Append(LOG, b"", 7), Put(CALL, b"", 3)
    assert lost(stores.open(), Put(CALL, b"", 0), first, second) is first


def test_no_change_and_no_key_are_fine(stores: Stores) -> None:
    store = stores.open()
    store.apply([])
    assert store.read([]) == EMPTY


def test_many_things_are_read_at_once(stores: Stores) -> None:
    store = stores.quick()
    keys = [key("acme", Kind.SESSION, str(number)) for number in range(300)]
    windows = [Window(key("acme", Kind.LIMIT, str(number)), T - number) for number in range(300)]
    store.apply([Put(each, b"%d" % number, 0) for number, each in enumerate(keys) if number % 2])
    store.apply([Count(each.key, T, number, MINUTE, 1000) for number, each in enumerate(windows)])
    state = store.read([one for pair in zip(keys, windows, strict=True) for one in pair])
    assert state.entries == {each: Entry(b"%d" % number, 1) for number, each in enumerate(keys) if number % 2}
    assert state.totals == {each: number for number, each in enumerate(windows) if number} | {windows[0]: 0}
    assert store.read([keys[1], keys[1], windows[2], windows[2]]).totals == {windows[2]: 2}


@pytest.mark.parametrize("shape", ["w", "e", "we", "wwe", "wwwew", "ewwe", "eeew"])
def test_entries_and_windows_are_read_in_any_order(stores: Stores, shape: str) -> None:
    store = stores.open()
    store.apply([Put(CALL, b"held", 0), Count(RATE, T, 3, MINUTE, 9)])
    state = store.read([CALL if each == "e" else Window(RATE, place) for place, each in enumerate(shape)])
    assert state.entries == ({CALL: Entry(b"held", 1)} if "e" in shape else {})
    assert state.totals == {Window(RATE, place): 3 for place, each in enumerate(shape) if each == "w"}


def test_bytes_of_every_kind_come_back(stores: Stores) -> None:
    store = stores.open()
    for value in (b"", b"\0", bytes(range(256)), b"\xff\xfe"):
        store.apply([Put(CALL, value, None), Append(LOG, value, None)])
        assert store.read([CALL]).entries[CALL].value == value
        assert [row.value for row in store.rows(LOG, 0, 9)][-1:] == [value]


# --- large values ----------------------------------------------------------------------------------------------------


def test_a_large_value_is_read_in_pieces(stores: Stores) -> None:
    store = stores.open()
    value = bytes(range(256)) * 40_960
    store.apply([Put(CALL, value, 0)])
    pieces: list[bytes] = []
    while (piece := store.piece(CALL, len(b"".join(pieces)), 1_000_000)) is not None and piece.value:
        assert piece.total == len(value)
        pieces.append(piece.value)
    assert [len(each) for each in pieces] == [1_000_000] * 10 + [485_760]
    assert b"".join(pieces) == value
    assert store.read([CALL]).entries[CALL].value == value


def test_pieces_at_the_ends(stores: Stores) -> None:
    store = stores.open()
    assert store.piece(CALL, 0, 10) is None
    store.apply([Put(CALL, b"0123456789", 0)])
    assert store.piece(CALL, 8, 10) == Piece(b"89", 10)
    assert store.piece(CALL, 10, 10) == Piece(b"", 10)
    assert store.piece(CALL, 10**12, 10**12) == Piece(b"", 10)
    assert store.piece(CALL, 3, 0) == Piece(b"", 10)
    assert store.piece(CALL, -5, -1) == Piece(b"", 10)
    assert store.piece(CALL, -5, 2) == Piece(b"01", 10)


# --- counts ----------------------------------------------------------------------------------------------------------


def test_no_more_is_counted_than_the_most(stores: Stores) -> None:
    store = stores.open()
    for number in range(5):
        store.apply([Count(RATE, T + number, 1, MINUTE, 5)])
    over = Count(RATE, T + 5, 1, MINUTE, 5)
    assert lost(store, over) is over
    store.apply([Count(RATE, T + 5, 0, MINUTE, 5)])
    lost(store, Count(RATE, T + 5, 6, MINUTE, 10))
    store.apply([Count(RATE, T + 5, 5, MINUTE, 10)])


def test_a_count_that_is_as_old_as_the_window_no_longer_counts(stores: Stores) -> None:
    store = stores.open()
    store.apply([Count(RATE, T, 1, MINUTE, 1)])
    lost(store, Count(RATE, T + MINUTE - 1, 1, MINUTE, 1))
    store.apply([Count(RATE, T + MINUTE, 1, MINUTE, 1)])
    assert store.read([Window(RATE, T - 1), Window(RATE, T), Window(RATE, T + MINUTE)]).totals == {
        Window(RATE, T - 1): 2,
        Window(RATE, T): 1,
        Window(RATE, T + MINUTE): 0,
    }


def test_a_count_of_a_clock_that_is_ahead_counts(stores: Stores) -> None:
    store = stores.open()
    store.apply([Count(RATE, T + 10 * MINUTE, 1, MINUTE, 1)])
    lost(store, Count(RATE, T, 1, MINUTE, 1))


def test_what_is_counted_at_one_moment_adds_up(stores: Stores) -> None:
    store = stores.open()
    store.apply([Count(RATE, T, 2, MINUTE, 9), Count(RATE, T, 3, 2 * MINUTE, 9), Count(RATE, T + 1, 1, 1, 9)])
    assert store.counted(Window(RATE, 0), 10) == [(T, 5), (T + 1, 1)]
    assert store.counted(Window(RATE, 0), 1) == [(T, 5)]
    assert store.counted(Window(RATE, T), 10) == [(T + 1, 1)]
    assert store.counted(Window(RATE, 0), 0) == store.counted(Window(LOG, 0), 10) == []


def test_large_amounts_are_exact(stores: Stores) -> None:
    store = stores.open()
    most = 2**62 + 1
    store.apply([Count(RATE, T, 2**62, MINUTE, most)])
    lost(store, Count(RATE, T + 1, 2, MINUTE, most))
    store.apply([Count(RATE, T + 1, 1, MINUTE, most)])
    assert store.read([Window(RATE, 0)]).totals[Window(RATE, 0)] == most


# --- rows ------------------------------------------------------------------------------------------------------------


def test_rows_are_numbered_from_one_without_a_gap(stores: Stores) -> None:
    store = stores.open()
    assert store.last(LOG) is None
    assert store.rows(LOG, 0, 10) == []
    store.apply([Append(LOG, b"a", None), Append(LOG, b"b", 2)])
    for expected in (0, 1, 2, 4):
        lost(store, Append(LOG, b"x", expected))
    store.apply([Append(LOG, b"c", 3)])
    assert store.last(LOG) == Row(3, b"c")
    assert store.rows(LOG, 0, 2) == [Row(1, b"a"), Row(2, b"b")]
    assert store.rows(LOG, 2, 10) == [Row(3, b"c")]
    assert store.rows(LOG, 3, 10) == store.rows(LOG, 0, 0) == []


# --- lists -----------------------------------------------------------------------------------------------------------

NAMES = ["", "A", "a", "a\0", "a\0b", "aa", "é", "\ud800", "\udfff", "\ue000", "😀", "\U0010ffff"]


def test_entries_are_listed_page_by_page_in_the_order_of_their_names(stores: Stores) -> None:
    store = stores.open()
    for name in reversed(NAMES):
        store.apply([Put(Key("acme", Kind.OVERRIDE, name), name.encode("utf-8", "surrogatepass"), 0)])
    store.apply([Put(Key("acme", Kind.APPROVAL, "b"), b"", 0), Put(Key("acm", Kind.OVERRIDE, "b"), b"", 0)])
    found: list[str] = []
    while page := store.listed("acme", Kind.OVERRIDE, found[-1] if found else "", 5):
        assert len(page) <= 5
        for each, entry in page:
            assert (each.tenant, each.kind, entry.version) == ("acme", Kind.OVERRIDE, 1)
            assert entry.value == each.name.encode("utf-8", "surrogatepass")
        found += [each.name for each, _ in page]
    assert found == sorted(NAMES)[1:]  # nothing is before the name that is empty, nor is it behind itself
    assert store.listed("acme", Kind.OVERRIDE, "", 0) == []
    assert store.listed("acme", Kind.OVERRIDE, "\U0010ffff", 9) == []


# --- names -----------------------------------------------------------------------------------------------------------

ODD = [*NAMES, "\ud83d\ude00", "x" * LONGEST, "€" * (LONGEST // 3), "'\"; DROP TABLE entries --", "?%s{}"]


def test_names_of_every_kind_are_apart(stores: Stores) -> None:
    store = stores.open()
    keys = [Key(tenant, Kind.JOURNAL, name) for tenant in ODD for name in ODD]
    store.apply([Put(each, b"%d" % number, 0) for number, each in enumerate(keys)])
    for each, number in zip(keys, range(len(keys)), strict=True):
        assert store.read([each]).entries == {each: Entry(b"%d" % number, 1)}
    for tenant in ODD:
        assert [each.name for each, _ in store.listed(tenant, Kind.JOURNAL, "", 100)] == sorted(ODD)[1:]


def test_a_name_that_no_store_holds_is_refused_by_all(stores: Stores) -> None:
    store = stores.open()
    for long in (Key("x" * (LONGEST + 1), Kind.JOURNAL, ""), Key("", Kind.JOURNAL, "€" * 334)):
        asks: tuple[Callable[[Key], object], ...] = (
            lambda each: store.read([each]),
            lambda each: store.read([Window(each, 0)]),
            lambda each: store.apply([Put(each, b"", 0)]),
            lambda each: store.piece(each, 0, 1),
            lambda each: store.listed(each.tenant, each.kind, each.name, 1),
            lambda each: store.counted(Window(each, 0), 1),
            lambda each: store.rows(each, 0, 1),
            store.last,
        )
        for ask in asks:
            with pytest.raises(Unavailable, match="longer than the 1,000"):
                ask(long)


def test_words_of_any_length_make_a_name_that_is_held(stores: Stores) -> None:
    store = stores.open()
    long = [key("acme", Kind.JOURNAL, "x" * 10_000), key("acme", Kind.JOURNAL, "x" * 10_001)]
    store.apply([Put(each, b"", 0) for each in long])
    assert store.read(long).entries.keys() == set(long)


@pytest.mark.parametrize(
    "change",
    [
        Count(RATE, 2**63, 1, 1, 1),
        Count(RATE, T, 1, 2**63, 1),
        Count(RATE, T, 1, 1, 2**64),
        Put(CALL, b"", 2**64),
    ],
)
def test_a_number_that_no_store_holds_is_refused_by_all(stores: Stores, change: Change) -> None:
    store = stores.open()
    with pytest.raises(Unavailable):
        store.apply([Put(LOG, b"", 0), change])
    assert store.read([LOG]) == EMPTY


# --- generations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind in WATCHED])
def test_each_change_of_entries_makes_another_generation(stores: Stores, kind: Kind) -> None:
    store = stores.open()
    one = Key("acme", kind, "tool")
    seen = [store.generation("acme", kind)]
    for change in (
        Put(one, b"1", 0),
        Put(one, b"2", 1),
        Put(one, b"2", None),
        Delete(one, 3),
        Put(one, b"1", None, T),
    ):
        store.apply([change])
        seen.append(store.generation("acme", kind))
    assert store.sweep(T + 1, 10) == 1
    seen.append(store.generation("acme", kind))
    assert len(set(seen)) == len(seen)


def test_a_generation_is_of_one_tenant_and_kind(stores: Stores) -> None:
    store = stores.open()
    before = store.generation("acme", Kind.OVERRIDE)
    store.apply(
        [Put(Key("other", Kind.OVERRIDE, "tool"), b"", 0), Put(Key("acme", Kind.APPROVAL, "1"), b"", 0)]
    )
    store.apply([Put(CALL, b"", 0), Count(RATE, T, 1, MINUTE, 1), Append(LOG, b"", 1)])
    assert store.generation("acme", Kind.OVERRIDE) == before
    with pytest.raises(ValueError, match="`journal` has no generation"):
        store.generation("acme", Kind.JOURNAL)


# --- sweeping --------------------------------------------------------------------------------------------------------


def test_only_what_is_over_is_swept(stores: Stores) -> None:
    store = stores.open()
    entries = [key("acme", Kind.JOURNAL, str(number)) for number in range(4)]
    store.apply([Put(each, b"", 0, T + number) for number, each in enumerate(entries[:3])])
    store.apply([Put(entries[3], b"", 0), Append(LOG, b"", 1)])
    store.apply([Count(RATE, T - MINUTE + number, 1, MINUTE, 9) for number in range(3)])
    assert store.sweep(T, 100) == 1  # a count that is as old as its window; entries last through their moment
    assert store.counted(Window(RATE, 0), 9) == [(T - MINUTE + 1, 1), (T - MINUTE + 2, 1)]
    assert store.sweep(T + 2, 100) == 4
    assert store.read(entries).entries.keys() == {entries[2], entries[3]}
    assert store.sweep(T + MINUTE, 100) == 1
    assert store.sweep(2**62, 100) == 0
    assert store.read(entries).entries.keys() == {entries[3]}
    assert store.last(LOG) == Row(1, b"")


def test_a_sweep_takes_no_more_than_it_is_told(stores: Stores) -> None:
    store = stores.open()
    store.apply([Put(key("acme", Kind.JOURNAL, str(number)), b"", 0, T) for number in range(5)])
    store.apply([Count(RATE, T + number, 1, 1, 9) for number in range(5)])
    assert [store.sweep(T + MINUTE, 4) for _ in range(4)] == [4, 4, 2, 0]
    assert store.sweep(T + MINUTE, 0) == store.sweep(T + MINUTE, -1) == 0


def test_the_last_put_says_when_an_entry_expires(stores: Stores) -> None:
    store = stores.open()
    store.apply([Put(CALL, b"", 0, T)])
    store.apply([Put(CALL, b"", 1)])
    assert store.sweep(2**62, 9) == 0
    store.apply([Put(CALL, b"", None, T)])
    assert store.sweep(T + 1, 9) == 1


def test_the_longest_window_keeps_a_count(stores: Stores) -> None:
    store = stores.open()
    store.apply([Count(RATE, T, 1, 60 * MINUTE, 9), Count(RATE, T, 1, MINUTE, 9)])
    assert store.sweep(T + MINUTE, 9) == 0
    assert store.sweep(T + 60 * MINUTE, 9) == 1


# --- the store itself ------------------------------------------------------------------------------------------------


def test_what_was_applied_is_there_for_the_next_who_opens_it(shared: Stores) -> None:
    first = shared.open()
    first.apply([Put(CALL, b"started", 0), Count(RATE, T, 1, MINUTE, 1), Append(LOG, b"row", 1)])
    second = shared.open()
    assert second.read([CALL]).entries[CALL] == Entry(b"started", 1)
    second.apply([Put(CALL, b"completed", 1)])
    assert first.read([CALL]).entries[CALL] == Entry(b"completed", 2)
    first.close()
    assert second.last(LOG) == Row(1, b"row")
    lost(second, Count(RATE, T, 1, MINUTE, 1))


def test_threads_share_a_store(stores: Stores) -> None:
    store = stores.quick()

    def work(number: int) -> int:
        won = 0
        for turn in range(40):
            try:
                store.apply([Put(key("acme", Kind.JOURNAL, str(turn)), b"%d" % number, 0)])
                won += 1
            except Lost:
                pass
            with suppress(Lost):
                store.apply([Count(RATE, T + turn, 1, MINUTE, 100), Append(LOG, b"%d" % number, None)])
            store.read([CALL, Window(RATE, 0)])
        return won

    with ThreadPoolExecutor(12) as pool:
        assert sum(pool.map(work, range(12))) == 40
    assert store.read([Window(RATE, 0)]).totals == {Window(RATE, 0): 100}
    assert [row.number for row in store.rows(LOG, 0, 1000)] == list(range(1, 101))


def test_a_closed_store_answers_nothing(stores: Stores) -> None:
    store = stores.open()
    store.apply([Put(CALL, b"", 0)])
    store.generation("acme", Kind.OVERRIDE)
    store.close()
    store.close()
    asks: tuple[Callable[[], object], ...] = (
        lambda: store.read([CALL]),
        lambda: store.read([]),
        lambda: store.apply([Put(CALL, b"", 1)]),
        lambda: store.apply([]),
        lambda: store.piece(CALL, 0, 1),
        lambda: store.listed("acme", Kind.JOURNAL, "", 1),
        lambda: store.counted(Window(RATE, 0), 1),
        lambda: store.rows(LOG, 0, 1),
        lambda: store.last(LOG),
        lambda: store.generation("acme", Kind.OVERRIDE),
        lambda: store.sweep(T, 1),
    )
    for ask in asks:
        with pytest.raises(Unavailable, match="the store is closed"):
            ask()
