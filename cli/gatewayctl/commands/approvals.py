"""`gatewayctl approvals`: what people are asked, and their answers."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from gatewayctl.logs import log_option
from gatewayctl.options import format_option, now_option
from gatewayctl.output import Exit, Failure, Format, ink_for, say, say_json
from gatewayctl.questions import (
    WIDTH,
    asked,
    is_plan,
    page,
    plans,
    question_json,
    requests,
    time_of,
)
from gatewayctl.recorder import recorder_of
from gatewayctl.stored import opened, person, store_options
from gatewayctl.terminal import copied_word
from gatewayctl.wording import counted, wrapped

if TYPE_CHECKING:
    from gateway.answering import Answer, Verdict
    from gateway.approvals import Request


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
    store = opened(url)
    found, unreadable = requests(store, tenant)
    waiting = sorted((one for one in found if one.open_at(moment)), key=lambda request: request.asked)
    together = plans(store, tenant, waiting)
    if form is Format.JSON:
        say_json(
            {
                "approvals": [question_json(request) for request in waiting],
                "plans": [{"id": name, "approvals": names} for name, names in together.items()],
                "unreadable": unreadable,
            }
        )
        sys.exit(Exit.FOUND if unreadable else Exit.FINE)
    ink = ink_for(sys.stdout)
    for request in waiting:
        from gateway.diagnostic import printable

        say(f"{ink('cyan', request.id)}  {time_of(request.asked)}  {printable(request.tool)}")
        for line in wrapped(printable(request.prompt), WIDTH, "  "):
            say(line)
    for name, names in together.items():
        say(f"{ink('cyan', name)}  a plan, which answers together: {', '.join(names)}")
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
    """Show the whole question ID: the call with every argument, the reasons, who must agree; of a plan all of them."""
    found = asked(opened(url), tenant, name)
    if form is Format.JSON:
        told = [question_json(request) for request in found]
        say_json({"id": name, "approvals": told} if is_plan(name) else told[0])
        return
    for request in found:
        for line in page(request):
            say(line)


@command.command()
@click.argument("name", metavar="ID")
@store_options
@click.option("--role", "roles", multiple=True, help="A role that you hold, where the question demands one.")
@log_option
def approve(name: str, url: str, tenant: str, roles: tuple[str, ...], log: str | None) -> None:
    """Let the call of the question ID run, once. Shows it whole, and must be confirmed at a terminal.

    ID may be that of a plan: then it counts for each of its calls, or for none.
    """
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
    from gateway.approvals import Request, Status
    from gateway.plans import answer_plan
    from gateway.recording import DecisionLog, answering
    from gateway.session import Session
    from gateway.state import Unavailable

    store = opened(url)
    recorder = recorder_of(log, url, store)
    _confirm(name, asked(store, tenant, name), answer.verdict)
    who = Session(id="terminal", tenant=tenant, agent="terminal", subject=person(tenant, roles))
    kept = None if recorder is None else DecisionLog(recorder, lambda: datetime.now(UTC))
    try:
        with answering(kept, name, answer, who):
            take = answer_plan if is_plan(name) else answered
            after = take(store, name, answer, who, _moment(None))
    except ApprovalError as error:
        raise Failure(f"nothing has changed: {error}") from None
    except Unavailable as error:
        raise Failure(f"it is not known whether the answer counts: {error}") from None
    for one in (after,) if isinstance(after, Request) else after:
        missing = " Others must agree as well." if one.given and one.status is Status.PENDING else ""
        say(f"{one.id} is {one.status.value}.{missing}")


def _confirm(name: str, found: list[Request], verdict: Verdict) -> None:
    """Show all that is asked at the terminal, and have a word copied."""
    from gateway.approvals import Status

    if all(request.status is not Status.PENDING for request in found):
        how = " and ".join(dict.fromkeys(request.status.value for request in found))
        raise Failure(f"nothing has changed: `{name}` was answered before, it is {how}")
    otherwise = "run it in a terminal of your own, or let your program ask `Gateway.resume`"
    lines = [line for request in found for line in page(request)]
    if not copied_word(lines, f"{verdict.value} {'all of it' if is_plan(name) else 'it'}", otherwise):
        say("Nothing has changed.")
        sys.exit(Exit.FOUND)


def _moment(now: datetime | None) -> int:
    return int((now or datetime.now(UTC)).timestamp() * 1_000_000)
