"""What a part of a condition came to, as a trace shows it: nothing in it tells of a sensitive argument."""

from __future__ import annotations

import json

from gateway.cel import CelError, Decimal, Duration, Observation, Timestamp
from gateway.cel.functions.addresses import write_cidr, write_ip
from gateway.cel.functions.instants import write_duration, write_timestamp
from gateway.cel.values import Cidr, Ip, OptionalValue, Url, adopt
from gateway.diagnostic import printable
from gateway.later import later
from gateway.steps.secrets import HIDDEN, without

_LONGEST = 120


def _named(value: object) -> str:
    """A value that JSON has no form for: CEL's own, and otherwise only its type, since hosts' objects may fail."""
    if isinstance(value, Timestamp):
        return write_timestamp(value)
    if isinstance(value, Duration):
        return write_duration(value)
    if isinstance(value, Ip):
        return write_ip(value)
    if isinstance(value, Cidr):
        return write_cidr(value)
    if isinstance(value, Url):
        return f"{value.scheme}://{value.hostname}/…"  # the rest may hold secrets, encoded past recognition
    return str(value) if isinstance(value, bytes | Decimal) else f"<{type(value).__name__}>"


_PATH = later(r"""([A-Za-z_]\w*)(?:\.\??[A-Za-z_]\w*|\[\??(?:\d+|"[^"]*"|'[^']*')\])*""")
_TEXT = later(r""""[^"]*"|'[^']*'""")
_NAME = later(r"(?<![.\w])[A-Za-z_]\w*(?![\w(])")
_ROOTS = frozenset(("subject", "session", "tool", "agent", "turn", "call", "lists", "now"))
_ARGUMENTS = frozenset(("args", "roles"))


def _may_tell(text: str) -> bool:
    """Whether a part of a condition has a value that is the call's own, or nothing that the arguments lead to."""
    path = _PATH.fullmatch(text)
    if path is not None:
        return path.group(1) in _ROOTS | _ARGUMENTS
    return _ROOTS.issuperset(_NAME.findall(_TEXT.sub("", text)))


def shown(seen: Observation, hidden: frozenset[str]) -> str:
    """A value as it would be written in a policy, cut where it is long, without sensitive texts.

    What is computed from arguments may tell of a sensitive one in other words, so nothing but a truth value is shown.
    """
    if hidden and not _may_tell(seen.text) and (seen.error or seen.value.__class__ is not bool):
        return "error" if seen.error is not None else HIDDEN
    if seen.error is not None:
        return f"error: {seen.error}"
    value = seen.value
    if isinstance(value, OptionalValue):
        value = value.value if value.present else "(absent)"
    try:
        text = json.dumps(adopt(value), ensure_ascii=False, default=_named)
    except (TypeError, ValueError, CelError):
        text = _named(value)
    text = printable(without(text, hidden))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
