"""Fields in texts without structure: what their values are, in each way of writing them."""

from __future__ import annotations

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
    ],
)
def test_the_work_grows_as_the_text_does(piece: str) -> None:
    text = piece * 300
    few, many = steps(lambda: list(values(text, HEADS))), steps(lambda: list(values(text * 4, HEADS)))
    assert many <= 4 * few + 50
