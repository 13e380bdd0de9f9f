"""Claude Code's message is read whole or refused, and its own arguments come back as they were. (C4, D rows)"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.decision import Basis, Code, Decision, Effect, Finding, Obligation, Step
from gateway.hosts.answer import Answer, HostError, Notice, Request
from gateway.hosts.claude_code import SUPPORTS, WATCHING, answer, notice, read, refusal
from gateway.hosts.claude_code_tools import RENAMED, given_back
from gateway.testing import load


def message(tool: str = "Bash", given: Any = None, **changes: Any) -> bytes:
    fields: dict[str, Any] = {
        "session_id": "s-1",
        "transcript_path": "/home/dev/.claude/t.jsonl",
        "cwd": "/home/dev/shop",
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": {"command": "ls"} if given is None else given,
        "tool_use_id": "toolu_1",
    }
    fields |= changes
    return json.dumps({key: value for key, value in fields.items() if value is not ...}).encode()


def asked(raw: bytes) -> Request:
    request = read(raw, user="dev", home="/home/dev")
    assert isinstance(request, Request)
    return request


def decided(effect: Effect, code: Code = Code.ALLOWED, **more: Any) -> Decision:
    values: dict[str, Any] = {"id": "d-1", "message": "Because.", "detail": "detail"} | more
    return Decision(effect=effect, code=code, **values)


def said(given: Answer) -> dict[str, Any]:
    """The hook's own part of the one JSON object on stdout."""
    value = json.loads(given.stdout)
    assert given.stdout.count("\n") == 1
    assert given.stdout.endswith("\n")
    assert isinstance(value, dict)
    if not value:
        return {}
    part = value["hookSpecificOutput"]
    assert part.pop("hookEventName") == "PreToolUse"
    assert isinstance(part, dict)
    return part


def one(request: Request, decision: Decision, unknown: Effect | None = Effect.ASK) -> Answer:
    return answer(request, [decision], unknown_tools=unknown)


def test_the_session_is_the_persons_own() -> None:
    session = asked(message()).session
    assert session.subject is not None
    assert (session.subject.id, session.subject.tenant, session.subject.authenticated) == (
        "dev",
        "local",
        True,
    )
    assert (session.id, session.tenant, session.agent, session.channel.value) == (
        "s-1",
        "local",
        "coding-agent",
        "internal",
    )
    assert (session.cwd, session.roots, session.home) == ("/home/dev/shop", ("/home/dev/shop",), "/home/dev")
    assert session.can_ask
    assert dict(session.modes) == {"web_search": "auto"}


@pytest.mark.parametrize(
    ("tool", "given", "name", "arguments"),
    [
        ("Bash", {"command": "ls", "timeout": 5}, "shell", {"command": "ls", "timeout": 5}),
        (
            "Read",
            {"file_path": "/a", "offset": 3, "pages": "1-2"},
            "read",
            {"path": "/a", "offset": 3, "pages": "1-2"},
        ),
        ("Write", {"file_path": "/a", "content": "x"}, "write", {"path": "/a", "content": "x"}),
        (
            "Edit",
            {"file_path": "/a", "old_string": "x", "new_string": "y", "replace_all": True},
            "edit",
            {"path": "/a", "old": "x", "new": "y", "replace_all": True},
        ),
        (
            "NotebookEdit",
            {"notebook_path": "/n.ipynb", "new_source": "1", "cell_id": "c"},
            "edit",
            {"path": "/n.ipynb", "new": "1", "old": "", "cell_id": "c"},
        ),
        ("Glob", {"pattern": "*.py", "path": "/a"}, "search_files", {"pattern": "*.py", "path": "/a"}),
        ("Grep", {"pattern": "x", "-n": True}, "search_files", {"pattern": "x", "-n": True}),
        (
            "WebFetch",
            {"url": "https://a.example/", "prompt": "?"},
            "fetch",
            {"url": "https://a.example/", "prompt": "?"},
        ),
        ("WebSearch", {"query": "x"}, "web_search", {"query": "x"}),
        ("Task", {"prompt": "x"}, "task", {"prompt": "x"}),
        ("TodoWrite", {"todos": []}, "todo_write", {"todos": []}),
        ("mcp__github__get_issue", {"n": 1}, "github/get_issue", {"n": 1}),
        ("mcp__github__a__b", {}, "github/a__b", {}),
    ],
)
def test_tools_have_their_names_in_policies(tool: str, given: Any, name: str, arguments: Any) -> None:
    request = asked(message(tool, given))
    (call,) = request.calls
    assert (call.name, call.arguments, call.id) == (name, arguments, "toolu_1")
    assert given_back(tool, given, (arguments,)) == given


def test_a_server_is_named_by_the_host_where_the_name_alone_is_not_enough() -> None:
    request = asked(message("mcp__my__server__run", {}, mcp_server={"name": "my__server", "source": "user"}))
    assert (request.calls[0].server, request.calls[0].tool) == ("my__server", "run")


def test_several_edits_are_judged_each_with_its_path() -> None:
    given = {
        "file_path": "/a",
        "edits": [
            {"old_string": "1", "new_string": "2"},
            {"file_path": "/b", "old_string": "3", "new_string": "4"},
        ],
    }
    request = asked(message("MultiEdit", given))
    assert [call.name for call in request.calls] == ["edit", "edit"]
    assert [call.arguments for call in request.calls] == [
        {"path": "/a", "old": "1", "new": "2"},
        {"path": "/b", "old": "3", "new": "4"},
    ]
    assert given_back("MultiEdit", given, tuple(dict(call.arguments) for call in request.calls)) == given  # type: ignore[arg-type]
    allowed = decided(Effect.ALLOW, arguments=request.calls[0].arguments)
    denied = decided(Effect.DENY, Code.GUARD)
    assert said(answer(request, [allowed, denied], unknown_tools=None))["permissionDecision"] == "deny"
    assert said(answer(request, [denied, allowed], unknown_tools=None))["permissionDecision"] == "deny"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
OURS = {name for renamed in RENAMED.values() for name in (*renamed.keys.values(), *renamed.constants)}


@settings(max_examples=60)
@given(
    st.sampled_from(sorted(set(RENAMED) - {"MultiEdit"})),
    st.dictionaries(st.text(max_size=8), VALUES, max_size=4),
    st.data(),
)
def test_a_hosts_arguments_come_back_as_they_were(
    tool: str, more: dict[str, Any], data: st.DataObject
) -> None:
    keys = RENAMED[tool].keys
    given = {key: value for key, value in more.items() if key not in OURS}
    given |= {key: data.draw(VALUES) for key in keys if data.draw(st.booleans())}
    (call,) = asked(message(tool, given)).calls
    assert isinstance(call.arguments, dict)
    assert given_back(tool, given, (call.arguments,)) == given


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Read", {"file_path": "/a", "path": "/etc/shadow"}),
        ("Edit", {"file_path": "/a", "old_string": "x", "old": "y", "new_string": "z"}),
        ("NotebookEdit", {"notebook_path": "/n", "new_source": "1", "old": "x"}),
    ],
)
def test_one_argument_under_two_names_is_refused(tool: str, given: Any) -> None:
    with pytest.raises(HostError, match="twice"):
        read(message(tool, given), user="dev", home=None)


# --- answers ---------------------------------------------------------------------------------------------------------


def test_silence_is_no_grant() -> None:
    request = asked(message())
    given = one(request, decided(Effect.ALLOW, arguments={"command": "ls"}))
    assert (given.stdout, given.stderr, given.exit_code) == ("{}\n", "", 0)


@pytest.mark.parametrize("basis", [Basis.RULE, Basis.APPROVAL])
def test_a_rule_and_an_approval_are_passed_on_as_a_grant(basis: Basis) -> None:
    given = one(asked(message()), decided(Effect.ALLOW, arguments={"command": "ls"}, basis=basis))
    assert said(given)["permissionDecision"] == "allow"
    assert given.exit_code == 0


@pytest.mark.parametrize("effect", [Effect.DENY, Effect.ASK])
def test_what_a_host_was_told_could_not_be_traced_to_its_pattern(effect: Effect) -> None:
    asked_of = {"prompt": "Push?"} if effect is Effect.ASK else None
    decision = decided(
        effect, Code.PATTERN, rule="git.push.force", approval=asked_of, arguments={"command": "ls"}
    )
    assert said(one(asked(message()), decision))["permissionDecisionReason"].endswith(
        " [PATTERN git.push.force d-1]"
    )
    ruled = said(
        one(
            asked(message()),
            decided(effect, Code.RULE, rule="our-own", approval=asked_of, arguments={"command": "ls"}),
        )
    )
    assert ruled["permissionDecisionReason"].endswith(
        " [RULE d-1]"
    )  # the names of rules are the policy's own


def test_one_edit_without_a_grant_keeps_all_of_them_silent() -> None:
    given = {"file_path": "/a", "edits": [{"old_string": "1", "new_string": "2"}] * 2}
    request = asked(message("MultiEdit", given))
    granted = decided(Effect.ALLOW, arguments=request.calls[0].arguments, basis=Basis.RULE)
    silent = decided(Effect.ALLOW, arguments=request.calls[1].arguments)
    assert said(answer(request, [granted, silent], unknown_tools=None)) == {}


def test_changed_arguments_go_back_in_the_hosts_own_keys() -> None:  # C4
    request = asked(message("Read", {"file_path": "/a", "pages": "1"}))
    given = one(request, decided(Effect.ALLOW, arguments={"path": "/b", "pages": "1", "limit": 10}))
    assert said(given) == {"updatedInput": {"file_path": "/b", "pages": "1", "limit": 10}}
    assert Obligation.FINAL_ARGUMENTS in SUPPORTS


def test_a_changed_edit_of_several_goes_back_into_its_place() -> None:
    edits = [{"old_string": "1", "new_string": "2"}, {"old_string": "3", "new_string": "4"}]
    request = asked(message("MultiEdit", {"file_path": "/a", "edits": edits}))
    first, second = request.calls
    changed = {**second.arguments, "new": "5"}  # type: ignore[dict-item]
    given = answer(
        request,
        [decided(Effect.ALLOW, arguments=first.arguments), decided(Effect.ALLOW, arguments=changed)],
        unknown_tools=None,
    )
    assert said(given)["updatedInput"] == {
        "file_path": "/a",
        "edits": [{"old_string": "1", "new_string": "2"}, {"old_string": "3", "new_string": "5"}],
    }


def test_a_question_carries_its_reason_and_the_changed_arguments() -> None:
    request = asked(message())
    given = one(request, decided(Effect.ASK, Code.CONFIRM, arguments={"command": "ls -l"}))
    assert said(given)["permissionDecision"] == "ask"
    assert said(given)["permissionDecisionReason"] == "Because. [CONFIRM d-1]"
    assert said(given)["updatedInput"] == {"command": "ls -l"}
    assert given.exit_code == 0


@pytest.mark.parametrize("effect", [Effect.DENY, Effect.RESPOND])
def test_a_refusal_is_said_three_times(effect: Effect) -> None:
    given = one(asked(message()), decided(effect, Code.RULE, response={"dry_run": True}))
    assert said(given)["permissionDecision"] == "deny"
    assert said(given)["permissionDecisionReason"] == given.stderr.strip()
    assert given.stderr.startswith("Because.")
    assert given.exit_code == 2


def test_an_answer_in_the_tools_place_carries_the_response() -> None:
    given = one(asked(message()), decided(Effect.RESPOND, Code.DRY_RUN, response={"dry_run": True}))
    assert '{"dry_run": true}' in said(given)["permissionDecisionReason"]


def test_a_refusal_never_lacks_a_reason() -> None:
    assert said(refusal("  "))["permissionDecisionReason"]
    assert said(one(asked(message()), decided(Effect.DENY, Code.RULE, message="")))[
        "permissionDecisionReason"
    ]


def test_context_reaches_the_model_with_and_without_a_grant() -> None:  # C4
    given = one(
        asked(message()), decided(Effect.ALLOW, arguments={"command": "ls"}, context=("Be brief.", "Use rg."))
    )
    assert said(given) == {"additionalContext": "Be brief.\nUse rg."}


@pytest.mark.parametrize(("unknown", "expected"), [(Effect.ASK, "ask"), (Effect.DENY, "deny"), (None, None)])
def test_what_the_catalogue_lacks_is_judged_by_the_setting(
    unknown: Effect | None, expected: str | None
) -> None:
    given = one(asked(message("Frobnicate", {})), lacking(Step.TOOL), unknown)
    assert said(given).get("permissionDecision") == expected


@pytest.mark.parametrize("unknown", [Effect.ASK, None])
def test_an_unknown_tool_inside_a_known_one_is_refused(unknown: Effect | None) -> None:  # C14
    given = one(asked(message()), lacking(Step.EVALUATION), unknown)
    assert said(given)["permissionDecision"] == "deny"


def lacking(step: Step) -> Decision:
    finding = Finding(Effect.DENY, Code.TOOL_NOT_FOUND, "no tool is called `frobnicate`", step=step)
    return decided(Effect.DENY, Code.TOOL_NOT_FOUND, findings=(finding,))


@pytest.mark.parametrize("code", [Code.TOOL_NOT_BOUND, Code.TOOL_DISABLED, Code.NO_IDENTITY, Code.NOT_READY])
def test_a_hidden_tool_is_no_unknown_one(code: Code) -> None:
    given = one(asked(message()), decided(Effect.DENY, code), None)
    assert said(given)["permissionDecision"] == "deny"
    assert "TOOL_NOT_BOUND" not in given.stdout
    assert "TOOL_DISABLED" not in given.stdout


def test_a_decision_to_go_on_without_arguments_is_refused() -> None:
    with pytest.raises(HostError):
        one(asked(message()), decided(Effect.ALLOW, arguments=None))


def test_a_decision_for_each_call_is_needed() -> None:
    with pytest.raises(HostError):
        answer(asked(message()), [], unknown_tools=None)


# --- events and garbage ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("event", sorted(WATCHING))
def test_events_in_which_nothing_runs_get_a_note(event: str) -> None:
    found = read(message(hook_event_name=event), user="dev", home=None)
    assert found == Notice(event)
    told = notice(event)
    assert list(json.loads(told.stdout)) == ["systemMessage"]
    assert told.exit_code == 0


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b" \n",
        b"{",
        b"[]",
        b"null",
        b'"PreToolUse"',
        b"\xff\xfe{}",
        b"\xef\xbb\xbf{}",
        b"log line\n{}",
        b"{}{}",
        b"[" * 100_000,
        b'{"a": ' + b"9" * 5000 + b"}",
        message() + message(),
        message(hook_event_name="pretooluse"),
        message(hook_event_name="PermissionRequest"),
        message(hook_event_name=...),
        message(hook_event_name=7),
        message(tool_name=...),
        message(tool_name=""),
        message(tool_name=["Bash"]),
        message(tool_name="github/get_issue"),
        message(tool_name="mcp__"),
        message(tool_name="mcp__github"),
        message(tool_name="mcp__github__"),
        message(tool_input=...),
        message(tool_input="ls"),
        message(tool_input=None),
        message(cwd=...),
        message(cwd=""),
        message(cwd="."),
        message(session_id=...),
        message(tool_use_id=7),
        message("MultiEdit", {"file_path": "/a"}),
        message("MultiEdit", {"file_path": "/a", "edits": []}),
        message("MultiEdit", {"file_path": "/a", "edits": ["x"]}),
        message("MultiEdit", {"edits": [{"old_string": "1", "new_string": "2"}]}),
        message().replace(b'"command": "ls"', b'"command": "ls", "command": "rm -rf /"'),
        message().replace(b'"tool_name": "Bash"', b'"tool_name": "Read", "tool_name": "Bash"'),
    ],
)
def test_what_can_not_be_read_whole_is_refused(raw: bytes) -> None:
    with pytest.raises(HostError) as caught:
        read(raw, user="dev", home=None)
    assert str(caught.value)


@settings(max_examples=150)
@given(
    st.binary(max_size=200)
    | st.text(max_size=100).map(str.encode)
    | VALUES.map(lambda value: json.dumps(value).encode())
)
def test_garbage_is_refused_and_nothing_else(raw: bytes) -> None:
    with pytest.raises(HostError):
        read(raw, user="dev", home=None)


@settings(max_examples=100)
@given(
    st.dictionaries(
        st.sampled_from(["tool_name", "tool_input", "cwd", "tool_use_id", "mcp_server", "hook_event_name"]),
        VALUES,
    )
)
def test_a_message_with_wrong_values_is_read_or_refused(changes: dict[str, Any]) -> None:
    try:
        request = read(message(**changes), user="dev", home=None)
    except HostError:
        return
    assert not isinstance(request, Request) or request.calls


# --- with a real policy ----------------------------------------------------------------------------------------------

LOADED = load(Path(__file__).parent.parent.parent / "policies" / "coding-agent", supports=SUPPORTS)
COMMANDS = st.sampled_from(["ls", "rm -rf /srv", "git push --force", "$(", "echo '", "sudo -u x rm -r ~", ""])


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([*sorted(RENAMED), "Task", "mcp__github__get"]),
    st.dictionaries(
        st.sampled_from(["command", "file_path", "url", "pattern", "content", "edits", "query", "x"]),
        COMMANDS | VALUES,
        max_size=4,
    ),
)
def test_whatever_is_asked_the_answer_is_one_that_the_host_understands(
    tool: str, given: dict[str, Any]
) -> None:
    try:
        request = asked(message(tool, given))
    except HostError:
        return
    decisions = [LOADED.gateway.before(call, request.session) for call in request.calls]
    told = answer(request, decisions, unknown_tools=None)
    part = said(told)
    assert part.get("permissionDecision") in (None, "allow", "ask", "deny")
    assert (told.exit_code == 2) == (part.get("permissionDecision") == "deny") == bool(told.stderr)
    assert "permissionDecision" not in part or part["permissionDecisionReason"]
    refused = any(decision.effect in (Effect.DENY, Effect.RESPOND) for decision in decisions)
    unknown = any(decision.code is Code.TOOL_NOT_FOUND for decision in decisions)
    assert (part.get("permissionDecision") == "deny") == (refused and not unknown)
