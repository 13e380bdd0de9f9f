"""What an editor offers about a finding: its safe mend, and the comment that silences a check at that place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from lsprotocol.types import CodeAction, CodeActionKind, Range, TextEdit, WorkspaceEdit

from gateway.diagnostic import Diagnostic as Finding
from gateway.diagnostic import Source, Span, printable
from gatewayctl.editor.findings import shown
from gatewayctl.editor.outline import Outline
from gatewayctl.editor.policies import Policies
from gatewayctl.editor.positions import Positions, uri_of

_IGNORE = re.compile(r"#\s*gateway:\s*ignore\[([^\]\n]*)\]")


def actions(
    policies: Policies, path: Path, found: Iterable[Finding], within: Range, encoding: str
) -> list[CodeAction]:
    """The actions for what was found in a stretch of a file; what was found in an older text has none."""
    outlined = policies.outline(path)
    if outlined is None:
        return []
    positions = Positions(outlined.source.text, encoding)
    start, end = positions.offset(within.start), positions.offset(within.end)
    offered: list[CodeAction] = []
    for finding in found:
        span = finding.span
        if span is None or not _is_current(span, policies) or span.end < start or end < span.start:
            continue
        offered += _mends(finding, policies, path, encoding)
        offered += _silenced(finding, span, outlined, path, encoding)
    return offered


def _is_current(span: Span, policies: Policies) -> bool:
    """Whether a place was found in the text that the editor holds; what it does not hold is on the disk."""
    return policies.open.get(Path(span.source.name), span.source.text) == span.source.text


def _mends(finding: Finding, policies: Policies, path: Path, encoding: str) -> Iterator[CodeAction]:
    if not finding.edits or not all(_is_current(edit.span, policies) for edit in finding.edits):
        return
    changes: dict[str, list[TextEdit]] = {}
    for edit in finding.edits:
        source = edit.span.source
        place = Positions(source.text, encoding).range(edit.span.start, edit.span.end)
        changes.setdefault(uri_of(source.name), []).append(TextEdit(place, edit.text))
    title = printable(finding.help or f"Mend: {finding.message}")
    yield _action(title, finding, changes, path, encoding, preferred=True)


def _silenced(
    finding: Finding, span: Span, outlined: Outline, path: Path, encoding: str
) -> Iterator[CodeAction]:
    from gateway.checks import CHECKS, check_id

    if finding.code not in {check_id(module) for module in CHECKS}:
        return
    at, text = _comment(finding.code, span, outlined)
    if at is None:
        return
    place = Positions(span.source.text, encoding).range(at, at)
    title = f"Ignore `{finding.code}` here"
    yield _action(title, finding, {uri_of(path): [TextEdit(place, text)]}, path, encoding, preferred=False)


def _comment(check: str, span: Span, outlined: Outline) -> tuple[int | None, str]:
    """Where to write what: one name more in a comment that is there, or a comment on a line of its own above."""
    source, own = span.source, _line(span, outlined)
    for number in (own, own - 1):
        line = source.line(number)
        there = _IGNORE.search(line)
        if there is not None and (number == own or line.lstrip().startswith("#")):
            separator = ", " if there[1].strip() else ""
            return source.offset(number) + there.end(1), f"{separator}{check}"
    start = source.offset(own)
    around = outlined.at(start)
    if around is not None and around.node.start < start:
        return None, ""  # inside a text it would be part of that
    line = source.line(own)
    indent = line[: len(line) - len(line.lstrip(" "))]
    return start, f"{indent}# gateway: ignore[{check}] why{_line_break(source)}"


def _line(span: Span, outlined: Outline) -> int:
    """The line that a comment speaks about: inside a text of many lines, that of its key."""
    start = span.source.offset(span.line)
    found = outlined.at(start)
    if found is None or found.node.start >= start:
        return span.line
    entries = found.around.entries if found.around is not None else []
    key = next((each.key for each in entries if each.value is found.node), None)
    head = (key or found.node).start
    return Span(span.source, head, head).line


def _line_break(source: Source) -> str:
    return "\r\n" if "\r\n" in source.text else "\n"


def _action(
    title: str,
    finding: Finding,
    changes: dict[str, list[TextEdit]],
    path: Path,
    encoding: str,
    *,
    preferred: bool,
) -> CodeAction:
    return CodeAction(
        title=title,
        kind=CodeActionKind.QuickFix,
        diagnostics=shown([finding], path, encoding),
        is_preferred=preferred or None,
        edit=WorkspaceEdit(changes=changes),
    )
