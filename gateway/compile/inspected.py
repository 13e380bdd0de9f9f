"""What conditions can read of an inspected argument, and what each of these facts can be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from gateway.cel import INT, STRING, Field, ListType, ObjectType
from gateway.cel.domain import Domain, Form, Never, texts
from gateway.cel.types import BOOL
from gateway.compile.in_force import InForce
from gateway.inspect import facts
from gateway.inspect.classes import HOLDS_PROTECTED
from gateway.inspect.classes import NAMES as PATH_CLASSES
from gateway.inspect.deed import Does
from gateway.inspect.headers import HeaderKind
from gateway.inspect.kind import PINNED, Kind
from gateway.inspect.pattern import Pattern, Url, branches
from gateway.inspect.sql.kinds import SqlKind
from gateway.inspect.url.kind import UrlKind
from gateway.ranges import Range

_TEXTS = ListType(STRING)


def _short(most: int) -> Domain:
    return Domain({"string": Form(STRING, Range(0, most))})


def _without(characters: str, advice: str) -> Domain:
    """A text that never holds some characters."""
    never = Never(characters=characters, advice=advice)
    return Domain({"string": Form(STRING, Range(0, facts.MAX_TEXT), never=never)})


def _listed(words: Iterable[str], never: Never) -> Domain:
    """One of some words, with what is known of others."""
    return Domain({"string": replace(texts(words).forms["string"], never=never)})


def _many(most: int, element: Domain) -> Field:
    """A list of at most so many texts."""
    return Field(_TEXTS, domain=Domain({"list": Form(_TEXTS, Range(0, most), element)}))


def _words(kind: Iterable[Any]) -> Field:
    """A list of the words of an enumeration, each at most once."""
    names = [each.value for each in kind]
    return _many(len(names), texts(names))


_FACT = _short(facts.MAX_TEXT)
_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SCHEME = _without(f":/{_CAPITALS}", "it is the scheme alone, in small letters, such as `https`")
_HOST = _without(f"/@?#{_CAPITALS}", "it is the host alone, in small letters, such as `docs.python.org`")
_INVOCATION = ObjectType(
    "invocation",
    {
        "program": Field(STRING, domain=_FACT),
        "subcommand": Field(STRING, domain=_FACT),
        **{name: _many(facts.MAX_WORDS, _FACT) for name in ("flags", "operands", "words", "wrappers")},
    },
)
_INVOCATIONS = ListType(_INVOCATION)
_READ: Mapping[str, Field] = {
    "analysis": Field(STRING, domain=texts(facts.ANALYSES)),
    "patterns": _many(facts.MAX_PATTERNS, _short(100)),
}
_BY_PATTERNS = {
    "infra": "patterns tell it, such as those of the packs `infrastructure` and `cloud`",
    "publish": "patterns tell it, such as those of the pack `publish`",
}
_RUN: Mapping[str, Field] = {
    "invocations": Field(
        _INVOCATIONS,
        domain=Domain(
            {
                "list": Form(
                    _INVOCATIONS,
                    Range(0, facts.MAX_INVOCATIONS),
                    Domain({"map": Form(_INVOCATION)}),
                )
            }
        ),
    ),
    "effects": _many(len(Does), _listed([each.value for each in Does], Never(_BY_PATTERNS))),
    "paths": _many(facts.MAX_PATHS, _FACT),
    "reaches": _many(facts.MAX_PATHS, _FACT),
    "writes": Field(BOOL),
    "network": Field(BOOL),
    **_READ,
}
_CLASSES = sorted(PATH_CLASSES - {HOLDS_PROTECTED})
_UNTOLD = {
    UrlKind.UNRESOLVED.value: "only the pattern `url.unresolved` tells it, of what is inspected as `{url: pinned}`"
}
_URL_KINDS = _many(
    len(UrlKind), _listed([kind.value for kind in UrlKind if kind.value not in _UNTOLD], Never(_UNTOLD))
)
INSPECTED: Mapping[str, ObjectType] = {
    "shell": ObjectType("inspected command", _RUN),
    "git": ObjectType("inspected git command", _RUN),
    "python": ObjectType("inspected code", _RUN),
    "sql": ObjectType(
        "inspected SQL",
        {"kinds": _words(SqlKind), "tables": _many(facts.MAX_PATHS, _FACT), "writes": Field(BOOL), **_READ},
    ),
    "path": ObjectType(
        "inspected path",
        {
            "path": Field(STRING, domain=_FACT),
            "paths": _many(facts.MAX_PATHS, _FACT),
            "classes": _many(len(_CLASSES), texts(_CLASSES)),
            **_READ,
        },
    ),
    "headers": ObjectType("inspected headers", {"kinds": _words(HeaderKind), **_READ}),
    "url": ObjectType(
        "inspected URL",
        {
            "scheme": Field(STRING, domain=_SCHEME),
            "host": Field(STRING, domain=_HOST),
            "port": Field(INT, domain=Domain({"int": Form(INT, Range(0, 65535))})),
            "address": Field(STRING, domain=_short(45)),
            "kinds": _URL_KINDS,
            **_READ,
        },
    ),
}
"""What conditions can read of an argument, by what it is inspected as."""
KINDS = frozenset(INSPECTED)
"""What an argument may be inspected as."""


_LOOKED_UP = frozenset((UrlKind.UNRESOLVED.value,))
"""What is known of an address only where its host is looked up."""
_NOT_LOOKED_UP = "it needs an argument that is inspected as `{url: pinned}`"


class Facts:
    """The facts of each kind of argument under the patterns that are in force."""

    def __init__(self, patterns: InForce) -> None:
        self._patterns = patterns
        self._found: dict[str, ObjectType | None] = {}

    def of(self, kind: str) -> ObjectType | None:
        """What can be read of an argument that is inspected as this; None where there is no such kind."""
        if kind not in self._found:
            name, _, more = kind.partition(" ")
            self._found[kind] = self._made(name, more) if name in KINDS else None
        return self._found[kind]

    def _made(self, name: str, more: str) -> ObjectType:
        type_ = INSPECTED[name]
        return ObjectType(type_.name, {**type_.fields, "patterns": self._ids(Kind(name), more)})

    def _ids(self, kind: Kind, more: str) -> Field:
        """The patterns that can be found in an argument, as its condition sees them."""
        if self._patterns.unsure:
            return _READ["patterns"]
        found: list[str] = []
        missing = dict(self._patterns.missing)
        for pattern in self._patterns.patterns:
            kinds = self._patterns.kinds[pattern.id]
            if kind not in kinds:
                named = ", ".join(f"`{each.value}`" for each in Kind if each in kinds)
                missing[pattern.id] = f"`{pattern.id}` is found only in what is inspected as {named}"
            elif kind is Kind.URL and more != PINNED and _is_looked_up(pattern):
                missing[pattern.id] = _NOT_LOOKED_UP
            else:
                found.append(pattern.id)
        never = Never(missing, advice="`gatewayctl patterns` lists them")
        return _many(facts.MAX_PATTERNS, _listed([*found, "guard"], never))


def _is_looked_up(pattern: Pattern) -> bool:
    parts = [part for branch in branches(pattern.match) for part in getattr(branch, "parts", (branch,))]
    asked = [part.kinds for part in parts if isinstance(part, Url)]
    return bool(asked) and all(kinds <= _LOOKED_UP for kinds in asked)
