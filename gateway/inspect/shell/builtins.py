"""Shell builtins that change what later commands mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from gateway.inspect.options import bind, options
from gateway.inspect.shell.assign import setting
from gateway.inspect.shell.code import run_stdin, run_text
from gateway.inspect.shell.files import contents, is_stdin, remember
from gateway.inspect.shell.fold import printed
from gateway.inspect.shell.invocation import Simple, Text
from gateway.inspect.shell.names import secret_name
from gateway.inspect.shell.variables import assigned
from gateway.inspect.word import SECRET, UNKNOWN, Word, holed

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

_UNKNOWN: Text = (UNKNOWN,)
_NOTHING: Text = ("",)
_READ = "-r, -s, -e, -a=, -d=, -i=, -n=, -N=, -p=, -t=, -u="
_MAPFILE = "-t, -d=, -n=, -O=, -s=, -u=, -C=, -c="


def _operands(simple: Simple) -> tuple[Word, ...]:
    words = simple.words[1:]
    while words and words[0].value.startswith("-") and len(words[0].value) > 1:
        words, last = words[1:], words[0]
        if last.value == "--":
            break
    return words


def _record(walk: Walk, simple: Simple) -> None:
    walk.emit(simple.words[0].value, simple)


def _cd(walk: Walk, simple: Simple) -> Text:
    _record(walk, simple)
    operands = _operands(simple)
    if operands or simple.words[0].value == "cd":
        walk.scope.change_directory(operands[0].value if operands else None)
    else:
        walk.scope.cwd = None
    return _NOTHING


def _popd(walk: Walk, simple: Simple) -> Text:
    walk.scope.cwd = None
    return _NOTHING


def _eval(walk: Walk, simple: Simple) -> Text:
    operands = _operands(simple)
    if not operands:
        return _NOTHING
    text = " ".join(w.value for w in operands)
    last = Word("", operands[0].start, operands[-1].end)
    # `eval` runs in this very shell, so what it sets is seen by what follows.
    return run_text(walk, simple, (text,), last, walk.scope.positional)


def _source(walk: Walk, simple: Simple) -> Text:
    _record(walk, simple)
    operands = _operands(simple)
    if operands:
        written = contents(walk, operands[0].value)
        if is_stdin(operands[0].value):
            written = simple.stdin
        run_stdin(walk, simple, written)
    return _UNKNOWN


def _alias(walk: Walk, simple: Simple) -> Text:
    operands = _operands(simple)
    for word in operands:
        name, equals, text = word.value.partition("=")
        if equals:
            walk.scope.aliases[name] = text
    if len(operands) > 1 and "=" not in operands[0].value:
        # Some shells take the name and the text as words of their own.
        walk.scope.aliases[operands[0].value] = " ".join(word.value for word in operands[1:])
    return _NOTHING


def _trap(walk: Walk, simple: Simple) -> Text:
    operands = _operands(simple)
    if len(operands) > 1 and operands[0].value not in ("", "-"):
        run_text(walk, simple, (operands[0].value,), operands[0])
    return _NOTHING


def _read(walk: Walk, simple: Simple) -> Text:
    if simple.redirects:
        walk.emit("", replace(simple, words=(), variables=()))
    whole = simple.words[0].value in ("mapfile", "readarray")
    bound = bind(options(_MAPFILE if whole else _READ), simple.words[1:])
    callback = bound.value("C") if whole else None
    if callback is not None:
        # It is given the index and the line.
        text = f"{callback.value} 0 {UNKNOWN}"
        run_text(walk, replace(simple, redirects=(), stdin=None), (text,), callback)
    texts = simple.stdin or _UNKNOWN
    array = bound.value("a")
    if whole or array is not None:
        names = [array.value] if array else [w.value for w in bound.operands[:1]] or ["MAPFILE"]
        for name in names:
            items = texts[0].strip("\n").split("\n") if whole else texts[0].split()
            walk.scope.assign_array(name, tuple(items) if len(texts) == 1 else _UNKNOWN)
        return _NOTHING
    names = [w.value for w in bound.operands] or ["REPLY"]
    if len(names) == 1:
        walk.scope.assign(names[0], tuple(t.strip() for t in texts))
        if bound.operands:
            setting(walk, names[0], simple.start, simple.end)
        return _NOTHING
    known = len(texts) == 1 and not holed(texts[0])
    parts = _fields(texts[0], _separators(walk, simple), len(names)) if known else []
    for i, name in enumerate(names):
        walk.scope.assign(name, (parts[i] if i < len(parts) else UNKNOWN if not parts else "",))
        setting(walk, name, simple.start, simple.end)
    return _NOTHING


def _separators(walk: Walk, simple: Simple) -> str:
    """The characters that part words, as they are set for this command or in the shell."""
    own = [word.value for name, word in simple.variables if name == "IFS"]
    return (own or list(walk.scope.values("IFS")))[-1]


def _fields(text: str, separators: str, count: int) -> list[str]:
    """A line cut into so many words at most."""
    if not separators.strip() or UNKNOWN in separators:
        return text.split(maxsplit=count - 1)
    return re.split("[" + re.escape(separators) + "]", text.strip("\n"), maxsplit=count - 1)


def _printf(walk: Walk, simple: Simple) -> Text:
    _record(walk, simple)
    words = simple.words
    if len(words) > 3 and words[1].value == "-v":
        inner = Simple((words[0], *words[3:]))
        walk.scope.assign(words[2].value, printed("printf", inner, walk.scope.cwd))
        setting(walk, words[2].value, simple.start, simple.end)
        return _NOTHING
    text = printed("printf", simple, walk.scope.cwd)
    remember(walk, simple, "printf", text)
    return text


def _set(walk: Walk, simple: Simple) -> Text:
    _record(walk, simple)
    values = [w.value for w in simple.words[1:]]
    if not values:
        return (SECRET,)
    if "--" in values:
        walk.scope.positional = tuple(values[values.index("--") + 1 :])
    elif values and not values[0].startswith(("-", "+")):
        walk.scope.positional = tuple(values)
    return _NOTHING


def _shift(walk: Walk, simple: Simple) -> Text:
    count = simple.words[1].value if len(simple.words) > 1 else "1"
    if walk.scope.positional is not None:
        walk.scope.positional = walk.scope.positional[int(count) :] if count.isdecimal() else None
    return _NOTHING


def _unset(walk: Walk, simple: Simple) -> Text:
    _record(walk, simple)
    for word in _operands(simple):
        walk.scope.forget(word.value)
    return _NOTHING


def _export(walk: Walk, simple: Simple) -> Text:
    _record(walk, simple)
    if not any("=" in word.value for word in simple.words):
        return _declared(simple)
    options_given = [word.value for word in simple.words[1:] if word.value.startswith("-")]
    refers = simple.words[0].value != "export" and any("n" in value for value in options_given)
    for word in _operands(simple):
        name, equals, value = word.value.partition("=")
        if equals and refers:
            walk.scope.references[name] = value if value != name else UNKNOWN
        elif equals:
            walk.scope.assign(name, (value,))
            assigned(walk, name, (value,), word.start, word.end)
            setting(walk, name, word.start, word.end)
    return _NOTHING


def _declared(simple: Simple) -> Text:
    """What a declaration prints that sets nothing: variables with their values, if it is asked for them."""
    asked = any(word.value in ("-p", "-x", "-px", "-xp", "+p") for word in simple.words[1:])
    names = [word.value for word in _operands(simple)]
    return (SECRET,) if asked and (not names or any(map(secret_name, names))) else _NOTHING


def _options(walk: Walk, simple: Simple) -> Text:
    _record(walk, simple)
    if {w.value.lower().replace("_", "") for w in simple.words[1:]} & {"dotglob", "globdots"}:
        walk.scope.dotglob = True
    return _NOTHING


BUILTINS: Mapping[str, Callable[[Walk, Simple], Text]] = MappingProxyType(
    {
        "cd": _cd,
        "chdir": _cd,
        "pushd": _cd,
        "popd": _popd,
        "eval": _eval,
        "source": _source,
        ".": _source,
        "alias": _alias,
        "trap": _trap,
        "read": _read,
        "mapfile": _read,
        "readarray": _read,
        "printf": _printf,
        "set": _set,
        "shift": _shift,
        "shopt": _options,
        "setopt": _options,
        "unset": _unset,
        "export": _export,
        "declare": _export,
        "local": _export,
        "readonly": _export,
        "typeset": _export,
    }
)
