"""Judge arguments by a closed schema, and say what would have been accepted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import islice
from typing import Any

from gateway.diagnostic import shortened, suggest
from gateway.frozen import frozen
from gateway.schema.example import candidates
from gateway.schema.flat import Flat, flat, surely_fit
from gateway.schema.keywords import ALTERNATIVES, KeyPath, Schema, subschemas

_MOST_ERRORS = 50
_MOST_KNOWN = 8
_LONGEST_EXAMPLE = 200
_MOST_EXPLAINED = 2_000
"""How many values arguments may hold for all that is wrong with them to be weighed."""


@frozen
class ArgumentProblem:
    """What is wrong with the argument at a path; `example` is the JSON of a value that would do."""

    path: KeyPath
    expectation: str
    example: str = ""

    @property
    def field(self) -> str:
        """The path as the model reads it; empty for the arguments as a whole."""
        return _dotted(self.path)

    @property
    def text(self) -> str:
        """The problem as the model reads it."""
        shown = f", such as `{self.example}`" if self.example else ""
        return f"`{self.field}` {self.expectation}{shown}" if self.field else f"{self.expectation}{shown}"


def _refuse(uri: str) -> Any:
    raise ValueError("references out of a schema are not followed")


class Validator:
    """A closed schema, ready to judge; names in `forced` are never suggested to the model."""

    def __init__(self, schema: Mapping[str, Any], forced: frozenset[str] = frozenset()) -> None:
        self._schema = dict(schema)
        self._forced = forced
        self.fits: Callable[[Mapping[str, Any]], bool] = self._validator.is_valid
        """Whether arguments fit the schema."""

    @classmethod
    def again(cls, schema: Mapping[str, Any], forced: frozenset[str]) -> Validator:
        """One of a schema that was found good before: what judges is only built when a look does not do."""
        made = cls.__new__(cls)
        made._schema, made._forced, made.fits = dict(schema), forced, made._at_first
        return made

    def _at_first(self, arguments: Mapping[str, Any]) -> bool:
        """The first judgement, which is the only one in many a process."""
        self.fits = self._later
        return surely_fit(self._schema, arguments) or self.fits(arguments)

    def _later(self, arguments: Mapping[str, Any]) -> bool:
        self.fits = self._validator.is_valid
        return self.fits(arguments)

    @cached_property
    def _validator(self) -> Any:
        return _built(self._schema)

    @property
    def flat(self) -> tuple[Flat, ...] | None:
        """The arguments one by one, if that is all that the schema says."""
        return flat(self._schema)

    def __reduce__(self) -> tuple[Callable[..., Validator], tuple[Mapping[str, Any], frozenset[str]]]:
        return Validator.again, (self._schema, self._forced)

    def problem(self, arguments: Mapping[str, Any]) -> ArgumentProblem | None:
        """The first thing that is wrong with the arguments, or None."""
        if self.fits(arguments):
            return None
        errors = self._errors(arguments)
        if not errors:
            return ArgumentProblem((), "the arguments do not fit the schema")
        return self._describe(_deepest(min(errors, key=_order)), arguments)

    def declares(self, path: KeyPath) -> bool:
        """Whether the schema itself names what a path leads to."""
        return _part(self._schema, path) is not None

    def _errors(self, arguments: Mapping[str, Any]) -> list[Any]:
        """What is wrong; of large arguments the first error, unless it would take all those of a choice."""
        if not _many(arguments):
            return list(islice(self._validator.iter_errors(arguments), _MOST_ERRORS))
        if _chooses(self._schema):
            return []
        from jsonschema_rs import ValidationError

        try:
            self._validator.validate(arguments)
        except ValidationError as error:
            return [error]
        return []

    def _describe(self, error: Any, arguments: Mapping[str, Any]) -> ArgumentProblem:
        kind, path = error.kind, tuple(error.instance_path)
        name = type(kind).__name__
        if name == "Required":
            field = (*path, kind.property)
            return ArgumentProblem(field, "is required", self._example(_part(self._schema, field)))
        if name in ("AdditionalProperties", "UnevaluatedProperties"):
            field = (*path, min(kind.unexpected))
            return ArgumentProblem(field, self._unknown(field))
        if name == "FalseSchema" and error.schema_path[-1:] == ["additionalProperties"]:
            # Where no key at all is declared, the error does not say which one was there.
            value: Any = arguments
            for step in path:
                value = value[step]
            field = (*path, min(value)) if isinstance(value, Mapping) and value else path
            return ArgumentProblem(field, self._unknown(field))
        part = _part(self._schema, path)
        return ArgumentProblem(path, _expectation(name, kind), self._example(part))

    def _unknown(self, path: KeyPath) -> str:
        known = self._known(path[:-1])
        likely = suggest(str(path[-1]), known)
        text = "is no argument of this tool" if len(path) == 1 else "is no field that is known there"
        if likely:
            return f"{text}; did you mean `{likely[0]}`?"
        if len(path) == 1 and 0 < len(known) <= _MOST_KNOWN:
            return f"{text}, which takes {', '.join(f'`{name}`' for name in known)}"
        return text

    def _known(self, path: KeyPath) -> list[str]:
        part = _part(self._schema, path)
        names = part.get("properties", {}) if isinstance(part, Mapping) else {}
        return [name for name in names if path or name not in self._forced]

    def _example(self, part: Schema) -> str:
        if part is None or part is True:
            return ""
        whole = {**part, "$defs": self._schema.get("$defs", {})} if isinstance(part, Mapping) else part
        validator = _built(whole)
        for index, value in enumerate(candidates(part)):
            text = json.dumps(value, ensure_ascii=False)
            if len(text) <= _LONGEST_EXAMPLE and validator.is_valid(value):
                return text
            if index == 20:
                break
        return ""


def _built(schema: Schema) -> Any:
    from jsonschema_rs import Draft202012Validator, RegexOptions

    # The mask keeps values, which may be long or secret, out of the library's own messages.
    return Draft202012Validator(
        schema,
        retriever=_refuse,
        pattern_options=RegexOptions(),
        mask="the value",
        validate_formats=True,
    )


def _many(value: Any) -> bool:
    """Whether a value holds more than can be explained in no time."""
    count = 0
    pending = [value]
    while pending:
        current = pending.pop()
        count += 1
        if isinstance(current, Mapping | list):
            count += len(current)
            if count > _MOST_EXPLAINED:
                return True
            pending.extend(current.values() if isinstance(current, Mapping) else current)
    return False


def _chooses(schema: Schema) -> bool:
    """Whether a list or an object is judged by alternatives, each of which finds errors of its own."""
    pending = [schema]
    while pending:
        current = pending.pop()
        if not isinstance(current, Mapping):
            continue
        inner = [below for _, below in subschemas(current)]
        pending.extend(inner)
        for key in ALTERNATIVES:
            if any(
                below
                for item in current.get(key, ())
                if isinstance(item, Mapping)
                for below in subschemas(item)
            ):
                return True
    return False


_RANKS = {
    "Required": 0,
    "AdditionalProperties": 0,
    "AnyOf": 2,
    "OneOfNotValid": 2,
    "UnevaluatedProperties": 3,
    "UnevaluatedItems": 3,
}


def _order(error: Any) -> tuple[int, int, list[str]]:
    """What is plainly missing or unknown first; last what other errors may have caused."""
    rank = _RANKS.get(type(error.kind).__name__, 1)
    return (rank, len(error.instance_path), [str(step) for step in error.schema_path])


def _deepest(error: Any) -> Any:
    """Where a choice between schemas failed, the error of the choice that came furthest."""
    while True:
        context = getattr(error.kind, "context", None)
        inner = [min(errors, key=_order) for errors in context or () if errors]
        further = [one for one in inner if len(one.instance_path) > len(error.instance_path)]
        if not further:
            return error
        error = max(further, key=_progress)


def _progress(error: Any) -> tuple[int, bool]:
    """How far a choice came: one that fails on its own mark, a constant, was not the one that was meant."""
    return (len(error.instance_path), type(error.kind).__name__ not in ("Constant", "Enum"))


def _part(schema: Schema, path: KeyPath) -> Schema:
    """The schema of an argument, as far as it can be told without looking at the others; None if it can't."""
    for step in path:
        schema = _step(schema, step)
        if schema is None:
            return None
    return schema


def _step(schema: Schema, step: str | int) -> Schema:
    if not isinstance(schema, Mapping):
        return None
    if isinstance(step, str):
        direct: Any = schema.get("properties", {}).get(step)
    else:
        first = schema.get("prefixItems", ())
        direct = first[step] if step < len(first) else schema.get("items")
    if direct is not None:
        return direct
    inner: Iterable[Schema] = (
        _step(item, step) for key in ("allOf", "anyOf", "oneOf") for item in schema.get(key, ())
    )
    return next((item for item in inner if item is not None), None)


def _dotted(path: Iterable[str | int]) -> str:
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{shortened(step)}" if text else shortened(step)
    return text


_TYPES = {
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "string": "a text",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def _expectation(name: str, kind: Any) -> str:
    if name == "Type":
        return f"must be {' or '.join(words for item, words in _TYPES.items() if item in kind.types)}"
    if name == "Enum":
        options = kind.options if isinstance(kind.options, list) else [kind.options]
        return f"must be one of {', '.join(f'`{shortened(_json(item))}`' for item in options[:20])}"
    if name == "Constant":
        return f"must be `{shortened(_json(kind.expected_value))}`"
    if name in _LIMITS:
        text = _LIMITS[name].format(_json(kind.value))
        return text.removesuffix("s") if kind.value == 1 and text.endswith("s") else text
    if name == "Not" and isinstance(kind.schema, Mapping) and "contains" in kind.schema.get("not", ()):
        name = "Contains"
    return _SENTENCES.get(name, "does not fit the schema")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


_LIMITS = {
    "Minimum": "must be at least {}",
    "Maximum": "must be at most {}",
    "ExclusiveMinimum": "must be more than {}",
    "ExclusiveMaximum": "must be less than {}",
    "MultipleOf": "must be a multiple of {}",
    "MinLength": "must have at least {} characters",
    "MaxLength": "must have at most {} characters",
    "MinItems": "must have at least {} items",
    "MaxItems": "must have at most {} items",
    "MinProperties": "must have at least {} fields",
    "MaxProperties": "must have at most {} fields",
    "Pattern": "must match the pattern {}",
    "Format": "must be of the format {}",
}
_SENTENCES = {
    "UniqueItems": "must not hold an item twice",
    "Contains": "must hold an item of the kind that is asked for",
    "AnyOf": "must fit one of the forms that the schema lists",
    "OneOfNotValid": "must fit one of the forms that the schema lists",
    "OneOfMultipleValid": "fits several forms of which only one may apply",
    "Not": "must not have this form",
    "FalseSchema": "is not allowed here",
    "AdditionalItems": "has too many items",
    "UnevaluatedItems": "has items that the schema does not know",
    "PropertyNames": "has a field with a name that is not allowed",
}
