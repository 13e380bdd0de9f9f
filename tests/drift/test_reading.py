"""A server's list is what an attacker may have written: bounded, and every refusal has its reason. Row A17."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.diagnostic import PolicyError
from gateway.drift import ServerList, read_list
from gateway.drift.reading import MAX_TEXT, MAX_TOOLS
from gateway.files import MAX_BYTES
from tests.drift.github import GET, PRS, answer, changed


def read(*tools: Any) -> ServerList:
    return read_list(answer(*tools), "github")


def refusal(*tools: Any) -> str:
    """Why the one tool that can't be used can't be."""
    found = read(*tools)
    assert not found.tools
    (why,) = found.refused.values()
    return why


def test_a_result_and_the_answer_that_holds_it_are_the_same() -> None:
    whole = {"jsonrpc": "2.0", "id": 1, "result": answer(GET, PRS)}
    found = [read_list(one, "github") for one in (answer(GET, PRS), whole, json.dumps(whole))]
    assert found[0] == found[1] == found[2]
    assert [*found[0].tools] == ["github/get_issue", "github/list_prs"]
    assert read_list(json.dumps(whole).encode(), "github") == found[0]


def test_the_digest_is_over_what_models_and_policies_read() -> None:
    before = read(GET).tools["github/get_issue"].digest
    assert read(json.loads(json.dumps(GET, sort_keys=True))).tools["github/get_issue"].digest == before
    assert read(changed(icons=[{"src": "x"}], _meta={"a": 1})).tools["github/get_issue"].digest == before
    for field, value in {
        "title": "Get",
        "description": "Get an issue!",
        "inputSchema": {"type": "object"},
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": False},
    }.items():
        assert read(changed(**{field: value})).tools["github/get_issue"].digest != before, field
    assert read_list(answer(GET), "gitlab").tools["gitlab/get_issue"].digest != before


def test_numbers_have_one_spelling() -> None:
    one, other = (
        read(changed(inputSchema={"type": "object", "maxProperties": most})).tools["github/get_issue"]
        for most in (3, 3.0)
    )
    assert one.digest == other.digest


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("", "list-not-json"),
        ("{", "list-not-json"),
        (b"\xff{}", "list-not-json"),
        ('{"tools": [], "tools": []}', "list-not-json"),
        ('{"tools": [NaN]}', "list-not-json"),
        ('{"tools": [' + "9" * 5000 + "]}", "list-not-json"),
        ("[" * 200_000, "list-too-deep"),
        (" " * (MAX_BYTES + 1), "list-too-large"),
        ("[]", "list-without-tools"),
        ("7", "list-without-tools"),
        ("{}", "list-without-tools"),
        ('{"tools": {}}', "list-without-tools"),
        ('{"jsonrpc": "2.0", "tools": []}', "list-without-tools"),
        ('{"jsonrpc": "2.0", "error": {"message": "no"}}', "list-error"),
        ('{"tools": [], "nextCursor": "more"}', "list-not-whole"),
        (json.dumps({"tools": [1] * (MAX_TOOLS + 1)}), "list-too-large"),
    ],
    ids=range(16),
)
def test_a_list_that_can_not_be_used_is_refused_with_a_code(given: str | bytes, code: str) -> None:
    with pytest.raises(PolicyError) as error:
        read_list(given, "github")
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == code
    assert len(diagnostic.message) < 500


@pytest.mark.parametrize("server", ["", "a/b", "*", "é", "x" * 101, "a b"])
def test_a_server_has_a_name_that_policies_can_write(server: str) -> None:
    with pytest.raises(PolicyError) as error:
        read_list(answer(GET), server)
    assert error.value.diagnostics[0].code == "list-server"


def deep(levels: int) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"x": schema}}
    return schema


DOUBLING = {
    "type": "object",
    "properties": {"x": {"$ref": "#/$defs/d0"}},
    "$defs": {
        f"d{i}": {"type": "object", "properties": {k: {"$ref": f"#/$defs/d{i + 1}"} for k in "ab"}}
        for i in range(40)
    }
    | {"d40": {"type": "string"}},
}


@pytest.mark.parametrize(
    ("tool", "why"),
    [
        (7, "it has no name"),
        ({}, "it has no name"),
        ({"name": 7}, "`7` is no name"),
        ({"name": "a b"}, "`a b` is no name"),
        ({"name": "a/b"}, "`a/b` is no name"),
        ({"name": "ge\u200bt"}, "`ge\\u200bt` is no name"),
        ({"name": "gеt"}, "is no name"),
        ({"name": "x" * 101}, "is no name"),
        ({"name": "a"}, "it has no `inputSchema`"),
        (changed(inputSchema=None), "it has no `inputSchema`"),
        (changed(inputSchema=[]), "its `inputSchema` is no object"),
        (changed(inputSchema=True), "its `inputSchema` is no object"),
        (changed(inputSchema={}), "`type: object`"),
        (changed(inputSchema={"type": "array"}), "`type: object`"),
        (changed(inputSchema={"type": "object", "required": 7}), "as JSON Schema defines it"),
        (changed(inputSchema={"type": "object", "pattern": 7}), "as JSON Schema defines it"),
        (changed(inputSchema={"type": "object", "$ref": "http://x.example/y"}), "leads out of the schema"),
        (changed(inputSchema={"type": "object", "$ref": "file:///etc/passwd"}), "leads out of the schema"),
        (changed(inputSchema={"type": "object", "$ref": "#"}), "leads out of the schema"),
        (changed(inputSchema={"type": "object", "allOf": [{"$ref": "#/allOf/0"}]}), "refers to itself"),
        (changed(inputSchema=deep(80)), "nested deeper"),
        (changed(inputSchema=DOUBLING), "unfolds"),
        (changed(outputSchema=deep(80)), "its `outputSchema` can't be used"),
        (changed(inputSchema={"type": "object", "enum": [1] * 60_000}), "more than 50000 values"),
        (
            changed(
                inputSchema={"type": "object", "properties": {"a": {"pattern": "(a)\\1", "type": "string"}}}
            ),
            "linear time",
        ),
        (changed(description=7), "its `description` is no text"),
        (changed(title=["x"]), "its `title` is no text"),
        (changed(annotations=True), "its `annotations` is no object"),
        (changed(outputSchema="x"), "its `outputSchema` is no object"),
        (changed(description="a\0b"), "NUL"),
        (changed(description="\ud800"), "half a surrogate pair"),
        (changed(annotations={"\udfff": 1}), "half a surrogate pair"),
        (changed(annotations={"n": 2**63}), "64 bits"),
        (changed(annotations={"n": 1e300}), "64 bits"),
        (changed(annotations={"n": float("inf")}), "not finite"),
        (changed(annotations={"n": {1: 2}}), "a key of it is no text"),
        (changed(annotations={"n": {1}}), "no JSON value"),
        (changed(description="x" * (MAX_TEXT + 1)), "longer than"),
    ],
    ids=range(38),
)
def test_a_tool_that_can_not_be_used_is_refused_alone(tool: Any, why: str) -> None:
    assert why in refusal(tool)
    found = read(PRS, tool)
    assert [*found.tools] == ["github/list_prs"]
    assert "" in found.digests.values()


def test_of_two_tools_of_one_name_none_is_used() -> None:
    found = read(GET, PRS, changed(description="Another."), GET)
    assert [*found.tools] == ["github/list_prs"]
    assert found.refused == {"github/get_issue": "it is listed twice, and nobody knows which one is called"}


def test_a_name_that_was_refused_as_another_is_no_second_one() -> None:
    found = read(changed(inputSchema=[]), GET)
    assert "listed twice" in found.refused["github/get_issue"]
