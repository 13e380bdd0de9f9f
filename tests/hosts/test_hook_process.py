"""The hook as a host runs it: a real process, of which every failure is a refusal. (failure matrix of pre hooks)"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

POLICY = """
version: 1
settings: {confirm_from: IRREVERSIBLE, packs: [core, files], unknown_tools: abstain}
agents: [{name: coding-agent, tools: ["*", "!hidden"], tenants: [local]}]
tools:
  - name: shell
    risk: HIGH
    permissions: []
    parameters: {type: object, required: [command], properties: {command: {type: string}}, additionalProperties: true}
    inspect: {command: shell}
  - {name: hidden, risk: READ_ONLY, permissions: []}
  - {name: read, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [path], properties: {path: {type: string}, limit: {type: integer}}}}
  - name: background
    wraps: {tool: args.tool, arguments: args.input}
    risk: LOW
    permissions: []
    parameters: {type: object, required: [tool, input], properties: {tool: {type: string}, input: {type: object, additionalProperties: true}}}
arguments:
  - {id: short, tools: [read], set: {limit: "10"}}
rules:
  - {id: no-deploy, tools: [shell], when: args.command.startsWith("deploy"), effect: deny, message: Deployments are made by people.}
  - {id: plain-list, tools: [shell], when: args.command == "ls", effect: allow}
"""


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hook") / "policy.yaml"
    path.write_text(POLICY)
    return path


def message(command: str = "make", **changes: Any) -> bytes:
    fields = {
        "session_id": "s-1",
        "cwd": "/home/dev/shop",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": "t-1",
    }
    return json.dumps(fields | changes).encode()


def argv(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "gatewayctl", "hook", *map(str, words)]


def hook(stdin: bytes, *words: str | Path, **more: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(argv(*words), input=stdin, capture_output=True, timeout=60, check=False, **more)


def refused(done: subprocess.CompletedProcess[bytes]) -> str:
    """The reason of a refusal, after checking that it is said three times: on stdout, on stderr, by exit code."""
    assert done.returncode == 2, done
    value = json.loads(done.stdout)
    part = value["hookSpecificOutput"]
    assert (list(value), part["hookEventName"], part["permissionDecision"]) == (
        ["hookSpecificOutput"],
        "PreToolUse",
        "deny",
    )
    reason = part["permissionDecisionReason"]
    assert reason
    assert done.stderr.decode().strip() == reason
    assert "Traceback" not in done.stderr.decode()
    assert isinstance(reason, str)
    return reason


def test_ordinary_work_passes_in_silence(policy: Path) -> None:
    done = hook(message(), "claude-code", "--policies", policy)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"{}\n", b"")


def test_a_rule_refuses_in_its_own_words(policy: Path) -> None:
    reason = refused(hook(message("deploy now"), "claude-code", f"--policies={policy}"))
    assert reason.startswith("Deployments are made by people.")


def test_a_pattern_refuses(policy: Path) -> None:
    assert "PATTERN" in refused(hook(message("r''m -rf /srv"), "claude-code", "--policies", policy))


def test_an_allow_rule_is_passed_on_as_a_grant(policy: Path) -> None:
    done = hook(message("ls"), "claude-code", "--policies", policy)
    assert done.returncode == 0
    assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "allow"


def test_forced_arguments_go_back_to_the_host(policy: Path) -> None:  # C4 E2
    read = message(tool_name="Read", tool_input={"file_path": "/a", "limit": 900})
    done = hook(read, "claude-code", "--policies", policy)
    assert json.loads(done.stdout)["hookSpecificOutput"]["updatedInput"] == {"file_path": "/a", "limit": 10}


def test_unknown_tools_are_left_to_the_host_and_hidden_ones_are_not(policy: Path) -> None:
    unknown = hook(message(tool_name="Frobnicate", tool_input={}), "claude-code", "--policies", policy)
    assert (unknown.returncode, unknown.stdout) == (0, b"{}\n")
    assert "hidden" in refused(
        hook(message(tool_name="Hidden", tool_input={}), "claude-code", "--policies", policy)
    )


def test_an_unknown_tool_inside_a_known_one_is_not_left_to_the_host(policy: Path) -> None:  # C14
    inner = {"tool": "frobnicate", "input": {}}
    refused(hook(message(tool_name="Background", tool_input=inner), "claude-code", "--policies", policy))


def test_the_policies_may_come_from_the_environment_but_not_from_where_the_agent_works(policy: Path) -> None:
    named = {**os.environ, "GATEWAY_POLICIES": str(policy)}
    assert hook(message(), "claude-code", env=named).returncode == 0
    (policy.parent / "policies").mkdir(exist_ok=True)
    unnamed = {key: value for key, value in os.environ.items() if key != "GATEWAY_POLICIES"}
    assert "--policies" in refused(hook(message(), "claude-code", env=unnamed, cwd=policy.parent))


def test_an_event_in_which_nothing_runs_is_no_refusal(policy: Path) -> None:
    done = hook(message(hook_event_name="SessionStart"), "claude-code", "--policies", policy)
    assert done.returncode == 0
    assert "SessionStart" in json.loads(done.stdout)["systemMessage"]


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"\xff", message() * 2, message(hook_event_name="Else"), b"[" * 100_000]
)
def test_a_message_that_can_not_be_read_is_refused(policy: Path, raw: bytes) -> None:
    refused(hook(raw, "claude-code", "--policies", policy))


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("claude-code", "--policies"),
        ("claud-code", "--policies", "x"),
        ("claude-code", "codex", "--policies", "x"),
        ("claude-code", "--polices", "x"),
        ("claude-code", "--policies", "x", "--deadline", "soon"),
        ("claude-code", "--policies", "x", "--deadline", "nan"),
        ("claude-code", "--policies", "x", "--deadline", "0"),
        ("claude-code", "--policies", "x", "--help"),
        ("--help", "claude-code"),
    ],
)
def test_a_hook_that_is_installed_wrongly_refuses(words: tuple[str, ...]) -> None:
    env = {key: value for key, value in os.environ.items() if key != "GATEWAY_POLICIES"}
    assert "installed wrongly" in refused(hook(message(), *words, env=env))


@pytest.mark.parametrize("words", [("claude-code", "--help"), ("--help",), ("claude-code", "-h")])
def test_whoever_asked_for_help_was_answered_as_a_host(words: tuple[str, ...]) -> None:
    done = subprocess.run(
        argv(*words), stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0
    assert done.stdout.startswith(b"Usage: ")
    # A host writes its message to a pipe: it gets an answer whatever the command line says.
    assert "gatewayctl hook --help" in refused(hook(message(), "claude-code", "--help"))


def test_no_policy_and_a_policy_with_an_error_refuse(policy: Path, tmp_path: Path) -> None:
    assert "no-such-place" in refused(hook(message(), "claude-code", "--policies", "/no-such-place"))
    bad = tmp_path / "policy.yaml"
    bad.write_text(POLICY.replace("effect: deny", "efect: deny"))
    reason = refused(hook(message(), "claude-code", "--policies", bad))
    assert "`effect` is missing" in reason
    assert f"{bad}:21:" in reason
    bad.write_text("version: 1\n")
    assert "NOT_READY" in refused(hook(message(), "claude-code", "--policies", bad))


def test_a_policy_that_is_no_regular_file_refuses(tmp_path: Path) -> None:
    fifo = tmp_path / "policy.yaml"
    os.mkfifo(fifo)
    refused(hook(message(), "claude-code", "--policies", fifo, "--deadline", "5"))


def test_a_message_that_never_ends_is_refused_in_time(policy: Path) -> None:
    process = subprocess.Popen(
        argv("claude-code", "--policies", policy, "--deadline", "0.7"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(message()[:20])
    process.stdin.flush()
    start = time.monotonic()
    assert process.wait(timeout=30) == 2
    assert time.monotonic() - start < 15
    assert process.stdout is not None
    assert process.stderr is not None
    done = subprocess.CompletedProcess("", 2, process.stdout.read(), process.stderr.read())
    assert "too long" in refused(done)
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


@pytest.mark.parametrize(
    "number",
    [
        *(signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT),
        *(signal.SIGUSR1, signal.SIGVTALRM, signal.SIGXCPU),
    ],
)
def test_a_signal_is_a_refusal(policy: Path, number: signal.Signals) -> None:
    process = subprocess.Popen(
        argv("claude-code", "--policies", policy),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    tell(process, message())
    assert first_child(process.pid)  # the handlers stand before the child is born
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=30)
    assert "told to stop" in refused(subprocess.CompletedProcess("", process.returncode, stdout, stderr))


def test_a_killed_worker_is_a_refusal(policy: Path) -> None:
    process = subprocess.Popen(
        argv("claude-code", "--policies", policy),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    tell(process, message())
    os.kill(first_child(process.pid), signal.SIGKILL)
    stdout, stderr = process.communicate(timeout=30)
    assert "ended without one" in refused(subprocess.CompletedProcess("", process.returncode, stdout, stderr))


def test_files_that_may_not_grow_are_no_end(policy: Path, tmp_path: Path) -> None:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2048, resource.RLIM_INFINITY))

    where = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    for _ in range(2):
        done = hook(message(), "claude-code", "--policies", policy, preexec_fn=limited, env=where)
        assert (done.returncode, done.stdout) == (0, b"{}\n")
    assert [path.name for path in (tmp_path / "cache" / "gatewayctl").iterdir()] == ["key"]


def tell(process: subprocess.Popen[bytes], text: bytes) -> None:
    """Give a hook its whole message, after which its worker starts."""
    assert process.stdin is not None
    process.stdin.write(text)
    process.stdin.close()
    process.stdin = None


def first_child(parent: int) -> int:
    children = Path(f"/proc/{parent}/task/{parent}/children")
    if not children.parent.exists():
        pytest.skip("needs /proc")
    for _ in range(1000):
        found = children.read_text().split()
        if found:
            return int(found[0])
        time.sleep(0.02)
    raise AssertionError("the hook started no worker")


SECRET = "ghp_" + "a1B2" * 9


def finished(text: str, **changes: Any) -> bytes:
    """The message after a command that printed a text."""
    response = {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}
    return message("cat x", hook_event_name="PostToolUse", tool_response=response, **changes)


def shown(done: subprocess.CompletedProcess[bytes]) -> Any:
    assert done.returncode == 0, done
    assert SECRET.encode() not in done.stdout + done.stderr
    return json.loads(done.stdout)["hookSpecificOutput"]["updatedToolOutput"]["stdout"]


def test_a_result_is_shown_without_its_secrets(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY + 'results: [{id: no-secrets, tools: ["*"], redact: [{detector: secrets}]}]\n')
    words = ("claude-code", "--policies", path)
    assert shown(hook(finished(f"a {SECRET} b"), *words)) == "a (redacted) b"
    assert json.loads(hook(finished("plain"), *words).stdout) == {}
    assert shown(hook(finished(SECRET, tool_name="Else"), *words)) == "(redacted)"


def test_a_result_is_withheld_where_nothing_can_be_decided(policy: Path, tmp_path: Path) -> None:
    bad = tmp_path / "policy.yaml"
    bad.write_text("version: 2\n")
    assert "can't be used" in shown(hook(finished(SECRET), "claude-code", "--policies", bad))
    assert "installed wrongly" in shown(hook(finished(SECRET), "claude-code", "--polices", policy))
    assert "can't answer" in shown(hook(finished(SECRET, cwd=""), "claude-code", "--policies", policy))


def test_a_killed_worker_withholds_the_result(policy: Path) -> None:
    process = subprocess.Popen(
        argv("claude-code", "--policies", policy),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    tell(process, finished(SECRET))
    os.kill(first_child(process.pid), signal.SIGKILL)
    stdout, stderr = process.communicate(timeout=30)
    done = subprocess.CompletedProcess("", process.returncode, stdout, stderr)
    assert "ended without one" in shown(done)


def test_a_prompt_that_mentions_what_may_not_be_read_is_blocked(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(
        POLICY.replace("{path: {type: string}, limit", "{path: {type: string, x-role: path}, limit")
        + "  - {id: no-env, tools: [read], when: args.path.endsWith('.env'), effect: deny, message: Not that.}\n"
    )
    words = ("claude-code", "--policies", path)
    project = tmp_path / "project"
    project.mkdir()
    for name in (".env", "notes.md"):
        (project / name).write_text("x")

    def prompt(text: str) -> bytes:
        return message(hook_event_name="UserPromptSubmit", prompt=text, cwd=str(project))

    blocked = hook(prompt("look at @.env"), *words)
    assert (blocked.returncode, json.loads(blocked.stdout)["decision"]) == (2, "block")
    assert b"Not that." in blocked.stderr
    passed = hook(prompt("look at @notes.md"), *words)
    assert (passed.returncode, passed.stdout) == (0, b"{}\n")


def test_lower_layers_and_the_audit_file_are_taken(policy: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(
        "version: 1\nrules: [{id: own, tools: [shell], when: args.command == 'make', effect: deny, message: Not here.}]\n"
    )
    for layer in ("--user", "--project"):
        assert "Not here." in refused(hook(message("make"), "claude-code", "--policies", policy, layer, own))
    assert hook(message("make"), "claude-code", "--policies", policy).returncode == 0


def test_a_closed_stdout_is_no_pass(policy: Path) -> None:
    """An answer that the host can't get must not end in exit code 0."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = subprocess.Popen(
        argv("claude-code", "--policies", policy),
        stdin=subprocess.PIPE,
        stdout=write_end,
        stderr=subprocess.PIPE,
    )
    os.close(write_end)
    process.communicate(message(), timeout=30)
    assert process.returncode == 2


def test_a_closed_stdin_is_refused(policy: Path) -> None:
    done = subprocess.run(
        argv("claude-code", "--policies", policy),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    refused(done)


@pytest.mark.parametrize(
    "broken",
    ["gateway/hosts/claude_code.py", "gateway/__init__.py", "gateway/runtime.py", "gatewayctl/supervisor.py"],
)
def test_a_package_that_is_broken_in_half_refuses(policy: Path, tmp_path: Path, broken: str) -> None:
    """A copy of the installed code in which one file fails when it is imported."""
    import gatewayctl

    import gateway

    site = tmp_path / "site"
    site.mkdir()
    for package in (gateway, gatewayctl):
        folder = Path(package.__path__[0])
        for source in folder.rglob("*"):
            if source.is_file() and "__pycache__" not in source.parts:
                target = site / folder.name / source.relative_to(folder)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(source.read_bytes())
    (site / broken).write_text("raise SystemExit(0)\n")
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from gatewayctl.__main__ import main; main()"
    words = [sys.executable, "-I", "-c", code, str(site), "hook", "claude-code", "--policies", str(policy)]
    done = subprocess.run(words, input=message(), capture_output=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr
    if broken != "gatewayctl/supervisor.py":
        assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_click_is_not_needed_to_answer(policy: Path) -> None:
    code = (
        "import sys; sys.modules['click'] = None; sys.argv[0] = 'gatewayctl'; "
        "from gatewayctl.__main__ import main; main()"
    )
    words = [sys.executable, "-c", code, "hook", "claude-code", "--policies", str(policy)]
    done = subprocess.run(words, input=message(), capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, b"{}\n")


def test_a_directory_as_stdin_is_no_pass(policy: Path) -> None:
    """Python itself refuses to start then, so that the command line has to make exit code 2 of it."""
    line = " ".join(argv("claude-code", "--policies", policy)) + " < / || exit 2"
    done = subprocess.run(["sh", "-c", line], capture_output=True, timeout=60, check=False)
    assert done.returncode == 2


def test_a_missing_stdin_says_so(policy: Path) -> None:
    line = " ".join(argv("claude-code", "--policies", policy)) + " <&-"
    done = subprocess.run(["sh", "-c", line], capture_output=True, timeout=60, check=False)
    assert "stdin is closed" in refused(done)


@pytest.mark.parametrize("target", [">&-", "> /dev/full"])
def test_an_answer_that_can_not_be_written_gives_its_reason_on_stderr(policy: Path, target: str) -> None:
    line = " ".join(argv("claude-code", "--policies", policy)) + f" {target}"
    done = subprocess.run(
        ["sh", "-c", line], input=message("ls"), capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert b"could not be written" in done.stderr


def test_relative_policies_in_a_directory_that_is_gone_say_so(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    line = f"cd {gone} && rmdir {gone} && " + " ".join(argv("claude-code", "--policies", "policies"))
    done = subprocess.run(["sh", "-c", line], input=message(), capture_output=True, timeout=60, check=False)
    assert "is relative" in refused(done)


def test_a_text_that_is_too_long_is_told_apart_from_a_broken_message(policy: Path) -> None:
    write = message(tool_name="Write", tool_input={"file_path": "/a", "content": "x" * (8 * 1024 * 1024 + 1)})
    reason = refused(hook(write, "claude-code", "--policies", policy))
    assert "smaller steps" in reason


def test_settings_of_the_real_home_are_guarded_whatever_the_environment_says(policy: Path) -> None:
    import pwd

    home = pwd.getpwuid(os.getuid()).pw_dir
    env = {**os.environ, "HOME": "/nonexistent"}
    for text in (f"echo x > {home}/.claude/settings.json", "echo x > /nonexistent/.claude/settings.json"):
        assert "GUARD" in refused(hook(message(text), "claude-code", "--policies", policy, env=env))


@pytest.mark.parametrize("variable", [".", "src", "{work}", "src:"])
def test_modules_of_the_directory_that_the_agent_works_in_are_not_imported(
    policy: Path, tmp_path: Path, variable: str
) -> None:
    for folder in (tmp_path, tmp_path / "src"):
        folder.mkdir(exist_ok=True)
        (folder / "json.py").write_text("import os; os.write(1, b'{}\\n'); os._exit(0)\n")
    env = {**os.environ, "PYTHONPATH": variable.format(work=tmp_path)}
    done = hook(message("deploy now"), "claude-code", "--policies", policy, env=env, cwd=tmp_path)
    assert "Deployments" in refused(done)


def test_a_grant_says_what_grants(policy: Path) -> None:
    done = hook(message("ls"), "claude-code", "--policies", policy)
    assert "allow rule" in json.loads(done.stdout)["hookSpecificOutput"]["permissionDecisionReason"]


def test_a_whole_number_written_with_a_point_is_no_change(policy: Path) -> None:
    whole = message(tool_input={"command": "make", "timeout": 1.0})
    assert hook(whole, "claude-code", "--policies", policy).stdout == b"{}\n"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("mcp__fs__write_file", {"path": "{policy}", "content": "x"}),
        ("mcp__fs__write_file", {"uri": "file://{policy}", "content": "x"}),
        ("mcp__fs__move", {"files": [{"from": "{policy}", "to": "/tmp/x"}]}),
        ("PowerShell", {"command": "echo x > {policy}"}),
    ],
)
def test_a_tool_that_the_policy_does_not_know_is_guarded_too(
    policy: Path, tool: str, given: dict[str, Any]
) -> None:
    filled = json.loads(json.dumps(given).replace("{policy}", str(policy)))
    call = message(tool_name=tool, tool_input=filled)
    assert "GUARD" in refused(hook(call, "claude-code", "--policies", policy))


def test_a_tool_that_the_policy_does_not_know_may_read_the_policies(policy: Path) -> None:
    call = message(tool_name="mcp__fs__read_file", tool_input={"path": str(policy)})
    assert hook(call, "claude-code", "--policies", policy).stdout == b"{}\n"


def test_the_installed_command_runs_nothing_of_the_workspace(policy: Path, tmp_path: Path) -> None:
    """`python -I -m gatewayctl hook …`, as the README shows it, in a folder that shadows modules."""
    for module in ("json", "re", "gateway", "gatewayctl", "sitecustomize", "signal"):
        (tmp_path / f"{module}.py").write_text("import os\nos._exit(0)\n")
    done = subprocess.run(
        [sys.executable, "-I", "-m", "gatewayctl", "hook", "claude-code", "--policies", str(policy)],
        input=message(tool_input={"command": "rm -rf /"}),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_message_that_lacks_much_is_told_all_that_is_missing_and_which_hook_reads_it(policy: Path) -> None:
    less = json.dumps({"hook_event_name": "PreToolUse"}).encode()
    assert refused(hook(less, "claude-code", "--policies", policy)) == (
        "The gateway can't answer the hook `claude-code`: `session_id`, `cwd`, `tool_name`, `tool_input` "
        "are missing in `PreToolUse`."
    )
    assert refused(hook(message(cwd=""), "claude-code", "--policies", policy)) == (
        "The gateway can't answer the hook `claude-code`: `cwd` must be a text that is not empty."
    )


@pytest.mark.parametrize(
    "agent",
    [
        "{name: florist, tools: ['*'], tenants: [local]}",
        "{name: coding-agent, tools: ['*'], tenants: [acme]}",
    ],
)
def test_a_policy_without_the_hook_s_agent_is_told_on_standard_error_alone(
    tmp_path: Path, agent: str
) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(POLICY.replace('{name: coding-agent, tools: ["*", "!hidden"], tenants: [local]}', agent))
    done = hook(message(), "claude-code", "--policies", path)
    reason = json.loads(done.stdout)["hookSpecificOutput"]["permissionDecisionReason"]
    assert done.returncode == 2
    assert "AGENT_DISABLED" in reason
    assert "coding-agent" not in reason
    assert done.stderr.decode().splitlines() == [
        reason,
        "The hook asks as the agent `coding-agent` of the tenant `local`: the policy needs an agent of that name, "
        "with that tenant among its `tenants`",
    ]
