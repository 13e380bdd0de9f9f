"""What kept `only()` or `within()` from holding: the programs that are none of the list, the paths that lie outside."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

from gateway.cel import CelError, Observation
from gateway.cel.functions.inspected import others_than, outside_of
from gateway.later import later

_ASKED = later(r"(.+)\.(only|within)\(\s*(.+?)\s*\)", re.DOTALL)
_MOST = 3
_LONGEST = 60


def misfit(seen: Observation, watched: Sequence[Observation], lists: Mapping[str, Any]) -> str:
    """In a few words, or nothing where a part of a condition is no such call or holds."""
    asked = _ASKED.fullmatch(seen.text) if seen.value is False else None
    if asked is None:
        return ""
    values = {each.text: each.value for each in watched if each.error is None}
    facts, others = values.get(asked[1]), values.get(asked[3])
    if others is None:
        others = _constant(asked[3], lists)
    if not isinstance(facts, Mapping) or others is None:
        return ""
    if facts.get("analysis") not in ("exact", "folded"):
        return "not all of it could be read"
    try:
        if asked[2] == "within":
            return _words(outside_of(facts, others), "lies outside", "lie outside")
        found = others_than(facts, others)
    except (CelError, TypeError):
        return ""
    return _words(found, "is none of them", "are none of them") if found else "it runs nothing"


def _constant(text: str, lists: Mapping[str, Any]) -> Any:
    """A list or a text that is written out, or one of the policy's lists: such a part is not evaluated by itself."""
    if text.startswith("lists."):
        return lists.get(text.removeprefix("lists."))
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _words(found: Sequence[str], one: str, many: str) -> str:
    told = [f"`{each if len(each) <= _LONGEST else each[:_LONGEST] + '…'}`" for each in found[:_MOST]]
    more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
    return f"{', '.join(told)}{more} {one if len(found) == 1 else many}" if found else ""
