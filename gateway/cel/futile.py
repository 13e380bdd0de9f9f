"""The part of the checker that knows what fails for every value: a place that no list has, and a division by zero.

What an expression says all of by itself, such as `1 / 0` and `[1, 2][5]`, is no mistake.
"""

from __future__ import annotations

from gateway.cel.domain import Domain
from gateway.cel.names import Names, Reached
from gateway.cel.syntax import Binary, BinaryOperator, Index, ListNode, Literal, Node, Unary, UnaryOperator
from gateway.cel.types import ListType

_DIVISIONS = frozenset({BinaryOperator.DIVIDE, BinaryOperator.MODULO})
_WHOLE = frozenset({"int", "uint"})


class Futile(Names):
    """What a checker knows of operations that always fail."""

    def indexed(self, at: Reached, step: Index) -> Reached:
        """An element, of which is reported if it can't be there."""
        found = super().indexed(at, step)
        place = _whole_number(step.index)
        domain = at.domain
        if place is None or not isinstance(at.inner, ListType) or isinstance(step.operand, ListNode):
            return found
        form = None if domain is None or domain.written else domain.forms.get("list")
        text = self.text(step.operand)
        if place < 0:
            help_ = f"write `{text}.last()`" if place == -1 else "places are counted from 0"
            self.report("cel-value", step.index, f"no list has an element at {place}", help_)
        elif form is not None and form.range.high is not None and place >= form.range.high:
            most = int(form.range.high)
            counted = f"at most {most} element{'' if most == 1 else 's'}" if most else "no element"
            help_ = f"the last one is at {most - 1}: places are counted from 0" if most else ""
            message = f"`{text}` has {counted}, so none at {place}"
            self.report("cel-value", step.index, message, help_)
        return found

    def divided(self, node: Binary, by: Domain | None) -> None:
        """Report a division by what can only be zero."""
        if node.operator not in _DIVISIONS or by is None or not by.forms or not _WHOLE.issuperset(by.forms):
            return
        if isinstance(node.left, Literal) or by.listed is None:
            return
        if all(value == 0 for value in by.listed):
            self.report("cel-value", node.right, f"`{self.text(node)}` always fails: it divides by zero")


def _whole_number(node: Node) -> int | None:
    if isinstance(node, Unary) and node.operator is UnaryOperator.NEGATE:
        inner = _whole_number(node.operand)
        return None if inner is None else -inner
    return node.value if isinstance(node, Literal) and node.value.__class__ is int else None
