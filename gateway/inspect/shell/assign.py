"""Assignments and declarations: what variables and arrays hold from then on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.inspect.shell.code import assigned
from gateway.inspect.shell.invocation import Text
from gateway.inspect.shell.parse import Script

if TYPE_CHECKING:
    from tree_sitter import Node

    from gateway.inspect.shell.walk import Walk


def name_of(script: Script, node: Node) -> str:
    """The name that an assignment gives a value."""
    name = node.child_by_field_name("name")
    return "" if name is None else script.slice(name).partition("[")[0]


def assignment(walk: Walk, node: Node) -> None:
    """Remember what a variable or array holds."""
    name, value = name_of(walk.script, node), node.child_by_field_name("value")
    text = walk.script.text
    target = node.child_by_field_name("name")
    if target is not None and target.type == "subscript":
        walk.expander.values(*walk.script.span(target))
    start, end = walk.script.span(node)
    equals = text.find("=", start, end)
    if value is not None and value.type == "array":
        items = tuple(w.value for child in value.named_children for w in walk.words([child]))
        kept = walk.scope.items(name) if text[equals - 1] == "+" and name in walk.scope.arrays else ()
        walk.scope.assign_array(name, (*kept, *items))
        return
    values = walk.expander.values(equals + 1, end) if value is not None else ("",)
    if text[equals - 1] == "+":
        values = tuple(a + b for a in walk.scope.values(name) for b in values)
    walk.reading.budget.spend(1 + sum(map(len, values)) // 64)
    walk.scope.assign(name, values)
    assigned(walk, name, values, *walk.script.place(start, end))


def declaration(walk: Walk, node: Node) -> Text:
    """`export`, `local`, `declare`, `readonly`, `typeset`: assignments."""
    for child in node.named_children:
        if child.type == "variable_assignment":
            assignment(walk, child)
        else:
            walk.words([child])
    return ("",)
