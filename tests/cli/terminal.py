"""Commands at a terminal, with somebody who types."""

from __future__ import annotations

import os
import pty
import re
import select
import sys
import time


def at_a_terminal(arguments: list[str], typed: str | None) -> tuple[int, str]:
    """The exit code and all that was shown, where somebody types the word that is asked for, or something else."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.executable, [sys.executable, "-m", "gatewayctl", *arguments])  # noqa: S606
    shown = b""
    until = time.monotonic() + 30
    sent = False
    while time.monotonic() < until:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                piece = os.read(terminal, 4096)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        found = re.search(rb"type (\w+) and press Enter: ", shown)
        if found and not sent:
            os.write(terminal, (typed or found[1].decode()).encode() + b"\n")
            sent = True
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), shown.decode()
