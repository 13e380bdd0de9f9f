"""The normal form of one command: what would really run, however it was spelled."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from gateway.frozen import frozen, slotted
from gateway.inspect.deed import Deed
from gateway.inspect.doubt import Doubt
from gateway.inspect.word import Word

if TYPE_CHECKING:
    from gateway.inspect.shell.parse import Budget

COMMAND_COST = 24
WORD_COST = 8
FEW_WORDS = 12
_MOVING = frozenset(("mv", "git"))
"""So many words of a command are paid for with it."""
Text = tuple[str, ...]
"""The possible values of a text, with marks where it can't be known."""


@frozen
class Redirect:
    """A redirection of a command, and the file that it names."""

    operator: str
    target: Word


@frozen
class Simple:
    """A simple command after expansion, before anything is known about its program."""

    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()
    stdin: Text | None = None
    start: int = 0
    end: int = 0
    wrappers: tuple[str, ...] = ()
    variables: tuple[tuple[str, Word], ...] = ()

    def inside(self, wrapper: str, words: tuple[Word, ...]) -> Simple:
        """The command that a wrapper runs; its redirections and input are the wrapper's."""
        return Simple(
            words,
            self.redirects,
            self.stdin,
            self.start,
            self.end,
            (*self.wrappers, wrapper),
            self.variables,
        )


@frozen
class Invocation:
    """One program that would run.

    `carrier` is a program not known to run its words that stands in front of it. `pipes` are the pipelines that it
    stands in, the outermost first, each with its place there.
    """

    program: str
    path: str
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]
    stdin: Text | None
    cwd: str | None
    start: int
    end: int
    wrappers: tuple[str, ...] = ()
    carrier: str = ""
    variables: tuple[tuple[str, Word], ...] = ()
    pipes: tuple[tuple[int, int], ...] = ()


def _budget() -> Budget:
    from gateway.inspect.shell.parse import Budget

    return Budget()


@slotted
class Reading:
    """What has been found so far in one inspected text."""

    budget: Budget = field(default_factory=_budget)
    invocations: list[Invocation] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    deeds: list[Deed] = field(default_factory=list)
    queries: list[Word] = field(default_factory=list)
    files: dict[str, Text] = field(default_factory=dict)
    git_settings: dict[str, str] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)
    """Where what was moved lay before, by where it is now."""
    pipelines: int = 0
    pipes: tuple[tuple[int, int], ...] = ()
    sets: str = ""
    """What takes what is printed now: `export`, which sets variables from it, or `$(` for all others."""

    def emit(self, name: str, simple: Simple, cwd: str | None, carrier: str) -> None:
        """Record that a program would run; judging it costs far more than reading it."""
        many = len(simple.words) + len(simple.redirects) + len(simple.variables) - FEW_WORDS
        self.budget.spend(COMMAND_COST + WORD_COST * max(many, 0))
        path = simple.words[0].value if simple.words else ""
        words, place = simple.words[1:], (simple.start, simple.end)
        made = Invocation(
            name,
            path,
            words,
            simple.redirects,
            simple.stdin,
            cwd,
            *place,
            (*simple.wrappers, self.sets) if self.sets else simple.wrappers,
            carrier,
            simple.variables,
            self.pipes,
        )
        self.invocations.append(made)
        if self.moved or name in _MOVING:
            from gateway.inspect.shell.moved import follow_moves

            follow_moves(self, made)

    def doubt(self, reason: str, start: int, end: int) -> None:
        """Record that a part can't be read."""
        self.doubts.append(Doubt(reason, start, end))
