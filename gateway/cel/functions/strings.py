"""Texts: their parts, and what can be made of them. Places are counted in characters, from 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gateway.cel.budget import count, length, made, searched
from gateway.cel.functions.signature import Fails, Function, Overload, Style
from gateway.cel.types import INT, STRING, ListType
from gateway.cel.values import CelError, ErrorKind, adopt, no_overload

_TEXTS = ListType(STRING)
_BLANKS = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_HALF_CHARACTERS = "surrogatepass"
_ESCAPES = {
    "\\": r"\\",
    '"': r"\"",
    "\a": r"\a",
    "\b": r"\b",
    "\f": r"\f",
    "\n": r"\n",
    "\r": r"\r",
    "\t": r"\t",
    "\v": r"\v",
}


def _beyond(text: str, place: int) -> CelError:
    return CelError(ErrorKind.OUT_OF_RANGE, f"place {place} is beyond a text of {len(text)} characters")


def _within(text: str, place: int) -> int:
    if 0 <= place <= len(text):
        return place
    raise _beyond(text, place)


def _char_at(text: str, place: int) -> str:
    at = _within(text, place)
    return text[at : at + 1]


def _index_of(text: str, part: str, start: int = 0) -> int:
    return text.find(part, _within(text, start))


def _last_index_of(text: str, part: str, start: int | None = None) -> int:
    """Found from behind by looking forwards in the reverse: `rfind` is slow with parts that are made for it."""
    end = len(text) if start is None else min(len(text), _within(text, start) + len(part))
    found = text[:end][::-1].find(part[::-1])
    return found if found < 0 else end - found - len(part)


def _substring(text: str, start: int, end: int | None = None) -> str:
    stop = len(text) if end is None else _within(text, end)
    if _within(text, start) > stop:
        raise CelError(ErrorKind.OUT_OF_RANGE, f"a part of a text can't begin at {start} and end at {stop}")
    return text[start:stop]


def _replace(text: str, old: str, new: str, limit: int = -1) -> str:
    return text.replace(old, new, max(limit, -1))


def _split(text: str, separator: str, limit: int = -1) -> list[str]:
    if limit == 0 or (not separator and not text):
        return []
    if separator:
        return text.split(separator, limit - 1 if limit > 0 else -1)
    if limit < 0 or limit >= len(text):
        return list(text)
    return [*text[: limit - 1], text[limit - 1 :]]


def _join(texts: Sequence[Any], separator: str = "") -> str:
    try:
        return separator.join(adopt(texts))
    except TypeError:
        raise next(no_overload("join", text) for text in texts if not isinstance(text, str)) from None


def _lower(text: str) -> str:
    return text.encode(errors=_HALF_CHARACTERS).lower().decode(errors=_HALF_CHARACTERS)


def _upper(text: str) -> str:
    return text.encode(errors=_HALF_CHARACTERS).upper().decode(errors=_HALF_CHARACTERS)


def _quote(text: str) -> str:
    whole = text.encode("utf-16", _HALF_CHARACTERS).decode("utf-16", "replace")
    for char, escaped in _ESCAPES.items():
        whole = whole.replace(char, escaped)
    return f'"{whole}"'


def _read(text: Any, *_: Any) -> int:
    return length(text) >> 5


def _search(text: Any, part: Any, *_: Any) -> int:
    return searched(text, part)


def _search_back(text: Any, part: Any, *_: Any) -> int:
    return searched(text, part) + made(length(text) + length(part))


def _taken(text: Any, start: Any, end: Any = None) -> int:
    if not isinstance(text, str) or not isinstance(start, int):
        return 0
    return made(max(0, min(len(text), end if isinstance(end, int) else len(text)) - start))


def _occurrences(text: str, part: str, limit: Any) -> int:
    found = text.count(part)
    return min(found, limit) if isinstance(limit, int) and limit >= 0 else found


def _replaced(text: Any, old: Any, new: Any, limit: Any = -1) -> int:
    if not isinstance(text, str) or not isinstance(old, str) or not isinstance(new, str):
        return 0
    result = len(text) + _occurrences(text, old, limit) * (len(new) - len(old))
    return 2 * searched(text, old) + made(max(result, len(text)))


def _parted(text: Any, separator: Any, limit: Any = -1) -> int:
    if not isinstance(text, str) or not isinstance(separator, str):
        return 0
    return 2 * searched(text, separator) + made(len(text)) + _occurrences(text, separator, limit)


def _joined(texts: Any, separator: Any = "") -> int:
    number = count(texts)
    return (number >> 1) + made(sum(map(length, texts)) + number * length(separator)) if number else 0


def _rewritten(text: Any) -> int:
    return length(text) >> 3


FUNCTIONS = (
    Function(
        "charAt",
        Style.MEMBER,
        (Overload((STRING, INT), STRING, _char_at),),
        "The character at a place, or nothing at the end.",
        "'hello'.charAt(4) == 'o'",
        cost=lambda text, place: 0,
    ),
    Function(
        "indexOf",
        Style.MEMBER,
        (
            Overload((STRING, STRING), INT, _index_of, Fails.NEVER),
            Overload((STRING, STRING, INT), INT, _index_of),
        ),
        "Where a string has another one first, from a place on if one is given; -1 if it has none.",
        "'hello mellow'.indexOf('ello', 2) == 7",
        cost=_search,
    ),
    Function(
        "lastIndexOf",
        Style.MEMBER,
        (
            Overload((STRING, STRING), INT, _last_index_of, Fails.NEVER),
            Overload((STRING, STRING, INT), INT, _last_index_of),
        ),
        "Where a string has another one last, beginning no later than a place if one is given; -1 if it has none.",
        "'hello mellow'.lastIndexOf('ello') == 7",
        cost=_search_back,
    ),
    Function(
        "substring",
        Style.MEMBER,
        (Overload((STRING, INT), STRING, _substring), Overload((STRING, INT, INT), STRING, _substring)),
        "The part of a string from one place up to another, or to its end.",
        "'tacocat'.substring(0, 4) == 'taco'",
        cost=_taken,
    ),
    Function(
        "replace",
        Style.MEMBER,
        (
            Overload((STRING, STRING, STRING), STRING, _replace, Fails.NEVER),
            Overload((STRING, STRING, STRING, INT), STRING, _replace, Fails.NEVER),
        ),
        "A string with another one in place of each occurrence of a third, or of the first few.",
        "'hello hello'.replace('he', 'we', 1) == 'wello hello'",
        cost=_replaced,
    ),
    Function(
        "split",
        Style.MEMBER,
        (
            Overload((STRING, STRING), _TEXTS, _split, Fails.NEVER),
            Overload((STRING, STRING, INT), _TEXTS, _split, Fails.NEVER),
        ),
        "The parts of a string between separators, or so many of them that the last one has the rest.",
        "'a,b,c'.split(',', 2) == ['a', 'b,c']",
        cost=_parted,
    ),
    Function(
        "join",
        Style.MEMBER,
        (Overload((_TEXTS,), STRING, _join), Overload((_TEXTS, STRING), STRING, _join)),
        "The strings of a list as one, with a separator between them if one is given.",
        "['x', 'y'].join('-') == 'x-y'",
        cost=_joined,
    ),
    Function(
        "trim",
        Style.MEMBER,
        (Overload((STRING,), STRING, lambda text: text.strip(_BLANKS), Fails.NEVER),),
        "A string without the white space around it.",
        "'  text\\n'.trim() == 'text'",
        cost=_rewritten,
    ),
    Function(
        "lowerAscii",
        Style.MEMBER,
        (Overload((STRING,), STRING, _lower, Fails.NEVER),),
        "A string with small letters in place of `A` to `Z`.",
        "'TacoCÆt'.lowerAscii() == 'tacocÆt'",
        cost=_read,
    ),
    Function(
        "upperAscii",
        Style.MEMBER,
        (Overload((STRING,), STRING, _upper, Fails.NEVER),),
        "A string with capital letters in place of `a` to `z`.",
        "'TacoCαt'.upperAscii() == 'TACOCαT'",
        cost=_read,
    ),
    Function(
        "strings.quote",
        Style.GLOBAL,
        (Overload((STRING,), STRING, _quote, Fails.NEVER),),
        "A string in double quotes, with escapes for quotes, backslashes and control characters.",
        'strings.quote(\'a "b"\') == \'"a \\\\"b\\\\""\'',
        cost=_rewritten,
    ),
)
