"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from gatewayctl.output import FORMAT, Failure, Format

_F = TypeVar("_F", bound=Callable[..., Any])


def _moment(ctx: click.Context, param: click.Parameter, value: str | None) -> datetime | None:
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise click.BadParameter("write a moment with its zone, such as `2026-12-01T10:00:00Z`", ctx, param)
    return moment


def _format(ctx: click.Context, param: click.Parameter, value: str) -> Format:
    form = Format(value)
    # A failure later on is printed the same way.
    ctx.meta[FORMAT] = form
    return form


def format_option(command: _F) -> _F:
    """`--format text|json`, passed as `form`."""
    return click.option(
        "--format",
        "form",
        type=click.Choice([each.value for each in Format]),
        callback=_format,
        default=Format.TEXT.value,
        show_default=True,
        help="How to print.",
    )(command)


def chosen_form(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """The name of a format, where a command has more than text and JSON; failures are printed as JSON for JSON."""
    if value == Format.JSON.value:
        ctx.meta[FORMAT] = Format.JSON
    return value


def policies_option(command: _F) -> _F:
    """`--policies PATH`, or what stands in for it."""
    return click.option(
        "--policies",
        type=click.Path(path_type=Path),
        envvar="GATEWAY_POLICIES",
        help="A policy file or directory. [default: $GATEWAY_POLICIES, else ./policies]",
    )(command)


def layers_option(command: _F) -> _F:
    """`--user PATH` and `--project PATH`: lower layers, which may only make the policies stricter."""
    for name, whose in (("--project", "the project's"), ("--user", "the user's")):
        command = click.option(
            name,
            type=click.Path(path_type=Path),
            help=f"Policies of {whose} own, which may only make the others stricter.",
        )(command)
    return command


def session_option(command: _F) -> _F:
    """`--session FILE`."""
    return click.option(
        "--session",
        type=click.Path(path_type=Path),
        help="The session: a mapping in YAML or JSON.",
    )(command)


def now_option(command: _F) -> _F:
    """`--now MOMENT`."""
    return click.option(
        "--now",
        metavar="MOMENT",
        callback=_moment,
        help="Answer as of this moment, such as 2026-12-01T10:00:00Z.",
    )(command)


def chosen_policies(given: Path | None) -> Path:
    """The policies that an option names, or those in `./policies`."""
    if given is not None:
        return given
    here = Path("policies")
    if here.exists():
        return here
    raise Failure(
        "no policies are given, and there is no `./policies`",
        "write `--policies PATH`, set `GATEWAY_POLICIES`, or start with `gatewayctl init`",
    )
