"""A tool's name that does not say what the tool does.

`invoice_totals` may read, compute or set them. A name with an action in it, `read_invoice_totals`, is called rightly
more often, and whoever is asked about a call understands the question.

Bad:

    tools:
      - {name: invoice_totals, risk: READ_ONLY, permissions: []}

Good:

    tools:
      - {name: read_invoice_totals, risk: READ_ONLY, permissions: []}

Any word of the name may be the action, and one word alone is fine. Only English is read, and the names of servers'
tools are theirs to choose. Where a host has fixed the name, write `# gateway: ignore[verbless-name] …` on its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.reading import own_tools, words
from gateway.diagnostic import Confidence, Diagnostic, Severity
from gateway.risk import RiskLevel

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

SEVERITY = Severity.NOTE
CONFIDENCE = Confidence.POSSIBLE
_VERBS = frozenset(
    re.findall(
        r"\w+",
        """
        accept access achieve acknowledge activate adapt add adjust advance aggregate alert align allocate
        allow amend analyse analyze annotate announce answer append apply approve archive ask assemble assess
        assign attach audit authenticate authorize back backup balance ban bind block book borrow browse build
        buy calculate call cancel capture change charge chat check checkout choose claim classify clean clear
        click clone close collect combine comment commit compare compile complete compose compress compute
        configure confirm connect consume contact convert copy correct count crawl create cut deactivate debug
        decide decline decode decrypt define delete deliver demote deny deploy describe destroy detach detect
        diagnose diff disable discard disconnect discover dismiss dispatch display do download draft draw drop
        dump duplicate edit eject email embed enable encode encrypt end enqueue enrich ensure enter erase
        escalate estimate evaluate examine exec execute exit expand expire explain explore export extend
        extract fetch fill filter find finish fix flag flush follow forecast forget format forward freeze
        gather generate get give go grant graph grep group guess halt handle hide hire hold identify import
        improve include increase index infer inform insert inspect install instantiate integrate interpret
        introspect invalidate invite invoke issue join judge keep kill label launch lay learn leave lift link
        list listen load locate lock log login logout look lookup make manage map mark match measure merge
        message migrate modify monitor mount move mute navigate note notify observe offer open optimize order
        organize pack page parse partition patch pause pay perform pick pin ping plan play poll post predict
        prepare present press preview print process promote prompt propose provision prune publish pull purge
        push put query quarantine queue quote raise rank rate read rebase rebuild recall receive recommend
        reconcile record recover redact redeem redo reduce refactor refresh refund register reindex reject
        release reload remember remind remove rename render renew reopen reorder repair repeat replace replay
        reply report request rerun reschedule reserve reset resize resolve respond restart restore resume
        retrieve retry return revert review revise revoke rewrite rollback rotate route run sample sanitize
        save scale scan schedule score scrape search select sell send separate serve set share ship show
        shrink shut sign simulate skip snapshot solve sort split stage start stash stop store stream subscribe
        suggest summarise summarize suspend swap switch sync tag take tell terminate test toggle trace track
        train transcribe transfer transform translate trigger truncate try tune turn type unassign undo
        uninstall unlink unlock unpublish unregister unsubscribe untag update upgrade upload upsert use
        validate verify view vote wait wake walk watch wipe wire withdraw work wrap write zip
    """,
    )
)


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each name of two words and more without an action."""
    for tool in own_tools(compiled):
        name = words(tool.name)
        if "/" not in tool.name and len(name) > 1 and tool.name.isascii() and _VERBS.isdisjoint(name):
            action = "read" if tool.risk is RiskLevel.READ_ONLY else "update"
            yield Diagnostic(
                "",
                f"the name `{tool.name}` does not say what the tool does",
                tool.tool.where.span("name"),
                f"put the action into it, such as `{action}_{tool.name}`",
            )
