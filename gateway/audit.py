"""The audit file: a line of JSON for each relaxation that somebody confirmed, written once and never changed."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gateway.diagnostic import Diagnostic, PolicyError
from gateway.interval import parse_until, passed
from gateway.risk import RiskLevel, parse_or_high

if TYPE_CHECKING:
    from gateway.compile.overrides import Relaxation


def write_audit(
    path: Path | None, relaxations: Sequence[Relaxation], confirm_from: RiskLevel, now: datetime
) -> None:
    """Write a row for each relaxation that has none yet (B8); `PolicyError` where that can't be done.

    Several processes may share a file. A row is looked for by tenant, tool and digest, so that the same
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
    except OSError as error:
        why = (error.strerror or "it can't be written").lower()
        raise PolicyError(
            [Diagnostic("audit-unwritable", f"the audit file `{path}` can't be written: {why}")]
        ) from None


def _append(path: Path, relaxations: Sequence[Relaxation], confirm_from: RiskLevel, now: datetime) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "r+b") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)  # held until the file is closed
        content = stream.read()
        there = set(_written(content))
        rows = [_row(each, confirm_from, now) for each in relaxations if _key(each) not in there]
        if not rows:
            return
        # A line that a killed process left unfinished is ended, never taken back.
        start = b"" if not content or content.endswith(b"\n") else b"\n"
        stream.write(start + b"".join(json.dumps(row).encode("ascii") + b"\n" for row in rows))
        stream.flush()
        os.fsync(stream.fileno())


def _key(relaxation: Relaxation) -> tuple[str, str, str]:
    return relaxation.tenant, relaxation.tool, relaxation.digest


def _written(content: bytes) -> Iterator[tuple[str, str, str]]:
    """What rows there are; a line that is no row stands for nothing."""
    for line in content.splitlines():
        try:
            row = json.loads(line)
            yield str(row["tenant"]), str(row["tool"]), str(row["digest"])
        except (ValueError, KeyError, TypeError, RecursionError):
            continue


def _row(relaxation: Relaxation, confirm_from: RiskLevel, now: datetime) -> dict[str, Any]:
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
        "enforcement_changes": any(change.enforced for change in relaxation.changes),
        "operator_id": None,
        "operator_name": relaxation.by,
        "confirmed_on": relaxation.at,
        "reason": relaxation.reason,
        "until": relaxation.until,
        "digest": relaxation.digest,
    }
