"""`gatewayctl inspect` and `gatewayctl patterns`: what a text would do, and what there is to hold against it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from gatewayctl.commands import cli

from gateway.patterns import PACKS, load_packs


def run(*words: str, given: str | None = None) -> Result:
    result = CliRunner().invoke(cli, list(words), input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def inspected(*words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("inspect", *words, "--format", "json").output)
    return found


def test_the_offending_part_is_underlined() -> None:
    result = run("inspect", "make && git push --force origin main", "--cwd", "/home/dev/shop")
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == "deny  analysis: exact (all of it was read)"
    at = next(i for i, line in enumerate(lines) if "git push --force" in line and "|" in line)
    text, marks = (line.partition("|")[2] for line in lines[at : at + 2])
    assert text[marks.index("^") : marks.rindex("^") + 1] == "--force"
    assert any(line.strip().startswith("instead: ") for line in lines)


def test_what_nothing_speaks_against() -> None:
    result = run("inspect", "git commit -m 'drop table users'")
    assert result.exit_code == 0
    assert result.output == "allow  analysis: exact (all of it was read)\n"


@pytest.mark.parametrize(
    ("kind", "text", "effect", "pattern"),
    [
        ("shell", "rm -rf /", "deny", "fs.delete.root"),
        ("sql", "DROP TABLE users", "deny", "db.drop"),
        ("path", "../x", "deny", "path.read.outside"),
        ("url", "http://127.1/", "deny", "url.internal"),
        ("git", "push --force", "deny", "git.push.force"),
    ],
)
def test_kinds(kind: str, text: str, effect: str, pattern: str) -> None:
    found = inspected(text, "--kind", kind, "--cwd", "/home/dev/shop", "--home", "/home/dev")
    assert found["effect"] == effect
    assert pattern in found["patterns"]


def test_a_path_that_is_written() -> None:
    found = inspected("../x", "--kind", "path", "--write", "--cwd", "/home/dev/shop")
    assert found["patterns"] == ["path.write.outside"]


def test_the_directory_and_home_decide() -> None:
    assert inspected("rm -rf build", "--cwd", "/home/dev/shop")["effect"] == "allow"
    assert inspected("rm -rf /home/ann", "--home", "/home/ann")["effect"] == "deny"
    assert inspected("cd .. && rm -rf shop", "--cwd", "/home/dev/shop")["effect"] == "deny"


def test_a_batch_is_answered_line_by_line(tmp_path: Path) -> None:
    lines = [
        {"id": 1, "kind": "shell", "text": "ls", "cwd": "/home/dev/shop"},
        {"id": 2, "text": "rm -rf /"},
        {"id": 3, "kind": "sql", "text": "select 1"},
        {"id": 4, "kind": "cobol", "text": "x"},
        {"id": 5},
        [1],
    ]
    file = tmp_path / "lines.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)) + "\nnonsense\n", encoding="utf-8")
    result = run("inspect", "--batch", str(file))
    assert result.exit_code == 0
    answers = [json.loads(line) for line in result.output.splitlines()]
    assert [(answer["id"], answer["effect"]) for answer in answers] == [
        (1, "allow"),
        (2, "deny"),
        (3, "allow"),
        (4, "deny"),
        (5, "deny"),
        (None, "deny"),
        (None, "deny"),
    ]
    assert answers[1]["patterns"][0] in ("fs.delete.root", "guard")
    assert answers[3]["error"] == "`cobol` is no kind (known: shell, sql, path, url, python, git, headers)"


def test_links_of_the_real_file_system_are_followed(tmp_path: Path) -> None:
    work = tmp_path / "srv" / "work"
    work.mkdir(parents=True)
    (work / "link").symlink_to("/etc")
    (work / "own").mkdir()
    assert inspected("link/hosts", "--kind", "path", "--cwd", str(work))["patterns"] == ["path.read.outside"]
    assert inspected("own/x", "--kind", "path", "--cwd", str(work))["effect"] == "allow"


def test_no_text_is_a_failure() -> None:
    assert run("inspect").exit_code == 2


def test_patterns_are_listed_by_pack() -> None:
    output = run("patterns").output
    for pattern in load_packs(PACKS):
        assert pattern.id in output
    assert "The guard" in output.splitlines()[-1]


def test_one_pattern_is_told_whole() -> None:
    (pattern,) = (one for one in load_packs(PACKS) if one.id == "git.reset.hard")
    output = run("patterns", "git.reset.hard").output
    assert " ".join(pattern.alternative.split()) in " ".join(output.split())
    for example in (*pattern.matches, *pattern.misses):
        assert example.text in output


def test_a_pack_and_a_misspelt_name() -> None:
    listed = json.loads(run("patterns", "git", "--format", "json").output)["patterns"]
    assert {one["pack"] for one in listed} == {"git"}
    result = run("patterns", "git.reset.hart")
    assert result.exit_code == 2
    assert "did you mean `git.reset.hard`?" in result.output


def test_facts_are_told_as_conditions_read_them() -> None:
    facts = inspected("npm test && pip install -r requirements.txt", "--cwd", "/home/dev/shop")["facts"]
    told = [(each["program"], each["subcommand"]) for each in facts["invocations"]]
    assert told == [("npm", "test"), ("pip", "install")]
    assert facts["network"] is True


def test_a_word_behind_an_option_is_no_subcommand() -> None:
    (only,) = inspected("npm --prefix test publish", "--cwd", "/home/dev/shop")["facts"]["invocations"]
    assert only["subcommand"] == ""
