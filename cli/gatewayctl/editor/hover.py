"""What is said about what stands at a place: keys, names, codes, checks, and what a condition reads and calls there."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from lsprotocol.types import Hover, MarkupContent, MarkupKind

from gateway.cel import Environment, ObjectType
from gateway.cel.functions.signature import Style
from gatewayctl.editor import keys
from gatewayctl.editor.about import about
from gatewayctl.editor.expression import Spot, read_at
from gatewayctl.editor.findings import Findings
from gatewayctl.editor.members import macro_named, macro_told, signatures, takes, told
from gatewayctl.editor.names import Sort, is_expression, sort_at
from gatewayctl.editor.outline import Found, Outline
from gatewayctl.editor.policies import Policies, is_test
from gatewayctl.editor.positions import Positions
from gatewayctl.editor.typed import Typing, bound_to, described, type_of

_IGNORE = re.compile(r"#\s*gateway:\s*ignore\[([^\]\n]*)\]")
_NAME = re.compile(r"[^\s,]+")
_MOST_FIELDS = 24
_MOST_SIGNATURES = 4


def hovered(
    policies: Policies, path: Path, offset: int, encoding: str, findings: Findings | None
) -> Hover | None:
    """What is said about what stands at an offset; below it the pages of the checks that speak of it."""
    outlined, root = policies.outline(path), policies.root_of(path)
    if outlined is None or root is None:
        return None
    positions = Positions(outlined.source.text, encoding)
    silenced = _silenced(outlined.source.text, offset)
    if silenced is not None:
        start, end = silenced
        page = _check(outlined.source.text[start:end])
        return _hover([page] if page else [], positions, start, end)
    pages = list(_pages(findings, path, offset))
    found = outlined.at(offset)
    if found is None:
        return _hover(pages, positions, offset, offset)
    start, end = found.node.start, found.node.end
    said: list[str] = []
    if not found.is_key and not is_test(path) and is_expression(found.path):
        place = _in_expression(policies, root, outlined, found, offset)
        if place is not None:
            start, end, said = place
    else:
        said = _at(policies, root, path, found, findings)
    return _hover([*said, *pages], positions, start, end)


def _hover(parts: list[str], positions: Positions, start: int, end: int) -> Hover | None:
    if not parts:
        return None
    text = "\n\n---\n\n".join(dict.fromkeys(parts))
    return Hover(MarkupContent(MarkupKind.Markdown, text), positions.range(start, end))


def _at(policies: Policies, root: Path, path: Path, found: Found, findings: Findings | None) -> list[str]:
    """What is said about a key or a name."""
    in_test = is_test(path)
    named = sort_at(found.path, is_key=found.is_key, in_test=in_test)
    if named is not None:
        loaded = None if findings is None else findings.loaded
        text = about(named[0], found.node.text, list(policies.outlines(root).values()), loaded)
        if text:
            return [text]
    if not found.is_key:
        return []
    text = keys.description(found.path, in_test=in_test)
    return [f"**{found.node.text}**\n\n{text}"] if text else []


def _silenced(text: str, offset: int) -> tuple[int, int] | None:
    """The name of a check in a comment that silences it."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : len(text) if end < 0 else end]
    for comment in _IGNORE.finditer(line):
        for name in _NAME.finditer(line, comment.start(1), comment.end(1)):
            if name.start() <= offset - start <= name.end():
                return start + name.start(), start + name.end()
    return None


def _pages(findings: Findings | None, path: Path, offset: int) -> Iterator[str]:
    """The pages of the checks that found something at an offset."""
    for finding in () if findings is None else findings.by_file.get(path, ()):
        span = finding.span
        if span is not None and span.start <= offset <= span.end:
            page = _check(finding.code)
            if page:
                yield page


def _check(name: str) -> str:
    """The page of a check; nothing for what has none."""
    from gateway.checks import CHECKS, check_id

    for module in CHECKS:
        if check_id(module) == name:
            page = inspect.cleandoc(module.__doc__ or "")
            first, _, rest = page.partition("\n\n")
            return f"**{name}**: {first}\n\n{rest}"
    return ""


def _in_expression(
    policies: Policies, root: Path, outlined: Outline, found: Found, offset: int
) -> tuple[int, int, list[str]] | None:
    """The place of the name at an offset of a condition, and what is said about it."""
    excerpt = found.node.excerpt
    if excerpt is None:
        return None
    within = next((i for i, at in enumerate(excerpt.offsets) if at >= offset), len(excerpt.text))
    spot = read_at(excerpt.text, within)
    if spot is None:
        return None
    outlines = policies.outlines(root)
    typing = Typing(outlines.values())
    said: dict[str, None] = {}
    for tool, environment in typing.environments(outlined.root, found.path):
        said.update(dict.fromkeys(_read(spot, bound_to(environment, spot.bound), tool, typing)))
    span = excerpt.span(spot.start, spot.end)
    lists = about(Sort.LIST, spot.word, list(outlines.values()), None) if spot.receiver == "lists" else ""
    return span.start, span.end, [*said, *([lists] if lists else [])]


def _read(spot: Spot, environment: Environment, tool: str, typing: Typing) -> Iterator[str]:
    """What is said about a name in a condition: a function, a macro, a variable or a field."""
    whole = spot.word if spot.receiver is None else f"{spot.receiver}.{spot.word}"
    if spot.called:
        yield from _called(spot, whole, environment)
        return
    if spot.receiver is None and spot.word not in environment.variables:
        return
    type_ = type_of(whole, environment)
    text = f"```cel\n{whole}: {type_}\n```"
    path = whole.replace(".?", ".").split(".")
    if path[0] == "args" and tool in typing.tools:
        description = described(typing.tools[tool].schema, path[1:])
        text += f"\n\nOf `{tool}`. {description}".rstrip()
    if isinstance(type_, ObjectType) and type_.fields:
        fields = [
            f"- `{name}`: {field.type}{', may be absent' if field.optional else ''}"
            for name, field in list(type_.fields.items())[:_MOST_FIELDS]
        ]
        text += "\n\n" + "\n".join(fields)
    yield text


def _called(spot: Spot, whole: str, environment: Environment) -> Iterator[str]:
    macro = macro_named(spot.word)
    receiver = None if spot.receiver is None else type_of(spot.receiver, environment)
    for function in environment.functions:
        if function.style is Style.GLOBAL:
            fits = function.name == whole
        else:
            fits = function.name == spot.word and receiver is not None and takes(function, receiver)
        if fits:
            lines = signatures(function, receiver)[:_MOST_SIGNATURES]
            yield "```cel\n" + "\n".join(lines) + f"\n```\n\n{told(function)}"
    if macro is not None:
        yield "```cel\n" + "\n".join(macro.signatures) + f"\n```\n\n{macro_told(macro)}"
