"""Where an editor leads from a name: to what has it, and to everywhere that it is used."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editor.conversation import Editor, covered, pointed
from tests.editor.policy import POLICY, TESTS


def led(editor: Editor, path: Path, text: str, method: str = "definition") -> list[tuple[str, int, str]]:
    """The files, the lines and the texts that a question leads to."""
    text, position = pointed(text)
    editor.open(path, text)
    more = {"context": {"includeDeclaration": True}} if method == "references" else {}
    found = editor.at(method, path, position, **more) or []
    texts = {each.as_uri(): own for each, own in editor.texts.items()}
    return [
        (Path(each["uri"]).name, each["range"]["start"]["line"], covered(texts[each["uri"]], each["range"]))
        for each in found
    ]


def line(text: str) -> int:
    return POLICY.count("\n", 0, POLICY.index(text))


@pytest.mark.parametrize(
    ("old", "new", "goal", "name"),
    [
        (
            "tools: [pay_invoice]\n    when",
            "tools: [pay^_invoice]\n    when",
            "- name: pay_invoice",
            "pay_invoice",
        ),
        ('"pay_*", look_up]', '"pay_*", look^_up]', "- {name: look_up", "look_up"),
        ("lifts: [large-payment]", "lifts: [large^-payment]", "- id: large-payment", "large-payment"),
        ("lists.staff.exists", "lists.st^aff.exists", "  staff:", "staff"),
        ("session.facts.bases", "session.facts.ba^ses", "session.facts: {bases", "bases"),
        ("args.amount > 1000", "args.am^ount > 1000", "amount: {type", "amount"),
        ("args.amount > 1000", "args.amount > 1000 && has(args.wa^y)", "way: {enum", "way"),
    ],
)
def test_a_name_leads_to_what_has_it(
    editor: Editor, tmp_path: Path, old: str, new: str, goal: str, name: str
) -> None:
    assert old in POLICY
    found = led(editor, tmp_path / "policy.yaml", POLICY.replace(old, new, 1))
    assert found == [("policy.yaml", line(goal), name)]


def test_a_pattern_leads_to_each_tool(editor: Editor, tmp_path: Path) -> None:
    found = led(editor, tmp_path / "policy.yaml", POLICY.replace('["pay_*", look_up]', '["pay^_*", look_up]'))
    assert [name for _, _, name in found] == ["pay_invoice", "pay_list"]


def test_a_name_that_let_gives_leads_there(editor: Editor, tmp_path: Path) -> None:
    text = POLICY.replace(
        "    when: args.amount > 1000", "    let: {big: args.amount > 1000}\n    when: b^ig"
    )
    assert led(editor, tmp_path / "policy.yaml", text) == [("policy.yaml", line("when: args.amount"), "big")]


def test_names_lead_into_other_files_also_from_tests(editor: Editor, tmp_path: Path) -> None:
    editor.open(tmp_path / "policy.yaml", POLICY)
    path = tmp_path / "policy.test.yaml"
    found = led(editor, path, TESTS.replace("tool: pay_", "tool: pay^_"))
    assert found == [("policy.yaml", line("- name: pay_invoice"), "pay_invoice")]
    found = led(editor, path, TESTS.replace("rule: large", "rule: la^rge"))
    assert found == [("policy.yaml", line("- id: large-payment"), "large-payment")]
    found = led(editor, path, TESTS.replace("session: clerk", "session: cl^erk"))
    assert found == [("policy.test.yaml", 2, "clerk")]


def test_a_broken_text_leads_as_well(editor: Editor, tmp_path: Path) -> None:
    text = POLICY.replace("lifts: [large-payment]", "lifts: [large^-payment")
    assert led(editor, tmp_path / "policy.yaml", text) == [
        ("policy.yaml", line("- id: large-payment"), "large-payment")
    ]


def test_a_tool_is_found_everywhere_that_it_is_named_patterns_among_them(
    editor: Editor, tmp_path: Path
) -> None:
    text = POLICY.replace("- name: pay_list", "- name: pay^_list")
    found = led(editor, tmp_path / "policy.yaml", text, "references")
    assert [name for _, _, name in found] == ["pay_*", "pay_*", "pay_list"]


def test_a_rule_a_list_and_a_permission_are_found_where_they_are_used(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    found = led(editor, path, POLICY.replace("- id: large-payment", "- id: large^-payment"), "references")
    assert [number for _, number, _ in found] == [line("- id: large-payment"), line("lifts:")]
    found = led(editor, path, POLICY.replace("  staff:", "  sta^ff:"), "references")
    assert [number for _, number, _ in found] == [line("  staff:"), line("roles.recipient.all")]
    found = led(editor, path, POLICY.replace('["pay:create"]', '["pay:^create"]'), "references")
    assert [name for _, _, name in found] == ["pay:create"]


@pytest.mark.parametrize("old", ["risk: HIGH", "effect: ask", "title: Look up"])
def test_what_is_no_name_leads_nowhere(editor: Editor, tmp_path: Path, old: str) -> None:
    assert led(editor, tmp_path / "policy.yaml", POLICY.replace(old, f"{old}^")) == []


def test_a_file_is_shown_by_its_sections_and_names(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    editor.open(path, POLICY.replace("effect: ask", "effect: [ask"))
    found = editor.ask("textDocument/documentSymbol", {"textDocument": {"uri": path.as_uri()}})
    by_section = {each["name"]: [own["name"] for own in each.get("children") or []] for each in found}
    assert by_section["tools"] == ["pay_invoice", "pay_list", "look_up"]
    assert by_section["rules"] == ["large-payment", "staff-payment", "own-bases"]
    assert by_section["lists"] == ["staff"]
    assert by_section["agents"] == ["assistant"]
    tools = next(each for each in found if each["name"] == "tools")
    assert tools["children"][0]["detail"] == "HIGH"
    assert tools["range"]["start"]["line"] == line("tools:\n  - name")
