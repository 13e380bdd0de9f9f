"""What an expression comes to, by closures and by generated Python, in a form that tells all differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gateway.cel import CelError, Environment, Parsed, bind, parse, plan
from gateway.cel.generate import generate
from gateway.cel.maps import MixedMap
from gateway.cel.values import OptionalValue
from gateway.diagnostic import Excerpt

Evaluate = Callable[[Mapping[str, Any]], Any]


class Counted:
    """The exact way, which counts how often it is asked."""

    def __init__(self, exact: Evaluate) -> None:
        self.exact = exact
        self.asked = 0

    def __call__(self, variables: Mapping[str, Any]) -> Any:
        self.asked += 1
        return self.exact(variables)


def read(text: str, lets: Mapping[str, str] | None = None) -> Parsed | None:
    """The expression with its lets, each of which may use those before it; None if one can't be read."""
    bound: dict[str, Parsed] = {}
    for name, source in (lets or {}).items():
        let = bind(parse(Excerpt.whole(source)), dict(bound))
        if let.ast is None:
            return None
        bound[name] = let
    parsed = bind(parse(Excerpt.whole(text)), bound)
    return None if parsed.ast is None else parsed


def two_ways(parsed: Parsed, environment: Environment) -> tuple[Counted, Evaluate] | None:
    """The closures, and generated Python that falls back on them; None if none is generated."""
    exact = Counted(plan(parsed, environment).exact)
    generated = generate(parsed, environment, exact)
    return None if generated is None else (exact, generated.evaluate)


def told(value: Any) -> Any:
    """A value with the classes of all its parts; host objects that are passed through by their identity."""
    kind = type(value)
    if kind in (list, tuple):
        return kind, [told(part) for part in value]
    if kind in (dict, MixedMap):
        return kind, [(told(key), told(part)) for key, part in value.items()]
    if kind is OptionalValue:
        return kind, value.present, told(value.value)
    if kind.__module__ in ("builtins", "gateway.cel.values", "datetime"):
        return kind, repr(value)
    return kind, id(value)


def outcome(evaluate: Evaluate, variables: Mapping[str, Any]) -> Any:
    """The value, or everything about the error."""
    try:
        return "value", told(evaluate(variables))
    except CelError as error:
        return "error", error.kind, error.message, error.start, error.end, id(error.excerpt)
    except Exception as error:
        return "raised", type(error), str(error)


def agreed(parsed: Parsed, environment: Environment, variables: Mapping[str, Any]) -> Any:
    """The value or the error, which are the same both ways."""
    program = plan(parsed, environment)
    generated = program.generate()
    if generated is not None:
        assert outcome(generated.evaluate, variables) == outcome(program.exact, variables)
    return program.exact(variables)
