"""Claude Code's tools under the names that policies use, and their arguments there and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Any

from gateway.call import ToolCall, same
from gateway.frozen import frozen
from gateway.hosts.answer import HostError
from gateway.later import later

_NONE: Mapping[str, Any] = MappingProxyType({})


@frozen
class Renamed:
    """A tool's name in policies, its keys that have another name there, and constants that fill a gap."""

    name: str
    keys: Mapping[str, str] = field(default_factory=lambda: _NONE)
    constants: Mapping[str, Any] = field(default_factory=lambda: _NONE)


_EDIT_KEYS = {"file_path": "path", "old_string": "old", "new_string": "new"}
RENAMED: Mapping[str, Renamed] = MappingProxyType(
    {
        "Bash": Renamed("shell"),
        "Read": Renamed("read", {"file_path": "path"}),
        "NotebookRead": Renamed("read", {"notebook_path": "path"}),
        "Write": Renamed("write", {"file_path": "path"}),
        "Edit": Renamed("edit", _EDIT_KEYS),
        "MultiEdit": Renamed("edit", _EDIT_KEYS),
        # A cell is replaced whole, whatever stood in it.
        "NotebookEdit": Renamed("edit", {"notebook_path": "path", "new_source": "new"}, {"old": ""}),
        "Glob": Renamed("search_files"),
        "Grep": Renamed("search_files"),
        "WebFetch": Renamed("fetch"),
        "WebSearch": Renamed("web_search"),
    }
)
"""Every other tool goes by its own name in lower case, with its own keys."""

_HUMP = later(r"(?<=[a-z0-9])(?=[A-Z])")


def calls(tool: str, given: Mapping[str, Any], call_id: str, server: str | None) -> tuple[ToolCall, ...]:
    """The calls that a host's tool call stands for: one, or one for each edit of several."""
    if tool.startswith("mcp__"):
        return (_server_call(tool, given, call_id, server),)
    if "/" in tool:
        raise HostError(f"`tool_name` holds `/`, as only a server's tool may: `{tool[:80]}`")
    renamed = _renamed(tool)
    if tool == "MultiEdit":
        return tuple(ToolCall(renamed.name, each, call_id) for each in _edits(renamed, given))
    return (ToolCall(renamed.name, _forth(renamed, given), call_id),)


def given_back(tool: str, given: Mapping[str, Any], final: tuple[Mapping[str, Any], ...]) -> dict[str, Any]:
    """The host's own arguments for the final ones; what no map knows is kept as it came."""
    if tool.startswith("mcp__"):
        return dict(final[0])
    renamed = _renamed(tool)
    if tool != "MultiEdit":
        return _back(renamed, final[0])
    edits = []
    for original, changed in zip(given["edits"], final, strict=True):
        each = _back(renamed, changed)
        path = each.pop("file_path")
        if "file_path" in original:
            each["file_path"] = path
        elif not same(path, given["file_path"]):
            raise HostError(
                "the policy moves one edit of several to another file, which `MultiEdit` can't say"
            )
        edits.append(each)
    return {**given, "edits": edits}


def _renamed(tool: str) -> Renamed:
    return RENAMED.get(tool) or Renamed(_HUMP.sub("_", tool).lower())


def _server_call(tool: str, given: Mapping[str, Any], call_id: str, server: str | None) -> ToolCall:
    rest = tool.removeprefix("mcp__")
    if server is not None and rest.startswith(f"{server}__"):
        name = rest[len(server) + 2 :]
    else:
        server, _, name = rest.partition("__")
    if not server or not name:
        raise HostError(f"`tool_name` is `mcp__SERVER__TOOL`, not `{tool[:80]}`")
    return ToolCall(name, given, call_id, server)


def _forth(renamed: Renamed, given: Mapping[str, Any]) -> Mapping[str, Any]:
    if not renamed.keys and not renamed.constants:
        return given
    arguments: dict[str, Any] = dict(renamed.constants)
    for key, value in given.items():
        name = renamed.keys.get(key, key)
        if name in arguments:
            raise HostError(f"`tool_input` says `{name}` twice: once under the host's own name for it")
        arguments[name] = value
    return arguments


def _back(renamed: Renamed, final: Mapping[str, Any]) -> dict[str, Any]:
    names = {ours: theirs for theirs, ours in renamed.keys.items()}
    given: dict[str, Any] = {}
    for name, value in final.items():
        if name in renamed.constants:
            if not same(value, renamed.constants[name]):
                raise HostError(f"the policy sets `{name}`, which the host's tool does not have")
            continue
        given[names.get(name, name)] = value
    return given


def _edits(renamed: Renamed, given: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    edits = given.get("edits")
    if not isinstance(edits, list) or not edits:
        raise HostError("`tool_input.edits` is a list of edits that is not empty")
    outer = {key: value for key, value in given.items() if key != "edits"}
    for edit in edits:
        if not isinstance(edit, dict):
            raise HostError("an entry of `tool_input.edits` must be an object")
        if "file_path" not in outer and "file_path" not in edit:
            raise HostError("an edit names no `file_path`")
        whole = {"file_path": outer.get("file_path"), **edit}
        yield _forth(renamed, whole)
