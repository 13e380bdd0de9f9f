"""The nodes of an expression in generated code, each as lines before a text that gives its value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from gateway.cel.budget import weight
from gateway.cel.environment import resolve_call
from gateway.cel.generate import helpers
from gateway.cel.generate.calling import OR_VALUE, call
from gateway.cel.generate.comparing import binary, boolean, in_literals, text_in
from gateway.cel.generate.reading import Local, Reading
from gateway.cel.generate.writer import GiveUp, Operand, Shape, parenthesised
from gateway.cel.operators import KEYS
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
    Scoped,
    ScopedKind,
    Select,
    Unary,
    UnaryOperator,
)
from gateway.cel.values import kind_of, some


@dataclass(frozen=True, slots=True)
class Exits:
    """What to do with a truth value, for which nothing is left to do behind it.

    `last` is given the text of a value behind which nothing follows.
    """

    true: tuple[str, ...]
    false: tuple[str, ...]
    last: Callable[[str], tuple[str, ...]]


_RETURNED = Exits(("return True",), ("return False",), lambda text: (f"return {text}",))


class Expression(Reading):
    """Generates the lines of a whole expression."""

    def body(self) -> None:
        """The lines that return the value of the expression."""
        self.returned(self.root())

    def returned(self, node: Node) -> None:
        """Lines that return the value of a node; what is left out behind a `return` needs no block."""
        if isinstance(node, Logic):
            self.decided(node, _RETURNED)
        elif isinstance(node, Conditional):
            condition = self.truth(node.condition)
            with self.writer.block(f"if {condition.text}:"):
                self.returned(node.then)
            self.returned(node.otherwise)
        else:
            self.writer.line(f"return {self.value(node).text}")

    def value(self, node: Node) -> Operand:
        """Lines that evaluate a node, and the text that gives its value."""
        return self.writer.short(self.whole(_NODES[node.__class__](self, node)))

    # Truth values

    def truth(self, node: Node) -> Operand:
        """A node that must be true or false."""
        operand = self.value(node)
        if self.writer.shape(operand) is Shape.BOOL:
            return operand
        return self.writer.certain(operand, Shape.BOOL)

    def decided(self, node: Node, exits: Exits) -> None:
        """A node that must be true or false, with something to do at once when that is known."""
        if not isinstance(node, Logic):
            self.lines(exits.last(self.truth(node).text))
            return
        decides = node.operator is LogicOperator.OR
        exit_ = exits.true if decides else exits.false
        for term in node.terms[:-1]:
            text = self.truth(term).text
            self.writer.line(f"if {text}:" if decides else f"if not {text}:")
            self.writer.depth += 1
            self.lines(exit_)
            self.writer.depth -= 1
        self.decided(node.terms[-1], exits)

    def lines(self, texts: Sequence[str]) -> None:
        """Several lines."""
        for text in texts:
            self.writer.line(text)

    def logic(self, node: Logic) -> Operand:
        """A chain whose terms are evaluated in blocks, as soon as one needs lines of its own."""
        decides = node.operator is LogicOperator.OR
        writer = self.writer
        word, not_yet = ("or", "if not {}:") if decides else ("and", "if {}:")
        texts = [self.truth(node.terms[0]).text]
        result = ""
        with ExitStack() as blocks:
            for term in node.terms[1:]:
                place, outer = len(writer.lines), writer.depth
                with ExitStack() as block:
                    block.enter_context(writer.apart())
                    text = self.truth(term).text
                    if len(writer.lines) == place:
                        texts.append(text)
                        continue
                    blocks.push(block.pop_all())
                headers = [(outer, not_yet.format(parenthesised(texts, word)))]
                if not result:
                    result = writer.fresh()
                    headers.insert(0, (outer, f"{result} = {decides}"))
                writer.lines[place:place] = headers
                texts = [text]
            if result:
                writer.line(f"{result} = {parenthesised(texts, word)}")
        return Operand(result, Shape.BOOL, True) if result else boolean(parenthesised(texts, word))

    def unary(self, node: Unary) -> Operand:
        """`!operand` or `-operand`."""
        if node.operator is UnaryOperator.NOT:
            return boolean(f"(not {self.truth(node.operand).text})")
        operand = self.value(node.operand)
        return Operand(f"{self.writer.constant(helpers.negate)}({operand.text})")

    def conditional(self, node: Conditional) -> Operand:
        """`condition ? then : otherwise`."""
        writer = self.writer
        condition = self.truth(node.condition)
        name = writer.fresh()
        shapes = []
        with writer.block(f"if {condition.text}:"):
            then = self.value(node.then)
            writer.line(f"{name} = {then.text}")
            shapes.append(writer.shape(then))
        with writer.block("else:"):
            otherwise = self.value(node.otherwise)
            writer.line(f"{name} = {otherwise.text}")
            shapes.append(writer.shape(otherwise))
        return Operand(name, shapes[0] if shapes[0] is shapes[1] else Shape.ANY, True)

    # Operators and calls

    def both(self, one: Node, other: Node) -> tuple[Operand, Operand]:
        """Two operands, in this order also where the second needs lines of its own."""
        left = self.value(one)
        place = len(self.writer.lines)
        right = self.value(other)
        if len(self.writer.lines) > place and not left.name:
            name = self.writer.fresh()
            self.writer.lines.insert(place, (self.writer.depth, f"{name} = {left.text}"))
            left = Operand(name, left.shape, True)
        return left, right

    def binary(self, node: Binary) -> Operand:
        """Any operator between two nodes."""
        if node.operator is BinaryOperator.IN:
            if isinstance(node.right, ListNode) and _constant(node.right):
                found = in_literals(self.writer, self.value(node.left), node.right)
                if found is not None:
                    return found
            if isinstance(node.left, Literal) and node.left.value.__class__ is str:
                return text_in(self.writer, self.writer.literal(node.left.value), self.value(node.right))
        return binary(self.writer, node.operator, *self.both(node.left, node.right))

    def call(self, node: Call) -> Operand:
        """A function; one that there is not, or that is not built, is left to the exact way."""
        function, target = resolve_call(node, self.environment, self.shadowing)
        if function is None or not function.built:
            raise GiveUp(f"`{node.name}` always fails")
        nodes = (*(() if target is None else (target,)), *node.arguments)
        if function is OR_VALUE and len(nodes) == 2 and isinstance(nodes[1], Literal):
            default = self.or_default(nodes[0], nodes[1])
            if default is not None:
                return default
        operands = [self.writer.named(self.value(argument)) for argument in nodes]
        return call(self.writer, function, nodes, operands)

    def or_default(self, node: Node, default: Literal) -> Operand | None:
        """`operand.?name.orValue(literal)`, of a dict, without an optional."""
        if (
            not isinstance(node, Select)
            or node.access is not Access.OPTIONAL
            or not _plain_chain(node.operand)
        ):
            return None
        operand = self.writer.certain(self.whole(self.base(node.operand)), Shape.MAP)
        name = self.writer.literal(node.field).text
        otherwise = self.writer.literal(default.value).text
        return Operand(f"({operand.text}[{name}] if {name} in {operand.text} else {otherwise})")

    def list(self, node: ListNode) -> Operand:
        """A list literal."""
        if any(element.access is not Access.PLAIN for element in node.elements):
            raise GiveUp("an optional element")
        operands = [self.writer.named(self.value(element.value)) for element in node.elements]
        return Operand(f"[{', '.join(operand.text for operand in operands)}]", Shape.LIST)

    def map(self, node: MapNode) -> Operand:
        """A map literal; whether a key can be one, and is new, is asked before the next entry is evaluated."""
        if any(entry.access is not Access.PLAIN for entry in node.entries):
            raise GiveUp("an optional entry")
        name = self.writer.fresh()
        self.writer.line(f"{name} = {{}}")
        if not _distinct(entry.key for entry in node.entries):
            self.writer.line("raise Doubt")
        put = self.writer.constant(helpers.put)
        for entry in node.entries:
            key, value = self.both(entry.key, entry.value)
            self.writer.line(f"{put}({name}, {key.text}, {value.text})")
        return Operand(name, Shape.MAP, True)

    # Macros

    def macro(self, node: Macro) -> Operand:
        """A macro as a loop in place."""
        writer = self.writer
        range_ = writer.named(self.value(node.range))
        header, outer = self.turns(node, range_)
        self.hoist(node.condition, node.body)
        result = writer.fresh()
        writer.line(f"{result} = {_EMPTY[node.kind]}")
        with writer.loop(header, f"len({range_.text})", 1 + weight((node.condition, node.body))):
            self.turn(node, result)
        self.locals = outer
        if node.kind is MacroKind.EXISTS_ONE:
            return boolean(f"({result} == 1)")
        return Operand(result, _BUILT[node.kind], True)

    def turns(self, node: Macro, range_: Operand) -> tuple[str, dict[str, Local]]:
        """The header of a loop, with its variables named; also the names that are good outside."""
        writer = self.writer
        outer = self.locals
        names = [Operand(writer.fresh(), name=True) for _ in node.variables]
        known = writer.shape(range_)
        walked = range_.text
        if known is not Shape.LIST:
            walked = writer.fresh()
            classes = writer.constant(_WALKED)
            helper = writer.constant(helpers.walked)
            asked = "" if known is Shape.MAP else f"{range_.text} if type({range_.text}) in {classes} else "
            writer.line(f"{walked} = {asked}{helper}({range_.text})")
        self.locals = {**outer, **dict(zip(node.variables, names, strict=True))}
        target = ", ".join(name.text for name in names)
        if len(names) == 1:
            return f"for {target} in {walked}:", outer
        pairs = f"{walked}.items() if type({walked}) is dict else enumerate({walked})"
        return f"for {target} in {pairs}:", outer

    def turn(self, node: Macro, result: str) -> None:
        """What happens with each element."""
        kind = node.kind
        if kind is MacroKind.EXISTS:
            yes = (f"{result} = True", "break")
            self.decided(node.body, Exits(yes, ("continue",), lambda text: _under(f"if {text}:", yes)))
            return
        if kind is MacroKind.ALL:
            no = (f"{result} = False", "break")
            self.decided(node.body, Exits(("continue",), no, lambda text: _under(f"if not {text}:", no)))
            return
        if kind is MacroKind.EXISTS_ONE:
            one = (f"{result} += 1",)
            self.decided(
                node.body, Exits((*one, "continue"), ("continue",), lambda text: _under(f"if {text}:", one))
            )
            return
        if node.condition is not None:
            condition = self.truth(node.condition)
            self.writer.line(f"if not {condition.text}:")
            self.writer.depth += 1
            self.writer.line("continue")
            self.writer.depth -= 1
        body = self.value(node.body).text
        if kind is MacroKind.LIST:
            self.writer.line(f"{result}.append({body})")
        else:
            self.writer.line(f"{result}[{self.local(node.variables[0]).text}] = {body}")

    def scoped(self, node: Scoped) -> Operand:
        """A body in which one more name has a value."""
        writer = self.writer
        outer = self.locals
        if node.kind is ScopedKind.LAZY:
            return self.block(node)
        value = writer.named(self.value(node.value))
        if node.kind is ScopedKind.BIND:
            self.locals = {**outer, node.variable: value}
            body = writer.named(self.value(node.body))
            self.locals = outer
            return body
        writer.line(f"{writer.constant(helpers.held)}({value.text})")
        result = writer.fresh()
        writer.line(f"{result} = {value.text}")
        with writer.block(f"if {value.text}.present:"):
            inner = writer.named(Operand(f"{value.text}.value"))
            self.locals = {**outer, node.variable: inner}
            body = self.value(node.body)
            self.locals = outer
            wrapped = f"{writer.constant(some)}({body.text})"
            writer.line(f"{result} = {wrapped if node.kind is ScopedKind.OPTIONAL_MAP else body.text}")
        return Operand(result, name=True)

    def block(self, node: Scoped) -> Operand:
        """A body in which a value is evaluated where its name is first used, by the names that are good here."""
        writer = self.writer
        outer = self.locals
        kept = writer.fresh()
        writer.line(f"{kept} = unset")

        def used() -> Operand:
            known = writer.fact("lazy", kept)
            if known is not None:
                return known
            inner, self.locals = self.locals, outer
            with writer.block(f"if {kept} is unset:"):
                writer.line(f"{kept} = {self.value(node.value).text}")
            self.locals = inner
            return writer.learn(Operand(kept, name=True), "lazy", kept)

        self.locals = {**outer, node.variable: used}
        body = writer.named(self.value(node.body))
        self.locals = outer
        return body


def _under(header: str, texts: Sequence[str]) -> tuple[str, ...]:
    return (header, *(f"    {text}" for text in texts))


def _constant(node: ListNode) -> bool:
    return all(isinstance(element.value, Literal) for element in node.elements)


def _distinct(keys: Iterable[Node]) -> bool:
    """Whether a map can have the keys that are written out: one that Python finds twice is not built."""
    values = [key.value for key in keys if isinstance(key, Literal)]
    return all(kind_of(value) in KEYS for value in values) and len(set(values)) == len(values)


def _plain_chain(node: Node) -> bool:
    while isinstance(node, Select) and node.access is Access.PLAIN:
        node = node.operand
    return isinstance(node, Ident)


_WALKED = frozenset({list, tuple})
"""What is gone through as it is; sets and maps are put in order first."""
_EMPTY = {
    MacroKind.ALL: "True",
    MacroKind.EXISTS: "False",
    MacroKind.EXISTS_ONE: "0",
    MacroKind.LIST: "[]",
    MacroKind.MAP: "{}",
}
_BUILT = {
    MacroKind.ALL: Shape.BOOL,
    MacroKind.EXISTS: Shape.BOOL,
    MacroKind.LIST: Shape.LIST,
    MacroKind.MAP: Shape.MAP,
}
_NODES: Mapping[type, Callable[[Expression, Any], Operand]] = {
    Literal: lambda self, node: self.writer.literal(node.value),
    Ident: Expression.ident,
    Select: Expression.select,
    Has: Expression.has,
    Index: Expression.index,
    Call: Expression.call,
    Unary: Expression.unary,
    Binary: Expression.binary,
    Logic: Expression.logic,
    Conditional: Expression.conditional,
    ListNode: Expression.list,
    MapNode: Expression.map,
    Macro: Expression.macro,
    Scoped: Expression.scoped,
}
