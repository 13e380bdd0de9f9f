"""Comments that silence checks, `# gateway: ignore[CHECK] why`, and which of them silenced something."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic, Span

if TYPE_CHECKING:
    from gateway.document import Document
    from gateway.policy import Policy

_COMMENT = re.compile(r"#\s*gateway:\s*ignore\[([^\]\n]*)\]([^\n#]*)")
_NAME = re.compile(r"[^\s,]+")


@dataclass(slots=True)
class Ignore:
    """One comment: the checks that it names, each with its place, why, and those that it silenced so far."""

    span: Span
    names: dict[str, Span]
    reason: str
    used: set[str] = field(default_factory=set)

    @property
    def unused(self) -> Iterator[tuple[str, Span]]:
        """The names that silenced nothing."""
        return ((name, span) for name, span in self.names.items() if name not in self.used)


class Ignores:
    """The comments of a policy, by the lines that they speak about: their own, or alone on a line also the next one.

    What lies in a text of many lines, where no comment can stand, is spoken about on the line of its key.
    """

    def __init__(self, policy: Policy) -> None:
        self.every: list[Ignore] = []
        self._by_line: dict[tuple[str, int], list[Ignore]] = {}
        self._documents = {document.source.name: document for document in policy.documents}
        for document in policy.documents:
            self._read(document)

    def silences(self, found: Diagnostic) -> bool:
        """Whether a comment silences what was found."""
        if found.span is None:
            return False
        named = [
            ignore
            for line in self._lines(found.span)
            for ignore in self._by_line.get((found.span.source.name, line), ())
            if found.code in ignore.names
        ]
        for ignore in named:
            ignore.used.add(found.code)
        return bool(named)

    def _lines(self, span: Span) -> set[int]:
        document = self._documents.get(span.source.name) if self.every else None
        head = None if document is None else document.head(span.start)
        return {span.line} if head is None else {span.line, Span(span.source, head, head).line}

    def _read(self, document: Document) -> None:
        source = document.source
        for match in _COMMENT.finditer(source.text):
            if document.in_scalar(match.start()):
                continue  # it is part of a text that the policy holds
            start = match.start(1)
            names = {
                name[0]: Span(source, start + name.start(), start + name.end())
                for name in _NAME.finditer(match[1])
            }
            ignore = Ignore(Span(source, match.start(), match.end()), names, match[2].strip())
            self.every.append(ignore)
            line = ignore.span.line
            alone = source.line(line).lstrip().startswith("#")
            for number in (line, line + 1) if alone else (line,):
                self._by_line.setdefault((source.name, number), []).append(ignore)
