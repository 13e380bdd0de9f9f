"""Turn an expression into optimistic Python, which answers most evaluations several times faster.

The code does with Python's own operations what CEL means wherever both agree. Wherever they might not, it asks for
the classes of the values first, and everything else raises: then the exact way evaluates the whole expression again
and gives the value, or the error with its text and place. CEL has no effects, so nobody can tell but by the time.

Loops and dear operations are counted: what the exact way might refuse as too much work is left to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gateway.cel.environment import Environment
from gateway.cel.generate.expression import Expression
from gateway.cel.generate.helpers import CAUGHT, Doubt
from gateway.cel.generate.writer import GiveUp
from gateway.cel.loops import UNSET
from gateway.cel.syntax import Parsed

Evaluate = Callable[[Mapping[str, Any]], Any]


@dataclass(frozen=True, slots=True)
class Generated:
    """Python for an expression: the function, and its source to read."""

    evaluate: Evaluate
    source: str


def generate(parsed: Parsed, environment: Environment, exact: Evaluate) -> Generated | None:
    """Python that evaluates an expression and asks `exact` wherever it is in doubt; None if it is not worth it."""
    expression = Expression(parsed, environment)
    try:
        expression.body()
        source = _source(expression)
        code = compile(source, f"<python for {parsed.excerpt.text[:60]!a}>", "exec")
    except (GiveUp, RecursionError, SyntaxError):
        # Python allows 100 blocks and 20 loops in one another; more are a SyntaxError.
        return None
    namespace: dict[str, Any] = {
        "Doubt": Doubt,
        "CAUGHT": CAUGHT,
        "exact": exact,
        "unset": UNSET,
        **expression.writer.constants,
    }
    exec(code, namespace)  # noqa: S102  # text of a policy is in it only as literals that `ascii()` wrote
    return Generated(namespace["condition"], source)


def _source(expression: Expression) -> str:
    writer = expression.writer
    lines = ["def condition(variables):", "    try:"]
    lines.extend(f"        {text}" for text in writer.beginning)
    lines.extend(f"{'    ' * (depth + 2)}{text}" for depth, text in writer.lines)
    lines.extend(("    except CAUGHT:", "        pass", "    return exact(variables)"))
    return "\n".join(lines) + "\n"
