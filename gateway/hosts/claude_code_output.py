"""Claude Code's tool results: what is put in their place must have the tool's own shape, or the original is shown."""

from __future__ import annotations

from typing import Any

_FLAGS = ("interrupted", "noOutputExpected")


def withheld(tool: str, result: Any, notice: str) -> tuple[Any, bool]:
    """What says `notice` in the shape of a tool's result and nothing else, and whether the shape is a known one."""
    if tool == "Bash":
        given = result if isinstance(result, dict) else {}
        flags = {name: given[name] for name in _FLAGS if given.get(name) in (True, False)}
        return {"interrupted": False, **flags, "isImage": False, "stdout": notice, "stderr": ""}, True
    if tool == "Read":
        file = {"filePath": "", "content": notice, "numLines": 1, "startLine": 1, "totalLines": 1}
        return {"type": "text", "file": file}, True
    return notice, tool.startswith("mcp__")
