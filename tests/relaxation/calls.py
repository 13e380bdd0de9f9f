"""Generated calls, sessions and results, with which two generated policies are compared."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.relaxation.generated import NAMES, Json

RESULTS = st.sampled_from(
    [
        {"password": "hunter2", "rows": ["hunter2"], "note": "hunter2"},
        {"total": 1, "inner": {"password": "hunter2"}, "iban": "hunter2"},
        {"total": 2, "rows": [], "amount": "hunter2", "code": "DE1234", "command": "hunter2"},
        {"rows": {"x": "hunter2"}, "to": "DE1234"},
        "ann@acme.example of DE1234, password: hunter2",
    ]
)
"""Results with what some entry or a sensitive argument blanks out."""
BLANKED = ("hunter2", "ann@acme.example", "DE1234")
UNLISTED = st.sampled_from(["mcp_x", "other", "hub/get"])

CALLS = st.builds(
    lambda tool, *given: {"id": "c-1", "tool": tool, "arguments": _arguments(tool, *given)},
    st.sampled_from(["pay", "pay", "pay", *NAMES]),
    st.sampled_from([None, 0, 1, 5, 6, 10, 11, 20, 21, 22.5, True, "x"]),
    st.sampled_from([None, "DE1", "FR1", "DE1234", 7]),
    st.sampled_from([None, None, "x", "y", 3]),
    st.sampled_from(["ls", "git push --force", "rm -rf /", None]),
)


def _arguments(tool: str, amount: Any, iban: Any, note: Any, command: Any) -> Json:
    given: Json = {
        "pay": {"amount": amount, "iban": iban, "note": note},
        "run": {"command": command},
        "form": {"code": iban},
    }.get(tool, {})
    return {key: value for key, value in given.items() if value is not None}


SESSIONS = st.builds(
    lambda tenant, agent, channel, can_ask, dry_run, facts, roles, permissions, capabilities, modes: {
        "id": "s-1",
        "tenant": tenant,
        "agent": agent,
        "channel": channel,
        "can_ask": can_ask,
        "dry_run": dry_run,
        "facts": facts,
        "capabilities": capabilities,
        "modes": modes,
        "cwd": "/home/dev",
        "roots": ["/home/dev"],
        "home": "/home/dev",
        "subject": {
            "id": "u",
            "tenant": tenant,
            "authenticated": True,
            "roles": roles,
            "permissions": permissions,
        },
    },
    st.sampled_from(["acme", "acme", "beta"]),
    st.sampled_from(["clerk", "clerk", "reader"]),
    st.sampled_from(["internal", "external"]),
    st.booleans(),
    st.booleans(),
    st.sampled_from(
        [
            {},
            {"limit": 0},
            {"limit": 5},
            {"limit": 7},
            {"limit": 11},
            {"limit": "x"},
            {"limit": 20, "place": "abx"},
        ]
    ),
    st.sampled_from([[], ["sales"], ["boss", "sales"]]),
    st.sampled_from([[], ["a"], ["a", "b", "form:DE1:edit", "form:DE1:look"]]),
    st.sampled_from([[], ["box"]]),
    st.sampled_from([{}, {"web": "auto"}]),
)
