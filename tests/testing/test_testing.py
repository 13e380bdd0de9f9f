"""The test runner: what a case may say, what an error in a test file looks like, and what a failure tells."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.diagnostic import PolicyError
from gateway.glob import fits
from gateway.testing import Case, load_cases, run_file
from tests.testing.world import FIXTURES, POLICY, problems, write

REPOSITORY = Path(__file__).parent.parent.parent


def test_every_kind_of_case_passes(tmp_path: Path) -> None:
    report = run_file(
        write(
            tmp_path,
            """
            - {name: free, session: clerk, call: find, expect: {effect: allow, code: ALLOWED, arguments: {query: tea, limit: 10}}}
            - {name: whole floats are integers, session: clerk, call: {like: find, arguments: {limit: 3.0}}, expect: {arguments: {query: tea, limit: 3}}}
            - {name: forced, session: clerk, call: {tool: own, arguments: {user: u-9}}, expect: {effect: allow, arguments: {user: u-1}}}
            - {name: confirmed, session: clerk, call: small, expect: {effect: ask, code: CONFIRM}}
            - {name: watched, session: clerk, call: {like: small, arguments: {amount: 50}}, now: 2027-01-31T23:59:59Z, expect: {effect: ask, monitored: [watched]}}
            - {name: then enforced, session: clerk, call: {like: small, arguments: {amount: 50}}, now: "2027-02-01T00:00:00Z", expect: {effect: deny, rule: watched, monitored: []}}
            - {name: refused, session: clerk, call: large, now: 2026-12-01T10:00:00+01:00, expect: {effect: deny, code: RULE, rule: large, message: "Payments above * finance.*", monitored: [watched]}}
            - {name: pattern, session: clerk, call: {tool: run, arguments: {command: git push --force}}, expect: {effect: deny, code: PATTERN, rule: git.push.force}}
            - {name: no such tool, session: clerk, call: {tool: serch}, expect: {code: TOOL_NOT_FOUND}}
            - {name: listed, session: guest, list: {visible: [search], hidden: {pay: permissions, purge: bound}}}
            - {name: nothing listed, session: {like: clerk, subject: {authenticated: false}}, list: {only: []}}
            - {name: may start, session: clerk, entry: {effect: allow}}
            - {name: may not start, session: {like: clerk, subject: {authenticated: false}}, entry: {effect: deny, code: NO_IDENTITY}}
            """,
        )
    )
    assert [case.text for case in report.failed] == []
    assert len(report.cases) == 13


def test_fixtures_merge_mappings_at_every_depth_and_replace_lists(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "- {name: a, session: {like: night, subject: {roles: [c], attributes: {x: {y: 1}}}}, call: find, expect: {effect: allow}}",
    )
    (case,) = load_cases(path)
    assert case.session["subject"] == {
        "id": "u-1",
        "tenant": "acme",
        "authenticated": True,
        "permissions": [],
        "roles": ["c"],
        "attributes": {"x": {"y": 1}},
    }
    assert (case.session["can_ask"], case.session["id"]) == (False, "s")


def test_a_failure_tells_what_differs_where_and_why(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
        - name: a large payment is fine
          session: clerk
          call: large
          now: 2026-12-01T10:00:00Z
          expect: {effect: allow, code: ALLOWED, message: "ok*", arguments: {amount: 1}, monitored: []}
        - {name: seen, session: guest, list: {visible: [pay], hidden: {search: bound, purge: switch}}}
        """,
    )
    first, second = run_file(path).cases
    assert first.text.splitlines() == [
        f"{path}:12: a large payment is fine",
        "  effect: expected allow, got deny",
        f"  code: expected ALLOWED, got RULE (the rule `large` ({path.parent}/policy.yaml:13:10) matched: "
        "Payments above 1000 are made by finance.)",
        '  message: expected "ok*", got "Payments above 1000 are made by finance. Trying again will not help."',
        '  arguments: expected {"amount": 1}, got {"amount": 5000}',
        "  monitored: expected none, got `watched`",
        f"  decided by: rule `large`: deny rule holds ({path.parent}/policy.yaml:13:10) "
        "[args.amount > 1000 = true; args.amount = 5000]",
    ]
    assert [(m.what, m.expected) for m in second.mismatches] == [
        ("`pay`", "visible"),
        ("`search`", "hidden by `bound`"),
        ("`purge`", "hidden by `switch`"),
    ]
    assert [m.got.split(" (")[0] for m in second.mismatches] == [
        "hidden by `permissions`",
        "visible",
        "hidden by `bound`",
    ]


def test_pytest_users_get_cases_that_check_themselves(tmp_path: Path) -> None:
    write(
        tmp_path,
        """
        - {name: free, session: clerk, call: find, expect: {effect: allow}}
        - {name: wrong, session: clerk, call: find, expect: {effect: deny}}
        """,
    )
    good, bad = load_cases(tmp_path)
    assert isinstance(good, Case)
    assert (str(good), str(bad)) == ("free", "wrong")
    good.check()
    with pytest.raises(AssertionError, match="effect: expected deny, got allow"):
        bad.check()


def test_the_policies_may_lie_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    path = write(tmp_path / "tests", "- {name: free, session: clerk, call: find, expect: {effect: allow}}")
    (path.parent / "policy.yaml").rename(tmp_path / "policy.yaml")
    assert run_file(path, tmp_path / "policy.yaml").failed == ()
    assert len(load_cases(tmp_path / "tests", tmp_path / "policy.yaml")) == 1
    with pytest.raises(PolicyError):
        run_file(path)


CASE = "- {name: a, session: clerk, call: find, expect: {effect: allow}}"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("session: clerk", "session: clrk", [("unknown-name", "clrk", "did you mean `clerk`?")]),
        ("call: find", "call: fnd", [("unknown-name", "fnd", "did you mean `find`?")]),
        (
            "call: find",
            "call: {tool: serch}",
            [
                (
                    "unknown-name",
                    "serch",
                    "did you mean `search`?; expect the code `TOOL_NOT_FOUND` if that is the point",
                )
            ],
        ),
        ("effect: allow", "efect: allow", [("unknown-key", "efect", "did you mean `effect`?")]),
        ("effect: allow", "effect: alow", [("wrong-value", "alow", "did you mean `allow`?")]),
        ("effect: allow", "code: CONFRM", [("wrong-value", "CONFRM", "did you mean `CONFIRM`?")]),
        ("effect: allow", "rule: larg", [("unknown-name", "larg", "did you mean `large`?")]),
        (
            "effect: allow",
            "rule: git.push.forc",
            [("unknown-name", "git.push.forc", "did you mean `git.push.force`?")],
        ),
        ("effect: allow", "monitored: [wached]", [("unknown-name", "wached", "did you mean `watched`?")]),
        ("expect: {effect: allow}", "expect: {}", [("wrong-value", "expect", "add `effect` or `code`")]),
        (
            "call: find, expect: {effect: allow}",
            "list: {visible: [serch]}",
            [("unknown-name", "serch", "did you mean `search`?")],
        ),
        (
            "call: find, expect: {effect: allow}",
            "list: {hidden: {pai: bound}}",
            [("unknown-name", "pai", "did you mean `pay`?")],
        ),
        (
            "call: find, expect: {effect: allow}",
            "list: {hidden: {pay: bond}}",
            [("wrong-value", "bond", "did you mean `bound`?")],
        ),
        (
            "call: find, expect: {effect: allow}",
            "list: {}",
            [
                (
                    "wrong-value",
                    "list",
                    "name `hidden` tools, or all that are visible in `only` (`only: []` for none)",
                )
            ],
        ),
        ("call: find, ", "", [("wrong-value", "expect", "add the call that is decided")]),
        ("expect: {effect: allow}", "entry: {effect: allow}", [("wrong-value", "call", "remove it")]),
        (", expect: {effect: allow}", "", [("wrong-value", "name", "write one case for each question")]),
        (
            "expect: {effect: allow}",
            "expect: {effect: allow}, entry: {effect: allow}",
            [("wrong-value", "entry", "write one case for each question")],
        ),
        (
            "session: clerk",
            "now: 2026-12-01, session: clerk",
            [("wrong-value", "2026-12-01", "write a moment with its zone, such as `2026-12-01T10:00:00Z`")],
        ),
        (
            "session: clerk",
            "session: {like: clerk, chanel: internal}",
            [("wrong-session", "{like: clerk, chanel: internal}", "")],
        ),
        (
            "session: clerk",
            "session: 7",
            [("wrong-value", "7", "write a fixture's name, or a mapping of its own")],
        ),
        ("session: clerk", "session: {like: 7}", [("wrong-type", "7", "")]),
        ("call: find", "call: {like: find, tol: x}", [("wrong-call", "{like: find, tol: x}", "")]),
        (
            "name: a, ",
            "",
            [("missing-key", "{session: clerk, call: find, expect: {effect: allow}}", "add `name`")],
        ),
    ],
)
def test_errors_are_underlined_and_helped(
    tmp_path: Path, old: str, new: str, expected: list[tuple[str, str, str]]
) -> None:
    assert old in CASE
    assert problems(write(tmp_path, CASE.replace(old, new))) == expected


def test_two_cases_of_one_name_and_endless_fixtures_are_errors(tmp_path: Path) -> None:
    assert problems(write(tmp_path, f"{CASE}\n{CASE}")) == [("duplicate-name", "a", "rename one")]
    endless = FIXTURES.replace("clerk: {id: s,", "clerk: {like: night, id: s,")
    assert [code for code, _, _ in problems(write(tmp_path, CASE, fixtures=endless))] == ["endless-like"]


def test_a_file_that_is_no_test_file_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path, CASE)
    for text, code in (
        ("version: 1\n", "missing-key"),
        ("a: [", "syntax"),
        ("- 1\n", "wrong-type"),
        ("version: 1\ncases: []\n", "wrong-value"),
    ):
        path.write_text(text)
        found = problems(path)
        assert found
        assert code == "syntax" or code in {each for each, _, _ in found}
    with pytest.raises(PolicyError):
        run_file(tmp_path / "missing.test.yaml", tmp_path / "policy.yaml")
    with pytest.raises(PolicyError):
        load_cases(tmp_path / "nowhere")
    path.unlink()
    with pytest.raises(PolicyError, match=r"holds no `\*\.test\.yaml`") as caught:
        load_cases(tmp_path)
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["no-tests"]


RESULTS = POLICY + 'results: [{id: no-notes, tools: ["*"], redact: [{field: note}]}]\n'


def reviewing(folder: Path, review: str, result: str = "{note: x, a: y}") -> Path:
    cases = f"- {{name: c, session: clerk, call: find, result: {result}, review: {review}}}"
    return write(folder, cases, policy=RESULTS)


@pytest.mark.parametrize(
    ("review", "differs"),
    [
        ("{redacted: [no-notes], withheld: false, truncated: false, contains: [y], lacks: [zz]}", None),
        ("{redacted: []}", "redacted: expected none, got `no-notes`"),
        ("{withheld: true}", "withheld: expected true, got REVIEWED"),
        ("{truncated: true}", "truncated: expected true, got false"),
        ("{contains: [z]}", 'text: expected to contain "z"'),
        ("{lacks: [y]}", 'text: expected to lack "y"'),
    ],
)
def test_a_case_about_a_result_says_what_differs(tmp_path: Path, review: str, differs: str | None) -> None:
    (report,) = run_file(reviewing(tmp_path, review)).cases
    assert report.passed is (differs is None)
    assert differs is None or differs in report.text


def test_what_is_wrong_with_a_case_about_a_result_is_said(tmp_path: Path) -> None:
    assert problems(reviewing(tmp_path, "{redacted: [no-note]}")) == [
        ("unknown-name", "no-note", "did you mean `no-notes`?")
    ]
    assert [code for code, _, _ in problems(reviewing(tmp_path, "{}"))] == ["wrong-value"]
    for case in (
        "{name: c, session: clerk, call: find, review: {withheld: false}}",
        "{name: c, session: clerk, result: x, review: {withheld: false}}",
        "{name: c, session: clerk, call: find, result: x, expect: {effect: allow}}",
    ):
        assert [code for code, _, _ in problems(write(tmp_path, f"- {case}", policy=RESULTS))] == [
            "wrong-value"
        ]


@given(st.lists(st.sampled_from(["a", "b", "*", "ab"]), max_size=5).map("".join), st.text("ab", max_size=6))
def test_a_message_pattern_fits_as_one_would_say(pattern: str, text: str) -> None:
    def slow(pattern: str, text: str) -> bool:
        if not pattern:
            return not text
        if pattern[0] == "*":
            return any(slow(pattern[1:], text[at:]) for at in range(len(text) + 1))
        return text[:1] == pattern[0] and slow(pattern[1:], text[1:])

    assert fits(pattern, text) == slow(pattern, text)


@pytest.mark.parametrize("case", load_cases(REPOSITORY / "policies"), ids=str)
def test_the_policies_that_come_along(case: Case) -> None:
    case.check()


def test_a_case_that_differs_names_the_step_that_decided(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(
        'version: 1\nsettings: {confirm_from: LOW}\nagents: [{name: a, tools: ["*"], tenants: ["*"]}]\n'
        "tools: [{name: run, risk: MEDIUM, permissions: [], inspect: {command: shell}, parameters: {type: object, properties: {command: {type: string}}}}]\n"
    )
    (tmp_path / "x.test.yaml").write_text(
        "version: 1\nsessions: {s: {tenant: t, agent: a, can_ask: true, cwd: /w, subject: {id: u, tenant: t, authenticated: true}}}\n"
        'cases: [{name: n, session: s, call: {tool: run, arguments: {command: "rm -rf /srv/x"}}, expect: {code: RULE}}]\n'
    )
    (case,) = load_cases(tmp_path)
    with pytest.raises(AssertionError) as caught:
        case.check()
    assert "inspected `command` as shell" in str(caught.value)


def texts(folder: Path, cases: str, policy: str = POLICY) -> list[list[str]]:
    """What is printed of each case but for its first line, without the places' folder."""
    reports = run_file(write(folder, cases, policy)).cases
    return [report.text.replace(f"{folder}/", "").splitlines()[1:] for report in reports]


def test_an_allow_rule_that_lifted_the_confirmation_is_what_decided_and_not_the_confirmation(
    tmp_path: Path,
) -> None:
    granted = f"{POLICY}  - {{id: tiny, tools: [pay], when: args.amount < 10, effect: allow}}\n"
    case = "- {name: c, session: clerk, call: small, expect: {effect: deny}}"
    assert texts(tmp_path, case, granted) == [
        [
            "  effect: expected deny, got allow",
            "  decided by: rule `tiny`: allow rule holds (policy.yaml:15:10) "
            "[args.amount < 10 = true; args.amount = 5]",
        ]
    ]


def test_an_allowed_call_against_which_nothing_was_held_was_decided_by_nothing(tmp_path: Path) -> None:
    case = "- {name: c, session: clerk, call: find, expect: {effect: deny}}"
    assert texts(tmp_path, case) == [["  effect: expected deny, got allow"]]


@pytest.mark.parametrize(
    ("call", "instead"),
    [
        (
            "small",
            "rule `large`: deny rule does not hold (policy.yaml:13:10) [args.amount > 1000 = false; args.amount = 5]",
        ),
        ("find", "rule `large`: it is not about `search` (policy.yaml:13:10)"),
        ("{tool: pay}", "rule `large`: the call was refused before any rule (policy.yaml:13:10)"),
    ],
)
def test_a_rule_that_was_expected_and_did_not_match_says_what_it_read(
    tmp_path: Path, call: str, instead: str
) -> None:
    case = f"- {{name: c, session: clerk, call: {call}, expect: {{rule: large}}}}"
    (lines,) = texts(tmp_path, case)
    assert lines[0] == "  rule: expected `large`, got none"
    assert lines[-1] == f"  expected {instead}"


def test_a_limit_that_was_expected_and_not_reached_says_where_it_stands(tmp_path: Path) -> None:
    policy = f"{POLICY}limits: [{{id: often, tools: [search], per: session, rate: 3/h}}]\n"
    case = "- {name: c, session: clerk, call: find, expect: {rule: often}}"
    assert texts(tmp_path, case, policy)[0][-1] == (
        "  expected rule `often`: it held nothing against the call (policy.yaml:15:15)"
    )
