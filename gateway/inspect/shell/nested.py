"""Programs that run code or commands that they are given: shells, `xargs`, `su`, `ssh`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from shlex import split
from types import MappingProxyType
from typing import TYPE_CHECKING

from gateway.inspect.carriers import TAKE_COMMANDS
from gateway.inspect.deed import Does, deed
from gateway.inspect.options import Bound, Reading, bind, options
from gateway.inspect.shell.code import run_options, run_stdin, run_text
from gateway.inspect.shell.files import contents, is_stdin
from gateway.inspect.shell.git import git
from gateway.inspect.shell.invocation import Simple, Text
from gateway.inspect.shell.search import fd, find
from gateway.inspect.shell.spelling import unescape
from gateway.inspect.word import UNKNOWN, Word
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

_NAMES = """
ash bash csh dash elvish fish hush ksh loksh mksh nu oksh osh posh rbash sh tcsh xonsh yash ysh zsh
"""
SHELLS = frozenset(_NAMES.split())
_UNKNOWN: Text = (UNKNOWN,)
# A substitution in `fish` needs no dollar sign.
_FISH = later(r"(?<=\s)\((?!\s*\))")
_SHELL = (
    "-c --code, -s --stdin, -l --login, -i --interactive, -o=, -O=, --rcfile= --init-file=, --norc, "
    "--noprofile, --posix, --command=, -e, -u, -x, -v, -n, -f, -p, -r, -E, -T, -C, -b, -k, -t, -a, "
    "-m, -h, +o=, +O=, +e, +x, +u"
)
_XARGS = (
    "-0 --null, -a= --arg-file=, -d= --delimiter=, -E=, -e=? --eof=?, -I=, -i=? --replace=?, -L=, "
    "-l=? --max-lines=?, -n= --max-args=, -P= --max-procs=, -p --interactive, -r --no-run-if-empty, "
    "-s= --max-chars=, -t --verbose, -x --exit, -o --open-tty, -J=, -R=, -S=, --process-slot-var="
)
_PARALLEL = (
    "-j= --jobs=, -a= --arg-file=, -I=, -k --keep-order, -0 --null, -n= --max-args=, -N=, -L=, -m, "
    "-X, -q --quote, -u --ungroup, --bar, --progress, --eta, --halt=, --joblog=, --delay=, "
    "--timeout=, -d= --delimiter=, --colsep= -C=, -v --verbose, -t, --dry-run, --will-cite, -P= "
    "--max-procs=, -r --no-run-if-empty, --tag, --line-buffer --lb, -s=, --pipe, --results=, "
    "--retries=, -S= --sshlogin="
)
_SSH = (
    "-p=, -i=, -l=, -o=, -F=, -J=, -L=, -R=, -D=, -b=, -c=, -E=, -e=, -m=, -O=, -Q=, -S=, -W=, -w=, "
    "-B=, -I=, -t, -T, -n, -N, -f, -q, -v, -A, -a, -C, -g, -k, -K, -M, -s, -X, -x, -Y, -y, -4, -6"
)


def shell(walk: Walk, simple: Simple) -> Text:
    """`sh`: code from `-c`, from a file that can't be seen, or from its input."""
    bound = bind(options(_SHELL), simple.words[1:], Reading.LEADING)
    code = bound.value("command")
    operands = bound.operands
    name = simple.words[0].value.rsplit("/", 1)[-1]
    walk.emit(name, simple)
    if name == "fish":
        words = tuple(replace(w, value=_FISH.sub("$(", w.value)) for w in simple.words[1:])
        run_options(walk, simple, "-C= --init-command=, -c= --command=", words)
    if "v" in bound.flags and code is None and operands:
        # It prints each line that it reads.
        walk.reading.deeds.append(deed(Does.READ, operands[0], walk.scope.cwd))
    if "n" in bound.flags and name != "nu":
        return ("",)
    if code is None and "code" in bound.flags and operands:
        code, operands = operands[0], operands[1:]
    if code is not None:
        return _run_code(walk, simple, code, operands)
    if operands and "stdin" not in bound.flags and not is_stdin(operands[0].value):
        written = contents(walk, operands[0].value)
        if written is None:
            return _UNKNOWN
        return run_text(walk, simple, written, operands[0], tuple(w.value for w in operands[1:]))
    if "version" in bound.flags or "help" in bound.flags:
        return _UNKNOWN
    fed = [redirect.target for redirect in simple.redirects if redirect.operator == "<"]
    if simple.stdin is None and fed and not fed[-1].value.endswith(".sh"):
        walk.reading.doubt("what it holds is run as code", fed[-1].start, fed[-1].end)
    return run_stdin(walk, simple, simple.stdin)


def _run_code(walk: Walk, simple: Simple, code: Word, operands: tuple[Word, ...]) -> Text:
    """The code of `-c`; the operands are `$0`, `$1` and so on in it."""
    variables = walk.scope.variables
    before = variables.get("0")
    if operands:
        variables["0"] = (operands[0].value,)
    printed = run_text(walk, simple, (code.value,), code, tuple(w.value for w in operands[1:]))
    if before is None:
        variables.pop("0", None)
    else:
        variables["0"] = before
    return printed


def _su(walk: Walk, simple: Simple) -> Text:
    """`su` and its kin start a shell: code from `-c`, even behind `--`, or from the input."""
    walk.emit("su", simple)
    known = options("-c= --command= --session-command=, -s= --shell=, -g= --group=, -l --login, -m, -p, -w=")
    words = tuple(word for word in simple.words[1:] if word.value != "--")
    bound = bind(known, words)
    code = bound.value("command")
    if code is None and simple.words[0].value.endswith("sg") and len(bound.operands) > 1:
        code = bound.operands[1]
    if code is not None:
        return run_text(walk, simple, (code.value,), code)
    return run_stdin(walk, simple, simple.stdin)


def _ssh(walk: Walk, simple: Simple) -> Text:
    walk.emit("ssh", simple)
    run_options(walk, simple, TAKE_COMMANDS["ssh"], simple.words[1:])
    operands = bind(options(_SSH), simple.words[1:], Reading.LEADING).operands
    here = walk.scope
    # Another host has other directories.
    walk.enter(replace(here.copy(), cwd=None))
    # All hosts that a variable can hold stand at its place.
    others = tuple(
        word for word in operands[1:] if (word.start, word.end) != (operands[0].start, operands[0].end)
    )
    operands = (*operands[:1], *(others or operands[1:]))
    operands = operands[:1] + operands[2 if operands[1:2] and operands[1].value == "--" else 1 :]
    if len(operands) > 1:
        text = " ".join(w.value for w in operands[1:])
        run_text(walk, simple, (text,), Word("", operands[1].start, operands[-1].end))
    elif operands and simple.stdin is not None:
        run_stdin(walk, simple, simple.stdin)
    walk.enter(here)
    return _UNKNOWN


def _at(walk: Walk, simple: Simple) -> Text:
    walk.emit("at", simple)
    return run_stdin(walk, simple, simple.stdin)


def _script(walk: Walk, simple: Simple) -> Text:
    walk.emit("script", simple)
    known = options(
        "-c= --command=, -q --quiet, -e --return, -a --append, -f --flush, -t=?, -T=, -E=, -o=, -m="
    )
    leading = bind(known, simple.words[1:], Reading.LEADING)
    command = leading.operands[1:]
    # On some systems a command follows the file, on others more options may.
    own = leading if command and not command[0].value.startswith("-") else bind(known, simple.words[1:])
    code = own.value("command")
    if code is not None:
        return run_text(walk, simple, (code.value,), code)
    command = command[1:] if command and command[0].value == "--" else command
    return (
        walk.execute(simple.inside("script", command)) if command else run_stdin(walk, simple, simple.stdin)
    )


def _xargs(walk: Walk, simple: Simple) -> Text:
    walk.emit("xargs", simple)
    bound = bind(options(_XARGS), simple.words[1:], Reading.LEADING)
    place = (simple.start, simple.end)
    operands = bound.operands or (Word("echo", *place),)
    texts = _UNKNOWN if simple.stdin is None or "arg-file" in bound.flags else simple.stdin
    inner = replace(simple, stdin=None)
    mark = _mark(bound)
    if mark:
        lines = [item.strip(" \t'\"") for text in texts for item in _items(text, bound, "\n") if item]
        for line in lines or [UNKNOWN]:
            words = tuple(replace(w, value=w.value.replace(mark, line)) for w in operands)
            walk.execute(inner.inside("xargs", words))
        return _UNKNOWN
    printed: Text = ()
    for given in _batches(texts, bound):
        printed = walk.execute(inner.inside("xargs", (*operands, *(Word(item, *place) for item in given))))
    return printed


def _mark(bound: Bound) -> str:
    """What stands for a line of the input among the words, if anything does."""
    slot = bound.value("I", "J", "replace")
    if slot is None:
        return ""
    return "{}" if slot.value in ("", "-i") or slot.value.startswith("--") else slot.value


def _batches(texts: Text, bound: Bound) -> list[list[str]]:
    """The arguments of each run: those of one line or so many, where that is asked for, or else all."""
    if not {"L", "max-lines"}.isdisjoint(bound.flags):
        return [_items(line, bound, None) for text in texts for line in text.split("\n") if line] or [
            [UNKNOWN]
        ]
    given = [item for text in texts for item in _items(text, bound, None) if item] or [UNKNOWN]
    count = bound.value("max-args")
    size = int(count.value) if count is not None and count.value.isdecimal() else 0
    size = size or len(given)
    return [given[at : at + size] for at in range(0, len(given), size)]


def _items(text: str, bound: Bound, otherwise: str | None) -> list[str]:
    """A text cut where the options say, or else at a given character, or at white space outside quotes."""
    delimiter = bound.value("delimiter")
    if "null" in bound.flags:
        otherwise = "\0"
    elif delimiter is not None:
        otherwise = unescape(delimiter.value) or None
    if otherwise is not None:
        return text.split(otherwise)
    try:
        return split(text)
    except ValueError:
        return text.split()


def _parallel(walk: Walk, simple: Simple) -> Text:
    walk.emit("parallel", simple)
    operands = bind(options(_PARALLEL), simple.words[1:], Reading.LEADING).operands
    values = [w.value for w in operands]
    cut = next((i for i, v in enumerate(values) if v.startswith(":::")), len(values))
    given = [v for v in values[cut + 1 :] if not v.startswith(":::")]
    if not given:
        given = [line for text in simple.stdin or _UNKNOWN for line in text.split("\n") if line]
    template = " ".join(values[:cut])
    for item in given:
        text = template.replace("{}", item) if "{}" in template else f"{template} {item}".strip()
        run_text(walk, replace(simple, stdin=None), (text,), Word("", simple.start, simple.end))
    return _UNKNOWN


CARRIERS: Mapping[str, Callable[[Walk, Simple], Text]] = MappingProxyType(
    {
        "su": _su,
        "sg": _su,
        "newgrp": _su,
        "ssh": _ssh,
        "script": _script,
        "at": _at,
        "batch": _at,
        "xargs": _xargs,
        "parallel": _parallel,
        "find": find,
        "fd": fd,
        "git": git,
    }
)
