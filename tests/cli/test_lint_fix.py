"""`gatewayctl lint --fix`: what is mended, that nothing else changes, and that nothing is decided otherwise."""

from __future__ import annotations

import json
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from gatewayctl.commands import cli
from gatewayctl.mended import compatible, write
from gatewayctl.output import Failure

from gateway.checks import unused_list
from gateway.diagnostic import Diagnostic, Edit, Source, Span, certain
from gateway.files import PolicyFile

POLICY = """version: 1
agents: [{name: clerk, tools: [pay], tenants: [acme]}]
tools:
  - name: pay
    description: Pay an invoice.
    risk: HIGH
    permissions: ["pay:create"]
    describe: Pay {args.amount}
    idempotent: true
    timeout: 5s
    result: {shape: known}
    parameters:
      type: object
      required: [amount, via]
      properties: {amount: {type: integer, minimum: 1}, via: {enum: [bank, card]}}
rules:
  - {id: large, tools: [pay], when: args.amount > 1000, effect: deny, message: Too much.}   # as agreed
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GATEWAY_POLICIES", raising=False)
    yield tmp_path


def run(*words: str) -> Result:
    result = CliRunner().invoke(cli, ["lint", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def mended(here: Path, text: str) -> str:
    """What a policy is after a mend, byte for byte."""
    (here / "p.yaml").write_bytes(text.encode())
    result = run("--fix", "p.yaml")
    assert result.exit_code in (0, 1), result.output
    return (here / "p.yaml").read_bytes().decode()


# --- what is mended --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("rules:", "rulez:"),
        ("message: Too", "mesage: Too"),
        ("message: Too", '"mesage": Too'),
        ("effect: deny", "efect: deny"),
        ("effect: deny", "effect: Deny"),
        ("effect: deny", "effect: dney"),
        ("risk: HIGH", "risk: HIHG"),
        ("risk: HIGH", "risk: high"),
        ("name: pay\n", "naem: pay\n"),
        ("args.amount > 1000", "args.amout > 1000"),
        ("args.amount > 1000", "agrs.amount > 1000"),
        ("[pay], when", "pay, when"),
    ],
)
def test_an_error_with_one_certain_suggestion_is_mended(here: Path, right: str, wrong: str) -> None:
    assert POLICY.count(right) == 1
    expected = POLICY.replace("message: Too", '"message": Too') if '"' in wrong else POLICY
    assert mended(here, POLICY.replace(right, wrong)) == expected


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("""'args.via == "Bank"'""", """'args.via == "bank"'"""),
        ("""'args.via in ["card", "bnak"]'""", """'args.via in ["card", "bank"]'"""),
        ('''"args.via == 'crad'"''', '''"args.via == 'card'"'''),
        ("""args.via == "Card" && args.amont > 1""", """args.via == "card" && args.amount > 1"""),
        ("|\n      args.amont > 3 &&\n      args.via == 'BANK'", "|\n      args.amount > 3 &&\n      args.via == 'bank'"),
    ],
)  # fmt: skip
def test_a_condition_is_mended_where_it_is_wrong(here: Path, wrong: str, right: str) -> None:
    rules = POLICY.partition("rules:\n")[0] + "rules:\n  - id: large\n    tools: [pay]\n    when: "
    rest = "\n    effect: deny\n    message: Too much.\n"
    assert mended(here, rules + wrong + rest) == rules + right + rest


def test_a_name_that_nothing_has_is_mended(here: Path) -> None:
    rule = "  - {id: two, tools: [pay], agents: [%s, '%s'], when: args.amount > 5, effect: ask, message: Sure?}\n"
    assert mended(here, POLICY + rule % ("clrek", "Clerk")) == POLICY + rule % ("clerk", "clerk")


def test_a_value_that_can_only_mean_true_is_written_so(here: Path) -> None:
    monitored = POLICY.replace("message: Too much.", "message: Too much., monitor: %s")
    for word, value in (("yes", "true"), ("Off", "false"), ("True", "true")):
        assert mended(here, monitored % word) == monitored % value
    assert mended(here, monitored % '"yes"') == monitored % '"yes"'


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("effect: deny", "effect: refuse"),  # like nothing
        ("args.amount > 1000", "arg.amount > 1000"),  # too short to be sure
        ("message: Too", "mssge: Too"),  # two letters
        ("{type: integer, minimum: 1}", "{type: integer}, amounts: {type: integer}"),  # either of two
    ],
)
def test_what_is_unsure_is_left_to_people(here: Path, right: str, wrong: str) -> None:
    text = POLICY.replace(right, wrong)
    text = text.replace("args.amount > 1000", "args.amountz > 1000") if "amounts" in wrong else text
    assert mended(here, text) == text


@pytest.mark.parametrize(
    ("word", "known", "expected"),
    [
        ("rulez", ["rules", "tools"], "rules"),
        ("RULES", ["rules"], "rules"),
        ("Pay", ["pay", "PAY"], ""),
        ("pya", ["pay"], ""),
        ("form_get", ["form_set", "form_let"], ""),
        ("form_gte", ["form_get", "form_set"], ""),
        ("form_gte", ["form_get", "pay_bill"], "form_get"),
        ("forms", ["form_list"], ""),
        ("x" * 200, ["y" + "x" * 199], ""),
        ("", ["rules"], ""),
    ],
)
def test_a_suggestion_is_certain_where_nothing_else_is_nearly_as_near(
    word: str, known: list[str], expected: str
) -> None:
    assert certain(word, known) == expected


def test_errors_that_show_one_after_the_other_are_mended_one_after_the_other(here: Path) -> None:
    text = POLICY.replace("rules:", "rulez:").replace("args.amount >", "args.amuont >")
    text = text.replace("risk: HIGH", "risk: HIHG")
    assert mended(here, text) == POLICY
    assert run("p.yaml", "--strict").exit_code == 0


def test_a_policy_that_would_still_not_load_is_not_touched(here: Path) -> None:
    text = POLICY.replace("rules:", "rulez:").replace("description:", "decsription:")
    text = text.replace("effect: deny", "effect: refuse")
    (here / "p.yaml").write_text(text)
    result = run("--fix", "p.yaml")
    assert result.exit_code == 1
    assert (here / "p.yaml").read_text() == text
    assert "`p.yaml` would not load with 2 mends either, so nothing of it is changed" in result.stderr
    assert "did you mean `rules`?" in result.stdout


LISTS = POLICY.replace("rules:\n", "%srules:\n")


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("lists: {few: [1, 2]}\n", ""),
        ("lists:\n  few: [1, 2]\n", ""),
        ("lists:\n  few:\n    - 1\n    - 2\n", ""),
        ("lists:\n  few:\n    - 1\n    - 2\n  many: [3]\n", ""),
        ("# above\nlists: {few: [1], many: [2]}\n# below\n", "# above\n# below\n"),
        ("lists:\n  few: [1]\n\n  many: [2]\n\n  most: [3]\n", ""),
        ("lists:\n  few: [1] # kept for May\n", "lists:\n  few: [1] # kept for May\n"),
        ("lists:\n  few:\n    - 1\n    # the other\n    - 2\n", "lists:\n  few:\n    - 1\n    # the other\n    - 2\n"),
        ('lists:\n  few: ["#1"]\n', ""),
    ],
)  # fmt: skip
def test_a_list_that_nobody_reads_is_removed_unless_a_comment_goes_with_it(
    here: Path, written: str, left: str
) -> None:
    assert mended(here, LISTS % written) == LISTS % left


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("lists: {few: [1], read: [2]}\n", "lists: {read: [2]}\n"),
        ("lists: {read: [2], few: [1]}\n", "lists: {read: [2]}\n"),
        ("lists: {few: [1],\n  read: [2]}\n", "lists: {\n  read: [2]}\n"),
        ("lists:\n  few: [1]\n  read: [2]\n", "lists:\n  read: [2]\n"),
        ("lists:\n  read: [2]\n  few: [1]\n", "lists:\n  read: [2]\n"),
        ("lists:\r\n  read: [2]\r\n  few: [1]\r\n", "lists:\r\n  read: [2]\r\n"),
    ],
)
def test_a_list_that_is_read_stays_beside_one_that_is_removed(here: Path, written: str, left: str) -> None:
    text = LISTS.replace("args.amount > 1000", "args.amount in lists.read")
    assert mended(here, text % written) == text % left


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("  # gateway: ignore[idle-lift] as meant\n", ""),
        ("  # as agreed # gateway: ignore[idle-lift] as meant\n", "  # as agreed\n"),
        ("  # gateway: ignore[idle-lift] as meant # more\n", "  # more\n"),
        ("  # gateway: ignore[idle-lift, posture] as meant\n", ""),
        ("  # gateway: ignore[idle-lift, missing-message, posture] as meant\n",
         "  # gateway: ignore[missing-message] as meant\n"),
        ("  # gateway: ignore[mising-message] as meant\n", "  # gateway: ignore[missing-message] as meant\n"),
        ("  # gateway: ignore[nothing-like-it] as meant\n", "  # gateway: ignore[nothing-like-it] as meant\n"),
    ],
)  # fmt: skip
def test_a_comment_is_left_with_what_it_silences(here: Path, written: str, left: str) -> None:
    rule = ", message: Too much.}   # as agreed\n"
    text = POLICY.replace(rule, "}%s" if "missing-message" in left else ", message: Too much.}%s")
    assert mended(here, text % written) == text % (left or "\n")


def test_a_comment_alone_on_its_line_goes_with_the_line(here: Path) -> None:
    text = "# one\n%s# two\n" + POLICY
    for end in ("\n", "\r\n"):
        whole = text.replace("\n", end)
        assert mended(here, whole % f"# gateway: ignore[posture] w{end}") == whole % ""


def test_the_last_line_needs_no_break(here: Path) -> None:
    assert mended(here, POLICY + "# gateway: ignore[posture] why") == POLICY


# --- that nothing else changes ---------------------------------------------------------------------------------------


def _at(path: Path, part: str, text: str) -> Edit:
    source = Source(str(path), path.read_text())
    start = source.text.index(part)
    return Edit(Span(source, start, start + len(part)), text)


def _finds(monkeypatch: pytest.MonkeyPatch, *found: Diagnostic) -> None:
    monkeypatch.setattr(unused_list, "check", lambda policy, compiled: iter(found))


@pytest.mark.parametrize(
    ("part", "text", "why"),
    [
        ("1000", "2000", "something would be decided otherwise: `rules.large.condition`"),
        ("1000", "500", "something would be decided otherwise: `rules.large.condition`"),
        ("effect: deny", "effect: refuse", "the policy would not load any more"),
        ("HIGH", "LOW", "something would be decided otherwise: `tools.pay.risk`"),
    ],
)
def test_a_mend_that_would_change_a_decision_is_not_made_and_others_are(
    here: Path, monkeypatch: pytest.MonkeyPatch, part: str, text: str, why: str
) -> None:
    """What a check claims to be safe is not believed."""
    path = Path("p.yaml")
    path.write_text(POLICY + "# gateway: ignore[posture] why\n")
    _finds(monkeypatch, Diagnostic("", "m", None, edits=(_at(path, part, text),)))
    result = run("--fix", "p.yaml")
    assert result.exit_code == 0
    assert f"unused-list is not mended: {why}" in result.stderr
    assert path.read_text() == POLICY
    assert [entry.name for entry in here.iterdir()] == ["p.yaml"]


def test_a_finding_that_never_goes_away_is_mended_so_many_times_at_most(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path("p.yaml")
    path.write_text(POLICY)
    _finds(monkeypatch, Diagnostic("", "m", None, edits=(_at(path, "", "#\n"),)))
    assert run("--fix", "p.yaml").exit_code in (0, 1)
    assert path.read_text().startswith("#\n" * 20 + "version")


def test_edits_that_touch_wait_and_those_of_one_finding_go_together(here: Path) -> None:
    (here / "p.yaml").write_text("0123456789\n")
    source = Source("p.yaml", "0123456789\n")

    def finding(*places: tuple[int, int]) -> Diagnostic:
        edits = tuple(Edit(Span(source, start, end), "") for start, end in places)
        return Diagnostic("c", str(places), Span(source, 0, 1), edits=edits)

    one, both, apart, touching = finding((2, 4)), finding((0, 1), (3, 5)), finding((6, 7)), finding((7, 8))
    assert compatible([one, both, apart, touching]) == [one, apart]
    assert compatible([both, one, touching]) == [both, touching]
    assert compatible([finding((2, 2)), finding((2, 2)), finding()]) == [finding((2, 2))]


def test_each_file_keeps_its_mode_and_nothing_is_left_beside_it(here: Path) -> None:
    folder = here / "policies"
    folder.mkdir()
    for name, text in (("a.yaml", POLICY), ("b.yaml", "version: 1\nlists: {few: [1]}\n")):
        (folder / name).write_text(text.replace("# as agreed", "# gateway: ignore[posture] why"))
    (folder / "a.yaml").chmod(0o640)
    (folder / "b.yaml").chmod(0o604)
    assert run("--fix", "policies").exit_code == 0
    assert (folder / "a.yaml").read_text() == POLICY.replace("   # as agreed", "")
    assert (folder / "b.yaml").read_text() == "version: 1\n"
    assert [stat.S_IMODE((folder / name).stat().st_mode) for name in ("a.yaml", "b.yaml")] == [0o640, 0o604]
    assert sorted(entry.name for entry in folder.iterdir()) == ["a.yaml", "b.yaml"]


def test_a_link_is_not_followed(here: Path) -> None:
    text = POLICY + "# gateway: ignore[posture] why\n"
    (here / "real").write_text(text)
    (here / "p.yaml").symlink_to("real")
    result = run("--fix", "p.yaml")
    assert (here / "p.yaml").is_symlink()
    assert (here / "real").read_text() == text
    assert "unused-ignore" in result.stdout
    assert "`p.yaml` is no regular file, so it is left as it is" in result.stderr


def test_where_one_file_has_changed_meanwhile_all_are_as_they_were(here: Path) -> None:
    files = []
    for name in ("a", "b"):
        (here / name).write_text(f"old {name}")
        old, new = (PolicyFile(name, name, f"{age} {name}".encode()) for age in ("old", "new"))
        files.append((old, new))
    (here / "b").write_text("another")
    with pytest.raises(Failure, match="`b` can't be written: it has changed meanwhile; nothing is changed"):
        write(files)
    assert ((here / "a").read_text(), (here / "b").read_text()) == ("old a", "another")
    (here / "b").unlink()
    (here / "b").symlink_to("a")
    with pytest.raises(Failure, match="nothing is changed"):
        write(files)
    assert (here / "a").read_text() == "old a"
    assert sorted(entry.name for entry in here.iterdir()) == ["a", "b"]


# --- what is said ----------------------------------------------------------------------------------------------------


def test_what_was_mended_is_said_beside_what_is_left(here: Path) -> None:
    text = POLICY.replace(", message: Too much.", "") + "# gateway: ignore[posture] why\n"
    (here / "p.yaml").write_text(text)
    result = run("--fix", "p.yaml", "--format", "json", "--strict")
    assert result.exit_code == 1
    assert [one["code"] for one in json.loads(result.stdout)["diagnostics"]] == ["missing-message"]
    assert result.stderr == (
        "mended p.yaml:18:19: unused-ignore: `posture` finds nothing here, so the comment silences nothing\n"
    )


def test_where_nothing_can_be_mended_nothing_is_said_of_it(here: Path) -> None:
    (here / "p.yaml").write_text(POLICY)
    changed = (here / "p.yaml").stat().st_mtime_ns
    result = run("--fix", "p.yaml")
    assert (result.exit_code, result.stderr) == (0, "")
    assert (here / "p.yaml").stat().st_mtime_ns == changed
    assert run("--fix", "nowhere.yaml").exit_code == 2
    assert run("--fix", "a\0b").exit_code == 2


@pytest.mark.parametrize(
    "text",
    [
        POLICY + "# gateway: ignore[posture] why",
        "lists:\r\n  few: [1]\r\n" + POLICY.replace("\n", "\r\n"),
        POLICY.replace("rules:", "rulez:").replace("effect: deny", "effect: Deny"),
        POLICY.removesuffix("\n").replace("rules:", "rulez:").replace("deny", "Deny"),
    ],
)
def test_a_preview_is_a_patch_that_does_what_a_fix_does(here: Path, text: str) -> None:
    (here / "policies").mkdir()
    path = here / "policies" / "p.yaml"
    path.write_bytes(text.encode())
    result = run("--fix", "--dry-run", "policies")
    assert result.exit_code == 1
    assert path.read_bytes() == text.encode()
    for words in (("init", "-q"), ("apply", "-p1")):
        subprocess.run(
            ["git", *words], input=result.stdout_bytes, check=True, timeout=60, capture_output=True
        )
    patched = path.read_bytes()
    assert patched != text.encode()
    path.write_bytes(text.encode())
    run("--fix", "policies")
    assert path.read_bytes() == patched
    assert run("--fix", "--dry-run", "policies").exit_code == 0
    assert run("--fix", "--dry-run", "policies").stdout == ""


def test_lower_layers_are_mended_with_the_policy_above_them(here: Path) -> None:
    (here / "p.yaml").write_text(POLICY)
    lower = "version: 1\nrules:\n  - {id: own, tools: [pay], effect: ask, message: Sure?}%s\n"
    (here / "own.yaml").write_text(lower % " # gateway: ignore[posture] why")
    assert run("--fix", "p.yaml", "--user", "own.yaml").exit_code == 0
    assert (here / "own.yaml").read_text() == lower % ""
    assert (here / "p.yaml").read_text() == POLICY
