"""Tools that are declared where they are written: a decorator that says what a function is as a tool."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType, ModuleType
from typing import Any, TypeVar, overload

from gateway.diagnostic import suggest
from gateway.frozen import frozen
from gateway.later import later
from gateway.risk import RiskLevel

_F = TypeVar("_F", bound=Callable[..., Any])
_ATTRIBUTE = "__gateway_tool__"
_NAME = later(r"[A-Za-z0-9_.-]{1,100}")


KEYWORDS: Mapping[str, str] = MappingProxyType(
    {
        "name": "The tool's name; the function's where it is missing.",
        "title": "A short name for people.",
        "description": "What the model reads about the tool; the function's docstring where it is missing.",
        "risk": "READ_ONLY, LOW, MEDIUM, HIGH or IRREVERSIBLE; the policy's is not compared where it is missing.",
        "permissions": "The permissions that are needed, `[]` for none; not compared where they are missing.",
    }
)
"""What `@gateway.tool` takes."""


class DeclarationError(ValueError):
    """A function that can't be declared as a tool, and why."""


@frozen
class Declaration:
    """What code says of one tool; `gateway.typed.parameters_of` makes the schema of its arguments."""

    function: Callable[..., Any]
    name: str
    title: str | None
    description: str | None
    risk: RiskLevel | None
    permissions: tuple[str, ...] | None


@overload
def tool(function: _F, /) -> _F: ...


@overload
def tool(
    *,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    risk: RiskLevel | str | None = None,
    permissions: Iterable[str] | None = None,
) -> Callable[[_F], _F]: ...


def tool(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    risk: RiskLevel | str | None = None,
    permissions: Iterable[str] | None = None,
    **unknown: Any,
) -> Any:
    """Declare a function as a tool, to compare it with the policy; the function itself stays as it is.

    The name is the function's unless another is given, the description its docstring, the arguments those of its
    signature. `Annotated[str, {"x-role": "recipient"}]` marks an argument, `Annotated[str, "…"]` describes it.
    """
    for word in unknown:
        near = suggest(word, KEYWORDS)
        help = (
            f"did you mean `{near[0]}`?" if near else f"it takes {', '.join(f'`{key}`' for key in KEYWORDS)}"
        )
        raise DeclarationError(f"`@gateway.tool` takes no `{word}`: {help}")
    if isinstance(permissions, str):
        raise DeclarationError("`permissions` is a list of permissions, not one text")
    level = _risk(risk)
    needed = None if permissions is None else tuple(permissions)

    def declare(function: _F) -> _F:
        called = name or str(getattr(function, "__name__", ""))
        if _NAME.fullmatch(called) is None:
            raise DeclarationError(
                f"`{called}` is no name of a tool: write letters, digits, `_`, `-` and `.`"
            )
        said = description if description is not None else inspect.getdoc(function)
        declaration = Declaration(function, called, title, said or None, level, needed)
        try:
            setattr(function, _ATTRIBUTE, declaration)
        except (AttributeError, TypeError):
            raise DeclarationError(f"`{called}` is no function that can be declared") from None
        return function

    return declare if function is None else declare(function)


def _risk(risk: RiskLevel | str | None) -> RiskLevel | None:
    if risk is None or isinstance(risk, RiskLevel):
        return risk
    if risk not in RiskLevel.__members__:
        raise DeclarationError(f"`{risk}` is no risk: write {', '.join(RiskLevel.__members__)}")
    return RiskLevel[risk]


def declared_in(module: ModuleType) -> tuple[Declaration, ...]:
    """The tools that a module or package offers, by name; two of one name raise `DeclarationError`."""
    inside = [
        one
        for name, one in sorted(sys.modules.items())
        if one is module or name.startswith(f"{module.__name__}.")
    ]
    found: dict[str, Declaration] = {}
    for one in inside:
        for value in list(vars(one).values()):
            # Looked up without asking the object: a module may hold what answers to every name.
            declaration = inspect.getattr_static(value, _ATTRIBUTE, None)
            if not isinstance(declaration, Declaration):
                continue
            first = found.setdefault(declaration.name, declaration)
            if first is not declaration:
                raise DeclarationError(f"the tool `{declaration.name}` is declared twice")
    return tuple(found[name] for name in sorted(found))
