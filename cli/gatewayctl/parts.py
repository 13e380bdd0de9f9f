"""What a policy says under an id: a rule, a limit, an entry of `arguments` or `results`, or an invariant."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gatewayctl.condition import one_line
from gatewayctl.output import Format, ink_for, say, say_json

if TYPE_CHECKING:
    from gateway.policy import Condition
    from gateway.policy.invariants import Invariant
    from gateway.testing import Loaded

_UNSHOWN = frozenset(("id", "tools", "examples"))
_WIDTH = 13
_MOST_TOOLS = 8


def say_part(name: str, loaded: Loaded, form: Format) -> bool:
    """Print what the policy says under an id; whether it says anything."""
    from gateway.diagnostic import printable
    from gateway.glob import select_governed

    found = [part for part in parts(loaded) if part.id == name]
    ink = ink_for(sys.stdout)
    shown = []
    for part in found:
        noun = part.noun.partition(" ")[2]
        place = part.where.span("id").place
        tools = sorted(select_governed(part.tools, tuple(loaded.compiled.engine.tools)))
        keys = {
            key: one_line(part.where.span(key).text)
            for key in type(part).model_fields
            if part.given(key) and key not in _UNSHOWN
        }
        shown.append({"kind": noun, "id": name, "place": place, "tools": tools, "keys": keys})
        if form is not Format.JSON:
            more = f" and {len(tools) - _MOST_TOOLS} more" if len(tools) > _MOST_TOOLS else ""
            about = ", ".join(f"`{tool}`" for tool in tools[:_MOST_TOOLS]) + more
            say(f"{ink('bold', f'`{name}`')} is {part.noun} of the policy")
            for key, text in {"stands at": place, "is about": about or "no tool", **keys}.items():
                say(f"  {f'{key}:':{_WIDTH}} {printable(text)}")
    if form is Format.JSON and shown:
        say_json({"parts": shown})
    return bool(found)


def parts(loaded: Loaded) -> Iterator[Condition | Invariant]:
    """All that has an id of the policy's own."""
    policy = loaded.policy
    yield from policy.rules
    yield from policy.limits
    yield from policy.arguments
    yield from policy.results
    yield from policy.invariants
