"""Paths: what losing them would cost, by their spelling and by where their links lead."""

from __future__ import annotations

import pytest

from gateway.inspect.guard import Access
from gateway.inspect.place import PathClass, Place, classify, in_home
from gateway.inspect.word import ANY, DEEP, FULL, STAR, UNKNOWN, may_be
from tests.inspect.places import GUARDED, HOME, INSPECTOR, PLACE, PROJECT


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("/", PathClass.ROOT),
        ("/" + STAR, PathClass.ROOT),
        ("//", PathClass.ROOT),
        (UNKNOWN + "/", PathClass.ROOT),
        ("../../..", PathClass.ROOT),
        ("~", PathClass.HOME),
        (HOME, PathClass.HOME),
        (HOME + "/" + STAR, PathClass.HOME),
        ("/home", PathClass.HOME),
        ("..", PathClass.HOME),
        ("/etc", PathClass.SYSTEM),
        ("/usr/lib/x", PathClass.SYSTEM),
        ("/e" + STAR, PathClass.SYSTEM),
        ("/srv", PathClass.SYSTEM),
        ("/srv/data", PathClass.OUTSIDE),
        ("../other", PathClass.OUTSIDE),
        ("~/.ssh", PathClass.OUTSIDE),
        ("/tmp", PathClass.OUTSIDE),
        ("/tmp/" + STAR, PathClass.OUTSIDE),
        ("/tmp/run", PathClass.TMP),
        (".", PathClass.WORKSPACE_ROOT),
        (STAR, PathClass.WORKSPACE_ROOT),
        ("./" + DEEP, PathClass.WORKSPACE_ROOT),
        ("src/..", PathClass.WORKSPACE_ROOT),
        (PROJECT, PathClass.WORKSPACE_ROOT),
        ("src", PathClass.WORKSPACE),
        (".git", PathClass.WORKSPACE),
        ("build/../src", PathClass.WORKSPACE),
        ("build", PathClass.ARTIFACT),
        ("ios/Pods", PathClass.ARTIFACT),
        ("node_modules/.cache", PathClass.ARTIFACT),
        (".pnpm-store", PathClass.ARTIFACT),
        ("shop.egg-info", PathClass.ARTIFACT),
        ("bazel-shop", PathClass.ARTIFACT),
        ("var/cache/" + STAR, PathClass.ARTIFACT),
        ("cache", PathClass.ARTIFACT),
        ("obj/Debug", PathClass.ARTIFACT),
        ("src/cache", PathClass.WORKSPACE),
        ("lib/log", PathClass.WORKSPACE),
        ("src", PathClass.WORKSPACE),
        ("bin", PathClass.WORKSPACE),
        ("public", PathClass.WORKSPACE),
        ("vendor", PathClass.WORKSPACE),
        ("build-tools", PathClass.WORKSPACE),
        ("/dev/shm", PathClass.OUTSIDE),
        ("/dev/shm/run", PathClass.TMP),
        ("/var/folders/x1/T/run", PathClass.TMP),
        ("/private/tmp/run", PathClass.TMP),
        ("/dev/sda", PathClass.SYSTEM),
        ("web/node_modules/", PathClass.ARTIFACT),
        ("build/" + STAR, PathClass.ARTIFACT),
        (STAR + ".pyc", PathClass.ARTIFACT),
        (UNKNOWN, PathClass.UNKNOWN),
        (UNKNOWN + "/src", PathClass.UNKNOWN),
        ("link", PathClass.WORKSPACE),
        ("current", PathClass.WORKSPACE),
        ("current/", PathClass.OUTSIDE),
        ("current/app", PathClass.OUTSIDE),
        ("current/../x", PathClass.OUTSIDE),
        ("current/..", PathClass.OUTSIDE),
        ("link/../src", PathClass.WORKSPACE),
        ("/ETC/x", PathClass.SYSTEM),
        ("/Home", PathClass.HOME),
        (PROJECT + "-evil", PathClass.OUTSIDE),
        ("C:\\", PathClass.ROOT),
        ("C:", PathClass.ROOT),
        ("D:/" + FULL, PathClass.ROOT),
        ("C:\\Users\\ann", PathClass.HOME),
        ("c:\\Windows\\System32", PathClass.SYSTEM),
        ("C:\\Program Files\\App", PathClass.SYSTEM),
        ("C:\\Users\\ann\\Documents", PathClass.OUTSIDE),
        ("D:\\data", PathClass.OUTSIDE),
        ("D:\\data\\node_modules", PathClass.ARTIFACT),
        ("C:\\Users\\ann\\AppData\\Local\\Temp\\run", PathClass.TMP),
        ("C:\\Temp", PathClass.OUTSIDE),
    ],
)
def test_classes(value: str, expected: PathClass) -> None:
    assert classify(value, PROJECT, PLACE) is expected


@pytest.mark.parametrize(
    ("cwd", "value", "expected"),
    [
        ("/", "usr/lib", PathClass.SYSTEM),
        ("/", "home/dev", PathClass.HOME),
        ("/", "var/log/build", PathClass.SYSTEM),
        ("/", ".", PathClass.ROOT),
        ("/", "data/x", PathClass.WORKSPACE),
        (HOME, "build", PathClass.WORKSPACE),
        (HOME, ".", PathClass.HOME),
        ("/root", "src", PathClass.WORKSPACE),
        ("/root", ".", PathClass.HOME),
    ],
)
def test_a_root_that_holds_a_whole_home_makes_nothing_cheap(
    cwd: str, value: str, expected: PathClass
) -> None:
    home = "/root" if cwd == "/root" else HOME
    assert classify(value, cwd, Place(cwd, home, (cwd,), str)) is expected


def test_an_unknown_directory() -> None:
    assert classify("src", None, PLACE) is PathClass.UNKNOWN
    assert classify("node_modules", None, PLACE) is PathClass.ARTIFACT
    assert classify("/srv/data", None, PLACE) is PathClass.OUTSIDE


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("rm", "rm", True),
        ("r" + ANY, "rm", True),
        (STAR, "rm", True),
        ("a" + STAR + "c", "abbc", True),
        ("a" + STAR, "a/b", False),
        ("a" + UNKNOWN + "c", "a/b/c", True),
        ("a" + DEEP, "a/b", True),
        ("a" + UNKNOWN, "ba", False),
        (ANY, "", False),
        (STAR * 400 + "x", "y" * 400, False),
    ],
)
def test_may_be(pattern: str, text: str, expected: bool) -> None:
    assert may_be(pattern, text) is expected


@pytest.mark.parametrize(
    ("text", "access", "guarded"),
    [
        ("policies/base.yaml", Access.WRITE, True),
        ("./src/../policies/base.yaml", Access.WRITE, True),
        (f"{PROJECT}/policies", Access.WRITE, True),
        ("link/base.yaml", Access.WRITE, True),
        ("~/.claude/settings.json", Access.WRITE, True),
        ("Policies/base.yaml", Access.WRITE, True),
        ("policies/base.yaml", Access.READ, False),
        ("src/policies.py", Access.WRITE, False),
        ("policies-old/base.yaml", Access.WRITE, False),
        ("~/.state/store.db", Access.READ, True),
        ("~/.state/store.db", Access.WRITE, True),
        ("", Access.WRITE, False),
    ],
)
def test_guarded_paths(text: str, access: Access, guarded: bool) -> None:
    found = GUARDED.path(text, PLACE, access).matches
    assert [m.kind for m in found] == (["guard"] if guarded else [])


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (f"{HOME}/.bashrc", "~/.bashrc"),
        (f"{PROJECT}/.bashrc", "~/shop/.bashrc"),
        ("/home/bob/.zshrc", "~/.zshrc"),
        ("/home/.zshrc", "~/.zshrc"),
        ("/root/.profile", "~/.profile"),
        ("/Users/eve/Library/LaunchAgents/a", "~/Library/LaunchAgents/a"),
        ("/srv/a/.bashrc", "/srv/a/.bashrc"),
        ("/rooted/x", "/rooted/x"),
    ],
)
def test_in_home(path: str, expected: str) -> None:
    assert in_home(path, HOME) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("C:\\Work\\shop", PathClass.WORKSPACE_ROOT),
        ("c:/work/shop/src", PathClass.WORKSPACE),
        ("C:\\work\\shop\\dist", PathClass.ARTIFACT),
        ("C:\\work", PathClass.OUTSIDE),
        ("C:\\work\\shop2", PathClass.OUTSIDE),
    ],
)
def test_a_workspace_on_a_drive(value: str, expected: PathClass) -> None:
    place = Place("C:\\work\\shop", "C:\\Users\\ann", ("C:\\work\\shop",), lambda path: path)
    assert classify(value, place.cwd, place) is expected


@pytest.mark.parametrize("home", ["/root", "/var/root"])
@pytest.mark.parametrize("known", [True, False])
def test_the_home_of_an_agent_that_runs_as_root_was_a_part_of_the_system(home: str, known: bool) -> None:
    place = Place(f"{home}/app", home if known else None, (f"{home}/app",), str)
    for value in (f"{home}/Documents/thesis.odt", f"{home}/.ssh", "../other"):
        assert classify(value, place.cwd, place) is PathClass.OUTSIDE
    assert classify("src", place.cwd, place) is PathClass.WORKSPACE
    assert classify("/etc/passwd", place.cwd, place) is PathClass.SYSTEM
    if known:
        assert classify("~", place.cwd, place) is PathClass.HOME


@pytest.mark.parametrize(
    "command",
    [
        "rm ~/Documents/thesis.odt",
        "mv ~/.ssh /tmp/",
        "rm -rf ~/Documents",
        "rm -rf ~",
        "touch ~/x",
        "tee ~/x < a",
    ],
)
def test_root_was_answered_otherwise_than_everybody_else(command: str) -> None:
    def patterns(home: str) -> list[str]:
        place = Place(f"{home}/shop", home, (f"{home}/shop",), str)
        return [match.pattern for match in INSPECTOR.shell(command, place).matches]

    assert patterns("/root") == patterns("/home/dev")


def test_roots_home_is_a_part_of_the_system_for_others() -> None:
    assert classify("/root/x", PROJECT, PLACE) is PathClass.SYSTEM
