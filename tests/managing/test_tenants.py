"""Who sees a change, and when: one process, replicas, and stores that fail. Rows B6 and B9."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.decision import Code
from gateway.managing.kept import audit_key, kept_in
from gateway.state import Change, Key, Kind, Lost, State, Unavailable, Window
from gateway.stores import open_store
from gateway.stores.memory import MemoryStore
from tests.competing import at_once
from tests.managing.office import Office, digest_in, operator, session
from tests.stores.conftest import Stores

PROCESSES = 8
BOUND = 1.0
"""Seconds after which every replica sees a change, as the stores state."""
_PATIENCE = 10.0


def test_a_change_shows_in_another_process_within_the_bound(shared: Stores, tmp_path: Path) -> None:
    here = Office(tmp_path, open_store(shared.url))
    there = Office(tmp_path, open_store(shared.url))
    assert there.code("read", "acme", "row:read") is Code.ALLOWED
    here.done("override", tool="read", enabled=False)
    assert here.code("read", "acme", "row:read") is Code.TOOL_DISABLED
    time.sleep(BOUND)
    assert there.code("read", "acme", "row:read") is Code.TOOL_DISABLED
    here.store.close()
    there.store.close()


def test_eight_that_set_the_same_override_leave_one_and_one_row(shared: Stores, tmp_path: Path) -> None:  # B9
    office = Office(tmp_path, open_store(shared.url))
    confirm = digest_in(office.refused("override", tool="write", permissions=[], reason="pilot"))
    office.store.close()

    def save(one: Office, number: int) -> Any:
        given = {"tool": "write", "permissions": [], "reason": "pilot", "confirm": confirm}
        return _as(one, number, "override", given)["changed"]

    assert sorted(compete(shared.url, tmp_path, save)) == [False] * (PROCESSES - 1) + [True]
    assert _left(shared.url) == (["write"], 1)


def test_eight_that_set_different_overrides_leave_one(shared: Stores, tmp_path: Path) -> None:  # B9
    def save(one: Office, number: int) -> Any:
        return _as(one, number, "override", {"tool": "write", "title": f"Save {number}"})["changed"]

    assert compete(shared.url, tmp_path, save) == [True] * PROCESSES
    assert _left(shared.url) == (["write"], 0)


def test_threads_see_the_whole_of_an_override_or_none_of_it(office: Office) -> None:
    office.relax("write", permissions=[])
    seen: set[Code] = set()

    def ask(_: int) -> None:
        for _ in range(60):
            call = {"tool": "write", "arguments": {}}
            seen.add(office.gateway.before(call, session("acme", "clerk", "kim")).code)

    with ThreadPoolExecutor(4) as pool:
        asking = pool.map(ask, range(4))
        for _ in range(15):
            office.done("override", tool="write", permissions=["row:own"], risk="HIGH", **_confirmed(office))
            office.relax("write", permissions=[])
        list(asking)
    assert seen <= {Code.ALLOWED, Code.PERMISSION_DENIED}


def _confirmed(office: Office) -> dict[str, str]:
    said = office.refused("override", tool="write", permissions=["row:own"], risk="HIGH", reason="pilot")
    return {"reason": "pilot", "confirm": digest_in(said)}


def test_a_store_that_can_not_tell_lets_nothing_run(tmp_path: Path) -> None:
    store = Failing()
    office = Office(tmp_path, store)
    office.done("override", tool="write", title="Save")
    store.broken = {"generation"}
    who = session("acme", "clerk", "kim", "row:read")
    assert office.code("read", "acme", "row:read") is Code.STATE_UNAVAILABLE
    assert office.gateway.entry(who).code is Code.STATE_UNAVAILABLE
    assert not office.gateway.tools(who).visible
    assert {one.code for one in office.gateway.tools(who).hidden} == {Code.STATE_UNAVAILABLE}
    store.broken = {"listed"}
    office.gateway = office.another()
    assert office.code("read", "acme", "row:read") is Code.STATE_UNAVAILABLE
    store.broken = set()
    assert office.code("read", "acme", "row:read") is Code.ALLOWED


def test_an_action_on_a_store_that_fails_is_told(tmp_path: Path) -> None:
    store = Failing()
    office = Office(tmp_path, store)
    store.lost = True
    with pytest.raises(Unavailable, match="others keep changing the same tool"):
        office.gateway.manage(SWITCHED_OFF, operator("acme"))
    store.lost = False
    again = office.gateway.manage(SWITCHED_OFF, operator("acme"))
    assert again.decision.code is Code.OUTCOME_UNKNOWN
    assert office.code("read", "acme", "row:read") is Code.ALLOWED


SWITCHED_OFF = {"tool": "gateway/override", "id": "m", "arguments": {"tool": "read", "enabled": False}}
TENANTS = ("acme", "beta", "gamma")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(TENANTS),
        st.sampled_from(["off", "on", "more", "reset", "create", "delete", "restart"]),
        st.sampled_from(["read", "write"]),
    ),
    max_size=12,
)


@given(STEPS)
@settings(max_examples=25, deadline=None)
def test_a_tenant_s_overrides_never_change_another_s_decisions(
    tmp_path_factory: Any, steps: list[tuple[str, str, str]]
) -> None:
    """Whatever others do between them, each tenant is answered as if it were alone."""
    folder = tmp_path_factory.mktemp("tenants")
    together = Office(folder)
    alone = {tenant: Office(folder) for tenant in TENANTS}
    for tenant, what, tool in steps:
        for office in (together, alone[tenant]):
            _do(office, tenant, what, tool)
        for one in TENANTS:
            assert _answers(together, one) == _answers(alone[one], one)


def _do(office: Office, tenant: str, what: str, tool: str) -> None:
    custom = {"name": "rates", "risk": "READ_ONLY", "action": "query", "source": "http", "endpoint": "e"}
    match what:
        case "off":
            office.done("override", tenant, tool=tool, enabled=False)
        case "on":
            office.relax(tool, tenant, permissions=[])
        case "more":
            office.done("override", tenant, tool=tool, permissions=["row:read", "row:write", "row:audit"])
        case "reset":
            office.done("reset", tenant, tool=tool)
        case "create":
            office.done("create", tenant, **custom, permissions=[])
        case "delete":
            office.done("delete", tenant, name="rates")
        case "restart":
            office.gateway = office.another()


def _answers(office: Office, tenant: str) -> list[Any]:
    who = session(tenant, "clerk", "kim", "row:read", "row:write")
    visible = [tool.name for tool in office.gateway.tools(who).visible]
    return [visible, *(office.code(tool, tenant, "row:read") for tool in ("read", "write", "rates"))]


class Failing(MemoryStore):
    """A store in memory of which some methods fail."""

    def __init__(self) -> None:
        super().__init__()
        self.broken: set[str] = set()
        self.lost = False

    def generation(self, tenant: str, kind: Kind) -> int:
        self._fail("generation")
        return super().generation(tenant, kind)

    def listed(self, tenant: str, kind: Kind, after: str, limit: int) -> Any:
        self._fail("listed")
        return super().listed(tenant, kind, after, limit)

    def read(self, keys: Sequence[Key | Window]) -> State:
        self._fail("read")
        return super().read(keys)

    def apply(self, changes: Sequence[Change]) -> None:
        if self.lost and changes[0].key.kind is Kind.OVERRIDE:
            raise Lost(changes[0])
        super().apply(changes)

    def _fail(self, method: str) -> None:
        if method in self.broken:
            raise Unavailable("the store is away")


def compete(url: str, folder: Path, work: Callable[[Office, int], Any]) -> list[Any]:
    """What each of some processes with an office of its own comes to."""

    def begin(number: int) -> Callable[[], Any]:
        own = folder / str(number)
        own.mkdir()
        office = Office(own, open_store(url))
        return lambda: work(office, number)

    return at_once(PROCESSES, begin)


def _as(office: Office, number: int, action: str, arguments: dict[str, Any]) -> Any:
    """What an operator of their own comes to."""
    who = operator("acme")
    who = {**who, "id": f"console-{number}"}
    ran = office.gateway.manage({"tool": f"gateway/{action}", "id": "m", "arguments": arguments}, who)
    assert ran.review is not None, ran.decision
    assert not ran.review.is_error, ran.text
    return ran.review.full


def _left(url: str) -> tuple[list[str], int]:
    """The tools with a live override, and how many rows the audit has."""
    store = open_store(url)
    try:
        return [*kept_in(store, "acme").overrides], len(store.rows(audit_key("acme"), 0, 100))
    finally:
        store.close()
