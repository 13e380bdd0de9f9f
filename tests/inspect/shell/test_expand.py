"""Words become what the shell would make of them."""

from __future__ import annotations

import pytest

from gateway.inspect.shell.invocation import Reading
from gateway.inspect.shell.scope import Scope
from gateway.inspect.shell.walk import read
from gateway.inspect.word import shown


def arguments(text: str) -> list[str]:
    """The arguments of the last command, with marks as people read them."""
    reading = Reading()
    read(reading, text, 0, (0, len(text)), Scope("/home/dev/shop", "/home/dev"))
    return [shown(word.value) for word in reading.invocations[-1].words]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a  b", ["a", "b"]),
        ("'a b' \"c d\" e\\ f", ["a b", "c d", "e f"]),
        ("a'b'\"c\"d", ["abcd"]),
        ("'' \"\"", ["", ""]),
        ("$'a\\x41\\101\\n\\$'", ["aAA\n\\$"]),
        ('$"a"', ["a"]),
        ("'a\\nb'", ["a\\nb"]),
        ('"a\\$b\\"c\\d"', ['a$b"c\\d']),
        ("a\\\nb", ["ab"]),
        ("{a,b}c", ["ac", "bc"]),
        ("a{b,{c,d}}e", ["abe", "ace", "ade"]),
        ("{a,{b,c}", ["{a,b", "{a,c"]),
        ("{a} '{a,b}' {,}", ["{a}", "{a,b}"]),
        ("{a,}b", ["ab", "b"]),
        ("{1..3}", ["…"]),
        ("~ ~/x ~root ~dev/x a~", ["/home/dev", "/home/dev/x", "/root", "/home/dev/x", "a~"]),
        ("'~' \\~", ["~", "~"]),
        ("{~,a}", ["/home/dev", "a"]),
        ("* 'a*' a?", ["*", "a*", "a?"]),
        ("$HOME/x ${PWD}", ["/home/dev/x", "/home/dev/shop"]),
        ("$X \"$X/y\" '$X'", ["…", "…/y", "$X"]),
        ("$(pwd) `pwd`/x", ["/home/dev/shop", "/home/dev/shop/x"]),
        ("$(printf '%s-%s' a b) $(echo a b)", ["a-b", "a", "b"]),
        ('"$(echo a b)"', ["a b"]),
        ("$(unheard-of)", ["…"]),
        ("$(mktemp -d)", ["/tmp/tmp.made"]),
        ("a$IFS'b'", ["a", "b"]),
        ("$((1 + 2))", ["…"]),
        ("> out a", ["a"]),
        ("a 2>&1 b", ["a", "b"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert arguments(f"run {text}") == expected


@pytest.mark.parametrize(
    ("setting", "word", "expected"),
    [
        ("X='a b'", "$X", ["a", "b"]),
        ("X='a b'", '"$X"', ["a b"]),
        ("X=abc", "${X:1} ${X:0:2}", ["bc", "ab"]),
        ("X=a", "${X:-b} ${X:+c} ${Y+d}", ["a", "c", "d"]),
        ("X=", "${X:-b} ${X:+c}", ["b"]),
        ("X=Y; Y=z", "${!X}", ["z"]),
        ("X=a; X+=b", "$X", ["ab"]),
        ("x=(a 'b c')", '"${x[@]}" ${x[1]}', ["a", "b c", "b", "c"]),
        ("set -- a 'b c'", '"$@" $2', ["a", "b c", "b", "c"]),
        ("set -- a b; shift", "$1", ["b"]),
        ("X=a; unset X", "$X", ["…"]),
        ("if true; then X=a; else X=b; fi", "$X", ["…", "a", "b"]),
        ("X=$(echo a | tr a b)", "$X", ["b"]),
        ("read -r X <<< a", "$X", ["a"]),
        ("printf -v X '%s' a", "$X", ["a"]),
        ("(X=a)", "$X", ["…"]),
        ("X=a; (X=b)", "$X", ["a"]),
        ("cd src", "$PWD", ["/home/dev/shop/src"]),
        ("cd; cd ..", "$PWD", ["/home"]),
        ("(cd /)", "$PWD", ["/home/dev/shop"]),
    ],
)
def test_variables(setting: str, word: str, expected: list[str]) -> None:
    found = arguments(f"{setting}\nrun {word}")
    assert found == expected or set(found) == set(expected)
