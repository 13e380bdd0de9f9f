"""Kill a process at every step of a call's life: `python -m tests.acceptance.crash --kills N --store sqlite|postgres`.

A worker runs calls with `Gateway.run`, and is killed (SIGKILL) before and after everything that it asks of the store,
before and after the effect, and at moments that nobody chose. Another process then goes on: it asks for the same call
again and, where a person is asked, answers in turn that it runs again, that it happened, and that it is given up. The
last line counts the kills and what was violated of

- effects of a call: one, and one more for each time that a person let it run again;
- each effect has an entry in the journal that was there before it;
- what was started and has not ended is asked about, and never runs by itself;
- an approval lets a call run once;
- an override that relaxes is there with its row in the audit or not at all, and has one row however often it was asked for.

Exit code 1 if anything was. Nothing is run but this; the effects are lines in a file of a temporary directory.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gateway import Code, Effect, Gateway, Manifest, Ran
from gateway.answering import Answer, Verdict
from gateway.call import ToolCall
from gateway.compile import compile_policy
from gateway.inspect.guard import Guard
from gateway.journal import Entered, Progress, journal_key
from gateway.load import load_text
from gateway.managing.kept import audit_key, kept_in
from gateway.session import Session
from gateway.state import Change, Key, Piece, Row, State, Store, Window
from gateway.stores import open_store

POLICY = """
version: 1
settings: {confirm_from: HIGH}
agents:
  - {name: clerk, tools: ["*"], tenants: ["*"]}
  - {name: console, tools: ["gateway/*"], tenants: ["*"]}
defaults: [{tools: ["*"], permissions: [], parameters: {type: object, required: [n], properties: {n: {type: integer}}}}]
tools: [{name: save, risk: MEDIUM}, {name: pay, risk: HIGH}, {name: mail, risk: LOW}, {name: rest, risk: LOW, enabled: false}]
limits: [{id: mails, tools: [mail], per: tenant, rate: 1000000/d}]
"""
OVERRIDE = "gateway/override"
TOOLS = ("save", "pay", "mail", OVERRIDE)
SESSION: Mapping[str, Any] = {
    "id": "s-1",
    "tenant": "acme",
    "agent": "clerk",
    "can_ask": True,
    "subject": {"id": "u-1", "tenant": "acme", "authenticated": True},
}
PERSON: Mapping[str, Any] = {**SESSION, "id": "console", "subject": {**SESSION["subject"], "id": "u-2"}}
OPERATOR: Mapping[str, Any] = {
    **SESSION,
    "id": "terminal",
    "agent": "console",
    "subject": {**SESSION["subject"], "permissions": ["gateway:override"]},
}
ANSWERS = (Verdict.APPROVE, Verdict.HAPPENED, Verdict.REJECT)
_LONGEST_NAP = 0.02


class Doomed:
    """Counts the points that a process passes, and kills it at one of them."""

    def __init__(self, at: int | None) -> None:
        self._left = at

    def point(self) -> None:
        """One more point."""
        if self._left is not None:
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            self._left -= 1


class Watched:
    """A store with a point before and after whatever is asked of it."""

    def __init__(self, store: Store, doomed: Doomed) -> None:
        self._store = store
        self._doomed = doomed

    def read(self, keys: Sequence[Key | Window]) -> State:
        """As the store does."""
        self._doomed.point()
        found = self._store.read(keys)
        self._doomed.point()
        return found

    def apply(self, changes: Sequence[Change]) -> None:
        """As the store does."""
        self._doomed.point()
        self._store.apply(changes)
        self._doomed.point()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    piece: Callable[[Key, int, int], Piece | None]
    last: Callable[[Key], Row | None]


@dataclass
class World:
    """Where a run keeps its things, and what was found."""

    url: str
    effects: Path
    kills: int = 0
    questions: int = 0
    violations: list[str] = field(default_factory=list)

    def gateway(self, doomed: Doomed) -> Gateway:
        """A gateway on the store, as a process makes it for itself."""
        summary = COMPILED.summary
        store: Any = Watched(open_store(self.url), doomed)
        return Gateway(COMPILED.engine, Manifest(path="crash", **summary), store=store)

    def effects_of(self, name: str) -> list[dict[str, Any]]:
        """The effects that a call has had."""
        lines = self.effects.read_text().splitlines() if self.effects.exists() else []
        return [one for line in lines if (one := json.loads(line))["call"] == name]


COMPILED = compile_policy(load_text(POLICY, "crash.yaml"), Guard((), ()))


def forked(work: Callable[[], Any]) -> tuple[int, Any]:
    """Do something in a process of its own: the signal that ended it, and what it came to."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            with os.fdopen(writing, "w") as out:
                json.dump(work(), out)
            os._exit(0)
        except BaseException as error:  # the edge of the process
            print(f"a worker failed: {error!r}", file=sys.stderr)
            os._exit(70)
    os.close(writing)
    with os.fdopen(reading) as back:
        said = back.read()
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) != 0:
        raise RuntimeError("a worker failed")
    return (os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0), json.loads(said) if said else None


def effect(world: World, name: str, gateway: Gateway, doomed: Doomed) -> Callable[[Mapping[str, Any]], Any]:
    """What a call does: a line in the file, which says whether the journal had the call before."""
    key = journal_key(ToolCall("", id=name), Session.of(SESSION))

    def work(arguments: Mapping[str, Any]) -> dict[str, Any]:
        doomed.point()
        assert gateway._keeper is not None
        kept = gateway._keeper.store._store.read((key,)).entries.get(key)  # type: ignore[attr-defined]
        known = kept is not None and Entered.of(kept.value).progress is Progress.STARTED
        line = json.dumps({"call": name, "known": known}) + "\n"
        with world.effects.open("a") as out:
            out.write(line)
            out.flush()
            os.fsync(out.fileno())
        doomed.point()
        return {"done": arguments["n"]}

    return work


def who(tool: str) -> Mapping[str, Any]:
    """Whose conversation a call is made in."""
    return OPERATOR if tool == OVERRIDE else SESSION


def asked(world: World, gateway: Gateway, tool: str, name: str, doomed: Doomed) -> Ran:
    """Ask for a call, and run it where it may."""
    if tool != OVERRIDE:
        work = effect(world, name, gateway, doomed)
        return gateway.run({"tool": tool, "id": name, "arguments": {"n": 1}}, SESSION, work)
    override = {"tool": "rest", "enabled": True, "reason": name}
    confirm = gateway.relaxing(override, OPERATOR).confirm
    return gateway.manage(
        {"tool": OVERRIDE, "id": name, "arguments": {**override, "confirm": confirm}}, OPERATOR
    )


def live(world: World, tool: str, name: str, doomed: Doomed) -> str:
    """A call's life, with a person who agrees when asked."""
    gateway = world.gateway(doomed)
    ran = asked(world, gateway, tool, name, doomed)
    if ran.decision.effect is Effect.ASK and ran.decision.approval is not None:
        doomed.point()
        gateway.resume(ran.decision.approval["id"], Answer(Verdict.APPROVE), PERSON)
        doomed.point()
        ran = asked(world, gateway, tool, name, doomed)
    return ran.decision.code.value


def overridden(world: World, name: str) -> tuple[int, bool]:
    """How many rows the audit has about the override of a call, and whether it is the one in force."""
    store = open_store(world.url)
    rows = [json.loads(row.value)["reason"] for row in store.rows(audit_key("acme"), 0, 1_000_000)]
    kept = kept_in(store, "acme").overrides.get("rest")
    return rows.count(name), kept is not None and kept.reason == name


def progress(world: World, tool: str, name: str) -> str:
    """How far the journal says that a call has come."""
    key = journal_key(ToolCall("", id=name), Session.of(who(tool)))
    kept = open_store(world.url).read((key,)).entries.get(key)
    return "none" if kept is None else Entered.of(kept.value).progress.value


def go_on(world: World, tool: str, name: str, verdict: str) -> dict[str, Any]:
    """Ask for a call again until it is decided: which codes it was answered, and whether it was let run again."""
    doomed = Doomed(None)
    gateway = world.gateway(doomed)
    codes: list[str] = []
    again = 0
    for _ in range(6):
        ran = asked(world, gateway, tool, name, doomed)
        codes.append(ran.decision.code.value)
        if ran.decision.effect is not Effect.ASK or ran.decision.approval is None:
            break
        unknown = Code.OUTCOME_UNKNOWN.value in ran.decision.approval["reasons"]
        answer = Verdict(verdict) if unknown else Verdict.APPROVE
        again += unknown and answer is Verdict.APPROVE
        gateway.resume(ran.decision.approval["id"], Answer(answer, "as it is", {"told": 1}), PERSON)
    return {"codes": codes, "again": again}


def killed(world: World, tool: str, name: str, at: int | None, nap: float) -> bool:
    """Let a worker live a call and be killed: at a point, or after a nap. Whether it was killed before its end."""
    if at is not None:
        ended, _ = forked(lambda: live(world, tool, name, Doomed(at)))
        return ended == signal.SIGKILL
    child = os.fork()
    if child == 0:
        try:
            live(world, tool, name, Doomed(None))
        finally:
            os._exit(0)
    time.sleep(nap)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def check(world: World, tool: str, name: str, verdict: Verdict) -> None:
    """Go on after a kill, and note what is not as it has to be."""
    _, before = forked(lambda: progress(world, tool, name))
    early = len(world.effects_of(name))
    _, after = forked(lambda: go_on(world, tool, name, verdict.value))
    effects = world.effects_of(name)
    codes = after["codes"]
    said = f"{tool} {name}: {before}, then {codes}, {early} and then {len(effects)} effects"
    if len(effects) > 1 + after["again"]:
        world.violations.append(f"more effects than were let run: {said}")
    if not all(one["known"] for one in effects):
        world.violations.append(f"an effect that the journal did not know before: {said}")
    if early and before == "none":
        world.violations.append(f"an effect without an entry: {said}")
    if before == "started":
        world.questions += 1
        if codes[0] != Code.OUTCOME_UNKNOWN.value:
            world.violations.append(f"what was started was not asked about: {said}")
    elif Code.OUTCOME_UNKNOWN.value in codes:
        world.violations.append(f"a person was asked about what was not started: {said}")
    if codes[-1] not in ("ALLOWED", "ALREADY_COMPLETED", "APPROVAL_REJECTED"):
        world.violations.append(f"it came to no end: {said}")
    if codes[-1] == "APPROVAL_REJECTED" and len(effects) > early:
        world.violations.append(f"it ran though it was given up: {said}")
    if tool == OVERRIDE:
        _, (rows, in_force) = forked(lambda: overridden(world, name))
        ran = codes[-1] == "ALLOWED"
        if rows > 1 or bool(rows) != in_force or (ran and not rows):
            world.violations.append(f"{rows} rows of the audit, in force: {in_force}: {said}")
    _, last = forked(lambda: go_on(world, tool, name, Verdict.REJECT.value))
    if last["codes"] not in (["ALREADY_COMPLETED"], ["APPROVAL_REJECTED"]) or len(
        world.effects_of(name)
    ) != len(effects):
        world.violations.append(f"it ran once more unasked: {said}, then {last['codes']}")


def run(world: World, kills: int, seed: int) -> None:
    """Kill so many workers: at each point of each kind of call in turn, and now and then at any moment."""
    chance = random.Random(seed)  # noqa: S311
    number = 0
    while world.kills < kills:
        for tool in TOOLS:
            at = 0
            while world.kills < kills:
                number += 1
                name = f"c-{number}"
                by_chance = number % 4 == 0
                nap = chance.random() * _LONGEST_NAP
                was_killed = killed(world, tool, name, None if by_chance else at, nap)
                world.kills += was_killed
                check(world, tool, name, ANSWERS[number % len(ANSWERS)])
                if not by_chance:
                    if not was_killed:
                        break
                    at += 1


@contextmanager
def stored(kind: str, folder: Path) -> Iterator[str]:
    """The address of an empty store of a kind."""
    if kind == "sqlite":
        yield f"sqlite://{folder}/state/store.db"
        return
    from tests.stores.server import Disk, postgres

    with postgres(Disk.REAL) as url:
        yield url


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill, count, and say what was violated."""
    parser = argparse.ArgumentParser(prog="python -m tests.acceptance.crash", description=__doc__)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as made_folder, stored(given.store, Path(made_folder)) as url:
        world = World(url, Path(made_folder) / "effects")
        run(world, given.kills, given.seed)
    for violation in world.violations:
        print(violation)
    print(
        f"{given.store}: {world.kills} kills in {time.monotonic() - began:.0f} s, {world.questions} questions, "
        f"{len(world.violations)} violations"
    )
    return 1 if world.violations else 0


if __name__ == "__main__":
    sys.exit(main())
