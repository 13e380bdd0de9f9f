"""A small policy with sessions and calls, and the test files that are written about it."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from gateway.diagnostic import PolicyError
from gateway.testing import run_file

POLICY = """
version: 1
settings: {confirm_from: HIGH, packs: [git]}
agents: [{name: clerk, tools: [search, pay, own, run], tenants: [acme]}]
tools:
  - {name: search, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [query], properties: {query: {type: string}, limit: {type: integer, default: 10}}}}
  - {name: pay, risk: HIGH, permissions: ["pay:create"], parameters: {type: object, required: [amount], properties: {amount: {type: integer}}}}
  - {name: own, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [user], properties: {user: {type: string}}}}
  - {name: run, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [command], properties: {command: {type: string}}}, inspect: {command: shell}}
  - {name: purge, risk: IRREVERSIBLE, permissions: []}
arguments: [{id: whose, tools: [own], set: {user: subject.id}}]
rules:
  - {id: large, tools: [pay], when: args.amount > 1000, effect: deny, message: Payments above 1000 are made by finance.}
  - {id: watched, tools: [pay], when: args.amount > 10, effect: deny, monitor: true, until: 2027-01-31}
"""

FIXTURES = """
version: 1
sessions:
  clerk: {id: s, tenant: acme, agent: clerk, channel: internal, can_ask: true, facts: {}, subject: {id: u-1, tenant: acme, authenticated: true, permissions: ["pay:create"], roles: [a, b]}}
  guest: {like: clerk, subject: {permissions: []}}
  night: {like: guest, can_ask: false}
calls:
  find: {tool: search, arguments: {query: tea}}
  small: {tool: pay, arguments: {amount: 5}}
  large: {like: small, arguments: {amount: 5000}}
"""


def write(folder: Path, cases: str, policy: str = POLICY, fixtures: str = FIXTURES) -> Path:
    (folder / "policy.yaml").write_text(policy)
    path = folder / "policy.test.yaml"
    path.write_text(f"{fixtures}cases:\n{textwrap.indent(textwrap.dedent(cases).strip(), '  ')}\n")
    return path


def problems(path: Path) -> list[tuple[str, str, str]]:
    """Code, underlined text and help of each problem of a test file."""
    with pytest.raises(PolicyError) as caught:
        run_file(path)
    return [(d.code, d.span.text if d.span is not None else "", d.help) for d in caught.value.diagnostics]
