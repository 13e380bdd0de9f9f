"""Read a CEL expression: a Pratt parser that goes on after a mistake, to report the others too."""

from __future__ import annotations

from collections.abc import Callable

from gateway.cel.lexer import RESERVED, Token, TokenKind, tokens
from gateway.cel.macros import MacroError, expand
from gateway.cel.spelling import WORDS, respelt
from gateway.cel.syntax import (
    MAX_DEPTH,
    MAX_NODES,
    MAX_SOURCE,
    Access,
    Binary,
    BinaryOperator,
    Call,
    Conditional,
    Element,
    Entry,
    Ident,
    Index,
    ListNode,
    Literal,
    Logic,
    LogicOperator,
    MapNode,
    Node,
    Parsed,
    Select,
    Unary,
    UnaryOperator,
    measure,
)
from gateway.cel.values import INT_MAX
from gateway.diagnostic import Diagnostic, Excerpt

_MOST_MISTAKES = 10
_CONDITIONAL, _OR, _AND, _RELATION, _SUM, _PRODUCT, _UNARY, _MEMBER = range(1, 9)
_POWERS = {
    "?": _CONDITIONAL,
    "||": _OR,
    "&&": _AND,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">=", "in"), _RELATION),
    "+": _SUM,
    "-": _SUM,
    **dict.fromkeys("*/%", _PRODUCT),
    **dict.fromkeys((".", ".?", "[", "[?", "(", "{"), _MEMBER),
}


class _TooDeep(Exception):
    """Nesting beyond the limit: nothing sensible can follow."""


def parse(excerpt: Excerpt) -> Parsed:
    """The expression in a text, or every mistake in it."""
    if len(excerpt.text) > MAX_SOURCE:
        return Parsed(
            excerpt, None, (_limit(excerpt, f"the expression is longer than {MAX_SOURCE} characters"),)
        )
    parser = _Parser(excerpt)
    try:
        node = parser.whole()
    except _TooDeep:
        return Parsed(excerpt, None, (*parser.mistakes, _deep(excerpt)))
    if parser.mistakes or node is None:
        return Parsed(excerpt, None, tuple(parser.mistakes))
    height, count = measure(node)
    if height > MAX_DEPTH:
        return Parsed(excerpt, None, (_deep(excerpt),))
    if count > MAX_NODES:
        return Parsed(excerpt, None, (_limit(excerpt, f"the expression has more than {MAX_NODES} parts"),))
    return Parsed(excerpt, node, (), height)


def _limit(excerpt: Excerpt, message: str) -> Diagnostic:
    return Diagnostic("cel-limit", message, excerpt.span(0, len(excerpt.text)), "split it with `let`")


def _deep(excerpt: Excerpt) -> Diagnostic:
    return _limit(excerpt, f"the expression is nested more than {MAX_DEPTH} levels deep")


class _Parser:
    def __init__(self, excerpt: Excerpt) -> None:
        self.excerpt = excerpt
        self.mistakes: list[Diagnostic] = []
        self.tokens = respelt(tokens(excerpt.text, self.add, self.comment), self.add)
        self.position = 0
        self.reported = -1
        self.depth = 0
        self.prefixes: dict[str, Callable[[], Node]] = {
            "(": self.group,
            "[": self.list_literal,
            "[?": self.list_literal,
            "{": self.map_literal,
            ".": self.root_name,
            "-": self.unary,
            "!": self.unary,
        }
        self.infixes: dict[str, Callable[[Node, int], Node]] = {
            "?": self.conditional,
            ".": self.select,
            ".?": self.select,
            "[": self.index,
            "[?": self.index,
            "{": self.message,
        }

    def report(self, start: int, end: int, message: str, help_: str = "") -> None:
        """Add a mistake, unless nothing was read since the last one, which then caused it."""
        if self.position > self.reported:
            self.reported = self.position
            self.add(start, end, message, help_)

    def add(self, start: int, end: int, message: str, help_: str) -> None:
        if len(self.mistakes) < _MOST_MISTAKES:
            self.mistakes.append(Diagnostic("cel-syntax", message, self.excerpt.span(start, end), help_))

    def comment(self, start: int, end: int) -> None:
        """Refuse a comment that goes on where its own line ended: YAML folded the lines into one."""
        span = self.excerpt.span(start, end)
        if "\n" in span.text:
            first = span.text.split("\n")[0].rstrip()
            self.add(
                start,
                start + len(first),
                "the comment swallows the lines below it, because YAML folds them into one",
                "write the expression after `|`, which keeps its lines",
            )

    @property
    def token(self) -> Token:
        return self.tokens[self.position]

    def at_end(self) -> bool:
        return self.position == len(self.tokens) - 1

    @property
    def last_end(self) -> int:
        return self.tokens[self.position - 1].end if self.position else 0

    def advance(self) -> Token:
        token = self.tokens[self.position]
        if token.kind is not TokenKind.END:
            self.position += 1
        return token

    def at(self, *texts: str) -> bool:
        token = self.tokens[self.position]
        return token.kind is TokenKind.OPERATOR and token.text in texts

    def expect(self, text: str, opened: Token | None = None) -> None:
        if self.at(text):
            self.advance()
            return
        token = self.token
        if opened is not None and token.kind is TokenKind.END:
            self.report(opened.start, opened.end, f"`{opened.text}` is never closed", f"add `{text}`")
            return
        self.report(
            token.start, token.end, f"expected `{text}`, found {_found(token)}", WORDS.get(token.text, "")
        )
        self.skip()
        if self.at(text):
            self.advance()

    def skip(self) -> None:
        """Go on to where an enclosing construct can continue."""
        depth = 0
        while not self.at_end():
            if depth == 0 and self.at(",", ")", "]", "}", "&&", "||", ":"):
                return
            if self.at("(", "[", "{", "[?"):
                depth += 1
            elif self.at(")", "]", "}"):
                depth -= 1
            self.advance()

    def whole(self) -> Node | None:
        if self.at_end():
            if not self.mistakes:
                self.report(0, len(self.excerpt.text), "the expression is empty")
            return None
        node = self.expression(0)
        while not self.at_end():
            token = self.token
            before = self.tokens[self.position - 1].text
            help_ = WORDS["not"] if before == "not" else WORDS.get(token.text, "")
            self.report(token.start, token.end, f"the expression should end before {_found(token)}", help_)
            self.advance()
            self.skip()
            if self.at("&&", "||"):
                self.advance()
                self.expression(0)
        return node

    def expression(self, power: int) -> Node:
        """An expression whose operators all bind tighter than `power`."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _TooDeep
        start = self.token.start
        node = self.operand()
        while True:
            token = self.token
            own = _POWERS.get(token.text, 0) if token.kind is TokenKind.OPERATOR else 0
            if own <= power:
                break
            if token.text == "(":
                name = self.tokens[self.position - 1]
                node = self.called(node, start, name, self.arguments())
            elif infix := self.infixes.get(token.text):
                node = infix(node, start)
            elif own in (_OR, _AND):
                node = self.logic(node, start, own)
            else:
                self.advance()
                right = self.expression(own)
                node = Binary(start, self.last_end, BinaryOperator(token.text), node, right)
        self.depth -= 1
        return node

    def operand(self) -> Node:
        token = self.token
        if token.kind is TokenKind.OPERATOR and token.text in self.prefixes:
            return self.prefixes[token.text]()
        if token.kind is TokenKind.CONSTANT:
            self.advance()
            return Literal(token.start, token.end, token.value)
        if token.kind is TokenKind.INTEGER:
            self.advance()
            return self.integer(token, token.start)
        if token.kind is TokenKind.IDENT:
            self.advance()
            if token.text in RESERVED and not self.at("("):
                self.report(token.start, token.end, f"`{token.text}` is a reserved word")
            return Ident(token.start, token.end, token.text)
        self.report(token.start, token.end, f"expected a value, found {_found(token)}")
        if not self.at(",", ")", "]", "}", "&&", "||", ":"):
            self.advance()
        return Literal(token.start, token.end, None)

    def integer(self, token: Token, start: int) -> Node:
        value = token.value if start == token.start else -token.value
        if value > INT_MAX:
            self.report(start, token.end, f"`{token.text}` is out of the range of int")
        return Literal(start, token.end, value)

    def group(self) -> Node:
        opened = self.advance()
        node = self.expression(0)
        if self.at(","):
            self.report(opened.start, opened.end, "there are no tuples here", "write a list: `[a, b]`")
        while self.at(","):
            self.advance()
            self.expression(0)
        self.expect(")", opened)
        return node

    def unary(self) -> Node:
        token = self.advance()
        if token.text == "-" and self.token.kind is TokenKind.INTEGER:
            return self.integer(self.advance(), token.start)
        operand = self.expression(_UNARY)
        return Unary(token.start, self.last_end, UnaryOperator(token.text), operand)

    def root_name(self) -> Node:
        dot = self.advance()
        token = self.token
        if token.kind is not TokenKind.IDENT:
            self.report(token.start, token.end, f"expected a name after `.`, found {_found(token)}")
            return Literal(dot.start, dot.end, None)
        self.advance()
        return Ident(dot.start, token.end, token.text, root=True)

    def logic(self, first: Node, start: int, power: int) -> Node:
        operator = LogicOperator.AND if power == _AND else LogicOperator.OR
        terms = [first]
        while self.at(operator.value):
            self.advance()
            terms.append(self.expression(power))
        flat: list[Node] = []
        for term in terms:
            if isinstance(term, Logic) and term.operator is operator:
                flat.extend(term.terms)
            else:
                flat.append(term)
        return Logic(start, self.last_end, operator, tuple(flat))

    def conditional(self, condition: Node, start: int) -> Node:
        opened = self.advance()
        chained = self.at(".") and self.token.start == opened.end
        then = self.expression(_CONDITIONAL)
        if chained and not self.at(":"):
            help_ = "write `x.?field`, which is an optional"
            self.report(opened.start, opened.end + 1, "`?.` is no operator here", help_)
            return then
        self.expect(":", opened)
        otherwise = self.expression(0)
        return Conditional(start, self.last_end, condition, then, otherwise)

    def select(self, operand: Node, start: int) -> Node:
        dot = self.advance()
        access = Access.OPTIONAL if dot.text == ".?" else Access.PLAIN
        token = self.token
        if token.kind not in (TokenKind.IDENT, TokenKind.QUOTED):
            self.report(
                token.start, token.end, f"expected a field's name after `{dot.text}`, found {_found(token)}"
            )
            return operand
        self.advance()
        name = token.value if token.kind is TokenKind.QUOTED else token.text
        return Select(start, token.end, operand, name, access, token.start)

    def called(self, callee: Node, start: int, name: Token, arguments: tuple[Node, ...]) -> Node:
        """The call of a name, or of a field that was just read."""
        target: Node | None = None
        if isinstance(callee, Select) and callee.access is Access.PLAIN and name.kind is TokenKind.IDENT:
            target = callee.operand
        elif not isinstance(callee, Ident) or name.kind is not TokenKind.IDENT:
            self.report(start, name.end, "only a function's name can be called")
            return callee
        elif callee.name in RESERVED:
            self.report(name.start, name.end, f"`{callee.name}` is a reserved word")
        call = Call(start, self.last_end, name.text, target, arguments, name.start, name.end)
        try:
            return expand(call)
        except MacroError as error:
            self.report(error.start, error.end, error.message)
            return call

    def arguments(self) -> tuple[Node, ...]:
        opened = self.advance()
        found: list[Node] = []
        while not self.at(")") and not self.at_end():
            found.append(self.expression(0))
            if not self.at(","):
                break
            comma = self.advance()
            if self.at(")"):
                self.report(comma.start, comma.end, "a call has no `,` after its last argument")
        self.expect(")", opened)
        return tuple(found)

    def index(self, operand: Node, start: int) -> Node:
        opened = self.advance()
        access = Access.OPTIONAL if opened.text == "[?" else Access.PLAIN
        index = self.expression(0)
        self.expect("]", opened)
        return Index(start, self.last_end, operand, index, access)

    def message(self, name: Node, start: int) -> Node:
        opened = self.token
        self.report(start, opened.end, "messages can't be built here", "write a map: `{'key': value}`")
        self.map_literal()
        return name

    def optional_mark(self) -> Access:
        if self.at("?"):
            self.advance()
            return Access.OPTIONAL
        return Access.PLAIN

    def list_literal(self) -> Node:
        opened = self.advance()
        elements: list[Element] = []
        access = Access.OPTIONAL if opened.text == "[?" else self.optional_mark()
        while not self.at("]") and not self.at_end():
            elements.append(Element(self.expression(0), access))
            if not self.at(","):
                break
            self.advance()
            access = self.optional_mark()
        self.expect("]", opened)
        return ListNode(opened.start, self.last_end, tuple(elements))

    def map_literal(self) -> Node:
        opened = self.advance()
        entries: list[Entry] = []
        while not self.at("}") and not self.at_end():
            access = self.optional_mark()
            key = self.expression(0)
            self.expect(":")
            entries.append(Entry(key, self.expression(0), access))
            if not self.at(","):
                break
            self.advance()
        self.expect("}", opened)
        return MapNode(opened.start, self.last_end, tuple(entries))


def _found(token: Token) -> str:
    return "the end" if token.kind is TokenKind.END else f"`{token.text}`"
