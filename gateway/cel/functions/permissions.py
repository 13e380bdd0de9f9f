"""Permission strings: `permissions.of` makes one from parts that a call brings, `covers` compares whole lists."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from gateway.cel.access import written
from gateway.cel.budget import count, length, made
from gateway.cel.functions.signature import Function, Overload, Style
from gateway.cel.types import BOOL, DYN, STRING, ListType
from gateway.cel.values import CelError, ErrorKind, adopt, no_overload
from gateway.permission import segment

_TEXTS = ListType(STRING)


def _whole(values: Collection[Any]) -> frozenset[str]:
    if isinstance(values, frozenset):
        return values
    for value in values:
        if not isinstance(value, str):
            raise no_overload("permissions.covers", value)
    return frozenset(values)


def _covers(held: Collection[Any], needed: Collection[Any]) -> bool:
    return _whole(held) >= _whole(needed)


def _of(parts: Collection[Any]) -> str:
    segments: list[str] = []
    for part in adopt(parts):
        text = segment(part)
        if text is None:
            raise CelError(ErrorKind.INVALID, f"{written(part)} can't be a segment of a permission")
        segments.append(text)
    if not segments:
        raise CelError(ErrorKind.INVALID, "a permission has at least one segment")
    return ":".join(segments)


def _compared(held: Any, needed: Any) -> int:
    return _listed(held) + _listed(needed)


def _listed(values: Any) -> int:
    return count(values) + (sum(map(length, values)) >> 8) if count(values) else 0


def _joined(parts: Any) -> int:
    if not count(parts):
        return 0
    characters = sum(map(length, parts))
    return 12 * count(parts) + made(characters) + characters


FUNCTIONS = (
    Function(
        "permissions.covers",
        Style.GLOBAL,
        (Overload((_TEXTS, _TEXTS), BOOL, _covers),),
        "Whether the first list holds every permission of the second one, each as a whole string: none has wildcards.",
        "permissions.covers(['form:read', 'form:update'], ['form:read'])",
        cost=_compared,
    ),
    Function(
        "permissions.of",
        Style.GLOBAL,
        (Overload((ListType(DYN),), STRING, _of),),
        "A permission from its segments; one that is empty or holds a blank or any of `: * , { }` is an error.",
        "permissions.of(['form', 'run', 7]) == 'form:run:7'",
        cost=_joined,
    ),
)
