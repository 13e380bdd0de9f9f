"""Statements of Python code, by their kind."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gateway.inspect.deed import Does, Origin
from gateway.inspect.python.expressions import named
from gateway.inspect.python.names import canonical
from gateway.inspect.value import NOTHING, Value, text

if TYPE_CHECKING:
    from gateway.inspect.python.walk import Walk


def _assign(walk: Walk, node: Any) -> None:
    value = walk.value(node.value) if node.value is not None else NOTHING
    for target in getattr(node, "targets", None) or [node.target]:
        walk.assign(target, value)


def _augmented(walk: Walk, node: Any) -> None:
    if isinstance(node.target, ast.Name):
        name = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        sum_ = ast.copy_location(ast.BinOp(name, node.op, node.value), node)
        walk.assign(node.target, walk.value(sum_))
    else:
        walk.value(node.value)


def _import(walk: Walk, node: Any) -> None:
    for one in node.names:
        if one.asname:
            walk.set(one.asname, Value(name=canonical(one.name)))
        else:
            head = one.name.partition(".")[0]
            walk.set(head, Value(name=canonical(head)))


def _import_from(walk: Walk, node: Any) -> None:
    for one in node.names:
        if one.name == "*":
            walk.star(node.module or "")
        elif not node.level:
            walk.set(one.asname or one.name, named(canonical(f"{node.module}.{one.name}")))
        else:
            walk.set(one.asname or one.name, NOTHING)


def _if(walk: Walk, node: Any) -> None:
    walk.value(node.test)
    walk.branch(node.test, node.body)
    walk.branch(None, node.orelse)


def _while(walk: Walk, node: Any) -> None:
    walk.value(node.test)
    if isinstance(node.test, ast.Constant) and node.test.value:
        for one in ast.walk(node):
            if isinstance(one, ast.Call) and walk.value(one.func).name == "os.fork":
                walk.findings.deed(Does.EXEC, "os.fork", one, origin=Origin.UNKNOWN)
    walk.branch(None, node.body)
    walk.branch(None, node.orelse)


def _for(walk: Walk, node: Any) -> None:
    for item in walk.turns(walk.value(node.iter)):
        walk.assign(node.target, item)
        walk.branch(None, node.body)
    walk.branch(None, node.orelse)


def _with(walk: Walk, node: Any) -> None:
    for item in node.items:
        value = walk.value(item.context_expr)
        if item.optional_vars is not None:
            walk.assign(item.optional_vars, text(*value.texts) if value.kind == "" and value.texts else value)
    walk.block(node.body)


def _function(walk: Walk, node: Any) -> None:
    for one in node.decorator_list:
        walk.value(one)
    walk.define(node)
    walk.set(node.name, Value(body=node))


def _class(walk: Walk, node: Any) -> None:
    walk.set(node.name, Value(body=node))
    for one in node.bases:
        walk.value(one)
    for one in node.body:
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
            walk.define(one, Value(kind="instance", body=node))
        else:
            walk.scopes.append({})
            walk.block([one])
            walk.attributes.update({(id(node), name): value for name, value in walk.scopes.pop().items()})


def _return(walk: Walk, node: Any) -> None:
    walk.returned(walk.value(node.value) if node.value is not None else NOTHING)


def _expression(walk: Walk, node: Any) -> None:
    walk.value(node.value)


def _try(walk: Walk, node: Any) -> None:
    walk.block(node.body)
    for handler in node.handlers:
        walk.branch(None, handler.body)
    walk.branch(None, node.orelse)
    walk.block(node.finalbody)


STATEMENTS: Mapping[type, Callable[[Walk, Any], None]] = MappingProxyType(
    {
        ast.Assign: _assign,
        ast.AnnAssign: _assign,
        ast.AugAssign: _augmented,
        ast.Import: _import,
        ast.ImportFrom: _import_from,
        ast.If: _if,
        ast.While: _while,
        ast.For: _for,
        ast.AsyncFor: _for,
        ast.With: _with,
        ast.AsyncWith: _with,
        ast.FunctionDef: _function,
        ast.AsyncFunctionDef: _function,
        ast.ClassDef: _class,
        ast.Return: _return,
        ast.Expr: _expression,
        ast.Try: _try,
        ast.TryStar: _try,
    }
)
