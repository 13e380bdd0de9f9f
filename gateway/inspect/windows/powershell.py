"""PowerShell: pipelines of cmdlets, what they do to files, hosts and code, and all else as programs."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gateway.inspect.code import Code
from gateway.inspect.deed import Deed, Does, Extent, Origin
from gateway.inspect.doubt import Doubt
from gateway.inspect.private import ENVIRONMENT
from gateway.inspect.python.folding import FOLDS
from gateway.inspect.value import text as text_value
from gateway.inspect.windows.cmd import MAX_LINE, MAX_NESTED, Line, decoded
from gateway.inspect.windows.cmdlets import Given, bound, cmdlet
from gateway.inspect.windows.lexer import Part, parts
from gateway.inspect.windows.tables import ALIASES
from gateway.inspect.word import UNKNOWN, Word, certain
from gateway.later import later

_KEYWORDS = frozenset(
    ("if", "elseif", "else", "while", "for", "foreach", "do", "until", "try", "catch", "finally", "function", "switch",
     "param", "begin", "process", "end", "return", "filter", "trap", "in")
)  # fmt: skip
_STATIC = later(r"\[(?:System\.)?(?P<type>[\w.]+)\]::(?P<method>\w+)\s*\(?", re.IGNORECASE)
_DOWNLOAD = later(r"\.\s*Download(?P<what>String|Data|File)(?:Async)?\b|\.GetStringAsync\b", re.IGNORECASE)
_DELETE = later(r"\.\s*Delete\s*\(", re.IGNORECASE)
_SOCKET = later(r"Net\.Sockets\.TCPClient\s*\(?\s*['\"]?([\w.-]+)['\"]?\s*,\s*(\d+)", re.IGNORECASE)
_ENCODED = later(r"[-/]e(?:nc?|nco?d?e?d?c?o?m?m?a?n?d?|c)?\Z", re.IGNORECASE)
_COMMAND = later(r"[-/]c(?:o(?:m(?:m(?:a(?:n(?:d)?)?)?)?)?)?\Z", re.IGNORECASE)
_VALUED = later(
    r"-(?:ex?\w*|ep|executionpolicy|w\w*|windowstyle|v\w*|in\w*|o\w*|psc\w*|conf\w*|wo\w*)\Z", re.IGNORECASE
)
_JOIN = later(r"\s-join\s*(['\"])(.*?)\1", re.IGNORECASE)


@dataclass(slots=True)
class Shell:
    """The state of one script while it is read."""

    nested: int = 0
    line: Line = field(default_factory=Line)
    variables: dict[str, str] = field(default_factory=dict)
    network: set[str] = field(default_factory=set)
    sockets: list[str] = field(default_factory=list)


def read_powershell(text: str, nested: int = 0) -> Code:
    """All that a PowerShell script would do."""
    shell = Shell(nested)
    if len(text) > MAX_LINE:
        return Code(doubts=(Doubt("the command is too long to be analysed", 0, len(text)),))
    try:
        read(shell, text, 0)
    except RecursionError:
        shell.line.doubts.append(Doubt("the command is nested too deep to be analysed", 0, len(text)))
    return shell.line.code()


def from_words(words: list[str], nested: int = 0) -> Code:
    """What `powershell` would do with these arguments."""
    i = 0
    while i < len(words):
        word = words[i]
        if _COMMAND.match(word):
            return read_powershell(" ".join(words[i + 1 :]), nested)
        if (
            word.lower() not in ("-ep", "-ex", "-executionpolicy")
            and _ENCODED.match(word)
            and i + 1 < len(words)
        ):
            made = decoded(words[i + 1])
            if made == UNKNOWN:
                return Code(deeds=(Deed(Does.EXEC, UNKNOWN, 0, 0, origin=Origin.DECODED),))
            return read_powershell(made, nested)
        if word.lower() in ("-file", "-f"):
            return Code()
        if not word.startswith(("-", "/")):
            return read_powershell(" ".join(words[i:]), nested)
        i += 2 if _VALUED.match(word) else 1
    return Code()


def read(shell: Shell, text: str, offset: int) -> str:
    """Read a script; the value is what its last command makes, with marks."""
    if shell.nested > MAX_NESTED:
        shell.line.doubts.append(
            Doubt("the command is nested too deep to be analysed", offset, offset + len(text))
        )
        return UNKNOWN
    made = ""
    statement: list[Part] = []
    for part in (*parts(text, shell.variables), Part("sign", ";", len(text), len(text))):
        if part.kind == "sign" and part.value in (";", "\n", "&&", "||"):
            if part.value == "\n" and statement and statement[-1].value == "|":
                continue
            made = _statement(shell, statement, text, offset) if statement else made
            statement = []
            # What is set by now is known from here on.
            continue
        statement.append(part)
    return made


def _again(shell: Shell, statement: list[Part], text: str, offset: int) -> list[Part]:
    """The parts of a statement with the variables that are known now."""
    start, end = statement[0].start, statement[-1].end
    del offset
    return [
        Part(p.kind, p.value, p.start + start, p.end + start, p.first, p.quoted)
        for p in parts(text[start:end], shell.variables)
    ]


def _statement(shell: Shell, statement: list[Part], text: str, offset: int) -> str:
    if shell.variables:
        statement = _again(shell, statement, text, offset)
    raw = text[statement[0].start : statement[-1].end]
    assigned = re.match(r"(?:\[[\w.\[\]]+\]\s*)?\$(?:env:|global:|script:)?(\w+)\s*(\+?=)(?!=)\s*", raw)
    if assigned is not None:
        inner = raw[assigned.end() :]
        value = _nested(shell, inner, offset + statement[0].start + assigned.end())
        name = assigned[1].lower()
        if assigned[2] == "+=" and name in shell.variables:
            value = shell.variables[name] + value
        shell.variables[name] = value
        if _fetches(inner, shell):
            shell.network.add(name)
        return ""
    if statement[0].kind == "word" and statement[0].value.lower() in _KEYWORDS and not statement[0].quoted:
        _keyword(shell, statement, text, offset)
        return ""
    piped: list[str] | None = None
    fetched = False
    stage: list[Part] = []
    for part in (*statement, Part("sign", "|", 0, 0)):
        if part.kind == "sign" and part.value == "|":
            if stage:
                stage_raw = text[stage[0].start : stage[-1].end]
                piped = _stage(shell, stage, text, offset, piped, fetched)
                fetched = fetched or _fetches(stage_raw, shell)
            stage = []
        else:
            stage.append(part)
    return piped[0] if piped else ""


def _keyword(shell: Shell, statement: list[Part], text: str, offset: int) -> None:
    """The groups and blocks of a compound statement; a loop's variable is each of what it is over."""
    for part in statement:
        if part.kind == "group" and statement[0].value.lower() == "foreach":
            found = re.match(r"\s*\$(\w+)\s+in\s+", part.value)
            if found is not None:
                shell.variables[found[1].lower()] = _nested(
                    shell, part.value[found.end() :], offset + part.start
                )
                continue
        if part.kind in ("group", "block"):
            _nested(shell, part.value, offset + part.start)
    last = statement[-1]
    if last.kind == "word" and len(statement) > 1 and statement[0].value.lower() == "return":
        _statement(shell, statement[1:], text, offset)


def _nested(shell: Shell, text: str, offset: int) -> str:
    shell.nested += 1
    made = read(shell, text, offset)
    shell.nested -= 1
    return made


def _fetches(raw: str, shell: Shell) -> bool:
    """Whether a piece of code makes a text that comes from a network."""
    if _DOWNLOAD.search(raw) or re.search(
        r"\b(?:i(?:wr|rm)|curl|wget|invoke-(?:webrequest|restmethod)|start-bitstransfer)\b",
        raw,
        re.IGNORECASE,
    ):
        return True
    return any(f"${name}" in raw.lower() for name in shell.network)


def _stage(
    shell: Shell,
    stage: list[Part],
    text: str,
    offset: int,
    piped: list[str] | None,
    fetched: bool,
) -> list[str]:
    """One command of a pipeline; what it hands on to the next, where that is known."""
    place = (offset + stage[0].start, offset + stage[-1].end)
    raw = text[stage[0].start : stage[-1].end]
    stage = _redirected(shell, stage, place)
    called = bool(stage) and stage[0].kind == "sign" and stage[0].value in ("&", ".")
    if stage and (called or (stage[0].value == "." and not stage[0].quoted)):
        stage = stage[1:]
    if not stage:
        return []
    first = stage[0]
    if first.kind == "block" or (first.kind == "group" and called):
        return _called(shell, first, raw, offset, fetched)
    if (
        first.kind == "group"
        or (first.value[:1] in ("[", "$", UNKNOWN) and not called)
        or (first.quoted and not called)
    ):
        return _expression(shell, stage, raw, place, offset)
    words = given(shell, stage, offset)
    if not words:
        return []
    name = words[0].value.lower().removesuffix(".exe").rsplit("\\", 1)[-1]
    return run(
        shell, ALIASES.get(name, name), words, piped, fetched or _fetches(raw.partition(" ")[2], shell), place
    )


def _redirected(shell: Shell, stage: list[Part], place: tuple[int, int]) -> list[Part]:
    from gateway.inspect.windows.paths import path

    made: list[Part] = []
    skip = False
    for i, part in enumerate(stage):
        if skip:
            skip = not (i + 1 < len(stage) and stage[i + 1].first)
            skip = False
            continue
        if part.kind == "sign" and ">" in part.value:
            if "&" not in part.value and i + 1 < len(stage):
                target = stage[i + 1].value
                if target.lower() not in ("$null", "nul", ""):
                    does = Does.APPEND if ">>" in part.value else Does.OVERWRITE
                    shell.line.deeds.append(Deed(does, path(target), *place, shell.line.cwd))
                skip = True
            continue
        made.append(part)
    return made


def _called(shell: Shell, first: Part, raw: str, offset: int, fetched: bool) -> list[str]:
    """`& { … }` runs a block, `& (…)` what a group makes."""
    made = _nested(shell, first.value, offset + first.start)
    if first.kind == "group":
        if fetched or _fetches(raw, shell):
            shell.line.deeds.append(
                Deed(Does.EXEC, UNKNOWN, offset, offset + len(raw), origin=Origin.NETWORK)
            )
        elif certain(made):
            name = ALIASES.get(made.lower(), made.lower())
            rest = [Given(part.value, part.kind) for part in parts(raw, shell.variables)[2:]]
            run(shell, name, [Given(name, "word"), *rest], None, fetched, (offset, offset + len(raw)))
    return [made]


def given(shell: Shell, stage: list[Part], offset: int) -> list[Given]:
    """The words of a command: adjoining parts make one, groups are read for what they make."""
    words: list[Given] = []
    listed = False
    for part in stage:
        if part.kind == "sign":
            listed = part.value == ","
            if listed and words:
                words[-1] = Given(words[-1].value, words[-1].kind, words[-1].more)
            continue
        value, kind = part.value, part.kind
        if kind == "group":
            value, kind = _nested(shell, part.value, offset + part.start) or UNKNOWN, "word"
        if listed and words:
            words[-1] = Given(words[-1].value, words[-1].kind, (*words[-1].more, value))
        elif words and not part.first and kind == "word" and words[-1].kind == "word":
            words[-1] = Given(words[-1].value + value, "word", words[-1].more)
        else:
            words.append(Given(value, kind, quoted=part.quoted))
        listed = False
    return words


def run(
    shell: Shell,
    name: str,
    words: list[Given],
    piped: list[str] | None,
    fetched: bool,
    place: tuple[int, int],
) -> list[str]:
    """A cmdlet or a program."""
    line = shell.line
    values = [word.value for word in words]
    if name in ("powershell", "pwsh"):
        inner = from_words([w.value for w in words[1:]], shell.nested + 1)
        line.add(inner, *place)
        return []
    if name == "cmd":
        from gateway.inspect.windows.cmd import read_cmd

        line.add(read_cmd(" ".join(values), shell.nested + 1), *place)
        return []
    if name == "wsl":
        line.shells.append(Word(" ".join(v for v in values[1:] if v not in ("--", "-e", "--exec")), *place))
        return []
    if name == "invoke-expression":
        evaluate(shell, values[-1] if len(values) > 1 else (piped or [UNKNOWN])[0], fetched, place)
        return []
    arguments = bound(name, words[1:])
    if "whatif" in arguments.flags:
        return []
    blocks = [word.value for word in words if word.kind == "block"]
    if blocks:
        if name == "foreach-object":
            shell.variables["_"] = shell.variables["psitem"] = (piped or [UNKNOWN])[0]
        for block in blocks:
            _nested(shell, block, place[0])
        if name in ("foreach-object", "where-object"):
            return piped or []
    return cmdlet(line, name, arguments, piped, place)


def evaluate(shell: Shell, value: str, fetched: bool, place: tuple[int, int]) -> None:
    """A text that is run as code."""
    if (fetched and UNKNOWN in value) or not certain(value).strip():
        origin = Origin.NETWORK if fetched else Origin.UNKNOWN
        shell.line.deeds.append(Deed(Does.EXEC, UNKNOWN, *place, origin=origin))
    else:
        inner = read_powershell(value, shell.nested + 1)
        shell.line.add(inner, *place)


def _expression(shell: Shell, stage: list[Part], raw: str, place: tuple[int, int], offset: int) -> list[str]:
    """An expression: static methods of .NET, methods of objects, texts put together."""
    line = shell.line
    static = _STATIC.search(raw)
    values: list[str] = []
    for part in stage:
        if part.kind == "group":
            values.append(_nested(shell, part.value, offset + part.start))
        elif part.kind == "block":
            _nested(shell, part.value, offset + part.start)
    arguments = _arguments(shell, stage)
    socket = _SOCKET.search(raw)
    if socket is not None:
        line.deeds.append(Deed(Does.NET, f"{socket[1]}:{socket[2]}", *place))
        line.deeds.append(Deed(Does.EXEC, f"{socket[1]}:{socket[2]}", *place, origin=Origin.NETWORK))
    download = _DOWNLOAD.search(raw)
    if download is not None:
        url = arguments[0] if arguments else UNKNOWN
        line.deeds.append(Deed(Does.NET, url, *place))
        if download["what"] == "File" and len(arguments) > 1:
            line.deeds.append(Deed(Does.OVERWRITE, arguments[1], *place, line.cwd))
        return [UNKNOWN]
    if static is not None:
        from gateway.inspect.windows.cmdlets import static_call

        made = static_call(line, static["type"].lower(), static["method"].lower(), arguments, place)
        if made is not None:
            return [made]
        if "create" in static["method"].lower() and "scriptblock" in static["type"].lower():
            evaluate(shell, arguments[0] if arguments else UNKNOWN, _fetches(raw, shell), place)
            return [UNKNOWN]
    if _DELETE.search(raw) and values and certain(values[0]):
        line.deeds.append(Deed(Does.DELETE, values[0], *place, line.cwd, Extent.TREE))
    if raw.strip().lower() in ("$env:", "gci env:"):
        line.deeds.append(Deed(Does.READ, ENVIRONMENT, *place, secret=True))
    return [_folded(shell, stage, raw, offset)]


def _arguments(shell: Shell, stage: list[Part]) -> list[str]:
    """The arguments of a method, folded."""
    group = next((part for part in reversed(stage) if part.kind == "group"), None)
    if group is None:
        return []
    made: list[str] = []
    current: list[Part] = []
    for part in (*parts(group.value, shell.variables), Part("sign", ",", 0, 0)):
        if part.kind == "sign" and part.value == ",":
            made.append(_sum(shell, current))
            current = []
        else:
            current.append(part)
    return made


def _sum(shell: Shell, given_parts: list[Part]) -> str:
    texts: list[str] = []
    for part in given_parts:
        if part.kind == "group":
            texts.append(_nested(shell, part.value, part.start))
        elif part.value != "+" or part.quoted:
            texts.append(part.value)
    return "".join(texts)


def _folded(shell: Shell, stage: list[Part], raw: str, offset: int) -> str:
    """A text put together by `+`, `-join`, `-f` or decoding."""
    del offset
    static = _STATIC.match(raw)
    if static is not None and static["method"].lower() == "frombase64string":
        inner = _arguments(shell, stage)
        return FOLDS["base64.b64decode"]((text_value(inner[0] if inner else UNKNOWN),)).text()[0]
    template = next(
        (i for i, part in enumerate(stage) if part.value.lower() == "-f" and not part.quoted), None
    )
    if template is not None:
        values = [part.value for part in stage[template + 1 :] if part.kind == "word"]
        return re.sub(
            r"\{(\d)\}",
            lambda f: values[int(f[1])] if int(f[1]) < len(values) else UNKNOWN,
            _sum(shell, stage[:template]),
        )
    join = _JOIN.search(raw)
    if join is not None:
        words = [part.value for part in stage if part.kind == "word" and part.quoted][:-1]
        return join[2].join(words) if words else UNKNOWN
    texts = [part for part in stage if part.kind in ("word", "group")]
    if all(part.quoted or part.value == "+" or part.kind == "group" or part.first for part in texts):
        return _sum(shell, stage)
    return UNKNOWN if len(texts) > 1 else texts[0].value if texts else UNKNOWN
