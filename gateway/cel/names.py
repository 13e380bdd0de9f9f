"""The part of the checker that knows names, what is reached through them, and which guards protect that."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from gateway.cel import fields
from gateway.cel.environment import Environment, resolve
from gateway.cel.fields import Path, path_of
from gateway.cel.functions.signature import Elements
from gateway.cel.syntax import Access, Has, Ident, Index, Literal, Node, Parsed, Select
from gateway.cel.types import BOOL, DYN, NEVER, TYPE, ObjectType, OptionalType, Type
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


class Names(ABC):
    """What a checker knows of names; `visit` gives the type of any other node."""

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
        self.choices: dict[int, tuple[str, ...]] = {}
        self.keys: dict[str, tuple[str, ...]] = {}
        self.elements: dict[int, Elements] = {}
        self.count = 0

    @abstractmethod
    def visit(self, node: Node) -> Type:
        """The type of a node."""

    def report(
        self, code: str, at: Node, message: str, help_: str = "", start: int = -1, end: int = -1
    ) -> Type:
        """Add what is wrong with a node, or with a part of it; what depends on it is not checked further."""
        span = self.parsed.excerpt.span(at.start if start < 0 else start, at.end if end < 0 else end)
        self.diagnostics.append(Diagnostic(code, message, span, help_))
        return DYN

    def require_bool(self, node: Node, what: str) -> None:
        """Report a node whose type is known not to be bool."""
        type_ = self.visit(node)
        if type_ not in (BOOL, DYN, NEVER):
            self.report("cel-type", node, f"{what} takes bool, not {type_}")

    @property
    def shadowing(self) -> set[str]:
        """Names that hide variables."""
        return {*self.locals, *self.parsed.lets}

    @contextmanager
    def naming(self, /, **variables: Type) -> Iterator[None]:
        """Give macro variables their types inside the block."""
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
        """Take optional fields as present inside the block."""
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
        """The type of a chain, and its path if it starts at a name."""
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
            if key in self.keys:
                self.choices[id(node)] = self.keys[key]
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
        """Report a name that nothing has."""
        known = [*self.environment.variables, *self.locals, *self.parsed.lets]
        arguments = self.environment.variables.get("args")
        if isinstance(arguments, ObjectType) and node.name in arguments.fields:
            near = f"args.{node.name}"
        else:
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
        if not optional and inner.choices:
            self.choices[id(step)] = inner.choices
        return OptionalType(inner.type) if optional and isinstance(step, Select) else inner.type

    def indexed(self, type_: Type, step: Index, path: Path | None) -> tuple[Type, Path | None]:
        """The type of an element, and its path if the index is a constant."""
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
            if not optional and inner.choices:
                self.choices[id(step)] = inner.choices
        else:
            possible = fields.element_type(value, key)
            if possible is None:
                return self.report("cel-type", step, f"{value} can't be indexed by {key}"), None
            element = possible
        return (OptionalType(element) if optional else element), here

    def has(self, node: Has) -> Type:
        """Check what `has` asks for, which needs no guard itself."""
        type_, path = self.reach(node.operand)
        self.note(None if path is None else (*path, node.field))
        self.field(type_, node, path)
        return BOOL

    def path(self, node: Node) -> Path | None:
        """The path of a chain, if it is one that a guard can name."""
        return path_of(node, self.root_of)

    def root_of(self, node: Node) -> tuple[Path, Iterable[Select]] | None:
        """The path of a name, and the selections of a longer name that are left to do."""
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
