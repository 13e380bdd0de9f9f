"""Read URLs so that every program reads them alike: what RFC 3986 and browsers read differently is refused."""

from __future__ import annotations

import re

from gateway.cel.functions.addresses import parse_ip, parse_ipv6, write_ip
from gateway.cel.values import CelError, ErrorKind, Url
from gateway.later import later

_PARTS = later(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?")
_STRIPPED = later(r"[\x00-\x1f\x7f\\]")
_HALF_ESCAPE = later(r"%(?![0-9A-Fa-f]{2})")
_DOTS = later(r"(?:/|%2f|%5c)(?:\.|%2e){1,2}(?:/|%2f|%5c|$)", re.IGNORECASE)
_USER = later(r"[A-Za-z0-9._~!$&'()*+,;=:%-]*")
_PLACE = later(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::([0-9]{1,5}))?")
_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_NAME = later(rf"{_LABEL}(?:\.{_LABEL})*")
_PORT_AND_PATH = later(r"[0-9]{1,5}(?:/.*)?")
_NUMERIC = later(r"[0-9]+|0[xX][0-9A-Fa-f]*")
_MOST_NAME = 253
_MOST_PORT = 65_535
_KEPT = "/%:@!$&'()*+,;=~[]"
_WITH_HOST = frozenset({"http", "https", "ws", "wss", "ftp"})
"""For these, browsers find a host even where the two slashes are not there."""


def parse_url(text: str) -> Url:
    """An absolute URL, or an absolute path."""
    if not text.strip(" ") or text.strip(" ") != text:
        raise _refused("it is empty, or has spaces around it")
    if _STRIPPED.search(text):
        raise _refused("it has a backslash, a line end or another control character")
    if not _encodable(text):
        raise _refused("it has half a character")
    match = _PARTS.fullmatch(text)
    if match is None:
        raise _refused("its parts can't be told apart")
    scheme, authority, path, query, fragment = match.groups()
    if _HALF_ESCAPE.search(text[: len(text) - len(fragment or "")]):
        raise _refused("a `%` is not followed by two hexadecimal digits")
    if scheme is None and (authority is not None or not path.startswith("/")):
        raise _refused("it begins neither with a scheme, such as `https://`, nor with a single `/`")
    scheme = (scheme or "").lower()
    if scheme in _WITH_HOST and not authority:
        raise _refused(f"`{scheme}:` is followed by `//` and a host")
    if authority is None and _PORT_AND_PATH.fullmatch(path):
        raise _refused("a host and a port without a scheme before them")
    user, hostname, port = _placed(authority or "")
    if path.startswith("/") and _DOTS.search(path):
        raise _refused("its path has a segment `.` or `..`")
    path = _escaped(path)
    whole = f"{scheme}:" if scheme else ""
    if authority is not None:
        whole += f"//{user}{host(hostname, port)}"
    whole += path
    whole += "" if query is None else f"?{query}"
    whole += "" if fragment is None else f"#{fragment}"
    return Url(whole, scheme, hostname, port, path if path.startswith("/") else "", query or "")


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _placed(authority: str) -> tuple[str, str, str]:
    """User with `@`, host and port; names in lower case, addresses in their one spelling."""
    user, at, place = authority.rpartition("@")
    if not _USER.fullmatch(user):
        raise _refused("what stands before its `@` has other characters than a user and a password")
    match = _PLACE.fullmatch(place)
    if match is None:
        raise _refused("its host has other characters than a name, or its port is no number")
    name, port = match[1], match[2] or ""
    if port and (str(int(port)) != port or int(port) > _MOST_PORT):
        raise _refused(f"its port is no number up to {_MOST_PORT}, written without leading zeros")
    if not name and (user or at or port):
        raise _refused("it has a user or a port, but no host")
    return f"{user}{at}", _named(name), port


def _named(name: str) -> str:
    if not name:
        return ""
    if name.startswith("["):
        return write_ip(parse_ipv6(name[1:-1]))
    if not name.isascii():
        raise _refused("its host is not in ASCII: write the name with `xn--`")
    if len(name) > _MOST_NAME or not _NAME.fullmatch(name):
        raise _refused("its host has other characters than a name of labels between single dots")
    if _NUMERIC.fullmatch(name.rpartition(".")[2]):
        return write_ip(parse_ip(name))  # browsers take any number here as an address, others as a name
    return name.lower()


def host(hostname: str, port: str) -> str:
    """Host and port as they stand in a URL."""
    name = f"[{hostname}]" if ":" in hostname else hostname
    return f"{name}:{port}" if port else name


def _escaped(path: str) -> str:
    """A path with everything encoded that must be; what is encoded already stays as it is."""
    from urllib.parse import quote

    return quote(path, safe=_KEPT)


def query_of(value: Url) -> dict[str, list[str]]:
    """The values for each name in a query, decoded; a `;` is refused, since some programs split there."""
    if not value.query:
        return {}
    if ";" in value.query:
        raise CelError(ErrorKind.INVALID, "a query with `;`, which some programs take for `&`")
    from urllib.parse import unquote_plus

    found: dict[str, list[str]] = {}
    for pair in value.query.split("&"):
        name, _, text = pair.partition("=")
        if not pair:
            continue
        try:
            name, text = unquote_plus(name, errors="strict"), unquote_plus(text, errors="strict")
        except UnicodeDecodeError:
            raise CelError(ErrorKind.INVALID, "a query that is not UTF-8") from None
        found.setdefault(name, []).append(text)
    return found


def _refused(why: str) -> CelError:
    return CelError(ErrorKind.INVALID, f"not a URL that all programs read alike: {why}")
