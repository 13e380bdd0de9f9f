"""Named lists: what conditions make of one is said of them; where they can't show it, it can turn either way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gateway.relaxation.change import Change, Direction, digest_of, item_of
from gateway.relaxation.read import is_read
from gateway.relaxation.written import list_difference


def compare_lists(
    old: Mapping[str, list[Any]], new: Mapping[str, list[Any]], reads: frozenset[str]
) -> Iterator[Change]:
    """What differs between the constants of two policies; `reads` is what conditions read beside what they spell."""
    for name in sorted({*old, *new}):
        before, after = old.get(name), new.get(name)
        if digest_of(before) == digest_of(after):
            continue
        read = is_read({"reads": reads}, f"lists.{name}")
        values = list_difference(before, after)
        meaning = (
            f"it {values}; conditions read it in a way that can turn either way"
            if read
            else f"it {values}; what that does is said of the conditions that read it"
        )
        yield Change(item_of("lists", name), Direction.OTHER, meaning, read, before, after)
