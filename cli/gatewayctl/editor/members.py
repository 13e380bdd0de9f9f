"""What may be written at a place of a condition: variables, members, functions, macros, by the type before the dot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from gateway.cel import DYN, Environment, ListType, MapType, ObjectType, OptionalType, Type
from gateway.cel.domain import Domain
from gateway.cel.functions.signature import Function, Style
from gateway.cel.types import accepts
from gatewayctl.editor.expression import Spot, typed_at
from gatewayctl.editor.typed import Typing, bound_to, described, domain_of, type_of
from gatewayctl.macros import MACROS, Described


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something that may be written, what it is, what is said about it, and how it is spelled where that differs."""

    label: str
    kind: str
    detail: str = ""
    told: str = ""
    inserted: str = ""


Environments = Sequence[tuple[str, Environment]]


def proposals(
    text: str, cursor: int, environments: Environments, typing: Typing
) -> tuple[int, list[Proposal]] | None:
    """Where the word begins that is being typed, and what it may become; what several tools have is told once."""
    spot = typed_at(text, cursor)
    if spot is None:
        return None
    found: dict[str, Proposal] = {}
    for tool, environment in environments:
        known = bound_to(environment, spot.bound)
        for each in _offered(spot, known, tool, typing):
            found.setdefault(each.label, each)
    return spot.start, list(found.values())


def _offered(spot: Spot, environment: Environment, tool: str, typing: Typing) -> Iterator[Proposal]:
    if spot.compared is not None:
        yield from _words(domain_of(spot.compared, environment))
    elif spot.receiver is None:
        yield from _variables(spot, environment)
    elif spot.receiver:
        yield from _members(spot.receiver, environment, tool, typing)


def _words(domain: Domain | None) -> Iterator[Proposal]:
    """The texts that a field can be, if it is one of a few."""
    for form in domain.forms.values() if domain is not None else ():
        texts = form if form.element is None else form.element.forms.get("string")
        for word in (texts.range.listed or ()) if texts is not None and texts.range is not None else ():
            yield Proposal(str(word), "word")


def _variables(spot: Spot, environment: Environment) -> Iterator[Proposal]:
    own = {name for each in spot.bound for name in each.names}
    for name, type_ in sorted(environment.variables.items(), key=lambda each: each[0] not in own):
        yield Proposal(name, "variable", str(type_))
    for function in environment.functions:
        if function.style is not Style.GLOBAL:
            continue
        module, dot, _ = function.name.partition(".")
        if dot:
            yield Proposal(module, "module", "functions")
        else:
            yield Proposal(function.name, "function", signatures(function)[0], told(function))
    yield from (_macro(each, name) for each in MACROS for name in each.names if name == "has")


def _members(receiver: str, environment: Environment, tool: str, typing: Typing) -> Iterator[Proposal]:
    of_module = list(_of_module(receiver, environment))
    if of_module and receiver not in environment.variables:
        yield from of_module
        return
    type_ = type_of(receiver, environment)
    if isinstance(type_, ObjectType):
        path = receiver.replace(".?", ".").split(".")
        schema = typing.tools[tool].schema if path[0] == "args" and tool in typing.tools else {}
        for name, field in type_.fields.items():
            detail = f"{field.type}, may be absent" if field.optional else str(field.type)
            yield Proposal(name, "field", detail, described(schema, [*path[1:], name]))
    yield from of_module
    for function in environment.functions:
        if function.style is Style.MEMBER and takes(function, type_):
            yield Proposal(function.name, "method", signatures(function, type_)[0], told(function))
    for macro in MACROS:
        if _goes_through(macro, type_):
            yield from (_macro(macro, name) for name in macro.names)


def _of_module(module: str, environment: Environment) -> Iterator[Proposal]:
    """The functions whose names begin with a word and a dot."""
    for function in environment.functions:
        before, _, name = function.name.rpartition(".")
        if function.style is Style.GLOBAL and before == module:
            yield Proposal(name, "function", signatures(function)[0], told(function))


def _macro(macro: Described, name: str) -> Proposal:
    return Proposal(
        name,
        "method" if "." in macro.signatures[0].partition("(")[0] else "function",
        macro.signatures[0],
        macro_told(macro),
    )


def macro_told(macro: Described) -> str:
    """What is said about a macro."""
    return f"{macro.summary}\n\n```cel\n{macro.example}\n```"


def told(function: Function) -> str:
    """What is said about a function."""
    later = "" if function.built else " Not in force yet."
    return f"{function.summary}{later}\n\n```cel\n{function.example}\n```"


def signatures(function: Function, receiver: Type | None = None) -> list[str]:
    """How a function is called and what it gives, first as it is called on such a receiver."""
    if function.written:
        return [f"{function.written} -> {function.overloads[0].result}"]
    fitting = sorted(
        function.overloads,
        key=lambda own: (
            receiver is not None and not (own.parameters and accepts(own.parameters[0], receiver, {}))
        ),
    )
    return [f"{function.called(overload)} -> {overload.result}" for overload in fitting]


def takes(function: Function, receiver: Type) -> bool:
    """Whether a function can be called on a value of a type."""
    return any(
        accepts(overload.parameters[0], receiver, {})
        for overload in function.overloads
        if overload.parameters
    )


def _goes_through(macro: Described, type_: Type) -> bool:
    if type_ == DYN:
        return macro.names != ("has",)
    return any(signature.startswith(_form(type_)) for signature in macro.signatures)


def _form(type_: Type) -> str:
    """How signatures of macros begin that are called on a type."""
    match type_:
        case ListType():
            return "list("
        case MapType() | ObjectType():
            return "map("
        case OptionalType():
            return "optional("
    return "\0"


@cache
def macro_named(name: str) -> Described | None:
    """The macro of a name."""
    return next((macro for macro in MACROS if name in macro.names), None)
