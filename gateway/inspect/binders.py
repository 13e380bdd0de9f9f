"""Programs whose words follow a grammar of their own, and the deeds that they tell."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType

from gateway.inspect.archives import ARCHIVERS
from gateway.inspect.copying import COPYING
from gateway.inspect.deed import Deed, Does, Extent, deed
from gateway.inspect.draining import DRAINING, filled
from gateway.inspect.mounts import mounts
from gateway.inspect.options import Bound
from gateway.inspect.owning import OWNING
from gateway.inspect.scripted import SCRIPTED_DEEDS
from gateway.inspect.shell.invocation import Invocation
from gateway.inspect.shell.search import only_empty
from gateway.inspect.word import DEEP, FULL, SECRET, Word
from gateway.later import later

_HEADER = later(r"[\w-]+:(?!=|//)", re.ASCII)
_AUTHORISES = later(
    r"(?:proxy-)?authorization:|(?:x-)?[\w-]*(?:api-?key|token|auth)[\w-]*:|cookie:", re.IGNORECASE
)
_CHOOSING = frozenset(
    ("input-file", "recursive", "mirror", "content-disposition", "trust-server-names", "page-requisites")
)
_NAMES_ONLY = frozenset(
    (
        "files-with-matches",
        "files-without-match",
        "count",
        "count-matches",
        "quiet",
        "files",
        "l",
        "L",
        "c",
        "q",
    )
)
_PUTS = later(r"(?:^|[;\n\"'])\s*(?:m?put|reput|send|mirror\s+(?:-R|--reverse))\s+([^;\n]+)", re.MULTILINE)


def _find(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`find`: what `-delete` removes and the files that `-fprint` and its kin write."""
    if "delete" in bound.flags and not only_empty(invocation.words):
        for word in bound.operands:
            yield deed(Does.DELETE, word, invocation.cwd, Extent.TREE)
    for option, word in pairwise(invocation.words):
        if option.value.startswith(("-fprint", "-fls")):
            yield deed(Does.OVERWRITE, word, invocation.cwd)


def _dd(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`dd`: `if=` is read and `of=` written."""
    for word in invocation.words:
        key, equals, value = word.value.partition("=")
        if equals and key in ("if", "of"):
            target = Word(value, word.start + len(key) + 1, word.end)
            yield deed(Does.OVERWRITE if key == "of" else Does.READ, target, invocation.cwd)
    yield from filled(invocation)


def _curl(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`curl`: `@FILE` in what is sent is read."""
    for name in ("data", "data-binary", "data-urlencode", "json", "header", "form", "url-query", "variable"):
        for word in bound.flags.get(name, ()):
            before, at, file = word.value.partition("@")
            if name == "form" and not at:
                before, at, file = word.value.partition("=<")
                before += "="
            if at and (not before or before.endswith("=") or name in ("data-urlencode", "variable")):
                target = file.partition(";")[0]
                yield Deed(Does.READ, target, word.start, word.end, invocation.cwd)
    for word in bound.operands:
        if word.value.lower().startswith("file:"):
            path = "/" + word.value.partition(":")[2].lstrip("/").removeprefix("localhost/")
            yield Deed(Does.READ, path, word.start, word.end, invocation.cwd)
    folder = bound.value("output-dir")
    if folder is not None and not {"remote-name", "remote-name-all"}.isdisjoint(bound.flags):
        yield from _saved(folder, bound.operands, invocation)


def _wget(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`wget -P`, `aria2c -d`: files in a directory, which the server names where it may."""
    folder = bound.value("directory-prefix", "dir")
    if folder is None:
        return
    if not _CHOOSING.isdisjoint(bound.flags):
        yield deed(Does.OVERWRITE, folder, invocation.cwd, Extent.TREE)
        return
    yield from _saved(folder, bound.operands, invocation)


def _saved(folder: Word, addresses: Iterable[Word], invocation: Invocation) -> Iterator[Deed]:
    """The files that addresses are saved to in a directory."""
    for word in addresses:
        name = posixpath.basename(word.value.partition("?")[0].rstrip("/"))
        if name:
            path = f"{folder.value.rstrip('/')}/{name}"
            yield deed(Does.OVERWRITE, Word(path, folder.start, folder.end), invocation.cwd)


def _httpie(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`http`: the address, and items behind it that are sent: `name=value`, `name@FILE`, `name=@FILE`, `@FILE`."""
    words = [word for word in bound.operands if not word.value.isupper() or len(word.value) > 7]
    if not words:
        return
    secret = any(SECRET in text for text in invocation.stdin or ())
    for word in words[1:]:
        name, at, file = word.value.partition("@")
        if at and "=" not in name.rstrip("=:") and not name.endswith("://"):
            yield _deed(Does.READ, Word(file.partition(";")[0], word.start, word.end), invocation)
        header = _HEADER.match(word.value)
        secret = secret or (
            SECRET in word.value and not (header is not None and _AUTHORISES.match(word.value))
        )
    address = words[0]
    yield Deed(
        Does.NET,
        address.value,
        address.start,
        address.end,
        invocation.cwd,
        secret=secret or SECRET in address.value,
    )


def _socat(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`socat`: the files and hosts in its addresses."""
    secret = any(SECRET in text for text in invocation.stdin or ())
    for word in bound.operands:
        kind, colon, rest = word.value.partition(":")
        target = Word(rest.partition(",")[0], word.start, word.end)
        if not colon:
            continue
        if kind.upper() in ("FILE", "OPEN", "GOPEN"):
            yield _deed(Does.READ, target, invocation)
        elif (
            kind.upper().startswith(("TCP", "UDP", "OPENSSL", "SSL", "SOCKS", "PROXY"))
            and "LISTEN" not in kind.upper()
        ):
            yield Deed(Does.NET, target.value, word.start, word.end, invocation.cwd, secret=secret)


def _transfer(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`sftp`, `lftp` and their kin: the files that their own commands put on the other host."""
    place = (invocation.start, invocation.end)
    for text in (*(word.value for word in invocation.words), *(invocation.stdin or ())):
        for found in _PUTS.finditer(text):
            for name in found[1].split():
                if not name.startswith("-"):
                    yield _deed(Does.READ, Word(name.strip("'\""), *place), invocation)
    words = [word.value for word in invocation.words]
    if "put" in words:
        for word in invocation.words[words.index("put") + 1 :][:1]:
            yield _deed(Does.READ, word, invocation)


def _deed(does: Does, word: Word, invocation: Invocation, extent: Extent = Extent.ONE) -> Deed:
    return Deed(does, word.value, word.start, word.end, invocation.cwd, extent)


def _searched(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`rg -g NAME`, `grep -r --include=NAME`: the files of that name are read, unless only their names are told."""
    given = [word for name in ("glob", "iglob", "include") for word in bound.flags.get(name, ())]
    walks = invocation.program == "rg" or not {"recursive", "dereference-recursive"}.isdisjoint(bound.flags)
    if not given or not walks or not _NAMES_ONLY.isdisjoint(bound.flags):
        return
    for word in given:
        name = word.value.removeprefix("=").rsplit("/", 1)[-1].replace("*", FULL)
        if name and not name.startswith("!"):
            yield _deed(Does.READ, Word(f"{DEEP}/{name}", word.start, word.end), invocation, Extent.MANY)


def _cmake(_: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`cmake -E`, which removes and copies on every system alike."""
    words = [word for word in invocation.words[1:] if not word.value.startswith("-")]
    if not invocation.words or invocation.words[0].value != "-E" or not words:
        return
    if words[0].value in ("rm", "remove", "remove_directory"):
        for word in words[1:]:
            yield deed(Does.DELETE, word, invocation.cwd, Extent.TREE)
    if words[0].value in ("copy", "copy_directory", "copy_if_different", "rename", "touch"):
        yield deed(Does.OVERWRITE, words[-1], invocation.cwd)


BINDERS: Mapping[str, Callable[[Bound, Invocation], Iterable[Deed]]] = MappingProxyType(
    {
        **OWNING,
        **DRAINING,
        "find": _find,
        "dd": _dd,
        "curl": _curl,
        **dict.fromkeys(("rg", "grep", "egrep", "fgrep"), _searched),
        "wget": _wget,
        "aria2c": _wget,
        **SCRIPTED_DEEDS,
        "cmake": _cmake,
        **COPYING,
        **ARCHIVERS,
        "docker": mounts,
        "docker-compose": mounts,
        **dict.fromkeys(("http", "https", "xh", "xhs"), _httpie),
        "socat": _socat,
        **dict.fromkeys(("sftp", "ftp", "lftp", "tftp", "smbclient", "ncftpput"), _transfer),
    }
)
"""The grammar of each such program; what `gateway.inspect.programs` tells of it counts as well."""
