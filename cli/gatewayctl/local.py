"""Who asks on this machine where no session is given: the session that an agent program's hook would make here."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateway.session import Session
    from gateway.testing import Loaded


def os_user() -> str:
    """The operating system's user, not what the environment says about them."""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def hook_session(loaded: Loaded) -> Session | None:
    """The session of a hook that is started here, told on standard error; None where the policy is not for hooks."""
    from gateway.hosts.local import AGENT, local_session

    if AGENT not in loaded.compiled.engine.agents:
        return None
    session = local_session(id="s-here", user=os_user(), cwd=str(Path.cwd()), home=str(Path.home()))
    told = (
        f"no `--session` is given, so the hook's is taken: agent `{AGENT}`, user `{os_user()}`, "
        f"cwd `{session.cwd}`, home `{session.home}`"
    )
    print(told, file=sys.stderr)
    return session
