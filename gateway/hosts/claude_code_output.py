"""Claude Code's tool results: what is put in their place must have the tool's own shape, or the original is shown."""

from __future__ import annotations

from typing import Any


def withheld(tool: str, result: Any, notice: str) -> tuple[Any, bool]:
    """A result of the tool's shape that says `notice` and nothing else, and whether the shape is a known one."""
    if tool == "Bash":
        kept = (
            {key: value for key, value in result.items() if isinstance(value, bool)}
            if isinstance(result, dict)
            else {}
        )
        return {"interrupted": False, **kept, "isImage": False, "stdout": notice, "stderr": ""}, True
    if tool == "Read":
        file = {"filePath": "", "content": notice, "numLines": 1, "startLine": 1, "totalLines": 1}
        return {"type": "text", "file": file}, True
    if tool.startswith("mcp__"):
        return notice, True
    return _replaced(result, notice), False


def _replaced(value: Any, notice: str) -> Any:
    """Every text replaced; what a tool's shape demands of its texts is not known here."""
    if isinstance(value, dict):
        return {key: _replaced(item, notice) for key, item in value.items()}
    if isinstance(value, list):
        return [_replaced(item, notice) for item in value]
    return notice if isinstance(value, str) else value
