"""Run CEL conformance cases: `python -m tests.conformance.cel FILE`, with -v for the names of all misses."""

from __future__ import annotations

import argparse
import base64
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gateway.cel import CelError, Environment, bind, check, parse, plan
from gateway.cel import types as t
from gateway.cel.operators import equal
from gateway.cel.values import Duration, OptionalValue, Timestamp, TypeValue, UInt, kind_of
from gateway.diagnostic import Excerpt

_SIMPLE = {
    "bool": t.BOOL,
    "int": t.INT,
    "uint": t.UINT,
    "double": t.DOUBLE,
    "string": t.STRING,
    "bytes": t.BYTES,
    "null": t.NULL,
    "timestamp": t.TIMESTAMP,
    "duration": t.DURATION,
    "dyn": t.DYN,
}


def type_of(declared: Any) -> t.Type:
    """A type as the cases write it."""
    if isinstance(declared, str):
        return _SIMPLE[declared]
    if declared[0] == "list":
        return t.ListType(type_of(declared[1]))
    if declared[0] == "map":
        return t.MapType(type_of(declared[1]), type_of(declared[2]))
    if declared[0] == "abstract" and declared[1] == "optional_type":
        return t.OptionalType(type_of(declared[2][0]))
    raise ValueError(f"unknown type {declared!r}")


def value_of(written: Mapping[str, Any]) -> Any:
    """A value as the cases write it."""
    ((kind, value),) = written.items()
    match kind:
        case "uint":
            return UInt(value)
        case "double":
            return float(value)
        case "bytes":
            return base64.b64decode(value)
        case "list":
            return [value_of(element) for element in value]
        case "map":
            return {value_of(key): value_of(element) for key, element in value}
        case "timestamp":
            return Timestamp(value[0] * 10**9 + value[1])
        case "duration":
            return Duration(value[0] * 10**9 + value[1])
        case "type":
            return TypeValue(value)
        case "optional":
            return OptionalValue(None if value is None else value_of(value), value is not None)
    return value


def same(expected: Any, actual: Any) -> bool:
    """Equal and of one kind; unlike CEL's `==`, NaN is itself here and 1 is not 1.0."""
    if kind_of(expected) is not kind_of(actual):
        return False
    if isinstance(expected, float):
        return repr(expected) == repr(actual)
    if isinstance(expected, list):
        return len(expected) == len(actual) and all(map(same, expected, actual))
    if isinstance(expected, dict):
        return expected.keys() == actual.keys() and all(same(v, actual[k]) for k, v in expected.items())
    return equal(expected, actual)


def failure(case: Mapping[str, Any]) -> str | None:
    """What is wrong with our answer to a case, or None."""
    declared = {name: type_of(written) for name, written in case["types"].items()}
    environment = Environment(declared, container=case["container"])
    parsed = parse(Excerpt.whole(case["expr"]))
    expect = case["expect"]
    if parsed.ast is None:
        return None if "error" in expect else f"parse: {parsed.diagnostics[0].message}"
    if not case.get("disable_check"):
        checked = check(parsed, environment, expects=None)
        if checked.diagnostics and "error" not in expect:
            return f"check: {checked.diagnostics[0].message}"
        if "deduced" in case and checked.type != type_of(case["deduced"]):
            return f"type: {checked.type}"
    if "check" in expect:
        return None
    variables = {name: value_of(written) for name, written in case["bindings"].items()}
    program = plan(bind(parsed, {}), environment)
    program.generate()
    try:
        value = program.evaluate(variables)
    except CelError as error:
        return None if "error" in expect else f"error: {error.message}"
    if "error" in expect:
        return f"no error, but {value!r}"
    return None if same(value_of(expect["value"]), value) else f"value: {value!r}"


def main() -> int:
    """Print passed and total for each section, then for all."""
    options = argparse.ArgumentParser(prog="python -m tests.conformance.cel", description=__doc__)
    options.add_argument("file", type=Path)
    options.add_argument("-v", "--verbose", action="store_true", help="print each miss and why")
    chosen = options.parse_args()
    passed: Counter[str] = Counter()
    total: Counter[str] = Counter()
    with chosen.file.open(encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            total[case["section"]] += 1
            wrong = failure(case)
            if wrong is None:
                passed[case["section"]] += 1
            elif chosen.verbose:
                print(f"{case['section']}/{case['group']}/{case['name']}: {wrong}")
    for section in sorted(total):
        print(f"{section:<16} {passed[section]:>4}/{total[section]}")
    print(f"{passed.total()} of {total.total()} passed")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
