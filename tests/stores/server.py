"""A PostgreSQL server of the tests' own: the machine's programs, a new directory, a socket in it."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from urllib.parse import quote

GIVEN = "GATEWAY_TEST_POSTGRES"
MISSING = (
    "no PostgreSQL server is installed: `apt-get install postgresql` (Debian), or give the address of one"
    f" in {GIVEN}, such as postgresql://user@host/database"
)


class Disk(Enum):
    """Whether the server waits for the disk: only the machine's own end would show that it does not."""

    REAL = "on"
    UNWAITED = "off"


@contextmanager
def postgres(disk: Disk = Disk.UNWAITED) -> Iterator[str]:
    """The address of a database in which everything may be made and removed."""
    if given := os.environ.get(GIVEN):
        yield given
        return
    programs = max(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), default=None
    )
    if programs is None:
        raise AssertionError(MISSING)
    # Its socket needs a short path, and its user the right to get there.
    place = Path(tempfile.mkdtemp(prefix="gateway-pg-", dir="/tmp"))
    try:
        owner = pwd.getpwnam("postgres") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        os.chown(place, owner.pw_uid, owner.pw_gid)
        data = place / "data"
        _run(
            owner,
            [
                programs / "initdb",
                "-D",
                data,
                "-U",
                "postgres",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C",
                "-N",
            ],
        )
        options = f"-c listen_addresses='' -c unix_socket_directories={place} -c fsync={disk.value} -c max_connections=200"
        control: list[str | Path] = [programs / "pg_ctl", "-D", data, "-w"]
        _run(owner, [*control, "-o", options, "-l", place / "log", "start"])
        try:
            yield f"postgresql://postgres@/postgres?host={quote(str(place), safe='')}"
        finally:
            _run(owner, [*control, "-m", "immediate", "stop"])
    finally:
        shutil.rmtree(place, ignore_errors=True)


def with_setting(url: str, setting: str) -> str:
    """The address with one more setting, such as `schema=name`."""
    return f"{url}{'&' if '?' in url else '?'}{setting}"


def _run(owner: pwd.struct_passwd, command: Sequence[str | Path]) -> None:
    as_owner: list[str | Path] = [
        "setpriv",
        f"--reuid={owner.pw_uid}",
        f"--regid={owner.pw_gid}",
        "--clear-groups",
    ]
    done = subprocess.run(
        [*(as_owner if os.geteuid() == 0 else ()), *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
        cwd="/",
    )
    assert done.returncode == 0, done.stdout
