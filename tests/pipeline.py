"""What runs in a pipeline, taken out of the files that say so: the steps of the action, and the hooks of pre-commit."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: dict[str, dict[str, Any]] = {step["name"]: step for step in ACTION["runs"]["steps"]}
HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended, and all that it printed."""

    code: int
    output: str


def git(place: Path, *words: str) -> None:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    who = ("-c", "user.name=ann", "-c", "user.email=ann@acme.example", "-c", "init.defaultBranch=main")
    subprocess.run(
        ["git", *who, *words], cwd=place, check=True, capture_output=True, env=environment, timeout=60
    )


def step(name: str, place: Path, **inputs: str) -> Ran:
    """A step of the action, in a directory, as a runner of GitHub's starts it."""
    given = _given(inputs)
    environment = {
        key: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda match: given[match[1]], value)
        for key, value in STEPS[name]["env"].items()
    }
    bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[name]["run"]]
    return _ran(bash, place, environment)


def steps(place: Path, **inputs: str) -> dict[str, Ran]:
    """All steps behind the installation that run with these inputs; a failing one ends none of the others."""
    given = _given(inputs)
    return {name: step(name, place, **inputs) for name in list(STEPS)[1:] if _wanted(STEPS[name], given)}


def hook(name: str, place: Path, *arguments: str) -> Ran:
    """A hook of pre-commit, which is given no names of files."""
    assert HOOKS[name]["pass_filenames"] is False
    return _ran([*shlex.split(HOOKS[name]["entry"]), *arguments], place, {})


def _given(inputs: dict[str, str]) -> dict[str, str]:
    named = {key.replace("_", "-"): value for key, value in inputs.items()}
    assert named.keys() <= ACTION["inputs"].keys()
    return {name: named.get(name, told["default"]) for name, told in ACTION["inputs"].items()}


def _wanted(told: dict[str, Any], given: dict[str, str]) -> bool:
    """What a runner makes of a step's condition, where the installation has worked and nobody cancels."""
    if "if" not in told:
        return True
    whole = re.fullmatch(r"\$\{\{ (.*) \}\}", told["if"])
    assert whole is not None
    parts = whole[1].split(" && ")
    assert parts[:2] == ["!cancelled()", "steps.install.outcome == 'success'"]
    compared = [re.fullmatch(r"inputs\.([a-z-]+) != '(\w*)'", part) for part in parts[2:]]
    return all(match is not None and given[match[1]] != match[2] for match in compared)


def _ran(command: list[str], place: Path, environment: dict[str, str]) -> Ran:
    programs = place / ".git" / "programs"
    programs.mkdir(exist_ok=True)
    program = programs / "gatewayctl"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m gatewayctl "$@"\n')
    program.chmod(0o755)
    whole = {**os.environ, **environment, "PATH": f"{programs}:{os.environ['PATH']}"}
    for name in ("GATEWAY_POLICIES", "GITHUB_WORKSPACE"):
        whole.pop(name, None)
    done = subprocess.run(
        command,
        cwd=place,
        env=whole,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=120,
    )
    return Ran(done.returncode, done.stdout)
