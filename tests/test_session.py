"""Sessions and subjects, read from a mapping with the fields' names."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.session import Channel, Session, SessionError, Subject, SubjectKind

WHOLE: dict[str, Any] = {
    "id": "s-1",
    "tenant": "acme",
    "agent": "assistant",
    "channel": "internal",
    "subject": {
        "id": "u-1",
        "tenant": "acme",
        "kind": "service",
        "authenticated": True,
        "roles": ["finance"],
        "permissions": ["pay:create", "mail:send"],
        "attributes": {"region": "eu"},
    },
    "visiting": "beta",
    "modes": {"web_search": "auto"},
    "capabilities": ["sandbox"],
    "facts": {"kb_ids": ["kb-1"]},
    "turn": {"ambiguous": True},
    "can_ask": True,
    "dry_run": True,
    "cwd": "/srv/app",
    "roots": ["/srv/app", "/srv/lib"],
    "home": "/home/u",
}


def test_a_whole_session_is_read() -> None:
    assert Session.of(WHOLE) == Session(
        id="s-1",
        tenant="acme",
        agent="assistant",
        channel=Channel.INTERNAL,
        subject=Subject(
            id="u-1",
            tenant="acme",
            kind=SubjectKind.SERVICE,
            authenticated=True,
            roles=frozenset({"finance"}),
            permissions=frozenset({"pay:create", "mail:send"}),
            attributes={"region": "eu"},
        ),
        visiting="beta",
        modes={"web_search": "auto"},
        capabilities=frozenset({"sandbox"}),
        facts={"kb_ids": ["kb-1"]},
        turn={"ambiguous": True},
        can_ask=True,
        dry_run=True,
        cwd="/srv/app",
        roots=("/srv/app", "/srv/lib"),
        home="/home/u",
    )


@pytest.mark.parametrize("nothing", [None, {}])
def test_what_is_absent_is_the_stricter_value(nothing: dict[str, Any] | None) -> None:  # B4 E1 A4 C11
    session = Session.of(nothing)
    assert session.subject is None
    assert session.tenant is None
    assert session.channel is Channel.EXTERNAL
    assert session.can_ask is False
    assert session.modes == {}
    assert session.capabilities == frozenset()
    assert session.roots == ()


def test_an_empty_subject_is_not_authenticated_and_holds_nothing() -> None:  # B1 B26
    subject = Subject.of({})
    assert subject.authenticated is False
    assert subject.permissions == frozenset()
    assert subject.kind is SubjectKind.USER


def test_what_is_a_session_already_is_handed_back() -> None:
    session = Session.of(WHOLE)
    assert Session.of(session) is session
    assert session.subject is not None
    assert Subject.of(session.subject) is session.subject
    assert Session.of({"subject": session.subject}).subject is session.subject


def test_mappings_of_the_host_are_kept_not_copied() -> None:
    facts = {"kb_ids": ["kb-1"]}
    assert Session.of(MappingProxyType({"facts": facts})).facts is facts


def test_a_host_may_hand_over_the_values_themselves() -> None:
    held = frozenset({"pay:create"})
    session = Session.of(
        {"channel": Channel.INTERNAL, "subject": {"permissions": held, "kind": SubjectKind.SERVICE}}
    )
    assert session.channel is Channel.INTERNAL
    assert session.subject == Subject(id="", permissions=held, kind=SubjectKind.SERVICE)


@pytest.mark.parametrize(
    ("given_session", "message"),
    [
        ({"tennant": "acme"}, "session has no key `tennant` (did you mean `tenant`?)"),
        ({"subject": {"permisions": []}}, "subject has no key `permisions` (did you mean `permissions`?)"),
        ({"id": 7}, "session.id is a string, not a number"),
        ({"tenant": ["acme"]}, "session.tenant is a string, not a list"),
        ({"channel": "both"}, "session.channel is one of `internal`, `external`, not 'both'"),
        ({"channel": None}, "session.channel is one of `internal`, `external`, not None"),
        ({"channel": []}, "session.channel is one of `internal`, `external`, not []"),
        ({"subject": {"kind": "system"}}, "subject.kind is one of `user`, `service`, not 'system'"),  # B26
        ({"subject": "u-1"}, "a subject is a mapping, not a string"),
        ({"subject": {"authenticated": "yes"}}, "subject.authenticated is true or false, not 'yes'"),
        ({"can_ask": 1}, "session.can_ask is true or false, not 1"),
        ({"dry_run": None}, "session.dry_run is true or false, not None"),
        (
            {"modes": {"web_search": "On"}},
            "session.modes.web_search is `off`, `auto` or `on`, not 'On'",
        ),  # A4
        ({"modes": {"web_search": True}}, "session.modes.web_search is `off`, `auto` or `on`, not True"),
        ({"modes": ["web_search"]}, "session.modes is a mapping, not a list"),
        (
            {"subject": {"permissions": "pay:create"}},
            "subject.permissions is a list of strings, not a string",
        ),
        ({"subject": {"roles": [None]}}, "subject.roles holds strings, not NoneType"),
        ({"roots": {"/srv": 1}}, "session.roots is a list of strings, not dict"),
        ("s-1", "a session is a mapping, not a string"),
    ],
)
def test_a_session_that_can_not_be_read(given_session: Any, message: str) -> None:
    with pytest.raises(SessionError) as caught:
        Session.of(given_session)
    assert str(caught.value) == message


def test_a_key_like_no_other_lists_the_known_ones() -> None:
    with pytest.raises(
        SessionError, match=r"^session has no key `zzzz` \(known: agent, can_ask, .*visiting\)$"
    ):
        Session.of({"zzzz": 1})


@pytest.mark.parametrize("value", [None, "u-1", 7, ["u-1"]])
def test_a_subject_is_a_mapping(value: Any) -> None:
    with pytest.raises(SessionError, match="a subject is a mapping"):
        Subject.of(value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
subject_like = st.dictionaries(st.sampled_from([*WHOLE["subject"], "x"]), json_values, max_size=3)
session_like = st.dictionaries(st.sampled_from([*WHOLE, "x"]), json_values | subject_like, max_size=4)


@given(session_like)
def test_a_session_is_read_or_refused_and_never_anything_else(value: dict[str, Any]) -> None:  # B5
    try:
        session = Session.of(value)
    except SessionError:
        return
    assert session.can_ask is (value.get("can_ask") is True)
    assert session.subject is None or session.subject.authenticated is (
        value["subject"].get("authenticated") is True
    )
