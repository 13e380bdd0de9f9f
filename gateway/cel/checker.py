"""Find what is wrong with an expression before it is ever evaluated, and what it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from gateway.cel import fields
from gateway.cel.environment import Environment, resolve, resolve_call
from gateway.cel.evaluate import implementation
from gateway.cel.fields import Path, path_of
from gateway.cel.functions.signature import Function, Style
from gateway.cel.macros import MACRO_NAMES
from gateway.cel.signatures import OPERATOR_OVERLOADS, choose
from gateway.cel.syntax import (
    Access,
    Binary,
    BinaryOperator,
    Call,
    Conditional,
    Has,
    Ident,
    Index,
    ListNode,
    Literal,
    Logic,
    LogicOperator,
    Macro,
    MacroKind,
    MapNode,
    Node,
    Parsed,
    Scoped,
    ScopedKind,
    Select,
    Unary,
    UnaryOperator,
)
from gateway.cel.types import (
    BOOL,
    DYN,
    INT,
    NEVER,
    STRING,
    TYPE,
    UINT,
    ListType,
    MapType,
    ObjectType,
    OptionalType,
    Type,
    accepts,
    comparable,
    join,
    literal_type,
    settle,
)
from gateway.cel.values import CelError
from gateway.diagnostic import Diagnostic, suggest

_FOREIGN = {
    "True": "true",
    "False": "false",
    "None": "null",
    "nil": "null",
    "undefined": "null",
    "TRUE": "true",
    "FALSE": "false",
    "NULL": "null",
}


@dataclass(frozen=True, slots=True)
class Checked:
    """The type of an expression, what is wrong with it, and what it depends on.

    `reads` are paths such as `("args", "amount")`; `calls` are names of functions, `unbuilt` those among them
    that have no implementation yet.
    """

    type: Type
    diagnostics: tuple[Diagnostic, ...]
    reads: frozenset[tuple[str, ...]]
    calls: frozenset[str]
    unbuilt: frozenset[str]


def check(parsed: Parsed, environment: Environment, expects: Type | None = BOOL) -> Checked:
    """Check an expression; `expects` is the type that it has to give, None for any."""
    checker = _Checker(parsed, environment)
    if parsed.ast is None:
        return Checked(DYN, parsed.diagnostics, frozenset(), frozenset(), frozenset())
    type_ = settle(checker.visit(parsed.ast))
    if expects is not None and not accepts(expects, type_, {}):
        checker.report("cel-type", parsed.ast, f"this gives {type_}, but {expects} is needed")
    return Checked(
        type_,
        tuple(dict.fromkeys(checker.diagnostics)),
        frozenset(checker.reads),
        frozenset(checker.calls),
        frozenset(checker.unbuilt),
    )


class _Checker:
    def __init__(self, parsed: Parsed, environment: Environment) -> None:
        self.parsed = parsed
        self.environment = environment
        self.diagnostics: list[Diagnostic] = list(parsed.diagnostics)
        self.reads: set[tuple[str, ...]] = set()
        self.calls: set[str] = set()
        self.unbuilt: set[str] = set()
        self.guards: frozenset[Path] = frozenset()
        self.locals: dict[str, tuple[Type, str]] = {}
        self.lets: dict[int, Type] = {}
        self.count = 0

    def visit(self, node: Node) -> Type:
        return _VISITS[node.__class__](self, node)

    def report(
        self, code: str, at: Node, message: str, help_: str = "", start: int = -1, end: int = -1
    ) -> Type:
        """Add what is wrong with a node, or with a part of it; what depends on it is not checked further."""
        span = self.parsed.excerpt.span(at.start if start < 0 else start, at.end if end < 0 else end)
        self.diagnostics.append(Diagnostic(code, message, span, help_))
        return DYN

    def require_bool(self, node: Node, what: str) -> None:
        type_ = self.visit(node)
        if type_ not in (BOOL, DYN, NEVER):
            self.report("cel-type", node, f"{what} takes bool, not {type_}")

    @property
    def shadowing(self) -> set[str]:
        return {*self.locals, *self.parsed.lets}

    @contextmanager
    def naming(self, **variables: Type) -> Iterator[None]:
        outer = self.locals
        self.count += 1
        self.locals = {
            **outer,
            **{name: (type_, f"{name}#{self.count}") for name, type_ in variables.items()},
        }
        yield
        self.locals = outer

    @contextmanager
    def guarded(self, paths: Iterable[Path | None]) -> Iterator[None]:
        outer = self.guards
        self.guards = outer | {path for path in paths if path is not None}
        yield
        self.guards = outer

    # Names and what is reached through them

    def chain(self, node: Node) -> Type:
        """A name, or selections and indexes on anything: typed step by step, read as one path."""
        type_, path = self.reach(node)
        self.note(path)
        return type_

    def note(self, path: Path | None) -> None:
        """Remember that a path is read, as far as it is made of names and starts at a variable."""
        if path is None or path[0] not in self.environment.variables:
            return
        names: list[str] = []
        for name in path:
            if not isinstance(name, str):
                break
            names.append(name)
        self.reads.add(tuple(names))

    def reach(self, node: Node) -> tuple[Type, Path | None]:
        steps: list[Select | Index] = []
        while isinstance(node, Select | Index):
            steps.append(node)
            node = node.operand
        steps.reverse()
        if isinstance(node, Ident):
            type_, path, done = self.named(node, steps)
            steps = steps[done:]
        else:
            type_, path = self.visit(node), None
        for step in steps:
            if isinstance(step, Select):
                type_ = self.field(type_, step, path)
                path = None if path is None else (*path, step.field)
                if step.access is Access.OPTIONAL:
                    self.note(path)
                    path = None
            else:
                type_, path = self.indexed(type_, step, path)
        return type_, path

    def named(self, node: Ident, steps: list[Select | Index]) -> tuple[Type, Path | None, int]:
        """The type of a name, its path, and how many of the steps belong to the name."""
        if not node.root and node.name in self.locals:
            type_, key = self.locals[node.name]
            return type_, (key,), 0
        if not node.root and node.name in self.parsed.lets:
            return self.let(self.parsed.lets[node.name]), (f"{node.name}#let",), 0
        whole: Node = node
        selections = 0
        for step in steps:
            if not isinstance(step, Select) or step.access is Access.OPTIONAL:
                break
            whole, selections = step, selections + 1
        found = resolve(whole, self.environment, self.shadowing)
        if found is None:
            return self.unknown_name(node), None, 0
        done = selections - len(found.rest)
        if found.name in self.environment.variables:
            return self.environment.variables[found.name], (found.name,), done
        return TYPE, None, done

    def unknown_name(self, node: Ident) -> Type:
        known = [*self.environment.variables, *self.locals, *self.parsed.lets]
        near = _FOREIGN.get(node.name) or next(iter(suggest(node.name, known)), "")
        help_ = f"did you mean `{near}`" if near else ""
        return self.report("cel-name", node, f"nothing is named `{node.name}`", help_)

    def let(self, let: Parsed) -> Type:
        """The type of a named expression; no guard reaches into it or out of it."""
        known = self.lets.get(id(let))
        if known is None:
            outer = self.parsed, self.locals, self.guards
            self.parsed, self.locals, self.guards = let, {}, frozenset()
            self.diagnostics.extend(let.diagnostics)
            known = self.lets[id(let)] = DYN if let.ast is None else self.visit(let.ast)
            self.parsed, self.locals, self.guards = outer
        return known

    def field(self, type_: Type, step: Select | Has, path: Path | None) -> Type:
        """The type of a field of a value that is reached by a path."""
        optional = isinstance(step, Select) and step.access is Access.OPTIONAL
        if isinstance(type_, OptionalType):
            inner = fields.field_type(type_.value, step.field)
            optional = True
        else:
            inner = fields.field_type(type_, step.field)
        end = step.field_end if isinstance(step, Has) else step.end
        if isinstance(inner, fields.Wrong):
            return self.report(inner.code, step, inner.message, inner.help, step.field_start, end)
        if inner.optional and not optional and isinstance(step, Select):
            full = None if path is None else (*path, step.field)
            if full is None or full not in self.guards:
                text = self.parsed.excerpt.text[step.start : step.end]
                help_ = f"write `has({text}) && …`" if full is not None else f"write `.?{step.field}`"
                self.report("cel-optional", step, f"`{text}` may be absent", help_)
        return OptionalType(inner.type) if optional and isinstance(step, Select) else inner.type

    def indexed(self, type_: Type, step: Index, path: Path | None) -> tuple[Type, Path | None]:
        key = self.visit(step.index)
        literal = step.index.value if isinstance(step.index, Literal) else None
        value = type_.value if isinstance(type_, OptionalType) else type_
        optional = step.access is Access.OPTIONAL or isinstance(type_, OptionalType)
        here: Path | None = None
        if path is not None and literal.__class__ in (str, int) and step.access is Access.PLAIN:
            here = (*path, literal)
        else:
            self.note(path)
        if isinstance(value, ObjectType) and isinstance(literal, str):
            quoted = step.index
            inner = fields.field_type(value, literal)
            if isinstance(inner, fields.Wrong):
                return self.report(inner.code, quoted, inner.message, inner.help), None
            if inner.optional and not optional and (here is None or here not in self.guards):
                text = self.parsed.excerpt.text[step.start : step.end]
                self.report(
                    "cel-optional", step, f"`{text}` may be absent", "write `[?…]`, or guard the field"
                )
            element = inner.type
        else:
            possible = fields.element_type(value, key)
            if possible is None:
                return self.report("cel-type", step, f"{value} can't be indexed by {key}"), None
            element = possible
        return (OptionalType(element) if optional else element), here

    def has(self, node: Has) -> Type:
        type_, path = self.reach(node.operand)
        self.note(None if path is None else (*path, node.field))
        self.field(type_, node, path)
        return BOOL

    def path(self, node: Node) -> Path | None:
        """The path of a chain, if it is one that a guard can name."""
        return path_of(node, self.root_of)

    def root_of(self, node: Node) -> tuple[Path, Iterable[Select]] | None:
        if isinstance(node, Ident) and not node.root:
            if node.name in self.locals:
                return (self.locals[node.name][1],), ()
            if node.name in self.parsed.lets:
                return (f"{node.name}#let",), ()
        found = resolve(node, self.environment, self.shadowing)
        return None if found is None else ((found.name,), found.rest)

    def guard(self, node: Node) -> Path | None:
        """The path that a `has` names."""
        if not isinstance(node, Has) or node.access is Access.OPTIONAL:
            return None
        path = self.path(node.operand)
        return None if path is None else (*path, node.field)

    # Operators

    def literal(self, node: Literal) -> Type:
        return literal_type(node.value)

    def unary(self, node: Unary) -> Type:
        if node.operator is UnaryOperator.NOT:
            self.require_bool(node.operand, "`!`")
            return BOOL
        type_ = self.visit(node.operand)
        if type_ in fields.SIGNED or type_ in (DYN, NEVER):
            return type_
        return self.report("cel-type", node, f"`-` takes a number, not {type_}")

    def binary(self, node: Binary) -> Type:
        left, right = self.visit(node.left), self.visit(node.right)
        symbol = node.operator
        if symbol in (BinaryOperator.EQUAL, BinaryOperator.UNEQUAL):
            if not comparable(left, right):
                self.report("cel-type", node, f"{left} and {right} are never equal")
            return BOOL
        if symbol is BinaryOperator.IN:
            return self.contained(node, left, right)
        choice = choose(OPERATOR_OVERLOADS[symbol], (left, right))
        if choice is None:
            return self.report("cel-type", node, f"`{symbol.value}` can't take {left} and {right}")
        return choice.result

    def contained(self, node: Binary, left: Type, right: Type) -> Type:
        inside = fields.loop_types(right, 1)
        if inside is None:
            help_ = "write `text.contains(part)`" if right == STRING else ""
            self.report(
                "cel-type", node.right, f"`in` takes a list or a map on its right, not {right}", help_
            )
        elif not comparable(left, inside[0]):
            self.report("cel-type", node, f"{left} is never in {right}")
        return BOOL

    def logic(self, node: Logic) -> Type:
        marks = [self.guard(self.meant(node.operator, term)) for term in node.terms]
        for position, term in enumerate(node.terms):
            with self.guarded(mark for other, mark in enumerate(marks) if other != position):
                self.require_bool(term, f"`{node.operator.value}`")
        return BOOL

    @staticmethod
    def meant(operator: LogicOperator, term: Node) -> Node:
        """The `has` that a term of a chain may be: under `||` it has to be negated."""
        if operator is LogicOperator.AND:
            return term
        negated = isinstance(term, Unary) and term.operator is UnaryOperator.NOT
        return term.operand if negated and isinstance(term, Unary) else Literal(term.start, term.end, None)

    def conditional(self, node: Conditional) -> Type:
        self.require_bool(node.condition, "`? :`")
        with self.guarded((self.guard(node.condition),)):
            then = self.visit(node.then)
        otherwise = self.visit(node.otherwise)
        type_ = join(then, otherwise)
        if type_ == DYN and not comparable(then, otherwise):
            return self.report("cel-type", node, f"one branch gives {then}, the other {otherwise}")
        return type_

    # Calls, literals and macros

    def call(self, node: Call) -> Type:
        function, target = resolve_call(node, self.environment, self.shadowing)
        nodes = (*(() if target is None else (target,)), *node.arguments)
        types = [self.visit(argument) for argument in nodes]
        if function is None:
            return self.unknown_function(node)
        self.calls.add(function.name)
        if not function.built:
            self.unbuilt.add(function.name)
        choice = choose(function.overloads, types)
        if choice is None:
            given = ", ".join(map(str, types))
            known = " or ".join(_signature(function, overload.parameters) for overload in function.overloads)
            return self.report(
                "cel-type", node, f"`{function.name}` can't take ({given})", f"it is {known}", node.name_start
            )
        try:
            implementation(function, nodes)
        except CelError as error:
            constant = next((a for a in reversed(nodes) if isinstance(a, Literal)), node)
            self.report("cel-syntax", constant, error.message)
        return choice.result

    def unknown_function(self, node: Call) -> Type:
        style = Style.GLOBAL if node.target is None else Style.MEMBER
        library = self.environment.functions
        other = Style.MEMBER if style is Style.GLOBAL else Style.GLOBAL
        if node.name in MACRO_NAMES:
            help_ = "a macro takes a name and an expression: `list.all(x, x > 0)`"
        elif library.find(node.name, other):
            help_ = f"write `{node.name}(x)`" if other is Style.GLOBAL else f"write `x.{node.name}(…)`"
        else:
            known = [*library.names(style), *MACRO_NAMES]
            near = suggest(node.name, known)
            help_ = f"did you mean `{near[0]}`" if near else ""
        message = f"there is no function `{node.name}`"
        return self.report("cel-name", node, message, help_, node.name_start, node.name_end)

    def list(self, node: ListNode) -> Type:
        element: Type = NEVER
        for item in node.elements:
            element = join(element, self.optional(item.value, item.access))
        return ListType(element)

    def optional(self, node: Node, access: Access) -> Type:
        type_ = self.visit(node)
        if access is Access.PLAIN or type_ == DYN:
            return type_
        if isinstance(type_, OptionalType):
            return type_.value
        return self.report("cel-type", node, f"`?` takes an optional, not {type_}")

    def map(self, node: MapNode) -> Type:
        key: Type = NEVER
        value: Type = NEVER
        for entry in node.entries:
            own = self.visit(entry.key)
            if own not in (BOOL, INT, UINT, STRING, DYN):
                self.report("cel-type", entry.key, f"a key can't be {own}")
            key = join(key, own)
            value = join(value, self.optional(entry.value, entry.access))
        return MapType(key, value)

    def macro(self, node: Macro) -> Type:
        range_ = self.visit(node.range)
        types = fields.loop_types(range_, len(node.variables))
        if types is None:
            self.report("cel-type", node.range, f"a macro goes through a list or a map, not {range_}")
            types = (DYN,) * len(node.variables)
        with self.naming(**dict(zip(node.variables, types, strict=True))):
            if node.kind not in (MacroKind.LIST, MacroKind.MAP):
                self.require_bool(node.body, f"`{node.kind.value}`")
                return BOOL
            if node.condition is not None:
                self.require_bool(node.condition, "a filter")
            body = self.visit(node.body)
        return ListType(body) if node.kind is MacroKind.LIST else MapType(types[0], body)

    def scoped(self, node: Scoped) -> Type:
        value = self.visit(node.value)
        if node.kind is not ScopedKind.BIND:
            if isinstance(value, OptionalType):
                value = value.value
            elif value != DYN:
                value = self.report(
                    "cel-type", node.value, f"`{node.kind.value}` takes an optional, not {value}"
                )
        with self.naming(**{node.variable: value}):
            body = self.visit(node.body)
        if node.kind is ScopedKind.OPTIONAL_MAP:
            return OptionalType(body)
        return body


def _signature(function: Function, parameters: tuple[Type, ...]) -> str:
    if function.style is Style.GLOBAL:
        return f"`{function.name}({', '.join(map(str, parameters))})`"
    return f"`{parameters[0]}.{function.name}({', '.join(map(str, parameters[1:]))})`"


_Visit: TypeAlias = Callable[[_Checker, Any], Type]
_VISITS: Mapping[type, _Visit] = {
    Literal: _Checker.literal,
    Ident: _Checker.chain,
    Select: _Checker.chain,
    Index: _Checker.chain,
    Has: _Checker.has,
    Call: _Checker.call,
    Unary: _Checker.unary,
    Binary: _Checker.binary,
    Logic: _Checker.logic,
    Conditional: _Checker.conditional,
    ListNode: _Checker.list,
    MapNode: _Checker.map,
    Macro: _Checker.macro,
    Scoped: _Checker.scoped,
}
