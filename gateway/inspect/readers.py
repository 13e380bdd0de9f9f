"""What programs do with the files that they are given, as far as the guard has to know: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_READERS = """
cat bat less more head tail grep egrep fgrep rg ag ack ls dir tree stat file wc diff cmp comm du df nl od xxd
hexdump strings md5sum sha1sum sha256sum cksum readlink realpath basename dirname cd pushd popd sed yq jq
yamllint which type test [ uniq cut column fold paste awk gawk mawk nawk mkdir
"""
READERS: frozenset[str] = frozenset(_READERS.split())
"""Programs that only look at the files that they are given."""

_TEXT = """
: alias echo export false help local man print printf read set trap true
"""
TEXT: frozenset[str] = frozenset(_TEXT.split())
"""Programs whose words are no paths."""

_GIT_READS = """
log show diff status add commit blame grep ls-files ls-tree rev-parse describe shortlog branch tag fetch push
remote config-get cat-file merge-base reflog
"""
GIT_READS: frozenset[str] = frozenset(_GIT_READS.split())
"""Subcommands of `git` that leave the files of the working tree alone."""

_DESTROYERS = """
chattr chgrp chmod chown del-cli mv rimraf rm rmdir setfacl shred srm trash trash-put unlink wipe
"""
DESTROYERS: frozenset[str] = frozenset(_DESTROYERS.split())
"""Programs that take a directory with all that lies below it."""

_OWN_READS = """
check demo diff doctor explain functions help hook inspect lint patterns schema test tools version
"""
OWN_READS: frozenset[str] = frozenset(_OWN_READS.split())
"""The gateway's own commands that change nothing."""

_REMOVALS = """
apt apt-get brew conda dnf mamba micromamba pdm pip pip3 pipx poetry uv
"""
REMOVALS: frozenset[str] = frozenset(_REMOVALS.split())
"""Programs that could remove the installed gateway."""

CODE: Mapping[str, str] = MappingProxyType(
    # interpreters, and the options that hold code
    {
        "python": "-c=",
        "pypy": "-c=",
        "node": "-e= --eval=, -p= --print=",
        "nodejs": "-e= --eval=, -p= --print=",
        "deno": "-e= --eval=",
        "bun": "-e= --eval=",
        "perl": "-e=, -E=",
        "ruby": "-e=",
        "php": "-r=",
        "lua": "-e=",
        "osascript": "-e=",
        "Rscript": "-e=",
        "awk": "-v= --assign=, -F= --field-separator=, -f= --file=, -e= --expression=",
        "gawk": "-v= --assign=, -F= --field-separator=, -f= --file=, -e= --expression=",
        "mawk": "-v= --assign=, -F= --field-separator=, -f= --file=",
        "nawk": "-v= --assign=, -F= --field-separator=, -f= --file=",
        "sed": "-e= --expression=, -f= --file=, -i --in-place=?, -n, -E, -r, -s, -u, -z, -l=",
    }
)

SCRIPTED: frozenset[str] = frozenset(("awk", "gawk", "mawk", "nawk", "sed"))
"""Interpreters whose code is the first operand where no option gives it."""
