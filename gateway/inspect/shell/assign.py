"""Assignments and declarations: what variables and arrays hold from then on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.inspect.shell.invocation import Simple, Text
from gateway.inspect.shell.parse import Script
from gateway.inspect.shell.variables import assigned
from gateway.inspect.word import UNKNOWN, Word
from gateway.later import later

if TYPE_CHECKING:
    from tree_sitter import Node

    from gateway.inspect.shell.walk import Walk

_PLACED = later(r"\[([^\]]*)\]\+?=")
_DIGITS = 6
_REFERRING = frozenset(("declare", "local", "typeset"))
_REFERS = later(r"-[a-zA-Z]*n[a-zA-Z]*")


def name_of(script: Script, node: Node) -> str:
    """The name that an assignment gives a value."""
    name = node.child_by_field_name("name")
    return "" if name is None else script.slice(name).partition("[")[0]


def assignment(walk: Walk, node: Node) -> None:
    """Remember what a variable or array holds."""
    name, value = name_of(walk.script, node), node.child_by_field_name("value")
    text = walk.script.text
    target = node.child_by_field_name("name")
    start, end = walk.script.span(node)
    equals = text.find("=", start, end)
    if value is not None and value.type == "array":
        walk.scope.assign_array(name, walk.scope.arrays.get(name, ()) if text[equals - 1] == "+" else ())
        if not any(_PLACED.match(text, walk.script.span(child)[0]) for child in value.named_children):
            items = tuple(word.value for child in value.named_children for word in walk.words([child]))
            walk.scope.assign_array(name, (*walk.scope.arrays[name], *items))
            return
        for child in value.named_children:
            walk.reading.budget.spend(1 + len(walk.scope.arrays[name]) // 16)
            _item(walk, name, child)
        return
    values = walk.expander.values(equals + 1, end) if value is not None else ("",)
    if text[equals - 1] == "+":
        values = tuple(a + b for a in walk.scope.values(name) for b in values)
    walk.reading.budget.spend(1 + sum(map(len, values)) // 64)
    if target is not None and target.type == "subscript":
        first, last = walk.script.span(target)
        walk.scope.assign_item(name, _index(walk, text.find("[", first) + 1, last - 1), values)
        return
    walk.scope.assign(name, values)
    assigned(walk, name, values, *walk.script.place(start, end))


def keep(walk: Walk, node: Node) -> None:
    """Record what a setting such as `HISTFILE` holds from now on, as if it were set in front of a command."""
    setting(walk, name_of(walk.script, node), *walk.script.place(*walk.script.span(node)))


def setting(walk: Walk, name: str, start: int, end: int) -> None:
    """Record a setting by its name, whatever gave it its value."""
    if name == name.upper() and name.lower() != name:
        given = tuple((name, Word(value, start, end)) for value in walk.scope.values(name))
        walk.emit("", Simple((), (), None, start, end, variables=given))


def _item(walk: Walk, name: str, node: Node) -> None:
    """One entry of an array in parentheses: some words, or a value at an index."""
    start, end = walk.script.span(node)
    placed = _PLACED.match(walk.script.text, start, end)
    if placed is None:
        for word in walk.words([node]):
            walk.scope.assign_item(name, None, (word.value,))
    else:
        index = _index(walk, *placed.span(1))
        walk.scope.assign_item(name, index, walk.expander.values(placed.end(), end))


def _index(walk: Walk, start: int, end: int) -> int | None:
    values = walk.expander.values(start, end)
    known = len(values) == 1 and values[0].isdecimal() and len(values[0]) <= _DIGITS
    return int(values[0]) if known else None


def declaration(walk: Walk, node: Node) -> Text:
    """`export`, `local`, `declare`, `readonly`, `typeset`: assignments."""
    words: list[Word] = []
    start, end = walk.script.place(*walk.script.span(node))
    sets = False
    keyword = walk.script.slice(node).split(maxsplit=1)[0]
    refers = keyword == "nameref"
    for child in node.named_children:
        if child.type == "variable_assignment" and refers:
            _reference(walk, child)
            sets = True
        elif child.type == "variable_assignment":
            assignment(walk, child)
            keep(walk, child)
            sets = True
        else:
            walk.reading.sets = "export"
            words += walk.words([child])
            walk.reading.sets = ""
            refers = refers or (
                keyword in _REFERRING and bool(_REFERS.fullmatch(words[-1].value if words else ""))
            )
    if not sets:
        return walk.execute(Simple((Word(keyword, start, end), *words), start=start, end=end))
    return ("",)


def _reference(walk: Walk, node: Node) -> None:
    """`declare -n NAME=OTHER`: the name stands for another variable from now on."""
    start, end = walk.script.span(node)
    values = walk.expander.values(walk.script.text.find("=", start, end) + 1, end)
    name = name_of(walk.script, node)
    walk.scope.references[name] = values[0] if len(values) == 1 and values[0] != name else UNKNOWN
