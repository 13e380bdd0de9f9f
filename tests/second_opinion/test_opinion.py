"""What lint says of conditions that the real cel-python answers alike, otherwise, or not at all."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from gatewayctl.commands import cli

from gateway import second_opinion
from gateway.cel import DYN, Environment, parse
from gateway.diagnostic import Excerpt
from gateway.second_opinion.answer import same
from gateway.second_opinion.asking import Asking, Unusable
from gateway.second_opinion.known import Known, library
from gateway.second_opinion.opinion import Comparing
from gateway.second_opinion.written import beyond

POLICY = """version: 1
agents: [{name: clerk, tools: ["*"], tenants: [acme]}]
settings: {confirm_from: HIGH}
tools:
  - name: pay
    description: Pay.
    risk: LOW
    permissions: []
    parameters:
      type: object
      required: [amount]
      properties: {amount: {type: number}, note: {}, at: {type: string}, to: {type: object, additionalProperties: true}}
"""
CEL_PYTHON = "gateway.second_opinion.celpython"
RULE = "  - {{id: r, tools: [pay], when: {when}, effect: deny, message: No., examples: {{match: [{match}], no_match: [{no}]}}}}\n"
TESTS = """version: 1
sessions:
  s: {id: s, tenant: acme, agent: clerk, can_ask: true, subject: {id: a, tenant: acme, authenticated: true}}
cases:
"""


@pytest.fixture(scope="module", autouse=True)
def one_process() -> Iterator[None]:
    """Whoever answered one test to its end is asked by the next: to begin takes longer than all that is asked."""
    idle: list[Asking] = []
    start, leave = Asking._start, Asking.__exit__

    def begin(self: Asking) -> None:
        if self._module == CEL_PYTHON and idle:
            self._process, self._rest = idle.pop()._process, b""
        else:
            start(self)

    def end(self: Asking, *raised: Any) -> None:
        if self._module == CEL_PYTHON and self._process is not None:
            idle.append(self)
        else:
            leave(self, *raised)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Asking, "_start", begin)
        patch.setattr(Asking, "__exit__", end)
        yield
    for one in idle:
        one._stop()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GATEWAY_POLICIES", raising=False)
    yield tmp_path


def lint(*words: str, option: str = "--second-opinion") -> Result:
    result = CliRunner().invoke(cli, ["lint", option, *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def found(text: str, here: Path) -> list[dict[str, Any]]:
    """What the second opinion says about a policy, the summary first."""
    (here / "policy.yaml").write_text(text)
    said = json.loads(lint("policy.yaml", "--format", "json").stdout)["diagnostics"]
    return [one for one in said if one["code"] == "second-opinion"]


def rule(when: str, match: str, no: str = "") -> str:
    example, other = (f"{{args: {{{each}}}}}" if each else "" for each in (match, no))
    return POLICY + "rules:\n" + RULE.format(when=json.dumps(when), match=example, no=other)


# --- answers ---------------------------------------------------------------------------------------------------------


def test_a_condition_that_both_answer_alike_is_counted(here: Path) -> None:
    (summary,) = found(rule("args.amount > 10 && has(args.at)", "amount: 11, at: x", "amount: 11"), here)
    assert summary["severity"] == "note"
    assert summary["message"] == (
        "cel-python was asked about 1 condition 2 times in all, with the values of 2 calls: "
        "1 answered alike, 0 otherwise"
    )


def test_a_known_difference_is_a_note_with_the_part_both_answers_the_call_and_the_reason(here: Path) -> None:
    when = "args.amount > 10 && has(args.note) && args.note != 'x'"
    summary, note = found(rule(when, "amount: 11, note: 3", "amount: 1, note: 3"), here)
    assert "0 answered alike, 1 otherwise" in summary["message"]
    assert note["severity"] == "note"
    assert note["message"].startswith("in the rule `r`, this is `true` here, and an error (")
    assert "in cel-python, and so the whole is `true` here, and an error (" in note["message"]
    text = (here / "policy.yaml").read_text().splitlines()[note["line"] - 1]
    assert text[note["column"] - 1 : note["end_column"] - 1] == "args.note != 'x'"
    assert note["help"].startswith(
        "this difference is known as `equality-of-two-types`: cel-python compares only"
    )
    (related,) = note["related"]
    assert related["message"] == "with the values of this call"
    assert text[related["column"] - 1 : related["end_column"] - 1] == "{args: {amount: 11, note: 3}}"


def test_a_part_is_found_inside_of_a_macro_and_of_a_let(here: Path) -> None:
    within = POLICY + textwrap.dedent("""\
    rules:
      - id: r
        tools: [pay]
        let: {kinds: "['a', 'b']", odd: "has(args.note) && kinds.exists(k, k == args.note)"}
        when: odd || args.amount > 1
        effect: deny
        message: No.
        examples: {match: [{args: {amount: 2, note: 7}}], no_match: [{args: {amount: 1, note: 7}}]}
    """)
    _, note = found(within, here)
    assert "this is `false` here, and an error" in note["message"]
    lines = (here / "policy.yaml").read_text().splitlines()
    assert lines[note["line"] - 1][note["column"] - 1 : note["end_column"] - 1] == "odd"
    bare = "has(args.note) && kinds.exists(k, k == args.note) || args.amount > 1"
    _, note = found(within.replace("odd || args.amount > 1", bare), here)
    lines = (here / "policy.yaml").read_text().splitlines()
    assert lines[note["line"] - 1][note["column"] - 1 : note["end_column"] - 1] == "k == args.note"


def test_a_whole_number_where_the_schema_says_number_is_a_double_for_both(here: Path) -> None:
    (summary,) = found(rule("args.amount / 2.0 > 5.0", "amount: 11", "amount: 10"), here)
    assert "1 answered alike" in summary["message"]


def test_a_difference_that_nobody_knows_is_a_warning(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.second_opinion.known.Library.known", lambda *given: None)
    text = rule("has(args.note) && args.note == 1", "amount: 1, note: 1", "amount: 1, note: true")
    _, warning = found(text, here)
    assert warning["severity"] == "warning"
    assert warning["help"].startswith("nobody knows of this difference")
    assert lint("policy.yaml").exit_code == 0
    (summary,) = found(
        text.replace("rules:\n", "rules:\n  # gateway: ignore[second-opinion] as meant\n"), here
    )
    assert "1 otherwise" in summary["message"]


def test_the_same_difference_with_several_calls_is_said_once(here: Path) -> None:
    text = rule("has(args.note) && args.note != 'x'", "amount: 1, note: 3}}, {args: {amount: 1, note: 4")
    _, note = found(text, here)
    assert note["message"].endswith("; so it is with 1 more call")


@pytest.fixture(scope="module")
def asking() -> Iterator[Asking]:
    with Asking() as one:
        yield one


ANYTHING = Environment({"args": DYN})


@pytest.mark.parametrize("known", library().differences, ids=lambda known: known.id)
def test_each_known_difference_is_one(known: Known, asking: Asking) -> None:
    parsed = parse(Excerpt.whole(known.example["condition"]))
    difference = Comparing(asking).narrowed(parsed, ANYTHING, {"args": known.example["args"]})
    assert difference is not None
    assert difference.known is known
    assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", known.id)
    assert known.reason


def test_the_functions_that_cel_python_has_are_listed() -> None:
    from celpy.evaluation import base_functions

    own = {name for name in base_functions if name.isidentifier() and not name.startswith("_")}
    own -= {"list", "map", "null_type"}
    assert library().functions == own | {"dyn"}


# --- what can't be compared ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("when", "match", "why"),
    [
        ("origin('a').untrusted", "amount: 1", "`origin()`"),
        ("args.?note.orValue(1) == 1", "amount: 1", "`orValue()`"),
        ("args.amount > 1 && [1, 2].all(i, x, x > i)", "amount: 2", "macros with two variables"),
        ("args.amount > 1 && [1, 2].map(x, x > 1, x) == [2]", "amount: 2", "syntax that it lacks"),
        ("args.amount > 1 && cel.bind(x, 2, x > 1)", "amount: 2", "`bind()`"),
    ],
)
def test_what_cel_python_lacks_is_counted_and_no_warning(here: Path, when: str, match: str, why: str) -> None:
    text = rule(when, match)
    if "origin" in when:
        text = text.split(", examples:")[0] + "}\n"
    (summary,) = found(text, here)
    assert "asked about 0 conditions" in summary["message"]
    assert summary["message"].endswith(f"; not compared: 1 for {why}")
    assert summary["severity"] == "note"


def test_a_function_of_a_library_is_not_taken_for_another_one_with_its_name() -> None:
    known = library().functions, frozenset({"args"})
    assert beyond(parse(Excerpt.whole("sets.contains([1], [1])")), *known) == "`sets.contains()`"
    assert beyond(parse(Excerpt.whole("args.contains('a') && ['a'].all(x, x.contains('a'))")), *known) == ""


def test_a_condition_without_a_call_is_counted(here: Path) -> None:
    (summary,) = found(POLICY + "rules: [{id: r, tools: [pay], when: args.amount > 1, effect: ask}]\n", here)
    assert summary["message"].endswith("with the values of 0 calls: 0 answered alike, 0 otherwise; "
                                       "not compared: 1 without an example")  # fmt: skip


def test_what_is_not_compared_is_named(here: Path) -> None:
    text = POLICY + (
        "rules:\n"
        "  - {id: a, tools: [pay], when: args.amount > 1, effect: ask}\n"
        "  - {id: b, tools: [pay], when: args.amount > 1, unless: args.amount > 9, effect: ask}\n"
        "  - {id: c, tools: [pay], when: 'args.?note.orValue(1) == 1', effect: ask}\n"
    )
    (summary,) = found(text, here)
    assert summary["message"].endswith("not compared: 3 without an example, 1 for `orValue()`")
    assert summary["help"] == (
        "not compared without an example: the rule `a`, the rule `b`; for `orValue()`: the rule `c`"
    )


def test_a_duration_that_cel_python_reads_without_end_is_left(here: Path) -> None:
    text = rule("has(args.at) && duration(args.at) > duration('1h')", "amount: 1, at: 2h")
    text += RULE.format(when='"args.amount > 1"', match="{args: {amount: 2}}", no="").replace(
        "id: r", "id: q"
    )
    call = f"{{tool: pay, arguments: {{amount: 1, at: {'a' * 40}!}}}}"
    (here / "policy.test.yaml").write_text(
        f"{TESTS}  - {{name: n, session: s, call: {call}, expect: {{effect: deny}}}}\n"
    )
    (summary,) = found(text, here)
    assert "asked about 1 condition " in summary["message"]
    assert summary["message"].endswith("not compared: 1 for no answer within 2 seconds")


def test_all_answers_together_have_an_end() -> None:
    with Asking(whole=0) as asking:
        assert asking.ask("true", {}) == ["late"]


def test_whoever_ends_is_replaced_and_whoever_never_begins_is_said_to_be_unusable() -> None:
    with Asking() as asking:
        assert asking.ask("1 + 1", {}) == ["int", 2]
        process = asking._process
        assert process is not None
        process.kill()
        process.wait()
        assert asking.ask("1 + 2", {}) == ["silent"]
        assert asking.ask("1 + 3", {}) == ["int", 4]
        assert asking.ask("1 + 1", {}) == ["int", 2]  # remembered
    with pytest.raises(Unusable), Asking("gateway.malformed"):
        pass


# --- whose conditions, and over which calls --------------------------------------------------------------------------


def test_every_condition_is_tried_with_the_cases_of_tests(here: Path) -> None:
    text = POLICY + textwrap.dedent("""\
      - name: read
        description: Read.
        risk: LOW
        permissions: []
        read_only_when: args.deep == 1
        parameters: {type: object, required: [deep], properties: {deep: {}}}
    arguments: [{id: own, tools: [pay], when: session.channel == 'internal', set: {at: subject.id}}]
    rules: [{id: r, tools: ["*"], when: "'boss' in subject.roles", effect: ask}]
    limits: [{id: l, tools: [read], when: args.deep != 'x', per: {cel: subject.id}, rate: 20/h}]
    results: [{id: out, tools: [read], when: result.n == 'x', redact: [{field: secret}]}]
    """)
    (here / "policy.test.yaml").write_text(
        TESTS
        + textwrap.indent(
            textwrap.dedent("""\
    - {name: one, session: s, call: {tool: read, arguments: {deep: true}}, expect: {effect: allow}}
    - {name: two, session: s, call: {tool: read, arguments: {deep: 1}}, result: {n: 3}, review: {withheld: false}}
    - {name: three, session: s, call: {tool: pay, arguments: {amount: 1}}, expect: {effect: allow}}
    - {name: four, session: s, call: {tool: pay, arguments: {}}, expect: {effect: deny}}
    - {name: five, session: {like: s, subject: null}, call: {tool: pay}, expect: {effect: deny}}
    - {name: six, session: s, entry: {effect: allow}}
    """),
            "  ",
        )
    )
    summary, *notes = found(text, here)
    assert "about 7 conditions" in summary["message"]
    assert "with the values of 3 calls: 4 answered alike, 3 otherwise" in summary["message"]
    assert sorted(re.search("in (the [a-z]+ `[a-z]+`)", note["message"])[1] for note in notes) == [  # type: ignore[index]
        "the limit `l`",
        "the result `out`",
        "the tool `read`",
    ]
    assert all(note["related"][0]["file"].endswith("policy.test.yaml") for note in notes)


def test_a_test_file_that_can_not_be_read_is_a_note(here: Path) -> None:
    (here / "policy.test.yaml").write_text("version: 2\n")
    said = found(rule("args.amount > 1", "amount: 2"), here)
    assert [one["severity"] for one in said] == ["note", "note"]
    assert (
        "`policy.test.yaml` can't be read, so its cases are no examples"
        in said[1]["message"] + said[0]["message"]
    )


@pytest.mark.parametrize("folder", ["platform", "coding-agent"])
def test_the_policies_that_come_along_are_answered_alike(folder: str) -> None:
    path = Path(__file__).parent.parent.parent / "policies" / folder
    assert ", 0 otherwise" in lint(str(path)).stdout


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_it_is_said_in_every_format(here: Path, form: str) -> None:
    text = rule("has(args.note) && args.note != 'x'", "amount: 1, note: 3")
    (here / "policy.yaml").write_text(text)
    output = lint("policy.yaml", "--format", form).stdout
    assert "second-opinion" in output
    assert "known as `equality-of-two-types`" in output
    assert "cel-python was asked about 1 condition " in output


def test_cel_python_is_not_asked_without_the_option(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unasked(*given: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Asking, "__init__", unasked)
    (here / "policy.yaml").write_text(rule("args.amount > 1", "amount: 2"))
    assert "second-opinion" not in CliRunner().invoke(cli, ["lint", "policy.yaml"]).stdout


def test_without_cel_python_the_command_says_so(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(self: Asking) -> None:
        raise Unusable("ModuleNotFoundError: No module named 'celpy'")

    monkeypatch.setattr(Asking, "_start", missing)
    (here / "policy.yaml").write_text(rule("args.amount > 1", "amount: 2"))
    result = lint("policy.yaml")
    assert result.exit_code == 2
    assert "cel-python can't be asked: ModuleNotFoundError" in result.stderr


def test_it_has_a_page_whose_examples_are_true(here: Path) -> None:
    page = second_opinion.__doc__ or ""
    shown = CliRunner().invoke(cli, ["explain", "second-opinion"]).stdout.strip()
    assert shown == f"{page.strip()}\n\nSeverity: warning. Confidence: likely."
    tool = POLICY.replace("name: pay", "name: order").replace(
        "amount: {type: number}, note: {}", "reference: {}"
    )
    tool = tool.replace("[amount]", "[reference]")
    examples = "    examples: {match: [{args: {reference: none}}], no_match: [{args: {reference: 7}}]}\n"
    bad, good = (
        textwrap.dedent(part.split("\n\n")[1]) + "\n" for part in re.split("Bad: .*|Good:", page)[1:]
    )
    _, note = found(tool + bad + examples, here)
    assert "known as `equality-of-two-types`" in note["help"]
    assert len(found(tool + good + examples, here)) == 1


def test_equal_answers_are_the_same_and_all_errors_are() -> None:
    assert same(["error", "a"], ["error", "b"])
    assert not same(["error", "a"], ["int", 1])
    assert not same(["int", 1], ["double", "1.0"])
