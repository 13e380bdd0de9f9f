"""A scheme that is nearly one that there is.

An address may have any scheme, so no comparison with one is certainly wrong. One that differs from a usual scheme by a
letter is more often a typing error, and the rule never fires.

Bad:

    tools:
      - name: fetch
        risk: LOW
        permissions: []
        inspect: {page: url}
        parameters: {type: object, required: [page], properties: {page: {type: string}}}
    rules:
      - {id: plain, tools: [fetch], when: 'inspect.page.scheme == "htp"', effect: deny, message: Use https.}

Good:

    tools:
      - name: fetch
        risk: LOW
        permissions: []
        inspect: {page: url}
        parameters: {type: object, required: [page], properties: {page: {type: string}}}
    rules:
      - {id: plain, tools: [fetch], when: 'inspect.page.scheme == "http"', effect: deny, message: Use https.}

For a scheme of your own, write `# gateway: ignore[misspelt-scheme] …` on its line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.conditions import expressions, walk
from gateway.diagnostic import Diagnostic, suggest

if TYPE_CHECKING:
    from gateway.cel.syntax import Literal, Node
    from gateway.compile import Compiled
    from gateway.policy import Policy

_SCHEMES = frozenset(
    """
    about blob data file ftp ftps git gs http https javascript ldap ldaps mailto s3 sftp ssh ws wss
    """.split()  # noqa: SIM905
)


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each text that a scheme is compared with."""
    for expression in expressions(policy):
        for node in walk(expression.parsed):
            for literal in _compared(node):
                scheme = literal.value
                near = suggest(scheme, _SCHEMES) if isinstance(scheme, str) else []
                if near and scheme not in _SCHEMES:
                    span = expression.parsed.excerpt.span(literal.start, literal.end)
                    message = f"`{scheme}` is no usual scheme"
                    yield Diagnostic("", message, span, f"did you mean `{near[0]}`?")


def _compared(node: Node) -> Iterator[Literal]:
    """The constants that a comparison holds against a scheme."""
    from gateway.cel.syntax import Binary, Literal

    if isinstance(node, Binary):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if _is_scheme(one):
                yield from (each for each in (other, *_elements(other)) if isinstance(each, Literal))


def _elements(node: Node) -> tuple[Node, ...]:
    from gateway.cel.syntax import ListNode

    return tuple(element.value for element in node.elements) if isinstance(node, ListNode) else ()


def _is_scheme(node: Node) -> bool:
    """Whether a node is `inspect.….scheme` or `….getScheme()`."""
    from gateway.cel.syntax import Call, Ident, Select

    if isinstance(node, Call):
        return node.name == "getScheme"
    if not isinstance(node, Select) or node.field != "scheme" or not isinstance(node.operand, Select):
        return False
    return isinstance(node.operand.operand, Ident) and node.operand.operand.name == "inspect"
