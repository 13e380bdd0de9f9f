"""No line holds a sensitive value or a secret, wherever in a call it stands."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway import Gateway
from gateway.answering import Answer, ApprovalError, Verdict
from gateway.recording import Outputs, Recording
from gateway.stores.memory import MemoryStore
from tests.recording.world import LOGIN, Kept, gateway
from tests.remembering.world import CLERK

LETTERS = "q7Zk0uYbV3nTgL5xWmP8sRc1dEhJ2aFo9iKtBv4Q"
TOKENS = (f"ghp_{LETTERS[:36]}", f"AKIA{'Q7ZK3UYBV3NTGL5X'}", f"sk-ant-api03-{LETTERS * 3}"[:108])
"""Put together here, so that no scanner of repositories takes them for real ones."""


def gates(kept: Kept) -> Gateway:
    return gateway(Recording(kept, b"k" * 32, outputs=Outputs.BEGINNING), LOGIN, MemoryStore())


def lines(arguments: Any, tool: str = "login", name: str = "c-1") -> str:
    """All that is written of a call and its result."""
    kept = Kept()
    gate = gates(kept)
    call = {"tool": tool, "id": name, "arguments": arguments}
    decision = gate.before(call, CLERK)
    gate.after(call, CLERK, {"said": arguments}, decision)
    gate.before(call, CLERK)
    gate.before({**call, "id": f"{name} 2"}, {**CLERK, "agent": "nobody"})
    assert len(kept.records) == 4
    if tool == "login" and "unknown" not in arguments:
        assert decision.proceeds, "the arguments are looked at"
    return "\n".join(record.text for record in kept.records)


def held(secret: str, text: str) -> bool:
    return any(
        form in text
        for form in (secret, json.dumps(secret)[1:-1], json.dumps(json.dumps(secret)[1:-1])[1:-1])
    )


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize(
    "place",
    [
        lambda token: {"note": token},
        lambda token: {"note": f"use {token}, please"},
        lambda token: {"note": {"deep": [{"er": token}]}},
        lambda token: {"note": {token: 1}},
        lambda token: {"many": [1, token]},
        lambda token: {"note": json.dumps({"a": token})},
        lambda token: {"note": "a\u200bb", "many": [token[:8] + "\u200b" + token[8:]]},
        lambda token: {"note": token[:8] + "\r" + token[8:]},
        lambda token: json.dumps({"note": token}),
        lambda token: {"unknown": token},
    ],
)
def test_secrets_are_found_wherever_they_stand(token: str, place: Any) -> None:
    text = lines(place(token))
    assert not held(token, text)
    assert token[9:] not in text


@pytest.mark.parametrize("token", TOKENS)
def test_names_that_a_model_makes_up_hold_no_secrets(token: str) -> None:
    assert token not in lines({"note": 1}, tool=token)
    assert token not in lines({"note": 1}, name=token)
    assert token not in lines({"note": 1}, tool=f"{token}/x")


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize(
    "who",
    [
        lambda token: {"id": token},
        lambda token: {"turn": {"id": token}},
        lambda token: {"agent": token},
        lambda token: {"subject": {**CLERK["subject"], "id": token}},
        lambda token: {"subject": {**CLERK["subject"], "id": f"mail {token}"}},
    ],
)
def test_ids_of_who_asks_stood_in_the_log_though_they_were_secrets(token: str, who: Any) -> None:
    kept = Kept()
    session = {**CLERK, **who(token)}
    gate = gateway(Recording(kept, b"k" * 32), store=MemoryStore())
    decision = gate.before({"tool": "save", "id": "c-1", "arguments": {"id": "a"}}, session)
    gate.after({"tool": "save", "id": "c-1", "arguments": {"id": "a"}}, session, "saved", decision)
    gate.entry({**session, "agent": "nobody", "visiting": "beta"})
    with pytest.raises(ApprovalError):
        gate.resume(f"a-{token}", Answer(Verdict.APPROVE), session)
    assert [row["kind"] for row in kept.rows] == ["decision", "result", "entry", "approval", "approval"]
    assert not any(held(token, record.text) for record in kept.records)
    assert all(row["tenant"] == "acme" for row in kept.rows)


def test_an_id_that_repeats_a_sensitive_argument_stood_in_the_record_of_the_result() -> None:
    kept = Kept()
    gate = gates(kept)
    call = {"tool": "login", "id": "c-correcthorse", "arguments": {"pin": "correcthorse"}}
    decision = gate.before(call, CLERK)
    gate.after(call, CLERK, "welcome correcthorse", decision)
    assert [row["kind"] for row in kept.rows] == ["decision", "result"]
    assert not any(held("correcthorse", record.text) for record in kept.records)


@pytest.mark.parametrize(
    "note",
    [
        {"password": "hunter2xyz!"},
        {"deep": {"API_KEY": ["hunter2xyz!"]}},
        "the password: hunter2xyz!",
        json.dumps({"secret": "hunter2xyz!"}),
        '{"password": "hunter2xyz!", ',
    ],
)
def test_what_is_named_as_a_secret_is_hidden(note: Any) -> None:
    assert "hunter2xyz" not in lines({"note": note})


def test_what_can_t_be_looked_through_is_left_out_and_the_call_goes_on() -> None:
    kept = Kept()
    note = '{"password": "hunter2xyz!", '
    call = {"tool": "login", "id": note, "arguments": {"note": note}}
    assert gates(kept).before(call, CLERK).proceeds
    (row,) = kept.rows
    assert "arguments" not in row
    assert row["hidden"] == 1
    assert row["call"] == "(redacted)"
    assert (row["tool"], row["subject"], row["session"]) == ("login", "u-1", "s-1"), "they say who did it"


VALUES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=6, max_size=12).map(
    lambda text: f"Q{text}7Z"
)


@settings(max_examples=120, deadline=None)
@given(
    pin=VALUES,
    inner=VALUES,
    number=st.integers(10**9, 10**15),
    around=st.sampled_from(["", "see {}", "{}{}", "x{}y"]),
)
def test_sensitive_values_stand_in_no_line(pin: str, inner: str, number: int, around: str) -> None:  # C13
    said = around.replace("{}", pin) or "nothing"
    text = lines(
        {
            "pin": pin,
            "number": number,
            "box": {"a": [inner], "b": {"c": number}},
            "note": [said, {"again": inner}, number, str(number)],
            "many": [said],
        }
    )
    for secret in (pin, inner, str(number)):
        assert not held(secret, text)


@settings(max_examples=60, deadline=None)
@given(token=st.sampled_from(TOKENS), before=st.text(max_size=20), data=st.data())
def test_planted_secrets_stand_in_no_line(token: str, before: str, data: st.DataObject) -> None:
    leaf = st.one_of(
        st.none(), st.booleans(), st.integers(-5, 5), st.text(max_size=5), st.just(f"{before} {token} end")
    )
    note = data.draw(
        st.recursive(
            leaf,
            lambda inner: (
                st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
            ),
        )
    )
    assert not held(token, lines({"note": note, "many": [token]}))


def test_a_call_with_very_many_sensitive_values_is_not_looked_through() -> None:
    kept = Kept()
    box = {f"k{number}": f"value-{number}" for number in range(5000)}
    gates(kept).before({"tool": "login", "id": "c", "arguments": {"box": box, "note": "value-17"}}, CLERK)
    (row,) = kept.rows
    assert "arguments" not in row
    assert "value-17" not in kept.records[0].text
