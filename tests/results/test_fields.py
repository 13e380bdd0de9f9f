"""Field patterns: which fields they match, and what is no pattern."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.malformed import Malformed
from gateway.results.fields import FieldPattern, parse_field, start


def matched(pattern: str, path: tuple[str, ...]) -> bool:
    place = start([parse_field(pattern)])
    for name in path:
        place = place.below(name)
    return place.hit is not None


@pytest.mark.parametrize(
    ("pattern", "path", "hit"),
    [
        ("password", ("password",), True),
        ("password", ("user", "password"), False),
        ("**.password", ("password",), True),
        ("**.password", ("a", "b", "c", "password"), True),
        ("**.password", ("password_hash",), False),
        ("**.password", ("Password",), True),
        ("**.Password", ("PASSWORD",), True),
        ("user.*", ("user", "anything"), True),
        ("user.*", ("user",), False),
        ("user.*", ("user", "a", "b"), False),
        ("*.pin", ("a", "pin"), True),
        ("*.pin", ("pin",), False),
        ("a.**.b", ("a", "b"), True),
        ("a.**.b", ("a", "x", "y", "b"), True),
        ("a.**.b", ("x", "a", "b"), False),
        ("顧客.電話", ("顧客", "電話"), True),
        ("first name", ("first name",), True),
    ],
)
def test_a_pattern_matches(pattern: str, path: tuple[str, ...], hit: bool) -> None:
    assert matched(pattern, path) is hit


def naive(segments: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """The meaning of a pattern, written the slow way."""
    if not segments:
        return not path
    if segments[0] == "**":
        return any(naive(segments[1:], path[n:]) for n in range(len(path) + 1))
    return bool(path) and segments[0] in ("*", path[0]) and naive(segments[1:], path[1:])


SEGMENTS = st.lists(st.sampled_from(["a", "b", "*", "**"]), max_size=4).map(lambda s: (*s, "a"))
PATHS = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=6).map(tuple)


@given(st.lists(SEGMENTS, min_size=1, max_size=4), PATHS)
def test_several_patterns_match_what_any_of_them_does(written: list[Any], path: tuple[str, ...]) -> None:
    patterns = [FieldPattern(".".join(segments), segments) for segments in written]
    place = start(patterns)
    for name in path:
        place = place.below(name)
    hits = [index for index, segments in enumerate(written) if naive(segments, path)]
    assert place.hit == (hits[0] if hits else None)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", ""),
        ("a..b", ""),
        ("a. b", " b"),
        ("pass*", "pass*"),
        ("a.***", "***"),
        ('a."b"', '"b"'),
        ("**", "**"),
        ("a.**", "a.**"),
        ("*.*", "*.*"),
        ("a\u0007", "a\u0007"),
    ],
)
def test_what_is_no_pattern_is_said_with_its_characters(text: str, wrong: str) -> None:
    with pytest.raises(Malformed) as caught:
        parse_field(text)
    error = caught.value
    assert text[error.start : len(text) if error.end is None else error.end].strip(".") == wrong


def test_patterns_that_would_need_too_many_places_are_refused() -> None:
    with pytest.raises(Malformed):
        start([parse_field("**.a" + ".*" * 16 + ".b")])
