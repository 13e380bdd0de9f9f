"""What can be said about a URL, in the words that patterns use."""

from __future__ import annotations

from enum import Enum

from gateway.frozen import frozen


class UrlKind(Enum):
    """What a URL is, or what it would reach; an ordinary address of the public web has no kind."""

    LOOPBACK = "loopback"
    """The machine itself, by address or by name."""
    PRIVATE = "private"
    LINK_LOCAL = "link-local"
    METADATA = "metadata"
    """A service that hands credentials to whatever runs in a cloud."""
    CGNAT = "cgnat"
    MULTICAST = "multicast"
    RESERVED = "reserved"
    """An address that no public host has."""
    EMBEDDED = "embedded"
    """An IPv6 address that carries an IPv4 address; what that one is, is said as well."""
    ODD_ADDRESS = "odd-address"
    """An address that is not written as four decimal numbers."""
    ZONE = "zone"
    LOCAL_NAME = "local-name"
    """A name that only a private network answers."""
    REBINDING = "rebinding"
    """A public name whose owner lets it point to private addresses."""
    AMBIGUOUS = "ambiguous"
    """Programs read different hosts, ports or schemes from it."""
    HIDDEN_HOST = "hidden-host"
    """What stands where people look for the host is a user name."""
    USERINFO = "userinfo"
    SCHEME = "scheme"
    PORT = "port"
    """The port of a service that is no web server."""
    IDN = "idn"
    """Unicode that is read as another host."""
    LOOK_ALIKE = "look-alike"
    """A name of letters that look like those of another alphabet."""
    CONTROLS = "controls"
    ENCODED_HOST = "encoded-host"
    REDIRECT = "redirect"
    """It asks a site to go on to a host that would not be allowed itself."""
    SHORTENER = "shortener"
    COLLECTOR = "collector"
    """A site that keeps whatever is sent to it for somebody to read."""
    EXFILTRATION = "exfiltration"
    """It carries what looks like a secret or like encoded data."""
    NO_HOST = "no-host"
    UNREADABLE = "unreadable"
    UNRESOLVED = "unresolved"
    """A name for which no address is known, or one that can't be read."""


INTERNAL = frozenset((
    UrlKind.LOOPBACK, UrlKind.PRIVATE, UrlKind.LINK_LOCAL, UrlKind.METADATA, UrlKind.CGNAT, UrlKind.MULTICAST,
    UrlKind.RESERVED, UrlKind.LOCAL_NAME, UrlKind.REBINDING,
))  # fmt: skip
"""What is not on the public internet."""


@frozen
class Remark:
    """One kind, why the URL is of it, and the part of the text that makes it so."""

    kind: UrlKind
    reason: str
    start: int
    end: int
