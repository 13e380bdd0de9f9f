"""Run CEL conformance cases: `python -m tests.conformance.cel`, with a FILE for other cases than those carried here.

With --table it writes the table of README.md as well.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from gateway.cel import CelError, Environment, bind, check, parse, plan
from gateway.cel import types as t
from gateway.cel.operators import equal
from gateway.cel.values import Duration, OptionalValue, Timestamp, TypeValue, UInt, kind_of
from gateway.diagnostic import Excerpt

ROOT = Path(__file__).parent.parent.parent
CASES = ROOT / "tests" / "data" / "conformance" / "cel.jsonl"
MISSES = CASES.with_name("misses.txt")
README = ROOT / "README.md"
_TABLE = re.compile(r"(?<=<!-- table: conformance -->\n).*?(?=<!-- end -->)", re.DOTALL)

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


@dataclass(frozen=True, slots=True)
class Known:
    """Cases that are known not to pass: a pattern of their names, and why."""

    pattern: str
    reason: str


def known_misses(path: Path = MISSES) -> tuple[Known, ...]:
    """Those that are written down."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(Known(*line.split(" | ", 1)) for line in lines if line and not line.startswith("#"))


@dataclass(frozen=True, slots=True)
class Miss:
    """A case that does not pass: what came out, and why if that is known."""

    name: str
    wrong: str
    known: Known | None

    def __str__(self) -> str:
        return (
            f"{self.name}: {self.wrong} ({'nobody knows why' if self.known is None else self.known.reason})"
        )


@dataclass(slots=True)
class Report:
    """How many cases there are and pass, by section, and those that do not."""

    total: Counter[str] = field(default_factory=Counter)
    passed: Counter[str] = field(default_factory=Counter)
    misses: list[Miss] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Each section, each miss, and all together."""
        for section in sorted(self.total):
            yield f"{section:<16} {self.passed[section]:>4}/{self.total[section]}"
        yield from map(str, self.misses)
        yield f"{self.passed.total()} of {self.total.total()} passed"

    def table(self) -> Iterator[str]:
        """The sections that pass as one row, then each other section with its reasons."""
        whole = [section for section in sorted(self.total) if self.passed[section] == self.total[section]]
        yield "| cases | pass | why the others do not |"
        yield "| --- | --- | --- |"
        count = sum(self.total[section] for section in whole)
        yield f"| {', '.join(f'`{section}`' for section in whole)} | {count} of {count} | |"
        for section in sorted(set(self.total) - set(whole)):
            missed = [miss for miss in self.misses if miss.name.startswith(f"{section}/")]
            reasons = dict.fromkeys(
                miss.known.reason if miss.known else "nobody knows why" for miss in missed
            )
            passed = f"{self.passed[section]} of {self.total[section]}"
            yield f"| `{section}` | {passed} | {'; '.join(reasons)} |"
        yield f"| all | {self.passed.total()} of {self.total.total()} | |"


def run(cases: Iterable[Mapping[str, Any]], known: Sequence[Known]) -> Report:
    """Run cases; a miss is given the first reason that fits its name."""
    report = Report()
    for case in cases:
        report.total[case["section"]] += 1
        wrong = failure(case)
        if wrong is None:
            report.passed[case["section"]] += 1
            continue
        name = f"{case['section']}/{case['group']}/{case['name']}"
        report.misses.append(
            Miss(name, wrong, next((one for one in known if fnmatchcase(name, one.pattern)), None))
        )
    return report


def read(path: Path) -> Iterator[Mapping[str, Any]]:
    """The cases of a file."""
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def with_table(page: str, report: Report) -> str:
    """A page with the table of a report."""
    table = "".join(f"{line}\n" for line in report.table())
    return _TABLE.sub(lambda _: table, page)


def main() -> int:
    """Print passed and total for each section, each miss with its reason, then all together."""
    options = argparse.ArgumentParser(prog="python -m tests.conformance.cel", description=__doc__)
    options.add_argument("file", type=Path, nargs="?", default=CASES)
    options.add_argument("--table", action="store_true", help="write the table of README.md")
    chosen = options.parse_args()
    report = run(read(chosen.file), known_misses())
    if chosen.table:
        README.write_text(with_table(README.read_text(encoding="utf-8"), report), encoding="utf-8")
    for line in report.lines():
        print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
