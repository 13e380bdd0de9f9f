from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.editor.conversation import Editor


@pytest.fixture(scope="session")
def editor() -> Iterator[Editor]:
    """One server for all tests; each works in a directory of its own."""
    with Editor() as server:
        yield server
