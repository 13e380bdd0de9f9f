"""What `gatewayctl lint` prints for programs: SARIF logs and workflow commands that no policy's text can break."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest
from click.testing import CliRunner, Result
from gatewayctl.commands import cli
from gatewayctl.formats import FORMATS, findings_format
from hypothesis import given
from hypothesis import strategies as st

from gateway.checks import CHECKS, check_id
from gateway.diagnostic import Diagnostic, Related, Severity, Source, Span

DATA = Path(__file__).parent.parent / "data"
CLIENT = "agents: [{name: clerk, tools: [pay], tenants: [acme]}]\n"
DOUBTFUL = f"""version: 1
{CLIENT}tools:
  - {{name: pay, description: "😀 Pay.", permissions: ["pay:create"], describe: Pay}} # no risk
rules:
  - {{id: one, tools: [pay], when: session.dry_run, effect: allow, until: 2026-01-31}}
"""

_MESSAGE = {
    "type": "object",
    "required": ["text"],
    "properties": {"text": {"type": "string", "minLength": 1}},
    "additionalProperties": False,
}
_NUMBER = {"type": "integer", "minimum": 1}
_LEVEL = {"enum": ["none", "note", "warning", "error"]}
_PLACE: dict[str, Any] = {
    "type": "object",
    "required": ["physicalLocation"],
    "properties": {
        "id": {"type": "integer", "minimum": 0},
        "message": _MESSAGE,
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation", "region"],
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "required": ["uri"],
                    "properties": {
                        "uri": {"type": "string", "pattern": r"^(file:///)?[A-Za-z0-9/_.~%-]+$"},
                        "uriBaseId": {"type": "string"},
                    },
                    "additionalProperties": False,
                },
                "region": {
                    "type": "object",
                    "required": ["startLine", "startColumn", "endLine", "endColumn"],
                    "additionalProperties": _NUMBER,
                },
            },
            "additionalProperties": False,
        },
    },
    "additionalProperties": False,
}
_FIX = {
    "type": "object",
    "required": ["artifactChanges"],
    "properties": {
        "artifactChanges": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["artifactLocation", "replacements"],
                "properties": {
                    "artifactLocation": _PLACE["properties"]["physicalLocation"]["properties"][
                        "artifactLocation"
                    ],
                    "replacements": {
                        "type": "array",
                        "minItems": 1,
                        "items": {
                            "type": "object",
                            "required": ["deletedRegion", "insertedContent"],
                            "properties": {
                                "deletedRegion": _PLACE["properties"]["physicalLocation"]["properties"][
                                    "region"
                                ],
                                "insertedContent": {
                                    "type": "object",
                                    "required": ["text"],
                                    "properties": {"text": {"type": "string"}},
                                    "additionalProperties": False,
                                },
                            },
                            "additionalProperties": False,
                        },
                    },
                },
                "additionalProperties": False,
            },
        }
    },
    "additionalProperties": False,
}
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "$schema": {"type": "string", "pattern": "^https://.*2[.]1[.]0[.]json$"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "maxItems": 1,
            "items": {
                "type": "object",
                "required": ["tool", "results", "columnKind"],
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name", "version", "rules"],
                                "properties": {
                                    "name": {"type": "string"},
                                    "version": {"type": "string"},
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id", "shortDescription", "fullDescription", "help"],
                                            "properties": {
                                                "id": {"type": "string", "pattern": "^[a-z0-9-]+$"},
                                                "shortDescription": _MESSAGE,
                                                "fullDescription": _MESSAGE,
                                                "help": _MESSAGE,
                                                "defaultConfiguration": {
                                                    "type": "object",
                                                    "properties": {"level": _LEVEL},
                                                    "additionalProperties": False,
                                                },
                                                "properties": {
                                                    "required": ["problem.severity", "precision"],
                                                    "properties": {
                                                        "problem.severity": {
                                                            "enum": ["error", "warning", "recommendation"]
                                                        },
                                                        "precision": {
                                                            "enum": ["very-high", "high", "medium", "low"]
                                                        },
                                                    },
                                                    "additionalProperties": False,
                                                },
                                            },
                                            "additionalProperties": False,
                                        },
                                    },
                                },
                                "additionalProperties": False,
                            }
                        },
                        "additionalProperties": False,
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["ruleId", "ruleIndex", "level", "message", "locations"],
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "level": _LEVEL,
                                "message": _MESSAGE,
                                "locations": {"type": "array", "maxItems": 1, "items": _PLACE},
                                "relatedLocations": {"type": "array", "minItems": 1, "items": _PLACE},
                                "properties": {
                                    "required": ["confidence"],
                                    "properties": {"confidence": {"enum": ["certain", "likely", "possible"]}},
                                    "additionalProperties": False,
                                },
                                "fixes": {"type": "array", "minItems": 1, "items": _FIX},
                            },
                            "additionalProperties": False,
                        },
                    },
                },
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}
"""The parts of the format's own schema that a log of ours uses, and nothing else."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GATEWAY_POLICIES", raising=False)
    yield tmp_path


def run(*words: str) -> Result:
    result = CliRunner().invoke(cli, ["lint", "--now", "2026-06-01T00:00:00Z", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def sarif(output: str) -> dict[str, Any]:
    """The one run of a log that is as it must be."""
    log = json.loads(output)
    jsonschema.Draft202012Validator(SARIF).validate(log)
    (found,) = log["runs"]
    ids = [rule["id"] for rule in found["tool"]["driver"]["rules"]]
    assert len(set(ids)) == len(ids)
    for result in found["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
    return dict(found)


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as a runner reads it: its name, its fields and its message."""
    assert line.startswith("::")
    head, message = line[2:].split("::", 1)
    name, _, fields = head.partition(" ")
    pairs = dict(field.split("=", 1) for field in fields.split(","))
    return name, {key: unescaped(value) for key, value in pairs.items()}, unescaped(message)


def unescaped(text: str) -> str:
    for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, char)
    return text


# --- all formats -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMATS)
def test_the_exit_code_is_the_same_in_every_format(here: Path, form: str) -> None:
    (here / "doubtful.yaml").write_text(DOUBTFUL)
    (here / "wrong.yaml").write_text("version: 1\nrulez: []\n")
    fine = "tools: [{name: pay, description: Pay., risk: READ_ONLY, permissions: []}]"
    (here / "fine.yaml").write_text(f"version: 1\n{CLIENT}{fine}\n")
    assert run("fine.yaml", "--strict", "--format", form).exit_code == 0
    assert run("doubtful.yaml", "--format", form).exit_code == 0
    assert run("doubtful.yaml", "--strict", "--format", form).exit_code == 1
    assert run("wrong.yaml", "--format", form).exit_code == 1
    assert run("nowhere.yaml", "--format", form).exit_code == 2
    assert run("--format", form).exit_code == 2


@pytest.mark.parametrize("form", FORMATS)
def test_errors_that_stop_a_load_are_in_every_format(here: Path, form: str) -> None:
    (here / "wrong.yaml").write_text("version: 1\nrulez: []\n")
    output = run("wrong.yaml", "nowhere.yaml", "--format", form).stdout
    assert "unknown-key" in output
    assert "no-such-file" in output


@pytest.mark.parametrize("form", FORMATS)
def test_what_has_ended_depends_on_the_moment_that_is_given(here: Path, form: str) -> None:
    (here / "policy.yaml").write_text(DOUBTFUL)
    ended = "what `one` allows ended with 2026-01-31"
    assert ended in run("policy.yaml", "--format", form).stdout
    assert ended not in run("policy.yaml", "--format", form, "--now", "2026-01-31T23:00:00Z").stdout


def test_only_lint_prints_for_programs_of_others(here: Path) -> None:
    for name in ("check", "test", "tools", "explain", "demo"):
        result = CliRunner().invoke(cli, [name, "--format", "sarif"])
        assert result.exit_code == 2
        assert "'sarif' is not one of 'text', 'json'" in result.output


# --- SARIF -----------------------------------------------------------------------------------------------------------


def test_every_check_is_a_rule_with_its_page() -> None:
    rules = sarif(run(str(DATA / "checks" / "everything.yaml"), "--format", "sarif").output)["tool"][
        "driver"
    ]["rules"]
    assert [rule["id"] for rule in rules[: len(CHECKS)]] == [check_id(module) for module in CHECKS]
    risk = rules[0]
    assert risk["shortDescription"]["text"] == "A tool that does not say how much harm it can do."
    assert risk["fullDescription"]["text"].startswith("A tool without `risk` counts as HIGH")
    for part in ("Bad:", "Good:", "# gateway: ignore[undeclared-risk] …"):
        assert part in risk["help"]["text"]
    by_id = {rule["id"]: rule for rule in rules}
    assert by_id["posture"]["defaultConfiguration"]["level"] == "note"
    assert by_id["posture"]["properties"] == {
        "problem.severity": "recommendation",
        "precision": "very-high",
    }
    assert by_id["misspelt-scheme"]["properties"] == {"problem.severity": "warning", "precision": "high"}


def test_a_result_has_its_level_its_place_and_what_belongs_to_it(here: Path) -> None:
    (here / "sub").mkdir()
    (here / "sub" / "policy.yaml").write_text(
        DOUBTFUL.replace("# no risk", "# gateway: ignore[bare-parameter] as meant")
    )
    run_ = sarif(run("sub", "--format", "sarif").output)
    assert run_["columnKind"] == "unicodeCodePoints"
    risk = next(result for result in run_["results"] if result["ruleId"] == "undeclared-risk")
    assert risk["level"] == "warning"
    assert risk["message"]["text"].startswith(
        "the tool `pay` declares no `risk`, so it counts as HIGH\nhelp: "
    )
    (location,) = risk["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "sub/policy.yaml", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 4, "startColumn": 12, "endLine": 4, "endColumn": 15},
    }


def test_a_mend_is_a_fix_of_its_result(here: Path) -> None:
    (here / "policy.yaml").write_text("version: 1\nrulez: []\n")
    (result,) = sarif(run("policy.yaml", "--format", "sarif").output)["results"]
    assert result["properties"] == {"confidence": "certain"}
    (fix,) = result["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"] == {"uri": "policy.yaml", "uriBaseId": "%SRCROOT%"}
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 6},
            "insertedContent": {"text": "rules"},
        }
    ]


def test_columns_are_counted_in_characters_behind_one_that_is_no_single_unit(here: Path) -> None:
    text = 'version: 1\nagents: [{name: c, tools: [a], tenants: [acme]}]\ntools: [{title: "😀", name: a, permissions: []}]\n'
    (here / "policy.yaml").write_text(text)
    run_ = sarif(run("policy.yaml", "--format", "sarif").output)
    risk = next(result for result in run_["results"] if result["ruleId"] == "undeclared-risk")
    region = risk["locations"][0]["physicalLocation"]["region"]
    assert (region["startColumn"], region["endColumn"]) == (28, 29)
    assert text.splitlines()[2][27] == "a"


def test_related_places_are_numbered(here: Path) -> None:
    (here / "policy.yaml").write_text(
        f"version: 1\n{CLIENT}tools:\n  - {{name: pay, permissions: []}}\n  - {{name: pay, permissions: []}}\n"
    )
    (result,) = sarif(run("policy.yaml", "--format", "sarif").output)["results"]
    assert (result["ruleId"], result["level"]) == ("duplicate-name", "error")
    (related,) = result["relatedLocations"]
    assert related["id"] == 1
    assert related["message"]["text"] == "first declared here"
    assert related["physicalLocation"]["region"]["startLine"] == 4


def test_a_file_is_named_from_the_working_directory_by_a_uri(
    here: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    name = "a b/ü,:%#?[x].yaml"
    (here / "a b").mkdir()
    elsewhere = tmp_path_factory.mktemp("else where") / "p.yaml"
    for path in (here / name, elsewhere):
        path.write_text("version: 1\nrulez: []\n")
    for given_as in (name, str(here / name), f"./a b/../{name}"):
        (result,) = sarif(run(given_as, "--format", "sarif").output)["results"]
        file = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert file["uriBaseId"] == "%SRCROOT%"
        assert file["uri"].isascii()
        assert unquote(file["uri"]) == name
    (result,) = sarif(run(str(elsewhere), "--format", "sarif").output)["results"]
    file = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert file == {"uri": f"file://{elsewhere.as_posix().replace(' ', '%20')}"}


def test_a_name_that_is_no_text_keeps_its_bytes(here: Path) -> None:
    raw = b"p\xff.yaml"
    with open(os.fsencode(here) + b"/" + raw, "w") as file:  # noqa: PTH123 - a name in bytes
        file.write("version: 1\nrulez: []\n")
    output = run(os.fsdecode(raw), "--format", "sarif").output
    assert r"\udc" not in output.lower()
    (result,) = sarif(output)["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "p%FF.yaml"


def test_a_result_without_a_place_has_none(here: Path) -> None:
    (result,) = sarif(run("nowhere.yaml", "--format", "sarif").output)["results"]
    assert result["locations"] == []
    assert result["message"]["text"].startswith("there is no `nowhere.yaml`")


def test_a_text_makes_no_link_and_no_placeholder(here: Path) -> None:
    (here / "policy.yaml").write_text('version: 1\n"[log in](https://example.com) {0}": 1\n')
    (result,) = sarif(run("policy.yaml", "--format", "sarif").output)["results"]
    assert "`[log in] (https://example.com) {{0}}`" in result["message"]["text"]


# --- GitHub ----------------------------------------------------------------------------------------------------------


def test_each_severity_has_its_command_and_a_note_is_a_notice(here: Path) -> None:
    (here / "wrong.yaml").write_text("version: 1\nrulez: []\n")
    (here / "policy.yaml").write_text("settings: {confirm_from: HIGH}\n" + DOUBTFUL)
    lines = run("wrong.yaml", "policy.yaml", "--format", "github").output.splitlines()
    lines = [line for line in lines if line.startswith("::")]
    commands = {fields["title"]: (name, fields, message) for name, fields, message in map(parsed, lines)}
    assert commands["unknown-key"] == (
        "error",
        {
            "file": "wrong.yaml",
            "line": "2",
            "col": "1",
            "endLine": "2",
            "endColumn": "6",
            "title": "unknown-key",
        },
        "`rulez` is no key of a policy file\nhelp: did you mean `rules`?",
    )
    assert commands["undeclared-risk"][0] == "warning"
    assert commands["posture"][0] == "notice"


def test_nothing_found_prints_nothing(here: Path) -> None:
    fine = "tools: [{name: pay, description: Pay., risk: READ_ONLY, permissions: []}]"
    (here / "fine.yaml").write_text(f"version: 1\n{CLIENT}{fine}\n")
    assert run("fine.yaml", "--format", "github").output == ""
    assert sarif(run("fine.yaml", "--format", "sarif").output)["results"] == []


HOSTILE = st.text(
    st.one_of(st.sampled_from("%:,;=\r\n\x1b\u2028\x85`{}[]()0DAa25"), st.characters(codec="utf-8")),
    max_size=40,
)


@given(message=HOSTILE, help=HOSTILE, name=HOSTILE, related=HOSTILE, severity=st.sampled_from(Severity))
def test_no_text_ends_its_command_or_begins_another(
    message: str, help: str, name: str, related: str, severity: Severity
) -> None:
    source = Source(f"p{name}.yaml".replace("\0", ""), "one: 1\n")
    place = Span(source, 0, 3)
    diagnostic = Diagnostic("a-code", message, place, help, severity, (Related(place, related),))
    (line,) = printed("github", diagnostic).splitlines()
    command, fields, said = parsed(line)
    assert command == {"error": "error", "warning": "warning", "note": "notice"}[severity.value]
    assert set(fields) == {"file", "line", "col", "endLine", "endColumn", "title"}
    assert fields["title"] == "a-code"
    assert said.count("\n") == (2 if help else 1)
    assert re.fullmatch(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029]*", line)


@given(message=HOSTILE, help=HOSTILE, name=HOSTILE)
def test_no_text_breaks_the_log(message: str, help: str, name: str) -> None:
    source = Source(f"p{name}.yaml".replace("\0", ""), "one: 1\n")
    output = printed("sarif", Diagnostic("a-code", f"m{message}", Span(source, 0, 3), help))
    (line,) = output.splitlines()
    assert line.isascii()
    (result,) = sarif(line)["results"]
    assert "](" not in result["message"]["text"]


def printed(form: str, diagnostic: Diagnostic) -> str:
    """What a format prints for one diagnostic."""
    from contextlib import redirect_stdout
    from io import StringIO

    with redirect_stdout(StringIO()) as out:
        findings_format(form).say_found([diagnostic], ok=False)
    return out.getvalue()


@pytest.mark.parametrize("form", ["github", "sarif"])
def test_files_are_named_from_the_root_of_the_checkout(
    here: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    (here / "below").mkdir()
    (here / "below" / "wrong.yaml").write_text("version: 1\nrulez: []\n")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(here))
    monkeypatch.chdir(here / "below")
    assert "below/wrong.yaml" in run("wrong.yaml", "--format", form).output
