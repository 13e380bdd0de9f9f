"""What may be written at a place: keys, words, names, and in conditions what can be read and called there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from lsprotocol.types import (
    CompletionItem,
    CompletionItemKind,
    CompletionList,
    MarkupContent,
    MarkupKind,
    Range,
    TextEdit,
)

from gateway.diagnostic import Source
from gatewayctl.editor import keys
from gatewayctl.editor.members import Proposal, proposals
from gatewayctl.editor.names import Mention, Sort, given, is_expression, mentions, sort_at
from gatewayctl.editor.outline import Found, Kind, Node, Outline
from gatewayctl.editor.policies import LONGEST, Policies, is_test
from gatewayctl.editor.positions import Positions
from gatewayctl.editor.reading import outline
from gatewayctl.editor.typed import Typing

TRIGGERS = (".", "[", '"', "'", "!", "?", " ")
_MARK = "\ue000"
_MOST = 500
_PLAIN = re.compile(r"[A-Za-z0-9_./][A-Za-z0-9_./@*-]*(?::[A-Za-z0-9_./@*{}-]+)*")
_IGNORE = re.compile(r"#\s*gateway:\s*ignore\[(?:[^\]\n]*[\s,])?([a-z-]*)$")
_KINDS = MappingProxyType(
    {
        "key": CompletionItemKind.Property,
        "word": CompletionItemKind.EnumMember,
        "variable": CompletionItemKind.Variable,
        "field": CompletionItemKind.Field,
        "function": CompletionItemKind.Function,
        "method": CompletionItemKind.Method,
        "module": CompletionItemKind.Module,
        "name": CompletionItemKind.Reference,
    }
)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where something is typed: in which files, at which path, and the text that it replaces."""

    policies: Policies
    root: Path
    path: Path
    outlined: Outline
    found: Found
    cursor: int

    @property
    def in_test(self) -> bool:
        return is_test(self.path)

    def outlines(self) -> list[Outline]:
        """The files of the policy; the one in which is typed as it would be with a word at the cursor."""
        others = self.policies.outlines(self.root)
        return [each for path, each in others.items() if path != self.path] + [self.outlined]


def completions(policies: Policies, path: Path, offset: int, encoding: str) -> CompletionList | None:
    """What may be written at an offset; nothing in files that belong to no policy."""
    text, root = policies.open[path], policies.root_of(path)
    if root is None or len(text) > LONGEST:
        return None
    positions = Positions(text, encoding)
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    silenced = _IGNORE.search(line)
    if silenced is not None:
        start = offset - len(silenced[1])
        return _listed(_checks(), positions.range(start, offset))
    marked = outline(Source(str(path), text[:offset] + _MARK + text[offset:]))
    found = marked.at(offset)
    if found is None or found.node.kind is not Kind.SCALAR or _MARK not in found.node.text:
        return None
    place = _Place(policies, root, path, marked, found, offset)
    if not found.is_key and not place.in_test and is_expression(found.path):
        return _in_expression(place, positions)
    style = found.node.style
    if style in ("|", ">"):
        return None
    start = found.node.start + (1 if style else 0)
    offered = _keys(place) if found.is_key else _values(place)
    return _listed((_written(each, style) for each in offered), positions.range(start, offset))


def _listed(offered: Iterable[Proposal], replaced: Range) -> CompletionList:
    """Proposals for an editor, which chooses among them by what is typed already."""
    items = [_item(each, index, replaced) for index, each in enumerate(islice(offered, _MOST + 1))]
    return CompletionList(is_incomplete=len(items) > _MOST, items=items[:_MOST])


def _item(each: Proposal, index: int, replaced: Range) -> CompletionItem:
    return CompletionItem(
        label=each.label,
        kind=_KINDS[each.kind],
        detail=each.detail or None,
        documentation=MarkupContent(MarkupKind.Markdown, each.told) if each.told else None,
        sort_text=f"{index:05}",
        text_edit=TextEdit(replaced, each.inserted or each.label),
    )


def _in_expression(place: _Place, positions: Positions) -> CompletionList | None:
    excerpt = place.found.node.excerpt
    if excerpt is None:
        return None
    cursor = excerpt.text.index(_MARK)
    text = excerpt.text.replace(_MARK, "")
    typing = Typing(place.outlines())
    environments = typing.environments(place.outlined.root, place.found.path)
    found = proposals(text, cursor, environments, typing)
    if found is None:
        return None
    start, offered = found
    offsets = excerpt.offsets
    return _listed(offered, positions.range(offsets[start], place.cursor))


def _keys(place: _Place) -> Iterator[Proposal]:
    """Keys that the mapping does not have yet."""
    above = place.found.path[:-1]
    around = place.found.around
    there = {key.text for key, _ in around.pairs() if _MARK not in key.text} if around is not None else set()
    yield from _keys_below(place, above, there, ": " if not place.found.marked else "")


def _keys_below(
    place: _Place, above: tuple[str | int, ...], there: set[str], behind: str
) -> Iterator[Proposal]:
    schemas = keys.at(above, in_test=place.in_test)
    must = keys.required(schemas)
    for key, schema in sorted(keys.keys(schemas).items(), key=lambda each: each[0] not in must):
        if key not in there:
            detail = "required" if key in must else ""
            yield Proposal(key, "key", detail, keys.told(schema), f"{key}{behind}")
    for name, detail in _names_of_keys(place, above):
        if name not in there:
            yield Proposal(name, "name", detail, "", f"{name}{behind}")


def _names_of_keys(place: _Place, above: tuple[str | int, ...]) -> Iterator[tuple[str, str]]:
    """Names that are keys: of arguments, patterns and tools."""
    found = sort_at((*above, ""), is_key=True, in_test=place.in_test)
    if found is not None and not found[1]:
        yield from _named(place, found[0])
    if len(above) == 3 and above[2] in ("set", "inspect"):
        typing = Typing(place.outlines())
        part = place.outlined.node(above[:2])
        for tool in typing.governed(above[0], part) if part is not None else ():
            properties = typing.tools[tool].schema.get("properties")
            yield from ((name, f"argument of {tool}") for name in properties or () if isinstance(name, str))


def _values(place: _Place) -> Iterator[Proposal]:
    """Words and names that a value can be; where a list belongs, its items, and where a mapping, its keys."""
    path = place.found.path
    schemas = keys.at(path, in_test=place.in_test)
    if keys.is_list(schemas) and not isinstance(path[-1] if path else "", int):
        for each in _scalars(place, (*path, 0)):
            text = _quotable(each.inserted or each.label, "")
            inserted = f"- {text}" if _alone(place) else f"[{text}]"
            yield Proposal(each.label, each.kind, each.detail, each.told, inserted)
        if _alone(place):
            yield from _in_item(_keys_below(place, (*path, 0), set(), ": "))
        return
    yield from _scalars(place, path)
    if _alone(place) or (place.found.node.text == _MARK and isinstance(path[-1] if path else 0, int)):
        offered = _keys_below(place, path, set(), ": ")
        yield from offered if place.found.marked else _in_item(offered)


def _in_item(offered: Iterable[Proposal]) -> Iterator[Proposal]:
    for each in offered:
        yield Proposal(each.label, each.kind, each.detail, each.told, f"- {each.inserted}")


def _alone(place: _Place) -> bool:
    """Whether nothing else stands in the line, so that keys or items can begin in it."""
    text = place.outlined.source.text
    start = text.rfind("\n", 0, place.found.node.start) + 1
    return not text[start : place.found.node.start].strip(" -")


def _scalars(place: _Place, path: tuple[str | int, ...]) -> Iterator[Proposal]:
    for word in keys.words(keys.at(path, in_test=place.in_test)):
        yield Proposal(word, "word")
    found = sort_at(path, is_key=False, in_test=place.in_test)
    if found is not None and not found[1]:
        taken = {each.text for each in (place.found.around.items() if place.found.around is not None else ())}
        for name, detail in _named(place, found[0]):
            if name not in taken:
                yield Proposal(name, "name", detail)


def _named(place: _Place, sort: Sort) -> Iterator[tuple[str, str]]:
    """The names of a sort that are given or used anywhere, each with what is said of it."""
    every = [each for each in mentions(place.outlines()) if each.sort is sort and _MARK not in each.name]
    if sort is Sort.TOOL:
        yield from _tools(place, every)
        return
    if sort is Sort.RULE:
        yield from _rules(place, every)
        return
    if sort in (Sort.PACK, Sort.PATTERN):
        yield from _shipped(sort)
        return
    names = dict.fromkeys(each.name for each in every if each.gives) or dict.fromkeys(
        each.bare for each in every if not each.gives
    )
    for name in names:
        yield name, sort.value


def _tools(place: _Place, every: list[Mention]) -> Iterator[tuple[str, str]]:
    """Tools, and patterns for those whose names begin alike; behind a `!` with that."""
    names = sorted(given(every, Sort.TOOL))
    mark = "!" if place.found.node.text.startswith("!") else ""
    for name in names:
        yield f"{mark}{name}", "tool"
    starts: dict[str, int] = {}
    for name in names:
        server, slash, rest = name.partition("/")
        start = f"{server}/*" if slash else f"{rest or server}".partition("_")[0] + "_*"
        if slash or "_" in name:
            starts[start] = starts.get(start, 0) + 1
    for pattern, count in starts.items():
        if count > 1:
            yield f"{mark}{pattern}", f"{count} tools"
    if not place.in_test and not mark:
        yield "*", f"all {len(names)} tools"


def _rules(place: _Place, every: list[Mention]) -> Iterator[tuple[str, str]]:
    """In `lifts` the rules that ask and the patterns, in tests every part with an id."""
    for mention in given(every, Sort.RULE).values():
        part = next((o.node(mention.path[:-1]) for o in place.outlines() if o.source is mention.source), None)
        effect = part.get("effect") if isinstance(part, Node) else None
        said = effect.text if effect is not None else str(mention.path[0])
        if place.in_test or said in ("ask", "deny"):
            yield mention.name, f"{said} rule" if effect is not None else said
    yield from _shipped(Sort.PATTERN)


def _shipped(sort: Sort) -> Iterator[tuple[str, str]]:
    from gateway.patterns import PACKS, load_packs

    if sort is Sort.PACK:
        yield from ((pack, "pack") for pack in PACKS)
        return
    for pattern in load_packs(PACKS):
        yield pattern.id, f"{pattern.effect.value}: {pattern.title}"


def _checks() -> Iterator[Proposal]:
    from gateway.checks import CHECKS, check_id

    for module in CHECKS:
        page = (module.__doc__ or "").strip()
        yield Proposal(check_id(module), "word", "", page.partition("\n\n")[0])


def _written(each: Proposal, style: str) -> Proposal:
    """A proposal as YAML spells it inside these quotes, or without any."""
    inserted = each.inserted or each.label
    if each.kind == "key" or each.inserted:
        return each
    return Proposal(each.label, each.kind, each.detail, each.told, _quotable(inserted, style))


def _quotable(text: str, style: str) -> str:
    if style or _PLAIN.fullmatch(text):
        return text
    return json.dumps(text, ensure_ascii=False)
