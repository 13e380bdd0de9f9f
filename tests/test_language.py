"""What LANGUAGE.md says is true: its tables are those of the code, its examples load and pass, nothing is left out."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

import gateway
from gateway import Gateway, open_store
from gateway.cel.macros import MACRO_NAMES
from gateway.checks import check_policy
from gateway.decision import Code, Decision
from gateway.diagnostic import PolicyError, Severity
from gateway.load import policy_schema
from gateway.patterns import PACKS
from gateway.results.review import Review
from gateway.session import Session, Subject
from gateway.testing import load, load_cases
from gateway.testing.expected import Expected, ExpectedReview, Link
from gateway.testing.form import CaseFile, CasePart
from gateway.testing.matrix import MatrixPart
from tests.reference import PAGE, TABLES, filled, shown

LANGUAGE = PAGE.read_text(encoding="utf-8")
STARTER = PAGE.parent / "cli" / "gatewayctl" / "starter"

TOOLS = """
version: 1
lists: {domains: ["@acme.com"]}
agents: [{name: a, tools: ["*"], tenants: ["*"]}]
tools:
  - {name: send_mail, risk: LOW, permissions: [], parameters: {type: object, required: [to], properties: {to: {type: array, items: {type: string}}}}}
  - {name: query, risk: LOW, permissions: [], parameters: {type: object, required: [limit], properties: {limit: {type: integer}, x: {type: integer}}}}
  - {name: recall_memory, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [user_id], properties: {user_id: {type: string}}}}
  - {name: refund, risk: HIGH, permissions: [], parameters: {type: object, required: [amount, currency], properties: {amount: {type: number}, currency: {type: string}}}}
"""


def loads(tmp_path: Path, text: str) -> Gateway:
    path = tmp_path / "policy.yaml"
    path.write_text(TOOLS + text)
    return load(path).gateway


def test_every_table_is_the_one_that_the_code_makes() -> None:
    assert filled(LANGUAGE) == LANGUAGE, "run `python -m tests.reference`"
    assert set(re.findall(r"<!-- table: ([a-z ]+) -->", LANGUAGE)) == set(TABLES)


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


def test_the_example_of_management_asks_a_second_operator_about_what_relaxes(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    nobody = 'agents: [{name: a, tools: ["*"], tenants: ["*"]}]\n'
    path.write_text(TOOLS.replace(nobody, "") + shown(LANGUAGE, "management"))
    gateway = Gateway.load(path, store=open_store("memory:"))
    operator = {"id": "o", "tenant": "acme", "authenticated": True, "roles": ["operator"]}
    subject = {**operator, "permissions": ["gateway:override"]}
    who = {"id": "s", "tenant": "acme", "agent": "console", "can_ask": True, "subject": subject}
    relaxing = {"tool": "query", "risk": "READ_ONLY", "reason": "pilot"}
    assert gateway.relaxing({"tool": "query", "enabled": False}, who).confirm == ""
    confirm = gateway.relaxing(relaxing, who).confirm

    def manage(number: int, **arguments: object) -> Decision:
        call = {"tool": "gateway/override", "id": f"m-{number}", "arguments": arguments}
        return gateway.manage(call, who).decision

    assert manage(1, tool="query", enabled=False).code is Code.ALLOWED
    asked = manage(2, **relaxing, confirm=confirm)
    assert (asked.code, asked.rule) == (Code.RULE, "four-eyes")
    assert manage(3, tool="query", risk="READ_ONLY").code is Code.ALLOWED


def test_the_tables_of_answers_are_complete() -> None:
    common = {"id", "tool", "call_id"}
    assert keys_in("decision") == set(Decision.__dataclass_fields__) - common
    assert keys_in("review") == set(Review.__dataclass_fields__) - common


def test_what_is_named_beside_them_is_there() -> None:
    rows = LANGUAGE.split("| name | what it is |\n")[1].split("\n\n")[0]
    names = re.findall(r"^\| `(\w+)`", rows, re.MULTILINE)
    assert len(names) == 4
    assert set(names) <= set(gateway.__all__)


def test_the_text_names_everything_there_is() -> None:
    tests = LANGUAGE.split("## Tests")[1].split("\n## ")[0]
    parts = (Expected, ExpectedReview, CasePart, MatrixPart, CaseFile)
    for word in (word for part in parts for word in part.model_fields):
        assert re.search(rf"\b{word}\b", tests), word
    # `ready` and `known` hide what no case asks about: a policy that can't be used, a tool that is not there.
    assert set(re.findall(r"`([a-z]+)`", tests.split("hides each tool:")[1].split("\n\n")[0])) == {
        link.value for link in Link
    } - {"ready", "known"}
    for name in MACRO_NAMES:
        assert re.search(rf"\b{name}\b", LANGUAGE), name


def test_what_is_said_not_to_be_covered_passes(tmp_path: Path) -> None:
    commands = shown(LANGUAGE, "not covered").splitlines()
    assert commands
    packs = f"settings: {{confirm_from: IRREVERSIBLE, packs: [{', '.join(PACKS)}]}}\n"
    tool = "  - {name: run, risk: LOW, permissions: [], parameters: {type: object, required: [command], properties: {command: {type: string}}}, inspect: {command: shell}}\n"
    gateway = loads(tmp_path, tool + packs)
    for command in commands:
        subject = {"id": "ann", "tenant": "acme", "authenticated": True}
        place = {"cwd": "/w/shop", "roots": ["/w/shop"], "home": "/w"}
        session = {"tenant": "acme", "agent": "a", "subject": subject, **place}
        decision = gateway.before({"tool": "run", "arguments": {"command": command}}, session)
        assert decision.code is Code.ALLOWED, command


def test_the_cases_that_are_shown_pass(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text((STARTER / "policy.yaml").read_text())
    parts = [shown(LANGUAGE, part) for part in ("cases", "review", "matrix")]
    (tmp_path / "policy.test.yaml").write_text("".join(parts))
    cases = load_cases(tmp_path)
    assert len(cases) == 9
    for case in cases:
        case.check()


def test_the_pytest_module_that_is_shown_runs(tmp_path: Path) -> None:
    (tmp_path / "test_policy.py").write_text(shown(LANGUAGE, "pytest"))
    folder = tmp_path / "my-policy"
    folder.mkdir()
    for name in ("policy.yaml", "policy.test.yaml"):
        (folder / name).write_text((STARTER / name).read_text())
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_policy.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout
    assert "8 passed" in done.stdout


def test_the_override_that_is_shown_loads_once_it_is_confirmed(tmp_path: Path) -> None:
    text = shown(LANGUAGE, "overrides")
    with pytest.raises(PolicyError) as caught:
        loads(tmp_path, text)
    (error,) = caught.value.diagnostics
    match = re.search(r"its digest is `(\w+)`", error.help)
    assert match is not None
    assert loads(tmp_path, text.replace("DIGEST", match[1])).manifest.ready


@pytest.mark.parametrize("name", ["settings", "rules", "arguments", "limits", "results"])
def test_the_pieces_of_policies_that_are_shown_load(name: str, tmp_path: Path) -> None:
    gateway = loads(tmp_path, shown(LANGUAGE, name))
    assert gateway.manifest.ready


@pytest.mark.parametrize("name", ["settings", "rules", "arguments"])
def test_the_linter_has_nothing_against_the_pieces_that_are_shown(name: str, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(TOOLS + shown(LANGUAGE, name))
    loaded = load(path)
    found = check_policy(loaded.policy, loaded.compiled, datetime(2026, 12, 1, tzinfo=UTC))
    above = len(TOOLS.splitlines())
    lines = [d.span.line for d in found if d.span is not None and d.severity is Severity.WARNING]
    assert [line for line in lines if line > above] == []


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
