"""Internet addresses in every spelling that programs accept, and what kind of network they belong to."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import AddressValueError, IPv4Address, IPv6Address, IPv6Network, ip_network

from gateway.frozen import frozen
from gateway.inspect.url.kind import UrlKind
from gateway.later import later

_NUMBER = later(r"0[xX][0-9a-fA-F]*|[0-9]+")
_MOST_DIGITS = 40
_V4 = (1 << 32) - 1


@frozen
class Reading:
    """What a host is read as: the addresses that programs may take it for, and what is odd about it."""

    addresses: tuple[IPv4Address | IPv6Address, ...]
    kinds: tuple[tuple[UrlKind, str], ...] = ()


_METADATA = frozenset((
    "100.100.100.200", "168.63.129.16", "169.254.0.23", "169.254.10.10", "169.254.169.123", "169.254.169.249",
    "169.254.169.250", "169.254.169.251", "169.254.169.253", "169.254.169.254", "169.254.170.2", "169.254.170.23",
    "169.254.42.42", "192.0.0.192", "fd00:42::42", "fd00:ec2::23", "fd00:ec2::253", "fd00:ec2::254",
    "fd20:ce::254", "fe80::a9fe:a9fe",
))  # fmt: skip
_NETWORKS = [
    (ip_network(network), kind)
    for kind, networks in (
        (UrlKind.LOOPBACK, "127.0.0.0/8 0.0.0.0/8 ::/127"),
        (UrlKind.LINK_LOCAL, "169.254.0.0/16 fe80::/10"),
        (UrlKind.PRIVATE, "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7 fec0::/10"),
        (UrlKind.CGNAT, "100.64.0.0/10"),
        (UrlKind.MULTICAST, "224.0.0.0/4 ff00::/8"),
        (
            UrlKind.RESERVED,
            "240.0.0.0/4 192.0.0.0/24 192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 198.18.0.0/15 192.88.99.0/24"
            " 2001::/23 2001:db8::/32 3fff::/20 64:ff9b:1::/48",
        ),
    )
    for network in networks.split()
]
_PUBLIC_V6 = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_LOCAL_NAT64 = IPv6Network("64:ff9b:1::/48")
# What stands before the last 32 bits.
_TAILS = {0x0: "an IPv4-compatible", 0xFFFF: "an IPv4-mapped", 0xFFFF_0000: "an IPv4-translated"}


def kinds_of(address: IPv4Address | IPv6Address) -> frozenset[UrlKind]:
    """What an address is, with what each IPv4 address that it carries is; none for a public one."""
    found = {kind for network, kind in _NETWORKS if address.version == network.version and address in network}
    if str(address).partition("%")[0] in _METADATA:
        found.add(UrlKind.METADATA)
    if isinstance(address, IPv6Address):
        carried = list(_carried(address))
        if carried:
            found.add(UrlKind.EMBEDDED)
            found.update(kind for each in carried for kind in kinds_of(each))
        if address not in _PUBLIC_V6 and not found:
            found.add(UrlKind.RESERVED)
    return frozenset(found)


def _carried(address: IPv6Address) -> Iterator[IPv4Address]:
    bits = int(address)
    last, above = bits & _V4, bits >> 32
    if above in _TAILS and bits > 1:
        yield IPv4Address(last)
    if address in _NAT64 or address in _LOCAL_NAT64:
        yield IPv4Address(last)
    if address in _LOCAL_NAT64:
        # RFC 6052: of a prefix of 48 bits, the 8 bits behind bit 64 are left free.
        yield IPv4Address((bits >> 64 & 0xFFFF) << 16 | bits >> 40 & 0xFFFF)
    if bits >> 112 == 0x2002:
        yield IPv4Address(bits >> 80 & _V4)
    if bits >> 96 == 0x2001_0000:
        yield IPv4Address(bits >> 64 & _V4)
        yield IPv4Address(last ^ _V4)
    if bits >> 32 & 0xFDFF_FFFF == 0x5EFE:
        yield IPv4Address(last)


def ends_in_number(host: str) -> bool:
    """Whether programs take the host for an IPv4 address."""
    return _NUMBER.fullmatch(host.rpartition(".")[2]) is not None


def read_ipv4(host: str) -> Reading:
    """Every address that a host of numbers is taken for: octal or decimal, short, packed or beyond its bounds."""
    parts = host.split(".")
    if any(_NUMBER.fullmatch(part) is None for part in parts):
        return Reading((), ((UrlKind.AMBIGUOUS, "it ends in a number, but is no IPv4 address"),))
    if any(len(part) > _MOST_DIGITS for part in parts) or len(parts) > 4:
        return _over(parts)
    odd = len(parts) != 4 or any(not part.isdecimal() or (part[0] == "0" and part != "0") for part in parts)
    found: dict[IPv4Address, None] = {}
    for octal in (True, False) if odd else (False,):
        address = _joined([_number(part, octal) for part in parts])
        if address is not None:
            found[IPv4Address(address)] = None
    if not found:
        return _over(parts)
    if not odd:
        return Reading(tuple(found))
    shown = " or ".join(str(address) for address in found)
    return Reading(tuple(found), ((UrlKind.ODD_ADDRESS, f"it is another spelling of {shown}"),))


def _number(part: str, octal: bool) -> int | None:
    if part[:2].lower() == "0x":
        return int(part[2:] or "0", 16)
    if octal and part[0] == "0" and len(part) > 1:
        return int(part, 8) if not set(part) & {"8", "9"} else None
    return int(part)


def _joined(numbers: list[int | None]) -> int | None:
    """The address of one to four numbers, of which the last fills what is left."""
    value = 0
    *first, last = numbers
    for number in first:
        if number is None or number > 255:
            return None
        value = value << 8 | number
    rest = 8 * (4 - len(first))
    return None if last is None or last >> rest else value << rest | last


def _over(parts: list[str]) -> Reading:
    """Numbers that are too large or too many: some programs cut them off, others refuse them."""
    numbers = [_number(part[-_MOST_DIGITS:], octal=False) or 0 for part in parts]
    found = []
    if len(numbers) == 1:
        found.append(IPv4Address(numbers[0] & _V4))
    elif len(numbers) <= 4:
        *first, last = numbers
        value = 0
        for number in first:
            value = value << 8 | number & 0xFF
        rest = 8 * (4 - len(first))
        found.append(IPv4Address(value << rest | last & ((1 << rest) - 1)))
    else:
        found += [
            IPv4Address(sum((n & 0xFF) << 24 - 8 * i for i, n in enumerate(four))) for four in _ends(numbers)
        ]
    shown = " or ".join(str(address) for address in found)
    reason = f"its numbers are not those of an IPv4 address; some programs read {shown}"
    return Reading(tuple(found), ((UrlKind.AMBIGUOUS, reason), (UrlKind.ODD_ADDRESS, reason)))


def _ends(numbers: list[int]) -> tuple[list[int], list[int]]:
    return numbers[:4], numbers[-4:]


def read_ipv6(host: str) -> Reading:
    """An IPv6 address, with or without its brackets and zone."""
    kinds: list[tuple[UrlKind, str]] = []
    whole = host.startswith("[") and host.endswith("]")
    if not whole:
        kinds.append((UrlKind.AMBIGUOUS, "an IPv6 address stands in brackets, and nothing else does"))
    inside, zoned, _ = host.strip("[]").partition("%")
    if zoned:
        kinds.append((UrlKind.ZONE, "it names a network interface of this machine"))
    for text in (inside, inside.rpartition(":")[0]) if not whole else (inside,):
        try:
            return Reading((IPv6Address(text),), tuple(kinds))
        except AddressValueError:
            continue
    if whole:
        kinds.append((UrlKind.AMBIGUOUS, "what stands in brackets is no IPv6 address"))
    plain = inside.rpartition(":")[2]
    return Reading(read_ipv4(plain).addresses if ends_in_number(plain) else (), tuple(kinds))
