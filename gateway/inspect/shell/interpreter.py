"""Interpreters that are given code in another language: from an option, a file that was written, or their input."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from gateway.inspect.code import Code
from gateway.inspect.deed import Deed, Does, Origin
from gateway.inspect.doubt import Doubt
from gateway.inspect.options import Bound, Reading, bind, options
from gateway.inspect.place import absolute
from gateway.inspect.shell.code import came_from, run_text
from gateway.inspect.shell.files import contents, is_stdin, write
from gateway.inspect.shell.interpreters import (
    CONSOLES,
    FRAMEWORKS,
    INTERPRETERS,
    LAUNCHERS,
    MODULES,
    PYTHON,
    Interpreter,
)
from gateway.inspect.shell.invocation import Simple
from gateway.inspect.word import Word, certain
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

_COST = 100
_DEED_COST = 8
# So many characters of code cost one step to read; what commands of Windows do is found more slowly.
_SHARE, _WINDOWS_SHARE = 16, 4
_VERSION = later(r"(?<=[A-Za-z])[-\d.]+\w?\Z")
_SHEBANG = later(r"#!\s*(?:\S*/)?(?:env\s+(?:-S\s+)?)?([\w.-]+)[^\n]*")
_URL = later(r"https?://", re.IGNORECASE)
_STATIC = later(r"\[[\w.]+\]::\w+")
_POWERSHELL = later(
    r"\s-(?:r|rec\w*|fo\w*|path|uri|literalpath)\b|[A-Za-z]:\\|\$env:|https?://", re.IGNORECASE
)
_CMD = later(r"\s/[a-zA-Z]\b|[A-Za-z]:\\", re.ASCII)


# Of PowerShell and cmd, where their own words stand in a shell's command.
_CMDLET = later(
    r"(?:remove|clear|format|set|add|new|stop|restart|move|copy|rename|invoke|start|disable|enable|get|out|initialize|"
    r"uninstall|unregister|register|reset|restore|resize|suspend|dismount|export)-[A-Za-z]+\Z",
    re.IGNORECASE,
)
_WINDOWS = "powershell"
_ALIASES = frozenset(("ri", "rp", "gci", "iwr", "irm", "saps", "spps", "clc", "iex"))
_BUILTINS = frozenset(("rd", "del", "erase", "rmdir", "robocopy"))
# No shell has these, so that they are those of cmd whatever stands behind them.
_FOREIGN = frozenset(("del", "erase", "rd"))


def interpret(walk: Walk, simple: Simple, name: str) -> None:
    """Read the code that an interpreter is given, and do with what it does as with commands of this script."""
    if len(name) > 20:
        return
    lower = name.lower()
    found = INTERPRETERS.get(lower) or INTERPRETERS.get(_VERSION.sub("", lower))
    if found is not None and not (lower in _ALIASES and _is_powershell(walk, simple, name)):
        _given(walk, simple, found)
        return
    words = simple.words[1:]
    at = next((i for i, word in enumerate(words) if not word.value.startswith("-")), len(words))
    for subcommands, known in FRAMEWORKS.get(name, ()):
        if at < len(words) and words[at].value in subcommands:
            _given(walk, replace(simple, words=(simple.words[0], *words[at + 1 :])), known)
            return
    if lower in ("powershell", "pwsh", "pwsh-preview", "cmd", "cmd.exe"):
        _windows(walk, simple, lower)
    elif "/" in simple.words[0].value:
        _written(walk, simple)
    elif _WINDOWS in simple.wrappers:
        # The reader of the line that it stands in has told already what it does.
        return
    elif (lower in _FOREIGN or (lower in _BUILTINS and _CMD.search(_raw(walk, simple)))) or _is_powershell(
        walk, simple, name
    ):
        _foreign(walk, simple, "cmd" if lower in _BUILTINS else "powershell")


def interpret_text(walk: Walk, language: str, text: str) -> None:
    """Read a whole text as code of a language."""
    whole = (0, len(text))
    _read(walk, Simple((Word(language, *whole),), start=0, end=len(text)), language, Word(text, *whole), ())


def _is_powershell(walk: Walk, simple: Simple, name: str) -> bool:
    if name.lower() in _ALIASES:
        return bool(_POWERSHELL.search(_raw(walk, simple)))
    return bool(_CMDLET.match(name) or _STATIC.match(simple.words[0].value))


def _given(walk: Walk, simple: Simple, interpreter: Interpreter) -> None:
    words = simple.words[1:]
    if interpreter.words and words and words[0].value in interpreter.words:
        words = words[1:]
        inline = simple.words[1].value == "eval"
    else:
        inline = not interpreter.words
    # `-pe` and `-ne` of one interpreter are two options of another.
    known = options(interpreter.options)
    if interpreter.language == "javascript":
        words = tuple(replace(w, value="--eval") if w.value in ("-pe", "-ep", "-pi") else w for w in words)
    bound = bind(known, words, Reading.LEADING)
    module = bound.flags.get("m", ())[:1] if interpreter is PYTHON else ()
    if module and module[0] in words:
        # All that follows are words of the module.
        _module(walk, simple, module[0].value, words[words.index(module[0]) + 1 :])
        return
    language = (
        "javascript"
        if bound.value("l") is not None and interpreter.language == "applescript"
        else interpreter.language
    )
    code = [word for option in interpreter.code for word in bound.flags.get(option, ())]
    if language == "editor":
        code += [replace(word, value=word.value[1:]) for word in words if word.value.startswith("+")]
    operands = bound.operands
    if not code and interpreter.first and operands and inline and "file" not in bound.flags:
        code, operands = [operands[0]], operands[1:]
    if len(code) > 1:
        joined = Word("\n".join(word.value for word in code), code[0].start, code[-1].end)
        _read(walk, simple, language, joined, operands)
    elif code:
        _read(walk, simple, language, code[0], operands)
    elif bound.flags.keys().isdisjoint(("version", "help", "m")):
        _run(walk, simple, interpreter, language, bound)


def _run(walk: Walk, simple: Simple, interpreter: Interpreter, language: str, bound: Bound) -> None:
    """The script that an interpreter is given, or its input."""
    operands = bound.operands
    script = bound.value("file", "f") or (operands[0] if operands and not interpreter.files else None)
    if script is None:
        for name in interpreter.files:
            for text in contents(walk, name) or ():
                _read(walk, simple, language, Word(text, simple.start, simple.end), ())
    elif not is_stdin(script.value):
        _script(walk, simple, language, script, operands[1:])
        return
    if interpreter.files and script is None:
        return
    for text in simple.stdin or ():
        # Input that can't be known is judged by where it comes from.
        if not certain(text).strip():
            came_from(walk, simple, text)
        else:
            end = (walk.script.base or 0) + len(walk.script.source)
            _read(walk, simple, language, Word(text, simple.start, max(end, simple.end)), operands[1:])


def _module(walk: Walk, simple: Simple, module: str, words: tuple[Word, ...]) -> None:
    """What a module of Python does that runs code or is a program of its own."""
    inner = replace(simple, redirects=(), stdin=None)
    operands = [word for word in words if not word.value.startswith("-")]
    if module == "timeit":
        # It runs the code in its arguments.
        for word in operands:
            _read(walk, simple, "python", word, ())
    if module in MODULES:
        name = MODULES[module]
        head = Word(name, simple.start, simple.end)
        walk.emit(name, inner.inside(simple.words[0].value, (head, *words)))
    if module in LAUNCHERS:
        for word in operands[:3]:
            if word.value.endswith(".py"):
                _script(walk, inner, "python", word, ())
    if module in CONSOLES:
        place = (simple.start, max(simple.end, (walk.script.base or 0) + len(walk.script.source)))
        given = [*bind(options("-c="), words).flags.get("c", ())]
        for word in (*given, *(Word(text, *place) for text in simple.stdin or ())):
            # A debugger's own commands stand without the mark.
            lines = (
                line.lstrip().removeprefix("!") if "pdb" in module else line
                for line in word.value.split("\n")
            )
            _read(walk, inner, "python", replace(word, value="\n".join(lines)), ())


def _script(walk: Walk, simple: Simple, language: str, script: Word, operands: tuple[Word, ...]) -> None:
    """A file that is run: one that this script wrote is read, one at an address comes from the network."""
    if _URL.match(script.value):
        place = (script.start, script.end)
        walk.reading.deeds.append(
            Deed(Does.EXEC, script.value, *place, walk.scope.cwd, origin=Origin.NETWORK)
        )
    for text in contents(walk, script.value) or () if language else ():
        _read(walk, simple, language, replace(script, value=text), operands)


def _written(walk: Walk, simple: Simple) -> None:
    """A program of this script's own making that names its interpreter."""
    for text in contents(walk, simple.words[0].value) or ():
        found = _SHEBANG.match(text)
        known = INTERPRETERS.get(_VERSION.sub("", found[1]).lower()) if found is not None else None
        if known is not None:
            _read(walk, simple, known.language, replace(simple.words[0], value=text), simple.words[1:])


def _raw(walk: Walk, simple: Simple) -> str:
    """The command as it is written, with all that follows on its line."""
    if walk.script.base is None:
        return " ".join(word.value for word in simple.words)
    start = simple.start - walk.script.base
    source = walk.script.source
    end = source.find("\n", start)
    return source[start : end if end >= 0 else len(source)]


def _windows(walk: Walk, simple: Simple, name: str) -> None:
    values = [word.value for word in simple.words[1:]]
    walk.reading.budget.spend(sum(map(len, values)) // _WINDOWS_SHARE)
    place = Word("", simple.start, simple.end)
    if name.startswith("cmd"):
        from gateway.inspect.windows.cmd import read_cmd

        text = " ".join(["cmd", *values])
        raw = walk.script.written(place)
        # The shell takes the backslashes of what isn't quoted.
        _take(walk, simple, read_cmd(raw if "\\" in raw and "\\" not in text else text), "", place)
        return
    from gateway.inspect.windows.powershell import from_words, read_powershell

    _take(walk, simple, from_words(values), "", place)
    if not any(not value.startswith("-") for value in values):
        for text in simple.stdin or ():
            if certain(text).strip():
                walk.reading.budget.spend(len(text) // _WINDOWS_SHARE)
                _take(walk, simple, read_powershell(text), "", place)


def foreign_line(walk: Walk, start: int, end: int) -> None:
    """A line that no shell can read; one of PowerShell's calls of .NET is read as that."""
    text = walk.script.text[start:end]
    if _STATIC.search(text):
        walk.reading.budget.spend(_COST + len(text) // _WINDOWS_SHARE)
        from gateway.inspect.windows.powershell import read_powershell

        place = walk.script.place(start, end)
        simple = Simple((Word("powershell", *place),), start=place[0], end=place[1])
        _take(walk, simple, read_powershell(text), "", simple.words[0])


def _foreign(walk: Walk, simple: Simple, language: str) -> None:
    """A line of Windows where a shell's command is expected."""
    from gateway.inspect.languages.readers import read_code

    raw = _raw(walk, simple)
    walk.reading.budget.spend(_COST + len(raw) // _WINDOWS_SHARE)
    code = read_code(language, raw)
    name = simple.words[0].value.lower()
    others = tuple(words for words in code.commands if words[0].value != name)
    _take(walk, simple, replace(code, commands=others), "", Word("", simple.start, simple.end))


def _read(walk: Walk, simple: Simple, language: str, word: Word, operands: tuple[Word, ...]) -> None:
    """Read some code and take over what it would do."""
    from gateway.inspect.languages.readers import read_code

    text = word.value
    if not language:
        if text.strip():
            walk.reading.doubt("no reader is there for the language of this code", word.start, word.end)
        return
    if not certain(text).strip():
        if text:
            came_from(walk, simple, text)
            walk.reading.doubt("the code that it runs is only known when it runs", word.start, word.end)
        return
    walk.reading.budget.spend(
        _COST + len(text) // (_WINDOWS_SHARE if language in ("cmd", "powershell") else _SHARE)
    )
    code = read_code(language, text, tuple(one.value for one in operands))
    _take(walk, simple, code, text, word)


def _take(walk: Walk, simple: Simple, code: Code, text: str, word: Word) -> None:
    """Put what some code would do in its place in the inspected text, and follow what it runs."""
    base = walk.script.find(text, word.start, word.end) if text else None
    # Cmdlets are told by the reader itself, and come back only to be matched.
    windows = not text and any(_CMDLET.match(words[0].value) for words in code.commands)
    whole = (simple.start, simple.end) if word.end > simple.end else (word.start, word.end)

    def placed(start: int, end: int) -> tuple[int, int]:
        return whole if base is None else (base + start, base + end)

    reading, scope = walk.reading, walk.scope
    reading.budget.spend(_DEED_COST * (len(code.deeds) + len(code.queries)))
    for deed in code.deeds:
        start, end = placed(deed.start, deed.end)
        cwd = None if deed.cwd is None else absolute(deed.cwd, scope.cwd, scope.home)
        reading.deeds.append(replace(deed, start=start, end=end, cwd=cwd))
    for query in code.queries:
        reading.queries.append(_moved(query, placed(query.start, query.end)))
    for doubt in code.doubts:
        reading.doubts.append(Doubt(doubt.reason, *placed(doubt.start, doubt.end)))
    for name, held in code.written:
        write(walk, name, (held,), ">")
    inner = replace(simple, stdin=None, redirects=())
    for shell in code.shells:
        moved = _moved(shell, placed(shell.start, shell.end))
        run_text(walk, inner, (shell.value,), moved)
    before = scope
    for words in code.commands:
        given = tuple(_moved(one, placed(one.start, one.end)) for one in words)
        # What the command changes in a shell ends with the process.
        walk.enter(before.copy())
        walk.execute(inner.inside(_WINDOWS if windows else simple.words[0].value, given))
        walk.enter(before)


def _moved(word: Word, place: tuple[int, int]) -> Word:
    return Word(word.value, *place)
