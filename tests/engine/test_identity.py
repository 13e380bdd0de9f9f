"""Step 1: the first assertions, in order, each with its own code. Rows B1, B3, B4, B26."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from gateway.decision import Code, Effect
from gateway.session import Session, SessionError
from tests.engine.build import SHOP, decide, gateway, session

REFUSALS: list[tuple[str, dict[str, Any], Code]] = [
    ("no subject", {"subject": None}, Code.NO_IDENTITY),
    ("subject without id", {"subject": {"id": ""}}, Code.NO_IDENTITY),
    ("not authenticated", {"subject": {"authenticated": False}}, Code.NO_IDENTITY),
    ("no tenant", {"tenant": None}, Code.NO_TENANT),
    ("empty tenant", {"tenant": ""}, Code.NO_TENANT),
    ("subject of another tenant", {"subject": {"tenant": "beta"}}, Code.CROSS_TENANT),
    ("subject without tenant", {"subject": {"tenant": None}}, Code.CROSS_TENANT),
    ("visiting another tenant", {"visiting": "beta"}, Code.CROSS_TENANT),
    ("visiting one's own tenant", {"visiting": "acme"}, Code.CROSS_TENANT),
    ("unknown agent", {"agent": "ghost"}, Code.AGENT_DISABLED),
    ("agent without tenants is off everywhere", {"agent": "nowhere"}, Code.AGENT_DISABLED),
    ("agent off for the tenant", {"tenant": "gamma", "subject": {"tenant": "gamma"}}, Code.AGENT_DISABLED),
]


@pytest.mark.parametrize(("_name", "changes", "code"), REFUSALS, ids=[r[0] for r in REFUSALS])
def test_each_assertion_refuses_with_its_code(_name: str, changes: dict[str, Any], code: Code) -> None:  # B1
    decision = decide("search", {"query": "x"}, **changes)
    assert (decision.effect, decision.code) == (Effect.DENY, code)


@pytest.mark.parametrize(("_name", "changes", "code"), REFUSALS, ids=[r[0] for r in REFUSALS])
def test_the_entry_check_is_the_same_step(_name: str, changes: dict[str, Any], code: Code) -> None:  # B3
    decision = gateway().entry(session(**changes))
    assert (decision.effect, decision.code) == (Effect.DENY, code)


def test_entry_passes_what_a_call_would_pass() -> None:  # B3
    assert gateway().entry(session()).proceeds


def test_assertions_come_in_order() -> None:  # B1
    everything_wrong: dict[str, Any] = {
        "subject": {"authenticated": False, "tenant": "beta"},
        "tenant": None,
        "agent": "ghost",
    }
    assert decide("nothing", **everything_wrong).code is Code.NO_IDENTITY
    everything_wrong["subject"]["authenticated"] = True
    assert decide("nothing", **everything_wrong).code is Code.NO_TENANT
    everything_wrong["tenant"] = "acme"
    assert decide("nothing", **everything_wrong).code is Code.CROSS_TENANT
    everything_wrong["subject"]["tenant"] = "acme"
    assert decide("nothing", **everything_wrong).code is Code.AGENT_DISABLED
    del everything_wrong["agent"]
    assert decide("nothing", **everything_wrong).code is Code.TOOL_NOT_FOUND


def test_a_service_is_an_explicit_subject() -> None:  # B26
    assert decide("search", {"query": "x"}, subject={"kind": "service", "id": "nightly"}).proceeds
    assert decide("search", {"query": "x"}, subject={"kind": "system"}).code is Code.NO_IDENTITY


def test_no_session_at_all_is_refused() -> None:  # B4
    gate = gateway()
    assert gate.before({"tool": "search", "arguments": {"query": "x"}}, None).code is Code.NO_IDENTITY
    assert gate.before({"tool": "search"}, {}).code is Code.NO_IDENTITY


@pytest.mark.parametrize(
    "broken",
    [
        {"tennant": "acme"},
        {"subject": "u-1"},
        {"subject": {"id": 7}},
        {"channel": "intern"},
        {"can_ask": "yes"},
        {"modes": {"web_search": True}},
        {"capabilities": "sandbox"},
        {"roots": [1]},
    ],
)
def test_a_session_that_cannot_be_read_is_no_identity(broken: dict[str, Any]) -> None:
    made: Any = session()
    made.update(broken)
    decision = gateway().before({"tool": "search", "arguments": {"query": "x"}}, made)
    assert (decision.effect, decision.code) == (Effect.DENY, Code.NO_IDENTITY)
    assert next(iter(broken)) in decision.detail


def test_identity_is_passed_in_and_never_taken_from_the_thread_or_task() -> None:  # B4
    gate = gateway()
    call = {"tool": "order_read", "arguments": {"id": "1"}}
    good, bad = session(), session(subject={"permissions": []})

    def codes() -> list[Code]:
        return [gate.before(call, good).code, gate.before(call, bad).code, gate.before(call, None).code]

    wanted = [Code.ALLOWED, Code.PERMISSION_DENIED, Code.NO_IDENTITY]
    seen: list[list[Code]] = []
    thread = threading.Thread(target=lambda: seen.append(codes()))
    thread.start()
    thread.join()
    with ThreadPoolExecutor(8) as pool:
        seen.extend(pool.map(lambda _: codes(), range(64)))

    async def many() -> list[list[Code]]:
        async def one() -> list[Code]:
            await asyncio.sleep(0)
            return codes()

        return list(await asyncio.gather(*(one() for _ in range(16))))

    seen.extend(asyncio.run(many()))
    assert len(seen) == 81
    assert all(codes == wanted for codes in seen)


def test_the_entry_check_needs_no_tool_and_grants_nothing() -> None:  # B3
    entered = gateway().entry(session())
    assert (entered.effect, entered.code, entered.obligations) == (Effect.ALLOW, Code.ALLOWED, ())
    assert entered.call_id
    external = gateway().entry(session(channel="external", can_ask=False, dry_run=True))
    assert external.proceeds


def test_a_tenant_is_the_whole_name() -> None:  # B1
    for tenant in ("acm", "acmee", "ACME", "acme/x"):
        who: dict[str, Any] = {"tenant": tenant, "subject": {"tenant": tenant}}
        assert decide("search", {"query": "x"}, **who).code is Code.AGENT_DISABLED
    anywhere = decide("search", {"query": "x"}, agent="reader", tenant="x", subject={"tenant": "x"})
    assert anywhere.proceeds


def test_nothing_is_degraded_when_everything_is_watched() -> None:  # B1
    text = SHOP.replace("confirm_from: HIGH", "confirm_from: HIGH\n  monitor_until: 2027-01-01")
    for _name, changes, code in REFUSALS:
        decision = decide("search", {"query": "x"}, text=text, **changes)
        assert (decision.effect, decision.code, decision.monitored) == (Effect.DENY, code, ())


@pytest.mark.parametrize(
    "fields",
    [
        {"channel": "intern"},
        {"capabilities": "sandbox"},
        {"can_ask": 1},
        {"roots": "/"},
        {"modes": {"web_search": "yes"}},
        {"tenant": "t" * 10_000},
    ],
)
def test_a_session_object_is_checked_like_a_mapping(fields: dict[str, Any]) -> None:
    with pytest.raises(SessionError):
        Session(**fields)


def test_a_channel_written_as_text_is_the_channel() -> None:
    text = SHOP + "rules: [{id: outside, tools: [search], channels: [external], effect: deny}]\n"
    who = Session.of({**session(), "channel": "external"})
    made = Session(**{**session(), "channel": "external"})
    for one in (who, made):
        decision = gateway(text).before({"tool": "search", "arguments": {"query": "x"}}, one)
        assert decision.rule == "outside"


def test_the_operator_is_told_which_agent_was_probably_meant() -> None:
    assert decide("search", {"query": "x"}, agent="clrek").detail == (
        "no agent is called `clrek` (did you mean `clerk`?)"
    )
    assert decide("search", {"query": "x"}, agent="zzz").detail == "no agent is called `zzz`"
