"""A case put to its policy, and the answer compared with what was expected."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from gateway.call import normal_arguments, same
from gateway.decision import Decision, TraceEntry
from gateway.glob import fits
from gateway.results.review import Review
from gateway.steps.listing import Listing
from gateway.testing.case import Case, CaseReport, Mismatch
from gateway.testing.form import Expected, ExpectedList, ExpectedReview


def run_case(case: Case) -> CaseReport:
    """Ask the policy what the case asks; a trace is made only where the answer differs."""
    loaded = case.loaded
    loaded.clock.now = case.now
    gateway = loaded.gateway.anew()
    try:
        if isinstance(case.expected, ExpectedList):
            return CaseReport(case, tuple(_listed(case.expected, gateway.tools(case.session))))
        if isinstance(case.expected, ExpectedReview):
            review = gateway.after(case.call or {}, case.session, case.result)
            return CaseReport(case, tuple(_reviewed(case.expected, review)))
        if case.call is None:
            entry = gateway.entry(case.session)
            return CaseReport(case, tuple(_decided(case.expected, entry)))
        differing = tuple(_decided(case.expected, gateway.before(case.call, case.session)))
        if not differing:
            return CaseReport(case, ())
        explained = loaded.gateway.anew().explain(case.call, case.session).decision
        return CaseReport(case, differing, deciding_entry(explained))
    finally:
        loaded.clock.now = None


def deciding_entry(decision: Decision) -> TraceEntry | None:
    """The line of a trace that the answer rests on: the refusal, or what was held against the call."""
    for state in ("refused", "held against"):
        entries = [entry for entry in decision.trace if entry.state == state]
        by_rule = [entry for entry in entries if decision.rule is not None and entry.rule == decision.rule]
        by_step = [
            entry for entry in entries if decision.findings and entry.step is decision.findings[0].step
        ]
        if entries:
            return (by_rule or by_step or entries)[-1]
    return None


def _decided(expected: Expected, got: Decision) -> Iterator[Mismatch]:
    if expected.effect is not None and expected.effect is not got.effect:
        yield Mismatch("effect", expected.effect.value, got.effect.value)
    if expected.code is not None and expected.code is not got.code:
        yield Mismatch("code", expected.code.value, f"{got.code.value} ({got.detail})")
    if expected.rule is not None and expected.rule != got.rule:
        yield Mismatch("rule", f"`{expected.rule}`", f"`{got.rule}`" if got.rule else "none")
    if expected.message is not None and not fits(expected.message, got.message):
        yield Mismatch("message", _shown(expected.message), _shown(got.message))
    if expected.arguments is not None:
        wanted = normal_arguments(expected.arguments)
        if got.arguments is None or not same(wanted, dict(got.arguments)):
            yield Mismatch(
                "arguments", _shown(wanted), "none" if got.arguments is None else _shown(got.arguments)
            )
    if expected.monitored is not None:
        watched = sorted({finding.rule or finding.code.value for finding in got.monitored})
        if sorted(set(expected.monitored)) != watched:
            yield Mismatch("monitored", _names(sorted(expected.monitored)), _names(watched))


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


def _shown(value: str | Mapping[str, Any]) -> str:
    return f'"{value}"' if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"
