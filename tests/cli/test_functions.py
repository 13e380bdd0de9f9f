"""`gatewayctl functions` lists what there is, as the code has it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner, Result
from gatewayctl.commands import cli
from gatewayctl.macros import MACROS, Described

from gateway.cel import Environment, check, parse, plan
from gateway.cel.functions import LIBRARIES, STANDARD
from gateway.cel.macros import MACRO_NAMES
from gateway.diagnostic import Excerpt


def run(*words: str) -> Result:
    result = CliRunner().invoke(cli, ["functions", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_every_function_is_listed_with_its_sentence_and_example() -> None:
    output = " ".join(run("--all").output.split())
    for function in STANDARD:
        assert " ".join(function.summary.split()) in output
        assert " ".join(function.example.split()) in output
    for library in LIBRARIES:
        assert library.__name__.rpartition(".")[2] in output


def test_one_function_is_shown_with_all_its_signatures() -> None:
    assert run("indexOf").output == (
        "strings\n"
        "Texts: their parts, and what can be made of them. Places are counted in characters, from 0.\n\n"
        "  string.indexOf(string) -> int\n"
        "  string.indexOf(string, int) -> int\n"
        "    Where a string has another one first, from a place on if one is given; -1 if it has none.\n"
        "    'hello mellow'.indexOf('ello', 2) == 7\n\n"
        "  Also in `strings`: charAt, lastIndexOf, substring, replace, split, join, trim, lowerAscii,\n"
        "  upperAscii, strings.quote.\n\n"
    )
    assert "list(uint).sort() -> list(uint)" in run("sort").output
    assert "more, see" not in run("sort").output
    assert "5 more, see `gatewayctl functions sort`" in run("lists").output
    assert "list(A).sortBy(name, expression) -> list(A)" in run("sortBy").output
    assert "math.greatest(number, …) -> number" in run("greatest").output
    assert "cel.block([value, …], A) -> A" in run("block").output
    assert "optional.none() -> optional(never)" in run("none").output


def test_a_library_or_a_name_with_its_namespace_or_without_is_found() -> None:
    assert run("sets.contains").output in run("contains").output
    assert "Also in `decimals`: quotient." in run("decimal").output
    assert run("sets").output.count("sets.") >= 3
    assert "Not in force yet." in " ".join(run("origin").output.split())


def test_without_a_name_there_is_an_overview_that_fits_a_screen() -> None:
    lines = run().output.splitlines()
    assert len(lines) < 60
    for library in LIBRARIES:
        name = library.__name__.rpartition(".")[2]
        (line,) = [line for line in lines if line.split()[:1] == [name] and not line.startswith(" ")]
        assert " ".join((library.__doc__ or "").split()) in line
    names = " ".join(lines).replace(",", " ").split()
    assert {function.name for function in STANDARD} | MACRO_NAMES <= {*names}


@pytest.mark.parametrize("name", sorted(MACRO_NAMES))
def test_a_macro_is_shown_like_a_function(name: str) -> None:
    output = run(name).output
    assert f"{name}(" in output
    assert "-> " in output


@pytest.mark.parametrize("macro", MACROS, ids=lambda macro: macro.names[0])
def test_the_example_of_a_macro_is_true(macro: Described) -> None:
    read = parse(Excerpt.whole(macro.example))
    assert not check(read, Environment()).diagnostics
    assert plan(read, Environment()).evaluate({}) is True
    assert any(name in macro.example for name in macro.names)


def test_json_has_everything() -> None:
    listed = json.loads(run("--format", "json").output)["functions"]
    assert [(each["name"], each["style"]) for each in listed] == [
        *((f.name, f.style.value) for f in STANDARD),
        *((macro.names[0], "macro") for macro in MACROS),
    ]
    (one,) = json.loads(run("risk", "--format", "json").output)["functions"]
    assert one["library"] == "risks"
    assert one["signatures"] == ["risk(string) -> int"]
    assert one["example"] == "risk('MEDIUM') < risk('HIGH')"
    assert one["built"] is True


@pytest.mark.parametrize(
    ("name", "message", "help"),
    [
        ("indexof", "there is no function and no library `indexof`", "did you mean `indexOf`?"),
        ("zzz", "there is no function and no library `zzz`", "`gatewayctl functions` lists all"),
        ("exist", "there is no function and no library `exist`", "did you mean `exists`?"),
    ],
)
def test_a_name_that_nothing_has_is_answered_with_the_likely_one(name: str, message: str, help: str) -> None:
    result = run(name)
    assert result.exit_code == 2
    assert message in result.stderr
    assert help in result.stderr


def test_nothing_heavy_is_imported() -> None:
    code = "import sys; sys.argv[1:] = ['functions']\nfrom gatewayctl.__main__ import main\n"
    code += "try: main()\nexcept SystemExit: pass\n"
    code += "print([m for m in ('yaml', 'pydantic', 'gateway.engine', 're2', 'celpy') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == "[]"
