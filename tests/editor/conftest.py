from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.editor.conversation import Editor


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    """One server for a file of tests; each test works in a directory of its own."""
    with Editor() as server:
        yield server
