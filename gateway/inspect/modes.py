"""Modes of files as `chmod` takes them: whether they let everyone write, or let a program run as another user."""

from __future__ import annotations

import re

from gateway.inspect.options import Bound
from gateway.inspect.word import Word, certain
from gateway.later import later

_OCTAL = later(r"[=+]?0*([0-7]{0,4})", re.ASCII)
_CLAUSE = later(r"([ugoa]*)([+=])([rwxXst]*)", re.ASCII)
_SECRET_READERS = 0o044


def with_mode(program: str, bound: Bound) -> Bound:
    """Options of a program that sets modes, with flags for what its mode allows: `set-id`, `all-write`, `all-read`."""
    word = _mode(program, bound)
    found = allowed(certain(word.value)) if word is not None else frozenset()
    if word is None or not found:
        return bound
    return Bound({**bound.flags, **dict.fromkeys(sorted(found), (word,))}, bound.operands, bound.loose)


def _mode(program: str, bound: Bound) -> Word | None:
    if program == "chmod":
        return bound.operands[0] if bound.operands and "reference" not in bound.flags else None
    return bound.value("mode") if program in ("install", "mkdir", "mkfifo") else None


def allowed(mode: str) -> frozenset[str]:
    """What a mode allows beyond the owner of a file."""
    octal = _OCTAL.fullmatch(mode)
    if octal is not None:
        bits = int(octal[1] or "0", 8)
        given = {"set-id": bits & 0o6000, "all-write": bits & 0o002, "all-read": bits & _SECRET_READERS}
        return frozenset(name for name, bit in given.items() if bit)
    found: set[str] = set()
    for clause in mode.split(","):
        for who, _, what in _CLAUSE.findall(clause):
            if "s" in what and (not who or set(who) & set("uga")):
                found.add("set-id")
            if "w" in what and set(who) & set("oa"):
                found.add("all-write")
            if "r" in what and set(who) & set("goa"):
                found.add("all-read")
    return frozenset(found)
