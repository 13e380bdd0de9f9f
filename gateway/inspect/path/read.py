"""The argument of a tool that reads or writes files: where every reading of it leads, and what it names."""

from __future__ import annotations

import posixpath
import re

from gateway.frozen import frozen
from gateway.inspect.path.spelling import LONGEST, Spelling, odd, readings, shown
from gateway.inspect.path.trait import PathTrait
from gateway.inspect.path.traits import expanded, named
from gateway.inspect.place import PathClass, Place, absolute, classify, joined, under
from gateway.inspect.unnamed import WORKSPACE, written
from gateway.later import later

_OUT = (PathClass.ROOT, PathClass.HOME, PathClass.SYSTEM, PathClass.OUTSIDE, PathClass.UNKNOWN)
_DRIVE = later(r"/*(?:[?.]/)?([A-Za-z]):(?:/|\Z)|[A-Za-z]:[^/]")
_SHARE = later(r"//[^/]")
_FILE_URL = later(r"file:(?://(?:localhost)?(?=/)|(?=/))", re.IGNORECASE)
_HOME_VARIABLE = later(
    r"\A(?:\$HOME|\$\{HOME\}|%(?:USERPROFILE|HOME|HOMEPATH)%|\$env:(?:HOME|USERPROFILE)|\$\{env:HOME\})(?=[/\\]|\Z)",
    re.IGNORECASE,
)
_SYSTEM_VARIABLE = later(
    r"\A(?:%(?:SystemRoot|WINDIR|ProgramFiles|ProgramData|APPDATA|LOCALAPPDATA|SystemDrive|PUBLIC|TEMP)%"
    r"|\$env:(?:SystemRoot|windir|ProgramFiles|ProgramData|APPDATA|LOCALAPPDATA|SystemDrive))(?=[/\\]|\Z)",
    re.IGNORECASE,
)
# In the order in which they are told: what says more of a path before what says less.
_WHAT = {
    PathTrait.PROC: "it shows the inside of a process",
    PathTrait.HISTORY: "it holds what somebody typed",
    PathTrait.SECRET: "it may hold keys, tokens or passwords",
    PathTrait.AGENT_CONFIG: "it says what a coding agent or an editor runs",
    PathTrait.AGENT_NOTES: "it tells coding agents what to do",
    PathTrait.PERSIST: "what is in it runs later by itself",
    PathTrait.VCS_META: "it belongs to the version control system",
    PathTrait.DEVICE: "it is a device",
    PathTrait.NULL_DEVICE: "it is a device that holds nothing",
    PathTrait.BLOCK_DEVICE: "it is a disk",
    PathTrait.NET_DEVICE: "it opens a connection",
    PathTrait.KERNEL: "it is a setting of the running kernel",
    PathTrait.SOCKET: "whoever may write to this socket gives orders to a daemon",
    PathTrait.LOG: "it is a record of the system",
    PathTrait.SYSTEM_CONFIG: "it is a setting of the system",
    PathTrait.TRAVERSAL: "`..` leads out of the workspace",
}
_ORDER = {trait: at for at, trait in enumerate(_WHAT)}


@frozen
class PathReading:
    """Where a path leads in the worst reading of it, and what it is; `remarks` give a reason for each trait."""

    text: str
    path: str
    """The normal absolute form of the reading that leads furthest out."""
    location: PathClass
    outside: str | None
    """Why it is not inside of the workspace or of a directory for temporary files; None if it is."""
    traits: frozenset[PathTrait]
    remarks: tuple[Spelling, ...]


def read_path(text: str, place: Place) -> PathReading:
    """What a tool would reach that is given this text as a path, by its spelling and with all links followed."""
    remarks = list(odd(text))
    location, path, outside = PathClass.TMP, text, None
    order = {member: i for i, member in enumerate(PathClass)}
    for reading in readings(text[:LONGEST]):
        candidate = _unfolded(reading, place)
        found, why, target = _location(candidate, place)
        if (why is not None, -order[found]) > (outside is not None, -order[location]) or path is text:
            location, outside = found, why
            path = absolute(candidate, place.cwd, place.home) or candidate
        traits = named(candidate, place) | (named(target, place) if target else frozenset())
        told = {each.trait for each in remarks}
        remarks += (
            Spelling(trait, _WHAT[trait], 0, len(text))
            for trait in sorted(traits - told, key=_ORDER.__getitem__)
        )
    kinds = frozenset(each.trait for each in remarks)
    if kinds == {PathTrait.NULL_DEVICE} and path.startswith("/dev/"):
        outside = None
    return PathReading(text, path, location, outside, kinds, tuple(remarks))


def _unfolded(text: str, place: Place) -> str:
    """The path with the home in it, where a tool or a shell may put it, and without the scheme of a URL."""
    text = _FILE_URL.sub("", text, count=1)
    if place.home is not None:
        text = _HOME_VARIABLE.sub(lambda _: place.home or "", text)
    return expanded(text, place)


def _location(text: str, place: Place) -> tuple[PathClass, str | None, str]:
    """The class of a path, why it lies outside, and where its links lead; the last link is followed too."""
    slashed = text.replace("\\", "/")
    if (
        _DRIVE.match(slashed)
        or (text.startswith("\\") and _SHARE.match(slashed))
        or _SYSTEM_VARIABLE.match(text)
    ):
        roots = [root.replace("\\", "/").rstrip("/").lower() for root in place.roots]
        if ".." not in slashed.split("/") and any(under(slashed.lower(), root) for root in roots):
            return PathClass.WORKSPACE, None, ""
        return PathClass.OUTSIDE, "it leads to another drive or machine", ""
    where = absolute(text, place.cwd, place.home)
    if where is None:
        return PathClass.UNKNOWN, "the directory that it starts from is not known", ""
    lexical = _class(where, place)
    if lexical in _OUT:
        return lexical, _outside(text, where, place), ""
    try:
        target = posixpath.normpath(place.resolve(where))
        if ".." in text:
            climbing = posixpath.normpath(place.resolve(joined(text, place.cwd, place.home) or where))
            target = target if climbing == where else climbing
        roots = [place.resolve(root) for root in place.roots]
    except (OSError, ValueError):
        return PathClass.UNKNOWN, "it can't be followed to where it leads", ""
    if target == where:
        return lexical, None, ""
    for root, real in zip(place.roots, roots, strict=True):
        if under(target, real):
            return lexical, None, root + target[len(real) :]
    resolved = _class(target, place)
    if resolved in _OUT:
        return resolved, f"a link in it leads to `{shown(target)}`, outside of the workspace", target
    return resolved, None, target


def _outside(text: str, where: str, place: Place) -> str:
    """Why a path lies outside; where it leads is not known if the directory that it climbs out of is not."""
    if place.cwd == WORKSPACE and not text.startswith(("/", "~")):
        return "it leads out of the workspace"
    return f"`{shown(written(where))}` is outside of the workspace"


def _class(path: str, place: Place) -> PathClass:
    found = classify(path, place.cwd, Place(place.cwd, place.home, place.roots, str))
    if found is PathClass.ARTIFACT and not any(under(path, root) for root in place.roots):
        # What programs keep in a home may be deleted, but is nothing for a tool to read or write.
        return PathClass.OUTSIDE
    return found
