"""Who does not start the language server needs nothing of what it needs, and an editor has it from one extra."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
import tomllib
from pathlib import Path

import gatewayctl
import pytest

from tests.reference import shown

ROOT = Path(__file__).parent.parent.parent
OTHERS = sorted(
    module.name
    for module in pkgutil.walk_packages(gatewayctl.__path__, "gatewayctl.")
    if not module.name.startswith("gatewayctl.editor") and not module.name.endswith("__main__")
)
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_nothing_else_imports_what_the_server_needs() -> None:
    assert "gatewayctl.commands.lsp" in OTHERS
    code = f"import sys, {', '.join(OTHERS)}\nprint([name for name in ('pygls', 'lsprotocol') if name in sys.modules])"
    code = code.replace(", gatewayctl.commands.try", "")  # a word that can't be imported so
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("extra", ["editor", "dev"])
def test_the_extra_brings_the_version_that_is_tested(extra: str) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert "pygls>=2.1.1" in extras[extra]


def test_the_settings_that_are_shown_start_it() -> None:
    helix = tomllib.loads(shown(README, "helix"))
    server = helix["language-server"]["gatewayctl"]
    assert (server["command"], server["args"]) == ("gatewayctl", ["lsp"])
    assert "gatewayctl" in helix["language"][0]["language-servers"]
    assert 'cmd = { "gatewayctl", "lsp" }' in shown(README, "neovim")
