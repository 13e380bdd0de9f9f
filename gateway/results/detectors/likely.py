"""Whether a text looks like a secret, or like a word, a placeholder or a published example."""

from __future__ import annotations

import re
from base64 import b64decode
from typing import Any

from gateway.later import later

_LONGEST = 500
"""Of longer texts the beginning decides."""
_WORDS = (
    r"(?:(?:my|your|the|some|any|db|user|proxy|admin|access|api|auth|client|bot|test|new|old)?[_ -]?"
    r"(?:pass(?:word|wd|phrase)?|pwd|pw|psw|secret|token|key|pat|credentials?|apikey)"
    r"|anoncvs|anonymous|guest|null|none|true|false|undefined|required|optional|disabled|enabled|string"
    r"|x{3,}|\*{3,}|\.{3,}|xyz|changeme|redacted)"
)
_PLACEHOLDER = later(
    rf"(?i:{_WORDS})|<[^<>]*+>|\[[^\[\]]*+\]|\([^()]*+\)|\{{[^{{}}]*+\}}|\$(?:[A-Za-z_]++|[A-Z_][A-Z0-9_]*+|[({{].*+)"
    r"|%(?:[sdr]|[({].*+)|.*(?:EXAMPLE|EXAMPLEKEY|\.\.\.|\u2026)",
    re.DOTALL,
)
_TEMPLATE = ("${", "{{", "}}", "%(", "#{", "<%")
_IDENTIFIER = later(r"[A-Za-z_$][A-Za-z_0-9$]*(?:(?:\.|->|::)[A-Za-z_$][A-Za-z_0-9$]*)+[(\[)]?")


def placeholder(text: str) -> bool:
    """Whether a text stands for a secret and is none."""
    text = text[:_LONGEST]
    return _PLACEHOLDER.fullmatch(text) is not None or any(mark in text for mark in _TEMPLATE)


def mixed(text: str) -> bool:
    """Whether a text holds letters and digits, or upper and lower case, as no word does, and is no example."""
    text = text[:_LONGEST]
    digits = any(c.isdigit() for c in text)
    upper, lower = any(c.isupper() for c in text), any(c.islower() for c in text)
    return (
        (upper or lower) and (digits or (upper and lower)) and not placeholder(text) and "EXAMPLE" not in text
    )


def token(text: str, shortest: int) -> bool:
    """Whether a text is a credential: long enough, with letters and digits, and no word of a program."""
    text = text[:_LONGEST]
    if len(text) < shortest or placeholder(text) or "EXAMPLE" in text:
        return False
    if any(c in text for c in "(){}[]<>$%") or (_IDENTIFIER.fullmatch(text) and text.count(".") != 2):
        return False
    if not any(c.isalpha() for c in text):
        return len(text) >= 16 and text.isdigit()
    return any(c.isdigit() for c in text) or (len(text) >= 32 and text.isalnum() and mixed(text))


def basic(text: str) -> bool:
    """Whether a text is a user and a password as the Basic scheme writes them."""
    text = text[:_LONGEST].rstrip("=")
    try:
        said = b64decode(text[: len(text) - (len(text) % 4 == 1)] + "=" * (-len(text) % 4), validate=True)
    except ValueError:
        return False
    return b":" in said and said.partition(b":")[0].isascii()


_SCHEMES = later(
    r"(basic|bearer|token|digest|negotiate|apikey|[A-Za-z][A-Za-z0-9-]{2,30})\s+(\S.*+)", re.I | re.S
)


def header(text: str) -> bool:
    """Whether a text is the value of an `Authorization` header."""
    found = _SCHEMES.fullmatch(text[:_LONGEST].strip())
    if found is None:
        return field(text)
    scheme, value = found[1].lower(), found[2]
    if scheme == "basic":
        return basic(value) or token(value, 16)
    return "=" in value.rstrip("=") if scheme == "digest" or "," in value else token(value, 8)


def field(text: str) -> bool:
    """Whether the value of a field that holds secrets is one: of some length, without blanks, no placeholder."""
    text = text.strip()
    known = placeholder(text) or "EXAMPLE" in text[:_LONGEST]
    return len(text) >= 8 and not any(c.isspace() for c in text[:_LONGEST]) and not known


def of_some_kind(text: str) -> bool:
    """Whether the value of a field that holds a header or a secret is one."""
    return field(text) or header(text)


def is_mixed(match: Any) -> bool:
    """Whether what a format found is no word."""
    return mixed(match[0])
