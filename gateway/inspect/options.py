"""Options of command lines: read from one line of data a program, bound whatever their spelling and order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from types import MappingProxyType

from gateway.frozen import frozen
from gateway.inspect.word import Word, certain


class Reading(Enum):
    """Whether options may follow operands (most programs) or end at the first one (wrappers, `git`)."""

    ANYWHERE = "anywhere"
    LEADING = "leading"


class Arity(Enum):
    """Whether an option takes a value."""

    NONE = "none"
    ONE = "one"
    ATTACHED = "attached"


@frozen
class Options:
    """The options of a program: every spelling's canonical name, and whether it takes a value."""

    names: Mapping[str, str]
    arity: Mapping[str, Arity]
    roles: Mapping[str, str]
    """What a program does with the value of an option, where that matters: `read`, `write`, `delete` …"""


@frozen
class Bound:
    """Words sorted into options and operands; `flags` maps canonical names to the values given.

    `loose` has the indices of operands that follow an option which is not known, so that they may be its value.
    `ended` are the operands behind `--`.
    """

    flags: Mapping[str, tuple[Word, ...]]
    operands: tuple[Word, ...]
    loose: frozenset[int] = frozenset()
    ended: tuple[Word, ...] = ()

    def value(self, *names: str) -> Word | None:
        """The last value given for one of the options."""
        found = [values[-1] for name in names if (values := self.flags.get(name))]
        return found[-1] if found else None


_OFF = frozenset(("false", "0", "no", "off"))


@cache
def options(text: str) -> Options:
    """Options from their line: `-f --force, -o= --output=write, --color=?`; the first long spelling names it."""
    names: dict[str, str] = {}
    arity: dict[str, Arity] = {}
    roles: dict[str, str] = {}
    for entry in text.split(","):
        spellings = entry.split()
        if not spellings:
            continue
        parts = [s.partition("=") for s in spellings]
        kind = Arity.NONE
        if any(value.startswith("?") for _, _, value in parts):
            kind = Arity.ATTACHED
        elif any(equals for _, equals, _ in parts):
            kind = Arity.ONE
        plain = [spelling.rstrip("?") for spelling, _, _ in parts]
        name = next((s for s in plain if s.startswith("--")), plain[0]).lstrip("-")
        names.update(dict.fromkeys(plain, name))
        arity[name] = kind
        role = next((value.lstrip("?") for _, _, value in parts if value.lstrip("?")), "")
        if role:
            roles[name] = role
    return Options(MappingProxyType(names), MappingProxyType(arity), MappingProxyType(roles))


def bind(known: Options, words: Sequence[Word], reading: Reading = Reading.ANYWHERE) -> Bound:
    """The words as options and operands; an unknown option is a flag without a value."""
    flags: dict[str, list[Word]] = {}
    operands: list[Word] = []
    loose: set[int] = set()
    ended: tuple[Word, ...] = ()
    unknown = False
    i = 0
    while i < len(words):
        word = words[i]
        text = certain(word.value)
        i += 1
        after, unknown = unknown, False
        if text == "--":
            ended = tuple(words[i:])
            operands.extend(ended)
            break
        if len(text) < 2 or text[0] not in "-+" or (text[0] == "+" and text[:2] not in known.names):
            if after:
                loose.add(len(operands))
            operands.append(word)
            if reading is Reading.LEADING:
                operands.extend(words[i:])
                break
            continue
        if text.startswith("--") or text in known.names or _joined(known, text):
            i = _long(known, word, text, words, i, flags)
            unknown = "=" not in text and text not in known.names
        else:
            i = _short(known, word, text, words, i, flags)
            unknown = text[:2] not in known.names
    given = {name: tuple(values) for name, values in flags.items()}
    return Bound(given, tuple(operands), frozenset(loose), ended)


def _joined(known: Options, text: str) -> bool:
    """Whether it is a long option behind one dash and its value, such as `-chdir=infra`."""
    spelling, equals, _ = text.partition("=")
    return bool(equals) and len(spelling) > 2 and spelling in known.names


def _add(flags: dict[str, list[Word]], name: str, value: Word) -> None:
    flags.setdefault(name, []).append(value)


def _long(
    known: Options, word: Word, text: str, words: Sequence[Word], i: int, flags: dict[str, list[Word]]
) -> int:
    spelling, equals, _ = text.partition("=")
    exact = known.names.get(spelling)
    names = (exact,) if exact else _by_prefix(known, spelling)
    value = Word(word.value.partition("=")[2], word.start, word.end) if equals else word
    if not equals and known.arity.get(names[0]) is Arity.ONE and i < len(words):
        value, i = words[i], i + 1
    if equals and value.value.lower() in _OFF:
        # A switch that is turned off is not given.
        names = tuple(name for name in names if known.arity.get(name) is not Arity.NONE)
    for name in names:
        _add(flags, name, value)
    return i


def _by_prefix(known: Options, spelling: str) -> tuple[str, ...]:
    """What an abbreviation can stand for; of several, all count, since programs differ in which they take."""
    found = dict.fromkeys(name for text, name in known.names.items() if text.startswith(spelling))
    return tuple(found) or (spelling.lstrip("-"),)


def _short(
    known: Options, word: Word, text: str, words: Sequence[Word], i: int, flags: dict[str, list[Word]]
) -> int:
    for at in range(1, len(text)):
        spelling = text[0] + text[at]
        name = known.names.get(spelling, text[at])
        kind = known.arity.get(name, Arity.NONE)
        if kind is Arity.NONE:
            _add(flags, name, word)
            continue
        rest = text[at + 1 :]
        if rest or kind is Arity.ATTACHED:
            # The value keeps its unknown parts where the whole word is one option and its value.
            kept = word.value[at + 1 :] if word.value.startswith(text[: at + 1]) else rest
            _add(flags, name, Word(kept, word.start, word.end))
        elif i < len(words):
            _add(flags, name, words[i])
            i += 1
        else:
            _add(flags, name, word)
        break
    return i
