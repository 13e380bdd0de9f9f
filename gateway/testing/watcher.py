"""What a case reaches of a policy: the same decision, watched; nothing is evaluated a second time to find it out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gateway.cel import Outcome, Parsed, Watched
from gateway.cel.syntax import Conditional, Ident, Literal, Logic, Node, Scoped, Unary, UnaryOperator
from gateway.decision import Code, Decision, Effect, Finding, Step
from gateway.diagnostic import Span
from gateway.plan import Condition, ToolPlan
from gateway.results.review import Review
from gateway.session import Session
from gateway.steps.deciding import Deciding, Trace
from gateway.steps.listing import Listing
from gateway.steps.permissions import missing
from gateway.steps.resource import rendered
from gateway.testing.expected import ExpectedList

Reached = tuple[str, str, str]
"""A kind of part, its name, and what was seen of it."""

_OUTCOMES = {Outcome.TRUE: "matched", Outcome.FALSE: "not matched", Outcome.ERROR: "error"}


class Watcher(Trace):
    """Watches decisions and notes which parts of the policy they reach, and what these come to."""

    def __init__(self) -> None:
        super().__init__()
        self.reached: set[Reached] = set()

    def evaluated(self, part: str, outcome: Outcome, watched: Sequence[Watched] = ()) -> None:
        """Note what a condition, and each part of it, came to."""
        self.reached.add(("condition", part, _OUTCOMES[outcome]))
        for one in watched:
            for seen in one.observed:
                came = "error" if seen.error is not None else _truth(seen.value)
                if came:
                    self.reached.add(("atom", place_key(seen.span), came))

    def decided(self, ctx: Deciding, decision: Decision) -> None:
        """Note the tool, its permissions, and what was held against the call."""
        tool: ToolPlan | None = ctx.tool
        name = ctx.call.name
        self.reached.add(("tools", name, "called"))
        self.reached.add(("tools", name, "refused" if decision.effect is Effect.DENY else "let through"))
        if tool is None:
            return
        for entry in self.entries:
            if entry.rule is not None and entry.state in ("held against", "monitored", "lifted"):
                self.reached.add(("held", entry.rule, "reached"))
        for finding in (*decision.findings, *decision.monitored):
            if finding.rule is not None:
                self.reached.add(("held", finding.rule, "reached"))
        self._permissions(ctx, tool, decision)

    def inner(self) -> Trace:
        """A wrapped call reaches what it reaches as if it came by itself."""
        return self

    def listed(
        self, expected: ExpectedList, listing: Listing, tools: Mapping[str, ToolPlan], session: Session
    ) -> None:
        """Note what hides the tools that a case asks about, and what is held where nothing does."""
        named = {*expected.visible, *expected.hidden, *(expected.only or ())}
        for name in tools.keys() if expected.only is not None else named & tools.keys():
            self.reached.add(("listed", name, "listed"))
        for hidden in listing.hidden:
            if hidden.name not in named and expected.only is None:
                continue
            self.reached.add(("tools", hidden.name, "refused"))
            if hidden.rule is not None:
                self.reached.add(("condition", hidden.rule, "matched"))
            if hidden.code is Code.PERMISSION_DENIED:
                self._plain(tools[hidden.name], missing(tools[hidden.name], session))
        for tool in listing.visible:
            if tool.name in named or expected.only is not None:
                self._plain(tools[tool.name], None)

    def reviewed(self, tool: str, review: Review) -> None:
        """Note what the entries of `results` that were watched before blanked out.

        Of a result that is withheld nothing was seen but which entry failed.
        """
        entries = [one for one in self.reached if one[0] == "condition"]
        if review.withheld:
            self.reached = {one for one in entries if one[2] == "error"}
            self.reached.add(("reviewed", tool, "withheld"))
            return
        self.reached.add(("reviewed", tool, "reviewed"))
        found = {one.entry for one in review.redacted}
        for _, entry, came in entries:
            if came == "matched" and entry not in found:
                self.reached.add(("results", entry, "finds nothing"))
        for one in review.redacted:
            self.reached.add(("results", one.entry, one.what))

    def _permissions(self, ctx: Deciding, tool: ToolPlan, decision: Decision) -> None:
        refused = decision.findings[0].step if decision.findings else Step.RESULT
        if refused < Step.PERMISSIONS:
            return
        if tool.overridden:
            self.reached.add(("overrides", tool.overridden, "in force"))
        if decision.code is Code.PERMISSION_DENIED:
            self._plain(tool, missing(tool, ctx.session))
            return
        self._plain(tool, None)
        if refused < Step.RESOURCE:
            return
        held = ctx.session.subject.permissions if ctx.session.subject is not None else frozenset()
        for resource in tool.resource:
            text = rendered(resource, ctx) if decision.code is Code.RESOURCE_PERMISSION_DENIED else None
            lacked = text is not None and (isinstance(text, Finding) or text not in held)
            self.reached.add(("permissions", resource.template.text, "lacked" if lacked else "held"))
            if lacked:
                return

    def _plain(self, tool: ToolPlan, lacking: str | None) -> None:
        for permission in tool.permissions:
            if permission == lacking:
                self.reached.add(("permissions", permission, "lacked"))
                return
            self.reached.add(("permissions", permission, "held"))


def atoms(condition: Condition) -> Iterator[Span]:
    """The parts of a condition that are true or false by themselves: what `&&`, `||`, `!` and `?:` join."""
    if condition.parsed.ast is not None:
        yield from _atoms(condition.parsed, condition.parsed.ast)


def _atoms(parsed: Parsed, node: Node) -> Iterator[Span]:
    if isinstance(node, Logic):
        for term in node.terms:
            yield from _atoms(parsed, term)
    elif isinstance(node, Conditional):
        for branch in (node.condition, node.then, node.otherwise):
            yield from _atoms(parsed, branch)
    elif isinstance(node, Unary) and node.operator is UnaryOperator.NOT:
        yield from _atoms(parsed, node.operand)
    elif isinstance(node, Ident) and not node.root and node.name in parsed.lets:
        let = parsed.lets[node.name]
        if let.ast is not None:
            yield from _atoms(let, let.ast)
    elif isinstance(node, Scoped):
        yield from _atoms(parsed, node.body)
    elif not isinstance(node, Literal):
        yield parsed.span(node)


def place_key(span: Span) -> str:
    """A place in short: which characters of which file."""
    return f"{span.source.name}:{span.start}-{span.end}"


def _truth(value: object) -> str:
    return "true" if value is True else "false" if value is False else ""
