"""Published mistakes of policy authors: refused when loading, with their place, or decided strictly."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gateway.checks import check_policy
from gateway.compile import compile_policy
from gateway.decision import Code, Effect
from gateway.diagnostic import PolicyError, Severity
from gateway.inspect.guard import Guard
from gateway.load import load_policy
from tests.engine.build import decide
from tests.engine.test_diagnostics import expected, found

DATA = Path(__file__).parents[1] / "data" / "mistakes"
REFUSED = sorted((DATA / "refused").glob("*.yaml"))
NOTED = sorted((DATA / "noted").glob("*.yaml"))
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.stem)
def test_a_mistake_is_refused_where_it_was_written(path: Path) -> None:
    with pytest.raises(PolicyError) as caught:
        compile_policy(load_policy(path), Guard((), ()))
    (only,) = caught.value.diagnostics
    assert found((only,)) == expected(path)


@pytest.mark.parametrize("path", NOTED, ids=lambda path: path.stem)
def test_a_likely_mistake_is_warned_of(path: Path) -> None:
    policy = load_policy(path)
    noted = check_policy(policy, compile_policy(policy, Guard((), ())), NOW)
    named = [
        one
        for one in noted
        if one.span is not None and f"# warning: {one.code} " in one.span.source.line(one.span.line)
    ]
    assert found(tuple(named)) == expected(path)
    assert {one.severity for one in named} == {Severity.WARNING}


@pytest.mark.parametrize(
    ("name", "tool", "arguments", "code"),
    [
        ("fails-at-the-call", "send_mail", {"to": "ann", "priority": "normal"}, Code.RULE),
        ("fails-at-the-call", "send_mail", {"to": "7", "priority": "normal"}, Code.RULE),
        ("fails-at-the-call", "send_mail", {"to": "3", "priority": "normal"}, Code.ALLOWED),
        ("missing-fact", "send_mail", {"to": "ann", "priority": "normal"}, Code.RULE),
        ("free-keys", "set_fields", {"data": {"secret": 5}}, Code.RULE),
        ("free-keys", "set_fields", {"data": {"secret": "long"}}, Code.RULE),
        ("free-keys", "set_fields", {"data": {"secret": "ab"}}, Code.ALLOWED),
        ("free-keys", "set_fields", {"data": {}}, Code.ALLOWED),
        ("whole-and-fraction", "pay_invoice", {"amount": 6}, Code.RULE),
        ("whole-and-fraction", "pay_invoice", {"amount": 6.0}, Code.RULE),
        ("whole-and-fraction", "pay_invoice", {"amount": 5}, Code.ALLOWED),
        ("whole-and-fraction", "pay_invoice", {"amount": "6"}, Code.ARGUMENT_INVALID),
        ("whole-and-fraction", "pay_invoice", {"amount": 5, "amuont": 6}, Code.ARGUMENT_INVALID),
        ("whole-and-fraction", "send_mail", {"to": "a\0b"}, Code.ARGUMENTS_UNREADABLE),
        ("whole-and-fraction", "send_mail", {"to": "a"}, Code.ALLOWED),
    ],
)
def test_what_shows_only_at_the_call_is_decided_strictly(
    name: str, tool: str, arguments: dict[str, Any], code: Code
) -> None:
    text = (DATA / "strict" / f"{name}.yaml").read_text()
    decision = decide(tool, arguments, text=text)
    assert decision.code is code
    assert decision.effect is (Effect.ALLOW if code is Code.ALLOWED else Effect.DENY)


def test_what_fails_says_so_beside_the_denial() -> None:
    text = (DATA / "strict" / "fails-at-the-call.yaml").read_text()
    assert decide("send_mail", {"to": "ann", "priority": "normal"}, text=text).errors != ()
    assert decide("send_mail", {"to": "7", "priority": "normal"}, text=text).errors == ()


def test_an_allow_rule_that_fails_grants_nothing() -> None:
    text = (DATA / "strict" / "fails-at-the-call.yaml").read_text()
    assert decide("refund", {"sum": 2}, text=text).effect is Effect.ALLOW
    assert decide("refund", {"sum": 0}, text=text).code is Code.CONFIRM
