"""A part of a condition that changes nothing, because the parts beside it say as much.

In `x > 5 && x > 10` the first comparison is true wherever the second is, and in `x > 5 || x > 10` the second adds
nothing to the first. The same part twice, `!!x` and a `true` or `false` in a chain are of that kind. Mostly something
else was meant: another argument, another bound, the other operator.

Bad, where the first bound means nothing:

    rules:
      - {id: odd, tools: [pay], when: args.amount > 5 && args.amount > 10, effect: ask, message: Is it right?}

Good:

    rules:
      - {id: odd, tools: [pay], when: args.amount > 5 && args.amount < 10, effect: ask, message: Is it right?}

`has(x)` before `x == 1` guards, and so does what asks for `null` or for a `type(…)`: such a part is never redundant.
Where a part is kept for its reader, write `# gateway: ignore[redundant-term] …` on the line of the condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from gateway.checks.cases import implied
from gateway.checks.conditions import Expression, expressions, walk
from gateway.checks.held import lists_of, names_of, spelled_again
from gateway.diagnostic import Confidence, Diagnostic, Edit, Excerpt, shortened

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from gateway.cel.syntax import Logic, Node, Parsed
    from gateway.compile import Compiled
    from gateway.policy import Policy

CONFIDENCE = Confidence.LIKELY


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each term of a chain that the others imply, and each `!` that another one takes back."""
    from gateway.cel.syntax import Logic, Unary, UnaryOperator

    lists = lists_of(policy)
    for expression in expressions(policy):
        parsed = expression.parsed
        inner: set[int] = set()
        for node in walk(parsed):
            if isinstance(node, Logic):
                yield from _chained(expression, node, lists)
            elif isinstance(node, Unary) and node.operator is UnaryOperator.NOT and id(node) not in inner:
                operand = node.operand
                if isinstance(operand, Unary) and operand.operator is UnaryOperator.NOT:
                    inner.add(id(operand))
                    yield _double(parsed, node, operand.operand)


def _double(parsed: Parsed, node: Node, inside: Node) -> Diagnostic:
    span, text = parsed.span(node), parsed.span(inside).text
    message = f"`{shortened(span.text)}` is `{shortened(text)}`: one `!` takes back the other"
    return Diagnostic("", message, span, f"write `{shortened(text)}`", edits=(Edit(span, f"({text})"),))


def _chained(
    expression: Expression, node: Logic, lists: Mapping[str, tuple[Any, ...]]
) -> Iterator[Diagnostic]:
    """The terms of one chain that can be left out, the later of two that say the same."""
    from gateway.cel.syntax import Literal, LogicOperator

    parsed, names = expression.parsed, names_of(expression.part)
    both = node.operator is LogicOperator.AND
    kept = [(term, spelled_again(replace(parsed, ast=term, lets=names), lists)) for term in node.terms]
    for place in range(len(kept) - 1, -1, -1):
        term, text = kept[place]
        others = [other for other in kept if other[0] is not term]
        if not others:
            continue
        span = parsed.span(term)
        if not text:
            continue
        if isinstance(term, Literal):
            decides = "decides all of it" if term.value is not both else "changes nothing"
            message, help_ = f"`{span.text}` {decides} in a chain of `{node.operator.value}`", "leave it out"
        elif (by := _covering(text, others, both=both)) is not None:
            shown, own = shortened(parsed.span(by).text), shortened(span.text)
            beside = f"changes nothing beside `{shown}`" if shown != own else "stands here twice"
            message = f"`{own}` {beside}"
            help_ = "leave it out, or correct what was meant to differ"
        else:
            continue
        kept.pop(place)
        yield Diagnostic("", message, span, help_)


def _covering(text: str, others: list[tuple[Node, str]], *, both: bool) -> Node | None:
    """The other term that makes one idle: in `&&` one that is narrower, in `||` one that is wider."""
    guards = _guards(text)
    for node, other in others:
        if other == text or (
            other and not guards and (implied(other, text) if both else implied(text, other))
        ):
            return node
    return None


def _guards(text: str) -> bool:
    """Whether a term asks whether there is a value or of which type it is: the terms beside it may need that."""
    from gateway.cel import parse
    from gateway.cel.syntax import Call, Literal

    return any(
        (isinstance(node, Literal) and node.value is None) or (isinstance(node, Call) and node.name == "type")
        for node in walk(parse(Excerpt.whole(text)))
    )
