"""What kinds of path a value can be, under one set of names: where it lies, and what it is there for."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import replace

from gateway.glob import fits
from gateway.inspect.globs import globs
from gateway.inspect.path.trait import PathTrait
from gateway.inspect.path.traits import named
from gateway.inspect.place import PathClass, Place, absolute, classify, in_home, is_scratch, under
from gateway.inspect.word import ANY, DEEP, FULL, MARKS, STAR, UNKNOWN, certain, marked, may_be, plain

PROTECTED = "protected"
HOLDS_PROTECTED = "holds-protected"
_CLASSES, _TRAITS = (frozenset(member.value for member in kind) for kind in (PathClass, PathTrait))
NAMES: frozenset[str] = _CLASSES | _TRAITS | {PROTECTED, HOLDS_PROTECTED}
"""The words that patterns and conditions can use."""


class Classes:
    """Finds the classes of paths as they are for one session; each path is looked at once."""

    __slots__ = ("_artifacts", "_forms", "_found", "_place", "_protected")

    def __init__(self, place: Place) -> None:
        self._place = place
        self._found: dict[tuple[str, str | None], frozenset[str]] = {}
        self._forms: dict[tuple[str, str | None], tuple[str, ...]] = {}
        self._artifacts = place.conventions.artifacts
        self._protected = tuple(
            path
            for written in place.conventions.paths
            for root in (place.roots if not written.startswith(("/", "~")) else (place.cwd,))
            if (path := absolute(written, root, place.home)) is not None
        )

    @property
    def branches(self) -> tuple[str, ...]:
        """The branches that the deployment protects beside those that patterns name."""
        return self._place.conventions.branches

    @property
    def home(self) -> str | None:
        """The home directory of the session."""
        return self._place.home

    def of(self, value: str, cwd: str | None) -> frozenset[str]:
        """The classes that a path can have which starts from a directory."""
        found = self._found.get((value, cwd))
        if found is None:
            found = self._found[value, cwd] = self._look(value, cwd)
        return found

    def scratch(self, value: str, cwd: str | None) -> bool:
        """Whether a path is a directory that is there for temporary files."""
        path = absolute(value, cwd, self._place.home)
        return path is not None and is_scratch(path)

    def fits(self, patterns: tuple[str, ...], value: str, cwd: str | None) -> bool:
        """Whether a value fits as it is written, as the path that it is, or as `~/…` where it lies in a home."""
        known, forms = globs(patterns), self.forms(value, cwd)
        if known.fit(forms[0]):
            return True
        return known.paths is not None and any(map(known.paths.fit, forms[1:]))

    def forms(self, value: str, cwd: str | None) -> tuple[str, ...]:
        """A value as it is written, as the path that it is, and as `~/…` where it lies in a home."""
        forms = self._forms.get((value, cwd))
        if forms is None:
            forms = self._forms[value, cwd] = self._spelled(value, cwd)
        return forms

    def _spelled(self, value: str, cwd: str | None) -> tuple[str, ...]:
        written = certain(value)
        if not written:
            return ("",)
        whole = absolute(written, cwd, self._place.home)
        if whole is None:
            # Most often a shell that starts elsewhere, as with `ssh`, starts at home.
            return written, "~/" + written
        if written.startswith("/") and ".." in written:
            # What it is called on the way says nothing of where it leads.
            written = whole
        return tuple(dict.fromkeys((written, whole, in_home(whole, self._place.home))))

    def _look(self, value: str, cwd: str | None) -> frozenset[str]:
        name = classify(value, cwd, self._place)
        if name is PathClass.WORKSPACE and self._artifacts and self._is_artifact(value, cwd):
            name = PathClass.ARTIFACT
        place = self._place if cwd == self._place.cwd else replace(self._place, cwd=cwd)
        names = {name.value, *_traits(plain(value), place)}
        if self._protected:
            names |= self._protection(value, cwd)
        return frozenset(names)

    def _is_artifact(self, value: str, cwd: str | None) -> bool:
        """Whether a path below a root has a component that the deployment's builds make again."""
        path = absolute(value, cwd, self._place.home)
        if path is None or marked(path):
            return False
        for root in self._place.roots:
            if under(path, root):
                inside = path[len(root) :].strip("/").split("/")
                return ".git" not in inside and any(
                    fits(name, one) for name in self._artifacts for one in inside
                )
        return False

    def _protection(self, value: str, cwd: str | None) -> set[str]:
        """Whether a path is a protected one or lies below it, or holds one."""
        path = absolute(value, cwd, self._place.home)
        if path is None:
            return set()
        forms = {path} if marked(path) else {path, posixpath.normpath(self._place.resolve(path))}
        return {
            name
            for form in forms
            for known in self._protected
            if (name := _meets(_parts(form), _parts(known)))
        }


# A pattern that finds anything, such as `*.txt`, may find a file of secrets, and seldom does.
_GUESSED = frozenset((PathTrait.SECRET, PathTrait.HISTORY))
_ANYTHING = (STAR, FULL, ANY, DEEP, UNKNOWN)


def _traits(value: str, place: Place) -> Iterator[str]:
    """What a path is there for; of a pattern that begins with anything, what an ordinary name in its place would be."""
    found = named(value, place)
    if marked(value) and not _GUESSED.isdisjoint(found):
        parts = [
            "x" + part.lstrip("".join(_ANYTHING)) if part.startswith(_ANYTHING) else part
            for part in value.split("/")
        ]
        folder = parts[-2] if len(parts) > 1 else ""
        if not folder.startswith("."):
            found = (found - _GUESSED) | (named("/".join(parts), place) & _GUESSED)
    return (trait.value for trait in found)


def _parts(path: str) -> list[str]:
    return ["", *(part for part in path.split("/") if part)]


def _meets(path: list[str], protected: list[str]) -> str:
    """How a path stands to a protected one, in which `**` is any number of directories.

    A part with patterns meets a name that it may find, and a protected pattern by which all fit that it finds. Of one
    that may be anything only what is before it counts, where nothing but such parts follows.
    """
    reached = _onward({0}, protected)
    for at, part in enumerate(path):
        if len(protected) in reached:
            return PROTECTED
        if _is_open(part):
            if not any(set(one) - MARKS for one in path[at:]):
                return HOLDS_PROTECTED
            reached = {one for one in reached if protected[one] == _DIRECTORIES}
        else:
            reached = {behind for one in reached for behind in _behind(part, one, protected)}
        reached = _onward(reached, protected)
        if not reached:
            return ""
    return PROTECTED if len(protected) in reached else HOLDS_PROTECTED


_DIRECTORIES = "**"


def _behind(part: str, at: int, protected: list[str]) -> tuple[int, ...]:
    """Where in a protected path one is behind a part of another, which stood before a place in it."""
    if protected[at] == _DIRECTORIES:
        return (at,)
    return (at + 1,) if _finds(part, protected[at]) else ()


def _onward(places: set[int], protected: list[str]) -> set[int]:
    """The places in a protected path with those that are reached by no directory at all."""
    found = set(places)
    for at, known in enumerate(protected):
        if at in found and known == _DIRECTORIES:
            found.add(at + 1)
    return found


_UNSURE = MARKS - {STAR, ANY, FULL}
_FILLED = {ord(STAR): "x", ord(FULL): "x", ord(ANY): "x"}


def _is_open(part: str) -> bool:
    return marked(part) and (not _UNSURE.isdisjoint(part) or set(part) <= MARKS)


def _finds(part: str, known: str) -> bool:
    if not marked(part):
        return fits(known, part)
    return may_be(part, known) if "*" not in known else fits(known, part.translate(_FILLED))
