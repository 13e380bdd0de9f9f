"""`gatewayctl lint`: say everything that is wrong or doubtful in policies."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gatewayctl.options import chosen_policies, format_option, policies_option
from gatewayctl.output import Exit, Format, diagnostic_json, say, say_diagnostics, say_json
from gatewayctl.wording import counted

if TYPE_CHECKING:
    from gateway.diagnostic import Diagnostic


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--strict", is_flag=True, help="Let warnings fail, too.")
@policies_option
@format_option
def command(paths: tuple[Path, ...], strict: bool, policies: Path | None, form: Format) -> None:
    """Load and compile the policies at each PATH, run the checks, and print what they find.

    Each PATH is a policy of its own: a file, or a directory with all its files. `gatewayctl explain CHECK`
    says more about a warning. Exit code 1 means errors, or warnings with --strict.
    """
    from gateway.diagnostic import Severity

    found: list[Diagnostic] = []
    for path in paths or (chosen_policies(policies),):
        found.extend(_linted(path))
    count = Counter(diagnostic.severity for diagnostic in found)
    failed = bool(count[Severity.ERROR] or (strict and count[Severity.WARNING]))
    if form is Format.JSON:
        say_json({"ok": not failed, "diagnostics": [diagnostic_json(d) for d in found]})
    else:
        say_diagnostics(found)
        say(", ".join(counted(count[severity], severity.value) for severity in Severity))
    raise click.exceptions.Exit(Exit.FOUND if failed else Exit.FINE)


def _linted(path: Path) -> tuple[Diagnostic, ...]:
    from gateway.checks import check_policy
    from gateway.diagnostic import PolicyError
    from gateway.testing import load

    try:
        loaded = load(path)
    except PolicyError as error:
        return error.diagnostics
    found = (*loaded.compiled.diagnostics, *check_policy(loaded.policy, loaded.compiled, loaded.clock()))
    return tuple(sorted(found, key=lambda diagnostic: diagnostic.sort_key))
