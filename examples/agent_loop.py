"""An agent loop: ask before every tool call and after it, put questions to a person, tell the model what came of it.

Run it with `python examples/agent_loop.py`. The policy is the one that `gatewayctl init` writes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from gateway import Effect, Gateway, Obligation

POLICY = Path(__file__).parent.parent / "cli" / "gatewayctl" / "starter" / "policy.yaml"
# This loop can't find somebody in particular to ask: rules that demand it refuse here.
GATE = Gateway.load(POLICY, supports=[Obligation.FINAL_ARGUMENTS])
SESSION = {
    "id": "s-1",
    "tenant": "acme",
    "agent": "assistant",
    "channel": "internal",
    "can_ask": True,
    "subject": {"id": "ann", "tenant": "acme", "authenticated": True, "permissions": ["pay:create"]},
}
TOOLS: Mapping[str, Callable[..., str]] = {
    "search_handbook": lambda query: f"1 page about {query}",
    "pay_invoice": lambda amount, iban: f"paid {amount} to {iban}",
}
# What a model would ask for, one turn a line; the calls of a turn run at the same time.
TURNS: tuple[tuple[Mapping[str, Any], ...], ...] = (
    (
        {"id": "call-1", "tool": "search_handbook", "arguments": {"query": "invoices"}},
        {"id": "call-2", "tool": "pay_invoice", "arguments": {"amount": 15, "iban": "NL01"}},
    ),
    ({"id": "call-3", "tool": "pay_invoice", "arguments": {"amount": 400, "iban": "NL01"}},),
    ({"id": "call-4", "tool": "pay_invoice", "arguments": {"amount": 900, "iban": "NL02"}},),
    ({"id": "call-5", "tool": "pay_invoice", "arguments": {"amount": 1500, "iban": "NL01"}},),
)


def person_agrees(question: str, arguments: Mapping[str, Any]) -> bool:
    """A program shows a dialog here; this person agrees to payments to one account."""
    return bool(arguments["iban"] == "NL01")


def answered(call: Mapping[str, Any]) -> str:
    """What the model is told about a call."""
    decision = GATE.before(call, SESSION)
    if decision.effect is Effect.RESPOND:
        return str(decision.response)
    if decision.effect is Effect.DENY or decision.arguments is None:
        return decision.message
    if decision.approval is not None and not person_agrees(decision.approval["prompt"], decision.arguments):
        return "The person said no. Do not send the call again."
    result: object
    try:
        result = TOOLS[decision.tool](**decision.arguments)
    except Exception as error:  # a tool that fails is a result like any other
        result = error
    return GATE.after(call, SESSION, result, decision).text


def main() -> None:
    """A conversation, from its start to its last turn."""
    entry = GATE.entry(SESSION)
    if not entry.proceeds:
        print(entry.message)
        return
    print("tools:", ", ".join(tool.name for tool in GATE.tools(SESSION).visible))
    with ThreadPoolExecutor() as pool:
        for calls in TURNS:
            for call, answer in zip(calls, pool.map(answered, calls), strict=True):
                print(f"{call['id']}: {answer}")


if __name__ == "__main__":
    main()
