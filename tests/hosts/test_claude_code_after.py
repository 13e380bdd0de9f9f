"""Claude Code after a call and for prompts: what is shown in place of a result, and which prompts are blocked. Row C4."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.decision import Code, Decision, Effect, Finding, Step
from gateway.hosts.answer import Finished, HostError, Prompt
from gateway.hosts.claude_code import failure, prompted, read, reviewed
from gateway.hosts.claude_code_prompt import mentioned
from gateway.hosts.outline import top_texts
from gateway.results.review import Review
from gateway.testing import load

BASH = {"stdout": "out", "stderr": "err", "interrupted": False, "isImage": True, "noOutputExpected": False}
FILE = {"filePath": "/w/a", "content": "text", "numLines": 1, "startLine": 1, "totalLines": 9}


def message(event: str, **changes: Any) -> bytes:
    fields: dict[str, Any] = {"session_id": "s-1", "cwd": "/home/dev/shop", "hook_event_name": event}
    if event == "PostToolUse":
        fields |= {
            "tool_name": "Bash",
            "tool_input": {"command": "ls"},
            "tool_use_id": "t-1",
            "tool_response": BASH,
        }
    fields |= changes
    return json.dumps({key: value for key, value in fields.items() if value is not ...}).encode()


def finished(**changes: Any) -> Finished:
    found = read(message("PostToolUse", **changes), user="dev", home="/home/dev")
    assert isinstance(found, Finished)
    return found


def review(code: Code = Code.REVIEWED, full: Any = BASH, **changes: Any) -> Review:
    return Review(
        id="r-1", tool="shell", call_id="t-1", code=code, text="", result=None, full=full, **changes
    )


def answered(about: Finished, found: Review) -> tuple[dict[str, Any], int]:
    said = reviewed(about, found)
    value = json.loads(said.stdout)
    assert isinstance(value, dict)
    return value, said.exit_code


def output(value: dict[str, Any]) -> Any:
    assert value["hookSpecificOutput"]["hookEventName"] == "PostToolUse"
    return value["hookSpecificOutput"]["updatedToolOutput"]


def test_a_finished_call_is_the_call_that_was_asked_about() -> None:
    about = finished(
        tool_name="Read", tool_input={"file_path": "/w/a"}, tool_response={"type": "text", "file": FILE}
    )
    (call,) = about.request.calls
    assert (call.tool, call.arguments, call.id) == ("read", {"path": "/w/a"}, "t-1")
    assert about.result == {"type": "text", "file": FILE}
    assert about.request.session.tenant == "local"


def test_a_result_without_a_change_is_left_alone() -> None:
    assert answered(finished(), review()) == ({}, 0)


def test_a_changed_result_is_given_back_in_its_own_shape() -> None:
    shown = {**BASH, "stdout": "(redacted)"}
    value, code = answered(finished(), review(full=shown))
    assert (output(value), code) == (shown, 0)
    assert list(value) == ["hookSpecificOutput"]


def test_a_long_result_is_not_cut_for_the_program(tmp_path: Path) -> None:
    """The program bounds results itself; what is cut for the model might have lost the shape of the tool's own."""
    path = tmp_path / "policy.yaml"
    path.write_text(
        'version: 1\nagents: [{name: coding-agent, tools: ["*"], tenants: [local]}]\n'
        "tools: [{name: shell, risk: LOW, permissions: []}]\n"
        'results: [{id: s, tools: ["*"], redact: [{detector: secrets}]}]\n'
    )
    gate = load(path).gateway
    token = "gh" + "p_" + "a1B2" * 9
    for tool in ("Bash", "Task", "mcp__a__b"):
        for text in ("line\n" * 5_000, "line\n" * 5_000 + token):
            for result in ({**BASH, "stdout": text}, [{"type": "text", "text": text}], text):
                about = finished(tool_name=tool, tool_response=result)
                value, _ = answered(about, gate.after(about.request.calls[0], about.request.session, result))
                shown = json.dumps(result).replace(token, "(redacted)")
                assert json.dumps(output(value) if value else result) == shown


def test_what_a_policy_says_about_a_changed_result_reaches_the_model() -> None:
    changed = review(full={**BASH, "stdout": "(redacted)"}, message="Keys are kept in the vault.")
    value, _ = answered(finished(), changed)
    assert value["hookSpecificOutput"]["additionalContext"] == "Keys are kept in the vault."


@pytest.mark.parametrize("code", [Code.RESULT_WITHHELD, Code.RESULT_UNRECORDED])
def test_a_withheld_command_keeps_its_shape_and_says_why(code: Code) -> None:
    value, exit_code = answered(finished(), review(code, message="Not shown."))
    words = f"Not shown. [{code.value} r-1]"
    assert output(value) == {
        "stdout": words,
        "stderr": "",
        "interrupted": False,
        "isImage": False,
        "noOutputExpected": False,
    }
    assert (list(value), exit_code) == (["hookSpecificOutput"], 0)


def test_a_withheld_file_is_a_text_that_says_why() -> None:
    about = finished(
        tool_name="Read", tool_input={"file_path": "/w/a"}, tool_response={"type": "image", "file": {}}
    )
    value, _ = answered(about, review(Code.RESULT_WITHHELD, message="Not shown."))
    assert output(value)["type"] == "text"
    assert output(value)["file"]["content"].startswith("Not shown.")


def test_a_withheld_result_of_a_server_is_a_text() -> None:
    about = finished(tool_name="mcp__git__log", tool_input={}, tool_response='{"a": 1}')
    value, _ = answered(about, review(Code.RESULT_WITHHELD, message="Not shown."))
    assert output(value).startswith("Not shown.")
    assert "continue" not in value


def test_where_the_shape_is_not_known_the_turn_ends_as_well() -> None:
    about = finished(
        tool_name="Task", tool_input={}, tool_response={"content": [{"type": "text", "text": "x", "n": 1}]}
    )
    value, _ = answered(about, review(Code.RESULT_WITHHELD, message="Not shown."))
    words = "Not shown. [RESULT_WITHHELD r-1]"
    assert output(value) == words
    assert (value["continue"], value["stopReason"]) == (False, words)


@pytest.mark.parametrize(
    "changes", [{"tool_response": ...}, {"tool_input": ...}, {"tool_name": ...}, {"cwd": ...}]
)
def test_a_message_after_a_call_that_lacks_something_is_not_read(changes: dict[str, Any]) -> None:
    with pytest.raises(HostError):
        finished(**changes)


def test_a_long_text_is_refused_before_a_call_and_not_after() -> None:
    long = {"command": "x" * 9_000_000}
    assert finished(tool_input=long).request.given == long
    with pytest.raises(HostError, match="smaller steps"):
        read(message("PostToolUse", hook_event_name="PreToolUse", tool_input=long), user="dev", home=None)


# --- prompts ----------------------------------------------------------------------------------------------------------


def paths(prompt: str) -> list[Any]:
    calls = mentioned(prompt, "/home/dev/shop", "/home/dev", exists=lambda path: True)
    assert {call.tool for call in calls} <= {"read"}
    return [call.arguments["path"] for call in calls if isinstance(call.arguments, dict)]


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("no file here", []),
        ("mail ann@acme.example about it", []),
        ("a lone @ sign", []),
        ("look at @src/app.py please", ["/home/dev/shop/src/app.py"]),
        ("@.env", ["/home/dev/shop/.env"]),
        ("compare @a and\n@b\t@c", ["/home/dev/shop/a", "/home/dev/shop/b", "/home/dev/shop/c"]),
        ("(@a)", ["/home/dev/shop/a)", "/home/dev/shop/a"]),
        ("see @notes.md.", ["/home/dev/shop/notes.md.", "/home/dev/shop/notes.md"]),
        ('@"my notes/a b.txt" ok', ["/home/dev/shop/my notes/a b.txt", '/home/dev/shop/"my']),
        ("@app.py#L10-20", ["/home/dev/shop/app.py#L10-20", "/home/dev/shop/app.py"]),
        ("@~/.ssh/id_ed25519", ["/home/dev/.ssh/id_ed25519"]),
        ("@/etc/passwd", ["/etc/passwd"]),
        ("@../other/x", ["/home/dev/other/x"]),
        ("请看@密钥.txt", ["/home/dev/shop/密钥.txt"]),
        ("@@a", ["/home/dev/shop/@a", "/home/dev/shop/a"]),
    ],
)
def test_each_file_that_a_prompt_mentions_is_asked_about(prompt: str, names: list[str]) -> None:
    assert paths(prompt) == names


@pytest.mark.parametrize(
    "end",
    [
        "。",
        "…",
        "）",
        "”",
        "日本",
        "—",
        "*",
        "**",
        ">",
        "`",
        "&",
        "~",
        "-",
        "\\",
        "|",
        "\u200b",
        "\ufeffx",
        "\x1fx",
        "\x85x",
        "/",
        "', x",
    ],
)
def test_whatever_a_program_takes_for_the_end_of_a_name_the_file_is_asked_about(end: str) -> None:
    assert "/home/dev/shop/.env" in paths(f"see @.env{end} please")


def test_only_what_is_there_is_asked_about(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("x")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    lock = " ".join(f"@scope{number}/package-{number}@1.2" for number in range(20_000))
    raw = message("UserPromptSubmit", prompt=f"@.env {lock} @gone", cwd=str(tmp_path))
    found = read(raw, user="dev", home=None)
    assert isinstance(found, Prompt)
    assert [call.arguments for call in found.calls] == [
        {"path": f"{tmp_path}/.env"},
        {"path": f"{tmp_path}/gone"},
    ]


def test_a_prompt_that_mentions_more_than_can_be_looked_at_is_blocked() -> None:
    with pytest.raises(HostError, match="mentions more than"):
        paths(" ".join(f"@f{number}" for number in range(6000)))


@settings(max_examples=200)
@given(st.text(max_size=200))
def test_any_text_is_a_prompt(prompt: str) -> None:
    assert all(isinstance(path, str) for path in paths(prompt))


def decided(effect: Effect, code: Code = Code.RULE, **more: Any) -> Decision:
    return Decision(id="d-1", effect=effect, code=code, message="Because.", detail="", **more)


@pytest.mark.parametrize("effect", [Effect.DENY, Effect.ASK, Effect.RESPOND])
def test_a_prompt_is_blocked_where_one_file_may_not_be_read_unasked(effect: Effect) -> None:
    said = prompted([decided(Effect.ALLOW, Code.ALLOWED), decided(effect)], unknown_tools=Effect.ASK)
    value = json.loads(said.stdout)
    assert (value["decision"], value["reason"]) == ("block", said.stderr.strip())
    assert "Because. [RULE d-1]" in value["reason"]
    assert said.exit_code == 2


def test_a_prompt_passes_where_every_file_may_be_read() -> None:
    for decisions in ([], [decided(Effect.ALLOW, Code.ALLOWED)]):
        assert json.loads(prompted(decisions, unknown_tools=Effect.ASK).stdout) == {}


@pytest.mark.parametrize(("unknown", "blocked"), [(None, False), (Effect.ASK, True), (Effect.DENY, True)])
def test_a_policy_without_a_tool_that_reads_is_judged_by_its_setting(
    unknown: Effect | None, blocked: bool
) -> None:
    finding = Finding(Effect.DENY, Code.TOOL_NOT_FOUND, "no tool is called `read`", step=Step.TOOL)
    missing = decided(Effect.DENY, Code.TOOL_NOT_FOUND, findings=(finding,))
    assert ("decision" in json.loads(prompted([missing], unknown_tools=unknown).stdout)) is blocked
    also_refused = [missing, decided(Effect.DENY)]
    assert "decision" in json.loads(prompted(also_refused, unknown_tools=unknown).stdout)


# --- when nothing could be decided ------------------------------------------------------------------------------------


def test_a_failure_speaks_in_the_words_of_the_event() -> None:
    before = failure(message("PreToolUse"), "It broke.")
    assert (json.loads(before.stdout)["hookSpecificOutput"]["permissionDecision"], before.exit_code) == (
        "deny",
        2,
    )
    after = failure(message("PostToolUse"), "It broke.")
    assert (output(json.loads(after.stdout))["stdout"], after.exit_code) == ("It broke.", 0)
    asked = failure(message("UserPromptSubmit"), "It broke.")
    assert (json.loads(asked.stdout)["decision"], asked.exit_code) == ("block", 2)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"7",
        b'"PostToolUse"',
        b"\xff",
        b"{}",
        b"[" * 100_000,
        b'{"hook_event_name": ["PostToolUse"]}',
    ],
)
def test_a_failure_about_nothing_readable_is_a_refusal(raw: bytes) -> None:
    assert failure(raw, "It broke.").exit_code == 2


WHOLE = message("PostToolUse", tool_name="mcp__a__b", tool_response=0)


@pytest.mark.parametrize(
    "raw",
    [
        WHOLE.replace(
            b'"tool_response": 0', b'"tool_response": ' + b"[" * 50_000 + b'"secret"' + b"]" * 50_000
        ),
        WHOLE.replace(b'"tool_response": 0', b'"tool_response": ' + b"9" * 5_000),
        WHOLE.replace(b'"tool_response": 0', b'"tool_response": "secret \xff"'),
        WHOLE.replace(b'"tool_response": 0}', b'"tool_response": "secret'),
        WHOLE.replace(
            b'"tool_response": 0', b'"tool_response": "\\\\\\"secret, \\"hook_event_name\\": \\"Stop\\""'
        ),
        WHOLE.replace(
            b'"tool_response": 0',
            b'"tool_response": {"hook_event_name": "PreToolUse", "a": "secret"}, "x": NaN',
        ),
        WHOLE + b" trailing",
        WHOLE.replace(b"PostToolUse", b"Post\\u0054oolUse"),
    ],
)
def test_a_result_is_withheld_whatever_is_wrong_with_its_message(raw: bytes) -> None:
    said = failure(raw, "It broke.")
    assert output(json.loads(said.stdout)) == "It broke."
    assert said.exit_code == 0


@pytest.mark.parametrize("events", [("PostToolUse", "PreToolUse"), ("PreToolUse", "PostToolUse")])
def test_an_event_that_is_given_twice_is_a_refusal(events: tuple[str, str]) -> None:
    raw = "{" + ", ".join(f'"hook_event_name": "{event}"' for event in events) + "}"
    assert failure(raw.encode(), "It broke.").exit_code == 2


@given(
    st.dictionaries(
        st.text(max_size=5),
        st.text(max_size=5) | st.integers() | st.lists(st.text(max_size=3), max_size=2),
        max_size=5,
    )
)
def test_the_texts_at_the_top_are_those_that_json_has(fields: dict[str, Any]) -> None:
    for raw in (json.dumps(fields), json.dumps(fields, indent=1, ensure_ascii=False)):
        assert top_texts(raw.encode()) == {
            key: (value,) for key, value in fields.items() if isinstance(value, str)
        }


def test_arguments_can_not_pass_for_another_event() -> None:
    raw = message(
        "PreToolUse", tool_name="Bash", tool_input={"hook_event_name": "PostToolUse"}, tool_response="x"
    )
    assert failure(raw, "It broke.").exit_code == 2


def test_a_failure_withholds_results_of_any_shape() -> None:
    nested: Any = "secret"
    for _ in range(400):
        nested = [{"a": nested}]
    for tool in (..., "", "Bash", "Read", "Task", 7):
        for result in (None, "secret", ["secret"], {"stdout": "secret"}, nested, 7):
            said = failure(message("PostToolUse", tool_name=tool, tool_response=result), "It broke.")
            assert "secret" not in said.stdout
            assert len(said.stdout) < 1_000
            assert said.exit_code == 0
