"""Operators in generated code: Python's own for the classes where both mean the same, a helper for all others."""

from __future__ import annotations

from gateway.cel.budget import COSTS, SMALL
from gateway.cel.generate import helpers
from gateway.cel.generate.helpers import CHEAP
from gateway.cel.generate.writer import NO_LITERAL, Operand, Shape, Writer
from gateway.cel.syntax import Access, BinaryOperator, ListNode, Literal
from gateway.cel.values import INT_MAX, INT_MIN

_FEW = 64
_DOUBLES_ARE_EXACT = 2**53

EQUALITY = {BinaryOperator.EQUAL: "==", BinaryOperator.UNEQUAL: "!="}
ORDER = {
    BinaryOperator.LESS: "<",
    BinaryOperator.LESS_EQUAL: "<=",
    BinaryOperator.GREATER: ">",
    BinaryOperator.GREATER_EQUAL: ">=",
}
_INLINE_ARITHMETIC = {BinaryOperator.ADD: "+", BinaryOperator.SUBTRACT: "-", BinaryOperator.MULTIPLY: "*"}
_DIVISION = {BinaryOperator.DIVIDE: "//", BinaryOperator.MODULO: "%"}
_COMPARED_AS_THEY_ARE = frozenset({Shape.TEXT, Shape.INT, Shape.DOUBLE, Shape.BOOL})
_LISTED = {str: Shape.TEXT, int: Shape.INT}


def boolean(text: str) -> Operand:
    """An operand that is certainly a bool."""
    return Operand(text, Shape.BOOL)


def helped(writer: Writer, symbol: BinaryOperator, left: Operand, right: Operand) -> str:
    """The operator by its helper, and a count of what that may take."""
    texts = [len(one.literal) for one in (left, right) if one.literal.__class__ is str]
    if symbol in (BinaryOperator.IN, BinaryOperator.ADD):
        writer.pay()
    elif symbol in COSTS and not any(one.literal.__class__ in SMALL for one in (left, right)):
        writer.pay(1 + (min(texts) >> 10) if texts else CHEAP)
    return f"{writer.constant(helpers.OPERATORS[symbol])}({left.text}, {right.text})"


def binary(writer: Writer, symbol: BinaryOperator, left: Operand, right: Operand) -> Operand:
    """Any operator but `in` with a literal."""
    if symbol in EQUALITY:
        return _equality(writer, symbol, left, right)
    if symbol in ORDER:
        return _order(writer, symbol, left, right)
    if symbol in _INLINE_ARITHMETIC:
        return _arithmetic(writer, symbol, left, right)
    if symbol in _DIVISION:
        return _division(writer, symbol, left, right)
    return boolean(helped(writer, symbol, left, right))


def guarded(writer: Writer, shape: Shape, operands: tuple[Operand, ...]) -> tuple[str, ...] | None:
    """What must be asked so that all operands are of a class; None if one certainly is not."""
    asked = []
    for operand in operands:
        known = writer.shape(operand)
        if known is shape:
            continue
        if known is not Shape.ANY or operand.literal is not NO_LITERAL:
            return None
        asked.append(f"type({operand.text}) is {shape.value}")
    return tuple(dict.fromkeys(asked))


def _inline(writer: Writer, shape: Shape, text: str, otherwise: str, *operands: Operand) -> Operand:
    asked = guarded(writer, shape, operands)
    if asked is None:
        return boolean(otherwise)
    return boolean(f"({text} if {' and '.join(asked)} else {otherwise})" if asked else f"({text})")


def _twice(writer: Writer, *operands: Operand) -> tuple[Operand, ...]:
    """The operands, named where asking for their class needs them a second time."""
    return tuple(one if writer.shape(one) is not Shape.ANY else writer.named(one) for one in operands)


def _equality(writer: Writer, symbol: BinaryOperator, left: Operand, right: Operand) -> Operand:
    if left.literal is not NO_LITERAL and right.literal is NO_LITERAL:
        left, right = right, left  # equality is the same both ways, and a literal has no effects
    value = right.literal
    if value is NO_LITERAL:
        return boolean(helped(writer, symbol, left, right))
    left = writer.local(left) if left.literal is not NO_LITERAL else _twice(writer, left)[0]
    otherwise = helped(writer, symbol, left, right)
    if value is None and writer.shape(left) is Shape.ANY:
        sign = "is" if symbol is BinaryOperator.EQUAL else "is not"
        plain = writer.constant(helpers.PLAIN)
        return boolean(f"({left.text} {sign} None if type({left.text}) in {plain} else {otherwise})")
    if right.shape in _COMPARED_AS_THEY_ARE:
        return _inline(writer, right.shape, f"{left.text} {EQUALITY[symbol]} {right.text}", otherwise, left)
    return boolean(otherwise)


def _order(writer: Writer, symbol: BinaryOperator, left: Operand, right: Operand) -> Operand:
    left, right = _twice(writer, left, right)
    otherwise = helped(writer, symbol, left, right)
    text = f"{left.text} {ORDER[symbol]} {right.text}"
    shapes = {writer.shape(left), writer.shape(right)}
    if Shape.DOUBLE in shapes or left.likely_double or right.likely_double:
        return _order_of_doubles(writer, text, otherwise, left, right)
    return _inline(writer, Shape.INT, text, otherwise, left, right)


def _order_of_doubles(writer: Writer, text: str, otherwise: str, *operands: Operand) -> Operand:
    """Python compares a double with an int exactly, CEL as doubles: the same up to 2**53."""
    others = tuple(one for one in operands if not _small_int(one))
    return _inline(writer, Shape.DOUBLE, text, otherwise, *others)


def _small_int(operand: Operand) -> bool:
    value = operand.literal
    return value.__class__ is int and abs(value) <= _DOUBLES_ARE_EXACT


def _arithmetic(writer: Writer, symbol: BinaryOperator, left: Operand, right: Operand) -> Operand:
    left, right = _twice(writer, left, right)
    otherwise = helped(writer, symbol, left, right)
    asked = guarded(writer, Shape.INT, (left, right))
    name = writer.fresh()
    if asked is None:
        writer.line(f"{name} = {otherwise}")
        return Operand(name, name=True)
    text = f"{name} = {left.text} {_INLINE_ARITHMETIC[symbol]} {right.text}"
    outside = f"not {INT_MIN} <= {name} <= {INT_MAX}"
    if not asked:
        writer.line(text)
        writer.doubt(outside)
        return Operand(name, Shape.INT, True)
    with writer.block(f"if {' and '.join(asked)}:"):
        writer.line(text)
        writer.doubt(outside)
    with writer.block("else:"):
        writer.line(f"{name} = {otherwise}")
    return Operand(name, name=True)


def _division(writer: Writer, symbol: BinaryOperator, left: Operand, right: Operand) -> Operand:
    divisor = right.literal
    left, right = writer.named(left), writer.short(right)
    otherwise = helped(writer, symbol, left, right)
    asked = guarded(writer, Shape.INT, (left,))
    if asked is None or divisor.__class__ is not int or divisor <= 0:
        return Operand(otherwise)
    # Python rounds down and CEL towards zero: the same from zero on.
    within = " and ".join((*asked, f"0 <= {left.text} <= {INT_MAX}"))
    return Operand(f"({left.text} {_DIVISION[symbol]} {right.text} if {within} else {otherwise})")


def in_literals(writer: Writer, left: Operand, node: ListNode) -> Operand | None:
    """`left in ['a', 'b']`, or in a list of ints; None for any other list."""
    values = [element.value.value for element in node.elements if isinstance(element.value, Literal)]
    if not values or len(values) < len(node.elements) or len(values) > _FEW:
        return None
    classes = {value.__class__ for value in values}
    shape = _LISTED.get(classes.pop()) if len(classes) == 1 else None
    if shape is None or any(element.access is not Access.PLAIN for element in node.elements):
        return None
    left = writer.named(left)
    listed = ", ".join(writer.literal(value).text for value in dict.fromkeys(values))
    if shape is Shape.TEXT:
        otherwise = f"{writer.constant(helpers.no_text)}({left.text})"
    else:
        writer.pay()
        otherwise = f"{writer.constant(helpers.within)}({left.text}, [{listed}])"
    return _inline(writer, shape, f"{left.text} in {{{listed}}}", otherwise, left)


def text_in(writer: Writer, text: Operand, right: Operand) -> Operand:
    """`'text' in right`."""
    right = writer.named(right)
    writer.pay()
    otherwise = f"{writer.constant(helpers.text_within)}({text.text}, {right.text})"
    quick = f"type({right.text}) is frozenset or type({right.text}) is list and len({right.text}) <= {_FEW}"
    return boolean(f"({text.text} in {right.text} if {quick} else {otherwise})")
