"""`gatewayctl tools`: list tools, compare who says what of them, and pin what servers list."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path

import click

from gatewayctl.inputs import load_policies, read_session
from gatewayctl.options import format_option, layers_option, now_option, policies_option, session_option
from gatewayctl.output import Exit, Failure, Format, say
from gatewayctl.stored import tenants_option
from gatewayctl.terminal import copied_word

_NOBODY = (
    "run it in a terminal of your own; scripts name the change with `--digest`, as `tools diff` prints it"
)


class _Tools(click.Group):
    """A group in which a line without a subcommand lists, as it did before there were others."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The words, with `list` put before options that stand alone."""
        if not args or (args[0].startswith("-") and args[0] not in ctx.help_option_names):
            args = ["list", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_Tools)
def command() -> None:
    """List tools, and compare what a policy, its pins, code and a server's list say of them.

    Without a subcommand it lists what a session sees.
    """


@command.command("list")
@session_option
@click.option("--tenant", help="Instead: what is declared, and what is in effect for this tenant.")
@click.option(
    "--code",
    metavar="MODULE",
    help="Instead: what `@gateway.tool` declares in this module or package, which is imported and so runs.",
)
@now_option
@policies_option
@layers_option
@tenants_option
@format_option
@click.option(
    "--shapes", is_flag=True, help="Print which visible tools return which lists, for planning prompts."
)
def listing(
    session: Path | None,
    tenant: str | None,
    code: str | None,
    now: datetime | None,
    policies: Path | None,
    user: Path | None,
    project: Path | None,
    store: str | None,
    form: Format,
    shapes: bool,
) -> None:
    """List the tools that the session sees, and the link that hides each other one.

    With --tenant, show every tool as it is declared and, where the tenant overrides it, as it is in effect.
    With --code, show what code declares; MODULE is looked for in the working directory first.
    """
    from gatewayctl import shown_tools

    if code is not None:
        from gatewayctl.drifting import code_side

        if session is not None or tenant is not None or shapes:
            raise Failure("`--code` takes no `--session`, no `--tenant` and no `--shapes`")
        shown_tools.say_declared(code_side(code), form)
        return
    if tenant is not None:
        if session is not None or shapes:
            raise Failure("`--tenant` takes no `--session` and no `--shapes`", "those are about one session")
        loaded = load_policies(policies, form, now, lower=(user, project), store=store)
        shown_tools.say_tenant(tenant, loaded, form)
        return
    who = read_session(session, form)
    loaded = load_policies(policies, form, now, lower=(user, project), store=store)
    shown_tools.say_session(who, loaded, form, shapes=shapes)


_server_option = click.option("--server", metavar="NAME", help="Whose list it is, as `servers` names it.")


@command.command()
@click.argument("old")
@click.argument("new")
@_server_option
@policies_option
@format_option
def diff(old: str, new: str, server: str | None, policies: Path | None, form: Format) -> None:
    """Say what came, went and changed from OLD to NEW, tool by tool and field by field.

    Each is `policy`, `pins`, `code:MODULE` (which is imported and so runs) or `list:FILE`, a server's answer to MCP's
    `tools/list`, `list:-` on stdin. Exit 1 where something differs that nobody accepted, 2 where one can't be read.
    """
    from gatewayctl.drifting import Sources

    sources = Sources(policies, server, form)
    if sources.say_differences(old, new):
        raise click.exceptions.Exit(Exit.FOUND)


def _listed_options(command: click.decorators.FC) -> click.decorators.FC:
    command = click.option(
        "--list",
        "file",
        required=True,
        metavar="FILE",
        help="The server's answer to `tools/list`; `-` for stdin.",
    )(command)
    command = click.option(
        "--server", required=True, metavar="NAME", help="Whose list it is, as `servers` names it."
    )(command)
    return policies_option(format_option(command))


@command.command()
@_listed_options
def pin(file: str, server: str, policies: Path | None, form: Format) -> None:
    """Pin the tools that a server lists and nobody pinned before.

    Nothing is written where a pinned tool has changed, or a new one holds what may be meant to mislead: `accept` takes
    these by name.
    """
    from gatewayctl.pinfile import Pinning

    pinning = Pinning(policies, server, file, form)
    if not pinning.pin():
        raise click.exceptions.Exit(Exit.FOUND)


@command.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@_listed_options
@click.option("--by", required=True, help="Who accepts it.")
@click.option("--reason", required=True, help="Why.")
@click.option(
    "--digest",
    "digests",
    multiple=True,
    help="Accept this very change without a terminal, one for each NAME.",
)
def accept(
    names: tuple[str, ...],
    file: str,
    server: str,
    policies: Path | None,
    form: Format,
    by: str,
    reason: str,
    digests: tuple[str, ...],
) -> None:
    """Show what changed in tools of a server, and take them as they are listed now; of one that is gone drop the pin.

    Whoever sits at the terminal has to agree.
    """
    from gatewayctl.pinfile import Pinning

    if not by.strip() or not reason.strip():
        raise Failure("`--by` and `--reason` say who accepts it, and why")
    pinning = Pinning(policies, server, file, form)
    steps = pinning.steps(names)
    if digests:
        pinning.check(steps, digests)
    elif not copied_word(pinning.page(steps), "accept it", _NOBODY):
        say("Nothing has changed.")
        sys.exit(Exit.FOUND)
    pinning.accept(steps, by.strip(), reason.strip())
