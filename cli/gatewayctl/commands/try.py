"""`gatewayctl try`: run one call for real, without a model."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.inputs import call_of, read_session
from gatewayctl.logs import log_option
from gatewayctl.options import chosen_policies, format_option, policies_option, session_option
from gatewayctl.output import Exit, Failure, Format, refuse_policies, say, say_json
from gatewayctl.recorder import recorder_of

if TYPE_CHECKING:
    from gateway.state import Store


@click.command()
@click.argument("tool")
@click.argument("arguments", metavar="[JSON]", required=False)
@click.option(
    "--function",
    "named",
    metavar="MODULE:NAME",
    required=True,
    help="The tool itself, such as `shop.tools:send_mail`; it is called with the granted arguments.",
)
@session_option
@click.option("--id", "name", help="The call's id; another one each time, unless it is given.")
@click.option(
    "--store", "url", envvar="GATEWAY_STORE", help="Where it is remembered. [default: $GATEWAY_STORE]"
)
@log_option
@policies_option
@format_option
def command(
    tool: str,
    arguments: str | None,
    named: str,
    session: Path | None,
    name: str | None,
    url: str | None,
    log: str | None,
    policies: Path | None,
    form: Format,
) -> None:
    """Run a call of TOOL with the arguments JSON, without a model: decided, run, and its result reviewed.

    The session's subject must hold the permission `gateway:try` beside what the tool needs. Exit code 0 means that it
    ran without an error, 1 that it was refused, asked about, or failed. Where a person is asked, answer with
    `gatewayctl approvals` and give the same --id and --store again. `gatewayctl check` decides a call and runs none.
    """
    from gateway import Gateway
    from gateway.diagnostic import PolicyError

    who, call, function = read_session(session, form), call_of(tool, arguments), _function(named)
    call = call if name is None else replace(call, id=name)
    try:
        store = _store(url)
        gateway = Gateway.load(chosen_policies(policies), store=store, recorder=recorder_of(log, url, store))
    except PolicyError as error:
        refuse_policies(error, form)
    ran = gateway.trial(call, who, function)
    failed = ran.review is None or ran.review.is_error
    if form is Format.JSON:
        from gatewayctl.decided import decision_json

        told = {"ran": ran.review is not None, "text": ran.text}
        say_json({"id": ran.decision.call_id, **decision_json(ran.decision), **told})
    else:
        say(f"{ran.decision.effect.value}  {ran.decision.code.value}  {tool}")
        say(ran.text)
        if ran.review is None:
            say(f"  why: {ran.decision.detail}")
    raise click.exceptions.Exit(Exit.FOUND if failed else Exit.FINE)


def _function(named: str) -> Callable[..., Any]:
    """The function of a name; the working directory is looked in as `python -m` does."""
    from importlib import import_module

    module, _, name = named.partition(":")
    if not module or not name:
        raise Failure(f"`{named}` names no function", "write `MODULE:NAME`, such as `shop.tools:send_mail`")
    sys.path.insert(0, "")
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except Exception as error:  # the edge to the tool's own code
        raise Failure(f"`{named}` can't be imported: {type(error).__name__}: {error}") from None
    if not callable(found):
        raise Failure(f"`{named}` is no function")
    return found  # type: ignore[no-any-return]


def _store(url: str | None) -> Store | None:
    from gatewayctl.stored import opened

    return None if url is None else opened(url)
