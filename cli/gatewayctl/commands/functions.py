"""`gatewayctl functions`: list the functions that conditions may call."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.options import format_option
from gatewayctl.output import Failure, Format, ink_for, say, say_json
from gatewayctl.wording import wrapped

if TYPE_CHECKING:
    from gateway.cel.functions.signature import Function

_WIDTH = 100
_MOST_LISTED = 4


@click.command()
@click.argument("name", required=False)
@format_option
def command(name: str | None, form: Format) -> None:
    """List the functions of CEL by library: how each is called, what it gives, and an example that is true.

    NAME is a function, such as `split` or `sets.contains`, or a library.
    """
    from gateway.cel.functions import LIBRARIES

    found = [
        (library, [own for own in library.FUNCTIONS if name in (None, _library(library), *_names(own))])
        for library in LIBRARIES
    ]
    found = [(library, functions) for library, functions in found if functions]
    if name is not None and not found:
        raise _lost(name, LIBRARIES)
    if form is Format.JSON:
        say_json({"functions": [_json(library, own) for library, functions in found for own in functions]})
        return
    one = sum(len(functions) for _, functions in found) == 1
    for line in _lines(found, sys.maxsize if one else _MOST_LISTED):
        say(line)


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
    from gateway.cel.macros import MACRO_NAMES
    from gateway.diagnostic import suggest

    if name in MACRO_NAMES:
        return Failure(f"`{name}` is a macro and no function", "LANGUAGE.md says what macros there are")
    known: dict[str, None] = {}
    for library in libraries:
        known[_library(library)] = None
        for function in library.FUNCTIONS:
            known.update(dict.fromkeys(_names(function)))
    near = suggest(name, known)
    return Failure(
        f"there is no function and no library `{name}`",
        f"did you mean `{near[0]}`?" if near else "`gatewayctl functions` lists all",
    )
