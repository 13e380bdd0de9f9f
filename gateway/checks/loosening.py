"""Calls with a constant text whose truth loosens the policy, as checks look at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from gateway.checks.conditions import Expression, expressions
from gateway.decision import Effect
from gateway.policy import Rule

if TYPE_CHECKING:
    from gateway.cel.syntax import Call, Literal, Node, Parsed
    from gateway.policy import Policy


def loosening_texts(policy: Policy) -> Iterator[tuple[Parsed, Call, Literal]]:
    """Each call whose last argument is a constant text, and that makes a condition what loosens the policy."""
    every = list(expressions(policy))
    for expression in every:
        loosens = _loosens(expression)
        if loosens is None or expression.parsed.ast is None:
            continue
        lets = {
            name: let.parsed
            for let, name in zip(
                (one for one in every if one.part is expression.part and one.key == "let"),
                expression.part.let if isinstance(expression.part, Rule) else (),
                strict=False,
            )
        }
        yield from _calls(expression.parsed, lets, expression.parsed.ast, loosens)


def _loosens(expression: Expression) -> bool | None:
    """Whether the policy is looser where an expression is true; None if it is not such a condition."""
    if isinstance(expression.part, Rule) and expression.key in ("when", "unless"):
        return (expression.part.effect is Effect.ALLOW) is (expression.key == "when")
    return True if expression.key == "read_only_when" else None


def _calls(
    parsed: Parsed, lets: Mapping[str, Parsed], node: Node, loosens: bool
) -> Iterator[tuple[Parsed, Call, Literal]]:
    """The calls in a node, as far as their truth makes it what loosens the policy."""
    from gateway.cel.syntax import Call, Conditional, Ident, Literal, Logic, Macro, Unary, UnaryOperator

    match node:
        case Unary(operator=UnaryOperator.NOT, operand=operand):
            yield from _calls(parsed, lets, operand, not loosens)
        case Logic(terms=terms):
            for term in terms:
                yield from _calls(parsed, lets, term, loosens)
        case Conditional(then=then, otherwise=otherwise):
            yield from _calls(parsed, lets, then, loosens)
            yield from _calls(parsed, lets, otherwise, loosens)
        case Macro(body=body):
            yield from _calls(parsed, lets, body, loosens)
        case Ident(name=name) if name in lets and (ast := lets[name].ast) is not None:
            before = {one: let for one, let in lets.items() if one != name}
            yield from _calls(lets[name], before, ast, loosens)
        case Call(arguments=arguments) if loosens and arguments:
            text = arguments[-1]
            if isinstance(text, Literal) and isinstance(text.value, str):
                yield parsed, node, text
