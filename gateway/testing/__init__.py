"""Run a policy's `*.test.yaml` cases, from the command line or from pytest.

In a test module::

    import pytest
    from gateway.testing import Case, load_cases

    @pytest.mark.parametrize("case", load_cases("policies"), ids=str)
    def test_policy(case: Case) -> None:
        case.check()
"""

from gateway.testing.case import Case, CaseReport, Mismatch
from gateway.testing.loaded import Clock, Loaded, load
from gateway.testing.run import Report, load_cases, run_file, test_files

__all__ = [
    "Case",
    "CaseReport",
    "Clock",
    "Loaded",
    "Mismatch",
    "Report",
    "load",
    "load_cases",
    "run_file",
    "test_files",
]
