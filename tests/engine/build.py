"""Gateways from a few lines of YAML, and the session and call that tests vary."""

from __future__ import annotations

import copy
import re
from dataclasses import fields
from datetime import UTC, datetime
from functools import cache
from typing import Any

from gateway.compile import Compiled, compile_policy
from gateway.decision import Decision
from gateway.diagnostic import PolicyError
from gateway.engine import EVERYTHING
from gateway.inspect.guard import Guard
from gateway.load import load_text
from gateway.runtime import Gateway
from gateway.serving import Manifest
from gateway.session import Session

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)

SHOP = """
version: 1
settings:
  confirm_from: HIGH
  switches: {code_exec: false, beta: true}
  types: {session.facts: {bases: list(string), limit: int}, turn: {ambiguous: bool, specificity: string}}
agents:
  - {name: clerk, tools: ["order_*", search, execute, remote_only, run, sql, write_file, "!order_purge"], tenants: [acme, beta]}
  - {name: reader, tools: [search], tenants: ["*"], max_risk: READ_ONLY}
  - {name: nowhere, tools: [search]}
tools:
  - {name: search, risk: READ_ONLY, permissions: [], description: Find things., parameters: {type: object, required: [query], properties: {query: {type: string, minLength: 1}, limit: {type: integer, default: 10, maximum: 100}}}}
  - {name: order_read, group: orders, risk: READ_ONLY, permissions: ["order:read"], parameters: {type: object, required: [id], properties: {id: {type: string}}}}
  - {name: order_pay, group: orders, risk: MEDIUM, permissions: ["order:read", "order:pay", "bank:use"], describe: "Pay {args.amount} to {args.iban}", result: {arrays: [receipts]}, parameters: {type: object, required: [amount, iban], properties: {amount: {type: integer}, iban: {type: string, x-role: recipient}, note: {type: string}}}}
  - {name: order_delete, group: orders, risk: IRREVERSIBLE, permissions: ["order:delete"], parameters: {type: object, required: [id], properties: {id: {type: string}}}}
  - {name: order_purge, risk: IRREVERSIBLE, permissions: ["order:delete"]}
  - {name: order_row, action: edit, risk: LOW, permissions: [], resource_permissions: ["row:{args.table}:{tool.action}"], parameters: {type: object, required: [table], properties: {table: {type: string}, data: {type: object, additionalProperties: true}}}}
  - {name: execute, switch: code_exec, requires: [sandbox], risk: HIGH, permissions: []}
  - {name: remote_only, channels: [external], requires: [sandbox, net], risk: READ_ONLY, permissions: []}
  - {name: order_off, enabled: false, risk: READ_ONLY, permissions: []}
  - {name: order_beta, switch: beta, risk: READ_ONLY, permissions: []}
  - {name: web, mode: web_search, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [query], properties: {query: {type: string}}}}
  - {name: run, risk: MEDIUM, permissions: [], parameters: {type: object, required: [command], properties: {command: {type: string}}}, inspect: {command: shell}}
  - {name: sql, risk: MEDIUM, permissions: [], parameters: {type: object, required: [query], properties: {query: {type: string}}}, inspect: {query: sql}}
  - {name: write_file, risk: LOW, permissions: [], parameters: {type: object, required: [path], properties: {path: {type: string}}}, inspect: {path: path}}
"""

PERMISSIONS = ["order:read", "order:pay", "bank:use", "order:delete"]

SESSION: dict[str, Any] = {
    "id": "s-1",
    "tenant": "acme",
    "agent": "clerk",
    "channel": "internal",
    "can_ask": True,
    "cwd": "/home/dev/shop",
    "roots": ["/home/dev/shop"],
    "home": "/home/dev",
    "subject": {
        "id": "u-1",
        "tenant": "acme",
        "authenticated": True,
        "roles": ["sales"],
        "permissions": PERMISSIONS,
    },
}


def session(**changes: Any) -> dict[str, Any]:
    """The usual session with some keys changed; `subject` is changed key by key."""
    made = copy.deepcopy(SESSION)
    subject = changes.pop("subject", {})
    made.update(changes)
    if subject is None:
        made["subject"] = None
    else:
        made["subject"].update(subject)
    return made


@cache
def compiled(text: str, guard: Guard | None = None) -> Compiled:
    """The text's compiled policy, with nothing guarded unless a test guards it; compiled once, as nothing changes it."""
    return compile_policy(load_text(text, "test.yaml"), guard or Guard((), ()))


class Repeated(Gateway):
    """A gateway that is asked again in the same session, where its fast path may answer: always the same."""

    def before(self, call: Any, session: Any, findings: Any = ()) -> Decision:
        """What it decides, after it decided three more times."""
        decision = super().before(call, session, findings)
        try:
            who = Session.of(session)
        except Exception:  # a host's own class may fail in any way
            return decision
        if type(call) is dict and isinstance(findings, tuple | list) and not self._serving.engine.counts:
            for _ in range(3):
                again = super().before({"id": "again", **call}, who, findings)
                assert said(again) == said(decision)
        return decision


def said(decision: Decision) -> dict[str, Any]:
    """All that a decision says, without the ids of itself and of its call, and without what is remembered from then on."""
    values = {one.name: getattr(decision, one.name) for one in fields(decision)}
    values["approval"] = decision.approval and {**decision.approval, "call_id": ""}
    return {**values, "id": "", "call_id": "", "written": None}


def gateway(text: str = SHOP, *, now: datetime = NOW, guard: Guard | None = None, **options: Any) -> Gateway:
    """A gateway whose clock stands still."""
    made = compiled(text, guard)
    manifest = Manifest(path="test.yaml", **made.summary)
    return Repeated(
        made.engine,
        manifest,
        clock=lambda: now,
        supports=frozenset(options.pop("supports", EVERYTHING)),
        lookup=options.pop("lookup", lambda host: ()),
    )


def decide(
    tool: str,
    arguments: Any = None,
    *,
    text: str = SHOP,
    now: datetime = NOW,
    findings: Any = (),
    **changes: Any,
) -> Decision:
    """One decision in the usual session, changed as the test says."""
    call = {"id": "c-1", "tool": tool, "arguments": {} if arguments is None else arguments}
    return gateway(text, now=now).before(call, session(**changes), findings)


def with_rules(*rules: str, text: str = SHOP) -> str:
    """The shop with rules, each a flow mapping."""
    return text + "rules:\n" + "".join(f"  - {rule}\n" for rule in rules)


def confirmed(text: str, name: str = "ops") -> str:
    """The text, which ends with `overrides: [{…}]`, with that override confirmed by its digest, if it has to be."""
    try:
        compiled(text)
    except PolicyError as error:
        digests = [re.search(r'digest: "(\w+)"', found.help) for found in error.diagnostics]
        digest = next(match[1] for match in digests if match is not None)
        start, end = text.rstrip().rsplit("}]", 1)
        return f"{start}, confirm: {{by: {name}, at: 2026-11-30, digest: {digest}}}}}]{end}\n"
    return text


PAY = {"amount": 100, "iban": "DE1"}


def answer(decision: Decision) -> tuple[Any, ...]:
    """What a decision says, without its moment, its identity and the places of rules."""
    return (
        decision.effect,
        decision.code,
        decision.rule,
        decision.basis,
        decision.message,
        decision.arguments,
        decision.response,
        decision.context,
        decision.obligations,
    )
