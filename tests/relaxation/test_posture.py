"""Posture: what is weak in a policy is what `diff` says against the strict form, with its place."""

from __future__ import annotations

from gateway.compile.posture import posture
from gateway.patterns import PACKS
from tests.relaxation.generated import side

POLICY = """version: 1
settings:
  confirm_from: HIGH
  packs: [core]
  switches: {a.b: true, c: false}
  unknown_tools: abstain
agents: [{name: clerk, tools: [purge], tenants: [acme]}]
tools: [{name: purge, risk: IRREVERSIBLE, permissions: []}, {name: read, risk: LOW, permissions: []}]
rules:
  - {id: endless, tools: ["*"], when: session.can_ask, effect: allow}
  - {id: trial, tools: [purge], when: session.dry_run, effect: deny, monitor: true}
  - {id: grant-later, tools: [purge], when: session.dry_run, effect: allow, monitor: true}
  - {id: ends, tools: [purge], when: session.dry_run, effect: allow, until: 2027-01-31}
  - {id: harmless, tools: [read], when: session.dry_run, effect: allow}
"""


def test_each_weakness_has_a_sentence_and_the_characters_that_say_so() -> None:
    made = side(POLICY)
    assert [(one.message, one.span.text) for one in posture(made.policy, made.compiled.declared)] == [
        ("calls below risk HIGH are not confirmed (`confirm_from`)", "confirm_from"),
        (f"pattern packs are off: {', '.join(PACKS[1:])} (`packs`)", "packs"),
        ("tools that the catalogue lacks are left to the host (`unknown_tools: abstain`)", "unknown_tools"),
        ("the switch `a.b` is on (`switches`)", "a.b"),
        ("the rule `trial` is only watched (`monitor`)", "trial"),
        ("the rule `endless` grants `purge` for ever (`until`)", "endless"),
    ]


def test_the_manifest_has_the_same_sentences() -> None:
    made = side(POLICY)
    messages = tuple(one.message for one in posture(made.policy, made.compiled.declared))
    assert made.compiled.summary["posture"] == messages
