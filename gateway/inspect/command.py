"""A command with its options bound and its deeds told: what patterns look at."""

from __future__ import annotations

from collections.abc import Iterator

from gateway.frozen import frozen
from gateway.inspect.deed import Deed, Does
from gateway.inspect.kind import Kind
from gateway.inspect.options import Bound
from gateway.inspect.pattern import Input
from gateway.inspect.pipes import ALONE, Pipes
from gateway.inspect.shell.invocation import Invocation, Redirect
from gateway.inspect.sql.kinds import Statement
from gateway.inspect.word import DECODED, NETWORK, SECRET, Word, certain, holed


@frozen
class Found:
    """A statement that matters and the characters of the inspected text that it stands in."""

    statement: Statement
    start: int
    end: int


@frozen
class Remark:
    """One thing that a path or an address is, the part of it that says so, why, and where that stands."""

    kind: str
    text: str
    reason: str
    start: int
    end: int


@frozen
class Command:
    """A program with its options, operands, deeds, the SQL that it is given, and what a path or an address is.

    A text that is no command is one without a program. `operands` begin with the subcommand, where there is one.
    """

    program: str
    bound: Bound
    operands: tuple[Word, ...]
    invocation: Invocation
    kind: Kind = Kind.SHELL
    subcommand: str = ""
    sql: tuple[Found, ...] = ()
    deeds: tuple[Deed, ...] = ()
    remarks: tuple[Remark, ...] = ()
    pipes: Pipes = ALONE
    caseless: bool = False

    @property
    def cwd(self) -> str | None:
        """The directory that relative paths start from."""
        return self.invocation.cwd

    @property
    def words(self) -> tuple[Word, ...]:
        """All arguments as they are."""
        return self.invocation.words

    def plain(self, word: Word) -> str:
        """A word as the program takes it: without capitals where those don't matter."""
        text = certain(word.value)
        return text.lower() if self.caseless else text

    @property
    def redirects(self) -> tuple[Redirect, ...]:
        """The redirections."""
        return self.invocation.redirects

    @property
    def wrappers(self) -> tuple[str, ...]:
        """The programs that run this one."""
        return self.invocation.wrappers

    @property
    def variables(self) -> tuple[tuple[str, Word], ...]:
        """The variables that are set for this command alone."""
        return self.invocation.variables

    @property
    def stdin(self) -> frozenset[Input]:
        """What the program reads from its input."""
        return _input(self.invocation.stdin)


def reached(deed: Deed) -> Iterator[Remark]:
    """What kind of host a deed reaches; a name without a scheme is one that a program completes."""
    target = certain(deed.target).rpartition("@")[2] if "://" not in deed.target else certain(deed.target)
    if not target or target.startswith("/"):
        return
    from gateway.inspect.url.url import read_url

    for each in read_url(target if "://" in target else f"http://{target}").remarks:
        yield Remark(each.kind.value, deed.target, each.reason, deed.start, deed.end)


def bare(
    kind: Kind,
    cwd: str | None,
    done: tuple[Deed, ...] = (),
    sql: tuple[Found, ...] = (),
    remarks: tuple[Remark, ...] = (),
    place: tuple[int, int] = (0, 0),
) -> Command:
    """What a text does that is no command of its own."""
    invocation = Invocation("", "", (), (), None, cwd, *place)
    if kind not in (Kind.PATH, Kind.URL, Kind.HEADERS):
        remarks += tuple(remark for deed in done if deed.does is Does.NET for remark in reached(deed))
    return Command("", Bound({}, ()), (), invocation, kind, "", sql, done, remarks)


def _input(stdin: tuple[str, ...] | None) -> frozenset[Input]:
    if stdin is None:
        return frozenset((Input.NONE,))
    if not any(stdin):
        return frozenset((Input.EMPTY, Input.LITERAL))
    marks = {Input.NETWORK: NETWORK, Input.DECODED: DECODED, Input.SECRET: SECRET}
    found = {kind for kind, mark in marks.items() if any(mark in text for text in stdin)}
    if not found:
        found = {Input.UNKNOWN if any(map(holed, stdin)) else Input.LITERAL}
    return frozenset(found)
