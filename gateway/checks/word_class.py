r"""A pattern with a word in square brackets.

Brackets stand for one character out of those inside, in whatever order they are written: `[acme.com]` is one of `a`,
`c`, `m`, `e`, `.` and `o`, and `[^acme.com$]` one that is none of them, not the end of the text. A word stands in
brackets of the other kind: `(acme[.]com)$`.

Bad:

    rules:
      - id: ours
        tools: [send_mail]
        when: args.to.matches("^.*@[^acme.com$].*$")
        effect: deny
        message: Mail goes to our own people.

Good:

    rules:
      - id: ours
        tools: [send_mail]
        unless: args.to.matches("^[^@]+@acme[.]com$")
        effect: deny
        message: Mail goes to our own people.

A letter that stands twice, `$` behind letters and `|` between them show that a word was meant; in schemas as well.
Where the characters are meant, write `# gateway: ignore[word-class] …` on the line of the pattern.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.conditions import expressions, walk
from gateway.checks.reading import arguments, own_tools
from gateway.checks.unanchored_pattern import pieces
from gateway.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.diagnostic import Span
    from gateway.policy import Policy

_NO_CHARACTERS = re.compile(r"\\.|.-.")
_ENDED = re.compile(r"[A-Za-z]{2,}\$$")
_EITHER = re.compile(r"[A-Za-z0-9]\|[A-Za-z0-9]")
_FEWEST = 4


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each constant pattern of a condition, and each of a schema, that holds one."""
    from gateway.cel.syntax import Call, Literal

    for expression in expressions(policy):
        for node in walk(expression.parsed):
            match node:
                case Call(name="matches", arguments=(*_, Literal(value=str() as pattern) as literal)):
                    yield from _found(pattern, expression.parsed.span(literal))
    for tool in own_tools(compiled):
        for argument in arguments(tool):
            written = argument.schema.get("pattern")
            if isinstance(written, str):
                place = tool.places["parameters"]
                yield from _found(written, place.span("parameters", *argument.keys, "pattern"))


def _found(pattern: str, span: Span) -> Iterator[Diagnostic]:
    for piece, _ in pieces(pattern):
        if piece.startswith("[") and "[:" not in piece and _is_word(piece[1:-1].removeprefix("^")):
            yield Diagnostic(
                "",
                f"`{piece}` is one character out of those in the brackets, in any order, and no word",
                span,
                "write the word without brackets, or in round ones",
            )
            return


def _is_word(inside: str) -> bool:
    letters = [char for char in _NO_CHARACTERS.sub("", inside) if char.isalpha()]
    often = any(count > 1 for count in Counter(letters).values())
    return bool((often and len(letters) >= _FEWEST) or _ENDED.search(inside) or _EITHER.search(inside))
