"""The linter's checks: where each speaks, where it is silent, and that its page is true."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest

from gateway.checks import CHECKS, check_id, check_policy, severity_of
from gateway.compile import compile_policy
from gateway.diagnostic import Diagnostic, Severity
from gateway.guarded import guard_for
from gateway.load import load_policy, load_text
from gateway.policy import Policy

DATA = Path(__file__).parent.parent / "data" / "checks"
REPOSITORY = Path(__file__).parent.parent.parent
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def found(policy: Policy, now: datetime = NOW) -> tuple[Diagnostic, ...]:
    return check_policy(policy, compile_policy(policy, guard_for(Path("policy.yaml"))), now)


def in_text(check: str, text: str, now: datetime = NOW) -> list[Diagnostic]:
    """What one check finds; the others have tests of their own."""
    return [diagnostic for diagnostic in found(load_text(text), now) if diagnostic.code == check]


def underlined(diagnostics: Iterable[Diagnostic]) -> list[str]:
    return [diagnostic.span.text for diagnostic in diagnostics if diagnostic.span is not None]


def test_each_check_speaks_once_where_everything_is_wrong() -> None:
    path = DATA / "everything.yaml"
    expected = [
        (number, match[1], match[2])
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if (match := re.search(r"# finds: ([a-z-]+) in (.+)", line)) is not None
    ]
    diagnostics = found(load_policy(path))
    assert [(d.span.line, d.code, d.span.text) for d in diagnostics if d.span is not None] == expected
    assert sorted(code for _, code, _ in expected) == sorted(map(check_id, CHECKS))


def test_findings_are_warnings_but_for_notes_about_what_may_well_be_meant() -> None:
    notes = {check_id(module) for module in CHECKS if severity_of(module) is not Severity.WARNING}
    assert notes == {"posture", "crowded-agent"}
    diagnostics = found(load_policy(DATA / "everything.yaml"))
    assert {d.code for d in diagnostics if d.severity is Severity.NOTE} == notes
    assert {d.severity for d in diagnostics} == {Severity.WARNING, Severity.NOTE}


def test_no_check_speaks_where_all_is_well() -> None:
    assert found(load_policy(DATA / "clean.yaml")) == ()


@pytest.mark.parametrize("name", ["platform", "coding-agent"])
def test_the_policies_that_come_along_are_clean(name: str) -> None:
    notes = found(load_policy(REPOSITORY / "policies" / name))
    assert {d.code for d in notes if d.severity is not Severity.NOTE} == set()


def test_every_check_is_listed_and_has_a_page() -> None:
    folder = REPOSITORY / "gateway" / "checks"
    files = {path.stem for path in folder.glob("*.py")} - {"__init__", "conditions", "likeness", "shown"}
    assert {module.__name__.rpartition(".")[2] for module in CHECKS} == files
    for module in CHECKS:
        page = module.__doc__ or ""
        assert "\nBad" in page
        assert "\nGood" in page
        assert f"`# lint: allow {check_id(module)}`" in " ".join(page.split())


TOOLS = """
version: 1
settings: {confirm_from: HIGH, packs: []}
agents: [{name: clerk, tools: ["*"], tenants: [acme]}]
tools:
  - {name: form_create, risk: LOW, permissions: []}
  - {name: pay, risk: HIGH, permissions: [], parameters: {type: object, required: [amount, payee], properties: {amount: {type: integer}, payee: {type: string}}}}
  - {name: send_mail, risk: HIGH, permissions: [], parameters: {type: object, required: [to, internal], properties: {to: {type: string}, internal: {type: boolean}}}}
  - {name: write_note, risk: LOW, permissions: [], parameters: {type: object, properties: {folder: {type: string}}}}
"""


def examples(module: ModuleType) -> list[tuple[str, str]]:
    """The bad and the good example of a check's page."""
    parts = re.split(r"^(Bad|Good)", module.__doc__ or "", flags=re.MULTILINE)
    blocks = []
    for kind, text in zip(parts[1::2], parts[2::2], strict=True):
        lines = [line for line in text.splitlines() if line.startswith("    ")]
        blocks.append((kind, textwrap.dedent("\n".join(lines))))
    return blocks


def with_sections(text: str, others: str) -> str:
    """A policy in which some sections stand in place of its own."""
    sections: dict[str, str] = {}
    for part in re.split(r"^(?=[a-z])", f"{text}\n{others}\n", flags=re.MULTILINE):
        sections[part.partition(":")[0]] = part
    return "".join(sections.values())


@pytest.mark.parametrize(
    ("module", "kind", "text"),
    [
        pytest.param(module, kind, text, id=f"{check_id(module)}-{kind.lower()}")
        for module in CHECKS
        for kind, text in examples(module)
    ],
)
def test_the_examples_of_a_page_are_true(module: ModuleType, kind: str, text: str) -> None:
    lists = "lists: {payees: [NL01]}\n"
    assert bool(in_text(check_id(module), with_sections(f"{TOOLS}{lists}", text))) == (kind == "Bad")


# --- one by one --------------------------------------------------------------------------------------------------------


def test_an_unmatched_glob_may_stand_in_every_list() -> None:
    assert underlined(
        in_text(
            "unmatched-glob",
            TOOLS.replace('tools: ["*"]', 'tools: ["*", "!secret_*"]')
            + """
defaults: [{tools: ["x_*"], timeout: 5s}]
arguments: [{id: mine, tools: ["pay", "y_*"], set: {payee: subject.id}}]
rules:
  - {id: a, tools: [pay], tenants: ["b*"], agents: ["c*", "d*"], effect: allow}
""",
        )
    ) == ['"!secret_*"', '"x_*"', '"y_*"', '"b*"', '"d*"']


def test_a_star_alone_and_a_servers_tools_match() -> None:
    servers = 'servers: [{name: github, tools: ["get_*"]}]\n'
    text = 'rules: [{id: a, tools: ["*", "*/*", "github/*", "git*/get_*"], effect: allow}]\n'
    assert in_text("unmatched-glob", f"{TOOLS}{servers}{text}") == []
    other = 'rules: [{id: a, tools: ["gitlab/*"], effect: allow}]\n'
    assert underlined(in_text("unmatched-glob", f"{TOOLS}{servers}{other}")) == ['"gitlab/*"']


@pytest.mark.parametrize(
    "reader",
    [
        "rules: [{id: a, tools: [pay], when: args.payee in lists.known, effect: allow}]",
        "rules: [{id: a, tools: [pay], unless: args.payee in lists.known, effect: allow}]",
        "rules: [{id: a, tools: [pay], let: {fine: args.payee in lists.known}, when: fine, effect: allow}]",
        "arguments: [{id: a, tools: [pay], set: {payee: 'lists.known[0]'}}]",
        "rules: [{id: a, tools: [pay], when: 'args.payee in lists[\"known\"]', effect: allow}]",
    ],
)
def test_a_list_is_read_wherever_an_expression_stands(reader: str) -> None:
    assert in_text("unused-list", f"{TOOLS}lists: {{known: [NL01]}}\n{reader}\n") == []


@pytest.mark.parametrize(
    ("text", "underline"),
    [
        (
            "{id: a, tools: [write_note], when: '!has(args.folder) || args.folder == \"x\"', effect: allow}",
            True,
        ),
        (
            "{id: a, tools: [write_note], when: 'args.folder == \"x\" || !has(args.folder)', effect: allow}",
            True,
        ),
        (
            "{id: a, tools: [write_note], unless: '!has(args.folder) || args.folder == \"x\"', effect: deny, message: M}",
            True,
        ),
        (
            "{id: a, tools: [write_note], when: '!has(args.folder) || args.folder == \"x\"', effect: deny, message: M}",
            False,
        ),
        (
            "{id: a, tools: [write_note], when: '!has(args.folder) || args.folder == \"x\"', effect: ask, message: M}",
            False,
        ),
        (
            "{id: a, tools: [write_note], unless: '!has(args.folder) || args.folder == \"x\"', effect: allow}",
            False,
        ),
        ("{id: a, tools: [write_note], when: 'has(args.folder) || session.dry_run', effect: allow}", False),
    ],
)
def test_a_guard_is_open_where_being_true_loosens(text: str, underline: bool) -> None:
    spoken = underlined(in_text("open-guard", f"{TOOLS}rules:\n  - {text}\n"))
    assert spoken == (["!has(args.folder)"] if underline else [])


def test_a_deny_is_never_lifted() -> None:
    text = f"""{TOOLS}
rules:
  - {{id: closed, tools: [pay], when: args.amount > 1, effect: deny, message: Closed.}}
  - {{id: open, tools: [pay], when: args.amount > 2, effect: allow, lifts: [closed]}}
"""
    (diagnostic,) = in_text("idle-lift", text)
    assert diagnostic.message == "`closed` is a deny rule, and a deny is never lifted"
    assert [related.span.text for related in diagnostic.related] == ["closed"]


@pytest.mark.parametrize(
    ("comment", "silent"),
    [
        ("# lint: allow missing-message", True),
        ("# lint: allow idle-lift, missing-message", True),
        ("# lint: allow idle-lift", False),
        ("# missing-message", False),
    ],
)
def test_a_comment_silences_the_check_that_it_names(comment: str, silent: bool) -> None:
    entry = "{id: a, tools: [pay], when: args.amount > 1, effect: deny}"
    for text in (f"  - {entry} {comment}\n", f"  {comment}\n  - {entry}\n"):
        assert (in_text("missing-message", f"{TOOLS}rules:\n{text}") == []) is silent
