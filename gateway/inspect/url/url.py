"""What a tool that fetches a URL would reach: the one reading that all programs share, or that there is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address

from gateway.frozen import frozen
from gateway.inspect.url.address import kinds_of
from gateway.inspect.url.carried import forwarded, leaking_labels, leaks
from gateway.inspect.url.host import Host, read_host
from gateway.inspect.url.kind import INTERNAL, Remark, UrlKind
from gateway.inspect.url.names import kinds_of_site
from gateway.inspect.url.parse import MENDING, Parts, lenient, strict
from gateway.later import later

_LONGEST = 16 * 1024
_FETCHED = ("http", "https")
# With these a site that fetches for others reads its own files or speaks to its neighbours.
_REACHING = frozenset((
    "dict", "expect", "file", "ftp", "gopher", "imap", "jar", "ldap", "ldaps", "netdoc", "phar", "php", "pop3", "redis",
    "sftp", "smb", "smtp", "ssh", "telnet", "tftp", "unix",
))  # fmt: skip
_DEFAULT_PORTS = {"http": 80, "https": 443}
# Those that browsers refuse, and those at which databases and daemons listen.
_PORT_NUMBERS = """
1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137
139 143 161 179 389 427 445 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1433
1521 1719 1720 1723 2049 2181 2375 2376 2379 2380 3306 3389 3659 4045 4190 5060 5061 5432 5672 5900 5984 6000 6379
6443 6566 6665 6666 6667 6668 6669 6679 6697 8500 9042 9092 9200 9300 10080 10250 10255 11211 15672 27017 27018 50070
"""
_PORTS = frozenset(map(int, _PORT_NUMBERS.split()))
_UNSEEN = later(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)
_REQUEST = later(r" HTTP/[0-9]", re.IGNORECASE)
_ENCODED_CONTROL = later(r"%(?:25)*(?:0[0-9a-f]|1[0-9a-f]|7f)", re.IGNORECASE)
_ENCODED_REQUEST = later(r"%20HTTP/[0-9]|%0d%0a[^&]{0,200}(?:%0d%0a%0d%0a|%20HTTP/)", re.IGNORECASE)
_HOSTLIKE_NAME = later(r"[^\s]*(?:[.\[\]]|%2e|localhost|%2f|\\|/)", re.IGNORECASE)


@frozen
class Url:
    """A URL as programs read it; `remarks` say for each kind what makes the URL one of it."""

    scheme: str
    host: str
    port: int | None
    address: IPv4Address | IPv6Address | None
    path: str
    kinds: frozenset[UrlKind]
    remarks: tuple[Remark, ...]

    def remark(self, kind: UrlKind) -> Remark | None:
        """The first remark of a kind."""
        return next((each for each in self.remarks if each.kind is kind), None)


def read_url(text: str) -> Url:
    """What fetching a text as a URL would reach; every text is answered."""
    return _read(text, nested=False)


def resolved_kinds(addresses: Sequence[str]) -> frozenset[UrlKind]:
    """What any of the addresses is that a name was resolved to; without one that can be read it is unresolved."""
    found: set[UrlKind] = set() if addresses else {UrlKind.UNRESOLVED}
    for text in addresses:
        try:
            address = ip_address(text)
        except ValueError:
            found.add(UrlKind.UNRESOLVED)
            continue
        found |= kinds_of(address)
        if isinstance(address, IPv6Address) and address.scope_id is not None:
            found.add(UrlKind.ZONE)
    return frozenset(found)


class _Remarks:
    """What is found, at most once for each kind and place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: dict[tuple[UrlKind, int, int], Remark] = {}

    def add(self, kind: UrlKind, reason: str, start: int, end: int) -> None:
        self.found.setdefault((kind, start, end), Remark(kind, reason, start, end))

    def host(self, host: Host, start: int, end: int) -> None:
        for kind, reason in host.kinds:
            self.add(kind, reason, start, end)

    def part(self, kind: UrlKind, reason: str, part: str) -> None:
        at = max(self.text.rfind(part), 0) if part else 0
        self.add(kind, reason, at, at + len(part) if part in self.text else len(self.text))


def _read(text: str, nested: bool) -> Url:
    remarks = _Remarks(text)
    if len(text) > _LONGEST:
        remarks.add(UrlKind.UNREADABLE, "the URL is too long to be read", 0, len(text))
        text = text[:_LONGEST]
    seen, plain = lenient(text), strict(text)
    host = read_host(seen.host)
    _scheme(remarks, seen)
    if not seen.host:
        remarks.add(UrlKind.NO_HOST, "it names no host", 0, len(text))
    else:
        remarks.host(host, seen.start, seen.end)
        _port(remarks, seen)
    _agreement(remarks, seen, plain, text)
    _userinfo(remarks, seen, text)
    _unseen(remarks, seen, text)
    if seen.scheme in (*_FETCHED, "") and seen.host:
        for kind, reason in kinds_of_site(host.name, seen.path):
            remarks.add(kind, reason, seen.start, seen.end)
        if not nested:
            _carried(remarks, seen, host)
    found = tuple(remarks.found.values())
    port = _port_number(seen.port or "")
    return Url(
        seen.scheme, host.name, _DEFAULT_PORTS.get(seen.scheme) if port is None else port,
        host.addresses[0] if len(host.addresses) == 1 else None,
        seen.path, frozenset(each.kind for each in found), found,
    )  # fmt: skip


def _scheme(remarks: _Remarks, seen: Parts) -> None:
    if seen.scheme and seen.scheme not in _FETCHED:
        at = remarks.text.find(":")
        remarks.add(UrlKind.SCHEME, f"`{seen.scheme[:40]}` is neither http nor https", 0, max(at, 0))


def _port(remarks: _Remarks, seen: Parts) -> None:
    if not seen.port:
        return
    start, end = seen.end, min(seen.end + 1 + len(seen.port), len(remarks.text))
    number = _port_number(seen.port)
    if number is None:
        remarks.add(UrlKind.AMBIGUOUS, f"`{seen.port[:40]}` is no port", start, end)
    elif number in _PORTS or number == 0:
        remarks.add(UrlKind.PORT, f"port {seen.port} is not one of a web server", start, end)


def _port_number(text: str) -> int | None:
    if not (text.isascii() and text.isdecimal()) or len(text) > 5 or int(text) > 65535:
        return None
    return int(text)


def _agreement(remarks: _Remarks, seen: Parts, plain: Parts, text: str) -> None:
    """Programs that mend a URL and programs that don't must come to the same host."""
    both = [(one.scheme, one.userinfo, one.host, one.port) for one in (seen, plain)]
    # `1.2.3.4https://` has no scheme either.
    bare = not seen.scheme and (seen.port == "" or text.strip().startswith(("//", "\\")))
    apart = both[0] != both[1] or bare
    if apart and (seen.scheme in _FETCHED or (not seen.scheme and seen.host)):
        remarks.add(UrlKind.AMBIGUOUS, "programs don't agree on which host this is", 0, seen.end or len(text))
    if plain.host and plain.host != seen.host:
        for kind, reason in read_host(plain.host).kinds:
            remarks.part(kind, reason, plain.host)
    for late in _late_hosts(text):
        other = read_host(late)
        if any(kind in INTERNAL for kind, _ in other.kinds):
            remarks.part(UrlKind.AMBIGUOUS, "some programs take what stands behind `@` for the host", late)
            for kind, reason in other.kinds:
                remarks.part(kind, reason, late)


def _late_hosts(text: str) -> list[str]:
    """Hosts for programs that don't end the host at `?` and `#`, or that take all up to the last `@` for a name."""
    rest = text.partition("//")[2].partition("/")[0]
    if "@" not in rest or not ({"#", "?", "\\"} & set(rest)):
        return []
    late = re.split(r"[#?\\]", rest.rpartition("@")[2])[0]
    late = late.rpartition(":")[0] if late.count(":") == 1 else late
    # `#section@2` is no address.
    return [] if late.isdecimal() and len(late) < 8 else [late]


def _userinfo(remarks: _Remarks, seen: Parts, text: str) -> None:
    if seen.userinfo is None:
        return
    start = max(text.rfind(seen.userinfo, 0, seen.start), 0)
    if "@" in seen.userinfo:
        remarks.add(UrlKind.AMBIGUOUS, "there are several `@` in front of the host", start, seen.start)
    if _HOSTLIKE_NAME.match(seen.userinfo):
        reason = f"the host is `{seen.host[:80]}`; what stands in front of it only looks like one"
        remarks.add(UrlKind.HIDDEN_HOST, reason, start, seen.start)
        # Programs that stop at the first `:` or `\\` take the host from there.
        name = seen.userinfo if seen.userinfo.startswith("[") else re.split(r"[:@\\/]", seen.userinfo)[0]
        for kind, why in read_host(name).kinds:
            if kind in INTERNAL and kind is not UrlKind.LOCAL_NAME:
                remarks.add(kind, why, start, seen.start)
    remarks.add(UrlKind.USERINFO, "it holds a user name or a password", start, seen.start)


def _unseen(remarks: _Remarks, seen: Parts, text: str) -> None:
    first = len(text) - len(text.lstrip(" \t\r\n"))
    found = _UNSEEN.search(text.rstrip(" \t\r\n"), first) or _REQUEST.search(text)
    if found is not None:
        reason = "it holds a character that is not seen, or that ends the line of a request"
        remarks.add(UrlKind.CONTROLS, reason, found.start(), found.end())
    encoded = _ENCODED_CONTROL.search(seen.path)
    if encoded is None and seen.query is not None:
        encoded = _ENCODED_REQUEST.search(seen.query)
    if encoded is not None:
        remarks.part(UrlKind.CONTROLS, "it holds an encoded line break or control character", encoded[0])


def _carried(remarks: _Remarks, seen: Parts, host: Host) -> None:
    for written, inner in forwarded(seen.path, seen.query):
        target = _read(inner, nested=True)
        if target.scheme in _REACHING:
            reaches = bool(target.host or target.path.strip("/"))
        else:
            # An app of its own may have any scheme, and any name behind it.
            reaches = target.scheme in ("", *MENDING) and bool(target.kinds & INTERNAL)
        if reaches:
            shown = target.host or target.scheme
            remarks.part(UrlKind.REDIRECT, f"it asks the site to go on to `{shown[:80]}`", written)
    for written, reason in leaks(seen.path, seen.query):
        remarks.part(UrlKind.EXFILTRATION, reason, written)
    label = None if host.addresses else leaking_labels(seen.host)
    if label is not None:
        remarks.part(UrlKind.EXFILTRATION, "the name of the host holds encoded data", label)
