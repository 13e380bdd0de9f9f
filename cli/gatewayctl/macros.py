"""The macros that conditions may use, as `gatewayctl functions` shows them beside the functions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Described:
    """A macro: its names, how it is written and what it gives, what it does, and an example that is true."""

    names: tuple[str, ...]
    signatures: tuple[str, ...]
    summary: str
    example: str


ABOUT = "What is written like a function and reads an expression, in which it names each element or a value."
MACROS = (
    Described(
        ("has",),
        ("has(x.field) -> bool",),
        "Whether a field is there, so that it can be read.",
        "has({'a': 1}.a) && !has({'a': 1}.b)",
    ),
    Described(
        ("all",),
        ("list(A).all(name, bool) -> bool", "map(A, B).all(key, value, bool) -> bool"),
        "Whether a condition holds for each element, or for each key and value; true where there is none.",
        "[1, 2].all(i, i > 0)",
    ),
    Described(
        ("exists",),
        ("list(A).exists(name, bool) -> bool", "map(A, B).exists(key, value, bool) -> bool"),
        "Whether a condition holds for some element, or for some key and its value.",
        "['a', 'b'].exists(i, i == 'b')",
    ),
    Described(
        ("exists_one", "existsOne"),
        ("list(A).exists_one(name, bool) -> bool", "map(A, B).existsOne(key, value, bool) -> bool"),
        "Whether a condition holds for one element and for no other; both names are the same.",
        "[1, 2, 3].exists_one(i, i > 2)",
    ),
    Described(
        ("filter",),
        ("list(A).filter(name, bool) -> list(A)",),
        "The elements for which a condition holds.",
        "[1, 2, 3].filter(i, i > 1) == [2, 3]",
    ),
    Described(
        ("map",),
        ("list(A).map(name, B) -> list(B)", "list(A).map(name, bool, B) -> list(B)"),
        "A list of what an expression gives for each element, or for each for which a condition holds.",
        "[1, 2].map(i, i * 2) == [2, 4]",
    ),
    Described(
        ("transformList",),
        (
            "map(A, B).transformList(key, value, C) -> list(C)",
            "map(A, B).transformList(key, value, bool, C) -> list(C)",
        ),
        "A list of what an expression gives for each key and value; of a list, for each place and element.",
        "{'a': 1}.transformList(k, v, k + string(v)) == ['a1']",
    ),
    Described(
        ("transformMap",),
        (
            "map(A, B).transformMap(key, value, C) -> map(A, C)",
            "map(A, B).transformMap(key, value, bool, C) -> map(A, C)",
        ),
        "A map with the same keys, and what an expression gives for each key and value.",
        "{'a': 1}.transformMap(k, v, v + 1) == {'a': 2}",
    ),
    Described(
        ("optMap",),
        ("optional(A).optMap(name, B) -> optional(B)",),
        "An optional of what an expression gives for the value, if there is one.",
        "{'a': 1}.?a.optMap(v, v + 1).orValue(0) == 2",
    ),
    Described(
        ("optFlatMap",),
        ("optional(A).optFlatMap(name, optional(B)) -> optional(B)",),
        "What an expression, an optional itself, gives for the value, if there is one.",
        "{'a': {'b': 1}}.?a.optFlatMap(v, v.?b).orValue(0) == 1",
    ),
)
