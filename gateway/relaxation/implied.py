"""Whether one CEL condition matches at least what another one does, as far as their structure shows."""

from __future__ import annotations

import operator as operators
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from gateway.cel.syntax import (
    Access,
    Binary,
    BinaryOperator,
    Call,
    Conditional,
    ListNode,
    Literal,
    Logic,
    LogicOperator,
    Macro,
    MacroKind,
    Node,
    Unary,
    UnaryOperator,
)

_MOST = 50_000
"""How many pairs of sub-expressions are compared before nothing is claimed."""


class Read(NamedTuple):
    """A condition in one spelling: its text and its tree."""

    text: str
    tree: Node


class _Signed(NamedTuple):
    """A sub-expression of a condition, or its opposite; `where` tells the condition."""

    where: Read
    node: Node
    negated: bool = False

    @property
    def text(self) -> str:
        return self.where.text[self.node.start : self.node.end]

    def below(self, node: Node, *, negated: bool = False) -> _Signed:
        return _Signed(self.where, node, negated)


def implies(first: Read, second: Read, whole: Set[str] = frozenset()) -> bool:
    """Whether each call for which the first condition is true certainly makes the second one true.

    It holds as well where an error counts as true, as it does in rules that refuse: no comparison below turns an
    error into false. Values of conditions are true, false or an error; `&&`, `||` and `!` follow from these alone,
    and what lies below is compared as text. That a long evaluation is ended as too costly is left out of account.
    What is in `whole` is never a fraction: its comparisons have no bound in between.
    """
    return _Comparison(whole).implied(_Signed(first, first.tree), _Signed(second, second.tree))


class _Comparison:
    def __init__(self, whole: Set[str]) -> None:
        self.whole = whole
        self.known: dict[tuple[Any, ...], bool] = {}

    def implied(self, x: _Signed, y: _Signed) -> bool:
        key = (x.node.start, x.node.end, x.negated, id(x.where), y.node.start, y.node.end, y.negated)
        if key not in self.known:
            if len(self.known) > _MOST:
                return False
            self.known[key] = self._implied(x, y)
        return self.known[key]

    def _implied(self, x: _Signed, y: _Signed) -> bool:
        x, y = _bare(x), _bare(y)
        if _is(x, value=False) or _is(y, value=True):
            return True
        if x.negated == y.negated and x.text == y.text and type(x.node) is type(y.node):
            return True
        for terms in _chain(x, LogicOperator.OR):
            return all(self.implied(term, y) for term in terms)
        for terms in _chain(y, LogicOperator.AND):
            return all(self.implied(x, term) for term in terms)
        every = next(_chain(x, LogicOperator.AND), [])
        some = next(_chain(y, LogicOperator.OR), [])
        if every or some:
            return any(self.implied(term, y) for term in every) or any(self.implied(x, term) for term in some)
        if x.negated != y.negated:
            x, y = self._upright(x), self._upright(y)
        if x.negated != y.negated:
            return False
        # Not the first implies not the second where the second implies the first.
        return self._atoms(y, x) if x.negated else self._atoms(x, y)

    def _atoms(self, x: _Signed, y: _Signed) -> bool:
        if isinstance(x.node, Macro) and isinstance(y.node, Macro):
            return self._macros(x, x.node, y, y.node)
        if isinstance(x.node, Conditional) and isinstance(y.node, Conditional):
            same = x.below(x.node.condition).text == y.below(y.node.condition).text
            return (
                same
                and self.implied(x.below(x.node.then), y.below(y.node.then))
                and self.implied(x.below(x.node.otherwise), y.below(y.node.otherwise))
            )
        if isinstance(x.node, Call) and isinstance(y.node, Call):
            return _texts(x, x.node, y, y.node)
        if isinstance(x.node, Binary) and isinstance(y.node, Binary):
            same = x.below(x.node.left).text == y.below(y.node.left).text
            return same and _bounded(x.node, y.node, whole=self._is_whole(x.below(x.node.left)))
        return False

    def _is_whole(self, x: _Signed) -> bool:
        """Whether an expression is a whole number whatever it reads, or is none at all."""
        return (isinstance(x.node, Call) and x.node.name == "size") or x.text in self.whole

    def _upright(self, x: _Signed) -> _Signed:
        """The opposite of a comparison as a comparison; of fractions it is none, since NaN is neither."""
        node = x.node
        if not x.negated or not isinstance(node, Binary) or node.operator not in _OPPOSITE:
            return x
        if not isinstance(node.right, Literal) or type(node.right.value) is not int:
            return x
        if not self._is_whole(x.below(node.left)):
            return x
        return x.below(replace(node, operator=_OPPOSITE[node.operator]))

    def _macros(self, x: _Signed, one: Macro, y: _Signed, other: Macro) -> bool:
        if one.kind is not other.kind or one.variables != other.variables:
            return False
        if one.kind is MacroKind.EXISTS:
            ranges = _ranges(x.below(one.range), y.below(other.range), len(one.variables))
        elif one.kind is MacroKind.ALL:
            ranges = _ranges(y.below(other.range), x.below(one.range), len(one.variables))
        else:
            return False
        return ranges and self.implied(x.below(one.body), y.below(other.body))


def _ranges(fewer: _Signed, more: _Signed, variables: int) -> bool:
    """Whether all elements of the first list are in the second; with an index beside them, at the same places."""
    if fewer.text == more.text:
        return True
    some, all_ = _constants(fewer.node), _constants(more.node)
    if some is None or all_ is None or variables != 1:
        return False
    known = {more.below(each).text for each in all_}
    return all(fewer.below(each).text in known for each in some)


def _bare(x: _Signed) -> _Signed:
    """Without `!` around it."""
    while isinstance(x.node, Unary) and x.node.operator is UnaryOperator.NOT:
        x = x.below(x.node.operand, negated=not x.negated)
    return x


def _is(x: _Signed, *, value: bool) -> bool:
    return isinstance(x.node, Literal) and x.node.value is (value is not x.negated)


def _chain(x: _Signed, operator: LogicOperator) -> Iterator[list[_Signed]]:
    """The terms where the expression is a chain of an operator; the opposite of a chain is one of the other."""
    if isinstance(x.node, Logic) and (x.node.operator is operator) is not x.negated:
        yield [x.below(term, negated=x.negated) for term in x.node.terms]


_WITHIN: Mapping[str, Callable[[str, str], bool]] = MappingProxyType(
    {
        "startsWith": lambda narrow, wide: narrow.startswith(wide),
        "endsWith": lambda narrow, wide: narrow.endswith(wide),
        "contains": lambda narrow, wide: wide in narrow,
    }
)


def _texts(x: _Signed, one: Call, y: _Signed, other: Call) -> bool:
    """`s.startsWith("abc")` and `s.startsWith("ab")`: an error is one of `s` in both."""
    within = _WITHIN.get(one.name)
    if within is None or one.name != other.name or one.target is None or other.target is None:
        return False
    if len(one.arguments) != 1 or len(other.arguments) != 1:
        return False
    if x.below(one.target).text != y.below(other.target).text:
        return False
    narrow, wide = (
        argument.value if isinstance(argument, Literal) else None
        for argument in (one.arguments[0], other.arguments[0])
    )
    return isinstance(narrow, str) and isinstance(wide, str) and within(narrow, wide)


_LOWER = {BinaryOperator.GREATER: True, BinaryOperator.GREATER_EQUAL: False}
_UPPER = {BinaryOperator.LESS: True, BinaryOperator.LESS_EQUAL: False}
"""The comparisons with a bound, and whether the bound itself is left out."""


def _bounded(one: Binary, other: Binary, *, whole: bool) -> bool:
    """Whether what is left of both, compared with constants, passes the second comparison where it passes the first."""
    listed, among = _listed(one), _listed(other)
    if listed is not None and among is not None:
        known = {(type(value), value) for value in among}
        return all((type(value), value) in known for value in listed)
    if whole:
        one, other = _sharp(one), _sharp(other)
    if not isinstance(other.right, Literal):
        return False
    bound = other.right.value
    if listed is not None:
        return all(_ordered(value, bound) and _passes(value, other.operator, bound) for value in listed)
    if not isinstance(one.right, Literal) or not _ordered(one.right.value, bound):
        return False
    value = one.right.value
    for bounds, outside in ((_LOWER, BinaryOperator.GREATER), (_UPPER, BinaryOperator.LESS)):
        if one.operator in bounds and other.operator in bounds:
            at_the_bound = bool(value == bound) and (bounds[one.operator] or not bounds[other.operator])
            return at_the_bound or _passes(value, outside, bound)
    return False


def _listed(node: Binary) -> list[Any] | None:
    """The constants that `x == c` or `x in [c, d]` asks for."""
    if node.operator is BinaryOperator.EQUAL and isinstance(node.right, Literal):
        return [node.right.value]
    if node.operator is BinaryOperator.IN:
        constants = _constants(node.right)
        return None if constants is None else [constant.value for constant in constants]
    return None


def _constants(node: Node) -> list[Literal] | None:
    """The elements of a list of nothing but constants, or of several such lists with `+` between them."""
    if isinstance(node, Binary) and node.operator is BinaryOperator.ADD:
        left, right = _constants(node.left), _constants(node.right)
        return None if left is None or right is None else left + right
    if not isinstance(node, ListNode):
        return None
    found = [each.value for each in node.elements if each.access is Access.PLAIN]
    constants = [value for value in found if isinstance(value, Literal)]
    return constants if len(constants) == len(node.elements) else None


def _sharp(node: Binary) -> Binary:
    """A comparison of a whole number, without its `=`: `n >= 5` is `n > 4`."""
    step, operator = _SHARPER.get(node.operator, (0, node.operator))
    if not step or not isinstance(node.right, Literal) or type(node.right.value) is not int:
        return node
    if abs(node.right.value) >= _EXACT:
        return node
    return replace(node, operator=operator, right=replace(node.right, value=node.right.value + step))


_EXACT = 2**53
"""Up to here a double that is whole is told from its neighbours."""
_OPPOSITE = {
    BinaryOperator.GREATER: BinaryOperator.LESS_EQUAL,
    BinaryOperator.GREATER_EQUAL: BinaryOperator.LESS,
    BinaryOperator.LESS: BinaryOperator.GREATER_EQUAL,
    BinaryOperator.LESS_EQUAL: BinaryOperator.GREATER,
}
_SHARPER = {
    BinaryOperator.GREATER_EQUAL: (-1, BinaryOperator.GREATER),
    BinaryOperator.LESS_EQUAL: (1, BinaryOperator.LESS),
}


def _ordered(one: Any, other: Any) -> bool:
    """Whether both are numbers, or both texts: then a comparison with either fails for the same values."""
    if isinstance(one, bool) or isinstance(other, bool):
        return False
    if isinstance(one, int | float) and isinstance(other, int | float):
        return True
    return isinstance(one, str) and isinstance(other, str)


def _passes(value: Any, operator: BinaryOperator, bound: Any) -> bool:
    compare = _COMPARE.get(operator)
    return compare is not None and bool(compare(value, bound))


_COMPARE: Mapping[BinaryOperator, Callable[[Any, Any], Any]] = MappingProxyType(
    {
        BinaryOperator.GREATER: operators.gt,
        BinaryOperator.GREATER_EQUAL: operators.ge,
        BinaryOperator.LESS: operators.lt,
        BinaryOperator.LESS_EQUAL: operators.le,
    }
)
