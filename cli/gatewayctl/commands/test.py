"""`gatewayctl test`: run the cases in `*.test.yaml` files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.options import chosen_policies, format_option
from gatewayctl.output import Exit, Format, diagnostic_json, ink_for, say, say_diagnostics, say_json
from gatewayctl.wording import counted

if TYPE_CHECKING:
    from gateway.diagnostic import Diagnostic
    from gateway.testing import CaseReport, Loaded, Report


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--policies", type=click.Path(path_type=Path), help="Policies to test. [default: those beside the file]"
)
@click.option("-k", "words", metavar="WORDS", default="", help="Only cases whose name holds these words.")
@format_option
def command(paths: tuple[Path, ...], policies: Path | None, words: str, form: Format) -> None:
    """Run every case at each PATH against the policies in the same directory.

    Exit code 1 means that a case differs from what it expects, 2 that a file or its policies can't be used.
    """
    from gateway.diagnostic import PolicyError
    from gateway.testing import load, run_file, test_files

    loaded: dict[Path, Loaded] = {}
    reports: list[Report] = []
    problems: dict[Diagnostic, None] = {}
    for path in paths or (chosen_policies(policies),):
        try:
            files = test_files(path)
        except PolicyError as error:
            problems |= dict.fromkeys(error.diagnostics)
            continue
        for file in files:
            place = policies if policies is not None else file.parent
            try:
                if place not in loaded:
                    loaded[place] = load(place)
                reports.append(
                    run_file(
                        file, only=lambda name: words.casefold() in name.casefold(), loaded=loaded[place]
                    )
                )
            except PolicyError as error:
                problems |= dict.fromkeys(error.diagnostics)
    cases = [case for report in reports for case in report.cases]
    failed = [case for case in cases if not case.passed]
    code = Exit.IMPOSSIBLE if problems or not cases else Exit.FOUND if failed else Exit.FINE
    if form is Format.JSON:
        say_json(
            {
                "ok": code is Exit.FINE,
                "cases": [_json(case) for case in cases],
                "diagnostics": [diagnostic_json(d) for d in problems],
            }
        )
    else:
        _say(cases, failed, list(problems), words)
    raise click.exceptions.Exit(code)


def _json(case: CaseReport) -> dict[str, Any]:
    return {
        "name": case.case.name,
        "file": case.case.span.source.name,
        "line": case.case.span.line,
        "passed": case.passed,
        "mismatches": [{"what": m.what, "expected": m.expected, "got": m.got} for m in case.mismatches],
    }


def _say(cases: list[CaseReport], failed: list[CaseReport], problems: list[Diagnostic], words: str) -> None:
    ink = ink_for(sys.stdout)
    for case in failed:
        say(f"{ink('red', 'FAILED')} {case.text}")
        say()
    say_diagnostics(problems)
    if problems:
        say(ink("red", f"{counted(len(problems), 'problem')} in the files"))
    elif not cases:
        say(ink("yellow", f"no case has `{words}` in its name" if words else "there are no cases"))
    passed = len(cases) - len(failed)
    summary = f"{counted(len(cases), 'case')}: {passed} passed, {len(failed)} failed"
    say(ink("red" if failed or problems else "green", summary))
