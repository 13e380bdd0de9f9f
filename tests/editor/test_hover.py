"""What an editor says about what stands under the cursor."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editor.conversation import Editor, covered, pointed
from tests.editor.policy import POLICY, TESTS


def said(editor: Editor, path: Path, text: str) -> str:
    text, position = pointed(text)
    editor.open(path, text)
    answer = editor.at("hover", path, position)
    return "" if answer is None else str(answer["contents"]["value"])


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        # keys, from the schema
        ("    effect: ask", "    ef^fect: ask", ["**effect**", "`deny`", "`respond`"]),
        ("settings:", "set^tings:", ["What holds for the whole gateway"]),
        ("type: integer", "ty^pe: integer", ["What kind of value it is."]),
        # names
        (
            "tools: [pay_invoice]\n    when: args",
            "tools: [pay^_invoice]\n    when: args",
            ["**pay_invoice**: Pay invoice"],
        ),
        ('tools: ["pay_*", look_up]', 'tools: ["pa^y_*", look_up]', ["2 tools", "`pay_invoice`, `pay_list`"]),
        (
            "lifts: [large-payment]",
            "lifts: [large^-payment]",
            ["**large-payment** (ask)", "args.amount > 1000"],
        ),
        (
            "lifts: [large-payment]",
            "lifts: [git.push^.force]",
            ["**git.push.force**", "pack `git`", "Instead:"],
        ),
        ("  - id: large-payment", "  - id: large^-payment", ["tools: `pay_invoice`"]),
        ("  staff: [", "  st^aff: [", ["`lists.staff`, 1 value: `@example.com`"]),
        ("- {name: assistant", "- {name: assis^tant", ["may use 3 tools"]),
        ('permissions: ["pay:create"]', 'permissions: ["pay:^create"]', ["is needed for `pay_invoice`"]),
        ("switches: {code: false}", "packs: [co^re]", ["**core**", "patterns"]),
        # conditions
        ("args.amount > 1000", "args.am^ount > 1000", ["args.amount: int", "How much is paid."]),
        ("args.amount > 1000", "ar^gs.amount > 1000", ["`way`: string, may be absent"]),
        (
            "roles.recipient.all(r,",
            "roles.recipient.a^ll(r,",
            ["list(A).all(name, bool) -> bool", "each element"],
        ),
        ("r.endsWith(s)", "r.ends^With(s)", ["string.endsWith(string) -> bool"]),
        ("r.endsWith(s)", "^r.endsWith(s)", ["r: string"]),
        ("lists.staff.exists", "lists.st^aff.exists", ["list(string)", "`@example.com`"]),
        ("size(session", "si^ze(session", ["size(string) -> int"]),
        ("session.facts.bases", "session.facts.ba^ses", ["session.facts.bases: list(string)"]),
        ("args.amount > 1000", "math.gr^eatest(args.amount, 1) > 1000", ["math.greatest"]),
    ],
)
def test_keys_names_and_conditions_are_told(
    editor: Editor, tmp_path: Path, old: str, new: str, expected: list[str]
) -> None:
    assert POLICY.count(old) >= 1
    text = said(editor, tmp_path / "policy.yaml", POLICY.replace(old, new, 1))
    for part in expected:
        assert part in text


def test_a_tool_is_told_with_what_defaults_give_it_and_what_differs_for_tenants(
    editor: Editor, tmp_path: Path
) -> None:
    overrides = (
        "overrides:\n  - {tenant: acme, tools: [pay_invoice], risk: IRREVERSIBLE, reason: Many mistakes.}\n"
    )
    old = "tools: [pay_invoice]\n    when: args"
    text = said(editor, tmp_path / "policy.yaml", POLICY.replace(old, old.replace("y_", "y^_")) + overrides)
    assert "risk: `HIGH`" in text
    assert "permissions: `pay:create`" in text
    assert "group: `money`" in text
    assert "From `defaults`: `group` (line 10)" in text
    assert "rules: `large-payment`, `staff-payment`" in text
    assert "`acme`: risk `IRREVERSIBLE`" in text


def test_of_a_policy_that_never_loaded_the_tool_is_told_as_it_is_written(
    editor: Editor, tmp_path: Path
) -> None:
    broken = POLICY.replace("effect: ask", "effect: asc")
    text = said(editor, tmp_path / "policy.yaml", broken.replace('"pay_*", look_up', '"pay_*", look^_up'))
    assert "as it is written" in text
    assert "READ_ONLY" in text


def test_what_was_known_when_the_policy_loaded_last_stays_while_it_is_broken(
    editor: Editor, tmp_path: Path
) -> None:
    path = tmp_path / "policy.yaml"
    editor.open(path, POLICY)
    text, position = pointed(
        POLICY.replace("[pay_invoice]\n    when: args.amount", "[pay^_invoice]\n    when: args.")
    )
    editor.type(path, text)
    assert "From `defaults`" in editor.at("hover", path, position)["contents"]["value"]


def test_codes_and_rules_are_told_in_tests(editor: Editor, tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(POLICY, encoding="utf-8")
    path = tmp_path / "policy.test.yaml"
    assert "A rule of the policy" in said(editor, path, TESTS.replace("code: RULE", "code: RU^LE"))
    assert "(ask)" in said(editor, path, TESTS.replace("rule: large", "rule: la^rge"))
    assert "Pay invoice" in said(editor, path, TESTS.replace("tool: pay_", "tool: pa^y_"))


def test_checks_are_told_where_they_are_named_and_where_they_find(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    named = POLICY.replace("  staff:", "  # gateway: ignore[unused^-list] soon\n  staff:")
    assert "**unused-list**" in said(editor, path, named)
    assert "Bad:" in said(editor, path, named)
    assert "**unused-list**" in said(editor, path, POLICY.replace("  staff:", "  no^body: [x]\n  staff:"))


def test_what_is_told_is_of_the_whole_name(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    text, position = pointed(POLICY.replace("args.amount > 1000", "'\"😀\" == args.t^o'"))
    editor.open(path, text)
    assert covered(text, editor.at("hover", path, position)["range"]) == "to"


@pytest.mark.parametrize("old", ["version: 1", "risk: HIGH", "args.amount > 1000"])
def test_where_nothing_is_known_nothing_is_told(editor: Editor, tmp_path: Path, old: str) -> None:
    assert said(editor, tmp_path / "policy.yaml", POLICY.replace(old, f"{old}^", 1)) == ""
