"""What is wrong or doubtful in a policy and in its test files, as an editor shows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from lsprotocol.types import (
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    DiagnosticTag,
    Position,
    Range,
)

from gateway.diagnostic import Diagnostic as Finding
from gateway.diagnostic import PolicyError, Severity, printable
from gatewayctl.editor.positions import location, span_range

if TYPE_CHECKING:
    from gateway.files import PolicyFiles
    from gateway.testing import Loaded

SOURCE = "gatewayctl"
_MOST_CASES = 500
"""How many cases of a file are tried while it is typed; `gatewayctl test` tries all."""
_SEVERITIES = MappingProxyType(
    {
        Severity.ERROR: DiagnosticSeverity.Error,
        Severity.WARNING: DiagnosticSeverity.Warning,
        Severity.NOTE: DiagnosticSeverity.Information,
    }
)
_TAGS = MappingProxyType(
    {
        "unused-list": DiagnosticTag.Unnecessary,
        "unused-ignore": DiagnosticTag.Unnecessary,
        "idle-lift": DiagnosticTag.Unnecessary,
        "unmatched-glob": DiagnosticTag.Unnecessary,
        "expired-relaxation": DiagnosticTag.Deprecated,
    }
)


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found by file, with an entry for each file that was looked at, and the policy as it loaded last."""

    by_file: Mapping[Path, tuple[Finding, ...]]
    loaded: Loaded | None


def find(root: Path, files: PolicyFiles, tests: Mapping[Path, bytes], first: Path) -> Findings:
    """What is wrong with files that were read; what has no place is told in the `first` of them."""
    found, loaded = _of_policy(root, files)
    if loaded is not None:
        for path, content in tests.items():
            found = (*found, *_of_tests(path, content, loaded))
    by_file: dict[Path, list[Finding]] = {Path(file.shown): [] for layer in files.layers for file in layer}
    by_file |= {path: [] for path in tests}
    by_file.setdefault(first, [])
    for each in found:
        path = first if each.span is None else Path(each.span.source.name)
        by_file[path if path in by_file else first].append(each)
    return Findings({path: tuple(own) for path, own in by_file.items()}, loaded)


def _of_policy(root: Path, files: PolicyFiles) -> tuple[tuple[Finding, ...], Loaded | None]:
    from gateway.checks import check_policy
    from gateway.testing import load

    try:
        loaded = load(root, read=files)
    except PolicyError as error:
        return error.diagnostics, None
    found = (*loaded.compiled.diagnostics, *check_policy(loaded.policy, loaded.compiled, loaded.clock()))
    return tuple(dict.fromkeys(found)), loaded


def _of_tests(path: Path, content: bytes, loaded: Loaded) -> tuple[Finding, ...]:
    """What is wrong with a file of cases, or if nothing is, the cases that are answered otherwise than they expect."""
    from gateway.testing.compare import run_case
    from gateway.testing.read import read_file

    try:
        cases = read_file(path, loaded, content).cases
    except PolicyError as error:
        return error.diagnostics
    reports = [run_case(case) for case in cases[:_MOST_CASES]]
    return tuple(report.finding for report in reports if not report.passed)


def shown(found: Iterable[Finding], path: Path, encoding: str) -> list[Diagnostic]:
    """Findings in a file for an editor."""
    return [_shown(each, path, encoding) for each in sorted(found, key=lambda each: each.sort_key)]


def _shown(finding: Finding, path: Path, encoding: str) -> Diagnostic:
    span, lines = finding.span, [finding.message]
    place = Range(Position(0, 0), Position(0, 0))
    if span is not None and Path(span.source.name) == path:
        place = span_range(span, encoding)
    elif span is not None:
        lines = [f"{span.place}: {finding.message}"]
    if finding.help:
        lines.append(f"help: {finding.help}")
    tag = _TAGS.get(finding.code)
    return Diagnostic(
        range=place,
        message="\n".join(map(printable, lines)),
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        source=SOURCE,
        tags=None if tag is None else [tag],
        related_information=[
            DiagnosticRelatedInformation(
                location(each.span.source, each.span.start, each.span.end, encoding), printable(each.message)
            )
            for each in finding.related
        ]
        or None,
        data={"confidence": finding.confidence.value},
    )
