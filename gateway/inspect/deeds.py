"""What a command does to files and hosts, told by what its program takes and by its redirections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from gateway.inspect.binders import BINDERS
from gateway.inspect.deed import Deed, Does, Extent, reach
from gateway.inspect.operands import REMOVERS
from gateway.inspect.options import Bound
from gateway.inspect.programs import Spec, roles
from gateway.inspect.shell.invocation import Invocation
from gateway.inspect.word import SECRET, Word
from gateway.later import later

_ROLES = {
    "read": (Does.READ,),
    "write": (Does.OVERWRITE,),
    "append": (Does.APPEND,),
    "delete": (Does.DELETE,),
    "empty": (Does.DELETE,),
    "open": (Does.READ, Does.OVERWRITE),
    "meta": (Does.META,),
    "url": (Does.NET,),
}
# Options with which programs change the files that they read, and with which they leave those as they are.
_CHANGING = frozenset(
    ("in-place", "inplace", "write", "write-changes", "fix", "autocorrect", "autocorrect-all")
)
_KEEPING = frozenset(("stdout", "keep", "list", "test", "check", "diff", "info"))
_WRITES = (Does.OVERWRITE, Does.APPEND)
_OPERATORS = {
    ">": Does.OVERWRITE,
    ">|": Does.OVERWRITE,
    "&>": Does.OVERWRITE,
    ">&": Does.OVERWRITE,
    "<>": Does.OVERWRITE,
    ">>": Does.APPEND,
    "&>>": Does.APPEND,
    "<": Does.READ,
}
_CREDENTIALS = frozenset(
    (
        "user",
        "proxy-user",
        "oauth2-bearer",
        "password",
        "http-password",
        "token",
        "key",
        "cert",
        "pass",
        "identity",
        "auth",
        "bearer",
    )
)
_AUTHORISES = later(
    r"(?:proxy-)?authorization:|(?:x-)?[\w-]*(?:api-?key|token|auth)[\w-]*:|cookie:", re.IGNORECASE
)
# What is sent to this machine stays here.
_LOCAL = later(
    r"(?:\w+://)?(?:[^/@\s]*@)?(?:localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0)(?:[:/?#]|\Z)",
    re.IGNORECASE | re.ASCII,
)
# Where one logs in, a form says who asks.
_LOGIN = later(r"/(?:oauth2?|token|login|signin|sessions?|connect/token)(?:[/?]|\Z)", re.IGNORECASE)
_FIELD = later(
    rf"\b(?:client_secret|refresh_token|password|client_assertion|assertion)={SECRET}", re.IGNORECASE
)
_SOCKETS = ("/dev/tcp/", "/dev/udp/")
# What is written there is shown or gone, and nothing is lost by it.
_SINKS = frozenset(
    ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/full", "/dev/console", "-")
)
_SINKS_BELOW = ("/dev/fd/", "/dev/pts/", "/proc/self/fd/")


def deeds(program: str, known: Spec, bound: Bound, invocation: Invocation) -> tuple[Deed, ...]:
    """The deeds of a command."""
    made = list(_redirected(invocation))
    binder = BINDERS.get(program)
    if binder is not None:
        made += binder(bound, invocation)
    for name, role in known.options.roles.items():
        for word in bound.flags.get(name, ()):
            made += _done(role, word, program, bound, invocation)
    if program in ("echo", "printf", "print", "logger", "wall", "say", "notify-send"):
        made += [
            Deed(Does.READ, word.value, word.start, word.end, invocation.cwd, secret=True)
            for word in invocation.words
            if SECRET in word.value
        ]
    operands = bound.operands
    more = bool(operands) and (
        len(operands) > 2 or not {"expression", "file", "e", "E"}.isdisjoint(bound.flags)
    )
    if "in-place" in bound.flags and known.operands[:1] == ("script",) and more and not operands[0].value:
        # On some systems the ending of the copy is a word of its own, and it is empty.
        operands = operands[1:]
    given = roles(known, frozenset(bound.flags), len(operands))
    for role, word in zip(given, operands, strict=True):
        made += _done(role, word, program, bound, invocation)
    return tuple(one for one in made if one.does not in _WRITES or not _is_sink(one.target))


def _is_sink(target: str) -> bool:
    return target in _SINKS or (target.startswith(_SINKS_BELOW) and ".." not in target)


def _kinds(role: str, flags: Mapping[str, object]) -> tuple[Does, ...]:
    """What a role stands for: `edit` reads, and writes where an option says so; `pour` may append; `pack` may keep."""
    if role == "edit":
        return (Does.READ,) if _CHANGING.isdisjoint(flags) else (Does.READ, Does.OVERWRITE)
    if role == "pour":
        return (Does.APPEND,) if "append" in flags else (Does.OVERWRITE,)
    if role == "pack":
        return (Does.READ,) if not _KEEPING.isdisjoint(flags) else (Does.OVERWRITE,)
    return _ROLES.get(role, ())


def _done(role: str, word: Word, program: str, bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    if not word.value:
        return
    tree = "recursive" in bound.flags or program in REMOVERS
    extent = Extent.ONE if role == "empty" else Extent.TREE if tree else reach(word.value)
    for does in _kinds(role, bound.flags):
        secret = does is Does.NET and sends_secrets(bound, invocation, word.value)
        yield Deed(does, word.value, word.start, word.end, invocation.cwd, extent, secret=secret)


def sends_secrets(bound: Bound, invocation: Invocation, target: str) -> bool:
    """Whether something secret goes along to another host, but for what only says to it who asks."""
    if _LOCAL.match(target):
        return False
    given = [word.value for word in bound.operands] + list(invocation.stdin or ())
    for name, words in bound.flags.items():
        if name not in _CREDENTIALS:
            given += [word.value for word in words if name != "header" or not _AUTHORISES.match(word.value)]
    if _LOGIN.search(target):
        given = [_FIELD.sub("", value) for value in given]
    return any(SECRET in value for value in given)


def _holds_secrets(invocation: Invocation) -> bool:
    given = [word.value for word in invocation.words] + list(invocation.stdin or ())
    return any(SECRET in value for value in given)


def _redirected(invocation: Invocation) -> Iterator[Deed]:
    for redirect in invocation.redirects:
        word = redirect.target
        if word.value.startswith(_SOCKETS):
            yield Deed(
                Does.NET, word.value, word.start, word.end, invocation.cwd, secret=_holds_secrets(invocation)
            )
            continue
        does = _OPERATORS.get(redirect.operator)
        if does is not None and not (redirect.operator == ">&" and word.value.isdigit()):
            yield Deed(does, word.value, word.start, word.end, invocation.cwd, reach(word.value))
