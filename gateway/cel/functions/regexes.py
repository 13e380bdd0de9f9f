"""Regular expressions of RE2 that take texts apart: what they match, and other texts in its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from gateway.cel.access import quoted
from gateway.cel.budget import MAX_STEPS, length, made
from gateway.cel.functions import regex
from gateway.cel.functions.signature import Function, Implementation, Overload, Style, Work
from gateway.cel.types import INT, STRING, ListType, OptionalType
from gateway.cel.values import NONE, CelError, ErrorKind, OptionalValue, no_overload, some
from gateway.frozen import frozen
from gateway.later import later

_STEPS_OF_MATCH, _STEPS_OF_PART = 40, 8
_STEPS_OF_REFERENCE = 20
_REFERENCE = later(r"\\(.?)", re.DOTALL)


@frozen
class _Expression:
    """An expression, and the steps that it takes for 64 characters, at worst."""

    found: Any
    steps: int

    def matches(self, text: str) -> Iterator[Any]:
        """The matches one after the other; an empty one right behind another one is none."""
        end = -1
        try:
            for match in self.found.finditer(text):
                if match.end() == match.start() == end:
                    continue
                end = match.end()
                yield match
        except UnicodeEncodeError:
            raise CelError(ErrorKind.INVALID, "a string with half a character") from None


@lru_cache(maxsize=256)
def _constant(pattern: str) -> _Expression:
    if len(pattern) > regex.MAX_PATTERN:
        raise CelError(ErrorKind.LIMIT, f"a pattern is longer than {regex.MAX_PATTERN} characters")
    import re2

    found = regex.expression_of(pattern, re2.Options())
    return _Expression(found, regex.steps_of(pattern, found.programsize))


def _computed(pattern: str) -> _Expression:
    if len(pattern) > regex.MAX_DYNAMIC_PATTERN:
        raise CelError(
            ErrorKind.LIMIT, f"a computed pattern is longer than {regex.MAX_DYNAMIC_PATTERN} characters"
        )
    import re2

    options = re2.Options()
    options.max_mem = regex.DYNAMIC_MEMORY
    found = regex.expression_of(pattern, options)
    return _Expression(found, regex.slowest(found.programsize))


def _one_group(expression: _Expression) -> _Expression:
    if expression.found.groups > 1:
        raise CelError(ErrorKind.INVALID, "a pattern to extract with has more than one group")
    return expression


def _extract(expression: _Expression, text: str) -> OptionalValue:
    """The group of the first match, or all of it without a group; an empty group is nothing."""
    groups = expression.found.groups
    for match in expression.matches(text):
        held = match[groups]
        return some(held) if held or not groups else NONE
    return NONE


def _extract_all(expression: _Expression, text: str) -> list[str]:
    groups = expression.found.groups
    return [match[groups] for match in expression.matches(text) if match[groups] or not groups]


def _template(text: str, groups: int) -> tuple[str | int, ...]:
    """The texts and the numbers of groups that a replacement is made of."""
    parts: list[str | int] = []
    at = 0
    for reference in _REFERENCE.finditer(text):
        parts.append(text[at : reference.start()])
        at, name = reference.end(), reference[1]
        if name == "\\":
            parts.append(name)
        elif name.isascii() and name.isdigit():
            if int(name) > groups:
                raise CelError(
                    ErrorKind.INVALID, f"{quoted(text)} names group {name} of a pattern with {groups}"
                )
            parts.append(int(name))
        else:
            raise CelError(ErrorKind.INVALID, f"{quoted(text)} has a backslash before no digit")
    parts.append(text[at:])
    return tuple(parts)


def _limited(matches: Iterator[Any], limit: int) -> Iterator[Any]:
    if limit == 0:
        return
    for number, match in enumerate(matches, 1):
        yield match
        if number == limit:
            return


def _replace(expression: _Expression, text: str, new: str, limit: int = -1) -> str:
    parts = _template(new, expression.found.groups)
    pieces: list[str] = []
    at = 0
    for match in _limited(expression.matches(text), limit):
        pieces.append(text[at : match.start()])
        pieces.extend(part if isinstance(part, str) else match[part] or "" for part in parts)
        at = match.end()
    return "".join((*pieces, text[at:]))


def _scanned(expression: _Expression, text: str, most: int, new: str) -> int:
    """The steps of the first matches: each may have had to look through all that is left of the text.

    They are found here once to be counted, and once more by whoever has paid for them.
    """
    parts = _template(new, expression.found.groups)
    steps = len(text) * expression.steps >> 5
    for match in _limited(expression.matches(text), most):
        characters = sum(
            len(part) if isinstance(part, str) else match.end(part) - match.start(part) for part in parts
        )
        steps += _STEPS_OF_MATCH + _STEPS_OF_PART * len(parts) + made(characters)
        steps += (len(text) - match.end()) * expression.steps >> 5
        if steps > MAX_STEPS:
            break
    return steps


def _most(name: str, arguments: Sequence[Any]) -> int:
    """How many matches a call looks for, -1 for all."""
    if name == "extract":
        return 1
    return arguments[3] if len(arguments) > 3 else -1


def _steps(name: str, expression: Callable[[str], _Expression], arguments: Sequence[Any]) -> int:
    text, pattern, *rest = arguments
    texts = (text, pattern, *rest[:1])
    if not all(isinstance(each, str) for each in texts) or not all(isinstance(n, int) for n in rest[1:]):
        return 0
    new = rest[0] if rest else r"\0"
    reading = (length(new) >> 4) + _STEPS_OF_REFERENCE * new.count("\\")
    if reading > MAX_STEPS:
        return reading
    try:
        return reading + _scanned(expression(pattern), text, _most(name, arguments), new)
    except CelError:
        return reading + (len(text) >> 5)


def _function(
    name: str, run: Callable[..., Any], overloads: tuple[Overload, ...], summary: str, example: str
) -> Function:
    ready: Callable[[_Expression], _Expression] = (
        (lambda expression: expression) if name == "replace" else _one_group
    )

    def cost(*arguments: Any) -> int:
        pattern = arguments[1]
        if not isinstance(pattern, str) or len(pattern) > regex.MAX_DYNAMIC_PATTERN:
            return 0
        return 2 * regex.compiling(pattern) + _steps(name, _computed, arguments)

    def computed(text: str, pattern: str, *rest: Any) -> Any:
        return run(ready(_computed(pattern)), text, *rest)

    def specialise(constants: Sequence[Any]) -> Work | None:
        pattern = constants[1]
        if not isinstance(pattern, str):
            return None
        expression = ready(_constant(pattern))
        if len(constants) > 2 and isinstance(constants[2], str):
            _template(constants[2], expression.found.groups)

        def known(text: Any, _: Any, *rest: Any) -> Any:
            if not isinstance(text, str) or not _fit(rest):
                raise no_overload(f"regex.{name}", text, pattern, *rest)
            return run(expression, text, *rest)

        return Work(known, lambda *arguments: _steps(name, lambda _: expression, arguments))

    built = tuple(Overload(own.parameters, own.result, computed) for own in overloads)
    return Function(f"regex.{name}", Style.GLOBAL, built, summary, example, specialise, cost)


def _fit(rest: Sequence[Any]) -> bool:
    kinds: tuple[type, ...] = (str, int)
    return all(
        isinstance(value, kind) and not isinstance(value, bool)
        for value, kind in zip(rest, kinds, strict=False)
    )


def _signature(*parameters: Any, result: Any) -> Overload:
    run: Implementation | None = None
    return Overload(parameters, result, run)


FUNCTIONS = (
    _function(
        "extract",
        _extract,
        (_signature(STRING, STRING, result=OptionalType(STRING)),),
        "What a regular expression matches first, or its only group there, as an optional.",
        r"regex.extract('item-A, item-B', 'item-(\\w+)').value() == 'A'",
    ),
    _function(
        "extractAll",
        _extract_all,
        (_signature(STRING, STRING, result=ListType(STRING)),),
        "Everything that a regular expression matches, or its only group in each match.",
        r"regex.extractAll('id:123, id:456', 'id:(\\d+)') == ['123', '456']",
    ),
    _function(
        "replace",
        _replace,
        (
            _signature(STRING, STRING, STRING, result=STRING),
            _signature(STRING, STRING, STRING, INT, result=STRING),
        ),
        r"A string with another one in place of each match, or of the first few; `\1` stands for the first group.",
        r"regex.replace('foo bar', '(fo)o (ba)r', '\\2 \\1') == 'ba fo'",
    ),
)
