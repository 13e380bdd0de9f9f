"""Stores that several processes can use, and an office on a store in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.managing.office import Office
from tests.stores.conftest import schema, server, shared

__all__ = ["office", "schema", "server", "shared"]


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office(tmp_path)
