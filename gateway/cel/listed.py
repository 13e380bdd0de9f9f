"""The part of the checker that follows listed words: wherever one of them goes, the alphabet says nothing of it.

A word that a schema lists, or a name of a risk, means something by itself, not by its letters. It still does when it
stands in a list, is joined to something, or is written in small letters; it no longer does once a number or a truth
value is made of it, as `risk(…)`, `size(…)` and `==` do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from gateway.cel.domain import Domain, in_words
from gateway.cel.futile import Futile
from gateway.cel.names import Local
from gateway.cel.syntax import (
    Binary,
    BinaryOperator,
    Call,
    Conditional,
    Ident,
    Index,
    ListNode,
    Literal,
    Macro,
    MacroKind,
    MapNode,
    Node,
    Scoped,
    Select,
)
from gateway.cel.types import BYTES, DYN, STRING, ListType, MapType, ObjectType, OptionalType, Type
from gateway.risk import RiskLevel

LEVELS = frozenset(level.value for level in RiskLevel)


@dataclass(frozen=True, slots=True)
class Words:
    """The listed words that a value, or something in it, is or was made of, and the text where they come from."""

    words: tuple[str, ...]
    text: str
    among_others: bool = False
    """Whether it may be any other text too: then only an order with one of the words says that these are meant."""
    sorted: bool = False
    """Whether it is a list, or made of one, in the order of the alphabet."""


_ORDERING = frozenset({"sort", "sortBy"})
_TAKING = frozenset({"first", "last"})


class Listed(Futile):
    """What a checker knows of listed words."""

    def order(self, node: Binary, *domains: Domain | None) -> bool:
        """Report an order of listed words, which is that of the alphabet and not the one that they mean."""
        for side, domain in zip((node.left, node.right), domains, strict=True):
            found = self.words.get(id(side))
            if found is None or not _is_text(domain):
                continue
            if found.among_others and not self.is_word(node.right if side is node.left else node.left, found):
                continue
            symbol, text = node.operator.value, self.text(side)
            if LEVELS.issuperset(found.words):
                help_ = f"write `risk({self.text(node.left)}) {symbol} risk({self.text(node.right)})`"
            else:
                known = "" if domain is None else in_words(domain)
                help_ = f'write `{found.text} in ["…"]` with those that are meant'
                help_ = f"{help_}; {known}" if known else help_
            self.report(
                "cel-type", node, f"`{symbol}` goes by the alphabet, which says nothing of `{text}`", help_
            )
            return True
        return False

    def is_word(self, node: Node, of: Words) -> bool:
        """Whether a node is one of some words, or is made of listed ones."""
        return (isinstance(node, Literal) and node.value in of.words) or id(node) in self.words

    def carry(self, node: Node, type_: Type) -> None:
        """Remember which listed words are in a node that was visited."""
        found = self.made_of(node)
        if found is not None and (found.sorted or _holds_text(type_)):
            self.words[id(node)] = found

    def made_of(self, node: Node) -> Words | None:
        """The listed words in the parts of a node that go into its value."""
        if isinstance(node, Literal):
            return Words((node.value,), self.text(node)) if node.value in LEVELS else None
        if isinstance(node, Conditional):
            return self.together(node.then, node.otherwise)
        if isinstance(node, Binary):
            return self.together(node.left, node.right) if node.operator is BinaryOperator.ADD else None
        if isinstance(node, Call):
            return self.called_with(node)
        if isinstance(node, ListNode):
            return self.together(*(element.value for element in node.elements))
        if isinstance(node, MapNode):
            return self.together(*(entry.value for entry in node.entries))
        if isinstance(node, Scoped):
            return self.words.get(id(node.body))
        if isinstance(node, Macro) and node.kind in (MacroKind.LIST, MacroKind.MAP):
            body, range_ = self.words.get(id(node.body)), self.words.get(id(node.range))
            if range_ is None or not range_.sorted or node.kind is MacroKind.MAP:
                return body
            return replace(range_ if body is None else body, sorted=True)
        if isinstance(node, Select | Index | Ident):
            return self.reached_words(node)
        return None

    def together(self, *nodes: Node | None) -> Words | None:
        """The words of several nodes."""
        found = [self.words[id(node)] for node in nodes if id(node) in self.words]
        if len(found) < 2:
            return found[0] if found else None
        every = tuple(dict.fromkeys(word for one in found for word in one.words))
        among_others = all(one.among_others for one in found)
        return Words(every, found[0].text, among_others, any(one.sorted for one in found))

    def called_with(self, node: Call) -> Words | None:
        """The words of a function's arguments, which its result may be made of."""
        found = self.together(node.target, *node.arguments)
        if found is None:
            return None
        if node.name in _ORDERING:
            by = self.words.get(id(node.arguments[0] if node.arguments else node.target))
            return replace(found, sorted=found.sorted or by is not None)
        if node.name in _TAKING and found.sorted:
            self.taken(node, found)
        return found

    def reached_words(self, node: Select | Index | Ident) -> Words | None:
        """The words that a chain leads to: its own by what is declared of it, else those of what it starts at."""
        own = self.own_words(node, self.domains.get(id(node)))
        base: Node = node
        steps: list[Select | Index] = []
        while isinstance(base, Select | Index):
            steps.append(base)
            base = base.operand
        inherited = self.words.get(id(base)) if base is not node else None
        if isinstance(base, Ident) and not base.root:
            if base.name in self.locals:
                inherited = self.locals[base.name].words
            elif base.name in self.parsed.lets:
                inherited = self.words.get(id(self.parsed.lets[base.name].ast))
        if inherited is not None and inherited.sorted:
            place = next((step for step in reversed(steps) if isinstance(step, Index)), None)
            if place is not None and not isinstance(getattr(place.index, "value", None), str):
                self.taken(node, inherited)
                inherited = replace(inherited, sorted=False)
        return own or inherited

    def taken(self, node: Node, found: Words) -> None:
        """Report what is taken from a list by its place in the alphabet."""
        help_ = 'ask for those that are meant, such as `list.exists(x, x in ["…"])`'
        if LEVELS.issuperset(found.words):
            help_ = "sort by what they mean: `list.sortBy(x, risk(x))`"
        message = f"the list is in the order of the alphabet, which says nothing of `{found.text}`"
        self.report("cel-type", node, message, help_)

    def own_words(self, node: Node, domain: Domain | None) -> Words | None:
        """The listed words that a node is declared to be, or to hold."""
        only = tuple(dict.fromkeys(_words_in(domain)))
        words = only or tuple(dict.fromkeys(_words_among(domain)))
        return (
            Words(words, self.text(node), among_others=not only) if words and not _are_dates(words) else None
        )

    def naming_elements(self, node: Macro, range_: Type, names: Mapping[str, Local]) -> dict[str, Local]:
        """The variables of a macro with the words that are in the list or the map that it goes through."""
        found = self.words.get(id(node.range))
        keys = None
        if isinstance(node.range, MapNode):
            keys = self.together(*(entry.key for entry in node.range.entries))
        elif range_ == DYN or (isinstance(range_, ListType) and len(names) == 1):
            keys = found
        return {
            name: replace(local, words=None if words is None else replace(words, sorted=False))
            for words, (name, local) in zip((keys, found), names.items(), strict=False)
        }


def _words_in(domain: Domain | None, depth: int = 4) -> Iterable[str]:
    """The listed words that a value is, or that the elements of lists and maps in it are."""
    if domain is None or not depth:
        return
    words = [one for one in domain.listed or () if isinstance(one, str)]
    if words and (not domain.written or LEVELS.issuperset(words)):
        yield from words
    for element in _elements(domain):
        yield from _words_in(element, depth - 1)


def _words_among(domain: Domain | None, depth: int = 4) -> Iterable[str]:
    """The words that are listed beside other texts."""
    if domain is None or not depth:
        return
    for form in domain.forms.values():
        yield from form.range.words
    for element in _elements(domain):
        yield from _words_among(element, depth - 1)


def _elements(domain: Domain) -> Iterable[Domain | None]:
    for form in domain.forms.values():
        yield form.element
        yield from form.first


def _are_dates(words: tuple[str, ...]) -> bool:
    """Whether the alphabet is the order of what they mean, as for years and days that are written out."""
    return len(set(map(len, words))) == 1 and all(word[:1].isdigit() for word in words)


def _holds_text(type_: Type) -> bool:
    match type_:
        case ListType(element=inner) | OptionalType(value=inner) | MapType(value=inner):
            return _holds_text(inner)
        case ObjectType():
            return True
    return type_ in (STRING, BYTES, DYN)


def _is_text(domain: Domain | None) -> bool:
    """Whether a side of a comparison can be a text at all."""
    return domain is None or not domain.forms or not {"string", "bytes"}.isdisjoint(domain.forms)
