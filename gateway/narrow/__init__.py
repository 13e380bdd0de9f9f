"""Which rules of a tool may hold for a call at all, told by one generated function for all of them.

A condition `a && b && …` is false where one of its terms is, whatever the others come to. So of each condition one
simple term about one argument is taken, and the terms about the same argument are asked at once: is the text one of
these, does it begin with one of these, is the number above the least of these bounds. Only the rules that such a
question does not rule out, and those without such a term, are evaluated. Values of other classes than a question is
about, and long texts, rule out nothing. CEL has no effects, so nobody can tell but by the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gateway.narrow.questions import QUESTIONS
from gateway.narrow.terms import Term, best
from gateway.plan import RulePlan
from gateway.schema import Field, Flat, Presence

Candidates = Callable[[Mapping[str, Any]], tuple[int, ...]]
"""From arguments that fit the tool's schema: the places of rules that may hold, in any order."""
Plain = Callable[[Mapping[str, Any]], tuple[int, ...] | None]
"""The same from any arguments; None unless they certainly fit, and are in normal form as they are."""

_MISSING = object()


@dataclass(frozen=True, slots=True)
class Narrow:
    """The functions for some rules, their source to read, and the places of rules that are always evaluated."""

    candidates: Candidates
    plain: Plain | None
    source: str
    always: tuple[int, ...]


def narrow(
    rules: Sequence[RulePlan], arguments: Mapping[str, Field], flat: Sequence[Flat] | None = None
) -> Narrow:
    """The functions for the rules of a tool with these arguments; one of them only where the schema is flat."""
    groups: dict[tuple[str, str, bool], list[tuple[int, Term]]] = {}
    there: dict[str, list[int]] = {}
    always: list[int] = []
    for place, rule in enumerate(rules):
        term = None if rule.when is None else best(rule.when.parsed, rule.when.environment)
        if isinstance(term, Term):
            groups.setdefault((term.argument, term.asks, term.guarded), []).append((place, term))
        elif term is not None:
            there.setdefault(term, []).append(place)
        else:
            always.append(place)
    writers = [_Writer(rules, arguments)]
    if flat is not None:
        writers.append(_PlainWriter(rules, arguments, flat))
    for writer in writers:
        for (argument, asks, guarded), members in groups.items():
            constants = [constant for _, term in members for constant in term.constants]
            writer.group(argument, asks, constants, [place for place, _ in members], guarded=guarded)
        for argument, places in there.items():
            writer.there(argument, places)
    return Narrow(
        writers[0].function(),
        writers[-1].function() if flat is not None else None,
        "\n".join(writer.source() for writer in writers if writer.lines),
        tuple(always),
    )


class _Writer:
    """Writes a function, a question a line; texts of a policy get into it only as constants."""

    name = "candidates"
    otherwise = "ALL"

    def __init__(self, rules: Sequence[RulePlan], arguments: Mapping[str, Field]) -> None:
        self.rules = rules
        self.arguments = arguments
        self.lines: list[str] = []
        self.constants: dict[str, Any] = {"MISSING": _MISSING, "ALL": tuple(range(len(rules)))}
        self.read: dict[str, str] = {}

    def group(
        self, argument: str, asks: str, constants: list[Any], places: list[int], *, guarded: bool
    ) -> None:
        """Rules that one question about one argument may rule out."""
        shown = ", ".join(ascii(one) for one in constants[:_SHOWN])
        self.remark(f"{argument} {asks} {shown}{', …' if len(constants) > _SHOWN else ''}", places)
        value = self.value(argument)
        passes = f"{self.has_class(argument, asks)}{QUESTIONS[asks](self.constant, value, constants)}"
        self.may_hold([self.absent(argument) if guarded else "", f"not ({passes})"], places)

    def there(self, argument: str, places: list[int]) -> None:
        """Rules that hold only where an argument is there."""
        self.remark(f"{argument} is there", places)
        self.value(argument)
        self.may_hold([self.absent(argument)], places)

    def may_hold(self, conditions: list[str], places: list[int]) -> None:
        """Take some rules under some conditions."""
        asked = " and ".join(filter(None, conditions)) or "True"
        self.lines.append(f"if {asked}: found += {self.constant(tuple(places))}")

    def value(self, argument: str) -> str:
        """A name for what an argument is."""
        if argument not in self.read:
            self.read[argument] = f"v{len(self.read)}"
            read = (
                f"arguments[{argument!a}]"
                if self.is_required(argument)
                else f"arguments.get({argument!a}, MISSING)"
            )
            self.lines.append(f"{self.read[argument]} = {read}")
        return self.read[argument]

    def is_required(self, argument: str) -> bool:
        """Whether an argument is always there."""
        known = self.arguments.get(argument)
        return known is not None and known.presence is Presence.REQUIRED

    def absent(self, argument: str) -> str:
        """What is true where an argument is there; nothing if it always is."""
        return "" if self.is_required(argument) else f"{self.read[argument]} is not MISSING"

    def has_class(self, argument: str, asks: str) -> str:
        """What is true of values that a question is about; nothing if the schema says so."""
        known, value = self.arguments.get(argument), self.read[argument]
        wanted, question = (
            (_NUMBERS, f"(type({value}) is int or type({value}) is float) and ")
            if asks in _ABOUT_NUMBERS
            else (_TEXT, f"type({value}) is str and ")
        )
        certain = known is not None and known.type.types <= wanted and self.is_required(argument)
        return "" if certain else question

    def constant(self, value: Any) -> str:
        """A name for a value of the policy."""
        name = f"c{len(self.constants)}"
        self.constants[name] = value
        return name

    def remark(self, text: str, places: list[int]) -> None:
        """Say which rules the next lines are for."""
        named = ", ".join(self.rules[place].id for place in places)
        self.lines.append("# " + ascii(f"{named}: {text}")[1:-1])

    def source(self) -> str:
        """The whole function; where anything goes wrong in it, no rule is ruled out."""
        body = "".join(f"        {line}\n" for line in (*self.lines, "return found"))
        return (
            f"def {self.name}(arguments):\n    found = ()\n    try:\n{body}"
            f"    except (LookupError, TypeError, AttributeError):\n        return {self.otherwise}\n"
        )

    def function(self) -> Any:
        """The function itself."""
        namespace = dict(self.constants)
        exec(compile(self.source(), f"<{self.name}>", "exec"), namespace)  # noqa: S102  # see the class
        return namespace[self.name]


class _PlainWriter(_Writer):
    """Writes a function that also checks the arguments."""

    name = "plain"
    otherwise = "None"

    def __init__(
        self, rules: Sequence[RulePlan], arguments: Mapping[str, Field], flat: Iterable[Flat]
    ) -> None:
        super().__init__(rules, arguments)
        self.lines += ["for key in arguments:", "    if type(key) is not str: return None", "count = 0"]
        for one in flat:
            value = self.read[one.name] = f"v{len(self.read)}"
            self.lines.append(f"{value} = arguments.get({one.name!a}, MISSING)")
            margin = "" if one.required else "    "
            if not one.required:
                self.lines.append(f"if {value} is not MISSING:")
            if one.fits:
                self.lines += [
                    f"{margin}if not ({one.fits.format(value)}): return None",
                    f"{margin}count += 1",
                ]
            else:
                self.lines.append(f"{margin}return None")
        self.lines.append("if count != len(arguments): return None")


_SHOWN = 8
_TEXT = frozenset({"string"})
_NUMBERS = frozenset({"integer", "number"})
_ABOUT_NUMBERS = frozenset({"equals", ">", ">=", "<", "<="})
