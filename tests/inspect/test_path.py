"""Paths: where every reading of one leads, and what it names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gateway.inspect.path.read import read_path
from gateway.inspect.path.tables import EXCEPT, TABLE
from gateway.inspect.path.trait import PathTrait
from gateway.inspect.path.traits import traits
from gateway.inspect.place import PathClass, Place
from gateway.inspect.word import ANY, STAR, UNKNOWN
from tests.inspect.places import HOME, PLACE, PROJECT

GROUPS = yaml.safe_load(
    (Path(__file__).parents[1] / "data" / "inspect" / "paths.yaml").read_text(encoding="utf-8")
)
PLAIN = Place(PROJECT, HOME, (PROJECT,), str)


def cases(section: str) -> list[Any]:
    return [pytest.param(path, group, id=ascii(path)) for group in GROUPS[section] for path in group["paths"]]


def word(text: str) -> str:
    return text.replace("*", STAR).replace("?", ANY).replace("$X", UNKNOWN)


@pytest.mark.parametrize(("text", "group"), cases("tool"))
def test_arguments_of_tools(text: str, group: dict[str, Any]) -> None:  # C9
    found = read_path(text, PLAIN)
    assert ("outside" if found.outside else "inside") == group["where"]
    assert {trait.value for trait in found.traits} == set(group["traits"])


@pytest.mark.parametrize(("text", "group"), cases("shell"))
def test_words_of_commands(text: str, group: dict[str, Any]) -> None:
    assert {trait.value for trait in traits(word(text), PLAIN)} == set(group["traits"])


def test_every_trait_has_a_case() -> None:
    shown = {trait for section in GROUPS.values() for group in section for trait in group["traits"]}
    assert shown | {"unreadable"} == {trait.value for trait in PathTrait}
    assert read_path("a" * 5000, PLAIN).traits == {PathTrait.UNREADABLE}


def entries(table: dict[PathTrait, str]) -> list[Any]:
    lines = (
        (trait, text.replace("_space_", " "))
        for trait, all_ in table.items()
        for text in spaced(all_).split()
    )
    return [pytest.param(trait, text, id=f"{trait.value} {text}") for trait, text in lines]


def spaced(text: str) -> str:
    return text.replace("\\ ", "_space_")


def example(entry: str) -> str:
    """A path that an entry of a table is meant for."""
    path = entry.replace("*", "x") + ("x" if entry.endswith("/") else "")
    return path if entry.startswith(("/", "~")) else f"{PROJECT}/sub/{path}"


@pytest.mark.parametrize(("trait", "entry"), entries(TABLE))
def test_every_entry_is_found(trait: PathTrait, entry: str) -> None:
    assert entry == entry.lower()
    path = example(entry)
    for text in (path, path.upper()) if not path.startswith(("/home", "~")) else (path,):
        assert trait in traits(text, PLAIN)


@pytest.mark.parametrize(("trait", "entry"), entries(EXCEPT))
def test_every_exception_is_one(trait: PathTrait, entry: str) -> None:
    assert trait not in traits(example(entry), PLAIN)


@given(st.text() | st.text(alphabet="./\\%2e5cC:~$ \u2025\uff0e\u200b\0ab\ue000\ue001", max_size=30))
def test_every_text_is_answered(text: str) -> None:
    for place in (PLAIN, PLACE, Place(None, None, (), str), Place("/", "/root", ("/",), str)):
        found = read_path(text, place)
        assert found.traits == {remark.trait for remark in found.remarks}
        assert all(0 <= remark.start <= remark.end <= len(text) for remark in found.remarks)
        assert all(remark.reason for remark in found.remarks)
        traits(text, place)


NAMES = st.lists(
    st.from_regex(r"x[a-z0-9_-]{1,8}(\.(ts|py|md|txt|json|css))?", fullmatch=True), min_size=1, max_size=5
)


@given(NAMES)
def test_plain_names_are_free(names: list[str]) -> None:
    for text in ("/".join(names), f"{PROJECT}/{'/'.join(names)}", "./" + "/x/../".join(names)):
        found = read_path(text, PLAIN)
        assert (found.outside, found.traits) == (None, frozenset())
        assert found.location in (PathClass.WORKSPACE, PathClass.ARTIFACT)


DOTS = st.sampled_from(
    [
        "..",
        "%2e%2e",
        ".%2E",
        "%252e.",
        "\uff0e\uff0e",
        "\u2025",
        "\u2024.",
        "%c0%ae%c0%ae",
        "%u002e.",
        "..%20",
    ]
)
SLASHES = st.sampled_from(
    ["/", "\\", "%2f", "%5C", "%252F", "\u2215", "\uff0f", "%c0%af", "//", "/./", "\t/"]
)


@given(NAMES, st.data())
def test_every_spelling_of_the_way_out_is_known(names: list[str], data: st.DataObject) -> None:
    ups = [data.draw(DOTS) + data.draw(SLASHES) for _ in range(len(names) + 1)]
    text = "".join(name + data.draw(SLASHES) for name in names) + "".join(ups) + "etc"
    assert read_path(text, PLAIN).outside


@given(
    st.sampled_from([".env", "config/.env.production", ".git/config", "certs/server.pem", ".mcp.json"]),
    st.data(),
)
def test_no_spelling_hides_what_a_file_is(path: str, data: st.DataObject) -> None:
    known = traits(path, PLAIN)
    at = data.draw(st.integers(0, len(path) - 1))
    spelled = data.draw(
        st.sampled_from(
            [
                path.upper(),
                path[:at] + path[at].upper() + path[at + 1 :],
                path[:at] + f"%{ord(path[at]):02x}" + path[at + 1 :],
                path[:at] + "\u200b" + path[at:],
                path.replace("e", "\uff45"),
                path + data.draw(st.sampled_from([".", " ", "::$DATA", "%20", "\0.txt", "/"])),
                "./x/../" + path,
                f"{PROJECT}/{path}",
                path.replace("/", "\\"),
                f"$HOME/shop/{path}",
                f"file://{PROJECT}/{path}",
            ]
        )
    )
    assert known
    assert known <= read_path(spelled, PLAIN).traits


LINKS = {
    f"{PROJECT}/out": "/etc/cron.d",
    f"{PROJECT}/data": f"{HOME}/ledger",
    f"{PROJECT}/same": f"{PROJECT}/src",
    f"{PROJECT}/note.txt": f"{PROJECT}/.env",
    f"{PROJECT}/scratch": "/tmp/run",
    "/srv/real": PROJECT,
}


def follow(path: str) -> str:
    for link, target in LINKS.items():
        if path == link or path.startswith(link + "/"):
            return target + path[len(link) :]
    return path


@pytest.mark.parametrize(
    ("text", "outside", "found"),
    [
        ("out/new.txt", True, {"persist", "system-config"}),
        ("out", True, {"persist", "system-config"}),
        ("src/../data/2026/x.csv", True, set()),
        ("same/a.ts", False, set()),
        ("note.txt", False, {"secret"}),
        ("scratch/a", False, set()),
        ("outer/x", False, set()),
        ("out/../x", True, {"system-config"}),
        ("same/../a.ts", False, set()),
        ("scratch/../../etc/x", True, {"traversal"}),
    ],
)
def test_links_are_followed(text: str, outside: bool, found: set[str]) -> None:  # C9
    reading = read_path(text, Place(PROJECT, HOME, (PROJECT,), follow))
    assert (reading.outside is not None, {trait.value for trait in reading.traits}) == (outside, found)


def test_a_root_that_is_a_link_is_still_the_root() -> None:
    place = Place("/srv/real", HOME, ("/srv/real",), follow)
    assert read_path("src/a.ts", place).outside is None
    assert read_path("../x", place).outside


def test_what_can_not_be_followed_is_outside() -> None:
    def broken(path: str) -> str:
        raise OSError(path)

    assert read_path("a.txt", Place(PROJECT, HOME, (PROJECT,), broken)).outside


@pytest.mark.parametrize(
    ("text", "trait", "part", "reason"),
    [
        ("a/b.txt:x.exe", PathTrait.WINDOWS, "b.txt:x.exe", "stream"),
        ("src/NUL.txt", PathTrait.WINDOWS, "/NUL.txt", "device"),
        ("a/%2e%2e/b", PathTrait.ENCODED, "%2e%2e/b", "reads `a/../b`"),
        ("a\u2215b", PathTrait.LOOK_ALIKE, "\u2215", "looks like a separator"),
        (".env", PathTrait.SECRET, ".env", "keys, tokens or passwords"),
    ],
)
def test_remarks_say_what_and_where(text: str, trait: PathTrait, part: str, reason: str) -> None:
    remark = next(each for each in read_path(text, PLAIN).remarks if each.trait is trait)
    assert text[remark.start : remark.end] == part
    assert reason in remark.reason


def test_the_reason_for_outside_names_where_it_leads() -> None:
    place = Place(PROJECT, HOME, (PROJECT,), follow)
    assert read_path("../x", place).outside == "`/home/dev/x` is outside of the workspace"
    assert re.search("a link in it leads to `/etc/cron.d/x`", read_path("out/x", place).outside or "")


def test_windows_roots() -> None:
    place = Place("C:\\work\\shop", None, ("C:\\work\\shop",), str)
    assert read_path("c:\\Work\\Shop\\src\\a.ts", place).outside is None
    assert read_path("C:\\work\\shop-evil\\a.ts", place).outside
    assert read_path("C:\\work\\shop\\..\\x", place).outside


def test_cases_of_system_directories() -> None:
    assert read_path("/ETC/Passwd", PLAIN).location is PathClass.SYSTEM
    assert read_path("/users/x", PLAIN).location is PathClass.HOME
