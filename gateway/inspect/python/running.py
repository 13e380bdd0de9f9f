"""Calls of Python that run code or functions that they are given: `exec`, `getattr`, `map`, threads."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gateway.inspect.python.calls import Call, invoke
from gateway.inspect.python.expressions import attribute_of
from gateway.inspect.python.names import canonical
from gateway.inspect.python.tables import SENSITIVE
from gateway.inspect.value import NOTHING, Value, sources
from gateway.inspect.word import UNKNOWN, certain, marked

if TYPE_CHECKING:
    from gateway.inspect.python.walk import Walk


def run_code(walk: Walk, value: Value, node: ast.AST) -> Value:
    """Python code in a text: read like the rest where it is known."""
    from gateway.inspect.python.nested import read_nested

    made = NOTHING
    for one in value.text():
        if not certain(one).strip():
            walk.findings.runs(value, node)
        else:
            made = read_nested(walk, one, value, node)
    return made


def execute(walk: Walk, call: Call) -> Value:
    """`exec` and `eval`."""
    given = call.get(0, "source", "object")
    if given is None:
        return NOTHING
    if given[0].body is not None:
        return NOTHING
    return run_code(walk, *given)


def compiled(walk: Walk, call: Call) -> Value:
    """`compile`: the text goes on."""
    value = call.value(0, "source")
    return Value(texts=value.text(), sources=sources((value,)))


def imported(walk: Walk, call: Call) -> Value:
    """A module by its name."""
    value = call.value(0, "name")
    if value.texts and not marked(value.texts[0]):
        whole = (
            bool(call.get(3, "fromlist"))
            or not isinstance(call.node, ast.Call)
            or _is_import_module(call.node)
        )
        return Value(name=canonical(value.texts[0] if whole else value.texts[0].partition(".")[0]))
    return Value(name=UNKNOWN) if sources((value,)) & {"network", "decoded"} else NOTHING


def _is_import_module(node: ast.Call) -> bool:
    return not (isinstance(node.func, ast.Name) and node.func.id == "__import__")


def attribute_by_name(walk: Walk, call: Call) -> Value:
    """An attribute by its name; one that can't be known of a module that can destroy is doubted when called."""
    holder, attr = call.value(0), call.value(1)
    if attr.texts and not marked(attr.texts[0]):
        return attribute_of(walk, holder, attr.texts[0])
    if holder.name in SENSITIVE and holder.name:
        return Value(name=f"{holder.name}.{UNKNOWN}")
    return NOTHING


def variables(walk: Walk, call: Call) -> Value:
    """The names of a module, or of the code itself."""
    del walk
    return Value(name=f"{call.value(0).name}.__dict__") if call.arguments else Value(kind="globals")


def loaded(walk: Walk, call: Call) -> Value:
    """Data that runs code when it is loaded."""
    value = call.value(0)
    if sources((value,)) & {"network", "decoded"} or "socket" in value.kind:
        walk.findings.runs(value, call.node)
    return Value(sources=sources((value,)))


def marshalled(walk: Walk, call: Call) -> Value:
    """Code that no text tells of."""
    del walk
    return Value(texts=(UNKNOWN,), sources=sources(call.values) | {"decoded"})


def mapped_over(walk: Walk, call: Call) -> Value:
    """A function that is called for each of many."""
    if len(call.arguments) < 2:
        return NOTHING
    function, made = call.arguments[0][0], []
    node = call.arguments[1][1]
    for item in walk.turns(call.arguments[1][0]):
        made.append(invoke(walk, function, Call(node, [(item, node)])) if _callable(function) else item)
    return Value(
        items=tuple(made), kind=call.arguments[1][0].kind if call.arguments[1][0].kind == "many" else ""
    )


def _callable(value: Value) -> bool:
    return bool(value.name) or value.body is not None or value.kind in ("partial", "method")


def later(walk: Walk, call: Call) -> Value:
    """A function that is handed over with its arguments, to be called by another."""
    at = next((i for i, (value, _) in enumerate(call.arguments) if _callable(value)), None)
    if at is not None:
        return invoke(walk, call.arguments[at][0], Call(call.node, call.arguments[at + 1 :], call.named))
    target = call.named.get("target") or call.named.get("func") or call.named.get("function")
    if target is not None and _callable(target[0]):
        given = call.value(99, "args").items or ()
        by_name = call.value(99, "kwargs")
        items = dict(zip(by_name.keys, by_name.items or (), strict=False))
        return invoke(
            walk,
            target[0],
            Call(
                call.node,
                [(item, call.node) for item in given],
                {k: (v, call.node) for k, v in items.items()},
            ),
        )
    return NOTHING


def partial(walk: Walk, call: Call) -> Value:
    """A function with some of its arguments."""
    del walk
    return Value(kind="partial", items=call.values)
