"""Every store does what the simple model does, whatever is asked of it in whatever order, and tenants never meet."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from gateway.state import WATCHED, Append, Change, Count, Delete, Entry, Key, Kind, Lost, Put, Store, Window
from tests.stores.conftest import Stores
from tests.stores.model import Model

_examples = itertools.count(1)

WORDS = ["", "a", "a\0", "é", "\ud83d\ude00", "😀", "\uffff", "b" * 300]
TENANTS = st.sampled_from(WORDS[:4])
KINDS = st.sampled_from([Kind.JOURNAL, Kind.OVERRIDE, Kind.APPROVAL])
KEYS = st.builds(Key, TENANTS, KINDS, st.sampled_from(WORDS))
MOMENTS = st.integers(0, 12)
VALUES = st.binary(max_size=6)
CHANGES = st.one_of(
    st.builds(Put, KEYS, VALUES, st.none() | st.integers(0, 3), st.none() | MOMENTS),
    st.builds(Delete, KEYS, st.integers(0, 3)),
    st.builds(Count, KEYS, MOMENTS, st.integers(0, 4), st.integers(0, 8), st.integers(0, 9)),
    st.builds(Append, KEYS, VALUES, st.none() | st.integers(0, 4)),
)


def own(example: int, key: Key) -> Key:
    """The key among those of one example, which begins with an empty store so."""
    return Key(f"{example}/{key.tenant}", key.kind, key.name)


def moved(example: int, change: Change) -> Change:
    key = own(example, change.key)
    match change:
        case Put():
            return Put(key, change.value, change.expected, change.expires)
        case Delete():
            return Delete(key, change.expected)
        case Count():
            return Count(key, change.at, change.amount, change.window, change.most)
        case Append():
            return Append(key, change.value, change.expected)


class Compared(RuleBasedStateMachine):
    """A store and the model, asked the same."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store = store
        self.model = Model()
        self.example = next(_examples)

    @initialize()
    def nothing_expires_of_others(self) -> None:
        while self.store.sweep(2**62, 1_000):
            pass

    @rule(changes=st.lists(CHANGES, max_size=4))
    def apply(self, changes: list[Change]) -> None:
        changes = [moved(self.example, change) for change in changes]
        groups = {(one.key.tenant, one.key.kind) for one in changes if isinstance(one, Put | Delete)}
        groups = {group for group in groups if group[1] in WATCHED}
        before = {group: self.store.generation(*group) for group in groups}
        expected = found = None
        try:
            self.model.apply(changes)
        except Lost as lost:
            expected = lost.change
        try:
            self.store.apply(changes)
        except Lost as lost:
            found = lost.change
        assert found is expected
        for group, number in before.items():
            assert (self.store.generation(*group) == number) is (expected is not None)

    @rule(keys=st.lists(st.tuples(KEYS, st.none() | MOMENTS), max_size=14))
    def read(self, keys: list[tuple[Key, int | None]]) -> None:
        asked: list[Key | Window] = []
        for key, after in keys:
            mine = own(self.example, key)
            asked.append(mine if after is None else Window(mine, after))
        state = self.store.read(asked)
        kept = self.model.entries
        assert state.entries == {key: kept[key][0] for key in asked if isinstance(key, Key) and key in kept}
        assert state.totals == {key: self.model.total(key) for key in asked if isinstance(key, Window)}

    @rule(key=KEYS, limit=st.integers(0, 5))
    def listed(self, key: Key, limit: int) -> None:
        place = own(self.example, key)
        found = self.store.listed(place.tenant, place.kind, place.name, limit)
        assert found == self.model.listed(place.tenant, place.kind, place.name)[:limit]

    @rule(key=KEYS, after=MOMENTS, limit=st.integers(0, 5))
    def behind(self, key: Key, after: int, limit: int) -> None:
        place = own(self.example, key)
        window = Window(place, after)
        assert self.store.counted(window, limit) == self.model.counted(window)[:limit]
        assert self.store.rows(place, after, limit) == self.model.rows(place, after)[:limit]
        assert self.store.last(place) == next(reversed(self.model.rows(place, 0)), None)

    @rule(key=KEYS, offset=st.integers(0, 7), limit=st.integers(0, 7))
    def piece(self, key: Key, offset: int, limit: int) -> None:
        place = own(self.example, key)
        piece = self.store.piece(place, offset, limit)
        if place in self.model.entries:
            value = self.model.entries[place][0].value
            assert piece is not None
            assert (piece.value, piece.total) == (value[offset : offset + limit], len(value))
        else:
            assert piece is None

    @rule(now=MOMENTS)
    def sweep(self, now: int) -> None:
        assert self.store.sweep(now, 1_000) == self.model.sweep(now)


def test_a_store_does_what_the_model_does(stores: Stores) -> None:
    store = stores.quick()
    machine: Any = lambda: Compared(store)  # noqa: E731
    run_state_machine_as_test(
        machine,
        settings=settings(max_examples=60, stateful_step_count=25, suppress_health_check=list(HealthCheck)),
    )


TWO = st.lists(st.tuples(st.sampled_from(["one", "one\0", "on", "\udcff"]), CHANGES), max_size=25)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=TWO)
def test_tenants_never_see_each_other(stores: Stores, steps: list[tuple[str, Change]]) -> None:
    """What a tenant finds is what it would find if it were alone, and it bears the tenant's mark."""
    store = stores.opened[0] if stores.opened else stores.quick()
    example = next(_examples)
    alone: dict[str, Model] = {}
    for tenant, change in steps:
        mine: Any = moved(example, change)
        key = Key(f"{example}/{tenant}", mine.key.kind, mine.key.name)
        mark = tenant.encode("utf-8", "surrogatepass")
        match mine:
            case Put():
                mine = Put(key, mark, mine.expected, None)
            case Delete():
                mine = Delete(key, mine.expected)
            case Count():
                mine = Count(key, mine.at, mine.amount, mine.window, mine.most)
            case Append():
                mine = Append(key, mark, mine.expected)
        expected = found = None
        try:
            alone.setdefault(tenant, Model()).apply([mine])
        except Lost as lost:
            expected = lost.change
        try:
            store.apply([mine])
        except Lost as lost:
            found = lost.change
        assert found is expected
    for tenant, model in alone.items():
        whole, mark = f"{example}/{tenant}", tenant.encode("utf-8", "surrogatepass")
        for kind in (Kind.JOURNAL, Kind.OVERRIDE, Kind.APPROVAL):
            listed = store.listed(whole, kind, "", 100)
            assert listed == model.listed(whole, kind, "")
            assert all(key.tenant == whole and entry.value == mark for key, entry in listed)
            for name in WORDS:
                key = Key(whole, kind, name)
                state = store.read([key, Window(key, -1)])
                kept: Entry | None = model.entries[key][0] if key in model.entries else None
                assert state.entries.get(key) == kept
                assert state.totals[Window(key, -1)] == model.total(Window(key, -1))
                assert store.rows(key, 0, 100) == model.rows(key, 0)
                assert all(row.value == mark for row in store.rows(key, 0, 100))
