"""A place in the tokens of a text, and what can be told from those that come next."""

from __future__ import annotations

from gateway.inspect.findings import Findings
from gateway.inspect.languages.doer import Doer
from gateway.inspect.languages.language import Language, Spot
from gateway.inspect.languages.syntax import Token

OPEN = {"(": ")", "[": "]", "{": "}"}
CLOSE = frozenset(OPEN.values())
MEMBERS = frozenset((".", "->", "::", "?.", ":"))
KEYS = frozenset((":", "=>"))


class Cursor(Doer):
    """Goes along tokens; `within` is the place of the text where it stands inside another."""

    def __init__(self, language: Language, findings: Findings) -> None:
        super().__init__(language, findings)
        self.within: Spot | None = None
        self.tokens: list[Token] = []
        self.at = 0

    def spot(self, token: Token) -> Spot:
        """Where a token stands in the code that is inspected."""
        return self.within or (token.start, token.end)

    def peek(self, ahead: int = 0) -> Token | None:
        """The token that comes next."""
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else None

    def next_is(self, *values: str) -> bool:
        """Whether the next token is one of some signs."""
        token = self.peek()
        return token is not None and token.kind in ("sign", "line") and token.value in values

    def skip(self) -> None:
        """Pass what ends an expression."""
        token = self.peek()
        if token is not None and (token.kind == "line" or token.value in (";", ",") or token.value in CLOSE):
            self.at += 1

    def over(self) -> bool:
        """Whether nothing more of an expression follows."""
        token = self.peek()
        return token is None or token.kind == "line" or token.value in (";", ",") or token.value in CLOSE

    def goes_on(self) -> bool:
        """Whether the next line goes on with an expression: a sign that none begins with."""
        token = self.peek(1)
        return (
            token is not None
            and token.kind == "sign"
            and token.value in (".", "?.", "->", "|>", *self.language.joins)
        )

    def skip_lines(self) -> None:
        """Pass ends of lines."""
        while self.next_is("\n"):
            self.at += 1

    def ends(self, token: Token) -> bool:
        """Whether a token ends the arguments of a call without parentheses."""
        return token.value in self.language.endings

    def name_ahead(self) -> str:
        """The variable that comes next, alone; nothing where something else does."""
        token = self.peek()
        if token is None or token.kind != "name":
            return ""
        after = self.peek(1)
        if after is not None and after.value in MEMBERS and after.value != ":":
            return ""
        return self.bare_name(token.value)

    def bare_name(self, name: str) -> str:
        """A variable's name without the sign that it opens with."""
        return name.lstrip(self.language.sigils) if self.language.sigils else name

    def skip_inside(self, close: str) -> None:
        """Pass what parts the items between brackets."""
        while self.next_is("\n", ";", ",") or (self.next_is(*CLOSE) and not self.next_is(close)):
            self.at += 1

    def key_ahead(self) -> str:
        """The key of an item of an object, passed with its sign."""
        self.skip_lines()
        token, after = self.peek(), self.peek(1)
        if token is None or after is None or token.kind not in ("name", "text") or after.value not in KEYS:
            return ""
        self.at += 2
        return token.value

    def argument_name(self) -> str:
        """The name of an argument, passed with its sign."""
        token, after = self.peek(), self.peek(1)
        named = token is not None and token.kind == "name" and after is not None and after.kind == "sign"
        if named and token is not None and after is not None and after.value in ("=", ":", "=>"):
            if after.value == "=>" and not self.language.sigils and not self.language.bare:
                return ""
            self.at += 2
            return token.value
        return ""
