"""Mends what is wrong with policies where a finding brings its mend: in memory first, then in the files."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import unified_diff
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from gatewayctl.output import Failure

if TYPE_CHECKING:
    from gateway.diagnostic import Diagnostic, Edit
    from gateway.files import PolicyFile, PolicyFiles
    from gateway.sources import Assembled, Sources

_MOST_ROUNDS = 20
_MOST_REFUSED = 20


@dataclass(frozen=True, slots=True)
class Mended:
    """What was read and what it becomes, by file, and the findings that are mended by it."""

    files: tuple[tuple[PolicyFile, PolicyFile], ...]
    findings: tuple[Diagnostic, ...]
    loads: bool
    """Whether what it becomes can be used; if not, nothing of it is written."""
    links: tuple[str, ...]
    """What could be mended, but is a link, or anything else that is no file itself."""
    refused: tuple[str, ...]
    """What was not mended although it could be, and why not."""


@dataclass(frozen=True, slots=True)
class _Looked:
    """A policy's files, what is found in them, and the policy if they can be used."""

    read: PolicyFiles
    found: tuple[Diagnostic, ...]
    assembled: Assembled | None


def mended(sources: Sources, now: Callable[[], datetime]) -> Mended:
    """Make the edits of all findings, round by round, but for those after which something is decided otherwise.

    A finding whose edits touch those of another one waits for the next round.
    """
    first = here = _look(sources, sources.read(), now)
    done: list[Diagnostic] = []
    refused: dict[tuple[str, str], str] = {}
    rounds = 0
    while rounds < _MOST_ROUNDS and len(refused) < _MOST_REFUSED:
        chosen = compatible(one for one in here.found if (one.code, one.message) not in refused)
        if not chosen:
            break
        # What can't be mended together may be mended one after the other.
        for some in (chosen, chosen[:1]):
            there = _look(sources, edited(here.read, some), now)
            why = _difference(here.assembled, there)
            if why is None:
                here, rounds = there, rounds + 1
                done += some
                break
        else:
            refused[chosen[0].code, chosen[0].message] = f"{_named(chosen[0])} is not mended: {why}"
    changed = [
        (before, after)
        for old, new in zip(first.read.layers, here.read.layers, strict=True)
        for before, after in zip(old, new, strict=True)
        if before.content != after.content
    ]
    named = {edit.span.source.name for one in here.found for edit in one.edits}
    links = tuple(sorted(name for name in named if _is_link(Path(name))))
    loads = here.assembled is not None
    return Mended(tuple(changed), tuple(done), loads, links, tuple(refused.values()))


def _look(sources: Sources, read: PolicyFiles, now: Callable[[], datetime]) -> _Looked:
    from gateway.checks import check_policy
    from gateway.diagnostic import PolicyError

    try:
        assembled = sources.assembled(read)
    except PolicyError as error:
        return _Looked(read, error.diagnostics, None)
    compiled = assembled.compiled
    found = (*compiled.diagnostics, *check_policy(assembled.policy, compiled, now()))
    return _Looked(read, tuple(sorted(found, key=lambda one: one.sort_key)), assembled)


def _difference(old: Assembled | None, new: _Looked) -> str | None:
    """Why a policy is not the same after a mend, if it is not; one that did not load is the same as none."""
    from gateway.diff import changes, compiled

    if old is None:
        return None
    if new.assembled is None:
        return f"the policy would not load any more: {new.found[0].message}"
    for change in changes(compiled(old.policy), compiled(new.assembled.policy)):
        if change.enforced or change.relaxed:
            return f"something would be decided otherwise: `{change.item}`, {change.meaning}"
    return None


def _named(diagnostic: Diagnostic) -> str:
    place = "" if diagnostic.span is None else f"{diagnostic.span.place}: "
    return f"{place}{diagnostic.code}"


def compatible(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings with edits of which none touches another's, as they come; files behind a link are left alone."""
    taken: dict[str, list[tuple[int, int]]] = {}
    chosen: list[Diagnostic] = []
    for diagnostic in found:
        if diagnostic.edits and all(_is_free(edit, taken) for edit in diagnostic.edits):
            chosen.append(diagnostic)
            for edit in diagnostic.edits:
                taken.setdefault(edit.span.source.name, []).append((edit.span.start, edit.span.end))
    return chosen


def _is_free(edit: Edit, taken: dict[str, list[tuple[int, int]]]) -> bool:
    name, start, end = edit.span.source.name, edit.span.start, edit.span.end
    if _is_link(Path(name)):
        return False
    return all(end < other or behind < start for other, behind in taken.get(name, ()))


def _is_link(path: Path) -> bool:
    """Whether a path is anything but a regular file itself."""
    try:
        return not stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return True


def edited(read: PolicyFiles, chosen: Iterable[Diagnostic]) -> PolicyFiles:
    """The files with the edits made; every other byte is as it was."""
    edits: dict[str, list[Edit]] = {}
    for diagnostic in chosen:
        for edit in diagnostic.edits:
            edits.setdefault(edit.span.source.name, []).append(edit)

    def one(file: PolicyFile) -> PolicyFile:
        text = file.content.decode() if file.shown in edits else ""
        for edit in sorted(edits.get(file.shown, ()), key=lambda each: each.span.start, reverse=True):
            text = text[: edit.span.start] + edit.text + text[edit.span.end :]
        return replace(file, content=text.encode()) if file.shown in edits else file

    return replace(read, layers=tuple(tuple(map(one, layer)) for layer in read.layers))


def preview(files: Iterable[tuple[PolicyFile, PolicyFile]]) -> Iterator[str]:
    """What the mends change, as `patch -p1` and `git apply` read it, line by line."""
    from gateway.diagnostic import printable

    for before, after in files:
        name = printable(before.shown).removeprefix("./").lstrip("/")
        old, new = (file.content.decode().splitlines(keepends=True) for file in (before, after))
        for line in unified_diff(old, new, f"a/{name}", f"b/{name}"):
            whole = line.endswith("\n")
            yield line.removesuffix("\n")
            if not whole:
                yield "\\ No newline at end of file"


def write(files: Sequence[tuple[PolicyFile, PolicyFile]]) -> None:
    """Put each file in place of what was read, whole or not at all; if one can't be, those before it are put back."""
    for count, (before, after) in enumerate(files):
        try:
            _replace(Path(before.shown), before.content, after.content)
        except OSError as error:
            for earlier, later in reversed(files[:count]):
                _replace(Path(earlier.shown), later.content, earlier.content)
            why = (error.strerror or str(error)).lower()
            raise Failure(f"`{before.shown}` can't be written: {why}; nothing is changed") from None


def _replace(path: Path, old: bytes, new: bytes) -> None:
    """Write a file beside another one and move it there, with the same mode, if that still is what was read."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as stream:
        if stream.read(len(old) + 1) != old:
            raise OSError("it has changed meanwhile")
        mode = stat.S_IMODE(os.fstat(stream.fileno()).st_mode)
    beside = path.with_name(f".{path.name}.{token_hex(8)}.new")
    made = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(made, "wb") as stream:
            stream.write(new)
            stream.flush()
            os.fchmod(stream.fileno(), mode)
            os.fsync(stream.fileno())
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise
