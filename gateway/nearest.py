"""The nearest call that would have been accepted: small changes, each verified by deciding again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gateway.call import ToolCall
from gateway.decision import Code, Decision, Effect
from gateway.plan import RulePlan, ToolPlan
from gateway.session import Session, Subject

if TYPE_CHECKING:
    from gateway.cel import Parsed
    from gateway.engine import Engine
    from gateway.facts import Facts

_MOST = 5
_MOST_TRIED = 60


@dataclass(frozen=True, slots=True)
class Accepted:
    """A change, and the answer that the changed call got."""

    change: str
    effect: Effect
    code: Code


@dataclass(frozen=True, slots=True)
class _Candidate:
    change: str
    call: ToolCall
    session: Session


def nearest(
    engine: Engine, decision: Decision, call: ToolCall, session: Session, facts: Facts
) -> tuple[Accepted, ...]:
    """Changes of one thing after which the answer is less strict; none for what is allowed anyway."""
    if decision.effect is Effect.ALLOW:
        return ()
    tool = engine.tools_for(session, facts).get(call.name)
    if tool is None:
        return ()
    accepted: dict[str, Accepted] = {}
    for tried, candidate in enumerate(_candidates(decision, tool, call, session)):
        if len(accepted) >= _MOST or tried >= _MOST_TRIED:
            break
        answer = engine.decide(candidate.call, candidate.session, facts)
        if answer.effect.strictness < decision.effect.strictness:
            accepted.setdefault(candidate.change, Accepted(candidate.change, answer.effect, answer.code))
    return tuple(accepted.values())


def _candidates(decision: Decision, tool: ToolPlan, call: ToolCall, session: Session) -> Iterator[_Candidate]:
    subject = session.subject
    if decision.code is Code.REQUIREMENT_MISSING:
        missing = [need for need in tool.requires if need not in session.capabilities]
        supplied = replace(session, capabilities=session.capabilities | frozenset(missing))
        yield _Candidate(f"a session that supplies {_named(missing)}", call, supplied)
    if subject is not None and decision.code in (Code.PERMISSION_DENIED, Code.RESOURCE_PERMISSION_DENIED):
        yield from _with_permissions(decision, tool, call, session, subject)
    if decision.code is Code.TOOL_DISABLED and tool.mode is not None:
        on = replace(session, modes={**session.modes, tool.mode: "auto"})
        yield _Candidate(f"the mode `{tool.mode}` set to `auto`", call, on)
    arguments = decision.arguments
    if arguments is not None:
        by_id = {rule.id: rule for rule in tool.rules}
        against = [by_id[f.rule] for f in decision.findings if f.rule in by_id]
        granting = [rule for rule in tool.rules if rule.effect is Effect.ALLOW]
        for rule in (*against, *granting):
            yield from _around(rule, call, dict(arguments), session)
    if decision.code is Code.NOBODY_TO_ASK:
        yield _Candidate(
            "a conversation in which a person can be asked", call, replace(session, can_ask=True)
        )
    if decision.code is Code.DRY_RUN:
        yield _Candidate("a session that is no dry run", call, replace(session, dry_run=False))


def _with_permissions(
    decision: Decision, tool: ToolPlan, call: ToolCall, session: Session, subject: Subject
) -> Iterator[_Candidate]:
    missing = [p for p in tool.permissions if p not in subject.permissions]
    if decision.code is Code.RESOURCE_PERMISSION_DENIED and decision.detail.count("`") == 2:
        missing = [decision.detail.split("`")[1]]
    if missing:
        granted = replace(subject, permissions=subject.permissions | frozenset(missing))
        noun = "permission" if len(missing) == 1 else "permissions"
        yield _Candidate(f"the {noun} {_named(missing)}", call, replace(session, subject=granted))


def _named(words: list[str]) -> str:
    return " and ".join(f"`{word}`" for word in words)


def _around(
    rule: RulePlan, call: ToolCall, arguments: dict[str, Any], session: Session
) -> Iterator[_Candidate]:
    for condition in (rule.when, rule.unless):
        if condition is not None:
            yield from _around_expression(condition.parsed, call, arguments, session)


def _around_expression(
    parsed: Parsed, call: ToolCall, arguments: dict[str, Any], session: Session
) -> Iterator[_Candidate]:
    """For each comparison of an argument with a constant, and each role asked for: the other side of it."""
    from gateway.cel.syntax import Binary, BinaryOperator, Literal, children

    if parsed.ast is None:
        return
    for let in parsed.lets.values():
        yield from _around_expression(let, call, arguments, session)
    pending = [parsed.ast]
    while pending:
        node = pending.pop()
        pending.extend(children(node))
        if not isinstance(node, Binary):
            continue
        path = _path(node.left)
        if isinstance(node.right, Literal) and path is not None and path[0] == "args" and path[1:]:
            for value in _beyond(node.operator.value, node.right.value):
                changed = _set(arguments, path[1:], value)
                if changed is not None:
                    what = f"`{'.'.join(path[1:])}` = {json.dumps(value, default=str)}"
                    yield _Candidate(what, replace(call, arguments=changed), session)
        subject = session.subject
        held = _path(node.right)
        if node.operator is BinaryOperator.IN and isinstance(node.left, Literal) and subject is not None:
            role = node.left.value
            if held == ("subject", "roles") and isinstance(role, str):
                who = replace(subject, roles=subject.roles | {role})
                yield _Candidate(f"a subject with the role `{role}`", call, replace(session, subject=who))
            if held == ("subject", "permissions") and isinstance(role, str):
                who = replace(subject, permissions=subject.permissions | {role})
                yield _Candidate(f"the permission `{role}`", call, replace(session, subject=who))


def _path(node: Any) -> tuple[str, ...] | None:
    from gateway.cel.syntax import Ident, Select

    names: list[str] = []
    while isinstance(node, Select):
        names.append(node.field)
        node = node.operand
    if not isinstance(node, Ident):
        return None
    return (node.name, *reversed(names))


def _beyond(operator: str, bound: Any) -> Iterator[Any]:
    """A value on each side of a comparison with a bound, the bound itself first."""
    if isinstance(bound, bool):
        yield from (True, False)
        return
    yield bound
    if isinstance(bound, int | float) and operator not in ("==", "!="):
        step = 1 if isinstance(bound, int) else abs(bound) * 1e-9 or 1e-9
        yield bound + step if operator in (">", "<=") else bound - step


def _set(arguments: Mapping[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any] | None:
    if not path:
        return None
    if len(path) == 1:
        return {**arguments, path[0]: value}
    inner = arguments.get(path[0])
    if not isinstance(inner, Mapping):
        return None
    changed = _set(inner, path[1:], value)
    return None if changed is None else {**arguments, path[0]: changed}
