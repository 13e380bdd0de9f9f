"""Conditions of a policy as texts in one spelling: `when` and `unless` together, and what they read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from gateway.cel import Parsed, bind, parse
from gateway.cel.functions import STANDARD
from gateway.cel.syntax import Call, Has, Ident, Node, Select, children
from gateway.diagnostic import Excerpt
from gateway.relaxation.implied import Read, implies
from gateway.relaxation.spelled import Lists, Unspellable, spelled

if TYPE_CHECKING:
    from gateway.policy import Condition, Where

ALWAYS, NEVER = "true", "false"
"""The conditions that hold for every call, and for none."""
EVERYTHING = "*"
"""Among what conditions read: an expression that could not be looked into."""

_UNBUILT = frozenset(function.name for function in STANDARD if not function.built)


def condition_of(part: Condition, lists: Lists) -> str:
    """`(when) && !(unless)` of a part, with its `let` names written out, and lists as far as that can be read."""
    whole = _condition(part, lists)
    return whole if not lists or read(whole) is not None else _condition(part, {})


def _condition(part: Condition, lists: Lists) -> str:
    when = None if part.when is None else expression_of(part.where, ("when",), part.let, lists)
    unless = None if part.unless is None else expression_of(part.where, ("unless",), part.let, lists)
    if unless is None:
        return ALWAYS if when is None else when
    return _again(f"!({unless})" if when is None else f"({when}) && !({unless})")


def expression_of(where: Where, keys: tuple[str, ...], let: Mapping[str, str], lists: Lists) -> str:
    """One expression of a part in one spelling; as it was written, with its names, where that is too long.

    A list that is not written out is still read by the text, so that its change counts for itself.
    """
    written = (where.excerpt(*keys).text, *let.items())
    if any("lists" in str(part) for part in written):
        return _expression_of(where, keys, let, lists)
    if written not in _spelt:
        if len(_spelt) >= _MOST:
            _spelt.clear()
        _spelt[written] = _expression_of(where, keys, let, {})
    return _spelt[written]


_MOST = 10_000
_spelt: dict[tuple[Any, ...], str] = {}
"""Expressions that read no list, as they were spelled before: both sides of a change have most of them."""


def _expression_of(where: Where, keys: tuple[str, ...], let: Mapping[str, str], lists: Lists) -> str:
    known: dict[str, Parsed] = {}
    for name in let:
        known[name] = bind(parse(where.excerpt("let", name)), dict(known))
    parsed = bind(parse(where.excerpt(*keys)), known)
    if lists:
        with suppress(Unspellable):
            text = _again(spelled(parsed, lists))
            if read(text) is not None:
                return text
    try:
        return _again(spelled(parsed))
    except Unspellable:
        names = "".join(f"let {name} = {text}; " for name, text in let.items())
        return names + where.excerpt(*keys).text


def _again(text: str) -> str:
    """A text spelled once more, now that names are written out: what was a chain inside a chain is one."""
    parsed = parse(Excerpt.whole(text))
    try:
        return text if parsed.diagnostics else spelled(parsed)
    except Unspellable:
        return text


def read(text: str) -> Read | None:
    """A condition that can be looked into."""
    parsed = parse(Excerpt.whole(text))
    return None if parsed.ast is None or parsed.diagnostics else Read(text, parsed.ast)


def in_force(text: str, unbuilt: str = NEVER) -> str:
    """The condition, or what it comes to where it needs what is not built yet."""
    found = read(text)
    if found is None:
        return text
    return unbuilt if any(map(_is_unbuilt, _nodes(found.tree))) else text


def _is_unbuilt(node: Node) -> bool:
    return isinstance(node, Call) and node.name in _UNBUILT


def covered(old: str, new: str, whole: Set[str] = frozenset()) -> bool:
    """Whether the new condition certainly holds wherever the old one does, and fails or holds wherever that does.

    `whole` is what both read that is never a fraction.
    """
    before, after = read(in_force(old)), read(in_force(new))
    return before is not None and after is not None and implies(before, after, whole)


def reads_of(texts: Iterable[str]) -> frozenset[str]:
    """What conditions read of what a policy declares: `tool.risk`, or `tool` where the whole is read."""
    found: set[str] = set()
    for text in dict.fromkeys(texts):
        one = read(text)
        if one is None:
            found.add(EVERYTHING)
            continue
        inside: set[int] = set()
        for node in _nodes(one.tree):
            if isinstance(node, Select | Has) and isinstance(node.operand, Ident):
                found.add(f"{node.operand.name}.{node.field}")
                inside.add(id(node.operand))
            elif isinstance(node, Ident) and id(node) not in inside:
                found.add(node.name)
    return frozenset(found)


def _nodes(tree: Node) -> Iterable[Node]:
    """Every node, each before those below it."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(children(node))
