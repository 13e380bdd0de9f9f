"""The outline of a YAML text as it stands while it is typed: keys and values with their places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from gateway.diagnostic import Excerpt, Source
from gatewayctl.editor.scalars import data_of

Path = tuple[str | int, ...]


class Kind(Enum):
    """What a value is."""

    MAPPING = "mapping"
    LIST = "list"
    SCALAR = "scalar"
    EMPTY = "empty"


@dataclass(slots=True)
class Node:
    """A value: its place, its entries, or its text whose characters know where they stand."""

    kind: Kind
    start: int
    end: int
    entries: list[Entry] = field(default_factory=list)
    excerpt: Excerpt | None = None
    style: str = ""

    @property
    def text(self) -> str:
        """The text of a scalar; nothing else has one."""
        return self.excerpt.text if self.excerpt is not None else ""

    def get(self, key: str) -> Node | None:
        """The value of a key."""
        if self.kind is not Kind.MAPPING:
            return None
        return next(
            (each.value for each in self.entries if each.key is not None and each.key.text == key), None
        )

    def items(self) -> Iterator[Node]:
        """The items of a list; nothing else has some."""
        if self.kind is Kind.LIST:
            yield from (each.value for each in self.entries)

    def pairs(self) -> Iterator[tuple[Node, Node]]:
        """The keys of a mapping with their values."""
        if self.kind is Kind.MAPPING:
            yield from ((each.key, each.value) for each in self.entries if each.key is not None)

    def data(self) -> Any:
        """The value as plain data."""
        match self.kind:
            case Kind.MAPPING:
                return {key.text: value.data() for key, value in self.pairs()}
            case Kind.LIST:
                return [item.data() for item in self.items()]
        return data_of(self.text, self.style)


@dataclass(slots=True)
class Entry:
    """A value with its key, if it has one; `marked` says that the colon or the dash is there."""

    key: Node | None
    value: Node
    marked: bool = True


@dataclass(frozen=True, slots=True)
class Found:
    """What stands at an offset: a key or a value, the way there from the top, and what it lies in."""

    path: Path
    node: Node
    is_key: bool
    around: Node | None
    marked: bool = True


@dataclass(slots=True)
class Outline:
    """The outline of a text."""

    source: Source
    root: Node

    def at(self, offset: int) -> Found | None:
        """The key or the scalar that an offset lies in or right behind; none in white space and comments."""
        path: Path = ()
        node, around, marked = self.root, None, True
        while node.kind in (Kind.MAPPING, Kind.LIST):
            for index, entry in enumerate(node.entries):
                if entry.key is not None and entry.key.start <= offset <= entry.key.end:
                    return Found((*path, entry.key.text), entry.key, True, node, entry.marked)
                if entry.value.start <= offset <= entry.value.end:
                    step = index if entry.key is None else entry.key.text
                    path, node, around, marked = (*path, step), entry.value, node, entry.marked
                    break
            else:
                return None
        if node.kind is Kind.EMPTY or not node.start <= offset <= node.end:
            return None
        return Found(path, node, False, around, marked)

    def node(self, path: Path) -> Node | None:
        """The value that a way from the top leads to."""
        node: Node | None = self.root
        for step in path:
            if node is None:
                return None
            if isinstance(step, str):
                node = node.get(step)
            else:
                items = list(node.items())
                node = items[step] if step < len(items) else None
        return node
