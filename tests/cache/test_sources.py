"""Which form a policy has: that of all bytes that were read, under the code that compiled them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

import gateway
from gateway import Gateway
from gateway.cache.version import version
from gateway.sources import sources_of
from tests.cache.loading import RULES, Place, decide, kept, made


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = made(tmp_path)
    place.load()
    assert kept(place.load())
    return place


def _append(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"# one more\n")


SOURCES: dict[str, Callable[[Place], Path]] = {
    "a file of the policy": lambda place: place.policies / "tools.yaml",
    "a file in a folder below": lambda place: place.policies / "below" / "rules.yaml",
    "the user's layer": lambda place: place.user,
    "a file of the project's layer": lambda place: place.project / "rules.yaml",
}


@pytest.mark.parametrize("source", SOURCES)
def test_a_source_that_changed_is_read_again(place: Place, source: str) -> None:
    path = SOURCES[source](place)
    before = path.read_bytes()
    _append(path)
    assert not kept(place.load()), source
    assert kept(place.load())
    path.write_bytes(before)
    assert kept(place.load()), "the form before is still that of the bytes before"


def test_size_and_time_of_a_file_are_not_trusted(place: Place) -> None:
    path = place.policies / "below" / "rules.yaml"
    about = path.stat()
    path.write_text(RULES.replace("1000", "5000"))
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert path.stat().st_size == about.st_size
    changed = place.load()
    assert not kept(changed)
    assert decide(changed, "pay", amount=2000).proceeds


def test_a_file_that_was_added_removed_renamed_or_moved_counts(place: Place) -> None:
    more = place.policies / "more.yaml"
    more.write_text("version: 1\nlists: {one: [a]}\n")
    assert not kept(place.load())
    more.rename(place.policies / "other.yaml")
    assert not kept(place.load())
    (place.policies / "other.yaml").unlink()
    assert kept(place.load())
    (place.policies / "below" / "rules.yaml").rename(place.policies / "rules.yaml")
    assert not kept(place.load())


def test_layers_are_not_mistaken_for_one_another(place: Place) -> None:
    one, other = place.user.read_bytes(), (place.project / "rules.yaml").read_bytes()
    place.user.write_bytes(other)
    (place.project / "rules.yaml").write_bytes(one)
    assert not kept(place.load())
    assert not kept(place.load(user=None))


def test_the_same_policy_elsewhere_has_a_form_of_its_own_since_reasons_name_its_files(
    place: Place, tmp_path: Path
) -> None:
    there = copytree(place.policies, tmp_path / "there")
    Gateway.load(place.policies, cache=place.cache())
    assert kept(Gateway.load(place.policies, cache=place.cache()))
    loaded = Gateway.load(there, cache=place.cache())
    assert not kept(loaded)
    assert str(there) in decide(loaded, "pay", amount=2000).detail


def test_which_file_is_trusted_and_which_only_tightens_counts(place: Place) -> None:
    both = place.root / "both"
    both.mkdir()
    one, other = both / "one.yaml", both / "other.yaml"
    for path, rule in ((one, "a"), (other, "b")):
        path.write_text(
            f"version: 1\nrules: [{{id: {rule}, tools: ['*'], when: session.can_ask, effect: deny}}]\n"
        )
    Gateway.load(one, user=other, cache=place.cache())
    assert kept(Gateway.load(one, user=other, cache=place.cache()))
    assert not kept(Gateway.load(other, user=one, cache=place.cache()))
    assert not kept(Gateway.load(both, cache=place.cache()))


def test_the_form_is_that_of_the_bytes_that_were_read(tmp_path: Path) -> None:
    place = made(tmp_path)
    sources = sources_of(str(place.policies), str(place.user), str(place.project))
    read = sources.read()
    before = (place.policies / "below" / "rules.yaml").read_bytes()
    # Somebody changes a file between reading and compiling, and again before the form is written.
    (place.policies / "below" / "rules.yaml").write_text(RULES.replace("1000", "5000"))
    assembled = sources.assembled(read)
    (place.policies / "below" / "rules.yaml").write_text(RULES.replace("1000", "9000"))
    cache = place.cache()
    cache.keep(read, assembled.compiled)
    assert assembled.policy.digest == read.digest
    now = place.load()
    assert not kept(now)
    assert decide(now, "pay", amount=6000).proceeds
    (place.policies / "below" / "rules.yaml").write_bytes(before)
    again = place.load()
    assert kept(again)
    assert again.manifest.digest == read.digest
    assert not decide(again, "pay", amount=2000).proceeds


def test_a_file_that_can_not_be_read_is_an_error_and_not_the_form_without_it(place: Place) -> None:
    (place.policies / "gone.yaml").symlink_to(place.root / "nowhere.yaml")
    with pytest.raises(gateway.PolicyError):
        place.load()


ASK = """
import sys
sys.path.insert(0, sys.argv[1])
from gateway import Cache, Gateway
import gateway
assert gateway.__file__.startswith(sys.argv[1])
loaded = Gateway.load(sys.argv[2], cache=Cache(sys.argv[3]))
print("kept" if loaded._files._assembled is None else "compiled")
"""


def ask(code: Path, place: Place) -> str:
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(code), str(place.policies), str(place.directory)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.strip()


def test_a_form_of_other_code_is_none(place: Place, tmp_path: Path) -> None:
    code = tmp_path / "code"
    copytree(Path(gateway.__file__).parent, code / "gateway")
    assert [ask(code, place), ask(code, place)] == ["compiled", "kept"]
    changed = code / "gateway" / "steps" / "rules.py"
    changed.write_text(changed.read_text() + "# one more\n")
    assert [ask(code, place), ask(code, place)] == ["compiled", "kept"]
    about = changed.stat()
    changed.write_text(changed.read_text().replace("# one more", "# other on"))
    os.utime(changed, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert changed.stat().st_size == about.st_size
    assert [ask(code, place), ask(code, place)] == ["compiled", "kept"]
    pack = code / "gateway" / "patterns" / "git.yaml"
    pack.write_text(pack.read_text() + "# one more\n")
    assert ask(code, place) == "compiled"
    (code / "installed-2.0.dist-info").mkdir()
    assert [ask(code, place), ask(code, place)] == ["compiled", "kept"]


def test_a_process_that_runs_older_code_than_there_is_keeps_nothing(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = max(path.stat().st_ctime_ns for path in Path(gateway.__file__).parent.rglob("*.py"))
    monkeypatch.setattr(gateway, "BEGAN", newest)
    version.cache_clear()
    try:
        assert version() is None
        forms = place.forms
        cache = place.cache()
        assert not kept(place.load(cache))
        assert (place.forms, cache.notes) == (forms, [])
    finally:
        version.cache_clear()
