"""Which files protect the gateway itself: the policies in force, hosts' settings, its own state and code."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pwd
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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


_VARIABLES = {
    "CLAUDE_CONFIG_DIR": ("settings.json", "settings.local.json"),
    "CODEX_HOME": ("config.toml", "hooks.json"),
}
_START_UP = ("sitecustomize.py", "usercustomize.py")
_POLICIES = ("*.yaml", "*.yml")


def guard_for(*policies: Path, private: tuple[str, ...] = ()) -> Guard:
    """The guard for policy files and directories, and for private files, as written and with links followed."""
    from gateway.inspect.guard import Guard

    return Guard(*guarded_paths(*policies, private=private))


def guarded_paths(*policies: Path, private: tuple[str, ...] = ()) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What no agent may change beside these policies, and what it may not even read, such as these private files."""
    whole = _as_written_and_led(policies)
    # Patterns such as `*/base.yaml` are compared with the files themselves.
    files = {str(file) for root in whole for ending in _POLICIES for file in Path(root).rglob(ending)}
    settings = (*HOST_SETTINGS, *OWN_STATE, *_moved_settings())
    unread = (*PRIVATE_STATE, *_moved_cache())
    return (
        (*sorted(whole | files | _installed()), *settings, *_of_the_user(settings)),
        (*sorted(_as_written_and_led(private)), *unread, *_of_the_user(unread)),
    )


def _as_written_and_led(paths: Iterable[Path | str]) -> set[str]:
    """Paths as they are spelled, which matters to patterns, and where they lead."""
    given = {os.path.abspath(path) for path in paths}  # noqa: PTH100
    return given | {os.path.realpath(path) for path in given}


def _installed() -> set[str]:
    """The code that answers: both packages, the command, and what Python runs before it."""
    package = Path(__file__).resolve().parent
    found = {str(package)}
    command = importlib.util.find_spec("gatewayctl")
    for place in (command.submodule_search_locations or ()) if command is not None else ():
        found |= {place, os.path.realpath(place)}
    found |= {str(Path(sysconfig.get_path("scripts")) / "gatewayctl")}
    libraries = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    found |= {str(file) for library in libraries for file in Path(library).glob("*.pth")}
    found |= {str(Path(prefix) / "pyvenv.cfg") for prefix in {sys.prefix, sys.exec_prefix}}
    return found | {str(Path(library) / name) for library in libraries for name in _START_UP}


def _moved_settings() -> tuple[str, ...]:
    """Settings of agent programs that the environment moves elsewhere."""
    places = ((os.environ.get(variable, ""), names) for variable, names in _VARIABLES.items())
    return tuple(
        str(Path(place) / name) for place, names in places if place.startswith("/") for name in names
    )


def _moved_cache() -> tuple[str, ...]:
    """The cache where the environment moves it elsewhere, as it is spelled and where that leads."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    given = f"{base.rstrip('/')}/gatewayctl"
    return tuple(dict.fromkeys((given, os.path.realpath(given)))) if base.startswith("/") else ()


def _of_the_user(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The paths below `~` in each home that the process knows of, whatever a session says."""
    homes = {os.environ.get("HOME", "")}
    with contextlib.suppress(KeyError):
        homes.add(pwd.getpwuid(os.getuid()).pw_dir)
    return tuple(
        f"{home.rstrip('/')}/{path[2:]}"
        for home in sorted(homes)
        for path in paths
        if home.startswith("/") and path.startswith("~/")
    )
