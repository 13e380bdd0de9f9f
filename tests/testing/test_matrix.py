"""Matrices: sessions and calls are named once, and each pair of them is a case."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import gateway.testing
from gateway.document import read_document, source_of
from gateway.policy.editor import schema_of
from gateway.testing import load_cases, run_file
from gateway.testing.form import CaseFile
from tests.testing.world import problems, write

SUBJECTS = """
subjects:
  ann: {id: ann, tenant: acme, authenticated: true, permissions: ["pay:create"]}
  ben: {like: ann, id: ben, permissions: []}
"""


def matrix(folder: Path, text: str, *, head: str = "") -> Path:
    path = write(folder, "")
    fixtures = path.read_text().replace("cases:\n", "")
    path.write_text(f"{fixtures}{head}matrices:\n{text}")
    return path


TABLE = """
  - name: who may pay
    now: 2027-02-01T00:00:00Z
    sessions: [clerk, guest]
    default: {effect: deny, code: PERMISSION_DENIED}
    calls:
      small: {clerk: ask}
      large: {clerk: {effect: deny, rule: large}}
      find: allow
"""


def test_each_pair_is_a_case_with_a_name_and_a_place(tmp_path: Path) -> None:
    """D5: a table says more about who may do what than a list of cases."""
    path = matrix(tmp_path, TABLE)
    cases = load_cases(path)
    assert [(case.name, case.span.text) for case in cases] == [
        ("who may pay: small as clerk", "ask"),
        ("who may pay: small as guest", "small"),
        ("who may pay: large as clerk", "{effect: deny, rule: large}"),
        ("who may pay: large as guest", "large"),
        ("who may pay: find as clerk", "find"),
        ("who may pay: find as guest", "find"),
    ]
    assert [case.text for case in run_file(path).failed] == []


def test_a_cell_that_differs_fails_at_its_place(tmp_path: Path) -> None:
    path = matrix(tmp_path, TABLE.replace("{clerk: ask}", "{clerk: allow}"))
    (failed,) = run_file(path).failed
    assert failed.text.startswith(
        f"{path}:19: who may pay: small as clerk\n  effect: expected allow, got ask\n"
    )


def test_subjects_ask_in_one_session_by_turns(tmp_path: Path) -> None:
    path = matrix(
        tmp_path,
        """
  - name: by subject
    session: clerk
    subjects: [ann, ben]
    default: deny
    calls: {small: {ann: ask}}
""",
        head=SUBJECTS,
    )
    report = run_file(path)
    assert [case.case.session["subject"]["id"] for case in report.cases] == ["ann", "ben"]
    assert report.failed == ()


def test_a_session_names_its_subject_and_may_lay_something_over_it(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "- {name: a, session: {like: clerk, subject: ben}, call: small, expect: {code: PERMISSION_DENIED}}\n"
        "- {name: b, session: named, call: find, expect: {effect: allow}}",
    )
    text = path.read_text().replace(
        "calls:\n", f"  named: {{like: clerk, subject: ann}}\n{SUBJECTS}calls:\n", 1
    )
    path.write_text(text)
    assert [case.session["subject"]["id"] for case in load_cases(path)] == ["ben", "ann"]
    assert run_file(path).failed == ()


def test_a_moment_of_the_file_is_that_of_every_case_without_one(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
        - {name: early, session: clerk, call: {like: small, arguments: {amount: 50}}, expect: {monitored: [watched]}}
        - {name: late, session: clerk, call: {like: small, arguments: {amount: 50}}, now: 2027-02-01T00:00:00Z, expect: {rule: watched}}
        """,
    )
    path.write_text(path.read_text().replace("version: 1\n", "version: 1\nnow: 2027-01-31T12:00:00Z\n", 1))
    assert run_file(path).failed == ()
    path.write_text(path.read_text().replace("2027-01-31T12", "2027-02-02T12", 1))
    assert [case.case.name for case in run_file(path).failed] == ["early"]


@pytest.mark.parametrize(
    ("text", "code", "underlined", "help_"),
    [
        ("sessions: [clerk, gest], calls: {find: allow}", "unknown-name", "gest", "did you mean `guest`?"),
        ("sessions: [clerk], calls: {fnd: allow}", "unknown-name", "fnd", "did you mean `find`?"),
        ("sessions: [clerk], calls: {find: {clerc: allow}}, default: deny", "unknown-name", "clerc", "did you mean `clerk`?"),
        ("sessions: [clerk], calls: {find: alow}", "wrong-value", "alow", "did you mean `allow`?"),
        ("sessions: [clerk], calls: {find: {clerk: dney}}", "wrong-value", "dney", "did you mean `deny`?"),
        ("sessions: [clerk, guest], calls: {find: {clerk: allow}}", "missing-key", "find", "write `guest: …`, or a `default`"),
        ("sessions: [clerk], calls: {find: {clerk: {efect: deny}}}", "unknown-key", "efect", "did you mean `effect`?"),
        ("sessions: [clerk], calls: {find: {clerk: {rule: larg}}}", "unknown-name", "larg", "did you mean `large`?"),
        ("sessions: [clerk, clerk], calls: {find: allow}", "duplicate-name", "clerk", "remove one"),
        ("sessions: [clerk], calls: {find: 3}", "wrong-value", "3", "write an effect, or a mapping with `effect`, `code` and so on"),
        ("calls: {find: allow}", "wrong-value", "name", "name those whose calls are decided"),
        ("subjects: [ann], calls: {find: allow}", "wrong-value", "subjects", "name the session that they ask in"),
        ("session: clerk, subjects: [an], calls: {find: allow}", "unknown-name", "an", "did you mean `ann`?"),
        ("session: clerk, sessions: [clerk], calls: {find: allow}", "wrong-value", "session", "remove it"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_matrix_is_underlined(
    tmp_path: Path, text: str, code: str, underlined: str, help_: str
) -> None:
    path = matrix(tmp_path, f"  - {{name: m, {text}}}\n", head=SUBJECTS)
    assert (code, underlined, help_) in problems(path)


@pytest.mark.parametrize(
    ("expect", "differs"),
    [
        ("{findings: [large, CONFIRM]}", None),
        ("{findings: []}", "findings: expected none, got `CONFIRM`, `large`"),
        ('{detail: "*`large`*finance."}', None),
        ("{detail: large}", "detail: expected"),
        ("{obligations: []}", None),
        ("{obligations: [final-arguments]}", "obligations: expected `final-arguments`, got none"),
        ("{context: []}", None),
        ("{response: null}", None),
        ("{response: {a: 1}}", 'response: expected {"a": 1}, got null'),
        ("{demands: []}", None),
        ("{demands: [{by: [boss]}]}", 'demands: expected [{"by": ["boss"]}], got []'),
    ],
)
def test_everything_that_a_decision_says_can_be_expected(
    tmp_path: Path, expect: str, differs: str | None
) -> None:
    case = f"- {{name: a, session: clerk, call: large, now: 2026-12-01T10:00:00Z, expect: {expect}}}"
    text = run_file(write(tmp_path, case)).cases[0].text
    assert differs in text if differs else "expected" not in text


ASKING = """
version: 1
agents: [{name: clerk, tools: ["*"], tenants: [acme]}]
tools: [{name: pay, risk: LOW, permissions: [], parameters: {type: object, required: [amount], properties: {amount: {type: integer}}}}, {name: search, risk: LOW, permissions: []}]
rules:
  - {id: second, tools: [pay], effect: ask, approval: {by: [finance, boss], not_self: true, expires: 30m}}
  - {id: third, tools: [pay], when: args.amount > 5, effect: ask, approval: {by: [boss]}}
limits: [{id: slow, tools: [search], per: subject, rate: 2/h}]
"""


@pytest.mark.parametrize(
    ("demands", "passes"),
    [
        ("[{by: [finance, boss], not_self: true, expires: 30m}]", True),
        ("[{rule: second}]", True),
        ("[{not_self: false}]", False),
        ("[{expires: 31m}]", False),
        ("[{rule: second}, {rule: second}]", False),
    ],
)
def test_who_must_agree_is_compared_as_far_as_it_is_written(
    tmp_path: Path, demands: str, passes: bool
) -> None:
    case = f"- {{name: a, session: clerk, call: small, expect: {{demands: {demands}}}}}"
    (report,) = run_file(write(tmp_path, case, ASKING)).cases
    assert report.passed is passes


def test_each_demand_needs_one_of_its_own(tmp_path: Path) -> None:
    case = "- {name: a, session: clerk, call: large, expect: {demands: [{by: [boss]}, {not_self: true}]}}"
    assert run_file(write(tmp_path, case, ASKING)).failed == ()


def test_a_call_that_comes_again_and_again_reaches_a_limit(tmp_path: Path) -> None:
    """A limit can be tested: the last of so many calls is looked at, and no case counts for another."""
    cases = """
        - {name: the first two, session: clerk, call: {tool: search}, repeated: 2, expect: {effect: ask}}
        - {name: the third, session: clerk, call: {tool: search}, repeated: 3, expect: {effect: ask}}
    """
    free = ASKING.replace("{name: search, risk: LOW", "{name: search, risk: READ_ONLY")
    path = write(tmp_path, cases.replace("effect: ask", "effect: allow"), free)
    (failed,) = run_file(path).failed
    assert failed.case.name == "the third"
    assert "code" not in failed.text
    assert "deny" in failed.text
    assert failed.deciding is None or failed.deciding.rule == "slow"


def test_only_a_call_comes_again(tmp_path: Path) -> None:
    path = write(tmp_path, "- {name: a, session: clerk, repeated: 2, entry: {effect: allow}}")
    assert ("wrong-value", "repeated", "remove it") in problems(path)


def test_a_file_without_a_question_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path, "")
    path.write_text("version: 1\nsessions: {}\n")
    assert [code for code, _, _ in problems(path)] == ["missing-key"]


def test_the_editors_schema_fits_the_test_files_that_come_along() -> None:
    schema = schema_of(CaseFile)
    shipped = Path(gateway.testing.__file__).parent / "test.schema.json"
    assert json.loads(shipped.read_text()) == schema
    validator = jsonschema.Draft202012Validator(schema)
    files = sorted((Path(__file__).parent.parent.parent / "policies").rglob("*.test.yaml"))
    assert files
    for file in files:
        data = read_document(source_of(file.name, file.read_bytes())).data
        assert list(validator.iter_errors(data)) == []
    assert not validator.is_valid({"version": 1, "cases": [{"name": "a", "sesion": "b"}]})
    table = {"name": "m", "sessions": ["a"], "calls": {"b": "allow"}}
    assert validator.is_valid({"version": 1, "matrices": [table]})
    assert not validator.is_valid({"version": 1, "matrices": [{**table, "calls": {"b": "alow"}}]})
