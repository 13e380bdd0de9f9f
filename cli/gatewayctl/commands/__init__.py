"""The subcommands, by name: the help of each stands here, so that listing them imports none."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

import click

from gatewayctl.output import FORMAT, Exit, Failure, Format, say_json

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "init": "Write a small policy and its test to start from.",
        "lint": "Say everything that is wrong or doubtful in policies.",
        "test": "Run the cases in *.test.yaml files.",
        "verify": "Look for calls of which an invariant of the policy does not hold.",
        "check": "Decide one call, or a file of them.",
        "try": "Run one call for real, without a model.",
        "explain": "Say why a call is decided so, or what a code, a check or a pattern means.",
        "log": "Read the decision log, look whether it is whole, and count.",
        "tools": "List tools, compare who says what of them, and pin what servers list.",
        "diff": "Say what a change between two policies relaxes.",
        "hook": "Answer an agent program's hook, on stdin and stdout.",
        "approvals": "List what people are asked, and answer it.",
        "override": "Let tools differ for one tenant, at once, and list what differs.",
        "inspect": "Say what a command, a query, a path or an address would do.",
        "patterns": "List the patterns of dangerous commands.",
        "functions": "List the functions that conditions may call.",
        "lsp": "Tell an editor about policies while they are written.",
        "schema": "Print the JSON Schema of policy files, for editors.",
        "demo": "Decide some calls with a policy that is built in.",
    }
)


class Commands(click.Group):
    """A group whose members are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of a name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"gatewayctl.commands.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The subcommand that the first word names; a misspelt one is answered with the likely one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from gateway.diagnostic import suggest

            near = suggest(args[0], COMMANDS)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            raise click.UsageError(f"there is no command `{args[0]}`{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of subcommands, from the help that stands in it."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand; here, at the edge, every failure becomes a message."""
        if sys.stdout is None:
            raise Failure("stdout is closed, so no answer could be given")
        try:
            return super().invoke(ctx)
        except Failure as failure:
            if ctx.meta.get(FORMAT) is Format.JSON:
                say_json({"ok": False, "error": failure.message, "help": failure.help})
            raise
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:
            # Who reads has gone, and what was left to say is lost; nothing is said of it there.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            raise click.exceptions.Exit(Exit.IMPOSSIBLE) from None
        except Exception as error:
            name = type(error).__name__
            raise Failure(f"the command failed inside ({name}: {error}); please report it") from error


@click.group(cls=Commands, no_args_is_help=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="gatewayctl", prog_name="gatewayctl")
def cli() -> None:
    """Policies for AI agents: decide whether a tool call may happen, and say why.

    Exit codes: 0 fine or allowed, 1 findings or refused, 2 it can't be done.
    """
