"""A file that an earlier call wrote is judged by what it holds when a later one runs it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gateway.decision import Decision, Effect, Obligation
from gateway.memory import MAX_FILES, MAX_SESSIONS, MAX_TEXT, Memory
from gateway.runtime import Gateway
from gateway.serving import Manifest
from gateway.session import Session
from tests.engine.build import compiled, session

POLICY = """
version: 1
settings: {confirm_from: IRREVERSIBLE}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - name: run
    risk: LOW
    permissions: []
    inspect: {command: shell}
    parameters: {type: object, required: [command], properties: {command: {type: string}}}
  - name: write
    risk: LOW
    permissions: []
    inspect: {path: path}
    parameters:
      type: object
      required: [path, content]
      properties: {path: {type: string, x-role: path}, content: {type: string, x-role: content}}
  - name: edit
    risk: LOW
    permissions: []
    inspect: {path: path}
    parameters:
      type: object
      required: [path, old, new]
      properties: {path: {type: string, x-role: path}, old: {type: string}, new: {type: string, x-role: content}}
"""


class Desk:
    """A gateway with one session."""

    def __init__(self, tmp_path: Path) -> None:
        file = tmp_path / "policy.yaml"
        file.write_text(POLICY, encoding="utf-8")
        self.gateway = Gateway.load(file)

    def call(self, tool: str, *, in_session: str = "s-1", **arguments: Any) -> Decision:
        who = {**session(), "id": in_session}
        return self.gateway.before({"id": "c", "tool": tool, "arguments": arguments}, who)


def test_a_script_that_a_call_wrote_and_a_later_one_runs(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert desk.call("run", command="bash clean.sh").effect is Effect.ALLOW
    assert desk.call("write", path="clean.sh", content="rm -rf /").effect is Effect.ALLOW
    assert desk.call("run", command="bash clean.sh").effect is Effect.DENY
    assert desk.call("run", command="chmod +x clean.sh && ./clean.sh").effect is Effect.DENY
    assert desk.call("run", command="cat clean.sh").effect is Effect.ALLOW


def test_a_script_that_was_put_right_is_judged_by_what_it_holds_now(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.call("write", path="clean.sh", content="rm -rf /")
    desk.call("write", path="clean.sh", content="rm -rf build")
    assert desk.call("run", command="bash clean.sh").effect is Effect.ALLOW


def test_a_script_that_grows_call_by_call(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert desk.call("run", command="echo 'rm -rf \\' > a.sh").effect is Effect.ALLOW
    assert desk.call("run", command="echo '/' >> a.sh").effect is Effect.ALLOW
    assert desk.call("run", command="sh a.sh").effect is Effect.DENY


def test_an_edit_adds_to_what_is_known_of_a_file(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.call("edit", path="tools/x.sh", old="a", new="git push --force")
    desk.call("edit", path="tools/x.sh", old="b", new="echo done")
    assert desk.call("run", command="sh tools/x.sh").effect is Effect.DENY


def test_what_was_refused_was_not_written(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert desk.call("run", command="echo 'rm -rf /' > x.sh; rm -rf /").effect is Effect.DENY
    assert desk.call("run", command="sh x.sh").effect is Effect.ALLOW


def test_what_is_asked_about_may_never_be_written(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.call("write", path="x.sh", content="rm -rf /")
    assert desk.call("run", command="git reset --hard; echo 'echo hi' > x.sh").effect is Effect.ASK
    assert desk.call("run", command="sh x.sh").effect is Effect.DENY
    desk.call("run", command="git reset --hard; echo 'rm -rf ~' > y.sh")
    assert desk.call("run", command="sh y.sh").effect is Effect.DENY


@pytest.mark.parametrize(
    "command",
    [
        "false && echo hi > x.sh",
        "true || echo hi > x.sh",
        "if false; then echo hi > x.sh; fi",
        "false && { echo hi > x.sh; }",
        "f() { echo hi > x.sh; }",
    ],
)
def test_what_may_not_have_run_wrote_nothing_for_sure(tmp_path: Path, command: str) -> None:
    desk = Desk(tmp_path)
    desk.call("write", path="x.sh", content="rm -rf /")
    assert desk.call("run", command=command).effect is Effect.ALLOW
    assert desk.call("run", command="sh x.sh").effect is Effect.DENY


@pytest.mark.parametrize("command", ["sh *.sh", "sh ./x.s?", "for f in *.sh; do bash $f; done"])
def test_a_pattern_finds_what_was_written(tmp_path: Path, command: str) -> None:
    desk = Desk(tmp_path)
    assert desk.call("run", command=command).effect is Effect.ALLOW
    desk.call("write", path="x.sh", content="rm -rf /")
    assert desk.call("run", command=command).effect is Effect.DENY


def test_other_sessions_know_nothing_of_it(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.call("write", path="x.sh", content="rm -rf /")
    assert desk.call("run", in_session="s-2", command="sh x.sh").effect is Effect.ALLOW


def test_explaining_a_call_writes_nothing(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    call = {"id": "c", "tool": "write", "arguments": {"path": "x.sh", "content": "rm -rf /"}}
    desk.gateway.explain(call, {**session(), "id": "s-1"})
    assert desk.call("run", command="sh x.sh").effect is Effect.ALLOW


def test_memory_is_bounded() -> None:
    memory = Memory()

    def who(name: str) -> Session:
        return Session.of({**session(), "id": name})

    for number in range(MAX_FILES + 5):
        memory.add(who("a"), {f"/f{number}": ("x",)})
    assert list(memory.of(who("a"))) == [f"/f{number}" for number in range(5, MAX_FILES + 5)]
    memory.add(who("a"), {"/f7": ("x" * (MAX_TEXT + 1),)})
    assert "/f7" not in memory.of(who("a"))
    for number in range(MAX_SESSIONS):
        memory.add(who(f"s{number}"), {"/f": ("x",)})
    assert memory.of(who("a")) == {}


WRAPPED = """
  - name: later
    risk: LOW
    permissions: []
    wraps: {tool: args.tool, arguments: args.input}
    parameters:
      type: object
      required: [tool, input]
      properties: {tool: {type: string}, input: {type: object, additionalProperties: true}}
  - name: write_all
    risk: LOW
    permissions: []
    parameters:
      type: object
      required: [files]
      properties:
        files:
          type: array
          items:
            type: object
            required: [path, content]
            properties: {path: {type: string, x-role: path}, content: {type: string, x-role: content}}
  - name: fetch
    risk: LOW
    permissions: []
    inspect: {url: {url: pinned}}
    parameters: {type: object, required: [url], properties: {url: {type: string}}}
"""


def wrapping(addresses: tuple[str, ...] = ()) -> Gateway:
    made = compiled(POLICY + WRAPPED)
    return Gateway(made.engine, Manifest(path="t", **made.summary), lookup=lambda host: addresses)


def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
    return {"id": "c", "tool": tool, "arguments": arguments}


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("later", {"tool": "write", "input": {"path": "x.sh", "content": "rm -rf /"}}),
        ("later", {"tool": "run", "input": {"command": "echo 'rm -rf /' > x.sh"}}),
        ("write_all", {"files": [{"path": "a", "content": "b"}, {"path": "x.sh", "content": "rm -rf /"}]}),
    ],
)
def test_files_that_a_wrapped_call_or_one_of_many_wrote_are_known(tool: str, given: dict[str, Any]) -> None:
    asked = wrapping()
    assert asked.before(call(tool, **given), session()).effect is Effect.ALLOW
    assert asked.before(call("run", command="sh x.sh"), session()).effect is Effect.DENY
    assert (
        asked.before(call("later", tool="run", input={"command": "sh x.sh"}), session()).effect is Effect.DENY
    )


def test_addresses_of_a_wrapped_call_are_pinned_and_none_where_none_is_known() -> None:
    given = call("later", tool="fetch", input={"url": "https://example.com/"})
    decision = wrapping(("192.0.43.8",)).before(given, session())
    assert decision.pinned == {"example.com": ("192.0.43.8",)}
    assert Obligation.PINNED_ADDRESSES in decision.obligations
    alone = wrapping().before(call("fetch", url="https://example.com/"), session())
    assert (alone.effect, alone.pinned) == (Effect.ASK, {"example.com": ()})
