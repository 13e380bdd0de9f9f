"""A pattern that matches anywhere in a text, where a match loosens the policy.

`x.matches("acme[.]com")` is true of `https://evil.example/?acme.com` as well. In the `when` of a deny or ask rule that
stops a call too many. In the `when` of an allow rule, in the `unless` of a deny or ask rule, in `read_only_when` and
behind a `!` that turns it round, it is a hole: whoever writes the text around the harmless part gets the exception.

Bad, where any address with the name somewhere in it will do:

    rules:
      - {id: own-mail, tools: [send_mail], when: 'args.to.matches("@acme[.]com")', effect: allow}

Good:

    rules:
      - {id: own-mail, tools: [send_mail], when: 'args.to.matches("^[a-z.]+@acme[.]com$")', effect: allow}

One anchor is taken as meant: `$` alone asks for an ending, `^` alone for a beginning. Of alternatives each needs one:
`^a|b` matches `b` anywhere. Where anywhere is meant, `contains` says so; or write `# lint: allow unanchored-pattern`
on the line of the condition, and why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from gateway.checks.conditions import Expression, expressions
from gateway.decision import Effect
from gateway.diagnostic import Diagnostic
from gateway.policy import Rule

if TYPE_CHECKING:
    from gateway.cel.syntax import Literal, Node, Parsed
    from gateway.compile import Compiled
    from gateway.policy import Policy


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each constant pattern without an anchor whose match loosens the policy."""
    every = list(expressions(policy))
    for expression in every:
        loosens = _loosens(expression)
        if loosens is None or expression.parsed.ast is None:
            continue
        lets = {
            name: let.parsed
            for let, name in zip(
                (one for one in every if one.part is expression.part and one.key == "let"),
                expression.part.let if isinstance(expression.part, Rule) else (),
                strict=False,
            )
        }
        for parsed, pattern in _patterns(expression.parsed, lets, expression.parsed.ast, loosens):
            if not anchored(str(pattern.value)):
                yield Diagnostic(
                    "",
                    "the pattern matches anywhere in the text, and a match loosens the policy",
                    parsed.span(pattern),
                    "begin it with `^` and end it with `$`, or write `contains` if anywhere is meant",
                )


def _loosens(expression: Expression) -> bool | None:
    """Whether the policy is looser where an expression is true; None if it is not such a condition."""
    if isinstance(expression.part, Rule) and expression.key in ("when", "unless"):
        return (expression.part.effect is Effect.ALLOW) is (expression.key == "when")
    return True if expression.key == "read_only_when" else None


def _patterns(
    parsed: Parsed, lets: Mapping[str, Parsed], node: Node, loosens: bool
) -> Iterator[tuple[Parsed, Literal]]:
    """The constant patterns whose match makes a condition what loosens the policy."""
    from gateway.cel.syntax import Call, Conditional, Ident, Literal, Logic, Macro, Unary, UnaryOperator

    match node:
        case Unary(operator=UnaryOperator.NOT, operand=operand):
            yield from _patterns(parsed, lets, operand, not loosens)
        case Logic(terms=terms):
            for term in terms:
                yield from _patterns(parsed, lets, term, loosens)
        case Conditional(then=then, otherwise=otherwise):
            yield from _patterns(parsed, lets, then, loosens)
            yield from _patterns(parsed, lets, otherwise, loosens)
        case Macro(body=body):
            yield from _patterns(parsed, lets, body, loosens)
        case Ident(name=name) if name in lets and (ast := lets[name].ast) is not None:
            before = {one: let for one, let in lets.items() if one != name}
            yield from _patterns(lets[name], before, ast, loosens)
        case Call(name="matches", arguments=arguments) if loosens and arguments:
            pattern = arguments[-1]
            if isinstance(pattern, Literal) and isinstance(pattern.value, str):
                yield parsed, pattern


def anchored(pattern: str) -> bool:
    """Whether each alternative of a pattern says where in the text it begins or ends."""
    return all(map(_has_anchor, _alternatives(pattern)))


def _alternatives(pattern: str) -> list[str]:
    """The parts between `|` outside of groups; a group around all of it is opened."""
    parts = [""]
    for piece, depth in _pieces(pattern):
        if piece == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += piece
    if len(parts) == 1 and (inside := _inside_of_group(parts[0])) is not None:
        return _alternatives(inside)
    return parts


def _inside_of_group(part: str) -> str | None:
    depths = [depth for _, depth in _pieces(part)]
    if not part.startswith("(") or 0 in depths[1:]:
        return None
    inside = part[1:-1]
    return inside.partition(":")[2] if inside.startswith("?") else inside


def _has_anchor(part: str) -> bool:
    return any(piece in ("^", "$", r"\A", r"\z") for piece, _ in _pieces(part))


def _pieces(pattern: str) -> Iterator[tuple[str, int]]:
    """Characters, escapes and classes, each with how many groups are open around it; brackets lie inside theirs."""
    depth = at = 0
    while at < len(pattern):
        end = at + 1
        if pattern[at] == "\\":
            end = at + 2
        elif pattern[at] == "[":
            end = at + 1
            while end < len(pattern) and (pattern[end] != "]" or end in (at + 1,)):
                end += 2 if pattern[end] == "\\" else 1
            end += 1
        depth += pattern[at] == "("
        yield pattern[at:end], depth
        depth -= pattern[at] == ")"
        at = end
