"""Lists of tools as they are printed: what a session sees, what a tenant has, and what code declares."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gatewayctl.output import Failure, Format, ink_for, say, say_json
from gatewayctl.stored import check_tenant
from gatewayctl.wording import columns, counted

if TYPE_CHECKING:
    from gateway.drift import Side
    from gateway.results.shape import Shape
    from gateway.session import Session
    from gateway.steps.listing import Listing
    from gateway.testing import Loaded


def say_session(who: Session, loaded: Loaded, form: Format, *, shapes: bool) -> None:
    """What a session sees, and the link that hides each other tool."""
    if shapes:
        _say_shapes(loaded.gateway.shapes(who), form)
        return
    listing = loaded.gateway.tools(who)
    if form is Format.JSON:
        say_json(_json(listing))
    else:
        _say(listing)


def say_tenant(tenant: str, loaded: Loaded, form: Format) -> None:
    """What is declared and what is in effect for a tenant."""
    from gateway.state import Unavailable
    from gatewayctl.beside import beside_json, say_beside

    check_tenant(loaded.compiled.engine.agents.values(), tenant)
    try:
        tools = loaded.gateway.effective(tenant)
    except Unavailable as error:
        raise Failure(f"the store can't tell: {error}") from None
    if form is Format.JSON:
        say_json({"tenant": tenant, "tools": [beside_json(tool) for tool in tools]})
    else:
        say_beside(tenant, tools)


def say_declared(side: Side, form: Format) -> None:
    """What code declares, or a server lists."""
    if form is Format.JSON:
        say_json(
            {
                "tools": [
                    {
                        "name": tool.name,
                        "title": tool.title,
                        "description": tool.description,
                        "risk": None if tool.risk is None else tool.risk.value,
                        "permissions": None if tool.permissions is None else list(tool.permissions),
                        "parameters": tool.input,
                        **({"digest": tool.digest} if tool.digest else {}),
                    }
                    for tool in side.tools.values()
                ],
                "refused": dict(side.refused),
            }
        )
        return
    say_rows((tool.name, _summary(tool.input)) for tool in side.tools.values())
    say_rows(side.refused.items())


def say_rows(rows: Iterable[tuple[str, str]]) -> None:
    """Names, each with a text beside it."""
    from gateway.diagnostic import printable

    for name, text in columns([(printable(name), printable(text)) for name, text in rows]):
        say(f"{name}  {text}")


def _say_shapes(shapes: tuple[Shape, ...], form: Format) -> None:
    if form is Format.JSON:
        say_json(
            {
                "shapes": [
                    {
                        "tool": shape.tool,
                        "shape": "known" if shape.known else "open",
                        "arrays": list(shape.arrays),
                        "main": shape.main,
                    }
                    for shape in shapes
                ]
            }
        )
        return
    from gateway.results.shape import rendered

    say(rendered(shapes) or "no tool is visible")


def _json(listing: Listing) -> dict[str, Any]:
    return {
        "visible": [
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
            for tool in listing.visible
        ],
        "hidden": [
            {
                "name": tool.name,
                "link": tool.link,
                "code": tool.code.value,
                "reason": tool.reason,
                "rule": tool.rule,
            }
            for tool in listing.hidden
        ],
    }


def _say(listing: Listing) -> None:
    from gateway.diagnostic import printable

    ink = ink_for(sys.stdout)
    say(ink("bold", f"visible: {counted(len(listing.visible), 'tool')}"))
    for name, parameters in columns(
        [(tool.name, printable(_summary(tool.parameters))) for tool in listing.visible]
    ):
        say(f"  {ink('green', name)}  {parameters}")
    say()
    say(ink("bold", f"hidden: {counted(len(listing.hidden), 'tool')}"))
    for name, link, reason in columns(
        [(tool.name, tool.link, printable(tool.reason)) for tool in listing.hidden]
    ):
        say(f"  {name}  {ink('yellow', link)}  {reason}")


def _summary(parameters: Mapping[str, Any]) -> str:
    """`(query: string, limit?: integer)`."""
    required = parameters.get("required", ())
    named = [
        f"{name}{'' if name in required else '?'}: {_type(schema)}"
        for name, schema in parameters.get("properties", {}).items()
    ]
    return f"({', '.join(named)})"


def _type(schema: Any) -> str:
    if not isinstance(schema, Mapping):
        return "any"
    if "enum" in schema:
        return "|".join(str(value) for value in schema["enum"][:4]) + (
            "|…" if len(schema["enum"]) > 4 else ""
        )
    kind = schema.get("type", "any")
    kind = "|".join(kind) if isinstance(kind, list) else str(kind)
    return f"{_type(schema.get('items'))}[]" if kind == "array" else kind
