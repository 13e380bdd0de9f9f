"""A host that may go on where a text or a pattern ends, where a match loosens the policy.

`x.startsWith("https://acme.com")` is true of `https://acme.com.evil.example/` and `https://acme.com@evil.example/` as
well, and `x.endsWith("acme.com")` of `evil-acme.com`. So are patterns with one anchor, `^https://acme[.]com` and
`acme[.]com$`. In the `when` of an allow rule, in the `unless` of a deny or ask rule, in `read_only_when` and behind a
`!` that turns it round, whoever registers such a name gets the exception.

Bad, where a longer name will do too:

    rules:
      - {id: docs, tools: [send_mail], when: 'args.to.startsWith("https://acme.com")', effect: allow}

Good:

    rules:
      - {id: docs, tools: [send_mail], when: 'args.to.startsWith("https://acme.com/")', effect: allow}

End a beginning with `/`, and begin an ending with `.`, `@` or `/`; or compare `url(x).getHostname()`. Where any longer
name is meant, write `# gateway: ignore[open-host] …` on the line of the condition, and why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.loosening import loosening_texts
from gateway.checks.unanchored_pattern import alternatives, pieces
from gateway.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

_SCHEME = r"(?:https?|wss?|ftp|git|ssh)"
_BEGINNING = re.compile(rf"(?:{_SCHEME}:)?//[^/?#]+", re.I)
_PATTERN_BEGINNING = re.compile(rf"\^(?:\(\?:)?{_SCHEME}(?:\?|\(s\)\?)?\)?:(?:\\?/){{2}}(?=.)", re.I)
_ANYTHING_BEFORE = re.compile(r"\^?\.[*+]\??")
_ENDS = (
    "com",
    "org",
    "net",
    "io",
    "dev",
    "edu",
    "gov",
    "biz",
    "info",
    "example",
    "internal",
    "corp",
    "local",
    "cloud",
)
_ENDING = re.compile(rf"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:{'|'.join(_ENDS)})", re.I)
_DOTS = re.compile(r"\\\.|\[\.\]")


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each constant text or pattern that a longer host passes too, where that loosens the policy."""
    for parsed, call, text in loosening_texts(policy):
        found = _passing(call.name, str(text.value))
        if found is not None:
            passes, help_ = found
            message = f"{passes} passes too, and a match loosens the policy"
            yield Diagnostic("", message, parsed.span(text), help_)


def _passing(function: str, text: str) -> tuple[str, str] | None:
    """What passes that was not meant, and what to write instead."""
    if function == "startsWith" and _BEGINNING.fullmatch(text):
        return f"`{text.rstrip('.')}.evil.example`", "end it with `/`, or compare `url(…).getHostname()`"
    if function == "endsWith" and _ENDING.fullmatch(text):
        return f"`evil-{text}`", "begin it with `.`, `@` or `/`, or compare `url(…).getHostname()`"
    if function == "matches" and any(map(_begins_open, alternatives(text))):
        return "a longer host that begins so", "write `/` or `$` behind the host"
    if function == "matches" and any(map(_ends_open, alternatives(text))):
        return "a longer host that ends so", "write `^`, `[.]`, `@` or `/` before the host"
    return None


def _begins_open(pattern: str) -> bool:
    """Whether a pattern begins with a scheme and a host, behind which anything may stand."""
    beginning = _PATTERN_BEGINNING.match(pattern)
    if beginning is None:
        return False
    behind = list(pieces(pattern[beginning.end() :]))
    return not any(_stops(piece) and _has_to_be(behind, place) for place, (piece, _) in enumerate(behind))


def _stops(piece: str) -> bool:
    """Whether a piece of a pattern ends a host."""
    listed = piece.startswith("[") and not piece.startswith("[^") and "/" in piece
    return listed or piece in ("/", r"\/", "$", r"\z")


def _has_to_be(behind: list[tuple[str, int]], place: int) -> bool:
    """Whether neither a piece nor a group that it stands in may be left out."""
    depth = behind[place][1]
    for piece, around in (
        (place, depth),
        *((end, inside) for end, (one, inside) in enumerate(behind) if one == ")"),
    ):
        follows = behind[piece + 1][0] if piece + 1 < len(behind) else ""
        if piece >= place and around <= depth and follows in ("?", "*"):
            return False
        if piece > place and around == 1:
            break
    return True


def _ends_open(pattern: str) -> bool:
    """Whether a pattern ends with a host, before which anything may stand."""
    bare = _ANYTHING_BEFORE.sub("", pattern, count=1) if _ANYTHING_BEFORE.match(pattern) else pattern
    return bare.endswith("$") and _ENDING.fullmatch(_DOTS.sub(".", bare[:-1])) is not None
