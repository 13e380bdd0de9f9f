"""What programs take that read, write and remove files: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PROGRAMS: Mapping[str, str] = MappingProxyType(
    {
        "rm": "-r -R --recursive, -f --force, -i, -I, --interactive=?, -v --verbose, -d --dir, "
        "--no-preserve-root, --preserve-root=?, --one-file-system, -x, -P, -W, --help, --version | delete*",
        "rimraf": "-g --glob, -G --no-glob, -v --verbose, -V --no-verbose, -i --interactive, "
        "--preserve-root, --no-preserve-root, --impl=, --tmp=, --max-retries=, --retry-delay=, "
        "--backoff=, -h --help, --version | delete*",
        "del-cli": "-f --force, -d --dry-run, --help, --version | delete*",
    }
)
