"""Calls that were made before, decided by two policies: test cases, batches and decision logs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gateway.frozen import frozen
from gatewayctl.inputs import read_bytes, unique
from gatewayctl.output import Failure

if TYPE_CHECKING:
    from gateway.search import Request
    from gateway.sources import Assembled


@frozen
class Asked:
    """A call of a corpus, and what it is called there."""

    name: str
    request: Request


@frozen
class Otherwise:
    """A call that two policies decide differently; `how` says what is more permissive, if anything is."""

    name: str
    said: str
    how: str


@dataclass(frozen=True, slots=True)
class Differing:
    """The calls of a corpus that are decided differently."""

    asked: int
    listed: tuple[Otherwise, ...]

    @property
    def looser(self) -> tuple[Otherwise, ...]:
        """Those that are decided more permissively."""
        return tuple(one for one in self.listed if one.how)

    def as_json(self) -> dict[str, Any]:
        """What scripts read."""
        return {
            "asked": self.asked,
            "differing": [
                {"name": one.name, "said": one.said, "looser": bool(one.how)} for one in self.listed
            ],
        }


def read_corpus(paths: Iterable[Path], old: Assembled, new: Assembled) -> tuple[Asked, ...]:
    """The calls in some files. A log tells no permissions: its subjects hold what the tool takes."""
    return tuple(asked for path in paths for asked in _read(path, old, new))


def _read(path: Path, old: Assembled, new: Assembled) -> Iterator[Asked]:
    if path.is_dir() or path.name.endswith((".test.yaml", ".test.yml")):
        yield from _cases(path)
        return
    for number, line in enumerate(read_bytes(path).splitlines(), 1):
        if not line.strip():
            continue
        name = f"{path}:{number}"
        try:
            data = json.loads(line, object_pairs_hook=unique)
        except (ValueError, RecursionError):
            raise Failure(f"`{name}` is not JSON", "a corpus holds one JSON object a line") from None
        if not isinstance(data, dict):
            raise Failure(f"`{name}` is no object")
        request = _request(data) if "call" in data and "session" in data else _recorded(data, old, new)
        if request is not None:
            yield Asked(f"{name} ({data['id']})" if data.get("id") else name, request)


def _cases(path: Path) -> Iterator[Asked]:
    """The calls of test cases, read beside their own policies; what they expect is for `gatewayctl test`."""
    from gateway.search import Request
    from gateway.testing import load_cases

    for case in load_cases(path):
        if case.call is not None:
            now = case.now or _now()
            request = Request(
                _name(case.call),
                case.call.get("arguments", {}),
                case.session,
                now,
                iteration=case.call.get("iteration"),
            )
            yield Asked(f"{case.place}: {case.name}", request)


def _now() -> datetime:
    return datetime.now(UTC)


def _request(data: Mapping[str, Any]) -> Request:
    from gateway.search import Request

    call, session, now = data["call"], data["session"], data.get("now")
    if (
        not isinstance(call, Mapping)
        or not isinstance(session, Mapping)
        or not isinstance(call.get("tool"), str)
    ):
        raise Failure("a line of a corpus is `{id, session, call: {tool, arguments}, now?}`")
    arguments, iteration = call.get("arguments", {}), call.get("iteration")
    return Request(_name(call), arguments, session, _moment(now), iteration=iteration)


def _name(call: Mapping[str, Any]) -> str:
    return str(call["tool"]) if call.get("server") is None else f"{call['server']}/{call['tool']}"


def _moment(text: object) -> datetime:
    if text is None:
        return _now()
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        raise Failure(f"`{text}` is no moment, such as `2027-01-31T18:00:00Z`") from None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _recorded(data: Mapping[str, Any], old: Assembled, new: Assembled) -> Request | None:
    """The call of a record, if all of its arguments are in it."""
    from gateway.search import Request

    arguments = data.get("arguments")
    if data.get("kind") != "decision" or not isinstance(arguments, Mapping) or data.get("hidden"):
        return None
    tool = str(data.get("tool", ""))
    plans = [side.compiled.engine.tools[tool] for side in (old, new) if tool in side.compiled.engine.tools]
    held = sorted({permission for plan in plans for permission in plan.permissions})
    session = {
        "id": str(data.get("session", "")) or "s-1",
        "tenant": data.get("tenant"),
        "agent": str(data.get("agent", "")),
        "channel": "internal",
        "can_ask": True,
        "subject": {
            "id": str(data.get("subject", "")) or "unknown",
            "tenant": data.get("tenant"),
            "authenticated": True,
            "permissions": held,
        },
    }
    at = _recorded_at(data.get("at"))
    return Request(tool, arguments, session, at, iteration=data.get("iteration"))


def _recorded_at(at: object) -> datetime:
    """The time of a record, in microseconds since 1970."""
    if not isinstance(at, int) or isinstance(at, bool) or not 0 <= at < _LATEST:
        raise Failure(f"`{at}` is no time of a record", "it is a number of microseconds since 1970")
    return datetime.fromtimestamp(at / 1e6, UTC)


_LATEST = 253_370_764_800_000_000
"""The beginning of the year 9999."""


def decided_differently(asked: Iterable[Asked], old: Assembled, new: Assembled) -> Differing:
    """The calls that the policies answer with another effect, or more permissively in another way."""
    from gateway.call import CallError
    from gateway.diff import Pair
    from gateway.session import SessionError

    pair = Pair(old.compiled.engine, new.compiled.engine)
    found: list[Otherwise] = []
    count = 0
    for one in asked:
        try:
            before, after = pair.answers(one.request)
            shown = pair.looser(one.request)
        except (CallError, SessionError) as error:
            raise Failure(f"`{one.name}` is no call that can be decided: {error}") from None
        count += 1
        how = "" if shown is None else shown.how
        if how or before.effect is not after.effect:
            said = how or f"{before.effect.value} -> {after.effect.value}"
            found.append(Otherwise(one.name, said, how))
    return Differing(count, tuple(found))
