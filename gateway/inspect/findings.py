"""What has been found so far in some code, and what is left of the work that reading it may cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from gateway.inspect.code import Code
from gateway.inspect.deed import Deed, Does, Extent, Origin
from gateway.inspect.doubt import Doubt
from gateway.inspect.private import ENVIRONMENT, private_file, private_variable
from gateway.inspect.value import Value, sources
from gateway.inspect.word import UNKNOWN, Word, certain

MAX_WORK = 15_000
MAX_DEPTH = 120
HERE = "."


class Places(Protocol):
    """Where the parts of a piece of code stand in it."""

    def span(self, node: Any) -> tuple[int, int]:
        """Where a part stands."""


class TooMuch(Exception):
    """Code that is not read to its end; the message says why."""


@dataclass(slots=True)
class Findings:
    """What the code would do; `cwd` is the directory that it works in then, as seen from where it starts."""

    lines: Places
    left: int = MAX_WORK
    depth: int = 0
    cwd: str | None = HERE
    deeds: dict[Deed, None] = field(default_factory=dict)
    shells: dict[Word, None] = field(default_factory=dict)
    commands: dict[tuple[Word, ...], None] = field(default_factory=dict)
    queries: dict[Word, None] = field(default_factory=dict)
    doubts: dict[Doubt, None] = field(default_factory=dict)

    def spend(self) -> None:
        """Take one step; too many are too much."""
        self.left -= 1
        if self.left < 0:
            raise TooMuch("the code is too large to be analysed")

    def deed(
        self,
        does: Does,
        target: str,
        node: object,
        extent: Extent = Extent.ONE,
        origin: Origin | None = None,
        sent: tuple[Value, ...] = (),
    ) -> None:
        """Note a deed; what is sent or shown by it may hold secrets."""
        start, end = self.lines.span(node)
        secret = bool(sent) and holds_secret(sent)
        self.deeds[Deed(does, target, start, end, self.cwd, extent, origin, secret)] = None

    def on_paths(self, does: Does, value: Value, node: object, extent: Extent = Extent.ONE) -> None:
        """Note a deed on each of the paths that a value may be."""
        wide = value.extent if extent is Extent.ONE else extent
        for path in value.text():
            if path or does is not Does.READ:
                self.deed(does, path, node, wide)

    def shell(self, value: Value, node: object, cwd: Value | None = None) -> None:
        """Note a text that a shell is given."""
        start, end = self.lines.span(node)
        for text in value.text():
            if not certain(text).strip() and self._origin(value) is not Origin.UNKNOWN:
                self.deed(Does.EXEC, UNKNOWN, node, origin=self._origin(value))
                continue
            for place in cwd.text() if cwd is not None else (self.cwd or UNKNOWN,):
                moved = text if place == HERE else f"cd {place}; {text}"
                self.shells[Word(moved, start, end)] = None

    def command(self, words: Sequence[tuple[str, object]], cwd: Value | None = None) -> None:
        """Note a list of arguments that is run."""
        made = tuple(Word(text, *self.lines.span(node)) for text, node in words)
        for place in (cwd.text() if cwd is not None else (self.cwd or UNKNOWN,)) if made else ():
            if place == HERE:
                self.commands[made] = None
            else:
                at = made[0].start, made[0].end
                prefix = (Word("env", *at), Word("-C", *at), Word(place, *at))
                self.commands[(*prefix, *made)] = None

    def query(self, text: str, node: object) -> None:
        """Note a statement that a database is given."""
        if certain(text).strip():
            self.queries[Word(text, *self.lines.span(node))] = None

    def runs(self, value: Value, node: object) -> None:
        """Note that code of which nothing is known runs."""
        self.deed(Does.EXEC, UNKNOWN, node, origin=self._origin(value))

    def doubt(self, reason: str, node: object) -> None:
        """Note what can't be read."""
        self.doubts[Doubt(reason, *self.lines.span(node))] = None

    @staticmethod
    def _origin(value: Value) -> Origin:
        found = sources((value,))
        if "network" in found:
            return Origin.NETWORK
        if "decoded" in found:
            return Origin.DECODED
        return Origin.FILE if any(one.startswith("file:") for one in found) else Origin.UNKNOWN

    def shown(self, value: Value, node: object) -> None:
        """Note that what a value holds is printed or written: the environment, or a secret of it."""
        for one in sources((value,)):
            if one == "environ" or (one.startswith("env:") and private_variable(one[4:])):
                self.deed(Does.READ, ENVIRONMENT, node, sent=(value,))

    def code(self) -> Code:
        """All of it."""
        return Code(
            tuple(self.deeds),
            tuple(self.shells),
            tuple(self.commands),
            tuple(self.queries),
            tuple(self.doubts),
        )


def holds_secret(values: tuple[Value, ...]) -> bool:
    """Whether what is sent was read from a file or variable that holds secrets, or is all of the environment."""
    for one in sources(values):
        if one == "environ" or (one.startswith("env:") and private_variable(one[4:])):
            return True
        if one.startswith("file:") and (private_file(one[5:]) or not certain(one[5:])):
            return True
    return False


def with_sources(value: Value, *more: str) -> Value:
    """The value with further sources."""
    return replace(value, sources=value.sources | set(more))
