"""Folds the expressions of a language from its tokens, from left to right, and does what the calls in them do.

It knows nothing of precedence: texts are put together by the language's own sign for that, every other operation
makes a value of which nothing is known.
"""

from __future__ import annotations

from dataclasses import replace

from gateway.inspect.calls import roles
from gateway.inspect.code import Code
from gateway.inspect.deed import Does, Extent, Origin
from gateway.inspect.doubt import Doubt
from gateway.inspect.findings import Findings, TooMuch
from gateway.inspect.languages.language import Call, Language, Spot
from gateway.inspect.languages.syntax import MAX_TOKENS, Token, tokens
from gateway.inspect.value import NOTHING, Value, either, joined, sources, text
from gateway.inspect.word import UNKNOWN, certain

MAX_CODE = 64 * 1024
MAX_NESTED = 5
_OPEN = {"(": ")", "[": "]", "{": "}"}
_CLOSE = frozenset(_OPEN.values())
_MEMBERS = frozenset((".", "->", "::", "?.", ":"))
_ASSIGNS = frozenset(("=", ":=", "<-", "+=", ".=", "|=", "||="))
_KEYS = frozenset((":", "=>"))
_LOOPS = frozenset(("forEach", "map", "each", "for_each", "foreach", "filter", "select", "eachFile"))
_WHOLE = frozenset(("to_h", "to_a", "each", "map", "inspect", "toObject", "to_hash", "entries"))
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "cmd", "cmd.exe", "powershell", "powershell.exe"))


class _Spots:
    """Places of parts that are places themselves."""

    def span(self, node: object) -> Spot:
        """The place."""
        return node if isinstance(node, tuple) else (0, 0)


class Evaluator:
    """The state of one piece of code while its tokens are read."""

    def __init__(self, language: Language, findings: Findings, nested: int = 0) -> None:
        self.language = language
        self.findings = findings
        self.variables: dict[str, Value] = {}
        self.nested = nested
        self.within: Spot | None = None
        self._tokens: list[Token] = []
        self._at = 0

    def run(self, source: str) -> Value:
        """Read a text of the language; the value is that of its last expression."""
        before = self._tokens, self._at
        self._tokens = []
        for token in tokens(source, self.language.syntax):
            self._tokens.append(token)
            if len(self._tokens) > MAX_TOKENS:
                raise TooMuch("the code is too large to be analysed")
        self._at = 0
        made = NOTHING
        while self._at < len(self._tokens):
            value = self.expression()
            made = value if value != NOTHING else made
            self._skip()
        self._tokens, self._at = before
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

    def spot(self, token: Token) -> Spot:
        """Where a token stands in the code that is inspected."""
        return self.within or (token.start, token.end)

    def peek(self, ahead: int = 0) -> Token | None:
        """The token that comes next."""
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else None

    def next_is(self, *values: str) -> bool:
        """Whether the next token is one of some signs."""
        token = self.peek()
        return token is not None and token.kind in ("sign", "line") and token.value in values

    def _skip(self) -> None:
        """Pass what ends an expression."""
        token = self.peek()
        if token is not None and (token.kind == "line" or token.value in (";", ",") or token.value in _CLOSE):
            self._at += 1

    def expression(self, bare: bool = False) -> Value:  # noqa: FBT001, FBT002
        """An expression up to what ends it."""
        self.findings.spend()
        self.findings.depth += 1
        if self.findings.depth > 100:
            raise TooMuch("the code is nested too deep to be analysed")
        name = self._name_ahead()
        value = self.operand()
        while (token := self.peek()) is not None:
            sign = token.value
            if token.kind == "line" and self._goes_on():
                self._at += 1
                continue
            if token.kind == "line" or sign in (";", ",") or sign in _CLOSE or (bare and self._ends(token)):
                break
            if sign in self.language.joins and token.kind == "sign":
                self._at += 1
                self._lines()
                value = joined([value, self.operand()])
            elif sign in _ASSIGNS and token.kind == "sign":
                self._at += 1
                self._lines()
                value = self._assigned(name, sign, self.expression(bare))
            elif token.kind == "name" and sign == "as" and self.language.sigils == "$":
                self._at += 1
                name = self._name_ahead()
                self.variables[name] = each(value)
                self.operand()
            elif token.kind == "name" and sign in ("of", "in") and name:
                self._at += 1
                value = self.expression(bare)
                self.variables[name] = each(value)
            elif sign in ("||", "?") and token.kind == "sign":
                self._at += 1
                other = self.operand()
                value = either((value, other)) if value.texts and other.texts else value
            elif token.kind == "sign" and sign not in _OPEN:
                self._at += 1
                name = self._name_ahead() or name
                other = self.operand() if not self._over() else NOTHING
                value = self.combined(sign, value, other)
            else:
                before = name
                loop = self._at > 1 and "for" in (t.value[:3] for t in self._tokens[max(self._at - 3, 0) : self._at - 1])
                name = self._name_ahead()
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

    def beside(self, left: Value, right: Value) -> Value:
        """What two values make that stand side by side; most languages put nothing together by that."""
        del left
        return right

    def _over(self) -> bool:
        token = self.peek()
        return token is None or token.kind == "line" or token.value in (";", ",") or token.value in _CLOSE

    def _goes_on(self) -> bool:
        """Whether the next line goes on with an expression: a sign that none begins with."""
        token = self.peek(1)
        return token is not None and token.kind == "sign" and token.value in (".", "?.", "->", "|>", *self.language.joins)

    def _lines(self) -> None:
        while self.next_is("\n"):
            self._at += 1

    def _ends(self, token: Token) -> bool:
        return token.value in self.language.endings

    def _name_ahead(self) -> str:
        token = self.peek()
        if token is None or token.kind != "name":
            return ""
        after = self.peek(1)
        if after is not None and after.value in _MEMBERS and after.value != ":":
            return ""
        return self.bare_name(token.value)

    def bare_name(self, name: str) -> str:
        """A variable's name without the sign that it opens with."""
        return name.lstrip(self.language.sigils) if self.language.sigils else name

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
        self._at += 1
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
        if token.value in _OPEN:
            return self._hanging(self.grouped(token.value), token)
        if token.value in _CLOSE or token.kind == "line" or token.value in (";", ","):
            self._at -= 1
            return NOTHING
        return self.operand() if token.value in ("!", "&", "-", "+", "~", "\\", "*", "@", "$", "%", "...", "<") else NOTHING

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
        close = _OPEN[opener]
        items: list[Value] = []
        keys: list[str] = []
        while self.peek() is not None and not self.next_is(close):
            key = self._key() if opener != "(" or self.language.sigils else ""
            before = self._at
            value = self.expression()
            if value != NOTHING or key:
                items.append(value)
                keys.append(key)
            self._skip_inside(close)
            if self._at == before:
                self._at += 1
        self._at += 1
        if opener == "(" and len(items) == 1 and not keys[0]:
            return items[0]
        if opener == "{" and not any(keys):
            return items[-1] if items else NOTHING
        return Value(items=tuple(items[:256]), keys=tuple(keys[:256]) if any(keys) else ())

    def _skip_inside(self, close: str) -> None:
        while self.next_is("\n", ";", ",") or (self.next_is(*_CLOSE) and not self.next_is(close)):
            self._at += 1

    def _key(self) -> str:
        self._lines()
        token, after = self.peek(), self.peek(1)
        if token is None or after is None or token.kind not in ("name", "text") or after.value not in _KEYS:
            return ""
        self._at += 2
        return token.value

    def _hanging(self, value: Value, token: Token) -> Value:
        """Members, calls and items behind a value."""
        while (sign := self.peek()) is not None:
            after = self.peek(1)
            if sign.value == "." and after is not None and after.value[:1] == "!" and (value.texts or value.items):
                # Scala runs a text by this.
                self._at += 2
                value = self.shell(value, self.spot(token))
            elif sign.value in _MEMBERS and sign.kind == "sign" and after is not None and after.kind == "name":
                if sign.value == ":" and self._no_member(sign, after):
                    return value
                self._at += 2
                value = self._member(value, after, token)
            elif sign.value == "->" and after is not None and after.value in ("[", "{", "("):
                self._at += 1
            elif sign.value == "(" and sign.kind == "sign" and self._calls(sign):
                value = self._call(value, "", token)
            elif sign.kind == "text" and value.name.endswith("$"):
                self._at += 1
                value = self.shell(self.filled(sign), self.spot(sign))
            elif sign.value == "[" and sign.start == self._tokens[self._at - 1].end:
                self._at += 1
                key = self.grouped("[")
                key = key.items[0] if key.items is not None and len(key.items) == 1 else key
                handler = self.language.handlers.get(f"{value.name}[]") if value.name else None
                if handler is not None:
                    value = handler(self, Call(value.name, [(key, self.spot(sign))], self.spot(token)))
                else:
                    value = item(value, key)
                if value.name:
                    value = replace(value, name=self.language.canonical(value.name))
            elif sign.value == "{" and self.language.sigils == "$@%&" and sign.start == self._tokens[self._at - 1].end:
                self._at += 1
                value = item(value, self.grouped("{"))
            elif self.language.bare and value.name and self._bare_follows(value.name, sign):
                value = self._call(value, "", token)
            else:
                return value
        return value

    def _no_member(self, sign: Token, after: Token) -> bool:
        """Whether a colon parts a key from its value, and not an object from its method as in Lua."""
        follows = self.peek(2)
        return sign.end != after.start or follows is None or follows.value not in ("(", '"') or self.language.bare

    def _calls(self, sign: Token) -> bool:
        before = self._tokens[self._at - 1]
        return sign.start == before.end or not self.language.bare

    def _bare_follows(self, name: str, sign: Token) -> bool:
        known = name in self.language.calls or name in self.language.handlers
        known = known or name.rpartition(".")[2] in self.language.methods
        if not known or sign.kind == "line" or (sign.kind == "sign" and sign.value not in ("[", "<", "\\", "-", "(", "*", "@", "$")):
            return False
        return sign.value not in self.language.endings

    def _member(self, value: Value, after: Token, token: Token) -> Value:
        follows = self.peek()
        bare = self.language.bare and follows is not None and self._tokens[self._at - 1].end != follows.start
        if value.name and not value.kind and not value.texts:
            dotted = self.language.canonical(f"{value.name}.{after.value}")
            known = self.language.constants.get(dotted)
            return known if known is not None else Value(name=dotted, sources=value.sources)
        if follows is not None and follows.value == "(" and follows.kind == "sign":
            return self._call(value, after.value, token)
        method = after.value
        if bare and follows is not None and follows.kind in ("text", "name") and method in self.language.methods:
            return self._call(value, method, token)
        if value.kind == "environ":
            from gateway.inspect.python.expressions import variable

            return variable(after.value) if after.value not in _WHOLE else value
        if method in _LOOPS and value.items:
            self._bind_block(value)
            return value
        if method in self.language.methods or method in self.language.handlers or f".{method}" in self.language.handlers:
            return self.called(Call(method, [], self.spot(token), value))
        for key, one in zip(value.keys, value.items or (), strict=False):
            if key == method:
                return one
        return Value(sources=value.sources, kind=value.kind, texts=value.texts if value.kind == "path" else ())

    def _call(self, value: Value, method: str, token: Token) -> Value:
        """A call whose arguments come next, in parentheses or without."""
        start = token.start
        arguments: list[tuple[Value, Spot]] = []
        named: dict[str, tuple[Value, Spot]] = {}
        closed = self.next_is("(")
        if closed:
            self._at += 1
            self._bind(method or value.name.rpartition(".")[2], value)
        while (token_ := self.peek()) is not None and not (closed and self.next_is(")")):
            if not closed and (token_.kind == "line" or token_.value in self.language.endings or token_.value in _CLOSE):
                break
            key = self._argument_name()
            before = self._at
            first = self.peek() or token_
            argument = self.expression(bare=not closed)
            last = self._tokens[min(max(self._at - 1, before), len(self._tokens) - 1)]
            spot = self.within or (first.start, max(last.end, first.end))
            if key:
                named[key] = (argument, spot)
            elif self._at > before:
                arguments.append((argument, spot))
            if self.next_is(",") or (closed and self.next_is("\n", ";", "]", "}")):
                self._at += 1
                self._lines()
            elif not closed or self._at == before:
                break
        if closed:
            while self.peek() is not None and not self.next_is(")"):
                self.expression()
                self._at += 1
            self._at += 1
        end = self._tokens[min(self._at, len(self._tokens)) - 1].end
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

    def _argument_name(self) -> str:
        token, after = self.peek(), self.peek(1)
        named = token is not None and token.kind == "name" and after is not None and after.kind == "sign"
        if named and token is not None and after is not None and after.value in ("=", ":", "=>"):
            if after.value == "=>" and not self.language.sigils and not self.language.bare:
                return ""
            self._at += 2
            return token.value
        return ""

    def _bind(self, method: str, value: Value) -> None:
        """The variable of a function that is called for each of many."""
        if method not in _LOOPS or not value.items:
            return
        for ahead in range(4):
            token = self.peek(ahead)
            if token is not None and token.kind == "name" and token.value not in ("function", "async"):
                self.variables[self.bare_name(token.value)] = each(value)
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

    def by_roles(self, spec: str, call: Call) -> Value:
        """Do with the arguments what a table says; `*` in it is every argument from there on."""
        made = NOTHING
        for role in roles(spec):
            if role.kind == "self":
                given = [(call.holder, call.spot)]
            elif "rest" in role.names:
                given = call.arguments[role.at :]
            else:
                given = call.arguments[role.at : role.at + 1]
                given = given or [call.named[name] for name in role.names if name in call.named][:1]
            if role.does is Does.DELETE and not call.arguments and not call.named and self.language.bare:
                # Without arguments it takes what a loop is at.
                given = [(text(UNKNOWN), call.spot)]
            for value, spot in given:
                made = self._role(role.kind, role.does, role.extent, value, spot, call)
        return made

    def _role(self, kind: str, does: Does | None, extent: Extent, value: Value, spot: Spot, call: Call) -> Value:
        findings = self.findings
        if kind == "shell":
            return self.shell(value, spot)
        if kind == "command":
            return self.command([one for one, _ in call.arguments], spot)
        if kind == "code":
            return self.code(value, spot)
        if kind == "query":
            for one in value.texts:
                if " " in one.strip():
                    findings.query(one, spot)
        elif does is Does.NET:
            return self.net(value, spot, tuple(one for one, _ in call.arguments))
        elif does is Does.KILL:
            if value.number != 0:
                findings.deed(does, value.text()[0], spot)
        elif does is Does.READ:
            return self.read(value, spot)
        elif does is not None:
            for one in flat(value) if not value.keys else ():
                findings.on_paths(does, one, spot, extent)
        return NOTHING

    def read(self, value: Value, spot: Spot) -> Value:
        """A file that is read."""
        for one in flat(value):
            if certain("".join(one.text())):
                self.findings.on_paths(Does.READ, one, spot)
        return Value(texts=(UNKNOWN,), sources=frozenset(f"file:{path}" for path in value.text()))

    def net(self, value: Value, spot: Spot, sent: tuple[Value, ...] = ()) -> Value:
        """A host that is spoken to."""
        for one in value.text():
            self.findings.deed(Does.NET, one, spot, sent=sent)
        return Value(texts=(UNKNOWN,), sources=frozenset(("network",)))

    def shell(self, value: Value, spot: Spot) -> Value:
        """A text that a shell is given."""
        for one in flat(value):
            self.findings.shell(one, spot)
        return Value(texts=(UNKNOWN,), sources=_printed(value.text()[0]))

    def command(self, values: list[Value], spot: Spot) -> Value:
        """A program with its arguments."""
        words = [word for value in values for one in flat(value) for word in one.text()[:1]]
        self.findings.command([(word, spot) for word in words])
        return Value(texts=(UNKNOWN,), sources=_printed(" ".join(words)))

    def code(self, value: Value, spot: Spot) -> Value:
        """A text in the same language that is run."""
        made = NOTHING
        for one in value.text():
            if certain(one).strip():
                made = self.inner(one, spot)
            else:
                self.findings.runs(value, spot)
        return made


def flat(value: Value) -> tuple[Value, ...]:
    """The values of a list and of the lists in it, or else the value alone."""
    if value.items is None or value.texts:
        return (value,)
    return tuple(one for part in value.items for one in flat(part))


def each(value: Value) -> Value:
    """What the variable of a loop over a value is."""
    return either(value.items) if value.items else Value(sources=value.sources, texts=value.texts, extent=value.extent)


def item(value: Value, key: Value) -> Value:
    """An item of a value."""
    if value.kind == "environ":
        from gateway.inspect.python.expressions import variable

        name = key.texts[0] if key.texts else key.name
        return variable(name)
    if value.items is not None and key.number is not None and 0 <= key.number < len(value.items):
        return value.items[key.number]
    for known, one in zip(value.keys, value.items or (), strict=False):
        if key.texts == (known,):
            return one
    if value.name and key.texts:
        return Value(name=f"{value.name}.{key.texts[0]}")
    if value.items:
        return either(value.items)
    return Value(sources=value.sources, texts=(UNKNOWN,) if value.texts else ())


def number(spelled: str) -> Value:
    """A number; one that is no whole number tells nothing."""
    try:
        return Value(number=int(spelled.replace("_", "")[:16], 16 if spelled[:2] in ("0x", "0X") else 10))
    except ValueError:
        return NOTHING


def _printed(command: str) -> frozenset[str]:
    words = command.split()
    program = words[0].rsplit("/", 1)[-1] if words else ""
    if program in ("curl", "wget", "fetch"):
        return frozenset(("network",))
    if program in ("cat", "head", "tail") and len(words) > 1:
        return frozenset((f"file:{words[-1]}",))
    return frozenset(("decoded",)) if "base64" in command and "-d" in command else frozenset()


def read(
    language: Language,
    source: str,
    variables: dict[str, Value] | None = None,
    evaluator: type[Evaluator] = Evaluator,
) -> Code:
    """All that a text of a language would do."""
    findings = Findings(_Spots())
    whole = (0, len(source))
    if len(source) > MAX_CODE:
        return Code(doubts=(Doubt("the code is too long to be analysed", *whole),))
    made = evaluator(language, findings)
    made.variables.update(variables or {})
    try:
        made.run(source)
    except TooMuch as error:
        findings.doubts[Doubt(str(error), *whole)] = None
    except RecursionError:
        findings.doubts[Doubt("the code is nested too deep to be analysed", *whole)] = None
    _reverse(findings, whole)
    return findings.code()


def _reverse(findings: Findings, whole: Spot) -> None:
    """A shell without a command beside a connection speaks to whoever is at its other end."""
    hosts = [deed.target for deed in findings.deeds if deed.does is Does.NET]
    started = [words[0].value for words in findings.commands if len(words) == 1 or words[1].value == "-i"]
    started += [word.value.split(" ")[0] for word in findings.shells if _is_shell(word.value)]
    if hosts and any(name.rsplit("/", 1)[-1] in _SHELLS for name in started):
        findings.deed(Does.EXEC, hosts[0], whole, origin=Origin.NETWORK)


def _is_shell(command: str) -> bool:
    words = command.split()
    return bool(words) and words[0].rsplit("/", 1)[-1] in _SHELLS and "-c" not in words
