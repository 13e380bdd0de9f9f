"""What importing the package must not bring along, so that a hook starts fast."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "re2",
    "yaml",
    "pydantic",
    "click",
    "celpy",
    "jsonschema",
    "asyncio",
    "tree_sitter",
    "sqlglot",
    "difflib",
    "gateway.cel.generate",  # a process that decides one call has no use for it
)


def test_nothing_heavy_is_imported() -> None:
    code = (
        "import sys\n"
        "from gateway.cel import Environment, check, outcomes, parse, plan\n"
        "from gateway.diagnostic import Excerpt\n"
        "parsed = parse(Excerpt.whole(\"'ab'.matches('^a') && timestamp(0).getHours() == 0\"))\n"
        "assert not check(parsed, Environment()).diagnostics\n"
        "assert plan(parsed, Environment()).evaluate({}) is True\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
