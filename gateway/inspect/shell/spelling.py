"""How shells spell characters and words: escapes, braces, and where a construct ends."""

from __future__ import annotations

import re

from gateway.inspect.shell.parse import Unreadable
from gateway.inspect.word import UNKNOWN
from gateway.later import later

OPEN, COMMA, CLOSE = "\ue012", "\ue013", "\ue014"
_RANGE = later(r"(-?\w+)\.\.(-?\w+)(?:\.\.-?\d+)?\Z", re.ASCII)
_ANSI = later(
    r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))", re.S
)
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}
MAX_WORDS = 1000
MAX_CHARACTERS = 500_000


def unescape(text: str) -> str:
    """A text with the escapes of `$'…'` and `printf` decoded."""

    def one(found: re.Match[str]) -> str:
        code = found[1] or found[2] or found[3]
        if code:
            return chr(int(code, 16)) if int(code, 16) < 0xD800 else UNKNOWN
        if found[4]:
            return chr(int(found[4], 8) & 0xFF)
        return UNKNOWN if found[5] else _ESCAPES.get(found[6], found[0])

    return _ANSI.sub(one, text)


def closing(text: str, at: int, end: int) -> int:
    """One past the end of a substitution or expansion that starts at `at`, where no parser told it."""
    if text[at] == "`":
        at += 1
        while at < end and text[at] != "`":
            at += 2 if text[at] == "\\" else 1
        return min(at + 1, end)
    opener = text[at + 1 : at + 2]
    closer = {"(": ")", "{": "}"}.get(opener, "")
    depth, at = 1, at + 2
    while at < end and depth:
        char = text[at]
        if char == "\\":
            at += 1
        elif char == "'" and opener == "(":
            stop = text.find("'", at + 1, end)
            at = stop if stop > 0 else at
        elif char == opener:
            depth += 1
        elif char == closer:
            depth -= 1
        at += 1
    return min(at, end)


def _is_inner(before: str, after: str) -> bool:
    """Whether a brace that is open before closes after."""
    depth = 0
    for char in after:
        depth += (char == OPEN) - (char == CLOSE)
        if depth < 0:
            return before.count(OPEN) > before.count(CLOSE)
    return False


def brace_words(value: str) -> list[str]:
    """The words that brace expansion makes of one."""
    waiting, made, work = [value], list[str](), 0
    while waiting:
        one = waiting.pop()
        work += len(one)
        if len(waiting) + len(made) >= MAX_WORDS or work > MAX_CHARACTERS:
            raise Unreadable("the command's braces make too many words")
        close = one.find(CLOSE)
        opened = one.rfind(OPEN, 0, close) if close >= 0 else -1
        if opened < 0:
            made.append(one.replace(OPEN, "{").replace(COMMA, ",").replace(CLOSE, "}"))
            continue
        before, inside, after = one[:opened], one[opened + 1 : close], one[close + 1 :]
        if COMMA not in inside:
            inner = UNKNOWN if _RANGE.match(inside) else "{" + inside + "}"
            waiting.append(before + inner + after)
        elif _is_inner(before, after):
            # The words of an inner brace are alternatives of the brace around it.
            head = max(before.rfind(OPEN), before.rfind(COMMA)) + 1
            tail = min((i for i in (after.find(COMMA), after.find(CLOSE)) if i >= 0), default=len(after))
            left, right = before[head:], after[:tail]
            words = COMMA.join(left + part + right for part in inside.split(COMMA))
            waiting.append(before[:head] + words + after[tail:])
        else:
            waiting.extend(before + part + after for part in reversed(inside.split(COMMA)))
    return made
