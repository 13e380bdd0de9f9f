"""The gateway that a host asks: the one place that meets files, clocks and failure, and that fails closed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from functools import partial
from threading import Lock
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from gateway.call import CallError, ToolCall
from gateway.decision import Code, Decision, Finding, Obligation
from gateway.engine import EVERYTHING, Engine
from gateway.facts import Clock, Facts, Remembering, utc_now
from gateway.failing import in_mcp_form, nothing_visible, refused_by, tightening, unshown
from gateway.fastpath import FastPath
from gateway.frozen import frozen
from gateway.journal import known_again
from gateway.keeping import Counter, Keeper, applied
from gateway.links import Links
from gateway.living import Living
from gateway.lookup import addresses_of
from gateway.memory import Memory
from gateway.results.fence import new_nonce
from gateway.serving import Files, Manifest, Serving
from gateway.session import Session
from gateway.sources import path_of, sources_of
from gateway.state import Store
from gateway.steps.deciding import Trace

if TYPE_CHECKING:
    from gateway.cache import Cache
    from gateway.managing.tenants import Tenants
    from gateway.nearest import Accepted
    from gateway.noting import Noting
    from gateway.plan import AgentPlan
    from gateway.record import Recorder
    from gateway.recording import DecisionLog
    from gateway.results.review import Review
    from gateway.results.shape import Shape
    from gateway.steps.listing import Listing

SessionLike = Session | Mapping[str, Any] | None
CallLike = ToolCall | Mapping[str, Any]


@frozen
class Explanation:
    """A decision with its trace, and what would have been accepted instead, each verified by deciding again."""

    decision: Decision
    accepted: tuple[Accepted, ...]


class Gateway(Living):
    """Ask it before each tool call and for the list of tools. Safe on any thread; readers take no locks.

    Who asks is always passed in: nothing is read from the thread, the task or the process.
    """

    def __init__(
        self,
        engine: Engine,
        manifest: Manifest,
        *,
        clock: Clock = utc_now,
        supports: frozenset[Obligation] = EVERYTHING,
        nonces: Callable[[], str] = new_nonce,
        lookup: Callable[[str], tuple[str, ...]] = addresses_of,
        store: Store | None = None,
        result_tool: str = "",
        recorder: Recorder | None = None,
        files: Files | None = None,
    ) -> None:
        extend = None if files is None else files.extending()
        self._serving = Serving(engine, manifest, FastPath(engine, clock), extend=extend)
        self._nonces = nonces
        self._clock = clock
        self._supports = supports
        self._files = files
        self._reloading = Lock()
        self._memory = Memory()
        self._lookup = lookup
        self._keeper = None if store is None else Keeper(store)
        self._tenants: Tenants | None = None
        if store is not None:
            from gateway.managing.tenants import Tenants

            self._tenants = Tenants(store)
        self._counter: Counter | None = None
        self._result_tool = result_tool
        self._listed = {}
        self._log: DecisionLog | None = None
        if recorder is not None:
            from gateway.recording import DecisionLog

            self._log = DecisionLog(recorder, clock)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        user: str | os.PathLike[str] | None = None,
        project: str | os.PathLike[str] | None = None,
        audit: str | os.PathLike[str] | None = None,
        clock: Clock = utc_now,
        supports: Iterable[Obligation] = EVERYTHING,
        cache: Cache | None = None,
        store: Store | None = None,
        result_tool: str = "",
        recorder: Recorder | None = None,
    ) -> Gateway:
        """The gateway for a policy file or directory, whole or not at all (`PolicyError`).

        `user` and `project` are lower layers, which may only make it stricter. `audit` is the file to which a row
        is added for each confirmed relaxation. `supports` says which obligations the host can meet; a decision
        that needs another is refused. `cache` keeps the compiled policies for the next process. With a `store` calls
        are journaled, and what people answered counts; without one only limits count, in this process.
        `result_tool` is the host's tool that calls `read_result`: the model is told of it where a result is cut.
        `recorder` keeps the decision log: each answer is recorded before it is given, or it is a refusal.
        """
        given = [None if each is None else os.fspath(each) for each in (user, project, audit)]
        private = () if store is None else store.files
        sources = sources_of(os.fspath(path), *given[:2], audit=given[2], private=private)
        files = Files(sources, None if given[2] is None else path_of(given[2]))
        form = files.form(cache)
        files.audited(form, clock())
        return cls(
            form.engine,
            Manifest(path=str(path), **form.summary),
            clock=clock,
            supports=frozenset(supports),
            store=store,
            result_tool=result_tool,
            recorder=recorder,
            files=files,
        )

    @property
    def agents(self) -> tuple[AgentPlan, ...]:
        """The agents of the policy, with the tools that each is bound to and the tenants that it is on for."""
        return tuple(self._serving.engine.agents.values())

    def anew(self) -> Gateway:
        """A gateway like this one without a log and anything remembered: trials must not touch each other.

        What its store keeps of tenants' tools is in force as before.
        """
        made = copy(self)
        made._keeper = made._counter = made._log = None
        made._memory = Memory()
        made._reloading = Lock()
        return made

    def entry(self, session: SessionLike) -> Decision:
        """Whether a conversation may start at all; ask before the model is called."""
        began = perf_counter_ns()
        try:
            who = Session.of(session)
            decision = self._engine(who.tenant).entry(who, self._facts_remembered())
        except Exception as error:  # the edge, as below
            decision = refused_by(error, None)
        return decision if self._log is None else self._log.entered(decision, session, began)

    def tools(self, session: SessionLike) -> Listing:
        """The tools that the session sees, with their schemas, and the link that hides each other one."""
        try:
            who = Session.of(session)
            return self._engine(who.tenant).list_tools(who, self._facts_remembered())
        except Exception as error:  # the edge: a failure shows nothing
            return nothing_visible(self._serving.engine.tools, error)

    def before(self, call: CallLike, session: SessionLike, findings: Iterable[Finding] = ()) -> Decision:
        """The decision about a call; never raises for what a model, a host or a policy may have wrong.

        `findings` are the host's own; they only tighten.
        """
        noting = self._noting(call, session)
        try:
            held, answer = tuple(findings), None
            if noting is not None:
                noting.given = len(held)
            if not held and self._tenants is None:
                answer = self._serving.fast.answer(call, session)
                if answer is not None and noting is None:
                    return answer
            if answer is None and not held and type(session) is Session:
                answer = self._started(call, session, noting)
            decision = self._decide(call, session, held, noting=noting) if answer is None else answer
        except Exception as error:  # the edge: whatever failed, the call does not run
            decision = refused_by(error, call)
        if noting is not None:
            decision = noting.told(decision)
        if decision.written:
            self._memory.keep(Session.of(session), decision)
        return decision

    def before_unlisted(self, call: CallLike, session: SessionLike) -> Decision:
        """The guard and the patterns alone, for a host's own tool that the catalogue lacks.

        `before` refuses such a tool; a host that leaves it to somebody else asks this first.
        """
        noting = self._noting(call, session)
        try:
            who = Session.of(session)
            engine = self._engine(who.tenant)
            decision = engine.decide_unlisted(ToolCall.of(call), who, self._facts_remembered())
        except Exception as error:  # the edge, as above
            decision = refused_by(error, call)
        return decision if noting is None else noting.told(decision)

    def after(
        self, call: CallLike, session: SessionLike, result: object, decision: Decision | None = None
    ) -> Review:
        """What may be shown of a call's result, or of the exception that it ended in; never raises.

        `decision` is what `before` answered, where the same process has it: its arguments are those that ran.
        """
        log, noted = self._log, _as_it_is
        if log is not None:
            began = perf_counter_ns()
            noted = lambda review: log.reviewed(review, session, result, decision, began)  # noqa: E731
        try:
            return self._review(call, session, result, decision, noted)
        except Exception as error:  # the edge: whatever failed, nothing is shown
            return noted(unshown(error, call, result))

    def unfinished(self, review: Review, session: SessionLike, decision: Decision) -> Review:
        """What is said of a call that did not end in time, when that is recorded; it may still end."""
        if self._log is None:
            return review
        return self._log.reviewed(review, session, None, decision, perf_counter_ns())

    def shapes(self, session: SessionLike) -> tuple[Shape, ...]:
        """Which visible tools return which lists (B15); `planning_table` writes it for a prompt.

        Raises `SessionError` and `Unavailable`.
        """
        who = Session.of(session)
        engine = self._engine(who.tenant)
        return engine.shapes(tool.name for tool in engine.list_tools(who, self._facts_remembered()).visible)

    def planning_table(self, session: SessionLike) -> str:
        """The table of the lists that visible tools return, for a prompt that plans several calls."""
        from gateway.results.shape import rendered

        return rendered(self.shapes(session))

    def explain(self, call: CallLike, session: SessionLike) -> Explanation:
        """The same decision with each step and rule, and the changes after which it would be less strict."""
        decision = self.watched(call, session, Trace())
        try:
            from gateway.nearest import nearest

            what, who = ToolCall.of(call), Session.of(session)
            accepted = nearest(self._engine(who.tenant), decision, what, who, self._facts())
        except Exception:  # the edge: the decision stands, only the proposals are missing
            accepted = ()
        return Explanation(decision, accepted)

    def watched(self, call: CallLike, session: SessionLike, trace: Trace) -> Decision:
        """The same decision, watched by a trace; nothing is remembered of it."""
        try:
            return self._decide(call, session, (), trace=trace)
        except Exception as error:  # the edge, as above
            return refused_by(error, call)

    def watched_review(self, call: CallLike, session: SessionLike, result: object, trace: Trace) -> Review:
        """What `after` says of a result, watched by a trace; nothing is remembered or written of it."""
        try:
            who, facts = Session.of(session), self._facts()
            engine, nonce = self._engine(who.tenant), self._nonces()
            return engine.review(ToolCall.of(call), who, facts, result, None, nonce=nonce, trace=trace)
        except Exception as error:  # the edge, as above
            return unshown(error, call, result)

    def _started(self, call: CallLike, session: Session, noting: Noting | None) -> Decision | None:
        """The decision of the fast path about a call that is remembered; None where the steps have to decide."""
        serving, keeper = self._serving, self._keeper
        if keeper is None:
            if not serving.engine.counts:
                return None
            keeper = self._counting()
        if self._engine(session.tenant) is not serving.engine:
            return None
        moment = int(self._clock().timestamp() * 1_000_000)
        apply = applied if noting is None else noting.apply
        return keeper.started(partial(serving.fast.answer, call, session), moment, apply)

    def _counting(self) -> Keeper:
        """What counts calls in this process, where no store was given."""
        with self._reloading:
            if self._counter is None:
                from gateway.stores.memory import MemoryStore

                self._counter = Counter(MemoryStore())
            return self._counter

    def _facts(self) -> Facts:
        links = Links()
        return Facts(self._clock(), links, links=links.inside, listed=self._listed)

    def _facts_remembered(self) -> Facts:
        facts = self._facts()
        return facts if self._keeper is None else self._keeper.facts(facts, Remembering.EVERYTHING)

    def _facts_for(self, session: Session) -> Facts:
        links = Links()
        files = self._memory.of(session)
        return Facts(self._clock(), links, self._lookup, files, links.inside, listed=self._listed)

    def _decide(
        self,
        call: CallLike,
        session: SessionLike,
        held: tuple[Finding, ...],
        *,
        trace: Trace | None = None,
        noting: Noting | None = None,
    ) -> Decision:
        who = Session.of(session)
        engine = self._engine(who.tenant)
        facts = self._facts_for(who)
        try:
            what = ToolCall.of(call)
        except CallError:
            entry = engine.entry(who, facts)
            if entry.proceeds:
                raise
            return entry  # who asks comes first, also for a call that can't be read

        def decided(facts: Facts) -> Decision:
            return engine.decide(
                what,
                who,
                facts,
                findings=tightening(held) if held else (),
                supports=self._supports,
                trace=trace,
            )

        decide = decided
        keeper = self._keeper or (self._counting() if engine.counts else None)
        if keeper is not None:
            everything = keeper is self._keeper and known_again(call, who)
            facts = keeper.facts(facts, Remembering.EVERYTHING if everything else Remembering.COUNTS)
            if trace is None:
                decide = partial(keeper.decide, decided)
                if noting is not None:
                    decide = partial(decide, apply=noting.apply)
        return decide(facts)

    def _noting(self, call: CallLike, session: SessionLike) -> Noting | None:
        if self._log is None:
            return None
        from gateway.noting import Noting

        return Noting(self._log, call, session)

    def _review(
        self,
        call: CallLike,
        session: SessionLike,
        result: object,
        decision: Decision | None,
        noted: Callable[[Review], Review],
    ) -> Review:
        if decision is not None and not issubclass(type(decision), Decision):
            raise TypeError("`decision` is what `before` answered")
        from gateway.steps.review import brought

        who = Session.of(session)
        what = ToolCall.of(call)
        decided = "" if decision is None else decision.policy
        engine = self._reviewing(decided) if decided else self._engine(who.tenant)

        def withhold(code: Code, reason: str, detail: str) -> Review:
            from gateway.steps.review import withheld

            return withheld(code, reason, detail, what.name, what.id, in_mcp_form=in_mcp_form(result))

        if engine is None:
            reason = "the policy under which the call was decided is no longer known"
            return noted(withhold(Code.RESULT_WITHHELD, reason, decided))
        facts = self._facts()
        keeper = self._keeper or (self._counting() if engine.counts else None)
        known = facts if keeper is None else keeper.facts(facts, Remembering.COUNTS)
        news = partial(brought, engine, what, who, known, decision)
        if self._keeper is None or who.dry_run or not known_again(call, who):
            made = noted(engine.review(what, who, facts, result, decision, nonce=self._nonces()))
            if keeper is not None and made.code is not Code.RESULT_UNRECORDED:
                keeper.note(partial(news, made))
            return made
        rest = (
            self._result_tool and f"All of it is kept: `{self._result_tool}` reads it, call id `{what.id}`."
        )

        def review() -> Review:
            return engine.review(what, who, facts, result, decision, nonce=self._nonces(), rest=rest)

        name = "" if decision is None else decision.id
        return self._keeper.ended(what, who, review, withhold, news, facts.moment, name, noted)


def _as_it_is(review: Review) -> Review:
    return review
