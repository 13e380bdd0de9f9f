"""What `git` runs besides itself: aliases, settings that name programs, and subcommands that take commands."""

from __future__ import annotations

from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING

from gateway.inspect.options import Bound, Reading, bind
from gateway.inspect.programs import spec
from gateway.inspect.shell.code import run_options, run_text
from gateway.inspect.shell.files import remember
from gateway.inspect.shell.fold import printed
from gateway.inspect.shell.invocation import Simple, Text
from gateway.inspect.shell.settings import setting
from gateway.inspect.word import Word, certain
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

_REFSPEC, _MIRROR = later(r"remote\..+\.push"), later(r"remote\..+\.mirror")
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
_LOOKS = """
get get-all get-regexp get-urlmatch get-color get-colorbool unset unset-all list edit rename-section remove-section
"""
_NOT_SET = frozenset(_LOOKS.split())
# Variables that turn off hooks.
_SWITCHES = (
    "HUSKY HUSKY_SKIP_HOOKS SKIP LEFTHOOK LEFTHOOK_EXCLUDE PRE_COMMIT_ALLOW_NO_CONFIG OVERCOMMIT_DISABLE"
)


def git(walk: Walk, simple: Simple) -> Text:
    """`git`: the subcommand that an alias stands for, and every command that it is given to run."""
    words = simple.words[1:]
    leading = bind(spec("git").options, words, Reading.LEADING)
    settings = dict(walk.reading.git_settings)
    for word in leading.flags.get("c", ()):
        key, equals, value = word.value.partition("=")
        _set(walk, simple, settings, key, replace(word, value=value if equals else "true"))
    for word in leading.flags.get("config-env", ()):
        key, _, name = word.value.partition("=")
        for value in walk.scope.variables.get(name, (name,)):
            # What a variable from outside holds is not known, so its name stands for a program of its own.
            _set(walk, simple, settings, key, replace(word, value=value))
    name, rest = (certain(leading.operands[0].value), leading.operands[1:]) if leading.operands else ("", ())
    alias = settings.get(f"alias.{name}".lower())
    if alias is not None and f"git {name}" not in walk.scope.calls:
        return _expanded(walk, simple, name, alias, words[: len(words) - len(rest) - 1], rest)
    outer = walk.scope
    if "C" in leading.flags:
        walk.enter(outer.copy())
        for word in leading.flags["C"]:
            walk.scope.change_directory(word.value)
    switches = tuple(
        (switch, Word(value, simple.start, simple.end))
        for switch in _SWITCHES.split()
        for value in outer.variables.get(switch, ())
    )
    forced = _forced(settings, simple, name)
    variables = (*simple.variables, *switches)
    walk.emit("git", replace(simple, words=(*simple.words, *forced), variables=variables))
    _subcommand(walk, simple, name, rest)
    text = printed("git", simple, walk.scope.cwd)
    walk.enter(outer)
    remember(walk, simple, "git", text)
    return text


def _forced(settings: dict[str, str], simple: Simple, name: str) -> tuple[Word, ...]:
    """What settings add to the words of a push or a clean: refspecs, that it mirrors, that it need not be forced."""
    added: list[str] = []
    if name in ("push", "send-pack"):
        added += [v for key, v in settings.items() if _REFSPEC.fullmatch(key) and v.startswith("+")]
        if any(_MIRROR.fullmatch(key) and value not in _FALSE for key, value in settings.items()):
            added.append("--mirror")
    if name == "clean" and settings.get("clean.requireforce", "true").lower() in _FALSE:
        added.append("--force")
    return tuple(Word(value, simple.start, simple.end) for value in added)


def _set(walk: Walk, simple: Simple, settings: dict[str, str], key: str, value: Word) -> None:
    settings[key.lower()] = value.value
    setting(walk, simple, key, value)


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
    if name == "clone":
        for word in bind(spec("git clone").options, rest).flags.get("config", ()):
            key, equals, value = word.value.partition("=")
            setting(walk, simple, key, replace(word, value=value if equals else "true"))
    if name == "config":
        _configured(walk, simple, bind(spec("git config").options, rest))
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
    operands = bound.operands
    if operands[:1] and operands[0].value == "set":
        operands = operands[1:]
    if _NOT_SET.isdisjoint(bound.flags) and len(operands) > 1 and operands[0].value not in _NOT_SET:
        _set(walk, simple, walk.reading.git_settings, operands[0].value, operands[1])
