"""Reads YAML as it stands while it is typed: what is not closed ends where the next line begins that is not its own."""

from __future__ import annotations

import re
from collections.abc import Callable

from gateway.diagnostic import Excerpt, Source
from gatewayctl.editor.outline import Entry, Kind, Node, Outline
from gatewayctl.editor.scalars import block, joined, plain, quoted

_DEEPEST = 64
_DASH = re.compile(r"-(?=[ \t\r\n]|$)")
_GAP = re.compile(r"(?:[ \t\r\n]|(?<=[ \t\r\n])#[^\n]*)*")
_QUOTED = {'"': re.compile(r'"(?:\\[\s\S]|[^"\\])*"'), "'": re.compile(r"'(?:''|[^'])*'")}
_FLOW_END = re.compile(r"[,\[\]{}\n]|:(?=[ \t\r\n,\[\]{}]|$)|[ \t]#")
_NO_KEY = frozenset("{[|>#,]}")


def outline(source: Source) -> Outline:
    """The outline of a text, whatever is wrong with it: no text is refused."""
    return Outline(source, _Reader(source).read())


class _Reader:
    """Reads line by line; `at` is the token that comes next, in the line `line`."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.lines: list[tuple[int, int, int]] = []
        start = 0
        for raw in self.text.split("\n"):
            first = start + len(raw) - len(raw.lstrip(" \t\r"))
            end = start + len(raw.rstrip())
            if first < end and self.text[first] != "#" and not raw.startswith(("---", "...", "%")):
                self.lines.append((start, first, end))
            start += len(raw) + 1
        self.line = 0
        self.at = 0
        self.depth = 0

    def read(self) -> Node:
        root = self.empty(0)
        self.move(0)
        while not self.over:
            node = self.block(-1)
            if root.kind is Kind.EMPTY:
                root = node
            else:
                root.entries += node.entries or [Entry(None, node)]
                root.end = max(root.end, node.end)
        return root

    @property
    def over(self) -> bool:
        return self.line >= len(self.lines)

    @property
    def column(self) -> int:
        return self.at - self.lines[self.line][0] if not self.over else -1

    @property
    def line_end(self) -> int:
        return self.lines[self.line][2]

    def move(self, line: int) -> None:
        self.line = line
        self.at = len(self.text) if self.over else self.lines[line][1]

    def empty(self, at: int) -> Node:
        return Node(Kind.EMPTY, at, at)

    # Blocks

    def block(self, indent: int) -> Node:
        """What begins here and belongs to something that is indented less."""
        self.depth += 1
        try:
            if self.depth > _DEEPEST:
                node = self.empty(self.at)
                self.move(self.line + 1)
                return node
            if _DASH.match(self.text, self.at) is not None:
                return self.sequence(self.column, own=True)
            if self.colon() is not None:
                return self.mapping(self.column)
            return self.inline(indent)
        finally:
            self.depth -= 1

    def sequence(self, column: int, *, own: bool) -> Node:
        """Items at a column; where that is their key's as well, what has no dash is no item."""
        node = Node(Kind.LIST, self.at, self.at)
        while not self.over and self.column == column:
            dash = _DASH.match(self.text, self.at)
            if dash is None:
                if not own or self.colon() is not None:
                    break
                node.entries.append(Entry(None, self.inline(column), marked=False))
            else:
                node.entries.append(Entry(None, self.behind(dash.end(), column)))
            node.end = max(node.end, node.entries[-1].value.end)
        return node

    def mapping(self, column: int) -> Node:
        node = Node(Kind.MAPPING, self.at, self.at)
        while not self.over and self.column >= column:
            colon = self.colon()
            if self.column > column:
                entry = Entry(None, self.block(column))
            elif _DASH.match(self.text, self.at) is not None and node.entries:
                break
            elif colon is None:
                key = self.inline(column, lines=1)
                entry = Entry(key, self.empty(key.end), marked=False)
            else:
                key = self.key(colon)
                entry = Entry(key, self.behind(colon + 1, column, mapping=True))
            node.entries.append(entry)
            node.end = max(node.end, *(each.end for each in (entry.key, entry.value) if each is not None))
        return node

    def behind(self, at: int, column: int, *, mapping: bool = False) -> Node:
        """The value behind a dash or a colon: in its line, or in those below that are indented more."""
        while at < self.line_end and self.text[at] in " \t":
            at += 1
        if at < self.line_end and self.text[at] != "#":
            self.at = at
            return self.inline(column) if mapping else self.block(column)
        end = min(at, self.line_end)
        self.move(self.line + 1)
        if not self.over and self.column > column:
            return self.block(column)
        if mapping and not self.over and self.column == column and _DASH.match(self.text, self.at):
            return self.sequence(column, own=False)
        return self.empty(end)

    def colon(self) -> int | None:
        """Where the colon behind the key stands that begins here, if one does."""
        text, at, end = self.text, self.at, self.line_end
        if text[at] in _QUOTED:
            found = _QUOTED[text[at]].match(text, at, end)
            at = -1 if found is None else found.end()
            while 0 <= at < end and text[at] in " \t":
                at += 1
            return at if 0 <= at < end and text[at] == ":" else None
        if text[at] in _NO_KEY:
            return None
        comment = text.find(" #", at, end)
        end = end if comment < 0 else comment
        while (at := text.find(":", at, end)) >= 0:
            if at + 1 >= end or text[at + 1] in " \t":
                return at
            at += 1
        return None

    def key(self, colon: int) -> Node:
        text, start = self.text, self.at
        end = start + len(text[start:colon].rstrip())
        return self.scalar(quoted if text[start] in _QUOTED else plain, start, end)

    # Values

    def inline(self, indent: int, *, lines: int = 10_000) -> Node:
        """A value that begins in this line, and goes on in those that are indented more."""
        first = self.text[self.at]
        if first in "{[":
            limit = self.limit(indent)
            node, after = self.flow(self.at, limit)
            self.behind_offset(after)
            return node
        if first in "|>" and lines > 1:
            return self.block_scalar(indent)
        if first in _QUOTED:
            limit = self.limit(indent) if lines > 1 else self.line_end
            found = _QUOTED[first].match(self.text, self.at, limit)
            end = self.at + len(self.text[self.at : limit].rstrip()) if found is None else found.end()
            node = self.scalar(quoted, self.at, end)
            self.behind_offset(end)
            return node
        pieces = [(self.at, self.uncommented())]
        self.move(self.line + 1)
        while len(pieces) < lines and not self.over and self.column > indent and self.goes_on():
            pieces.append((self.at, self.uncommented()))
            self.move(self.line + 1)
        return Node(Kind.SCALAR, pieces[0][0], pieces[-1][1], excerpt=joined(self.source, pieces), style="")

    def goes_on(self) -> bool:
        return self.colon() is None and _DASH.match(self.text, self.at) is None

    def uncommented(self) -> int:
        """The end of what stands in this line before a comment."""
        comment = self.text.find(" #", self.at, self.line_end)
        return self.line_end if comment < 0 else self.at + len(self.text[self.at : comment].rstrip())

    def block_scalar(self, indent: int) -> Node:
        start, style = self.at, self.text[self.at]
        body = self.text.find("\n", self.at)
        self.move(self.line + 1)
        while not self.over and self.lines[self.line][1] - self.lines[self.line][0] > indent:
            self.move(self.line + 1)
        stop = len(self.text) if self.over else self.lines[self.line][0]
        end = start + len(self.text[start:stop].rstrip(" \t\r\n"))
        return Node(Kind.SCALAR, start, end, excerpt=block(self.source, body, end), style=style)

    def scalar(self, decode: Callable[[Source, int, int], Excerpt], start: int, end: int) -> Node:
        style = self.text[start] if decode is quoted else ""
        return Node(Kind.SCALAR, start, end, excerpt=decode(self.source, start, end), style=style)

    def limit(self, indent: int) -> int:
        """Where a bracket or a quote that is never closed ends: before the next line that is none of its own."""
        for number in range(self.line + 1, len(self.lines)):
            start, first, end = self.lines[number]
            if first - start <= indent:
                here, self.line, self.at = (self.line, self.at), number, first
                own = self.goes_on()
                self.line, self.at = here
                if not own:
                    return start - 1
            if end < first:
                break
        return len(self.text)

    def behind_offset(self, after: int) -> None:
        """Go on in the line that follows an offset."""
        line = self.line
        while line < len(self.lines) and self.lines[line][0] < after:
            line += 1
        self.move(max(line, self.line + 1))

    # Brackets

    def flow(self, at: int, limit: int) -> tuple[Node, int]:
        """What begins with a bracket, quotes or nothing, and the offset behind it."""
        self.depth += 1
        try:
            first = self.text[at : at + 1]
            if first in ("{", "[") and self.depth <= _DEEPEST:
                return self.brackets(at, limit)
            return self.flow_scalar(at, limit)
        finally:
            self.depth -= 1

    def brackets(self, at: int, limit: int) -> tuple[Node, int]:
        is_map = self.text[at] == "{"
        node = Node(Kind.MAPPING if is_map else Kind.LIST, at, limit)
        at += 1
        while (at := self.skip(at, limit)) < limit:
            first = self.text[at]
            if first in "]}":
                node.end = at + 1
                return node, at + 1
            if first == ",":
                at += 1
                continue
            value, after = self.flow(at, limit)
            after = max(after, at + 1)
            behind = self.skip(after, limit)
            if value.kind is Kind.SCALAR and behind < limit and self.text[behind] == ":":
                entry, at = self.pair(value, behind, limit)
                node.entries.append(entry if is_map else _single(entry))
                continue
            if is_map and value.kind is Kind.SCALAR:
                node.entries.append(Entry(value, self.empty(value.end), marked=False))
            else:
                node.entries.append(Entry(None, value))
            at = after
        return node, limit

    def pair(self, key: Node, colon: int, limit: int) -> tuple[Entry, int]:
        at = self.skip(colon + 1, limit)
        if at >= limit or self.text[at] in ",]}":
            return Entry(key, self.empty(colon + 1)), at
        value, after = self.flow(at, limit)
        return Entry(key, value), max(after, at + 1)

    def flow_scalar(self, at: int, limit: int) -> tuple[Node, int]:
        first = self.text[at : at + 1]
        if first in _QUOTED and (found := _QUOTED[first].match(self.text, at, limit)) is not None:
            return self.scalar(quoted, at, found.end()), found.end()
        if first in _QUOTED:
            stop = self.text.find("\n", at, limit)
            end = at + len(self.text[at : limit if stop < 0 else stop].rstrip())
            return self.scalar(quoted, at, end), end
        found_end = _FLOW_END.search(self.text, at, limit)
        stop = limit if found_end is None else found_end.start()
        end = at + len(self.text[at:stop].rstrip())
        return self.scalar(plain, at, end), max(stop, at)

    def skip(self, at: int, limit: int) -> int:
        found = _GAP.match(self.text, at, limit)
        return limit if found is None else found.end()


def _single(entry: Entry) -> Entry:
    """A pair in a list is a mapping of its own."""
    key = entry.key or entry.value
    return Entry(None, Node(Kind.MAPPING, key.start, max(key.end, entry.value.end), [entry]))
