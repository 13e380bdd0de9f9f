"""What calls of a language do, as its tables tell, and what they make."""

from __future__ import annotations

from gateway.inspect.calls import roles
from gateway.inspect.deed import Does, Extent
from gateway.inspect.findings import Findings
from gateway.inspect.languages.language import Call, Language, Spot
from gateway.inspect.value import NOTHING, Value, either, text
from gateway.inspect.word import UNKNOWN, certain


class Doer:
    """Does what calls do, and notes it."""

    def __init__(self, language: Language, findings: Findings) -> None:
        self.language = language
        self.findings = findings

    def current(self) -> Value:
        """What a loop is at where nothing names it."""
        return text(UNKNOWN)

    def code(self, value: Value, spot: Spot) -> Value:
        """A text in the same language that is run."""
        self.findings.runs(value, spot)
        return NOTHING

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
                given = [(self.current(), call.spot)]
            for value, spot in given:
                made = self._role(role.kind, role.does, role.extent, value, spot, call)
        return made

    def _role(
        self, kind: str, does: Does | None, extent: Extent, value: Value, spot: Spot, call: Call
    ) -> Value:
        findings = self.findings
        if kind == "shell":
            return self.shell(value, spot)
        if kind == "command":
            return self.command([one for one, _ in call.arguments], spot)
        if kind == "code":
            return self.code(value, spot)
        if kind == "query":
            for statement in value.texts:
                if " " in statement.strip():
                    findings.query(statement, spot)
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


def flat(value: Value) -> tuple[Value, ...]:
    """The values of a list and of the lists in it, or else the value alone."""
    if value.items is None or value.texts:
        return (value,)
    return tuple(one for part in value.items for one in flat(part))


def each(value: Value) -> Value:
    """What the variable of a loop over a value is."""
    return (
        either(value.items)
        if value.items
        else Value(sources=value.sources, texts=value.texts, extent=value.extent)
    )


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
