"""Walks over Python code in its order: assignments, loops, functions where they are called, and all others once."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from gateway.inspect.deed import Extent
from gateway.inspect.findings import MAX_DEPTH, Findings, TooMuch
from gateway.inspect.python.calls import call
from gateway.inspect.python.effects import NAMED
from gateway.inspect.python.expressions import EXPRESSIONS, others
from gateway.inspect.python.folding import FOLDS, TMP, below
from gateway.inspect.python.names import canonical
from gateway.inspect.python.statements import STATEMENTS
from gateway.inspect.python.tables import CALLS
from gateway.inspect.value import MAX_VALUES, NOTHING, Value, either, text
from gateway.inspect.word import DEEP, FULL, STAR, UNKNOWN

MAX_CALLS = 8
_MAX_RUNS = 24
_MAX_TURNS = 64
_TEMPORARY = frozenset(("tmp_path", "tmpdir", "tmp_dir", "temp_dir", "tempdir", "tmpdirname"))
_WHOLE = frozenset(("ctypes", "socket"))
_ENDLESS = frozenset((UNKNOWN, STAR, FULL, DEEP))
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Walk:
    """The state of one piece of code while it is read."""

    def __init__(self, findings: Findings, arguments: tuple[str, ...], nested: int = 0) -> None:
        self.findings = findings
        self.arguments = arguments
        self.nested = nested
        self.scopes: list[dict[str, Value]] = [{}]
        self.attributes: dict[tuple[int, str], Value] = {}
        self.written: dict[str, str] = {}
        self.calling: list[object] = []
        self._maybe = 0
        self._stars: list[str] = []
        self._defined: dict[Function, None] = {}
        self._called: set[Function] = set()
        self._returned: list[list[Value]] = []
        self._results: dict[object, Value] = {}
        self._runs: dict[Function, int] = {}
        self._owners: dict[Function, Value] = {}

    def module(self, tree: ast.Module) -> None:
        """All of the code, and then each function that nothing in it called."""
        self.block(tree.body)
        while waiting := [one for one in self._defined if one not in self._called]:
            for one in waiting:
                self.run(one, (), {})

    def value(self, node: ast.AST) -> Value:
        """What an expression may be."""
        findings = self.findings
        findings.spend()
        findings.depth += 1
        if findings.depth > MAX_DEPTH:
            raise TooMuch("the code is nested too deep to be analysed")
        made = call(self, node) if isinstance(node, ast.Call) else _folded(self, node)
        findings.depth -= 1
        return made

    def block(self, body: list[ast.stmt]) -> None:
        """Statements one after the other."""
        for statement in body:
            self.findings.spend()
            handler = STATEMENTS.get(type(statement))
            if handler is not None:
                handler(self, statement)
            else:
                self.anything(statement)

    def anything(self, node: ast.AST) -> None:
        """A statement of no other kind: its expressions are read, its blocks may run."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
        self._maybe += 1
        for _, field in ast.iter_fields(node):
            if isinstance(field, list) and field and isinstance(field[0], ast.stmt):
                self.block(field)
            elif isinstance(field, list):
                for part in field:
                    if isinstance(part, (ast.ExceptHandler, ast.match_case)):
                        self.block(part.body)
        self._maybe -= 1

    def look_up(self, name: str) -> Value | None:
        """What a variable holds; None where nothing in the code sets it."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        for module in self._stars:
            dotted = canonical(f"{module}.{name}")
            if dotted in NAMED or dotted in CALLS or dotted in FOLDS or module in _WHOLE:
                return Value(name=dotted)
        return None

    def assign(self, target: ast.AST, value: Value) -> None:
        """Give a variable, or each of several, its value."""
        if isinstance(target, ast.Name):
            self.set(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target.elts, value)
        elif isinstance(target, ast.Attribute):
            holder = self.value(target.value)
            if holder.kind == "instance":
                key = (id(holder.body), target.attr)
                known = self.attributes.get(key)
                self.attributes[key] = value if known is None else either((known, value))
        elif isinstance(target, ast.Starred):
            self.assign(target.value, Value(items=(value,), kind="many"))
        elif isinstance(target, ast.Subscript):
            self._item(target, value)

    def _item(self, target: ast.Subscript, value: Value) -> None:
        holder, key = self.value(target.value), self.value(target.slice)
        if (
            isinstance(target.value, ast.Name)
            and holder.items is not None
            and key.texts
            and holder.kind != "many"
        ):
            added = replace(holder, items=(*holder.items, value), keys=(*holder.keys, key.texts[0]))
            self.set(target.value.id, added if holder.keys or not holder.items else holder)

    def _unpack(self, targets: list[ast.expr], value: Value) -> None:
        items = value.items if value.kind != "many" and not value.keys else None
        starred = any(isinstance(target, ast.Starred) for target in targets)
        for i, target in enumerate(targets):
            if items is not None and not starred and i < len(items):
                self.assign(target, items[i])
            else:
                each = either(value.items) if value.items else Value(sources=value.sources)
                self.assign(target, each)

    def set(self, name: str, value: Value) -> None:
        """Give a variable its value; where that is not sure to happen, the one before stays possible."""
        scope = self.scopes[-1]
        known = scope.get(name)
        scope[name] = either((known, value)) if self._maybe and known is not None else value

    def define(self, node: Function, owner: Value | None = None) -> None:
        """Note a function or method, which is read where it is called, or else at the end."""
        self._defined.setdefault(node)
        if owner is not None:
            self._owners[node] = owner

    def run(self, node: Function, given: tuple[Value, ...], by_name: dict[str, Value]) -> Value:
        """A function with some arguments; those that are not given are their defaults, or not known."""
        self._called.add(node)
        anyone = not given and not by_name
        if anyone and node in self._owners:
            given = (self._owners[node],)
        if node in self.calling or len(self.calling) >= MAX_CALLS:
            return NOTHING
        key = (node, given, tuple(by_name.items()), self.findings.cwd)
        if key in self._results:
            return self._results[key]
        runs = self._runs[node] = self._runs.get(node, 0) + 1
        if runs > _MAX_RUNS + 1:
            return NOTHING
        if runs == _MAX_RUNS:
            # So many different arguments are as good as unknown ones.
            given, by_name = (), {}
        scope: dict[str, Value] = {}
        parameters = [*node.args.posonlyargs, *node.args.args]
        defaults = dict(
            zip(
                [one.arg for one in parameters][::-1],
                [self.value(d) for d in node.args.defaults][::-1],
                strict=False,
            )
        )
        for one, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
            if default is not None:
                defaults[one.arg] = self.value(default)
        for i, one in enumerate(parameters):
            otherwise = text(TMP) if one.arg in _TEMPORARY else defaults.get(one.arg, NOTHING)
            if anyone and one.arg not in _TEMPORARY:
                # Whoever calls it may give something else.
                otherwise = either((otherwise, text(UNKNOWN))) if otherwise.texts else otherwise
            scope[one.arg] = given[i] if i < len(given) else by_name.get(one.arg, otherwise)
        for one in node.args.kwonlyargs:
            scope[one.arg] = by_name.get(one.arg, defaults.get(one.arg, NOTHING))
        if node.args.vararg is not None:
            scope[node.args.vararg.arg] = Value(items=given[len(parameters) :]) if given else NOTHING
        if node.args.kwarg is not None:
            scope[node.args.kwarg.arg] = Value(items=tuple(by_name.values()), keys=tuple(by_name))
        self.scopes.append(scope)
        self.calling.append(node)
        self._returned.append([])
        maybe, self._maybe = self._maybe, 0
        if isinstance(node, ast.Lambda):
            self._returned[-1].append(self.value(node.body))
        else:
            self.block(node.body)
        self._maybe = maybe
        self.calling.pop()
        self.scopes.pop()
        result = self._results[key] = either(self._returned.pop())
        return result

    def method(self, body: object, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The method of a class of this code."""
        for one in body.body if isinstance(body, ast.ClassDef) else ():
            if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and one.name == name:
                return one
        return None

    def argument(self, number: int | None) -> Value:
        """An argument that the code is started with."""
        if number is not None and 0 < number <= len(self.arguments):
            return text(self.arguments[number - 1])
        return text(UNKNOWN)

    def comprehended(self, node: Any) -> list[Value]:
        """The items of a comprehension."""
        self.scopes.append({})
        made = self._generators(node, list(node.generators))
        self.scopes.pop()
        return made

    def _generators(self, node: Any, generators: list[ast.comprehension]) -> list[Value]:
        if not generators:
            if isinstance(node, ast.DictComp):
                self.value(node.value)
                return [self.value(node.key)]
            return [self.value(node.elt)]
        first, *rest = generators
        made: list[Value] = []
        for item in self.turns(self.value(first.iter)):
            self.assign(first.target, item)
            for test in first.ifs:
                self.value(test)
                self.narrow(test)
            made += self._generators(node, rest)
        return made

    def turns(self, value: Value) -> Iterator[Value]:
        """What the variable of a loop is: each item, or several of them at once where they are very many."""
        items = value.items
        if value.kind == "environ":
            items = (text(UNKNOWN),)
        if value.kind == "path":
            items = (below(value, FULL, Extent.MANY, "path"),)
        if items is None:
            # Characters, lines, or what can't be known.
            known = value.texts and value.kind != "file"
            items = (Value(texts=(UNKNOWN,) if known else (), sources=value.sources, kind=value.kind),)
        if value.keys:
            items = tuple(text(key or UNKNOWN) for key in value.keys)
        yield from items[:_MAX_TURNS]
        rest = tuple(dict.fromkeys(items[_MAX_TURNS:]))
        for at in range(0, len(rest), MAX_VALUES):
            yield either(rest[at : at + MAX_VALUES])

    def narrow(self, test: ast.AST) -> None:
        """Take from a condition what a name ends in, so that `if f.endswith('.tmp')` counts."""
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            for one in test.values:
                self.narrow(one)
            return
        found, end = _ending(self, test)
        if found is None or not end or end[0].startswith(UNKNOWN):
            return
        known = self.look_up(found)
        if known is not None and known.texts and all(one[-1:] in _ENDLESS for one in known.texts):
            texts = tuple(
                one + last if last[:1] == "." else one[:-1] + last for one in known.texts for last in end
            )
            self.scopes[-1][found] = replace(known, texts=texts[:MAX_VALUES])

    def branch(self, test: ast.expr | None, body: list[ast.stmt]) -> None:
        """A block that may run."""
        before = dict(self.scopes[-1])
        self._maybe += 1
        if test is not None:
            self.narrow(test)
        narrowed = dict(self.scopes[-1])
        self.block(body)
        self._maybe -= 1
        for name, value in before.items():
            if self.scopes[-1].get(name) is narrowed.get(name):
                self.scopes[-1][name] = value

    def returned(self, value: Value) -> None:
        """What a function gives back."""
        if self._returned:
            self._returned[-1].append(value)

    def star(self, module: str) -> None:
        """All names of a module are taken over."""
        self._stars.append(module)


def _folded(walk: Walk, node: ast.AST) -> Value:
    handler: Callable[[Any, Any], Value] = EXPRESSIONS.get(type(node), others)
    return handler(walk, node)


def _ending(walk: Walk, test: ast.AST) -> tuple[str | None, tuple[str, ...]]:
    """The variable that a condition is about, and what its value ends in."""
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute) and test.args:
        holder = test.func.value
        if isinstance(holder, ast.Attribute) and holder.attr == "name":
            holder = holder.value
        if test.func.attr == "endswith" and isinstance(holder, ast.Name):
            given = walk.value(test.args[0])
            ends = given.items if given.items is not None else (given,)
            return holder.id, tuple(one for value in ends for one in value.text() if one[:1] == ".")
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Eq, ast.In)):
        holder, given = test.left, walk.value(test.comparators[0])
        ends = given.items if given.items is not None else (given,)
        texts = tuple(one for value in ends for one in value.text())
        if isinstance(holder, ast.Attribute) and isinstance(holder.value, ast.Name):
            if holder.attr in ("suffix", "name"):
                return holder.value.id, texts
        elif isinstance(holder, ast.Name) and (isinstance(test.ops[0], ast.Eq) or given.items is not None):
            return holder.id, texts
    return None, ()
