"""The parts of a URL as two kinds of programs see them: those that mend what they read, and those that don't."""

from __future__ import annotations

import re

from gateway.frozen import frozen
from gateway.later import later

MENDING = frozenset(("http", "https", "ws", "wss", "ftp"))
"""Schemes for which browsers take backslashes and any number of slashes."""
_SCHEME = later(r"([A-Za-z][A-Za-z0-9+.-]*):")
_PORT_NEXT = later(r"[0-9]{1,5}(?:[/?#\\]|\Z)")
_STRICT = later(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
_DROPPED = frozenset("\t\n\r")
_EDGE = frozenset(chr(code) for code in range(0x21))
_SLASHES = "/\\"


@frozen
class Parts:
    """A URL taken apart: nothing decoded, the scheme in lower case and empty where there is none.

    `start` and `end` say where the host stands in the text that was read.
    """

    scheme: str
    userinfo: str | None
    host: str
    port: str | None
    path: str
    query: str | None
    fragment: str | None
    start: int
    end: int


def lenient(text: str) -> Parts:
    """The parts as browsers see them: white space dropped, backslashes taken as slashes, slashes skipped."""
    first, last = 0, len(text)
    while first < last and text[first] in _EDGE:
        first += 1
    while last > first and text[last - 1] in _EDGE:
        last -= 1
    kept = [at for at in range(first, last) if text[at] not in _DROPPED]
    read = "".join(text[at] for at in kept)
    scheme, at = scheme_of(read)
    begin, end = _authority(read, scheme, at)
    userinfo, host_at, host, port = _split(read[begin:end], begin)
    path, query, fragment = _rest(read[end:])
    ends = [*kept, last]
    start = ends[host_at]
    stop = ends[host_at + len(host) - 1] + 1 if host else start
    return Parts(scheme, userinfo, host, port, path, query, fragment, start, stop)


def strict(text: str) -> Parts:
    """The parts by the grammar of RFC 3986, which mends nothing; only spaces around the whole are left out."""
    read = text.strip(" \t\r\n")
    if not scheme_of(read)[0] and not read.startswith("/"):
        read = "//" + read
    found = _STRICT.fullmatch(read)
    scheme, authority, path, query, fragment = (
        found.groups() if found is not None else ("", "", read, None, None)
    )
    userinfo, at, host, port = _split(authority or "", 0)
    return Parts((scheme or "").lower(), userinfo, host, port, path, query, fragment, at, at + len(host))


def scheme_of(text: str) -> tuple[str, int]:
    """The scheme in lower case and where the rest begins; `host:8080` has none."""
    found = _SCHEME.match(text)
    if found is None:
        return "", 0
    scheme = found[1].lower()
    if scheme not in MENDING and _PORT_NEXT.match(text, found.end()):
        return "", 0
    return scheme, found.end()


def _authority(text: str, scheme: str, at: int) -> tuple[int, int]:
    """Where the part with the host begins and ends."""
    mending = scheme in MENDING or not scheme
    slashes = at
    while slashes < len(text) and text[slashes] in _SLASHES:
        slashes += 1
    count = slashes - at
    if not mending and (count < 2 or (scheme != "file" and text[at : at + 2] != "//")):
        return at, at
    if not scheme and count == 1:
        return at, at
    begin = slashes if mending else at + 2
    stops = "/\\?#" if mending or scheme == "file" else "/?#"
    end = min((found for stop in stops if (found := text.find(stop, begin)) >= 0), default=len(text))
    return begin, end


def _split(authority: str, at: int) -> tuple[str | None, int, str, str | None]:
    """The user name, where the host begins, the host and the port."""
    name, mark, rest = authority.rpartition("@")
    userinfo = name if mark else None
    at += len(authority) - len(rest)
    if rest.startswith("[") and "]" in rest:
        inside, _, behind = rest.rpartition("]")
        if behind.startswith(":"):
            return userinfo, at, inside + "]", behind[1:]
        return userinfo, at, rest, None
    host, colon, port = rest.rpartition(":")
    if not colon or ":" in host or rest.startswith("["):
        return userinfo, at, rest, None
    return userinfo, at, host, port


def _rest(text: str) -> tuple[str, str | None, str | None]:
    before, mark, fragment = text.partition("#")
    path, asked, query = before.partition("?")
    return path, query if asked else None, fragment if mark else None
