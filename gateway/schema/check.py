"""Whether a tool's schema can be trusted to judge arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from gateway.diagnostic import Diagnostic, Span, shortened, suggest
from gateway.later import later
from gateway.schema.closed import closed
from gateway.schema.keywords import (
    DEFINITIONS,
    JUDGED,
    KNOWN,
    MOVING,
    NEEDS,
    KeyPath,
    Schema,
    subschemas,
    types_of,
)
from gateway.schema.resolve import SchemaError, bounded
from gateway.schema.validator import Validator

if TYPE_CHECKING:
    from gateway.policy import Where

ROLES = ("recipient", "content", "money", "query", "path", "owner")
_MARKS = ("x-role", "x-sensitive")
_LONGEST_PATTERN = 1000
_META = "https://json-schema.org/draft/2020-12/schema"
_DRAFTS = ("http://json-schema.org/", "https://json-schema.org/")


def check_schema(schema: object, where: Where | None) -> tuple[Diagnostic, ...]:
    """Everything that is wrong with a tool's schema; `where` is its place, None for a server's.

    A policy's author also learns of keywords that JSON Schema does not know, which in a server's schema mean
    nothing and do no harm.
    """
    reporter = _Reporter(where)
    try:
        bounded(schema)
    except SchemaError as error:
        return (reporter.of(error),)
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        return (reporter.at((), "a tool's schema has `type: object`", "write `type: object`"),)
    found = [*_invalid(schema, reporter), *_walk(schema, (), reporter)]
    if found:
        return tuple(found)
    try:
        Validator(closed(schema))
    except SchemaError as error:
        return (reporter.of(error),)
    except ValueError as error:
        return (reporter.at((), f"the schema can't be used: {_first_line(error)}"),)
    return tuple(_defaults(schema, (), schema, reporter))


class _Reporter:
    def __init__(self, where: Where | None) -> None:
        self.where = where

    def of(self, error: SchemaError) -> Diagnostic:
        return self.at(error.path, error.message, error.help)

    def at(self, path: KeyPath, message: str, help: str = "", *, code: str = "wrong-schema") -> Diagnostic:
        return Diagnostic(code, message, self._span(path), help)

    def key(self, path: KeyPath, message: str, help: str = "", *, code: str = "wrong-schema") -> Diagnostic:
        span = None if self.where is None else self.where.key_span(*path)
        return Diagnostic(code, message, span, help)

    def _span(self, path: KeyPath) -> Span | None:
        if self.where is None:
            return None
        span = self.where.span(*path)
        line_end = span.source.text.find("\n", span.start, span.end)
        return span if line_end < 0 else Span(span.source, span.start, line_end)


def _first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0]


@cache
def _definition() -> Any:
    """JSON Schema's definition of itself, which the library brings along."""
    from jsonschema_rs import Draft202012Validator

    return Draft202012Validator({"$ref": _META}, offline=True)


def _invalid(schema: Mapping[str, Any], reporter: _Reporter) -> Iterator[Diagnostic]:
    """What the definition of JSON Schema itself says."""
    plain = {key: value for key, value in schema.items() if key != "$schema"}
    if _definition().is_valid(plain):
        return
    paths = dict.fromkeys(tuple(error.instance_path) for error in _definition().iter_errors(plain))
    for path in paths:
        name = f"`{path[-1]}`" if path else "the schema"
        yield reporter.at(path, f"{name} is not as JSON Schema defines it", _type_help(schema, path))


_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
_OTHER_TYPES = {
    **dict.fromkeys(("text", "str", "date", "datetime", "timestamp"), "string"),
    **dict.fromkeys(("int", "long"), "integer"),
    **dict.fromkeys(("float", "double", "decimal"), "number"),
    **dict.fromkeys(("list", "tuple", "set"), "array"),
    **dict.fromkeys(("dict", "map", "struct"), "object"),
    "bool": "boolean",
    "None": "null",
}
"""Types of other languages, and those of JSON Schema."""


def _type_help(schema: Any, path: tuple[Any, ...]) -> str:
    """What to write instead of a type that JSON Schema does not have."""
    if path[-1:] != ("type",) or path[-2:-1] == ("properties",):
        return ""
    for step in path:
        schema = schema[step]
    wrong = next(
        (one for one in (schema if isinstance(schema, list) else [schema]) if one not in _TYPES), None
    )
    if not isinstance(wrong, str):
        return f"the types are {_listed(_TYPES)}"
    near = _OTHER_TYPES.get(wrong) or next(iter(suggest(wrong, _TYPES)), "")
    return f"did you mean `{near}`?" if near else f"the types are {_listed(_TYPES)}"


def _walk(schema: Schema, path: KeyPath, reporter: _Reporter) -> Iterator[Diagnostic]:
    if not isinstance(schema, Mapping):
        return
    for key in schema:
        yield from _keyword(str(key), schema[key], (*path, key), reporter)
    yield from _patterns(schema, path, reporter)
    if reporter.where is not None:
        yield from _idle(schema, path, reporter)
    for below, inner in subschemas(schema):
        yield from _walk(inner, path + below, reporter)


def _idle(schema: Mapping[str, Any], path: KeyPath, reporter: _Reporter) -> Iterator[Diagnostic]:
    """Keywords that never do anything where they stand."""
    types = types_of(schema)
    for key in schema:
        judged = JUDGED.get(key)
        if judged is not None and types and types.issubset(_TYPES) and not types & judged:
            named = " or ".join(f"`{name}`" for name in sorted(types))
            yield reporter.key((*path, key), f"`{key}` says nothing about the type {named}", "remove it")
        needed = NEEDS.get(key)
        if needed is not None and needed not in schema:
            yield reporter.key(
                (*path, key), f"`{key}` means nothing without `{needed}`", f"add `{needed}`, or remove it"
            )


def _keyword(key: str, value: object, path: KeyPath, reporter: _Reporter) -> Iterator[Diagnostic]:
    if key in _MARKS and "propertyNames" in path:
        yield reporter.key(path, f"`{key}` marks values, and the names of keys are none", "mark the values")
        return
    if key == "x-role":
        if value not in ROLES:
            likely = suggest(str(value), ROLES)
            help = f"did you mean `{likely[0]}`?" if likely else f"the roles are {_listed(ROLES)}"
            yield reporter.at(path, f"`{value}` is no role of an argument", help)
    elif key == "x-sensitive":
        if not isinstance(value, bool):
            yield reporter.at(path, "`x-sensitive` is true or false", "write true")
    elif key == "format":
        if value not in FORMATS:
            likely = suggest(str(value), FORMATS)
            help = f"did you mean `{likely[0]}`?" if likely else f"the formats are {_listed(FORMATS)}"
            yield reporter.at(path, f"`{value}` is no format that is checked", help)
    elif key.startswith("x-"):
        likely = suggest(key, _MARKS)
        help = f"did you mean `{likely[0]}`?" if likely else f"the marks are {_listed(_MARKS)}"
        yield reporter.key(path, f"`{key}` is no mark of an argument", help, code="unknown-key")
    elif key == "$schema":
        if not isinstance(value, str) or not value.startswith(_DRAFTS):
            yield reporter.at(path, "the schema is of an unknown kind", f"write `{_META}`, or remove it")
    elif key not in KNOWN and key not in MOVING and reporter.where is not None:
        likely = suggest(key, KNOWN)
        help = f"did you mean `{likely[0]}`?" if likely else "remove it"
        yield reporter.key(path, f"`{shortened(key)}` is no keyword of JSON Schema", help, code="unknown-key")


FORMATS = (
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
)
"""The formats of JSON Schema, all of which are checked."""


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _patterns(schema: Mapping[str, Any], path: KeyPath, reporter: _Reporter) -> Iterator[Diagnostic]:
    """Patterns must be ones that take linear time."""
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and (problem := _unusable(pattern)):
        yield reporter.at((*path, "pattern"), *problem)
    named = schema.get("patternProperties")
    for name in named if isinstance(named, Mapping) else ():
        if problem := _unusable(name):
            yield reporter.key((*path, "patternProperties", name), *problem)


_LINEAR = "look-around and back references are not available"
_BEYOND = later(r"\(\?<?[=!]|\\[1-9]|\\k")
"""What RE2 leaves out because it can't be matched in linear time."""


def _unusable(pattern: str) -> tuple[str, str] | None:
    """What is wrong with a pattern, and what helps."""
    import re2

    if len(pattern) > _LONGEST_PATTERN:
        return f"the pattern is longer than {_LONGEST_PATTERN} characters", ""
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else str(error)
        if _BEYOND.search(reason):
            return "the pattern can't be matched in linear time", _LINEAR
        return f"the pattern is not a regular expression: {shortened(reason)}", ""
    return None


def _defaults(
    schema: Schema, path: KeyPath, root: Mapping[str, Any], reporter: _Reporter
) -> Iterator[Diagnostic]:
    """A default that its own schema refuses would make every call without the argument fail."""
    if not isinstance(schema, Mapping):
        return
    if "default" in schema:
        definitions = {key: root[key] for key in DEFINITIONS if key in root}
        problem = Validator(closed({**schema, **definitions})).problem(schema["default"])
        if problem is not None:
            at = f"`{problem.field}` " if problem.field else "it "
            yield reporter.at((*path, "default"), f"the default does not fit: {at}{problem.expectation}")
    for below, inner in subschemas(schema):
        yield from _defaults(inner, path + below, root, reporter)
