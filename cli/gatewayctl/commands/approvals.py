"""`gatewayctl approvals`: what people are asked, and their answers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.logs import log_option
from gatewayctl.options import format_option, now_option
from gatewayctl.output import Exit, Failure, Format, ink_for, say, say_json
from gatewayctl.recorder import recorder_of
from gatewayctl.stored import opened, person, store_options
from gatewayctl.terminal import copied_word
from gatewayctl.wording import counted, wrapped

if TYPE_CHECKING:
    from gateway.answering import Answer, Verdict
    from gateway.approvals import Request
    from gateway.state import Store

_WIDTH = 100
_PAGE = 200


@click.group()
def command() -> None:
    """List what people are asked, and answer it."""


@command.command("list")
@store_options
@format_option
@now_option
def listing(url: str, tenant: str, form: Format, now: datetime | None) -> None:
    """List the questions that wait for an answer."""
    moment = _moment(now)
    found, unreadable = _requests(opened(url), tenant)
    waiting = sorted((one for one in found if one.open_at(moment)), key=lambda request: request.asked)
    if form is Format.JSON:
        say_json({"approvals": [_json(request) for request in waiting], "unreadable": unreadable})
        sys.exit(Exit.FOUND if unreadable else Exit.FINE)
    ink = ink_for(sys.stdout)
    for request in waiting:
        from gateway.diagnostic import printable

        say(f"{ink('cyan', request.id)}  {_time(request.asked)}  {printable(request.tool)}")
        for line in wrapped(printable(request.prompt), _WIDTH, "  "):
            say(line)
    hint = "" if waiting else "; other tenants have their own: `--tenant NAME`"
    say(f"{counted(len(waiting), 'question')} in the tenant `{tenant}`{hint}")
    for name in unreadable:
        say(f"what the store keeps of {name} can't be read")
    sys.exit(Exit.FOUND if unreadable else Exit.FINE)


@command.command()
@click.argument("name", metavar="ID")
@store_options
@format_option
def show(name: str, url: str, tenant: str, form: Format) -> None:
    """Show the whole question ID: the call with every argument, the reasons, who must agree."""
    request = _found(opened(url), tenant, name)
    if form is Format.JSON:
        say_json(_json(request))
        return
    for line in _page(request):
        say(line)


@command.command()
@click.argument("name", metavar="ID")
@store_options
@click.option("--role", "roles", multiple=True, help="A role that you hold, where the question demands one.")
@log_option
def approve(name: str, url: str, tenant: str, roles: tuple[str, ...], log: str | None) -> None:
    """Let the call of the question ID run, once. Shows it whole, and must be confirmed at a terminal."""
    from gateway.answering import Answer, Verdict

    _answer(Answer(Verdict.APPROVE), name, url, tenant, roles, log)


@command.command()
@click.argument("name", metavar="ID")
@store_options
@click.option("--role", "roles", multiple=True, help="A role that you hold.")
@click.option("--reason", default="", help="Why; the model reads it.")
@log_option
def reject(name: str, url: str, tenant: str, roles: tuple[str, ...], reason: str, log: str | None) -> None:
    """Refuse the call of the question ID; where the outcome of a call is unknown, give it up."""
    from gateway.answering import Answer, Verdict

    _answer(Answer(Verdict.REJECT, reason), name, url, tenant, roles, log)


def _answer(
    answer: Answer, name: str, url: str, tenant: str, roles: tuple[str, ...], log: str | None
) -> None:
    from gateway.answering import ApprovalError, answered
    from gateway.recording import DecisionLog, answering
    from gateway.session import Session
    from gateway.state import Unavailable

    store = opened(url)
    recorder = recorder_of(log, url, store)
    request = _found(store, tenant, name)
    _confirm(request, answer.verdict)
    who = Session(id="terminal", tenant=tenant, agent="terminal", subject=person(tenant, roles))
    kept = None if recorder is None else DecisionLog(recorder, lambda: datetime.now(UTC))
    try:
        with answering(kept, name, answer, who):
            after = answered(store, name, answer, who, _moment(None))
    except ApprovalError as error:
        raise Failure(f"nothing has changed: {error}") from None
    except Unavailable as error:
        raise Failure(f"it is not known whether the answer counts: {error}") from None
    missing = " Others must agree as well." if after.given and after.status.value == "pending" else ""
    say(f"{after.id} is {after.status.value}.{missing}")


def _confirm(request: Request, verdict: Verdict) -> None:
    """Show the whole question at the terminal, and have a word copied."""
    otherwise = "run it in a terminal of your own, or let your program ask `Gateway.resume`"
    if not copied_word(_page(request), f"{verdict.value} it", otherwise):
        say("Nothing has changed.")
        sys.exit(Exit.FOUND)


def _requests(store: Store, tenant: str) -> tuple[list[Request], list[str]]:
    """A tenant's questions, and the names of those that can't be read."""
    from gateway.approvals import Request
    from gateway.state import Kind, Unavailable

    found: list[Request] = []
    unreadable: list[str] = []
    after = ""
    try:
        while page := store.listed(tenant, Kind.APPROVAL, after, _PAGE):
            for key, entry in page:
                after = key.name
                try:
                    found.append(Request.of(entry.value))
                except ValueError:
                    unreadable.append(key.name)
    except Unavailable as error:
        raise Failure(f"the store can't tell: {error}") from None
    return found, unreadable


def _found(store: Store, tenant: str, name: str) -> Request:
    from gateway.answering import read
    from gateway.approvals import approval_key
    from gateway.state import Unavailable

    key = approval_key(tenant, name.rpartition("-")[0])
    try:
        entry = store.read((key,)).entries.get(key)
        request = None if entry is None else read(entry.value)
    except Unavailable as error:
        raise Failure(f"the store can't tell: {error}") from None
    if request is None:
        raise Failure(f"there is no question `{name}` in the tenant `{tenant}`", "`approvals list` shows all")
    if request.id != name:
        raise Failure(f"a later question took the place of `{name}`: `{request.id}`")
    return request


def _page(request: Request) -> Iterator[str]:
    """All that whoever answers must see; every character of an argument shows as it is."""
    import json

    from gateway.diagnostic import printable

    yield f"{request.id}  {request.status.value}"
    yield from wrapped(printable(request.prompt), _WIDTH, "  ")
    yield f"  tool       {printable(request.tool)}"
    yield f"  arguments  {json.dumps(request.arguments, ensure_ascii=True)}"
    who = _who(request)
    yield f"  for        {printable(who['subject'])}, conversation {printable(who['session'])}"
    yield f"  call       {printable(who['call_id'])}"
    yield f"  because    {', '.join(map(printable, request.reasons))}"
    yield f"  asked      {_time(request.asked)}"
    if request.expires is not None:
        yield f"  until      {_time(request.expires)}"
    for demand in request.demands:
        by = " or ".join(map(printable, demand.get("by") or ())) or "somebody"
        other = ", and not whoever it is for" if demand.get("not_self") else ""
        yield f"  must agree {by}{other}"
    for one in request.given:
        yield f"  agreed     {printable(one.by)}, {_time(one.at)}"
    if not request.whole:
        yield "  It is too long to be shown whole, so it can't be approved."


def _who(request: Request) -> dict[str, str]:
    """The ids of who asks and of the call, as people may read them."""
    from gateway.recorded import without_secrets

    names = {"subject": request.subject, "session": request.session, "call_id": request.call_id}
    return {name: without_secrets(text) for name, text in names.items()}


def _json(request: Request) -> dict[str, Any]:
    return {
        "id": request.id,
        "status": request.status.value,
        "tool": request.tool,
        "arguments": request.arguments,
        **_who(request),
        "iteration": request.iteration,
        "prompt": request.prompt,
        "reasons": list(request.reasons),
        "demands": list(request.demands),
        "asked": request.asked,
        "expires": request.expires,
        "given": [{"by": one.by, "at": one.at} for one in request.given],
    }


def _moment(now: datetime | None) -> int:
    return int((now or datetime.now(UTC)).timestamp() * 1_000_000)


def _time(moment: int) -> str:
    return datetime.fromtimestamp(moment // 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
