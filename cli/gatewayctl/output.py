"""What the commands print: colour, JSON, failures, and the meaning of exit codes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from enum import Enum, IntEnum
from typing import IO, TYPE_CHECKING, Any, NoReturn

import click

if TYPE_CHECKING:
    from gateway.diagnostic import Diagnostic, Ink, PolicyError, Span


class Exit(IntEnum):
    """What scripts read from the exit code."""

    FINE = 0
    FOUND = 1
    IMPOSSIBLE = 2


class Format(Enum):
    """How a command prints."""

    TEXT = "text"
    JSON = "json"


FORMAT = "gatewayctl.format"
"""Where the context of a command keeps how it prints."""


class Failure(click.ClickException):
    """Something that keeps a command from doing its work."""

    exit_code = Exit.IMPOSSIBLE

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.help = help

    def show(self, file: IO[Any] | None = None) -> None:
        """Print it to stderr."""
        from gateway.diagnostic import printable

        ink = ink_for(sys.stderr)
        click.echo(f"{ink('red', 'error')}: {printable(self.message)}", err=True)
        if self.help:
            click.echo(f"  {ink('bold', 'help')}: {printable(self.help)}", err=True)


def ink_for(stream: IO[Any] | None) -> Ink:
    """Colour for a terminal that wants it, and none otherwise."""
    from gateway.diagnostic import COLOUR, PLAIN

    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return COLOUR if wanted and stream is not None and stream.isatty() else PLAIN


def say(text: str = "") -> None:
    """A line on stdout; what it can't encode is written out."""
    encoding = sys.stdout.encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), color=True)


def say_json(value: object) -> None:
    """A JSON value on one line of stdout."""
    click.echo(json.dumps(value, ensure_ascii=True, default=plain))


def plain(value: object) -> object:
    """A value that JSON lacks, as one that it has."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value, key=str)
    return str(value)


def diagnostic_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic for scripts and editors; lines and columns are counted from 1."""
    found: dict[str, Any] = {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "confidence": diagnostic.confidence.value,
        "message": diagnostic.message,
        "help": diagnostic.help,
    }
    if diagnostic.span is not None:
        found |= _place_json(diagnostic.span)
    related = [{"message": each.message, **_place_json(each.span)} for each in diagnostic.related]
    edits = [{"text": edit.text, **_place_json(edit.span)} for edit in diagnostic.edits]
    return {**found, "related": related, "edits": edits}


def _place_json(span: Span) -> dict[str, Any]:
    end_line, end_column = span.source.position(span.end)
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": end_line,
        "end_column": end_column,
    }


def say_diagnostics(diagnostics: Iterable[Diagnostic]) -> None:
    """Diagnostics as people read them, with an empty line between two."""
    from gateway.diagnostic import render

    ink = ink_for(sys.stdout)
    for diagnostic in diagnostics:
        say(render(diagnostic, ink))
        say()


def refuse_policies(error: PolicyError, form: Format, *, code: Exit = Exit.IMPOSSIBLE) -> NoReturn:
    """Say what is wrong with policies that can't be used, and end."""
    if form is Format.JSON:
        say_json({"ok": False, "diagnostics": [diagnostic_json(d) for d in error.diagnostics]})
    else:
        from gateway.diagnostic import render

        ink = ink_for(sys.stderr)
        for diagnostic in error.diagnostics:
            click.echo(f"{render(diagnostic, ink)}\n", err=True, color=True)
        count = len(error.diagnostics)
        click.echo(
            f"{ink('red', 'error')}: {count} {'problem' if count == 1 else 'problems'}", err=True, color=True
        )
    raise click.exceptions.Exit(code)
