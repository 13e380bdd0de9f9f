"""Folds the expressions of a language from its tokens, from left to right, and does what the calls in them do.

It knows nothing of precedence: texts are put together by the language's own sign for that, every other operation
makes a value of which nothing is known.
"""

from __future__ import annotations

from dataclasses import replace

from gateway.inspect.findings import Findings, TooMuch
from gateway.inspect.languages.cursor import CLOSE, MEMBERS, OPEN, Cursor
from gateway.inspect.languages.doer import each, item, number
from gateway.inspect.languages.language import Call, Language, Spot
from gateway.inspect.languages.syntax import MAX_TOKENS, Token, tokens
from gateway.inspect.value import NOTHING, Value, either, joined, sources, text
from gateway.inspect.word import UNKNOWN, certain

MAX_CODE = 64 * 1024
MAX_NESTED = 5
_ASSIGNS = frozenset(("=", ":=", "<-", "+=", ".=", "|=", "||="))
_LOOPS = frozenset(("forEach", "map", "each", "for_each", "foreach", "filter", "select", "eachFile"))
_WHOLE = frozenset(("to_h", "to_a", "each", "map", "inspect", "toObject", "to_hash", "entries"))
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "cmd", "cmd.exe", "powershell", "powershell.exe"))


class Evaluator(Cursor):
    """The state of one piece of code while its tokens are read."""

    def __init__(self, language: Language, findings: Findings, nested: int = 0) -> None:
        super().__init__(language, findings)
        self.variables: dict[str, Value] = {}
        self.nested = nested

    def run(self, source: str) -> Value:
        """Read a text of the language; the value is that of its last expression."""
        before = self.tokens, self.at
        self.tokens = []
        for token in tokens(source, self.language.syntax):
            self.tokens.append(token)
            if len(self.tokens) > MAX_TOKENS:
                raise TooMuch("the code is too large to be analysed")
        self.at = 0
        made = NOTHING
        while self.at < len(self.tokens):
            value = self.expression()
            made = value if value != NOTHING else made
            self.skip()
        self.tokens, self.at = before
        return made

    def inner(self, source: str, spot: Spot) -> Value:
        """Read a text of the language that stands inside another."""
        if self.nested >= MAX_NESTED:
            raise TooMuch("the code is nested too deep to be analysed")
        self.nested += 1
        before, self.within = self.within, self.within or spot
        made = self.run(source)
        self.nested, self.within = self.nested - 1, before
        return made

    def expression(self, bare: bool = False) -> Value:
        """An expression up to what ends it."""
        self.findings.spend()
        self.findings.depth += 1
        if self.findings.depth > 100:
            raise TooMuch("the code is nested too deep to be analysed")
        name = self.name_ahead()
        value = self.operand()
        while (token := self.peek()) is not None:
            sign = token.value
            if token.kind == "line" and self.goes_on():
                self.at += 1
                continue
            if token.kind == "line" or sign in (";", ",") or sign in CLOSE or (bare and self.ends(token)):
                break
            if sign in self.language.joins and token.kind == "sign":
                self.at += 1
                self.skip_lines()
                value = joined([value, self.operand()])
            elif sign in _ASSIGNS and token.kind == "sign":
                self.at += 1
                self.skip_lines()
                value = self._assigned(name, sign, self.expression(bare))
            elif token.kind == "name" and sign == "as" and self.language.sigils == "$":
                self.at += 1
                name = self.name_ahead()
                self.variables[name] = each(value)
                self.operand()
            elif token.kind == "name" and sign in ("of", "in") and name:
                self.at += 1
                value = self.expression(bare)
                self.variables[name] = each(value)
            elif sign in ("||", "?") and token.kind == "sign":
                self.at += 1
                other = self.operand()
                value = either((value, other)) if value.texts and other.texts else value
            elif token.kind == "sign" and sign not in OPEN:
                self.at += 1
                name = self.name_ahead() or name
                other = self.operand() if not self.over() else NOTHING
                value = self.combined(sign, value, other)
            else:
                before = name
                loop = self.at > 1 and "for" in (
                    t.value[:3] for t in self.tokens[max(self.at - 3, 0) : self.at - 1]
                )
                name = self.name_ahead()
                other = self.operand()
                name = name or before
                if loop and sign == "(" and before:
                    self.variables[before] = each(other)
                value = self.beside(value, other) if other != NOTHING else value
        self.findings.depth -= 1
        return value

    def combined(self, sign: str, left: Value, right: Value) -> Value:
        """What an operation makes that puts no texts together."""
        if sign == "/" and (left.kind == "path" or right.kind == "path"):
            return replace(joined([left, text("/"), right]), kind="path")
        if sign in ("=>", ":", "==", "===", "&&", "and"):
            return right
        return Value(sources=sources((left, right)))

    def current(self) -> Value:
        """What a loop is at where nothing names it."""
        return self.variables.get("_", text(UNKNOWN))

    def beside(self, left: Value, right: Value) -> Value:
        """What two values make that stand side by side; most languages put nothing together by that."""
        del left
        return right

    def _assigned(self, name: str, sign: str, value: Value) -> Value:
        if name:
            known = self.variables.get(name)
            if sign in ("+=", ".=") and known is not None:
                value = joined([known, value])
            elif known is not None and self.findings.depth > 2:
                value = either((known, value))
            self.variables[name] = value
        return value

    def operand(self) -> Value:
        """One value with all that hangs on it: members, calls, items."""
        token = self.peek()
        if token is None:
            return NOTHING
        self.findings.spend()
        self.at += 1
        if token.kind == "name":
            return self._hanging(self.named(token), token)
        if token.kind == "text":
            return self._hanging(self.filled(token), token)
        if token.kind == "shell":
            return self.shell(self.filled(token), self.spot(token))
        if token.kind == "words":
            return Value(items=tuple(text(word) for word in token.value.split()))
        if token.kind == "number":
            return number(token.value)
        if token.value in OPEN:
            return self._hanging(self.grouped(token.value), token)
        if token.value in CLOSE or token.kind == "line" or token.value in (";", ","):
            self.at -= 1
            return NOTHING
        return (
            self.operand()
            if token.value in ("!", "&", "-", "+", "~", "\\", "*", "@", "$", "%", "...", "<")
            else NOTHING
        )

    def filled(self, token: Token) -> Value:
        """A text with the values put in that it asks for."""
        parts = token.value.split("\0")
        if len(parts) == 1:
            return text(token.value)
        made: list[Value] = []
        for i, part in enumerate(parts):
            made.append(text(part))
            if i < len(token.inner):
                value = self.inner(token.inner[i], self.spot(token))
                made.append(Value(texts=value.text(), sources=value.sources, extent=value.extent))
        return joined(made)

    def named(self, token: Token) -> Value:
        """A variable, constant or function."""
        name = self.bare_name(token.value)
        if name in self.variables:
            return self.variables[name]
        known = self.language.constants.get(token.value)
        if known is None:
            known = self.language.constants.get(self.language.canonical(name))
        return known if known is not None else Value(name=self.language.canonical(name))

    def grouped(self, opener: str) -> Value:
        """What stands between brackets: one value, a list, an object, or a block."""
        close = OPEN[opener]
        items: list[Value] = []
        keys: list[str] = []
        while self.peek() is not None and not self.next_is(close):
            key = self.key_ahead() if opener != "(" or self.language.sigils else ""
            before = self.at
            value = self.expression()
            if value != NOTHING or key:
                items.append(value)
                keys.append(key)
            self.skip_inside(close)
            if self.at == before:
                self.at += 1
        self.at += 1
        if opener == "(" and len(items) == 1 and not keys[0]:
            return items[0]
        if opener == "{" and not any(keys):
            return items[-1] if items else NOTHING
        return Value(items=tuple(items[:256]), keys=tuple(keys[:256]) if any(keys) else ())

    def _hanging(self, value: Value, token: Token) -> Value:
        """Members, calls and items behind a value."""
        while (sign := self.peek()) is not None:
            after = self.peek(1)
            if (
                sign.value == "."
                and after is not None
                and after.value[:1] == "!"
                and (value.texts or value.items)
            ):
                # Scala runs a text by this.
                self.at += 2
                value = self.shell(value, self.spot(token))
            elif sign.value in MEMBERS and sign.kind == "sign" and after is not None and after.kind == "name":
                if sign.value == ":" and self._no_member(sign, after):
                    return value
                self.at += 2
                value = self._member(value, after, token)
            elif sign.value == "->" and after is not None and after.value in ("[", "{", "("):
                self.at += 1
            elif sign.value == "." and sign.kind == "sign" and after is not None and after.value == "(":
                # Julia calls a function for each of many by this.
                self.at += 1
            elif sign.value == "(" and sign.kind == "sign" and self._calls(sign):
                value = self._call(value, "", token)
            elif sign.kind == "text" and value.name.endswith("$"):
                self.at += 1
                value = self.shell(self.filled(sign), self.spot(sign))
            elif sign.value == "[" and sign.start == self.tokens[self.at - 1].end:
                self.at += 1
                key = self.grouped("[")
                key = key.items[0] if key.items is not None and len(key.items) == 1 else key
                handler = self.language.handlers.get(f"{value.name}[]") if value.name else None
                if handler is not None:
                    value = handler(self, Call(value.name, [(key, self.spot(sign))], self.spot(token)))
                else:
                    value = item(value, key)
                if value.name:
                    value = replace(value, name=self.language.canonical(value.name))
            elif (
                sign.value == "{"
                and self.language.sigils == "$@%&"
                and sign.start == self.tokens[self.at - 1].end
            ):
                self.at += 1
                value = item(value, self.grouped("{"))
            elif self.language.bare and value.name and self._bare_follows(value.name, sign):
                value = self._call(value, "", token)
            else:
                return value
        return value

    def _no_member(self, sign: Token, after: Token) -> bool:
        """Whether a colon parts a key from its value, and not an object from its method as in Lua."""
        follows = self.peek(2)
        return (
            sign.end != after.start
            or follows is None
            or follows.value not in ("(", '"')
            or self.language.bare
        )

    def _calls(self, sign: Token) -> bool:
        before = self.tokens[self.at - 1]
        return sign.start == before.end or not self.language.bare

    def _bare_follows(self, name: str, sign: Token) -> bool:
        if self.language.calls.get(name, "").endswith("rest") and sign.value in ("}", *self.language.endings):
            # Without arguments it takes what a loop is at.
            return sign.kind != "line"
        known = name in self.language.calls or name in self.language.handlers
        known = known or name.rpartition(".")[2] in self.language.methods
        if (
            not known
            or sign.kind == "line"
            or (sign.kind == "sign" and sign.value not in ("[", "<", "\\", "-", "(", "*", "@", "$"))
        ):
            return False
        return sign.value not in self.language.endings

    def _member(self, value: Value, after: Token, token: Token) -> Value:
        follows = self.peek()
        bare = self.language.bare and follows is not None and self.tokens[self.at - 1].end != follows.start
        if value.name and not value.kind and not value.texts:
            dotted = self.language.canonical(f"{value.name}.{after.value}")
            known = self.language.constants.get(dotted)
            return known if known is not None else Value(name=dotted, sources=value.sources)
        if follows is not None and follows.value == "(" and follows.kind == "sign":
            return self._call(value, after.value, token)
        method = after.value
        if (
            bare
            and follows is not None
            and follows.kind in ("text", "name")
            and method in self.language.methods
        ):
            return self._call(value, method, token)
        if value.kind == "environ":
            from gateway.inspect.python.expressions import variable

            return variable(after.value) if after.value not in _WHOLE else value
        if method in _LOOPS and value.items:
            self._bind_block(value)
            return value
        if (
            method in self.language.methods
            or method in self.language.handlers
            or f".{method}" in self.language.handlers
        ):
            return self.called(Call(method, [], self.spot(token), value))
        for key, one in zip(value.keys, value.items or (), strict=False):
            if key == method:
                return one
        return Value(
            sources=value.sources, kind=value.kind, texts=value.texts if value.kind == "path" else ()
        )

    def _call(self, value: Value, method: str, token: Token) -> Value:
        """A call whose arguments come next, in parentheses or without."""
        start = token.start
        arguments: list[tuple[Value, Spot]] = []
        named: dict[str, tuple[Value, Spot]] = {}
        closed = self.next_is("(")
        if closed:
            self.at += 1
            self._bind(method or value.name.rpartition(".")[2], value)
        while (token_ := self.peek()) is not None and not (closed and self.next_is(")")):
            if not closed and (
                token_.kind == "line" or token_.value in self.language.endings or token_.value in CLOSE
            ):
                break
            key = self.argument_name()
            before = self.at
            first = self.peek() or token_
            argument = self.expression(bare=not closed)
            last = self.tokens[min(max(self.at - 1, before), len(self.tokens) - 1)]
            spot = self.within or (first.start, max(last.end, first.end))
            if key:
                named[key] = (argument, spot)
            elif self.at > before:
                arguments.append((argument, spot))
            if self.next_is(",") or (closed and self.next_is("\n", ";", "]", "}")):
                self.at += 1
                self.skip_lines()
            elif not closed or self.at == before:
                break
        if closed:
            while self.peek() is not None and not self.next_is(")"):
                self.expression()
                self.at += 1
            self.at += 1
        end = self.tokens[min(self.at, len(self.tokens)) - 1].end
        name = value.name
        if not name and not method and self.language.sigils.startswith("$") and len(value.texts) == 1:
            # A variable that holds the name of a function calls it.
            name = self.language.canonical(value.texts[0])
        made = Call(method or name, arguments, self.within or (start, max(start, end)), NOTHING, named)
        if method:
            made.holder = value
        else:
            made.holder = Value(name=value.name.rpartition(".")[0], sources=value.sources)
        return self.called(made)

    def _bind(self, method: str, value: Value) -> None:
        """The variable of a function that is called for each of many, or with the value itself."""
        if method == "then":
            given = replace(value, name=value.name.removesuffix(".then"))
        elif method in _LOOPS and value.items:
            given = each(value)
        else:
            return
        for ahead in range(4):
            token = self.peek(ahead)
            if token is not None and token.kind == "name" and token.value not in ("function", "async"):
                after, then = self.peek(ahead + 1), self.peek(ahead + 2)
                closed = after is not None and after.value == ")"
                if closed and (then is None or then.value not in ("=>", "{")):
                    # A function that is handed over by its name.
                    return
                self.variables[self.bare_name(token.value)] = given
                return

    def _bind_block(self, value: Value) -> None:
        """The variable of a block that stands behind a method without parentheses."""
        names = [self.peek(ahead) for ahead in range(4)]
        for token in names:
            if token is not None and token.kind == "name" and token.value not in ("do", "function"):
                self.variables[self.bare_name(token.value)] = each(value)
                return

    def called(self, call: Call) -> Value:
        """What a call does."""
        language = self.language
        last = call.name.rpartition(".")[2]
        handler, spec = language.handlers.get(call.name), language.calls.get(call.name)
        if handler is None and spec is None:
            handler, spec = language.handlers.get(f".{last}"), language.methods.get(last)
        if handler is not None:
            return handler(self, call)
        if spec is not None:
            return self.by_roles(spec, call)
        kept = sources((call.holder, *(value for value, _ in call.arguments)))
        for value, spot in call.arguments:
            if value.name == "eval" and "network" in kept:
                self.findings.runs(Value(sources=kept), spot)
        known = call.holder.texts or call.holder.kind in ("path", "file")
        return Value(sources=kept, texts=(UNKNOWN,) if known or kept else ())

    def code(self, value: Value, spot: Spot) -> Value:
        """A text in the same language that is run."""
        made = NOTHING
        for one in value.text():
            if certain(one).strip():
                made = self.inner(one, spot)
            else:
                self.findings.runs(value, spot)
        return made
