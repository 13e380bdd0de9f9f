"""Runs a call from the question to the reviewed result, so that whatever happens ends in a state that is known.

The journal has the call as STARTED before the function is entered, and as COMPLETED or FAILED when it has returned. A
call that runs too long, or that is cancelled, stays STARTED: a thread can't be stopped, and a coroutine may have done
its work, so nobody knows whether it happens. What it comes to afterwards is kept all the same, for when the call is
asked for again; one that was cancelled before it was entered is FAILED.
"""

from __future__ import annotations

import contextvars
import inspect
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, wait
from secrets import token_hex
from threading import Thread
from typing import TYPE_CHECKING, Any

from gateway.call import CallError, ToolCall, fresh
from gateway.decision import Code, Decision, Finding
from gateway.frozen import frozen
from gateway.results.fence import fenced
from gateway.results.form import text_of

if TYPE_CHECKING:
    import asyncio

    from gateway.living import CallLike, Living, SessionLike
    from gateway.results.review import Review

TIMEOUT = 60.0
"""How long a tool may run that says nothing else, in seconds."""
ATTEMPTS = 3
"""How often a call is tried that may run again without harm."""

Function = Callable[[Mapping[str, Any]], Any]
Passing = tuple[type[BaseException], ...]


@frozen
class Ran:
    """What became of a call: the decision, and the review of its result if it ran."""

    decision: Decision
    review: Review | None = None

    @property
    def done(self) -> bool:
        """Whether it ran now, and ended without an error."""
        return self.review is not None and not self.review.is_error

    @property
    def text(self) -> str:
        """What the model reads: the result, or why there is none."""
        if self.review is not None:
            return self.review.text
        decision = self.decision
        if decision.code is Code.ALREADY_COMPLETED:
            return fenced(text_of(decision.response), decision.tool, token_hex(8), decision.message)
        return decision.message if decision.response is None else text_of(decision.response)


def run(
    gateway: Living,
    call: CallLike,
    session: SessionLike,
    function: Function,
    findings: Iterable[Finding],
    passes: Passing,
) -> Ran:
    """As `Gateway.run`."""
    named = _named(call)
    decision = gateway.before(named, session, findings)
    if not decision.proceeds:
        return Ran(decision)
    seconds = decision.timeout or TIMEOUT

    def ended(late: Future[Any]) -> None:
        _keep_late(gateway, named, session, late, decision)

    for left in reversed(range(_attempts(decision))):
        future: Future[Any] = Future()
        try:
            _start(future, function, decision)
            done = wait((future,), timeout=seconds).done
        except BaseException:  # a signal, say, ends the waiting
            future.add_done_callback(ended)
            raise
        if not done:
            future.add_done_callback(ended)
            return Ran(decision, gateway.unfinished(_unfinished(decision, seconds), session, decision))
        try:
            result: object = future.result()
            if inspect.iscoroutine(result):
                result.close()
                raise TypeError("it is a coroutine function, and those are run with `run_async`")
        except passes:
            raise
        except Exception as error:  # the edge to the tool: its failure is a result that the model reads
            if left:
                continue
            result = error
        return Ran(decision, gateway.after(named, session, result, decision))
    raise AssertionError("the last attempt returns")


async def run_async(
    gateway: Living,
    call: CallLike,
    session: SessionLike,
    function: Function,
    findings: Iterable[Finding],
    passes: Passing,
) -> Ran:
    """As `Gateway.run_async`."""
    import asyncio

    named = _named(call)
    deciding = asyncio.ensure_future(asyncio.to_thread(gateway.before, named, session, tuple(findings)))
    try:
        decision = await asyncio.shield(deciding)
    except asyncio.CancelledError:
        deciding.add_done_callback(lambda late: _keep_unentered(gateway, named, session, late))
        raise
    if not decision.proceeds:
        return Ran(decision)
    seconds = decision.timeout or TIMEOUT

    def ended(late: Future[Any] | asyncio.Future[Any]) -> None:
        _keep_late(gateway, named, session, late, decision)

    def leave(running: asyncio.Future[Any], started: Future[Any] | None) -> None:
        running.cancel()
        running.add_done_callback(ended)
        if started is not None:
            started.add_done_callback(ended)

    for left in reversed(range(_attempts(decision))):
        running, started = _entered(function, decision)
        try:
            done, _ = await asyncio.wait({running}, timeout=seconds)
            if not done:
                leave(running, started)
                late = await asyncio.to_thread(
                    gateway.unfinished, _unfinished(decision, seconds), session, decision
                )
                return Ran(decision, late)
            result: object = running.result()
        except asyncio.CancelledError:
            leave(running, started)
            raise
        except passes:
            raise
        except Exception as error:  # the edge to the tool, as above
            if left:
                continue
            result = error
        reviewing = asyncio.to_thread(gateway.after, named, session, result, decision)
        # It goes on where the caller is cancelled: the result is known.
        return Ran(decision, await asyncio.shield(asyncio.ensure_future(reviewing)))
    raise AssertionError("the last attempt returns")


def _attempts(decision: Decision) -> int:
    return ATTEMPTS if decision.repeatable else 1


def _named(call: CallLike) -> CallLike:
    """The call with an id, which the journal knows it by; one that can't be read is refused as it is."""
    try:
        return ToolCall.of(call)
    except CallError:
        return call


def _start(future: Future[Any], function: Function, decision: Decision) -> None:
    """Run the function on a thread of its own, with the caller's context; the process does not wait for it to end."""
    future.set_running_or_notify_cancel()  # from now on nobody can cancel it
    context = contextvars.copy_context()

    def work() -> None:
        try:
            result = context.run(function, _granted(decision))
        except BaseException as error:  # it is raised where the caller waits
            future.set_exception(error)
        else:
            future.set_result(result)

    Thread(target=work, name=f"tool {decision.tool}", daemon=True).start()


def _entered(function: Function, decision: Decision) -> tuple[asyncio.Future[Any], Future[Any] | None]:
    """The function as a task of this loop, or what runs it on a thread."""
    import asyncio

    if inspect.iscoroutinefunction(function):
        return asyncio.ensure_future(function(_granted(decision))), None

    def carried(arguments: Mapping[str, Any]) -> Any:
        try:
            return function(arguments)
        except StopIteration as error:  # futures of asyncio hold none: who waits for one would wait forever
            raise RuntimeError("the tool raised StopIteration") from error

    started: Future[Any] = Future()
    _start(started, carried, decision)

    async def whole() -> Any:
        value = await asyncio.wrap_future(started)
        # A plain function may give a coroutine, which is what has to run then.
        return await value if inspect.isawaitable(value) else value

    return asyncio.ensure_future(whole()), started


def _granted(decision: Decision) -> Mapping[str, Any]:
    """The arguments that were granted, in a copy: the journal's digest is of what they are now."""
    granted: dict[str, Any] = fresh(decision.arguments or {})
    return granted


def _keep_late(
    gateway: Living,
    call: CallLike,
    session: SessionLike,
    late: Future[Any] | asyncio.Future[Any],
    decision: Decision,
) -> None:
    """Have kept what a call comes to that nobody waits for any more; what has not run to its end stays open."""
    if late.cancelled():
        return
    error = late.exception()
    if error is not None and not isinstance(error, Exception):
        return
    result = late.result() if error is None else error
    if not inspect.isawaitable(result):
        _aside(gateway.after, call, session, result, decision)


def _keep_unentered(
    gateway: Living, call: CallLike, session: SessionLike, late: asyncio.Future[Decision]
) -> None:
    """Have kept that a call was cancelled before it ran."""
    if not late.cancelled() and late.exception() is None and late.result().proceeds:
        error = RuntimeError("the call was cancelled before it ran")
        _aside(gateway.after, call, session, error, late.result())


def _aside(work: Callable[..., object], *given: object) -> None:
    """Do it on a thread of its own, which the process waits for: an event loop is not held up."""
    Thread(target=work, args=given, name="gateway: a late result").start()


def _unfinished(decision: Decision, seconds: float) -> Review:
    """What the model reads of a call that did not end in time; the journal's entry stays open."""
    from gateway.steps.review import withheld

    reason = f"the tool did not return within {seconds:g} seconds, and whether the call happened is not known"
    return withheld(Code.OUTCOME_UNKNOWN, reason, reason, decision.tool, decision.call_id)
