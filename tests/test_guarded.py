"""The files that protect the gateway itself."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

from gateway.guarded import guard_for


def test_what_python_reads_first_is_guarded(tmp_path: Path) -> None:
    paths = guard_for(tmp_path).paths
    library = Path(sysconfig.get_path("purelib"))
    assert f"{sys.prefix}/pyvenv.cfg" in paths
    assert {str(file) for file in library.glob("*.pth")} <= set(paths)
    assert str(library / "sitecustomize.py") in paths
