"""Where a call runs, and what kind of place a path is there."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from enum import Enum

from gateway.frozen import frozen
from gateway.inspect.word import ANY, DEEP, FULL, STAR, UNKNOWN, certain, marked, may_be, plain


@frozen
class Place:
    """The working directory, home and workspace roots of a call; `resolve` follows links of a path."""

    cwd: str | None
    home: str | None
    roots: tuple[str, ...]
    resolve: Callable[[str], str]


class PathClass(Enum):
    """What losing a path would cost, most harmful first."""

    ROOT = "root"
    HOME = "home"
    SYSTEM = "system"
    OUTSIDE = "outside"
    WORKSPACE_ROOT = "workspace-root"
    UNKNOWN = "unknown"
    WORKSPACE = "workspace"
    ARTIFACT = "artifact"
    TMP = "tmp"


_ORDER = {member: i for i, member in enumerate(PathClass)}
_TMP = ("/tmp", "/var/tmp", "/private/tmp")  # noqa: S108
_SYSTEM = """
Applications Library System bin boot dev etc lib lib32 lib64 libx32 private proc root run sbin sys usr var
"""
# Below these lies what people and services keep.
_MOUNTS = "home media mnt opt srv Users Volumes"
_ARTIFACTS = """
.DS_Store .angular .cache .coverage .dart_tool .docusaurus .eggs .eslintcache .expo .gradle .hypothesis
.mypy_cache .next .nox .nuxt .nyc_output .output .parcel-cache .pytest_cache .ruff_cache .sass-cache
.serverless .svelte-kit .temp .terraform .tmp .tox .turbo .venv .vite DerivedData Pods __pycache__ _build
bazel-bin bazel-out bower_components build cmake-build-debug cmake-build-release coverage dist htmlcov
jspm_packages logs node_modules out package-lock.json playwright-report pnpm-lock.yaml poetry.lock
site-packages storybook-static target temp test-results tmp venv yarn.lock
"""
# In these places of a home lies what programs fetch or make again.
_CACHED = re.compile(
    r"/(?:(?:\.cache|Library/Caches)/.|(?:\.npm/_(?:cacache|npx)|\.gradle/caches|\.cargo/registry/cache)(?:/|\Z))"
)
# The name is missing where it is only known when a command runs.
_HOME_OF = re.compile(
    r"(?:/root|/(?:home|Users)(?:/[^/.][^/]*)?|)(?=/\.|/Library/)|(?:/root|/(?:home|Users)/[^/]+)(?=/|\Z)"
)
# Sources of builds go by such names too.
_BUILD = re.compile(
    r"build-(?!tools?$|scripts?$|system$|support$|aux$|logic$|config$|utils?$|plugins?$|src$)."
)
_ARTIFACT_NAMES = frozenset(_ARTIFACTS.split())
_ARTIFACT_ENDINGS = (
    ".pyc", ".pyo", ".o", ".obj", ".class", ".log", ".tmp", ".temp", ".bak", ".orig", ".rej", ".swp", ".swo",
    ".egg-info", ".tsbuildinfo", ".gcda", ".gcno", ".cover", "~",
)  # fmt: skip


def absolute(value: str, cwd: str | None, home: str | None) -> str | None:
    """The normal absolute form of a path, compared by its spelling; None where the directory is unknown."""
    if value.startswith("~") and home is not None and (value == "~" or value.startswith("~/")):
        value = home + value[1:]
    if not value.startswith("/"):
        if cwd is None:
            return None
        value = f"{cwd}/{value}"
    normal = posixpath.normpath(value)
    return normal[1:] if normal.startswith("//") else normal


def under(path: str, root: str) -> bool:
    """Whether a normal path is the root itself or lies below it."""
    return path == root or path.startswith("/" if root == "/" else root + "/")


def in_home(path: str, home: str | None) -> str:
    """A normal path with `~` for the home directory that it lies in, of whomever; the path itself elsewhere."""
    if home is not None and home != "/" and under(path, home):
        return "~" + path[len(home) :]
    found = _HOME_OF.match(path)
    return path if found is None else "~" + path[found.end() :]


def classify(value: str, cwd: str | None, place: Place) -> PathClass:
    """The most harmful class that a path operand can have, links followed."""
    value, cwd = plain(value), plain(cwd) if cwd is not None else None
    if value.startswith(UNKNOWN) or (value.startswith((STAR, ANY)) and cwd is None):
        return _unknown_start(value, place)
    path = absolute(value, cwd, place.home)
    if path is None or (UNKNOWN in (cwd or "") and not value.startswith("/")):
        name = _last(posixpath.normpath(value))
        return PathClass.ARTIFACT if is_artifact(name) and ".." not in value else PathClass.UNKNOWN
    found = _class(path, place)
    if UNKNOWN in path or DEEP in path:
        # An empty value makes `/srv/$X` the same as `/srv`.
        emptied = absolute(certain(value), certain(cwd or "") or None, place.home)
        if emptied is not None:
            found = min(found, _class(emptied, place), key=_ORDER.__getitem__)
    elif not marked(path):
        found = min(found, _resolved(value, path, place), key=_ORDER.__getitem__)
    return found


def _resolved(value: str, path: str, place: Place) -> PathClass:
    if value.endswith("/") or path == "/":
        target = place.resolve(path)
    else:
        # The last component is removed itself, not what it links to.
        parent, name = posixpath.split(path)
        target = posixpath.join(place.resolve(parent), name)
    if target == path:
        return PathClass.TMP
    for root in place.roots:
        # A root that is itself a link must not make its own files look foreign.
        real = place.resolve(root)
        if real != root and under(target, real):
            target = root + target[len(real) :]
            break
    return _class(posixpath.normpath(target), place)


def _unknown_start(value: str, place: Place) -> PathClass:
    rest = posixpath.normpath(certain(value) or ".")
    if rest.startswith("/"):
        emptied = _class(rest, place)
        if emptied in (PathClass.ROOT, PathClass.HOME, PathClass.SYSTEM):
            return emptied
        if is_artifact(_last(rest)) and rest not in _TMP:
            return PathClass.ARTIFACT
    return PathClass.UNKNOWN


def _class(path: str, place: Place) -> PathClass:
    parts = path.strip("/").split("/")
    wild = not set(parts[-1]) - {STAR, FULL, UNKNOWN, DEEP}
    above = "/" + "/".join(parts[:-1]) if wild else path
    if path == "/" or above == "/":
        return PathClass.ROOT
    roots = [root for root in place.roots if not _is_broad(root, place)]
    for root in roots:
        if root in (path, above) or under(root, path):
            return PathClass.ROOT if path == "/" else _above_root(above, path, root, place)
    for root in roots:
        if under(path, root):
            inside = path[len(root) :].strip("/").split("/")
            if ".git" in inside:
                return PathClass.WORKSPACE
            return PathClass.ARTIFACT if any(map(is_artifact, inside)) else PathClass.WORKSPACE
    if place.home is not None and place.home in (path, above):
        return PathClass.HOME
    if place.home is not None and under(path, place.home) and _CACHED.match(above.removeprefix(place.home)):
        return PathClass.ARTIFACT
    broad = len(roots) < len(place.roots)
    if broad and place.home is not None and under(path, place.home):
        return PathClass.WORKSPACE
    for tmp in _TMP:
        if under(path, tmp):
            return PathClass.OUTSIDE if tmp in (path, above) else PathClass.TMP
    if len(parts) <= 2 and parts[0] in ("home", "Users"):
        return PathClass.HOME
    names = _SYSTEM if len(parts) > 1 else _SYSTEM + _MOUNTS
    if any(may_be(parts[0], name) for name in names.split()):
        return PathClass.SYSTEM
    return PathClass.WORKSPACE if broad else PathClass.OUTSIDE


def _is_broad(root: str, place: Place) -> bool:
    """Whether a root holds a whole home: an agent that was started there does not work on all of it."""
    return root == "/" or (place.home is not None and under(place.home, root))


def _above_root(above: str, path: str, root: str, place: Place) -> PathClass:
    if root in (path, above):
        return PathClass.WORKSPACE_ROOT
    return PathClass.HOME if place.home is not None and under(place.home, path) else PathClass.OUTSIDE


def _last(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1]


def is_artifact(name: str) -> bool:
    """Whether a name is one that builds make again."""
    if name in _ARTIFACT_NAMES or name.startswith("cmake-build-") or _BUILD.match(name):
        return True
    return len(name) > 1 and name.endswith(_ARTIFACT_ENDINGS)
