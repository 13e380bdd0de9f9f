"""Validation errors in the words of the policy's author, at the characters that caused them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from gateway.diagnostic import Diagnostic, Edit, Span, respelt, suggest
from gateway.document import Document, KeyPath
from gateway.malformed import Malformed
from gateway.policy.part import Part, Where
from gateway.policy.selector import risk_help
from gateway.risk import RiskLevel


def explain(error: ValidationError, model: type[Part], where: Where) -> Iterator[Diagnostic]:
    """Each of the errors that a part's data has; those below something unreadable are left out."""
    for detail in error.errors(include_url=False):
        loc = tuple(detail["loc"])
        document, path = where.document, where.path + tuple(step for step in loc if step != "[key]")
        # A list whose entries are all wrong is also called too short.
        short = detail["type"] == "too_short" and bool(detail["input"])
        if document.readable(path) and not short:
            yield _explain(detail, model, document, path, loc)


def forgotten(model: type[Part], data: object, where: Where) -> Iterator[Diagnostic]:
    """Keys without a value, which would else count as not written."""
    if not isinstance(data, dict):
        return
    for key, value in data.items():
        inner = parts_below(model).get(key)
        if value is None and key in model.model_fields and key not in model.may_be_empty:
            if where.document.readable(where.below(key).path):
                yield _no_value(where.document, (*where.path, key))
        elif inner is not None and isinstance(value, list):
            for index, item in enumerate(value):
                yield from forgotten(inner, item, where.below(key, index))
        elif inner is not None:
            yield from forgotten(inner, value, where.below(key))


@cache
def parts_below(model: type[Part]) -> Mapping[str, type[Part]]:
    """The keys under which a mapping, or a list of them, is a part itself."""
    found: dict[str, type[Part]] = {}
    for key, field in model.model_fields.items():
        part = _part_in(field.annotation)
        if part is not None:
            found[key] = part
    return found


def _part_in(annotation: Any) -> type[Part] | None:
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return annotation
    return next((part for inner in get_args(annotation) if (part := _part_in(inner)) is not None), None)


def _model_at(model: type[Part], loc: tuple[str | int, ...]) -> type[Part]:
    for step in loc:
        if isinstance(step, str):
            model = parts_below(model).get(step, model)
    return model


def _no_value(document: Document, path: KeyPath) -> Diagnostic:
    return Diagnostic(
        "no-value", f"{_name(path)} has no value", document.key_span(path), "write a value, or remove the key"
    )


def _explain(
    detail: ErrorDetails, model: type[Part], document: Document, path: KeyPath, loc: tuple[str | int, ...]
) -> Diagnostic:
    kind, value = detail["type"], detail["input"]
    context: Mapping[str, Any] = detail.get("ctx", {})
    malformed = context.get("error")
    if isinstance(malformed, Malformed):
        return _malformed(malformed, document, path, loc)
    if kind == "extra_forbidden":
        return _unknown_key(str(loc[-1]), _model_at(model, loc[:-1]), document, path)
    if kind == "missing":
        message = f"`{loc[-1]}` is missing in {_model_at(model, loc[:-1]).noun}"
        return Diagnostic("missing-key", message, _head(document, path[:-1]), f"add `{loc[-1]}`")
    if value is None:
        return _no_value(document, path)
    if kind in ("enum", "literal_error"):
        return _choice(str(context["expected"]), value, document, path, loc)
    if kind in _WANTED:
        wanted, help = _WANTED[kind]
        span = _head(document, path) if isinstance(value, dict | list) else document.span(path)
        message = f"{_name(path)} is {wanted}, not {_shown(value)}"
        edits = _rewritten(kind, value, span) if path[-2:] not in _ADVICE else ()
        return Diagnostic("wrong-type", message, span, _ADVICE.get(path[-2:], help)(value), edits=edits)
    return Diagnostic("wrong-value", f"{_name(path)} {_bound(kind, context)}", document.span(path))


def _malformed(
    malformed: Malformed, document: Document, path: KeyPath, loc: tuple[str | int, ...]
) -> Diagnostic:
    excerpt = document.key_excerpt(path) if loc[-1:] == ("[key]",) else document.excerpt(path)
    if malformed.end is None:
        span = document.key_span(path) if loc[-1:] == ("[key]",) else document.span(path)
    else:
        span = excerpt.span(malformed.start, malformed.end)
    return Diagnostic("wrong-value", malformed.message, span, malformed.help)


def _unknown_key(key: str, model: type[Part], document: Document, path: KeyPath) -> Diagnostic:
    return unknown_key(key, model.noun, tuple(model.model_fields), document.key_span(path))


def unknown_key(key: str, noun: str, known: tuple[str, ...], span: Span) -> Diagnostic:
    """A diagnostic about a key that the language does not have there."""
    likely = suggest(key, known)
    listed = ", ".join(f"`{name}`" for name in known)
    help = f"did you mean `{likely[0]}`?" if likely else f"the keys are {listed}"
    return Diagnostic(
        "unknown-key", f"`{key}` is no key of {noun}", span, help, edits=respelt(key, known, span)
    )


def _choice(
    expected: str, value: object, document: Document, path: KeyPath, loc: tuple[str | int, ...]
) -> Diagnostic:
    words = [word.strip("'") for word in expected.replace(" or ", ", ").split(", ")]
    span = document.key_span(path) if loc[-1:] == ("[key]",) else document.span(path)
    if set(words) == set(RiskLevel.__members__):
        help = risk_help(str(value))
        edits = respelt(str(value), words, span)
        return Diagnostic("unknown-risk", f"{_shown(value)} is no risk", span, help, edits=edits)
    listed = ", ".join(f"`{word}`" for word in words)
    likely = suggest(value, words) if isinstance(value, str) else []
    help = f"did you mean `{likely[0]}`?" if likely else ""
    if "off" in words and str(value).lower() in _NO_EFFECT:
        help = "write `off`"
    one = f"is {listed}" if len(words) == 1 else f"is one of {listed}"
    name = f"a key of {_name(path[:-1])}" if loc[-1:] == ("[key]",) else _name(path)
    edits = respelt(str(value), words, span) if likely else ()
    return Diagnostic("wrong-value", f"{name} {one}, not {_shown(value)}", span, help, edits=edits)


def _bound(kind: str, context: Mapping[str, Any]) -> str:
    if kind == "too_short":
        return "is empty"
    if kind == "greater_than_equal":
        return f"is at least {context['ge']}"
    if kind == "less_than_equal":
        return f"is at most {context['le']}"
    return "can't be used"


def _name(path: KeyPath) -> str:
    """The key that a path leads to; an item goes by its list."""
    names = [step for step in path if isinstance(step, str)]
    if path and isinstance(path[-1], int):
        return f"an entry of `{names[-1]}`" if names else "an entry"
    return f"`{names[-1]}`" if names else "the file"


_LONGEST = 60


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, int | float):
        return f"the number `{value}`"
    if isinstance(value, str):
        return f"the text `{value if len(value) <= _LONGEST else value[:_LONGEST] + '…'}`"
    return "nothing" if value is None else "a list" if isinstance(value, list) else "a mapping"


def _head(document: Document, path: KeyPath) -> Span:
    """The first line of a mapping or list is enough to point at it."""
    span = document.span(path)
    line_end = span.source.text.find("\n", span.start, span.end)
    return span if line_end < 0 else Span(span.source, span.start, line_end)


def _rewritten(kind: str, value: object, span: Span) -> tuple[Edit, ...]:
    """The edit that writes a value of the wrong type as the right one, where only one thing can be meant."""
    if not isinstance(value, str) or span.text != value:
        return ()
    if kind == "bool_type" and _truth(value) != _EITHER:
        return (Edit(span, _truth(value).removeprefix("write ")),)
    if kind in ("tuple_type", "list_type") and _PLAIN.fullmatch(value):
        return (Edit(span, f"[{value}]"),)
    return ()


def _truth(value: object) -> str:
    word = str(value).lower()
    if word in ("yes", "on", "true", "y", "1"):
        return "write true"
    return "write false" if word in ("no", "off", "false", "n", "0") else _EITHER


_EITHER = "write true or false"


def _quote(value: object) -> str:
    if isinstance(value, dict):
        return "quote the expression"
    return "put it in quotes" if isinstance(value, bool | int | float) else ""


def _bracket(value: object) -> str:
    if isinstance(value, str) and not _PLAIN.fullmatch(value):
        return f"write `[{json.dumps(value, ensure_ascii=False)}]`"
    return f"write `[{value}]`" if isinstance(value, str | int | float) else "write `[…]`"


def _packs(value: object) -> str:
    named = isinstance(value, str) and _PLAIN.fullmatch(value) and value not in ("all", "any", "every")
    return (
        _bracket(value)
        if named
        else "leave `packs` out for all of them, or write a list such as `[core, git]`"
    )


def _nothing(value: object) -> str:
    return ""


_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*")
"""A text that YAML reads as it stands, also inside brackets."""
_NO_EFFECT = frozenset(("allow", "disable", "disabled", "false", "ignore", "no", "none", "pass"))
_ADVICE: Mapping[KeyPath, Callable[[object], str]] = {("settings", "packs"): _packs}
"""What to write for keys of which more is to be said."""
_WANTED: Mapping[str, tuple[str, Callable[[object], str]]] = {
    "bool_type": ("true or false", _truth),
    "string_type": ("a text", _quote),
    "int_type": ("a whole number", _nothing),
    "int_from_float": ("a whole number", _nothing),
    "float_type": ("a number", _nothing),
    "tuple_type": ("a list", _bracket),
    "list_type": ("a list", _bracket),
    "dict_type": ("a mapping", lambda value: "write `{key: value}`"),
    "mapping_type": ("a mapping", lambda value: "write `{key: value}`"),
    "model_type": ("a mapping", lambda value: "write `{key: value}`"),
}
