"""What is kept in a store is JSON, written by hand where it is written for each call: other programs read it."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from gateway.binding import named
from gateway.journal import Entered, Progress
from gateway.session import Session, Subject
from gateway.state import LATEST, LONGEST_NAME, Kind, key

TEXTS = st.text(st.characters(codec=None), max_size=20)


@given(st.lists(TEXTS, max_size=5))
def test_a_key_is_the_json_of_its_parts(parts: list[str]) -> None:
    name = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    if len(name.encode("utf-8", "surrogatepass")) <= LONGEST_NAME:
        assert key("acme", Kind.LIMIT, *parts).name == name


@given(TEXTS, TEXTS)
def test_whose_a_conversation_is_is_json(subject: str, agent: str) -> None:
    session = Session("s-1", agent=agent, subject=Subject(subject))
    assert named(session) == json.dumps([subject, agent], ensure_ascii=False)


@given(
    st.sampled_from(Progress),
    st.tuples(TEXTS, TEXTS, TEXTS, TEXTS),
    st.integers(0, LATEST),
    st.integers(1),
    st.lists(TEXTS, max_size=3),
)
def test_an_entry_of_the_journal_is_json(
    progress: Progress, texts: tuple[str, str, str, str], at: int, attempt: int, claims: list[str]
) -> None:
    entered = Entered(progress, *texts, at, attempt, tuple(claims))
    names = ("tool", "raw", "final", "decision")
    values = {
        "progress": progress.value,
        **dict(zip(names, texts, strict=True)),
        "at": at,
        "attempt": attempt,
    }
    assert entered.packed() == json.dumps({**values, "claims": claims}).encode()
    assert Entered.of(entered.packed()) == entered
