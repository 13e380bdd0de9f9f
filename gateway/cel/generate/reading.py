"""Names, fields and elements in generated code: each is read once on the way to any place."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TypeAlias

from gateway.cel.conform import converter
from gateway.cel.environment import TYPE_NAMES, Environment, resolve
from gateway.cel.generate import helpers
from gateway.cel.generate.writer import NO_LITERAL, GiveUp, Operand, Shape, Writer
from gateway.cel.syntax import Access, Has, Ident, Index, Literal, Node, Parsed, Select, children
from gateway.cel.types import DOUBLE, ObjectType, Type

Local: TypeAlias = Operand | Callable[[], Operand]
"""What a name stands for that a macro gave: an operand, or what evaluates it where it is used."""


class Reading(ABC):
    """What generates reads; `value` generates any other node."""

    def __init__(self, parsed: Parsed, environment: Environment) -> None:
        self.parsed = parsed
        self.environment = environment
        self.writer = Writer()
        self.locals: dict[str, Local] = {}

    @abstractmethod
    def value(self, node: Node) -> Operand:
        """Lines that evaluate a node, and the text that gives its value."""

    @property
    def shadowing(self) -> set[str]:
        """Names that hide variables."""
        return {*self.locals, *self.parsed.lets}

    def root(self) -> Node:
        """The expression at hand; one that could not be read is not generated."""
        if self.parsed.ast is None:
            raise GiveUp("the expression has syntax errors")
        return self.parsed.ast

    # Names

    def ident(self, node: Ident) -> Operand:
        """A macro variable, a `let` or a variable."""
        return self.whole(self.raw_ident(node))

    def raw_ident(self, node: Ident) -> Operand:
        """A name whose fields may still have to be made doubles."""
        if not node.root:
            if node.name in self.locals:
                return self.local(node.name)
            if node.name in self.parsed.lets:
                return self.let(self.parsed.lets[node.name])
        return self.raw_name(node) or self.variable(node.name)

    def local(self, name: str) -> Operand:
        """A name that a macro gave, evaluated if that has to be done here."""
        local = self.locals[name]
        return local if isinstance(local, Operand) else local()

    def raw_name(self, node: Ident | Select) -> Operand | None:
        """A chain that begins with a declared variable or a type's name."""
        found = resolve(node, self.environment, self.shadowing)
        if found is None:
            return None
        if found.name in self.environment.variables:
            operand = self.declared(found.name)
        else:
            operand = Operand(self.writer.constant(TYPE_NAMES[found.name]), name=True)
        for step in found.rest:
            operand = self.field(operand, step.field)
        return operand

    def variable(self, name: str) -> Operand:
        """A variable as the host gave it."""
        known = self.writer.fact("variable", name)
        if known is not None:
            return known
        read = self.writer.named(Operand(f"variables[{self.writer.literal(name).text}]"))
        return self.writer.learn(read, "variable", name)

    def declared(self, name: str) -> Operand:
        """A variable whose ints become doubles where its type says so."""
        type_ = self.environment.variables[name]
        convert = converter(type_)
        if convert is None:
            return self.variable(name)
        fields = _doubles(type_)
        if fields is None:
            return self.converted(self.variable(name), type_)
        raw = self.variable(name)
        return Operand(raw.text, raw.shape, True, doubles=fields)

    def converted(self, raw: Operand, type_: Type) -> Operand:
        """A whole value made what its type says, once."""
        run = self.writer.constant(converter(type_))
        return self.once(lambda: Operand(f"{run}({raw.text})"), "converted", raw.text)

    def once(self, evaluate: Callable[[], Operand], *key: object) -> Operand:
        """A value that is remembered when it is first needed, also from one turn of a loop to the next."""
        writer = self.writer
        known = writer.fact(*key)
        if known is not None:
            return known
        if not writer.loops:
            return writer.learn(writer.named(evaluate()), *key)
        kept = writer.kept(*key)
        with writer.block(f"if {kept} is unset:"), writer.outside_loops():
            writer.line(f"{kept} = {evaluate().text}")
        return writer.learn(Operand(kept, name=True), *key)

    def whole(self, operand: Operand) -> Operand:
        """An operand that is used as it is, so that all its fields must be doubles by now."""
        if not operand.doubles:
            return operand
        for name, type_ in self.environment.variables.items():
            if self.writer.fact("variable", name) == Operand(operand.text, name=True):
                return self.converted(operand, type_)
        raise GiveUp("a variable of unknown type")

    def let(self, let: Parsed) -> Operand:
        """A named expression, evaluated where it is first used."""

        def evaluate() -> Operand:
            outer = self.parsed, self.locals
            self.parsed, self.locals = let, {}
            operand = self.value(self.root())
            self.parsed, self.locals = outer
            return operand

        return self.once(evaluate, "let", id(let))

    def hoist(self, *nodes: Node | None) -> None:
        """Before a loop: look up the variables that are read in it. If one is missing, the exact way decides."""
        for name in dict.fromkeys(_names(nodes)):
            if name in self.environment.variables and name not in self.shadowing:
                self.variable(name)

    # Fields and elements

    def base(self, node: Node) -> Operand:
        """What a field is taken from."""
        if isinstance(node, Ident):
            return self.raw_ident(node)
        return self.value(node)

    def field(self, operand: Operand, name: str) -> Operand:
        """`operand.name`, of a dict."""
        writer = self.writer
        doubles = operand.doubles
        operand = writer.certain(operand, Shape.MAP)
        known = writer.fact("field", operand.text, name)
        if known is not None:
            return known
        read = writer.named(Operand(f"{operand.text}[{writer.literal(name).text}]"))
        if name in doubles:
            with writer.block(f"if type({read.text}) is int:"):
                writer.line(f"{read.text} = float({read.text})")
            read = Operand(read.text, name=True, likely_double=True)
        return writer.learn(read, "field", operand.text, name)

    def select(self, node: Select) -> Operand:
        """`operand.name` or `operand.?name`."""
        if node.access is Access.OPTIONAL:
            operand = self.whole(self.base(node.operand))
            run = self.writer.constant(helpers.optional_field)
            return Operand(f"{run}({operand.text}, {self.writer.literal(node.field).text})")
        named = self.raw_name(node)
        if named is not None:
            return named
        operand = self.base(node.operand)
        if _optional(node.operand):
            run = self.writer.constant(helpers.field)
            return Operand(f"{run}({operand.text}, {self.writer.literal(node.field).text})")
        return self.field(operand, node.field)

    def has(self, node: Has) -> Operand:
        """`has(operand.name)`, of a dict."""
        operand = self.base(node.operand)
        name = self.writer.literal(node.field).text
        if _optional(node.operand):
            run = self.writer.constant(helpers.has_field)
            return Operand(f"{run}({operand.text}, {name})", Shape.BOOL)
        operand = self.writer.certain(operand, Shape.MAP)
        return Operand(f"({name} in {operand.text})", Shape.BOOL)

    def index(self, node: Index) -> Operand:
        """`operand[index]` or `operand[?index]`."""
        writer = self.writer
        operand = self.base(node.operand)
        if not isinstance(node.index, Literal):
            operand = writer.named(operand)
        key = self.value(node.index)
        plain = node.access is Access.PLAIN
        if plain and key.literal.__class__ is str and not _optional(node.operand):
            return self.field(operand, key.literal)
        operand = self.whole(operand)
        step = helpers.element if plain else helpers.optional_element
        if not plain or (key.literal is not NO_LITERAL and key.literal.__class__ is not int):
            return Operand(f"{writer.constant(step)}({operand.text}, {key.text})")
        operand, key = writer.local(operand), writer.named(key)
        otherwise = f"{writer.constant(step)}({operand.text}, {key.text})"
        if key.literal is NO_LITERAL:
            asked = f"type({key.text}) is str and type({operand.text}) is dict"
        elif key.literal >= 0:
            asked = f"type({operand.text}) is list"
        else:
            return Operand(otherwise)
        return Operand(f"({operand.text}[{key.text}] if {asked} else {otherwise})")


def _doubles(type_: Type) -> frozenset[str] | None:
    """The fields that become doubles, if no other values than these change, and none is gone through for that."""
    if not isinstance(type_, ObjectType):
        return None
    if type_.others is not None and converter(type_.others.type, type_.others) is not None:
        return None
    changed = {
        name: field.type
        for name, field in type_.fields.items()
        if converter(field.type, field.domain) is not None
    }
    return frozenset(changed) if all(field == DOUBLE for field in changed.values()) else None


def _optional(node: Node) -> bool:
    """Whether a chain has a `?` in it, so that it is an optional rather than a dict."""
    while isinstance(node, Select | Index):
        if node.access is Access.OPTIONAL:
            return True
        node = node.operand
    return False


def _names(nodes: tuple[Node | None, ...]) -> Iterator[str]:
    pending = [node for node in nodes if node is not None]
    while pending:
        node = pending.pop()
        if isinstance(node, Ident) and not node.root:
            yield node.name
        pending.extend(children(node))
