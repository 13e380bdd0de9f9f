"""A limit that is never reached.

`1000000/h` is more than any conversation makes, a rate `per: call` counts each call alone, and beside a limit of 20 an
hour for the same tools one of 100 an hour is never the first to refuse. Such a limit reads as protection, and is none.

Bad:

    limits:
      - {id: payments, tools: [pay], per: subject, rate: 1000000/h}

Good:

    limits:
      - {id: payments, tools: [pay], per: subject, rate: 20/h}

To keep a limit that only stops a runaway program, write `# gateway: ignore[lax-limit] …` on the line of its rate.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.compile.names import governed
from gateway.diagnostic import Diagnostic, Related
from gateway.policy import Counted

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Limit, Policy

_OF_ONE, _OF_MANY = 10, 1000
"""How many calls a second one conversation hardly makes, and all of a tenant's together."""
_SHARED = (Counted.TENANT, Counted.TOOL, Counted.VALUE)
_REPEATS = 100


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each rate that is too high to matter, counts single calls, or comes after a stricter one."""
    tools = {limit.id: frozenset(governed(limit, compiled.declared)) for limit in policy.limits}
    for limit in policy.limits:
        if limit.repeats is not None and limit.repeats > _REPEATS:
            message = f"{limit.repeats} equal calls in a row are a loop long before this refuses"
            yield Diagnostic("", message, limit.where.span("repeats"), "write a small number, such as 3")
        if limit.rate is None or limit.per is None:
            continue
        span = limit.where.span("rate")
        if limit.per.counted is Counted.CALL:
            message = f"`{limit.id}` counts each call alone, so its rate is never reached"
            yield Diagnostic("", message, limit.where.span("per"), "count by `turn`, `session` or `subject`")
            continue
        most = _OF_MANY if limit.per.counted in _SHARED else _OF_ONE
        if limit.rate.count > most * limit.rate.window.total_seconds():
            message = f"`{limit.id}` allows more than {most} calls a second, which nobody reaches"
            yield Diagnostic("", message, span, "write how many are still ordinary")
            continue
        for other in policy.limits:
            if other is not limit and _first(other, limit) and tools[other.id] >= tools[limit.id]:
                message = f"`{limit.id}` never refuses: `{other.id}` is reached before"
                related = (Related(other.where.span("id"), f"`{other.id}` stands here"),)
                yield Diagnostic("", message, span, "remove one of them, or correct it", related=related)
                break


def _first(other: Limit, limit: Limit) -> bool:
    """Whether another limit refuses whatever this one would, leaving its tools aside."""
    if other.rate is None or limit.rate is None or other.monitor or other.per != limit.per:
        return False
    if limit.per is None or limit.per.counted in (Counted.VALUE, Counted.CALL):
        return False
    if other.when is not None or other.unless is not None:
        return False
    if any(
        getattr(other, key) not in (None, getattr(limit, key)) for key in ("tenants", "agents", "channels")
    ):
        return False
    count, window = other.rate.count, other.rate.window
    if (count, window) == (limit.rate.count, limit.rate.window) and other.id > limit.id:
        return False
    return count <= limit.rate.count and window >= limit.rate.window
