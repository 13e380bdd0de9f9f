"""Texts for arguments that are inspected: what shows the patterns that are on, and what the settings protect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from gateway.inspect.kind import Kind

if TYPE_CHECKING:
    from gateway.policy import Settings
    from gateway.sources import Assembled


def examples_of(side: Assembled, kind: str) -> Iterator[str]:
    """Examples of one kind; they are looked at, and never run."""
    for pattern in side.compiled.patterns:
        for example in (*pattern.matches, *pattern.misses[:1]):
            if example.kind.value == kind.partition(":")[0]:
                yield example.text
    yield from _PLAIN.get(kind.partition(":")[0], ())
    yield from _protected(side.policy.settings, kind)


_PLAIN: Mapping[str, tuple[str, ...]] = {
    Kind.SQL.value: (
        "SELECT 1",
        "SELECT a FROM t WHERE b = 1",
        "DROP TABLE t",
        "DELETE FROM t",
        "DELETE FROM t WHERE a = 1",
        "UPDATE t SET a = 1",
        "TRUNCATE t",
        "INSERT INTO t VALUES (1)",
        "ALTER TABLE t DROP COLUMN a",
        "GRANT ALL ON t TO public",
    ),
    Kind.PYTHON.value: (
        "print(1)",
        "open('/etc/shadow').read()",
        "open('x', 'w').write('y')",
        "import os\nos.system('git push --force')",
        "import shutil\nshutil.rmtree('/srv')",
        "import subprocess\nsubprocess.run(['git', 'reset', '--hard'])",
    ),
}
"""Texts of kinds that patterns give no examples of."""


def _protected(settings: Settings, kind: str) -> Iterator[str]:
    paths = [path.replace("*", "x") for path in settings.protected_paths]
    if kind == Kind.PATH.value:
        yield from paths
    if kind == Kind.SHELL.value:
        for name in (*settings.artifacts, *paths):
            yield f"rm -r {name.replace('*', 'x')}"
        for path in paths:
            yield f"echo x > {path}"
        for branch in settings.protected_branches:
            yield f"git push origin {branch.replace('*', 'x')}"
            yield f"git push --force-with-lease origin {branch.replace('*', 'x')}"
            yield f"git branch -D {branch.replace('*', 'x')}"
