"""For the steps of GitHub Actions: workflow commands, which become annotations of the lines that they name.

One command is one line. What would end it or its fields early (`%`, line breaks, and in fields `:` and `,`) is written
as `%` and two digits, so no text of a policy can begin a command of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from gatewayctl.formats.place import from_here
from gatewayctl.output import say

if TYPE_CHECKING:
    from gateway.diagnostic import Diagnostic

_COMMANDS = MappingProxyType({"error": "error", "warning": "warning", "note": "notice"})


def say_found(found: Sequence[Diagnostic], *, ok: bool) -> None:
    """Print a command for each; nothing where nothing is found."""
    for diagnostic in found:
        say(_command(diagnostic))


def _command(diagnostic: Diagnostic) -> str:
    from gateway.diagnostic import Confidence, printable

    fields: dict[str, object] = {}
    span = diagnostic.span
    if span is not None:
        end_line, end_column = span.source.position(span.end)
        fields = {
            "file": printable(from_here(span.source.name).as_posix()),
            "line": span.line,
            "col": span.column,
            "endLine": end_line,
            "endColumn": end_column,
        }
    sure = diagnostic.confidence is Confidence.CERTAIN
    fields["title"] = diagnostic.code if sure else f"{diagnostic.code} ({diagnostic.confidence.value})"
    lines = [diagnostic.message]
    lines += [f"{related.span.place}: {related.message}" for related in diagnostic.related]
    if diagnostic.help:
        lines.append(f"help: {diagnostic.help}")
    named = ",".join(f"{key}={_field(str(value))}" for key, value in fields.items())
    message = _data("\n".join(map(printable, lines)))
    return f"::{_COMMANDS[diagnostic.severity.value]} {named}::{message}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _field(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
