"""Which files protect the gateway itself: the policies in force, hosts' settings, its own state and code."""

from __future__ import annotations

import os
from pathlib import Path

from gateway.inspect.guard import Guard

HOST_SETTINGS = (
    "~/.claude/settings.json",
    "~/.claude/settings.local.json",
    "~/.claude.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
    "/etc/claude-code",
    "~/.codex/config.toml",
    "~/.codex/hooks.json",
    ".codex",
    "~/.gemini/settings.json",
    ".gemini/settings.json",
    "~/.cursor/hooks.json",
    ".cursor/hooks.json",
    "~/.copilot",
    ".github/hooks",
)
"""Where agent programs keep their hooks and permissions; relative ones lie below each workspace root."""

OWN_STATE = ("~/.config/gatewayctl", "~/.local/share/gatewayctl")
PRIVATE_STATE = ("~/.local/state/gatewayctl", "~/.cache/gatewayctl")
"""Never even read by an agent: the store, the socket and the cache."""


def guard_for(policies: Path) -> Guard:
    """The guard for a policy file or directory, as written and with links followed."""
    given = os.path.abspath(policies)  # noqa: PTH100  # the spelling matters: links are followed beside it
    package = Path(__file__).resolve().parent
    paths = {given, os.path.realpath(given), str(package)}
    return Guard(paths=(*sorted(paths), *HOST_SETTINGS, *OWN_STATE), unreadable_paths=PRIVATE_STATE)
