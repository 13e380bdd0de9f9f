"""Here-documents are taken out without moving a character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.inspect.shell.heredoc import take_out


@pytest.mark.parametrize(
    ("text", "bodies"),
    [
        ("cat <<E\na\nE\nls", [("a\n", True)]),
        ("cat <<'E'\na\nE", [("a\n", False)]),
        ('cat <<"E"; ls\na\nE', [("a\n", False)]),
        ("cat <<\\E\na\nE", [("a\n", False)]),
        ("cat <<-E\n\ta\n\tE\nls", [("\ta\n", True)]),
        ("cat <<A <<B\n1\nA\n2\nB\nls", [("1\n", True), ("2\n", True)]),
        ("cat <<E", [("", True)]),
        ("cat <<E\na", [("a", True)]),
        ("cat <<E\na\n E\nE\n", [("a\n E\n", True)]),
        ('x "$(cat <<E\nit\'s\nE\n)"', [("it's\n", True)]),
        ("cat <<< a\nls", []),
        ("echo '<<E'\nls\nE", []),
        ('echo "<<E"\nls\nE', []),
        ("echo # <<E\nls\nE", []),
        ("echo $((1<<2))\nls\n2", []),
        ("echo $[1<<2]\nls\n2]", []),
        ("echo ${x:-<<E}\nls\nE", []),
    ],
)
def test_bodies(text: str, bodies: list[tuple[str, bool]]) -> None:
    plain, found = take_out(text)
    assert [(doc.body, doc.expands) for doc in found.values()] == bodies
    for at, doc in found.items():
        assert text.startswith("<<", at)
        assert text[doc.start : doc.start + len(doc.body)] == doc.body
    assert len(plain) == len(text)


@given(st.text(st.sampled_from("<<<-EA'\"\\\n \t$(){}[]`#;ab"), max_size=60))
def test_no_character_moves(text: str) -> None:
    plain, found = take_out(text)
    assert len(plain) == len(text)
    for at in range(len(text)):
        assert plain[at] == text[at] or found
