"""What an editor proposes: at the place of the cursor, in texts that are half typed, and spelled as it has to stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.editor.conversation import Editor, pointed
from tests.editor.policy import POLICY, TESTS

RULE = "  - id: new\n    tools: [pay_invoice]\n    effect: deny\n"
LIST_RULE = "  - id: new\n    tools: [pay_list]\n    effect: deny\n"
LIMIT = "limits:\n  - id: often\n    tools: [pay_invoice]\n"
FORCED = "arguments:\n  - id: forced\n    tools: [pay_list]\n"
INVARIANT = "invariants:\n  - id: held\n    tools: [pay_invoice]\n"
RESULT = "results:\n  - id: hidden\n    tools: [pay_list]\n"


def proposed(editor: Editor, path: Path, text: str) -> list[dict[str, Any]]:
    text, position = pointed(text)
    editor.open(path, text)
    answer = editor.at("completion", path, position)
    return [] if answer is None else list(answer["items"])


def labels(editor: Editor, path: Path, text: str) -> list[str]:
    return [item["label"] for item in proposed(editor, path, text)]


@pytest.mark.parametrize(
    ("added", "there", "missing"),
    [
        # keys, by place
        (
            f"{RULE}    ^",
            {"when", "message", "lifts", "approval"},
            {"id", "tools", "effect", "name", "rules"},
        ),
        (f"{RULE}    mess^", {"message"}, {"id"}),
        (f"{RULE}    mess^\n  - id: other\n", {"message"}, {"id"}),
        (f"{RULE}    approval: {{not_self: true, ^", {"by", "expires"}, {"not_self", "when"}),
        (f"{RULE}    approval:\n      ^", {"by", "expires"}, {"when"}),
        ("  - ^", {"id", "tools", "effect"}, {"rules"}),
        ("  - {id: new, ^}\n", {"tools", "effect"}, {"id"}),
        ("^", {"limits", "results", "overrides"}, {"rules", "tools", "version", "effect"}),
        ("settings:\n  ^", {"packs", "confirm_from"}, {"rules"}),
        (f"{LIMIT}    ^", {"rate", "per", "budget"}, {"tools", "effect"}),
        # words
        (f"{RULE[:-5]}^", {"allow", "ask", "deny", "respond"}, {"HIGH"}),
        (f"{RULE}    monitor: ^", {"true", "false"}, set()),
        (f'{RULE}    risk: "^"', {"HIGH", ">=HIGH"}, {"deny"}),
        (f"{RULE}    channels: [^]", {"internal", "external"}, {"pay_invoice"}),
        (f"{LIMIT}    per: ^", {"subject", "tenant"}, set()),
        # names
        ("  - {id: new, tools: [^", {"pay_invoice", "look_up", "pay_*", "*"}, {"large-payment"}),
        ("  - {id: new, tools: [pay_list, ^], effect: deny}", {"pay_invoice"}, {"pay_list"}),
        ('  - {id: new, tools: ["*", "!^', {"!pay_invoice", "!pay_*"}, {"pay_invoice"}),
        ("  - id: new\n    tools:\n      - ^", {"pay_invoice", "pay_*"}, {"id"}),
        ("  - id: new\n    tools: ^\n", {"pay_invoice"}, {"id"}),
        ("  - {id: new, tools: [look_up], effect: allow, lifts: [^", {"large-payment"}, {"staff-payment"}),
        ("  - {id: new, tools: [look_up], lifts: [git^", {"git.push.force"}, set()),
        ("  - {id: new, tools: [look_up], agents: [^", {"assistant"}, {"pay_invoice"}),
        ("overrides:\n  - {tenant: acme, tools: [pay_list], permissions: [^", {"pay:create"}, {"pay_list"}),
        ("settings:\n  packs: [^", {"core", "git"}, set()),
        ("settings:\n  patterns: {^", {"git.push.force"}, {"core"}),
        (f"{FORCED}    set: {{^", {"query"}, {"amount"}),
    ],
)
def test_keys_words_and_names_by_place(
    editor: Editor, tmp_path: Path, added: str, there: set[str], missing: set[str]
) -> None:
    found = set(labels(editor, tmp_path / "policy.yaml", POLICY + added))
    assert there <= found
    assert not missing & found


@pytest.mark.parametrize(
    ("added", "there", "missing"),
    [
        (f"{RULE}    when: ^", {"args", "subject", "session", "now", "size", "has", "math"}, {"amount"}),
        (f"{RULE}    when: args.^", {"amount", "to", "way"}, {"query", "startsWith"}),
        (f"{LIST_RULE}    when: args.^", {"query"}, {"amount"}),
        (f"{RULE}    when: args.amount > 1 && args.^ && true", {"to"}, {"endsWith"}),
        (f"{RULE}    when: args.to.^", {"startsWith", "matches", "size"}, {"amount", "getHours", "exists"}),
        (f"{RULE}    when: args.to.st^", {"startsWith"}, {"amount"}),
        (f"{RULE}    when: now.^", {"getHours"}, {"startsWith"}),
        (f"{RULE}    when: roles.^", {"recipient", "money"}, set()),
        (f"{RULE}    when: roles.recipient.^", {"all", "exists", "size"}, {"startsWith"}),
        (f"{RULE}    when: roles.recipient.exists(r, r.^", {"startsWith"}, {"exists"}),
        (f"{RULE}    when: roles.recipient.exists(r, ^", {"r", "args"}, set()),
        (f"{RULE}    when: subject.^", {"roles", "tenant"}, {"facts"}),
        (f"{RULE}    when: session.facts.^", {"bases"}, {"tenant"}),
        (f"{RULE}    when: tool.^", {"risk", "permissions"}, {"facts"}),
        (f"{RULE}    when: lists.^", {"staff", "range"}, set()),
        (f"{RULE}    when: math.^", {"greatest", "abs"}, {"startsWith", "amount"}),
        (f"{LIST_RULE}    when: inspect.^", {"query"}, {"command"}),
        (f"{LIST_RULE}    when: inspect.query.^", {"kinds", "writes"}, {"invocations"}),
        (f"{RULE}    when: cel.bind(big, args.to, big.^", {"startsWith"}, {"getHours"}),
        (f"{RULE}    let: {{big: args.amount > 10}}\n    when: ^", {"big"}, set()),
        (f"{RULE}    when: 'args.^'", {"amount"}, set()),
        (f'{RULE}    when: "\\"x\\" == args.^"', {"to"}, set()),
        (f"{RULE}    when: |\n      args.amount > 1 &&\n      args.^\n    message: x\n", {"to"}, set()),
        (f"{RULE}    when: args.amount > 1\n      && args.^\n", {"to"}, set()),
        ("  - {id: new, effect: deny, tools: [pay_invoice], when: args.^", {"amount"}, {"query"}),
        (f'{RULE}    when: tool.risk == "^', {"HIGH", "READ_ONLY"}, {"amount"}),
        (f'{RULE}    when: \'args.way in ["fast", "^', {"fast", "slow"}, {"amount"}),
        (f"{RULE}    when: '\"^", set(), {"amount", "args"}),
        (f"{RULE}    when: 12^", set(), {"args", "size"}),
        (f"{RULE}    when: args.nothing.^", set(), {"amount"}),
        (f"{RULE}    when: ).^", set(), {"amount"}),
        (f"{LIMIT}    amount: args.^", {"amount"}, set()),
        (f"{LIMIT}    per: {{cel: args.^", {"to"}, set()),
        (f"{FORCED}    set: {{query: subject.^", {"id", "tenant"}, set()),
        (f"{FORCED}    set: {{query: ^", {"subject"}, {"args"}),
        (f"{INVARIANT}    always: decision.^", {"effect", "approvers"}, {"amount"}),
        (f'{INVARIANT}    always: decision.effect == "^', {"deny", "allow"}, {"amount"}),
        (f"{INVARIANT}    always: args.^", {"amount"}, {"effect"}),
        (f"{RESULT}    when: ^", {"result", "args"}, set()),
    ],
)
def test_what_a_condition_can_read_and_call(
    editor: Editor, tmp_path: Path, added: str, there: set[str], missing: set[str]
) -> None:
    found = set(labels(editor, tmp_path / "policy.yaml", POLICY + added))
    assert there <= found
    assert not missing & found


def test_the_arguments_of_all_tools_that_a_rule_is_about_are_united(editor: Editor, tmp_path: Path) -> None:
    rule = '  - {id: new, tools: ["pay_*"], effect: deny, when: args.^'
    assert {"amount", "to", "query"} <= set(labels(editor, tmp_path / "policy.yaml", POLICY + rule))


def test_a_field_is_told_with_its_type_and_description(editor: Editor, tmp_path: Path) -> None:
    found = proposed(editor, tmp_path / "policy.yaml", f"{POLICY}{RULE}    when: args.^")
    by_label = {item["label"]: item for item in found}
    assert by_label["amount"]["detail"] == "int"
    assert by_label["amount"]["documentation"]["value"] == "How much is paid."
    assert by_label["way"]["detail"] == "string, may be absent"


def test_a_function_is_told_with_its_signature_and_an_example(editor: Editor, tmp_path: Path) -> None:
    found = proposed(editor, tmp_path / "policy.yaml", f"{POLICY}{RULE}    when: args.to.ends^")
    item = next(each for each in found if each["label"] == "endsWith")
    assert item["detail"] == "string.endsWith(string) -> bool"
    assert "endsWith(" in item["documentation"]["value"]


def test_a_key_is_told_as_the_schema_describes_it(editor: Editor, tmp_path: Path) -> None:
    found = proposed(editor, tmp_path / "policy.yaml", f"{POLICY}{RULE}    ^")
    item = next(each for each in found if each["label"] == "owner")
    assert item["documentation"]["value"] == "Who can change it; `explain` names them."
    assert item["textEdit"]["newText"] == "owner: "


@pytest.mark.parametrize(
    ("added", "label", "line"),
    [
        ("  - {id: new, tools: [pa^", "pay_*", "  - {id: new, tools: [pay_*"),
        ("  - {id: new, tools: [^", "*", '  - {id: new, tools: ["*"'),
        ('  - {id: new, tools: ["!p^"]}', "!pay_list", '  - {id: new, tools: ["!pay_list"]}'),
        ("  - id: new\n    tools: ^", "look_up", "    tools: [look_up]"),
        ("  - id: new\n    tools:\n      ^", "look_up", "      - look_up"),
        (f"{RULE}    wh^", "when", "    when: "),
        (f"{RULE}    wh^: x", "when", "    when: x"),
        (f"{RULE}    when: args.am^ > 1", "amount", "    when: args.amount > 1"),
        (f"{RULE}    when: '\"😀\" == args.t^'", "to", "    when: '\"😀\" == args.to'"),
        (f"{RULE}    risk: ^", ">=HIGH", '    risk: ">=HIGH"'),
        (f"{RULE}    # gateway: ignore[unused-^", "unused-list", "    # gateway: ignore[unused-list"),
        (
            "overrides:\n  - {tenant: a, permissions: [pay^",
            "pay:create",
            "  - {tenant: a, permissions: [pay:create",
        ),
    ],
)
def test_a_proposal_is_written_as_it_has_to_stand(
    editor: Editor, tmp_path: Path, added: str, label: str, line: str
) -> None:
    text, _ = pointed(POLICY + added)
    item = next(i for i in proposed(editor, tmp_path / "policy.yaml", POLICY + added) if i["label"] == label)
    edit = item["textEdit"]
    start, end = edit["range"]["start"], edit["range"]["end"]
    assert start["line"] == end["line"]
    before = text.split("\n")[start["line"]].encode("utf-16-le")
    after = (
        before[: 2 * start["character"]]
        + edit["newText"].encode("utf-16-le")
        + before[2 * end["character"] :]
    )
    assert after.decode("utf-16-le") == line


def test_schemas_of_arguments_are_completed(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    above = POLICY.replace("    inspect: {query: sql}\n", "^")
    text = above.replace("^", "  - name: new\n    parameters: {type: object, properties: {a: {^")
    assert {"type", "enum", "x-role", "description"} <= set(labels(editor, path, text))
    text = above.replace("^", "  - name: new\n    parameters: {type: object, properties: {a: {x-role: ^")
    assert {"recipient", "owner"} <= set(labels(editor, path, text))
    text = above.replace("^", "    inspect: {query: ^")
    assert {"shell", "sql", "path"} <= set(labels(editor, path, text))


@pytest.mark.parametrize(
    ("typed", "there"),
    [
        ("  - {name: n, ^", {"session", "call", "expect", "list"}),
        ("  - {name: n, session: ^", {"clerk"}),
        ("  - {name: n, session: clerk, call: {tool: ^", {"pay_invoice", "look_up"}),
        ("  - {name: n, session: clerk, expect: {^", {"effect", "code", "rule"}),
        ("  - {name: n, session: clerk, expect: {code: ^", {"PERMISSION_DENIED", "RULE"}),
        ("  - {name: n, session: clerk, expect: {rule: ^", {"large-payment", "staff-payment"}),
        ("  - {name: n, session: clerk, list: {visible: [^", {"pay_invoice"}),
    ],
)
def test_tests_are_completed_from_the_policy_beside_them(
    editor: Editor, tmp_path: Path, typed: str, there: set[str]
) -> None:
    (tmp_path / "policy.yaml").write_text(POLICY, encoding="utf-8")
    assert there <= set(labels(editor, tmp_path / "policy.test.yaml", TESTS + typed))


def test_names_of_other_files_are_proposed_as_they_are_typed(editor: Editor, tmp_path: Path) -> None:
    above, rules = POLICY.split("rules:\n")
    editor.open(tmp_path / "tools.yaml", above.replace("look_up", "look_around"))
    text = f"version: 1\nrules:\n{rules}  - {{id: new, tools: [^"
    found = labels(editor, tmp_path / "rules.yaml", text)
    assert "look_around" in found
    assert "look_up" not in found


def test_nothing_is_proposed_in_comments(editor: Editor, tmp_path: Path) -> None:
    assert labels(editor, tmp_path / "policy.yaml", f"{POLICY}{RULE}    # a ^") == []
    assert labels(editor, tmp_path / "policy.yaml", f"{POLICY}{RULE}    when: |\n      true // a ^") == []
