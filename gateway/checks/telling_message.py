"""A message that tells the model what is nobody's business.

The `message` of a rule is read by the model and its user, and may end up in an answer to anybody. The name of an
internal host, a permission, the id of another rule or a piece of the condition help nobody to do better, and help an
attacker to find out what is checked.

Bad:

    rules:
      - id: no-mail
        tools: [send_mail]
        when: args.internal
        effect: deny
        message: Refused as args.internal is set; see http://wiki.corp/mail

Good:

    rules:
      - id: no-mail
        tools: [send_mail]
        when: args.internal
        effect: deny
        message: Mail inside the house goes by the board.

What colleagues should know stands in `reason`. Where the text is meant for its readers, write
`# gateway: ignore[telling-message] …` on the line of the message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

_LOOKS = (
    (
        "an internal host",
        re.compile(
            r"(?<![\w.@-])(?:[a-z0-9-]+\.)+(?:internal|corp|local|lan|intranet|svc)(?![\w-])"
            r"|(?<![\w.])(?:10(?:\.\d{1,3}){3}|(?:192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2})(?!\w|\.\d)"
            r"|(?<![\w.])localhost(?![\w-])",
            re.I,
        ),
    ),
    (
        "a piece of a condition",
        re.compile(
            r"(?<![\w.])(?:args|subject|session|turn|roles|inspect|lists|tool)\.[a-z_]\w*(?:\.\w+)*|&&|\|\|"
        ),
    ),
    ("a person's address", re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
)
_WORD = r"(?<![\w:.-]){}(?![\w:-])"


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """The first thing in each message that its readers have no use for."""
    names = _names(policy, compiled)
    for part in (*policy.rules, *policy.limits, *policy.arguments, *policy.results):
        if part.message is None:
            continue
        excerpt = part.where.excerpt("message")
        found = [(match, what) for what, look in _LOOKS if (match := look.search(excerpt.text))]
        if names is not None and (match := names.search(excerpt.text)):
            found.append((match, "a permission" if ":" in match[0] else "the id of a rule"))
        if found:
            match, what = min(found, key=lambda one: one[0].start())
            yield Diagnostic(
                "",
                f"the message tells the model {what}, `{match[0]}`",
                excerpt.span(match.start(), match.end()),
                "say what would be accepted, and keep the rest in `reason`",
            )


def _names(policy: Policy, compiled: Compiled) -> re.Pattern[str] | None:
    """Permissions, and ids of rules that can't be taken for words of a sentence."""
    permissions = {
        each for tool in compiled.declared.values() for each in tool.texts("permissions") if ":" in each
    }
    ids = {rule.id for rule in policy.rules if rule.id.count("-") > 1 or "_" in rule.id}
    every = sorted(map(re.escape, permissions | ids), key=len, reverse=True)
    return re.compile(_WORD.format(f"(?:{'|'.join(every)})")) if every else None
