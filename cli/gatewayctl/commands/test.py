"""`gatewayctl test`: run the cases in `*.test.yaml` files."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.covered import coverage_json, gaps_of, say_coverage, say_gaps
from gatewayctl.formats import findings_format
from gatewayctl.mutated import mutation_json, say_changes, say_survivors
from gatewayctl.options import chosen_form, chosen_policies
from gatewayctl.output import Exit, Failure, Format, diagnostic_json, ink_for, say, say_diagnostics, say_json
from gatewayctl.wording import counted

if TYPE_CHECKING:
    from gateway.diagnostic import Diagnostic, Ink
    from gateway.mutation import Survivors
    from gateway.testing import CaseReport, Loaded, Report
    from gateway.testing.coverage import Coverage


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--policies", type=click.Path(path_type=Path), help="Policies to test. [default: those beside the file]"
)
@click.option("-k", "words", metavar="WORDS", default="", help="Only cases whose name holds these words.")
@click.option("--coverage", is_flag=True, help="Say what of the policies no case reaches.")
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="With less coverage than this the exit code is 1.",
)
@click.option("--mutate", is_flag=True, help="Change the policies bit by bit, and say what no case notices.")
@click.option("--rule", metavar="ID", help="With --mutate: only what this rule, entry, tool or agent says.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="With --mutate: try so many changes.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json", "github")),
    callback=chosen_form,
    default=Format.TEXT.value,
    show_default=True,
    help="How to print; `github` is for GitHub Actions.",
)
def command(
    *,
    paths: tuple[Path, ...],
    policies: Path | None,
    words: str,
    coverage: bool,
    fail_under: float | None,
    mutate: bool,
    rule: str | None,
    limit: int | None,
    form: str,
) -> None:
    """Run every case at each PATH against the policies in the same directory.

    Exit code 1 means that a case differs from what it expects, that too little is covered, or that a change of the
    policies is not noticed; 2 that a file or its policies can't be used.
    """
    if not mutate and (rule is not None or limit is not None):
        raise click.UsageError(
            f"--{'limit' if rule is None else 'rule'} says what --mutate tries: write both"
        )
    run = _run(paths or (chosen_policies(policies),), policies, words)
    code = run.code
    covered = run.coverage() if (coverage or fail_under is not None) and code is not Exit.IMPOSSIBLE else {}
    if any(fail_under is not None and found.percent < fail_under for found in covered.values()):
        code = max(code, Exit.FOUND)
    mutated = run.mutated(rule, limit) if mutate and run.code is Exit.FINE else {}
    if any(found.survived or found.unused for found in mutated.values()):
        code = max(code, Exit.FOUND)
    if form == Format.JSON.value:
        say_json(
            {
                "ok": code is Exit.FINE,
                "cases": [_json(case) for case in run.cases],
                "diagnostics": [diagnostic_json(d) for d in run.problems],
                **({"coverage": [coverage_json(*each) for each in covered.items()]} if covered else {}),
                **({"mutation": [mutation_json(*each) for each in mutated.items()]} if mutated else {}),
            }
        )
    else:
        ink = ink_for(sys.stdout)
        in_text = form == Format.TEXT.value
        if in_text:
            _say_failed(run, ink)
        else:
            too_little = {
                place: found
                for place, found in covered.items()
                if fail_under is None or found.percent < fail_under
            }
            findings_format(form).say_found(_findings(run, too_little, mutated), ok=code is Exit.FINE)
        _say_figures(run, words, ink)
        for place, found in covered.items():
            say()
            if in_text:
                say_gaps(found, ink)
            say_coverage(place, found, ink, fail_under)
        for place, left in mutated.items():
            say()
            if in_text:
                say_survivors(left, ink)
            say_changes(place, left, ink)
        if mutate and run.failed and not run.problems:
            say("no change was tried: all cases have to pass first")
    raise click.exceptions.Exit(code)


@dataclass(slots=True)
class _Run:
    """What was run: the files' reports with the policies that each is about, and what is wrong with files."""

    reports: list[tuple[Loaded, Report]] = field(default_factory=list)
    problems: dict[Diagnostic, None] = field(default_factory=dict)

    @property
    def cases(self) -> list[CaseReport]:
        return [case for _, report in self.reports for case in report.cases]

    @property
    def failed(self) -> list[CaseReport]:
        return [case for case in self.cases if not case.passed]

    @property
    def code(self) -> Exit:
        if self.problems or not self.cases:
            return Exit.IMPOSSIBLE
        return Exit.FOUND if self.failed else Exit.FINE

    def by_policies(self) -> dict[Path, tuple[Loaded, list[Report]]]:
        """The reports of all files about the same policies together."""
        found: dict[Path, tuple[Loaded, list[Report]]] = {}
        for loaded, report in self.reports:
            found.setdefault(loaded.path, (loaded, []))[1].append(report)
        return found

    def coverage(self) -> dict[Path, Coverage]:
        """What is reached of each of the policies."""
        from gateway.testing.coverage import coverage

        return {
            place: coverage(loaded, [case.case for report in reports for case in report.cases])
            for place, (loaded, reports) in self.by_policies().items()
        }

    def mutated(self, rule: str | None, limit: int | None) -> dict[Path, Survivors]:
        """Which changes of each of the policies no case notices."""
        from gateway.mutation import survivors

        found: dict[Path, Survivors] = {}
        for place, (loaded, reports) in self.by_policies().items():
            cases = [case.case for report in reports for case in report.cases]
            marks = [mark for report in reports for mark in report.equivalent]
            found[place] = survivors(loaded, cases, marks, rule=rule, limit=limit)
        if rule is not None and not any(each.tried for each in found.values()):
            raise _unknown(rule, [loaded for loaded, _ in self.reports])
        return found


def _unknown(rule: str, policies: Iterable[Loaded]) -> Failure:
    """Nothing that can be changed has the name."""
    from gateway.diagnostic import suggest
    from gateway.mutation import mutants

    known: dict[str, dict[str, None]] = {}
    for loaded in policies:
        for one in mutants(loaded):
            kind, name, *_ = one.id.split("/")
            known.setdefault(kind, {})[name] = None
    parts = [name for kind in _PARTS for name in known.get(kind, ())]
    meant = [f"`{name}`" for name in suggest(rule, parts)]
    meant += [f"the {kind} `{name}`" for kind in _OTHERS for name in suggest(rule, known.get(kind, ()))]
    listed = ", ".join(f"`{name}`" for name in parts[:_MOST_NAMED])
    more = " and others" if len(parts) > _MOST_NAMED else ""
    helps = [f"did you mean {meant[0]}?"] if meant else []
    if parts and not suggest(rule, parts):
        helps.append(f"the rules, limits and entries are {listed}{more}")
    return Failure(f"no rule, entry, tool or agent is called `{rule}`", " ".join(helps))


_PARTS = ("rule", "limit", "arguments", "result")
_OTHERS = ("tool", "agent")
_MOST_NAMED = 12


def _run(paths: Iterable[Path], policies: Path | None, words: str) -> _Run:
    from gateway.diagnostic import PolicyError
    from gateway.testing import load, run_file, test_files

    loaded: dict[Path, Loaded] = {}
    run = _Run()
    for path in paths:
        try:
            files = test_files(path)
        except PolicyError as error:
            run.problems |= dict.fromkeys(error.diagnostics)
            continue
        for file in files:
            place = policies if policies is not None else file.parent
            try:
                if place not in loaded:
                    loaded[place] = load(place)
                known = loaded[place]
                report = run_file(file, only=lambda name: words.casefold() in name.casefold(), loaded=known)
            except PolicyError as error:
                run.problems |= dict.fromkeys(error.diagnostics)
            else:
                run.reports.append((known, report))
    return run


def _json(case: CaseReport) -> dict[str, Any]:
    return {
        "name": case.case.name,
        "file": case.case.span.source.name,
        "line": case.case.span.line,
        "passed": case.passed,
        "mismatches": [{"what": m.what, "expected": m.expected, "got": m.got} for m in case.mismatches],
    }


def _findings(
    run: _Run, covered: Mapping[Path, Coverage], mutated: Mapping[Path, Survivors]
) -> list[Diagnostic]:
    """All that is wrong, each at its place."""
    from gateway.diagnostic import Diagnostic, Severity

    found = [*(case.finding for case in run.failed), *run.problems]
    for coverage in covered.values():
        found += [
            Diagnostic("not-reached", missing, None, hint, severity=Severity.WARNING)
            for missing, hint in gaps_of(coverage)
        ]
    for left in mutated.values():
        found += [*(one.finding for one in left.survived), *left.unused]
    return found


def _say_failed(run: _Run, ink: Ink) -> None:
    for case in run.failed:
        say(f"{ink('red', 'FAILED')} {case.text}")
        say()
    say_diagnostics(run.problems)


def _say_figures(run: _Run, words: str, ink: Ink) -> None:
    cases, failed = run.cases, run.failed
    if run.problems:
        untried = "no case could be tried" if not cases else "what they keep from being read was not tried"
        say(ink("red", f"{counted(len(run.problems), 'problem')} in the files: {untried}"))
    elif not cases:
        say(ink("yellow", f"no case has `{words}` in its name" if words else "there are no cases"))
    if not cases:
        return
    passed = len(cases) - len(failed)
    summary = f"{counted(len(cases), 'case')}: {passed} passed, {len(failed)} failed"
    say(ink("red" if failed or run.problems else "green", summary))
