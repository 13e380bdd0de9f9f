"""Where the workspace is in sessions that say little of it: tools for files are never judged by less than a shell is."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.decision import Code, Decision, Effect
from gateway.inspect.guard import Guard
from gateway.session import Session, SessionError
from tests.engine.build import SHOP, gateway, session, with_rules

PROTECTED = SHOP.replace("confirm_from: HIGH", "confirm_from: HIGH\n  protected_paths: [infra/prod]")


def write(path: str, text: str = SHOP, guard: Guard | None = None, **places: Any) -> Decision:
    who = session(cwd=None, roots=[], home=None)
    who.update(places)
    return gateway(text, guard=guard).before({"tool": "write_file", "arguments": {"path": path}}, who)


OUTSIDE = [
    "/etc/passwd",
    "~/.bashrc",
    "~",
    "/srv/other/a",
    "../a",
    "a/../../b",
    "/root/notes.txt",
    "$HOME/notes",
]
INSIDE = ["a", "src/a.py", "./a", "a/../b", "infra/prod2/a", "/tmp/a"]


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("places", [{}, {"cwd": "/srv/app"}, {"roots": ["/srv/app"]}], ids=str)
def test_a_session_without_a_workspace_let_everything_be_written(path: str, places: dict[str, Any]) -> None:
    decision = write(path, **places)
    assert decision.code is Code.PATTERN
    assert "\0" not in decision.message + decision.detail


@pytest.mark.parametrize("path", INSIDE)
@pytest.mark.parametrize("places", [{}, {"cwd": "/srv/app"}], ids=str)
def test_what_lies_in_the_workspace_is_left_alone_whatever_its_name_is(
    path: str, places: dict[str, Any]
) -> None:
    assert write(path, **places).proceeds
    assert write(path, PROTECTED, **places).proceeds


@pytest.mark.parametrize("path", ["infra/prod/a", "infra/prod", "./infra/x/../prod/a"])
@pytest.mark.parametrize(
    "places",
    [
        {},
        {"cwd": "/srv/app"},
        {"cwd": "/srv/app", "roots": ["/srv/app"]},
        {"roots": ["/srv/lib", "/srv/app"]},
    ],
    ids=str,
)
def test_protected_paths_were_not_protected_in_a_session_without_roots(
    path: str, places: dict[str, Any]
) -> None:
    decision = write(path, PROTECTED, **places)
    assert (decision.effect, decision.rule) == (Effect.DENY, "fs.protected")


def test_a_home_that_is_not_known_was_a_directory_in_the_workspace() -> None:
    assert write("~/.bashrc", cwd="/srv/app", roots=["/srv/app"]).code is Code.PATTERN


@pytest.mark.parametrize(
    ("path", "seen"), [("src/a.py", "src/a.py"), ("~/a", "~/a"), ("./a/../b", "b"), (".", ".")]
)
def test_conditions_read_a_path_of_an_unknown_workspace_as_it_is_written(path: str, seen: str) -> None:
    text = with_rules(
        f'{{id: seen, tools: [write_file], when: inspect.path.path == "{seen}", effect: deny, message: Seen.}}'
    )
    decision = write(path, text)
    assert "seen" in {finding.rule for finding in decision.findings}


def test_nothing_lies_within_an_unknown_workspace() -> None:
    text = with_rules(
        "{id: within, tools: [write_file], when: inspect.path.within(session.roots), effect: deny, message: In.}"
    )
    assert write("a", text).proceeds
    assert write("a", text, cwd="/srv/app").rule == "within"


def test_the_guard_holds_in_a_session_that_says_no_directory() -> None:
    guard = Guard((".claude/settings.json", "~/.claude/settings.json", "/root/.claude/settings.json"), ())
    for path in (".claude/settings.json", "~/.claude/settings.json", "/root/.claude/settings.json"):
        for places in ({}, {"cwd": "/srv/app"}):
            assert write(path, guard=guard, **places).code is Code.GUARD, (path, places)


@pytest.mark.parametrize(
    "places", [{"cwd": "."}, {"roots": ["src"]}, {"home": "dev"}, {"cwd": ""}, {"roots": [""]}], ids=str
)
def test_a_relative_directory_in_a_session_was_taken_for_one(places: dict[str, Any]) -> None:
    name = next(iter(places))
    with pytest.raises(SessionError, match=f"session.{name} is an absolute path"):
        Session.of(session(**places))
    decision = write("a", **places)
    assert (decision.effect, decision.code) == (Effect.DENY, Code.NO_IDENTITY)
    assert f"session.{name}" in decision.detail


def test_without_roots_the_workspace_is_the_working_directory() -> None:
    assert Session(cwd="/srv/app").roots == ("/srv/app",)
    assert Session(cwd="/srv/app", roots=("/srv",)).roots == ("/srv",)
    assert Session(cwd="C:\\work").roots == ("C:\\work",)
    assert Session().roots == ()
