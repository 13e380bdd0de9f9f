"""Inspected arguments: whether a command runs nothing but certain programs, and whether paths lie in certain places."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Mapping
from typing import Any

from gateway.cel.budget import count
from gateway.cel.functions.signature import Function, Overload, Style
from gateway.cel.types import BOOL, DYN, STRING, ListType, MapType
from gateway.cel.values import CelError, ErrorKind, adopt, no_overload

_FACTS = MapType(STRING, DYN)
_TEXTS = ListType(STRING)
_READ = frozenset(("exact", "folded"))
# What stands for a part of a path that is not known.
_OPEN = frozenset("…*?")


# What inspection tells is never more, and so the work of a call has a bound that is known beforehand.
MAX_FACTS = 200
MAX_OTHERS = 100
STEPS = 20 + 2 * MAX_FACTS * MAX_OTHERS // 10


def _part(facts: Mapping[str, Any], name: str, used: str) -> Any:
    if name not in facts:
        raise CelError(ErrorKind.INVALID, f"`{used}()` asks an inspected argument that has `{name}`")
    found = facts[name]
    if count(found) > MAX_FACTS:
        raise CelError(ErrorKind.INVALID, f"`{used}()` takes at most {MAX_FACTS} of `{name}`")
    return found


def _few(others: Collection[Any], used: str) -> Collection[Any]:
    if count(others) > MAX_OTHERS:
        raise CelError(ErrorKind.INVALID, f"`{used}()` compares with at most {MAX_OTHERS} values")
    made: Collection[Any] = adopt(others)
    return made


def _only(facts: Mapping[str, Any], programs: Collection[Any]) -> bool:
    others = others_than(facts, programs)
    return facts.get("analysis") in _READ and bool(facts["invocations"]) and not others


def others_than(facts: Mapping[str, Any], programs: Collection[Any]) -> list[str]:
    """The programs of a command that are none of the wanted ones."""
    wanted = set(_few(programs, "only"))
    invocations = _part(facts, "invocations", "only")
    found = (each for each in invocations if not _named(each, wanted))
    return list(dict.fromkeys(f"{each['program']} {each['subcommand']}".strip() for each in found))


def _named(invocation: Mapping[str, Any], wanted: set[Any]) -> bool:
    program, subcommand = invocation["program"], invocation["subcommand"]
    return program in wanted or (bool(subcommand) and f"{program} {subcommand}" in wanted)


def _within(facts: Mapping[str, Any], roots: Collection[Any]) -> bool:
    outside = outside_of(facts, roots)
    return facts.get("analysis") in _READ and not outside


def outside_of(facts: Mapping[str, Any], roots: Collection[Any] | str) -> list[str]:
    """The paths of an inspected argument that may lie outside of some directories."""
    paths = [*_part(facts, "paths", "within"), *_part({"reaches": (), **facts}, "reaches", "within")]
    known = frozenset(facts.get("staying", ()))
    normal = [_root(root) for root in _few([roots] if isinstance(roots, str) else roots, "within")]
    return [path for path in dict.fromkeys(paths) if not any(_lies(path, root, known) for root in normal)]


def _within_one(facts: Mapping[str, Any], root: str) -> bool:
    return _within(facts, [root])


def _root(root: Any) -> str:
    if not isinstance(root, str):
        raise no_overload("within", root)
    if not root.startswith("/"):
        raise CelError(ErrorKind.INVALID, "`within()` takes absolute paths, such as those of `session.roots`")
    return posixpath.normpath(root)


def _lies(path: str, root: str, staying: frozenset[str]) -> bool:
    inside = path == root or path.startswith(root.rstrip("/") + "/")
    return inside and (path in staying or _OPEN.isdisjoint(path))


def _cost(facts: Any, others: Any) -> int:
    return STEPS


FUNCTIONS = (
    Function(
        "only",
        Style.MEMBER,
        (Overload((_FACTS, _TEXTS), BOOL, _only),),
        "Whether all of a command could be read, it runs something, and each program that it runs is one of these; "
        "`git status` stands for one subcommand of a program, `>` for writing to a file, `=` for what is set in front, "
        "`/` for a program that is run by a path of its own.",
        '{"analysis": "exact", "invocations": [{"program": "ls", "subcommand": ""}]}.only(["ls", "git status"])',
        cost=_cost,
    ),
    Function(
        "within",
        Style.MEMBER,
        (Overload((_FACTS, _TEXTS), BOOL, _within), Overload((_FACTS, STRING), BOOL, _within_one)),
        "Whether all could be read, and each path that is read or changed, that the words of a command name or that it "
        "runs in lies in one of these directories, links followed; true where there is no path.",
        '{"analysis": "exact", "paths": ["/srv/app/main.py"]}.within("/srv/app")',
        cost=_cost,
    ),
)
