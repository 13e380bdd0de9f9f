"""Lines of cmd: its own commands by what they do, all others as programs."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field

from gateway.inspect.code import Code, placed
from gateway.inspect.deed import Deed, Does, Extent
from gateway.inspect.doubt import Doubt
from gateway.inspect.windows.paths import beneath, path
from gateway.inspect.windows.tables import VARIABLES
from gateway.inspect.word import UNKNOWN, Word
from gateway.later import later

MAX_LINE = 64 * 1024
MAX_NESTED = 6
_VARIABLE = later(r"%([A-Za-z_][\w()]*)(?::[^%\n]*)?%|!([A-Za-z_]\w*)!|%%?~?\w*([A-Za-z0-9*])(?![\w%])")
_WORD = later(r"(?:\"[^\"\n]*\"?|[^\s\"])+")
_REDIRECT = later(r"\d?(>>?)\s*(\"[^\"\n]*\"|[^\s&|<>]+)")
_SET = later(r"\s*set\s+\"?(\w+)=([^\"\n]*?)\"?\s*\Z", re.IGNORECASE)
_FOR = later(r"\s*for\s+(?:/\w\s+)*(?:\"[^\"]*\"\s+)?%%?(\w)\s+in\s*\(([^)]*)\)\s*do\s+", re.IGNORECASE)
_IF = later(
    r"\s*(?:@|\(|else\s|if\s+(?:/i\s+)?(?:not\s+)?(?:exist\s+(?:\"[^\"]*\"|\S+)|defined\s+\S+|errorlevel\s+\d+"
    r"|(?:\"[^\"]*\"|\S+)\s*(?:==|\s(?:equ|neq|lss|leq|gtr|geq)\s)\s*(?:\"[^\"]*\"|\S+))\s+)",
    re.IGNORECASE,
)
_DELETES = frozenset(("del", "erase"))
_REMOVES = frozenset(("rd", "rmdir"))
_SILENT = frozenset(
    ("echo", "rem", "title", "set", "cd", "chdir", "pause", "cls", "exit", "goto", "ver", "dir", "where")
)
# What these do to files is told by deeds.
_FILES = frozenset(
    ("del", "erase", "rd", "rmdir", "copy", "xcopy", "robocopy", "move", "ren", "rename", "type", "md", "mkdir",
     "pushd", "attrib")
)  # fmt: skip


@dataclass(slots=True)
class Line:
    """What has been found so far."""

    nested: int = 0
    cwd: str | None = "."
    variables: dict[str, str] = field(default_factory=dict)
    deeds: list[Deed] = field(default_factory=list)
    shells: list[Word] = field(default_factory=list)
    commands: list[tuple[Word, ...]] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)

    def add(self, code: Code, start: int, end: int) -> None:
        """Take over what another reader found in a part."""
        moved = placed(code, start, end)
        self.deeds += moved.deeds
        self.shells += moved.shells
        self.commands += moved.commands
        self.doubts += moved.doubts

    def move(self, place: str) -> None:
        """Go to another directory."""
        if re.match(r"[A-Za-z]:|~|[\\/]", place):
            self.cwd = place
        elif UNKNOWN in place:
            self.cwd = None
        elif self.cwd is not None:
            self.cwd = place if self.cwd == "." else beneath(self.cwd, place)

    def code(self) -> Code:
        """All of it."""
        return Code(tuple(self.deeds), tuple(self.shells), tuple(self.commands), (), tuple(self.doubts))


def read_cmd(text: str, nested: int = 0) -> Code:
    """All that a batch file or a line of cmd would do."""
    if len(text) > MAX_LINE:
        return Code(doubts=(Doubt("the command is too long to be analysed", 0, len(text)),))
    if nested > MAX_NESTED:
        return Code(doubts=(Doubt("the command is nested too deep to be analysed", 0, len(text)),))
    line = Line(nested)
    for start, end in _parts(text):
        _part(line, text[start:end], start)
    return line.code()


def _parts(text: str) -> list[tuple[int, int]]:
    """The commands of a line, which `&` and `|` part outside quotes."""
    made: list[tuple[int, int]] = []
    start, quoted, at = 0, False, 0
    while at < len(text):
        char = text[at]
        if char == "^" and not quoted:
            at += 2
            continue
        if char == '"':
            quoted = not quoted
        elif char == "\n" or (not quoted and char in "&|"):
            made.append((start, at))
            start = at + 1
            quoted = False
        at += 1
    return [*made, (start, len(text))]


def _part(line: Line, raw: str, offset: int) -> None:
    text = _unescaped(raw)
    for _ in range(8):
        found = _IF.match(text)
        if found is None:
            break
        text = text[found.end() :]
    loop = _FOR.match(text)
    if loop is not None:
        line.variables[f"%{loop[1]}"] = (
            path(loop[2].strip().strip("'\"")) if not loop[2].strip().startswith("'") else UNKNOWN
        )
        text = text[loop.end() :]
    assigned = _SET.match(text)
    if assigned is not None:
        line.variables[assigned[1].lower()] = _expanded(line, assigned[2])
        return
    text = _expanded(line, text.strip().strip("()").lstrip("@"))
    place = (offset, offset + len(raw))
    for found in _REDIRECT.finditer(text):
        target = found[2].strip('"')
        if target.lower() not in ("nul", "con") and not target.startswith("&"):
            does = Does.APPEND if found[1] == ">>" else Does.OVERWRITE
            line.deeds.append(Deed(does, path(target), *place, line.cwd))
    words = [found[0].replace('"', "") for found in _WORD.finditer(_REDIRECT.sub(" ", text))]
    if words:
        _command(line, words, text, place)


def _unescaped(text: str) -> str:
    return re.sub(r"\^(\r?\n|.)", lambda found: "" if found[1].endswith("\n") else found[1], text)


def _expanded(line: Line, text: str) -> str:
    def value(found: re.Match[str]) -> str:
        name = (found[1] or found[2] or f"%{found[3]}").lower()
        return line.variables.get(name, line.variables.get(f"%{found[3]}", VARIABLES.get(name, UNKNOWN)))

    return _VARIABLE.sub(value, text)


def _split(words: list[str]) -> tuple[str, list[str], list[str]]:
    """The command, its options, also those that hang on it as in `rd/s`, and its operands."""
    name, *attached = (
        words[0].split("/") if words[0][:1] not in ("/", ".") and "\\" not in words[0] else [words[0]]
    )
    options = [f"/{one.lower()}" for one in attached]
    operands: list[str] = []
    for word in words[1:]:
        if word.startswith("/") and len(word) > 1 and "\\" not in word:
            options += [f"/{one}" for one in word.lower().split("/") if one]
        else:
            operands.append(word)
    name = name.rsplit("\\", 1)[-1].lower()
    return name.removesuffix(".exe"), options, operands


def _command(line: Line, words: list[str], text: str, place: tuple[int, int]) -> None:
    name, options, operands = _split(words)
    if name in ("cmd", "start", "call", "runas"):
        _inner(line, name, words, text, place)
        return
    if name in ("powershell", "pwsh"):
        from gateway.inspect.windows.powershell import from_words

        line.add(from_words(words[1:], line.nested + 1), *place)
        return
    if name in ("wsl", "bash"):
        rest = [word for word in words[1:] if word not in ("--", "-e", "--exec")]
        line.shells.append(Word(" ".join(rest), *place)) if name == "wsl" else None
    elif name in _DELETES or name in _REMOVES:
        tree = "/s" in options
        for one in operands:
            many = Extent.MANY if "*" in one or "?" in one else Extent.ONE
            line.deeds.append(Deed(Does.DELETE, path(one), *place, line.cwd, Extent.TREE if tree else many))
    elif name in ("move", "ren", "rename") and len(operands) > 1:
        if re.match(r"[A-Za-z]:|~|[\\/]", operands[0]):
            line.deeds.append(Deed(Does.DELETE, path(operands[0]), *place, line.cwd))
        line.deeds.append(Deed(Does.OVERWRITE, path(operands[-1]), *place, line.cwd))
    elif name in ("copy", "xcopy") and len(operands) > 1:
        line.deeds.append(Deed(Does.OVERWRITE, path(operands[-1]), *place, line.cwd))
    elif name == "robocopy" and len(operands) > 1:
        mirror = {"/mir", "/purge"} & set(options)
        line.deeds.append(
            Deed(Does.DELETE if mirror else Does.OVERWRITE, path(operands[1]), *place, line.cwd, Extent.TREE)
        )
        if {"/move", "/mov"} & set(options):
            line.deeds.append(Deed(Does.DELETE, path(operands[0]), *place, line.cwd, Extent.TREE))
    elif name in ("cd", "chdir", "pushd") and operands:
        line.move(operands[0])
    elif name == "type":
        line.deeds += [Deed(Does.READ, path(one), *place, line.cwd) for one in operands]
    elif name == "attrib" and any(word[:1] in "+-" for word in operands):
        line.deeds += [
            Deed(Does.META, path(one), *place, line.cwd) for one in operands if one[:1] not in "+-"
        ]
    else:
        _system(line, name, words, options, operands, place)
    if name not in _SILENT and name not in _FILES:
        line.commands.append((Word(name, *place), *(Word(word, *place) for word in words[1:])))


def _system(
    line: Line, name: str, words: list[str], options: list[str], operands: list[str], place: tuple[int, int]
) -> None:
    """What a program does to rights, tasks and power."""
    if name in ("takeown", "icacls", "cacls"):
        targets = operands[:1] if name != "takeown" else [w for w in operands if w.lower() not in ("y", "n")]
        recursive = Extent.TREE if {"/t", "/r"} & set(options) else Extent.ONE
        if name == "takeown" or len(words) > 2:
            line.deeds += [Deed(Does.META, path(one), *place, line.cwd, recursive) for one in targets]
    elif name == "schtasks" and "/create" in options:
        line.deeds.append(Deed(Does.PERSIST, name, *place))
    elif name == "shutdown" and not {"/a", "/?", "/l"} & set(options):
        line.deeds.append(Deed(Does.POWER, name, *place))


def _inner(line: Line, name: str, words: list[str], text: str, place: tuple[int, int]) -> None:
    """A command in another: behind `cmd /c`, `start`, `call`."""
    rest = text
    if name == "cmd":
        found = re.search(r"/(?:c|k|r)\s*", text, re.IGNORECASE)
        if found is None:
            return
        rest = text[found.end() :].strip()
        if rest.startswith('"') and rest.endswith('"') and len(rest) > 1:
            rest = rest[1:-1]
    else:
        rest = re.sub(r"^\S+\s*(?:\"[^\"]*\"\s*)?(?:/\S+\s+)*", "", text) if name != "call" else text[5:]
    if rest.strip() and len(rest) < len(text):
        line.add(read_cmd(rest, line.nested + 1), *place)
    del words


def decoded(value: str) -> str:
    """The command in a value of `-EncodedCommand`."""
    try:
        return base64.b64decode(value + "=" * (-len(value) % 4)).decode("utf-16-le")
    except (ValueError, binascii.Error):
        return UNKNOWN
