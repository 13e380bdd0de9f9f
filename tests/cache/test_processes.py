"""The cache of many processes: at once, killed midway, and as the hook uses it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cache.loading import Place, made

HEAVY = (
    "yaml",
    "pydantic",
    "click",
    "jsonschema",
    "celpy",
    "sqlglot",
    "asyncio",
    "difflib",
    "importlib.metadata",
    "gateway.policy",
    "gateway.document",
    "gateway.load",
    "gateway.compile",
    "gateway.relaxation",
    "gateway.patterns",
    "gateway.cel.parser",
    "gateway.cel.checker",
    "gateway.cel.foreseen",
    "gateway.nearest",
)
"""What reads, checks and compiles policies; a form that is there needs none of it."""
PARTS = {
    "commands": (
        "tree_sitter",
        "gateway.inspect.scripts",
        "gateway.inspect.binding",
        "gateway.inspect.guard_command",
        "gateway.inspect.programs",
        "gateway.inspect.shell.walk",
        "gateway.inspect.shell.parse",
    ),
    "SQL": ("gateway.inspect.sql.read", "gateway.inspect.sql.lexer", "gateway.inspect.sql.judge"),
    "addresses": ("gateway.inspect.url.",),
    "paths": ("gateway.inspect.path.read", "gateway.inspect.path.spelling"),
    "Python": ("gateway.inspect.python.walk", "gateway.inspect.python.effects"),
    "other languages": ("gateway.inspect.languages.evaluator",),
    "Windows": ("gateway.inspect.windows",),
    "functions": ("gateway.cel.functions.standard", "gateway.cel.functions.format"),
    "memory": ("cachetools",),
    "schemas": ("jsonschema_rs",),
    "conditions on facts": ("gateway.inspect.facts",),
}
"""What a call may need, by the beginnings of the names of modules: all of them, or none."""
OF_RESULTS = ("gateway.steps.review", "gateway.results.filters", "gateway.results.bounds")

LOAD = """
import sys
from gateway import Cache, Gateway
cache = Cache(sys.argv[2])
loaded = Gateway.load(sys.argv[1], cache=cache)
session = {"id": "s", "tenant": "acme", "agent": "helper", "channel": "internal", "can_ask": True, "subject":
    {"id": "ann", "tenant": "acme", "authenticated": True, "permissions": ["pay:create"], "roles": []}}
decision = loaded.before({"id": "c", "tool": "pay", "arguments": {"amount": 2000}}, session)
print(decision.rule, "kept" if loaded._files._assembled is None else "compiled", *cache.notes)
"""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return made(tmp_path)


def start(place: Place, before: str = "") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", before + LOAD, str(place.policies), str(place.directory)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert err == ""
    return out.strip()


def test_many_processes_at_once_agree(place: Place) -> None:
    processes = [start(place) for _ in range(8)]
    answers = {said(process) for process in processes}
    assert answers <= {"large compiled", "large kept"}
    assert said(start(place)) == "large kept"
    assert sorted(path.name for path in place.directory.iterdir() if not path.name.endswith(".form")) == [
        "key"
    ]
    assert len(place.forms) == 1


DIES = {
    "before it is whole": "import os\nos.fsync = lambda descriptor: os.kill(os.getpid(), 9)\n",
    "before it has its name": "import os\nos.rename = lambda *a, **k: os.kill(os.getpid(), 9)\n",
    "with its key unnamed": "import os\nos.link = lambda *a, **k: os.kill(os.getpid(), 9)\n",
}


@pytest.mark.parametrize("when", DIES)
def test_a_process_that_is_killed_while_it_writes_leaves_nothing_that_counts(place: Place, when: str) -> None:
    process = start(place, DIES[when])
    assert process.wait(timeout=60) == -signal.SIGKILL
    process.communicate()
    assert [path.name for path in place.directory.iterdir() if path.name.startswith("new-")]
    assert place.forms == []
    assert said(start(place)) == "large compiled"
    assert said(start(place)) == "large kept"


def test_processes_that_are_killed_at_any_moment_leave_whole_forms_or_none(place: Place) -> None:
    writing = (
        "import sys\nfrom gateway.cache.sealed import Sealed\n"
        "sealed = Sealed(sys.argv[1])\nprint('begun', flush=True)\n"
        "while True: sealed.write('one', bytes(2_000_000))\n"
    )
    from gateway.cache.sealed import Sealed

    sealed = Sealed(str(place.directory))
    for turn in range(8):
        process = subprocess.Popen(
            [sys.executable, "-c", writing, str(place.directory)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.004 * turn)
        process.kill()
        process.communicate()
        assert sealed.read("one") in (None, bytes(2_000_000))


def message(tool: str, **given: Any) -> bytes:
    fields = {
        "session_id": "s-1",
        "cwd": "/home/dev/shop",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": given,
        "tool_use_id": "t-1",
    }
    return json.dumps(fields).encode()


POLICIES = Path(__file__).parents[2] / "policies" / "coding-agent"
IMPORTED = """
import os, sys
from gatewayctl.supervisor import Hook
from gatewayctl.hooked import answer
said = answer(Hook("claude-code", sys.argv[1]), sys.stdin.buffer.read())
print(said.exit_code, *sorted(sys.modules))
"""


def imported(stdin: bytes, cache_home: Path) -> set[str]:
    """The modules that answering a hook has imported, once its policy's form is there."""
    if not [*cache_home.glob("gatewayctl/*.form")]:
        answered(stdin, cache_home)
    return answered(stdin, cache_home)


def answered(stdin: bytes, cache_home: Path) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, str(POLICIES)],
        input=stdin,
        capture_output=True,
        check=True,
        timeout=60,
        env={**os.environ, "XDG_CACHE_HOME": str(cache_home)},
    )
    return set(done.stdout.decode().split())


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that the policy is kept in."""
    return tmp_path_factory.mktemp("kept")


CALLS: tuple[tuple[bytes, set[str]], ...] = (
    (message("Read", file_path="/home/dev/shop/a.py"), {"paths"}),
    (message("Read", file_path="/home/dev/.ssh/id_rsa"), {"paths"}),
    (
        message("Write", file_path="/home/dev/shop/a.py", content="print(1)\n"),
        {"paths", "functions", "conditions on facts", "memory"},
    ),
    (message("Bash", command="ls -la"), {"commands"}),
    (message("Bash", command="git status"), {"commands"}),
    (message("Bash", command="git push --force origin main"), {"commands"}),
    (message("Bash", command="rm -rf /"), {"commands"}),
    (message("Bash", command="cd src && npm test 2>&1 | tail -n 20"), {"commands"}),
    (message("Bash", command="python3 -c 'print(1)'"), {"commands", "Python"}),
    (message("Bash", command="node -e 'console.log(1)'"), {"commands", "other languages"}),
    (message("Bash", command="psql -c 'select 1'"), {"commands", "SQL"}),
    (message("Bash", command="curl https://example.com/"), {"commands", "addresses"}),
)


@pytest.mark.parametrize(
    ("stdin", "needed"), CALLS, ids=lambda given: given.decode()[95:150] if isinstance(given, bytes) else ""
)
def test_a_call_loads_what_it_needs_and_nothing_else(stdin: bytes, needed: set[str], kept: Path) -> None:
    modules = imported(stdin, kept)
    assert modules & {*HEAVY, *OF_RESULTS} == set()
    loaded = {
        name
        for name, parts in PARTS.items()
        if any(module == part or module.startswith(part) for part in parts for module in modules)
    }
    assert loaded == needed
    assert all(any(m.startswith(part) for m in modules) for name in needed for part in PARTS[name])


def test_a_result_is_reviewed_without_what_compiles(tmp_path: Path) -> None:
    fields = json.loads(message("Bash", command="git status"))
    fields |= {"hook_event_name": "PostToolUse", "tool_response": {"stdout": "clean", "stderr": ""}}
    modules = imported(json.dumps(fields).encode(), tmp_path)
    assert "gateway.steps.review" in modules
    assert not modules & {*HEAVY, "tree_sitter"}


HOOK = (sys.executable, "-m", "gatewayctl", "hook", "claude-code", "--deadline", "100")
"""With time to compile a large policy, also where others work."""


def hook(stdin: bytes, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*HOOK, "--policies", str(POLICIES)],
        input=stdin,
        capture_output=True,
        timeout=120,
        check=False,
        env={**os.environ, **environment},
    )


def test_the_hook_keeps_its_policy_and_says_so_where_somebody_changed_it(tmp_path: Path) -> None:
    fine, stopped = message("Bash", command="ls"), message("Bash", command="rm -rf /srv")
    home = str(tmp_path)
    assert hook(fine, XDG_CACHE_HOME=home).stderr == b""
    (form,) = (tmp_path / "gatewayctl").glob("*.form")
    plain = hook(stopped, XDG_CACHE_HOME=home)
    for stdin, before in ((fine, hook(fine, XDG_CACHE_HOME=home)), (stopped, plain)):
        form.write_bytes(form.read_bytes()[:-1])
        done = hook(stdin, XDG_CACHE_HOME=home)
        assert done.returncode == before.returncode
        assert str(form) in done.stderr.decode().splitlines()[-1]
        assert b"was changed since" in done.stderr
        again = hook(stdin, XDG_CACHE_HOME=home)
        assert again.stderr.count(b"\n") == before.stderr.count(b"\n")
    assert plain.returncode == 2


@pytest.mark.parametrize("setting", ["off", "OFF", "0", "False", "no "])
def test_the_cache_of_the_hook_can_be_turned_off_however_that_is_written(
    tmp_path: Path, setting: str
) -> None:
    done = hook(message("Bash", command="ls"), XDG_CACHE_HOME=str(tmp_path), GATEWAY_CACHE=setting)
    assert (done.returncode, done.stderr) == (0, b"")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("on", b""),
        ("", b""),
        ("none", b"GATEWAY_CACHE is `on` or `off`, not `none`: compiled policies are kept\n"),
    ],
)
def test_a_setting_of_the_cache_that_is_not_known_is_not_ignored_in_silence(
    tmp_path: Path, setting: str, said: bytes
) -> None:
    done = hook(message("Bash", command="ls"), XDG_CACHE_HOME=str(tmp_path), GATEWAY_CACHE=setting)
    assert (done.returncode, done.stderr) == (0, said)
    assert len(list((tmp_path / "gatewayctl").glob("*.form"))) == 1


def test_the_cache_lies_in_the_home_where_the_environment_names_no_other_place(tmp_path: Path) -> None:
    for unusable in ("", "relative/path"):
        assert (
            hook(message("Bash", command="ls"), XDG_CACHE_HOME=unusable, HOME=str(tmp_path)).returncode == 0
        )
    assert len(list((tmp_path / ".cache" / "gatewayctl").glob("*.form"))) == 1


def test_a_hook_without_a_home_works(tmp_path: Path) -> None:
    done = hook(message("Bash", command="ls"), XDG_CACHE_HOME="", HOME="/nonexistent/proc")
    assert (done.returncode, done.stdout) == (0, b"{}\n")
