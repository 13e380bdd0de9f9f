"""Looks up the addresses of a host, for a tool that then connects to none but these."""

from __future__ import annotations


def addresses_of(host: str) -> tuple[str, ...]:
    """All addresses that the system's resolver gives for a name; none where it gives none."""
    import socket

    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return ()
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))
