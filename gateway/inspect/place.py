"""Where a call runs, and what kind of place a path is there."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from enum import Enum

from gateway.frozen import frozen
from gateway.inspect.kernel import through_kernel
from gateway.inspect.word import ANY, DEEP, FULL, STAR, UNKNOWN, certain, marked, may_be, plain
from gateway.later import later


@frozen
class Conventions:
    """What a deployment calls its own: names that builds make again, paths and branches that nothing changes.

    In each `*` stands for any characters, but for `/` in paths, where a part `**` is any number of directories; a
    relative path lies below every workspace root.
    """

    artifacts: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()


_NONE = Conventions()


def _unknown(name: str) -> tuple[str, ...]:
    return ()


@frozen
class Place:
    """The working directory, home and workspace roots of a call; `resolve` follows links of a path."""

    cwd: str | None
    home: str | None
    roots: tuple[str, ...]
    resolve: Callable[[str], str]
    conventions: Conventions = _NONE
    lookup: Callable[[str], tuple[str, ...]] = _unknown
    """Gives the addresses of a host, none where it has none or none is looked up."""
    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What earlier calls of the same session wrote, by absolute path."""
    links: Callable[[str], tuple[str, ...]] = _unknown
    """Gives the names in a directory that are links."""


class PathClass(Enum):
    """What losing a path would cost, most harmful first."""

    ROOT = "root"
    HOME = "home"
    """A home directory itself, or all that lies directly in it."""
    SYSTEM = "system"
    """What the operating system is made of, such as `/etc`."""
    OUTSIDE = "outside"
    """Anywhere else outside of the workspace."""
    WORKSPACE_ROOT = "workspace-root"
    UNKNOWN = "unknown"
    """Where it lies is known only when the command runs."""
    WORKSPACE = "workspace"
    ARTIFACT = "artifact"
    """What builds make again, by its name or by `artifacts`."""
    TMP = "tmp"


_ORDER = {member: i for i, member in enumerate(PathClass)}
_SCRATCH = """
/tmp /var/tmp /private/tmp /private/var/tmp /dev/shm /var/folders /private/var/folders
"""
_TMP = tuple(_SCRATCH.split())
_SYSTEM = """
Applications Library System bin boot dev etc lib lib32 lib64 libx32 private proc root run sbin sys usr var
"""
_ROOTS_HOMES = ("/root", "/var/root", "/private/var/root")
# Below these lies what people and services keep.
_MOUNTS = "home media mnt opt srv Users Volumes"
_SYSTEM_NAMES = frozenset(_SYSTEM.lower().split())
_TOP_NAMES = _SYSTEM_NAMES | frozenset(_MOUNTS.lower().split())
_DRIVE = later(r"[A-Za-z]:(?:[\\/]|\Z)")
_WINDOWS_TMP = frozenset(("temp", "tmp"))
_WINDOWS_SYSTEM = frozenset(("program files", "program files (x86)", "programdata", "recovery", "boot"))
_ARTIFACTS = """
.DS_Store .angular .astro .aws-sam .benchmarks .bloop .build .cache .ccls-cache .clangd .contentlayer
.coverage .cxx .dart_tool .direnv .dmypy.json .docusaurus .docz .eggs .elixir_ls .esbuild .eslintcache .expo
.externalNativeBuild .firebase .flutter-plugins .flutter-plugins-dependencies .fusebox .godot .gradle
.hugo_build.lock .hypothesis .ipynb_checkpoints .jekyll-cache .jekyll-metadata .jest-cache .kotlin
.lighthouseci .metals .metro .metro-cache .mypy_cache .next .nitro .nox .nuxt .nx .nyc_output .open-next
.output .parcel-cache .pdm-build .php-cs-fixer.cache .phpunit.cache .phpunit.result.cache .pnpm-store
.prettiercache .pub-cache .pyre .pytest_cache .pytype .react-router .rollup.cache .rpt2_cache .rspec_status
.ruff_cache .sass-cache .scala-build .scannerwork .serverless .sonar .stack-work .stylelintcache .svelte-kit
.swc .tanstack .temp .terraform .terragrunt-cache .tmp .tox .tsbuildinfo .turbo .venv .vercel .vinxi .vite
.vitest .webassets-cache .webpack .wireit .zig-cache CMakeCache.txt CMakeFiles Cargo.lock DerivedData
Gemfile.lock Pipfile.lock Podfile.lock Pods Thumbs.db __pycache__ __pypackages__ _book _build _deps _site
a.out allure-report allure-results bazel-bin bazel-out bazel-testlogs blob-report bower_components build
bun.lock bun.lockb cdk.out cmake-build-debug cmake-build-release composer.lock coverage coverage-report
coverage.html coverage.out coverage.xml develop-eggs dist dist-cjs dist-esm dist-newstyle dist-ssr
dist-types elm-stuff htmlcov jest-cache jest_cache jspm_packages junit.xml lcov-report lcov.info logs
mix.lock node_modules nohup.out nosetests.xml npm-debug.log npm-shrinkwrap.json out package-lock.json
pdm.lock pip-wheel-metadata playwright-report pnpm-lock.yaml poetry.lock sdist site-packages
storybook-static target temp test-output test-report test-reports test-results tmp uv.lock venv vitest-cache
web-build wheelhouse xcuserdata yarn.lock zig-cache zig-out
"""
# Directories of sources go by such names as well, so they count only where they don't lie in one.
_PERHAPS = frozenset(("Debug", "Release", "cache", "log", "obj", "reports"))
_SOURCES = frozenset(("app", "internal", "lib", "packages", "pkg", "source", "src", "test", "tests"))
# In these places of a home lies what programs fetch or make again.
_CACHED = later(
    r"/(?:(?:\.cache|Library/Caches)/.|(?:\.npm/_(?:cacache|npx)|\.gradle/caches|\.cargo/registry/cache)(?:/|\Z))"
)
# The name is missing where it is only known when a command runs.
_HOME_OF = later(
    r"(?:/root|/(?:home|Users)(?:/[^/.][^/]*)?|)(?=/\.|/Library/)|(?:/root|/(?:home|Users)/[^/]+)(?=/|\Z)"
)
# Sources of builds go by such names too.
_BUILD = later(r"build-(?!tools?$|scripts?$|system$|support$|aux$|logic$|config$|utils?$|plugins?$|src$).")
_ARTIFACT_NAMES = frozenset(_ARTIFACTS.split())
_ARTIFACT_ENDINGS = (
    ".pyc", ".pyo", ".o", ".obj", ".class", ".log", ".tmp", ".temp", ".bak", ".orig", ".rej", ".swp", ".swo",
    ".egg-info", ".tsbuildinfo", ".gcda", ".gcno", ".cover", "~", ".dist-info", ".beam", ".elc", ".profraw",
    ".profdata", ".lcov", ".pid", ".synctex.gz", ".fdb_latexmk", ".fls", ".stackdump", ".cpuprofile",
    ".heapsnapshot", ".eggs",
)  # fmt: skip


def absolute(value: str, cwd: str | None, home: str | None) -> str | None:
    """The normal absolute form of a path, compared by its spelling; None where the directory is unknown."""
    whole = joined(value, cwd, home)
    if whole is None:
        return None
    normal = posixpath.normpath(whole)
    return normal[1:] if normal.startswith("//") else normal


def joined(value: str, cwd: str | None, home: str | None) -> str | None:
    """The absolute form of a path with all its `..`: behind a link they lead up from where the link leads to."""
    if value.startswith("~") and home is not None and (value == "~" or value.startswith("~/")):
        value = home + value[1:]
    if not value.startswith("/"):
        if cwd is None:
            return None
        value = f"{cwd}/{value}"
    if ".." in value and ("/dev/" in value or "/proc/" in value):
        return through_kernel(value, cwd)
    return value


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
    if _DRIVE.match(value):
        return _on_drive(value, place)
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
        if ".." in value:
            climbing = joined(value, cwd, place.home) or path
            found = min(found, _resolved(value, climbing, place), key=_ORDER.__getitem__)
    return found


def _on_drive(value: str, place: Place) -> PathClass:
    """The class of a path of Windows that begins with its drive."""
    parts = [part for part in _slashed(value)[2:].split("/") if part not in ("", ".")]
    path = "/".join((value[:2].lower(), *parts))
    for root in map(_slashed, place.roots):
        if under(root, path):
            return PathClass.WORKSPACE_ROOT if root == path else PathClass.OUTSIDE
        if under(path, root):
            inside = path[len(root) :].strip("/").split("/")
            return PathClass.ARTIFACT if _is_made(inside) else PathClass.WORKSPACE
    wild = bool(parts) and not set(parts[-1]) - {STAR, FULL, UNKNOWN, DEEP}
    above = parts[:-1] if wild else parts
    if not above:
        return PathClass.ROOT
    if any(part in _WINDOWS_TMP for part in above):
        return PathClass.OUTSIDE if above[-1] in _WINDOWS_TMP else PathClass.TMP
    if above[0] == "users" and len(above) <= 2:
        return PathClass.HOME
    if may_be(above[0], "windows") or above[0] in _WINDOWS_SYSTEM:
        return PathClass.SYSTEM
    return PathClass.ARTIFACT if is_artifact(parts[-1]) else PathClass.OUTSIDE


def _slashed(path: str) -> str:
    """A path of Windows for comparison: its file systems make no difference between cases."""
    return path.replace("\\", "/").rstrip("/").lower()


def _resolved(value: str, path: str, place: Place) -> PathClass:
    if value.endswith(("/", "..")) or path == "/":
        target = place.resolve(path)
    else:
        # The last component is removed itself, not what it links to.
        parent, name = posixpath.split(path)
        target = posixpath.join(place.resolve(parent), name)
    target = posixpath.normpath(target)
    if target == posixpath.normpath(path):
        return PathClass.TMP
    for root in place.roots:
        # A root that is itself a link must not make its own files look foreign.
        real = place.resolve(root)
        if real != root and under(target, real):
            target = root + target[len(real) :]
            break
    return _class(target, place)


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
            return PathClass.ARTIFACT if _is_made(inside) else PathClass.WORKSPACE
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
    # File systems of macOS make no difference between cases.
    first = parts[0].lower()
    if len(parts) <= 2 and first in ("home", "users"):
        return PathClass.HOME
    names = _SYSTEM_NAMES if len(parts) > 1 else _TOP_NAMES
    if any(under(path, home) and path != home for home in _own_roots_home(place)):
        return PathClass.OUTSIDE
    if first in names or (marked(first) and any(may_be(first, name) for name in names)):
        return PathClass.SYSTEM
    return PathClass.WORKSPACE if broad else PathClass.OUTSIDE


def _own_roots_home(place: Place) -> Iterator[str]:
    """The home of root, for an agent that runs as root: no part of the system to it, but what a person keeps."""
    own = (*place.roots, *((place.home,) if place.home is not None else ()))
    return (home for home in _ROOTS_HOMES if any(under(path, home) for path in own))


def is_scratch(path: str) -> bool:
    """Whether a normal path is a directory that is there for temporary files, rather than one of those."""
    return path in _TMP


def _is_broad(root: str, place: Place) -> bool:
    """Whether a root holds a whole home: an agent that was started there does not work on all of it."""
    return root == "/" or (place.home is not None and under(place.home, root))


def _above_root(above: str, path: str, root: str, place: Place) -> PathClass:
    if root in (path, above):
        return PathClass.WORKSPACE_ROOT
    return PathClass.HOME if place.home is not None and under(place.home, path) else PathClass.OUTSIDE


def _is_made(inside: list[str]) -> bool:
    """Whether one of the components is a name that builds make again."""
    if any(map(is_artifact, inside)):
        return True
    return not _PERHAPS.isdisjoint(inside) and _SOURCES.isdisjoint(inside)


def _last(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1]


def is_artifact(name: str) -> bool:
    """Whether a name is one that builds make again."""
    if name in _ARTIFACT_NAMES or name.startswith("cmake-build-") or _BUILD.match(name):
        return True
    return len(name) > 1 and (name.endswith(_ARTIFACT_ENDINGS) or name.startswith(("._", "bazel-")))
