"""A page for each code: what it means, whether trying again helps, who can change it, what to do next."""

from __future__ import annotations

from collections.abc import Mapping

from gateway.decision import Code
from gateway.frozen import frozen


@frozen
class Page:
    """What `gatewayctl explain CODE` prints; `retry` is also what the model is told."""

    meaning: str
    retry: str
    who: str
    next: str


_NO_RETRY = "Trying again will not help."

PAGES: Mapping[Code, Page] = {
    Code.ALLOWED: Page(
        "Nothing is held against the call: nothing was, or a rule or an approval lifted it.",
        "",
        "Nobody needs to.",
        "Run the tool with the decision's final arguments.",
    ),
    Code.NOT_READY: Page(
        "The policy can't decide anything: it has no agents or no tools, or a rule in it can never match.",
        _NO_RETRY,
        "The policy's author.",
        "Run `gatewayctl lint` on the policy: it names what is missing and where.",
    ),
    Code.NO_IDENTITY: Page(
        "The session has no subject, the subject is not authenticated, or the session can't be read.",
        _NO_RETRY,
        "The host that builds the session, or the user by signing in.",
        "Pass a session with `subject: {id, tenant, authenticated: true}`. Services use `kind: service`.",
    ),
    Code.NO_TENANT: Page(
        "The session names no tenant.",
        _NO_RETRY,
        "The host that builds the session.",
        "Set `session.tenant`; a product with one tenant uses one fixed name.",
    ),
    Code.CROSS_TENANT: Page(
        "The subject or the session above belongs to another tenant than the session, or the subject is visiting one.",
        _NO_RETRY,
        "The user, by going back to their own tenant.",
        "End the visit; agents never act in a tenant that their user only visits.",
    ),
    Code.AGENT_DISABLED: Page(
        "The agent is unknown, or no `tenants` entry of it covers this tenant. No entry means off.",
        _NO_RETRY,
        "The policy's author, in `agents`.",
        "Name one of the policy's agents in the session, and the tenant in that agent's `tenants`.",
    ),
    Code.SESSION_MISMATCH: Page(
        "The conversation's id was seen first with another subject, agent or parent, or a sub-agent's session says "
        "something else than its `parent`.",
        _NO_RETRY,
        "The host that gives conversations their ids.",
        "Give each conversation an id of its own; a subject or agent that changes begins a new one.",
    ),
    Code.TOOL_NOT_FOUND: Page(
        "No tool of this name exists for this session.",
        "Use only tools from the list that you were given.",
        "The policy's author, in `tools` and `agents`.",
        "`gatewayctl tools --session FILE` shows what is visible, and which link hides the rest.",
    ),
    Code.TOOL_NOT_BOUND: Page(
        "The tool exists, but no entry of the agent's `tools` covers it. The model is told TOOL_NOT_FOUND.",
        "Use only tools from the list that you were given.",
        "The policy's author, in `agents[].tools`.",
        "Bind the tool to the agent, or use another agent.",
    ),
    Code.TOOL_DISABLED: Page(
        "The tool is switched off: for this channel, by a deployment switch, by its mode, or `enabled: false`. "
        "The model is told TOOL_NOT_FOUND.",
        "Use only tools from the list that you were given.",
        "The deployment (`settings.switches`, `enabled`), or the user for a mode.",
        "The detail names the link that is off.",
    ),
    Code.TOOL_CHANGED: Page(
        "The server of this tool is `pinned`, and what it lists is not what was pinned: the tool changed, nobody "
        "pinned it, or the host did not say what the server lists. The model is told TOOL_NOT_FOUND.",
        "Use only tools from the list that you were given.",
        "Whoever reviews changes of tools, with `gatewayctl tools accept`; the host, which says what servers list.",
        "`gatewayctl tools diff pins list:FILE --server NAME` shows what changed.",
    ),
    Code.REQUIREMENT_MISSING: Page(
        "The tool needs something that this session does not supply, such as a sandbox.",
        _NO_RETRY,
        "The host, by supplying it in `session.capabilities`.",
        "Run the conversation where the named capability exists.",
    ),
    Code.PERMISSION_DENIED: Page(
        "The subject lacks a permission that the tool declares. All of them are needed; the first missing is named.",
        _NO_RETRY,
        "Whoever grants permissions to the subject.",
        "Ask for the named permission.",
    ),
    Code.ARGUMENTS_UNREADABLE: Page(
        "The call or its arguments can't be read without guessing: bad JSON, a key twice, NUL, NaN, or too big.",
        "Send the arguments again as one plain JSON object.",
        "The model, by writing valid arguments.",
        "The message says where the reading stopped.",
    ),
    Code.FORCED_ARGUMENT_UNAVAILABLE: Page(
        "The policy sets an argument itself, and its value is not there in this session.",
        _NO_RETRY,
        "The host that builds the session, or the policy's author in `arguments`.",
        "Supply the fact that the entry reads.",
    ),
    Code.FORCED_ARGUMENT_CONFLICT: Page(
        "Two entries of `arguments` set the same argument to different values.",
        _NO_RETRY,
        "The policy's author.",
        "Make the entries exclude each other with `when`.",
    ),
    Code.RESOURCE_PERMISSION_DENIED: Page(
        "The subject lacks the permission for this very resource, or the value in it can't be part of a permission.",
        "Another resource may be allowed; this one is not.",
        "Whoever grants permissions to the subject.",
        "Ask for the named permission.",
    ),
    Code.ARGUMENT_INVALID: Page(
        "An argument does not fit the tool's declared schema.",
        "Correct the named argument and try again.",
        "The model, by sending what the schema asks for.",
        "The message names the field, what is expected, and an example.",
    ),
    Code.CALL_ID_REUSED: Page(
        "A call with this id came before in this conversation, for another tool or with other arguments.",
        "Send it as a new call, with an id of its own.",
        "The host, which gives each call of the model an id of its own.",
        "Give ids that are used once; the journal keeps what the first call of this id was.",
    ),
    Code.ALREADY_COMPLETED: Page(
        "This very call has ended before: it is answered with the result that it had then, and does not run again.",
        "Do not send it again. If it has to happen once more, send a new call.",
        "Nobody needs to.",
        "Give the response to the model, as the result of the call.",
    ),
    Code.ALREADY_DONE: Page(
        "Another call has done the same before, or is at it: the tool's `idempotency_key` has the same value.",
        "Go on with what exists; do not make it a second time.",
        "The person who is asked, if it has to be done once more.",
        "Look up what exists under the key; the message says when it was done.",
    ),
    Code.OUTCOME_UNKNOWN: Page(
        "This very call was started before, and nothing says how it ended: it may have happened or not.",
        "Wait for the answer; do not send the call again.",
        "The person who is asked: run it again, say that it happened and with which result, or give it up.",
        "Look at what the tool works on, whether the call has happened, then answer.",
    ),
    Code.GUARD: Page(
        "The call would change or run what protects the gateway itself: policies, hooks, stores, its own commands. "
        "This class is built in and can't be switched off.",
        "Do not try another way; ask the user to do it themselves.",
        "A person, outside the agent.",
        "Make the change by hand in a terminal that no agent controls.",
    ),
    Code.PATTERN: Page(
        "A command, code, SQL, a path or an address in an argument does something dangerous; the rule is the "
        "pattern's id.",
        "Do not rephrase it; use the alternative if one is named.",
        "The policy's author, in `settings.patterns` or `settings.packs`; an ask also by an `allow` rule whose `lifts` "
        "names the pattern.",
        "Use the alternative, or have a person do it. `gatewayctl explain PATTERN` tells all about the pattern.",
    ),
    Code.UNREADABLE: Page(
        "A command, code or SQL in an argument could not be understood, so nobody knows what it would do.",
        "Write it in a simpler form.",
        "The model, or the person who is asked.",
        "Split the command, avoid nested quoting, keep it short.",
    ),
    Code.RULE: Page(
        "A rule of the policy (or of the host) matched, or could not be evaluated, which counts as a match.",
        _NO_RETRY,
        "The rule's owner.",
        "`gatewayctl explain TOOL ARGUMENTS --session FILE` shows the rule with the values that it read.",
    ),
    Code.RATE_LIMIT: Page(
        "As many calls have been let run as the limit allows in its stretch of time.",
        "Wait until then, or go on without it.",
        "The policy's author, in `limits`.",
        "The message says when there is room again.",
    ),
    Code.STEP_LIMIT: Page(
        "The turn has had as many steps as the agent may take: a step is one answer of the model with calls in it.",
        "Stop here, and tell the user what you have and what is missing.",
        "The policy's author, in `agents[].max_steps`.",
        "Go on in the next turn.",
    ),
    Code.REPEATED: Page(
        "The very same call came more often in a row than the limit allows.",
        "Do not send it again; do something else.",
        "The policy's author, in `limits`; a tool that is polled is left out there with `!name`.",
        "Look why the model does not get on with the answer that it has.",
    ),
    Code.BUDGET: Page(
        "The call would spend more than the budget still has, or what it spends can't be told.",
        "Spend less, wait, or go on without it.",
        "The policy's author, in `limits`.",
        "The message says when there is room again; look what the money went for.",
    ),
    Code.NOTHING_NEW: Page(
        "The last rounds of the turn brought nothing new: all that came back was empty, or came before.",
        "Do not go on looking; answer with what you have, or say what is missing.",
        "The policy's author, in `limits`.",
        "Go on in the next turn; ask in another way, or look where there is more.",
    ),
    Code.CONFIRM: Page(
        "The tool's risk is at or above `settings.confirm_from`, so a person must confirm the call.",
        "Wait for the answer; do not send the call again.",
        "The person who is asked; the policy's author by an `allow` rule or `confirm_from`.",
        "Confirm or reject it.",
    ),
    Code.APPROVAL_REJECTED: Page(
        "A person was asked about this very call and rejected it.",
        "Do not send it again in another way; go on without it, or ask the user.",
        "The person who rejected it, about a new call.",
        "The message holds the reason that was given, if there was one.",
    ),
    Code.APPROVAL_EXPIRED: Page(
        "Nobody answered in time whether this call may run, or the answer was used too late; that grants nothing.",
        "Send a new call if it is still needed: a person is then asked again.",
        "Whoever is asked, by answering in time; the policy's author, in `approval.expires` and `use_within`.",
        "Ask again with a new call.",
    ),
    Code.DRY_RUN: Page(
        "The session is a dry run: the call was checked, then answered with a placeholder, and not run.",
        "Go on as if it had run.",
        "Whoever started the dry run.",
        "Start a session without `dry_run` to run it.",
    ),
    Code.NOBODY_TO_ASK: Page(
        "The call needs a person's answer, and nobody can be asked in this session.",
        _NO_RETRY,
        "The host, by offering a way to ask (`session.can_ask`).",
        "Run it in a conversation with a person; the detail names what would have been asked.",
    ),
    Code.OBLIGATION_UNSUPPORTED: Page(
        "Going on would oblige the host to do something that it can't, such as running changed arguments.",
        _NO_RETRY,
        "The host's developer.",
        "Use a host that supports the named obligation.",
    ),
    Code.STATE_UNAVAILABLE: Page(
        "What is remembered between calls, or the decision log, can't be read or written, so nothing may run.",
        "Try again once, later; if it fails again, stop.",
        "The gateway's operator.",
        "Look at the store or the log that the detail names: its disk, its file, its server.",
    ),
    Code.POLICY_ERROR: Page(
        "The gateway itself failed while deciding; the call is refused because nobody knows the answer.",
        "Try again once; if it fails again, stop.",
        "The gateway's operator.",
        "Report the detail together with the decision's id.",
    ),
    Code.REVIEWED: Page(
        "The result was looked through: redacted as the policy says, shortened where it was long, and marked as data.",
        "",
        "Nobody needs to.",
        "Give the review's `text` to the model, or its `result` where structures are passed on.",
    ),
    Code.RESULT_WITHHELD: Page(
        "The result is not shown: a filter that it has to pass could not be applied, or the call must not have run.",
        "Do not send the call again for its result; use another tool or ask for less.",
        "The policy's author, in `results`; the host, if it ran a call that was refused.",
        "The detail names the entry that could not be applied.",
    ),
    Code.RESULT_UNRECORDED: Page(
        "The gateway failed while it reviewed or recorded the result. The call has run; its result is not shown.",
        "Do not send the call again: it has run. Read its outcome in another way.",
        "The gateway's operator.",
        "Report the detail together with the review's id.",
    ),
    Code.EXECUTED_OTHER_ARGUMENTS: Page(
        "The tool ran with other arguments than those that were granted. Its result is not shown.",
        "Do not send the call again: something has run. Tell the user.",
        "The host's developer: `Decision.arguments` are what runs, and nothing else.",
        "Find out what ran and what it did; the journal's entry stays open until somebody says so.",
    ),
}
