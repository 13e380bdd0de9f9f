"""A log in a store: a chain for each tenant, also when several processes add to it at once."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

from gateway.chain import Anchor, Verified, verified
from gateway.record import Record, RecordKind
from gateway.recorders.reading import store_lines
from gateway.recorders.store import StoreRecorder
from gateway.state import Store
from gateway.stores import open_store
from tests.recording.world import gateway
from tests.remembering.world import CLERK, SHOP, call
from tests.stores.conftest import Stores


def record(name: str, tenant: str = "acme") -> Record:
    return Record(RecordKind.DECISION, 0, id=name, tenant=tenant)


def look(store: Store, tenant: str = "acme") -> Verified:
    return verified(store_lines(store, tenant))


class Anchors:
    def __init__(self) -> None:
        self.all: list[Anchor] = []

    def put(self, anchor: Anchor) -> None:
        self.all.append(anchor)

    def last(self, log: str) -> Anchor | None:
        return None


def test_each_tenant_has_a_chain_that_goes_on(stores: Stores) -> None:  # C13
    anchors = Anchors()
    for turn in range(3):
        recorder = StoreRecorder(stores.open(), anchors=anchors, every=3)
        for number in range(3):
            recorder.record(record(f"d-{turn}-{number}"))
            recorder.record(record(f"e-{turn}-{number}", "other"))
    store = stores.open()
    for tenant in ("acme", "other"):
        told = verified(store_lines(store, tenant), [one for one in anchors.all if one.log == tenant])
        assert (told.records, told.found, told.anchored) == (9, (), 9)
    assert look(store, "nobody").records == 0


def test_decisions_are_kept_in_the_store_that_remembers(stores: Stores) -> None:
    store = stores.open()
    gate = gateway(StoreRecorder(store), SHOP, store)
    gate.run(call("save"), CLERK, lambda arguments: {"saved": 1})
    gate.before(call("save"), CLERK)
    gate.before(call("save"), {**CLERK, "tenant": None})
    assert look(store).records == 3
    assert look(store, "").records == 1
    assert look(store).ok


def test_processes_add_to_one_chain(shared: Stores) -> None:
    children = []
    for child in range(4):
        if (process := os.fork()) == 0:
            status = 1
            try:
                recorder = StoreRecorder(open_store(shared.url))
                for number in range(15):
                    recorder.record(record(f"{child}-{number}"))
                status = 0
            finally:
                os._exit(status)
        children.append(process)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
    store = shared.open()
    told = look(store)
    assert (told.records, told.found) == (60, ())
    rows: list[Any] = [line.value for line in store_lines(store, "acme")]
    assert Counter(row.split(b'"id":"')[1].split(b"-")[0] for row in rows) == {
        b"%d" % child: 15 for child in range(4)
    }
