"""The fast path: most calls are answered without going through the steps, and always as the steps would answer.

It refuses where the steps refused the session's last call of the tool before they read anything of it, for want of a
permission, say. It allows where the steps would allow the call and say nothing else about it: the tool needs no
inspection, no confirmation and no value of its own, the arguments are plain and fit the schema, and no rule holds.
What of this depends on the session alone is worked out once for a session that comes again. Everything else is left
to the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import getrandbits
from typing import TYPE_CHECKING, Any

from gateway.call import MAX_NAME, MAX_TEXT, CallError, ToolCall, normal_arguments
from gateway.cel import CelError
from gateway.decision import Decision
from gateway.facts import Clock, Facts
from gateway.narrow import Candidates
from gateway.plan import ToolPlan
from gateway.risk import RiskLevel
from gateway.schema import fields, unchanged
from gateway.session import Session
from gateway.steps.deciding import Deciding, some_variables

if TYPE_CHECKING:
    from gateway.engine import Engine

_THE_SAME = frozenset({"tool", "subject", "session", "agent", "turn", "lists", "args"})
"""The variables that are the same objects in every call of a session, but for the arguments."""
_MAY_BE_AMISS = frozenset({"subject", "session", "turn"})
"""Variables that are held against what `settings.types` declares, in each call anew."""
_LEAST, _BEYOND = -(2**63), 2**63
_ARGUMENT_SHIFT = 14
"""An argument counts as so much text beside its value: more than the name of one that a schema declares may have."""
_TRUTH_OR_NOTHING = frozenset({bool, type(None)})
_OWN = ("id", "call_id", "arguments", "shown")
_new = object.__new__


class _Lane:
    """How a session's calls of one tool are answered: `answer` is the decision but for what the call brings.

    Without `fits` each of them is refused with it. Otherwise it allows those whose arguments are `known`, fit, lack
    no default and make none of the `candidates` nor of the rules in `always` hold.
    """

    __slots__ = ("always", "answer", "candidates", "defaults", "fits", "known", "variables")

    def __init__(self, answer: Decision) -> None:
        self.answer = answer.differing(but=_OWN)
        self.known: frozenset[str] = frozenset()
        self.fits: Callable[[Mapping[str, Any]], bool] | None = None
        self.defaults: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
        self.candidates: Candidates | None = None
        self.always: tuple[Callable[[Mapping[str, Any]], Any], ...] = ()
        self.variables: Mapping[str, Any] = {}


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

    def answer(self, call: Any, session: Any) -> Decision | None:
        """The decision about a call, or None where the steps have to decide it."""
        # All in one piece: a function call costs as much as five of these lines.
        if call.__class__ is dict and len(call) == 3:
            try:
                name, arguments, call_id = call["tool"], call["arguments"], call["id"]
            except KeyError:
                return None
        elif call.__class__ is ToolCall and call.server is None and call.iteration is None:
            name, arguments, call_id = call.tool, call.arguments, call.id
        else:
            return None
        if name.__class__ is not str or arguments.__class__ is not dict or call_id.__class__ is not str:
            return None
        try:
            seat = session.seats.get(self) if session.__class__ is Session else None
        except AttributeError:
            seat = None
        if seat is None or (seat.tools is not self._declared and seat.tools is not self._tools(session)):
            self._be_seated(session)
            return None
        lane = seat.lanes[name] if name in seat.lanes else self._lane(seat, name, session)
        if lane is None or not 0 < len(call_id) <= MAX_NAME:
            return None
        fits = lane.fits
        if fits is not None:
            size, known = len(arguments) << _ARGUMENT_SHIFT, lane.known
            for key, value in arguments.items():
                kind = value.__class__
                if key.__class__ is not str or key not in known:
                    size = _BEYOND
                elif kind is str and value.isascii() and "\0" not in value:
                    size += len(value)
                elif not ((kind is int and _LEAST <= value < _BEYOND) or kind in _TRUTH_OR_NOTHING):
                    size = _BEYOND
            if (
                (size > MAX_TEXT and not _is_normal(arguments))
                or not fits(arguments)
                or (lane.defaults is not None and lane.defaults(arguments) is not arguments)
                or (lane.candidates is not None and lane.candidates(arguments))
                or (lane.always and not _all_false(lane, arguments))
            ):
                return None
        decision = _new(Decision)
        values = decision.__dict__
        values.update(lane.answer)
        values["id"] = "d-" + getrandbits(64).to_bytes(8, "big").hex()
        values["call_id"] = call_id
        if fits is not None:
            values["arguments"] = values["shown"] = arguments
        return decision

    def _tools(self, session: Session) -> Mapping[str, ToolPlan]:
        """The tools of a session's tenant as they are in effect now."""
        return self._engine.catalogue.tools_of(session.tenant, self._clock())

    def _be_seated(self, session: Any) -> None:
        """Note a session that comes for the first time, and seat one that comes again: many come only once."""
        if session.__class__ is not Session:
            return
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
            return _Lane(refused)
        if not _is_plain(tool) or tool.risk >= engine.confirm_from:
            return None
        if session.dry_run and tool.risk is not RiskLevel.READ_ONLY:
            return None
        if not tool.reads <= _THE_SAME or (engine.declared and not _MAY_BE_AMISS.isdisjoint(tool.reads)):
            return None
        rules = engine.narrow(tool)
        always = [tool.rules[place].when for place in rules.always]
        if None in always:
            return None
        shared = tool is self._declared[tool.name] and not always
        if shared and tool.name in self._shared:
            return self._shared[tool.name]
        context.risk = tool.risk
        lane = _Lane(engine.allowing(context))
        lane.known = frozenset(
            name for name in fields(tool.schema) if name.isprintable() and len(name) <= MAX_NAME
        )
        lane.fits = tool.validator.fits
        lane.defaults = None if tool.defaults is unchanged else tool.defaults
        lane.candidates = rules.candidates if len(always) < len(tool.rules) else None
        lane.always = tuple(condition.program.evaluate for condition in always if condition is not None)
        lane.variables = some_variables(context, tool.reads - {"args"})
        if shared:  # nothing in it is the session's
            self._shared[tool.name] = lane
        return lane


_MOST_GATEWAYS = 4
"""How many gateways, with those before a reload, a session is remembered by."""


def _all_false(lane: _Lane, arguments: dict[str, Any]) -> bool:
    """Whether all rules that are always evaluated do not hold."""
    variables = {**lane.variables, "args": arguments}
    try:
        return all(evaluate(variables) is False for evaluate in lane.always)
    except CelError:
        return False


def _is_normal(arguments: dict[str, Any]) -> bool:
    """Whether arguments are in normal form as they are."""
    try:
        return normal_arguments(arguments) is arguments
    except CallError:
        return False


def _is_plain(tool: ToolPlan) -> bool:
    """Whether nothing but schema, rules and risk has a say in the tool's calls, and nothing of them is hidden."""
    return not (
        tool.inspected
        or tool.resource
        or tool.forced
        or tool.wraps is not None
        or tool.sensitive
        or tool.read_only_when is not None
    )
