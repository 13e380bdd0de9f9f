"""What commands do to files, told from what their programs take; requirement B23."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.inspect.programs import PROGRAMS, spec
from gateway.inspect.scripts import commands
from gateway.inspect.shell.invocation import Reading
from gateway.inspect.shell.scope import Scope
from gateway.inspect.shell.walk import read
from gateway.inspect.word import shown
from tests.inspect.places import HOME, PROJECT
from tests.lists import read_list

GROUPS = read_list("inspect/deeds.yaml")
CASES = [
    pytest.param(text, expected, id=f"{group}: {text}")
    for group, cases in GROUPS.items()
    for text, expected in cases.items()
]


def told(text: str) -> list[str]:
    reading = Reading()
    read(reading, text, 0, (0, len(text)), Scope(PROJECT, HOME))
    deeds = [deed for command in commands(reading, text) for deed in command.deeds]
    return [f"{d.does.value} {shown(d.target)} {d.extent.value}" for d in deeds]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_deeds(text: str, expected: list[str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_every_line_is_read_as_it_is_meant(name: str) -> None:
    known = spec(name)
    assert all(spelling.startswith(("-", "+")) for spelling in known.options.names) or name == "bcdedit", name
    many = [role for role in known.operands if role.endswith("*")]
    assert len(many) <= 1
    roles = {role.rstrip("*") for role in (*known.operands, *known.options.roles.values())}
    known_roles = "read write append delete empty open edit pour pack make meta text script url code"
    assert roles <= set(known_roles.split()), name


_words = st.lists(
    st.sampled_from(
        [
            *[
                "-a",
                "-r",
                "-f",
                "-C",
                "-t",
                "-o",
                "-i",
                "-x",
                "-c",
                "--",
                ".",
                "..",
                "/",
                "a",
                "b",
                "d/",
                "''",
                "x=1",
                "--delete",
                "-d",
                "*.md",
                "$X",
                "host:a",
            ]
        ]
    ),
    max_size=6,
)


@given(st.sampled_from(sorted(PROGRAMS)), _words)
def test_no_words_are_too_odd(name: str, words: list[str]) -> None:
    text = " ".join([name, *words])
    assert told(text) == told(f"{text} ")
