"""The fast path: most calls are answered without going through the steps, and always as the steps would answer.

It refuses where the steps would for who asks, before they read anything of the call but the tool's name: for want of a
permission, say. It allows where the steps would allow the call and say nothing else about it: the tool needs no
inspection, no confirmation and no value of its own, the arguments are plain and fit the schema, and no rule holds.
What of this depends on the session alone is worked out once for a session that comes again. Everything else is left
to the steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import getrandbits
from typing import TYPE_CHECKING, Any

from gateway.call import MAX_NAME, CallError, ToolCall, normal_arguments
from gateway.cel import Outcome
from gateway.decision import Decision, Step
from gateway.facts import Clock, Facts
from gateway.frozen import draft_of
from gateway.plan import LimitPlan, RulePlan, ToolPlan
from gateway.risk import RiskLevel
from gateway.session import Session
from gateway.starting import is_plain_rate
from gateway.steps.arguments import selects
from gateway.steps.deciding import Deciding, some_variables
from gateway.steps.outcome import holds
from gateway.steps.places import place_of
from gateway.steps.spending import Taken
from gateway.steps.work import Work

if TYPE_CHECKING:
    from gateway.engine import Engine
    from gateway.narrow import Candidates, Plain
    from gateway.starting import Rates, Starting
    from gateway.state import Key

_THE_SAME = frozenset({"tool", "subject", "session", "agent", "turn", "lists", "args"})
"""The variables that are the same objects in every call of a session, but for the arguments."""
_DECLARED = {"subject": "subject.attributes", "session": "session.facts", "turn": "turn"}
"""Variables of which a part is held against what `settings.types` declares, in each call anew."""
_Draft: Any = draft_of(Decision)
_new: Any = object.__new__


class _Lane:
    """How a session's calls of one tool are answered: the decision is like `answer`.

    Unless it `allows`, each of them is refused so.
    """

    __slots__ = (
        *("allows", "always", "answer", "candidates", "counted", "effect"),
        *("plain", "rates", "tool", "variables", "work"),
    )

    def __init__(self, tool: ToolPlan, answer: Decision) -> None:
        self.tool = tool
        self.answer = answer
        self.effect = answer.effect
        self.allows = answer.proceeds
        self.plain: Plain | None = None
        self.candidates: Candidates | None = None
        self.always: tuple[RulePlan, ...] = ()
        self.variables: Mapping[str, Any] = {}
        self.work: Work | None = None
        """What the conditions take, if that depends on the arguments."""
        self.counted = False
        """Whether calls are let run only with what they change in a store."""
        self.rates: Rates = ()


class _Seat:
    """A session that came before: for each of its tools the lane, or None where the steps decide."""

    __slots__ = ("lanes", "tools")

    def __init__(self, tools: Mapping[str, ToolPlan]) -> None:
        self.tools = tools
        self.lanes: dict[str, _Lane | None] = {}


class FastPath:
    """The fast path of one engine; safe on any thread, since what it keeps can be made again at any time."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock
        self._declared = engine.catalogue.declared
        self._shared: dict[str, _Lane] = {}

    def answer(self, call: Any, session: Any, starting: Starting | None = None) -> Decision | None:
        """The decision about a call, or None where the steps have to decide it.

        Where calls are remembered, `starting` says what changes with one that is let run; others are left to the steps.
        """
        # All in one piece: a function call costs as much as five of these lines.
        if type(call) is dict and len(call) == 3:
            try:
                name, arguments, call_id = call["tool"], call["arguments"], call["id"]
            except KeyError:
                return None
        elif type(call) is ToolCall and call.server is None and call.iteration is None:
            name, arguments, call_id = call.tool, call.arguments, call.id
        else:
            return None
        if type(name) is not str or type(arguments) is not dict or type(call_id) is not str:
            return None
        try:
            seat = session.seats.get(self) if type(session) is Session else None
        except AttributeError:
            seat = None
        if seat is None or (seat.tools is not self._declared and seat.tools is not self._tools(session)):
            self._be_seated(session)
            return None
        lane = seat.lanes[name] if name in seat.lanes else self._lane(seat, name, session)
        if lane is None or not 0 < len(call_id) <= MAX_NAME or (lane.counted and starting is None):
            return None
        if lane.allows:
            if lane.work is not None and not lane.work.small_for({**lane.variables, "args": arguments}):
                return None
            found = lane.plain(arguments) if lane.plain is not None else None
            if found or (found is None and not _none_may_hold(lane, arguments)):
                return None
            if lane.always and not _none_holds(lane, arguments):
                return None
        decision = _new(_Draft)
        decision.id = "d-" + getrandbits(64).to_bytes(8, "big").hex()
        decision.call_id = call_id
        decision.effect = lane.effect
        decision.arguments = decision.shown = arguments if lane.allows else None
        decision.like = lane.answer
        if starting is not None:
            changes = None
            if lane.allows:
                changes = starting.changes(lane.tool, session, lane.rates, arguments, call_id, decision.id)
            if changes is None:
                return None
            decision.changes = changes
        decision.__class__ = Decision
        return decision  # type: ignore[no-any-return]

    def _tools(self, session: Session) -> Mapping[str, ToolPlan]:
        """The tools of a session's tenant as they are in effect now."""
        return self._engine.catalogue.tools_of(session.tenant, self._clock())

    def _be_seated(self, session: Any) -> None:
        """Note a session that comes for the first time, and seat one that comes again: many come only once."""
        if type(session) is not Session or session.parent is not None:
            return  # what the agents above one are refused is asked anew
        seats = getattr(session, "seats", None)
        if seats is not None and self in seats:
            seats[self] = _Seat(self._tools(session))
        elif seats is not None and len(seats) < _MOST_GATEWAYS:
            seats[self] = None
        else:
            object.__setattr__(session, "seats", {self: None})

    def _lane(self, seat: _Seat, name: str, session: Session) -> _Lane | None:
        tool = seat.tools.get(name)
        if tool is None:
            return None  # names that a model makes up are not kept
        lane = seat.lanes[name] = self._lane_of(tool, session)
        return lane

    def _lane_of(self, tool: ToolPlan, session: Session) -> _Lane | None:
        engine = self._engine
        context = Deciding(engine, ToolCall(tool.name), session, Facts(self._clock()), frozenset(), None)
        if engine.unready or tool.mode is not None or len(tool.name) > MAX_NAME:
            return None
        refused = engine.refusal(context)
        if refused is not None:
            # What is said of a hidden tool names visible ones, and these may be others at another time.
            return None if refused.findings[0].step is Step.TOOL else _Lane(tool, refused)
        if left_to_the_steps(tool, engine) or context.agent.max_steps is not None:
            return None
        if session.dry_run and tool.risk is not RiskLevel.READ_ONLY:
            return None
        narrow = engine.narrow(tool)
        always = [tool.rules[place] for place in narrow.always]
        mine = tuple(rule for rule in always if selects(rule.selector, session))
        if any(rule.when is None and rule.unless is None for rule in mine):
            return None
        work, variables = engine.work(tool), some_variables(context, tool.reads - {"args"})
        shared = tool is self._declared[tool.name] and not always and not work.others and not tool.limits
        if shared and tool.name in self._shared:
            return self._shared[tool.name]
        context.risk = tool.risk
        lane = _Lane(tool, engine.allowing(context))
        lane.plain = narrow.plain
        lane.candidates = narrow.candidates if len(always) < len(tool.rules) else None
        lane.always = mine
        lane.variables = variables
        lane.work = None if work.always else work
        lane.counted = bool(tool.limits)
        lane.rates = tuple(_rate(limit, context) for limit in tool.limits if selects(limit.selector, session))
        if shared:  # nothing in it is the session's
            self._shared[tool.name] = lane
        return lane


def _rate(limit: LimitPlan, context: Deciding) -> tuple[Key, int, int]:
    window = limit.window or 0
    return place_of(limit, context, Taken(1, limit.most, window)), window, limit.most


_MOST_GATEWAYS = 4
"""How many gateways, with those before a reload, a session is remembered by."""


def _none_may_hold(lane: _Lane, arguments: dict[str, Any]) -> bool:
    """Whether arguments are in normal form, fit, lack no default, and rule out all rules that they can."""
    try:
        if normal_arguments(arguments) is not arguments:
            return False
    except CallError:
        return False
    if not lane.tool.validator.fits(arguments) or lane.tool.defaults(arguments) is not arguments:
        return False
    return lane.candidates is None or not lane.candidates(arguments)


def _none_holds(lane: _Lane, arguments: dict[str, Any]) -> bool:
    """Whether the rules that are always evaluated are false."""
    variables = {**lane.variables, "args": arguments}
    return all(holds(rule, variables)[0] is Outcome.FALSE for rule in lane.always)


def left_to_the_steps(tool: ToolPlan, engine: Engine) -> str:
    """Why calls of a tool that might be allowed are left to the steps; nothing if it is not so."""
    because = {
        "it has a mode": tool.mode is not None,
        "its arguments are inspected": bool(tool.inspected),
        "it has permissions with run-time parts": bool(tool.resource),
        "the policy sets some of its arguments": bool(tool.forced),
        "it wraps other calls": tool.wraps is not None,
        "it has sensitive arguments": bool(tool.sensitive),
        "it has `read_only_when`": tool.read_only_when is not None,
        "what its limits count depends on the call": not all(map(is_plain_rate, tool.limits)),
        "a person confirms each of its calls": tool.risk >= engine.confirm_from,
        "its conditions read what changes from call to call": not tool.reads <= _THE_SAME,
        "its conditions read what `settings.types` declares": any(
            part in engine.declared for variable, part in _DECLARED.items() if variable in tool.reads
        ),
    }
    return next((reason for reason, holds in because.items() if holds), "")
