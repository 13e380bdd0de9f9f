"""What can be said about a path beside where it lies, in the words that patterns use."""

from __future__ import annotations

from enum import Enum


class PathTrait(Enum):
    """What a file is for, or what is odd about the spelling of its path; most files have no trait."""

    SECRET = "secret"  # noqa: S105
    """It holds keys, tokens or passwords."""
    HISTORY = "history"
    """What somebody typed into a shell or a client."""
    AGENT_CONFIG = "agent-config"
    """Settings, hooks and servers of coding agents and editors: they say what runs."""
    AGENT_NOTES = "agent-notes"
    """Instructions that coding agents read at the start of each session."""
    PERSIST = "persist"
    """What is in it runs later, without anybody starting it."""
    VCS_META = "vcs-meta"
    """What a version control system keeps for itself."""
    DEVICE = "device"
    NULL_DEVICE = "null-device"
    """A device that holds nothing: standard streams, terminals, zeros and random numbers."""
    BLOCK_DEVICE = "block-device"
    NET_DEVICE = "net-device"
    """A name that shells open a connection for."""
    PROC = "proc"
    """The inside of a process: its environment, memory and open files."""
    KERNEL = "kernel"
    """Settings of the running kernel."""
    SOCKET = "socket"
    """A socket of a daemon or agent that does what it is told."""
    LOG = "log"
    """What the system records, and who came in."""
    SYSTEM_CONFIG = "system-config"
    TRAVERSAL = "traversal"
    """It begins inside of the workspace, and `..` leads out of it."""
    ENCODED = "encoded"
    """Separators, dots or controls are encoded in it."""
    CONTROLS = "controls"
    """It holds characters that are not seen."""
    WINDOWS = "windows"
    """On Windows it is another file than elsewhere: a drive, share, stream, device or short name."""
    LOOK_ALIKE = "look-alike"
    """It holds characters that look like separators or dots."""
    UNREADABLE = "unreadable"
