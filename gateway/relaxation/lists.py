"""Named lists: a condition that reads one can turn either way when it changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gateway.relaxation.change import Change, Direction, digest_of
from gateway.relaxation.read import is_read


def compare_lists(
    old: Mapping[str, list[Any]], new: Mapping[str, list[Any]], reads: frozenset[str]
) -> Iterator[Change]:
    """What differs between the constants of two policies; what no condition reads decides nothing."""
    for name in sorted({*old, *new}):
        before, after = old.get(name), new.get(name)
        if digest_of(before) == digest_of(after):
            continue
        read = is_read({"reads": reads}, f"lists.{name}")
        meaning = "conditions read other values" if read else "no condition reads it"
        yield Change(f"lists.{name}", Direction.OTHER, meaning, read, before, after)
