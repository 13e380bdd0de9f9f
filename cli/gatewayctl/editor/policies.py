"""Which policy a file belongs to, and its texts as they stand: those in the editor before those on the disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from gateway.diagnostic import Source
from gateway.files import PolicyFile, PolicyFiles, read_files
from gateway.policy.read import SECTIONS
from gatewayctl.editor.outline import Outline
from gatewayctl.editor.reading import outline

LONGEST = 500_000
"""Of a text that is longer nothing is read but what the loader says of it."""
_SUFFIXES = (".yaml", ".yml")
_TESTS = (".test.yaml", ".test.yml")
_MOST_BESIDE = 200
_HEAD = 64 * 1024
_KEYS = frozenset({"settings", "lists", *SECTIONS})


class Policies:
    """The texts that an editor holds, by path, and the policies that they belong to."""

    def __init__(self, chosen: Path | None = None) -> None:
        self.chosen = None if chosen is None else chosen.absolute()
        self.open: dict[Path, str] = {}
        self.folders: list[Path] = []
        self._read: dict[Path, tuple[bytes, Outline]] = {}

    def copy(self) -> Policies:
        """The texts as they are now, for somebody who reads them while others change."""
        copied = Policies(self.chosen)
        copied.open, copied.folders, copied._read = dict(self.open), self.folders, self._read
        return copied

    def root_of(self, path: Path) -> Path | None:
        """The file or the directory of the policy that a file belongs to; None if it is part of none.

        It is what was chosen when the server was started. Without that it is the file's own directory if that holds
        policies, or in a workspace the topmost one from which on each holds some.
        """
        if not path.name.endswith(_SUFFIXES):
            return None
        if self.chosen is not None and (path.is_relative_to(self.chosen) or _beside(path, self.chosen)):
            return self.chosen
        root, folder = None, path.parent
        while self._holds_policies(folder):
            root, folder = folder, folder.parent
            if not any(folder.is_relative_to(workspace) for workspace in self.folders):
                break
        return root

    def files(self, root: Path) -> PolicyFiles:
        """The files of a policy as they would be read if everything were saved."""
        read = read_files(root)
        if not read.layers:
            return read
        texts = {str(path): text for path, text in self.open.items() if path.is_relative_to(root)}
        known = [
            replace(file, content=_bytes(texts[file.shown])) if file.shown in texts else file
            for file in read.layers[0]
        ]
        there = {file.shown for file in known}
        new = [
            PolicyFile(
                path.name if path == root else path.relative_to(root).as_posix(), str(path), _bytes(text)
            )
            for path, text in self.open.items()
            if str(path) not in there and path.is_relative_to(root) and _is_policy_name(path)
        ]
        problems = read.problems
        if new:
            problems = tuple(each for each in problems if each.code not in ("no-policies", "no-such-file"))
        return PolicyFiles(((*known, *new),), problems)

    def tests(self, root: Path) -> dict[Path, bytes]:
        """The test files that an editor holds of a policy."""
        folder = root if root.suffix not in _SUFFIXES else root.parent
        return {
            path: _bytes(text)
            for path, text in self.open.items()
            if is_test(path) and path.is_relative_to(folder) and self.root_of(path) == root
        }

    def outlines(self, root: Path, files: PolicyFiles | None = None) -> Mapping[Path, Outline]:
        """The outlines of a policy's files, and of the test files that are open."""
        read = self.files(root) if files is None else files
        texts = {Path(file.shown): file.content for layer in read.layers for file in layer}
        texts |= self.tests(root)
        return {
            path: self._outlined(path, content) for path, content in texts.items() if len(content) <= LONGEST
        }

    def outline(self, path: Path) -> Outline | None:
        """The outline of a text that the editor holds."""
        text = self.open.get(path)
        return None if text is None or len(text) > LONGEST else self._outlined(path, _bytes(text))

    def _outlined(self, path: Path, content: bytes) -> Outline:
        """The outline of a text; of each file the last one is kept."""
        known = self._read.get(path)
        if known is None or known[0] != content:
            known = content, outline(Source(str(path), content.decode("utf-8", "replace")))
            self._read[path] = known
        return known[1]

    def _holds_policies(self, folder: Path) -> bool:
        return any(_is_policy(text) for text in self._heads(folder))

    def _heads(self, folder: Path) -> Iterator[str]:
        """The beginnings of the policy files that lie directly in a folder."""
        yield from (
            text for path, text in self.open.items() if path.parent == folder and _is_policy_name(path)
        )
        try:
            entries = sorted(folder.iterdir())[:_MOST_BESIDE]
            for entry in entries:
                if _is_policy_name(entry) and entry not in self.open and entry.is_file():
                    with entry.open("rb") as stream:
                        yield stream.read(_HEAD).decode("utf-8", "replace")
        except OSError:
            return


def is_test(path: Path) -> bool:
    """Whether a file holds cases."""
    return path.name.endswith(_TESTS)


def _is_policy_name(path: Path) -> bool:
    return path.name.endswith(_SUFFIXES) and not is_test(path) and not path.name.startswith(".")


def _beside(path: Path, chosen: Path) -> bool:
    """Whether this is a test file beside the one policy file that was chosen."""
    return chosen.suffix in _SUFFIXES and is_test(path) and path.parent == chosen.parent


def _is_policy(text: str) -> bool:
    """Whether a text says that it is a policy: it has a version, and a section of one."""
    keys: Iterable[str] = (line.partition(":")[0] for line in text.splitlines() if ":" in line[:80])
    found = set(keys)
    return "version" in found and not _KEYS.isdisjoint(found) and "apiVersion" not in found


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
