"""The files of a policy: which there are below a path, and their bytes, read once."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path

from gateway.diagnostic import Diagnostic
from gateway.frozen import frozen

MAX_BYTES = 8 * 1024 * 1024
"""How large a file may be; of a larger one, one byte more is read."""
_SUFFIXES = (".yaml", ".yml")
_MOST_FILES = 1000
_DEEPEST = 32
_TESTS = (".test.yaml", ".test.yml")


@frozen
class PolicyFile:
    """A file's name below what was loaded, its name in messages, and its bytes."""

    name: str
    shown: str
    content: bytes


@frozen
class PolicyFiles:
    """What was read: the trusted files, those of each lower layer, and what could not be read."""

    layers: tuple[tuple[PolicyFile, ...], ...]
    problems: tuple[Diagnostic, ...] = ()

    @property
    def digest(self) -> str:
        """The digest of a policy: over layers, names and bytes, in whatever order they were read."""
        return self._digest(lambda file: (file.name,))

    @property
    def digest_with_places(self) -> str:
        """A digest over the names in messages as well: over everything that compiling makes something of."""
        return self._digest(lambda file: (file.name, file.shown))

    def _digest(self, names: Callable[[PolicyFile], tuple[str, ...]]) -> str:
        """Lengths keep two files from being read as one."""
        digest = sha256()
        for depth, files in enumerate(self.layers):
            for file in sorted(files, key=lambda file: (*names(file), file.content)):
                texts = (str(depth), *names(file))
                for piece in (*(text.encode("utf-8", "surrogateescape") for text in texts), file.content):
                    digest.update(len(piece).to_bytes(8, "big"))
                    digest.update(piece)
        return digest.hexdigest()


def read_files(
    paths: Path | Sequence[Path], *, lower: Sequence[Path] = (), shown: Callable[[Path], str] = str
) -> PolicyFiles:
    """The bytes of a file, of all policy files of a directory, or of several of these; `lower` are more layers.

    `shown` is what messages call a path, where that is not the path itself.
    """
    problems: list[Diagnostic] = []
    first: list[PolicyFile] = []
    for path in [paths] if isinstance(paths, Path) else paths:
        first.extend(_files(path, shown, problems))
    layers = [first, *(_files(path, shown, problems) for path in lower)]
    return PolicyFiles(tuple(map(tuple, layers)), tuple(problems))


def file_of(text: str, name: str) -> PolicyFiles:
    """A text as if it were the one file."""
    file = PolicyFile(name, name, text.encode("utf-8", "surrogatepass"))
    return PolicyFiles(((file,),))


def _files(path: Path, shown: Callable[[Path], str], problems: list[Diagnostic]) -> list[PolicyFile]:
    try:
        there = path.exists()
    except OSError as error:  # such as a name that is too long
        problems.append(_unreadable(shown(path), error))
        return []
    if not there:
        problems.append(Diagnostic("no-such-file", f"there is no `{shown(path)}`", help="check the path"))
        return []
    if not path.is_dir():
        return list(_read(path, path.name, shown, problems))
    before = len(problems)
    entries = sorted(islice(_below(path, path, shown, problems), _MOST_FILES + 1), key=Path.as_posix)
    if len(entries) > _MOST_FILES:
        problems.append(_refused(shown(path), f"holds more than {_MOST_FILES} policy files"))
        return []
    found = [
        file
        for entry in entries
        for file in _read(entry, entry.relative_to(path).as_posix(), shown, problems)
    ]
    if not found and len(problems) == before:
        problems.append(
            Diagnostic("no-policies", f"`{shown(path)}` holds no policy file", help="add a `.yaml` file")
        )
    return found


def _below(
    folder: Path, root: Path, shown: Callable[[Path], str], problems: list[Diagnostic]
) -> Iterator[Path]:
    """The policy files below a folder; what is hidden or leads out of it is refused, not skipped."""
    if len(folder.relative_to(root).parts) > _DEEPEST:
        problems.append(_refused(shown(folder), f"lies deeper than {_DEEPEST} folders"))
        return
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        problems.append(_unreadable(shown(folder), error))
        return
    for entry in entries:
        if _is_mount(entry, folder):
            continue
        hidden = entry.name.startswith(".")
        if entry.is_dir() and not entry.is_symlink():
            inside = _below(entry, root, shown, problems) if not hidden else _hidden(entry)
            for path in inside:
                if hidden:
                    problems.append(_refused(shown(path), "is hidden"))
                else:
                    yield path
        elif entry.is_symlink() and not _stays(entry, root):
            problems.append(_refused(shown(entry), "is a link that leaves the folder"))
        elif entry.is_dir():
            problems.append(_refused(shown(entry), "is a link to a folder"))
        elif entry.name.endswith(_SUFFIXES):
            if hidden:
                problems.append(_refused(shown(entry), "is hidden"))
            elif not entry.name.endswith(_TESTS):
                yield entry
        elif entry.name.lower().endswith(_SUFFIXES):
            problems.append(
                _refused(shown(entry), "ends in capitals, so it would not be read; write `.yaml`")
            )


def _is_mount(entry: Path, folder: Path) -> bool:
    """Whether this is where Kubernetes keeps what it mounts: `..data`, and the one folder that it leads to."""
    data = folder / "..data"
    if not entry.name.startswith("..") or not data.is_symlink():
        return False
    return entry == data or (entry.is_dir() and not entry.is_symlink() and _stays(data, entry))


def _stays(link: Path, root: Path) -> bool:
    """Whether a link leads to something in a folder; one that leads nowhere does not."""
    try:
        return link.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):  # a loop is a RuntimeError up to Python 3.12
        return False


def _hidden(folder: Path) -> Iterator[Path]:
    """Policy files in a hidden folder."""
    found = (
        Path(below, name)
        for below, _, names in os.walk(folder)
        for name in names
        if name.lower().endswith(_SUFFIXES)
    )
    yield from sorted(islice(found, _MOST_FILES))


def _refused(path: str, why: str) -> Diagnostic:
    return Diagnostic("refused-file", f"`{path}` {why}", help="move it, or remove it")


def _unreadable(path: str, error: OSError) -> Diagnostic:
    why = (error.strerror or "it can't be read").lower()
    return Diagnostic("unreadable-file", f"`{path}` can't be read: {why}")


def _read(
    path: Path, name: str, shown: Callable[[Path], str], problems: list[Diagnostic]
) -> Iterator[PolicyFile]:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            problems.append(_refused(shown(path), "is no regular file"))
            return
        with path.open("rb") as stream:
            yield PolicyFile(name, shown(path), stream.read(MAX_BYTES + 1))
    except OSError as error:
        problems.append(_unreadable(shown(path), error))
