"""What a command does to files and hosts, told by what its program takes and by its redirections."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gateway.inspect.binders import BINDERS
from gateway.inspect.deed import Deed, Does, Extent
from gateway.inspect.operands import REMOVERS
from gateway.inspect.options import Bound
from gateway.inspect.programs import Spec, roles
from gateway.inspect.shell.invocation import Invocation
from gateway.inspect.word import DEEP, SECRET, Word, marked

_ROLES = {
    "read": Does.READ,
    "write": Does.OVERWRITE,
    "append": Does.APPEND,
    "delete": Does.DELETE,
    "meta": Does.META,
    "url": Does.NET,
}
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
_AUTHORISES = re.compile(
    r"(?:proxy-)?authorization:|(?:x-)?[\w-]*(?:api-?key|token|auth)[\w-]*:|cookie:", re.IGNORECASE
)
# What is sent to this machine stays here.
_LOCAL = re.compile(
    r"(?:\w+://)?(?:[^/@\s]*@)?(?:localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0)(?:[:/?#]|\Z)",
    re.IGNORECASE | re.ASCII,
)
# Where one logs in, a form says who asks.
_LOGIN = re.compile(r"/(?:oauth2?|token|login|signin|sessions?|connect/token)(?:[/?]|\Z)", re.IGNORECASE)
_FIELD = re.compile(
    rf"\b(?:client_secret|refresh_token|password|client_assertion|assertion)={SECRET}", re.IGNORECASE
)
_SOCKETS = ("/dev/tcp/", "/dev/udp/")


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
    given = roles(known, frozenset(bound.flags), len(bound.operands))
    for role, word in zip(given, bound.operands, strict=True):
        made += _done(role, word, program, bound, invocation)
    return tuple(made)


def _done(role: str, word: Word, program: str, bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    does = _ROLES.get(role)
    if does is None or not word.value:
        return
    secret = does is Does.NET and sends_secrets(bound, invocation, word.value)
    tree = "recursive" in bound.flags or program in REMOVERS
    yield Deed(
        does, word.value, word.start, word.end, invocation.cwd, extent(word.value, tree=tree), secret=secret
    )


def extent(value: str, *, tree: bool) -> Extent:
    """How much a path takes in: all below it, what a pattern finds, or itself."""
    if tree or DEEP in value:
        return Extent.TREE
    return Extent.MANY if marked(value) else Extent.ONE


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
            yield Deed(does, word.value, word.start, word.end, invocation.cwd, extent(word.value, tree=False))
