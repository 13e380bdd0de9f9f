"""Addresses of electronic mail."""

from __future__ import annotations

from gateway.results.detectors.format import Format

FIELDS: tuple[str, ...] = ()
NUMBERS = False

FORMATS: tuple[Format, ...] = (
    Format(
        "address",
        r"[A-Za-z0-9._%+'-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}",
        ("write to ann.lee+x@mail.example.com", "<bob@example.org>"),
        ("ann at example.com", "@example.com", "user@host"),
    ),
)
