"""The calls that a policy brings along, as its conditions see them: examples, and the calls of test cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gateway.call import ToolCall
from gateway.compile.examples import example_variables, tool_of
from gateway.compile.names import governed
from gateway.diagnostic import Diagnostic, PolicyError, Span
from gateway.facts import Facts
from gateway.results.form import data_of
from gateway.results.plain import plain
from gateway.session import Session
from gateway.steps import arguments as argument_step
from gateway.steps.deciding import Deciding, some_variables
from gateway.testing.expected import ExpectedReview
from gateway.testing.read import read_file
from gateway.testing.run import test_files

if TYPE_CHECKING:
    from gateway.policy import Condition
    from gateway.testing.case import Case
    from gateway.testing.loaded import Loaded


@dataclass(frozen=True, slots=True)
class ExampleCall:
    """A call of a tool with everything that a condition may read of it, and where it is written."""

    tool: str
    variables: Mapping[str, Any]
    place: Span


@dataclass(frozen=True, slots=True)
class ExampleCalls:
    """All calls that were found, by tool, and the test files that can't be read."""

    by_tool: Mapping[str, tuple[ExampleCall, ...]]
    unread: tuple[Path, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(map(len, self.by_tool.values()))


def example_calls(loaded: Loaded) -> ExampleCalls:
    """The calls in a policy's examples and in the test files beside it."""
    found: dict[str, list[ExampleCall]] = {}
    unread: list[Path] = []
    policy = loaded.policy
    for part in (*policy.rules, *policy.arguments, *policy.limits, *policy.results):
        for call in _examples(part, loaded):
            found.setdefault(call.tool, []).append(call)
    for path in _files(loaded.path):
        try:
            cases = read_file(path, loaded).cases
        except PolicyError:
            unread.append(path)
            continue
        for case in cases:
            shown = _case(case, loaded)
            if shown is not None:
                found.setdefault(shown.tool, []).append(shown)
    return ExampleCalls({tool: tuple(calls) for tool, calls in found.items()}, tuple(unread))


def unread_note(calls: ExampleCalls, code: str) -> Iterator[Diagnostic]:
    """That there are test files whose cases can't be used."""
    for path in calls.unread:
        yield Diagnostic(code, f"`{path}` can't be read, so its cases are no examples", help="run the tests")


def _files(path: Path) -> tuple[Path, ...]:
    try:
        return test_files(path if path.is_dir() else path.parent)
    except PolicyError:  # there are none
        return ()


def _examples(part: Condition, loaded: Loaded) -> Iterator[ExampleCall]:
    if part.examples is None:
        return
    typed = loaded.compiled.typed
    tools = governed(part, loaded.compiled.declared)
    for key, examples in (("match", part.examples.match), ("no_match", part.examples.no_match)):
        for index, example in enumerate(examples):
            name = tool_of(example, tools, typed)
            if name is not None:
                arguments = typed[name].defaults(dict(example.args))
                variables = example_variables(example, name, arguments, typed[name])
                del variables["inspect"]  # it is not compared
                yield ExampleCall(name, variables, part.where.span("examples", key, index))


_VARIABLES = ("tool", "subject", "session", "agent", "turn", "lists", "now", "args", "roles", "call")


def _case(case: Case, loaded: Loaded) -> ExampleCall | None:
    """The call of a case as the steps hand it to conditions; None where none of them would see it."""
    if case.call is None:
        return None
    engine = loaded.compiled.engine
    session = Session.of(case.session)
    call = ToolCall.of(case.call)
    if call.name not in engine.tools or session.subject is None or session.agent not in engine.agents:
        return None
    now = case.now if case.now is not None else loaded.clock()
    ctx = Deciding(engine, call, session, Facts(now), frozenset(), None)
    ctx.tool = engine.tools[call.name]
    ctx.agent = engine.agents[session.agent]
    if argument_step.step(ctx) is not None or ctx.tool.validator.problem(ctx.arguments) is not None:
        return None
    variables = some_variables(ctx, _VARIABLES)
    if isinstance(case.expected, ExpectedReview):
        variables["result"] = data_of(plain(case.result).value)
    return ExampleCall(call.name, variables, case.span)
