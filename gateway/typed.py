"""The JSON Schema of a function's arguments, from the types in its signature."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import Field, create_model
from pydantic.json_schema import GenerateJsonSchema

from gateway.declaring import DeclarationError

_NOT_NAMED = {
    inspect.Parameter.POSITIONAL_ONLY: "is positional",
    inspect.Parameter.VAR_POSITIONAL: "takes any number of values",
    inspect.Parameter.VAR_KEYWORD: "takes any names",
}


class _Plain(GenerateJsonSchema):
    """Fields without titles, which only repeat their names; a default that JSON lacks is left out."""

    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Never."""
        return False


def parameters_of(function: Callable[..., Any]) -> Mapping[str, Any]:
    """The schema of a function's arguments; `DeclarationError` where one has no type that JSON can carry.

    An argument whose default is None may be left out, and is not null.
    """
    name = getattr(function, "__name__", "the function")
    try:
        hints = get_type_hints(function, include_extras=True)
        signature = inspect.signature(function)
    except Exception as error:  # types that are named and not there raise all kinds
        raise DeclarationError(f"the types of `{name}` can't be read: {error}") from error
    fields: dict[str, Any] = {}
    absent: set[str] = set()
    for argument, parameter in signature.parameters.items():
        if parameter.kind in _NOT_NAMED:
            why = f"{_NOT_NAMED[parameter.kind]}; tools take named arguments"
            raise DeclarationError(f"the argument `{argument}` of `{name}` {why}")
        if argument not in hints:
            raise DeclarationError(f"the argument `{argument}` of `{name}` has no type")
        hint, default = hints[argument], parameter.default
        if default is None:
            absent.add(argument)
            hint = _without_none(hint)
        given = ... if default in (None, inspect.Parameter.empty) else default
        # Names of pydantic's own, such as `schema`, are no names of fields; an alias may be any.
        fields[f"a{len(fields)}"] = (_marked(hint), Field(given, alias=argument))
    try:
        model: Any = create_model("Arguments", **fields)
        schema = model.model_json_schema(schema_generator=_Plain)
    except Exception as error:  # each kind of type fails in its own way
        raise DeclarationError(f"an argument of `{name}` has no JSON type: {_first(error)}") from error
    return _cleaned(schema, absent)


def _first(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _cleaned(schema: dict[str, Any], absent: set[str]) -> Mapping[str, Any]:
    """Without what every model has: titles that repeat names, and keys that say nothing."""
    for name, part in (("Arguments", schema), *schema.get("$defs", {}).items()):
        if part.get("title") == name:
            del part["title"]
    required = [name for name in schema.pop("required", ()) if name not in absent]
    return {**schema, **({"required": required} if required else {})}


def _without_none(hint: Any) -> Any:
    if get_origin(hint) is Annotated:
        inner, *more = get_args(hint)
        return Annotated[(_without_none(inner), *more)]
    if get_origin(hint) in (Union, types.UnionType):
        return Union[tuple(one for one in get_args(hint) if one is not types.NoneType)]  # noqa: UP007
    return hint


def _marked(hint: Any) -> Any:
    """The type with mappings and texts in `Annotated` as what they say in the schema, at every depth."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        inner, *more = inside
        return Annotated[(_marked(inner), *map(_note, more))]
    if origin in (Union, types.UnionType):
        return Union[tuple(map(_marked, inside))]  # noqa: UP007
    if isinstance(hint, types.GenericAlias) and isinstance(origin, type):
        return origin[tuple(map(_marked, inside))]  # type: ignore[index]
    return hint


def _note(said: Any) -> Any:
    if isinstance(said, Mapping):
        return Field(json_schema_extra=dict(said))
    return Field(description=said) if isinstance(said, str) else said
