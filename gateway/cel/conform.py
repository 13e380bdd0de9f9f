"""Make hosts' values what their types say: JSON does not tell 2 from 2.0, CEL does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from gateway.cel.domain import Domain, Form
from gateway.cel.types import DOUBLE, ListType, MapType, ObjectType, Type

Convert = Callable[[Any], Any]


@lru_cache(maxsize=1024)
def converter(type_: Type, domain: Domain | None = None) -> Convert | None:
    """A function that makes ints floats where the type says double; None if it says so nowhere.

    Where a value may be of several kinds, the domain says which become what. Values that need no change are
    passed through as they are, never copied.
    """
    return _converter(type_, domain, frozenset())


def _converter(type_: Type, domain: Domain | None, inside: frozenset[int]) -> Convert | None:
    if domain is not None and len(domain.forms) > 1:
        by_kind = {
            kind: convert
            for kind, form in domain.forms.items()
            if (convert := _of_form(form.type, form, inside)) is not None
        }
        return _by_kind(by_kind) if by_kind else None
    form = None if domain is None else next(iter(domain.forms.values()), None)
    return _of_form(type_, form, inside)


def _of_form(type_: Type, form: Form | None, inside: frozenset[int]) -> Convert | None:
    if type_ == DOUBLE:
        return _double
    below = None if form is None else form.element
    match type_:
        case ListType(element=element):
            convert = _converter(element, below, inside)
            return None if convert is None else _list_of(convert)
        case MapType(value=value):
            convert = _converter(value, below, inside)
            return None if convert is None else _map_of(convert)
        case ObjectType(fields=fields) if id(type_) not in inside:
            converts = {
                name: convert
                for name, field in fields.items()
                if (convert := _converter(field.type, field.domain, inside | {id(type_)})) is not None
            }
            others = type_.others
            rest = None if others is None else _converter(others.type, others, inside | {id(type_)})
            return _object_of(converts, frozenset(fields), rest) if converts or rest is not None else None
    return None


def _by_kind(converts: Mapping[str, Convert]) -> Convert:
    def run(value: Any) -> Any:
        kind = value.__class__
        if kind is int:
            name = "double"
        elif kind is list or kind is tuple:
            name = "list"
        else:
            name = "map" if isinstance(value, Mapping) else ""
        convert = converts.get(name)
        return value if convert is None else convert(value)

    return run


def _double(value: Any) -> Any:
    if value.__class__ is not int:
        return value
    try:
        return float(value)
    except OverflowError:
        return value


def _list_of(convert: Convert) -> Convert:
    return lambda value: [convert(item) for item in value] if isinstance(value, list | tuple) else value


def _map_of(convert: Convert) -> Convert:
    def run(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        return {key: convert(item) for key, item in value.items()}

    return run


def _object_of(converts: Mapping[str, Convert], known: frozenset[str], rest: Convert | None) -> Convert:
    def run(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        changed: dict[str, Any] = {}
        for name, convert in converts.items():
            if name in value:
                old = value[name]
                new = convert(old)
                if new is not old:
                    changed[name] = new
        if rest is not None:
            changed.update({name: rest(item) for name, item in value.items() if name not in known})
        return {**value, **changed} if changed else value

    return run
