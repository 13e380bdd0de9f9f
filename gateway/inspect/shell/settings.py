"""Settings of `git` that make it run programs, turn off its care or change where it sends to, however they are given.

Each that does so is told as a deed of kind `git` whose target is `key=value`, so that patterns can name it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from shlex import split
from typing import TYPE_CHECKING

from gateway.inspect.deed import Deed, Does
from gateway.inspect.shell.code import run_named
from gateway.inspect.shell.invocation import Invocation, Simple
from gateway.inspect.word import Word, certain, holed
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

# Settings whose value is a command.
_RUNS = later(
    r"core\.(sshcommand|editor|pager|fsmonitor|askpass|gitproxy|alternaterefscommand)|sequence\.editor"
    r"|pager\..+|interactive\.difffilter|diff\.external|diff\..+\.(command|textconv)"
    r"|(diff|merge)tool\..+\.(cmd|path)|merge\..+\.driver|filter\..+\.(clean|smudge|process)"
    r"|credential\.(.+\.)?helper|gpg\.(.+\.)?program|gpg\.ssh\.defaultkeycommand|uploadpack\.packobjectshook"
    r"|sendemail\..+cmd|trailer\..+\.(command|cmd)|man\..+\.cmd|browser\..+\.(cmd|path)|tar\..+\.command"
    r"|remote\..+\.(uploadpack|receivepack)|submodule\..+\.update|hook\..+\.command|imap\.tunnel"
    r"|lfs\.customtransfer\..+\.path|alias\..+",
    re.IGNORECASE,
)
# Where projects keep the hooks that they share.
_HOOKS = r"(?:\./)?(?:[\w-]+/)*(?:\.husky(?:/_)?|\.?(?:git-?)?hooks)/?"
# Hosts of code, to which addresses are often rewritten.
_HOSTS = (
    r"(?:https|ssh)://(?:[^@/]*@)?(?:github|gitlab|bitbucket)\.(?:com|org)|git@(?:github|gitlab|bitbucket)\."
)
# Others that patterns ask about, with the values that make them so.
_TELLING = tuple(
    (later(name), later(value))
    for name, value in (
        (r"core\.hookspath", rf"(?!{_HOOKS}\Z).*"),
        (r"init\.templatedir|exec-path", r".+"),
        (r"include(if\..+)?\.path", r"(?!/dev/null\Z).+"),
        (r"protocol\.(ext\.)?allow", r"(?!never\Z).+"),
        (r"http\.(.+\.)?sslverify", r"false|no|off|0"),
        (r"gc\..*expire.*", r"now|all|0|0\.?[a-z]+|1\.?(second|minute)s?(\.ago)?"),
        (r"remote\..+\.(url|pushurl)", r".+"),
        (rf"url\.(?!{_HOSTS}).+\.(push)?insteadof", r".+"),
    )
)
# Values of `core.hooksPath` that only turn hooks off; such a setting is told by its key alone.
_NOWHERE = ("", "/dev/null", "NUL", "/nonexistent", "nonexistent", "none", "false")
# What such settings are there for; with these nothing runs that the user did not install for it.
_PAGER_NAMES = """
bat batcat cat cut delta diff-highlight diff-so-fancy difft difftastic head less more most nvimpager ov tail
"""
_EDITOR_NAMES = """
atom code code-insiders codium cursor ed edit emacs emacsclient gedit helix hx idea joe kak kate mate mcedit
micro nano notepad nvim pico subl vi vim windsurf zed
"""
_OTHER_NAMES = """
: [ araxis aws bcompare docker-credential-helper echo exiftool false gcloud gh git git-lfs gitk glab gpg gpg2 gpgsm
kdiff3 meld nbdime nbdev_merge nbdiff nbmerge op-ssh-sign opendiff p4merge pass pdftotext printf pwd smerge ssh
ssh-keygen strings test tig tkdiff true vimdiff xxd
"""
_HELPER_NAMES = """
cache gnome-keyring libsecret manager manager-core oauth osxkeychain store wincred
"""
_PAGERS, _EDITORS = frozenset(_PAGER_NAMES.split()), frozenset(_EDITOR_NAMES.split())
_HARMLESS = _PAGERS | _EDITORS | frozenset(_OTHER_NAMES.split())
_HELPERS = frozenset(_HELPER_NAMES.split())
_PLAIN = frozenset(("true", "false", "yes", "no", "on", "off", "0", "1", "", ":"))
# Where programs of the system lie, or none, so that the search path decides.
_BIN = later(r"(?:/(?:usr/(?:local/)?|opt/homebrew/)?bin/)?[^/]*")
# Words that make a pager, an editor, or `ssh` and its like run something else.
_IN_PAGERS = later(r"\+.*|--lesskey.*|-k.*")
_IN_EDITORS = later(
    r"\+.*|-c|--cmd(=.*)?|-S|-s|-u|-f|-l|-e|--eval(=.*)?|--funcall(=.*)?|--load(=.*)?|--execute(=.*)?"
)
_IN_OTHERS = later(
    r"-F.*|.*(proxycommand|localcommand|knownhostscommand|match\s+exec|proxyusefdpass).*", re.IGNORECASE
)
# Programs that run nothing, whatever they are told to say.
_SAYING = frozenset(("echo", "printf", "test", "["))
# What makes `sed` drop commits from the list of a rebase, add commands to it, or do more than edit it.
_DROPS = later(r"drop|exec|-f|[&|`()<>\n]|(?<![a-z-])[dxw](?![a-z])|(?<![a-z/-])[er](?![a-z])")
_VARIABLES = {
    "GIT_SSH": "core.sshcommand",
    "GIT_SSH_COMMAND": "core.sshcommand",
    "GIT_EDITOR": "core.editor",
    "GIT_SEQUENCE_EDITOR": "sequence.editor",
    "GIT_PAGER": "core.pager",
    "GIT_EXTERNAL_DIFF": "diff.external",
    "GIT_ASKPASS": "core.askpass",
    "GIT_PROXY_COMMAND": "core.gitproxy",
    "GIT_EXEC_PATH": "exec-path",
    "GIT_TEMPLATE_DIR": "init.templatedir",
    "GIT_CONFIG": "include.path",
    "GIT_CONFIG_GLOBAL": "include.path",
    "GIT_CONFIG_SYSTEM": "include.path",
}
_COUNTED = later(r"GIT_CONFIG_KEY_(\d{1,4})", re.ASCII)
_SECURITY = later(r"GIT_SSL_NO_VERIFY|GIT_ALLOW_PROTOCOL|GIT_CONFIG_PARAMETERS|GIT_TRACE\w*", re.ASCII)


def setting(walk: Walk, simple: Simple, key: str, value: Word) -> None:
    """Analyse what a setting makes `git` run, and tell it where patterns ask about it."""
    key = key.lower()
    if not _RUNS.fullmatch(key):
        plain = certain(value.value)
        if any(name.fullmatch(key) and sort.fullmatch(plain.lower()) for name, sort in _TELLING):
            _tell(walk, key, value)
        return
    command = _command(key, value.value)
    if command is None:
        return
    reading = walk.reading
    runs, doubts = len(reading.invocations), len(reading.doubts)
    run_named(walk, simple, replace(value, value=command))
    made = reading.invocations[runs:]
    harmless = len(reading.doubts) == doubts and all(_is_harmless(each, key) for each in made)
    if not harmless and certain(command).strip():
        _tell(walk, key, value)


def _is_harmless(run: Invocation, key: str) -> bool:
    """Whether a setting with this key is there for such a command."""
    if run.redirects or not _BIN.fullmatch(run.path):
        return False
    words = [word.value for word in run.words]
    if key == "sequence.editor" and run.program == "sed":
        return not any(map(_DROPS.search, words))
    if run.program in _SAYING:
        return True
    starts = _IN_PAGERS if run.program in _PAGERS else _IN_EDITORS if run.program in _EDITORS else _IN_OTHERS
    return run.program in _HARMLESS and not any(map(starts.fullmatch, words))


def given(walk: Walk, name: str, value: Word) -> None:
    """Analyse a variable that stands for a setting."""
    simple = Simple((), start=value.start, end=value.end)
    key = _VARIABLES.get(name)
    if key is not None:
        setting(walk, simple, key, value)
        return
    counted = _COUNTED.fullmatch(name)
    if counted is not None or name.startswith("GIT_CONFIG_VALUE_"):
        _counted(walk, simple, name.rsplit("_", 1)[-1], value)
    elif name == "GIT_SSL_NO_VERIFY" and value.value not in ("0", "false", ""):
        _tell(walk, "http.sslverify", replace(value, value="false"))
    elif name == "GIT_ALLOW_PROTOCOL" and "ext" in value.value.split(":"):
        _tell(walk, "protocol.ext.allow", replace(value, value="always"))
    elif name == "GIT_CONFIG_PARAMETERS":
        for text in _parts(value.value):
            key, _, rest = text.partition("=")
            setting(walk, simple, key, replace(value, value=rest))
    elif name.startswith("GIT_TRACE") and value.value.startswith("/"):
        deed = Deed(Does.APPEND, value.value, value.start, value.end, walk.scope.cwd)
        walk.reading.deeds.append(deed)


def _counted(walk: Walk, simple: Simple, number: str, word: Word) -> None:
    """A key and its value that stand in two variables, once both are there."""
    variables = walk.scope.variables
    keys, values = (variables.get(f"GIT_CONFIG_{part}_{number}", ()) for part in ("KEY", "VALUE"))
    for key in keys:
        for value in values:
            setting(walk, simple, key, replace(word, value=value))


def _parts(text: str) -> list[str]:
    try:
        return [part.replace("'='", "=") for part in split(text)]
    except ValueError:
        return [text]


def _command(key: str, value: str) -> str | None:
    """The command that a setting holds; None for a value that names none."""
    if certain(value).lower() in _PLAIN or (holed(value) and not certain(value).strip()):
        return None
    if key.startswith("alias.") or (key.startswith("submodule.") and key.endswith(".update")):
        return value[1:] if value.startswith("!") else None
    if key.startswith("credential.") and not value.startswith(("!", "/")):
        return (
            None
            if value.split()[:1] and value.split(maxsplit=1)[0] in _HELPERS
            else f"git-credential-{value}"
        )
    # A helper's `!` only says that it is a command.
    return value.removeprefix("!")


def _tell(walk: Walk, key: str, value: Word) -> None:
    off = key == "core.hookspath" and certain(value.value) in _NOWHERE
    target = key if off else f"{key}={value.value}"
    walk.reading.deeds.append(Deed(Does.GIT, target, value.start, value.end, walk.scope.cwd))
