"""Policies that change under a gateway that watches them: served when they may be, told in any case."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gateway import Code, Gateway, OnRelaxation, PolicyError
from gateway.record import Record, Unrecorded
from gateway.watching import Reloaded, Watching
from tests.engine.build import confirmed, gateway
from tests.engine.test_reload import LOOSER, SHOP, STRICTER, written

_PATIENCE = 20.0


class Told:
    """What a gateway tells of its reloads."""

    def __init__(self) -> None:
        self.seen: list[Reloaded] = []
        self._more = threading.Condition()

    def __call__(self, reloaded: Reloaded) -> None:
        with self._more:
            self.seen.append(reloaded)
            self._more.notify_all()

    def wait(self, number: int) -> Reloaded:
        """The reload of this number, counted from 1."""
        with self._more:
            assert self._more.wait_for(lambda: len(self.seen) >= number, _PATIENCE), self.seen
            return self.seen[number - 1]


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "policies" / "policy.yaml"
    path.parent.mkdir()
    path.write_text(SHOP)
    return path


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def watch(told: Told) -> Iterator[Callable[[Gateway], Watching]]:
    opened: list[Watching] = []

    def begin(gate: Gateway) -> Watching:
        opened.append(gate.watch(told))
        return opened[-1]

    yield begin
    for one in opened:
        one.close()


@pytest.mark.parametrize("whole", [True, False])
def test_a_change_of_the_files_is_served(
    policy: Path, told: Told, watch: Callable[[Gateway], Watching], whole: bool
) -> None:
    gate = Gateway.load(policy.parent if whole else policy)
    watch(gate)
    first = gate.manifest.digest
    policy.write_text(STRICTER)
    reloaded = told.wait(1)
    assert (reloaded.before, reloaded.after, reloaded.error) == (first, gate.manifest.digest, None)
    assert [change.item for change in reloaded.changes] == ["rules.large.condition"]
    assert written(gate, 7) is Code.RULE


def test_what_can_not_be_served_is_told_and_what_comes_after_it_is_served(
    policy: Path, told: Told, watch: Callable[[Gateway], Watching]
) -> None:
    gate = Gateway.load(policy)
    watch(gate)
    first = gate.manifest.digest
    policy.write_text(LOOSER)
    refused = told.wait(1)
    assert isinstance(refused.error, PolicyError)
    assert (refused.before, refused.after) == (first, "")
    assert gate.manifest.digest == first
    policy.write_text("version: 1\nnonsense: true\n")
    assert isinstance(told.wait(2).error, PolicyError)
    policy.unlink()
    assert isinstance(told.wait(3).error, PolicyError)
    policy.write_text(STRICTER)
    assert told.wait(4).error is None
    assert written(gate, 7) is Code.RULE
    assert len(told.seen) == 4


def test_files_that_are_put_in_place_of_others_are_seen(
    policy: Path, tmp_path: Path, told: Told, watch: Callable[[Gateway], Watching]
) -> None:
    """An editor writes a new file and renames it; a deployment turns a link round."""
    link = tmp_path / "current"
    link.symlink_to(policy.parent)
    gate = Gateway.load(link)
    watch(gate)
    new = tmp_path / "new.yaml"
    new.write_text(STRICTER)
    new.rename(policy)
    assert told.wait(1).error is None
    assert written(gate, 7) is Code.RULE
    next_folder = tmp_path / "next"
    next_folder.mkdir()
    (next_folder / "policy.yaml").write_text(STRICTER.replace("args.n > 5", "args.n > 3"))
    (tmp_path / "turned").symlink_to(next_folder)
    (tmp_path / "turned").replace(link)
    assert told.wait(2).error is None
    assert written(gate, 4) is Code.RULE


def test_a_lower_layer_is_watched_too(
    policy: Path, tmp_path: Path, told: Told, watch: Callable[[Gateway], Watching]
) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("version: 1\n")
    gate = Gateway.load(policy, project=own)
    watch(gate)
    own.write_text("version: 1\nrules: [{id: own, tools: [write], effect: deny, message: Not here.}]\n")
    assert [change.item for change in told.wait(1).changes] == ["rules.own"]


class Full:
    """A log that has no room at times."""

    full = True

    def record(self, record: Record) -> None:
        if self.full:
            raise Unrecorded("no space left")


def test_a_reload_that_failed_for_a_moment_was_never_tried_again(policy: Path, told: Told) -> None:
    log = Full()
    gate = Gateway.load(policy, recorder=log)
    with gate.watch(told):
        policy.write_text(STRICTER)
        assert "can't be written" in str(told.wait(1).error)
        time.sleep(3.5)
        assert len(told.seen) == 1, "it is told once, however often it is tried"
        log.full = False
        assert told.wait(2).error is None
        assert gate.manifest.digest == told.seen[1].after


def test_an_audit_file_that_was_held_for_a_moment_kept_the_reload_off(policy: Path, told: Told) -> None:
    audit = policy.parent.parent / "audit.jsonl"
    gate = Gateway.load(policy, audit=audit)
    audit.mkdir()
    entry = json.dumps({"tenant": "acme", "tools": ["write"], "permissions": [], "reason": "pilot"})
    with gate.watch(told):
        policy.write_text(confirmed(f"{SHOP}overrides: [{entry}]\n"))
        assert "audit file" in str(told.wait(1).error)
        audit.rmdir()
        assert told.wait(2).error is None
    assert len(audit.read_text().splitlines()) == 1


@pytest.mark.parametrize("error", [RuntimeError("the host failed"), SystemExit(3), KeyboardInterrupt()])
def test_a_host_that_fails_when_it_is_told_ends_nothing(
    policy: Path, told: Told, error: BaseException
) -> None:
    gate = Gateway.load(policy)

    def fails(reloaded: Reloaded) -> None:
        told(reloaded)
        raise error

    with gate.watch(fails, on_relaxation=OnRelaxation.WARN):
        policy.write_text(STRICTER)
        told.wait(1)
        policy.write_text(LOOSER)
        told.wait(2)
    assert written(gate, 11) is Code.ALLOWED


def test_nothing_is_reloaded_once_it_is_closed(policy: Path, told: Told) -> None:
    gate = Gateway.load(policy)
    gate.watch(told).close()
    policy.write_text(STRICTER)
    time.sleep(0.5)
    assert told.seen == []
    assert written(gate, 7) is Code.ALLOWED
    assert not [thread for thread in threading.enumerate() if thread.name == "gateway-reload"]


def test_what_was_reloaded_by_hand_is_not_reloaded_again(policy: Path, told: Told) -> None:
    gate = Gateway.load(policy)
    with gate.watch(told):
        with pytest.raises(PolicyError):
            policy.write_text(LOOSER)
            told.wait(1)
            gate.reload()
        gate.reload(on_relaxation=OnRelaxation.WARN)
        time.sleep(2.5)
    assert len(told.seen) == 1


def test_a_gateway_that_was_not_loaded_from_files_has_nothing_to_watch() -> None:
    with pytest.raises(PolicyError) as caught:
        gateway(SHOP).watch()
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["no-files"]


def test_watching_says_what_it_needs(policy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    with pytest.raises(PolicyError) as caught:
        Gateway.load(policy).watch()
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.help) == ("no-watching", "pip install 'gatewayctl[watch]'")
