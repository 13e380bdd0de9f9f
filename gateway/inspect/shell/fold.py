"""What simple commands print, where their words and input tell it; nothing is ever run."""

from __future__ import annotations

import base64
import binascii
import posixpath
from collections.abc import Callable, Mapping

from gateway.inspect.options import bind, options
from gateway.inspect.shell.fetched import carried, origin
from gateway.inspect.shell.files import is_stdin
from gateway.inspect.shell.invocation import Simple, Text
from gateway.inspect.shell.spelling import unescape
from gateway.inspect.word import DEEP, UNKNOWN, Word, holed
from gateway.later import later

# Their output sets up the user's own shell; evaluating it is what they are for.
_SHELL_SET_UP = """
asdf atuin brew conda dircolors direnv docker-machine fnm goenv gpg-agent jenv keychain mamba micromamba
minikube mise nodenv nvm opam perlbrew plenv pyenv rbenv register-python-argcomplete rtx ssh-agent
starship thefuck zoxide
"""
_SETS_UP_SHELLS = frozenset(_SHELL_SET_UP.split())
# `echo -e` and `%b` take three more digits behind the zero.
_ZERO = later(r"\\0([0-7]{1,3})")
_CHARACTERS = {"[:upper:]": "A-Z", "[:lower:]": "a-z"}
_PASS = frozenset(("cat", "tee", "sort", "uniq"))
_UNKNOWN: Text = (UNKNOWN,)
# Programs that print a part or another spelling of the path that they are given.
_OF_NAMES: Mapping[str, Callable[[str], str]] = {
    "dirname": lambda path: posixpath.dirname(path.rstrip("/")) or ".",
    "realpath": str,
    "readlink": str,
}


def printed(name: str, simple: Simple, cwd: str | None) -> Text:
    """The possible outputs of a command; unknown unless it is one of the few that are followed.

    What comes from a host, a decoder or a file of secrets stays marked as such, whatever passes it on.
    """
    text = _printed(name, simple, cwd)
    if not any(UNKNOWN in one for one in text):
        return text
    mark = carried(simple.stdin) or origin(name, simple)
    return text if mark is None else tuple(one.replace(UNKNOWN, mark) for one in text)


def _printed(name: str, simple: Simple, cwd: str | None) -> Text:
    words = simple.words[1:]
    if name == "echo":
        return (_echo(words),)
    if name == "printf":
        return (_printf([w.value for w in words]),)
    if name == "pwd":
        return (cwd or UNKNOWN,)
    if name == "mktemp":
        return ("/tmp/tmp.made",)  # noqa: S108
    if name in ("true", ":", "false", "cd", "export", "set", "unset", "mkdir", "shopt"):
        return ("",)
    if name in _SETS_UP_SHELLS or any(w.value in ("completion", "completions") for w in words[:1]):
        return ("",)
    if (name == "which" and len(words) == 1) or (name == "type" and len(words) == 2):
        return (words[-1].value,)
    if name in _OF_NAMES and words and words[-1].known:
        return (_OF_NAMES[name](words[-1].value),)
    if name in ("find", "fd", "ls"):
        roots = [w.value for w in words if not w.value.startswith("-")]
        if name == "ls":
            # Files are printed as they were named, what lies in directories is not known.
            return (*roots, UNKNOWN)
        return tuple(f"{root.rstrip('/')}/{DEEP}" for root in roots[:1]) or _UNKNOWN
    if simple.stdin is None:
        return _UNKNOWN
    operands = [w.value for w in words if w.value == "-" or not w.value.startswith("-")]
    if name in _PASS and (name == "tee" or not operands or any(map(is_stdin, operands))):
        return simple.stdin
    return tuple(_filtered(name, words, text) for text in simple.stdin)


def _echo(words: tuple[Word, ...]) -> str:
    texts = [w.value for w in words]
    decode = False
    while texts and texts[0] in ("-n", "-e", "-E", "-ne", "-en"):
        decode = decode or "e" in texts.pop(0)
    text = " ".join(texts)
    return unescape(_ZERO.sub(r"\\\1", text)) if decode else text


def _printf(texts: list[str]) -> str:
    while texts and texts[0] in ("--",):
        texts = texts[1:]
    if not texts:
        return ""
    form, values = unescape(texts[0].replace("%%", "%\0")), texts[1:]
    if "%" not in form:
        return form
    made: list[str] = []
    pieces = form.split("%")
    slots = sum(1 for piece in pieces[1:] if not piece.startswith("\0"))
    for at in range(0, max(len(values), 1), max(slots, 1)):
        given = iter(values[at : at + slots])
        made.append(pieces[0])
        for piece in pieces[1:]:
            if piece.startswith("\0"):
                made.append("%" + piece[1:])
            elif piece[:1] in ("s", "b", "d", "i", "q"):
                value = next(given, "")
                made.append((unescape(_ZERO.sub(r"\\\1", value)) if piece[0] == "b" else value) + piece[1:])
            else:
                return UNKNOWN
        if not slots:
            break
    return "".join(made)


def _filtered(name: str, words: tuple[Word, ...], text: str) -> str:
    if holed(text):
        return UNKNOWN
    if name == "rev":
        return "\n".join(line[::-1] for line in text.split("\n"))
    if name == "base64":
        flags = bind(options("-d -D --decode, -i --ignore-garbage, -w= --wrap="), words).flags
        return _decoded(text) if "decode" in flags else UNKNOWN
    if name == "tr" and len(words) == 2 and words[0].value in ("-d", "--delete"):
        dropped = _tr_set(unescape(_CHARACTERS.get(words[1].value, words[1].value)))
        return text.translate(dict.fromkeys(map(ord, dropped)))
    if name == "tr" and len(words) == 2 and all(w.known for w in words):
        source, target = (_tr_set(unescape(_CHARACTERS.get(w.value, w.value))) for w in words)
        # The last character stands for all that are missing.
        target = target[: len(source)] + target[-1:] * (len(source) - len(target))
        if source and target:
            return text.translate(dict(zip(map(ord, source), target, strict=True)))
    return UNKNOWN


def _decoded(text: str) -> str:
    try:
        return base64.b64decode(text.encode("ascii"), validate=False).decode("utf-8")
    except (binascii.Error, UnicodeError):
        return UNKNOWN


def _tr_set(text: str) -> str:
    made = ""
    i = 0
    while i < len(text):
        if text[i + 1 : i + 2] == "-" and i + 2 < len(text) and text[i] <= text[i + 2]:
            made += "".join(map(chr, range(ord(text[i]), min(ord(text[i + 2]), ord(text[i]) + 256) + 1)))
            i += 3
        else:
            made += text[i]
            i += 1
    return made
