"""A pattern that matches anywhere in a text, where a match loosens the policy.

`x.matches("acme[.]com")` is true of `https://evil.example/?acme.com` as well. In the `when` of a deny or ask rule that
stops a call too many. In the `when` of an allow rule, in the `unless` of a deny or ask rule, in `read_only_when` and
behind a `!` that turns it round, it is a hole: whoever writes the text around the harmless part gets the exception.

Bad, where any address with the name somewhere in it will do:

    rules:
      - {id: own-mail, tools: [send_mail], when: 'args.to.matches("@acme[.]com")', effect: allow}

Good:

    rules:
      - {id: own-mail, tools: [send_mail], when: 'args.to.matches("^[a-z.]+@acme[.]com$")', effect: allow}

One anchor is taken as meant: `$` alone asks for an ending, `^` alone for a beginning. Of alternatives each needs one:
`^a|b` matches `b` anywhere. Where anywhere is meant, `contains` says so; or write `# gateway:
ignore[unanchored-pattern] …` on the line of the condition, and why.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.loosening import loosening_texts
from gateway.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each constant pattern without an anchor whose match loosens the policy."""
    for parsed, call, text in loosening_texts(policy):
        if call.name == "matches" and not anchored(str(text.value)):
            yield Diagnostic(
                "",
                "the pattern matches anywhere in the text, and a match loosens the policy",
                parsed.span(text),
                "begin it with `^` and end it with `$`, or write `contains` if anywhere is meant",
            )


def anchored(pattern: str) -> bool:
    """Whether each alternative of a pattern says where in the text it begins or ends."""
    return all(map(_has_anchor, alternatives(pattern)))


def alternatives(pattern: str) -> list[str]:
    """The parts between `|` outside of groups; a group around all of it is opened."""
    parts = [""]
    for piece, depth in pieces(pattern):
        if piece == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += piece
    if len(parts) == 1 and (inside := _inside_of_group(parts[0])) is not None:
        return alternatives(inside)
    return parts


def _inside_of_group(part: str) -> str | None:
    depths = [depth for _, depth in pieces(part)]
    if not part.startswith("(") or 0 in depths[1:]:
        return None
    inside = part[1:-1]
    return inside.partition(":")[2] if inside.startswith("?") else inside


def _has_anchor(part: str) -> bool:
    return any(piece in ("^", "$", r"\A", r"\z") for piece, _ in pieces(part))


def pieces(pattern: str) -> Iterator[tuple[str, int]]:
    """Characters, escapes and classes, each with how many groups are open around it; brackets lie inside theirs."""
    depth = at = 0
    while at < len(pattern):
        end = at + 1
        if pattern[at] == "\\":
            end = at + 2
        elif pattern[at] == "[":
            end = at + 1
            while end < len(pattern) and (pattern[end] != "]" or end in (at + 1,)):
                end += 2 if pattern[end] == "\\" else 1
            end += 1
        depth += pattern[at] == "("
        yield pattern[at:end], depth
        depth -= pattern[at] == ")"
        at = end
