"""Step 7: commands and SQL in arguments. Row A8 for the five families; texts that only look alike pass."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from gateway.decision import Class, Code, Decision, Effect
from gateway.inspect.guard import Guard
from tests.engine.build import SHOP, decide, gateway, session, with_rules

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


def test_a_message_names_the_argument_and_what_to_do_instead() -> None:
    decision = decide("run", {"command": "git push --force origin main"})
    (finding,) = decision.findings
    assert (finding.code, finding.kind, finding.step.value) == (Code.PATTERN, Class.INSPECTION, 7)
    assert finding.message.startswith("`command`: ")
    assert " Instead: " in finding.message
    assert "(in `--force`)" in finding.reason


def test_what_cannot_be_read_belongs_to_no_pattern() -> None:
    (finding,) = decide("run", {"command": "echo " + "a" * 70_000}).findings
    assert (finding.code, finding.rule) == (Code.UNREADABLE, None)


def test_every_text_inside_an_argument_is_read() -> None:
    text = SHOP.replace(
        "properties: {query: {type: string}}}, inspect: {query: sql}",
        "properties: {query: {additionalProperties: true}}}, inspect: {query: sql}",
    ).replace(
        "properties: {command: {type: string}}}, inspect: {command: shell}",
        "properties: {command: {additionalProperties: true}}}, inspect: {command: shell}",
    )
    for query in (
        {"a": ["drop table users"]},
        ["select 1", "drop table users"],
        {"b": {"c": {"d": "drop table users"}}},
        {"drop table users": 1},
    ):
        assert decide("sql", {"query": query}, text=text).code is Code.PATTERN, query
    for harmless in (7, None, True, ["drop", "table", "users"], {"select 1": 1}):
        assert decide("sql", {"query": harmless}, text=text).code is not Code.PATTERN, harmless
    assert decide("run", {"command": {"x": ["rm -rf /srv"]}}, text=text).code is Code.PATTERN


def test_words_of_a_command_are_one_finding_each() -> None:
    text = SHOP.replace(
        "properties: {command: {type: string}}}, inspect: {command: shell}",
        "properties: {command: {additionalProperties: true}}}, inspect: {command: shell}",
    )
    assert len(decide("run", {"command": "rm -rf /srv"}).findings) == 1
    assert len(decide("run", {"command": ["rm -rf /srv"]}, text=text).findings) == 1
    assert len(decide("run", {"command": ["rm", "/srv", "-rf"]}, text=text).findings) == 1
    assert len(decide("run", {"command": ["rm", "-rf /srv"]}, text=text).findings) <= 1


def test_monitoring_everything_spares_the_guard_and_nothing_else() -> None:
    text = SHOP.replace("confirm_from: HIGH", "confirm_from: HIGH\n  monitor_until: 2026-12-31")
    command = {"command": "rm -rf /"}
    watched = decide("run", command, text=text)
    assert [finding.code for finding in watched.monitored] == [Code.PATTERN]
    assert decide("run", command, text=text, now=datetime(2027, 1, 1, tzinfo=UTC)).effect is Effect.DENY


ANYWHERE = SHOP.replace(
    "settings:\n", "settings:\n  patterns: {path.read.outside: off, path.write.outside: off}\n", 1
)


def test_reading_what_is_guarded_is_a_read_and_writing_a_write() -> None:
    text = ANYWHERE + (
        "  - {name: order_show, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [path], "
        "properties: {path: {type: string}}}, inspect: {path: path}}\n"
    )
    guard = Guard(("/etc/gateway/policy.yaml",), ("/etc/gateway/store",))

    def code(tool: str, path: str) -> Code:
        call = {"tool": tool, "arguments": {"path": path}}
        return gateway(text, guard=guard).before(call, session()).code

    assert code("write_file", "/etc/gateway/policy.yaml") is Code.GUARD
    assert code("order_show", "/etc/gateway/policy.yaml") is Code.ALLOWED
    assert code("order_show", "/etc/gateway/store") is Code.GUARD
    refused = gateway(text, guard=guard).before(
        {"tool": "write_file", "arguments": {"path": "/etc/gateway/store"}}, session()
    )
    assert [(f.kind, f.rule) for f in refused.findings if f.code is Code.GUARD] == [(Class.GUARD, "guard")]


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf / /etc/gate/policy.yaml",
        "rm -rf /etc /etc/gate/policy.yaml",
        "rm -rf ~ / /etc /etc/gate/policy.yaml",
        "mv /etc /etc/gate/policy.yaml /tmp/x",
        'rm -rf / "$UNKNOWN/policy.yaml" /etc/gate/policy.yaml',
        "rm -rf /etc/gate/policy.yaml /",
    ],
)
def test_a_guarded_file_that_is_named_came_second_to_a_directory_that_holds_it(command: str) -> None:
    gate = gateway(guard=Guard(("/etc/gate/policy.yaml",), ()))
    decision = gate.before({"tool": "run", "arguments": {"command": command}}, session())
    assert (decision.effect, decision.code) == (Effect.DENY, Code.GUARD)
    assert "`/etc/gate/policy.yaml` is a file that protects this gateway" in decision.message


def test_a_directory_that_holds_a_guarded_file_still_comes_before_one_that_may() -> None:
    gate = gateway(guard=Guard(("/home/dev/shop/conf/policy.yaml",), ()))
    command = 'mv "$UNKNOWN/policy.yaml" conf /tmp'
    decision = gate.before({"tool": "run", "arguments": {"command": command}}, session())
    assert (decision.effect, decision.code) == (Effect.DENY, Code.GUARD)
    assert "`conf` holds a file" in decision.message


def test_two_words_are_a_command_too() -> None:
    text = SHOP.replace(
        "properties: {command: {type: string}}}, inspect: {command: shell}",
        "properties: {command: {}}}, inspect: {command: shell}",
    )
    assert decide("run", {"command": ["psql", "-cDROP TABLE users"]}, text=text).code is Code.PATTERN


def test_an_object_from_path_to_content_is_read_by_its_keys_too() -> None:
    text = ANYWHERE.replace(
        "parameters: {type: object, required: [path], properties: {path: {type: string}}}, inspect: {path: path}",
        "parameters: {type: object, properties: {path: {type: object, additionalProperties: {type: string}}}}, inspect: {path: path}",
    )
    gate = gateway(text, guard=Guard(("/etc/gate",), ()))
    written = gate.before({"tool": "write_file", "arguments": {"path": {"/etc/gate/p.yaml": "x"}}}, session())
    assert written.code is Code.GUARD
    assert gate.before({"tool": "write_file", "arguments": {"path": {"/etc/other": "x"}}}, session()).proceeds


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"command": "rm -rf /srv"}, Code.PATTERN),
        ({"cmd": ["rm", "-rf", "/srv"]}, Code.PATTERN),
        ({"file_path": "/etc/gate/policy.yaml", "content": "x"}, Code.GUARD),
        ({"paths": ["/tmp/a", "/etc/gate/policy.yaml"]}, Code.GUARD),
        ({"command": "ls -la", "path": "/tmp/a"}, Code.ALLOWED),
        ({"anything": "/etc/gate/policy.yaml"}, Code.GUARD),
        ({"edits": [{"where": "file:///etc/gate/policy.yaml"}]}, Code.GUARD),
        ({"query": "rm -rf /srv", "text": "see /etc/gate/policy.yaml for more"}, Code.ALLOWED),
        ('{"command": ', Code.ARGUMENTS_UNREADABLE),
    ],
)
def test_a_tool_that_the_catalogue_lacks_still_meets_the_guard(arguments: Any, code: Code) -> None:
    gate = gateway(guard=Guard(("/etc/gate",), ()))
    call = {"tool": "write", "server": "fs", "arguments": arguments}
    assert gate.before(call, session()).effect is Effect.DENY
    assert gate.before_unlisted(call, session()).code is code
    assert gate.before_unlisted(call, None).code is Code.NO_IDENTITY or isinstance(arguments, str)


def test_reading_what_is_guarded_by_an_unlisted_tool_is_fine() -> None:
    gate = gateway(guard=Guard(("/etc/gate",), ("/var/gate",)))
    for path, code in (("/etc/gate/policy.yaml", Code.ALLOWED), ("/var/gate/store.db", Code.GUARD)):
        call = {"tool": "read_file", "server": "fs", "arguments": {"path": path}}
        assert gate.before_unlisted(call, session()).code is code


def test_a_policy_that_is_not_ready_judges_no_unlisted_tool() -> None:
    call = {"tool": "read_file", "arguments": {"path": "/tmp/a"}}
    assert gateway("version: 1\n").before_unlisted(call, session()).code is Code.NOT_READY


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"edits": [{"command": "rm -rf /srv"}]}, Code.PATTERN),
        ({"edits": [{"command": "ls"}, 5]}, Code.ALLOWED),
        ({"count": 5, "deep": True, "none": None}, Code.ALLOWED),
        ({"text": "/etc/gate/" + "a" * 4086}, Code.GUARD),
        ({"text": "/etc/gate/" + "a" * 4087}, Code.ALLOWED),
        ({"text": "/etc/gate/policy.yaml\nis a policy"}, Code.ALLOWED),
    ],
)
def test_an_unlisted_tool_s_short_texts_may_be_paths_and_long_ones_are_not(
    arguments: Any, code: Code
) -> None:
    gate = gateway(guard=Guard(("/etc/gate",), ()))
    assert gate.before_unlisted({"tool": "write", "arguments": arguments}, session()).code is code


def test_a_path_that_is_inspected_as_something_else_too_is_still_guarded() -> None:
    tool = "  - {name: load, risk: LOW, permissions: [], inspect: {file: sql}, parameters: {type: object, properties: {file: {type: string, x-role: path}}}}\n"
    text = SHOP.replace('"!order_purge"]', '"!order_purge", load]') + tool
    guard = Guard(("/etc/policies",), ())
    decision = gateway(text, guard=guard).before(
        {"tool": "load", "arguments": {"file": "/etc/policies/a.yaml"}}, session()
    )
    assert decision.code is Code.GUARD


def test_the_words_of_the_guard_fit_the_act_and_the_file() -> None:
    guard = Guard(("/etc/gate", "/home/dev/.claude/settings.json"), ("/home/dev/.cache/gatewayctl",))
    gate = gateway(guard=guard)

    def said(command: str) -> str:
        return gate.before({"tool": "run", "arguments": {"command": command}}, session()).message

    key = "/home/dev/.cache/gatewayctl/key"
    private = "Instead: ask the person who runs this agent; no agent reads or changes this file."
    assert f"`{key}` is a file that protects this gateway; an agent may not read it. {private}" in said(
        f"cat {key}"
    )
    changed = said(f"rm {key}")
    assert f"may not change, move, link, run or remove it. {private}" in changed
    settings = said("touch ~/.claude/settings.json")
    assert (
        "Instead: ask the person who runs this agent to make the change; reading the file is fine."
        in settings
    )
    assert "policies" not in settings + changed
    assert private in said(f"python3 -c \"open('{key}')\"")
    assert "only a person may do that. Instead: ask the person who runs this agent to do it." in said(
        "pip uninstall gatewayctl"
    )
    assert "Instead: write the path out, so that it shows which file it is." in said("rm $X/settings.json")


def test_the_words_of_the_guard_fit_a_path_that_may_not_be_read() -> None:
    text = SHOP + (
        "  - {name: order_show, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [path], "
        "properties: {path: {type: string}}}, inspect: {path: path}}\n"
    )
    gate = gateway(text, guard=Guard(("/etc/gate",), ("/var/store",)))
    message = gate.before({"tool": "order_show", "arguments": {"path": "/var/store/key"}}, session()).message
    assert "an agent may not read it. Instead: ask the person who runs this agent; no agent reads" in message
    message = gate.before({"tool": "write_file", "arguments": {"path": "/etc/gate"}}, session()).message
    assert (
        "an agent may not write it. Instead: ask the person who runs this agent to make the change" in message
    )


def test_what_deletes_everything_is_said_before_that_a_guarded_file_is_below_it() -> None:
    gate = gateway(guard=Guard(("/etc/gate",), ()))

    def decided(command: str) -> Decision:
        return gate.before({"tool": "run", "arguments": {"command": command}}, session())

    everything = decided("rm -rf /")
    assert (everything.code, everything.effect) == (Code.PATTERN, Effect.DENY)
    first, also = everything.message.split(" Also: ")
    assert "protects this gateway" not in first
    assert "`/` holds a file that protects this gateway" in also
    assert Code.GUARD in {finding.code for finding in everything.findings}
    own = decided("rm -rf /etc/gate")
    assert own.code is Code.GUARD
    assert own.message.startswith("`command`: `/etc/gate` is a file that protects this gateway")


@pytest.mark.parametrize(
    "places",
    [
        {"roots": ["/home/dev/shop/"]},
        {"roots": ["//home/dev/shop"], "cwd": "/home/dev/shop/"},
        {"roots": ["/home/dev/x/../shop"], "home": "/home/dev/"},
        {"roots": ["~/shop"]},
    ],
)
def test_a_root_is_the_same_directory_however_it_is_spelled(places: dict[str, Any]) -> None:
    assert decide("write_file", {"path": "src/x"}, **places).effect is Effect.ALLOW
    assert decide("write_file", {"path": "/home/dev/x"}, **places).rule == "path.write.outside"
    assert decide("run", {"command": "rm -rf node_modules"}, **places).effect is Effect.ALLOW
    assert decide("run", {"command": "rm -rf ~"}, **places).rule == "fs.delete.root"
