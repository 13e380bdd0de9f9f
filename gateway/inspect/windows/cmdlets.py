"""What cmdlets and static methods of .NET do with their arguments."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field

from gateway.frozen import frozen
from gateway.inspect.deed import Deed, Does, Extent, Origin
from gateway.inspect.private import ENVIRONMENT
from gateway.inspect.windows.cmd import Line
from gateway.inspect.windows.paths import beneath, path
from gateway.inspect.windows.tables import PARAMETERS, PASSES, PERSISTS, RUN_KEY, SHUTS
from gateway.inspect.word import DEEP, FULL, STAR, UNKNOWN, Word, certain
from gateway.later import later

_RUN = later(RUN_KEY, re.IGNORECASE)
_CLIENT = later(r"Sockets\.TCPClient\W*([\w.-]+?)\W+(\d+)", re.IGNORECASE)
_SHORT = {
    "ea": "erroraction",
    "wi": "whatif",
    "cf": "confirm",
    "s": "recurse",
    "lp": "literalpath",
    "pspath": "path",
}
_REGISTRY = later(
    r"(?:Registry::)?(?:HKLM|HKCU|HKCR|HKU|HKCC|HKEY_\w+|Env|Function|Alias|Cert|Variable|WSMan):?\\?",
    re.IGNORECASE,
)
_WRITES = {"set-content": Does.OVERWRITE, "clear-content": Does.OVERWRITE, "clear-item": Does.OVERWRITE,
           "out-file": Does.OVERWRITE, "add-content": Does.APPEND, "tee-object": Does.OVERWRITE,
           "export-csv": Does.OVERWRITE}  # fmt: skip


@frozen
class Given:
    """A word of a command; `more` are the others of a list that it opens."""

    value: str
    kind: str = "word"
    more: tuple[str, ...] = ()
    quoted: bool = False


@dataclass(slots=True)
class Bound:
    """The parameters of a cmdlet by their full names, and the rest."""

    flags: dict[str, list[str]] = field(default_factory=dict)
    operands: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def values(self, *names: str) -> list[str]:
        """The values of some parameters."""
        return [value for name in names for value in self.flags.get(name, [])]


def bound(name: str, words: list[Given]) -> Bound:
    """Give each parameter its full name and its value."""
    known = {one.rstrip("="): one.endswith("=") for one in PARAMETERS.get(name, "").split()}
    made = Bound()
    i = 0
    while i < len(words):
        word = words[i]
        i += 1
        if word.kind == "block":
            continue
        if not word.value.startswith("-") or len(word.value) < 2 or word.quoted or not known:
            made.operands += [word.value, *word.more]
            made.words += [word.value, *word.more]
            continue
        spelled, colon, value = word.value[1:].lower().partition(":")
        full = _full(spelled, known)
        made.words.append(f"-{full}")
        if colon:
            if value not in ("$false", "0") or full not in ("whatif", "recurse", "force"):
                made.flags.setdefault(full, []).append(value)
        elif known.get(full) and i < len(words) and words[i].kind != "block":
            made.flags.setdefault(full, []).extend([words[i].value, *words[i].more])
            made.words += [words[i].value, *words[i].more]
            i += 1
        else:
            made.flags.setdefault(full, [])
    return made


def _full(spelled: str, known: dict[str, bool]) -> str:
    if spelled in known:
        return spelled
    if spelled in _SHORT:
        return _SHORT[spelled]
    return next((one for one in known if one.startswith(spelled)), spelled)


def cmdlet(line: Line, name: str, given: Bound, piped: list[str] | None, place: tuple[int, int]) -> list[str]:
    """What a cmdlet does, and what it hands on."""
    targets = given.values("path", "literalpath", "filepath") or given.operands[:1]
    source = targets or [path for path in piped or [] if path]
    line.commands.append((Word(name, *place), *(Word(word, *place) for word in given.words)))
    if any(_REGISTRY.match(one) for one in targets):
        if name in ("new-itemproperty", "set-itemproperty", "new-item") and any(map(_RUN.search, targets)):
            line.deeds.append(Deed(Does.PERSIST, targets[0], *place))
        if name in ("get-childitem", "get-item") and targets[0].lower().startswith("env:"):
            line.deeds.append(Deed(Does.READ, ENVIRONMENT, *place, secret=True))
        return []
    if name == "remove-item":
        _remove(line, given, piped, place)
    elif name == "get-childitem":
        return [_children(one, given) for one in targets or ["."]]
    elif name == "get-content":
        line.deeds += [Deed(Does.READ, path(one), *place, line.cwd) for one in source if certain(one)]
        return [UNKNOWN]
    elif name in _WRITES:
        does = Does.APPEND if "append" in given.flags else _WRITES[name]
        line.deeds += [Deed(does, path(one), *place, line.cwd) for one in source]
    elif name in ("move-item", "copy-item", "rename-item"):
        _put(line, name, given, targets, place)
    elif name in ("invoke-webrequest", "invoke-restmethod"):
        url = (given.values("uri") or given.operands or [UNKNOWN])[0]
        line.deeds.append(Deed(Does.NET, url, *place))
        line.deeds += [Deed(Does.OVERWRITE, path(one), *place, line.cwd) for one in given.values("outfile")]
        return [UNKNOWN]
    elif name == "start-process":
        _start(line, given, place)
    elif name == "write-output":
        return [" ".join(given.operands)]
    elif name == "set-acl":
        line.deeds += [Deed(Does.META, path(one), *place, line.cwd) for one in targets]
    elif name == "join-path":
        return [beneath(given.operands[0], given.operands[1])] if len(given.operands) > 1 else [UNKNOWN]
    _system(line, name, given, targets, place)
    if name in PASSES:
        return targets if name in ("get-item", "resolve-path", "convert-path") else piped or []
    return []


def _remove(line: Line, given: Bound, piped: list[str] | None, place: tuple[int, int]) -> None:
    every = given.values("path", "literalpath") or given.operands
    for one in every or (piped if piped is not None else []):
        extent = _extent(one, given)
        line.deeds.append(Deed(Does.DELETE, path(one), *place, line.cwd, extent))
    if not every and piped is not None and not piped:
        line.deeds.append(Deed(Does.DELETE, UNKNOWN, *place, line.cwd, Extent.MANY))


def _system(line: Line, name: str, given: Bound, targets: list[str], place: tuple[int, int]) -> None:
    """What a cmdlet does to the system itself, or to the script."""
    if name in SHUTS:
        line.deeds.append(Deed(Does.POWER, name, *place))
    elif name in PERSISTS and name != "set-service":
        line.deeds.append(Deed(Does.PERSIST, name, *place))
    elif name in ("set-mppreference", "add-mppreference", "uninstall-windowsfeature", "set-executionpolicy"):
        line.deeds.append(Deed(Does.TAMPER, " ".join([name, *given.words]), *place))
    elif name in ("set-location", "push-location") and targets:
        line.move(targets[0])
    elif name == "new-object" and (found := _CLIENT.search(" ".join(given.words))) is not None:
        host = f"{found[1]}:{found[2]}"
        line.deeds.append(Deed(Does.NET, host, *place))
        line.deeds.append(Deed(Does.EXEC, host, *place, origin=Origin.NETWORK))


def _extent(one: str, given: Bound) -> Extent:
    if "recurse" in given.flags or DEEP in one:
        return Extent.TREE
    return Extent.MANY if any(sign in one for sign in "*?" + STAR + FULL) else Extent.ONE


def _children(root: str, given: Bound) -> str:
    name = (given.values("filter", "include") or [FULL])[0]
    if "*" in root or "?" in root:
        return root
    root = beneath(root, DEEP) if "recurse" in given.flags else root
    return beneath(root, name)


def _put(line: Line, name: str, given: Bound, targets: list[str], place: tuple[int, int]) -> None:
    last = given.operands[-1:] if len(given.operands) > 1 or given.values("path", "literalpath") else []
    into = given.values("destination", "newname") or last
    apart = [one for one in (*targets, *into) if re.match(r"[A-Za-z]:|~|[\\/]|\.\.", one) or UNKNOWN in one]
    if name == "move-item" and apart:
        line.deeds += [Deed(Does.DELETE, path(one), *place, line.cwd, _extent(one, given)) for one in targets]
    if name == "copy-item":
        line.deeds += [Deed(Does.READ, path(one), *place, line.cwd) for one in targets if certain(one)]
    line.deeds += [
        Deed(Does.OVERWRITE, path(one), *place, line.cwd) for one in into if one not in (".", "..")
    ]


def _start(line: Line, given: Bound, place: tuple[int, int]) -> None:
    program = given.values("filepath") or given.operands[:1]
    rest = given.values("argumentlist", "args") or given.operands[1:]
    words: list[str] = []
    for one in rest:
        try:
            words += shlex.split(one, posix=False) if " " in one else [one]
        except ValueError:
            words += one.split()
    if program:
        name = program[0].lower().removesuffix(".exe")
        line.commands.append((Word(name, *place), *(Word(word, *place) for word in words)))


_TYPES = {"io.directory", "io.file", "io.directoryinfo", "io.fileinfo"}


def static_call(line: Line, kind: str, method: str, values: list[str], place: tuple[int, int]) -> str | None:
    """A static method of .NET; None for one that does nothing here."""
    first = values[0] if values else UNKNOWN
    if kind in _TYPES:
        if method == "delete":
            tree = Extent.TREE if len(values) > 1 and values[1].lower() in ("$true", "1") else Extent.ONE
            line.deeds.append(Deed(Does.DELETE, path(first), *place, line.cwd, tree))
        elif method.startswith(("write", "create", "open")) and method != "openread":
            line.deeds.append(Deed(Does.OVERWRITE, path(first), *place, line.cwd))
        elif method.startswith("append"):
            line.deeds.append(Deed(Does.APPEND, path(first), *place, line.cwd))
        elif method.startswith("read"):
            line.deeds.append(Deed(Does.READ, path(first), *place, line.cwd))
        elif method in ("move", "copy", "replace") and len(values) > 1:
            if method == "move":
                line.deeds.append(Deed(Does.DELETE, path(first), *place, line.cwd, Extent.TREE))
            line.deeds.append(Deed(Does.OVERWRITE, path(values[1]), *place, line.cwd))
        else:
            return None
        return ""
    if kind == "diagnostics.process" and method == "start":
        words = [first, *(word for value in values[1:] for word in value.split())]
        line.commands.append(tuple(Word(word, *place) for word in words))
        return ""
    if kind == "environment" and method in ("getfolderpath", "getenvironmentvariable"):
        return "~" if first.lower() in ("userprofile", "home") else UNKNOWN
    if kind == "environment" and method == "getenvironmentvariables":
        line.deeds.append(Deed(Does.READ, ENVIRONMENT, *place, secret=True))
        return UNKNOWN
    if kind == "convert" and method == "frombase64string":
        from gateway.inspect.python.folding import FOLDS
        from gateway.inspect.value import text

        return FOLDS["base64.b64decode"]((text(first),)).text()[0]
    if kind.startswith("text.encoding") and method in ("utf8", "ascii", "unicode", "default"):
        return first.replace("\0", "") if first else UNKNOWN
    return None
