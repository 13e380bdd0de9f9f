"""The small texts of the policy language: times, patterns, templates, types, selectors."""

from __future__ import annotations

import json
import re
import time
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gateway.policy
from gateway.diagnostic import Source
from gateway.document import read_document
from gateway.glob import ByName, Glob, parse_pattern, select, select_governed
from gateway.interval import Rate, parse_date, parse_duration, parse_rate, parse_until, passed
from gateway.load import policy_schema
from gateway.malformed import Malformed
from gateway.policy import Compare, RiskSelector, TypeText
from gateway.policy.selector import parse_risk_selector
from gateway.policy.typetext import parse_type_text
from gateway.risk import RiskLevel
from gateway.template import parse_argument_path, parse_template

ROOT = Path(__file__).parent.parent.parent
SHIPPED = sorted(
    path
    for folder in ("policies", "cli/gatewayctl", "gateway/compile")
    for path in (ROOT / folder).rglob("*.yaml")
    if not path.name.endswith(".test.yaml") and path.name != "calls.yaml"
)


@pytest.mark.parametrize(
    ("text", "seconds"), [("10s", 10), ("5m", 300), ("2h", 7200), ("7d", 604800), ("90m", 5400)]
)
def test_durations(text: str, seconds: int) -> None:
    assert parse_duration(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "10", "s", "0s", "1.5h", "10 s", "-1s", "1w", "10S", "١s", "99999999d"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(Malformed):
        parse_duration(text)


def test_rates() -> None:
    assert parse_rate("20/h") == Rate(20, timedelta(hours=1))
    assert parse_rate("5/10m") == Rate(5, timedelta(minutes=10))
    for text in ("20", "/h", "0/h", "20/0h", "20/hour", "20 / h"):
        with pytest.raises(Malformed):
            parse_rate(text)


def test_a_date_lasts_through_its_end_in_utc() -> None:
    until = parse_until("2027-01-31")
    assert not passed(until, datetime(2027, 1, 31, 23, 59, 59, 999999, tzinfo=UTC))
    assert passed(until, datetime(2027, 2, 1, tzinfo=UTC))
    # The same instant, seen from Tokyo.
    assert not passed(until, datetime(2027, 2, 1, 8, 59, tzinfo=timezone(timedelta(hours=9))))


def test_a_moment_is_over_when_it_comes() -> None:
    until = parse_until("2027-01-31T18:00:00+01:00")
    assert not passed(until, datetime(2027, 1, 31, 16, 59, 59, tzinfo=UTC))
    assert passed(until, datetime(2027, 1, 31, 17, tzinfo=UTC))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2027-02-30",
        "2027-1-1",
        "tomorrow",
        "2027-01-31T10:00",
        "2027-01-31 10:00Z",
        "2027-01-31T25:00Z",
        "0001-01-01T00:00+10:00",
        "9999-12-31",
    ],
)
def test_what_is_no_end(text: str) -> None:
    with pytest.raises(Malformed):
        parse_until(text)


def test_dates() -> None:
    assert parse_date("2026-11-30").isoformat() == "2026-11-30"
    with pytest.raises(Malformed):
        parse_date("2026-11-30T00:00:00Z")


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("form_*", "form_update", True),
        ("form_*", "form_", True),
        ("form_*", "Form_update", False),
        ("*_memory", "recall_memory", True),
        ("*a*b*", "xaxbx", True),
        ("*a*b*", "xbxa", False),
        ("a*a", "a", False),
        ("*", "search", True),
        ("*", "github/search", False),
        ("*/*", "github/search", True),
        ("*/*", "search", False),
        ("github/get_*", "github/get_issue", True),
        ("github/*", "gitlab/get", False),
        ("a.c", "abc", False),
    ],
)
def test_globs(pattern: str, name: str, fits: bool) -> None:
    assert Glob(pattern).matches(name) is fits


NAMES = st.text("ab/", max_size=10)


@given(st.text("ab*/", min_size=1, max_size=8), NAMES)
def test_globs_are_what_they_say(pattern: str, name: str) -> None:
    expression = "".join("[^/]*" if char == "*" else re.escape(char) for char in pattern)
    assert Glob(pattern).matches(name) is (re.fullmatch(expression, name) is not None)


PATTERN_LISTS = st.lists(
    st.builds("".join, st.tuples(st.sampled_from(["", "!"]), st.text("ab*/", max_size=5)))
)


@given(PATTERN_LISTS, st.sets(NAMES), st.data())
def test_an_index_of_names_answers_as_trying_each(
    patterns: list[str], names: set[str], data: st.DataObject
) -> None:
    if names:
        known = st.sampled_from(sorted(names))
        patterns = [*patterns, *data.draw(st.lists(known | known.map("!{}".format)))]
    index = ByName(dict.fromkeys(names))
    assert select(patterns, index) == select(patterns, names)
    assert select_governed(patterns, index) == select_governed(patterns, names)


def test_an_index_of_names_is_a_mapping() -> None:
    index = ByName({"b": 1, "a": 2})
    assert (list(index), len(index), index["a"], index.get("c"), "b" in index, "c" in index) == (
        ["b", "a"],
        2,
        2,
        None,
        True,
        False,
    )
    assert index == {"a": 2, "b": 1}


def test_globs_take_linear_time() -> None:
    started = time.process_time()
    assert not Glob("*a" * 100 + "b").matches("a" * 100_000)
    assert time.process_time() - started < 1


def test_exclusions_are_taken_from_the_union() -> None:
    names = ["form_update", "form_delete", "search", "github/get"]
    assert select(["form_*", "search", "!form_delete"], names) == {"form_update", "search"}
    assert select(["!search"], names) == frozenset()
    assert select(["*"], names) == {"form_update", "form_delete", "search"}
    assert select_governed(["*"], names) == set(names)
    assert select_governed(["*", "!github/*"], names) == {"form_update", "form_delete", "search"}


@given(st.permutations(["form_*", "search", "!form_delete", "*_x"]))
def test_the_order_of_patterns_never_matters(patterns: list[str]) -> None:
    assert select(patterns, ["form_a", "form_delete", "search", "b_x"]) == {"form_a", "search", "b_x"}


@pytest.mark.parametrize("text", ["", "!", "a b", "a/b/c", "/a", "a/", "!!a", "a?", "a[b]", "ä", "x" * 201])
def test_what_is_no_pattern(text: str) -> None:
    with pytest.raises(Malformed):
        parse_pattern(text)


def test_templates_have_literals_and_paths() -> None:
    template = parse_template("Send {args.mail.to} as {{raw}} by {tool.name}")
    first, second = template.placeholders
    assert (first.root, first.names) == ("args", ("mail", "to"))
    assert template.text[first.start : first.end] == "{args.mail.to}"
    assert second.path == "tool.name"
    assert template.fill(lambda place: f"<{place.path}>") == "Send <args.mail.to> as {raw} by <tool.name>"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("a {args.x", "{"),
        ("a } b", "}"),
        ("{x.y}", "{x.y}"),
        ("{args}", "{args}"),
        ("{args.x + 1}", "{args.x + 1}"),
        ("{args.}", "{args.}"),
        ("{args.a[0]}", "{args.a[0]}"),
        ("{{{args.}", "{args.}"),
    ],
)
def test_templates_take_paths_only(text: str, wrong: str) -> None:
    with pytest.raises(Malformed) as caught:
        parse_template(text)
    assert text[caught.value.start : caught.value.end] == wrong


@given(st.text(max_size=20))
def test_a_text_with_doubled_braces_is_itself(text: str) -> None:
    doubled = text.replace("{", "{{").replace("}", "}}")
    assert parse_template(doubled).fill(lambda place: "") == text


def test_argument_paths() -> None:
    assert parse_argument_path("args.a.b").names == ("a", "b")
    for text in ("args", "input", "args.", "args.a b"):
        with pytest.raises(Malformed):
            parse_argument_path(text)


def test_types() -> None:
    assert parse_type_text("list(string)") == TypeText("list", (TypeText("string"),))
    assert parse_type_text(" map(string, list( int )) ") == TypeText(
        "map", (TypeText("string"), TypeText("list", (TypeText("int"),)))
    )
    for text in (
        "",
        "strin",
        "list",
        "list()",
        "list(int",
        "list(int))",
        "map(int, int)",
        "map(string)",
        "int int",
    ):
        with pytest.raises(Malformed):
            parse_type_text(text)
    with pytest.raises(Malformed):
        parse_type_text("list(" * 50 + "int" + ")" * 50)


@given(st.text("list(map,string) $", max_size=30))
def test_no_text_crashes_the_reader_of_types(text: str) -> None:
    try:
        parse_type_text(text)
    except Malformed as error:
        assert error.message
        assert 0 <= error.start <= (len(text) if error.end is None else error.end) <= len(text)


def test_risk_selectors() -> None:  # B10
    assert parse_risk_selector(">=LOW") == RiskSelector(Compare.AT_LEAST, RiskLevel.LOW)
    assert parse_risk_selector("HIGH") == RiskSelector(Compare.EQUAL, RiskLevel.HIGH)
    expected = {
        ">=MEDIUM": {"MEDIUM", "HIGH", "IRREVERSIBLE"},
        ">MEDIUM": {"HIGH", "IRREVERSIBLE"},
        "<=MEDIUM": {"READ_ONLY", "LOW", "MEDIUM"},
        "<MEDIUM": {"READ_ONLY", "LOW"},
        "==MEDIUM": {"MEDIUM"},
    }
    for text, levels in expected.items():
        selector = parse_risk_selector(text)
        assert {level.value for level in RiskLevel if selector.holds(level)} == levels
    for text in ("", ">=", "=>LOW", "low", ">=LOWER", "LOW HIGH"):
        with pytest.raises(Malformed):
            parse_risk_selector(text)


def test_the_editors_schema_is_the_one_of_the_models() -> None:
    shipped = Path(gateway.policy.__file__).parent / "policy.schema.json"
    assert json.loads(shipped.read_text()) == policy_schema()


def test_the_editors_schema_describes_every_key() -> None:
    waiting: list[object] = [policy_schema()]
    described = 0
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting += part
        elif isinstance(part, dict):
            waiting += part.values()
            for key, own in part.get("properties", {}).items():
                if isinstance(own, dict):
                    assert own.get("description"), key
                    described += 1
    assert described > 100


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_editors_schema_accepts_the_shipped_policies(path: Path) -> None:
    data = read_document(Source(path.name, path.read_text(encoding="utf-8"))).data
    jsonschema.Draft202012Validator(policy_schema()).validate(data)


def test_the_editors_schema_accepts_a_whole_policy_and_refuses_a_typo() -> None:
    schema = policy_schema()
    text = (Path(__file__).parents[1] / "data" / "load" / "whole.yaml").read_text()
    data = read_document(Source("whole.yaml", text)).data
    jsonschema.Draft202012Validator(schema).validate(data)
    data["rules"][0]["effekt"] = "deny"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(data)
