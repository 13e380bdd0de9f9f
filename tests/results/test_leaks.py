"""What must not be shown, and what must be: cases in `tests/data/results`, so that more can be added."""

from __future__ import annotations

import json
from typing import Any

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway import Code
from gateway.results.detectors import DETECTORS, NAMES
from gateway.results.fence import harmless
from gateway.results.filters import Values, filters
from gateway.results.folding import folded
from gateway.results.redact import BLANK, Redactor
from gateway.results.redaction import Redact
from gateway.results.unseen import is_unseen
from gateway.results.views import views
from tests.engine.build import SHOP
from tests.lists import read_list
from tests.results.build import after, steps, with_results
from tests.results.test_after import SENSITIVE as WITH_BOX
from tests.results.test_after import everything

LETTERS = "q7Zk0uYbV3nTgL5xWmP8sRc1dEhJ2aFo9iKt" + "Bv4Q"
PLACEHOLDERS = {
    **{f"{{A{n}}}": LETTERS[:n] for n in (33, 34, 36, 40)},
    "{NUL36}": "\0".join(LETTERS[:36]),
    "{PRIVATE}": "PRIVATE",
}
"""Secrets are put together here, so that no scanner of repositories takes the cases for real ones."""

LEAKS = read_list("results/leaks.yaml")
ALARMS = read_list("results/alarms.yaml")
DETECTING = with_results('{id: d, tools: ["*"], redact: [{detector: secrets}, {detector: cards}]}')
FIELDS = with_results('{id: f, tools: ["*"], redact: [{field: "**.password"}]}')
SENSITIVE = SHOP.replace('"!order_purge"]', '"!order_purge", login]') + (
    "  - {name: login, risk: LOW, permissions: [], parameters: {type: object, required: [pin],"
    " properties: {pin: {type: string, x-sensitive: true}}}}\n"
)


def filled(value: Any) -> Any:
    """The value with every placeholder filled in."""
    if isinstance(value, str):
        for name, text in PLACEHOLDERS.items():
            value = value.replace(name, text)
        return value
    if isinstance(value, list):
        return [filled(item) for item in value]
    return {filled(key): filled(item) for key, item in value.items()} if isinstance(value, dict) else value


def result_of(case: dict[str, Any]) -> Any:
    return filled(case["text"] if "text" in case else case["json"])


def named(cases: list[dict[str, Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[case["name"] for case in cases])


def is_hidden(case: dict[str, Any], text: str, hidden: str, **more: Any) -> None:
    for result in (result_of(case), [result_of(case)], {"a": {"b": json.dumps(result_of(case))}}):
        review = after(result, text=text, **more)
        assert review.code is Code.REVIEWED
        said = everything(review)
        assert hidden not in said
        assert json.dumps(hidden)[1:-1] not in said
        assert review.redacted
        assert case.get("shown", "") in str(review.full).replace("\\", "")


@named(LEAKS["detectors"])
def test_no_detector_misses(case: dict[str, Any]) -> None:
    is_hidden(case, DETECTING, case.get("hidden", LETTERS[:33]))


@named(LEAKS["fields"])
def test_no_field_is_missed(case: dict[str, Any]) -> None:
    is_hidden(case, FIELDS, case.get("hidden", "hunter2"))


@named(LEAKS["sensitive"])
def test_a_sensitive_value_is_hidden_in_each_of_its_forms(case: dict[str, Any]) -> None:
    hidden = case.get("hidden", case["value"].strip())
    is_hidden(case, SENSITIVE, hidden, tool="login", arguments={"pin": case["value"]})


UNSEEN = (
    "\x00\x01\x08\x0b\x0c\x0f\x1b\x7f\x80\x9b\r\xad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200d\u200e\u2028"
    "\u2029\u202c\u202e\u2060\u2061\u2062\u2063\u2066\u206f\u3164\ufe00\ufe0f\ufeff\uffa0\ufff9"
    "\U00013430\U0001bca0\U0001d159\U0001d173\U000e0001\U000e0041\U000e0100"
)
MIXED = SENSITIVE + (
    'results:\n  - {id: m, tools: ["*"],'
    ' redact: [{detector: secrets}, {detector: cards}, {detector: emails}, {field: "**.password"}]}\n'
)
LEAKING = (
    f"ghp_{LETTERS[:36]}",
    "password: hunter2xyz",
    "topsecret1",
    "4111111111111111",
    "ann.lee@example.org",
)


@pytest.mark.parametrize("char", UNSEEN, ids=ascii)
@pytest.mark.parametrize("secret", LEAKING)
def test_nothing_hides_behind_what_is_not_seen(secret: str, char: str) -> None:
    for at in (2, 3, 6) if not secret.startswith("password") else (2, 4, 8, 10, 12):
        text = f"{secret[:at]}{char}{secret[at:]}"
        for result in (text, {"a": [f"x {text} y"]}, json.dumps({"a": f"x {text} y"})):
            review = after(result, text=MIXED, tool="login", arguments={"pin": "topsecret1"})
            assert review.redacted
            for part in (secret[at + 1 :], "hunter2xyz"[-5:]):
                assert part not in everything(review)


def test_both_ends_of_lines_are_nothing_unseen() -> None:
    known = filters((Redact("e", "secrets"),))
    for text in ("a\r\nb\r\n", "a\tb\r\n", "line\r", "C:\\new\r\n"):
        for said in (text, json.dumps(text), json.dumps(json.dumps({"k": [text]}))):
            assert known.may_find(said.encode()) is None, said
    assert known.may_find(b"a\rb") is not None
    assert known.may_find(json.dumps("a\rb").encode()) is not None


def test_what_the_fence_writes_out_is_looked_through() -> None:
    for code in range(0x110000):
        char = chr(code)
        if 0xD800 <= code < 0xE000 or char in "\t\n\r" or not is_unseen(char):
            continue
        assert harmless(f"a{char}b") != f"a{char}b"
        assert "aabb" in [view.text for view in views(f"aa{char}bb")]


def test_a_key_of_a_sensitive_object_is_hidden_where_it_looks_like_a_secret() -> None:
    box = {"my-secret-9": True, "some_name": 1}
    said = ["my-secret-9", "some_name"]
    assert after(said, tool="store", arguments={"box": box}, text=WITH_BOX).result == [BLANK, "some_name"]


@named(ALARMS)
def test_what_is_no_secret_is_shown_as_it_is(case: dict[str, Any]) -> None:
    text = filled(case["text"])
    for result in (text, [text], {"a": json.dumps({"b": text})}):
        review = after(result, text=DETECTING)
        assert review.redacted == ()
        assert review.full == result


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{ "password" : "x" ,"b":1.00 }', '{ "password" : "(redacted)" ,"b":1.00 }'),
        ('{"a": 1, "a": {"password": [1, {"b": "]"}]}}\n', '{"a": 1, "a": {"password": "(redacted)"}}\n'),
        ('{"a": "\\u00e9 password=x"}\n{"b":1e3}', '{"a": "é password=(redacted)"}\n{"b":1e3}'),
        ('["{\\"password\\": 1,\\"b\\": 2.0}", "\\u00e9"]', '["{\\"password\\": \\"(redacted)\\",\\"b\\": 2.0}", "\\u00e9"]'),
    ],
)  # fmt: skip
def test_json_in_a_text_keeps_everything_but_what_is_blanked_out(text: str, shown: str) -> None:
    assert after(text, text=FIELDS).full == shown


EXAMPLES = [
    (name, one, example) for name in NAMES for one in DETECTORS[name].formats for example in one.matches
]


@settings(max_examples=400)
@given(
    st.sampled_from(EXAMPLES),
    st.integers(0, 3),
    st.sampled_from(["", "a\n", '"', "\t", "é", "\\"]),
    st.booleans(),
)
def test_a_hint_fires_wherever_a_format_does(case: Any, levels: int, before: str, ascii_only: bool) -> None:
    name, one, example = case
    for blank in (" ", "\n", "\t", "\r\n"):
        value: Any = before + example.replace(" ", blank)
        if re2.search(one.pattern, value) is None:
            continue
        for _ in range(levels):
            value = json.dumps({"k": [value]}, ensure_ascii=ascii_only)
        assert re2.search(one.hint, value) is not None or (ascii_only and not example.isascii())
        assert filters((Redact("e", name),)).may_find(value.encode()) is not None


def test_case_is_folded_as_the_expressions_do() -> None:
    cased = [c for c in map(chr, range(0x20, 0x30000)) if c.lower() != c or c.upper() != c]
    for char in cased:
        assert len(folded(char)) == 1
        for other in {char.lower(), char.upper(), folded(char)} | ({"ſ", "K"} if char in "sSkK" else set()):
            if len(other) == 1 and re2.fullmatch(f"(?i:{re2.escape(char)})", other):
                assert folded(other) == folded(char), (char, other)


VIEWED = (
    "a",
    "\\",
    "n",
    "u0041",
    "\r",
    "\n",
    "\x08",
    "\x1b(B",
    "\x1b]0;",
    "\x07",
    "\x9d",
    "ÿþ",
    "\\b",
    "\x1b[m",
    "\x00",
    "\\/",
    '"',
    "é",
    "\u200b",
    "\\ud83d\\ude00",
)


@given(st.lists(st.sampled_from(VIEWED), max_size=12).map("".join) | st.text())
def test_what_a_view_shows_stands_in_the_text_where_it_says(text: str) -> None:
    for view in views(text):
        assert view.span(0, len(view.text))[1] <= len(text)
        ends = 0
        for at, char in enumerate(view.text):
            start, end = view.span(at, at + 1)
            assert ends <= start < end <= len(text)
            ends = end
            assert text[start:end] == char or "\\" in text[start:end]


HOSTILE = {
    "backslashes": "\\",
    "begins of keys": "-----BEGIN " + "PRIVATE KEY-----\n",
    "begins of keys with letters": "-----BEGIN " + "PRIVATE KEY-----\nMIIEpAIB\n",
    "colours": "\x1b[31m",
    "open colours": "\x1b]",
    "open titles": "\x1b]0;a",
    "open titles in one character": "\x9da",
    "struck over": "a\x08a",
    "returns": "a\r",
    "users": "http://u:p",
    "headers": "authorization: basic ",
    "quotes": 'password: "a"',
    "elements": "<password><password>",
    "cut data": "<password><![CDATA[",
    "continued lines": "password: \\\n",
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_the_work_grows_as_the_text_does(piece: str) -> None:
    known = filters((Redact("e", "secrets"), Redact("e", "cards")))

    def work(n: int) -> int:
        return steps(lambda: Redactor(known, Values(()), None).value("x" + piece * n))

    work(10)
    few, many = work(300), work(1200)
    assert many <= 4.4 * few + 400


@pytest.mark.parametrize(
    "result",
    [
        "a@b.io",
        ["a@b.io"],
        {"k": "a@b.io"},
        '{"k":"a@b.io"}',
        {"content": [{"type": "text", "text": "a@b.io"}]},
    ],
)
def test_the_shortest_address_is_found_where_it_stands_alone(result: Any) -> None:
    mails = with_results('{id: m, tools: ["*"], redact: [{detector: emails}]}')
    assert "a@b.io" not in everything(after(result, text=mails))
