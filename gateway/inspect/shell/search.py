"""`find` and `fd`: which paths they yield, and the commands that they run on those."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from gateway.inspect.options import bind, options
from gateway.inspect.place import is_artifact
from gateway.inspect.shell.invocation import Simple, Text
from gateway.inspect.word import DEEP, FULL, UNKNOWN, Word, certain
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

_UNKNOWN: Text = (UNKNOWN,)
_GLOB = later(r"\*|\?|\[[^\]]+\]")
_LITERAL = later(r"[\w.-]+")
_RUNS = frozenset(("-exec", "-execdir", "-ok", "-okdir"))
_ACTIONS = _RUNS | {"-delete"}
_LINKS = ("-H", "-L", "-P")
_PATHS = ("-path", "-ipath", "-wholename", "-iwholename")
# Tests with a value, which can be left out where they are negated: what is found then only gets less.
_TESTS = frozenset(
    (
        "-name",
        "-iname",
        "-type",
        "-user",
        "-group",
        "-perm",
        "-size",
        "-newer",
        "-mtime",
        "-mmin",
        "-regex",
        *_PATHS,
    )
)
_FD = (
    "-x --exec, -X --exec-batch, -t= --type=, -e= --extension=, -E= --exclude=, -d= --max-depth= --maxdepth=, "
    "--min-depth=, --exact-depth=, -S= --size=, --changed-within=, --changed-before=, --newer=, --older=, -o= "
    "--owner=, -j= --threads=, -c= --color=, --max-results=, --base-directory=, --search-path=, "
    "--path-separator=, -C= --base-directory=, --ignore-file=, --batch-size=, --format=, --and=, -H --hidden, -I "
    "--no-ignore, -u --unrestricted, -s --case-sensitive, -i --ignore-case, -g --glob, -F --fixed-strings, -a "
    "--absolute-path, -l --list-details, -L --follow, -p --full-path, -0 --print0, -1, -q --quiet, -h, -V"
)


def found(words: tuple[Word, ...]) -> tuple[str, ...]:
    """The paths that a `find` expression can yield, as narrow as its tests of names make them."""
    values = [certain(w.value) if w.value.startswith("-") else w.value for w in words]
    start = next((i for i, v in enumerate(values) if _is_expression(v)), len(values))
    roots = [v for v in values[:start] if v not in _LINKS] or ["."]
    names = _names(_affirmed(values[start:]))
    ends = [end for name in names for end in (f"/{name}", f"/{DEEP}/{name}")] or ["/" + DEEP]
    return tuple(root.rstrip("/") + end for root in roots for end in ends)


def only_empty(words: tuple[Word, ...]) -> bool:
    """Whether a `find` expression yields nothing but empty files and directories."""
    values = {certain(word.value) for word in words}
    return "-empty" in values and values.isdisjoint(("!", "-not", "-o", "-or", ","))


def _is_expression(value: str) -> bool:
    return (value[:1] == "-" and value not in _LINKS) or value in ("(", "!")


def _affirmed(values: list[str]) -> list[str]:
    """The expression without its negated tests."""
    made: list[str] = []
    i = 0
    while i < len(values):
        if values[i] in ("!", "-not") and values[i + 1 : i + 2] and values[i + 1] in _TESTS:
            i += 3
            continue
        made.append(values[i])
        i += 1
    return made


def _names(values: list[str]) -> tuple[str, ...]:
    """The name that each alternative of a `find` expression asks for; none where one of them asks for none."""
    if {"!", "-not", ","} & set(values):
        return ()
    names: list[str] = []
    name: str | None = None
    depth, skipped, acts = 0, False, False
    for before, value in pairwise(["", *values, "-o", ""]):
        depth += {"(": 1, ")": -1}.get(before, 0)
        if before in ("-name", "-iname"):
            # In an expression the patterns of names also match a leading dot.
            name = _GLOB.sub(FULL, value)
        elif before in _PATHS:
            name = next((part for part in value.split("/") if is_artifact(part)), name)
        elif before == "-prune":
            skipped = True
        elif before in _ACTIONS:
            acts = True
        elif before in ("-o", "-or"):
            if not (skipped and not acts and depth == 0):
                if name is None:
                    return ()
                names.append(name)
            name, skipped, acts = None, False, False
    return tuple(dict.fromkeys(names))


def find(walk: Walk, simple: Simple) -> Text:
    """`find`: the commands behind `-exec` and its kin, on each path that it can yield."""
    walk.emit("find", simple)
    words = simple.words[1:]
    paths = found(words)
    i = 0
    while i < len(words):
        if certain(words[i].value) not in _RUNS:
            i += 1
            continue
        stop = next((j for j in range(i + 1, len(words)) if words[j].value in (";", "+")), len(words))
        for path in paths:
            inner = tuple(replace(w, value=w.value.replace("{}", path)) for w in words[i + 1 : stop])
            if inner:
                walk.execute(replace(simple, redirects=()).inside("find", inner))
        i = stop + 1
    return paths


def fd(walk: Walk, simple: Simple) -> Text:
    """`fd`: the command behind `-x` or `-X`, on each path that it can yield."""
    walk.emit("fd", simple)
    words = simple.words[1:]
    at = next((i for i, w in enumerate(words) if _runs(w.value)), len(words))
    bound = bind(options(_FD), words[:at])
    roots = [w.value for w in (*bound.operands[1:], *bound.flags.get("search-path", ()))]
    base = bound.value("base-directory")
    ends = [f"*.{w.value}" for w in bound.flags.get("extension", ())]
    pattern = certain(bound.operands[0].value).strip("^$").replace("\\", "") if bound.operands else ""
    if is_artifact(pattern) or (pattern and "glob" in bound.flags):
        ends = [pattern]
    elif not ends and _LITERAL.fullmatch(pattern):
        ends = [f"*{pattern}*"]
    names = [_GLOB.sub(FULL, end) for end in ends] or [DEEP]
    paths = tuple(
        f"{root.rstrip('/')}/{end}"
        for root in roots or [base.value if base is not None else "."]
        for name in names
        for end in ([name] if name == DEEP else [name, f"{DEEP}/{name}"])
    )
    inner = words[at + 1 :]
    if not inner:
        return paths
    if not any("{" in w.value for w in inner):
        inner = (*inner, Word("{}", simple.start, simple.end))
    for path in paths:
        put = tuple(replace(w, value=w.value.replace("{}", path)) for w in inner)
        walk.execute(replace(simple, redirects=()).inside("fd", put))
    return paths


def _runs(value: str) -> bool:
    """Whether a word of `fd` starts a command, perhaps bundled with other options (`-tfx`)."""
    if value in ("--exec", "--exec-batch"):
        return True
    return re.fullmatch(r"-[HIusigFalLp01]*[xX]", value) is not None
