"""The journal, approvals, plans and overrides against a model that fits on a page: whatever happens in whatever order, both agree."""

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
        self.plan = ""
        self.planned: dict[str, str] = {}
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
        reasons, risk = self.reasons(known), self.risk(tool)
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

    @rule(tools=st.tuples(TOOLS, TOOLS), arguments=st.tuples(ARGUMENTS, ARGUMENTS))
    def planning(self, tools: tuple[str, str], arguments: tuple[str, str]) -> None:
        """Two calls are planned: what asks is asked about in one question, unless something would be refused."""
        wanted = [(f"c-{n + 1}", *each) for n, each in enumerate(zip(tools, arguments, strict=True))]
        calls = [call(tool, name, id=argument) for name, tool, argument in wanted]
        plan = self.world.gateway().plan(calls, CLERK)
        effects = [one.effect for one in plan.decisions]
        assert effects == [self.expected(*each) for each in wanted]
        if Effect.DENY in effects or Effect.ASK not in effects:
            assert plan.id == ""
            return
        self.plan, self.planned = plan.id, {}
        for (name, tool, argument), decision in zip(wanted, plan.decisions, strict=True):
            if decision.effect is Effect.ASK:
                assert decision.approval is not None
                known = self.calls.get(name)
                if known is None or (known.tool, known.argument) != (tool, argument):
                    known = self.calls[name] = Known(tool, argument)
                known.asked, known.answer = self.reasons(known), "pending"
                known.risk, known.request = self.risk(tool), decision.approval["id"]
                self.planned[name] = known.request

    @precondition(lambda self: self.plan and all(self.calls[name].answer for name in self.planned))
    @rule(verdict=st.sampled_from((Verdict.APPROVE, Verdict.REJECT)))
    def answer_plan(self, verdict: Verdict) -> None:
        """Somebody answers the last plan: it counts for each of its calls, or for none."""
        known = [self.calls[name] for name in self.planned]
        same = ("approved", "used") if verdict is Verdict.APPROVE else ("rejected",)
        counts = all(
            one.request == request and one.answer in ("pending", *same)
            for one, request in zip(known, self.planned.values(), strict=True)
        )
        try:
            self.world.gateway().resume_plan(self.plan, Answer(verdict), person("u-2"))
        except ApprovalError:
            assert not counts
            return
        assert counts
        for one in known:
            if one.answer == "pending":
                one.answer = same[0]

    def expected(self, name: str, tool: str, argument: str) -> Effect:
        """What a call would be answered."""
        known = self.calls.get(name) or Known(tool, argument)
        other = (known.tool, known.argument) != (tool, argument)
        if tool in self.off or (other and known.progress != "none"):
            return Effect.DENY
        if other:
            known = Known(tool, argument)
        if known.progress == "ended":
            return Effect.RESPOND
        reasons = self.reasons(known)
        if not reasons:
            return Effect.ALLOW
        if known.covers(reasons, self.risk(tool)) and known.answer in ("approved", "rejected"):
            return Effect.ALLOW if known.answer == "approved" else Effect.DENY
        return Effect.ASK

    def reasons(self, known: Known) -> str:
        """Why a person would be asked about a call, if so."""
        unknown = known.progress == "started" and known.tool != "look"
        confirm = known.tool == "pay" or known.tool in self.raised
        return " ".join(["CONFIRM"] * confirm + ["OUTCOME_UNKNOWN"] * unknown)

    def risk(self, tool: str) -> str:
        """Which risk a tool has now."""
        return "raised" if tool in self.raised else "declared"

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
