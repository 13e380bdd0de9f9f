"""Coverage: what of a policy its cases reach, seen by watching the decisions that the cases are about."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from gateway.decision import Decision
from gateway.results.review import Review
from gateway.testing import load_cases
from gateway.testing.compare import ask
from gateway.testing.coverage import Coverage, coverage
from gateway.testing.watcher import Watcher
from tests.testing.world import write

ROOT = Path(__file__).parent.parent.parent / "policies"

POLICY = """
version: 1
settings: {confirm_from: IRREVERSIBLE, packs: [git]}
agents: [{name: clerk, tools: [search, pay, own, run, wrap], tenants: [acme, beta]}]
tools:
  - {name: search, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [query], properties: {query: {type: string}}}}
  - {name: pay, risk: HIGH, permissions: ["pay:create", "pay:see"], resource_permissions: ["till:{args.till}"], parameters: {type: object, required: [amount, till], properties: {amount: {type: integer}, till: {type: string}}}}
  - {name: own, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [user], properties: {user: {type: string}}}}
  - {name: run, risk: HIGH, permissions: [], parameters: {type: object, required: [command], properties: {command: {type: string}}}, inspect: {command: shell}, read_only_when: "!inspect.command.writes"}
  - {name: wrap, risk: LOW, permissions: [], wraps: {tool: args.tool, arguments: args.input}, parameters: {type: object, required: [tool, input], properties: {tool: {type: string}, input: {type: object, additionalProperties: true}}}}
  - {name: purge, risk: IRREVERSIBLE, permissions: ["purge:all"], enabled: false}
arguments: [{id: whose, tools: [own], when: session.channel == "internal", set: {user: subject.id}}]
rules:
  - {id: large, tools: [pay], when: 'args.amount > 1000 || args.till == "safe"', unless: '"boss" in subject.roles', effect: deny}
  - {id: abroad, tools: [search], tenants: [beta], effect: deny}
  - {id: always, tools: [own], effect: ask}
limits: [{id: slow, tools: [search], per: subject, rate: 2/h}]
results: [{id: hide, tools: [search], redact: [{field: "**.password"}, {field: "**.pin"}]}]
overrides: [{tenant: beta, tools: [search], risk: HIGH}]
"""

SESSIONS = """
version: 1
sessions:
  clerk: {id: s, tenant: acme, agent: clerk, channel: internal, can_ask: true, subject: {id: u, tenant: acme, authenticated: true, permissions: ["pay:create", "pay:see", "till:one", "till:safe"], roles: []}}
  boss: {like: clerk, subject: {roles: [boss]}}
  poor: {like: clerk, subject: {permissions: ["pay:see"]}}
  outside: {like: clerk, channel: external}
  beta: {like: clerk, tenant: beta, subject: {tenant: beta}}
calls:
  find: {tool: search, arguments: {query: tea}}
  small: {tool: pay, arguments: {amount: 5, till: one}}
"""


def covered(folder: Path, cases: str, policy: str = POLICY) -> Coverage:
    loaded = load_cases(write(folder, cases, policy, SESSIONS))
    return coverage(loaded[0].loaded, loaded)


def seen(found: Coverage, kind: str, name: str) -> list[str]:
    return [one.what for one in found.covered if (one.kind, one.name) == (kind, name)]


def missing(found: Coverage, kind: str, name: str) -> list[str]:
    return [one.what for one in found.gaps if (one.kind, one.name) == (kind, name)]


@pytest.mark.parametrize(
    ("case", "reached"),
    [
        ("session: clerk, call: small", ["not matched", '`args.till == "safe"` false', "`args.amount > 1000` false"]),
        ("session: clerk, call: {like: small, arguments: {amount: 1001}}", ["matched", "`args.amount > 1000` true", '`"boss" in subject.roles` false']),
        ("session: clerk, call: {like: small, arguments: {till: safe}}", ["matched", "`args.amount > 1000` false", '`args.till == "safe"` true', '`"boss" in subject.roles` false']),
        ("session: boss, call: {like: small, arguments: {amount: 1001}}", ["not matched", "`args.amount > 1000` true", '`"boss" in subject.roles` true']),
        ("session: poor, call: small", []),
        ("session: clerk, call: find", []),
    ],
)  # fmt: skip
def test_a_rule_and_each_part_of_its_conditions_are_seen_as_they_are_evaluated(
    tmp_path: Path, case: str, reached: list[str]
) -> None:
    """What `||` does not come to is not seen: it is the same evaluation that decides."""
    found = covered(tmp_path, f"- {{name: a, {case}, expect: {{effect: deny}}}}")
    assert sorted(seen(found, "rules", "large")) == sorted(reached)
    assert len(seen(found, "rules", "large")) + len(missing(found, "rules", "large")) == 8


@pytest.mark.parametrize(
    ("case", "kind", "name", "reached", "lacking"),
    [
        ("session: clerk, call: find, expect: {effect: allow}", "tools", "search", ["called", "let through"], ["refused"]),
        ("session: poor, call: small, expect: {effect: deny}", "tools", "pay", ["called", "refused"], ["let through"]),
        ("session: poor, list: {hidden: {pay: permissions}}", "tools", "pay", ["refused"], ["called", "let through"]),
        ("session: poor, list: {hidden: {pay: permissions}}", "tools", "search", [], ["called", "let through", "refused"]),
        ("session: clerk, call: {tool: purge}, expect: {effect: deny}", "tools", "purge", ["called", "refused"], []),
        ("session: clerk, call: {tool: wrap, arguments: {tool: search, input: {query: a}}}, expect: {effect: allow}", "tools", "search", ["called", "let through"], ["refused"]),
        ("session: poor, call: small, expect: {effect: deny}", "permissions", "pay:create", ["lacked"], ["held"]),
        ("session: poor, call: small, expect: {effect: deny}", "permissions", "pay:see", [], ["held", "lacked"]),
        ("session: clerk, call: small, expect: {effect: deny}", "permissions", "pay:see", ["held"], ["lacked"]),
        ("session: clerk, call: small, expect: {effect: deny}", "permissions", "till:{args.till}", ["held"], ["lacked"]),
        ("session: clerk, call: {like: small, arguments: {till: two}}, expect: {effect: deny}", "permissions", "till:{args.till}", ["lacked"], ["held"]),
        ("session: clerk, list: {visible: [pay]}", "permissions", "pay:create", ["held"], ["lacked"]),
        ("session: clerk, call: {tool: own, arguments: {user: x}}, expect: {effect: ask}", "arguments", "whose", ["set"], ["left alone"]),
        ("session: outside, call: {tool: own, arguments: {user: x}}, expect: {effect: ask}", "arguments", "whose", ["left alone"], ["set"]),
        ("session: clerk, call: find, expect: {effect: allow}", "limits", "slow", ["applied"], ["reached"]),
        ("session: clerk, call: find, repeated: 3, expect: {effect: deny}", "limits", "slow", ["applied", "reached"], []),
        ("session: clerk, call: find, result: {password: x}, review: {redacted: [hide]}", "results", "hide", ["`field **.password` blanked out"], ["`field **.pin` blanked out", "left alone"]),
        ("session: clerk, call: find, result: {a: x}, review: {redacted: []}", "results", "hide", ["left alone"], ["`field **.password` blanked out", "`field **.pin` blanked out"]),
        ("session: beta, call: find, expect: {effect: deny}", "rules", "abroad", ["matched"], ["not matched"]),
        ("session: clerk, call: find, expect: {effect: allow}", "rules", "abroad", ["not matched"], ["matched"]),
        ("session: beta, list: {hidden: {search: rule}}", "rules", "abroad", ["matched"], ["not matched"]),
        ("session: clerk, call: {tool: own, arguments: {user: x}}, expect: {effect: ask}", "rules", "always", ["matched"], []),
        ("session: clerk, call: {tool: run, arguments: {command: git push --force}}, expect: {effect: deny}", "patterns", "git.push.force", ["matched"], []),
    ],
)  # fmt: skip
def test_each_kind_of_part_is_seen(
    tmp_path: Path, case: str, kind: str, name: str, reached: list[str], lacking: list[str]
) -> None:
    found = covered(tmp_path, f"- {{name: a, {case}}}")
    assert (seen(found, kind, name), missing(found, kind, name)) == (reached, lacking)


def test_an_override_is_in_force_for_its_tenants_calls(tmp_path: Path) -> None:
    other = covered(tmp_path, "- {name: a, session: clerk, call: find, expect: {effect: allow}}")
    own = covered(tmp_path, "- {name: a, session: beta, call: find, expect: {effect: deny}}")
    assert (other.count("overrides"), own.count("overrides")) == ((0, 1), (1, 1))


def test_examples_in_rules_count(tmp_path: Path) -> None:
    case = "- {name: a, session: clerk, call: find, expect: {effect: allow}}"
    shown = POLICY.replace(
        "effect: deny}\n  - {id: abroad",
        "effect: deny, examples: {match: [{args: {amount: 2000, till: one}}], no_match: [{args: {amount: 1, till: one}}]}}"
        "\n  - {id: abroad",
    )
    assert seen(covered(tmp_path, case), "rules", "large") == []
    assert seen(covered(tmp_path, case, shown), "rules", "large")[:2] == ["matched", "not matched"]


def test_an_error_is_told_apart_and_is_no_match(tmp_path: Path) -> None:
    policy = POLICY.replace("'args.amount > 1000 ||", "'1000 / args.amount > 1000 ||")
    case = "- {name: a, session: clerk, call: {like: small, arguments: {amount: 0}}, expect: {effect: deny}}"
    found = covered(tmp_path, case, policy)
    assert found.errors == {"large": 1}
    assert "matched" in missing(found, "rules", "large")
    assert "`1000 / args.amount > 1000` true" in missing(found, "rules", "large")


CHOOSY = """
version: 1
agents: [{name: clerk, tools: ["*"], tenants: [acme, beta]}]
tools:
  - {name: search, risk: READ_ONLY, permissions: []}
  - {name: wipe, risk: HIGH, permissions: []}
results:
  - {id: dear, tools: ["*"], risk: ">=HIGH", redact: [{field: pin}]}
  - {id: theirs, tools: [search], tenants: [beta], redact: [{field: pin}]}
  - {id: big, tools: [search], when: "result.n > 5 && result.kind == 'a'", redact: [{field: pin}]}
"""


@pytest.mark.parametrize(
    ("case", "reached"),
    [
        ("result: {z: 1}, review: {withheld: true}", []),
        ("result: {n: 1, kind: a}, review: {redacted: []}", ["theirs: left alone", "big: left alone", "big: `result.n > 5` false"]),
        ("result: {n: 9, kind: a}, review: {redacted: []}", ["theirs: left alone", "big: `result.n > 5` true", "big: `result.kind == 'a'` true"]),
        ("result: {n: 9, kind: a, pin: x}, review: {redacted: [big]}", ["theirs: left alone", "big: `field pin` blanked out", "big: `result.n > 5` true", "big: `result.kind == 'a'` true"]),
    ],
)  # fmt: skip
def test_an_entry_is_seen_only_where_it_was_asked(tmp_path: Path, case: str, reached: list[str]) -> None:
    """Every entry whose `tools` fit counted as left alone, whatever its risk, and though nothing was shown."""
    session = "session: clerk, call: {tool: search, arguments: {}}"
    found = covered(tmp_path, f"- {{name: a, {session}, {case}}}", CHOOSY)
    assert [f"{one.name}: {one.what}" for one in found.covered if one.kind == "results"] == reached
    assert found.errors == ({"big": 1} if not reached else {})
    assert ("called" in seen(found, "tools", "search")) is bool(reached)


def test_patterns_are_no_part_of_the_percentage(tmp_path: Path) -> None:
    found = covered(tmp_path, "- {name: a, session: clerk, call: find, expect: {effect: allow}}")
    every = [one for one in (*found.covered, *found.gaps) if one.kind != "patterns"]
    assert found.count() == (len([one for one in found.covered if one.kind != "patterns"]), len(every))
    assert found.count("patterns")[1] > 5
    assert round(found.percent) == round(100 * found.count()[0] / len(every))


def test_a_gap_says_where_and_what_case_would_close_it(tmp_path: Path) -> None:
    found = covered(tmp_path, "- {name: a, session: clerk, call: find, expect: {effect: allow}}")
    gap = next(one for one in found.gaps if one.name == "large")
    assert gap.place.endswith("policy.yaml:14:10")
    assert gap.hint == (
        'add a case that calls `pay` where `args.amount > 1000 || args.till == "safe"` and not `"boss" in subject.roles`'
    )
    assert next(one for one in found.gaps if one.name == "slow").hint == (
        "add a case that calls `search` with `repeated: 3`"
    )


@pytest.mark.parametrize("folder", sorted(ROOT.iterdir()), ids=lambda folder: folder.name)
def test_watching_changes_no_decision(folder: Path) -> None:
    """The same plan with an observer, never a second evaluator."""
    for case in load_cases(folder):
        plain, watched = ask(case, case.loaded.gateway), ask(case, case.loaded.gateway, Watcher())
        if isinstance(plain, Decision) and isinstance(watched, Decision):
            known = ("effect", "code", "rule", "message", "detail", "arguments", "errors", "context")
            assert [getattr(plain, key) for key in known] == [getattr(watched, key) for key in known], case
            assert plain.findings == watched.findings
            assert plain.monitored == watched.monitored
        if isinstance(plain, Review):
            case.loaded.clock.now = case.now
            same = case.loaded.gateway.watched_review(case.call or {}, case.session, case.result, Watcher())
            case.loaded.clock.now = None
            for key in ("code", "result", "redacted", "findings", "message", "detail"):
                assert getattr(plain, key) == getattr(same, key), case


def test_all_rules_of_the_policies_that_come_along_are_covered() -> None:
    for folder in sorted(ROOT.iterdir()):
        cases = load_cases(folder)
        found = coverage(cases[0].loaded, cases)
        gaps = [f"{one.name}: {one.what}" for one in found.gaps if one.counts]
        assert gaps == [], textwrap.indent("\n".join(gaps), folder.name)
