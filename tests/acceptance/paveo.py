"""Hold the hook of Claude Code against the spellings of `paveo test`: `python -m tests.acceptance.paveo`.

paveo is installed into an environment of its own that is removed afterwards; --paveo names one that is there. It
starts the hook once for each spelling and runs none of them. Exit code 1 when a spelling passes or an ordinary call
is stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

VERSION = "0.1.11"
ACTIONS = ("force-push", "delete", "hard-reset", "clean", "secrets")
ROOT = Path(__file__).parents[2]
_MINUTES = 15


def hook() -> str:
    """The command line of the hook as it stands in this folder, under the policy for coding agents."""
    program = (sys.executable, "-m", "gatewayctl", "hook", "claude-code")
    words = (*program, "--policies", str(ROOT / "policies" / "coding-agent"))
    modules = os.pathsep.join((str(ROOT), str(ROOT / "cli")))
    return f"PYTHONPATH={shlex.quote(modules)} exec {shlex.join(words)}"


def settings(command: str) -> dict[str, Any]:
    """Settings of Claude Code that register a hook before commands and reads."""
    entry = {"matcher": "Bash|Read", "hooks": [{"type": "command", "command": command}]}
    return {"hooks": {"PreToolUse": [entry]}}


def outcome(report: Mapping[str, Any]) -> tuple[bool, list[str]]:
    """Whether all is well in a report of paveo's, and what to say: each spelling that passes, then the sum."""
    lines = []
    for action in report["actions"]:
        lines += [f"passes, {action['name']}: {json.dumps(spelling)}" for spelling in action["passing"]]
    stopped = sum(action["stopped"] for action in report["actions"])
    spellings = sum(action["spellings"] for action in report["actions"])
    names = {action["name"] for action in report["actions"] if action["spellings"]}
    lines.append(f"paveo {VERSION}: {stopped} of {spellings} spellings are stopped")
    return report["exit"] == 0 and stopped == spellings and names == set(ACTIONS), lines


def installed(folder: Path) -> Path:
    """paveo's program in a new environment."""
    venv.create(folder, with_pip=True)
    quietly = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    subprocess.run([folder / "bin" / "python", *quietly, f"paveo=={VERSION}"], check=True)
    return folder / "bin" / "paveo"


def run(program: Path, work: Path) -> Mapping[str, Any]:
    """What paveo reports about the hook in a new project and a new home."""
    project, home, written = work / "project", work / "home", work / "report.json"
    (project / ".claude").mkdir(parents=True)
    home.mkdir()
    (project / ".claude" / "settings.json").write_text(json.dumps(settings(hook())), encoding="utf-8")
    expected = [word for action in ACTIONS for word in ("--expect", action)]
    environment = {"HOME": str(home), "PATH": os.environ.get("PATH", os.defpath)}
    subprocess.run(
        [program, "test", *expected, "--json", written],
        cwd=project,
        env=environment,
        check=False,
        timeout=_MINUTES * 60,
    )
    if not written.exists():
        raise SystemExit("paveo wrote no report")
    report: Mapping[str, Any] = json.loads(written.read_text(encoding="utf-8"))
    return report


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what paveo found; 1 when it is not what it has to be."""
    parser = argparse.ArgumentParser(prog="python -m tests.acceptance.paveo", description=__doc__)
    parser.add_argument("--paveo", type=Path, help="paveo's program, if it is installed")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as made:
        work = Path(made)
        report = run(given.paveo.absolute() if given.paveo else installed(work / "venv"), work)
    well, lines = outcome(report)
    print("\n".join(lines))
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
