"""Regular expressions that are compiled when they are first used: most are not, in a process that decides one call."""

from __future__ import annotations

import re
from typing import Any, cast

_USED = ("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split")


def later(expression: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`; an expression that is wrong is told when it is first used."""
    return cast("re.Pattern[str]", Later(expression, flags))


class Later:
    """Stands for a compiled expression, and has all that it has."""

    def __init__(self, expression: str, flags: int) -> None:
        self._given = (expression, int(flags))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        compiled = re.compile(*self._given)
        # From here on each is found at once.
        self.__dict__.update({each: getattr(compiled, each) for each in _USED})
        return getattr(compiled, name)
