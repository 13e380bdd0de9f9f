"""A comment in an expression that YAML folds into one line swallows what stands below it: an error."""

from __future__ import annotations

import pytest

from gateway.diagnostic import PolicyError
from tests.engine.build import SHOP, compiled, gateway, session

RULE = """
rules:
  - id: big
    tools: [order_pay]
    effect: deny
    when: {style}
"""
FOLDED = {
    "folded block": ">\n      args.amount > 1000   // large\n      || args.iban == 'EVIL'\n",
    "plain": "args.amount > 1000   // large\n      || args.iban == 'EVIL'\n",
    "double quotes": "\"args.amount > 1000   // large\n      || args.iban == 'EVIL'\"\n",
    "single quotes": "'args.amount > 1000   // large\n      || args.amount == 7'\n",
}


@pytest.mark.parametrize("style", FOLDED.values(), ids=FOLDED)
def test_a_comment_that_swallows_lines_does_not_load(style: str) -> None:
    with pytest.raises(PolicyError) as caught:
        compiled(SHOP + RULE.replace("{style}", style))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "cel-syntax"
    assert diagnostic.span is not None
    assert diagnostic.span.text == "// large"
    assert "|" in diagnostic.help


def test_comments_on_lines_of_their_own_are_fine() -> None:
    kept = "|\n      args.amount > 1000   // large\n      || args.iban == 'EVIL'  // known\n"
    gate = gateway(SHOP + RULE.replace("{style}", kept))
    call = {"tool": "order_pay", "arguments": {"amount": 1, "iban": "EVIL"}}
    assert gate.before(call, session()).rule == "big"
    compiled(SHOP + RULE.replace("{style}", "args.amount > 1000 // large\n"))
