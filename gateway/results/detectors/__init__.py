"""What finds texts that are blanked out of results: one detector a file, named here.

A detector is a module. Its docstring says what it finds. `FORMATS` are the forms of such texts, each with examples
that match and that do not; `FIELDS` are names of keys in data whose values are blanked out whole where they are texts
that may be secrets; `NUMBERS` says whether numbers in data are looked at as well. In texts without structure only
`FORMATS` count: program code names such fields and holds no secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Any

from gateway.results.detectors.format import Format
from gateway.results.detectors.likely import of_some_kind

NAMES = ("secrets", "cards", "emails")
"""All detectors, by the name that policies write."""


_MEMORY = 1 << 26
"""What telling the formats apart may take: enough that it never fails for want of it."""


class Detector:
    """A detector ready to be asked; its expressions are read when they are first needed."""

    def __init__(self, name: str, module: ModuleType) -> None:
        self.name = name
        self.summary: str = (module.__doc__ or "").splitlines()[0]
        self.formats: tuple[Format, ...] = module.FORMATS
        self.fields: tuple[str, ...] = module.FIELDS
        self.numbers: bool = module.NUMBERS

    @property
    def hint(self) -> str:
        """An expression that is found wherever a format is, also where the text is written as JSON."""
        return "|".join(f"(?:{one.hint})" for one in self.formats)

    @cached_property
    def _which(self) -> Callable[[str], list[int] | None]:
        """Which of the formats may be in a text, told in one pass over it."""
        import re2

        options = re2.Options()
        options.max_mem = _MEMORY
        hints = re2.Set.SearchSet(options)
        for one in self.formats:
            hints.Add(one.hint)
        hints.Compile()
        which: Callable[[str], list[int] | None] = hints.Match
        return which

    @cached_property
    def _each(self) -> tuple[tuple[Format, Callable[[str], Iterator[Any]]], ...]:
        import re2

        return tuple((one, re2.compile(one.pattern).finditer) for one in self.formats)

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """The first and last offset of each text that is blanked out, in no order; they may overlap."""
        for index in self._which(text) or ():
            one, matches = self._each[index]
            for match in matches(text):
                if one.accepts is not None and not one.accepts(match):
                    continue
                if one.within is not None:
                    yield from one.within(match)
                    continue
                start, end = match.span(1) if one.part else match.span()
                if one.ends is not None:
                    last = one.ends(text, end)
                    if last is None:
                        continue
                    end = last
                yield start, end

    def holds(self, value: str) -> bool:
        """Whether the value of one of the detector's fields may be a secret."""
        return of_some_kind(value)


DETECTORS: Mapping[str, Detector] = MappingProxyType(
    {name: Detector(name, import_module(f"{__name__}.{name}")) for name in NAMES}
)
