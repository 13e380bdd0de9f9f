"""The action and the hooks of pre-commit do what they say: every command in them is run, in real repositories."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from gatewayctl.commands import cli

from tests.pipeline import ACTION, HOOKS, ROOT, STEPS, git, hook, step, steps
from tests.reference import shown

README = (ROOT / "README.md").read_text(encoding="utf-8")
BROKEN = ("effect: deny", "efect: deny")
DOUBTFUL = ("    message: Payments above 1000 are made by finance.\n", "")
WRONG = ("effect: ask, code: CONFIRM}}\n", "effect: allow}}\n")
VIOLATED = (
    "version: 1\n",
    "version: 1\ninvariants:\n  - {id: never-so-much, tools: [pay_invoice], always: args.amount < 500}\n",
)
LOOSER = ("tenants: [acme]}", "tenants: [acme, beta]}")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with the policies that `gatewayctl init` writes."""
    assert CliRunner().invoke(cli, ["init", str(tmp_path / "policies")]).exit_code == 0
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "start")
    return tmp_path


def change(repository: Path, old: str, new: str, file: str = "policy.yaml") -> None:
    path = repository / "policies" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


PLACES = {
    "rule": ("policy.yaml", "- id: large-payment"),
    "effect": ("policy.yaml", "effect: deny"),
    "case": ("policy.test.yaml", "name: a payment is confirmed"),
}


def line_of(repository: Path, file: str, part: str) -> int:
    lines = (repository / "policies" / file).read_text().splitlines()
    (number,) = (number for number, line in enumerate(lines, 1) if part in line)
    return number


# --- what the files say ----------------------------------------------------------------------------------------------


def test_what_a_workflow_gives_reaches_no_script_but_as_a_variable() -> None:
    assert ACTION["runs"]["using"] == "composite"
    used = set()
    for told in STEPS.values():
        assert told["shell"] == "bash"
        assert "${{" not in told["run"]
        for value in told["env"].values():
            match = re.fullmatch(r"\$\{\{ (?:inputs\.([a-z-]+)|github\.action_path) \}\}", value)
            assert match is not None
            used.add(match[1])
        used |= set(re.findall(r"inputs\.([a-z-]+)", told.get("if", "")))
    assert used - {None} == set(ACTION["inputs"])


def test_every_input_is_told_and_is_a_text() -> None:
    for told in ACTION["inputs"].values():
        assert told["description"].endswith(".")
        assert isinstance(told["default"], str)


def test_the_package_comes_from_the_action_s_own_checkout_or_in_the_version_that_is_given() -> None:
    run = STEPS["Install"]["run"]
    assert '"gatewayctl==$VERSION"' in run
    assert '"$ACTION_PATH"' in run
    assert 'echo "$place/bin" >> "$GITHUB_PATH"' in run


def test_the_readme_s_workflow_and_hooks_are_those_that_there_are() -> None:
    workflow = yaml.safe_load(shown(README, "workflow"))
    *_, ours = workflow["jobs"]["policies"]["steps"]
    assert "/gatewayctl@" in ours["uses"]
    assert ours["with"].keys() <= ACTION["inputs"].keys()
    (ours,) = yaml.safe_load(shown(README, "pre-commit"))["repos"]
    assert [each["id"] for each in ours["hooks"]] == list(HOOKS)


# --- the action ------------------------------------------------------------------------------------------------------


def test_all_is_green_where_nothing_is_wrong(repository: Path) -> None:
    ran = steps(repository, base="HEAD", changed_since="HEAD")
    assert {name: each.code for name, each in ran.items()} == {
        "Lint": 0,
        "Test": 0,
        "Invariants": 0,
        "Diff": 0,
    }
    assert ran["Lint"].output == ""
    assert "8 cases: 8 passed, 0 failed" in ran["Test"].output
    assert "proved: nothing differs" in ran["Diff"].output


@pytest.mark.parametrize(
    ("edit", "file", "codes", "said"),
    [
        (BROKEN, "policy.yaml", {"Lint": 1, "Test": 2, "Invariants": 2, "Diff": 2},
         "::error file=policies/policy.yaml,line={effect},col=5,endLine={effect},endColumn=10,title=unknown-key::`efect`"),
        (DOUBTFUL, "policy.yaml", {"Lint": 1, "Test": 0, "Invariants": 0, "Diff": 0},
         "::warning file=policies/policy.yaml,line={rule},col=9,endLine={rule},endColumn=22,title=missing-message::"),
        (WRONG, "policy.test.yaml", {"Lint": 0, "Test": 1, "Invariants": 0, "Diff": 0},
         "::error file=policies/policy.test.yaml,line={case},"),
        (VIOLATED, "policy.yaml", {"Lint": 0, "Test": 0, "Invariants": 1, "Diff": 0}, "violated  never-so-much"),
        (LOOSER, "policy.yaml", {"Lint": 0, "Test": 0, "Invariants": 0, "Diff": 1}, "relaxed  agents.assistant.tenants"),
    ],
)  # fmt: skip
def test_each_fault_is_red_where_it_shows(
    repository: Path, edit: tuple[str, str], file: str, codes: dict[str, int], said: str
) -> None:
    places = {name: line_of(repository, *place) for name, place in PLACES.items()}
    change(repository, *edit, file=file)
    ran = steps(repository, base="HEAD")
    assert {name: each.code for name, each in ran.items()} == codes, ran
    assert said.format(**places) in "".join(each.output for each in ran.values())


def test_a_later_step_runs_although_an_earlier_one_has_failed() -> None:
    for name in ("Test", "Invariants", "Diff"):
        assert STEPS[name]["if"].startswith("${{ !cancelled() && steps.install.outcome == 'success' && ")
    assert STEPS["Install"]["id"] == "install"


def test_inputs_turn_what_is_done(repository: Path) -> None:
    change(repository, *DOUBTFUL)
    assert list(steps(repository, test="false", invariants="false")) == ["Lint"]
    assert step("Lint", repository).code == 1
    assert step("Lint", repository, strict="false").code == 0
    assert "posture" in step("Lint", repository, confidence="likely").output
    assert step("Lint", repository, confidence="sure").code == 2
    assert step("Test", repository, coverage="50").code == 0
    assert step("Test", repository, coverage="100").code == 1
    git(repository, "commit", "-qam", "doubtful")
    assert step("Lint", repository, changed_since="HEAD").code == 0
    assert step("Lint", repository, changed_since="HEAD~1").code == 1


def test_several_policies_are_each_looked_at(repository: Path) -> None:
    assert CliRunner().invoke(cli, ["init", str(repository / "more of them")]).exit_code == 0
    both = "policies\n\n   more of them  \n"
    ran = steps(repository, policies=both, base="HEAD")
    assert {name: each.code for name, each in ran.items()} == {
        "Lint": 0,
        "Test": 0,
        "Invariants": 0,
        "Diff": 0,
    }
    assert "16 cases: 16 passed, 0 failed" in ran["Test"].output
    assert "more\\ of\\ them is new, so there is nothing to compare it with" in ran["Diff"].output
    change(repository, *LOOSER)
    git(repository, "add", "-A")
    assert step("Diff", repository, policies=both, base="HEAD").code == 1
    (repository / "more of them" / "policy.yaml").write_text("version: 2\n")
    assert step("Lint", repository, policies=both).code == 1


def test_what_is_confirmed_passes(repository: Path) -> None:
    change(repository, *LOOSER)
    confirmations = repository / "confirmations.yaml"
    confirmations.write_text("[]\n")
    ran = step("Diff", repository, base="HEAD", confirm="confirmations.yaml")
    assert ran.code == 1
    entry = ran.output.partition("who agreed and why:\n")[2].partition("to check again")[0]
    confirmations.write_text(entry.replace("by:", "by: ann").replace("reason:", "reason: a new tenant"))
    assert step("Diff", repository, base="HEAD", confirm="confirmations.yaml").code == 0
    assert step("Diff", repository, base="HEAD").code == 1


def test_a_base_that_is_not_there_is_red(repository: Path) -> None:
    for base in ("nowhere", "-q", "HEAD:policies"):
        ran = step("Diff", repository, base=base)
        assert (ran.code, ran.output.partition("::error::")[1]) == (2, "::error::")


def test_nothing_that_a_workflow_gives_is_run(repository: Path) -> None:
    text = "$(touch one)`touch two`; touch three \"; touch four; ' touch five '\ntouch six\n$(touch\tseven)"
    before = sorted(path.name for path in repository.iterdir())
    hostile = dict.fromkeys(
        ("policies", "coverage", "confidence", "changed-since", "base", "confirm", "strict"), text
    )
    for told, inputs in (
        ("Lint", hostile),
        ("Test", hostile),
        ("Diff", hostile),
        ("Diff", {**hostile, "base": "HEAD"}),
    ):
        step(told, repository, **inputs)
    assert sorted(path.name for path in repository.iterdir()) == before


def test_what_a_case_says_gives_the_runner_no_orders(repository: Path) -> None:
    change(repository, "name: a payment is confirmed", 'name: "\\n::warning::x"', file="policy.test.yaml")
    change(repository, *WRONG, file="policy.test.yaml")
    ran = step("Test", repository)
    assert ran.code == 1
    orders = [line for line in ran.output.splitlines() if line.lstrip().startswith("::")]
    assert [order.partition(" ")[0] for order in orders] == ["::error"]


def test_what_a_policy_says_gives_the_runner_no_orders(repository: Path) -> None:
    change(repository, "name: a payment is confirmed", "name: '::warning::x'", file="policy.test.yaml")
    change(repository, *WRONG, file="policy.test.yaml")
    change(repository, *LOOSER)
    tokens = set()
    for _ in range(2):  # the word that ends it can't be foreseen
        first, *lines, last = step("Diff", repository, base="HEAD").output.splitlines()
        token = first.removeprefix("::stop-commands::")
        assert re.fullmatch(r"[0-9a-f]{32}", token)
        assert last == f"::{token}::"
        assert not any(token in line for line in lines)
        tokens.add(token)
    assert len(tokens) == 2


# --- pre-commit ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [(), ("policies",)])
def test_hooks_pass_what_is_right_and_stop_what_is_not(repository: Path, arguments: tuple[str, ...]) -> None:
    assert [hook(name, repository, *arguments).code for name in HOOKS] == [0, 0]
    change(repository, *DOUBTFUL)
    ran = hook("gateway-lint", repository, *arguments)
    assert ran.code == 1
    line = line_of(repository, *PLACES["rule"])
    assert f"policies/policy.yaml:{line}:9: warning[missing-message]" in ran.output
    change(repository, *WRONG, file="policy.test.yaml")
    ran = hook("gateway-test", repository, *arguments)
    assert ran.code == 1
    line = line_of(repository, *PLACES["case"])
    assert f"FAILED policies/policy.test.yaml:{line}: a payment is confirmed" in ran.output


def test_hooks_run_where_a_policy_or_its_tests_change() -> None:
    for told in HOOKS.values():
        assert told["language"] == "python"
        assert re.search(told["files"], "policies/policy.test.yaml")
        assert re.search(told["files"], "policies/a.yml")
        assert not re.search(told["files"], "README.md")
