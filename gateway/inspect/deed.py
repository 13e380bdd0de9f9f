"""What an inspected text would do, one deed at a time, however it is spelled and in whatever language."""

from __future__ import annotations

from enum import Enum

from gateway.frozen import frozen


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
    GIT = "git"
    INFRA = "infra"
    PUBLISH = "publish"
    PERSIST = "persist"
    TAMPER = "tamper"
    KILL = "kill"
    POWER = "power"
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
