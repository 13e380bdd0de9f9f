"""The journal, approvals and overrides against a model that fits on a page: whatever happens in whatever order, both agree."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from gateway import Basis, Code, Effect
from gateway.answering import Answer, ApprovalError, Verdict
from tests.remembering.world import CLERK, SHOP, World, call, person

NAMES = st.sampled_from(("c-1", "c-2"))
ARGUMENTS = st.sampled_from(("a", "a", "a", "b"))
TEXT = SHOP.replace("agents: [", 'agents: [{name: console, tools: ["gateway/*"], tenants: ["*"]}, ').replace(
    "rules:\n", 'rules:\n  - {id: consoles, tools: ["gateway/*"], effect: allow}\n'
)
TOOLS = st.sampled_from(("look", "save", "pay"))


_OLGA = person("olga", permissions=["gateway:override", "gateway:reset"])
OPERATOR = {**_OLGA, "agent": "console", "id": "terminal"}


@dataclass
class Known:
    """What the model knows of a call: what it was, how far it came, and what it was asked and answered."""

    tool: str
    argument: str
    progress: str = "none"
    result: str = ""
    asked: str = ""
    """The reasons that were shown last."""
    request: str = ""
    answer: str = ""
    risk: str = ""
    """The tool's risk when it was asked about: an answer is one about the tool as it was."""

    def covers(self, reasons: str, risk: str) -> bool:
        """Whether the last question was about all of these reasons, and about the tool as it is."""
        return self.risk == risk and set(reasons.split()) <= set(self.asked.split())


class Machine(RuleBasedStateMachine):
    """Calls come, end, are asked about and answered, and tools differ, by gateways that each live for one step."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World(text=TEXT)
        self.calls: dict[str, Known] = {}
        self.runs: dict[str, int] = {}
        self.allowed: dict[str, int] = {}
        self.actions = 0
        self.off: set[str] = set()
        self.raised: set[str] = set()

    @rule(name=NAMES, tool=TOOLS, argument=ARGUMENTS)
    def ask(self, name: str, tool: str, argument: str) -> None:
        """A call is asked for."""
        decision = self.world.gateway().before(call(tool, name, id=argument), CLERK)
        if tool in self.off:
            assert decision.code is Code.TOOL_DISABLED
            return
        known = self.calls.get(name)
        if (
            known is not None
            and known.progress != "none"
            and (known.tool, known.argument) != (tool, argument)
        ):
            assert decision.code is Code.CALL_ID_REUSED
            return
        if known is None or (known.tool, known.argument) != (tool, argument):
            # Nothing of it was let run: an earlier question about another call of this id grants nothing.
            known = Known(tool, argument, request=known.request if known else "")
            self.calls[name] = known
        if known.progress == "ended":
            assert (decision.code, decision.response) == (Code.ALREADY_COMPLETED, known.result)
            return
        reasons = " ".join(
            sorted(
                [
                    *["CONFIRM"] * (tool == "pay" or tool in self.raised),
                    *["OUTCOME_UNKNOWN"] * (known.progress == "started" and tool != "look"),
                ]
            )
        )
        risk = "raised" if tool in self.raised else "declared"
        if not reasons:
            assert decision.proceeds
            known.progress = "started"
        elif known.answer == "approved" and known.covers(reasons, risk):
            assert (decision.effect, decision.basis) == (Effect.ALLOW, Basis.APPROVAL)
            known.answer, known.progress = "used", "started"
            self.allowed[name] = self.allowed.get(name, 0) + 1
        elif known.answer == "rejected" and known.covers(reasons, risk):
            assert decision.code is Code.APPROVAL_REJECTED
        else:
            assert decision.effect is Effect.ASK
            assert decision.approval is not None
            if (known.asked, known.answer, known.risk) != (reasons, "pending", risk):
                assert decision.approval["id"] != known.request
            known.asked, known.answer, known.risk = reasons, "pending", risk
            known.request = decision.approval["id"]
        if decision.proceeds:
            self.runs[name] = self.runs.get(name, 0) + 1

    @rule(name=NAMES, result=st.sampled_from(("one", "two")))
    def end(self, name: str, result: str) -> None:
        """A result comes."""
        known = self.calls.get(name)
        if known is None:
            return
        review = self.world.gateway().after(call(known.tool, name, id=known.argument), CLERK, result)
        if known.progress == "none":
            assert review.code is Code.RESULT_WITHHELD
            return
        assert review.result == result
        if known.progress == "started":
            known.progress, known.result = "ended", result

    @rule(tool=TOOLS, what=st.sampled_from(("off", "raise", "reset")))
    def differ(self, tool: str, what: str) -> None:
        """An operator switches a tool off, raises its risk to HIGH, or leaves it as it is declared."""
        self.actions += 1
        each: dict[str, dict[str, object]] = {
            "off": {"enabled": False},
            "raise": {"risk": "HIGH"},
            "reset": {},
        }
        action = "gateway/reset" if what == "reset" else "gateway/override"
        arguments = {"tool": tool, **each[what]}
        ran = self.world.gateway().manage(
            {"tool": action, "id": f"m-{self.actions}", "arguments": arguments}, OPERATOR
        )
        assert ran.review is not None
        assert not ran.review.is_error
        self.off.discard(tool)
        self.raised.discard(tool)
        if what == "off":
            self.off.add(tool)
        elif what == "raise" and tool != "pay":
            self.raised.add(tool)

    @precondition(lambda self: any(known.request for known in self.calls.values()))
    @rule(data=st.data(), verdict=st.sampled_from(list(Verdict)))
    def answer(self, data: st.DataObject, verdict: Verdict) -> None:
        """Somebody answers the last question about a call."""
        name = data.draw(st.sampled_from(sorted(n for n, known in self.calls.items() if known.request)))
        known = self.calls[name]
        unknown = "OUTCOME_UNKNOWN" in known.asked
        try:
            self.world.gateway().resume(known.request, Answer(verdict, result="told"), person("u-2"))
        except ApprovalError:
            fine = known.answer != "pending" or (
                verdict is Verdict.HAPPENED and not (unknown and known.progress == "started")
            )
            assert fine or known.answer == ""
            return
        if known.answer == "pending":
            known.answer = {"approve": "approved", "reject": "rejected", "happened": "used"}[verdict.value]
            if verdict is Verdict.HAPPENED:
                assert unknown
                known.progress, known.result = "ended", "told"

    @invariant()
    def no_call_runs_more_often_than_it_was_let(self) -> None:
        """One run, and one more for each approval that was used."""
        for name, runs in self.runs.items():
            known = self.calls[name]
            assert known.tool == "look" or runs <= 1 + self.allowed.get(name, 0)


TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=80, stateful_step_count=50, deadline=None)
