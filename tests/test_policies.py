"""The policies that come with the product: they lint clean, are ready, and pass their own cases."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gateway import Gateway
from gateway.checks import check_policy
from gateway.compile import compile_policy
from gateway.diagnostic import Severity
from gateway.guarded import guard_for
from gateway.load import load_policy
from gateway.testing import Case, load_cases

ROOT = Path(__file__).parent.parent / "policies"
POLICIES = sorted(path for path in ROOT.iterdir() if path.is_dir())


@pytest.mark.parametrize("case", load_cases(ROOT), ids=str)
def test_cases(case: Case) -> None:
    case.check()


@pytest.mark.parametrize("path", POLICIES, ids=lambda path: path.name)
def test_ready_and_clean(path: Path) -> None:
    assert Gateway.load(path).manifest.ready
    policy = load_policy(path)
    compiled = compile_policy(policy, guard_for(path))
    day = datetime(2026, 12, 1, tzinfo=UTC)
    found = [*compiled.diagnostics, *check_policy(policy, compiled, day)]
    assert [d for d in found if d.severity is not Severity.NOTE] == []


def test_both_policies_are_there() -> None:
    assert [path.name for path in POLICIES] == ["coding-agent", "platform"]
