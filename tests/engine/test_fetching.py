"""Tools that fetch: schemes, methods, headers, domains, every address of a host, and the addresses that are pinned; D2."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.decision import Code, Decision, Effect, Obligation
from gateway.diagnostic import PolicyError
from gateway.runtime import Gateway
from tests.engine.build import compiled, gateway, session

POLICY = """
version: 1
settings: {confirm_from: IRREVERSIBLE}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
lists: {domains: ["example.com", "*.example.com"], blocked: ["ads.example.com"]}
tools:
  - name: fetch
    risk: READ_ONLY
    permissions: []
    parameters:
      type: object
      required: [url]
      properties:
        url: {type: string}
        method: {enum: [GET, HEAD]}
        headers: {type: object, additionalProperties: {type: string}}
    inspect: {url: {url: pinned}, headers: headers}
rules:
  - {id: known-sites, tools: [fetch], unless: 'lists.domains.exists(d, inspect.url.host.glob(d))', effect: deny}
  - {id: blocked-sites, tools: [fetch], when: 'inspect.url.host in lists.blocked', effect: deny}
"""
ADDRESSES = {
    "www.example.com": ("192.0.43.8", "2001:500:88:200::8"),
    "inside.example.com": ("192.0.43.8", "10.0.0.7"),
    "six.example.com": ("::ffff:169.254.169.254",),
    "ads.example.com": ("192.0.43.8",),
    "evil.example": ("192.0.43.8",),
}


def fetch(url: str, gate: Gateway | None = None, **more: Any) -> Decision:
    gate = gate or gateway(POLICY, lookup=lambda host: ADDRESSES.get(host, ()))
    return gate.before({"id": "c", "tool": "fetch", "arguments": {"url": url, **more}}, session())


def test_the_decision_names_the_addresses_that_were_checked() -> None:
    decision = fetch("https://www.example.com/page")
    assert decision.effect is Effect.ALLOW
    assert decision.pinned == {"www.example.com": ("192.0.43.8", "2001:500:88:200::8")}
    assert decision.obligations == (Obligation.PINNED_ADDRESSES,)


def test_one_address_inside_refuses_the_name() -> None:
    decision = fetch("https://inside.example.com/")
    assert (decision.effect, decision.rule) == (Effect.DENY, "url.internal")
    assert "`10.0.0.7`" in decision.message
    assert decision.pinned is None


def test_an_address_in_another_form_is_the_same_address() -> None:
    assert fetch("https://six.example.com/").rule == "url.internal"


def test_a_name_without_an_address_is_asked_about() -> None:
    assert (fetch("https://gone.example.com/").effect, fetch("https://gone.example.com/").rule) == (
        Effect.DENY if not session()["can_ask"] else Effect.ASK,
        "url.unresolved",
    )


def test_a_redirect_is_another_call_that_is_checked_again() -> None:
    assert fetch("https://www.example.com/").proceeds
    assert fetch("http://169.254.169.254/latest/").rule == "url.internal"


@pytest.mark.parametrize("url", ["ftp://www.example.com/", "file:///etc/passwd", "gopher://www.example.com/"])
def test_other_schemes(url: str) -> None:
    assert fetch(url).rule == "url.scheme"


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("https://evil.example/", "known-sites"),
        ("https://evil.example/?https://www.example.com", "known-sites"),
        ("https://ads.example.com/", "blocked-sites"),
        ("https://www.example.com", None),
    ],
)
def test_domains(url: str, rule: str | None) -> None:
    assert fetch(url).rule == rule


@pytest.mark.parametrize("name", ["Host", "AUTHORIZATION", "Cookie", "X-Forwarded-For", "X-A\r\nHost"])
def test_headers_that_no_model_may_set(name: str) -> None:
    decision = fetch("https://www.example.com/", headers={name: "x"})
    assert (decision.effect, decision.rule) == (Effect.DENY, "header.forbidden")


@pytest.mark.parametrize("value", ["a\r\nHost: b", "a\nb"])
def test_a_line_break_in_a_value_is_a_header_more(value: str) -> None:
    assert fetch("https://www.example.com/", headers={"X-A": value}).rule == "header.forbidden"


def test_ordinary_headers_and_methods() -> None:
    decision = fetch("https://www.example.com/", headers={"Accept": "text/html, */*;q=0.1"}, method="HEAD")
    assert decision.effect is Effect.ALLOW
    assert fetch("https://www.example.com/", method="DELETE").code is Code.ARGUMENT_INVALID


def test_a_host_that_can_not_pin_is_refused() -> None:
    gate = gateway(POLICY, lookup=lambda host: ADDRESSES.get(host, ()), supports=frozenset())
    assert fetch("https://www.example.com/", gate).code is Code.OBLIGATION_UNSUPPORTED


def test_a_lookup_that_fails_inside_refuses_the_call() -> None:
    def lookup(host: str) -> tuple[str, ...]:
        raise OSError(host)

    assert fetch("https://www.example.com/", gateway(POLICY, lookup=lookup)).code is Code.POLICY_ERROR


def test_another_way_to_inspect_an_address_is_a_mistake() -> None:
    with pytest.raises(PolicyError) as error:
        compiled(POLICY.replace("{url: pinned}", "{url: pined}"))
    assert "did you mean `pinned`?" in error.value.diagnostics[0].help
