"""Python code in a text of Python code: `exec`, `eval`, input of an interpreter."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gateway.inspect.findings import TooMuch
from gateway.inspect.python.parse import Lines, parse
from gateway.inspect.value import NOTHING, Value, sources

if TYPE_CHECKING:
    from gateway.inspect.python.walk import Walk

MAX_NESTED = 6


class Within(Lines):
    """All of a text stands where the code that holds it stands."""

    def __init__(self, start: int, end: int) -> None:
        self._place = (start, end)

    def span(self, node: ast.AST) -> tuple[int, int]:
        """The place of the whole text."""
        del node
        return self._place


def read_nested(walk: Walk, text: str, value: Value, node: ast.AST) -> Value:
    """Read a text as code in the same scope, and tell what an expression of it makes."""
    if walk.nested >= MAX_NESTED:
        raise TooMuch("the code is nested too deep to be analysed")
    findings = walk.findings
    parsed = parse(text)
    place = findings.lines.span(node)
    before, findings.lines = findings.lines, Within(*place)
    walk.nested += 1
    made = NOTHING
    if parsed.tree is not None:
        findings.left -= len(text) // 16
        walk.block(parsed.tree.body[:-1])
        for last in parsed.tree.body[-1:]:
            if isinstance(last, ast.Expr):
                made = walk.value(last.value)
            else:
                walk.block([last])
    elif parsed.doubts or sources((value,)) & {"decoded", "network"}:
        findings.runs(value, node)
    walk.nested -= 1
    findings.lines = before
    return made
