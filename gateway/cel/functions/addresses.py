"""Read and write addresses of the internet and ranges of them; what two programs may read differently is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from gateway.cel.access import quoted
from gateway.cel.values import CelError, Cidr, ErrorKind, Ip
from gateway.later import later

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

    Found: TypeAlias = IPv4Address | IPv6Address

_MOST_TEXT = 39
_LENGTH = later(r"0|[1-9][0-9]{0,2}")
_BITS = {4: 32, 6: 128}


def parse_ip(text: str) -> Ip:
    """An address; an IPv4 address that is wrapped into IPv6 in hexadecimal is the IPv4 address."""
    found = _read(text, text, "an IP address")
    mapped = found.ipv4_mapped if found.version == 6 else None
    return Ip(found.version, int(found)) if mapped is None else Ip(4, int(mapped))


def parse_ipv6(text: str) -> Ip:
    """An IPv6 address that wraps no IPv4 address, as it stands in a URL."""
    found = _read(text, text, "an IPv6 address")
    if found.version != 6 or found.ipv4_mapped is not None:
        raise _unreadable(text, "an IPv6 address")
    return Ip(6, int(found))


def _read(text: str, whole: str, kind: str) -> Found:
    import ipaddress

    if len(text) > _MOST_TEXT or "%" in text:
        raise _unreadable(whole, kind, " without a zone" if "%" in text else "")
    if "." in text and ":" in text:
        raise _unreadable(whole, kind, ": IPv4 inside of IPv6 must be written in hexadecimal")
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        raise _unreadable(whole, kind) from None


def write_ip(value: Ip) -> str:
    """An address as RFC 5952 writes it: lower case, without leading zeros, the longest run of zeros as `::`."""
    import ipaddress

    return str((ipaddress.IPv4Address if value.family == 4 else ipaddress.IPv6Address)(value.bits))


def parse_cidr(text: str) -> Cidr:
    """A range; the address may have bits beyond the length, which `masked` takes away."""
    address, _, length = text.partition("/")
    found = _read(address, text, "a CIDR range")
    if found.version == 6 and found.ipv4_mapped is not None:
        raise _unreadable(text, "a CIDR range", ": IPv4 inside of IPv6")
    if not _LENGTH.fullmatch(length) or int(length) > _BITS[found.version]:
        raise _unreadable(text, "a CIDR range", f": the length is a number from 0 to {_BITS[found.version]}")
    return Cidr(Ip(found.version, int(found)), int(length))


def write_cidr(value: Cidr) -> str:
    """A range with its address and its length."""
    return f"{write_ip(value.ip)}/{value.length}"


def masked(value: Cidr) -> Cidr:
    """The same range by its first address."""
    free = _BITS[value.ip.family] - value.length
    return Cidr(Ip(value.ip.family, value.ip.bits >> free << free), value.length)


def holds(value: Cidr, address: Ip) -> bool:
    """Whether an address lies in a range; one of the other family never does."""
    free = _BITS[value.ip.family] - value.length
    return address.family == value.ip.family and address.bits >> free == value.ip.bits >> free


def _unreadable(text: str, kind: str, why: str = "") -> CelError:
    return CelError(ErrorKind.INVALID, f"{quoted(text)} can't be read as {kind}{why}")
