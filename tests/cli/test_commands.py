"""The command line as people and scripts call it: answers, exit codes, and readable failures."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from click.testing import CliRunner, Result
from gatewayctl.commands import COMMANDS, cli

from gateway.checks import CHECKS, check_id
from gateway.decision import Code

DATA = Path(__file__).parent.parent / "data"
REPOSITORY = Path(__file__).parent.parent.parent

POLICY = """version: 1
settings: {confirm_from: HIGH, packs: [core, files]}
agents: [{name: clerk, tools: [search, pay, form, run, memory, code, web], tenants: [acme]}]
tools:
  - {name: search, description: Search the documents., risk: READ_ONLY, permissions: [], parameters: {type: object, required: [query], properties: {query: {type: string}, kinds: {type: array, items: {enum: [a, b]}}}}}
  - {name: pay, risk: HIGH, permissions: ["pay:create"], parameters: {type: object, required: [amount], properties: {amount: {type: integer}}}}
  - {name: form, risk: LOW, action: update, permissions: [], resource_permissions: ["form:{args.code}:{tool.action}"], parameters: {type: object, required: [code], properties: {code: {type: string}}}}
  - {name: run, risk: LOW, permissions: [], parameters: {type: object, required: [command], properties: {command: {type: string}}}, inspect: {command: shell}}
  - {name: memory, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [user], properties: {user: {type: string}}}}
  - {name: code, risk: LOW, permissions: [], requires: [sandbox]}
  - {name: web, mode: web_search, risk: READ_ONLY, permissions: []}
  - {name: purge, risk: IRREVERSIBLE, permissions: []}
arguments: [{id: whose, tools: [memory], set: {user: subject.id}}]
rules:
  - id: large
    tools: [pay]
    when: args.amount > 1000 && !("finance" in subject.roles)
    effect: deny
    message: Payments above 1000 are made by finance.
    owner: finance@acme.example
"""

SESSION: dict[str, Any] = {
    "id": "s-1",
    "tenant": "acme",
    "agent": "clerk",
    "channel": "internal",
    "can_ask": True,
    "subject": {
        "id": "u-1",
        "tenant": "acme",
        "authenticated": True,
        "roles": ["clerk"],
        "permissions": ["pay:create"],
    },
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working directory with policies and some sessions."""
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "policy.yaml").write_text(POLICY)
    sessions: dict[str, dict[str, Any]] = {
        "clerk": {},
        "away": {"can_ask": False},
        "guest": {"subject": {**SESSION["subject"], "permissions": []}},
        "stranger": {"subject": {**SESSION["subject"], "authenticated": False}},
        "other": {"tenant": "beta", "subject": {**SESSION["subject"], "tenant": "beta"}},
        "visitor": {"visiting": "beta"},
        "practice": {"dry_run": True},
    }
    for name, changes in sessions.items():
        (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump(SESSION | changes))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GATEWAY_POLICIES", raising=False)
    yield tmp_path


def run(*words: str, stdin: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(cli, list(words), input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


# --- the whole -------------------------------------------------------------------------------------------------------


def test_help_lists_every_command_and_imports_none() -> None:
    code = "import sys; sys.argv[1:] = ['--help']\nfrom gatewayctl.__main__ import main\ntry: main()\nexcept SystemExit: pass\n"
    code += "print([m for m in ('yaml', 'pydantic', 'gateway.engine', 'jsonschema', 'asyncio', 'pygls') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == "[]"
    for name in COMMANDS:
        assert f"  {name} " in done.stdout


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_and_its_table_entry_is_its_help_in_short(name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert "Usage:" in result.output


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"hook"}))
def test_every_command_takes_a_format(name: str) -> None:
    assert run(name, "--format", "xml").exit_code == 2


def test_a_misspelt_command_is_answered_with_the_likely_one() -> None:
    result = run("explian")
    assert result.exit_code == 2
    assert "did you mean `explain`?" in result.output


def test_no_colour_where_there_is_no_terminal(here: Path) -> None:
    assert "\x1b" not in run("explain", "search", '{"query": "x"}', "--session", "clerk.yaml").output


def test_policies_are_chosen_in_order(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call = ("check", "search", '{"query": "x"}', "--session", "clerk.yaml")
    assert run(*call).exit_code == 0
    monkeypatch.setenv("GATEWAY_POLICIES", "/no-such-place")
    assert "no-such-place" in run(*call).output
    assert run(*call, "--policies", "policies").exit_code == 0
    monkeypatch.delenv("GATEWAY_POLICIES")
    (here / "policies").rename(here / "elsewhere")
    result = run(*call)
    assert result.exit_code == 2
    assert "gatewayctl init" in result.output


# --- check -----------------------------------------------------------------------------------------------------------


def test_check_says_effect_code_rule_and_what_to_do(here: Path) -> None:
    result = run("check", "pay", '{"amount": 5000}', "--session", "clerk.yaml")
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        "deny  RULE  pay",
        "  Payments above 1000 are made by finance. Trying again will not help.",
        "  rule: large",
        "  why:  the rule `large` (policies/policy.yaml:15:9) matched: Payments above 1000 are made by finance.",
        "  next: `gatewayctl explain TOOL ARGUMENTS --session FILE` shows the rule with the values that it read.",
    ]


@pytest.mark.parametrize(
    ("session", "tool", "arguments", "effect", "code"),
    [
        ("clerk", "search", '{"query": "x"}', "allow", "ALLOWED"),
        ("clerk", "pay", '{"amount": 5}', "ask", "CONFIRM"),
        ("away", "pay", '{"amount": 5}', "deny", "NOBODY_TO_ASK"),
        ("practice", "pay", '{"amount": 5}', "respond", "DRY_RUN"),
        ("clerk", "github/get", "{}", "deny", "TOOL_NOT_FOUND"),
        ("clerk", "purge", "{}", "deny", "TOOL_NOT_BOUND"),
        ("clerk", "pay", '{"amount": 1, "amount": 2}', "deny", "ARGUMENTS_UNREADABLE"),
        ("clerk", "pay", "{", "deny", "ARGUMENTS_UNREADABLE"),
    ],
)
def test_check_in_json_and_its_exit_code(
    here: Path, session: str, tool: str, arguments: str, effect: str, code: str
) -> None:
    result = run("check", tool, arguments, "--session", f"{session}.yaml", "--format", "json")
    value = json.loads(result.output)
    assert (value["effect"], value["code"], value["tool"]) == (effect, code, tool)
    assert {"id", "rule", "message", "detail", "arguments"} <= value.keys()
    assert result.exit_code == (0 if effect == "allow" else 1)


def test_check_answers_a_batch_line_by_line(here: Path) -> None:  # every line, in order, each alone
    lines: list[Any] = [
        {"id": 1, "session": SESSION, "call": {"tool": "search", "arguments": {"query": "x"}}},
        {
            "id": "b",
            "session": SESSION,
            "call": {"tool": "pay", "arguments": {"amount": 5000}},
            "now": "2026-12-01T10:00:00Z",
        },
        {"id": "c", "session": {"agnt": "x"}, "call": {"tool": "search"}},
        {"id": "d", "session": SESSION, "call": {"tol": "search"}},
        {"id": "e", "session": SESSION},
        {"id": "f", "session": SESSION, "call": {"tool": "search"}, "now": "tomorrow"},
        {"id": "g", "session": SESSION, "call": {"tool": "search"}, "extra": 1},
        [],
    ]
    raw = b"\n".join(json.dumps(line).encode() for line in lines)
    raw += b'\n{"id": "twice", "id": "twice"}\nnonsense\n\xff\n\n' + b"[" * 50_000 + b"\n"
    expected = [
        (1, "allow", "ALLOWED"),
        ("b", "deny", "RULE"),
        ("c", "deny", "NO_IDENTITY"),
        ("d", "deny", "ARGUMENTS_UNREADABLE"),
        ("e", "deny", "ARGUMENTS_UNREADABLE"),
        ("f", "deny", "ARGUMENTS_UNREADABLE"),
        ("g", "deny", "ARGUMENTS_UNREADABLE"),
        *[(None, "deny", "ARGUMENTS_UNREADABLE")] * 6,
    ]
    (here / "batch.jsonl").write_bytes(raw)
    for result in (run("check", "--batch", "batch.jsonl"), run("check", "--batch", "-", stdin=raw)):
        answers = [json.loads(line) for line in result.output.splitlines()]
        assert [(a["id"], a["effect"], a["code"]) for a in answers] == expected
        assert all("rule" in answer for answer in answers)
        assert answers[1]["rule"] == "large"
        assert result.exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("check",),
        ("check", "search"),
        ("check", "search", "{}", "--session", "nowhere.yaml"),
        ("check", "search", "{}", "--session", "bad.yaml"),
        ("check", "search", "{}", "--session", "list.yaml"),
        ("check", "search", "{}", "--session", "key.yaml"),
        ("check", "search", "{}", "--session", "bad.json"),
        ("check", "search", "{}", "--session", "clerk.yaml", "--policies", "nowhere"),
        ("check", "search", "{}", "--session", "clerk.yaml", "--policies", "clerk.yaml"),
        ("check", "search", "{}", "--session", "clerk.yaml", "--now", "noon"),
        ("check", "--batch", "nowhere.jsonl"),
        ("check", "search", "--batch", "clerk.yaml"),
        ("explain", "search", "{}"),
        ("explain", "NOWHERE"),
        ("tools",),
        ("test", "nowhere"),
        ("test", "policies"),
    ],
)
def test_what_can_not_be_done_is_said_and_ends_in_2(here: Path, words: tuple[str, ...]) -> None:
    (here / "bad.yaml").write_text("a: [")
    (here / "list.yaml").write_text("- a")
    (here / "key.yaml").write_text("agnt: x")
    (here / "bad.json").write_text('{"id": "a", "id": "b"}')
    result = run(*words)
    assert result.exit_code == 2
    assert result.output.strip()


# --- explain ---------------------------------------------------------------------------------------------------------

DENIALS = [
    ("stranger", "search", '{"query": "x"}', "NO_IDENTITY", ["`u-1` is not authenticated", "by signing in"]),
    ("visitor", "search", '{"query": "x"}', "CROSS_TENANT", ["visiting tenant `beta`", "End the visit"]),
    (
        "other",
        "search",
        '{"query": "x"}',
        "AGENT_DISABLED",
        ["`clerk` is not switched on for tenant `beta`", "policy's author"],
    ),
    ("clerk", "serch", "{}", "TOOL_NOT_FOUND", ["no tool is called `serch`", "`search`"]),
    (
        "clerk",
        "purge",
        "{}",
        "TOOL_NOT_BOUND",
        ["the agent `clerk` is not bound", "policies/policy.yaml:3:10"],
    ),
    ("clerk", "web", "{}", "TOOL_DISABLED", ["the mode `web_search` is off", "set to `auto`: allow"]),
    (
        "clerk",
        "code",
        "{}",
        "REQUIREMENT_MISSING",
        ["does not supply `sandbox`", "a session that supplies `sandbox`: allow"],
    ),
    (
        "guest",
        "pay",
        '{"amount": 5}',
        "PERMISSION_DENIED",
        ["lacks the permission `pay:create`", "Whoever grants permissions"],
    ),
    (
        "clerk",
        "form",
        '{"code": "x"}',
        "RESOURCE_PERMISSION_DENIED",
        ["`form:x:update`", "`form:x:update`: allow"],
    ),
    ("clerk", "pay", '{"amount": "5"}', "ARGUMENT_INVALID", ["`amount`", "Correct the named argument"]),
    ("clerk", "pay", "[]", "ARGUMENTS_UNREADABLE", ["are an object, not a list", "one plain JSON object"]),
    (
        "clerk",
        "run",
        '{"command": "rm -rf /srv"}',
        "PATTERN",
        ["rm -rf /srv", "pattern:", "Do not rephrase it"],
    ),
    (
        "clerk",
        "pay",
        '{"amount": 1500}',
        "RULE",
        ["args.amount (1500) > 1000", "owner:      finance@acme.example"],
    ),
    (
        "away",
        "pay",
        '{"amount": 5}',
        "NOBODY_TO_ASK",
        ["would have been asked: CONFIRM", "can be asked: ask"],
    ),
]


@pytest.mark.parametrize(
    ("session", "tool", "arguments", "code", "says"), DENIALS, ids=[each[3] for each in DENIALS]
)
def test_a_denial_is_clear_from_the_output_alone(
    here: Path, session: str, tool: str, arguments: str, code: str, says: list[str]
) -> None:
    """Which step or rule, which value, who can change it, and whether trying again helps."""
    result = run("explain", tool, arguments, "--session", f"{session}.yaml")
    assert result.exit_code == 1
    assert result.output.startswith(f"DENY  {code}  `{tool}` does not run")
    for words in (
        *says,
        "try again?:",
        "who can change it:",
        "what next:",
        "The model is told",
        "Step by step",
    ):
        assert words in result.output, words


def test_a_rule_is_explained_with_its_values_its_place_and_its_owner(here: Path) -> None:
    lines = run("explain", "pay", '{"amount": 1500}', "--session", "clerk.yaml").output.splitlines()
    at = lines.index("  rule `large` (deny)")
    assert lines[at + 1 : at + 7] == [
        "    stands at:  policies/policy.yaml:15:9",
        "    owner:      finance@acme.example",
        '    when:       args.amount > 1000 && !("finance" in subject.roles)',
        '    read as:    args.amount (1500) > 1000 && !("finance" in subject.roles (["clerk"]))',
        "      args.amount > 1000  is true",
        '      "finance" in subject.roles  is false',
    ]
    at = lines.index("What would be answered less strictly")
    assert set(lines[at + 1 : at + 3]) == {
        "  `amount` = 1000: ask (CONFIRM)",
        "  a subject with the role `finance`: ask (CONFIRM)",
    }


def test_every_step_is_named_with_what_came_of_it(here: Path) -> None:
    lines = run("explain", "pay", '{"amount": 5}', "--session", "guest.yaml").output.splitlines()
    steps = [
        tuple(line.split()[:3])
        for line in lines[lines.index("Step by step") + 1 :]
        if line[:3].strip().isdigit()
    ]
    assert steps == [
        ("1", "identity", "passed"),
        ("2", "tool", "passed"),
        ("3", "permissions", "refused"),
        ("4", "arguments", "not"),
        ("5", "resource", "not"),
        ("7", "evaluation", "not"),
        ("8", "confirmation", "not"),
    ]


def test_explain_in_json_has_everything(here: Path) -> None:
    value = json.loads(
        run("explain", "pay", '{"amount": 1500}', "--session", "clerk.yaml", "--format", "json").output
    )
    assert (value["effect"], value["code"], value["rule"]) == ("deny", "RULE", "large")
    assert value["rules"]["large"] == {
        "place": "policies/policy.yaml:15:9",
        "owner": "finance@acme.example",
        "effect": "deny",
    }
    assert value["page"]["code"] == "RULE"
    assert {"change": "`amount` = 1000", "effect": "ask", "code": "CONFIRM"} in value["accepted"]
    held = [
        entry for entry in value["trace"] if entry["state"] == "held against" and entry["rule"] == "large"
    ]
    assert {"text": "args.amount", "value": "1500"} in held[0]["observed"]


def test_an_allowed_call_is_explained_too(here: Path) -> None:
    result = run("explain", "search", '{"query": "x"}', "--session", "clerk.yaml")
    assert result.exit_code == 0
    assert result.output.startswith("ALLOW  ALLOWED  `search` may run")


def test_what_steers_a_terminal_is_written_out(here: Path) -> None:
    result = run("explain", "pay", json.dumps({"amount": 5, "\x1b[2J\u202e": 1}), "--session", "clerk.yaml")
    assert "\x1b" not in result.output
    assert "\u202e" not in result.output


@pytest.mark.parametrize("code", sorted(Code.__members__))
def test_every_code_has_a_page(code: str) -> None:  # B23
    result = run("explain", code)
    assert result.exit_code == 0
    for words in (code, "try again?:", "who can change it:", "what next:"):
        assert words in result.output
    assert json.loads(run("explain", code, "--format", "json").output)["code"] == code


def test_every_check_has_a_page_and_a_misspelt_name_the_likely_one() -> None:
    result = run("explain", "open-guard")
    assert result.exit_code == 0
    assert result.output.startswith("A condition that opens where a value is absent.")
    assert "did you mean `PERMISSION_DENIED`?" in run("explain", "PERMISION_DENIED").output
    assert "`open-guard`" in run("explain", "open-gard").output


# --- tools -----------------------------------------------------------------------------------------------------------


def test_tools_are_listed_with_the_link_that_hides_the_rest(here: Path) -> None:  # A2 A4
    lines = run("tools", "--session", "guest.yaml").output.splitlines()
    assert lines[0] == "visible: 3 tools"
    assert "  search  (query: string, kinds?: a|b[])" in lines
    assert "  memory  ()" in lines  # a forced argument is not the model's to write
    hidden = {line.split()[0]: line.split()[1] for line in lines[lines.index("hidden: 5 tools") + 1 :]}
    assert hidden == {
        "code": "requirement",
        "form": "resource",
        "pay": "permissions",
        "purge": "bound",
        "web": "mode",
    }


def test_tools_in_json_have_their_schemas(here: Path) -> None:
    value = json.loads(run("tools", "--session", "clerk.yaml", "--format", "json").output)
    pay = next(tool for tool in value["visible"] if tool["name"] == "pay")
    assert pay["parameters"]["properties"] == {"amount": {"type": "integer"}}
    assert {tool["name"] for tool in value["hidden"]} == {"code", "form", "purge", "web"}
    assert all({"name", "link", "code", "reason", "rule"} == tool.keys() for tool in value["hidden"])


def test_shapes_say_which_visible_tools_return_which_lists(here: Path) -> None:  # B15
    declared = "description: Search the documents., result: {arrays: [tags, items], shape: known}"
    (here / "policies" / "policy.yaml").write_text(
        POLICY.replace("description: Search the documents.", declared)
    )
    lines = run("tools", "--shapes", "--session", "clerk.yaml").output.splitlines()
    assert "- search: tags, items*" in lines
    assert not any("purge" in line for line in lines)
    value = json.loads(run("tools", "--shapes", "--session", "clerk.yaml", "--format", "json").output)
    (search,) = [shape for shape in value["shapes"] if shape["tool"] == "search"]
    assert search == {"tool": "search", "shape": "known", "arrays": ["tags", "items"], "main": "items"}
    assert {shape["shape"] for shape in value["shapes"] if shape["tool"] != "search"} == {"open"}


# --- lint ------------------------------------------------------------------------------------------------------------


def test_lint_underlines_errors_and_ends_in_1(here: Path) -> None:
    (here / "policies" / "policy.yaml").write_text(POLICY.replace("args.amount > 1000", "args.amout > 1000"))
    result = run("lint")
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0].startswith("policies/policy.yaml:17:16: error[")
    assert lines[2].split("|")[1].strip() == "^^^^^"
    assert "`amount`" in result.output
    assert lines[-3:] == [
        "1 error, 0 warnings, 0 notes",
        "1 of them can be mended: gatewayctl lint --fix policies",
        "to check again: gatewayctl lint policies",
    ]


def test_lint_warns_and_fails_only_when_strict(here: Path) -> None:
    path = str(DATA / "checks" / "everything.yaml")
    lines = ["", *Path(path).read_text().splitlines()]
    assert run("lint", path).exit_code == 0
    result = run("lint", path, "--strict")
    assert result.exit_code == 1
    assert "warning[idle-lift]" in result.output
    value = json.loads(run("lint", path, "--format", "json").output)
    assert value["ok"] is True
    lift = next(each for each in value["diagnostics"] if each["code"] == "idle-lift")
    assert (lift["file"], lift["column"], lift["end_column"]) == (path, 13, 22)
    assert lines[lift["line"]].startswith("    lifts: [new-payee]")
    assert lines[lift["related"][0]["line"]].startswith("  - id: new-payee")


def test_lint_says_all_errors_of_all_paths(here: Path) -> None:
    (here / "a.yaml").write_text("version: 1\nrulez: []\nagentz: []\n")
    result = run("lint", "a.yaml", "nowhere", "policies", "--format", "json")
    assert result.exit_code == 2
    codes = [each["code"] for each in json.loads(result.output)["diagnostics"]]
    assert codes.count("unknown-key") == 2
    assert "no-such-file" in codes


# --- test ------------------------------------------------------------------------------------------------------------

CASES = """version: 1
sessions: {clerk: {id: s, tenant: acme, agent: clerk, channel: internal, can_ask: true, subject: {id: u, tenant: acme, authenticated: true, permissions: ["pay:create"]}}}
cases:
  - {name: a small payment, session: clerk, call: {tool: pay, arguments: {amount: 5}}, expect: {effect: ask}}
  - {name: a large payment, session: clerk, call: {tool: pay, arguments: {amount: 5000}}, expect: {effect: ask}}
"""


def test_test_runs_cases_and_says_what_differs(here: Path) -> None:
    (here / "policies" / "pay.test.yaml").write_text(CASES)
    result = run("test")
    assert result.exit_code == 1
    assert (
        "FAILED policies/pay.test.yaml:5: a large payment\n  effect: expected ask, got deny" in result.output
    )
    assert "rule `large`" in result.output
    assert result.output.splitlines()[-1] == "2 cases: 1 passed, 1 failed"
    assert run("test", "policies/pay.test.yaml", "-k", "SMALL").exit_code == 0
    assert run("test", "-k", "enormous").exit_code == 2
    value = json.loads(run("test", "--format", "json").output)
    assert [(case["name"], case["passed"], case["line"]) for case in value["cases"]] == [
        ("a small payment", True, 4),
        ("a large payment", False, 5),
    ]
    assert value["cases"][1]["mismatches"] == [{"what": "effect", "expected": "ask", "got": "deny"}]


def test_test_takes_policies_from_elsewhere(here: Path) -> None:
    (here / "pay.test.yaml").write_text(CASES)
    (here / "other.yaml").write_text(POLICY.replace("effect: deny", "effect: ask"))
    assert run("test", "pay.test.yaml", "--policies", "other.yaml").exit_code == 0
    assert run("test", "pay.test.yaml", "--policies", "policies").exit_code == 1


def test_test_underlines_errors_in_its_files_and_runs_the_others(here: Path) -> None:
    (here / "policies" / "a.test.yaml").write_text(CASES.replace("effect: ask", "efect: ask"))
    (here / "policies" / "b.test.yaml").write_text(CASES)
    result = run("test")
    assert result.exit_code == 2
    assert "did you mean `effect`?" in result.output
    assert result.output.splitlines()[-1] == "2 cases: 1 passed, 1 failed"


def test_the_policies_that_come_along_are_clean() -> None:
    """But for notes about what may well be meant."""
    paths = [str(REPOSITORY / "policies" / name) for name in ("platform", "coding-agent")]
    result = run("lint", *paths, "--strict", "--format", "json", "--now", "2026-12-01T00:00:00Z")
    assert result.exit_code == 0
    found = json.loads(result.output)["diagnostics"]
    assert {each["severity"] for each in found} == {"note"}
    assert {each["code"] for each in found} == {"posture", "crowded-agent"}


# --- schema, demo ----------------------------------------------------------------------------------------------------


def test_the_schema_fits_the_policies_that_come_along() -> None:
    schema = json.loads(run("schema").output)
    assert json.loads(run("schema", "--format", "json").output) == schema
    validator = jsonschema.Draft202012Validator(schema)
    path = REPOSITORY / "cli" / "gatewayctl" / "starter" / "policy.yaml"
    assert [error.message for error in validator.iter_errors(yaml.safe_load(path.read_text()))] == []
    assert list(validator.iter_errors({"version": 1, "rulez": []}))


def test_demo_decides_and_explains_without_any_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("demo")
    assert result.exit_code == 0
    table = [
        line.split()
        for line in result.output.splitlines()
        if line.startswith(("clerk ", "guest ", "at-night "))
    ]
    assert len(table) >= 10
    for words in ("allow", "ask", "deny"):
        assert any(words in row for row in table)
    assert "DENY  RULE  `pay_invoice` does not run" in result.output
    assert "args.amount (1500) > 1000" in result.output
    assert "clerk.yaml" not in result.output, "a command with a file that is not there"
    value = json.loads(run("demo", "--format", "json").output)
    codes = [each["code"] for each in value["decisions"]]
    assert codes == [
        "ALLOWED",
        "ALLOWED",
        "ALLOWED",
        "CONFIRM",
        "NOBODY_TO_ASK",
        "PERMISSION_DENIED",
        "ARGUMENT_INVALID",
        "ALLOWED",
        "RESOURCE_PERMISSION_DENIED",
        "TOOL_NOT_BOUND",
        "ALLOWED",
        "PATTERN",
        "PATTERN",
        "RULE",
    ]
    assert value["explained"]["rule"] == "large-payment"


def test_the_demo_policy_is_clean() -> None:
    assert (
        run("lint", "--strict", str(REPOSITORY / "cli" / "gatewayctl" / "demo" / "policy.yaml")).exit_code
        == 0
    )


def test_sensitive_arguments_are_shown_by_no_command(here: Path) -> None:
    tool = "  - {name: login, risk: HIGH, permissions: [], parameters: {type: object, properties: {word: {type: string, x-sensitive: true}}}}\n"
    (here / "policies" / "policy.yaml").write_text(
        POLICY.replace("tools: [search,", "tools: [login, search,").replace("arguments:", f"{tool}arguments:")
    )
    for command in ("check", "explain"):
        for form in ("text", "json"):
            result = run(
                command, "login", '{"word": "Tr0ub4dor"}', "--session", "clerk.yaml", "--format", form
            )
            assert "CONFIRM" in result.output
            assert "Tr0ub4dor" not in result.output


def test_an_error_of_loading_has_no_page_and_explain_says_so() -> None:
    result = run("explain", "cel-name")
    assert result.exit_code == 2
    assert "`cel-name` has no page" in result.output
    assert "its message and help say all" in result.output


def test_a_rule_of_the_policy_is_shown_and_no_error_of_loading(here: Path) -> None:
    policy = here / "policies" / "policy.yaml"
    lines = policy.read_text().splitlines()
    (line,) = [number for number, text in enumerate(lines, 1) if "id: large" in text]
    for where in ((), ("--policies", "policies")):
        result = run("explain", "large", *where)
        assert result.exit_code == 0
        first, *rest = result.stdout.splitlines()
        assert first == "`large` is a rule of the policy"
        shown = dict(each.strip().split(": ", 1) for each in rest)
        assert shown["stands at"].strip().startswith(f"policies/policy.yaml:{line}:")
        assert "`pay`" in shown["is about"]
        assert shown["effect"].strip() == "deny"
    (part,) = json.loads(run("explain", "large", "--format", "json").stdout)["parts"]
    assert (part["kind"], part["id"], part["keys"]["effect"]) == ("rule", "large", "deny")
    missed = run("explain", "largee")
    assert (missed.exit_code, "did you mean `large` of the policy?" in missed.stderr) == (2, True)


@pytest.mark.parametrize(
    ("section", "entry", "noun", "said"),
    [
        ("limits", "{id: some, tools: [pay], per: session, rate: 3/h}", "a limit", "rate:         3/h"),
        ("results", "{id: some, tools: [pay], redact: [{field: x}]}", "a result", "redact:       [{field: x}]"),
        ("invariants", "{id: some, tools: [pay], always: decision.effect != 'deny'}", "an invariant", "always:       "),
    ],
)  # fmt: skip
def test_whatever_has_an_id_in_the_policy_is_shown(
    here: Path, section: str, entry: str, noun: str, said: str
) -> None:
    policy = here / "policies" / "policy.yaml"
    (here / "policies" / "more.yaml").write_text(f"version: 1\n{section}: [{entry}]\n")
    assert policy.exists()
    result = run("explain", "some")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"`some` is {noun} of the policy\n  stands at:    policies/more.yaml:2:")
    assert f"  {said}" in result.stdout


def test_codes_and_checks_can_be_listed_without_knowing_one() -> None:
    result = run("explain")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    for name in (*Code.__members__, *map(check_id, CHECKS), "second-opinion"):
        (line,) = [line for line in lines if line.split()[:1] == [name]]
        assert line.endswith(".")
        assert len(line.split()) > 3
    listed = json.loads(run("explain", "--format", "json").output)
    assert sorted(listed["codes"]) == sorted(Code.__members__)
    assert set(map(check_id, CHECKS)) < set(listed["checks"])
    assert run("explain", "--plan").exit_code == 2


@pytest.mark.parametrize("name", ["nosuch", "NO_SUCH", "cel-unheard-of", "zzz"])
def test_an_unknown_name_is_told_where_the_known_ones_are_listed(name: str) -> None:
    assert "`gatewayctl explain` lists the codes and the checks" in run("explain", name).stderr


def test_a_code_in_lower_case_is_meant() -> None:
    assert "did you mean `RULE`?" in run("explain", "rule").stderr
