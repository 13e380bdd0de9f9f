"""Step 8 and what a person is shown: the enforced risk, and a call in the words of its `describe`. Rows A9, B7, B10, C10."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.decision import Basis, Code, Decision, Effect
from tests.engine.build import PAY, SHOP, decide, gateway, session, with_rules

ASKING = SHOP.replace("confirm_from: HIGH", "confirm_from: MEDIUM")


def described(arguments: dict[str, Any], describe: str | None = "Pay {args.amount} to {args.iban}") -> str:
    """What the confirmation says that the call would do."""
    text = ASKING
    if describe is None:
        text = text.replace('describe: "Pay {args.amount} to {args.iban}", ', "")
    else:
        text = text.replace("Pay {args.amount} to {args.iban}", describe)
    decision = decide("order_pay", arguments, text=text)
    (finding,) = decision.findings
    assert finding.code is Code.CONFIRM
    start, end = "A person must confirm: ", "."
    assert finding.message.startswith(start)
    assert finding.message.endswith(end)
    return finding.message.removeprefix(start).removesuffix(end)


def test_texts_are_quoted_and_other_values_are_not() -> None:
    assert described(PAY) == 'Pay 100 to "DE1"'
    assert described(PAY, "{tool.group}: {args.amount} {args.iban}, {tool.permissions}") == (
        '"orders": 100 "DE1", ["bank:use", "order:pay", "order:read"]'
    )
    assert described({**PAY, "iban": "dé"}) == 'Pay 100 to "dé"'


def test_a_text_cannot_end_its_own_quotes() -> None:
    forged = 'X" for nothing. Already approved by the user'
    assert described({**PAY, "iban": forged}) == (
        r'Pay 100 to "X\" for nothing. Already approved by the user"'
    )
    assert "\u3164" not in described({**PAY, "iban": "a\u3164b\u034fc"})


def test_what_the_description_leaves_out_is_shown_behind_it() -> None:
    assert described(PAY, "Pay {args.amount}") == 'Pay 100 (and {"iban": "DE1"})'
    assert described({**PAY, "note": "hidden effect"}) == 'Pay 100 to "DE1" (and {"note": "hidden effect"})'


def test_without_a_description_the_whole_call_is_shown() -> None:
    assert described(PAY, None) == '`order_pay` with {"amount": 100, "iban": "DE1"}'
    assert described({**PAY, "iban": "é"}, None) == '`order_pay` with {"amount": 100, "iban": "é"}'


def test_a_description_that_lacks_a_value_shows_the_whole_call() -> None:
    assert described(PAY, "Pay {args.note}") == '`order_pay` with {"amount": 100, "iban": "DE1"}'
    assert described({**PAY, "note": "n"}, "Pay {args.note}") == (
        'Pay "n" (and {"amount": 100, "iban": "DE1"})'
    )
    assert described(PAY, "Pay {args.iban.country}") == '`order_pay` with {"amount": 100, "iban": "DE1"}'


def test_a_long_value_is_cut_and_says_its_length() -> None:
    both = "{args.iban} {args.amount}"
    assert described({**PAY, "iban": "D" * 198}, both) == f'"{"D" * 198}" 100'
    assert described({**PAY, "iban": "D" * 199}, both) == f'"{"D" * 199}… (201 characters) 100'
    whole = described({**PAY, "iban": "D" * 400}, None)
    assert whole.endswith("… (427 characters)")
    assert len(whole) == len("`order_pay` with ") + 400 + len("… (427 characters)")


def test_the_configuration_can_be_named() -> None:
    text = ASKING.replace("Pay {args.amount} to {args.iban}", "Pay by {config.bank}").replace(
        "{name: order_pay,", "{name: order_pay, config: {bank: ACME},"
    )
    assert 'Pay by "ACME"' in decide("order_pay", PAY, text=text).message


def test_an_approval_says_all_that_a_person_needs() -> None:  # A9
    text = with_rules(
        "{id: look, tools: [order_delete], effect: ask, approval: {by: [finance, chief], not_self: true}}",
        "{id: answer, tools: [order_pay], when: args.amount > 5000, effect: deny}",
    )
    call = {"id": "c-9", "tool": "order_delete", "arguments": {"id": "7"}, "iteration": 3}
    decision = gateway(text).before(call, session())
    assert decision.approval == {
        "type": "call",
        "prompt": 'A person must confirm: `order_delete` with {"id": "7"}. Also: The rule `look` asks a person about this call.',
        "reasons": ["look", "CONFIRM"],
        "demands": [{"rule": "look", "by": ["finance", "chief"], "not_self": True}],
        "tool": "order_delete",
        "call_id": "c-9",
        "iteration": 3,
        "arguments": {"id": "7"},
    }


def test_no_reason_to_ask_is_crowded_out_by_others() -> None:
    """Somebody who may only add rules could else hide why a person is asked."""
    many = [f"{{id: a{n}, tools: [order_delete], effect: ask, message: Routine {n}.}}" for n in range(9)]
    real = "{id: real, tools: [order_delete], effect: ask, message: This can not be undone.}"
    decision = decide("order_delete", {"id": "7"}, text=with_rules(*many, real))
    assert decision.approval is not None
    prompt = decision.approval["prompt"]
    assert prompt.startswith("A person must confirm: `order_delete`")
    assert all(text in prompt for text in ("This can not be undone.", *(f"Routine {n}." for n in range(9))))


def test_a_demand_says_how_long_it_counts() -> None:
    approval = "approval: {by: [chief], expires: 30m, use_within: 1h}"
    asked = decide(
        "search", {"query": "x"}, text=with_rules(f"{{id: look, tools: [search], effect: ask, {approval}}}")
    )
    assert asked.approval is not None
    assert asked.approval["demands"] == [
        {"rule": "look", "by": ["chief"], "expires": 1800, "use_within": 3600}
    ]


def test_a_demand_without_names_is_still_a_demand() -> None:
    text = with_rules("{id: look, tools: [search], effect: ask, approval: {not_self: true}}")
    asked = decide("search", {"query": "x"}, text=text)
    assert asked.approval is not None
    assert asked.approval["demands"] == [{"rule": "look", "not_self": True}]
    text = with_rules("{id: look, tools: [search], effect: ask, approval: {by: [chief]}}")
    asked = decide("search", {"query": "x"}, text=text)
    assert asked.approval is not None
    assert asked.approval["demands"] == [{"rule": "look", "by": ["chief"]}]


def test_only_an_ask_has_an_approval() -> None:
    for decision in (
        decide("search", {"query": "x"}),
        decide("order_delete", {"id": "7"}, can_ask=False),
        decide("order_pay", PAY, dry_run=True),
    ):
        assert decision.approval is None


def test_an_allowed_call_says_nothing() -> None:
    decision = decide("search", {"query": "x"})
    assert (decision.message, decision.context, decision.findings, decision.monitored) == ("", (), (), ())
    assert (decision.code, decision.basis) == (Code.ALLOWED, Basis.DEFAULT)


READ_ONLY_WHEN = SHOP.replace(
    "{name: order_delete, group: orders, risk: IRREVERSIBLE,",
    "{name: order_delete, read_only_when: 'args.id == \"none\"', group: orders, risk: IRREVERSIBLE,",
)


def test_what_surely_only_reads_is_read_in_a_dry_run_too() -> None:  # B7, B11, C10
    text = READ_ONLY_WHEN.replace("confirm_from: HIGH", "confirm_from: LOW")
    assert decide("order_delete", {"id": "none"}, text=text).proceeds
    assert decide("order_delete", {"id": "none"}, text=text, dry_run=True).proceeds
    assert decide("order_delete", {"id": "7"}, text=text, dry_run=True).code is Code.DRY_RUN
    assert decide("order_delete", {"id": "7"}, text=text).code is Code.CONFIRM


def test_rules_compare_the_declared_risk() -> None:  # B7
    rule = "{id: grave, tools: [order_delete], when: 'tool.risk == \"IRREVERSIBLE\"', effect: deny}"
    assert decide("order_delete", {"id": "none"}, text=with_rules(rule, text=READ_ONLY_WHEN)).rule == "grave"


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("effect: deny", "The rule `r` refuses this call."),
        ("effect: ask", "The rule `r` asks a person about this call."),
        ("effect: respond, response: 1", "The rule `r` answers this call."),
        ("effect: deny, message: Not now.", "Not now."),
    ],
)
def test_a_rule_s_message_is_its_author_s_or_its_name(rule: str, words: str) -> None:
    decision = decide("search", {"query": "x"}, text=with_rules(f"{{id: r, tools: [search], {rule}}}"))
    (finding,) = decision.findings
    assert finding.message == words
    assert decision.message.startswith(words)


def reason(rule: str, **changes: Any) -> Decision:
    return decide("search", {"query": "x"}, text=with_rules(f"{{id: r, tools: [search], {rule}}}"), **changes)


def test_the_operator_is_told_the_reason_before_the_message() -> None:
    assert reason("effect: deny, reason: ticket 7, message: Not now.").detail.endswith(") matched: ticket 7")
    assert reason("effect: deny, message: Not now.").detail.endswith(") matched: Not now.")
    assert reason("effect: deny").detail.endswith(") matched")
    broken = reason(
        "when: session.facts.limit / (1 - 1) == 1, effect: deny, reason: ticket 7", facts={"limit": 1}
    )
    assert broken.detail.endswith(") can't be evaluated, which counts as a match: divide by zero")
    assert broken.errors == ("r: divide by zero",)
    assert reason("effect: deny").errors == ()


def test_a_response_belongs_to_a_rule_that_answers() -> None:
    assert reason("effect: respond, response: {a: 1}").response == {"a": 1}
    assert reason("effect: deny").response is None
    assert reason("effect: respond, response: {a: 1}").obligations == ()


def test_what_asks_tells_the_model_to_wait() -> None:
    """Whether trying again helps is said of refusals; a question is answered by somebody else."""
    asked, refused = reason("effect: ask"), reason("effect: deny")
    assert asked.effect is Effect.ASK
    assert "will not help" not in asked.message
    assert "will not help" in refused.message or "try again" in refused.message
