"""Fields in texts without structure: what their values are, in each way of writing them."""

from __future__ import annotations

from time import process_time

import pytest

from gateway.results.texts import head_finder, values
from tests.results.build import steps

HEADS = head_finder(["password", "api key"])


def blanked(text: str) -> str:
    for (start, end), _ in reversed(list(values(text, HEADS))):
        text = text[:start] + "#" + text[end:]
    return text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("password: hunter2\nuser: ann", "password: #\nuser: ann"),
        ("Password = two words \nuser", "Password = #\nuser"),
        ("PASSWORD=x", "PASSWORD=#"),
        ("--password=x", "--password=#"),
        ("db password: x", "db password: #"),
        ("a?password=x&b=1", "a?password=#"),
        ("password := x", "password := #"),
        ("'password' => 'x', 'b' => 1", "'password' => #, 'b' => 1"),
        ('{"password": "x\\"y", "b": 1', '{"password": #, "b": 1'),
        ('say "password": "x" and on', 'say "password": # and on'),
        ('\\"password\\": \\"x\\", \\"b\\": 1', '\\"password\\": #, \\"b\\": 1'),
        ('password: "never closed', "password: #"),
        ("**password**: x", "**password**: #"),
        ("<password>x</password><b>", "<password>#</password><b>"),
        ("<Password kind='a'><i>x</i></Password> y", "<Password kind='a'>#</Password> y"),
        ("<n:password>x</n:password>", "<n:password>#</n:password>"),
        ("<password>never closed", "<password>#"),
        ('<user password="x" b="y">', '<user password=# b="y">'),
        ("password:\n  x\n  y\nuser: ann", "password:#\nuser: ann"),
        ("a:\n  password: |\n    x\n\n    y\n  b: 1", "a:\n  password: #\n  b: 1"),
        ("password:\n- x\n- y\nuser: ann", "password:#\nuser: ann"),
        ('password: "password=x" y', "password: # y"),
        ("api key: x", "api key: #"),
        ("password: a\npassword: b", "password: #\npassword: #"),
        ("my_password: x, passwords: y, password2=z", "my_password: x, passwords: y, password2=z"),
        ("it said password: {a: 1} and on", "it said password: # and on"),
        ("password: [{a: ']}'}, [1]], b: 2", "password: #, b: 2"),
        ("password: {type: String,\n  never: closed", "password: #"),
        ("password: [hidden] by me", "password: # by me"),
        ("password='x'-y, b", "password=#, b"),
        ("password='x'/y.z", "password=#"),
        ("password='x'.y; b", "password=#; b"),
        ("password='x'=y, b", "password=#, b"),
        ("password='x'\\ y b", "password=# b"),
        ('PASSWORD="x"$(cat "a b")y b', "PASSWORD=# b"),
        ('PASSWORD="x"${Y}z b', "PASSWORD=# b"),
        ("password: (x$)y!z b", "password: # b"),
        ("password=[x]y b", "password=# b"),
        ("password=[x]'y' b", "password=# b"),
        ("it was password: 'x'.", "it was password: #."),
        ("(password='x').y", "(password=#).y"),
        ("password: x\n  y\n  z\nuser: ann", "password: #\nuser: ann"),
        ("a:\n  - password: x\n      y\n    b: 1", "a:\n  - password: #\n    b: 1"),
        ("Password: x\r\n\ty\r\nHost: b", "Password: #\nHost: b"),
        ("password: x\n  user: ann", "password: #\n  user: ann"),
        ("password: x\n  - y", "password: #\n  - y"),
        ("password: x\n\n  y", "password: #\n\n  y"),
        ("the password: x\n  y", "the password: #\n  y"),
        ("password: str = field(\n  default=None)", "password: #\n  default=None)"),
        ("password: changed\n    at foo(x)", "password: #\n    at foo(x)"),
        ("password: x \\\r\n y\r\nb", "password: #\nb"),
        ("<password><!-- </password> -->x</password> y", "<password>#</password> y"),
        ("<password><!-- x</password> y", "<password>#"),
        ("the password has changed", "the password has changed"),
        ("password", "password"),
    ],
)
def test_the_value_is_found(text: str, shown: str) -> None:
    assert blanked(text) == shown


@pytest.mark.parametrize(
    "piece",
    [
        "password: x\n",
        "password=",
        "<password>",
        "</password",
        'password: "',
        'password: \\"',
        "password:\n",
        '\\"',
        "password:\n  a\n",
        "password: {",
        "password: {}",
        "password: {'",
        "password: [']",
        "password='a'",
        "password='a'$(",
        "password='a'..",
        "password=[a]",
        "password: a \\\r\n",
        "password: a\n  b\n",
        "<password><!--",
        "<password><!-- </password> -->",
    ],
)
def test_the_work_grows_as_the_text_does(piece: str) -> None:
    text = piece * 300
    few, many = steps(lambda: list(values(text, HEADS))), steps(lambda: list(values(text * 4, HEADS)))
    assert many <= 4 * few + 50


@pytest.mark.parametrize(
    ("begin", "piece"),
    [
        ("", "password: x\n"),
        ("", "password: a \\\r\n"),
        ("password:a", "\\\n"),
        ("password: a\n", "  b\n"),
        ("password:\n", "  b\n"),
        ("password:\n", "\n"),
        ("", "password: a\n  b\n"),
        ("", "password='a'$("),
        ("", "<password><!-- </password> -->"),
        ("x password: ", "[']"),
    ],
)
def test_no_value_is_copied_with_all_that_stands_before_it(begin: str, piece: str) -> None:
    def took(times: int) -> float:
        text = begin + piece * times
        best = []
        for _ in range(3):
            before = process_time()
            list(values(text, HEADS))
            best.append(process_time() - before)
        return min(best)

    few, many = (
        took(2_500),
        took(40_000),
    )  # sixteen times as much, which takes some 256 times as long if it is copied
    assert many <= 64 * few + 0.05
