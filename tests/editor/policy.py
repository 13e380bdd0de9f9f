"""A small policy without an error, for tests to change."""

from __future__ import annotations

POLICY = """\
version: 1
settings:
  types: {session.facts: {bases: list(string)}}
  switches: {code: false}
lists:
  staff: ["@example.com"]
agents:
  - {name: assistant, tools: ["pay_*", look_up], tenants: ["*"]}
defaults:
  - {tools: ["pay_*"], group: money}
tools:
  - name: pay_invoice
    title: Pay invoice
    description: Pay an invoice. Use it for bills that are due. Not for drafts.
    risk: HIGH
    describe: Pay {args.amount} to {args.to}
    permissions: ["pay:create"]
    parameters:
      type: object
      required: [amount, to]
      properties:
        amount: {type: integer, description: How much is paid.}
        to: {type: string, x-role: recipient, description: Whom to pay.}
        way: {enum: [fast, slow], description: How fast it is.}
  - name: pay_list
    title: List payments
    description: List payments. Use it for what was paid. Not for invoices (pay_invoice).
    risk: READ_ONLY
    permissions: []
    parameters: {type: object, properties: {query: {type: string, description: What to look for.}}}
    inspect: {query: sql}
  - {name: look_up, title: Look up, description: Look up a name in the address book., risk: READ_ONLY, permissions: []}
rules:
  - id: large-payment
    tools: [pay_invoice]
    when: args.amount > 1000
    effect: ask
    message: Payments above 1000 need a second person.
  - id: staff-payment
    tools: [pay_invoice]
    when: roles.recipient.all(r, lists.staff.exists(s, r.endsWith(s)))
    effect: allow
    lifts: [large-payment]
    message: Staff is paid at once.
  - id: own-bases
    tools: [look_up]
    when: size(session.facts.bases) == 0
    effect: deny
    message: There is nothing to look into.
"""

TESTS = """\
version: 1
sessions:
  clerk:
    id: s-1
    tenant: acme
    agent: assistant
    channel: internal
    can_ask: true
    subject: {id: u-1, tenant: acme, authenticated: true, permissions: ["pay:create"]}
cases:
  - name: a large payment is asked about
    session: clerk
    call: {tool: pay_invoice, arguments: {amount: 2000, to: x}}
    expect: {effect: ask, code: RULE, rule: large-payment}
"""
