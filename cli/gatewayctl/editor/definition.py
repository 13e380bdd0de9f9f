"""Where a name was given to something, and everywhere that it is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from lsprotocol.types import Location

from gatewayctl.editor.expression import Spot, read_at
from gatewayctl.editor.names import Mention, given, is_expression, meant, mentions
from gatewayctl.editor.outline import Found, Node, Outline
from gatewayctl.editor.policies import Policies, is_test
from gatewayctl.editor.positions import location
from gatewayctl.editor.typed import Typing

_MOST = 500


def definitions(policies: Policies, path: Path, offset: int, encoding: str) -> list[Location] | None:
    """Where what stands at an offset was named; a pattern of tools leads to each of them."""
    outlined, outlines = _outlines(policies, path)
    if outlined is None:
        return None
    every = list(mentions(outlines))
    own = _mention_at(every, outlined, offset)
    if own is not None:
        names = given(every, own.sort)
        found = [names[name] for name in sorted(meant(own, names))]
        return [location(each.source, each.start, each.end, encoding) for each in found[:_MOST]] or None
    place = outlined.at(offset)
    if place is None or place.is_key or is_test(path) or not is_expression(place.path):
        return None
    nodes = list(_in_expression(place, outlined, outlines, offset))
    return [location(source.source, node.start, node.end, encoding) for source, node in nodes] or None


def references(policies: Policies, path: Path, offset: int, encoding: str) -> list[Location] | None:
    """Everywhere that what stands at an offset is named or used, patterns among them."""
    outlined, outlines = _outlines(policies, path)
    if outlined is None:
        return None
    every = list(mentions(outlines))
    own = _mention_at(every, outlined, offset)
    if own is None:
        return None
    names = given(every, own.sort) or {each.bare: each for each in every if each.sort is own.sort}
    wanted = meant(own, names) or {own.bare}
    found = [each for each in every if each.sort is own.sort and meant(each, wanted)]
    return [location(each.source, each.start, each.end, encoding) for each in found[:_MOST]]


def _outlines(policies: Policies, path: Path) -> tuple[Outline | None, Sequence[Outline]]:
    outlined, root = policies.outline(path), policies.root_of(path)
    if outlined is None or root is None:
        return None, ()
    others = {**policies.outlines(root), path: outlined}
    return outlined, list(others.values())


def _mention_at(every: Sequence[Mention], outlined: Outline, offset: int) -> Mention | None:
    return next(
        (each for each in every if each.source is outlined.source and each.start <= offset <= each.end), None
    )


def _in_expression(
    place: Found, outlined: Outline, outlines: Sequence[Outline], offset: int
) -> Iterator[tuple[Outline, Node]]:
    """What a condition reads at an offset: an argument, where its tool declares it, or a name that `let` gives."""
    excerpt = place.node.excerpt
    if excerpt is None:
        return
    within = next((i for i, at in enumerate(excerpt.offsets) if at >= offset), len(excerpt.text))
    spot = read_at(excerpt.text, within)
    part = outlined.node(place.path[:2])
    if spot is None or part is None:
        return
    lets = part.get("let")
    if spot.receiver is None and lets is not None:
        yield from ((outlined, key) for key, _ in lets.pairs() if key.text == spot.word)
    steps = _argument(spot)
    if not steps:
        return
    typing = Typing(outlines)
    governed = set(typing.governed(place.path[0], part))
    for each in outlines:
        tools = each.root.get("tools")
        for item in tools.items() if tools is not None else ():
            name = item.get("name")
            if name is not None and name.text in governed:
                yield from ((each, key) for key in _declared(item.get("parameters"), steps))


def _argument(spot: Spot) -> list[str]:
    """The names that lead from `args` to a field."""
    whole = f"{spot.receiver or ''}.{spot.word}".replace(".?", ".").split(".")
    return whole[1:] if whole[0] == "args" and all(step.isidentifier() for step in whole) else []


def _declared(schema: Node | None, steps: Sequence[str]) -> Iterator[Node]:
    """The key in a schema that declares a field."""
    for index, step in enumerate(steps):
        properties = None if schema is None else schema.get("properties")
        if properties is None:
            return
        if index == len(steps) - 1:
            yield from (key for key, _ in properties.pairs() if key.text == step)
        schema = properties.get(step)
