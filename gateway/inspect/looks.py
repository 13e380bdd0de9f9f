"""Commands that only look: data. What is not listed here counts as one that may change something."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from gateway.glob import fits
from gateway.inspect.deed import Does
from gateway.inspect.operands import READERS, TEXT
from gateway.inspect.word import Word, certain, holed
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.classes import Classes
    from gateway.inspect.command import Command

_ALWAYS = """
: [ [[ arch cal date df dig dmesg du expr factor false free getconf getent groups host hostid hostname id last lastlog
locale locate logname lsblk lscpu lsmod lsof lspci lsusb mdfind netstat nproc nslookup pgrep pidof ping printenv
printf ps pstree pwd seq sleep ss tput true tty uname uptime users vmstat w wait who whoami
"""
_PROGRAMS = (READERS | TEXT | frozenset(_ALWAYS.split())) - {
    "alias",
    "export",
    "less",
    "man",
    "more",
    "read",
    "set",
    "trap",
}

_DOCKER = """ps, images, inspect, logs, version, info, top, port, diff, history, * ls, * list, * inspect, compose ps,
    compose logs, compose config"""
_TERRAFORM = "plan, show, validate, output, version, graph, providers, state list, state show"
_PIP = "list, show, freeze, check, index"
SUBCOMMANDS: Mapping[str, str] = MappingProxyType(
    # the subcommands that only look; `*` stands for any word
    {
        "git": """status, log, diff, show, blame, grep, ls-files, ls-tree, ls-remote, rev-parse, rev-list, describe,
            shortlog, cat-file, merge-base, name-rev, count-objects, whatchanged, check-ignore, check-attr,
            for-each-ref, show-ref, show-branch, range-diff, cherry, version, var, diff-tree, diff-index, diff-files,
            stash list, stash show, worktree list, remote show, submodule status""",
        "docker": _DOCKER,
        "podman": _DOCKER,
        "kubectl": """get, describe, logs, top, explain, version, api-resources, api-versions, cluster-info, diff,
            auth can-i, config view, config get-contexts, rollout status, rollout history""",
        "helm": "list, ls, status, history, get, show, search, version, template, lint",
        "terraform": _TERRAFORM,
        "tofu": _TERRAFORM,
        "aws": "* describe-*, * list-*, s3 ls, sts get-caller-identity, configure list",
        "gcloud": "* list, * * list, * * * list, * describe, * * describe, * * * describe, info, version",
        "az": "* list, * * list, * * * list, * show, * * show, * * * show, version",
        "gh": """pr list, pr view, pr diff, pr checks, pr status, issue list, issue view, issue status, run list,
            run view, repo view, repo list, release list, release view, search *, status, auth status""",
        "npm": "ls, list, view, info, outdated, why, explain, search, root, prefix, ping, whoami",
        "pnpm": "ls, list, why, outdated, root",
        "yarn": "list, why, info, outdated",
        "pip": _PIP,
        "pip3": _PIP,
        "uv": "tree, pip list, pip show, pip freeze, pip tree, version",
        "cargo": "tree, metadata, search, version, locate-project",
        "go": "list, version, env, doc, vet",
        "brew": "list, info, search, deps, outdated, config",
        "apt": "list, show, search, policy",
        "apt-cache": "show, search, policy, depends",
        "systemctl": """status, list-units, list-unit-files, is-active, is-enabled, is-failed, show, cat""",
        "ip": "addr, a, address, route, r, link, neigh",
    }
)
_HARMLESS = frozenset((Does.READ, Does.NET))
# Options with which a request sends something or is no longer a plain one.
_SENDS = frozenset(
    """
    data data-binary data-raw data-urlencode json form form-string upload-file request post-data post-file body-data
    body-file method quote config
    """.split()  # noqa: SIM905
)
_QUIET = frozenset(("n", "quiet", "silent"))
_LINES = later(r"\d+(?:,(?:\d+|\$|\+\d+))?p|\$p")
_ACTING = ("-exec", "-ok", "-delete", "-fprint", "-fls")


def only_looks(command: Command, classes: Classes) -> bool:
    """Whether a command is known to change nothing."""
    if command.variables or any(holed(word.value) for word in command.words[:1]):
        return False
    for deed in command.deeds:
        if deed.does not in _HARMLESS and "null-device" not in classes.of(deed.target, deed.cwd):
            return False
    program = command.program
    if program == "git" and any(_is_setting(word.value) for word in command.words):
        return False
    if program in SUBCOMMANDS:
        return any(_fits(path.split(), command) for path in SUBCOMMANDS[program].split(","))
    if program == "find":
        return not any(word.value.startswith(_ACTING) for word in command.words)
    if program == "sed":
        return not _QUIET.isdisjoint(command.bound.flags) and all(
            _is_lines(word.value) for word in _scripts(command)
        )
    if program in ("curl", "wget"):
        return program == "curl" and _SENDS.isdisjoint(command.bound.flags)
    return program in _PROGRAMS


def _is_setting(word: str) -> bool:
    """Whether a word of `git` may give it a setting, some of which name programs that run."""
    return word == "-c" or word.startswith(("--config-env", "--exec-path=", "--output"))


def _fits(path: list[str], command: Command) -> bool:
    if len(command.operands) < len(path):
        return False
    return all(fits(name, certain(word.value)) for name, word in zip(path, command.operands, strict=False))


def _scripts(command: Command) -> list[Word]:
    return list(command.bound.flags.get("expression", ())) or list(command.bound.operands[:1])


def _is_lines(script: str) -> bool:
    return all(_LINES.fullmatch(part.strip()) is not None for part in script.split(";"))
