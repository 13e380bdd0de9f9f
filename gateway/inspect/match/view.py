"""A command as conditions look at it."""

from __future__ import annotations

from gateway.inspect.classes import Classes
from gateway.inspect.command import Command
from gateway.inspect.deed import Deed, Does, Extent
from gateway.inspect.word import Word, holed

_EMPTIED = frozenset(("root", "home", "system"))


class View:
    """One command of a text; `given` are all of them, of which it is the one at `at`.

    `seen` tells for each condition on earlier commands how many were looked at, and which was the last that met it.
    `skipped` is how many operands the subcommand takes that was found last.
    """

    __slots__ = ("_names", "at", "classes", "command", "given", "seen", "skipped")

    def __init__(
        self,
        command: Command,
        given: tuple[Command, ...],
        at: int,
        classes: Classes,
        seen: dict[int, tuple[int, int]],
    ) -> None:
        self.command = command
        self.given = given
        self.at = at
        self.classes = classes
        self.seen = seen
        self.skipped = 0
        self._names: tuple[str, ...] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The operands as the program takes them."""
        if self._names is None:
            self._names = tuple(map(self.command.plain, self.command.operands))
        return self._names

    def operands(self, at: int | None) -> tuple[Word, ...]:
        """The operands behind the subcommand, or the one at an index among them."""
        words = self.command.operands[self.skipped :]
        if at is None:
            return words
        return words[at:][:1] if at >= 0 or len(words) >= -at else ()

    def has(self, classes: frozenset[str], value: str) -> bool:
        """Whether a path can have one of the classes."""
        return not classes.isdisjoint(self.classes.of(value, self.command.cwd))

    def named(self, patterns: tuple[str, ...], deed: Deed) -> bool:
        """Whether what something is done to fits one of the patterns."""
        return self.classes.fits(patterns, deed.target, deed.cwd)

    def is_there(self, classes: frozenset[str], deed: Deed) -> bool:
        """Whether what is done is done to a path of one of the classes."""
        found = self.classes.of(deed.target, deed.cwd)
        whole = deed.does is Does.META and deed.extent is Extent.TREE
        if deed.does is not Does.DELETE and not whole:
            if holed(deed.target[:1]):
                # Only what is removed gets worse where the part that can't be known is empty.
                found -= _EMPTIED
            if "outside" in found and self.classes.scratch(deed.target, deed.cwd):
                # Files may be put where temporary files belong, but not all of those removed.
                found = found - {"outside"} | {"tmp"}
        return not classes.isdisjoint(found)
