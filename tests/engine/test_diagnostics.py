"""What is wrong in a policy as a whole: each line's code, message and underlined characters stand beside it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from gateway.compile import compile_policy
from gateway.decision import Code
from gateway.diagnostic import Diagnostic, PolicyError
from gateway.inspect.guard import Guard
from gateway.load import load_policy
from tests.engine.build import SHOP, compiled, decide, gateway, with_rules

DATA = Path(__file__).parents[1] / "data" / "engine"
BAD = sorted((DATA / "bad").glob("*.yaml"))
NOTED = sorted((DATA / "noted").glob("*.yaml"))
EXPECTED = re.compile(r"# (error|warning|note): ([a-z-]+) «(.*?)» (.*?)(?= # (?:error|warning|note): |$)")

Line = tuple[int, str, str, str, str]


def expected(path: Path) -> Counter[Line]:
    return Counter(
        (number, severity, code, text, message)
        for number, line in enumerate(path.read_text().split("\n"), 1)
        for severity, code, text, message in EXPECTED.findall(line)
    )


def found(diagnostics: tuple[Diagnostic, ...]) -> Counter[Line]:
    lines: Counter[Line] = Counter()
    for one in diagnostics:
        assert one.span is not None
        lines[(one.span.line, one.severity.value, one.code, one.span.text, one.message)] += 1
    return lines


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_every_error_is_reported_where_it_was_written(path: Path) -> None:
    with pytest.raises(PolicyError) as caught:
        compile_policy(load_policy(path), Guard((), ()))
    assert found(tuple(caught.value.diagnostics)) == expected(path)


@pytest.mark.parametrize("path", NOTED, ids=lambda path: path.stem)
def test_what_loads_but_does_not_count_is_said(path: Path) -> None:
    assert found(compile_policy(load_policy(path), Guard((), ())).diagnostics) == expected(path)


def test_what_is_not_in_force_changes_no_decision() -> None:
    text = with_rules(
        "{id: net, tools: [order_pay], when: 'roles.recipient.exists(r, origin(r).untrusted)', effect: deny}"
    )
    assert decide("order_pay", {"amount": 1, "iban": "X"}, text=text).code is not Code.RULE
    manifest = gateway(text).manifest
    assert manifest.ready
    assert [one.code for one in manifest.not_in_force] == ["not-in-force"]


def test_an_example_counts_a_default_as_present() -> None:
    text = """
version: 1
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - {name: a, risk: LOW, permissions: [], parameters: {type: object, required: [x], properties: {x: {type: integer}}}}
  - {name: b, risk: LOW, permissions: [], parameters: {type: object, required: [x, y], properties: {x: {type: string}, y: {type: string, default: z}}}}
rules:
  - {id: r, tools: [a, b], when: 'tool.name == "b"', effect: deny, examples: {match: [{args: {x: k}}], no_match: [{args: {x: 1}}]}}
"""
    assert compiled(text).summary["ready"]


def test_examples_see_roles_lists_and_the_time() -> None:
    rule = """{id: r, tools: [order_pay], when: 'roles.recipient.exists(r, r in lists.known) && now < timestamp("2027-01-01T00:00:00Z")', effect: ask,
      examples: {match: [{args: {amount: 1, iban: DE1}}], no_match: [{args: {amount: 1, iban: FR1}}]}}"""
    assert compiled(with_rules(rule) + "lists: {known: [DE1]}\n").summary["ready"]


def test_the_tools_that_an_error_is_about_are_counted_off_after_three() -> None:
    with pytest.raises(PolicyError) as caught:
        compiled(with_rules('{id: r, tools: ["*"], when: args.amount > 1, effect: deny}'))
    (one,) = caught.value.diagnostics
    assert one.message == (
        "`args` has no field `amount` (for the tool `execute`, `order_beta`, `order_delete` and others)"
    )
    assert one.help == "narrow `tools`, or write a rule for each kind of tool"


def test_help_names_what_was_probably_meant() -> None:
    def help_of(text: str) -> str:
        with pytest.raises(PolicyError) as caught:
            compiled(text)
        (one,) = caught.value.diagnostics
        return one.help

    assert help_of(with_rules("{id: r, tools: [serch], effect: deny}")) == "did you mean `search`?"
    assert help_of(with_rules("{id: r, tools: [search], agents: [zzz], effect: deny}")) == (
        "known: `clerk`, `nowhere`, `reader`"
    )
    assert help_of(with_rules("{id: r, tools: [zzz], effect: deny}")) == ""
    some = SHOP.replace("tenants: [acme, beta]", 'tenants: [acme, "eu-*"]').replace(
        'tenants: ["*"], max', "tenants: [acme], max"
    )
    assert (
        help_of(with_rules("{id: r, tools: [search], tenants: [zzz], effect: deny}", text=some))
        == "known: `acme`"
    )
    override = some + "overrides: [{tenant: zzz, tools: [search], enabled: false, reason: r}]\n"
    assert help_of(override) == "known: `acme`"
    assert help_of(SHOP.replace("Pay {args.amount}", "Pay {args.amout}")) == "did you mean `{args.amount}`?"
    assert help_of(SHOP.replace("Pay {args.amount}", "Pay {args.zzz}")) == ""


def test_the_second_of_two_names_points_at_the_first() -> None:
    with pytest.raises(PolicyError) as caught:
        compiled(SHOP + "  - {name: search, risk: LOW, permissions: []}\n")
    (one,) = caught.value.diagnostics
    (related,) = one.related
    assert related.message == "first declared here"
    assert related.span.text == "search"
    assert one.span is not None
    assert related.span.line < one.span.line


@pytest.mark.parametrize(("fourth", "ending"), [("", "`)"), ("order_purge, ", "` and others)")])
def test_exactly_three_tools_are_all_named(fourth: str, ending: str) -> None:
    tools = f"execute, order_beta, order_off, {fourth}order_row"
    with pytest.raises(PolicyError) as caught:
        compiled(with_rules(f"{{id: r, tools: [{tools}], when: args.table > 1, effect: deny}}"))
    assert f"`args` has no field `table` (for the tool `execute`, `order_beta`, `order_off{ending}" in [
        one.message for one in caught.value.diagnostics
    ]


def test_an_allow_rule_that_can_only_fail_never_matches() -> None:
    rule = "{id: r, tools: ['*'], when: '1 / 0 == 1 && tool.risk == \"LOW\"', effect: EFFECT}"
    assert [d.code for d in gateway(with_rules(rule.replace("EFFECT", "allow"))).manifest.unready] == [
        "never-matches"
    ]
    assert gateway(with_rules(rule.replace("EFFECT", "deny"))).manifest.ready


def test_an_id_of_a_pattern_is_taken() -> None:
    with pytest.raises(PolicyError) as caught:
        compiled(with_rules("{id: git.push.force, tools: [run], effect: ask}"))
    (one,) = caught.value.diagnostics
    assert (one.code, one.span is not None and one.span.text) == ("duplicate-id", "git.push.force")


@pytest.mark.parametrize("rule", ["let: {a: 'args.query =='}, when: a", "when: 'args.query =='"])
def test_an_expression_that_cannot_be_read_is_an_error_of_its_own(rule: str) -> None:
    with pytest.raises(PolicyError) as caught:
        compiled(with_rules(f"{{id: r, tools: [search], {rule}, effect: deny}}"))
    assert "cel-syntax" in [one.code for one in caught.value.diagnostics]


def test_what_only_some_tools_lack_is_told_once_with_the_ways_out() -> None:
    rule = "{id: r, tools: [search, order_pay, order_read], when: has(args.amount) && args.amount == 5, effect: deny}"
    with pytest.raises(PolicyError) as caught:
        compiled(with_rules(rule))
    (one,) = caught.value.diagnostics
    assert one.message == "`args` has no field `amount` (for the tool `order_read`, `search`)"
    assert one.help == "narrow `tools`, or write a rule for each kind of tool"


@pytest.mark.parametrize(
    ("condition", "help_"),
    [
        ('"git.reset.hrd" in inspect.command.patterns', "did you mean `git.reset.hard`?"),
        ('"git" in inspect.command.patterns', "`git` is a pack: write the id of a pattern"),
        ('"xyzzy" in inspect.command.patterns', "`gatewayctl patterns` lists them"),
        ('"db.drop" in inspect.command.patterns', "`db.drop` is in the pack `database`, which is off"),
        (
            '"db.dorp" in inspect.command.patterns',
            "did you mean `db.drop`? `db.drop` is in the pack `database`, which is off",
        ),
        (
            'inspect.command.patterns.exists(p, p.startsWith("db."))',
            "`db.drop` is in the pack `database`, which is off",
        ),
        ('inspect.command.patterns.exists(p, p.startsWith("gti."))', "did you mean `git.`?"),
        ('"git.clean" in inspect.command.patterns', "`git.clean` is `off` in `settings.patterns`"),
        (
            '"path.secret" in inspect.command.patterns',
            "`path.secret` is found only in what is inspected as `path`",
        ),
        (
            '"publish" in inspect.command.effects',
            "patterns tell it, such as those of the pack `publish`",
        ),
        ('"delet" in inspect.command.effects', "did you mean `delete`?"),
        ('inspect.command.only("rm")', 'write `inspect.command.only(["rm"])`'),
        (
            'inspect.command.only(["/bin/ls"])',
            "write `ls`; `/` allows besides what is run by a path of its own",
        ),
        ('inspect.command.only(["git *"])', "write `git`, which stands for all that it does"),
        ('inspect.command.only(["ls  -la"])', "write `ls -la`"),
        ('inspect.command.only([">>"])', "`>` stands for all that is written to files"),
        (
            'inspect.command.only(["docker compose up"])',
            "write `docker compose`; more words count only behind an option: `python -m pytest`",
        ),
        (
            'inspect.command.within("src")',
            'write `session.roots.map(r, r + "/src")`, or an absolute path',
        ),
        ('inspect.command.within(".")', "write `session.roots`"),
        (
            'inspect.command.within("~/x")',
            "write the absolute path, or `session.home + …` behind `has(session.home) && …`",
        ),
        ('inspect.command.within("/srv/*")', "write `/srv`"),
        ('inspect.command.within("/srv/app-*/x")', "write `/srv`"),
    ],
)
def test_help_for_what_an_inspected_argument_never_holds(condition: str, help_: str) -> None:
    settings = "settings:\n  packs: [core, git, secrets, network]\n  patterns: {git.clean: off}\n"
    rule = f"{{id: r, tools: [run], when: '{condition}', effect: deny}}"
    with pytest.raises(PolicyError) as caught:
        compiled(with_rules(rule, text=SHOP.replace("settings:\n", settings, 1)))
    (one,) = caught.value.diagnostics
    assert one.help == help_


@pytest.mark.parametrize(
    ("settings", "help_"),
    [
        ('packs: "*"', "leave `packs` out for all of them, or write a list such as `[core, git]`"),
        ("packs: all", "leave `packs` out for all of them, or write a list such as `[core, git]`"),
        ("packs: core", "write `[core]`"),
        ('packs: ["*"]', "leave `packs` out for all of them"),
        ("packs: [all]", "leave `packs` out for all of them"),
        ("packs: [gti]", "did you mean `git`?"),
        ("packs: ['git*']", "write each name out"),
        ('patterns: {"git.*": deny}', "write each name out"),
        ("patterns: {git.reset.hard: allow}", "write `off`"),
        ("patterns: {git.reset.hard: dney}", "did you mean `deny`?"),
        ('protected_paths: "*.lock"', 'write `["*.lock"]`'),
        ("protected_paths: ['**.lock']", "write `**/*.lock`, or `*` for any characters of one name"),
        ("protected_paths: [$HOME/x]", "write `~/x`"),
        ("protected_paths: [$DATA/x]", "write the path itself"),
        ("artifacts: [build/out]", "write `out`, which is that name wherever it stands below the workspace"),
        ("artifacts: ['src/*']", "write a name"),
        ("protected_branches: [refs/heads/main]", "write `main`"),
    ],
)
def test_help_for_settings(settings: str, help_: str) -> None:
    with pytest.raises(PolicyError) as caught:
        compiled(SHOP.replace("settings:\n", f"settings:\n  {settings}\n", 1))
    (one,) = caught.value.diagnostics
    assert one.help == help_


@pytest.mark.parametrize(
    ("kind", "help_"),
    [("bash", "write `shell`"), ("postgres", "write `{sql: postgres}`"), ("shel", "did you mean `shell`?")],
)
def test_help_for_a_kind_of_inspection(kind: str, help_: str) -> None:
    with pytest.raises(PolicyError) as caught:
        compiled(SHOP.replace("inspect: {command: shell}", f"inspect: {{command: {kind}}}"))
    (one,) = caught.value.diagnostics
    assert one.help == help_
