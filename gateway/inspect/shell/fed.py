"""Interpreters of other languages that are fed with what comes from elsewhere, which nobody has read."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from gateway.inspect.options import Bound, Reading, bind, options
from gateway.inspect.shell.code import came_from
from gateway.inspect.shell.files import contents, is_stdin
from gateway.inspect.shell.invocation import Simple, Text
from gateway.inspect.word import Word, certain
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

_VERSION = later(r"(?<=[a-zA-Z])-?\d[\d.]*\Z")
_PYTHON = "-c= --code=, -m= --module=, -W=, -X=, -V --version, --check-hash-based-pycs="
_NODE = "-e= --eval= --code=, -p= --print=, -r= --require=, -C=, --import=, --loader=, --env-file=, -c --check, -v"
_FED: Mapping[str, str] = MappingProxyType(
    # interpreters and their options, of which `code` holds the code; `m` runs something else
    {
        **dict.fromkeys(("python", "pypy", "ipython", "bpython", "micropython", "jython"), _PYTHON),
        **dict.fromkeys(("node", "nodejs", "bun", "tsx", "ts-node", "qjs", "deno"), _NODE),
        "perl": "-e= -E= --code=, -I=, -M=?, -m=?, -n, -p, -v",
        "ruby": "-e= --code=, -r=, -I=, -E=, -C=, -n, -p, -v --version",
        "php": "-r= --code= --run=, -d=, -f= --file=, -c=, -z=, -S=, -t=, -B=, -R=, -F=, -l --syntax-check, -v, -i, "
        "-m --module",
        "lua": "-e= --code=, -l=, -v --version",
        "luajit": "-e= --code=, -l=, -v --version",
        "Rscript": "-e= --code=",
        "R": "-e= --code=, -f= --file=, --version",
        "julia": "-e= --eval= --code=, -E= --print=, -L=, -v --version",
        "tclsh": "-encoding=",
        "expect": "-c= --code=, -f= --file=, -b=",
        "osascript": "-e= --code=, -l=",
        "elixir": "-e= --eval= --code=, -r=",
        "groovy": "-e= --code=, -cp=",
        "guile": "-c= --code=, -l=, -s=",
        "sbcl": "--eval= --code=, --load=, --script=?",
        **dict.fromkeys(
            ("powershell", "pwsh"), "-c= -Command= -command= --code=, -File= -file= --file=, -NoProfile"
        ),
    }
)
_FILTERS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), "-f= --file=, -v=, -F=, -e= --code=, -i="),
        "sed": "-f= --file=, -e= --code=, -i=?, -n, -E, -r, -s, -u, -z, -l=",
    }
)
# They take all that they are given for code.
_EVALUATORS = frozenset(("iex", "invoke-expression"))
_NOT_RUN = frozenset(("version", "check", "syntax-check", "module"))


def fed(walk: Walk, simple: Simple, name: str) -> None:
    """Record that an interpreter runs what a host sent or what was decoded: an option's value, a file or its input."""
    name = _VERSION.sub("", name)
    if name.lower() in _EVALUATORS:
        _note(walk, simple, [word.value for word in simple.words[1:]] or list(simple.stdin or ()))
        return
    known = _FED.get(name) or _FILTERS.get(name)
    if known is None or not _is_fed(walk, simple):
        return
    if name in _FILTERS:
        _note(walk, simple, _script(walk, simple, bind(options(known), simple.words[1:])))
        return
    words = simple.words[1:]
    if name in ("deno", "bun") and words and words[0].value in ("run", "eval", "repl"):
        words = words[2 if words[0].value == "eval" else 1 :]
        _note(walk, simple, [word.value for word in words[:1]])
    if name == "php" and words and words[0].value == "--":
        # What follows is given to the code in its input.
        words = ()
    _note(walk, simple, _run(walk, simple, bind(options(known), words, Reading.LEADING)))


def _is_fed(walk: Walk, simple: Simple) -> bool:
    """Whether anything is there that may come from elsewhere, so that most commands cost nothing."""
    given = (*(word.value for word in simple.words[1:]), *(simple.stdin or ()))
    return bool(walk.reading.files) or not all(text.isascii() for text in given)


def _run(walk: Walk, simple: Simple, bound: Bound) -> list[str]:
    """The texts that run as code."""
    code = [word.value for name in ("code", "eval", "print") for word in bound.flags.get(name, ())]
    if code or not _NOT_RUN.isdisjoint(bound.flags):
        return code
    file = bound.value("file") or next(iter(bound.operands), None)
    if file is None or is_stdin(file.value):
        return list(simple.stdin or ())
    return _read(walk, file)


def _script(walk: Walk, simple: Simple, bound: Bound) -> list[str]:
    """The texts that a program runs whose input is what it works on."""
    file = bound.value("file")
    if file is not None:
        return list(simple.stdin or ()) if is_stdin(file.value) else _read(walk, file)
    code = bound.flags.get("code", ()) or bound.operands[:1]
    return [word.value for word in code]


def _read(walk: Walk, file: Word) -> list[str]:
    # The text of a process substitution stands in the place of its name.
    return [file.value, *(contents(walk, file.value) or ())]


def _note(walk: Walk, simple: Simple, texts: list[str] | Text) -> None:
    for text in texts:
        if not certain(text).strip():
            came_from(walk, simple, text)
