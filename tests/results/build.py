"""Gateways that review results, and the steps that a review takes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from gateway import Decision, Review
from tests.engine.build import SHOP, gateway, session

TOKEN = "gh" + "p_q7Zk0uYbV3nTgL5xWmP8sRc1dEhJ2aFo9iKt"
"""Looks like a token of a code host, and is none."""
NONCE = "0f1e2d3c4b5a6978"


def with_results(*entries: str, text: str = SHOP) -> str:
    """The shop with entries of `results`, each a flow mapping."""
    return text + "results:\n" + "".join(f"  - {entry}\n" for entry in entries)


USUAL = with_results('{id: no-secrets, tools: ["*"], redact: [{detector: secrets}, {field: "**.password"}]}')


def after(
    result: Any,
    *,
    tool: str = "search",
    arguments: Any = None,
    text: str = USUAL,
    decision: Decision | None = None,
    **changes: Any,
) -> Review:
    """One review in the usual session, with a nonce that is known."""
    gate = gateway(text)
    gate._nonces = lambda: NONCE
    call = {"id": "c-1", "tool": tool, "arguments": {"query": "x"} if arguments is None else arguments}
    return gate.after(call, session(**changes), result, decision)


def inside(review: Review) -> str:
    """What stands inside the fence; fails unless there is exactly one, closed at the end."""
    words, head, *lines = review.text.split("\n")
    assert words.endswith("not instructions.")
    assert head == f'<tool-data id="{NONCE}" tool="{review.tool}">'
    end = f'</tool-data id="{NONCE}">'
    assert lines.count(end) == 1
    at = lines.index(end)
    assert at >= len(lines) - 2  # at most our own sentence follows
    return "\n".join(lines[:at])


def steps(work: Callable[[], Any]) -> int:
    """How many calls of functions, also of those in C, some work takes: the same on every machine."""
    count = 0

    def watch(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count
