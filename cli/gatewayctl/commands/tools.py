"""`gatewayctl tools`: list what a session sees, and why the rest is hidden."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.inputs import load_policies, read_session
from gatewayctl.options import format_option, layers_option, now_option, policies_option, session_option
from gatewayctl.output import Failure, Format, ink_for, say, say_json
from gatewayctl.stored import check_tenant, tenants_option
from gatewayctl.wording import columns, counted

if TYPE_CHECKING:
    from gateway.results.shape import Shape
    from gateway.steps.listing import Listing
    from gateway.testing import Loaded


@click.command()
@session_option
@click.option("--tenant", help="Instead: what is declared, and what is in effect for this tenant.")
@now_option
@policies_option
@layers_option
@tenants_option
@format_option
@click.option(
    "--shapes", is_flag=True, help="Print which visible tools return which lists, for planning prompts."
)
def command(
    session: Path | None,
    tenant: str | None,
    now: datetime | None,
    policies: Path | None,
    user: Path | None,
    project: Path | None,
    store: str | None,
    form: Format,
    shapes: bool,
) -> None:
    """List the tools that the session sees, and the link that hides each other one.

    With --tenant, show every tool as it is declared and, where the tenant overrides it, as it is in effect.
    """
    if tenant is not None:
        if session is not None or shapes:
            raise Failure("`--tenant` takes no `--session` and no `--shapes`", "those are about one session")
        _beside(tenant, load_policies(policies, form, now, lower=(user, project), store=store), form)
        return
    who = read_session(session, form)
    gateway = load_policies(policies, form, now, lower=(user, project), store=store).gateway
    if shapes:
        _say_shapes(gateway.shapes(who), form)
        return
    listing = gateway.tools(who)
    if form is Format.JSON:
        say_json(_json(listing))
    else:
        _say(listing)


def _beside(tenant: str, loaded: Loaded, form: Format) -> None:
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
