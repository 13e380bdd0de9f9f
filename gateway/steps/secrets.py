"""What of a call is sensitive: by its tool's schema, by that of a call around it, or by that of one wrapped in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gateway.call import CallError, normal_arguments
from gateway.diagnostic import printable
from gateway.schema import EACH, ArgumentPath
from gateway.steps.deciding import MAX_WRAPPING, Deciding
from gateway.template import reach

HIDDEN = "(hidden)"
UNTOLD = "may repeat a sensitive argument, so it is not told"
SHORTEST_KEY = 8
"""A key of a sensitive object is a secret from here on, if it looks like one: the others are names."""
SHORTEST_PART = 4
"""A secret of as many characters is looked for inside words and numbers too."""


def sensitive(ctx: Deciding) -> tuple[ArgumentPath, ...]:
    """Where sensitive arguments stand in the call's own: as its tool says, and as a tool around it does."""
    return ctx.around if ctx.tool is None else (*ctx.tool.sensitive, *ctx.around)


def secrets(ctx: Deciding) -> frozenset[str]:
    """The texts of all that is sensitive in the call, around it and in the calls that it wraps.

    They are left out of what is written about it, and where there are any, errors are not told.
    """
    known = ctx.secrets
    if known is None or known[0] is not ctx.arguments:
        texts = {text for value in _values(ctx) for text in _texts(value) if text}
        known = ctx.secrets = (ctx.arguments, ctx.secrets_around | texts)
    return known[1]


def without_secrets(text: str, ctx: Deciding) -> str:
    """A text about the call without the values of sensitive arguments."""
    return without(text, secrets(ctx))


def without(text: str, hidden: Iterable[str]) -> str:
    """A text without some secrets, also as JSON or a message writes them; short ones only where they stand alone."""
    forms = {
        form
        for secret in hidden
        for form in (secret, printable(secret), json.dumps(secret, ensure_ascii=False)[1:-1])
    }
    there = sorted((form for form in forms if form and form in text), key=lambda form: (-len(form), form))
    if not there:
        return text
    return re.sub("|".join(map(_wherever, there)), HIDDEN, text)


def _forms(secret: str) -> tuple[str, ...]:
    return (secret, printable(secret), json.dumps(secret, ensure_ascii=False)[1:-1]) if secret else ()


def _wherever(secret: str) -> str:
    if len(secret) >= SHORTEST_PART:
        return re.escape(secret)
    return rf"(?<![\w.:]){re.escape(secret)}(?![\w.:])"


def covered(ctx: Deciding, path: ArgumentPath) -> bool:
    """Whether an argument of the call, what it is a part of, or anything in it is sensitive."""
    return any(_meet(path, each) for each in _paths(ctx))


def below(paths: Iterable[ArgumentPath], place: ArgumentPath) -> tuple[ArgumentPath, ...]:
    """Where sensitive arguments stand in what is at a place; an empty path where all of it is sensitive."""
    return tuple(dict.fromkeys(path[len(place) :] for path in paths if _meet(path, place)))


def inside(ctx: Deciding, path: tuple[str | int, ...]) -> bool:
    """Whether a value at a path is a part of what is sensitive, so that its key is sensitive too."""
    plain = tuple(EACH if isinstance(step, int) else step for step in path)
    return any(len(each) < len(plain) and _meet(each, plain) for each in sensitive(ctx))


def _meet(one: ArgumentPath, other: ArgumentPath) -> bool:
    """Whether one path may lead to what the other one leads to, or to a part of it."""
    return all(a is EACH or b is EACH or a == b for a, b in zip(one, other, strict=False))


def _layers(ctx: Deciding) -> Iterator[tuple[ArgumentPath, Mapping[str, Any], tuple[ArgumentPath, ...], Any]]:
    """The call and those that it wraps.

    Of each where its arguments stand, these, what is sensitive in them, and the text that they are written as.
    """
    tool, arguments, paths = ctx.tool, ctx.arguments, sensitive(ctx)
    place: ArgumentPath = ()
    written: Any = None
    for _ in range(MAX_WRAPPING + 1):
        yield place, arguments, paths, written
        if tool is None or tool.wraps is None:
            return
        roots = {"args": arguments}
        name, written = (
            reach(roots, ("args", *tool.wraps.tool)),
            reach(roots, ("args", *tool.wraps.arguments)),
        )
        if not isinstance(name, str) or not isinstance(written, Mapping | str):
            return
        try:
            arguments = normal_arguments(written)
        except CallError:
            return
        around = below(paths, tool.wraps.arguments)
        place = (*place, *tool.wraps.arguments)
        tool = ctx.engine.tools.get(name)  # type: ignore[assignment]  # one that is not listed has no plan
        paths = around if tool is None else (*tool.sensitive, *around)


def _paths(ctx: Deciding) -> Iterator[ArgumentPath]:
    for place, _, paths, _ in _layers(ctx):
        yield from ((*place, *path) for path in paths)


def _values(ctx: Deciding) -> Iterator[Any]:
    for _, arguments, paths, written in _layers(ctx):
        found = [value for path in paths for value in _at(arguments, path)]
        yield from found
        if found and isinstance(written, str):
            yield written


def _at(value: Any, path: ArgumentPath) -> Iterator[Any]:
    if not path:
        yield value
        return
    name, *rest = path
    inner: list[Any] = []
    if isinstance(value, Mapping):
        inner = list(value.values()) if name is EACH else [value[name]] if name in value else []
    elif isinstance(value, list) and name is EACH:
        inner = value
    for item in inner:
        yield from _at(item, tuple(rest))


def _texts(value: Any) -> Iterator[str]:
    from gateway.results.detectors.likely import token

    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if isinstance(key, str) and token(key, SHORTEST_KEY):
                yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif value is not None and not isinstance(value, bool):
        yield str(value)
