"""Finds test files and runs their cases against the policies beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic, PolicyError
from gateway.testing.case import Case, CaseReport
from gateway.testing.loaded import Loaded, load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.testing.form import EquivalentPart
    from gateway.testing.read import TestFile

_SUFFIXES = (".test.yaml", ".test.yml")


@dataclass(frozen=True, slots=True)
class Report:
    """What came of the cases of one file."""

    path: Path
    cases: tuple[CaseReport, ...]
    equivalent: tuple[EquivalentPart, ...] = ()
    """The mutants that the file says no case can tell from the policy."""

    @property
    def failed(self) -> tuple[CaseReport, ...]:
        """The cases that differ from what was expected."""
        return tuple(report for report in self.cases if not report.passed)


def test_files(path: str | Path) -> tuple[Path, ...]:
    """The test file at a path, or all of them below it, sorted; `PolicyError` if there is none."""
    path = Path(path)
    if not path.exists():
        raise PolicyError([Diagnostic("no-such-file", f"there is no `{path}`", help="check the path")])
    if path.is_file():
        return (path,)
    found = tuple(sorted(entry for entry in path.rglob("*") if entry.name.endswith(_SUFFIXES)))
    if not found:
        help = "name a file `*.test.yaml` and write `cases` into it"
        raise PolicyError([Diagnostic("no-tests", f"`{path}` holds no `*.test.yaml`", help=help)])
    return found


test_files.__test__ = False  # type: ignore[attr-defined]  # pytest would take it for a test of its own


def run_file(
    path: str | Path,
    policies: str | Path | None = None,
    *,
    only: Callable[[str], bool] = lambda name: True,
    loaded: Loaded | None = None,
) -> Report:
    """Run a file's cases against the policies at a path, or in the file's own directory.

    `only` chooses cases by their names; `loaded` is a policy that was loaded before.
    """
    from gateway.testing.compare import run_case

    read = _file(Path(path), policies, loaded)
    cases = tuple(run_case(case) for case in read.cases if only(case.name))
    return Report(Path(path), cases, read.equivalent)


def load_cases(path: str | Path, policies: str | Path | None = None) -> tuple[Case, ...]:
    """All cases of a test file, or of every one below a directory, for `pytest.mark.parametrize`."""
    return tuple(_all_cases(path, policies))


def _all_cases(path: str | Path, policies: str | Path | None) -> Iterator[Case]:
    loaded: dict[Path, Loaded] = {}
    for file in test_files(path):
        place = Path(policies) if policies is not None else file.parent
        if place not in loaded:
            loaded[place] = load(place)
        yield from _file(file, place, loaded[place]).cases


def _file(path: Path, policies: str | Path | None, loaded: Loaded | None) -> TestFile:
    from gateway.testing.read import read_file

    if loaded is None:
        loaded = load(policies if policies is not None else path.parent)
    return read_file(path, loaded)
