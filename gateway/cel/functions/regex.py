"""Regular expressions of RE2: linear time for every pattern, plain string operations where they suffice."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from gateway.cel.functions.signature import Function, Implementation, Overload, Style
from gateway.cel.types import BOOL, STRING
from gateway.cel.values import CelError, ErrorKind, no_overload

MAX_PATTERN = 1_000
_SIMPLE = re.compile(r"(\^?)((?:[^\\.^$*+?()\[\]{}|\n]|\\[-.^$*+?()\[\]{}|\\/@:])*)(\$?)")
_UNESCAPE = re.compile(r"\\(.)")


def _plain(pattern: str) -> Callable[[str], bool] | None:
    match = _SIMPLE.fullmatch(pattern)
    if match is None:
        return None
    start, text, end = match.group(1), _UNESCAPE.sub(r"\1", match.group(2)), match.group(3)
    if start and end:
        return lambda value: value == text
    if start:
        return lambda value: value.startswith(text)
    if end:
        return lambda value: value.endswith(text)
    return lambda value: text in value


@lru_cache(maxsize=256)
def searcher(pattern: str) -> Callable[[str], Any]:
    """A function that says whether a text has a match of the pattern anywhere."""
    if len(pattern) > MAX_PATTERN:
        raise CelError(ErrorKind.LIMIT, f"a pattern is longer than {MAX_PATTERN} characters")
    if plain := _plain(pattern):
        return plain
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        search = re2.compile(pattern, options).search
    except (re2.error, UnicodeEncodeError) as error:
        reason = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else str(error)
        raise CelError(ErrorKind.INVALID, f"not a regular expression: {reason}") from None

    def found(text: str) -> bool:
        try:
            return search(text) is not None
        except UnicodeEncodeError:
            raise CelError(ErrorKind.INVALID, "a string with half a character") from None

    return found


def _matches(text: str, pattern: str) -> bool:
    return bool(searcher(pattern)(text))


def _specialise(constants: Sequence[Any]) -> Implementation | None:
    pattern = constants[1] if len(constants) == 2 else None
    if not isinstance(pattern, str):
        return None
    found = searcher(pattern)

    def matches(text: Any, _: Any) -> Any:
        if text.__class__ is str:
            return found(text)
        if isinstance(text, str):
            return found(str.__str__(text))
        raise no_overload("matches", text, pattern)

    return matches


def _function(style: Style, example: str) -> Function:
    return Function(
        "matches",
        style,
        (Overload((STRING, STRING), BOOL, _matches),),
        "Whether a regular expression (RE2) matches anywhere in a string.",
        example,
        _specialise,
    )


FUNCTIONS = (
    _function(Style.MEMBER, "'form_data_update'.matches('^form_.*_update$')"),
    _function(Style.GLOBAL, "matches('abc', 'b')"),
)
