"""Calls in generated code: the functions that most conditions are made of, written out where they are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gateway.cel.budget import SHORT_PART
from gateway.cel.evaluate import implementation
from gateway.cel.functions import STANDARD
from gateway.cel.functions.regex import compiled
from gateway.cel.functions.signature import Function, Style, Work
from gateway.cel.generate import helpers
from gateway.cel.generate.comparing import boolean, guarded
from gateway.cel.generate.helpers import CHEAP
from gateway.cel.generate.writer import Operand, Shape, Writer
from gateway.cel.syntax import Node
from gateway.cel.values import CelError

_BEGUN = CHEAP << 10


def call(
    writer: Writer, function: Function, nodes: tuple[Node, ...], arguments: Sequence[Operand]
) -> Operand:
    """A function on operands."""
    try:
        work = implementation(function, nodes)
    except CelError:
        writer.line("raise Doubt")  # the constants of this call make it fail
        return writer.local(writer.literal(None))
    for known, written in _WRITTEN_OUT:
        if function is known:
            return written(writer, work, list(arguments)) or _general(writer, work, arguments)
    return _general(writer, work, arguments)


def _general(writer: Writer, work: Work, arguments: Sequence[Operand]) -> Operand:
    if work.cost is not None:
        writer.pay()
    run = writer.constant(helpers.affordable(work, len(arguments)))
    return Operand(f"{run}({', '.join(argument.text for argument in arguments)})")


def _size(writer: Writer, work: Work, arguments: list[Operand]) -> Operand | None:
    if len(arguments) != 1:
        return None
    (sized,) = arguments
    if writer.shape(sized) in (Shape.TEXT, Shape.LIST, Shape.MAP):
        return Operand(f"len({sized.text})", Shape.INT)
    sized = writer.named(sized)
    classes = writer.constant(helpers.SIZED)
    otherwise = _general(writer, work, [sized]).text
    return Operand(f"(len({sized.text}) if type({sized.text}) in {classes} else {otherwise})", Shape.INT)


def _asked(
    writer: Writer, work: Work, arguments: list[Operand], text: str, short: str, bound: int
) -> Operand | None:
    """A question about two texts, written out unless they are long."""
    if len(arguments) != 2:
        return None
    one, other = (writer.named(argument) for argument in arguments)
    asked = guarded(writer, Shape.TEXT, (one, other))
    otherwise = _general(writer, work, [one, other]).text
    if asked is None:
        return Operand(otherwise)
    if work.cost is not None:
        asked = (*asked, f"{short.format(one=one.text, other=other.text)} <= {bound}")
    inline = text.format(one=one.text, other=other.text)
    if not asked:
        return boolean(f"({inline})")
    # What a helper gives may be no bool only if the function is none of ours.
    return boolean(f"({inline} if {' and '.join(asked)} else {otherwise})")


def _contains(writer: Writer, work: Work, arguments: list[Operand]) -> Operand | None:
    part = arguments[-1].literal
    bound = CHEAP << 5 if isinstance(part, str) and len(part) < SHORT_PART else CHEAP
    return _asked(writer, work, arguments, "{other} in {one}", "len({one}) + len({other})", bound)


def _starts(writer: Writer, work: Work, arguments: list[Operand]) -> Operand | None:
    return _asked(writer, work, arguments, "{one}.startswith({other})", "len({other})", _BEGUN)


def _ends(writer: Writer, work: Work, arguments: list[Operand]) -> Operand | None:
    return _asked(writer, work, arguments, "{one}.endswith({other})", "len({other})", _BEGUN)


def _matches(writer: Writer, work: Work, arguments: list[Operand]) -> Operand | None:
    if len(arguments) != 2 or not isinstance(arguments[1].literal, str):
        return None
    pattern = compiled(arguments[1].literal)
    text = writer.named(arguments[0])
    asked = guarded(writer, Shape.TEXT, (text,))
    otherwise = _general(writer, work, [text, Operand("None", name=True)]).text
    if asked is None:
        return Operand(otherwise)
    found = f"{writer.constant(pattern.found)}({text.text})"
    affordable = f"len({text.text}) <= {(CHEAP << 6) // max(pattern.steps, 1)}"
    return Operand(f"({found} if {' and '.join((*asked, affordable))} else {otherwise})")


_Written = Callable[[Writer, Work, list[Operand]], Operand | None]


def _ours(names: Mapping[tuple[str, Style], _Written]) -> Sequence[tuple[Function | None, _Written]]:
    """Ours, not others of the same names: an environment may have its own functions."""
    return [(STANDARD.find(name, style), written) for (name, style), written in names.items()]


_WRITTEN_OUT = _ours(
    {
        ("size", Style.GLOBAL): _size,
        ("size", Style.MEMBER): _size,
        ("contains", Style.MEMBER): _contains,
        ("startsWith", Style.MEMBER): _starts,
        ("endsWith", Style.MEMBER): _ends,
        ("matches", Style.MEMBER): _matches,
        ("matches", Style.GLOBAL): _matches,
    }
)
OR_VALUE = STANDARD.find("orValue", Style.MEMBER)
HAS_VALUE = STANDARD.find("hasValue", Style.MEMBER)
