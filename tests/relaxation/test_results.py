"""Results in a change: tools that the catalogue lacks, conditions that fail or are not built, hidden fields."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.diff import Verdict, changes, verdict
from gateway.relaxation import Direction
from tests.relaxation.generated import Json, side


def policy(*entries: Json, tools: tuple[str, ...] = ("run", "read"), arguments: Json | None = None) -> Json:
    return {
        "version": 1,
        "agents": [{"name": "clerk", "tools": ["*"], "tenants": ["*"]}],
        "tools": [
            {
                "name": name,
                "risk": "LOW",
                "permissions": [],
                "parameters": {"type": "object", "properties": arguments or {}},
            }
            for name in tools
        ],
        "results": [{"id": "clean", "redact": [{"field": "**.password"}], **entry} for entry in entries],
    }


def directions(old: Json, new: Json) -> dict[str, tuple[Direction, bool]]:
    return {
        change.item.removeprefix("results.clean."): (change.direction, change.enforced)
        for change in changes(side(old), side(new))
    }


RELAXED, TIGHTENED, OTHER = Direction.RELAXED, Direction.TIGHTENED, Direction.OTHER


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"tools": ["*"]}, {"tools": ["run", "read"]}),
        ({"tools": ["r*"]}, {"tools": ["run", "read"]}),
        ({"tools": ["*"]}, {"tools": ["*", "!mcp*"]}),
        ({"tools": ["*", "!mcp_x*"]}, {"tools": ["*", "!mcp*"]}),
        ({"tools": ["*", "hub/*"]}, {"tools": ["r*", "hub/*"]}),
        ({"tools": ["*"], "risk": ">=LOW"}, {"tools": ["*"], "risk": "LOW"}),
        ({"tools": ["*"], "risk": ">=LOW"}, {"tools": ["*"], "risk": "<HIGH"}),
    ],
)
def test_tools_that_the_catalogue_lacks_are_covered_by_the_patterns_as_written(old: Json, new: Json) -> None:
    assert directions(policy(old), policy(new)) == {"unlisted": (RELAXED, True)}
    assert directions(policy(new), policy(old)) == {"unlisted": (TIGHTENED, True)}


def test_an_entry_about_none_but_tools_that_the_catalogue_lacks_protects() -> None:
    entry = {"tools": ["mcp__*"]}
    (gone,) = changes(side(policy(entry)), side(policy()))
    assert gone.relaxed
    assert gone.meaning == "an entry about tools that the catalogue lacks (`mcp__*`) is gone"
    (came,) = changes(side(policy()), side(policy(entry)))
    assert came.direction is TIGHTENED
    (low,) = changes(side(policy({**entry, "risk": "LOW"})), side(policy()))
    assert (low.direction, low.enforced) == (OTHER, False)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"tools": ["*"]}, {"tools": ["*", "run"]}),
        ({"tools": ["*"]}, {"tools": ["*", "*/*"]}),
        ({"tools": ["*"], "risk": ">=LOW"}, {"tools": ["*"], "risk": "<=HIGH"}),
    ],
)
def test_other_patterns_for_the_same_tools_are_no_difference(old: Json, new: Json) -> None:
    assert directions(policy(old), policy(new)) == {}


def test_a_tool_that_is_in_the_catalogue_is_none_that_it_lacks() -> None:
    old = policy({"tools": ["run", "read"]})
    new = policy({"tools": ["run"]}, tools=("run",))
    assert "unlisted" not in directions(old, new)


def test_a_condition_that_is_not_built_blanks_out_always() -> None:
    unbuilt, narrow = (
        {"tools": ["run"], "when": when} for when in ("origin('x').untrusted", "result.a == 1")
    )
    always = {"tools": ["run"]}
    assert directions(policy(unbuilt), policy(narrow)) == {"condition": (RELAXED, True)}
    assert directions(policy(unbuilt), policy(always)) == {"condition": (OTHER, False)}
    assert directions(policy(always), policy(unbuilt)) == {"condition": (OTHER, False)}


def test_a_wider_condition_is_not_proved_since_a_failing_one_withholds_the_result() -> None:
    failing = {"tools": ["run"], "when": "result.rows.size() > 0"}
    for wider in ({"tools": ["run"]}, {**failing, "when": f"{failing['when']} || result.a == 1"}):
        assert verdict(changes(side(policy(failing)), side(policy(wider)))) is Verdict.UNPROVED
        assert directions(policy(wider), policy(failing)) == {"condition": (RELAXED, True)}


def test_an_argument_that_goes_takes_the_hidden_fields_of_its_name_with_it() -> None:
    hidden = {"type": "string", "x-sensitive": True}
    x = {"x": {"type": "integer"}}
    relaxed = [
        (policy(arguments={**x, "password": hidden}), policy(arguments=x)),
        (
            policy(arguments={**x, "inner": {"type": "object", "properties": {"password": hidden}}}),
            policy(arguments={**x, "inner": {"type": "object", "properties": {}}}),
        ),
    ]
    for old, new in relaxed:
        found = {change.item: change for change in changes(side(old), side(new))}
        assert found["tools.run.x-sensitive"].relaxed
        assert "password`" in found["tools.run.x-sensitive"].meaning
    moved = policy(arguments={**x, "inner": {"type": "object", "properties": {"password": hidden}}})
    moved_up = {
        **moved,
        "tools": policy(arguments={**x, "password": hidden, "inner": {"type": "object"}})["tools"],
    }
    found = {change.item: change for change in changes(side(moved_up), side(moved))}
    assert not found["tools.run.x-sensitive"].relaxed


def test_where_every_argument_is_hidden_each_that_goes_takes_its_name_with_it() -> None:
    def whole(**properties: Any) -> Json:
        new = policy(arguments=properties)
        for tool in new["tools"]:
            tool["parameters"]["x-sensitive"] = True
        return new

    x = {"x": {"type": "integer"}}
    found = {
        change.item: change.direction
        for change in changes(side(whole(**x, password={"type": "string"})), side(whole(**x)))
    }
    assert found["tools.run.x-sensitive"] is RELAXED


def verdicts(old: Json, new: Json) -> dict[str, str]:
    """For each item its direction, with `enforced` where some decision can differ and nobody knows how."""
    return {
        change.item: "enforced" if change.unproved else change.direction.value
        for change in changes(side(old), side(new))
    }


def entry(id: str, *fields: str, **more: Any) -> Json:
    return {"id": id, "tools": ["run", "read"], "redact": [{"field": field} for field in fields], **more}


BOTH = entry("clean", "**.password", "note")


def test_upper_and_lower_case_of_a_field_are_one_as_they_are_in_results() -> None:
    one, other = (policy(entry("clean", field)) for field in ("**.Password", "**.password"))
    assert verdicts(one, other) == verdicts(other, one) == {}


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        # split over two entries of the same selection
        (
            [BOTH],
            [entry("clean", "**.password"), entry("more", "note")],
            {"results.clean.redact": "other", "results.more": "tightened"},
        ),
        # split by tool
        (
            [BOTH],
            [{**BOTH, "tools": ["run"]}, {**BOTH, "id": "more", "tools": ["read"]}],
            {"results.clean.tools": "other", "results.more": "tightened"},
        ),
        # renamed
        ([BOTH], [{**BOTH, "id": "tidy"}], {"results.clean": "other", "results.tidy": "tightened"}),
        # one of two equal entries removed, or narrowed
        ([BOTH, {**BOTH, "id": "more"}], [BOTH], {"results.more": "other"}),
        (
            [BOTH, {**BOTH, "id": "more"}],
            [BOTH, {**BOTH, "id": "more", "tenants": ["acme"], "when": "result.a == 1"}],
            {"results.more.tenants": "other", "results.more.condition": "other"},
        ),
        # another one protects more
        ([BOTH, entry("more", "inner.password")], [BOTH], {"results.more": "other"}),
        # said twice in one entry
        (
            [entry("clean", "**.password", "inner.password")],
            [entry("clean", "**.password")],
            {"results.clean.redact": "other"},
        ),
        # another one protects less: other fields, tools, sessions, or calls
        ([BOTH, entry("more", "iban")], [BOTH], {"results.more": "relaxed"}),
        ([BOTH, {**BOTH, "id": "more"}], [{**BOTH, "tenants": ["acme"]}], {"results.more": "relaxed"}),
        ([BOTH], [{**BOTH, "id": "tidy", "channels": ["internal"]}], {"results.clean": "relaxed"}),
        ([BOTH], [{**BOTH, "id": "tidy", "tools": ["run"]}], {"results.clean": "relaxed"}),
        ([BOTH], [{**BOTH, "id": "tidy", "when": "result.a == 1"}], {"results.clean": "relaxed"}),
        # a condition that fails withholds the result
        (
            [{**BOTH, "when": "result.a == 1"}],
            [{**BOTH, "id": "tidy", "when": "result.a == 1"}],
            {"results.clean": "other"},
        ),
        ([{**BOTH, "when": "result.a == 1"}], [{**BOTH, "id": "tidy"}], {"results.clean": "enforced"}),
        # what is marked as untrusted
        (
            [{**BOTH, "fields": {"a": "untrusted"}}, {**BOTH, "id": "more", "fields": {"a": "untrusted"}}],
            [BOTH, {**BOTH, "id": "more", "fields": {"a": "untrusted"}}],
            {"results.clean.fields": "other"},
        ),
        (
            [{**BOTH, "fields": {"a": "untrusted"}}, {**BOTH, "id": "more", "fields": {"a": "untrusted"}}],
            [BOTH, {**BOTH, "id": "more"}],
            {"results.clean.fields": "relaxed", "results.more.fields": "relaxed"},
        ),
    ],
)
def test_what_another_entry_protects_is_not_lost(
    old: list[Json], new: list[Json], found: dict[str, str]
) -> None:
    said = verdicts(policy(*old), policy(*new))
    assert {item: said[item] for item in found} == found
    if "relaxed" not in found.values():
        assert "relaxed" not in said.values()
        assert ("enforced" in found.values()) is ("enforced" in said.values())


def test_tools_that_the_catalogue_lacks_are_protected_by_another_entry_that_names_them() -> None:
    wild = entry("clean", "**.password", tools=["*", "mcp_*"])
    listed = {**wild, "id": "tidy", "tools": ["run", "read"]}
    (gone,) = [
        one for one in changes(side(policy(wild)), side(policy(listed))) if one.item == "results.clean"
    ]
    assert gone.relaxed
    assert gone.meaning == "an entry about tools that the catalogue lacks (`*`, `*/*`) is gone"
    assert verdicts(policy(wild), policy({**wild, "id": "tidy"}))["results.clean"] == "other"
