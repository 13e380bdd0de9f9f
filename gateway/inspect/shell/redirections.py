"""Redirections: the files that they name, and the text that they feed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.inspect.shell.expand import Expander
from gateway.inspect.shell.invocation import Redirect, Text
from gateway.inspect.shell.kept import held

if TYPE_CHECKING:
    from tree_sitter import Node

    from gateway.inspect.shell.walk import Walk

_CLOSING = frozenset((">&-", "<&-"))


def redirections(
    walk: Walk, nodes: list[Node] | tuple[Node, ...]
) -> tuple[tuple[Redirect, ...], Text | None, list[Node]]:
    """The files that redirections name, the text that they feed in, and words that are not theirs."""
    redirects: list[Redirect] = []
    text: Text | None = None
    more: list[Node] = []
    for node in nodes:
        start, _ = walk.script.span(node)
        operator = next((c for c in node.children if not c.is_named), None)
        # The grammar lacks `<>`, which opens a file for writing too.
        both = node.has_error and "<>" in walk.script.slice(node)
        at = walk.script.span(operator)[0] if operator is not None else start
        named = [c for c in node.named_children if c.type not in ("file_descriptor", "ERROR")]
        if operator is not None and operator.type in _CLOSING:
            # The parser takes the word behind `>&-`, which closes a file, for a file name.
            more += named
            continue
        found = walk.script.heredocs.get(at)
        if node.type == "herestring_redirect":
            text = tuple(v for c in named[:1] for v in walk.expander.values(*walk.script.span(c))) or None
        elif found is not None:
            text = _document(walk, found.body, found.start, found.expands)
            more += named[1:]
        else:
            # The parser cuts some targets, such as `$1/$2`, into several nodes.
            stop = next((end for _, end in walk.spans(named)), 0)
            target = [c for c in named if walk.script.span(c)[0] < stop]
            more += named[len(target) :]
            for word in walk.words(target):
                kind = "<>" if both else operator.type if operator is not None else ""
                redirects.append(Redirect(kind, word))
                if operator is not None and operator.type == "<":
                    text = held(walk, word.value) or text
    return tuple(redirects), text, more


def _document(walk: Walk, body: str, start: int, expands: object) -> Text:
    """The text of a here-document, expanded where the shell would."""
    if not expands or not any(c in body for c in "$`\\"):
        return (body,)
    inner = Expander(body, walk.scope, lambda text, a, b, n: walk.nested(text, start, a, b, n))
    return inner.document(0, len(body))
