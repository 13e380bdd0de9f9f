"""Detectors: each form of a secret finds its examples, also where they are written as JSON, and nothing else."""

from __future__ import annotations

import json
import re

import pytest
import re2

from gateway.results.detectors import DETECTORS, NAMES, Detector
from gateway.results.detectors.format import Format
from gateway.results.filters import filters
from gateway.results.redaction import Redact

FORMATS = [(DETECTORS[name], one) for name in NAMES for one in DETECTORS[name].formats]
IDS = [f"{detector.name}: {one.name}" for detector, one in FORMATS]


def without(detector: Detector, text: str) -> str:
    for start, end in sorted(set(detector.find(text)), reverse=True):
        text = text[:start] + text[end:]
    return text


@pytest.mark.parametrize(("detector", "one"), FORMATS, ids=IDS)
def test_a_format_finds_its_examples_and_leaves_the_others(detector: Detector, one: Format) -> None:
    alone = re2.compile(one.pattern)
    assert one.matches
    for text in one.matches:
        assert alone.search(text) is not None, text
        assert list(detector.find(f"see {text} there")), text
    for text in one.misses:
        assert not list(detector.find(f"see {text} there")), text


@pytest.mark.parametrize(("detector", "one"), FORMATS, ids=IDS)
def test_what_a_format_finds_is_hinted_at_in_json_too(detector: Detector, one: Format) -> None:
    hint = filters((Redact("e", detector.name),)).may_find
    for text in one.matches:
        for line in (text, f"a\n{text}\n", f'"{text}"\t'):
            once = json.dumps({"k": [line]}, ensure_ascii=False)
            assert hint(once.encode()) is not None, line
            assert hint(json.dumps(once).encode()) is not None, line


def test_only_the_secret_part_of_a_url_or_header_is_found() -> None:
    secrets = DETECTORS["secrets"]
    assert without(secrets, "postgres://shop:hunter2@db/shop") == "postgres://shop:@db/shop"
    assert without(secrets, "Authorization: Basic dXNlcjpwYXNz\nHost: a") == "Authorization: \nHost: a"


def test_a_private_key_ends_with_its_last_line_or_with_its_letters() -> None:
    key = "-----" + "BEGIN PRIVATE KEY-----\nMIIE\nabc=\n-----" + "END PRIVATE KEY-----"
    assert without(DETECTORS["secrets"], f"before {key} after") == "before  after"
    assert without(DETECTORS["secrets"], key[:37]) == ""


def test_card_numbers_need_their_check_digit() -> None:
    assert (
        without(DETECTORS["cards"], "4111-1111-1111-1111 and 4111-1111-1111-1112")
        == " and 4111-1111-1111-1112"
    )


def test_two_secrets_side_by_side_are_both_found() -> None:
    key = "AKIA" + "IOSFODNN7QXGMPLT"
    assert without(DETECTORS["secrets"], f"{key},{key}") == ","


def test_each_detector_says_in_a_sentence_what_it_finds() -> None:
    for detector in DETECTORS.values():
        assert re.fullmatch(r"[A-Z].*\.", detector.summary)
