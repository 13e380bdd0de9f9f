"""Verdicts on many small changes: never a wrong one, and relaxations come with a call."""

from __future__ import annotations

from functools import cache

import pytest

from gateway.call import ToolCall
from gateway.diff import Comparison, Verdict, compare, compiled
from gateway.facts import Facts
from gateway.load import load_text
from gateway.search.answers import strictness
from gateway.session import Session
from tests.diff.pairs import NOW, PAIRS, Pair, base, base_text


@cache
def compared(pair: Pair) -> Comparison:
    return compare(base(), compiled(load_text(pair.new)), NOW)


def test_there_are_at_least_sixty_pairs_and_thirty_seven_of_them_relax() -> None:
    assert len(PAIRS) >= 60
    assert sum(pair.relaxes for pair in PAIRS) >= 37


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_a_change_that_relaxes_is_shown_by_a_call_and_one_that_does_not_is_never_called_relaxed(
    pair: Pair,
) -> None:
    found = compared(pair)
    if not pair.relaxes:
        assert found.verdict is not Verdict.RELAXED, found
        return
    assert found.verdict is Verdict.RELAXED, found
    assert found.calls
    for shown in found.calls:
        assert shown.causes


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.relaxes], ids=str)
def test_what_is_shown_is_answered_so_by_policies_that_are_loaded_afresh(pair: Pair) -> None:
    before, after = compiled(load_text(base_text())), compiled(load_text(pair.new))
    for shown in compared(pair).calls:
        written = shown.as_json(NOW)
        call = ToolCall.of({"id": "again", **written["call"]})
        session, facts = Session.of(written["session"]), Facts(shown.request.now)
        old = before.compiled.engine.decide(call, session, facts)
        new = after.compiled.engine.decide(call, session, facts)
        assert old.effect is shown.before.effect
        assert new.effect is shown.after.effect
        assert strictness(new) <= strictness(old)


PROVED = [
    "nothing",
    "other-words",
    "key-order",
    "permissions-in-another-order",
    "rule-renamed",
    "de-morgan",
    "next-whole-number",
    "turned-comparison",
    "let-for-a-term",
    "needless-term",
    "higher-risk",
    "one-more-permission",
    "rule-added",
    "ask-added",
    "lower-bound",
    "glob-of-a-deny-widened",
    "longer-prefix",
    "and-to-or-in-a-deny",
    "schema-closed-further",
    "more-blanked-out",
    "agent-loses-a-tool",
    "list-shorter",
]
"""What has the same form, or is stricter word for word."""


@pytest.mark.parametrize("name", PROVED)
def test_a_change_of_form_alone_and_one_that_only_tightens_are_proved(name: str) -> None:
    pair = next(pair for pair in PAIRS if pair.name == name)
    assert compared(pair).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("at-sign-lost", "rules.outside"),
        ("confirm-later", "settings.confirm_from"),
        ("list-may-be-empty", "tools.send_mail"),
        ("one-more-tenant", "agents.clerk"),
        ("forced-argument-gone", "arguments.own-note"),
        ("field-no-longer-blanked", "results.no-mail"),
        ("allow-added", "rules.fine"),
    ],
)
def test_the_part_of_the_change_that_is_to_blame_is_named(name: str, cause: str) -> None:
    pair = next(pair for pair in PAIRS if pair.name == name)
    assert [shown.causes for shown in compared(pair).calls] == [(cause,)]
