"""Which arguments an expression reads."""

from __future__ import annotations

from gateway.cel.syntax import Has, Ident, Node, Parsed, Select, children


def arguments_read(parsed: Parsed) -> tuple[tuple[str, ...], bool]:
    """The names behind `args.` in an expression and in what it names, and whether it also takes `args` as a whole."""
    names: dict[str, None] = {}
    whole = False
    for let in parsed.lets.values():
        more, of_let = arguments_read(let)
        names.update(dict.fromkeys(more))
        whole = whole or of_let
    pending: list[Node] = [] if parsed.ast is None else [parsed.ast]
    while pending:
        node = pending.pop()
        if isinstance(node, Select | Has) and _is_args(node.operand):
            names[node.field] = None
        elif _is_args(node):
            whole = True
        else:
            pending.extend(reversed(children(node)))
    return tuple(names), whole


def _is_args(node: Node) -> bool:
    return isinstance(node, Ident) and node.name == "args"
