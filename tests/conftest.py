"""Hypothesis profiles: `ci` is the same on every run, `deep` looks further and is for `.ci/full`.

What tests compile is kept for their own run alone, never among the user's own compiled policies. Many tests
run on all cores.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "deep", max_examples=2_000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
_WORTH_WORKERS = 10
"""So many files of tests take longer than it takes workers to begin."""
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """None is as many as there are cores; a few files are through before workers would have begun."""
    named = [Path(each.partition("::")[0]) for each in config.args]
    files = sum(len([*path.rglob("test_*.py")]) if path.is_dir() else 1 for path in named)
    return None if files >= _WORTH_WORKERS else 0


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def interrupts() -> Iterator[None]:
    """SIGINT interrupts, also where the tests run in the background, with that signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
