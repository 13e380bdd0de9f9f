"""Real paths are those that the system's own function finds, whatever was asked before."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.links import Links

NAMES = ("a", "b", "file", "up", "far", "loop", "other", "dead", "through", "gone", "..", ".", "", "n" * 300)
PATHS = st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=6), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Directories with links to files, upwards, out, to each other in a circle, and to nothing."""
    root = tmp_path_factory.mktemp("tree")
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "file").write_text("")
    (root / "b" / "a").mkdir(parents=True)
    (root / "a" / "b" / "up").symlink_to("../..")
    (root / "up").symlink_to("a/b")
    (root / "far").symlink_to("/usr/bin")
    (root / "a" / "far").symlink_to(root / "b")
    (root / "loop").symlink_to("other")
    (root / "other").symlink_to("loop")
    (root / "dead").symlink_to("gone/b")
    (root / "a" / "through").symlink_to("b/up/a/far")
    yield root


@given(asked=PATHS)
def test_the_real_path_is_the_systems(tree: Path, asked: list[list[str]]) -> None:
    links = Links()
    for names in asked:
        path = "/".join((str(tree), *names))
        assert links(path) == os.path.realpath(path)


@pytest.mark.parametrize("path", ["/", "/.", "//", "//usr", "/usr/", "/usr/bin/..", "/no/such"])
def test_plain_paths_too(path: str) -> None:
    assert Links()(path) == os.path.realpath(path)


def test_a_directory_is_looked_at_once(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    lstat = os.lstat

    def counting(path: str) -> os.stat_result:
        looked.append(path)
        return lstat(path)

    monkeypatch.setattr(os, "lstat", counting)
    links = Links()
    links(f"{tree}/a/file")
    links(f"{tree}/a/b")
    links(f"{tree}/gone/b/a")
    assert len(looked) == len(set(looked))
    assert f"{tree}/gone/b" not in looked


@pytest.mark.parametrize(
    "path",
    [
        "/proc/self/cwd",
        "/proc/1/exe",
        "/proc/1/root/etc",
        "/dev/stdout",
        "/dev/fd/1",
        "/dev/fd",
        "/proc/self/fd/0",
    ],
)
def test_the_links_of_a_process_are_left_as_they_are(path: str) -> None:
    assert Links()(path) == path


@pytest.mark.parametrize("path", ["/a\0b", "/\ud800/x", "/tmp/\ud800", "a\0/../b", "", "/" + "n" * 5000])
def test_no_text_is_too_odd(path: str) -> None:
    assert Links()(path)
    assert Links()(path + "/..")


def test_links_that_double_at_each_step_end(tmp_path: Path) -> None:
    (tmp_path / "l40").symlink_to("l40")
    for at in range(40):
        (tmp_path / f"l{at}").symlink_to(f"l{at + 1}/../l{at + 1}")
    assert Links()(f"{tmp_path}/l0")


def test_the_links_in_a_directory_are_told(tree: Path) -> None:
    links = Links()
    assert links.inside(str(tree)) == ("dead", "far", "loop", "other", "up")
    assert links.inside(str(tree / "gone")) == links.inside("/a\0b") == ()
