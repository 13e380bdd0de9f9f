"""What is kept of generations is forgotten when a change is heard of, and in any case after the bound."""

from __future__ import annotations

import time

from gateway.state import Kind
from gateway.stores.watch import Notices, Watch

GROUP = ("acme", Kind.OVERRIDE)


def silent() -> Notices:
    yield from ()


def test_an_answer_that_a_change_overtook_is_not_kept() -> None:
    number = 1

    def ask(tenant: str, kind: Kind) -> int:
        nonlocal number
        answer = number
        if number == 1:
            number = 2
            watch.changed(GROUP)
        return answer

    watch = Watch(ask, silent, 60)
    time.sleep(0)
    assert watch.generation(*GROUP) == 1
    assert watch.generation(*GROUP) == 2
    watch.close()


def test_one_group_is_forgotten_or_all() -> None:
    asked: list[str] = []

    def ask(tenant: str, kind: Kind) -> int:
        asked.append(tenant)
        return 0

    def told() -> Notices:
        while True:
            yield []
            time.sleep(0.01)

    watch = Watch(ask, told, 60)
    for tenant in ("acme", "other", "acme", "other"):
        watch.generation(tenant, Kind.OVERRIDE)
    watch.changed(GROUP)
    for tenant in ("acme", "other"):
        watch.generation(tenant, Kind.OVERRIDE)
    watch.changed(None)
    for tenant in ("acme", "other"):
        watch.generation(tenant, Kind.OVERRIDE)
    assert asked == ["acme", "other", "acme", "acme", "other"]
    watch.close()
