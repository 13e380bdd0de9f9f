"""What differs between two places that say which tools there are, by tool and field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from typing import Any

from gateway.canonical import canonical, digest
from gateway.diagnostic import shortened
from gateway.drift.sides import DECLARED, LISTED, Side, Stated
from gateway.drift.suspects import suspects
from gateway.fingerprint import hinted
from gateway.frozen import frozen
from gateway.relaxation.schemas import schema_changes
from gateway.schema import role_paths, sensitive_paths
from gateway.schema.keywords import KeyPath


class What(Enum):
    """What has become of a tool, or what is to be looked at in it."""

    CAME = "came"
    WENT = "went"
    CHANGED = "changed"
    REFUSED = "refused"
    """It can't be used as it is listed."""
    SUSPECT = "suspect"
    """A text or a name that is new may be meant to mislead."""


@frozen
class Difference:
    """One thing that differs; `field` is empty where it is the tool as a whole."""

    tool: str
    field: str
    what: What
    meaning: str
    old: Any = None
    new: Any = None
    accepted: bool = False
    """Whether somebody pinned the tool just as it is now."""


def differences(
    old: Side, new: Side, *, known: Iterable[str] = (), pinned: Mapping[str, str] | None = None
) -> tuple[Difference, ...]:
    """What came, went and changed, in the order of names.

    `known` are the names of other tools, for which none may pass; `pinned` are the digests that somebody accepted.
    """
    names = sorted(
        name
        for name in {*old.tools, *new.tools, *old.refused, *new.refused}
        if old.covers(name) and new.covers(name)
    )
    every = sorted({*known, *old.tools, *new.tools})
    found = [one for name in names for one in _of_tool(name, old, new, every)]
    accepted = pinned or {}
    return tuple(replace(one, accepted=_is_accepted(one, new, accepted)) for one in found)


def step_digest(tool: str, old: str | None, new: str | None) -> str:
    """What somebody names who accepts just this change of a tool, from one digest to another."""
    return digest([tool, old, new])


def _is_accepted(one: Difference, new: Side, pinned: Mapping[str, str]) -> bool:
    tool = new.tools.get(one.tool)
    return tool is not None and bool(tool.digest) and pinned.get(one.tool) == tool.digest


def _of_tool(name: str, old: Side, new: Side, known: list[str]) -> Iterator[Difference]:
    before, after = old.tools.get(name), new.tools.get(name)
    if name in new.refused:
        yield Difference(name, "", What.REFUSED, new.refused[name])
        return
    if after is None:
        if before is not None:
            yield Difference(name, "", What.WENT, f"it is not in {new.name}", before.description)
        return
    if before is None:
        yield Difference(name, "", What.CAME, f"it is not in {old.name}", None, after.description)
    else:
        yield from _changes(name, before, after, old, new)
    seen = {} if before is None else suspects(before, known)
    for place, why in suspects(after, known).items():
        if seen.get(place) != why:
            yield Difference(name, place, What.SUSPECT, why)


def _changes(name: str, before: Stated, after: Stated, old: Side, new: Side) -> Iterator[Difference]:
    both = old.says & new.says
    alike = old.says == new.says

    def changed(field: str, meaning: str, one: Any = None, other: Any = None) -> Difference:
        return Difference(name, field, What.CHANGED, meaning, one, other)

    for field in ("title", "description"):
        one, other = getattr(before, field), getattr(after, field)
        read = (lambda text: text) if both == LISTED else _words  # a digest is of the text as it is
        if field in both and read(one) != read(other) and (alike or None not in (one, other)):
            yield changed(field, _said(one, other), one, other)
    yield from (changed(*each) for each in _input(before.input, after.input, both, alike=alike))
    if "output" in both and digest(before.output) != digest(after.output):
        yield changed("output", "what it returns is declared in another way", before.output, after.output)
    if "annotations" in both:
        yield from (changed(*each) for each in _annotations(before.annotations, after.annotations))
    if both == DECLARED:
        yield from (changed(*each) for each in _declared(before, after))
    elif not alike:
        yield from (changed("risk", text) for text in _hints(before, after, old, new))


def _words(text: str | None) -> list[str] | None:
    """A text without regard to how its lines are broken."""
    return None if text is None else text.split()


def _said(one: str | None, other: str | None) -> str:
    if one is None or other is None:
        return "it is new" if one is None else "it is gone"
    return (
        "it differs in blanks and line breaks only"
        if _words(one) == _words(other)
        else "it says something else"
    )


def _input(
    one: Mapping[str, Any], other: Mapping[str, Any], both: frozenset[str], *, alike: bool
) -> Iterator[tuple[str, str, str | None, str | None]]:
    """The arguments: which calls are accepted and, between two places of one kind, what is said of them."""
    if digest(one) == digest(other):
        return
    found: list[tuple[str, str, str | None, str | None]] = [
        ("input", judged.meaning, None, None) for judged in schema_changes(one, other)
    ]
    if alike:
        before, after = (dict(_texts(side, ())) for side in (one, other))
        found += [
            (_place(path), _said(before.get(path), after.get(path)), before.get(path), after.get(path))
            for path in dict.fromkeys((*before, *after))
            if before.get(path) != after.get(path)
        ]
        marked = both == DECLARED and _marks(one) != _marks(other)  # told beside what else is declared
        if not found and not marked:
            found = [("input", "it is written in another way", None, None)]
    yield from found


_SHOWN = ("title", "description", "$comment")


def _texts(schema: Any, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """The texts of a schema that describe something; how deep it goes was looked at when it was read."""
    if isinstance(schema, Mapping):
        for key, value in schema.items():
            if key in _SHOWN and isinstance(value, str):
                yield (*path, key), value
            else:
                yield from _texts(value, (*path, key))
    elif isinstance(schema, list | tuple):
        for index, value in enumerate(schema):
            yield from _texts(value, (*path, index))


def _place(path: KeyPath) -> str:
    """A place in the schema of the arguments; its last key says what kind of text stands there."""
    *above, last = path
    return ".".join(("input", *(shortened(str(step)) for step in above), str(last)))


def _annotations(
    one: Mapping[str, Any] | None, other: Mapping[str, Any] | None
) -> Iterator[tuple[str, str, Any, Any]]:
    before, after = one or {}, other or {}
    if not before and not after and one != other:
        yield "annotations", "they are empty instead of left out, or left out instead of empty", one, other
    raised, lowered = hinted(after) > hinted(before), hinted(after) < hinted(before)
    for key in sorted({*before, *after}):
        if digest(before.get(key)) != digest(after.get(key)) or (key in before) is not (key in after):
            sides = [_value(key, side) for side in (before, after)]
            text = f"it is {sides[1]} instead of {sides[0]}"
            if key.endswith("Hint") and (raised or lowered):
                text += ", which may raise its risk" if raised else ", which lowers no risk"
            yield f"annotations.{key}", text, before.get(key), after.get(key)


def _value(key: str, side: Mapping[str, Any]) -> str:
    return shortened(canonical(side[key])) if key in side else "not said"


def _declared(before: Stated, after: Stated) -> Iterator[tuple[str, str, Any, Any]]:
    """What policies and code say besides."""
    if None not in (before.risk, after.risk) and before.risk is not after.risk:
        risks = [side.risk.value if side.risk else "" for side in (before, after)]
        yield "risk", f"it is {risks[1]} instead of {risks[0]}", risks[0], risks[1]
    if before.permissions is not None and after.permissions is not None:
        one, other = sorted(before.permissions), sorted(after.permissions)
        if one != other:
            yield "permissions", f"they are {_named(other)} instead of {_named(one)}", one, other
    one, other = _marks(before.input), _marks(after.input)
    if one != other:
        yield "input", f"what is marked is {_named(other)} instead of {_named(one)}", one, other


def _marks(schema: Mapping[str, Any]) -> list[str]:
    """The arguments with a meaning for policies, each with its mark."""
    roles = ((path, f"x-role: {role}") for role, paths in role_paths(schema).items() for path in paths)
    secret = ((path, "x-sensitive") for path in sensitive_paths(schema))
    return [f"{'.'.join(step or '*' for step in path)} ({mark})" for path, mark in (*roles, *secret)]


def _named(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


def _hints(before: Stated, after: Stated, old: Side, new: Side) -> Iterator[str]:
    """A declared risk below what the server itself hints at."""
    for declared, listed, side in ((before, after, old), (after, before, new)):
        if declared.risk is not None and (least := hinted(listed.annotations)) > declared.risk:
            yield f"the server's hints make it {least.value}, and {side.name} says {declared.risk.value}"
