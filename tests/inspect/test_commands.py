"""What must be stopped and what must pass, as lists of commands; requirement A8."""

from __future__ import annotations

import pytest

from gateway.decision import Effect
from gateway.inspect.guard import Access
from gateway.inspect.inspection import Match
from gateway.inspect.kind import Kind
from tests.inspect.places import GUARDED, INSPECTOR, PLACE
from tests.lists import read_list


def cases(name: str) -> list[object]:
    groups = read_list(f"inspect/{name}.yaml")
    return [pytest.param(text, id=f"{group}: {text}") for group, texts in groups.items() for text in texts]


def matches(text: str) -> tuple[Match, ...]:
    return INSPECTOR.shell(text, PLACE).matches


def effects(text: str) -> dict[str, str]:
    return {match.pattern or match.kind: match.effect.value for match in matches(text)}


@pytest.mark.parametrize("text", cases("must_stop"))
def test_stopped(text: str) -> None:  # A8
    found = matches(text)
    assert found
    for match in found:
        assert match.effect in (Effect.ASK, Effect.DENY)
        assert match.reason and match.alternative
        assert match.text == text[match.start : match.end] != ""


@pytest.mark.parametrize("text", cases("must_pass"))
def test_passes(text: str) -> None:  # A8
    assert matches(text) == ()


@pytest.mark.parametrize("text", [case for case in cases("guard") if case.id.startswith("stop")])  # type: ignore[attr-defined]
def test_guard_stops(text: str) -> None:
    found = GUARDED.shell(text, PLACE).matches
    assert [match.effect for match in found if match.kind == "guard"]
    assert all(match.effect is Effect.DENY for match in found if match.kind == "guard")


@pytest.mark.parametrize("text", [case for case in cases("guard") if case.id.startswith("ask")])  # type: ignore[attr-defined]
def test_guard_asks(text: str) -> None:
    assert [match.effect for match in GUARDED.shell(text, PLACE).matches] == [Effect.ASK]


@pytest.mark.parametrize("text", [case for case in cases("guard") if case.id.startswith("pass")])  # type: ignore[attr-defined]
def test_guard_leaves_alone(text: str) -> None:
    assert GUARDED.shell(text, PLACE).matches == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rm -rf ~/", {"fs.delete.root": "deny"}),
        ("rm -rf /srv/data", {"fs.delete.outside": "deny"}),
        ("rm -rf .", {"fs.delete.project": "deny"}),
        ("rm -rf src", {"fs.delete.recursive": "ask"}),
        ('rm -rf "$X"', {"fs.delete.unresolved": "ask"}),
        ('rm -rf "$X/"', {"fs.delete.root": "deny"}),
        ("rm -rf current/", {"fs.delete.outside": "deny"}),
        ("rm -rf current", {"fs.delete.recursive": "ask"}),
        ("rm -rf /tmp/x/../../srv/a", {"fs.delete.outside": "deny"}),
        ("git push --force", {"git.push.force": "deny"}),
        ("git reset --hard", {"git.reset.hard": "ask"}),
        ("psql -c 'drop table a; truncate b'", {"db.drop": "deny", "db.truncate": "deny"}),
        ("unheard-of rm -rf /srv/a", {"fs.delete.outside": "ask"}),
        ("cat steps | sh", {"unreadable": "ask"}),
    ],
)
def test_effects(text: str, expected: dict[str, str]) -> None:
    assert effects(text) == expected


@pytest.mark.parametrize(
    ("text", "characters"),
    [
        ("ls && rm -rf /srv/data", "/srv/data"),
        ("sh -c 'rm -rf /srv/data'", "/srv/data"),
        ("echo é; rm -rf '/srv/dätä'", "'/srv/dätä'"),
        ("git push origin main --force", "--force"),
        ("git push origin +main", "+main"),
        ("psql -c 'select 1; drop table users'", "drop table users"),
        ("psql <<E\nselect 1;\nDROP TABLE users;\nE", "DROP TABLE users"),
        ("D=/srv/data; rm -rf $D", "$D"),
        ("$WHAT -rf /srv/data", "$WHAT"),
    ],
)
def test_offending_characters(text: str, characters: str) -> None:
    found = matches(text)[-1]
    assert text[found.start : found.end] == found.text == characters


def test_reasons_name_the_argument() -> None:
    (match,) = matches("cd /tmp && rm -rf /srv/data")
    assert match.reason == "it deletes `/srv/data` and everything below it, outside the project"
    (match,) = matches('make; rm -rf "$TARGET"')
    assert match.reason.startswith('it deletes `"$TARGET"` and everything below it')
    (match,) = matches("git push -f origin topic")
    assert "--force-with-lease" in match.alternative


@pytest.mark.parametrize(
    ("text", "analysis"),
    [
        ("ls", "exact"),
        ("rm -rf /srv/data", "exact"),
        ("X=rm; $X -rf /srv/data", "exact"),
        ("rm -rf /s''rv/data", "folded"),
        ('rm -rf "$X"', "partial"),
        ("a\0b", "unparsed"),
    ],
)
def test_analysis(text: str, analysis: str) -> None:
    assert INSPECTOR.shell(text, PLACE).analysis == analysis


def test_the_guard_tells_what_code_names() -> None:
    (match,) = GUARDED.shell("python3 -c \"open('policies/base.yaml', 'w')\"", PLACE).matches
    assert match.reason.startswith("its code names `policies/base.yaml`, a file that protects this gateway")


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos.remove('policies/base.yaml')",
        "from pathlib import Path\nPath('policies').joinpath('base.yaml').write_text('rules: []')",
        "import shutil\nshutil.rmtree('policies')",
        "print(open('/home/dev/.state/store.db').read())",
    ],
)
def test_code_that_is_an_argument_may_not_touch_what_is_guarded_either(code: str) -> None:
    (match,) = GUARDED.inspect(Kind.PYTHON, code, PLACE, Access.READ, None).matches
    assert (match.kind, match.effect) == ("guard", Effect.DENY)


def test_code_spelled_in_pieces_in_a_shell_may_not_touch_what_is_guarded() -> None:
    text = """python3 -c 'import os; os.remove(os.path.join("pol" + "icies", "ba" + "se.yaml"))'"""
    (match,) = GUARDED.shell(text, PLACE).matches
    assert (match.kind, match.effect) == ("guard", Effect.DENY)
