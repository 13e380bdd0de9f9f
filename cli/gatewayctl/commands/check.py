"""`gatewayctl check`: decide one call, or a file of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.decided import decision_json
from gatewayctl.inputs import call_of, load_policies, read_bytes, read_session, unique
from gatewayctl.local import hook_session
from gatewayctl.options import format_option, layers_option, now_option, policies_option, session_option
from gatewayctl.output import Exit, Failure, Format, ink_for, say, say_json
from gatewayctl.stored import tenants_option
from gatewayctl.wording import EFFECT_INK

if TYPE_CHECKING:
    from gateway.decision import Decision
    from gateway.testing import Loaded


@click.command()
@click.argument("tool", required=False)
@click.argument("arguments", metavar="[JSON]", required=False)
@session_option
@click.option(
    "--batch", type=click.Path(path_type=Path), help="Lines of {id, session, call, now?}; - is stdin."
)
@now_option
@policies_option
@layers_option
@tenants_option
@format_option
def command(
    tool: str | None,
    arguments: str | None,
    session: Path | None,
    batch: Path | None,
    now: datetime | None,
    policies: Path | None,
    user: Path | None,
    project: Path | None,
    store: str | None,
    form: Format,
) -> None:
    """Decide a call of TOOL with the arguments JSON, or each call of a batch.

    Exit code 0 means allowed, 1 asked, answered or refused. A batch is answered line by line, in order, as
    JSON; a line that can't be read is refused, and the exit code is 0 when every line got its answer. Without
    --session a policy for the hook is asked as the hook asks that is started here.
    """
    if batch is not None:
        if tool is not None or session is not None or now is not None:
            raise Failure("`--batch` takes no TOOL, `--session` or `--now`", "put them into the lines")
        _batch(load_policies(policies, form, lower=(user, project), store=store), batch)
        return
    if tool is None:
        raise Failure(
            "no tool is given", "write `gatewayctl check TOOL [JSON] --session FILE`, or `--batch FILE`"
        )
    given = read_session(session, form) if session is not None or policies is None else None
    loaded = load_policies(policies, form, now, lower=(user, project), store=store)
    who = given or hook_session(loaded) or read_session(None, form)
    decision = loaded.gateway.before(call_of(tool, arguments), who)
    if form is Format.JSON:
        say_json({"id": decision.call_id, **decision_json(decision)})
    else:
        _say(decision)
    raise click.exceptions.Exit(Exit.FINE if decision.proceeds else Exit.FOUND)


def _say(decision: Decision) -> None:
    from gateway.codes import PAGES
    from gateway.diagnostic import printable

    ink = ink_for(sys.stdout)
    effect = decision.effect.value
    say(f"{ink(EFFECT_INK[effect], effect)}  {decision.code.value}  {printable(decision.tool)}")
    if decision.message:
        say(f"  {printable(decision.message)}")
    if decision.rule is not None:
        by = "pattern" if decision.code.value == "PATTERN" else "rule"
        say(
            f"  {by}: {decision.rule}{' (`gatewayctl explain ' + decision.rule + '`)' if by == 'pattern' else ''}"
        )
    if not decision.proceeds:
        say(f"  why:  {printable(decision.detail)}")
        say(f"  next: {PAGES[decision.code].next}")


def _batch(loaded: Loaded, path: Path) -> None:
    for line in _lines(path):
        say_json(_answered(loaded, line))


def _lines(path: Path) -> Iterator[bytes]:
    if str(path) == "-":
        yield from sys.stdin.buffer
    else:
        yield from read_bytes(path).splitlines()


def _answered(loaded: Loaded, line: bytes) -> dict[str, Any]:
    """The answer to one line; one that can't be read is refused."""
    from gateway.testing.expected import moment

    fields: dict[str, Any] = {}
    try:
        value = json.loads(line.decode("utf-8"), object_pairs_hook=unique)
        if not isinstance(value, dict):
            raise ValueError("the line is no object")
        fields = value
        unknown = fields.keys() - {"id", "session", "call", "now"}
        if unknown:
            raise ValueError(f"the line has no key `{min(unknown)}` (known: id, session, call, now)")
        for key in ("id", "session", "call"):
            if key not in fields:
                raise ValueError(f"the line has no `{key}`")
        if not isinstance(fields["session"], dict) or not isinstance(fields["call"], dict):
            raise ValueError("`session` and `call` are objects")
        loaded.clock.now = moment(fields["now"]) if "now" in fields else None
    except RecursionError:
        return _refused(fields, "the line is nested too deep")
    except ValueError as error:
        return _refused(fields, str(error) or "the line can't be read")
    decision = loaded.gateway.anew().before(fields["call"], fields["session"])
    return {"id": fields["id"], **decision_json(decision)}


def _refused(fields: dict[str, Any], why: str) -> dict[str, Any]:
    return {
        "id": fields.get("id"),
        "effect": "deny",
        "code": "ARGUMENTS_UNREADABLE",
        "rule": None,
        "message": f"The line can't be read: {why}.",
        "detail": why,
    }
