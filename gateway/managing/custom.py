"""The actions on custom tools, which one tenant has beside those of the policy (B12)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gateway.diagnostic import PolicyError
from gateway.managing.desk import Desk, ManagementError, gone, put
from gateway.managing.kept import (
    CUSTOM_NAME,
    declaration_of,
    kept_in,
    override_key,
    packed_declaration,
    tool_key,
)
from gateway.managing.tenants import text_of
from gateway.managing.texts import said
from gateway.recorded import Blanking
from gateway.risk import RiskLevel
from gateway.state import Change, Entry

MOST = 200
"""How many custom tools a tenant may have."""
MOST_BYTES = 256 * 1024
"""How large their declarations may be together: each change of one is compiled with all of them."""
_INVOKE = ":invoke"
_TYPES = frozenset({"string", "integer", "number", "boolean", "array", "object"})


def create(desk: Desk, given: Mapping[str, Any]) -> object:
    """Keep a new custom tool."""
    name = given["name"]
    if name in desk.policy.tools:
        raise ManagementError(f"the policy has a tool `{name}`, and that would win; choose another name")
    declared = _declared(desk, given)
    place = tool_key(desk.tenant, name)

    def change(entry: Entry | None) -> Sequence[Change]:
        if entry is None:
            return (
                put(place, None, packed_declaration(declared)),
                desk.row_about(name, "created", declared),
            )
        if entry.value == packed_declaration(declared):
            return ()
        raise ManagementError(f"there is a custom tool `{name}` already; update it, or choose another name")

    return {"tool": name, "changed": desk.changed(place, change)}


def update(desk: Desk, given: Mapping[str, Any]) -> object:
    """Replace a custom tool's declaration."""
    declared = _declared(desk, given)
    name = declared["name"]
    place = tool_key(desk.tenant, name)

    def change(entry: Entry | None) -> Sequence[Change]:
        if entry is None:
            raise ManagementError(f"there is no custom tool `{name}` in this tenant")
        if entry.value == packed_declaration(declared):
            return ()
        return (
            put(place, entry, packed_declaration(declared)),
            desk.row_about(name, "updated", declared),
        )

    return {"tool": name, "changed": desk.changed(place, change)}


def delete(desk: Desk, given: Mapping[str, Any]) -> object:
    """Remove a custom tool, and its override with it."""
    name = given["name"]
    place, overridden = tool_key(desk.tenant, name), override_key(desk.tenant, name)

    def change(entry: Entry | None) -> Sequence[Change]:
        if entry is None:
            return ()
        try:
            declared = declaration_of(entry.value)
        except ValueError:
            declared = {}
        other = desk.store.read((overridden,)).entries.get(overridden)
        rest = () if other is None or name in desk.policy.tools else (gone(overridden, other),)
        return (gone(place, entry), *rest, desk.row_about(name, "deleted", declared))

    return {"tool": name, "changed": desk.changed(place, change)}


def _declared(desk: Desk, given: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked for as a policy declares a tool, when the policy with it can be used."""
    declared = {key: value for key, value in given.items() if value is not None and key != "interface"}
    wrong = next(_problems(declared), None)
    if wrong is not None:
        raise ManagementError(wrong)
    if not declared.get("parameters"):
        declared["parameters"] = _schema_of(given.get("interface") or ())
    others = {
        key: one for key, one in kept_in(desk.store, desk.tenant).tools.items() if key != declared["name"]
    }
    if len(others) >= MOST:
        raise ManagementError(f"the tenant has {MOST} custom tools, and there can't be more")
    if sum(len(packed_declaration(one)) for one in (*others.values(), declared)) > MOST_BYTES:
        raise ManagementError(f"the tenant's custom tools are declared in more than {MOST_BYTES} bytes")
    fine = [one for key, one in desk.current().extension.own.items() if key != declared["name"]]
    try:
        desk.serving.extended(text_of([*fine, declared]))
    except PolicyError as error:
        raise ManagementError(said(error)) from None
    return declared


def _problems(declared: Mapping[str, Any]) -> Iterator[str]:
    name, permissions = declared["name"], declared["permissions"]
    if CUSTOM_NAME.fullmatch(name) is None:
        yield f"`{name}` is no name of a custom tool: write a small letter, then 1 to 63 of a-z, 0-9 and `_`"
    if not declared["endpoint"].strip() or not declared["source"].strip():
        yield "a custom tool says in `source` and `endpoint` what the host runs"
    if declared["action"] == "invoke":
        if declared["risk"] == RiskLevel.READ_ONLY.value:
            yield "a tool that writes (`action: invoke`) is not READ_ONLY"
        if not any(permission.endswith(_INVOKE) for permission in permissions):
            yield f"a tool that writes (`action: invoke`) needs a permission that ends in `{_INVOKE}`"
    for place in _credentials({key: declared[key] for key in ("config", "endpoint") if declared.get(key)}):
        yield f"`{place}` looks like a credential; the host keeps those, and the tool names them at most"


def _credentials(given: Mapping[str, Any]) -> Iterator[str]:
    """Where something holds what no log would show."""
    clean = Blanking().of(given, json.dumps(given))
    for key in given:
        yield from (key,) if clean is None else _differing(given[key], clean[key], key)


def _differing(value: Any, other: Any, place: str) -> Iterator[str]:
    if isinstance(value, Mapping) and isinstance(other, Mapping):
        for key in value:
            yield from _differing(value[key], other.get(key), f"{place}.{key}")
    elif isinstance(value, list) and isinstance(other, list) and len(value) == len(other):
        for index, below in enumerate(value):
            yield from _differing(below, other[index], f"{place}[{index}]")
    elif value != other:
        yield place


def _schema_of(interface: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The schema of an interface's parameters, where no schema is given."""
    properties: dict[str, Any] = {}
    for parameter in interface:
        name, kind = parameter["name"], parameter.get("type") or "string"
        if kind not in _TYPES:
            raise ManagementError(
                f"`{kind}` is no type of the parameter `{name}`; known: {', '.join(sorted(_TYPES))}"
            )
        if name in properties:
            raise ManagementError(f"the parameter `{name}` is named twice")
        properties[name] = {"type": kind}
        if parameter.get("description"):
            properties[name]["description"] = parameter["description"]
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    required = [parameter["name"] for parameter in interface if parameter.get("required")]
    return {**schema, "required": required} if required else schema
