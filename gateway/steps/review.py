"""After a call: which entries of `results` apply, and the review that they lead to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from gateway.call import CallError, ToolCall, new_id, normal_arguments
from gateway.cel import Outcome
from gateway.codes import PAGES
from gateway.decision import Code, Decision, Effect
from gateway.diagnostic import printable, printable_lines
from gateway.glob import select_governed
from gateway.plan import ResultPlan
from gateway.results.bounds import HARD_LIMIT, Bound
from gateway.results.fence import fenced
from gateway.results.filters import Filters, Values, filters
from gateway.results.form import data_of, is_error, is_mcp, mapped, text_of, written
from gateway.results.measure import width
from gateway.results.media import spoken
from gateway.results.plain import Reading, texts_in
from gateway.results.redact import Redactor, parts
from gateway.results.redaction import Redact
from gateway.results.returns import UNDECLARED, Returns
from gateway.results.review import Blanked, Problem, Review
from gateway.results.shape import problems
from gateway.results.withheld import Withheld
from gateway.steps import arguments, identity, rounds
from gateway.steps.above import along
from gateway.steps.arguments import selects
from gateway.steps.deciding import MAX_WRAPPING, Deciding, Trace, some_variables
from gateway.steps.outcome import holds, watch
from gateway.steps.secrets import secrets
from gateway.steps.work import purse_of
from gateway.template import reach

if TYPE_CHECKING:
    from gateway.engine import Engine
    from gateway.facts import Facts
    from gateway.session import Session
    from gateway.state import Change


def review(
    engine: Engine,
    call: ToolCall,
    session: Session,
    facts: Facts,
    result: Any,
    decision: Decision | None,
    nonce: str,
    rest: str = "",
    trace: Trace | None = None,
) -> Review:
    """The result of a call as it may be shown: made plain, redacted, bounded, and fenced for the model.

    `rest` is what the model is told of a result that was cut: how all of it can be had. A trace only watches.
    """
    read = Reading(result)
    try:
        first = _may_have_run(Deciding(engine, call, session, facts, frozenset(), None), decision)
        return _reviewed(first, read, decision, nonce, rest, trace)
    except Withheld as why:
        mcp = is_mcp(read.plain.value)
        return withheld(Code.RESULT_WITHHELD, why.reason, why.detail, call.name, call.id, in_mcp_form=mcp)


def brought(
    engine: Engine, call: ToolCall, session: Session, facts: Facts, decision: Decision | None, review: Review
) -> tuple[Change, ...]:
    """What the result of a call changes in the limits that look at results."""
    tool = engine.tools.get(call.name)
    if tool is None or not (tool.limits or tool.wraps):
        return ()
    first = Deciding(engine, call, session, facts, frozenset(), None)
    if identity.step(first) is not None:
        return ()
    final = None if decision is None else decision.arguments
    with suppress(Withheld):  # then nobody knows which calls were wrapped in it, and the result is not shown
        return rounds.brought(call, _calls(first, final), review)
    return ()


def withheld(
    code: Code, reason: str, detail: str, tool: str, call_id: str, *, in_mcp_form: bool = False
) -> Review:
    """The review of a result of which nothing is shown; the model reads the reason, the operator the detail."""
    message = printable_lines(f"The result is not shown: {reason}. {PAGES[code].retry}")
    shown: Any = {"content": [{"type": "text", "text": message}], "isError": True} if in_mcp_form else message
    return Review(
        id=new_id("r-"),
        tool=printable(tool),
        call_id=call_id,
        code=code,
        text=message,
        result=shown,
        full=shown,
        is_error=True,
        changed=True,
        message=message,
        detail=printable_lines(detail),
    )


def _may_have_run(ctx: Deciding, decision: Decision | None) -> Deciding:
    """Withhold what must not be there at all, or what can't be told for whom it is."""
    if ctx.engine.unready:
        raise Withheld("the gateway's policy is not ready")
    if decision is not None:
        if decision.tool != printable(ctx.call.name):
            raise Withheld("the decision is about a call of another tool")
        if decision.effect is Effect.DENY:
            raise Withheld("the call was refused, so it must not have run")
    if identity.step(ctx) is not None:
        raise Withheld("it is not known who asks, or the agent is not available")
    return ctx


def _reviewed(
    first: Deciding, read: Reading, decision: Decision | None, nonce: str, rest: str, trace: Trace | None
) -> Review:
    call = first.call
    redactions: dict[Redact, None] = {}
    messages: dict[str, str] = {}
    sensitive: set[str] = set()
    final = None if decision is None else decision.arguments
    returns = UNDECLARED
    for depth, ctx in enumerate(_calls(first, final)):
        if ctx.tool is not None:
            if depth == 0:
                returns = ctx.tool.returns
            redactions.update(dict.fromkeys(ctx.tool.sensitive_fields))
            sensitive |= _sensitive_values(ctx)
        for entry in _applying(ctx, read, trace):
            redactions.update(dict.fromkeys(entry.redactions))
            if entry.message:
                messages[entry.id] = entry.message
    bound = Bound(HARD_LIMIT if returns.limit is None else returns.limit, returns.paging)
    known, values = filters(tuple(redactions)), Values(sensitive)
    quick = None if is_mcp(read.given) else read.written
    if quick is not None and width(quick, bound.limit) <= bound.limit and not _may_hold(quick, known, values):
        return _as_given(call, read.given, quick, nonce, returns)
    data = read.plain
    mcp = is_mcp(data.value)
    text = quick if quick is not None and data.value is read.given else text_of(data.value)
    full, blanked = _redacted(data.value, text, known, values, read.texts, mcp=mcp)
    if full is not data.value:
        text = text_of(full)
    result, shown = full, text
    if mcp or width(text, bound.limit) > bound.limit:
        result = bound.whole(full)
        shown = text_of(result)
        most = bound.limit + _SENTENCES
        if width(shown, most) > most:
            shown = bound.text(text_of(spoken(result)))
    entries = {one.entry for one in blanked}
    notes = [messages[entry] for entry in sorted(entries & messages.keys())]
    if bound.cut:
        said = bound.sentence()
        notes.append(f"{said[0].upper()}{said[1:]}.")
        notes += [rest] if rest else []
    # An object's class is named in what is left out, and any text may be a secret.
    left_out = Redactor(known, values).value(list(data.left_out))
    found = [Problem("left out", what) for what in left_out]
    found += [Problem("cut", what) for what in bound.missing]
    found += problems(returns, data_of(full)) if returns.known else ()
    return Review(
        id=new_id("r-"),
        tool=printable(call.name),
        call_id=call.id,
        code=Code.REVIEWED,
        text=fenced(shown, call.name, nonce, " ".join(notes)),
        result=result,
        full=full,
        is_error=data.is_error or (mcp and is_error(data.value)),
        truncated=bound.cut,
        changed=result is not data.value or bool(data.left_out),
        redacted=blanked,
        findings=tuple(found),
        message=" ".join(notes),
        detail="; ".join([*map(str, blanked), *(problem.message for problem in found)]),
    )


_SENTENCES = 500
"""What the sentences about that which was cut may take beside the bound."""


def _as_given(call: ToolCall, given: Any, text: str, nonce: str, returns: Returns) -> Review:
    """The review of a result in which nothing has to be blanked out or cut, as most of them are."""
    found = tuple(problems(returns, given)) if returns.known else ()
    return Review(
        id=new_id("r-"),
        tool=printable(call.name),
        call_id=call.id,
        code=Code.REVIEWED,
        text=fenced(text, call.name, nonce),
        result=given,
        full=given,
        findings=found,
        detail="; ".join(problem.message for problem in found),
    )


def _may_hold(text: str, known: Filters, values: Values) -> bool:
    """Whether anything in a result may have to be blanked out, by its JSON or its text."""
    if known and known.may_find(text.encode()) is not None:
        return True
    if values.too_many_for(len(text)):
        raise Withheld("the call has more values marked as sensitive than can be looked for in so much")
    return bool(values) and values.may_stand_in(text)


def _redacted(
    value: Any, text: str, known: Filters, values: Values, texts: list[str] | None, *, mcp: bool
) -> tuple[Any, tuple[Blanked, ...]]:
    if not _may_hold(written(value) if mcp else text, known, values):
        return value, ()
    doubtful = None
    if not values and type(value) is not str:
        texts = texts if texts is not None else texts_in(value)
        doubtful = None if texts is None else known.doubtful(texts)
    redactor = Redactor(known, values, doubtful)
    new = mapped(value, redactor.value) if mcp else redactor.value(value)
    return new, tuple(Blanked(*one) for one in parts(redactor.blanked))


def _calls(first: Deciding, final: Mapping[str, Any] | None) -> Iterator[Deciding]:
    """The call, and the calls that it wraps, each with its final arguments as far as they can be known."""
    ctx, tools = first, first.engine.tools
    for _ in range(MAX_WRAPPING + 1):
        ctx.tool = tools.get(ctx.call.name)  # type: ignore[assignment]  # a tool that is not listed has no plan
        if ctx.tool is None:
            yield ctx
            return
        needed = ctx.tool.sensitive or ctx.tool.result_reads or ctx.tool.wraps is not None
        if final is not None:
            ctx.arguments = final
        elif needed and arguments.step(ctx) is not None:
            raise Withheld("the call's arguments can't be read, and what is blanked out depends on them")
        yield ctx
        wraps = ctx.tool.wraps
        if wraps is None:
            return
        roots = {"args": ctx.arguments}
        name, inner = reach(roots, ("args", *wraps.tool)), reach(roots, ("args", *wraps.arguments))
        if not isinstance(name, str) or not name:
            return
        call = ToolCall.of({"tool": name, "arguments": {} if inner is None else inner, "id": first.call.id})
        ctx = Deciding(first.engine, call, first.session, first.facts, frozenset(), None)
        ctx.purse = purse_of(first)
        ctx.agent = first.agent
        final = None
    raise Withheld("more calls are wrapped in one another than can be looked through")


def _sensitive_values(ctx: Deciding) -> frozenset[str]:
    """The values of the arguments that ran, and of those that the model wrote."""
    if not ctx.tool.sensitive:
        return frozenset()
    found = secrets(ctx)
    try:
        written = normal_arguments(ctx.call.arguments)
    except CallError:
        raise Withheld(
            "the call's arguments can't be read, and what is blanked out depends on them"
        ) from None
    if written is not ctx.arguments:
        ran, ctx.arguments = ctx.arguments, written
        found |= secrets(ctx)
        ctx.arguments = ran
    return found


def _applying(ctx: Deciding, read: Reading, trace: Trace | None) -> Iterator[ResultPlan]:
    """The entries that apply to a call, for its session or one above, some of them more than once.

    One whose condition can't be evaluated applies to the whole result (5.4).
    """
    if ctx.tool is None:
        for unlisted in ctx.engine.unlisted_results:
            if selects(unlisted.plan.selector, ctx.session) and select_governed(
                unlisted.tools, (ctx.call.name,)
            ):
                if trace is not None:
                    trace.evaluated(unlisted.plan.id, Outcome.TRUE)
                yield unlisted.plan
        return
    reads = ctx.tool.result_reads
    for one in along(ctx) if ctx.tool.results else ():
        variables: dict[str, Any] | None = None
        for entry in ctx.tool.results:
            selected = selects(entry.selector, one.session)
            if not selected or (entry.when is None and entry.unless is None):
                if trace is not None:
                    trace.evaluated(entry.id, Outcome.TRUE if selected else Outcome.FALSE)
                if selected:
                    yield entry
                continue
            if variables is None:
                variables = some_variables(one, reads - {"result"})
                if "result" in reads:
                    variables["result"] = data_of(read.plain.value)
            outcome, _ = holds(entry, variables, purse_of(ctx))
            if trace is not None:
                trace.evaluated(entry.id, outcome, watch(entry, variables))
            if outcome is Outcome.ERROR:
                detail = f"the condition of the entry `{entry.id}` ({entry.place}) could not be evaluated"
                raise Withheld("a filter that it has to pass could not be applied", detail)
            if outcome is Outcome.TRUE:
                yield entry
