"""A script's syntax tree, within limits: what is too big or too deep is unreadable, never an exception."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from time import thread_time
from typing import TYPE_CHECKING, Any

from gateway.frozen import frozen, slotted
from gateway.inspect.shell.heredoc import Heredoc, take_out
from gateway.inspect.shell.misread import backticks, keywords, quoted
from gateway.inspect.word import Word
from gateway.later import later

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MAX_SCRIPT = 64 * 1024
MAX_DEPTH = 80
MAX_NESTING = 12
SUBSTITUTIONS = frozenset(("command_substitution", "process_substitution"))
MAX_WORK = 15_000
_SHORT = 2048
_PATIENCE = 0.1
_BEYOND = later("[^\x00-\xff]")
_LETTER = "\xff"


class Unreadable(Exception):
    """A script that is not analysed to its end; the message says why."""


@slotted
class Budget:
    """What is left of the work that one inspection may cost."""

    left: int = MAX_WORK
    depth: int = 0

    def spend(self, amount: int = 1) -> None:
        """Take from the budget; an empty one makes the script unreadable."""
        self.left -= amount
        if self.left < 0:
            raise Unreadable("the command is too large to be analysed")

    def enter(self) -> None:
        """Go one level deeper into the command; too deep makes the script unreadable."""
        self.depth += 1
        self.spend()
        if self.depth > MAX_DEPTH:
            raise Unreadable("the command is nested too deep to be analysed")

    def leave(self) -> None:
        """Come back from a level; an unreadable script is left all at once."""
        self.depth -= 1


@frozen
class Script:
    """A script as parsed: `text` is the source with its here-documents
    blanked, `span` gives a node's offsets in both.

    `base` is where the script stands in the inspected text; `within` is the stretch that stands for it where
    its characters don't stand there as they are.
    """

    source: str
    text: str
    root: Node
    heredocs: Mapping[int, Heredoc]
    span: Callable[[Node], tuple[int, int]]
    base: int | None
    within: tuple[int, int]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where characters of the script stand in the inspected text."""
        if self.base is None:
            return self.within
        return start + self.base, end + self.base

    def slice(self, node: Node) -> str:
        """The characters of a node."""
        start, end = self.span(node)
        return self.text[start:end]

    def written(self, word: Word) -> str:
        """A word as the script spells it, where the script stands in the inspected text."""
        return "" if self.base is None else self.source[word.start - self.base : word.end - self.base]

    def find(self, text: str, start: int, end: int) -> int | None:
        """Where a text stands as it is between two offsets of the inspected text."""
        if self.base is None:
            return None
        at = self.source.find(text, start - self.base, end - self.base)
        return None if at < 0 else at + self.base


def parse(text: str, base: int | None, within: tuple[int, int], budget: Budget) -> Script:
    """The script's tree; raises `Unreadable` beyond the limits."""
    if len(text) > MAX_SCRIPT:
        raise Unreadable(f"the command is longer than {MAX_SCRIPT} characters")
    if "\0" in text:
        raise Unreadable("the command holds a NUL character")
    budget.spend(1 + len(text) // 16)
    plain, heredocs = take_out(text)
    budget.spend(len(heredocs) * 50)
    if heredocs and not _agreed(text, heredocs):
        raise Unreadable("its here-documents can't be told from its texts")
    root, read = _tree(plain)
    told = keywords(plain, root)
    if told != plain:
        budget.spend(len(text) // 16)
        plain = told
        root, read = _tree(plain)
    apart = backticks(read, root)
    if apart != read:
        budget.spend(len(text) // 16)
        root, read = _tree(apart)
    return Script(text, plain, root, heredocs, _spans(read), base, within)


def _tree(text: str) -> tuple[Node, str]:
    """The syntax tree of a text, and the text as the parser saw it."""
    read = _readable(text)
    data = read.encode()
    if len(data) <= _SHORT:
        return _parser().parse(data).root_node, read
    return _patiently(data), read


def _patiently(data: bytes) -> Node:
    """The tree of a long text; the parser's repair of errors has no bound of its own and no steps to count."""
    end = thread_time() + _PATIENCE

    def late(_at: int, _errors: bool) -> bool:
        return thread_time() > end

    try:
        tree = _parser().parse(lambda at, _: data[at : at + _SHORT], progress_callback=late)
    except ValueError:
        tree = None
    if tree is None:
        _parser().reset()
        raise Unreadable("its grammar can't be read")
    return tree.root_node


def _readable(text: str) -> str:
    """The text as the parser may see it: its scanner looks characters up in a table of the first 256.

    Those beyond read memory that is not the table's, which can end the process; to the grammar all letters are alike.
    """
    return text if text.isascii() else _BEYOND.sub(_LETTER, text)


def opaque(text: str) -> Script:
    """A text in another language as a script without commands, so that what it holds has a place."""
    return Script(text, "", _parser().parse(b"").root_node, {}, _same, 0, (0, len(text)))


def _agreed(text: str, heredocs: Mapping[int, Heredoc]) -> bool:
    """Whether the parser, which knows quotes better, sees no operator that was taken out as mere text."""
    root, text = _tree(text)
    plain = text.isascii()
    return not any(quoted(root, at if plain else len(text[:at].encode())) for at in heredocs)


@cache
def _parser() -> Parser:
    from tree_sitter import Language, Parser

    return Parser(Language(_grammar().language()))


def _grammar() -> Any:
    """The grammar by itself: the package around it loads what reads files, which takes longer than most parsing."""
    from importlib.machinery import PathFinder
    from importlib.util import find_spec, module_from_spec

    package = find_spec("tree_sitter_bash")
    places = package.submodule_search_locations if package is not None else None
    found = PathFinder.find_spec("tree_sitter_bash._binding", places)
    if found is None or found.loader is None:
        import tree_sitter_bash

        return tree_sitter_bash
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module


def _spans(text: str) -> Callable[[Node], tuple[int, int]]:
    if text.isascii():
        return _same
    offsets = [0] * (len(text.encode()) + 1)
    at = 0
    for i, char in enumerate(text):
        width = len(char.encode())
        offsets[at : at + width] = [i] * width
        at += width
    offsets[at] = len(text)
    return lambda node: (offsets[node.start_byte], offsets[node.end_byte])


def _same(node: Node) -> tuple[int, int]:
    return node.start_byte, node.end_byte


def substitutions(script: Script, budget: Budget) -> Iterator[tuple[int, int]]:
    """Start and end of each substitution in the script."""
    waiting = [script.root]
    while waiting:
        node = waiting.pop()
        budget.spend()
        if node.type in SUBSTITUTIONS or node.type == "arithmetic_expansion":
            yield script.span(node)
        waiting.extend(node.named_children)


def errors(script: Script) -> Iterator[tuple[int, int]]:
    """Start and end of each part that the grammar does not cover."""
    waiting = [script.root]
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            yield script.span(node)
        elif node.has_error:
            waiting.extend(node.children)
