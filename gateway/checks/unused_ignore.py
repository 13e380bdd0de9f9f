"""A comment that silences a check where that finds nothing.

What it was written for has gone, or stands elsewhere now. Left there it silences the next finding, which nobody has
looked at.

Bad:

    rules:
      - {id: large, tools: [pay], effect: ask, message: Why?} # gateway: ignore[missing-message] soon

Good:

    rules:
      - {id: large, tools: [pay], effect: ask, message: Why?}

A name that no check has is found as well. Comments for `second-opinion` are not, as that runs only when it is asked
for. To keep one that is needed now and then, add `# gateway: ignore[unused-ignore] …` to its line, and why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gateway.checks.ignores import Ignore, Ignores
from gateway.diagnostic import Confidence, Diagnostic, Edit, Span, respelt, suggest

CONFIDENCE = Confidence.CERTAIN
_ASKED_FOR = frozenset({"second-opinion"})
_OWN = "unused-ignore"


def check_ignores(ignores: Ignores, known: Sequence[str]) -> Iterator[Diagnostic]:
    """Each name in a comment that silenced nothing; those of this check come last, as it is what they silence."""
    for ignore in ignores.every:
        for name, span in ignore.unused:
            if name in _ASKED_FOR or name == _OWN:
                continue
            if name in known:
                text = f"`{name}` finds nothing here, so the comment silences nothing"
                yield Diagnostic(_OWN, text, span, "remove it", edits=_without(ignore, name))
            else:
                near = suggest(name, known)
                help_ = (
                    f"did you mean `{near[0]}`?"
                    if near
                    else "`gatewayctl lint` prints the name of each check"
                )
                message = f"there is no check `{name}`"
                yield Diagnostic(_OWN, message, span, help_, edits=respelt(name, known, span))


def _without(ignore: Ignore, name: str) -> tuple[Edit, ...]:
    """What takes a name out of a comment; the last one takes the comment along, and the line where that is alone."""
    source, text = ignore.span.source, ignore.span.source.text
    names = list(ignore.names)
    at = names.index(name)
    if len(names) > 1:
        if at == 0:
            start, end = ignore.names[name].start, ignore.names[names[1]].start
        else:
            start, end = ignore.names[names[at - 1]].end, ignore.names[name].end
        return (Edit(Span(source, start, end), ""),)
    end = ignore.span.start + len(ignore.span.text.rstrip("\r"))
    before = text[: ignore.span.start]
    start = len(before.rstrip(" \t"))
    if text[end : end + 1] == "#":
        start = ignore.span.start  # another comment follows
    elif text[start - 1 : start] in ("", "\n"):
        end = text.find("\n", end) + 1 or len(text)
    return (Edit(Span(source, start, end), ""),)
