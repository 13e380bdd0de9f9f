"""Inspected arguments: whether a command runs nothing but certain programs, and whether paths lie in certain places."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Mapping, Sequence
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
    written = [one.split() for one in wanted if isinstance(one, str)]
    begun = [words for words in written if len(words) > 1 and words[1].startswith("-")]
    found = (each for each in invocations if not _named(each, wanted, begun))
    return list(dict.fromkeys(f"{each['program']} {each['subcommand']}".strip() for each in found))


def _named(invocation: Mapping[str, Any], wanted: set[Any], begun: Sequence[Sequence[str]]) -> bool:
    program, subcommand = invocation["program"], invocation["subcommand"]
    if program in wanted or (bool(subcommand) and f"{program} {subcommand}" in wanted):
        return True
    words = (program, *invocation.get("words", ()))
    return any(words[: len(one)] == tuple(one) for one in begun)


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


def _program(text: str) -> tuple[str, str] | None:
    """What is wrong with a text that `only()` is given."""
    words = text.split()
    if not words:
        return "no program has an empty name", "write the programs that are meant"
    if text != " ".join(words):
        return f"`{text}` has blanks that no command has", f"write `{' '.join(words)}`"
    if text in (">", "=", "/"):
        return None
    program = words[0]
    if program[0] in "<>" or program[-1] in "<>":
        return f"`{text}` is no program", "`>` stands for all that is written to files"
    if any(sign in text for sign in ("|", ";", "&", "<", ">", "$", "`")):
        return f"`{text}` is more than one program, or none", "write each of them: a command may run several"
    if any(sign in text for sign in "*?…"):
        rest = (
            f"write `{program}`, which stands for all that it does" if program.isalnum() else "write each out"
        )
        return f"`only()` has no wildcards, as in `{text}`", rest
    if "=" in program:
        return f"`{program}` is no program", "`=` stands for all that is set in front of a program"
    if "/" in program:
        name = " ".join((posixpath.basename(program) or program.strip("/"), *words[1:]))
        help_ = f"write `{name}`; `/` allows besides what is run by a path of its own"
        return f"`{program}` is a path, and programs go by their name", help_
    if len(words) > 2 and not words[1].startswith("-"):
        help_ = f"write `{' '.join(words[:2])}`; more words count only behind an option: `python -m pytest`"
        return f"`{text}` is more than a program and its subcommand", help_
    return None


def _directory(text: str) -> tuple[str, str] | None:
    """What is wrong with a text that `within()` is given."""
    if not text.startswith("/"):
        below = posixpath.normpath(text.removeprefix("~/").removeprefix("./")) if text else "."
        help_ = "write `session.roots`"
        if text.startswith("~"):
            help_ = "write the absolute path, or `session.home + …` behind `has(session.home) && …`"
        elif below != "." and not below.startswith("."):
            help_ = f'write `session.roots.map(r, r + "/{below}")`, or an absolute path'
        return f"`{text}` is no absolute path, so `within()` fails", help_
    if not _OPEN.isdisjoint(text):
        above = posixpath.dirname(text[: min(text.index(sign) for sign in _OPEN if sign in text)] + "x")
        return "`within()` has no wildcards: a directory stands for all below it", f"write `{above}`"
    return None


def _cost(facts: Any, others: Any) -> int:
    return STEPS


FUNCTIONS = (
    Function(
        "only",
        Style.MEMBER,
        (Overload((_FACTS, _TEXTS), BOOL, _only),),
        "Whether all of a command could be read, it runs something, and each program that it runs is one of these; "
        "`git status` stands for one subcommand of a program, `python -m pytest` for what begins with these options, "
        "`>` for writing to a file, `=` for what is set in front, `/` for a program that is run by a path of its own.",
        '{"analysis": "exact", "invocations": [{"program": "ls", "subcommand": ""}]}.only(["ls", "git status"])',
        cost=_cost,
        judge=_program,
    ),
    Function(
        "within",
        Style.MEMBER,
        (Overload((_FACTS, _TEXTS), BOOL, _within), Overload((_FACTS, STRING), BOOL, _within_one)),
        "Whether all could be read, and each path that is read or changed, that the words of a command name or that it "
        "runs in lies in one of these directories, links followed; true where there is no path.",
        '{"analysis": "exact", "paths": ["/srv/app/main.py"]}.within("/srv/app")',
        cost=_cost,
        judge=_directory,
    ),
)
