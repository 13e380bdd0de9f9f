"""Step 11: a dry run checks everything and changes nothing. Row B11, B7."""

from __future__ import annotations

from gateway.decision import Code, Effect
from tests.engine.build import PAY, SHOP, decide, with_rules


def test_all_checks_run_first_then_writes_get_a_placeholder() -> None:  # B11
    decision = decide("order_pay", PAY, dry_run=True)
    assert (decision.effect, decision.code) == (Effect.RESPOND, Code.DRY_RUN)
    assert decision.response["dry_run"] is True
    assert "Pay 100 to" in decision.response["would"]
    assert decision.response["receipts"] == []
    denied = decide("order_pay", PAY, dry_run=True, subject={"permissions": []})
    assert denied.code is Code.PERMISSION_DENIED
    ruled = with_rules("{id: no, tools: [order_pay], effect: deny}")
    assert decide("order_pay", PAY, dry_run=True, text=ruled).rule == "no"
    assert decide("order_pay", {"amount": "x"}, dry_run=True).code is Code.ARGUMENT_INVALID


def test_reading_is_real() -> None:  # B11
    assert decide("search", {"query": "x"}, dry_run=True).proceeds


def test_nobody_is_asked_in_a_dry_run() -> None:
    decision = decide("order_delete", {"id": "7"}, dry_run=True, can_ask=False)
    assert decision.effect is Effect.RESPOND


def test_an_allow_rule_does_not_make_a_dry_run_real() -> None:  # B7
    text = with_rules("{id: grant, tools: [order_pay], effect: allow}")
    assert decide("order_pay", PAY, dry_run=True, text=text).code is Code.DRY_RUN


def test_every_risk_above_read_only_is_a_write() -> None:  # B7, B10
    for risk in ("LOW", "MEDIUM", "HIGH", "IRREVERSIBLE"):
        text = SHOP.replace(
            "{name: order_beta, switch: beta, risk: READ_ONLY",
            f"{{name: order_beta, switch: beta, risk: {risk}",
        )
        assert decide("order_beta", text=text, dry_run=True).code is Code.DRY_RUN
