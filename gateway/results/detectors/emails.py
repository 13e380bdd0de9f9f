"""Addresses of electronic mail."""

from __future__ import annotations

from gateway.results.detectors.format import Format

FIELDS: tuple[str, ...] = ()
NUMBERS = False

_LETTERS = r"A-Za-z\x{c0}-\x{24f}\x{370}-\x{52f}"
"""Latin, Greek and Cyrillic ones: before and behind an address, other scripts may have no blank."""
_LAST = rf"[{_LETTERS}0-9._%+'-]"
_LOCAL = rf"[{_LETTERS}0-9._%+'!#$^~-]{{0,63}}{_LAST}"
_DOMAIN = rf"(?:[{_LETTERS}0-9-]{{1,63}}\.){{1,8}}[{_LETTERS}]{{2,24}}"
_SOME_DOMAIN = rf"[{_LETTERS}0-9.-]+\.[{_LETTERS}]{{2}}"

FORMATS: tuple[Format, ...] = (
    Format(
        "address",
        f"{_LOCAL}@{_DOMAIN}",
        (
            "write to ann.lee+x@mail.example.com",
            "<bob@example.org>",
            "bob@exämple.org",
            "jörg@example.org",
            "bob!x@example.org",
            "a@b.c.de",
            "борис@пример.рф",
        ),
        ("ann at example.com", "@example.com", "*@example.com", "user@host"),
        broad=f"{_LAST}@{_SOME_DOMAIN}",
    ),
    Format(
        "address with a name in quotes",
        r'"[^"@<>\s\\][^"@<>\r\n\\]{0,62}"@' + _DOMAIN,
        ('"bob smith"@example.org',),
        ('"bob" @example.org', 'say "a" and b'),
        broad=f'"@{_SOME_DOMAIN}',
    ),
)
