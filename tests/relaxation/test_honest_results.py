"""The promise of `proved` for entries of results that are split, renamed, doubled, or gone."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gateway.diff import Verdict, changes, verdict
from tests.relaxation.calls import RESULTS
from tests.relaxation.generated import Json, usable
from tests.relaxation.test_honest import FACTS, SMALL, hidden

REDACTIONS = [
    {"field": "**.password"},
    {"field": "**.Password"},
    {"field": "inner.password"},
    {"field": "note"},
]
WHEN = [None, None, "result.total == 1", "session.facts.limit > 5", "session.facts.limit > 7"]
TOOLS = [["*"], ["pay"], ["pay", "read"], ["*", "mcp*"], ["run", "mcp*"]]

SESSION: Json = {
    "id": "s-1",
    "tenant": "acme",
    "agent": "clerk",
    "subject": {"id": "u", "tenant": "acme", "authenticated": True, "permissions": ["a"]},
}


@st.composite
def entries(draw: st.DrawFn) -> list[Json]:
    """Two entries that are much alike."""
    found: list[Json] = []
    for index in range(2):
        chosen = draw(st.lists(st.sampled_from(REDACTIONS), min_size=1, max_size=2))
        one: Json = {"id": f"s{index}", "tools": draw(st.sampled_from(TOOLS)), "redact": chosen}
        when = draw(st.sampled_from(WHEN))
        found.append(one if when is None else {**one, "when": when})
    if draw(st.booleans()):
        found[1] = {**found[0], "id": "s1"}
    return found


@st.composite
def moved(draw: st.DrawFn, entries: list[Json]) -> list[Json]:
    """The entries with one split, renamed, doubled or gone, and perhaps about something else then."""
    first, second = draw(st.permutations(entries))
    more = {**first, "id": "s2"}
    half = {**more, "redact": first["redact"][:1]}
    new: list[Json] = draw(
        st.sampled_from(
            [
                [second],
                [more, second],
                [first, second, more],
                [half, second],
                [{**first, "redact": first["redact"][-1:]}, half, second],
                [{**first, "tools": ["run"]}, {**more, "tools": ["pay", "read"]}, second],
                [{**first, "tools": ["pay"]}, more, second],
            ]
        )
    )
    if draw(st.booleans()):
        one = draw(st.sampled_from(new))
        when = draw(st.sampled_from(WHEN))
        new[new.index(one)] = {
            **{k: v for k, v in one.items() if k != "when"},
            **({"when": when} if when else {}),
        }
    return new


@settings(max_examples=100)
@given(st.data())
def test_what_moves_between_entries_is_proved_only_where_nothing_more_is_shown(data: st.DataObject) -> None:
    old = data.draw(entries())
    before, after = (usable({**SMALL, "results": one}) for one in (old, data.draw(moved(old))))
    found = changes(before, after)
    assume(verdict(found) is Verdict.PROVED)
    result = data.draw(RESULTS)
    for tool in ("pay", "read", "run", "mcp_x", "other"):
        for facts in ({}, {"limit": 6}, {"limit": 8}):
            call: Json = {"id": "c-1", "tool": tool, "arguments": {}}
            sides = [hidden(one, call, {**SESSION, "facts": facts}, FACTS, result) for one in (before, after)]
            assert sides[0] <= sides[1], (found, tool, facts, result)
