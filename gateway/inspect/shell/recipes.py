"""Programs that run what a file of recipes or a command of their own says: `make`, `npm`, clients."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from gateway.inspect.deed import Deed, Does
from gateway.inspect.options import bind, options
from gateway.inspect.shell.code import run_named, run_text
from gateway.inspect.shell.files import contents
from gateway.inspect.shell.invocation import Simple
from gateway.inspect.word import Word, certain, holed
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

_MAKE = (
    "-f= --file= --makefile=, -C= --directory=, -I=, -j=?, -l=?, -o=, -W=, "
    "-n --just-print --dry-run --recon, -k, -s, -B, -e, --eval=, -E= --eval="
)
# Variables that recipes begin with by custom.
_RUN_BY_MAKE = frozenset(
    ("SHELL", "CC", "CXX", "LD", "AR", "AS", "CPP", "FC", "PYTHON", "NODE", "GO", "MAKE", "RM", "INSTALL")
)
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_ESCAPE = later(
    r"^\s*(?::\s*)?(?:silent!?\s+)?!\s*(?P<bang>[^\n]+)|^\s*(?:sh(?:ell)?|python|pipe)\s+(?P<shell>[^\n]+)",
    re.MULTILINE,
)
_SED = (
    "-e= --expression=, -f= --file=, -i=? --in-place=?, -n --quiet, -E -r --regexp-extended, -s, -u, -z, -l="
)
_SED_RUNS = later(
    r"(?:^|[;{}\n]|(?<=[\d$/]))[ \t]*e[ \t]+(?P<run>[^\n]+)|"
    r"s(?P<cut>[/|,#@!~])(?:\\.|(?!(?P=cut)).)*(?P=cut)(?P<made>(?:\\.|(?!(?P=cut)).)*)(?P=cut)[gpiIm\d]*e(?:\s|;|$)"
)
_SED_WRITES = later(r"(?:^|[;{}\n]|(?<=[\d$/gpI]))[ \t]*[wW][ \t]*(/[^\n;}]+|[~.][^\n;}]+)")
_LIFECYCLE = ("preinstall", "install", "postinstall", "prepare", "prepublish", "preprepare")


def follow(walk: Walk, simple: Simple, name: str) -> None:
    """Follow what such a program would run."""
    _PROGRAMS[name](walk, simple)


def _make(walk: Walk, simple: Simple) -> None:
    """The recipes of a makefile that this script or an earlier call wrote; which target is made is not asked."""
    bound = bind(options(_MAKE), simple.words[1:])
    if "just-print" in bound.flags:
        return
    for word in bound.operands:
        variable, equals, value = word.value.partition("=")
        if equals and variable.rstrip(":+?!") in _RUN_BY_MAKE:
            run_named(walk, replace(simple, stdin=None), replace(word, value=value))
    for word in bound.flags.get("eval", ()):
        text = word.value.partition("$(shell ")[2].rpartition(")")[0] or word.value.partition(";")[2]
        run_named(walk, replace(simple, stdin=None), replace(word, value=text))
    for variable, word in simple.variables:
        if variable in _RUN_BY_MAKE:
            run_named(walk, replace(simple, stdin=None), word)
    named = [word.value for word in bound.flags.get("file", ())]
    folder = bound.value("directory")
    files = [
        posixpath.join(folder.value, file) if folder is not None else file for file in named or _MAKEFILES
    ]
    for file in files:
        for text in contents(walk, file) or (simple.stdin or () if file == "-" else ()):
            lines = (
                line.strip().lstrip("@-+")
                for line in text.split("\n")
                if line.startswith(("\t", " ")) or "; " in line
            )
            script = "\n".join(line.partition(":")[2].partition(";")[2] or line for line in lines)
            run_text(walk, replace(simple, stdin=None), (script,), Word("", simple.start, simple.end))


def _just(walk: Walk, simple: Simple) -> None:
    """The recipes of a justfile that this script wrote."""
    for file in ("justfile", "Justfile", ".justfile"):
        for text in contents(walk, file) or ():
            lines = (line.strip().lstrip("@-") for line in text.split("\n") if line.startswith((" ", "\t")))
            run_text(
                walk, replace(simple, stdin=None), ("\n".join(lines),), Word("", simple.start, simple.end)
            )


def _sed(walk: Walk, simple: Simple) -> None:
    """`sed`: what its `e` runs and its `w` writes."""
    bound = bind(options(_SED), simple.words[1:])
    scripts = bound.flags.get("expression") or (() if "file" in bound.flags else bound.operands[:1])
    for word in scripts:
        for found in _SED_RUNS.finditer(word.value):
            text = found["run"] or (found["made"] or "").replace("\\", "")
            run_named(walk, replace(simple, stdin=None), replace(word, value=text))
        for found in _SED_WRITES.finditer(word.value):
            deed = Deed(Does.OVERWRITE, found[1].strip(), word.start, word.end, walk.scope.cwd)
            walk.reading.deeds.append(deed)


def _npm(walk: Walk, simple: Simple) -> None:
    """Scripts of a package that are set here, and those of a `package.json` that was written."""
    words = [certain(word.value) for word in simple.words[1:]]
    if words[:2] == ["pkg", "set"]:
        for word in simple.words[3:]:
            key, equals, text = word.value.partition("=")
            if equals and key.startswith("scripts."):
                run_named(walk, replace(simple, stdin=None), replace(word, value=text))
        return
    for text in contents(walk, "package.json") or ():
        for script in _scripts(text, words):
            run_text(walk, replace(simple, stdin=None), (script,), Word("", simple.start, simple.end))


def _scripts(text: str, words: list[str]) -> Iterator[str]:
    try:
        scripts = json.loads(text).get("scripts", {})
    except (ValueError, AttributeError, RecursionError):
        return
    if not isinstance(scripts, dict):
        return
    for name, script in scripts.items():
        asked = (
            name in words or f"{name.removeprefix('pre').removeprefix('post')}" in words or name in _LIFECYCLE
        )
        if asked and isinstance(script, str):
            yield script


def _commands(known: str) -> Callable[[Walk, Simple], None]:
    """A program with commands of its own, in options and in its input, of which some start a shell."""

    def run(walk: Walk, simple: Simple) -> None:
        bound = bind(options(known), simple.words[1:])
        words = [word for values in bound.flags.values() for word in values]
        words += [
            replace(word, value=word.value[1:]) for word in simple.words[1:] if word.value.startswith("+")
        ]
        words += [Word(text, simple.start, simple.end) for text in simple.stdin or () if not holed(text)]
        for word in words:
            for found in _ESCAPE.finditer(word.value):
                text = found["bang"] or found["shell"]
                run_named(walk, replace(simple, stdin=None), replace(word, value=text))

    return run


_CLIENT = _commands("-c=, -e=")
_PROGRAMS: Mapping[str, Callable[[Walk, Simple], None]] = MappingProxyType(
    {
        "make": _make,
        "gmake": _make,
        "just": _just,
        "sed": _sed,
        "npm": _npm,
        "pnpm": _npm,
        "yarn": _npm,
        "bun": _npm,
        **dict.fromkeys(("ftp", "lftp", "sftp", "mail", "mutt", "telnet", "bc", "gnuplot", "nmap"), _CLIENT),
    }
)
FOLLOWED: frozenset[str] = frozenset(_PROGRAMS)
"""The programs that are followed."""
