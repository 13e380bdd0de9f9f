"""What an editor shows as wrong: of the texts as they are typed, of the whole policy, at the right characters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editor.conversation import Editor, Message, covered
from tests.editor.policy import POLICY, TESTS

ERROR, WARNING, INFORMATION = 1, 2, 3
UNNECESSARY = 1


def errors(found: list[Message]) -> list[str]:
    return [each["code"] for each in found if each["severity"] == ERROR]


def one(found: list[Message], code: str) -> Message:
    (only,) = [each for each in found if each["code"] == code]
    return only


def test_what_is_typed_counts_and_not_what_is_saved(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY, encoding="utf-8")
    assert errors(editor.open(path, POLICY)) == []
    typed = POLICY.replace("args.amount > 1000", "args.amout > 1000")
    found = one(editor.type(path, typed), "cel-name")
    assert (found["severity"], found["source"]) == (ERROR, "gatewayctl")
    assert covered(typed, found["range"]) == "amout"
    assert "help: did you mean `amount`?" in found["message"]
    assert errors(editor.type(path, POLICY)) == []


def test_of_many_changes_in_a_row_the_last_counts(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    editor.open(path, POLICY)
    for number in range(20):
        text = POLICY.replace("args.amount > 1000", f"args.amount{number} > 1000")
        identifier = {"uri": path.as_uri(), "version": number + 2}
        editor.tell(
            "textDocument/didChange", {"textDocument": identifier, "contentChanges": [{"text": text}]}
        )
    editor.until(path, lambda found: any("amount19" in each["message"] for each in found))
    assert errors(editor.type(path, POLICY)) == []


def test_a_broken_text_is_told_and_mended(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY, encoding="utf-8")
    broken = POLICY.replace("tools: [look_up]", "tools: [look_up")
    assert len(errors(editor.open(path, broken))) == 1
    assert errors(editor.type(path, POLICY)) == []


def test_a_text_that_was_never_saved_is_part_of_the_policy(editor: Editor, tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(POLICY, encoding="utf-8")
    new = tmp_path / "more.yaml"
    text = "version: 1\nrules:\n  - {id: large-payment, tools: [look_up], effect: deny, message: No.}\n"
    found = one(editor.open(new, text), "duplicate-id")
    (related,) = found["relatedInformation"]
    assert related["location"]["uri"] in ((tmp_path / "policy.yaml").as_uri(), new.as_uri())


def test_a_change_in_one_file_is_told_in_the_other(editor: Editor, tmp_path: Path) -> None:
    above, below = POLICY.split("rules:\n")
    tools, rules = tmp_path / "tools.yaml", tmp_path / "rules.yaml"
    texts = {tools: above, rules: f"version: 1\nrules:\n{below}"}
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    for path, text in texts.items():
        assert errors(editor.open(path, text)) == []
    editor.type(tools, above.replace("name: pay_invoice", "name: pay_bill"))
    found = editor.until(rules, lambda found: bool(errors(found)))
    assert {covered(texts[rules], each["range"]) for each in found if each["severity"] == ERROR} == {
        "pay_invoice"
    }


def test_a_file_that_changes_on_the_disk_is_looked_at_again(editor: Editor, tmp_path: Path) -> None:
    path, other = tmp_path / "policy.yaml", tmp_path / "more.yaml"
    assert errors(editor.open(path, POLICY)) == []
    assert "client/registerCapability" in editor.told
    other.write_text("version: 1\nrules: 7\n", encoding="utf-8")
    editor.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": other.as_uri(), "type": 1}]})
    assert errors(editor.until(other, bool)) == ["wrong-type"]


def test_closing_a_file_forgets_what_was_not_saved(editor: Editor, tmp_path: Path) -> None:
    path, other = tmp_path / "policy.yaml", tmp_path / "more.yaml"
    path.write_text(POLICY, encoding="utf-8")
    other.write_text("version: 1\nlists: {}\n", encoding="utf-8")
    editor.open(other, "version: 1\nlists: {}\n")
    editor.open(path, POLICY.replace("effect: ask", "effect: asc"))
    editor.until(path, lambda found: errors(found) == ["wrong-value"])
    editor.close(path)
    editor.until(path, lambda found: not errors(found))
    editor.close(other)
    assert editor.until(other, lambda found: not found) == []


def test_what_a_check_finds_has_its_severity_and_tags(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    text = POLICY.replace("lists:\n", "lists:\n  nobody: [x]\n").replace("{code: false}", "{code: true}")
    found = editor.open(path, text)
    unused = one(found, "unused-list")
    assert (unused["severity"], unused["tags"]) == (WARNING, [UNNECESSARY])
    assert covered(text, unused["range"]) == "nobody"
    assert one(found, "posture")["severity"] == INFORMATION


def test_a_test_file_is_read_against_the_policy_as_it_is_typed(editor: Editor, tmp_path: Path) -> None:
    path, tests = tmp_path / "policy.yaml", tmp_path / "policy.test.yaml"
    path.write_text(POLICY, encoding="utf-8")
    assert editor.open(tests, TESTS) == []
    wrong = TESTS.replace("rule: large-payment", "rule: large-paiment")
    found = one(editor.type(tests, wrong), "unknown-name")
    assert covered(wrong, found["range"]) == "large-paiment"
    editor.open(
        path, POLICY.replace("id: large-payment", "id: large-paiment").replace("[large-payment]", "[]")
    )
    assert editor.until(tests, lambda found: not found) == []


def test_a_case_that_fails_is_told_at_its_name(editor: Editor, tmp_path: Path) -> None:
    path, tests = tmp_path / "policy.yaml", tmp_path / "policy.test.yaml"
    path.write_text(POLICY, encoding="utf-8")
    assert editor.open(tests, TESTS) == []
    typed = TESTS.replace("effect: ask", "effect: deny")
    found = one(editor.type(tests, typed), "failed-case")
    assert covered(typed, found["range"]) == "a large payment is asked about"
    assert "effect: expected deny, got ask" in found["message"]
    assert "decided by: rule `large-payment`" in found["message"]
    # What is decided is what the policy says as it is typed.
    editor.open(path, POLICY.replace("effect: ask", "effect: deny").replace("[large-payment]", "[]"))
    assert editor.until(tests, lambda found: not found) == []


@pytest.mark.parametrize(
    ("encodings", "agreed"), [(None, "utf-16"), (["utf-32", "utf-16"], "utf-32"), (["utf-8"], "utf-8")]
)
def test_places_behind_astral_characters_are_counted_as_agreed(
    tmp_path: Path, encodings: list[str] | None, agreed: str
) -> None:
    path = tmp_path / "policy.yaml"
    text = POLICY.replace("when: size(session.facts.bases) == 0", "when: '\"😀é\" == session.facts.basis'")
    with Editor(encodings=encodings) as editor:
        assert editor.initialized["capabilities"]["positionEncoding"] == agreed
        found = one(editor.open(path, text), "cel-name")
        number = found["range"]["start"]["line"]
        units = found["range"]["start"]["character"] - len("facts.") + 1
        # What is asked is counted in the same way.
        said = editor.at("hover", path, {"line": number, "character": units})["contents"]["value"]
    assert "session.facts:" in said
    line = text.splitlines()[number]
    before, after = line.index("basis"), line.index("basis") + len("basis")
    codec = {"utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4), "utf-8": ("utf-8", 1)}[agreed]
    counted = [len(line[:end].encode(codec[0])) // codec[1] for end in (before, after)]
    assert [found["range"][end]["character"] for end in ("start", "end")] == counted


def test_other_yaml_is_left_alone(editor: Editor, tmp_path: Path) -> None:
    foreign = tmp_path / "services" / "compose.yaml"
    text = 'version: "3"\nservices: {web: {image: nginx}}\n'
    item = {"uri": foreign.as_uri(), "languageId": "yaml", "version": 1, "text": text}
    editor.tell("textDocument/didOpen", {"textDocument": item})
    assert editor.at("completion", foreign, {"line": 1, "character": 0}) is None
    assert editor.at("hover", foreign, {"line": 1, "character": 2}) is None
    editor.open(tmp_path / "policies" / "policy.yaml", POLICY)
    assert foreign.as_uri() not in editor.shown


def test_files_of_a_workspace_belong_to_the_topmost_policy_directory(tmp_path: Path) -> None:
    below = tmp_path / "policies" / "rules"
    below.mkdir(parents=True)
    above, rules = POLICY.split("rules:\n")
    (tmp_path / "policies" / "tools.yaml").write_text(above, encoding="utf-8")
    with Editor(folder=tmp_path) as editor:
        assert errors(editor.open(below / "all.yaml", f"version: 1\nrules:\n{rules}")) == []


def test_a_directory_that_was_chosen_holds_the_policy_whatever_lies_in_it(tmp_path: Path) -> None:
    above, rules = POLICY.split("rules:\n")
    for folder in ("tools", "rules"):
        (tmp_path / folder).mkdir()
    (tmp_path / "tools" / "all.yaml").write_text(above, encoding="utf-8")
    with Editor("--policies", str(tmp_path)) as editor:
        assert errors(editor.open(tmp_path / "rules" / "all.yaml", f"version: 1\nrules:\n{rules}")) == []


def test_one_file_that_was_chosen_is_the_policy_also_before_it_is_saved(tmp_path: Path) -> None:
    path, other = tmp_path / "policy.yaml", tmp_path / "other.yaml"
    other.write_text("version: 1\nrules: 7\n", encoding="utf-8")
    with Editor("--policies", str(path)) as editor:
        assert errors(editor.open(path, POLICY)) == []
        (tmp_path / "policy.test.yaml").write_text(TESTS, encoding="utf-8")
        assert editor.open(tmp_path / "policy.test.yaml", TESTS) == []


def test_a_large_file_is_refused_by_the_loader_and_by_nothing_else(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    text = POLICY + "#" * 80 * 110_000
    assert errors(editor.open(path, text)) == ["file-too-large"]
    assert editor.at("completion", path, {"line": 0, "character": 0}) is None
    assert editor.at("documentSymbol", path, {"line": 0, "character": 0}) is None
