"""What the evaluator has to know of a language: its tokens, and what its functions do, as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gateway.frozen import frozen
from gateway.inspect.languages.syntax import Syntax
from gateway.inspect.value import NOTHING, Value

if TYPE_CHECKING:
    from gateway.inspect.languages.evaluator import Evaluator

Spot = tuple[int, int]


@dataclass(slots=True)
class Call:
    """A call: the dotted name of the function, or the name of a method and its object."""

    name: str
    arguments: list[tuple[Value, Spot]]
    spot: Spot
    holder: Value = NOTHING
    named: dict[str, tuple[Value, Spot]] = field(default_factory=dict)

    def value(self, at: int) -> Value:
        """The value of an argument; nothing known where there is none."""
        return self.arguments[at][0] if at < len(self.arguments) else NOTHING

    def spot_of(self, at: int) -> Spot:
        """Where an argument stands, or else the whole call."""
        return self.arguments[at][1] if at < len(self.arguments) else self.spot

    def option(self, name: str) -> Value:
        """A named argument, or one of an object of options among the arguments."""
        if name in self.named:
            return self.named[name][0]
        for value, _ in self.arguments:
            for key, item in zip(value.keys, value.items or (), strict=False):
                if key == name:
                    return item
        return NOTHING


Handler = Callable[["Evaluator", Call], Value]


@frozen
class Language:
    """One language: `calls` are functions by their dotted names, `methods` those by their last name alone."""

    syntax: Syntax
    calls: Mapping[str, str] = field(default_factory=dict)
    methods: Mapping[str, str] = field(default_factory=dict)
    handlers: Mapping[str, Handler] = field(default_factory=dict)
    constants: Mapping[str, Value] = field(default_factory=dict)
    canonical: Callable[[str], str] = str
    joins: frozenset[str] = frozenset("+")
    bare: bool = False
    """Whether arguments may follow a function without parentheses."""
    sigils: str = ""
    """Characters that open the names of variables, which are known by the rest."""
    endings: frozenset[str] = frozenset((";",))
    """Words and signs that end the arguments of a call without parentheses."""
