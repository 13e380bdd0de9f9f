"""Step 7: commands and SQL in arguments. Row A8 for the five families; texts that only look alike pass."""

from __future__ import annotations

import pytest

from gateway.decision import Code, Effect
from tests.engine.build import SHOP, decide, with_rules

STOPPED = [
    "rm -rf ~/",
    "git push --force origin main",
    "psql -c 'DROP TABLE users'",
    "git -C . reset --hard HEAD~3",
    "r''m -rf /srv",
    "sh -c 'rm -rf /'",
    "echo 'DROP TABLE users' | psql",
    "mysql <<< 'TRUNCATE orders'",
    "sudo env X=1 rm -fr /etc",
]
PASSED = [
    "git commit -m 'drop table users'",
    "grep -r 'rm -rf' .",
    "echo 'TRUNCATE'",
    "ls -la",
    "pytest -q",
    "rm -rf node_modules",
]


@pytest.mark.parametrize("command", STOPPED)
def test_dangerous_commands_are_stopped_with_a_reason(command: str) -> None:  # A8
    decision = decide("run", {"command": command})
    assert decision.effect in (Effect.DENY, Effect.ASK)
    assert decision.code is Code.PATTERN
    assert decision.rule
    assert "`command`" in decision.message


@pytest.mark.parametrize("command", PASSED)
def test_harmless_commands_pass(command: str) -> None:
    assert decide("run", {"command": command}).proceeds


def test_sql_given_to_a_sql_tool() -> None:  # A8
    assert decide("sql", {"query": "drop table users"}).code is Code.PATTERN
    assert decide("sql", {"query": "select 'drop table users'"}).proceeds


def test_packs_are_switched_by_the_settings() -> None:
    off = SHOP.replace("confirm_from: HIGH", "confirm_from: HIGH\n  packs: [core, files]")
    assert decide("run", {"command": "git push --force origin main"}, text=off).proceeds
    assert decide("run", {"command": "rm -rf ~/"}, text=off).code is Code.PATTERN


def test_an_allow_rule_lifts_an_asking_pattern_only_by_name() -> None:  # C3
    command = {"command": "git reset --hard HEAD~3"}
    asked = decide("run", command)
    assert asked.effect is Effect.ASK
    unnamed = with_rules("{id: grant, tools: [run], effect: allow}")
    assert decide("run", command, text=unnamed).effect is Effect.ASK
    named = with_rules(f"{{id: grant, tools: [run], effect: allow, lifts: [{asked.rule}]}}")
    assert decide("run", command, text=named).proceeds


def test_a_denying_pattern_is_never_lifted() -> None:  # C3
    denied = decide("run", {"command": "rm -rf /"})
    assert denied.effect is Effect.DENY
    named = with_rules(f"{{id: grant, tools: [run], effect: allow, lifts: [{denied.rule}]}}")
    assert decide("run", {"command": "rm -rf /"}, text=named).effect is Effect.DENY


def test_a_command_too_long_to_read_is_asked_about() -> None:
    decision = decide("run", {"command": "echo " + "a" * 70_000})
    assert (decision.effect, decision.code) == (Effect.ASK, Code.UNREADABLE)
    grant = with_rules("{id: grant, tools: [run], effect: allow}")
    assert decide("run", {"command": "echo " + "a" * 70_000}, text=grant).effect is Effect.ASK


def test_monitoring_everything_watches_patterns_too() -> None:
    text = SHOP.replace("confirm_from: HIGH", "confirm_from: HIGH\n  monitor_until: 2027-01-01")
    decision = decide("run", {"command": "rm -rf /"}, text=text)
    assert decision.proceeds
    assert decision.monitored


def test_a_command_given_as_words_is_read_as_one() -> None:
    text = SHOP.replace(
        "properties: {command: {type: string}}}, inspect: {command: shell}",
        "properties: {command: {}}}, inspect: {command: shell}",
    )
    for command in (["rm", "-rf", "/srv"], ["ls", "rm -rf /srv"], [["rm -rf /srv"]]):
        assert decide("run", {"command": command}, text=text).code is Code.PATTERN, command
    assert decide("run", {"command": ["git", "commit", "-m", "rm -rf /srv"]}, text=text).code is Code.PATTERN
    assert decide("run", {"command": ["ls", "-la"]}, text=text).proceeds


def test_all_packs_are_on_unless_the_settings_name_some() -> None:
    without_settings = "version: 1\n" + SHOP.split("agents:", 1)[1].join(["agents:", ""])
    without_settings = without_settings.replace(", switch: beta", "").replace(", switch: code_exec", "")
    assert decide("run", {"command": "rm -rf /"}, text=without_settings).effect is Effect.DENY
