"""What protects the gateway stays out of reach behind links: real ones, those of a kernel, and hard links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gateway.decision import Effect
from gateway.inspect.clued import clued
from gateway.inspect.facts import facts
from gateway.inspect.guard import Access, Guard
from gateway.inspect.inspector import Inspector
from gateway.inspect.kernel import through_kernel
from gateway.inspect.kind import Kind
from gateway.inspect.place import Place
from gateway.links import Links

DOTS = "./" * 130
CLIMBS = "src/../" * 40
DENIED = (
    "echo x > link/rules.yaml",
    f"echo x > {DOTS}link/rules.yaml",
    f"rm -f {CLIMBS}link/rules.yaml",
    "rm -f $'nl\\n/../link/rules.yaml'",
    "rm -f out/../ROOT/shop/policies/rules.yaml",
    "rm -f lin?/rules.yaml",
    "rm -f link/*.yaml",
    "rm -f her[e]/lin*/rules.yaml",
    "cd lin? && echo x > rules.yaml",
    "rm -f deep/../../policies/rules.yaml",
    "cd /proc/$$/cwd/policies && echo x > rules.yaml",
    "cd /proc/$$/root/ROOT/shop/policies && rm rules.yaml",
    "echo x > /dev/fd/../cwd/policies/rules.yaml",
    "cp x /dev/fd/../root/ROOT/shop/policies/rules.yaml",
    "cp x /dev/../proc/self/task/9/root/ROOT/shop/policies/rules.yaml",
    "echo x > /proc/net/../cwd/policies/rules.yaml",
    "echo x > fds/../cwd/policies/rules.yaml",
    "echo x > own/policies/rules.yaml",
    "awk '{print > \"link/rules.yaml\"}' x",
    "awk '{print > \"src/../policies/rules.yaml\"}' x",
    "awk 'BEGIN{printf \"x\" > ARGV[1]}' policies/rules.yaml",
    "awk -v f=policies/rules.yaml 'BEGIN{print 1 > f}'",
    "sed -n 'w link/rules.yaml' x",
    "sed 's/a/b/w link/rules.yaml' x",
    "cat ~/st/*.db",
    "cat out/../ROOT/.state/store.db",
    "cat /dev/fd/../root/ROOT/.state/store.db",
    f"cat ~/{DOTS}st/store.db",
    "sqlite3 file:ROOT/.state/store.db?mode=ro .dump",
    "sqlite3 file:///ROOT/.state/store.db .dump",
    "tar czf - -C ~ .state",
    "tar -cf - --directory=.. .state",
)
PASSED = (
    "rm -f src/*.yaml",
    "rm -f sr?/x.yaml",
    "cat link/rules.yaml",
    "echo x > deep/x.yaml",
    "rm link2/rules.yaml",
    "awk '{print > \"src/out.txt\"}' policies/rules.yaml",
    "sed -n 'w src/out.txt' policies/rules.yaml",
    "cat /proc/self/status",
    "readlink -f /proc/1/exe",
    "cat /proc/1/root/etc/hostname",
    "tar czf /tmp/a.tgz -C src a",
    "echo hi > /dev/stderr",
    "tar xf a.tar -C src",
)
ASKED = ("echo x > $X/link/rules.yaml",)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with a project in it, and links of all kinds to what is guarded."""
    root = tmp_path_factory.mktemp("home").resolve()
    shop = root / "shop"
    for folder in ("policies", "src/a", "nl\n"):
        (shop / folder).mkdir(parents=True)
    (root / ".state").mkdir()
    (shop / "policies" / "rules.yaml").write_text("")
    (root / ".state" / "store.db").write_text("")
    links = {
        "link": "policies",
        "here": ".",
        "out": "/etc",
        "deep": "src/a",
        "fds": "/dev/fd",
        "own": "/proc/self/cwd",
    }
    for name, target in links.items():
        (shop / name).symlink_to(target)
    (root / "st").symlink_to(".state")
    yield root


def effect(home: Path, text: str, kind: Kind, access: Access) -> Effect | None:
    shop, links = str(home / "shop"), Links()
    guard = Guard((f"{shop}/policies", f"{shop}/policies/rules.yaml"), (f"{home}/.state/store.db",))
    place = replace(Place(shop, str(home), (shop,), links), links=links.inside)
    inspector = Inspector(lambda: clued(()), guard)
    found = inspector.inspect(kind, text.replace("ROOT", str(home)[1:]), place, access).matches
    return max((match.effect for match in found), key=lambda each: each.strictness, default=None)


@pytest.mark.parametrize("text", DENIED)
def test_a_command_that_reaches_it_is_denied(home: Path, text: str) -> None:
    assert effect(home, text.replace("file:ROOT", "file:/ROOT"), Kind.SHELL, Access.READ) is Effect.DENY


@pytest.mark.parametrize("text", ASKED)
def test_a_command_that_may_reach_it_is_asked_about(home: Path, text: str) -> None:
    assert effect(home, text, Kind.SHELL, Access.READ) is Effect.ASK


@pytest.mark.parametrize("text", PASSED)
def test_ordinary_commands_pass(home: Path, text: str) -> None:
    assert effect(home, text, Kind.SHELL, Access.READ) is None


@pytest.mark.parametrize(
    "text",
    [
        f"{DOTS}link/rules.yaml",
        f"{CLIMBS}link/rules.yaml",
        "out/../ROOT/shop/policies/rules.yaml",
        "own/link/rules.yaml",
    ],
)
def test_a_file_tool_that_reaches_it_is_denied(home: Path, text: str) -> None:
    assert effect(home, text, Kind.PATH, Access.WRITE) is Effect.DENY


@pytest.mark.parametrize(
    "text", ["import os; os.remove('src/a\\x00b')", "import os; os.remove('missing/a\\ud800')"]
)
def test_names_that_no_file_has_are_no_error(home: Path, text: str) -> None:
    assert effect(home, text, Kind.PYTHON, Access.READ) is None


@pytest.mark.parametrize(
    ("path", "led"),
    [
        ("/dev/fd/../root/etc/x", "/etc/x"),
        ("/dev/fd/../cwd/a", "/w/a"),
        ("/dev/fd/../environ", "/proc/self/environ"),
        ("/dev/stdin/../../root/etc", None),
        ("/dev/fd/3/etc/passwd", None),
        ("/proc/self/fd/../cwd/a", "/w/a"),
        ("/proc/12/task/13/root/etc", "/etc"),
        ("/proc/mounts/../root/etc", "/etc"),
        ("/dev/fd/3", "/dev/fd/3"),
        ("/dev/stdout", "/dev/stdout"),
        ("/dev/../dev/./null", "/dev/../dev/./null"),
        ("/home/dev/out/../x", "/home/dev/out/../x"),
        ("/proc/sys/root/x", "/proc/sys/root/x"),
    ],
)
def test_links_of_a_kernel_lead_where_their_names_say(path: str, led: str | None) -> None:
    assert through_kernel(path, "/w") == led


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("cp .env /dev/stdout", [".env", "/dev/stdout", "/dev/stdout/.env"]),
        ("cat /proc/self/environ", ["/proc/self/environ"]),
        ("cat /dev/fd/3", ["/dev/fd/3"]),
        ("cat link/rules.yaml", ["policies/rules.yaml"]),
    ],
)
def test_facts_show_no_files_of_the_process_that_answers(home: Path, text: str, paths: list[str]) -> None:
    shop, links = str(home / "shop"), Links()
    place = replace(Place(shop, str(home), (shop,), links), links=links.inside)
    inspection = Inspector(lambda: clued(()), Guard((), ())).shell(text, place)
    told = facts(Kind.SHELL, [inspection], place)["paths"]
    assert set(told) <= {str(Path(shop) / path) for path in paths} and told
