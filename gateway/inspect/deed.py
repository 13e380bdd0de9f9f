"""What an inspected text would do, one deed at a time, however it is spelled and in whatever language."""

from __future__ import annotations

from enum import Enum

from gateway.frozen import frozen
from gateway.inspect.word import DEEP, Word, marked


class Does(Enum):
    """Kinds of deeds; authors read them as `inspect.<argument>.effects`."""

    READ = "read"
    """The content of a file, or of the environment, is read."""
    DELETE = "delete"
    OVERWRITE = "overwrite"
    """What a file holds is replaced, or a file is put in the place of another."""
    APPEND = "append"
    META = "meta"
    """Mode, owner or attributes of a file are changed."""
    EXEC = "exec"
    """Code runs; `origin` says where it comes from."""
    NET = "net"
    """Something is fetched from or sent to a host; `secret` says that what is sent holds secrets."""
    DB = "db"
    """A program is given SQL."""
    GIT = "git"
    """A setting of `git` is changed, or given to one command."""
    PERSIST = "persist"
    """Code or PowerShell sets up what runs later; of other programs only patterns tell it."""
    TAMPER = "tamper"
    """PowerShell switches off what protects the machine; of other programs only patterns tell it."""
    KILL = "kill"
    """A process is ended by its number."""
    POWER = "power"
    """Code or PowerShell turns the machine off; of other programs only patterns tell it."""
    EXHAUST = "exhaust"
    """Processes, memory or disk are used up until nothing else can run."""


class Origin(Enum):
    """Where the code of an `exec` comes from."""

    LITERAL = "literal"
    FILE = "file"
    NETWORK = "network"
    DECODED = "decoded"
    UNKNOWN = "unknown"


class Extent(Enum):
    """How much of a path a deed takes."""

    ONE = "one"
    MANY = "many"
    """All that a pattern or a loop finds."""
    TREE = "tree"
    """A directory with all that lies below it."""


@frozen
class Deed:
    """One deed: its kind, what it is done to (a path or a URL, with marks where unknown), and where that stands.

    `cwd` is the directory that a relative path starts from; None where that is not known.
    """

    does: Does
    target: str
    start: int
    end: int
    cwd: str | None = None
    extent: Extent = Extent.ONE
    origin: Origin | None = None
    secret: bool = False


def reach(value: str) -> Extent:
    """How much a path takes in by its spelling: all below it, what a pattern finds, or itself."""
    if DEEP in value:
        return Extent.TREE
    return Extent.MANY if marked(value) else Extent.ONE


def deed(does: Does, word: Word, cwd: str | None, extent: Extent | None = None) -> Deed:
    """What is done to the path that a word names; how much that takes in is told by the word where it isn't given."""
    return Deed(does, word.value, word.start, word.end, cwd, reach(word.value) if extent is None else extent)
