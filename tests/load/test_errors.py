"""Bad files carry, on each bad line, the code of the error and the characters that it underlines."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from gateway.diagnostic import PolicyError
from gateway.load import load_policy, load_text

BAD = sorted((Path(__file__).parents[1] / "data" / "load" / "bad").glob("*.yaml"))
EXPECTED = re.compile(r"# error: ([a-z0-9-]+) «(.*?)»")


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_each_error_is_shown_where_it_was_written(path: Path) -> None:
    expected = Counter(
        (number, code, text)
        for number, line in enumerate(path.read_text().split("\n"), 1)
        for code, text in EXPECTED.findall(line)
    )
    with pytest.raises(PolicyError) as caught:
        load_policy(path)
    found: Counter[tuple[int, str, str]] = Counter()
    for diagnostic in caught.value.diagnostics:
        span = diagnostic.span
        assert span is not None
        assert span.source.name == str(path)
        line = span.source.line(span.line)
        underlined = span.text.split("\n")[0]
        assert line[span.column - 1 :].startswith(underlined)
        found[(span.line, diagnostic.code, underlined)] += 1
        assert diagnostic.message[:1].islower() or diagnostic.message[:1] in "`0123456789"
        assert not diagnostic.message.endswith(".")
    assert found == expected


@pytest.mark.parametrize(
    ("text", "message", "help"),
    [
        ("tools: [{name: a, enabled: yes}]", "`enabled` is true or false, not the text `yes`", "write true"),
        ("tools: [{name: a, enabled: off}]", "`enabled` is true or false, not the text `off`", "write false"),
        ("tools: [{nam: a}]", "`nam` is no key of a tool", "did you mean `name`?"),
        ("tools: [{name: a, risk: HIHG}]", "the text `HIHG` is no risk", "did you mean `HIGH`? the levels are "
         "`READ_ONLY`, `LOW`, `MEDIUM`, `HIGH`, `IRREVERSIBLE`"),
        ("rules: [{id: a, tools: [b], effect: dney}]",
         "`effect` is one of `allow`, `ask`, `respond`, `deny`, not the text `dney`", "did you mean `deny`?"),
        ("rules: [{id: a, tools: b, effect: deny}]", "`tools` is a list, not the text `b`", "write `[b]`"),
        ("rules: [{id: a, effect: deny}]", "`tools` is missing in a rule", "add `tools`"),
        ('results: [{id: a, tools: [b], redact: [{field: "**.pass*"}]}]', "`pass*` is no name of a field",
         "`*` stands for a whole name, `**` for any depth, such as `**.password`"),
        ("rules: [{id: a, tools: [], effect: deny}]", "`tools` is empty", ""),
        ("settings: {confirm_from: READ_ONLY}", "`confirm_from` can't be `READ_ONLY`: reading never asks",
         "write `LOW`, `MEDIUM`, `HIGH` or `IRREVERSIBLE`"),
        ("rules: [{id: a, tools: [b], effect: deny, when: !(x)}]", "`!(x)` is read as a yaml tag",
         "quote the expression; yaml tags are not available"),
        ('rules: [{id: a, tools: [b], when: "a" in b}]', 'yaml does not read `"a" in b` as one value',
         "quote the expression"),
    ],
)  # fmt: skip
def test_messages_speak_to_the_author(text: str, message: str, help: str) -> None:
    with pytest.raises(PolicyError) as caught:
        load_text(f"version: 1\n{text}\n")
    assert (message, help) in [(d.message, d.help) for d in caught.value.diagnostics]


def test_a_flood_of_errors_is_cut_off() -> None:
    with pytest.raises(PolicyError) as caught:
        load_text("version: 1\nrules: [" + "{}, " * 2000 + "]\n")
    messages = [diagnostic.message for diagnostic in caught.value.diagnostics]
    assert len(messages) == 1001
    # Each of the entries lacks `id`, `tools` and `effect`.
    assert messages[0] == "5000 more errors are not shown"
    assert caught.value.diagnostics[0].code == "more-errors"


def test_all_errors_of_all_files_are_reported_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("version: 1\nsettings: {}\nlists: {a: [x]}\nrules: [{id: a}]\n")
    (tmp_path / "b.yml").write_text("version: 1\nsettings: {}\nlists: {a: [y]}\nrule: []\n")
    (tmp_path / "c.yaml").write_text("version: 1\nrules: [\n")
    with pytest.raises(PolicyError) as caught:
        load_policy(tmp_path)
    found = [(Path(d.span.source.name).name, d.code) for d in caught.value.diagnostics if d.span is not None]
    assert sorted(found) == [
        ("a.yaml", "missing-key"),
        ("a.yaml", "missing-key"),
        ("b.yml", "duplicate-list"),
        ("b.yml", "two-settings"),
        ("b.yml", "unknown-key"),
        ("c.yaml", "yaml-syntax"),
    ]
