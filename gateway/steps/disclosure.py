"""What of a call's arguments is repeated to the model and to people: neither secrets nor what the policy set."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gateway.diagnostic import printable
from gateway.schema import EACH, ArgumentPath
from gateway.steps.deciding import Deciding
from gateway.steps.secrets import HIDDEN, sensitive
from gateway.template import reach


def disclosed(ctx: Deciding) -> dict[str, Any]:
    """The arguments without forced ones, and with sensitive ones hidden."""
    own = {key: value for key, value in ctx.arguments.items() if key not in ctx.forced}
    return _without(_with_inner(own, ctx), ctx)


def shown(ctx: Deciding) -> Mapping[str, Any]:
    """All arguments, forced ones too, with sensitive ones hidden: what people and logs are shown."""
    if not sensitive(ctx) and ctx.tool.wraps is None:
        return ctx.arguments
    return _without(_with_inner(dict(ctx.arguments), ctx), ctx)


def described(ctx: Deciding) -> str:
    """What a call would do, in the words of the tool's `describe`, or as the raw call."""
    tool = ctx.tool
    raw = f"`{tool.name}` with {_shown(disclosed(ctx), 400)}"
    if tool.describe is None:
        return raw
    arguments = _without(_with_inner(dict(ctx.arguments), ctx), ctx)
    roots = {"args": arguments, "tool": tool.view, "config": tool.view.get("config", {})}
    parts: list[str] = []
    for part in tool.describe.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        value = reach(roots, (part.root, *part.names))
        if value is None:
            return raw
        parts.append(_shown(value, 200))
    named = {part.names[0] for part in tool.describe.placeholders if part.root == "args"}
    rest = {key: value for key, value in disclosed(ctx).items() if key not in named}
    return "".join(parts) + (f" (and {_shown(rest, 400)})" if rest else "")


def _with_inner(arguments: dict[str, Any], ctx: Deciding) -> dict[str, Any]:
    """The arguments with those of a wrapped call as that call's own tool discloses them."""
    wraps = ctx.tool.wraps
    if wraps is None or reach({"args": arguments}, ("args", *wraps.arguments)) is None:
        return arguments
    return _replaced(arguments, wraps.arguments, ctx.wrapped)


def _replaced(value: Mapping[str, Any], path: tuple[str, ...], new: Any) -> dict[str, Any]:
    return {**value, path[0]: new if len(path) == 1 else _replaced(value[path[0]], path[1:], new)}


def _without(arguments: dict[str, Any], ctx: Deciding) -> dict[str, Any]:
    for path in sensitive(ctx):
        if path:
            arguments = _hidden(arguments, path)
        else:
            declares = ctx.tool.validator.declares
            arguments = {key if declares((key,)) else HIDDEN: HIDDEN for key in arguments}
    return arguments


def _hidden(value: Any, path: ArgumentPath) -> Any:
    if not path:
        return HIDDEN
    name, *rest = path
    if isinstance(value, Mapping):
        keys = list(value) if name is EACH else [name] if name in value else []
        return {**value, **{key: _hidden(value[key], tuple(rest)) for key in keys}}
    if isinstance(value, list) and name is EACH:
        return [_hidden(item, tuple(rest)) for item in value]
    return value


def _shown(value: Any, longest: int) -> str:
    """A value quoted, on one line, without characters that hide others."""
    text = json.dumps(_cut(value, longest), ensure_ascii=False, default=str)
    if len(text) <= longest:
        return printable(text)
    whole = len(text) + _left_out(value, longest)
    return f"{printable(text[:longest])}… ({whole} characters)"


def _cut(value: Any, longest: int) -> Any:
    """A value with its long texts cut, which would not be shown to their ends anyway."""
    if isinstance(value, str):
        return value[:longest]
    if isinstance(value, Mapping):
        return {key[:longest]: _cut(item, longest) for key, item in value.items()}
    return [_cut(item, longest) for item in value] if isinstance(value, list) else value


def _left_out(value: Any, longest: int) -> int:
    """How many characters of texts are not in what `_cut` makes of a value."""
    if isinstance(value, str):
        return max(len(value) - longest, 0)
    if isinstance(value, Mapping):
        return sum(_left_out(each, longest) for pair in value.items() for each in pair)
    return sum(_left_out(item, longest) for item in value) if isinstance(value, list) else 0
