"""A policy as it is in a revision of a git repository: its files are read out of git's objects, nothing is run."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from gatewayctl.output import Failure

_SUFFIXES = (".yaml", ".yml")
_MOST_FILES = 10_000
_SECONDS = 60
_FILES, _LINK = frozenset({"100644", "100755", "100664"}), "120000"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a policy lies, and what messages call that place."""

    path: Path
    name: str

    def shown(self, path: Path) -> str:
        """A path below it as messages show it."""
        below = path.relative_to(self.path).as_posix()
        return self.name if below == "." else f"{self.name.rstrip('/')}/{below}"


@contextmanager
def source_of(text: str) -> Iterator[Source]:
    """What a path means, or `REV:PATH` from the root of the repository and `REV:./PATH`; a path that is there wins."""
    revision, colon, path = text.partition(":")
    if not colon or Path(text).exists():
        yield Source(Path(text), text)
        return
    if not revision or revision.startswith("-"):
        raise Failure(f"`{text}` names no revision", "write `REV:PATH`, such as `main:policies`")
    with TemporaryDirectory(prefix="gatewayctl-") as folder:
        name = PurePosixPath(path).name
        root = Path(folder) / (name if name not in ("", "..") else "policies")
        _write(f"{revision}:{path}", root)
        yield Source(root, text)


def _write(name: str, root: Path) -> None:
    """The policy file of a name, or the policy files and links below it."""
    kind = _git("cat-file", "-t", name).decode("ascii").strip()
    found = _git("rev-parse", "--verify", "--end-of-options", name).decode("ascii").strip()
    if kind == "blob":
        root.write_bytes(_git("cat-file", "blob", found))
        return
    if kind != "tree":
        raise Failure(f"`{name}` is neither a file nor a directory")
    root.mkdir()
    entries = [entry for entry in _git("ls-tree", "-r", "-z", "--full-tree", found).split(b"\0") if entry]
    if len(entries) > _MOST_FILES:
        raise Failure(f"`{name}` holds more than {_MOST_FILES} files")
    files: list[tuple[str, Path]] = []
    links: list[tuple[str, Path]] = []
    for entry in entries:
        head, _, raw = entry.partition(b"\t")
        mode, _, digest = head.decode("ascii").split(" ")
        place = _below(root, os.fsdecode(raw), name)
        if mode == _LINK:
            links.append((digest, place))
        elif mode not in _FILES:
            raise Failure(f"`{name}` holds a submodule, whose files are not there")
        elif place.name.lower().endswith(_SUFFIXES):
            files.append((digest, place))
    # Links come last, so that no file is written through one.
    try:
        for digest, place in files:
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("xb") as stream:
                stream.write(_git("cat-file", "blob", digest))
        for digest, place in links:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(os.fsdecode(_git("cat-file", "blob", digest)))
    except (OSError, ValueError) as error:
        raise Failure(f"`{name}` can't be read: {error}") from None


def _below(root: Path, path: str, name: str) -> Path:
    """The place of an entry; objects that nobody checked may name others."""
    parts = path.split("/")
    if any(part in ("", ".", "..") or part.lower() == ".git" for part in parts):
        raise Failure(f"`{name}` holds an entry that leaves it: `{path}`")
    return root.joinpath(*parts)


def _git(*arguments: str) -> bytes:
    """What git answers; it asks nobody, fetches nothing, and runs no hook, pager, filter or monitor."""
    command = ["git", "--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false"]
    command += ["-c", "core.hooksPath=/dev/null", *arguments]
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
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
