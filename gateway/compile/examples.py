"""A rule's own examples: each load tries that they match, or do not, as their author says."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from gateway.cel import Outcome
from gateway.compile.report import Report
from gateway.inspect.place import Conventions, Place
from gateway.plan import RulePlan
from gateway.steps.outcome import holds

if TYPE_CHECKING:
    from gateway.compile.tools import Typed
    from gateway.policy import Example, Rule

_NOBODY = {
    "id": "example",
    "tenant": "example",
    "kind": "user",
    "authenticated": True,
    "roles": [],
    "permissions": [],
    "attributes": {},
}
_CWD, _HOME = "/home/example/project", "/home/example"
_SESSION = {
    "id": "example",
    "tenant": "example",
    "agent": "example",
    "channel": "internal",
    "modes": {},
    "capabilities": [],
    "facts": {},
    "can_ask": False,
    "dry_run": False,
    "roots": [],
}


def check_examples(
    rule: Rule, plans: Mapping[str, RulePlan], typed: Mapping[str, Typed], report: Report
) -> None:
    """Report each example that the rule's condition does not treat as it says."""
    if rule.examples is None:
        return
    for key, examples in (("match", rule.examples.match), ("no_match", rule.examples.no_match)):
        for index, example in enumerate(examples):
            _check(rule, key, index, example, plans, typed, report)


def _check(
    rule: Rule,
    key: str,
    index: int,
    example: Example,
    plans: Mapping[str, RulePlan],
    typed: Mapping[str, Typed],
    report: Report,
) -> None:
    span = rule.where.span("examples", key, index)
    name = tool_of(example, plans, typed)
    if name is None:
        report.error(
            "wrong-example",
            f"the example is no call of a tool that the rule `{rule.id}` is about",
            span,
            "its `args` fit the parameters of one of the rule's tools; `tool` says which",
        )
        return
    arguments = typed[name].defaults(dict(example.args))
    problem = typed[name].validator.problem(arguments)
    if problem is not None:
        report.error("wrong-example", f"in the example, {problem.text}", span)
        return
    unknown = _unknown_key(example)
    if unknown:
        report.error(
            "wrong-example", f"a session has no key `{unknown}`", span, "write the keys of a session"
        )
        return
    if typed[name].misread:
        return
    outcome, error = holds(plans[name], example_variables(example, name, arguments, typed[name]))
    wanted = Outcome.TRUE if key == "match" else Outcome.FALSE
    if outcome is wanted:
        return
    came = {
        Outcome.TRUE: "holds",
        Outcome.FALSE: "does not hold",
        Outcome.ERROR: f"can't be evaluated: {error}",
    }
    report.error(
        "wrong-example",
        f"the example should {'match' if key == 'match' else 'not match'}, but the condition {came[outcome]}",
        span,
        "correct the condition or the example",
    )


def tool_of(example: Example, plans: Collection[str], typed: Mapping[str, Typed]) -> str | None:
    """The tool that an example calls, among those that its rule is about."""
    if example.tool is not None:
        return example.tool if example.tool in plans else None
    given = dict(example.args)
    fitting = [name for name in plans if typed[name].validator.problem(typed[name].defaults(given)) is None]
    if fitting:
        return fitting[0]
    return next(iter(plans), None)


def _unknown_key(example: Example) -> str:
    """A key of the example's session that no session has; it would say nothing, in silence."""
    session = dict(example.session or {})
    subject = session.get("subject", {})
    if not isinstance(subject, Mapping):
        return "subject"
    known = (*_SESSION, "subject", "turn", "cwd", "home")
    unknown = [key for key in session if key not in known] + [
        f"subject.{k}" for k in subject if k not in _NOBODY
    ]
    return unknown[0] if unknown else ""


def _place(session: Mapping[str, Any], conventions: Conventions) -> Place:
    """Where an example's command runs; its files need not exist, so links mean nothing."""
    cwd = session.get("cwd", _CWD)
    return Place(
        cwd, session.get("home", _HOME), tuple(session["roots"]) or (cwd,), lambda path: path, conventions
    )


def example_variables(
    example: Example, name: str, arguments: Mapping[str, Any], typed: Typed
) -> dict[str, Any]:
    """What the conditions of a call read that an example shows; what it leaves out is nobody's."""
    session = {**_SESSION, **(example.session or {})}
    subject = {**_NOBODY, **session.pop("subject", {})}
    turn = session.pop("turn", {})
    return {
        **typed.known,
        "args": arguments,
        "roles": typed.roles_of(arguments),
        "subject": subject,
        "session": session,
        "turn": {**turn, **(example.turn or {})},
        "agent": {"name": session["agent"], "tools": []},
        "call": {"id": "example", "tool": name},
        "inspect": typed.facts_of(arguments, _place(session, typed.inspector.conventions)),
        "now": typed.example_time,
    }
