"""Addresses, ranges of them and URLs, as Kubernetes has them, read more strictly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gateway.cel.functions.addresses import holds, masked, parse_cidr, parse_ip, write_ip
from gateway.cel.functions.conversions import read_once
from gateway.cel.functions.signature import Fails, Function, Overload, Style
from gateway.cel.functions.urls import host, parse_url, query_of
from gateway.cel.types import BOOL, CIDR, INT, IP, STRING, URL, ListType, MapType, Type
from gateway.cel.values import CelError, Cidr, Ip, Url

_STEPS_OF_ADDRESS = 80
_STEPS_OF_URL = 120
_STEPS_OF_PAIR = 25


def _address_cost(*operands: Any) -> int:
    """An address takes the same however it is written; longer texts are refused unread."""
    return _STEPS_OF_ADDRESS if isinstance(operands[-1], str) else 0


def _url_cost(text: Any) -> int:
    return _STEPS_OF_URL + len(text) if isinstance(text, str) else 0


def _query_cost(value: Any) -> int:
    if not isinstance(value, Url):
        return 0
    return (len(value.query) >> 1) + _STEPS_OF_PAIR * (1 + value.query.count("&"))


def _reads(name: str, parse: Callable[[str], Any], result: Type, summary: str, example: str) -> Function:
    return Function(
        name,
        Style.GLOBAL,
        (Overload((STRING,), result, parse),),
        summary,
        example,
        read_once(parse),
        _url_cost if result == URL else _address_cost,
    )


def _asks(name: str, parse: Callable[[str], Any], summary: str, example: str) -> Function:
    def readable(text: str) -> bool:
        try:
            parse(text)
        except CelError:
            return False
        return True

    cost = _url_cost if parse is parse_url else _address_cost
    overloads = (Overload((STRING,), BOOL, readable, Fails.NEVER),)
    return Function(name, Style.GLOBAL, overloads, summary, example, cost=cost)


def _of(
    owner: Type, name: str, run: Callable[[Any], Any], result: Type, summary: str, example: str
) -> Function:
    return Function(name, Style.MEMBER, (Overload((owner,), result, run, Fails.NEVER),), summary, example)


def _contains(
    name: str,
    owner: Type,
    run: Callable[[Cidr, Any], bool],
    parse: Callable[[str], Any],
    summary: str,
    example: str,
) -> Function:
    return Function(
        name,
        Style.MEMBER,
        (
            Overload((CIDR, owner), BOOL, run, Fails.NEVER),
            Overload((CIDR, STRING), BOOL, lambda value, text: run(value, parse(text))),
        ),
        summary,
        example,
        cost=_address_cost,
    )


def _within(value: Cidr, other: Cidr) -> bool:
    return value.length <= other.length and holds(value, other.ip)


def _first(value: Ip, bits: int) -> int:
    """The first bits of an address."""
    return value.bits >> ((32 if value.family == 4 else 128) - bits)


def _is_loopback(value: Ip) -> bool:
    return _first(value, 8) == 127 if value.family == 4 else value.bits == 1


def _is_link_local_unicast(value: Ip) -> bool:
    return _first(value, 16) == 0xA9FE if value.family == 4 else _first(value, 10) == 0x3FA


def _is_link_local_multicast(value: Ip) -> bool:
    if value.family == 4:
        return _first(value, 24) == 0xE00000
    return _first(value, 8) == 0xFF and _first(value, 16) & 0xF == 2


def _is_multicast(value: Ip) -> bool:
    return _first(value, 4) == 0xE if value.family == 4 else _first(value, 8) == 0xFF


def _is_global_unicast(value: Ip) -> bool:
    broadcast = value.family == 4 and value.bits == 0xFFFFFFFF
    local = _is_loopback(value) or _is_link_local_unicast(value)
    return bool(value.bits) and not (broadcast or local or _is_multicast(value))


FUNCTIONS = (
    _reads(
        "ip",
        parse_ip,
        IP,
        "An address from its text: no zone, no leading zeros, no dots inside of IPv6.",
        "ip('::ffff:a00:1') == ip('10.0.0.1')",
    ),
    _asks("isIP", parse_ip, "Whether `ip` can read a text.", "isIP('10.0.0.1') && !isIP('010.0.0.1')"),
    Function(
        "ip.isCanonical",
        Style.GLOBAL,
        (Overload((STRING,), BOOL, lambda text: write_ip(parse_ip(text)) == text),),
        "Whether an address is written in the one way that RFC 5952 recommends.",
        "ip.isCanonical('2001:db8::1') && !ip.isCanonical('2001:DB8::1')",
        cost=_address_cost,
    ),
    _of(
        IP, "family", lambda value: value.family, INT, "4 or 6 of an address.", "ip('10.0.0.1').family() == 4"
    ),
    _of(
        IP,
        "isUnspecified",
        lambda value: value.bits == 0,
        BOOL,
        "Whether an address is `0.0.0.0` or `::`, which many systems take for the machine itself.",
        "ip('::').isUnspecified()",
    ),
    _of(
        IP,
        "isLoopback",
        _is_loopback,
        BOOL,
        "Whether an address is that of the machine itself: `127.0.0.0/8` or `::1`.",
        "ip('127.8.8.8').isLoopback()",
    ),
    _of(
        IP,
        "isLinkLocalMulticast",
        _is_link_local_multicast,
        BOOL,
        "Whether an address is in `224.0.0.0/24` or is IPv6 multicast of the scope of the link.",
        "ip('224.0.0.1').isLinkLocalMulticast()",
    ),
    _of(
        IP,
        "isLinkLocalUnicast",
        _is_link_local_unicast,
        BOOL,
        "Whether an address is in `169.254.0.0/16`, where clouds keep their metadata, or `fe80::/10`.",
        "ip('169.254.169.254').isLinkLocalUnicast()",
    ),
    _of(
        IP,
        "isGlobalUnicast",
        _is_global_unicast,
        BOOL,
        "Whether an address is none of the above, nor multicast or broadcast; private networks are global here.",
        "ip('10.0.0.1').isGlobalUnicast()",
    ),
    _reads(
        "cidr",
        parse_cidr,
        CIDR,
        "A range of addresses from its text.",
        "cidr('10.0.0.0/8').containsIP('10.1.2.3')",
    ),
    _asks(
        "isCIDR",
        parse_cidr,
        "Whether `cidr` can read a text.",
        "isCIDR('10.0.0.0/8') && !isCIDR('10.0.0.0/33')",
    ),
    _contains(
        "containsIP",
        IP,
        holds,
        parse_ip,
        "Whether a range has an address, or an address written as text.",
        "cidr('10.0.0.0/8').containsIP('10.1.2.3')",
    ),
    _contains(
        "containsCIDR",
        CIDR,
        _within,
        parse_cidr,
        "Whether a range has all addresses of another one, or of one written as text.",
        "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')",
    ),
    _of(
        CIDR,
        "ip",
        lambda value: value.ip,
        IP,
        "The address that a range is written with.",
        "cidr('10.0.0.1/8').ip() == ip('10.0.0.1')",
    ),
    _of(
        CIDR,
        "masked",
        masked,
        CIDR,
        "The same range, written with its first address.",
        "cidr('10.0.0.1/8').masked() == cidr('10.0.0.0/8')",
    ),
    _of(
        CIDR,
        "prefixLength",
        lambda value: value.length,
        INT,
        "How many bits all addresses of a range have in common.",
        "cidr('10.0.0.0/8').prefixLength() == 8",
    ),
    _reads(
        "url",
        parse_url,
        URL,
        "A URL from its text, or an absolute path; what programs read differently is an error.",
        "url('https://acme.com/a') == url('HTTPS://ACME.com/a')",
    ),
    _asks("isURL", parse_url, "Whether `url` can read a text.", "isURL('/a') && !isURL('https://a\\\\@b/')"),
    _of(
        URL,
        "getScheme",
        lambda value: value.scheme,
        STRING,
        "The scheme of a URL in lower case, empty for a path.",
        "url('HTTPS://acme.com').getScheme() == 'https'",
    ),
    _of(
        URL,
        "getHost",
        lambda value: host(value.hostname, value.port),
        STRING,
        "Host and port of a URL as they stand there, the host in lower case.",
        "url('https://[::1]:80/').getHost() == '[::1]:80'",
    ),
    _of(
        URL,
        "getHostname",
        lambda value: value.hostname,
        STRING,
        "The host of a URL without the port: a name in lower case, or an address without brackets.",
        "url('https://a:b@Acme.com:80/').getHostname() == 'acme.com'",
    ),
    _of(
        URL,
        "getPort",
        lambda value: value.port,
        STRING,
        "The port of a URL, empty if it has none.",
        "url('https://acme.com:8443/').getPort() == '8443'",
    ),
    _of(
        URL,
        "getEscapedPath",
        lambda value: value.path,
        STRING,
        "The path of a URL, with everything encoded that must be.",
        "url('https://acme.com/a b').getEscapedPath() == '/a%20b'",
    ),
    Function(
        "getQuery",
        Style.MEMBER,
        (Overload((URL,), MapType(STRING, ListType(STRING)), query_of),),
        "The query of a URL: for each name the list of its values, decoded.",
        "url('/?a=1&a=2').getQuery() == {'a': ['1', '2']}",
        cost=_query_cost,
    ),
)
