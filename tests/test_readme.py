"""What README.md and LANGUAGE.md show is true: examples run, commands answer as said, tables say what the code says."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from gatewayctl.commands import cli
from gatewayctl.supervisor import DEADLINE

from gateway import Gateway
from gateway.cel.macros import MACRO_NAMES
from gateway.codes import PAGES
from gateway.decision import Code
from gateway.hosts import HOSTS
from gateway.load import policy_schema
from gateway.session import Session, Subject
from gateway.testing import load, load_cases
from gateway.testing.form import CasePart, Expected, Link
from tests import reference

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
LANGUAGE = (ROOT / "LANGUAGE.md").read_text(encoding="utf-8")
STARTER = ROOT / "cli" / "gatewayctl" / "starter"


def example(name: str, page: str = README) -> str:
    match = re.search(rf"<!-- example: {name} -->\n```\w+\n(.*?)```", page, re.DOTALL)
    assert match is not None, name
    return match[1]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


# --- five minutes ----------------------------------------------------------------------------------------------------


def test_the_policy_and_the_session_are_those_that_init_writes() -> None:
    assert example("policy") == (STARTER / "policy.yaml").read_text(encoding="utf-8")
    assert example("session") == (STARTER / "session.json").read_text(encoding="utf-8")


def test_each_command_works_as_it_stands_and_answers_as_its_comment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    commands = example("commands").splitlines()
    said = set()
    for line in commands:
        program, *arguments = shlex.split(line, comments=True)
        comment = line.rpartition("#")[2].strip()
        result = run(*arguments)
        assert program == "gatewayctl"
        if comment in ("allow", "ask", "deny"):
            said.add(comment)
            assert result.output.split()[0] == comment, line
            assert result.exit_code == (0 if comment == "allow" else 1)
        else:
            assert result.exit_code == (1 if arguments[:2] == ["explain", "pay_invoice"] else 0), line
    assert said == {"allow", "ask", "deny"}


def test_the_hooks_settings_are_json_and_wait_longer_than_the_hook() -> None:
    (entry,) = json.loads(example("hook"))["hooks"]["PreToolUse"]
    (hook,) = entry["hooks"]
    assert hook["timeout"] > DEADLINE
    assert f"a hang ({DEADLINE:g} seconds)" in README
    program, *arguments = hook["command"].split()
    assert program.startswith("/")
    assert arguments[:2] == ["hook", *HOSTS]
    shown = re.search(r'"timeout": (\d+)', run("hook", "--help").output)
    assert shown is not None
    assert int(shown[1]) == hook["timeout"]


# --- the library -----------------------------------------------------------------------------------------------------


def test_the_library_example_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-c", example("library") + "\nprint(decision.code, [t.name for t in shown])"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert done.stdout.startswith("ALLOWED ")
    assert "form_list" in done.stdout


def test_the_library_example_has_about_ten_lines_that_do_something() -> None:
    lines = [line for line in example("library").splitlines() if line.strip()]
    assert len(lines) <= 15


# --- the page as a whole ---------------------------------------------------------------------------------------------


def test_every_code_stands_among_the_steps() -> None:
    table = README.split("## What a decision goes through")[1].split("The model is told")[0]
    named = set(re.findall(r"`([A-Z_]{4,})`", table))
    assert named == {code.value for code in Code}


def test_every_code_has_a_page() -> None:  # B23
    assert set(PAGES) == set(Code)
    for code, page in PAGES.items():
        assert page.meaning and page.who and page.next, code
        assert page.retry or code is Code.ALLOWED


def test_exactly_two_commands_set_things_up() -> None:
    section = README.split("## Set up")[1].split("\n## ")[0]
    commands = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    assert len(commands) == 2
    assert all(command.strip().count("\n") == 0 for command in commands)
    assert commands[0].strip().endswith("gatewayctl demo")
    assert commands[1].strip().endswith("-m pytest")


def test_the_continuous_check_runs_the_readme_s_test_command() -> None:
    assert "python -m pytest" in (ROOT / ".ci" / "run").read_text()


def test_lower_bounds_are_pinned_for_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert all(">=" in dependency for dependency in project["dependencies"])


@pytest.mark.parametrize("folder", ["platform", "coding-agent"])
def test_named_policies_exist(folder: str) -> None:
    assert f"policies/{folder}" in README
    assert (ROOT / "policies" / folder).is_dir()


def test_what_is_said_to_be_not_in_force_is_reported_so() -> None:
    whole = Gateway.load(ROOT / "tests" / "data" / "load" / "whole.yaml")
    reported = " ".join(diagnostic.message for diagnostic in whole.manifest.not_in_force)
    for word, shown in {
        "`servers`": "the server `github`",
        "`limits`": "the limit `mail-rate`",
        "`results`": "the result `no-secrets`",
        "`overrides`": "the override of tenant `acme`",
        "`inspect.…`": "`inspect.command.network`",
        "`origin()`": "`origin()`",
    }.items():
        assert word in README
        assert shown in reported


# --- the reference ---------------------------------------------------------------------------------------------------


def test_every_table_is_the_one_that_the_code_makes() -> None:
    assert reference.filled(LANGUAGE) == LANGUAGE, "run `python -m tests.reference`"
    assert set(re.findall(r"<!-- table: ([a-z ]+) -->", LANGUAGE)) == set(reference.TABLES)


def test_the_schema_explains_every_key() -> None:
    schema = policy_schema()
    for name, part in {"a file": schema, **schema["$defs"]}.items():
        for key, value in part.get("properties", {}).items():
            assert re.fullmatch(r"[A-Z`].*\.", value.get("description", "")), f"{key} of {name}"


def keys_in(table: str) -> set[str]:
    """The keys in the first column of a table that was written by hand, by its head."""
    rows = LANGUAGE.split(f"| {table} | what it says |\n")[1].split("\n\n")[0]
    return set(re.findall(r"^\| `(\w+)`", rows, re.MULTILINE))


def test_the_tables_of_sessions_and_calls_are_complete() -> None:
    assert keys_in("session") == {name for name in Session.__dataclass_fields__ if not name.startswith("_")}
    assert keys_in("subject") == {name for name in Subject.__dataclass_fields__ if not name.startswith("_")}
    assert keys_in("call") == {"tool", "arguments", "id", "server", "iteration"}


def test_the_text_names_everything_there_is() -> None:
    tests = LANGUAGE.split("## Tests")[1].split("\n## ")[0]
    for word in (*Expected.model_fields, *CasePart.model_fields):
        assert re.search(rf"\b{word}\b", tests), word
    # `ready` and `known` hide what no case asks about: a policy that can't be used, a tool that is not there.
    assert set(re.findall(r"`([a-z]+)`", tests.split("hides each tool:")[1].split("\n\n")[0])) == {
        link.value for link in Link
    } - {"ready", "known"}
    assert {"has", "all", "exists", "exists_one", "filter", "map"} <= MACRO_NAMES


def test_the_cases_that_are_shown_pass(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(example("policy"))
    (tmp_path / "policy.test.yaml").write_text(example("cases", LANGUAGE))
    cases = load_cases(tmp_path)
    assert len(cases) == 4
    for case in cases:
        case.check()


def test_the_pytest_module_that_is_shown_runs(tmp_path: Path) -> None:
    (tmp_path / "test_policy.py").write_text(example("pytest", LANGUAGE))
    folder = tmp_path / "my-policy"
    folder.mkdir()
    for name in ("policy.yaml", "policy.test.yaml"):
        (folder / name).write_text((STARTER / name).read_text())
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_policy.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout
    assert "8 passed" in done.stdout


TOOLS = """
version: 1
lists: {domains: ["@acme.com"]}
agents: [{name: a, tools: ["*"], tenants: ["*"]}]
tools:
  - {name: send_mail, risk: LOW, permissions: [], parameters: {type: object, required: [to], properties: {to: {type: array, items: {type: string}}}}}
  - {name: query, risk: LOW, permissions: [], parameters: {type: object, required: [limit], properties: {limit: {type: integer}, x: {type: integer}}}}
  - {name: recall_memory, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [user_id], properties: {user_id: {type: string}}}}
"""


def loads(tmp_path: Path, text: str) -> Gateway:
    path = tmp_path / "policy.yaml"
    path.write_text(TOOLS + text)
    return load(path).gateway


@pytest.mark.parametrize("name", ["settings", "rules", "arguments"])
def test_the_pieces_of_policies_that_are_shown_load(name: str, tmp_path: Path) -> None:
    gateway = loads(tmp_path, example(name, LANGUAGE))
    assert gateway.manifest.ready


def test_each_guard_that_is_shown_guards(tmp_path: Path) -> None:
    table = LANGUAGE.split("| guard | as the |")[1].split("\n\n")[0]
    guards = [guard.replace("\\|", "|") for guard in re.findall(r"^\| `(.+?)` \|", table, re.MULTILINE)]
    assert len(guards) == 4
    for guard in guards:
        rule = {"id": "guarded", "tools": ["query"], "when": guard, "effect": "deny", "message": "No."}
        assert loads(tmp_path, f"rules: [{json.dumps(rule)}]\n").manifest.ready, guard


def test_a_session_in_json_may_lie_beside_the_policy(tmp_path: Path) -> None:
    for name in ("policy.yaml", "session.json"):
        (tmp_path / name).write_text((STARTER / name).read_text())
    assert Gateway.load(tmp_path).manifest.files == 1
