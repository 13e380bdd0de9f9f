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
        accept access achieve acknowledge activate adapt add adjust administer admit adopt advance aggregate
        alert align allocate allow amend analyse analyze annotate announce anonymise anonymize answer append
        apply approve archive arm ask assemble assess assign attach attest audit authenticate authorise
        authorize autocomplete await back backfill backup balance ban bind blacklist block book bootstrap
        borrow broadcast browse build buy calculate call cancel canonicalize capitalize capture categorise
        categorize certify change charge chat check checkout choose claim clarify classify clean cleanse clear
        click clone close collapse collect combine comment commit compare compensate compile complete compose
        compress compute conclude configure confirm connect consolidate consume contact contribute convert
        coordinate copy correct count crawl create credit crop curate customise customize cut deactivate
        deallocate debit debug decide declare decline decode decompress decrement decrypt deduct dedupe
        deduplicate defer define defrost delegate delete deliver demote deny deploy deprecate deprovision
        deregister derive describe destroy detach detect diagnose dial diff disable disarm disburse discard
        disconnect discover discuss disengage dismiss dispatch dispense display dispose dispute distribute do
        dock donate download draft drag drain draw drop dump duplicate edit eject email embed enable enact
        encode encrypt end enforce engage enlist enqueue enrich enrol enroll ensure enter erase escalate
        estimate eval evaluate evict examine exclude exec execute exempt exit expand expire explain explore
        export extend extinguish extract fax fetch fill filter finalise finalize find finish fix flag flatten
        flip flush follow forecast forget fork format forward freeze fulfil fulfill gather generate get give
        go govern grant graph grep group guess halt handle hibernate hide hire hold honor hospitalize hover
        identify ignite immunize impersonate import impose improve include incorporate increase increment
        index infer inform ingest initialise initialize initiate inject inoculate inquire insert inspect
        install instantiate integrate intercept interpret interrupt interview introspect invalidate invert
        investigate invite invoke issue itemize iterate join judge keep kill label launch lay learn leave lend
        lift link lint liquidate list listen load localize locate lock log login logout look lookup make
        manage map mark mask match maximize measure mediate mention merge message migrate minimize mint modify
        monitor mount move mute navigate negotiate nominate normalise normalize note notify nudge obfuscate
        obscure observe obtain offboard offer onboard open operate optimize order organize override overwrite
        pack page parse partition patch pause pay perform persist pick pin ping plan play poll post postpone
        predict prefetch preload prepare prescribe present press pretend preview print prioritise prioritize
        process prohibit prolong promote prompt propose protect provide provision prune pseudonymize publish
        pull purchase purge push put quantify quarantine query queue quit quote raise rank rate reactivate
        read reallocate reap rearrange reassign reauthorize rebalance rebase rebook reboot rebuild recall
        receive recommend reconcile reconfigure reconnect record recover recreate recruit recycle redact
        redeem redeploy redirect redo reduce refactor refill refine reformat reformulate refresh refuel refund
        refute regenerate register rehearse reimburse reindex reinstall reinstate reject rekey relay release
        reload relocate remand remap remediate remember remind remit remove rename render renegotiate renew
        reopen reorder repackage repair repay repeat replace replay replicate reply report repost represent
        reprint reprocess reproduce request reroute rerun rescan reschedule rescue resend reserve reset resize
        resolve respond restart restock restore restrict resubmit resume resync retag retire retract retrain
        retrieve retry return revalidate reverse revert review revise revoke rewrite roll rollback rotate
        route run sample sanitize save scaffold scale scan schedule score scrape scroll search select sell
        send separate serve set settle sever share ship shorten show shrink shuffle shut sign silence simulate
        skip smooth snapshot snooze solve sort spawn specify spend spin split squash stage standardize start
        stash steer sterilize stitch stop store stream stretch subdivide submit subscribe subtract suggest
        summarise summarize summon suppress suspend swap swipe switch sync synchronise synchronize synthesize
        tag take tap teach tear tell terminate test throttle toggle tokenize trace track train transact
        transcribe transfer transform transition translate transmit trash triage trigger trim truncate try
        tune turn type unarchive unarm unassign unban unblacklist unblock uncheck undelete undeploy undo
        undock unfollow unfreeze uninstall unlink unload unlock unmark unmount unmute unpause unpin unpublish
        unregister unsend unset unshare unsnooze unstage unstar unsubscribe unsuspend untag untrack untrust
        unwrap unzip update upgrade upload upsert use vaccinate vacuum validate verify vet view void vote wait
        waive wake walk warn wash watch whitelist wipe wire withdraw work wrap write zip zoom
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
