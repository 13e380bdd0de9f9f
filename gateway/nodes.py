"""The values of a YAML text and their places, built from a parser's events."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite
from typing import Any

from gateway.diagnostic import Diagnostic, Related, Source, Span
from gateway.syntax import explain_syntax, misread

MAX_NODES = 400_000
MAX_DEPTH = 64

_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)", re.ASCII)
_FLOAT = re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?", re.ASCII)
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "~": None, "": None}
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


class Node:
    """A value of a document: its place, and its parts by key or index."""

    __slots__ = ("end", "keys", "parts", "readable", "start", "style", "text")

    def __init__(self, start: int, end: int, *, text: str | None = None, style: str = "") -> None:
        self.start = start
        self.end = end
        self.text = text
        self.style = style
        self.readable = True
        """False when a diagnostic already names the node; its data is a stand-in."""
        self.parts: dict[str | int, Node] = {} if text is None else _NOTHING
        self.keys: dict[str | int, Node] = {} if text is None else _NOTHING


_NOTHING: dict[str | int, Node] = {}
"""The parts of every scalar: most nodes are scalars, and a dictionary each would cost more than they do."""


class _Stop(Exception):
    """Nothing after this can be read."""


class _Open:
    """A list or mapping that is being read."""

    __slots__ = ("data", "key", "node")

    def __init__(self, node: Node, data: Any) -> None:
        self.node = node
        self.data = data
        self.key: tuple[str, Node] | None = None


class Reader:
    """Builds data and nodes from the parser's events, without recursion."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Diagnostic] = []
        self.open: list[_Open] = []
        self.count = 0
        self.last: Node | None = None
        self.root: tuple[Node, Any] | None = None

    def read(self) -> tuple[Node, Any] | None:
        """The topmost node and its data; None after an error of syntax."""
        try:
            for event in _events(self):
                self._take(event)
        except _Stop:
            return None
        return self.root or (Node(0, 0), None)

    def _take(self, event: Any) -> None:
        kind = type(event).__name__
        if kind == "ScalarEvent":
            node = Node(
                event.start_mark.index,
                event.end_mark.index,
                text=event.value,
                style=event.style or "",
            )
            self._trim(node)
            self._refuse_marks(event, node)
            self._put(node, event.value if self._wants_key() else self._value(node))
            self.last = node
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            node = Node(event.start_mark.index, event.end_mark.index)
            self._refuse_marks(event, node)
            data: Any = {} if kind == "MappingStartEvent" else []
            self._put(node, data)
            if len(self.open) >= MAX_DEPTH:
                self._refuse(
                    "too-deep", f"values are nested deeper than {MAX_DEPTH}", node.start, node.start + 1
                )
                raise _Stop
            self.open.append(_Open(node, data))
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            self._close(event)
        elif kind == "AliasEvent":
            node = Node(event.start_mark.index, event.end_mark.index)
            self._misread(node)
            self._put(node, None)
        elif kind == "DocumentStartEvent" and self.root is not None:
            at = event.start_mark.index
            self._refuse(
                "many-documents", "a file holds one document", at, at + 3, "move it into a file of its own"
            )
            raise _Stop

    def _wants_key(self) -> bool:
        return bool(self.open) and isinstance(self.open[-1].data, dict) and self.open[-1].key is None

    def _put(self, node: Node, data: Any) -> None:
        """Hang a value into what is open, or take it as the key of the next one."""
        self.count += 1
        if self.count > MAX_NODES:
            self._refuse(
                "too-many-values", f"the file holds more than {MAX_NODES} values", node.start, node.end
            )
            raise _Stop
        if not self.open:
            self.root = (node, data)
            return
        top = self.open[-1]
        top.node.end = max(top.node.end, node.end)
        if isinstance(top.data, list):
            step: str | int = len(top.data)
            top.data.append(data)
        elif top.key is None:
            top.key = (self._key(node, data), node)
            return
        else:
            step, key = top.key
            top.key = None
            node.readable = node.readable and key.readable
            if step in top.data:
                self._duplicate(str(step), key, top.node.keys[step])
                return
            top.data[step] = data
            top.node.keys[step] = key
        top.node.parts[step] = node

    def _key(self, node: Node, data: Any) -> str:
        if node.text is None:
            self._refuse("key-not-text", "a key is a text", node.start, node.start + 1)
            raise _Stop
        if not node.style and data == "<<":
            self._refuse(
                "merge-key", "merge keys are not allowed", node.start, node.end, "write the keys out"
            )
            node.readable = False
        elif not node.style and data == "":
            self._refuse("key-not-text", "a key is missing before the colon", node.start, node.end + 1)
        return str(data)

    def _duplicate(self, key: str, second: Node, first: Node) -> None:
        self.problems.append(
            Diagnostic(
                "duplicate-key",
                f"the key `{key}` stands twice in the same mapping",
                Span(self.source, second.start, second.end),
                "remove one of them",
                related=(Related(Span(self.source, first.start, first.end), "first written here"),),
            )
        )

    def _close(self, event: Any) -> None:
        """A collection in brackets ends behind them, one in lines behind its last value."""
        node = self.open.pop().node
        if self.source.text[node.start : node.start + 1] in ("{", "["):
            node.end = event.end_mark.index
        if self.open:
            outer = self.open[-1].node
            outer.end = max(outer.end, node.end)

    def _value(self, node: Node) -> Any:
        text = node.text or ""
        if node.style:
            return text
        if text in _WORDS:
            return _WORDS[text]
        if _INTEGER.fullmatch(text):
            if len(text) < 21 and -(2**63) <= int(text) < 2**63:
                return int(text)
            return self._too_large(node)
        if _FLOAT.fullmatch(text):
            number = float(text)
            return number if isfinite(number) else self._too_large(node)
        return text

    def _too_large(self, node: Node) -> int:
        self._refuse("number-too-large", "the number is too large", node.start, node.end)
        node.readable = False
        return 0

    def _trim(self, node: Node) -> None:
        """A block scalar ends behind its last character, not behind the empty lines that follow."""
        if node.style in ("|", ">"):
            node.end = node.start + len(self.source.text[node.start : node.end].rstrip())

    def _refuse_marks(self, event: Any, node: Node) -> None:
        if event.tag is not None or event.anchor is not None:
            self._misread(node)
        elif _NO_TEXT.search(node.text or "") is not None:
            message = "the text holds a NUL or half a surrogate pair"
            self._refuse("control-character", message, node.start, node.end)
            node.readable = False

    def _misread(self, node: Node) -> None:
        self.problems.append(misread(self.source, node.start))
        node.readable = False

    def _refuse(self, code: str, message: str, start: int, end: int, help: str = "") -> None:
        self.problems.append(Diagnostic(code, message, Span(self.source, start, end), help))


def _events(reader: Reader) -> Iterator[Any]:
    import yaml

    loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    try:
        yield from yaml.parse(reader.source.text, Loader=loader)
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        if not reader.problems:
            reader.problems.append(explain_syntax(reader.source, error, reader.last))
        raise _Stop from None
