"""Lines of Python that come into being: their depth, the names in use, and what is known at each place.

Text of a policy gets into them only as the literal that `literal()` writes; every name is one of ours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from gateway.cel.budget import MAX_STEPS
from gateway.cel.generate.helpers import CHEAP

MAX_LINES = 1_500
"""More are not worth it, and a `let` in each branch of another one could make any number."""

_LONGEST = 160
_WRITTEN = frozenset({str, bytes, bool, int, type(None)})


class GiveUp(Exception):
    """An expression that is not worth generating, or too large: it stays with the exact way."""


class Shape(Enum):
    """The class that a value certainly has, by the name that generated code has for it."""

    ANY = ""
    BOOL = "bool"
    INT = "int"
    DOUBLE = "float"
    TEXT = "str"
    LIST = "list"
    MAP = "dict"


_SHAPES = {bool: Shape.BOOL, int: Shape.INT, float: Shape.DOUBLE, str: Shape.TEXT}


class _NoLiteral:
    """Stands for a value that is not written in the expression."""


NO_LITERAL = _NoLiteral()


@dataclass(frozen=True, slots=True)
class Operand:
    """Python text that gives a value, what is known of that, and the value itself if it is a literal.

    A `name` can be written twice without being evaluated twice.
    """

    text: str
    shape: Shape = Shape.ANY
    name: bool = False
    literal: Any = NO_LITERAL
    doubles: frozenset[str] = frozenset()
    """Fields whose ints are still to be made doubles."""
    likely_double: bool = False


class Writer:
    """The lines so far, and where the next one goes."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, str]] = []
        self.depth = 0
        self.constants: dict[str, Any] = {}
        self.fixed = 0
        self._count = 0
        self._facts: dict[tuple[object, ...], Operand] = {}
        self._shapes: dict[str, Shape] = {}
        self._loops: list[int] = []
        self._kept: dict[tuple[object, ...], str] = {}

    # Lines

    def line(self, text: str) -> None:
        """One more line."""
        if len(self.lines) >= MAX_LINES:
            raise GiveUp("too many lines")
        self.lines.append((self.depth, text))

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        """Lines below a header; what becomes known in them is not known behind them."""
        self.line(header)
        with self.apart():
            before = len(self.lines)
            yield
            if len(self.lines) == before:
                self.line("pass")

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Lines that may not be reached."""
        facts, shapes = self._facts, self._shapes
        self._facts, self._shapes = dict(facts), dict(shapes)
        self.depth += 1
        yield
        self.depth -= 1
        self._facts, self._shapes = facts, shapes

    def doubt(self, condition: str) -> None:
        """Leave the decision to the exact way under a condition."""
        self.line(f"if {condition}:")
        self.depth += 1
        self.line("raise Doubt")
        self.depth -= 1

    # Names

    def fresh(self) -> str:
        """A name for a local variable that nothing else has."""
        self._count += 1
        return f"t{self._count}"

    def constant(self, value: Any) -> str:
        """A name under which generated code finds a value."""
        for name, known in self.constants.items():
            if known is value:
                return name
        name = f"k{len(self.constants) + 1}"
        self.constants[name] = value
        return name

    def literal(self, value: Any) -> Operand:
        """A constant of the expression."""
        kind = value.__class__
        shape = _SHAPES.get(kind, Shape.ANY)
        if kind in _WRITTEN or (kind is float and math.isfinite(value)):
            return Operand(ascii(value), shape, True, value)
        return Operand(self.constant(value), shape, True)

    def named(self, operand: Operand) -> Operand:
        """The operand under a name, so that it can be written twice."""
        if operand.name:
            return operand
        name = self.fresh()
        self.line(f"{name} = {operand.text}")
        return replace(operand, text=name, name=True)

    def local(self, operand: Operand) -> Operand:
        """The operand under a name; Python warns of what makes no sense with a literal, which CEL refuses."""
        if operand.literal is NO_LITERAL:
            return self.named(operand)
        name = self.fresh()
        self.line(f"{name} = {operand.text}")
        return Operand(name, name=True)

    def short(self, operand: Operand) -> Operand:
        """The operand under a name if it is long, so that nothing is nested too deep for Python."""
        return self.named(operand) if len(operand.text) > _LONGEST else operand

    # What is known here

    def fact(self, *key: object) -> Operand | None:
        """What a key is known to be at this place."""
        return self._facts.get(key)

    def learn(self, operand: Operand, *key: object) -> Operand:
        """From here on a key is known to be this."""
        self._facts[key] = operand
        return operand

    def shape(self, operand: Operand) -> Shape:
        """The class that an operand certainly has at this place."""
        return self._shapes.get(operand.text, operand.shape)

    def certain(self, operand: Operand, shape: Shape) -> Operand:
        """The operand under a name, and of a class: of any other, the exact way decides."""
        operand = self.named(operand) if self.shape(operand) is shape else self.local(operand)
        if self.shape(operand) is not shape:
            self.doubt(f"type({operand.text}) is not {shape.value}")
            self._shapes[operand.text] = shape
        return operand

    def kept(self, *key: object) -> str:
        """A name for a value that is unset when the evaluation begins."""
        if key not in self._kept:
            self._kept[key] = self.fresh()
        return self._kept[key]

    @property
    def beginning(self) -> list[str]:
        """The lines that must stand before all others."""
        lines = [f"{name} = unset" for name in self._kept.values()]
        if any(text.startswith("left -=") for _, text in self.lines):
            lines.append(f"left = {MAX_STEPS - self.fixed}")
        return lines

    # What it may cost

    def pay(self, steps: int = CHEAP) -> None:
        """Count what an operation may take, where it stands."""
        if self._loops:
            self._loops[-1] += steps
            return
        self.fixed += steps
        if self.fixed > MAX_STEPS // 2:
            raise GiveUp("too much work even without loops")

    @contextmanager
    def loop(self, header: str, length: str, steps: int) -> Iterator[None]:
        """A loop, which pays for all its turns before the first one."""
        place = len(self.lines)
        self.line("")
        self.doubt("left < 0")
        self._loops.append(steps)
        with self.block(header):
            yield
        self.lines[place] = (self.depth, f"left -= {length} * {self._loops.pop()}")

    @contextmanager
    def outside_loops(self) -> Iterator[None]:
        """Lines that are run once, though they stand in a loop."""
        outer, self._loops = self._loops, []
        yield
        self._loops = outer

    @property
    def loops(self) -> bool:
        """Whether the next line stands in a loop."""
        return bool(self._loops)


def parenthesised(texts: Sequence[str], operator: str) -> str:
    """Several texts with an operator between them, as one."""
    return texts[0] if len(texts) == 1 else f"({f' {operator} '.join(texts)})"
