"""Makes a request as simple as it can be while something still holds of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gateway.search.request import Path, World

if TYPE_CHECKING:
    from gateway.search.seeking import Answer, Found, Test

_MOST_TESTS = 400
_PLAIN: tuple[tuple[Path, Any], ...] = (
    (("session", "dry_run"), False),
    (("session", "can_ask"), True),
    (("session", "channel"), "internal"),
    (("subject", "kind"), "user"),
    (("subject", "id"), "alice"),
)


def simplest(
    world: World,
    test: Test[Answer],
    answer: Answer,
    whole: frozenset[str] = frozenset(),
    plain: datetime | None = None,
) -> Found:
    """The simplest request that was found by leaving out and shortening, one thing at a time.

    The texts in `whole` are told by themselves: none is shortened. `plain` is the moment that is preferred.
    """
    from gateway.search.seeking import Found, tested

    left = _MOST_TESTS
    best, said = world, answer
    if plain is not None and world.now != plain:
        sooner = World(world.tool, world.values, plain)
        found = tested(test, sooner)
        best, said = (best, said) if found is None else (sooner, found)
    going = True
    while going and left > 0:
        going = False
        for simpler in _simpler(best, whole):
            left -= 1
            found = tested(test, simpler)
            if found is not None:
                best, said, going = simpler, found, True
                break
            if left <= 0:
                break
    return Found(best, said)


def _simpler(world: World, whole: frozenset[str]) -> Iterator[World]:
    """Requests that are a little simpler than one; a value counts as simpler only in one direction."""
    for path, value in _PLAIN:
        if world.get(path) != value:
            yield _with(world, path, value)
    for root in (
        ("args",),
        ("call",),
        ("turn",),
        ("session", "facts"),
        ("session", "modes"),
        ("subject", "attributes"),
    ):
        yield from _below(world, root, whole)
    for root in (("subject", "roles"), ("subject", "permissions"), ("session", "capabilities")):
        yield from _shorter(world, root, world.get(root))


def _below(world: World, path: Path, whole: frozenset[str]) -> Iterator[World]:
    """Without something, or with something plainer in its place."""
    try:
        value = world.get(path)
    except LookupError:
        return
    if isinstance(value, dict):
        for key in list(value):
            less = world.copy()
            less.drop((*path, key))
            yield less
        for key in list(value):
            yield from _below(world, (*path, key), whole)
    elif isinstance(value, list):
        yield from _shorter(world, path, value)
        for index in range(len(value)):
            yield from _below(world, (*path, index), whole)
    elif isinstance(value, str):
        for text in ("x",) if value in whole else _plainer(value):
            yield _with(world, path, text)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        for number in _smaller(value):
            if abs(number) < abs(value):
                yield _with(world, path, number)


def _smaller(value: float) -> Iterator[int | float]:
    yield from (0, 1)
    if isinstance(value, float):
        if abs(value) < 2**53:
            yield int(value)
        return
    for part in (2, 4, 16, 256):
        yield value - value // part
    yield value - 1 if value > 0 else value + 1


def _shorter(world: World, path: Path, value: list[Any]) -> Iterator[World]:
    for index in range(len(value)):
        yield _with(world, path, value[:index] + value[index + 1 :])


def _plainer(text: str) -> Iterator[str]:
    if text in ("", "x"):
        return
    yield "x"
    if len(text) > 1:
        yield text[: len(text) // 2]
        yield text[1:]
        yield text[:-1]
    kept = "".join(char if char.isprintable() else "x" for char in text)
    if kept != text:
        yield kept


def _with(world: World, path: Path, value: Any) -> World:
    made = world.copy()
    made.put(path, value)
    return made
