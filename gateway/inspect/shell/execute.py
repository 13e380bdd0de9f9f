"""Follows a simple command to the programs that it would really run: builtins, wrappers, nested code."""

from __future__ import annotations

import re
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING

from gateway.inspect.carriers import (
    CARRIED,
    INERT,
    OWN_VERBS,
    RUN_VERBS,
    RUNNER_OPTIONS,
    RUNNERS,
    SCRIPTED,
    TAKE_COMMANDS,
    VERBS,
    WRAPPERS,
)
from gateway.inspect.clients import CLIENTS
from gateway.inspect.operands import CODE, COPIERS, REMOVERS
from gateway.inspect.options import Options as Known
from gateway.inspect.options import Reading as Options
from gateway.inspect.options import bind, options
from gateway.inspect.programs import ALIASES
from gateway.inspect.programs.remote import PROGRAMS as ELSEWHERE_PROGRAMS
from gateway.inspect.shell.builtins import BUILTINS
from gateway.inspect.shell.client import client
from gateway.inspect.shell.code import came_from, run_options, run_stdin, run_text
from gateway.inspect.shell.editors import EDITORS, edited
from gateway.inspect.shell.fed import fed
from gateway.inspect.shell.fetched import saved
from gateway.inspect.shell.files import contents, remember
from gateway.inspect.shell.fold import printed
from gateway.inspect.shell.interpreter import interpret
from gateway.inspect.shell.interpreters import FRAMEWORKS
from gateway.inspect.shell.invocation import Simple, Text
from gateway.inspect.shell.kept import kept, told_from_copies
from gateway.inspect.shell.nested import CARRIERS, SHELLS, shell
from gateway.inspect.shell.recipes import FOLLOWED, follow
from gateway.inspect.shell.remote import elsewhere
from gateway.inspect.shell.scope import MAX_VALUES, Scope
from gateway.inspect.shell.secret import tells_secret
from gateway.inspect.shell.variables import assigned
from gateway.inspect.word import ANY, SECRET, STAR, UNKNOWN, Word, certain, marked, may_be
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

MAX_CALLS = 8
_UNKNOWN: Text = (UNKNOWN,)
# Variables that name a tool by custom; what they hold is the user's, not the agent's.
_CUSTOMARY = """
PYTHON PIP NODE NPM CC CXX LD AR MAKE CMAKE GO CARGO JAVA EDITOR PAGER BROWSER SUDO
"""
# The parser takes some of these for a program, as in `time { … }`.
_OTHER = later(r"#!(?!.*sh\b)")
_INIT_SCRIPTS = frozenset(("/etc/init.d", "/etc/rc.d", "/etc/rc.d/init.d", "/usr/local/etc/rc.d"))
_TAKE_CODE = frozenset(("flock", "npx", "nix-shell"))
# What `setarch` takes for a kind of machine rather than a program.
_MACHINE = later(
    r"linux(?:32|64)|uname26|i[3-6]86|x86_64|amd64|ia64|(?:arm|aarch64|ppc|powerpc|s390|mips|riscv|sparc|alpha|loong)\w*"
)
# Options with which they start a shell, and those that do so where no command is given.
_STARTS_SHELL = {"sudo": {"shell", "login"}, "doas": {"s"}, "systemd-run": {"shell"}}
_JOINING = frozenset(("watch", "watchexec", "cross-env-shell"))
_MAY_BE_CODE = frozenset(("flock", "unbuffer", "strace", "onchange", "entr", "dtach", "abduco"))
_DEFAULT_SHELL = frozenset(("chroot", "unshare", "nsenter"))
_RESERVED = frozenset(("{", "!", "if", "then", "elif", "else", "while", "until", "do"))
_VERSIONED = later(r"([a-z][\w-]*?)(?:@.*|-?\d[\d.]*)", re.ASCII)
# Options of runners that hold a whole command line, and operands that stand before the command.
_CALL = "-c= --call= --command=, -p= --package=, -w= --workspace="
_CALLS = {
    **dict.fromkeys(("npm", "mise", "rtx"), _CALL),
    **dict.fromkeys(("doppler", "infisical"), "--call= --command=, -c=, -p=, -t=, -e="),
}
_BEFORE = {
    **dict.fromkeys(
        ("direnv", "aws-vault", "chamber", "nvm", "multipass", "lxc", "incus", "distrobox", "fnm"), 1
    ),
    "launchctl": 1,
}
# Runners with any number of operands in front of `--`.
_UP_TO_DASHES = frozenset(("mise", "rtx", "nix", "guix", "devbox", "flox", "spack"))
# Wrappers that take settings of variables in front of the command.
_ASSIGNING = frozenset(("env", "sudo", "doas", "cross-env", "cross-env-shell", "run0", "please"))
# Characters without width, those that turn the direction of text, and a return that hides what stands before it.
_HIDDEN = later("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\u034f\u180e]|\r(?=.)")
_VARIABLE = later(r"[\"${]+(\w+)", re.ASCII)
_PACKING = frozenset(("tar", "bsdtar", "zip", "cat", "base64", "gzip", "xz", "gpg", "openssl"))
_TOOLS = frozenset(_CUSTOMARY.split())
_PLACED = ("/usr/local/bin", "/usr/bin", "~/.local/bin", "~/bin")
_KNOWN = CARRIED.union(
    *(BUILTINS, SHELLS, CARRIERS, WRAPPERS, CLIENTS, RUNNERS, TAKE_COMMANDS, INERT, COPIERS, REMOVERS, CODE)
)
_GUESSED = (*sorted(CARRIED), "sudo", "env", "xargs", "sh", "bash", "shutdown", "reboot", "halt", "poweroff")


def program_name(path: str) -> str:
    """The name that a program's data goes by: no directory, no `.exe`, no version, aliases resolved."""
    # Some shells mark programs that are no builtins.
    name = path.rsplit("/", 1)[-1].removeprefix("^").removeprefix("e:")
    if name.lower().endswith(".exe"):
        name = name[:-4]
    versioned = _VERSIONED.fullmatch(name)
    if versioned is not None and (versioned[1] in SHELLS or versioned[1] in CARRIED):
        name = versioned[1]
    return ALIASES.get(name, name)


def execute(walk: Walk, simple: Simple) -> Text:
    """Add what a command runs to the reading, and tell what it prints."""
    walk.reading.budget.enter()
    result = _followed(walk, simple)
    walk.reading.budget.leave()
    return result


def _followed(walk: Walk, simple: Simple) -> Text:
    if not simple.words:
        walk.emit("", simple)
        return ("",)
    path = simple.words[0].value
    if not path.isprintable() and _HIDDEN.search(path):
        first = simple.words[0]
        walk.reading.doubt(
            "the name of the program holds characters that nobody sees", first.start, first.end
        )
        path = _HIDDEN.sub("", path)
    if marked(path):
        return _guess(walk, simple, path)
    written = contents(walk, path) if "/" in path else _installed(walk, path)
    if written is not None and not any(_OTHER.match(text) for text in written):
        positional = tuple(word.value for word in simple.words[1:])
        walk.emit(program_name(path), simple)
        return run_text(walk, simple, written, simple.words[0], positional)
    if path in _RESERVED:
        return execute(walk, replace(simple, words=simple.words[1:]))
    if "/" not in path:
        alias = walk.scope.aliases.get(path)
        if alias is not None and path not in walk.scope.calls:
            return _also(walk, simple, path, _expand_alias(walk, simple, path, alias), walk.scope.copy())
        if path in walk.scope.functions:
            before = walk.scope.copy()
            return _also(walk, simple, path, _call(walk, simple, path), before)
    return _run(walk, simple, program_name(path))


def _installed(walk: Walk, name: str) -> Text | None:
    """What a program holds that this script wrote to a directory of programs."""
    ending = f"/{name}"
    if not any(path.endswith(ending) for path in walk.reading.files):
        return None
    return next((text for folder in _PLACED if (text := contents(walk, f"{folder}/{name}"))), None)


def _also(walk: Walk, simple: Simple, path: str, followed: Text, before: Scope) -> Text:
    """The program that has the name of an alias or function, in the shell as it was before that was followed.

    Whether a shell takes the one or the other depends on what has run so far, and on who asks for it: `sudo`,
    `command` and another shell take the program.
    """
    name = program_name(path)
    if name not in _KNOWN:
        return followed
    after = walk.scope
    walk.enter(before)
    real = _run(walk, simple, name)
    walk.enter(after)
    if before.cwd != after.cwd:
        after.cwd = None
    return tuple(dict.fromkeys((*followed, *real)))[:MAX_VALUES]


def _run(walk: Walk, simple: Simple, name: str) -> Text:
    first = simple.words[0]
    scripts, _, service = first.value.rpartition("/")
    if scripts in _INIT_SCRIPTS:
        words = (replace(first, value="service"), replace(first, value=service), *simple.words[1:])
        return _run(walk, replace(simple, words=words), "service")
    if name.startswith("git-"):
        words = (replace(first, value="git"), replace(first, value=name[4:]), *simple.words[1:])
        return _run(walk, replace(simple, words=words), "git")
    builtin = BUILTINS.get(name)
    if builtin is not None:
        return builtin(walk, simple)
    if name in SHELLS:
        return shell(walk, simple)
    carrier = CARRIERS.get(name)
    if carrier is not None:
        return carrier(walk, simple)
    if name in WRAPPERS:
        return _wrapped(walk, simple, name)
    if name in CLIENTS:
        simple = client(walk, simple, name)
    walk.emit(name, simple)
    _lead(walk, simple, name)
    fed(walk, simple, name)
    if name in RUNNERS:
        return _runner(walk, simple, name)
    text = printed(name, simple, walk.scope.cwd)
    if tells_secret(walk, simple, name) or (name in _PACKING and told_from_copies(walk, simple)):
        text = tuple(one if SECRET in one else one.replace(UNKNOWN, "") + SECRET for one in text)
    operands = [word.value for word in simple.words[1:]]
    if name == "cat" and len(operands) == 1:
        text = contents(walk, operands[0]) or text
    remember(walk, simple, name, text)
    kept(walk, simple, name)
    return ("",) if saved(walk, simple, name) else text


def _lead(walk: Walk, simple: Simple, name: str) -> None:
    """Follow what a program runs besides itself: elsewhere, from a file of recipes, as code, by its options."""
    if name in ELSEWHERE_PROGRAMS:
        elsewhere(walk, simple, name)
    if name in FOLLOWED:
        follow(walk, simple, name)
    interpret(walk, simple, name)
    run_options(walk, simple, TAKE_COMMANDS.get(name, ""), simple.words[1:])
    if name not in INERT and name not in ELSEWHERE_PROGRAMS and name not in RUNNERS:
        _unknown_carrier(walk, simple, name)
    for word in simple.words[1:] if name in SCRIPTED else ():
        if " " in word.value:
            run_text(walk, simple, (word.value,), word)
    if name in EDITORS:
        edited(walk, simple, name)


def _guess(walk: Walk, simple: Simple, path: str) -> Text:
    """A program that isn't known: what its known characters allow is taken, or else it is doubted."""
    name = path.rsplit("/", 1)[-1]
    if STAR in name or ANY in name:
        for guess in _GUESSED:
            if may_be(name, guess):
                _run(walk, simple, guess)
        return _UNKNOWN
    rest = certain(name)
    if rest:
        return _run(walk, simple, program_name(rest))
    walk.emit("", simple)
    came_from(walk, simple, path)
    variable = _VARIABLE.match(walk.script.written(simple.words[0]))
    arguments = [w.value for w in simple.words[1:]]
    harmless = (
        variable is not None
        and variable[1] in _TOOLS
        and not any(a.startswith("-") and "r" in a.lower() for a in arguments)
    )
    if not harmless:
        first = simple.words[0]
        walk.reading.doubt("which program it runs is only known when it runs", first.start, first.end)
    for i, word in enumerate(simple.words[1:], 1):
        if program_name(word.value) in CARRIED:
            # An empty value in front lets the next word be the program.
            return _run(walk, simple.inside("…", simple.words[i:]), program_name(word.value))
    return _UNKNOWN


def _expand_alias(walk: Walk, simple: Simple, name: str, alias: str) -> Text:
    text = " ".join((alias, *(w.value for w in simple.words[1:])))
    scope = walk.scope.copy()
    scope.calls = (*scope.calls, name)
    return walk.read(text, None, (simple.start, simple.end), scope)


def _call(walk: Walk, simple: Simple, name: str) -> Text:
    """A function of the script, walked with these arguments."""
    scope = walk.scope
    if name in scope.calls or len(scope.calls) >= MAX_CALLS:
        return _UNKNOWN
    script, body = scope.functions[name]
    before, calls = scope.positional, scope.calls
    scope.positional, scope.calls = tuple(w.value for w in simple.words[1:]), (*calls, name)
    result = walk.inner(script).visit(body, simple.stdin)
    scope.positional, scope.calls = before, calls
    return result


def _wrapped(walk: Walk, simple: Simple, name: str) -> Text:
    """A program that runs the rest of its line, such as `sudo` or `timeout`."""
    known, before = WRAPPERS[name]
    walk.emit(name, simple)
    bound = bind(options(known), simple.words[1:], Options.LEADING)
    if name == "env" and "split-string" in bound.flags:
        return _split(walk, simple, options(known))
    if name == "command" and ("v" in bound.flags or "V" in bound.flags):
        return tuple(word.value for word in bound.operands[:1]) or _UNKNOWN
    if name == "runuser" and "user" not in bound.flags:
        return CARRIERS["su"](walk, simple)
    code = bound.value("command", "call", "run") if name in _TAKE_CODE else None
    if code is not None:
        return run_text(walk, simple, (code.value,), code)
    words = bound.operands[before:]
    if name == "setarch" and words and _MACHINE.fullmatch(words[0].value):
        words = words[1:]
    if name == "flock" and len(words) > 1 and words[0].value in ("-c", "--command"):
        return run_text(walk, simple, (words[1].value,), words[1])
    while (
        words
        and ("=" in words[0].value or (name == "env" and words[0].value == SECRET))
        and name in _ASSIGNING
        and not words[0].value.startswith("/")
    ):
        variable, _, value = words[0].value.partition("=")
        walk.scope.variables.setdefault(variable, (value,))
        assigned(walk, variable, (value,), words[0].start, words[0].end)
        given = (variable, replace(words[0], value=value))
        simple = replace(simple, variables=(*simple.variables, given))
        words = words[1:]
    in_shell = name in _STARTS_SHELL and not _STARTS_SHELL[name].isdisjoint(bound.flags)
    if in_shell and len(words) == 1:
        return run_text(walk, simple, (words[0].value,), words[0])
    if not words:
        if in_shell or name in _DEFAULT_SHELL:
            return run_stdin(walk, simple, simple.stdin)
        text = (SECRET,) if tells_secret(walk, simple, name) else printed(name, simple, walk.scope.cwd)
        remember(walk, simple, name, text)
        return text
    if name in _JOINING or (len(words) == 1 and name in _MAY_BE_CODE and " " in words[0].value):
        return run_text(walk, simple, (" ".join(w.value for w in words),), words[0])
    inner = simple.inside(name, words)
    chdir = bound.value("chdir") if name in ("env", "sudo") else None
    if chdir is None:
        return execute(walk, inner)
    cwd = walk.scope.cwd
    walk.scope.change_directory(chdir.value)
    result = execute(walk, inner)
    walk.scope.cwd = cwd
    return result


def _split(walk: Walk, simple: Simple, known: Known) -> Text:
    """`env -S`: the value is split into words, which are options of `env` again, as are all that follow."""
    words, i = simple.words[1:], 0
    while i < len(words):
        flags = bind(known, words[i : i + 2], Options.LEADING).flags
        following = words[i + 1] if i + 1 < len(words) else None
        i += 2 if any(value is following for values in flags.values() for value in values) else 1
        if "split-string" in flags:
            value = flags["split-string"][0]
            first = value.value.replace("\\_", " ").strip()
            text = " ".join([first, *(quote(word.value) for word in words[i:])])
            return run_text(walk, simple, (f"env {text}" if first.startswith("-") else text,), value)
    return _UNKNOWN


def _runner(walk: Walk, simple: Simple, name: str) -> Text:
    """A tool with a subcommand that runs the rest of the line, such as `poetry run`."""
    words = simple.words[1:]
    for i, word in enumerate(words):
        if word.value in RUNNERS[name]:
            rest = words[i + 1 :]
            code = bind(options(_CALLS.get(name, "")), rest, Options.LEADING).value("call")
            if code is not None:
                return run_text(walk, simple, (code.value,), code)
            rest = _behind(rest, name)
            if len(rest) == 1 and " " in rest[0].value:
                return run_text(walk, simple, (rest[0].value,), rest[0])
            return execute(walk, simple.inside(name, rest)) if rest else _UNKNOWN
        if not word.value.startswith("-"):
            break
    _unknown_carrier(walk, simple, name)
    return printed(name, simple, walk.scope.cwd)


def _behind(words: tuple[Word, ...], name: str) -> tuple[Word, ...]:
    """The command of a runner: behind `--` where other operands stand in front of that, or behind its options."""
    dashes = next((i for i, word in enumerate(words) if word.value == "--"), None)
    if dashes is not None and (name in _BEFORE or name in _UP_TO_DASHES):
        return words[dashes + 1 :]
    rest = bind(options(RUNNER_OPTIONS.get(name, "")), words, Options.LEADING).operands
    return rest[_BEFORE.get(name, 0) :]


def _unknown_carrier(walk: Walk, simple: Simple, name: str) -> None:
    """A program that may run its words: a dangerous command among them is taken as one."""
    runs = name not in OWN_VERBS
    for i, word in enumerate(simple.words[1:], 1):
        inner = program_name(word.value)
        runs = runs or word.value in RUN_VERBS
        if inner not in SHELLS and (inner not in CARRIED or marked(word.value)):
            continue
        if inner in VERBS and not runs:
            continue
        carried = replace(simple, words=simple.words[i:], redirects=())
        before = walk.scope
        # An interpreter surely runs the script that it is given.
        surely = i == 1 and inner in FRAMEWORKS and name.rstrip("0123456789.") in CODE
        walk.enter(replace(before.copy(), carrier=before.carrier if surely else name))
        if inner in SHELLS:
            shell(walk, carried)
        else:
            walk.emit(inner, client(walk, carried, inner) if inner in CLIENTS else carried)
            if inner in FRAMEWORKS:
                interpret(walk, carried, inner)
        walk.enter(before)
        return
