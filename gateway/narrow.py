"""Which rules of a tool may hold for a call at all, told by one generated function for all of them.

A condition `a && b && …` is false where one of its terms is, whatever the others come to. So of each condition one
simple term about one argument is taken, and the terms about the same argument are asked at once: is the text one of
these, does it begin with one of these, is the number above the least of these bounds. Only the rules that such a
question does not rule out, and those without such a term, are evaluated. Values of other classes than a question is
about, and long texts, rule out nothing. CEL has no effects, so nobody can tell but by the time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gateway.cel.environment import Environment, resolve_call
from gateway.cel.functions import STANDARD
from gateway.cel.functions.signature import Style
from gateway.cel.syntax import (
    Access,
    Binary,
    BinaryOperator,
    Call,
    Has,
    Ident,
    ListNode,
    Literal,
    Logic,
    LogicOperator,
    Node,
    Parsed,
    Select,
)
from gateway.plan import RulePlan
from gateway.schema import Field, Presence

Candidates = Callable[[Mapping[str, Any]], tuple[int, ...]]
"""From arguments that fit the tool's schema: the places of rules that may hold, in any order."""

_LONGEST = 4096
"""Of longer texts the search is paid for, and may be too dear: the rules themselves decide."""
_EXACT = 2**53
"""Up to here a whole number and a double compare alike."""
_MISSING = object()


@dataclass(frozen=True, slots=True)
class Narrow:
    """The function for some rules, its source to read, and the places of rules that are always evaluated."""

    candidates: Candidates
    source: str
    always: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Term:
    """One question about one argument; `guarded` where `has()` of it stands before."""

    argument: str
    asks: str
    constants: tuple[Any, ...]
    guarded: bool


def narrow(rules: Sequence[RulePlan], arguments: Mapping[str, Field]) -> Narrow:
    """The function for the rules of a tool with these arguments."""
    groups: dict[tuple[str, str, bool], list[tuple[int, _Term]]] = {}
    there: dict[str, list[int]] = {}
    always: list[int] = []
    for place, rule in enumerate(rules):
        term = None if rule.when is None else _best(rule.when.parsed, rule.when.environment)
        if isinstance(term, _Term):
            groups.setdefault((term.argument, term.asks, term.guarded), []).append((place, term))
        elif term is not None:
            there.setdefault(term, []).append(place)
        else:
            always.append(place)
    writer = _Writer(rules, arguments)
    for (argument, asks, guarded), members in groups.items():
        constants = [constant for _, term in members for constant in term.constants]
        writer.group(argument, asks, constants, [place for place, _ in members], guarded=guarded)
    for argument, places in there.items():
        writer.there(argument, places)
    return Narrow(writer.function(), writer.source(), tuple(always))


class _Writer:
    """Writes the function, a question a line; texts of a policy get into it only as constants."""

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
        passes = f"{self.has_class(argument, asks)}{_ASKS[asks](self, value, constants)}"
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
        known = self.arguments.get(argument)
        return known is not None and known.presence is Presence.REQUIRED

    def absent(self, argument: str) -> str:
        """What is true where an argument is there; nothing if it always is."""
        return "" if self.is_required(argument) else f"{self.read[argument]} is not MISSING"

    def has_class(self, argument: str, asks: str) -> str:
        """What is true of values that a question is about; nothing if the schema says so."""
        known, value = self.arguments.get(argument), self.read[argument]
        wanted, question = (
            (_NUMBERS, f"({value}.__class__ is int or {value}.__class__ is float) and ")
            if asks in _ABOUT_NUMBERS
            else (_TEXT, f"{value}.__class__ is str and ")
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
        body = "".join(f"        {line}\n" for line in self.lines)
        return (
            "def candidates(arguments):\n    found = ()\n    try:\n"
            f"{body}        return found\n"
            "    except (LookupError, TypeError, AttributeError):\n        return ALL\n"
        )

    def function(self) -> Candidates:
        """The function itself."""
        namespace = dict(self.constants)
        exec(compile(self.source(), "<candidates>", "exec"), namespace)  # noqa: S102  # see the class
        candidates: Candidates = namespace["candidates"]
        return candidates


_SHOWN = 8
_TEXT = frozenset({"string"})
_NUMBERS = frozenset({"integer", "number"})
_ABOUT_NUMBERS = frozenset({"equals", ">", ">=", "<", "<="})


def _texts_among(writer: _Writer, value: str, constants: list[Any]) -> str:
    among = writer.constant(frozenset(constants))
    return f"(len({value}) > {max(map(len, constants))} or {value} not in {among})"


def _numbers_among(writer: _Writer, value: str, constants: list[Any]) -> str:
    return f"{value} not in {writer.constant(frozenset(constants))}"


def _begins(writer: _Writer, value: str, constants: list[Any]) -> str:
    return f"not {value}.startswith({writer.constant(tuple(dict.fromkeys(constants)))})"


def _ends(writer: _Writer, value: str, constants: list[Any]) -> str:
    return f"not {value}.endswith({writer.constant(tuple(dict.fromkeys(constants)))})"


def _holds(writer: _Writer, value: str, constants: list[Any]) -> str:
    wanted = list(dict.fromkeys(constants))
    if len(wanted) < _FEW:
        passes = " and ".join(f"{writer.constant(one)} not in {value}" for one in wanted)
    else:
        # No text of them is a pattern, so it never goes back, and those that begin alike are tried at once.
        search = re.compile("|".join(map(re.escape, sorted(wanted)))).search
        passes = f"{writer.constant(search)}({value}) is None"
    return f"len({value}) <= {_LONGEST} and {passes}"


_FEW = 4


def _bound(sign: str, extreme: Callable[[list[Any]], Any]) -> Callable[[_Writer, str, list[Any]], str]:
    return lambda writer, value, constants: f"{value} {sign} {extreme(constants)!r}"


_ASKS: Mapping[str, Callable[[_Writer, str, list[Any]], str]] = {
    "is": _texts_among,
    "equals": _numbers_among,
    "begins with": _begins,
    "ends with": _ends,
    "holds": _holds,
    ">": _bound("<=", min),
    ">=": _bound("<", min),
    "<": _bound(">=", max),
    "<=": _bound(">", max),
}
"""What a question is called, and what is true where none of its constants makes it true."""

_PREFERRED = ("is", "equals", "begins with", "ends with", "holds", ">", ">=", "<", "<=")
_CHEAP = frozenset({"is", "equals", ">", ">=", "<", "<="})
"""Terms that cost nothing: what stands behind them is reached whatever the arguments are."""


def _best(parsed: Parsed, environment: Environment) -> _Term | str | None:
    """The term of a condition that is most often false, among those that are reached at no cost.

    Without any, the argument that the condition wants to be there, if it does.
    """
    node = parsed.ast
    if node is None or "args" in parsed.lets:
        return None
    chain = isinstance(node, Logic) and node.operator is LogicOperator.AND
    terms: tuple[Node, ...] = node.terms if chain else (node,)  # type: ignore[union-attr]
    there: dict[str, None] = {}
    found: list[_Term] = []
    for term in terms:
        if isinstance(term, Has) and _argument_of(term) is not None:
            there[term.field] = None
            continue
        read = _read(term, environment)
        if read is None:
            break
        argument, asks, constants = read
        found.append(_Term(argument, asks, constants, argument in there))
        if asks not in _CHEAP or (isinstance(term, Binary) and term.operator is BinaryOperator.IN):
            break
    if found:
        return min(found, key=lambda one: _PREFERRED.index(one.asks))
    return next(iter(there), None)


def _read(node: Node, environment: Environment) -> tuple[str, str, tuple[Any, ...]] | None:
    """An argument, what is asked of it, and the constants."""
    if isinstance(node, Binary):
        return _compared(node)
    if isinstance(node, Call) and node.target is not None and len(node.arguments) == 1:
        function, target = resolve_call(node, environment, ())
        asks = next((asks for known, asks in _CALLS if function is known), None)
        argument, constant = _argument_of(target), _constant(node.arguments[0])
        if asks is not None and argument is not None and constant.__class__ is str:
            return argument, asks, (constant,)
    return None


_CALLS = tuple(
    (STANDARD.find(name, Style.MEMBER), asks)
    for name, asks in (("startsWith", "begins with"), ("endsWith", "ends with"), ("contains", "holds"))
)
_SIGNS = {
    BinaryOperator.GREATER: (">", "<"),
    BinaryOperator.GREATER_EQUAL: (">=", "<="),
    BinaryOperator.LESS: ("<", ">"),
    BinaryOperator.LESS_EQUAL: ("<=", ">="),
}
"""How a comparison is called, and how it is when its sides are exchanged."""


def _compared(node: Binary) -> tuple[str, str, tuple[Any, ...]] | None:
    argument, right = _argument_of(node.left), node.right
    if node.operator is BinaryOperator.IN:
        if argument is None or not isinstance(right, ListNode) or not right.elements:
            return None
        constants = [
            _constant(one.value) if one.access is Access.PLAIN else _MISSING for one in right.elements
        ]
        return _among(argument, constants)
    mirrored = argument is None
    if mirrored:
        argument, right = _argument_of(node.right), node.left
    constant = _constant(right)
    if argument is None or constant is _MISSING:
        return None
    if node.operator is BinaryOperator.EQUAL:
        return _among(argument, [constant])
    signs = _SIGNS.get(node.operator)
    if signs is None or constant.__class__ not in (int, float) or not abs(constant) <= _EXACT:
        return None
    return argument, signs[mirrored], (constant,)


def _among(argument: str, constants: list[Any]) -> tuple[str, str, tuple[Any, ...]] | None:
    classes = {constant.__class__ for constant in constants}
    if classes == {str}:
        return argument, "is", tuple(constants)
    if classes == {int} and all(abs(constant) <= _EXACT for constant in constants):
        return argument, "equals", tuple(constants)
    return None


def _argument_of(node: Node | None) -> str | None:
    """The name behind `args.`."""
    if isinstance(node, Select | Has) and node.access is Access.PLAIN:
        operand = node.operand
        if isinstance(operand, Ident) and operand.name == "args" and not operand.root:
            return node.field
    return None


def _constant(node: Node) -> Any:
    return node.value if isinstance(node, Literal) else _MISSING
