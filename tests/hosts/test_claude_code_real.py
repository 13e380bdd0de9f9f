"""The hook under the real Claude Code, with a model on loopback; run by `.ci/full`, which brings the program along."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.fake_model import FakeModel, Step

pytestmark = pytest.mark.slow

SECRET = "ghp_" + "a1B2" * 9
POLICY = """
version: 1
settings: {confirm_from: IRREVERSIBLE, packs: [core, files], unknown_tools: abstain}
agents: [{name: coding-agent, tools: ["*"], tenants: [local]}]
tools:
  - {name: shell, risk: HIGH, permissions: [], parameters: {type: object, required: [command], additionalProperties: true, properties: {command: {type: string}}}, inspect: {command: shell}, result: {truncate: false}}
  - {name: read, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [path], additionalProperties: true, properties: {path: {type: string, x-role: path}}}, result: {truncate: false}}
rules:
  - {id: no-env, tools: [read], when: 'args.path.endsWith(".env")', effect: deny, message: Secrets stay where they are.}
results:
  - {id: no-secrets, tools: ["*"], redact: [{detector: secrets}]}
"""


def program() -> str:
    """Where Claude Code lies: on the path, or in the agent SDK that brings it along."""
    found = shutil.which("claude")
    if found is None:
        sdk = importlib.util.find_spec("claude_agent_sdk")
        inside = Path(sdk.origin).parent / "_bundled" / "claude" if sdk is not None and sdk.origin else None
        found = str(inside) if inside is not None and inside.exists() else None
    if found is None:
        pytest.skip("Claude Code is not installed")
    return found


@dataclass
class Turn:
    model: FakeModel
    events: list[dict[str, Any]]
    code: int


def turn(
    folder: Path,
    script: Sequence[Step],
    *,
    prompt: str = "go",
    events: Sequence[str] | None = None,
    policy: str = POLICY,
) -> Turn:
    """One turn of the program, with the hook registered as the README says."""
    (folder / "policy.yaml").write_text(policy)
    project, home = folder / "project", folder / "home"
    project.mkdir(exist_ok=True)
    home.mkdir()
    hook = f"{sys.executable} -I -m gatewayctl hook claude-code --policies {folder / 'policy.yaml'} || exit 2"
    entry = [{"hooks": [{"type": "command", "timeout": 30, "onFailure": "block", "command": hook}]}]
    registered = events or ("PreToolUse", "PostToolUse", "UserPromptSubmit")
    settings = folder / "settings.json"
    settings.write_text(json.dumps({"hooks": dict.fromkeys(registered, entry)}))
    with FakeModel(script) as model:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "CLAUDE_CONFIG_DIR": str(home / ".claude"),
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }
        words = [
            program(),
            "-p",
            prompt,
            "--settings",
            str(settings),
            "--output-format",
            "stream-json",
            "--verbose",
        ]
        words += ["--allowedTools", "Bash,Read"]
        done = subprocess.run(
            words,
            check=False,
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            stdin=subprocess.DEVNULL,
        )
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return Turn(model, lines, done.returncode)


def bash(command: str) -> Step:
    return {"tool": "Bash", "input": {"command": command}}


def test_the_model_sees_what_nothing_is_held_against(tmp_path: Path) -> None:
    ran = turn(tmp_path, [bash("echo plain words")])
    assert len(ran.model.results()) == 1
    assert ran.model.results()[0].startswith("plain words")


def test_a_secret_in_a_commands_output_never_reaches_the_model(tmp_path: Path) -> None:
    prepare(tmp_path)
    ran = turn(tmp_path, [bash("cat token.txt; echo end")])
    (shown,) = ran.model.results()
    assert "before" in shown
    assert "end" in shown
    assert "(redacted)" in shown
    assert SECRET not in ran.model.said_to_it()


def test_a_secret_in_a_file_that_is_read_never_reaches_the_model(tmp_path: Path) -> None:
    prepare(tmp_path)
    script: list[Step] = [{"tool": "Read", "input": {"file_path": str(tmp_path / "project" / "token.txt")}}]
    ran = turn(tmp_path, script)
    (shown,) = ran.model.results()
    assert "(redacted)" in shown
    assert SECRET not in ran.model.said_to_it()


@pytest.mark.parametrize("tool", ["Bash", "Read"])
def test_a_result_that_can_not_be_reviewed_never_reaches_the_model(tmp_path: Path, tool: str) -> None:
    prepare(tmp_path)
    given = (
        {"command": "cat token.txt"}
        if tool == "Bash"
        else {"file_path": str(tmp_path / "project" / "token.txt")}
    )
    ran = turn(tmp_path, [{"tool": tool, "input": given}], events=["PostToolUse"], policy="version: 2\n")
    assert SECRET not in ran.model.said_to_it()
    assert "can't be used" in "".join(ran.model.results())


def test_a_refused_command_does_not_run(tmp_path: Path) -> None:
    ran = turn(tmp_path, [bash(f"touch {tmp_path}/ran; rm -rf /srv")])
    assert not (tmp_path / "ran").exists()
    assert "PATTERN" in "".join(ran.model.results())


def test_a_file_that_may_not_be_read_is_not_mentioned_either(tmp_path: Path) -> None:
    prepare(tmp_path)
    (tmp_path / "project" / "secrets.env").write_text(f"TOKEN={SECRET}\n")
    ran = turn(tmp_path, [], prompt="look at @secrets.env")
    assert ran.model.seen == []
    (tmp_path / "home").rename(tmp_path / "home-before")
    ran = turn(tmp_path, [], prompt="look at @notes.md")
    assert ran.model.seen != []


def prepare(folder: Path) -> None:
    """A project with a file that holds a secret."""
    project = folder / "project"
    project.mkdir()
    (project / "token.txt").write_text(f"before {SECRET} after\n")
    (project / "notes.md").write_text("notes\n")
