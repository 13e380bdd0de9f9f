"""The gateway that a host asks: the one place that meets files, clocks and failure, and that fails closed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from threading import Lock
from typing import TYPE_CHECKING, Any

from gateway.call import MAX_NAME, CallError, ToolCall, new_id
from gateway.codes import PAGES
from gateway.decision import Class, Code, Decision, Effect, Finding, Obligation, Step
from gateway.diagnostic import Diagnostic, PolicyError, printable, printable_lines
from gateway.engine import EVERYTHING, Engine
from gateway.facts import Clock, Facts
from gateway.fastpath import FastPath
from gateway.frozen import frozen
from gateway.links import Links
from gateway.lookup import addresses_of
from gateway.memory import Memory
from gateway.serving import Files, Manifest, OnRelaxation, Serving, refuse_relaxing
from gateway.session import Session, SessionError
from gateway.sources import path_of, sources_of
from gateway.steps.deciding import Trace

if TYPE_CHECKING:
    from gateway.cache import Cache
    from gateway.effective import EffectiveTool
    from gateway.nearest import Accepted
    from gateway.relaxation import Change
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


def utc_now() -> datetime:
    """The current time, aware of its zone."""
    return datetime.now(UTC)


def new_nonce() -> str:
    """A word for one fence, which nobody can guess."""
    return os.urandom(8).hex()


class Gateway:
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
    ) -> None:
        self._serving = Serving(engine, manifest, FastPath(engine, clock))
        self._nonces = nonces
        self._clock = clock
        self._supports = supports
        self._files: Files | None = None
        self._reloading = Lock()
        self._memory = Memory()
        self._lookup = lookup

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
    ) -> Gateway:
        """The gateway for a policy file or directory, whole or not at all (`PolicyError`).

        `user` and `project` are lower layers, which may only make it stricter. `audit` is the file to which a row
        is added for each confirmed relaxation. `supports` says which obligations the host can meet; a decision
        that needs another is refused. `cache` keeps the compiled policies for the next process.
        """
        given = [None if each is None else os.fspath(each) for each in (user, project, audit)]
        sources = sources_of(os.fspath(path), *given[:2], audit=given[2])
        files = Files(sources, None if given[2] is None else path_of(given[2]))
        form = files.form(cache)
        files.audited(form, clock())
        gateway = cls(
            form.engine,
            Manifest(path=str(path), **form.summary),
            clock=clock,
            supports=frozenset(supports),
        )
        gateway._files = files
        return gateway

    @property
    def manifest(self) -> Manifest:
        """What is loaded."""
        return self._serving.manifest

    def reload(self, *, on_relaxation: OnRelaxation = OnRelaxation.REFUSE) -> tuple[Change, ...]:
        """Read the policies again and serve them, all or nothing; what differs from those before.

        `PolicyError` where they can't be used, or where something relaxes or can't be judged and `on_relaxation`
        refuses that: then the policies before stay in force. A call that was decided is reviewed under the policy
        that decided it.
        """
        from gateway.diff import changes, confirmed_in

        if self._files is None:
            raise PolicyError([Diagnostic("no-files", "this gateway was not loaded from files")])
        with self._reloading:
            before = self._files.assembled
            after = self._files.sources.assemble()
            found = changes(before, after)
            if on_relaxation is OnRelaxation.REFUSE:
                refuse_relaxing(found, confirmed_in(before, after))
            form = after.compiled.form
            self._files.audited(form, self._clock())
            manifest = Manifest(path=self.manifest.path, **form.summary)
            self._serving = self._serving.followed_by(form.engine, manifest, self._clock)
            self._files.assembled = after
        return found

    def effective(self, tenant: str) -> tuple[EffectiveTool, ...]:
        """Each tool as it is declared, and as it is in effect for a tenant."""
        return self._serving.engine.catalogue.beside(tenant, self._clock())

    def entry(self, session: SessionLike) -> Decision:
        """Whether a conversation may start at all; ask before the model is called."""
        try:
            return self._serving.engine.entry(Session.of(session), self._facts())
        except Exception as error:  # the edge, as below
            return _refused_by(error, None)

    def tools(self, session: SessionLike) -> Listing:
        """The tools that the session sees, with their schemas, and the link that hides each other one."""
        try:
            return self._serving.engine.list_tools(Session.of(session), self._facts())
        except SessionError as error:
            return self._nothing_visible(Code.NO_IDENTITY, str(error))
        except Exception as error:  # the edge: a failure shows nothing
            return self._nothing_visible(Code.POLICY_ERROR, _described(error))

    def before(self, call: CallLike, session: SessionLike, findings: Iterable[Finding] = ()) -> Decision:
        """The decision about a call; never raises for what a model, a host or a policy may have wrong.

        `findings` are the host's own; they only tighten.
        """
        try:
            if not findings:
                answer = self._serving.fast.answer(call, session)
                if answer is not None:
                    return answer
            return self._decide(call, session, findings)
        except Exception as error:  # the edge: whatever failed, the call does not run
            return _refused_by(error, call)

    def before_unlisted(self, call: CallLike, session: SessionLike) -> Decision:
        """The guard and the patterns alone, for a host's own tool that the catalogue lacks.

        `before` refuses such a tool; a host that leaves it to somebody else asks this first.
        """
        try:
            return self._serving.engine.decide_unlisted(ToolCall.of(call), Session.of(session), self._facts())
        except Exception as error:  # the edge, as above
            return _refused_by(error, call)

    def after(
        self, call: CallLike, session: SessionLike, result: object, decision: Decision | None = None
    ) -> Review:
        """What may be shown of a call's result, or of the exception that it ended in; never raises.

        `decision` is what `before` answered, where the same process has it: its arguments are those that ran.
        """
        try:
            return self._review(call, session, result, decision)
        except SessionError as error:
            return _unshown(
                Code.RESULT_WITHHELD, "the conversation's session can't be read", error, call, result
            )
        except CallError as error:
            return _unshown(Code.RESULT_WITHHELD, "the call can't be read", error, call, result)
        except Exception as error:  # the edge: whatever failed, nothing is shown
            return _unshown(Code.RESULT_UNRECORDED, "the gateway failed", error, call, result)

    def shapes(self, session: SessionLike) -> tuple[Shape, ...]:
        """Which visible tools return which lists (B15); `planning_table` writes it for a prompt."""
        return self._serving.engine.shapes(tool.name for tool in self.tools(session).visible)

    def planning_table(self, session: SessionLike) -> str:
        """The table of the lists that visible tools return, for a prompt that plans several calls."""
        from gateway.results.shape import rendered

        return rendered(self.shapes(session))

    def explain(self, call: CallLike, session: SessionLike) -> Explanation:
        """The same decision with each step and rule, and the changes after which it would be less strict."""
        try:
            decision = self._decide(call, session, (), trace=Trace())
        except Exception as error:  # the edge, as above
            decision = _refused_by(error, call)
        try:
            from gateway.nearest import nearest

            what, who = ToolCall.of(call), Session.of(session)
            accepted = nearest(self._serving.engine, decision, what, who, self._facts())
        except Exception:  # the edge: the decision stands, only the proposals are missing
            accepted = ()
        return Explanation(decision, accepted)

    def _facts(self) -> Facts:
        links = Links()
        return Facts(self._clock(), links, links=links.inside)

    def _facts_for(self, session: Session) -> Facts:
        links = Links()
        return Facts(self._clock(), links, self._lookup, self._memory.of(session), links.inside)

    def _decide(
        self,
        call: CallLike,
        session: SessionLike,
        findings: Iterable[Finding],
        *,
        trace: Trace | None = None,
    ) -> Decision:
        held = tuple(findings)
        engine = self._serving.engine
        who = Session.of(session)
        facts = self._facts_for(who)
        try:
            what = ToolCall.of(call)
        except CallError:
            entry = engine.entry(who, facts)
            if entry.proceeds:
                raise
            return entry  # who asks comes first, also for a call that can't be read
        decision = engine.decide(
            what,
            who,
            facts,
            findings=_tightening(held) if held else (),
            supports=self._supports,
            trace=trace,
        )
        if decision.written and trace is None:
            remember = self._memory.add if decision.proceeds else self._memory.add_possible
            remember(who, decision.written)
        return decision

    def _review(
        self, call: CallLike, session: SessionLike, result: object, decision: Decision | None
    ) -> Review:
        if decision is not None and not issubclass(type(decision), Decision):
            raise TypeError("`decision` is what `before` answered")
        who = Session.of(session)
        what = ToolCall.of(call)
        serving = self._serving
        decided = "" if decision is None else decision.policy
        engine = serving.reviewing(decided) if decided else serving.engine
        if engine is None:
            from gateway.steps.review import withheld

            reason = "the policy under which the call was decided is no longer known"
            return withheld(
                Code.RESULT_WITHHELD, reason, decided, what.name, what.id, in_mcp_form=_in_mcp_form(result)
            )
        return engine.review(what, who, self._facts(), result, decision, nonce=self._nonces())

    def _nothing_visible(self, code: Code, reason: str) -> Listing:
        from gateway.steps.listing import HiddenTool, Listing

        hidden = (HiddenTool(name, "identity", code, reason) for name in sorted(self._serving.engine.tools))
        return Listing((), tuple(hidden))


def _refused_by(error: Exception, call: object) -> Decision:
    """The refusal that an exception ends in."""
    if isinstance(error, SessionError):
        return failed(Code.NO_IDENTITY, str(error), _name(call), Step.IDENTITY)
    if isinstance(error, CallError):
        return failed(Code.ARGUMENTS_UNREADABLE, str(error), _name(call), Step.ARGUMENTS)
    return failed(Code.POLICY_ERROR, _described(error), _name(call), Step.READY)


def failed(code: Code, reason: str, tool: str, step: Step) -> Decision:
    """A refusal that no step could make, because the call never reached them."""
    finding = Finding(Effect.DENY, code, reason, step=step)
    # What a host's session holds, or how the gateway failed, is not for the model.
    why = {
        Code.POLICY_ERROR: "the gateway failed",
        Code.NO_IDENTITY: "the conversation's session can't be read",
    }
    message = f"The call was refused: {why.get(code, reason)}."
    return Decision(
        id=new_id("d-"),
        effect=Effect.DENY,
        code=code,
        message=printable_lines(f"{message} {PAGES[code].retry}"),
        detail=printable_lines(reason),
        tool=printable(tool[:MAX_NAME]),
        findings=(finding,),
        errors=(reason,),
    )


def _unshown(code: Code, reason: str, error: Exception, call: object, result: object) -> Review:
    """The review that an exception ends in; only its kind is told where it may hold something of the result."""
    from gateway.results.plain import class_name
    from gateway.steps.review import withheld

    detail = str(error) if code is Code.RESULT_WITHHELD else class_name(error)
    return withheld(code, reason, detail, _name(call)[:MAX_NAME], "", in_mcp_form=_in_mcp_form(result))


def _in_mcp_form(result: object) -> bool:
    from gateway.results.form import is_mcp
    from gateway.results.plain import plain

    try:
        return is_mcp(result) or is_mcp(plain(result).value)
    except Exception:  # what could not be read before may not be readable now; then the answer is a text
        return False


def _tightening(findings: tuple[Finding, ...]) -> list[Finding]:
    """A host's own findings, as what they are: no rule of the policy lifts them, and none of them grants."""
    if not all(isinstance(f, Finding) and isinstance(f.effect, Effect) for f in findings):
        raise TypeError("a host's own finding is a `Finding` with an `Effect`")
    if any(finding.effect is Effect.ALLOW for finding in findings):
        raise ValueError("a host's own finding can't allow; it only tightens")
    return [replace(finding, kind=Class.OTHER, step=Step.EVALUATION) for finding in findings]


def _described(error: Exception) -> str:
    from gateway.results.plain import class_name

    try:
        return f"{class_name(error)}: {error}"[:500]
    except Exception:  # an error that can't even be printed
        return class_name(error)


def _name(call: object) -> str:
    """The tool that a call names, as far as that can be told without running foreign code."""
    name = call.tool if type(call) is ToolCall else call.get("tool") if type(call) is dict else ""
    return name if type(name) is str else ""
