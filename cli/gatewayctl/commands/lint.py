"""`gatewayctl lint`: say everything that is wrong or doubtful in policies, and mend what can be mended safely."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.formats import FOR_PEOPLE, FORMATS, findings_format
from gatewayctl.options import chosen_form, chosen_policies, layers_option, now_option, policies_option
from gatewayctl.output import Exit, Failure, Format, say
from gatewayctl.wording import counted

if TYPE_CHECKING:
    from gateway.diagnostic import Diagnostic
    from gateway.testing import Loaded

_CONFIDENCES = ("certain", "likely", "possible")
"""The surest first."""


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--strict", is_flag=True, help="Let warnings fail, too, but for those that are only possible.")
@click.option(
    "--confidence",
    type=click.Choice(_CONFIDENCES),
    default=_CONFIDENCES[-1],
    show_default=True,
    help="Leave out what is less sure than this.",
)
@click.option(
    "--changed-since",
    metavar="REV",
    help="Only what the policies at this git revision do not have, such as origin/main.",
)
@click.option("--fix", is_flag=True, help="Mend what can be mended without deciding anything otherwise.")
@click.option("--dry-run", is_flag=True, help="With --fix: print what would be changed, and change nothing.")
@click.option(
    "--explain", "explained", metavar="CODE", help="Print the page of what is found under this code."
)
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
    callback=chosen_form,
    default=Format.TEXT.value,
    show_default=True,
    help="How to print; `github` is for GitHub Actions.",
)
def command(paths: tuple[Path, ...], form: str, now: datetime | None, **options: Any) -> None:
    """Load and compile the policies at each PATH, run the checks, and print what they find.

    Each PATH is a policy of its own: a file, or a directory with all its files. What is found has a severity (how bad
    it is) and a confidence (how sure it is). Exit code 1 means errors, or warnings with --strict; what is only
    possible never fails. With --fix, files are changed where a finding brings its mend and nothing is decided
    otherwise afterwards; then the rest is printed. With --fix --dry-run, exit code 1 means that there is something to
    mend.
    """
    if options["explained"] is not None:
        _explain(options["explained"], form)
        return
    _refuse_mixed(options)
    chosen = paths or (chosen_policies(options["policies"]),)
    lower = (options["user"], options["project"])
    if options["fix"]:
        waiting = _mend(chosen, lower, now, dry_run=options["dry_run"])
        if options["dry_run"]:
            raise click.exceptions.Exit(Exit.FOUND if waiting else Exit.FINE)
    found = [one for path in chosen for one in _linted(path, lower, now, options)]
    surest = _CONFIDENCES.index(options["confidence"])
    found = [one for one in found if _CONFIDENCES.index(one.confidence.value) <= surest]
    failed = any(_fails(one, strict=options["strict"]) for one in found)
    findings_format(form).say_found(found, ok=not failed)
    if form in FOR_PEOPLE:
        if failed and not any(_fails(one, strict=False) for one in found):
            say("warnings fail under --strict")
        _say_next(found, _words(chosen, options), failed=failed)
    if any(diagnostic.code in _NOTHING_THERE for diagnostic in found):
        raise click.exceptions.Exit(Exit.IMPOSSIBLE)
    raise click.exceptions.Exit(Exit.FOUND if failed else Exit.FINE)


_NOTHING_THERE = frozenset(("no-path", "no-such-file", "unreadable-file"))
"""What is wrong where there is nothing to look at."""


def _explain(code: str, form: str) -> None:
    from gatewayctl.pages import no_page, say_page

    if not say_page(code, Format.JSON if form == Format.JSON.value else Format.TEXT):
        raise no_page(code)


def _refuse_mixed(options: Mapping[str, Any]) -> None:
    """Options that make no sense together."""
    if options["dry_run"] and not options["fix"]:
        raise click.UsageError("--dry-run says what --fix would change: write both")
    if options["changed_since"] is not None:
        if options["fix"]:
            raise click.UsageError("--fix mends all that it can: leave --changed-since away")
        if options["user"] is not None or options["project"] is not None:
            raise click.UsageError(
                "--changed-since looks at each PATH alone: leave --user and --project away"
            )


def _linted(
    path: Path, lower: tuple[Path | None, ...], now: datetime | None, options: Mapping[str, Any]
) -> tuple[Diagnostic, ...]:
    from gateway.diagnostic import PolicyError

    second_opinion = options["second_opinion"]
    try:
        found = _found(path, lower, now, second_opinion=second_opinion)
    except PolicyError as error:
        found = error.diagnostics
    revision = options["changed_since"]
    if revision is None:
        return found
    return tuple(_new(found, _found_in(revision, path, now, second_opinion=second_opinion)))


def _found(
    path: Path, lower: tuple[Path | None, ...], now: datetime | None, *, second_opinion: bool
) -> tuple[Diagnostic, ...]:
    """What is found in a policy, or a `PolicyError`."""
    from gateway.checks import check_policy
    from gateway.testing import load

    loaded = load(path, *lower)
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


def _found_in(
    revision: str, path: Path, now: datetime | None, *, second_opinion: bool
) -> tuple[Diagnostic, ...]:
    """What was found in a policy as it is in a revision; nothing where it is not there or does not load."""
    from gateway.diagnostic import PolicyError
    from gatewayctl.revisions import Missing, at_revision

    try:
        with at_revision(revision, path) as source:
            return _found(source.path, (), now, second_opinion=second_opinion)
    except (PolicyError, Missing):
        return ()


def _new(found: Iterable[Diagnostic], old: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """What is found more often than before: the same said of a line with the same text is the same finding."""
    known = Counter(map(_said, old))
    for diagnostic in found:
        said = _said(diagnostic)
        if known[said]:
            known[said] -= 1
        else:
            yield diagnostic


def _said(diagnostic: Diagnostic) -> tuple[str, str, str | None]:
    span = diagnostic.span
    line = None if span is None else span.source.line(span.line).strip()
    return diagnostic.code, diagnostic.message, line


def _mend(
    paths: Iterable[Path], lower: tuple[Path | None, ...], now: datetime | None, *, dry_run: bool
) -> bool:
    """Mend each policy, or print how it would be; whether there was anything to mend."""
    from gateway.diagnostic import PolicyError
    from gateway.sources import sources_of
    from gateway.testing import Clock
    from gatewayctl.mended import mended, preview, write

    clock = Clock()
    clock.now = now
    waiting = False
    for path in paths:
        try:
            sources = sources_of(str(path), *(None if layer is None else str(layer) for layer in lower))
        except PolicyError:
            continue  # what is wrong is said below
        result = mended(sources, clock)
        waiting = waiting or bool(result.files)
        for name in result.links:
            _note(f"`{name}` is no regular file, so it is left as it is")
        for line in result.refused:
            _note(line)
        count = counted(len(result.findings), "mend")
        if result.files and not result.loads:
            _note(f"`{path}` would not load with {count} either, so nothing of it is changed")
        elif dry_run:
            for line in preview(result.files):
                say(line)
        else:
            write(result.files)
            for one in result.findings:
                place = "" if one.span is None else f"{one.span.place}: "
                _note(f"mended {place}{one.code}: {one.message}")
    return waiting


def _note(text: str) -> None:
    """A line beside what is found, which is for programs in some formats."""
    from gateway.diagnostic import printable

    click.echo(printable(text), err=True)


def _fails(diagnostic: Diagnostic, *, strict: bool) -> bool:
    from gateway.diagnostic import Confidence, Severity

    if diagnostic.severity is Severity.WARNING:
        return strict and diagnostic.confidence is not Confidence.POSSIBLE
    return diagnostic.severity is Severity.ERROR


def _say_next(found: Iterable[Diagnostic], words: list[str], *, failed: bool) -> None:
    """The commands that mend what can be mended, and look again."""
    from gateway.diagnostic import printable

    mends = sum(bool(diagnostic.edits) for diagnostic in found)
    again = printable(shlex.join(words))
    if mends:
        plain = [word for word in words if not word.startswith("--changed-since=")]
        say(f"{mends} of them can be mended: {printable(shlex.join([*plain[:2], '--fix', *plain[2:]]))}")
    if failed:
        say(f"to check again: {again}")


def _words(paths: Iterable[Path], options: Mapping[str, Any]) -> list[str]:
    """The command that looks at the same in the same way."""
    words = ["gatewayctl", "lint"]
    words += ["--strict"] if options["strict"] else []
    words += ["--second-opinion"] if options["second_opinion"] else []
    if options["confidence"] != _CONFIDENCES[-1]:
        words.append(f"--confidence={options['confidence']}")
    for key in ("changed_since", "user", "project"):
        if options[key] is not None:
            words.append(f"--{key.replace('_', '-')}={options[key]}")
    # Behind `--` a path that looks like an option is none.
    return [*words, *(("--",) if any(str(path).startswith("-") for path in paths) else ()), *map(str, paths)]
