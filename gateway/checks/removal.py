"""The edit that takes an entry out of a policy's text, and leaves every other character as it is."""

from __future__ import annotations

from collections.abc import Sequence

from gateway.diagnostic import Edit, Span
from gateway.document import Document


def removed(document: Document, path: Sequence[str | int]) -> tuple[Edit, ...]:
    """What removes an entry of a mapping or a list; a mapping that would be empty goes with its last one.

    None where a comment would go with it, where it shares its lines with something else, or for the last of a list.
    """
    *above, _ = path
    holder = document.data
    for step in above:
        holder = holder[step]
    if len(holder) == 1:
        return removed(document, above) if above and isinstance(holder, dict) else ()
    start, end = document.key_span(path).start, document.span(path).end
    text = document.source.text
    inside = document.span(above).text[:1] in ("{", "[")
    span = _between_commas(text, start, end) if inside else _lines(text, start, end)
    if span is None or _holds_comment(document, *span):
        return ()
    return (Edit(Span(document.source, *span), ""),)


def _between_commas(text: str, start: int, end: int) -> tuple[int, int] | None:
    """An entry in brackets with the comma that follows it, or behind the last one the comma before it."""
    after = end + len(text[end:]) - len(text[end:].lstrip())
    if text[after] == ",":
        after += 1
        return start, after + len(text[after:]) - len(text[after:].lstrip(" "))
    before = text[:start].rstrip()
    return (len(before) - 1, end) if before.endswith(",") else None


def _lines(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The lines of an entry that shares them with nothing, from the first to the break behind the last."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end) + 1 or len(text)
    alone = text[first:start].strip(" ") in ("", "-") and not text[end:last].strip()
    return (first, last) if alone else None


def _holds_comment(document: Document, start: int, end: int) -> bool:
    text = document.source.text
    return any(text[at] == "#" and not document.in_scalar(at) for at in range(start, end))
