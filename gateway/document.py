"""YAML text as plain data that still knows where each of its values stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gateway.diagnostic import Diagnostic, Excerpt, PolicyError, Source, Span
from gateway.files import MAX_BYTES
from gateway.later import later
from gateway.nodes import Node, Reader
from gateway.scalar import value_offsets

KeyPath = tuple[str | int, ...]

_UNPRINTABLE = later(
    "[^\t\n\r\x20-\x7e\xa0-\xac\xae-\u200a\u200c\u200d\u2010-\u2027\u202f-\u205f\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|\r(?!\n)"
)
"""Also what YAML takes for a line break but editors do not show as one, what reverses the text, and what has no
width: behind such characters a rule could hide in what looks like a comment, or a name look like another."""


@dataclass(frozen=True, slots=True)
class Document:
    """One YAML document: `data` is plain Python; paths are keys and indices from the top."""

    source: Source
    data: Any
    root: Node

    def span(self, path: Sequence[str | int]) -> Span:
        """Where the value stands; for an empty value and a missing one, what it would belong to."""
        node, key = self._find(path)
        if node.start == node.end and key is not None:
            node = key
        return Span(self.source, node.start, node.end)

    def key_span(self, path: Sequence[str | int]) -> Span:
        """Where the value's key stands; for an item of a list, the item itself."""
        node, key = self._find(path)
        node = node if key is None else key
        return Span(self.source, node.start, node.end)

    def excerpt(self, path: Sequence[str | int]) -> Excerpt:
        """The text of a scalar, each character with its offset in the file."""
        return self._excerpt(self._find(path)[0])

    def key_excerpt(self, path: Sequence[str | int]) -> Excerpt:
        """The text of a value's key, each character with its offset in the file."""
        node, key = self._find(path)
        return self._excerpt(node if key is None else key)

    def readable(self, path: Sequence[str | int]) -> bool:
        """Whether no part of the way to the value, nor the value, was refused while reading."""
        node: Node | None = self.root
        for step in path:
            if node is None or not node.readable:
                break
            node = node.parts.get(step)
        return node is None or node.readable

    def in_scalar(self, offset: int) -> bool:
        """Whether a character belongs to a key or a value that is no list and no mapping."""
        node, _ = self._scalar(offset)
        if node is None:
            return False
        # What follows `|` on its line is no part of the text.
        return (
            node.style not in ("|", ">")
            or self.source.position(node.start)[0] != self.source.position(offset)[0]
        )

    def head(self, offset: int) -> int | None:
        """Where the key of the scalar stands that a character belongs to; without a key, the scalar."""
        node, key = self._scalar(offset)
        return None if node is None else (node if key is None else key).start

    def _scalar(self, offset: int) -> tuple[Node | None, Node | None]:
        waiting: list[tuple[Node, Node | None]] = [(self.root, None)]
        while waiting:
            node, key = waiting.pop()
            if node.text is not None:
                if node.start <= offset < node.end:
                    return node, key
                continue
            waiting += ((one, None) for one in node.keys.values())
            waiting += (
                (part, node.keys.get(step))
                for step, part in node.parts.items()
                if part.start <= offset < part.end
            )
        return None, None

    def _excerpt(self, node: Node) -> Excerpt:
        text = node.text
        if text is None:
            return Excerpt("", self.source, (node.start,))
        return Excerpt(
            text, self.source, value_offsets(self.source.text, node.start, node.end, node.style, text)
        )

    def _find(self, path: Sequence[str | int]) -> tuple[Node, Node | None]:
        node, key = self.root, None
        for step in path:
            part = node.parts.get(step)
            if part is None:
                return node, key
            node, key = part, node.keys.get(step)
        return node, key


def source_of(name: str, content: bytes) -> Source:
    """The text of a file, or a `PolicyError` that says why it is none."""
    if len(content) > MAX_BYTES:
        raise PolicyError(
            [
                Diagnostic(
                    "file-too-large",
                    f"the file is larger than {MAX_BYTES} bytes",
                    Span(Source(name, ""), 0, 0),
                    "split it into several files",
                )
            ]
        )
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        good = content[: error.start].decode("utf-8")
        span = Span(Source(name, content.decode("utf-8", "replace")), len(good), len(good) + 1)
        message = f"byte {error.start} is not UTF-8"
        raise PolicyError([Diagnostic("not-utf-8", message, span, "save the file as UTF-8")]) from None
    return Source(name, text)


def read_document(source: Source) -> Document:
    """The document in a text, or a `PolicyError` with everything that keeps it from being one."""
    document, problems = parse_document(source)
    if problems or document is None:
        raise PolicyError(problems)
    return document


def parse_document(source: Source) -> tuple[Document | None, tuple[Diagnostic, ...]]:
    """What can be read of a text, and what is wrong with it; no document after an error of syntax."""
    unprintable = _UNPRINTABLE.search(source.text)
    if unprintable is not None:
        return None, (_unprintable(source, unprintable.start()),)
    reader = Reader(source)
    found = reader.read()
    document = None if found is None else Document(source, found[1], found[0])
    return document, tuple(reader.problems)


def _unprintable(source: Source, at: int) -> Diagnostic:
    span = Span(source, at, at + 1)
    if source.text[at] == "\ufeff":
        return Diagnostic(
            "byte-order-mark", "the text holds a byte order mark", span, "save the file as UTF-8 without one"
        )
    name = "NUL" if source.text[at] == "\0" else f"U+{ord(source.text[at]):04X}"
    return Diagnostic("control-character", f"the text holds the control character {name}", span, "remove it")
