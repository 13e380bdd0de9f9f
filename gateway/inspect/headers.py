"""What is wrong with a header that a model wants to send."""

from __future__ import annotations

from enum import Enum

from gateway.later import later


class HeaderKind(Enum):
    """What a header is that no model may set."""

    HOST = "host"
    """It says which site is asked, whatever the address says."""
    CREDENTIAL = "credential"
    """It says who asks."""
    ROUTING = "routing"
    """It tells servers in between where a request comes from or how it ends."""
    BROKEN = "broken"
    """It holds a line break, a NUL or a name that is none, and so may be more than one header."""


_NAME = later(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CREDENTIALS = frozenset(
    (
        "authorization",
        "proxy-authorization",
        "cookie",
        "cookie2",
        "www-authenticate",
        "x-api-key",
        "x-auth-token",
    )
)
_HOSTS = frozenset(
    ("host", ":authority", "x-forwarded-host", "x-host", "x-original-host", "x-original-url", "x-rewrite-url")
)
_ROUTING = frozenset(
    """
    connection content-length expect forwarded keep-alive proxy-connection te trailer transfer-encoding true-client-ip
    upgrade via x-client-ip x-forwarded-for x-forwarded-port x-forwarded-proto x-http-method-override x-real-ip
    x-aws-ec2-metadata-token x-aws-ec2-metadata-token-ttl-seconds metadata metadata-flavor x-metadata-token
    """.split()  # noqa: SIM905
)


def header_kind(text: str) -> HeaderKind | None:
    """What a header, its name alone or `Name: value`, is that no model may set; None for every other."""
    name, _, value = text.partition(":") if not text.startswith(":") else (text, "", "")
    lower = name.strip().lower().replace("_", "-")
    if any(char in text for char in "\r\n\0") or (not _NAME.fullmatch(name) and not name.startswith(":")):
        return HeaderKind.BROKEN
    del value
    if lower in _HOSTS:
        return HeaderKind.HOST
    if lower in _CREDENTIALS:
        return HeaderKind.CREDENTIAL
    return HeaderKind.ROUTING if lower in _ROUTING else None
