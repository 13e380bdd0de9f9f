"""What `git` runs besides itself: aliases, settings that name programs, and subcommands that take commands."""

from __future__ import annotations

import re
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING

from gateway.inspect.options import Bound, Reading, bind, options
from gateway.inspect.programs import spec
from gateway.inspect.shell.code import run_named, run_options, run_text
from gateway.inspect.shell.files import remember
from gateway.inspect.shell.fold import printed
from gateway.inspect.shell.invocation import Simple, Text
from gateway.inspect.word import Word, certain

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

# Settings whose value is a command.
_RUNS = re.compile(
    r"core\.(sshcommand|editor|pager|fsmonitor|askpass|gitproxy|alternaterefscommand)|sequence\.editor"
    r"|pager\..+|interactive\.difffilter|diff\.external|diff\..+\.(command|textconv)|(diff|merge)tool\..+\.cmd"
    r"|merge\..+\.driver|filter\..+\.(clean|smudge|process)|credential\.(.+\.)?helper|gpg\.(.+\.)?program"
    r"|uploadpack\.packobjectshook|sendemail\..+cmd|trailer\..+\.(command|cmd)|man\..+\.cmd|browser\..+\.cmd"
    r"|tar\..+\.command|remote\..+\.(uploadpack|receivepack)|submodule\..+\.update",
    re.IGNORECASE,
)
_REFSPEC, _MIRROR = re.compile(r"remote\..+\.push"), re.compile(r"remote\..+\.mirror")
_FALSE = frozenset(("false", "no", "off", "0"))
# Options of subcommands whose value is a command.
_OPTIONS = {
    "rebase": "-x= --exec=",
    "filter-branch": "--tree-filter=, --env-filter=, --index-filter=, --msg-filter=, --commit-filter=, "
    "--parent-filter=, --tag-name-filter=, --setup=",
    "difftool": "-x= --extcmd=",
    "grep": "-O --open-files-in-pager=?",
    "clone": "-u= --upload-pack=",
    "fetch": "--upload-pack=",
    "pull": "--upload-pack=",
    "fetch-pack": "--upload-pack= --exec=",
    "ls-remote": "--upload-pack= --exec=",
    "push": "--receive-pack= --exec=",
    "send-pack": "--receive-pack= --exec=",
    "archive": "--exec=",
    "send-email": "--to-cmd=, --cc-cmd=, --header-cmd=, --sendmail-cmd=",
}
_CONFIG = (
    "--global, --system, --local, --worktree, -f= --file=, --blob=, --type=, -t=, --default=, --comment=, "
    "--value=, --get, --get-all, --get-regexp, --unset, --unset-all, -l --list, --add, --replace-all, -e --edit"
)
_LOOKS = frozenset(("get", "get-all", "get-regexp", "unset", "unset-all", "list"))


def git(walk: Walk, simple: Simple) -> Text:
    """`git`: the subcommand that an alias stands for, and every command that it is given to run."""
    words = simple.words[1:]
    leading = bind(spec("git").options, words, Reading.LEADING)
    settings = dict(walk.reading.git_settings)
    for word in leading.flags.get("c", ()):
        key, _, value = word.value.partition("=")
        _set(walk, simple, settings, key, replace(word, value=value))
    for word in leading.flags.get("config-env", ()):
        key, _, name = word.value.partition("=")
        for value in walk.scope.values(name):
            _set(walk, simple, settings, key, replace(word, value=value))
    name, rest = (certain(leading.operands[0].value), leading.operands[1:]) if leading.operands else ("", ())
    alias = settings.get(f"alias.{name}".lower())
    if alias is not None and f"git {name}" not in walk.scope.calls:
        return _expanded(walk, simple, name, alias, words[: len(words) - len(rest) - 1], rest)
    forced = _forced(settings, simple) if name in ("push", "send-pack") else ()
    walk.emit("git", replace(simple, words=(*simple.words, *forced)))
    _subcommand(walk, simple, name, rest)
    text = printed("git", simple, walk.scope.cwd)
    remember(walk, simple, "git", text)
    return text


def _forced(settings: dict[str, str], simple: Simple) -> tuple[Word, ...]:
    """What settings add to the words of a push: refspecs, and that it mirrors."""
    added = [value for key, value in settings.items() if _REFSPEC.fullmatch(key) and value.startswith("+")]
    if any(_MIRROR.fullmatch(key) and value not in _FALSE for key, value in settings.items()):
        added.append("--mirror")
    return tuple(Word(value, simple.start, simple.end) for value in added)


def _set(walk: Walk, simple: Simple, settings: dict[str, str], key: str, value: Word) -> None:
    settings[key.lower()] = value.value
    if _RUNS.fullmatch(key):
        # A helper's `!` only says that it is a command.
        run_named(walk, simple, replace(value, value=value.value.removeprefix("!")))


def _expanded(
    walk: Walk, simple: Simple, name: str, alias: str, before: tuple[Word, ...], rest: tuple[Word, ...]
) -> Text:
    arguments = "".join(f" {quote(word.value)}" for word in rest)
    if alias.startswith("!"):
        text = alias[1:] + arguments
    else:
        text = f"git {''.join(f'{quote(word.value)} ' for word in before)}{alias}{arguments}"
    outer = walk.scope
    walk.enter(replace(outer.copy(), calls=(*outer.calls, f"git {name}")))
    result = run_text(walk, simple, (text,), Word("", simple.start, simple.end))
    walk.enter(outer)
    return result


def _subcommand(walk: Walk, simple: Simple, name: str, rest: tuple[Word, ...]) -> None:
    run_options(walk, simple, _OPTIONS.get(name, ""), rest)
    if name == "config":
        _configured(walk, simple, bind(options(_CONFIG), rest))
    elif (name, *(w.value for w in rest[:1])) in (("submodule", "foreach"), ("bisect", "run")):
        command = rest[1:]
        while command and command[0].value.startswith("-"):
            command = command[1:]
        if len(command) == 1:
            run_text(walk, simple, (command[0].value,), command[0])
        elif command:
            walk.execute(simple.inside("git", command))
    for word in rest:
        if word.value.startswith("ext::"):
            run_text(walk, simple, (word.value.removeprefix("ext::"),), word)


def _configured(walk: Walk, simple: Simple, bound: Bound) -> None:
    operands = (
        bound.operands[1:] if bound.operands[:1] and bound.operands[0].value == "set" else bound.operands
    )
    if _LOOKS.isdisjoint(bound.flags) and len(operands) == 2:
        _set(walk, simple, walk.reading.git_settings, operands[0].value, operands[1])
