"""Arithmetic that is compared as if it were exact.

Whole numbers divide without a rest: `1099 / 100` is 10, so `args.cents / 100 > 10` lets everything below 11.00 pass.
Numbers with fractions are rounded in their last digit: `0.1 + 0.2 == 0.3` is false.

Bad, where 1099 is not above 10:

    rules:
      - {id: large, tools: [pay], when: args.amount / 100 > 10, effect: ask, message: Is it right?}

Good:

    rules:
      - {id: large, tools: [pay], when: args.amount > 1000, effect: ask, message: Is it right?}

`>=` and `<` with a whole number are the same with a rest and without, and say nothing here. Amounts of money that are
texts are compared with `decimal()`. Where the rest is to be left out, write `# gateway: ignore[inexact-number] …` on
the line of the condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.conditions import expressions, walk
from gateway.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gateway.cel.syntax import Binary, Node, Parsed
    from gateway.compile import Compiled
    from gateway.policy import Policy

_MIRRORED = {">": "<", "<": ">", ">=": "<=", "<=": ">="}
_EQUAL = ("==", "!=")
_ARITHMETIC = ("+", "-", "*", "/")


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each comparison with a constant that a rest or a last digit decides."""
    from gateway.cel.syntax import Binary, Literal

    for expression in expressions(policy):
        parsed = expression.parsed
        for node in walk(parsed):
            if not isinstance(node, Binary) or node.operator.value not in (*_MIRRORED, *_EQUAL):
                continue
            operator: str = node.operator.value
            left, right = node.left, node.right
            if isinstance(left, Literal):
                operator, left, right = _MIRRORED.get(operator, operator), right, left
            if not isinstance(left, Binary) or not isinstance(right, Literal):
                continue
            if _divides_whole(left) and _rest_decides(operator, right.value):
                message = f"`{parsed.span(left).text}` has no rest: whole numbers are divided"
                yield Diagnostic(
                    "", message, parsed.span(node), _multiplied(parsed, left, operator, right.value)
                )
            elif operator in _EQUAL and left.operator.value in _ARITHMETIC and _fraction(right.value):
                message = (
                    f"the last digit of `{parsed.span(left).text}` is rounded, so it hardly ever equals this"
                )
                yield Diagnostic(
                    "", message, parsed.span(node), "compare with `<` and `>`, or use `decimal()`"
                )


def _divides_whole(node: Binary) -> bool:
    """Whether a whole number is divided: there is no division of an int and a double."""
    return node.operator.value == "/" and _is_int(node.right)


def _is_int(node: Node) -> bool:
    from gateway.cel.syntax import Literal

    return isinstance(node, Literal) and type(node.value) is int and abs(node.value) > 1


def _rest_decides(operator: str, bound: object) -> bool:
    return _fraction(bound) or (operator in (">", "<=") and type(bound) is int)


def _fraction(value: object) -> bool:
    return isinstance(value, float) and not value.is_integer()


def _multiplied(parsed: Parsed, node: Binary, operator: str, bound: object) -> str:
    from gateway.cel.syntax import Literal

    by = node.right.value if isinstance(node.right, Literal) else 1
    if isinstance(bound, int | float) and float(bound * by).is_integer():
        return f"write `{parsed.span(node.left).text} {operator} {int(bound * by)}`"
    return "multiply the other side instead"
