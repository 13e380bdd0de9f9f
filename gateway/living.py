"""The life of a call beyond its decision: run, planned with others, answered by people, its result read again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from gateway.call import PREFIX, CallError, ToolCall, new_id
from gateway.decision import Decision, Finding, Obligation
from gateway.served import Served
from gateway.session import Session, SessionError
from gateway.state import Unavailable

if TYPE_CHECKING:
    from gateway.answering import Answer
    from gateway.approvals import Request
    from gateway.facts import Facts
    from gateway.keeping import Excerpt, Keeper
    from gateway.managing.desk import Desk
    from gateway.managing.overriding import Relaxing
    from gateway.plans import Plan
    from gateway.results.review import Review
    from gateway.running import Ran

    CallLike = ToolCall | Mapping[str, Any]
    SessionLike = Session | Mapping[str, Any] | None


class Living(Served, ABC):
    """What a gateway does with calls besides deciding them."""

    _keeper: Keeper | None
    _supports: frozenset[Obligation]

    @abstractmethod
    def before(self, call: CallLike, session: SessionLike, findings: Iterable[Finding] = ()) -> Decision:
        """The decision about a call."""

    @abstractmethod
    def entry(self, session: SessionLike) -> Decision:
        """Whether a conversation may start at all."""

    @abstractmethod
    def after(
        self, call: CallLike, session: SessionLike, result: object, decision: Decision | None = None
    ) -> Review:
        """What may be shown of a call's result."""

    @abstractmethod
    def unfinished(self, review: Review, session: SessionLike, decision: Decision) -> Review:
        """The review of a call that did not end in time, recorded."""

    @abstractmethod
    def _facts(self) -> Facts:
        """What a decision of no conversation needs from outside."""

    @abstractmethod
    def _facts_for(self, session: Session) -> Facts:
        """What a decision needs from outside."""

    def run(
        self,
        call: CallLike,
        session: SessionLike,
        function: Callable[[Mapping[str, Any]], Any],
        *,
        findings: Iterable[Finding] = (),
        passes: tuple[type[BaseException], ...] = (),
    ) -> Ran:
        """The whole life of a call: decided, run if it may with the granted arguments, and its result reviewed.

        The tool's `timeout` bounds it; one that only reads or is `idempotent` is tried up to three times. An exception
        of `function` is a result that the model reads, but for those that `passes` names or that are no `Exception`.
        What the gateway itself carries out (`manage`) asks no function.
        """
        from gateway.running import run

        own = self._managing(call, session)
        passes = passes if own is None else (*passes, Unavailable)
        return run(self, call, session, own or function, findings, passes)

    async def run_async(
        self,
        call: CallLike,
        session: SessionLike,
        function: Callable[[Mapping[str, Any]], Any],
        *,
        findings: Iterable[Finding] = (),
        passes: tuple[type[BaseException], ...] = (),
    ) -> Ran:
        """As `run`, for a function that may be a coroutine function; others run on a thread of their own."""
        from gateway.running import run_async

        own = self._managing(call, session)
        passes = passes if own is None else (*passes, Unavailable)
        return await run_async(self, call, session, own or function, findings, passes)

    def trial(
        self, call: CallLike, session: SessionLike, function: Callable[[Mapping[str, Any]], Any]
    ) -> Ran:
        """Try a call without a model, as `run` would run it, for who holds the permission `gateway:try` as well.

        A record says that it is a trial, where there is a recorder. `CallError` and `SessionError` where they can't be
        read.
        """
        from gateway.trying import tried

        return tried(self, self._log, call, session, function)

    def manage(self, call: CallLike, session: SessionLike) -> Ran:
        """Carry out a management action, a tool `gateway/…` of the policy, decided and journaled as any other call.

        `session` is the operator's. Whether it was carried out says `Ran.done`; one that is refused for what it says is
        a result that tells why (`Ran.text`). `ValueError` where the call is no management action, `Unavailable` where
        nobody knows whether it was carried out: its entry stays open, and a person is asked when it comes again.
        """
        what = ToolCall.of(call)
        action = self._managing(what, session)
        if action is None:
            raise ValueError(f"`{what.name}` is no management action; those are tools `{PREFIX}…`")
        return self.run(what, session, action)

    def _managing(self, call: CallLike, session: SessionLike) -> Callable[[Mapping[str, Any]], Any] | None:
        """What carries out a call, where the gateway itself does."""
        try:
            name = ToolCall.of(call).name
        except CallError:  # it is refused for that
            return None
        if not name.startswith(PREFIX):
            return None
        from gateway.managing.acting import ACTIONS

        action = ACTIONS.get(name)
        if action is None:
            return None
        return lambda arguments: action(self._desk(Session.of(session)), arguments)

    def relaxing(self, override: Mapping[str, Any], session: SessionLike) -> Relaxing:
        """What an override would relax, given as to `gateway/override`, and the digest to confirm; nothing is changed.

        `ManagementError` where it would be refused anyway, `Unavailable` where the store can't tell.
        """
        from gateway.managing.overriding import relaxing

        return relaxing(self._desk(Session.of(session)), override)

    def _desk(self, who: Session) -> Desk:
        from gateway.managing.desk import Desk

        keeper, tenants, serving, tenant = self._keeper, self._tenants, self._serving, who.tenant
        if keeper is None or tenants is None:
            raise Unavailable("nothing is remembered: this gateway has no store")
        if tenant is None or who.subject is None:
            raise SessionError("it is not known who manages what")
        return Desk(
            keeper.store,
            serving,
            lambda: tenants.of(serving, tenant),
            tenant,
            who.subject,
            self._facts().now,
        )

    def child(self, session: SessionLike, agent: str, id: str = "") -> Session:
        """The session of another agent that works for this conversation; it may do nothing that this one may not.

        Give it an `id` where the same child comes again, in another process say; without one it has a new one. What
        its calls count and what is remembered of them is the conversation's. `SessionError` where there are too many
        agents above it.
        """
        from gateway.lineage import child_of

        return child_of(Session.of(session), agent, id or new_id("s-"))

    def read_result(self, call_id: str, offset: int, limit: int, session: SessionLike) -> Excerpt | None:
        """A part of a result that was cut, for the conversation whose call it was; None where none is kept.

        `offset` and `limit` count bytes. `Unavailable` where the store can't tell, `ValueError` beyond the bounds.
        """
        from gateway.keeping import excerpt

        who = Session.of(session)
        if self._keeper is None or not self.entry(who).proceeds:
            return None
        return excerpt(self._keeper.store, ToolCall("", id=call_id), who, offset, limit)

    def plan(self, calls: Iterable[CallLike], session: SessionLike) -> Plan:
        """What would be decided about several calls, and one question about all of them that ask.

        Nothing is let run by it. `CallError` or `SessionError` where they can't be read, `Unavailable` where the
        store can't tell, or where the log can't keep what is planned.
        """
        from gateway.plans import plan

        if self._keeper is None:
            raise Unavailable("nothing is remembered: this gateway has no store")
        began, who, planned = perf_counter_ns(), Session.of(session), tuple(calls)
        made = plan(self._engine(who.tenant), self._keeper, planned, who, self._facts_for, self._supports)
        if self._log is not None:
            self._log.planned(made.decisions, planned, who, made.id, began)
        return made

    def resume_plan(self, plan: str, answer: Answer, session: SessionLike) -> tuple[Request, ...]:
        """Take a person's answer to a plan (`Plan.id`): it counts for each of its calls, or for none."""
        from gateway.answering import ApprovalError
        from gateway.plans import answer_plan
        from gateway.recording import answering

        if self._keeper is None:
            raise ApprovalError("nothing is remembered: this gateway has no store")
        who = Session.of(session)
        with answering(self._log, plan, answer, who):
            return answer_plan(self._keeper.store, plan, answer, who, self._facts().moment)

    def resume(self, approval: str, answer: Answer, session: SessionLike) -> Request:
        """Take a person's answer to a request (`Decision.approval["id"]`), in whatever process; `session` is theirs.

        The request as it then stands; the call itself is asked for again. `ApprovalError` where the answer can't be
        taken, `Unavailable` where the store can't tell.
        """
        from gateway.answering import ApprovalError, answered
        from gateway.recording import answering

        if self._keeper is None:
            raise ApprovalError("nothing is remembered: this gateway has no store")
        who = Session.of(session)
        with answering(self._log, approval, answer, who):
            return answered(self._keeper.store, approval, answer, who, self._facts().moment)
