"""An argument that says who gets something, and that is not marked so.

Rules about where data and money go read `roles.recipient`, whatever the argument is called in each tool. One without
the mark is passed over by all of them: a rule against strangers looks at `to`, and `bcc` goes anywhere.

Bad:

    tools:
      - name: send_invoice
        risk: HIGH
        permissions: ["invoice:send"]
        describe: "Send {args.invoice} to {args.to}, copies to {args.bcc}"
        parameters:
          type: object
          required: [invoice, to]
          properties:
            invoice: {type: string, maxLength: 64}
            to: {type: string, maxLength: 100, x-role: recipient}
            bcc: {type: string, maxLength: 100}

Good:

    tools:
      - name: send_invoice
        risk: HIGH
        permissions: ["invoice:send"]
        describe: "Send {args.invoice} to {args.to}, copies to {args.bcc}"
        parameters:
          type: object
          required: [invoice, to]
          properties:
            invoice: {type: string, maxLength: 64}
            to: {type: string, maxLength: 100, x-role: recipient}
            bcc: {type: string, maxLength: 100, x-role: recipient}

Only tools above READ_ONLY are looked at, and `to`, `email`, `phone` and channels count only where the tool's name says
that it sends. Where the argument means something else, write `# gateway: ignore[unmarked-recipient] …` on its line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.reading import Argument, arguments, forced, own_tools, words
from gateway.diagnostic import Confidence, Diagnostic
from gateway.risk import RiskLevel

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

CONFIDENCE = Confidence.POSSIBLE
_ALWAYS = frozenset(
    (
        *(
            "cc",
            "bcc",
            "recipient",
            "recipients",
            "recipient id",
            "recipient email",
            "to address",
            "to email",
        ),
        *("iban", "payee", "beneficiary", "webhook", "webhook url", "callback url"),
    )
)
_WHERE_IT_SENDS = frozenset(
    (
        *(
            "to",
            "email",
            "emails",
            "email address",
            "phone",
            "phone number",
            "channel",
            "channel id",
            "chat id",
        ),
        *("address", "addresses", "destination", "target", "account", "account number"),
    )
)
_SENDS = frozenset(
    (
        *(
            "send",
            "mail",
            "email",
            "notify",
            "invite",
            "share",
            "forward",
            "reply",
            "post",
            "publish",
            "message",
        ),
        *("sms", "pay", "payment", "transfer", "remit", "payout", "refund"),
    )
)


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each such argument of a tool that does more than read."""
    for tool in own_tools(compiled):
        plan = compiled.engine.tools[tool.name]
        if plan.risk is RiskLevel.READ_ONLY:
            continue
        settled = forced(plan)
        for argument in arguments(tool):
            if argument.role is None and argument.path[0] not in settled and _receives(argument):
                yield Diagnostic(
                    "",
                    f"`{argument.name}` of `{tool.name}` says who gets something, and no rule about recipients sees it",
                    argument.span,
                    "add `x-role: recipient` to its schema",
                )


def _receives(argument: Argument) -> bool:
    name = " ".join(argument.words)
    sends = not _SENDS.isdisjoint(words(argument.tool.name))
    return argument.is_text and (name in _ALWAYS or (sends and name in _WHERE_IT_SENDS))
