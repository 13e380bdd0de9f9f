"""Mutation: each part of a policy is changed, and the cases that reach it are asked whether they notice."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.mutation import Survivors, mutants, survivors
from gateway.testing import load, load_cases, run_file
from tests.testing.world import write

ROOT = Path(__file__).parent.parent.parent / "policies"

POLICY = """
version: 1
settings: {confirm_from: MEDIUM, packs: [core]}
agents: [{name: clerk, tools: [pay_a, pay_b, "read_*"], tenants: [acme], max_steps: 3}]
tools:
  - {name: pay_a, risk: HIGH, permissions: ["pay:see", "pay:do"], parameters: {type: object, required: [n], properties: {n: {type: integer}}}}
  - {name: pay_b, risk: HIGH, permissions: [], resource_permissions: ["till:{args.till}"], requires: [box], channels: [internal], parameters: {type: object, required: [n, till], properties: {n: {type: integer}, till: {type: string}}}}
  - {name: read_a, risk: LOW, permissions: [], parameters: {type: object, required: [q, who], properties: {q: {type: string}, who: {type: string}}}}
  - {name: read_b, risk: READ_ONLY, permissions: [], enabled: false, parameters: {type: object, properties: {}}}
arguments: [{id: whose, tools: [read_a], when: session.channel == "internal", otherwise: deny, set: {who: subject.id}}]
rules:
  - {id: large, tools: [pay_a], when: args.n > 10, unless: '"boss" in subject.roles', effect: deny}
  - {id: second, tools: ["pay_*"], tenants: [acme], effect: ask, approval: {by: [boss], not_self: true}}
  - {id: free, tools: [read_a], when: args.q == "free", effect: allow, lifts: [watched]}
  - {id: watched, tools: [read_a], effect: ask, monitor: true, until: 2027-01-31}
limits: [{id: slow, tools: [read_a], per: subject, rate: 2/h}]
results: [{id: hide, tools: [read_a], redact: [{field: "**.pin"}, {field: "**.code"}]}]
overrides: [{tenant: acme, tools: [read_a], risk: MEDIUM}]
"""

IDS = """
settings/confirm_from:LOW
agent/clerk/tools/-pay_a agent/clerk/tools/-pay_b agent/clerk/tools/-read_*
agent/clerk/tenants:* agent/clerk/tenants/-acme agent/clerk/max_steps/remove
tool/pay_a/risk:LOW tool/pay_a/permissions/-pay:see tool/pay_a/permissions/-pay:do
tool/pay_b/risk:LOW tool/pay_b/resource_permissions/-till:{args.till} tool/pay_b/channels/remove tool/pay_b/requires/-box
tool/read_a/risk:READ_ONLY
tool/read_b/enabled/remove
arguments/whose/remove arguments/whose/when/remove arguments/whose/when/negate-1 arguments/whose/otherwise/remove
rule/large/effect:ask rule/large/remove
rule/large/when/remove rule/large/when/negate-1 rule/large/when/bound-1:>= rule/large/when/moved-1
rule/large/unless/remove rule/large/unless/negate-1 rule/large/tools/pay_a:pay_*
rule/second/effect:allow rule/second/remove rule/second/tools/pay_*:*
rule/second/approval/by/remove rule/second/approval/not_self/remove
rule/free/remove rule/free/when/remove rule/free/when/negate-1 rule/free/lifts/-watched
rule/watched/effect:allow rule/watched/remove
rule/watched/monitor/remove rule/watched/until/remove
limit/slow/remove limit/slow/rate:+1 limit/slow/rate:-1
result/hide/remove result/hide/redact/-field:**.pin result/hide/redact/-field:**.code
override/acme/read_a/remove
"""

SESSIONS = """
version: 1
now: 2026-12-01T10:00:00Z
sessions:
  clerk: {id: s, tenant: acme, agent: clerk, channel: internal, can_ask: true, capabilities: [box], subject: {id: u, tenant: acme, authenticated: true, permissions: ["pay:see", "pay:do", "till:one"], roles: []}}
calls:
  pay: {tool: pay_a, arguments: {n: 1}}
  read: {tool: read_a, arguments: {q: a, who: b}}
"""


def tried(
    folder: Path, cases: str, policy: str = POLICY, rule: str | None = None, *, searched: int = 0
) -> Survivors:
    path = write(folder, cases, policy, SESSIONS)
    report = run_file(path)
    assert [case.text for case in report.failed] == []
    every = [case.case for case in report.cases]
    return survivors(every[0].loaded, every, report.equivalent, rule=rule, searched=searched)


def names(found: Survivors) -> list[str]:
    return [one.mutant.id for one in found.survived]


def test_every_part_is_changed_in_every_way(tmp_path: Path) -> None:
    path = write(tmp_path, "- {name: a, session: clerk, call: read, expect: {effect: ask}}", POLICY, SESSIONS)
    found = [one.id for one in mutants(load(path.parent))]
    assert sorted(found) == sorted(IDS.split())
    assert len(set(found)) == len(found)


CLERK = "session: clerk, call: pay, expect"


@pytest.mark.parametrize(
    ("case", "noticed"),
    [
        ("call: {tool: pay_a, arguments: {n: 11}}, expect: {effect: deny}", {"effect:ask", "remove", "when/negate-1", "when/moved-1", "unless/negate-1"}),
        ("call: {tool: pay_a, arguments: {n: 10}}, expect: {effect: ask}", {"when/remove", "when/negate-1", "when/bound-1:>="}),
        ("call: {tool: pay_b, arguments: {n: 11, till: one}}, expect: {effect: ask}", {"tools/pay_a:pay_*"}),
        ("call: read, expect: {effect: ask}", set()),
    ],
)  # fmt: skip
def test_a_case_notices_what_changes_its_answer(tmp_path: Path, case: str, noticed: set[str]) -> None:
    found = tried(tmp_path, f"- {{name: a, session: clerk, {case}}}", rule="large")
    every = {name.removeprefix("rule/large/") for name in IDS.split() if name.startswith("rule/large/")}
    assert {name.removeprefix("rule/large/") for name in names(found)} == every - noticed
    assert (found.tried, found.noticed) == (len(every), len(noticed))


def test_examples_of_a_rule_notice_changes_of_its_condition(tmp_path: Path) -> None:
    shown = POLICY.replace(
        "effect: deny}\n  - {id: second",
        "effect: deny, examples: {match: [{args: {n: 11}}], no_match: [{args: {n: 10}}]}}\n  - {id: second",
    )
    found = tried(tmp_path, "- {name: a, session: clerk, call: read, expect: {effect: ask}}", shown, "large")
    assert names(found) == [
        "rule/large/effect:ask",
        "rule/large/remove",
        "rule/large/unless/remove",
        "rule/large/tools/pay_a:pay_*",
    ]


def test_only_cases_that_reach_a_change_are_asked(tmp_path: Path) -> None:
    found = tried(
        tmp_path,
        """
        - {name: a, session: clerk, call: read, expect: {effect: ask}}
        - {name: b, session: clerk, call: pay, expect: {effect: ask}}
        - {name: c, session: clerk, list: {visible: [pay_a]}}
        """,
        rule="large",
    )
    assert {one.mutant.id: one.reached for one in found.survived}["rule/large/effect:ask"] == 2


def test_the_case_that_is_proposed_passes_and_notices(tmp_path: Path) -> None:
    """Every proposal is pasted into the file; then each mutant that had one is noticed, and each case passes."""
    start = "- {name: a, session: clerk, call: read, expect: {effect: ask}}"
    before = tried(tmp_path, start, searched=100)
    proposed = {one.mutant.id: one.case for one in before.survived if one.case is not None}
    after = tried(tmp_path, "\n".join([start, *proposed.values()]))
    left = {one.mutant.id for one in after.survived}
    assert left == set(names(before)) - proposed.keys()
    # The override has its own risk for the one tenant that there is: what is declared shows to nobody.
    assert sorted(left) == ["settings/confirm_from:LOW", "tool/read_a/risk:READ_ONLY"]
    assert len(proposed) > 30


def test_every_change_of_a_condition_that_reads_the_result_has_a_case(tmp_path: Path) -> None:
    """Only leaving out the whole condition had one: the others have the text that they were made of."""
    policy = """
version: 1
agents: [{name: clerk, tools: [read_a], tenants: [acme]}]
tools: [{name: read_a, risk: READ_ONLY, permissions: []}]
results: [{id: big, tools: [read_a], when: "has(result.k) && result.k > 5", redact: [{field: pin}]}]
"""
    start = "- {name: a, session: clerk, call: {tool: read_a, arguments: {}}, expect: {effect: allow}}"
    before = tried(tmp_path, start, policy, "big", searched=20)
    changes = (
        "remove when/remove when/drop-1 when/drop-2 when/negate-1 when/negate-2 when/bound-1:>= when/moved-1"
    )
    assert [name.removeprefix("result/big/") for name in names(before)] == changes.split()
    proposed = [one.case for one in before.survived if one.case is not None]
    assert names(tried(tmp_path, "\n".join([start, *proposed]), policy, "big")) == []


def test_an_entry_about_a_wrapped_tool_is_reached_by_the_result_of_the_tool_that_wraps_it(
    tmp_path: Path,
) -> None:
    policy = """
version: 1
agents: [{name: clerk, tools: [read_a, wrap], tenants: [acme]}]
tools:
  - {name: read_a, risk: READ_ONLY, permissions: []}
  - {name: wrap, risk: LOW, permissions: [], wraps: {tool: args.tool, arguments: args.input}, parameters: {type: object, required: [tool, input], properties: {tool: {type: string}, input: {type: object}}}}
results: [{id: hide, tools: [read_a], redact: [{field: pin}]}]
"""
    call = "call: {tool: wrap, arguments: {tool: read_a, input: {}}}"
    case = f"- {{name: a, session: clerk, {call}, result: {{pin: x}}, review: {{redacted: [hide]}}}}"
    assert names(tried(tmp_path, case, policy, "hide")) == []


def test_a_character_that_nobody_sees_is_written_out(tmp_path: Path) -> None:
    policy = POLICY.replace('args.q == "free"', 'args.q == "a\\u200bb"')
    found = tried(
        tmp_path,
        "- {name: a, session: clerk, call: pay, expect: {effect: ask}}",
        policy,
        "free",
        searched=9,
    )
    shown = [one.case for one in found.survived if one.mutant.id == "rule/free/remove"]
    assert shown[0] is not None
    assert 'q: "a\\u200bb"' in shown[0]


def test_the_same_is_found_in_every_run(tmp_path: Path) -> None:
    start = "- {name: a, session: clerk, call: read, expect: {effect: ask}}"
    one, two = (tried(tmp_path, start, rule="large", searched=3) for _ in range(2))
    assert [(each.mutant.id, each.case) for each in one.survived] == [
        (each.mutant.id, each.case) for each in two.survived
    ]


def test_a_mark_with_a_reason_stands_for_a_case(tmp_path: Path) -> None:
    path = write(tmp_path, "- {name: a, session: clerk, call: read, expect: {effect: ask}}", POLICY, SESSIONS)
    marks = (
        "equivalent:\n"
        "  - {mutant: rule/large/remove, reason: nobody calls it}\n"
        "  - {mutant: override/acme/read_a/remove, reason: wrong}\n"
        "  - {mutant: rule/larg/remove, reason: a typo}\n"
    )
    path.write_text(path.read_text() + marks)
    report = run_file(path)
    every = [case.case for case in report.cases]
    found = survivors(every[0].loaded, every, report.equivalent, searched=0)
    assert "rule/large/remove" not in names(found)
    assert found.equivalent == 1
    assert [(one.code, one.message, one.span.text if one.span else "") for one in found.unused] == [
        (
            "unused-mark",
            "the mark of `override/acme/read_a/remove` is of no use: a case notices it",
            "override/acme/read_a/remove",
        ),
        (
            "unused-mark",
            "the mark of `rule/larg/remove` is of no use: there is no such mutant",
            "rule/larg/remove",
        ),
    ]
    assert survivors(every[0].loaded, every, report.equivalent, rule="large").unused == ()


def test_what_is_changed_is_not_the_policy_itself(tmp_path: Path) -> None:
    cases = "- {name: a, session: clerk, call: {tool: pay_a, arguments: {n: 11}}, expect: {effect: deny}}"
    path = write(tmp_path, cases, POLICY, SESSIONS)
    (case,) = load_cases(path)
    survivors(case.loaded, [case], searched=0)
    case.check()


def test_a_limit_on_how_many_are_tried(tmp_path: Path) -> None:
    path = write(tmp_path, "- {name: a, session: clerk, call: read, expect: {effect: ask}}", POLICY, SESSIONS)
    (case,) = load_cases(path)
    assert survivors(case.loaded, [case], limit=3, searched=0).tried == 3


def test_a_tool_that_nobody_can_call_is_not_changed_further(tmp_path: Path) -> None:
    policy = POLICY.replace("enabled: false", "enabled: false, requires: [box], channels: [internal]")
    path = write(tmp_path, "- {name: a, session: clerk, call: read, expect: {effect: ask}}", policy, SESSIONS)
    found = [one.id for one in mutants(load(path.parent)) if one.id.startswith("tool/read_b/")]
    assert found == ["tool/read_b/enabled/remove"]


@pytest.mark.parametrize("folder", sorted(ROOT.iterdir()), ids=lambda folder: folder.name)
def test_every_change_of_the_policies_that_come_along_is_noticed(folder: Path) -> None:
    files = sorted(folder.glob("*.test.yaml"))
    loaded = load(folder)
    reports = [run_file(file, loaded=loaded) for file in files]
    cases = [case.case for report in reports for case in report.cases]
    found = survivors(loaded, cases, [mark for report in reports for mark in report.equivalent])
    assert names(found) == []
    assert found.unused == ()
    assert found.tried > 30
