"""A case put to its policy, and the answer compared with what was expected."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from gateway.call import normal_arguments, same
from gateway.decision import Decision
from gateway.glob import fits
from gateway.results.review import Review
from gateway.runtime import Gateway
from gateway.steps.deciding import Trace
from gateway.steps.listing import Listing
from gateway.testing.case import Case, CaseReport, Mismatch
from gateway.testing.expected import Expected, ExpectedDemand, ExpectedList, ExpectedReview
from gateway.testing.grounds import deciding_entry, expected_entry

Answer = Decision | Listing | Review


def run_case(case: Case) -> CaseReport:
    """Ask the policy what the case asks; a trace is made only where the answer differs."""
    differing = tuple(differences(case.expected, ask(case, case.loaded.gateway)))
    if not differing or not isinstance(case.expected, Expected) or case.call is None:
        return CaseReport(case, differing)
    explained = ask(case, case.loaded.gateway, Trace())
    if not isinstance(explained, Decision):
        return CaseReport(case, differing)
    return CaseReport(case, differing, deciding_entry(explained), expected_entry(case, explained))


def ask(case: Case, gateway: Gateway, trace: Trace | None = None) -> Answer:
    """What a policy answers to what a case asks; it remembers nothing of other cases. A trace only watches."""
    clock = case.loaded.clock
    clock.now = case.now
    gateway = gateway.anew()
    try:
        if isinstance(case.expected, ExpectedList):
            return gateway.tools(case.session)
        if isinstance(case.expected, ExpectedReview):
            return gateway.after(case.call or {}, case.session, case.result)
        if case.call is None:
            return gateway.entry(case.session)
        for _ in range(case.times - 1):
            gateway.before(case.call, case.session)
        if trace is None:
            return gateway.before(case.call, case.session)
        return gateway.watched(case.call, case.session, trace)
    finally:
        clock.now = None


def differences(expected: Expected | ExpectedList | ExpectedReview, got: Answer) -> Iterator[Mismatch]:
    """Everything in which an answer differs from what was expected of it."""
    if isinstance(expected, ExpectedList) and isinstance(got, Listing):
        return _listed(expected, got)
    if isinstance(expected, ExpectedReview) and isinstance(got, Review):
        return _reviewed(expected, got)
    if isinstance(expected, Expected) and isinstance(got, Decision):
        return _decided(expected, got)
    raise TypeError("the answer is one to another question")


def _decided(expected: Expected, got: Decision) -> Iterator[Mismatch]:
    if expected.effect is not None and expected.effect is not got.effect:
        yield Mismatch("effect", expected.effect.value, got.effect.value)
    if expected.code is not None and expected.code is not got.code:
        yield Mismatch("code", expected.code.value, f"{got.code.value} ({got.detail})")
    if expected.rule is not None and expected.rule != got.rule:
        yield Mismatch("rule", f"`{expected.rule}`", f"`{got.rule}`" if got.rule else "none")
    if expected.basis is not None and expected.basis is not got.basis:
        yield Mismatch("basis", expected.basis.value, got.basis.value)
    for what, wanted, said in (
        ("message", expected.message, got.message),
        ("detail", expected.detail, got.detail),
    ):
        if wanted is not None and not fits(wanted, said):
            yield Mismatch(what, _shown(wanted), _shown(said))
    if expected.arguments is not None:
        final = normal_arguments(expected.arguments)
        if got.arguments is None or not same(final, dict(got.arguments)):
            yield Mismatch(
                "arguments", _shown(final), "none" if got.arguments is None else _shown(got.arguments)
            )
    if expected.given("response") and not same(expected.response, got.response):
        yield Mismatch("response", _shown(expected.response), _shown(got.response))
    named = {finding.rule or finding.code.value for finding in got.findings}
    watched = {finding.rule or finding.code.value for finding in got.monitored}
    obligations = [one.value for one in got.obligations]
    for what, names, found in (
        ("findings", expected.findings, named),
        ("monitored", expected.monitored, watched),
        ("context", expected.context, got.context),
        ("obligations", expected.obligations, obligations),
    ):
        if names is not None and set(names) != set(found):
            yield Mismatch(what, _names(sorted(names)), _names(sorted(found)))
    if expected.demands is not None:
        demands = list((got.approval or {}).get("demands", ()))
        meant = [_meant(one) for one in expected.demands]
        if not _demanded(meant, demands):
            yield Mismatch("demands", _shown(meant), _shown(demands))


def _meant(demand: ExpectedDemand) -> dict[str, Any]:
    """What is written of a demand, as decisions have it."""
    meant: dict[str, Any] = {key: getattr(demand, key) for key in sorted(demand.model_fields_set)}
    return {
        key: int(value.total_seconds())
        if isinstance(value, timedelta)
        else list(value)
        if isinstance(value, tuple)
        else value
        for key, value in meant.items()
    }


def _demanded(wanted: Sequence[Mapping[str, Any]], got: Sequence[Mapping[str, Any]]) -> bool:
    """Whether each demand has one of its own that says the same under the keys that are written."""
    left = list(got)
    for meant in wanted:
        fitting = [one for one in left if all(one.get(k, _ABSENT.get(k)) == v for k, v in meant.items())]
        if not fitting:
            return False
        left.remove(fitting[0])
    return not left


_ABSENT = {"not_self": False}


def _reviewed(expected: ExpectedReview, got: Review) -> Iterator[Mismatch]:
    if expected.redacted is not None:
        entries = sorted({one.entry for one in got.redacted})
        if sorted(set(expected.redacted)) != entries:
            yield Mismatch("redacted", _names(sorted(expected.redacted)), _names(entries))
    if expected.withheld is not None and expected.withheld is not got.withheld:
        yield Mismatch("withheld", str(expected.withheld).lower(), f"{got.code.value} ({got.detail})")
    if expected.truncated is not None and expected.truncated is not got.truncated:
        yield Mismatch("truncated", str(expected.truncated).lower(), str(got.truncated).lower())
    for text in expected.contains:
        if text not in got.text:
            yield Mismatch("text", f"to contain {_shown(text)}", _shown(got.text))
    for text in expected.lacks:
        if text in got.text:
            yield Mismatch("text", f"to lack {_shown(text)}", _shown(got.text))


def _listed(expected: ExpectedList, got: Listing) -> Iterator[Mismatch]:
    visible = {tool.name for tool in got.visible}
    hidden = {tool.name: tool for tool in got.hidden}
    for name in expected.visible:
        if name not in visible:
            why = f"hidden by `{hidden[name].link}` ({hidden[name].reason})" if name in hidden else "unknown"
            yield Mismatch(f"`{name}`", "visible", why)
    if expected.only is not None:
        wanted = set(expected.only)
        for name in sorted(wanted - visible):
            yield Mismatch(f"`{name}`", "visible", "hidden")
        for name in sorted(visible - wanted):
            yield Mismatch(f"`{name}`", "hidden", "visible")
    for name, link in expected.hidden.items():
        if name not in hidden:
            yield Mismatch(
                f"`{name}`", f"hidden by `{link.value}`", "visible" if name in visible else "unknown"
            )
        elif hidden[name].link != link.value:
            got_link = f"hidden by `{hidden[name].link}` ({hidden[name].reason})"
            yield Mismatch(f"`{name}`", f"hidden by `{link.value}`", got_link)


def _shown(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"
