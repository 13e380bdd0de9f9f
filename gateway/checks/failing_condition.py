"""A condition that fails for a call which the tool's schema permits.

A rule that can't be evaluated counts against the call: a deny or an ask then matches, a limit refuses. That is safe,
but the call was meant to be judged, and its user reads of an error. The first element of a list that may be empty, a
number made of any text, a division by an argument fail like that. The call that shows it is worked out and evaluated.

Bad, where the list may be empty:

    tools:
      - name: tag
        risk: LOW
        permissions: []
        parameters: {type: object, required: [tags], properties: {tags: {type: array, items: {type: string}}}}
    rules:
      - {id: first, tools: [tag], when: 'args.tags[0] == "secret"', effect: deny, message: No.}

Good:

    tools:
      - name: tag
        risk: LOW
        permissions: []
        parameters: {type: object, required: [tags], properties: {tags: {type: array, items: {type: string}}}}
    rules:
      - {id: first, tools: [tag], when: 'args.tags != [] && args.tags[0] == "secret"', effect: deny, message: No.}

Guard the part beside it, with the other operand of the same `&&`, or narrow the schema. Allow rules are left out: what
they can't evaluate they do not allow. Where such calls are to be stopped, write
`# gateway: ignore[failing-condition] …` on the line of the condition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gateway.canonical import canonical
from gateway.checks.trial_calls import nodes, trial_calls
from gateway.decision import Effect
from gateway.diagnostic import Confidence, Diagnostic, shortened
from gateway.plan import ForcedPlan, RulePlan

if TYPE_CHECKING:
    from gateway.cel import CelError, Parsed
    from gateway.compile import Compiled
    from gateway.compile.tools import Typed
    from gateway.plan import Condition, LimitPlan, ToolPlan
    from gateway.policy import Policy

CONFIDENCE = Confidence.CERTAIN
_MOST, _MOST_INSPECTED = 400, 40
"""How many calls are tried for a condition; what is inspected takes longer."""
_OF_THE_CALL = frozenset({"args", "roles"})


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each condition of what stops calls that fails for some call, once, with the call."""
    from gateway.cel.costs.reading import arguments_read

    seen: set[tuple[int, ...]] = set()
    told: set[Any] = set()
    for name, tool in compiled.engine.tools.items():
        typed = compiled.typed.get(name)
        if typed is None or typed.misread:
            continue
        forced = frozenset(key for entry in tool.forced for key, _ in entry.values)
        for conditions in _conditions(tool):
            key = tuple(id(part) for one in conditions for part in (one.parsed, one.environment))
            if key in seen:
                continue
            seen.add(key)
            if not any(_may_fail(one, typed) for one in conditions):
                continue
            # What is forced is no choice of the call, and what it will be is not known here.
            if any(forced.intersection(arguments_read(one.parsed)[0]) for one in conditions):
                continue
            found = _failing(name, typed, conditions)
            if found is None or found[0].span in told:
                continue
            error, arguments = found
            told.add(error.span)
            yield Diagnostic(
                "",
                f"this fails for a call of `{name}` with `{shortened(canonical(arguments))}`: {error.message}",
                error.span,
                "guard it with another part of the same `&&`, or narrow the schema",
            )


def _conditions(tool: ToolPlan) -> Iterator[tuple[Condition, ...]]:
    """`when` and `unless` of each part that stops a call where it fails, and what a limit counts."""
    parts: tuple[RulePlan | LimitPlan | ForcedPlan, ...] = (*tool.rules, *tool.limits)
    for part in parts:
        if not isinstance(part, RulePlan) or part.effect is not Effect.ALLOW:
            yield tuple(one for one in (part.when, part.unless) if one is not None)
    for limit in tool.limits:
        for one in (limit.by, limit.amount, limit.currency):
            if one is not None:
                yield (*((limit.when,) if limit.when is not None else ()), one)


def _may_fail(condition: Condition, typed: Typed) -> bool:
    from gateway.cel import outcomes

    if not condition.reads & _OF_THE_CALL or is_plain(condition):
        return False
    return outcomes(condition.parsed, condition.environment, typed.known).may_error


_NEVER_FAILING = frozenset({"startsWith", "endsWith", "contains", "size"})
_DIVISIONS = ("/", "%")


def is_plain(condition: Condition) -> bool:
    """Whether a condition only compares and searches arguments of one type each, which is told at less cost."""
    from gateway.cel.syntax import Binary, Call, Has, Ident, Index, ListNode, Literal, Logic, Select, Unary
    from gateway.cel.types import DYN, ObjectType

    args = condition.environment.variables.get("args")
    if not isinstance(args, ObjectType):
        return False
    for node in nodes([condition.parsed]):
        match node:
            case Select(operand=Ident(name="args"), field=field):
                found = args.fields.get(field)
                if found is None or found.type == DYN:
                    return False
            case Call(name=name) if name in _NEVER_FAILING:
                pass
            case Binary(operator=operator) if operator.value not in _DIVISIONS:
                pass
            case Has(operand=Ident()) | Select(operand=Ident()) | Index(operand=Ident(name="lists")):
                pass
            case Ident() | ListNode() | Literal() | Logic() | Unary():
                pass
            case _:
                return False
    return True


def _failing(
    name: str, typed: Typed, conditions: tuple[Condition, ...]
) -> tuple[CelError, Mapping[str, Any]] | None:
    """The first call for which conditions, one after the other, fail because of what the call holds."""
    from gateway.compile.examples import example_variables
    from gateway.policy import Example

    inspected = any("inspect" in one.reads for one in conditions)
    nothing = Example(args={})
    variables = example_variables(nothing, name, {}, typed) if not inspected else {}
    parsed = tuple(one.parsed for one in conditions)
    for arguments in trial_calls(typed, parsed, _MOST_INSPECTED if inspected else _MOST):
        if typed.validator.problem(arguments) is not None:
            continue
        if inspected:
            variables = example_variables(nothing, name, arguments, typed)
        known = {**variables, "args": arguments, "roles": typed.roles_of(arguments)}
        error = _error(conditions, known)
        if error is not None and _is_about_the_call(error, parsed):
            return error, arguments
    return None


def _error(conditions: tuple[Condition, ...], variables: Mapping[str, Any]) -> CelError | None:
    from gateway.cel import CelError, ErrorKind

    for condition in conditions:
        try:
            if condition.program.exact(variables) is False and condition is not conditions[-1]:
                return None
        except CelError as error:
            return None if error.kind is ErrorKind.LIMIT else error
    return None


def _is_about_the_call(error: CelError, parsed: tuple[Parsed, ...]) -> bool:
    """Whether what failed reads arguments, and nothing that a host supplies."""
    from gateway.cel.syntax import Ident, children

    for one in parsed:
        for known in (one, *one.lets.values()):
            if known.excerpt is not error.excerpt or known.ast is None:
                continue
            node = known.ast
            while inside := [each for each in children(node) if _holds(each, error)]:
                node = inside[0]
            names: set[str] = set()
            pending = [node]
            while pending:
                each = pending.pop()
                if isinstance(each, Ident):
                    names.add(each.name)
                pending.extend(children(each))
            return not names & _SUPPLIED
    return False


_SUPPLIED = frozenset({"subject", "session", "turn", "agent", "inspect", "call", "result", "now"})


def _holds(node: Any, error: CelError) -> bool:
    return bool(node.start <= error.start and error.end <= node.end)
