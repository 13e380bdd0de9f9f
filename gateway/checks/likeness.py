"""Names so alike that one is probably a misspelling of the other.

Two names are alike if they have the same letters and differ in case, in what separates their words or in a plural
`s`, or if one word has one slip in it. A slip counts in long words only, and never in the first letter, the last one
or a digit: `contract` and `contact`, `orders` and `borders`, `region-1` and `region-2` are all meant as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from gateway.diagnostic import Diagnostic, Related, Span, shortened

_WORD = re.compile(r"[^\W_]+")
_LONG = 9
"""From this length on, two words that differ in one letter are hardly ever both meant: `shipping`, `shopping`."""
_DOUBLED = 6
"""The same for letters that changed places and for one that stands twice: `aproval`, `invioces`."""
_LONGEST = 60


def misspelt(uses: Mapping[str, int], *, last: int = _LONG) -> Iterator[tuple[str, str]]:
    """Each doubtful name with the likely one; `uses` says how often each stands.

    The likely one is used more often. Where both are used as often, only the same letters make them alike, and the
    later one is doubtful. `last` is the length from which one letter counts in the last word.
    """
    rank = {name: (-count, index) for index, (name, count) in enumerate(uses.items())}
    likely: dict[str, str] = {}
    words = {name: _words(name) for name in uses}
    for names in _gathered({name: ["".join(words[name])] for name in uses}):
        best = min(names, key=rank.__getitem__)
        likely.update((name, best) for name in names if name != best)
    for names in _gathered({name: _shortened(words[name]) for name in uses}):
        best = min(names, key=rank.__getitem__)
        for name in names:
            if uses[name] < uses[best] and name not in likely and _one_slip(words[name], words[best], last):
                likely[name] = best
    for name in uses:
        if name in likely:
            yield name, likely[name]


def same_letters(one: str, other: str) -> bool:
    """Whether two names differ in case and in what separates their words only."""
    return "".join(_WORD.findall(one.casefold())) == "".join(_WORD.findall(other.casefold()))


def _gathered(keys: Mapping[str, Sequence[object]]) -> Iterator[list[str]]:
    """Names that share a key, as far as there are two of them."""
    names: dict[object, list[str]] = {}
    for name, its_keys in keys.items():
        for key in dict.fromkeys(its_keys):
            names.setdefault(key, []).append(name)
    return (sharing for sharing in names.values() if len(sharing) > 1)


def _words(name: str) -> tuple[str, ...]:
    return tuple(_singular(word) for word in _WORD.findall(name.casefold()))


def _singular(word: str) -> str:
    if len(word) <= 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("sses", "xes")) else word[:-1]


def _shortened(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The words as they are, and with each letter left out in turn: two names with one slip share one of these."""
    made = [words]
    for index, word in enumerate(words):
        if len(word) <= _LONGEST:
            made.extend(
                (*words[:index], word[:at] + word[at + 1 :], *words[index + 1 :]) for at in range(len(word))
            )
    return made


def _one_slip(one: tuple[str, ...], other: tuple[str, ...], last: int) -> bool:
    if len(one) != len(other):
        return False
    differing = [index for index, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]]
    if len(differing) != 1:
        return False
    (index,) = differing
    return _slipped(one[index], other[index], last if index == len(one) - 1 else _LONG)


def _slipped(one: str, other: str, least: int) -> bool:
    """Whether one word is the other with one letter too few, too many, changed, or in its neighbour's place."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1 or short[0] != long[0]:
        return False
    if not all(char.lower() != char.upper() for char in one + other):
        return False  # digits, and writing in which one sign is a word
    at = next((i for i, pair in enumerate(zip(short, long, strict=False)) if pair[0] != pair[1]), len(short))
    few = min(least, _DOUBLED)
    if len(short) == len(long):
        if short[at : at + 2] == long[at : at + 2][::-1] and short[at + 2 :] == long[at + 2 :]:
            return len(long) >= few
        return short[at + 1 :] == long[at + 1 :] and at + 1 < len(long) >= least
    if short[at:] != long[at + 1 :]:
        return False
    return len(long) >= few if long[at] == long[at - 1] else at < len(short) and len(long) >= least


def doubted(kind: str, doubtful: str, likely: str, first: Mapping[str, Span], write: str = "") -> Diagnostic:
    """What is said of a name that is probably another one; `first` is where each stands first."""
    return Diagnostic(
        "",
        f"the {kind} `{shortened(doubtful)}` is probably meant to be `{shortened(likely)}`",
        first[doubtful],
        f"write {write or f'`{shortened(likely)}`'}, or names that can be told apart",
        related=(Related(first[likely], f"`{shortened(likely)}` stands here"),),
    )
