"""Paths of arguments as texts, no two alike: a name that holds what separates names stands in quotes."""

from __future__ import annotations

import re

from gateway.relaxation.change import item_of
from gateway.schema import EACH, ArgumentPath

_EACH = "*"
_STEP = re.compile(r'"(?:[^"\\]|\\.)*"|[^."]+')


def path_of(path: ArgumentPath) -> str:
    """A path in one text."""
    return ".".join(_EACH if step is EACH else _written(step) for step in path)


def _written(name: str) -> str:
    return f'"{name}"' if name in ("", _EACH) else item_of(name)


def name_of(path: str) -> str:
    """The last name in a path, as it is written there."""
    return next((step for step in reversed(_steps(path)) if step != _EACH), _EACH)


def is_within(path: str, whole: str) -> bool:
    """Whether a path is another one, or lies below it."""
    steps, above = _steps(path), _steps(whole)
    return steps[: len(above)] == above


def _steps(path: str) -> list[str]:
    return _STEP.findall(path)
