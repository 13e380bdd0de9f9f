"""The names in policies and test files: where each is given to something, and where it is used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path

from gateway.cel.lexer import Token, TokenKind, tokens
from gateway.cel.syntax import MAX_SOURCE
from gateway.diagnostic import Excerpt, Source
from gateway.glob import select_governed
from gatewayctl.editor.outline import Kind, Node, Outline
from gatewayctl.editor.outline import Path as Keys
from gatewayctl.editor.policies import is_test


class Sort(Enum):
    """What a name is of."""

    TOOL = "tool"
    RULE = "rule"
    AGENT = "agent"
    LIST = "list"
    FACT = "fact of a session"
    PERMISSION = "permission"
    ROLE = "role"
    GROUP = "group"
    SWITCH = "switch"
    TENANT = "tenant"
    PACK = "pack"
    PATTERN = "pattern"
    CODE = "code"
    SESSION = "session of a test"
    CALL = "call of a test"


_CONDITIONS = "arguments|rules|limits|results"
_SELECT = f"agents|defaults|overrides|invariants|{_CONDITIONS}"
_POLICY: tuple[tuple[str, Sort, bool], ...] = (
    ("tools * name", Sort.TOOL, True),
    ("pins * tool", Sort.TOOL, True),
    (f"{_SELECT} * tools *", Sort.TOOL, False),
    (f"{_CONDITIONS} * examples match|no_match * tool", Sort.TOOL, False),
    (f"invariants|{_CONDITIONS} * id", Sort.RULE, True),
    ("rules * lifts *", Sort.RULE, False),
    ("agents * name", Sort.AGENT, True),
    (f"{_CONDITIONS} * agents *", Sort.AGENT, False),
    ("lists {}", Sort.LIST, True),
    ("settings types session.facts {}", Sort.FACT, True),
    ("tools|defaults|servers|overrides * permissions *", Sort.PERMISSION, False),
    (f"{_CONDITIONS} * approval by *", Sort.ROLE, False),
    ("tools|defaults|overrides * group", Sort.GROUP, False),
    ("settings switches {}", Sort.SWITCH, True),
    ("tools|defaults * switch", Sort.SWITCH, False),
    (f"agents|{_CONDITIONS} * tenants *", Sort.TENANT, False),
    ("overrides * tenant", Sort.TENANT, False),
    ("settings packs *", Sort.PACK, False),
    ("settings patterns {}", Sort.PATTERN, False),
)
_TEST: tuple[tuple[str, Sort, bool], ...] = (
    ("calls * tool", Sort.TOOL, False),
    ("cases * call tool", Sort.TOOL, False),
    ("cases * list visible|only *", Sort.TOOL, False),
    ("cases * list hidden {}", Sort.TOOL, False),
    ("cases * expect|entry rule", Sort.RULE, False),
    ("cases * expect|entry monitored *", Sort.RULE, False),
    ("cases * expect|entry code", Sort.CODE, False),
    ("sessions {}", Sort.SESSION, True),
    ("sessions * like", Sort.SESSION, False),
    ("cases * session", Sort.SESSION, False),
    ("cases * session like", Sort.SESSION, False),
    ("calls {}", Sort.CALL, True),
    ("calls * like", Sort.CALL, False),
    ("cases * call", Sort.CALL, False),
    ("cases * call like", Sort.CALL, False),
)
_EXPRESSIONS = (
    f"{_CONDITIONS} * when|unless",
    f"{_CONDITIONS} * let *",
    "arguments * set *",
    "limits * amount|currency",
    "limits * per cel",
    "tools|defaults * read_only_when",
    "invariants * always",
)
Pattern = tuple[frozenset[str] | None, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a file; `gives` says that it is where something gets the name."""

    sort: Sort
    name: str
    source: Source
    start: int
    end: int
    gives: bool
    path: Keys

    @property
    def bare(self) -> str:
        """The name or the pattern without the `!` that takes it away."""
        return self.name.removeprefix("!")


def sort_at(path: Keys, *, is_key: bool, in_test: bool) -> tuple[Sort, bool] | None:
    """What the name at a place is of, and whether it is given there."""
    for pattern, of_key, sort, gives in _places(in_test).get(len(path), ()):
        if of_key is is_key and _fits(pattern, path):
            return sort, gives
    return None


def is_expression(path: Keys) -> bool:
    """Whether what stands at a place of a policy is an expression."""
    return any(_fits(pattern, path) for pattern in _expressions() if len(pattern) == len(path))


def mentions(outlines: Iterable[Outline]) -> Iterator[Mention]:
    """Every name in some files."""
    for outlined in outlines:
        in_test = is_test(Path(outlined.source.name))
        for path, node, is_key in _nodes(outlined.root, ()):
            excerpt = node.excerpt
            if excerpt is None or not excerpt.text:
                continue
            found = sort_at(path, is_key=is_key, in_test=in_test)
            if found is not None:
                yield _mention(found[0], excerpt, 0, len(excerpt.text), path, gives=found[1])
            elif not is_key and not in_test and is_expression(path):
                yield from _read_in(excerpt, path)


def given(found: Iterable[Mention], sort: Sort) -> dict[str, Mention]:
    """What has a name of a sort, by that name."""
    names: dict[str, Mention] = {}
    for each in found:
        if each.sort is sort and each.gives:
            names.setdefault(each.name, each)
    return names


def meant(mention: Mention, names: Iterable[str]) -> frozenset[str]:
    """The names, of those that there are, that one stands for: a pattern of tools may stand for many."""
    if mention.sort is Sort.TOOL and "*" in mention.name:
        return select_governed([mention.bare], names)
    return frozenset(name for name in names if name == mention.bare)


def lexed(text: str) -> list[Token]:
    """The tokens of an expression, whatever is wrong with it; none of one that is too long to be read."""
    if len(text) > MAX_SOURCE:
        return []
    return tokens(text, lambda *wrong: None, lambda *comment: None)


_ROOTS: Mapping[tuple[str, ...], Sort] = {("lists",): Sort.LIST, ("session", "facts"): Sort.FACT}


def _read_in(excerpt: Excerpt, path: Keys) -> Iterator[Mention]:
    """The lists and the facts that an expression reads."""
    found = lexed(excerpt.text)
    for index, token in enumerate(found):
        for roots, sort in _ROOTS.items():
            before = found[max(index - 2 * len(roots), 0) : index]
            dots = all(each.text in (".", ".?") for each in before[1::2])
            if token.kind is TokenKind.IDENT and dots and tuple(each.text for each in before[::2]) == roots:
                yield _mention(sort, excerpt, token.start, token.end, path, gives=False)


def _mention(sort: Sort, excerpt: Excerpt, start: int, end: int, path: Keys, *, gives: bool) -> Mention:
    span = excerpt.span(start, end)
    return Mention(sort, excerpt.text[start:end], span.source, span.start, span.end, gives, path)


def _nodes(node: Node, path: Keys) -> Iterator[tuple[Keys, Node, bool]]:
    """Every key and every scalar below a value, with the way there."""
    for index, entry in enumerate(node.entries):
        step: str | int = index
        if entry.key is not None:
            step = entry.key.text
            yield (*path, step), entry.key, True
        if entry.value.kind is Kind.SCALAR:
            yield (*path, step), entry.value, False
        elif entry.value.kind is not Kind.EMPTY and step != "parameters":
            yield from _nodes(entry.value, (*path, step))


@cache
def _places(in_test: bool) -> Mapping[int, list[tuple[Pattern, bool, Sort, bool]]]:
    found: dict[int, list[tuple[Pattern, bool, Sort, bool]]] = {}
    for text, sort, gives in _TEST if in_test else _POLICY:
        pattern = _pattern(text)
        found.setdefault(len(pattern), []).append((pattern, text.endswith("{}"), sort, gives))
    return found


@cache
def _expressions() -> tuple[Pattern, ...]:
    return tuple(map(_pattern, _EXPRESSIONS))


def _pattern(text: str) -> Pattern:
    return tuple(None if step in ("*", "{}") else frozenset(step.split("|")) for step in text.split())


def _fits(pattern: Pattern, path: Keys) -> bool:
    return all(wanted is None or step in wanted for wanted, step in zip(pattern, path, strict=True))
