"""Calls in Python code: which function it is, and with what."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gateway.inspect.python.expressions import attribute_of
from gateway.inspect.python.folding import FOLDS
from gateway.inspect.value import NOTHING, Value, sources, text
from gateway.inspect.word import UNKNOWN

if TYPE_CHECKING:
    from gateway.inspect.python.walk import Walk

Given = tuple[Value, ast.AST]


@dataclass(slots=True)
class Call:
    """A call with its arguments as they are; `holder` is the object of a method."""

    node: ast.AST
    arguments: list[Given]
    named: dict[str, Given] = field(default_factory=dict)
    holder: Value = NOTHING
    attr: str = ""
    holder_node: ast.AST | None = None

    def get(self, at: int, *names: str) -> Given | None:
        """The argument at a place or of a name."""
        if at < len(self.arguments):
            return self.arguments[at]
        return next((self.named[name] for name in names if name in self.named), None)

    def value(self, at: int, *names: str) -> Value:
        """The value of the argument at a place or of a name; nothing known where there is none."""
        given = self.get(at, *names)
        return NOTHING if given is None else given[0]

    @property
    def values(self) -> tuple[Value, ...]:
        """The values of the arguments that have a place."""
        return tuple(value for value, _ in self.arguments)

    @property
    def everything(self) -> tuple[Value, ...]:
        """The values of all arguments."""
        return (*self.values, *(value for value, _ in self.named.values()))


def call(walk: Walk, node: ast.Call) -> Value:
    """A call of the code, done and folded."""
    from gateway.inspect.python.methods import method

    made = Call(node, [])
    if isinstance(node.func, ast.Attribute):
        made.holder, made.attr, made.holder_node = (
            walk.value(node.func.value),
            node.func.attr,
            node.func.value,
        )
        callee = attribute_of(walk, made.holder, made.attr)
        if made.holder.kind == "method" or (not callee.name and callee.body is None):
            callee = NOTHING
    else:
        callee = walk.value(node.func)
    _arguments(walk, node, made)
    if callee.name or callee.body is not None or callee.kind in ("partial", "method"):
        return invoke(walk, callee, made)
    if made.attr:
        return method(walk, made)
    return Value(sources=sources(made.everything))


def _arguments(walk: Walk, node: ast.Call, made: Call) -> None:
    for one in node.args:
        if isinstance(one, ast.Starred):
            value = walk.value(one.value)
            for item in value.items if value.items is not None else (text(UNKNOWN),):
                made.arguments.append((item, one))
        else:
            made.arguments.append((walk.value(one), one))
    for keyword in node.keywords:
        value = walk.value(keyword.value)
        if keyword.arg is not None:
            made.named[keyword.arg] = (value, keyword.value)
        else:
            for key, item in zip(value.keys, value.items or (), strict=False):
                made.named[key] = (item, keyword.value)


def invoke(walk: Walk, callee: Value, made: Call) -> Value:
    """What calling a value with some arguments does."""
    from gateway.inspect.python.effects import NAMED, by_roles
    from gateway.inspect.python.tables import CALLS

    if callee.kind == "partial" and callee.items:
        first, *rest = callee.items
        given = [(value, made.node) for value in rest]
        return invoke(walk, first, replace(made, arguments=[*given, *made.arguments]))
    if callee.body is not None:
        return _own(walk, callee, made)
    name = callee.name
    handler = NAMED.get(name)
    if handler is not None:
        return handler(walk, made)
    spec = CALLS.get(name)
    if spec is not None:
        return by_roles(walk, spec, made)
    fold = FOLDS.get(name)
    if fold is not None:
        return fold(made.everything)
    from gateway.inspect.python.services import service

    return service(walk, name, made)


def _own(walk: Walk, callee: Value, made: Call) -> Value:
    by_name = {name: value for name, (value, _) in made.named.items()}
    if isinstance(callee.body, ast.ClassDef):
        instance = Value(kind="instance", body=callee.body)
        start = walk.method(callee.body, "__init__")
        if start is not None:
            walk.run(start, (instance, *made.values), by_name)
        return instance
    given = (*(callee.items or ()), *made.values) if callee.kind == "method" else made.values
    if isinstance(callee.body, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return walk.run(callee.body, given, by_name)
    return NOTHING
