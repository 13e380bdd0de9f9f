"""What archivers do: archives are read or written, and what they hold is put over what is there."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from gateway.inspect.deed import Deed, Does, Extent, deed
from gateway.inspect.options import Arity, Bound, bind
from gateway.inspect.programs import spec
from gateway.inspect.shell.invocation import Invocation
from gateway.inspect.word import Word, certain

_EXTRACT = ("extract", "get")
_ENVIRONMENTS = frozenset(("venv", ".venv", "env", ".env", "ENV", "virtualenv", ".virtualenv"))
_GROW = ("append", "update", "catenate", "concatenate", "delete")


def tar_words(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words of `tar` with a bundle in front that lacks its dash (`xzf a.tgz`) as single options."""
    first = certain(words[0].value) if words else ""
    if not first.isalpha():
        return words
    known, made, rest = spec("tar").options, list[Word](), list(words[1:])
    for letter in first:
        made.append(Word(f"-{letter}", words[0].start, words[0].end))
        name = known.names.get(f"-{letter}", letter)
        if known.arity.get(name) is Arity.ONE and rest:
            made.append(rest.pop(0))
    return (*made, *rest)


def _tar(_: Bound, invocation: Invocation) -> Iterator[Deed]:
    bound, cwd = bind(spec("tar").options, tar_words(invocation.words)), invocation.cwd
    place = Word(".", invocation.start, invocation.end)
    directory, archive = bound.value("directory"), bound.value("file")
    if not bound.flags.keys().isdisjoint(_EXTRACT):
        if archive is not None:
            yield deed(Does.READ, archive, cwd)
        if "to-stdout" in bound.flags or "to-command" in bound.flags:
            return
        if "absolute-names" in bound.flags:
            yield deed(Does.OVERWRITE, Word("/", place.start, place.end), cwd, Extent.TREE)
        yield deed(Does.OVERWRITE, directory or place, cwd, Extent.TREE)
        return
    if "create" in bound.flags or not bound.flags.keys().isdisjoint(_GROW):
        if archive is not None:
            yield deed(Does.OVERWRITE if "create" in bound.flags else Does.APPEND, archive, cwd)
        for word in bound.operands:
            inside = word
            if directory is not None and not word.value.startswith("/"):
                inside = Word(f"{directory.value}/{word.value}", word.start, word.end)
            yield deed(Does.READ, inside, cwd, Extent.TREE)
            if "remove-files" in bound.flags:
                yield deed(Does.DELETE, inside, cwd, Extent.TREE)
    elif archive is not None:
        yield deed(Does.READ, archive, cwd)


def _unzip(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    for word in bound.operands[:1]:
        yield deed(Does.READ, word, invocation.cwd)
    if bound.flags.keys().isdisjoint(("p", "l", "t", "v", "Z", "z")):
        where = bound.value("d") or Word(".", invocation.start, invocation.end)
        yield deed(Does.OVERWRITE, where, invocation.cwd, Extent.TREE)


def _zip(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    for word in bound.operands[:1]:
        yield deed(Does.APPEND, word, invocation.cwd)
    for word in bound.operands[1:] if "delete" not in bound.flags else ():
        yield deed(Does.READ, word, invocation.cwd, Extent.TREE)
        if "move" in bound.flags:
            yield deed(Does.DELETE, word, invocation.cwd, Extent.TREE)


def _seven(_: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`7z` and `unrar`: a verb, the archive, files and options that hold their values."""
    plain = [word for word in invocation.words if not word.value.startswith("-")]
    verb = certain(plain[0].value) if plain else ""
    options = [word for word in invocation.words if word.value.startswith("-")]
    where = Word(".", invocation.start, invocation.end)
    for word in options:
        if word.value.startswith("-o") and word.value not in ("-o", "-o+", "-o-"):
            where = Word(word.value[2:], word.start + 2, word.end)
    if verb in ("x", "e"):
        yield from (deed(Does.READ, word, invocation.cwd) for word in plain[1:2])
        if invocation.program == "unrar" and plain[2:] and plain[-1].value.endswith("/"):
            where = plain[-1]
        if not any(word.value == "-so" for word in options):
            yield deed(Does.OVERWRITE, where, invocation.cwd, Extent.TREE)
    elif verb in ("a", "u", "d", "m"):
        yield from (deed(Does.APPEND, word, invocation.cwd) for word in plain[1:2])
        for word in plain[2:] if verb != "d" else ():
            yield deed(Does.READ, word, invocation.cwd, Extent.TREE)
            if verb == "m" or any(option.value in ("-sdel", "-df") for option in options):
                yield deed(Does.DELETE, word, invocation.cwd, Extent.TREE)


def _cpio(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    place = Word(".", invocation.start, invocation.end)
    where = bound.value("directory") or place
    if "pass-through" in bound.flags:
        where = bound.operands[0] if bound.operands else where
    elif "extract" not in bound.flags or "list" in bound.flags:
        return
    yield deed(Does.OVERWRITE, where, invocation.cwd, Extent.TREE)
    if "absolute-filenames" in bound.flags:
        yield deed(Does.OVERWRITE, Word("/", place.start, place.end), invocation.cwd, Extent.TREE)


def _package(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`dpkg-deb -x PACKAGE DIRECTORY`."""
    if (
        not bound.flags.keys().isdisjoint(("extract", "vextract", "raw-extract", "x", "X"))
        and len(bound.operands) > 1
    ):
        yield deed(Does.OVERWRITE, bound.operands[-1], invocation.cwd, Extent.TREE)


def _module(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`python -m zipfile -e ARCHIVE DIRECTORY` and `tarfile`, which need no directory."""
    for word in bound.flags.get("extract", ())[-1:]:
        yield deed(Does.READ, word, invocation.cwd)
        where = bound.operands[0] if bound.operands else Word(".", invocation.start, invocation.end)
        yield deed(Does.OVERWRITE, where, invocation.cwd, Extent.TREE)


def _environment(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """An environment of Python that is made anew, for which all that its directory holds goes."""
    operands = bound.operands[invocation.program == "uv" :]
    if invocation.program == "uv" and bound.operands[:1] and bound.operands[0].value != "venv":
        return
    for word in operands if "clear" in bound.flags else ():
        if posixpath.basename(word.value.rstrip("/")) not in _ENVIRONMENTS:
            yield deed(Does.DELETE, word, invocation.cwd, Extent.TREE)


ARCHIVERS: Mapping[str, Callable[[Bound, Invocation], Iterable[Deed]]] = MappingProxyType(
    {
        "tar": _tar,
        "unzip": _unzip,
        "zip": _zip,
        "7z": _seven,
        "unrar": _seven,
        "cpio": _cpio,
        "dpkg-deb": _package,
        "dpkg": _package,
        "zipfile": _module,
        "tarfile": _module,
        "virtualenv": _environment,
        "uv": _environment,
    }
)
"""The programs that pack and unpack."""
