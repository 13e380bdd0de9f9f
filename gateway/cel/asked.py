"""The part of the checker that knows what functions ask of texts and lists, and proves that some never hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from gateway.cel.callees import Callees
from gateway.cel.domain import never_equal, of_literal, shown
from gateway.cel.evaluate import implementation
from gateway.cel.functions.signature import Function, Style
from gateway.cel.syntax import ListNode, Literal, Node
from gateway.cel.types import DYN, Type
from gateway.diagnostic import suggest


class Asked(Callees):
    """What a checker knows of calls that ask something."""

    def asked(self, function: Function, nodes: tuple[Node, ...], types: Sequence[Type]) -> None:
        """Report what a call asks for in vain."""
        if function.style is Style.MEMBER and function.name in _PARTS:
            self.part(function, nodes, types)
        elif function.name in _SETS:
            one, other = nodes
            self.held(one, types[0], other)
            self.held(other, types[1], one)
        if function.judge is not None:
            for node in nodes[1:]:
                self.judged(node, function.judge)
                if function.name == "only" and isinstance(node, ListNode) and not node.elements:
                    self.report("cel-value", node, "a command that runs something is never `only([])`")

    def part(self, function: Function, nodes: tuple[Node, ...], types: Sequence[Type]) -> None:
        """Report a part, or a pattern, that none of the texts has which a value can be."""
        domain, part = self.domain(nodes[0], types[0]), nodes[1]
        form = None if domain is None or domain.written else domain.forms.get("string")
        if domain is None or form is None or len(domain.forms) != 1 or not isinstance(part, Literal):
            return
        value, run = part.value, implementation(function, nodes).run
        words = [one for one in domain.listed or () if isinstance(one, str)]
        odd = function.name in _LITERAL and form.lacks(value)
        if not odd and (domain.listed is None or any(run(word, value) for word in words)):
            return
        text = f"`{self.text(nodes[0])}` {_PARTS[function.name]} `{shown(value)}`"
        help_ = "" if form.never is None else form.never.advice
        if form.never is not None:
            help_ = next((why for word, why in form.never.texts.items() if run(word, value)), help_)
        if function.name == "startsWith":
            near = suggest(value, {word[: len(value)] for word in words})
            help_ = f"did you mean `{near[0]}`?" if near else help_
        self.report("cel-type", part, text, help_)

    def held(self, list_: Node, type_: Type, others: Node) -> None:
        """Report the elements of a written list that another list never holds."""
        domain = self.domain(list_, type_)
        form = None if domain is None or domain.written else domain.forms.get("list")
        element = None if form is None else form.element
        if element is None or element.written or not element.forms or not isinstance(others, ListNode):
            return
        for one in others.elements:
            literal = one.value
            known = of_literal(literal.value) if isinstance(literal, Literal) else None
            if isinstance(literal, Literal) and known is not None and never_equal(element, known):
                self.never(list_, element, literal, "never holds")

    def judged(self, node: Node, judge: Callable[[str], tuple[str, str] | None]) -> None:
        """Report constants, or elements of constant lists, that a function takes in vain."""
        for at, value in self.constants(node):
            wrong = judge(value) if isinstance(value, str) else None
            if wrong is not None:
                named = (
                    "" if at is not node or isinstance(node, Literal) else f"`{self.text(node)}` holds this: "
                )
                self.report("cel-value", at, f"{named}{wrong[0]}", wrong[1])

    def constants(self, node: Node) -> Iterator[tuple[Node, Any]]:
        """The constants that a node is, or that are in it, each with the node that says so."""
        if isinstance(node, Literal):
            yield node, node.value
        elif isinstance(node, ListNode):
            for element in node.elements:
                yield from self.constants(element.value)
        else:
            domain = self.domain(node, DYN)
            form = None if domain is None else domain.forms.get("list")
            if form is not None and form.element is not None and form.element.written:
                yield from ((node, value) for value in form.element.listed or ())


_PARTS: Mapping[str, str] = {
    "startsWith": "never starts with",
    "endsWith": "never ends with",
    "contains": "never contains",
    "matches": "never matches",
    "glob": "never fits",
}
_LITERAL = frozenset(("startsWith", "endsWith", "contains"))
_SETS = frozenset(("sets.contains", "sets.intersects", "sets.equivalent"))
