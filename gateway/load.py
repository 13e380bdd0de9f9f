"""YAML text in, a `Policy` out, or every error in it at once."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gateway.diagnostic import Diagnostic, PolicyError, Related
from gateway.document import MAX_BYTES, parse_document, source_of

if TYPE_CHECKING:
    from gateway.policy import NamedList, Policy, Settings
    from gateway.policy.read import FileParts

_SUFFIXES = (".yaml", ".yml")
_MOST_PROBLEMS = 1000
_MOST_FILES = 1000
_DEEPEST = 32
_TESTS = (".test.yaml", ".test.yml")


@dataclass(frozen=True, slots=True)
class _File:
    """A file's name below what was loaded, its name in messages, and its bytes."""

    name: str
    shown: str
    content: bytes


def load_policy(
    paths: Path | Sequence[Path], *, lower: Sequence[Path] = (), shown: Callable[[Path], str] = str
) -> Policy:
    """The policy in a file, in all files of a directory, or in several of these; whole or not at all.

    `lower` names less trusted layers, a user's or a project's own files, which may only make it stricter. `shown` is
    what messages call a path, where that is not the path itself.
    """
    problems: list[Diagnostic] = []
    files: list[_File] = []
    for path in [paths] if isinstance(paths, Path) else paths:
        files.extend(_files(path, shown, problems))
    layers = [_files(path, shown, problems) for path in lower]
    return _load([files, *layers], problems)


def load_text(text: str, name: str = "policy.yaml") -> Policy:
    """The policy in a text, as if it were the one file."""
    return _load([[_File(name, name, text.encode("utf-8", "surrogatepass"))]], [])


def policy_schema() -> dict[str, Any]:
    """The JSON Schema of policy files, for editors."""
    from gateway.policy.editor import editor_schema

    return editor_schema()


def _load(layers: Sequence[list[_File]], problems: list[Diagnostic]) -> Policy:
    from gateway.policy import Policy, Settings
    from gateway.policy.lower import lowered, not_stricter
    from gateway.policy.read import SECTIONS

    parts = [_parts(files, problems) for files in layers]
    settings, *below = [_settings(files, problems) for files in parts]
    above = settings or Settings()
    for files in parts[1:]:
        problems.extend(problem for file in files for problem in not_stricter(file, above))
    every = [file for files in parts for file in files]
    lists = _lists(every, problems)
    if problems:
        raise PolicyError(_capped(problems))
    sections: dict[str, Any] = {
        key: tuple(part for file in every for part in file.sections.get(key, ())) for key in SECTIONS
    }
    return Policy(
        documents=tuple(file.document for file in every),
        digest=_digest(layers),
        settings=lowered(above, [found for found in below if found is not None]),
        lists=MappingProxyType(lists),
        **sections,
    )


def _capped(problems: list[Diagnostic]) -> list[Diagnostic]:
    """The first problems in order of place, and how many more there are: a hostile file can have millions."""
    if len(problems) <= _MOST_PROBLEMS:
        return problems
    problems = sorted(problems, key=lambda problem: problem.sort_key)
    more = len(problems) - _MOST_PROBLEMS
    return [
        *problems[:_MOST_PROBLEMS],
        Diagnostic("more-errors", f"{more} more errors are not shown", help="mend these first"),
    ]


def _parts(files: list[_File], problems: list[Diagnostic]) -> list[FileParts]:
    from gateway.policy.read import read_parts

    parts: list[FileParts] = []
    for file in files:
        try:
            source = source_of(file.shown, file.content)
        except PolicyError as error:
            problems.extend(error.diagnostics)
            continue
        document, wrong = parse_document(source)
        problems.extend(wrong)
        if document is not None:
            parts.append(read_parts(document))
            problems.extend(parts[-1].problems)
    return parts


def _settings(parts: list[FileParts], problems: list[Diagnostic]) -> Settings | None:
    places = [file.document for file in parts if "settings" in _keys(file)]
    for document in places[1:]:
        problems.append(
            Diagnostic(
                "two-settings",
                "`settings` stands in more than one file",
                document.key_span(("settings",)),
                "put all settings into one file",
                related=(Related(places[0].key_span(("settings",)), "first written here"),),
            )
        )
    return next((file.settings for file in parts if file.settings is not None), None)


def _keys(file: FileParts) -> frozenset[str]:
    return frozenset(file.document.data) if isinstance(file.document.data, dict) else frozenset()


def _lists(parts: list[FileParts], problems: list[Diagnostic]) -> dict[str, NamedList]:
    lists: dict[str, NamedList] = {}
    for file in parts:
        for named in file.lists:
            first = lists.setdefault(named.name, named)
            if first is not named:
                problems.append(
                    Diagnostic(
                        "duplicate-list",
                        f"the list `{named.name}` is named twice",
                        named.where.key_span(),
                        "rename one of them, or put both into one",
                        related=(Related(first.where.key_span(), "first named here"),),
                    )
                )
    return lists


def _digest(layers: Sequence[list[_File]]) -> str:
    """One digest over layers, names and bytes; lengths keep two files from being read as one."""
    digest = sha256()
    for depth, files in enumerate(layers):
        for file in sorted(files, key=lambda file: (file.name, file.content)):
            for piece in (str(depth).encode(), file.name.encode("utf-8", "surrogateescape"), file.content):
                digest.update(len(piece).to_bytes(8, "big"))
                digest.update(piece)
    return digest.hexdigest()


def _files(path: Path, shown: Callable[[Path], str], problems: list[Diagnostic]) -> list[_File]:
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


def _read(path: Path, name: str, shown: Callable[[Path], str], problems: list[Diagnostic]) -> Iterator[_File]:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            problems.append(_refused(shown(path), "is no regular file"))
            return
        with path.open("rb") as stream:
            yield _File(name, shown(path), stream.read(MAX_BYTES + 1))
    except OSError as error:
        problems.append(_unreadable(shown(path), error))
