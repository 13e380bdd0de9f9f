"""The addresses that a host leads to: all of them are checked, and a tool connects to none but these."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gateway.inspect.command import Remark
from gateway.inspect.url.kind import UrlKind
from gateway.inspect.url.url import Url, resolved_kinds

Lookup = Callable[[str], tuple[str, ...]]
"""Gives the addresses of a name; none where it has none, or where that can't be found out."""


def pinned(url: Url, lookup: Lookup) -> tuple[str, ...]:
    """The addresses of a URL's host."""
    if url.address is not None:
        return (str(url.address),)
    return lookup(url.host)


def led(url: Url, addresses: tuple[str, ...], text: str) -> Iterator[Remark]:
    """What is to be said of the addresses that a name leads to."""
    if url.address is not None:
        return
    if not addresses:
        reason = f"no address is known for `{url.host}`"
        yield Remark(UrlKind.UNRESOLVED.value, url.host, reason, 0, len(text))
    for address in addresses:
        for kind in sorted(resolved_kinds((address,)), key=lambda each: each.value):
            yield Remark(kind.value, url.host, f"`{url.host}` leads to `{address}`", 0, len(text))
