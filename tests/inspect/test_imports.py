"""Parsers are loaded when there is something to parse, not before."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "tree_sitter",
    "tree_sitter_bash",
    "sqlglot",
    "yaml",
    "pydantic",
    "click",
    "re2",
    "jsonschema",
    "asyncio",
)


def test_the_inspector_is_light() -> None:
    code = f"import sys, gateway.inspect.texts, gateway.patterns; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
