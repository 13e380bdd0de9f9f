"""The audit file: a line of JSON for each relaxation that somebody confirmed, written once and never changed."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any

from gateway.diagnostic import Diagnostic, PolicyError
from gateway.interval import parse_until, passed
from gateway.risk import RiskLevel, parse_or_high

if TYPE_CHECKING:
    from gateway.plan import ConfirmedRelaxation


MAX_BYTES = 256 * 1024 * 1024
_ATTEMPTS, _PAUSE = 100, 0.05


def write_audit(
    path: Path | None, relaxations: Sequence[ConfirmedRelaxation], confirm_from: RiskLevel, now: datetime
) -> None:
    """Write a row for each relaxation that has none yet (B8); `PolicyError` where that can't be done.

    Several processes may share a file. A row is looked for by all that it says but its time, so that the same
    confirmation is written once, however often the policy is loaded.
    """
    standing = [
        each for each in relaxations if each.until is None or not passed(parse_until(each.until), now)
    ]
    if not standing:
        return
    if path is None:
        named = ", ".join(f"`{each.tool}` for tenant `{each.tenant}`" for each in standing[:3])
        raise PolicyError(
            [
                Diagnostic(
                    "no-audit",
                    f"the policy holds confirmed relaxations ({named}), and no audit file is given",
                    help="say where their audit rows are kept: `Gateway.load(…, audit=PATH)`, or `--audit PATH`",
                )
            ]
        )
    try:
        _append(path, standing, confirm_from, now)
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", None) or "it can't be written").lower()
        raise PolicyError(
            [Diagnostic("audit-unwritable", f"the audit file `{path}` can't be written: {why}")]
        ) from None


def _append(
    path: Path, relaxations: Sequence[ConfirmedRelaxation], confirm_from: RiskLevel, now: datetime
) -> None:
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK
    with os.fdopen(os.open(path, flags, 0o600), "r+b") as stream:
        about = os.fstat(stream.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        _lock(stream.fileno())  # until the file is closed
        if about.st_size > MAX_BYTES:
            raise OSError(errno.EFBIG, f"it is larger than {MAX_BYTES} bytes; begin another one")
        content = stream.read()
        there = set(_written(content))
        rows: dict[str, dict[str, Any]] = {}
        for each in relaxations:
            row = audit_row(each, confirm_from, now, None)
            rows.setdefault(_said(row), row)
        missing = [row for said, row in rows.items() if said not in there]
        if not missing:
            return
        # A line that a killed process left unfinished is ended, never taken back.
        start = b"" if not content or content.endswith(b"\n") else b"\n"
        stream.write(start + b"".join(json.dumps(row).encode("ascii") + b"\n" for row in missing))
        stream.flush()
        os.fsync(stream.fileno())


def _lock(descriptor: int) -> None:
    """Take the file for this process alone; whoever holds it for long is not waited for."""
    for _ in range(_ATTEMPTS):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sleep(_PAUSE)
        else:
            return
    raise OSError(errno.EWOULDBLOCK, "another program holds it")


def _said(row: Mapping[str, Any]) -> str:
    """What a row says but for its time: a row that says anything else stands for another relaxation."""
    return json.dumps({key: value for key, value in row.items() if key != "at"}, sort_keys=True)


def _written(content: bytes) -> Iterator[str]:
    """What rows there are; a line that is no row stands for nothing."""
    for line in content.splitlines():
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            yield _said(row)


def audit_row(
    relaxation: ConfirmedRelaxation, confirm_from: RiskLevel, now: datetime, operator: str | None
) -> dict[str, Any]:
    """The row about a relaxation: what differs, who confirmed it and why (B8); nobody knows who wrote a file."""
    declared, effective = relaxation.declared, relaxation.effective

    def asks(risk: object) -> bool:
        return parse_or_high(risk) >= confirm_from

    return {
        "at": now.isoformat(),
        "tenant": relaxation.tenant,
        "tool": relaxation.tool,
        "risk_from": declared["risk"],
        "risk_to": effective["risk"],
        "confirmation_from": asks(declared["risk"]),
        "confirmation_to": asks(effective["risk"]),
        "permissions_from": declared["permissions"],
        "permissions_to": effective["permissions"],
        "enabled_from": declared["enabled"],
        "enabled_to": effective["enabled"],
        "enforcement_changes": relaxation.enforced,
        "operator_id": operator,
        "operator_name": relaxation.by,
        "confirmed_on": relaxation.at,
        "reason": relaxation.reason,
        "until": relaxation.until,
        "digest": relaxation.digest,
    }
