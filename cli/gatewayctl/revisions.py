"""A policy as it is in a revision of a git repository: its files are read out of git's objects, nothing is run."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from gateway.diagnostic import Diagnostic, PolicyError
from gateway.files import MAX_BYTES
from gatewayctl.output import Failure

_SUFFIXES = (".yaml", ".yml")
_MOST_ENTRIES = 10_000
_MOST_FILES = 1000
"""As many policy files as the loader reads."""
_SECONDS = 60
_FILES, _LINK, _FOLDER = frozenset({"100644", "100755", "100664"}), "120000", "040000"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a policy lies, and what messages call that place."""

    path: Path
    name: str

    def shown(self, path: Path) -> str:
        """A path below it as messages show it; any other is shown as it is."""
        if not path.is_relative_to(self.path):
            return str(path)
        below = path.relative_to(self.path).as_posix()
        return self.name if below == "." else f"{self.name.rstrip('/')}/{below}"


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a tree says of a file: its kind, the object and its size, and the path below the tree."""

    mode: str
    digest: str
    size: int
    path: str


class Missing(Failure):
    """A revision has nothing at a path."""


@contextmanager
def at_revision(revision: str, path: Path) -> Iterator[Source]:
    """What stands at a path, as seen from the working directory, in a revision of the repository around that."""
    if not revision.strip() or revision.startswith("-") or ":" in revision:
        raise Failure(f"`{revision}` names no revision", "write one such as `origin/main` or `HEAD~1`")
    below = PurePosixPath(os.path.relpath(path)).as_posix()
    with _read(revision, below if below.startswith("..") else f"./{below}") as source:
        yield source


@contextmanager
def source_of(text: str) -> Iterator[Source]:
    """What a path means, or `REV:PATH` from the root of the repository and `REV:./PATH`; a path that is there wins."""
    if not text.strip():
        raise Failure("a path is empty", "name both policies, as paths or as `REV:PATH`")
    revision, colon, path = text.partition(":")
    if not colon or _is_there(text):
        yield Source(Path(text), text)
        return
    if not revision or revision.startswith("-"):
        raise Failure(f"`{text}` names no revision", "write `REV:PATH`, such as `main:policies`")
    with _read(revision, path) as source:
        yield source


@contextmanager
def _read(revision: str, path: str) -> Iterator[Source]:
    text = f"{revision}:{path}"
    with TemporaryDirectory(prefix="gatewayctl-") as folder:
        name = PurePosixPath(path).name
        source = Source(Path(folder) / (name if name not in ("", "..") else "policies"), text)
        try:
            _write(revision, path, source)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else None
            raise Failure(f"`{text}` can't be read: {(why or str(error)).lower()}") from None
        yield source


def _is_there(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # such as a name that is too long
        return False


def _write(revision: str, path: str, source: Source) -> None:
    """The policy file of a name, or the policy files below it; each is a new file that no link leads to."""
    name = f"{revision}:{path}"
    found = _found(revision, path)
    kind = _git("cat-file", "-t", found).decode("ascii").strip()
    if kind == "blob":
        _new(source.path, _blob(found, int(_git("cat-file", "-s", found)), name))
        return
    if kind != "tree":
        raise Failure(f"`{name}` is neither a file nor a directory")
    source.path.mkdir()
    entries = _entries(found, name)
    _no_links([entry for entry in entries if entry.mode == _LINK], source)
    files = [e for e in entries if e.mode in _FILES and e.path.lower().endswith(_SUFFIXES)]
    if len(files) > _MOST_FILES:
        raise Failure(f"`{name}` holds more than {_MOST_FILES} policy files")
    for entry in files:
        place = source.path.joinpath(*entry.path.split("/"))
        place.parent.mkdir(parents=True, exist_ok=True)
        _new(place, _blob(entry.digest, entry.size, f"{name.rstrip('/')}/{entry.path}"))


def _found(revision: str, path: str) -> str:
    """The object of a path in a revision."""
    whole = f"{revision}^{{tree}}"
    for name, missing in (
        (
            whole,
            Failure(f"there is no revision `{revision}`", "check its name; a shallow clone lacks others"),
        ),
        (
            f"{revision}:{path}",
            Missing(
                f"`{revision}` has no `{path}`", "paths count from the root of the repository, or are `./…`"
            ),
        ),
    ):
        try:
            found = _git("rev-parse", "--verify", "--end-of-options", name)
        except Failure as failure:
            if _NOT_FOUND in str(failure):
                raise missing from None
            raise
    return found.decode("ascii").strip()


_NOT_FOUND = "Needed a single revision"
"""What git says of a name that nothing has."""


def _entries(tree: str, name: str) -> list[_Entry]:
    """Everything in a tree; objects that nobody checked may name a place twice, or one that is not below it."""
    lines = [
        line for line in _git("ls-tree", "-r", "-t", "-l", "-z", "--full-tree", tree).split(b"\0") if line
    ]
    if len(lines) > _MOST_ENTRIES:
        raise Failure(f"`{name}` holds more than {_MOST_ENTRIES} files")
    found: dict[str, _Entry] = {}
    for line in lines:
        head, _, raw = line.partition(b"\t")
        mode, _, digest, size = head.decode("ascii").split()
        path = os.fsdecode(raw)
        if any(part in ("", ".", "..") or part.lower() == ".git" for part in path.split("/")):
            raise Failure(f"`{name}` holds an entry that leaves it: `{path}`")
        if path in found:
            raise Failure(f"`{name}` holds two entries of one name: `{path}`")
        if mode not in (*_FILES, _LINK, _FOLDER):
            raise Failure(f"`{name}` holds a submodule, whose files are not there")
        found[path] = _Entry(mode, digest, int(size) if size.isdecimal() else 0, path)
    return list(found.values())


def _no_links(links: list[_Entry], source: Source) -> None:
    """Refuse links, which are never followed out of git's objects: what they would lead to is not read either."""
    if links:
        raise PolicyError(
            Diagnostic(
                "refused-file",
                f"`{source.shown(source.path.joinpath(entry.path))}` is a link, which is not followed in a revision",
                help="put the file itself there, or compare a directory that is checked out",
            )
            for entry in links
        )


def _blob(digest: str, size: int, name: str) -> bytes:
    """The bytes of a file, as many as a policy file may have."""
    if size > MAX_BYTES:
        raise Failure(f"`{name}` is larger than the {MAX_BYTES} bytes that a policy file may have")
    return _git("cat-file", "blob", digest)


def _new(place: Path, content: bytes) -> None:
    """Write a file that is not there yet; a link in its place is none that is followed."""
    made = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(made, "wb") as stream:
        stream.write(content)


def _git(*arguments: str) -> bytes:
    """What git answers; it asks nobody, fetches and replaces nothing, and runs no hook, pager, filter or monitor."""
    command = ["git", "--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false"]
    command += ["-c", "core.hooksPath=/dev/null", *arguments]
    environment = {**os.environ, **_ALONE, "LC_ALL": "C"}
    try:
        done = subprocess.run(  # noqa: S603
            command,
            capture_output=True,
            check=False,
            env=environment,
            timeout=_SECONDS,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise Failure("git is not installed", "give a path instead of `REV:PATH`") from None
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise Failure(f"git can't be asked: {error}") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0].removeprefix("fatal: ")
        raise Failure(f"git can't read it: {said}", "check the revision and the path")
    return done.stdout


_ALONE = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # what would fetch where git knows no word for not fetching
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
}
"""Git as it finds its objects: what `git replace` puts in place of one, or a remote has, is something else."""
