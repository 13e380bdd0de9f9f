"""Lists of cases in YAML, which are long: where the parser in C is there, it saves their readers the time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

try:
    from yaml import CSafeLoader as SafeLoader
except ImportError:  # PyYAML built without libyaml
    from yaml import SafeLoader  # type: ignore[assignment]

_DATA = Path(__file__).parent / "data"


def read_list(name: str) -> Any:
    """What a file below `tests/data` says, such as `inspect/git.yaml`; lone surrogates are beyond that parser."""
    return yaml.load((_DATA / name).read_text(encoding="utf-8"), Loader=SafeLoader)
