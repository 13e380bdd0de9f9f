"""Regular expressions of RE2: linear time for every pattern, plain string operations where they suffice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from gateway.cel.functions.signature import Function, Overload, Style, Work
from gateway.cel.types import BOOL, STRING
from gateway.cel.values import CelError, ErrorKind, no_overload
from gateway.frozen import frozen
from gateway.later import later

MAX_PATTERN = 1_000
MAX_DYNAMIC_PATTERN = 200
"""A pattern that is not written in the policy may come from the model."""

_COMPILE_STEPS = 500
_DEAR_COMPILE_STEPS = 6_000
_DEAR = later(r"\{|\\[pP]|\(\?[a-zA-Z]*i|[^\x00-\x7f]")
DYNAMIC_MEMORY = 1 << 16
_COUNTED = later(r"\{([0-9]*),?([0-9]*)\}")
_MOST_COUNTED = 10
_SIMPLE = later(r"(\^?)((?:[^\\.^$*+?()\[\]{}|\n]|\\[-.^$*+?()\[\]{}|\\/@:])*)(\$?)")
_UNESCAPE = later(r"\\(.)")


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


@frozen
class Pattern:
    """A pattern ready to be searched for, and the steps that this takes for 64 characters, at worst."""

    found: Callable[[str], Any]
    steps: int

    def cost(self, text: Any, _: Any) -> int:
        """The steps of searching a text."""
        return len(text) * self.steps >> 6 if isinstance(text, str) else 0


@lru_cache(maxsize=256)
def compiled(pattern: str) -> Pattern:
    """A pattern that is written in a policy: slow only with texts if it counts many repetitions."""
    if len(pattern) > MAX_PATTERN:
        raise CelError(ErrorKind.LIMIT, f"a pattern is longer than {MAX_PATTERN} characters")
    if plain := _plain(pattern):
        return Pattern(plain, 2)
    import re2

    found, instructions = _searcher(pattern, re2.Options())
    return Pattern(found, steps_of(pattern, instructions))


def steps_of(pattern: str, instructions: int) -> int:
    """The steps of searching 64 characters for a pattern that is written in a policy."""
    counted = max((int(most or least or 0) for least, most in _COUNTED.findall(pattern)), default=0)
    return 4 if counted <= _MOST_COUNTED else slowest(instructions)


@lru_cache(maxsize=256)
def _dynamic(pattern: str) -> Pattern:
    """A pattern that anybody may have written: within little memory, and taken to be as slow as any."""
    if len(pattern) > MAX_DYNAMIC_PATTERN:
        raise CelError(ErrorKind.LIMIT, f"a computed pattern is longer than {MAX_DYNAMIC_PATTERN} characters")
    if plain := _plain(pattern):
        return Pattern(plain, 2)
    import re2

    options = re2.Options()
    options.max_mem = DYNAMIC_MEMORY
    try:
        found, instructions = _searcher(pattern, options)
    except CelError as error:
        return Pattern(_failing(error), 0)
    return Pattern(found, slowest(instructions))


def _failing(error: CelError) -> Callable[[str], Any]:
    def found(_: str) -> Any:
        raise CelError(error.kind, error.message)

    return found


def slowest(instructions: int) -> int:
    """Where RE2 can't remember what it has seen, each character is compared with all that may come next."""
    return 4 + instructions * 5


def expression_of(pattern: str, options: Any) -> Any:
    """The RE2 object of a pattern."""
    import re2

    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except (re2.error, UnicodeEncodeError) as error:
        reason = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else str(error)
        raise CelError(ErrorKind.INVALID, f"not a regular expression: {reason}") from None


def _searcher(pattern: str, options: Any) -> tuple[Callable[[str], Any], int]:
    expression = expression_of(pattern, options)
    search = expression.search

    def found(text: str) -> bool:
        try:
            return search(text) is not None
        except UnicodeEncodeError:
            raise CelError(ErrorKind.INVALID, "a string with half a character") from None

    return found, expression.programsize


def _matches(text: str, pattern: str) -> bool:
    return bool(_dynamic(pattern).found(text))


def _cost(text: Any, pattern: Any) -> int:
    """The steps of a call whose pattern is computed: each time as if it were new, so that all calls are equal."""
    if not isinstance(pattern, str) or len(pattern) > MAX_DYNAMIC_PATTERN:
        return 0
    return compiling(pattern) + _dynamic(pattern).cost(text, pattern)


def compiling(pattern: str) -> int:
    """The steps of getting a computed pattern ready."""
    return _COMPILE_STEPS + _DEAR_COMPILE_STEPS * len(_DEAR.findall(pattern))


def _specialise(constants: Sequence[Any]) -> Work | None:
    pattern = constants[1] if len(constants) == 2 else None
    if not isinstance(pattern, str):
        return None
    ready = compiled(pattern)
    found = ready.found

    def matches(text: Any, _: Any) -> Any:
        if text.__class__ is str:
            return found(text)
        if isinstance(text, str):
            return found(str.__str__(text))
        raise no_overload("matches", text, pattern)

    return Work(matches, ready.cost)


def _function(style: Style, example: str) -> Function:
    return Function(
        "matches",
        style,
        (Overload((STRING, STRING), BOOL, _matches),),
        "Whether a regular expression (RE2) matches anywhere in a string.",
        example,
        _specialise,
        _cost,
    )


FUNCTIONS = (
    _function(Style.MEMBER, "'form_data_update'.matches('^form_.*_update$')"),
    _function(Style.GLOBAL, "matches('abc', 'b')"),
)
