"""What conditions read of an inspected argument; C9, A13."""

from __future__ import annotations

import pytest

from gateway.decision import Code
from gateway.diagnostic import PolicyError
from tests.engine.build import compiled, decide, gateway, with_rules

WHERE = "session.cwd"


def denied(condition: str, command: str) -> bool:
    text = with_rules(f"{{id: r, tools: [run], when: '{condition}', effect: deny}}")
    return any(finding.rule == "r" for finding in decide("run", {"command": command}, text=text).findings)


@pytest.mark.parametrize(
    ("condition", "yes", "no"),
    [
        ("inspect.command.writes", "touch a", "ls -la | grep x"),
        ("inspect.command.writes", "unheard-of --flag", "git -C lib status --short"),
        ("inspect.command.writes", "git -c core.pager=x log", "git log --oneline"),
        ("inspect.command.writes", "ls > files.txt", "ls 2> /dev/null"),
        ("inspect.command.writes", "find . -name x -exec touch {} +", "find . -name x"),
        ("inspect.command.writes", "cat $(cat list)", "cat list"),
        ("inspect.command.writes", "sed -i s/a/b/ f", "sed -n 1,20p f"),
        ("inspect.command.network", "cd /tmp; wget https://example.com/x", "echo curl"),
        ("inspect.command.network", "git -C lib fetch", "git -C lib log"),
        ('"delete" in inspect.command.effects', "sh -c 'rm a'", "echo rm a"),
        ('inspect.command.invocations.exists(i, i.program == "make")', "sudo make x", "echo make"),
        ('inspect.command.invocations.exists(i, "force" in i.flags)', "rm -vf a", "rm -v a"),
        ('inspect.command.analysis == "partial"', "cat $UNSET", "cat a"),
        ('inspect.command.only(["ls", "git status"])', "ls; git status", "ls; git push"),
        ('!inspect.command.only(["ls"])', "ls $(cat x)", "ls a"),
        ('!inspect.command.only(["ls"])', "ls > ~/notes", "ls 2>&1 > /dev/null"),
        ('!inspect.command.only(["ls"])', "PATH=/tmp ls", "ls"),
        ('inspect.command.only(["ls", ">", "="])', "A=1 ls > b", "A=1 cat > b"),
    ],
)
def test_commands(condition: str, yes: str, no: str) -> None:
    assert denied(condition, yes)
    assert not denied(condition, no)


def test_facts_of_an_absent_argument_are_there_and_empty() -> None:
    text = """
version: 1
settings: {confirm_from: IRREVERSIBLE}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - {name: run, risk: LOW, permissions: [], inspect: {command: shell}, parameters: {type: object, properties: {command: {type: string}}}}
rules:
  - {id: w, tools: [run], when: inspect.command.writes || inspect.command.network, effect: deny}
  - {id: a, tools: [run], when: 'inspect.command.analysis != "exact" || size(inspect.command.invocations) > 0', effect: deny}
"""
    assert decide("run", {}, text=text).code is Code.ALLOWED


def test_a_call_that_only_looks_needs_no_confirmation() -> None:
    text = """
version: 1
settings: {confirm_from: LOW}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - name: run
    risk: HIGH
    permissions: []
    inspect: {command: shell}
    read_only_when: "!inspect.command.writes"
    parameters: {type: object, required: [command], properties: {command: {type: string}}}
"""
    assert gateway(text).manifest.not_in_force == ()
    assert decide("run", {"command": "git status && ls src"}, text=text).code is Code.ALLOWED
    assert decide("run", {"command": "git status && make"}, text=text).code is Code.CONFIRM
    assert decide("run", {"command": "cat $X"}, text=text).code is Code.CONFIRM


def test_an_example_of_a_rule_is_inspected_like_a_call() -> None:
    rule = "{id: r, tools: [run], when: inspect.command.network, effect: deny, examples: {match: [{args: {command: 'wget https://example.com'}}], no_match: [{args: {command: ls}}]}}"
    assert gateway(with_rules(rule)).manifest.ready


@pytest.mark.parametrize(
    ("condition", "yes", "no"),
    [
        ("!inspect.path.within(session.roots)", "../x", "src/x"),
        ('inspect.path.classes.exists(c, c == "outside")', "/data/x", "x"),
        ('inspect.path.path.endsWith("/x")', "a/../x", "y"),
    ],
)
def test_paths(condition: str, yes: str, no: str) -> None:
    text = with_rules(f"{{id: r, tools: [write_file], when: '{condition}', effect: deny}}")
    text = text.replace("settings:\n", "settings:\n  patterns: {path.write.outside: off}\n", 1)
    assert decide("write_file", {"path": yes}, text=text).rule == "r"
    assert decide("write_file", {"path": no}, text=text).rule != "r"


def test_more_than_is_told_is_partial_and_counts_as_a_change() -> None:
    many = "; ".join(f"ls d{number}" for number in range(120))
    assert denied('inspect.command.analysis == "partial" && inspect.command.writes', many)
    assert denied("size(inspect.command.invocations) == 100", many)
    long = "ls " + "x" * 2000
    assert denied("inspect.command.invocations.all(i, i.operands.all(o, size(o) <= 1000))", long)
    assert denied('inspect.command.analysis == "partial"', long)


def test_a_word_that_no_fact_has_is_told() -> None:
    with pytest.raises(PolicyError) as error:
        compiled(
            with_rules("{id: r, tools: [run], when: '\"delet\" in inspect.command.effects', effect: deny}")
        )
    assert "delet" in str(error.value.diagnostics[0].message)
