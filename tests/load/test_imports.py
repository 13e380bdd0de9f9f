"""What the deciding path uses of these modules loads nothing heavy."""

from __future__ import annotations

import subprocess
import sys

import pytest

LIGHT = ("glob", "interval", "malformed", "template", "schema", "document", "scalar", "load")
HEAVY = ("pydantic", "yaml", "click", "celpy", "re2", "jsonschema", "jsonschema_rs", "asyncio")


@pytest.mark.parametrize("module", LIGHT)
def test_importing_a_module_loads_nothing_heavy(module: str) -> None:
    code = f"import sys, gateway.{module}; print(*(name for name in {HEAVY!r} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
