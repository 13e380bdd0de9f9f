"""What is said about a name: what a tool comes to, what a rule does, what a pattern finds, what a code means."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from gateway.glob import select_governed
from gatewayctl.editor.names import Mention, Sort, given, mentions
from gatewayctl.editor.outline import Node, Outline
from gatewayctl.wording import counted

if TYPE_CHECKING:
    from gateway.effective import Catalogue
    from gateway.testing import Loaded

_MOST = 20
_LONGEST = 200


def about(sort: Sort, name: str, outlines: Sequence[Outline], loaded: Loaded | None) -> str:
    """A text about a name, in Markdown; nothing where nothing is known of it."""
    bare = name.removeprefix("!")
    match sort:
        case Sort.TOOL:
            return _tool(bare, outlines, loaded)
        case Sort.RULE:
            return _rule(bare, outlines) or _pattern(bare)
        case Sort.PATTERN:
            return _pattern(bare)
        case Sort.CODE:
            return _code(bare)
        case Sort.LIST:
            return _list(bare, outlines)
        case Sort.AGENT:
            return _agent(bare, outlines)
        case Sort.PERMISSION:
            return _permission(bare, outlines)
        case Sort.PACK:
            return _pack(bare)
    return ""


def _tool(name: str, outlines: Sequence[Outline], loaded: Loaded | None) -> str:
    known = given(mentions(outlines), Sort.TOOL)
    if "*" in name:
        names = sorted(select_governed([name], known))
        return (
            f"`{name}`: {counted(len(names), 'tool')}\n\n{_listed(names)}" if names else f"`{name}`: no tool"
        )
    catalogue = None if loaded is None else loaded.compiled.engine.catalogue
    if catalogue is not None and name in catalogue.declared:
        return "\n\n".join(_effective(name, catalogue, loaded))
    node = _part(known.get(name), outlines)
    if node is None:
        return ""
    lines = [f"- {key.text}: `{_short(value.data())}`" for key, value in node.pairs() if key.text in _SHOWN]
    return f"**{name}**, as it is written\n\n" + "\n".join(lines)


_SHOWN = (
    "title",
    "group",
    "risk",
    "permissions",
    "resource_permissions",
    "enabled",
    "switch",
    "mode",
    "inspect",
)


def _effective(name: str, catalogue: Catalogue, loaded: Loaded | None) -> Iterator[str]:
    """What a tool comes to with all `defaults`, and what differs for each tenant."""
    plan = catalogue.declared[name]
    title = f": {plan.view['title']}" if plan.view["title"] else ""
    yield f"**{name}**{title}"
    if plan.description:
        yield plan.description
    lines = [
        f"- risk: `{plan.risk.value}`",
        f"- permissions: {_listed(plan.permissions) or 'none are needed'}",
    ]
    lines += [f"- permission for the resource: `{one.template.text}`" for one in plan.resource]
    lines += [f"- {key}: `{plan.view[key]}`" for key in ("group", "mode", "switch") if plan.view[key]]
    lines += ["- off for everybody"] if not plan.enabled else []
    lines += [f"- rules: {_listed(rule.id for rule in plan.rules)}"] if plan.rules else []
    yield "\n".join(lines)
    declared = None if loaded is None else loaded.compiled.declared.get(name)
    inherited = {} if declared is None else _inherited(declared)
    if inherited:
        yield "From `defaults`: " + ", ".join(f"`{key}` ({place})" for key, place in inherited.items())
    overrides = [
        f"- `{tenant}`: "
        + ", ".join(f"{key} `{_short(value)}`" for key, value in each.values.items())
        + (f" until {each.until.text}" if each.until is not None else "")
        for tenant, plans in sorted(catalogue.overrides.items())
        for each in plans
        if each.tool == name
    ]
    if overrides:
        yield "What differs for a tenant:\n\n" + "\n".join(overrides[:_MOST])


def _inherited(declared: Any) -> dict[str, str]:
    """The keys that `defaults` give a tool, each with the line that does."""
    own = declared.tool.where
    return {key: f"line {where.span().line}" for key, _, where in declared.sources if where.path != own.path}


def _rule(name: str, outlines: Sequence[Outline]) -> str:
    found = list(mentions(outlines))
    mention = given(found, Sort.RULE).get(name)
    node = _part(mention, outlines)
    if mention is None or node is None:
        return ""
    patterns = node.get("tools")
    texts = [item.text for item in patterns.items() if item.text] if patterns is not None else []
    tools = sorted(select_governed(texts, given(found, Sort.TOOL)))
    lines = [f"- tools: {_listed(tools) or 'none'}"]
    for key in ("when", "unless", "message", "reason", "owner", "until", "monitor", "lifts"):
        value = node.get(key)
        if value is not None:
            lines.append(f"- {key}: `{_short(value.data())}`")
    effect = node.get("effect")
    what = effect.text if effect is not None else str(mention.path[0])
    return f"**{name}** ({what})\n\n" + "\n".join(lines)


def _agent(name: str, outlines: Sequence[Outline]) -> str:
    found = list(mentions(outlines))
    node = _part(given(found, Sort.AGENT).get(name), outlines)
    patterns = None if node is None else node.get("tools")
    if patterns is None:
        return ""
    from gateway.glob import select

    tools = sorted(select([item.text for item in patterns.items() if item.text], given(found, Sort.TOOL)))
    return f"**{name}** may use {counted(len(tools), 'tool')}\n\n{_listed(tools)}"


def _permission(name: str, outlines: Sequence[Outline]) -> str:
    users: dict[str, None] = {}
    for outlined in outlines:
        for mention in mentions([outlined]):
            if mention.sort is Sort.PERMISSION and mention.name == name and mention.path[0] == "tools":
                node = outlined.node((*mention.path[:2], "name"))
                users.update({node.text: None} if node is not None else {})
    return f"`{name}` is needed for {_listed(users)}" if users else ""


def _list(name: str, outlines: Sequence[Outline]) -> str:
    for outlined in outlines:
        node = outlined.node(("lists", name))
        if node is not None:
            values = list(node.items())
            return (
                f"`lists.{name}`, {counted(len(values), 'value')}: {_listed(value.text for value in values)}"
            )
    return ""


def _pattern(name: str) -> str:
    from gateway.patterns import PACKS, load_packs

    for pattern in load_packs(PACKS):
        if pattern.id == name:
            reason = pattern.reason.replace("{what}", "…")
            instead = pattern.alternative.replace("{what}", "…")
            return (
                f"**{name}** ({pattern.effect.value}, pack `{pattern.pack}`): {pattern.title}.\n\n"
                f"Why: {reason}\n\nInstead: {instead}"
            )
    return ""


def _pack(name: str) -> str:
    from gateway.patterns import PACKS, load_packs

    if name not in PACKS:
        return ""
    found = load_packs([name])
    return f"**{name}**, {counted(len(found), 'pattern')}: {_listed(pattern.id for pattern in found)}"


def _code(name: str) -> str:
    from gateway.codes import PAGES
    from gateway.decision import Code

    if name not in Code.__members__:
        return ""
    page = PAGES[Code[name]]
    return f"**{name}**: {page.meaning}\n\nWho can change it: {page.who}\n\nWhat next: {page.next}"


def _part(mention: Mention | None, outlines: Sequence[Outline]) -> Node | None:
    """The mapping that has a name."""
    if mention is None:
        return None
    return next((each.node(mention.path[:-1]) for each in outlines if each.source is mention.source), None)


def _listed(names: Any) -> str:
    every = list(names)
    more = f" and {len(every) - _MOST} more" if len(every) > _MOST else ""
    return ", ".join(f"`{name}`" for name in every[:_MOST]) + more


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
