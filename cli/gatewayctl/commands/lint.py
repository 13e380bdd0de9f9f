"""`gatewayctl lint`: say everything that is wrong or doubtful in policies."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gatewayctl.formats import FORMATS, findings_format
from gatewayctl.options import chosen_policies, layers_option, now_option, policies_option
from gatewayctl.output import FORMAT, Exit, Failure, Format

if TYPE_CHECKING:
    from gateway.diagnostic import Diagnostic
    from gateway.testing import Loaded


def _form(ctx: click.Context, param: click.Parameter, value: str) -> str:
    if value == Format.JSON.value:
        # A failure later on is printed the same way.
        ctx.meta[FORMAT] = Format.JSON
    return value


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--strict", is_flag=True, help="Let warnings fail, too.")
@click.option(
    "--second-opinion",
    is_flag=True,
    help="Ask cel-python what it answers over the policies' own examples and cases, and say where it differs.",
)
@now_option
@policies_option
@layers_option
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    callback=_form,
    default=Format.TEXT.value,
    show_default=True,
    help="How to print; `github` is for GitHub Actions.",
)
def command(
    paths: tuple[Path, ...],
    strict: bool,
    second_opinion: bool,
    now: datetime | None,
    policies: Path | None,
    user: Path | None,
    project: Path | None,
    form: str,
) -> None:
    """Load and compile the policies at each PATH, run the checks, and print what they find.

    Each PATH is a policy of its own: a file, or a directory with all its files. `gatewayctl explain CHECK`
    says more about a warning. Exit code 1 means errors, or warnings with --strict.
    """
    from gateway.diagnostic import Severity

    found: list[Diagnostic] = []
    for path in paths or (chosen_policies(policies),):
        found.extend(_linted(path, (user, project), now, second_opinion=second_opinion))
    severities = {diagnostic.severity for diagnostic in found}
    failed = Severity.ERROR in severities or (strict and Severity.WARNING in severities)
    findings_format(form).say_found(found, ok=not failed)
    if any(diagnostic.code in _NOTHING_THERE for diagnostic in found):
        raise click.exceptions.Exit(Exit.IMPOSSIBLE)
    raise click.exceptions.Exit(Exit.FOUND if failed else Exit.FINE)


_NOTHING_THERE = frozenset(("no-path", "no-such-file", "unreadable-file"))
"""What is wrong where there is nothing to look at."""


def _linted(
    path: Path, lower: tuple[Path | None, ...], now: datetime | None, *, second_opinion: bool
) -> tuple[Diagnostic, ...]:
    from gateway.checks import check_policy
    from gateway.diagnostic import PolicyError
    from gateway.testing import load

    try:
        loaded = load(path, *lower)
    except PolicyError as error:
        return error.diagnostics
    loaded.clock.now = now
    found = (*loaded.compiled.diagnostics, *check_policy(loaded.policy, loaded.compiled, loaded.clock()))
    if second_opinion:
        found += _second_opinion(loaded)
    return tuple(sorted(found, key=lambda diagnostic: diagnostic.sort_key))


def _second_opinion(loaded: Loaded) -> tuple[Diagnostic, ...]:
    from gateway.second_opinion import second_opinion
    from gateway.second_opinion.asking import Unusable

    try:
        return second_opinion(loaded)
    except Unusable as error:
        raise Failure(f"cel-python can't be asked: {error}", "install `cel-python`") from None
