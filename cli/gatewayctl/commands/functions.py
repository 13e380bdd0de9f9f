"""`gatewayctl functions`: list the functions that conditions may call."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.options import format_option
from gatewayctl.output import Failure, Format, ink_for, say, say_json
from gatewayctl.wording import wrapped

if TYPE_CHECKING:
    from gateway.cel.functions.signature import Function
    from gatewayctl.macros import Described

_WIDTH = 100
_MOST_LISTED = 4


@click.command()
@click.argument("name", required=False)
@click.option(
    "--all", "whole", is_flag=True, help="List every function of every library, not only the names."
)
@format_option
def command(name: str | None, whole: bool, form: Format) -> None:
    """List the functions of CEL by library: how each is called, what it gives, and an example that is true.

    NAME is a function, such as `split` or `sets.contains`, a macro, such as `exists`, or a library. Without one,
    there is a line for each library, and the names in it.
    """
    from gateway.cel.functions import LIBRARIES
    from gatewayctl.macros import MACROS

    found = [
        (library, [own for own in library.FUNCTIONS if name in (None, _library(library), *_names(own))])
        for library in LIBRARIES
    ]
    found = [(library, functions) for library, functions in found if functions]
    macros = [macro for macro in MACROS if name in (None, _MACROS, *macro.names)]
    if not found and not macros:
        raise _lost(name or "", LIBRARIES)
    if form is Format.JSON:
        functions = [_json(library, own) for library, functions in found for own in functions]
        say_json({"functions": functions + [_macro_json(macro) for macro in macros]})
        return
    if name is None and not whole:
        lines = _overview()
    else:
        one = sum(len(functions) for _, functions in found) == 1
        lines = chain(_lines(found, sys.maxsize if one else _MOST_LISTED), _macro_lines(macros))
    for line in lines:
        say(line)


_MACROS = "macros"


def _overview() -> Iterator[str]:
    """A line for each library, and the names in it."""
    from gateway.cel.functions import LIBRARIES
    from gatewayctl.macros import ABOUT, MACROS

    ink = ink_for(sys.stdout)
    told = [
        (_library(library), library.__doc__ or "", [own.name for own in library.FUNCTIONS])
        for library in LIBRARIES
    ]
    told.append((_MACROS, ABOUT, [name for macro in MACROS for name in macro.names]))
    widest = max(len(name) for name, _, _ in told)
    for name, about, names in told:
        yield f"{ink('bold', name.ljust(widest))}  {' '.join(about.split())}"
        yield from wrapped(", ".join(dict.fromkeys(names)), _WIDTH, " " * (widest + 2))
    yield ""
    yield "`gatewayctl functions NAME` shows a library or one of these; `gatewayctl functions --all` shows all."


def _macro_lines(macros: list[Described]) -> Iterator[str]:
    from gatewayctl.macros import ABOUT

    ink = ink_for(sys.stdout)
    if macros:
        yield ink("bold", _MACROS)
        yield from wrapped(ABOUT, _WIDTH, "")
        yield ""
    for macro in macros:
        for signature in macro.signatures:
            yield f"  {ink('cyan', signature)}"
        yield from wrapped(macro.summary, _WIDTH, "    ")
        yield f"    {ink('green', macro.example)}"
        yield ""


def _macro_json(macro: Described) -> dict[str, Any]:
    return {
        "library": _MACROS,
        "name": macro.names[0],
        "style": "macro",
        "signatures": list(macro.signatures),
        "summary": macro.summary,
        "example": macro.example,
        "built": True,
    }


def _library(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]


def _names(function: Function) -> tuple[str, str]:
    """The whole name, and the name without its namespace."""
    return function.name, function.name.rpartition(".")[2]


def _signatures(function: Function) -> list[str]:
    if function.written:
        return [f"{function.written} -> {function.overloads[0].result}"]
    return [f"{function.called(overload)} -> {overload.result}" for overload in function.overloads]


def _lines(found: Iterable[tuple[ModuleType, list[Function]]], most: int) -> Iterator[str]:
    ink = ink_for(sys.stdout)
    for library, functions in found:
        yield ink("bold", _library(library))
        yield from wrapped(library.__doc__ or "", _WIDTH, "")
        yield ""
        for function in functions:
            signatures = _signatures(function)
            for signature in signatures[:most]:
                yield f"  {ink('cyan', signature)}"
            if len(signatures) > most:
                yield f"  … and {len(signatures) - most} more, see `gatewayctl functions {function.name}`"
            yield from wrapped(_summary(function), _WIDTH, "    ")
            yield f"    {ink('green', function.example)}"
            yield ""
        listed = {function.name for function in functions}
        others = dict.fromkeys(own.name for own in library.FUNCTIONS if own.name not in listed)
        if others:
            yield from wrapped(f"Also in `{_library(library)}`: {', '.join(others)}.", _WIDTH, "  ")
            yield ""


def _summary(function: Function) -> str:
    return function.summary + ("" if function.built else " Not in force yet.")


def _json(library: ModuleType, function: Function) -> dict[str, Any]:
    return {
        "library": _library(library),
        "name": function.name,
        "style": function.style.value,
        "signatures": _signatures(function),
        "summary": function.summary,
        "example": function.example,
        "built": function.built,
    }


def _lost(name: str, libraries: Iterable[ModuleType]) -> Failure:
    from gateway.diagnostic import suggest
    from gatewayctl.macros import MACROS

    known = {_MACROS: None, **{name: None for macro in MACROS for name in macro.names}}
    for library in libraries:
        known[_library(library)] = None
        for function in library.FUNCTIONS:
            known.update(dict.fromkeys(_names(function)))
    near = suggest(name, known)
    return Failure(
        f"there is no function and no library `{name}`",
        f"did you mean `{near[0]}`?" if near else "`gatewayctl functions` lists all",
    )
