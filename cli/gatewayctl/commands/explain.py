"""`gatewayctl explain`: say why a call is decided so, or what a code or a check means."""

from __future__ import annotations

import re
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.decided import background, explanation_json
from gatewayctl.inputs import call_of, load_policies, read_session
from gatewayctl.local import hook_session
from gatewayctl.logs import log_option
from gatewayctl.options import (
    chosen_policies,
    format_option,
    layers_option,
    now_option,
    policies_option,
    session_option,
)
from gatewayctl.output import Exit, Failure, Format, ink_for, say, say_json
from gatewayctl.pages import checks, no_page, say_page
from gatewayctl.parts import parts, say_part
from gatewayctl.past import Sources, explain_past, is_id
from gatewayctl.stored import tenants_option

if TYPE_CHECKING:
    from gateway.testing import Loaded

_DECISION = re.compile(r"[dr]-[0-9a-f]{4,}")


@click.command()
@click.argument("name", metavar="[TOOL|CODE|CHECK|PATTERN|RULE|ID]", required=False)
@click.argument("arguments", metavar="[JSON]", required=False)
@click.option(
    "--plan",
    "planned",
    is_flag=True,
    help="Print the Python that decides calls of TOOL, and which rules it is from.",
)
@log_option
@session_option
@now_option
@policies_option
@layers_option
@tenants_option
@format_option
def command(
    name: str | None,
    arguments: str | None,
    log: str | None,
    session: Path | None,
    now: datetime | None,
    policies: Path | None,
    form: Format,
    planned: bool,
    **places: Any,
) -> None:
    """Explain the decision about a call of TOOL with the arguments JSON: every step and every rule.

    With a CODE in upper case, such as PERMISSION_DENIED, the name of a CHECK of `gatewayctl lint`, or the id of a
    PATTERN, such as git.push.force, print its page; with the id of a RULE, limit, entry or invariant of the policy,
    print what it says; with nothing, list all codes and checks. With the ID of a past decision, print what the log
    has of it, and decide it again where all that it rests on is given. With --plan, print what the rules of TOOL
    were compiled into. Without --session a policy for the hook is asked as the hook asks that is started here. Exit
    code 0 means that the call is allowed, 1 that it is not.
    """
    lower, store = (places["user"], places["project"]), places["store"]
    if name is None:
        if planned or session is not None:
            raise click.UsageError("Missing argument 'TOOL'.")
        _list(form)
        return
    if planned:
        if arguments is not None or session is not None:
            raise Failure(
                f"`--plan` shows what decides every call of `{name}`, so it takes no arguments and no session",
                "leave `--plan` away to explain one call",
            )
        _plan(name, load_policies(policies, form, now, lower=lower), form)
        return
    if arguments is None and is_id(name):
        explain_past(name, Sources(log, session, policies, lower, store), form)
        return
    if session is None and arguments is None and say_page(name, form):
        return
    if session is None and arguments is None and policies is None:
        here = _here(lower)
        if here is not None and say_part(name, here, form):
            return
        raise _lost(name, here)
    given = None if session is None else read_session(session, form)
    loaded = load_policies(policies, form, now, lower=lower, store=store)
    if arguments is None and name not in loaded.compiled.engine.tools and say_part(name, loaded, form):
        return
    is_call = arguments is not None or name in loaded.compiled.engine.tools
    who = given or (hook_session(loaded) if is_call else None)
    if who is None:
        raise _lost(name, loaded)
    call = call_of(name, arguments)
    explanation = loaded.gateway.explain(call, who)
    about = background(loaded, call, who, explanation.decision)
    if form is Format.JSON:
        say_json(explanation_json(explanation, about))
    else:
        from gatewayctl.explanation import explanation_lines

        for line in explanation_lines(explanation, about, ink_for(sys.stdout)):
            say(line)
    raise click.exceptions.Exit(Exit.FINE if explanation.decision.proceeds else Exit.FOUND)


def _list(form: Format) -> None:
    """Print every code and every check with a sentence."""
    from gateway.checks import check_id
    from gateway.codes import PAGES
    from gatewayctl.wording import columns

    codes = {code.value: page.meaning for code, page in PAGES.items()}
    told_of = {check_id(each): (each.__doc__ or "").strip().split("\n\n")[0] for each in checks()}
    if form is Format.JSON:
        say_json({"codes": codes, "checks": told_of})
        return
    ink = ink_for(sys.stdout)
    for title, told in (("Codes of decisions", codes), ("Checks of `gatewayctl lint`", told_of)):
        say(ink("bold", title))
        for name, sentence in columns(sorted(told.items()) if told is told_of else told.items()):
            say(f"  {name}  {' '.join(sentence.split())}")
        say()
    say("`gatewayctl explain NAME` prints the page of one of them.")


def _plan(tool: str, loaded: Loaded, form: Format) -> None:
    """Print what a tool's rules were compiled into."""
    from gatewayctl.planned import plan_json, plan_lines

    engine = loaded.compiled.engine
    if tool not in engine.tools:
        from gateway.diagnostic import suggest

        near = suggest(tool, engine.tools)
        raise Failure(f"no tool is called `{tool}`", f"did you mean `{near[0]}`?" if near else "")
    if form is Format.JSON:
        say_json(plan_json(engine, tool))
    else:
        for line in plan_lines(engine, tool):
            say(line)


def _here(lower: tuple[Path | None, ...]) -> Loaded | None:
    """The policies in `./policies`, if there are any that load."""
    from gateway.diagnostic import PolicyError
    from gateway.testing import load

    try:
        return load(chosen_policies(None), *lower)
    except (Failure, PolicyError):
        return None


def _lost(name: str, loaded: Loaded | None) -> Failure:
    """What to say of a name that is nothing to explain."""
    if _DECISION.fullmatch(name):
        return Failure(
            f"`{name}` is no id of a decision: those have 16 digits behind `{name[:2]}`",
            "`gatewayctl log tail --log PATH` shows the last; to explain the call again, write "
            "`gatewayctl explain TOOL JSON --policies DIR`, with `--session FILE` if it was not a hook's",
        )
    failure = no_page(name, () if loaded is None else [part.id for part in parts(loaded)])
    if not failure.message.endswith("no check"):
        return failure
    help = "to explain a call, write `gatewayctl explain TOOL JSON --session FILE`"
    return Failure(f"{failure.message}, and no session is given", f"{help}; {failure.help}")
