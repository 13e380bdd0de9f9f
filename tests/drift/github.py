"""A server's tools as it lists them, and a policy that holds them to their pins."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from gateway.drift import read_list
from gateway.drift.pinning import FILE, PinnedTool, pins_text

GET: dict[str, Any] = {
    "name": "get_issue",
    "description": "Get an issue.",
    "inputSchema": {
        "type": "object",
        "required": ["number"],
        "properties": {"number": {"type": "integer", "description": "Its number."}},
    },
    "annotations": {"readOnlyHint": True},
}
PRS: dict[str, Any] = {"name": "list_prs", "inputSchema": {"type": "object"}}

POLICY = """\
version: 1
agents: [{name: clerk, tools: ["github/*", send_mail], tenants: ["*"]}]
servers: [{name: github, tools: ["*"], pinned: true}]
tools:
  - name: github/get_issue
    risk: READ_ONLY
    permissions: []
    parameters: {type: object, required: [number], properties: {number: {type: integer}}}
  - {name: send_mail, description: Send a mail., risk: READ_ONLY, permissions: []}
"""
SESSION = {
    "id": "s",
    "tenant": "acme",
    "agent": "clerk",
    "subject": {"id": "u1", "tenant": "acme", "authenticated": True},
}
CALL = {"tool": "get_issue", "server": "github", "arguments": {"number": 1}}


def changed(**fields: Any) -> dict[str, Any]:
    """`get_issue` with other values."""
    return {**copy.deepcopy(GET), **fields}


def answer(*tools: Any) -> dict[str, Any]:
    """What the server answers."""
    return {"tools": list(tools)}


def write_list(path: Path, *tools: Any) -> Path:
    path.write_text(json.dumps(answer(*tools)))
    return path


def write_policies(folder: Path, *pinned: Any, text: str = POLICY) -> Path:
    """A directory with the policy, and pins for what the server listed."""
    folder.mkdir(exist_ok=True)
    (folder / "policy.yaml").write_text(text)
    if pinned:
        tools = read_list(answer(*pinned), "github").tools.values()
        (folder / FILE).write_text(pins_text(PinnedTool(tool) for tool in tools))
    return folder
