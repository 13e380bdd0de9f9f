"""What conditions and schemas compare with: a search that never tries these values finds nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from gateway.cel.syntax import Call, Ident, Literal, Node, Parsed, children
from gateway.frozen import frozen
from gateway.relaxation.spelled import Unspellable, spelled
from gateway.search.regexes import bent, fitting, near
from gateway.search.request import texts_in

if TYPE_CHECKING:
    from gateway.plan import Condition, ToolPlan

_COMMON = ("x", "", "a b", "acme", "name@example.com", "/srv/x", "https://example.com/")
_FEW = (0, 1, -1, 2, 5)


@frozen
class Pool:
    """Constants by kind; `texts` come first as they were written."""

    texts: tuple[str, ...]
    numbers: tuple[int | float, ...]
    regexes: tuple[str, ...]

    def text(self, rng: Random) -> str:
        """A text near to what is compared with."""
        kind = rng.randrange(10)
        if kind == 0 or not (self.texts or self.regexes):
            return rng.choice(_COMMON)
        if kind < 4 and self.regexes:
            one = rng.choice(self.regexes)
            return near(one, rng) if rng.randrange(3) else fitting(one, rng)
        if not self.texts:
            return rng.choice(_COMMON)
        one = rng.choice(self.texts)
        if kind < 6:
            return one
        return (one + "x", "x" + one, f"x{one}x", one[:-1], one.swapcase(), bent(one, rng))[rng.randrange(6)]

    def number(self, rng: Random) -> int | float:
        """A number at or beside what is compared with."""
        if not self.numbers or rng.randrange(6) == 0:
            return rng.choice(_FEW)
        return beside(rng.choice(self.numbers), rng)

    def integer(self, rng: Random) -> int:
        """A whole number of the same kind."""
        value = self.number(rng)
        return int(value) if abs(value) < 2**62 else 1


def beside(number: int | float, rng: Random) -> int | float:
    """The number, or one just above or below."""
    steps = (0, 0, 1, -1) if isinstance(number, int) else (0.0, 0.0, 0.5, -0.5, 1e-9, -1e-9)
    return number + rng.choice(steps)


def conditions(plan: ToolPlan) -> Iterator[Condition]:
    """Every expression that has a say in a call of the tool, and in what is shown of its result."""
    for rule in plan.rules:
        yield from (one for one in (rule.when, rule.unless) if one is not None)
    for forced in plan.forced:
        yield from (one for one in (forced.when, forced.unless) if one is not None)
        yield from (one for _, one in forced.values)
    for result in plan.results:
        yield from (one for one in (result.when, result.unless) if one is not None)
    if plan.read_only_when is not None:
        yield plan.read_only_when


def names_read(plans: Iterable[ToolPlan], more: Iterable[Parsed]) -> frozenset[str]:
    """The variables that the conditions of some tools, and more conditions, read."""
    plans = tuple(plans)
    known = (*(one.reads for plan in plans for one in conditions(plan)), *(plan.reads for plan in plans))
    idents = (node.name for parsed in more for node in nodes(parsed) if isinstance(node, Ident))
    return frozenset[str]().union(*known, idents)


def meaning(parsed: Parsed) -> str:
    """What an expression asks, as its tree has it: one that was changed in memory keeps the text it was read from."""
    try:
        return spelled(parsed)
    except Unspellable:
        return repr((parsed.ast, *(one.ast for _, one in sorted(parsed.lets.items()))))


def nodes(parsed: Parsed) -> Iterator[Node]:
    """Every node of an expression and of what its names stand for."""
    pending = [tree for tree in (parsed.ast, *(one.ast for one in parsed.lets.values())) if tree is not None]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(children(node))


_REGEX = frozenset(("matches", "find", "findAll"))


def pool_of(
    plans: Iterable[ToolPlan], lists: Iterable[Mapping[str, Any]], more: Iterable[Parsed] = ()
) -> Pool:
    """What the conditions and schemas of some tools, and more conditions, compare with, and what the policies list."""
    texts: dict[str, None] = {}
    numbers: dict[int | float, None] = {}
    regexes: dict[str, None] = {}
    plans = tuple(plans)
    for parsed in (*(one.parsed for plan in plans for one in conditions(plan)), *more):
        for node in nodes(parsed):
            if isinstance(node, Literal):
                _take(node.value, texts, numbers)
            elif isinstance(node, Call) and node.name in _REGEX:
                regexes.update(dict.fromkeys(_texts_of(node.arguments)))
    for plan in plans:
        _from_schema(plan.schema, texts, numbers, regexes)
    for named in lists:
        for values in named.values():
            for value in values:
                _take(value, texts, numbers)
    kept = [text for text in texts if text not in regexes]
    return Pool(tuple(kept), tuple(numbers), tuple(regexes))


def _texts_of(arguments: Iterable[Node]) -> Iterator[str]:
    for one in arguments:
        if isinstance(one, Literal) and isinstance(one.value, str):
            yield one.value


def _take(value: Any, texts: dict[str, None], numbers: dict[int | float, None]) -> None:
    if isinstance(value, str):
        texts[value] = None
    elif isinstance(value, int | float) and not isinstance(value, bool):
        numbers[value] = None


_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")


def _from_schema(
    schema: Any, texts: dict[str, None], numbers: dict[int | float, None], regexes: dict[str, None]
) -> None:
    if isinstance(schema, list | tuple):
        for one in schema:
            _from_schema(one, texts, numbers, regexes)
    if not isinstance(schema, Mapping):
        return
    for key, value in schema.items():
        if key in ("enum", "const", "default", "examples"):
            for text in texts_in(value):
                texts[text] = None
            for number in value if isinstance(value, list) else [value]:
                if not isinstance(number, str):
                    _take(number, texts, numbers)
        elif key in _BOUNDS:
            _take(value, texts, numbers)
        elif key == "pattern" and isinstance(value, str):
            regexes[value] = None
        elif isinstance(value, Mapping | list):
            _from_schema(value, texts, numbers, regexes)
