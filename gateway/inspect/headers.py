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
    """It is too long, holds a line break, a NUL or a name that is none, and so may be more than one header."""


MAX_HEADER = 16 * 1024
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
        "api-key",
        "apikey",
        "ocp-apim-subscription-key",
        "private-token",
        "x-access-token",
        "x-amz-security-token",
        "x-functions-key",
        "x-gitlab-token",
        "x-goog-api-key",
        "x-vault-token",
    )
)
_HOSTS = frozenset(
    ("host", ":authority", "x-forwarded-host", "x-host", "x-original-host", "x-original-url", "x-rewrite-url")
)
_ROUTING = frozenset(
    """
    connection content-length expect forwarded keep-alive proxy-connection te trailer transfer-encoding true-client-ip
    upgrade via x-client-ip x-forwarded-for x-forwarded-port x-forwarded-proto x-http-method-override x-real-ip
    x-http-method x-method-override x-forwarded x-forwarded-prefix x-forwarded-scheme x-forwarded-server
    x-cluster-client-ip cf-connecting-ip fastly-client-ip x-middleware-subrequest
    x-aws-ec2-metadata-token x-aws-ec2-metadata-token-ttl-seconds metadata metadata-flavor x-metadata-token
    """.split()  # noqa: SIM905
)


def header_kind(text: str) -> HeaderKind | None:
    """What a header, its name alone or `Name: value`, is that no model may set; None for every other."""
    colon = text.find(":", 1)
    name = text if colon < 0 else text[:colon]
    lower = name.strip().lower().replace("_", "-")
    # HTTP/2 writes what a request asks for as headers whose names begin with a colon.
    broken = len(text) > MAX_HEADER or any(char in text for char in "\r\n\0")
    if broken or not _NAME.fullmatch(name.removeprefix(":")):
        return HeaderKind.BROKEN
    if lower in _HOSTS or name.startswith(":"):
        return HeaderKind.HOST
    if lower in _CREDENTIALS:
        return HeaderKind.CREDENTIAL
    return HeaderKind.ROUTING if lower in _ROUTING else None
