"""What a cache must not trust: whatever anybody else may have put there, or may change."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.cache.private import Private, Refused
from gateway.cache.sealed import MOST_FILES, Sealed
from tests.cache.loading import Place, decide, kept, made

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to somebody else")
NOBODY = 65534


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = made(tmp_path)
    place.load()
    assert kept(place.load())
    return place


def _flip(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)


def _cut(path: Path, length: int) -> None:
    os.truncate(path, length)


def _relink(path: Path) -> None:
    there = path.with_name("elsewhere")
    path.rename(there)
    path.symlink_to(there)


def _fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


def _enlarge(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"more")


CHANGES: dict[str, Callable[[Path], None]] = {
    "a byte of the seal": lambda path: _flip(path, 0),
    "the last byte of the seal": lambda path: _flip(path, 31),
    "the first byte of the content": lambda path: _flip(path, 32),
    "the last byte": lambda path: _flip(path, -1),
    "a byte in the middle": lambda path: _flip(path, path.stat().st_size // 2),
    "cut in the middle": lambda path: _cut(path, path.stat().st_size // 2),
    "cut after the seal": lambda path: _cut(path, 32),
    "cut in the seal": lambda path: _cut(path, 10),
    "empty": lambda path: _cut(path, 0),
    "longer": _enlarge,
    "a link": _relink,
    "a pipe": _fifo,
    "readable by the group": lambda path: path.chmod(0o640),
    "writable by the group": lambda path: path.chmod(0o620),
    "readable by all": lambda path: path.chmod(0o604),
    "executable": lambda path: path.chmod(0o700),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_form_that_was_changed_is_refused_told_and_written_anew(place: Place, change: str) -> None:
    (form,) = place.forms
    CHANGES[change](form)
    cache = place.cache()
    loaded = place.load(cache)
    assert not kept(loaded)
    assert not decide(loaded, "pay", amount=2000).proceeds
    (note,) = cache.notes
    assert str(form) in note
    assert change != "a pipe" or "is no regular file" in note
    again = place.cache()
    assert kept(place.load(again))
    assert again.notes == []
    assert form.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("change", CHANGES)
def test_a_key_that_was_changed_makes_every_form_a_foreign_one(place: Place, change: str) -> None:
    key = place.directory / "key"
    if "seal" in change and "byte" not in change:
        _cut(key, 10)
    elif "content" in change:
        key.write_bytes(os.urandom(32))
    elif "middle" in change and "cut" in change:
        key.unlink()
    else:
        CHANGES[change](key)
    cache = place.cache()
    assert not kept(place.load(cache))
    assert len(cache.notes) == 1
    again = place.cache()
    assert kept(place.load(again))
    assert again.notes == []
    assert (key.stat().st_mode & 0o777, key.stat().st_size) == (0o600, 32)


def test_the_form_of_one_policy_is_none_of_another(place: Place) -> None:
    (form,) = place.forms
    lax = form.read_bytes()
    (place.policies / "below" / "rules.yaml").write_text("version: 1\nlists: {none: [a]}\n")
    assert decide(place.load(), "pay", amount=2000).proceeds
    (other,) = set(place.forms) - {form}
    form.write_bytes(other.read_bytes())
    other.write_bytes(lax)
    cache = place.cache()
    assert not kept(place.load(cache))
    assert "was not written by this gateway" in cache.notes[0]


def test_a_form_under_the_key_of_somebody_else_is_refused(place: Place, tmp_path: Path) -> None:
    (form,) = place.forms
    content = Sealed(str(place.directory)).read(form.stem)
    assert content is not None
    foreign = tmp_path / "foreign"
    Sealed(str(foreign)).write(form.stem, content)
    form.write_bytes((foreign / form.name).read_bytes())
    cache = place.cache()
    assert not kept(place.load(cache))
    assert cache.notes


def test_nothing_is_unpickled_that_is_not_authentic(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    (form,) = place.forms
    unpickled: list[bytes] = []
    monkeypatch.setattr("gateway.cache.packed.unpacked", lambda content, _: unpickled.append(content))
    for change in ("a byte of the seal", "the last byte", "longer", "readable by all"):
        CHANGES[change](form)
        place.load()
        assert unpickled == []


@AS_ROOT
def test_a_form_that_belongs_to_somebody_else_is_refused(place: Place) -> None:
    (form,) = place.forms
    os.chown(form, NOBODY, NOBODY)
    cache = place.cache()
    assert not kept(place.load(cache))
    assert "belongs to somebody else" in cache.notes[0]
    assert kept(place.load())
    assert form.stat().st_uid == os.geteuid()


@AS_ROOT
def test_a_key_that_belongs_to_somebody_else_is_refused(place: Place) -> None:
    os.chown(place.directory / "key", NOBODY, NOBODY)
    cache = place.cache()
    assert not kept(place.load(cache))
    assert "belongs to somebody else" in cache.notes[0]
    assert kept(place.load())


@AS_ROOT
def test_a_directory_that_belongs_to_somebody_else_is_not_used(place: Place) -> None:
    os.chown(place.directory, NOBODY, NOBODY)
    _refused(place, "belongs to somebody else")


@AS_ROOT
def test_a_directory_below_one_of_somebody_else_is_not_used(place: Place) -> None:
    os.chown(place.directory.parent, NOBODY, NOBODY)
    _unused(place)


@pytest.mark.parametrize("mode", [0o770, 0o750, 0o701, 0o777, 0o702])
def test_a_directory_that_is_open_to_others_is_not_used(place: Place, mode: int) -> None:
    place.directory.chmod(mode)
    _refused(place, "is open to others")


def test_a_directory_that_is_a_link_is_not_used(place: Place) -> None:
    there = place.directory.rename(place.root / "there")
    place.directory.symlink_to(there)
    _refused(place, "a link")


def test_a_directory_that_is_a_file_is_not_used(place: Place) -> None:
    place.directory.rename(place.root / "there")
    place.directory.write_text("")
    _refused(place, "is no directory")


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o722])
def test_a_directory_below_one_that_others_can_write_is_not_used(place: Place, mode: int) -> None:
    place.directory.parent.chmod(mode)
    _unused(place)


def test_a_directory_below_one_in_which_all_have_their_own_files_is_used(place: Place) -> None:
    place.directory.parent.chmod(0o1777)
    assert kept(place.load())


def test_a_link_on_the_way_is_followed_to_what_is_checked(place: Place) -> None:
    there = place.directory.parent.rename(place.root / "there")
    place.directory.parent.symlink_to(there)
    assert kept(place.load())
    there.chmod(0o777)
    _unused(place)


def _refused(place: Place, why: str) -> None:
    """It is not read, nothing is written there, and a person is told."""
    before = _there(place)
    cache = place.cache()
    loaded = place.load(cache)
    assert not kept(loaded)
    assert not decide(loaded, "pay", amount=2000).proceeds
    assert [why in note for note in cache.notes] == [True], cache.notes
    assert _there(place) == before


def _unused(place: Place) -> None:
    """It is neither read nor written, and there is nothing to tell."""
    before = _there(place)
    cache = place.cache()
    assert not kept(place.load(cache))
    assert cache.notes == []
    assert _there(place) == before


def _there(place: Place) -> list[tuple[str, int]]:
    return sorted((str(path), path.lstat().st_mtime_ns) for path in place.root.rglob("*"))


@pytest.mark.parametrize("path", ["/proc/gatewayctl", "/dev/null/gatewayctl", f"/tmp/{'x' * 300}/gatewayctl"])
def test_where_nothing_can_be_kept_everything_works(place: Place, path: str) -> None:
    from gateway import Cache

    cache = Cache(path)
    for _ in range(2):
        assert not kept(place.load(cache))
    assert cache.notes == []


def test_what_is_made_is_for_the_user_alone_whatever_the_process_masks(tmp_path: Path) -> None:
    directory = tmp_path / "made" / "gatewayctl"
    for mask in (0o000, 0o027, 0o277):
        before = os.umask(mask)
        try:
            if mask == 0o277:
                directory.mkdir(0o700, parents=True, exist_ok=True)
            Sealed(str(directory)).write(f"name-{mask}", b"content")
        finally:
            os.umask(before)
    assert directory.stat().st_mode & 0o777 == 0o700
    assert directory.parent.stat().st_mode & 0o077 == 0
    assert {path.stat().st_mode & 0o777 for path in directory.iterdir()} == {0o600}


def test_no_more_than_so_many_are_kept_and_the_last_are(tmp_path: Path) -> None:
    sealed = Sealed(str(tmp_path / "kept"))
    for number in range(MOST_FILES + 6):
        sealed.write(f"f{number:03}", b"content")
        os.utime(tmp_path / "kept" / f"f{number:03}.form", (number, number))
    sealed.write("last", b"content")
    names = sorted(path.stem for path in (tmp_path / "kept").glob("*.form"))
    assert len(names) == MOST_FILES
    assert names[-1] == "last"
    assert "f000" not in names
    assert sealed.read("last") == b"content"


def test_what_killed_processes_left_behind_is_removed_in_time(tmp_path: Path) -> None:
    sealed = Sealed(str(tmp_path / "kept"))
    sealed.write("one", b"content")
    left, fresh = (tmp_path / "kept" / name for name in ("new-1-a", "new-2-b"))
    for path in (left, fresh):
        path.write_bytes(b"half")
    os.utime(left, (1, 1))
    sealed.write("two", b"content")
    assert (left.exists(), fresh.exists()) == (False, True)


def test_a_directory_is_told_apart_by_what_was_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever exchanges the directory after it was opened changes nothing of what is read.
    sealed = Sealed(str(tmp_path / "kept"))
    sealed.write("one", b"content")
    with Private(str(tmp_path / "kept")) as directory:
        (tmp_path / "kept").rename(tmp_path / "mine")
        (tmp_path / "kept").mkdir()
        (tmp_path / "kept" / "one.form").write_bytes(b"theirs")
        read = directory.read("one.form", 100)
        assert read is not None
        assert read.endswith(b"content")
    with pytest.raises(Refused):
        sealed.read("one")
