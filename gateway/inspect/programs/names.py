"""Other names of programs: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "hub": "git",
        "grm": "rm",
        "safe-rm": "rm",
        "rmtrash": "trash",
        "gcp": "cp",
        "gmv": "mv",
        "gln": "ln",
        "ginstall": "install",
        "gsed": "sed",
        "gtee": "tee",
        "gdd": "dd",
        "gtruncate": "truncate",
        "gshred": "shred",
        "gunlink": "unlink",
        "gtouch": "touch",
        "gtar": "tar",
        "bsdtar": "tar",
        "gcpio": "cpio",
        "7za": "7z",
        "7zr": "7z",
        "7zz": "7z",
        "rar": "unrar",
        "vi": "vim",
        "nvim": "vim",
        "gvim": "vim",
        "ripgrep": "rg",
        "batcat": "bat",
        "gunzip": "gzip",
        "bunzip2": "bzip2",
        "unxz": "xz",
        "prename": "rename",
        "file-rename": "rename",
        "sdelete": "shred",
        "gfind": "find",
        "fdfind": "fd",
        "bfs": "find",
        "mariadb": "mysql",
        "mycli": "mysql",
        "pgcli": "psql",
        "sqlite": "sqlite3",
        "mariadb-admin": "mysqladmin",
        "gxargs": "xargs",
        "gtimeout": "timeout",
        "genv": "env",
        "gnice": "nice",
        "del": "del-cli",
    }
)
