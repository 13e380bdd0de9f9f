"""Compares what this engine and cel-python answer, and finds the part of a condition in which they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from gateway.cel import CelError, Environment, Parsed, plan
from gateway.cel.conform import converter
from gateway.cel.syntax import Macro, Node
from gateway.checks import spoken
from gateway.diagnostic import Confidence, Diagnostic, Related, Severity, Span
from gateway.second_opinion.answer import Answer, NoValue, answer_of, error_of, kinds, same, shown
from gateway.second_opinion.asking import PATIENCE, Asking
from gateway.second_opinion.calls import ExampleCall, example_calls, unread_note
from gateway.second_opinion.conditions import Asked, conditions
from gateway.second_opinion.known import Known, Library, library
from gateway.second_opinion.written import beyond, scopes, sign, variables_of, written

if TYPE_CHECKING:
    from gateway.testing.loaded import Loaded

CODE = "second-opinion"
SEVERITY = Severity.WARNING
"""How bad a difference is that nobody knows of."""
_MOST_CALLS = 200
_MOST_ELEMENTS = 20
_WITHOUT_VALUE = frozenset({"unread", "silent", "late"})


@dataclass(frozen=True, slots=True)
class Difference:
    """A part of an expression about which two implementations disagree, and what each says about it."""

    node: Node
    ours: Answer
    theirs: Answer
    known: Known | None


@dataclass(slots=True)
class _Count:
    """What came of all conditions: those that were compared, and why others were not."""

    compared: int = 0
    differing: int = 0
    answers: int = 0
    without_example: list[str] = field(default_factory=list)
    lacking: dict[str, list[str]] = field(default_factory=dict)

    def leave(self, asked: Asked, why: str) -> None:
        """Note a condition that can't be compared, by whose it is."""
        self.lacking.setdefault(why, []).append(asked.whose)


def second_opinion(loaded: Loaded) -> tuple[Diagnostic, ...]:
    """What cel-python answers otherwise about a policy's own calls, and what could not be compared."""
    calls = example_calls(loaded)
    count = _Count()
    found: list[Diagnostic] = []
    with Asking() as asking:
        for asked in conditions(loaded):
            found.extend(_about(asked, calls.by_tool, Comparing(asking), count))
    notes = [replace(note, severity=Severity.NOTE) for note in unread_note(calls, CODE)]
    return (*spoken(found, loaded.policy), *notes, _summary(count, calls.count))


def _about(
    asked: Asked, by_tool: Mapping[str, tuple[ExampleCall, ...]], comparing: Comparing, count: _Count
) -> Iterator[Diagnostic]:
    lacking = comparing.lacking(asked)
    if lacking:
        count.leave(asked, lacking)
        return
    seen: dict[str, tuple[Diagnostic, int]] = {}
    tried = 0
    for call, environment in _calls(asked, by_tool):
        variables = {name: call.variables[name] for name in asked.reads}
        answers = comparing.answers(asked.parsed, asked.parsed.ast, environment, variables)
        if isinstance(answers, str):
            count.leave(asked, answers)
            return
        tried += 1
        ours, theirs = answers
        if same(ours, theirs):
            continue
        difference = comparing.narrowed(asked.parsed, environment, variables)
        if difference is None:
            continue
        key = f"{difference.node.start}:{difference.node.end}:{difference.known and difference.known.id}"
        first, more = seen.get(key, (_diagnostic(asked, call.place, difference, answers), -1))
        seen[key] = first, more + 1
    count.answers += tried
    if not tried:
        count.without_example.append(asked.whose)
        return
    count.compared += 1
    count.differing += bool(seen)
    for diagnostic, more in seen.values():
        tail = f"; so it is with {_counted(more, 'more call')}" if more else ""
        yield replace(diagnostic, message=diagnostic.message + tail)


def _calls(
    asked: Asked, by_tool: Mapping[str, tuple[ExampleCall, ...]]
) -> Iterator[tuple[ExampleCall, Environment]]:
    """The calls whose values a condition can be tried with."""
    left = _MOST_CALLS
    for name, environment in asked.environments.items():
        for call in by_tool.get(name, ()):
            if left and asked.reads <= call.variables.keys():
                left -= 1
                yield call, environment


class Comparing:
    """Puts one question to both implementations."""

    def __init__(self, asking: Asking, other: Library | None = None) -> None:
        self._asking = asking
        self._library = other or library()

    def lacking(self, asked: Asked) -> str:
        """Why a condition can't be compared, whatever its values are; empty if it can."""
        if "inspect" in asked.reads:
            return "what inspection says of an argument"
        return beyond(asked.parsed, self._library.functions, asked.reads | asked.parsed.lets.keys())

    def answers(
        self, parsed: Parsed, node: Node | None, environment: Environment, variables: Mapping[str, Any]
    ) -> tuple[Answer, Answer] | str:
        """What each answers about a node, or why that can't be compared."""
        if node is None:
            return "conditions that can't be read"
        try:
            ours = _ours(replace(parsed, ast=node), environment, variables)
            sent = {name: _sent(name, value, environment) for name, value in variables.items()}
        except NoValue:
            return "values that it lacks"
        theirs = self._asking.ask(written(parsed, node), sent)
        if theirs[0] not in _WITHOUT_VALUE:
            return ours, theirs
        return {
            "unread": "syntax that it lacks",
            "silent": f"no answer within {PATIENCE:g} seconds",
            "late": "no time left",
        }[theirs[0]]

    def narrowed(
        self,
        parsed: Parsed,
        environment: Environment,
        variables: Mapping[str, Any],
        node: Node | None = None,
    ) -> Difference | None:
        """The smallest part of an expression about which the two disagree; None if they agree."""
        node = parsed.ast if node is None else node
        answers = self.answers(parsed, node, environment, variables)
        if node is None or isinstance(answers, str) or same(*answers):
            return None
        operands: frozenset[str] = frozenset()
        for child, more in self._parts(parsed, node, environment, variables):
            inner = self.narrowed(parsed, environment, more, child)
            if inner is not None:
                return inner
            one = self.answers(parsed, child, environment, more)
            operands |= frozenset() if isinstance(one, str) else kinds(one[0])
        ours, theirs = answers
        return Difference(node, ours, theirs, self._library.known(sign(node), ours, theirs, operands))

    def _parts(
        self, parsed: Parsed, node: Node, environment: Environment, variables: Mapping[str, Any]
    ) -> Iterator[tuple[Node, Mapping[str, Any]]]:
        """What a node consists of, each with the variables that it sees; a macro's body once for an element."""
        outside, inside = scopes(node)
        for child in outside:
            yield child, variables
        if not isinstance(node, Macro):
            return
        try:
            elements = plan(replace(parsed, ast=node.range), environment).evaluate(variables)
        except CelError:
            return
        (name,) = variables_of(node)
        for element in (
            list(elements)[:_MOST_ELEMENTS] if isinstance(elements, list | tuple | Mapping) else ()
        ):
            for child in inside:
                yield child, {**variables, name: element}


def _ours(parsed: Parsed, environment: Environment, variables: Mapping[str, Any]) -> Answer:
    try:
        return answer_of(plan(parsed, environment).evaluate(variables))
    except CelError as error:
        return error_of(error)


def _sent(name: str, value: Any, environment: Environment) -> Answer:
    """A variable's value as its type says it is: whole numbers may be doubles."""
    type_ = environment.variables.get(name)
    convert = None if type_ is None else converter(type_)
    return answer_of(value if convert is None else convert(value))


def _diagnostic(
    asked: Asked, place: Span, difference: Difference, whole: tuple[Answer, Answer]
) -> Diagnostic:
    ours, theirs = difference.ours, difference.theirs
    message = f"in {asked.whose}, this is {shown(ours)} here, and {shown(theirs)} in cel-python"
    if difference.node is not asked.parsed.ast:
        message += f", and so the whole is {shown(whole[0])} here, and {shown(whole[1])} there"
    known = difference.known
    return Diagnostic(
        CODE,
        message,
        asked.parsed.span(difference.node),
        f"this difference is known as `{known.id}`: {known.reason}"
        if known is not None
        else "nobody knows of this difference: write it so that both agree, or report which of them is wrong",
        SEVERITY if known is None else Severity.NOTE,
        (Related(_head(place), "with the values of this call"),),
        Confidence.LIKELY,
    )


def _head(span: Span) -> Span:
    """The first line of an example is enough to point at it."""
    end = span.source.text.find("\n", span.start, span.end)
    return span if end < 0 else Span(span.source, span.start, end)


def _summary(count: _Count, calls: int) -> Diagnostic:
    """How much was compared, and what was not."""
    message = (
        f"cel-python was asked about {_counted(count.compared, 'condition')} {_counted(count.answers, 'time')} in all, "
        f"with the values of {_counted(calls, 'call')}: {count.compared - count.differing} answered alike, "
        f"{count.differing} otherwise"
    )
    left = {f"for {why}": whose for why, whose in sorted(count.lacking.items())}
    if count.without_example:
        left = {"without an example": count.without_example, **left}
    if left:
        message += f"; not compared: {', '.join(f'{len(whose)} {why}' for why, whose in left.items())}"
    named = "; ".join(f"{why}: {', '.join(dict.fromkeys(whose))}" for why, whose in left.items())
    return Diagnostic(CODE, message, None, f"not compared {named}" if left else "", Severity.NOTE)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
