"""What programs print and write that comes from elsewhere: a host, a decoder."""

from __future__ import annotations

import posixpath
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from gateway.inspect.options import Bound, bind
from gateway.inspect.programs import spec
from gateway.inspect.shell.files import write
from gateway.inspect.shell.invocation import Simple, Text
from gateway.inspect.word import DECODED, NETWORK, ORIGINS, certain
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

_FETCHERS = """
GET HEAD POST aria2c axel curl dog elinks fetch ftp grpcurl http https httpie hurl ipfs links lwp-request lynx nc
nc.traditional ncat netcat socat telnet tftp w3m websocat wget wget2 xh xhs iwr irm Invoke-WebRequest Invoke-RestMethod
"""
FETCHERS: frozenset[str] = frozenset(_FETCHERS.split())
"""Programs that print what a host sends."""

# Other programs of which these words make one print what a host sends.
_SENT = {
    "gh": ("api", "gist"),
    "aws": ("s3",),
    "gsutil": ("cat",),
    "rclone": ("cat",),
    "gcloud": ("storage",),
    "dig": ("TXT", "txt"),
    "host": ("-t",),
    "nslookup": ("-type=txt", "-q=txt"),
    "openssl": ("s_client",),
    "redis-cli": ("get", "GET"),
}
# Programs that turn text into something else, with the options without which they do the opposite.
_DECODERS: dict[str, frozenset[str]] = {
    "base64": frozenset(("-d", "-D", "--decode", "-di", "-id")),
    "gbase64": frozenset(("-d", "-D", "--decode")),
    "base32": frozenset(("-d", "-D", "--decode")),
    "basenc": frozenset(("-d", "--decode")),
    "openssl": frozenset(("-d", "-decrypt")),
    "xxd": frozenset(("-r", "-rp", "-r-p", "-revert")),
    "gzip": frozenset(("-d", "--decompress", "-dc", "-cd")),
    "bzip2": frozenset(("-d", "--decompress", "-dc", "-cd")),
    "xz": frozenset(("-d", "--decompress", "-dc", "-cd")),
    "zstd": frozenset(("-d", "--decompress", "-dc", "-cd")),
    "lz4": frozenset(("-d", "-dc")),
    "gpg": frozenset(("-d", "--decrypt")),
    "age": frozenset(("-d", "--decrypt")),
    **dict.fromkeys(
        (
            "gunzip",
            "zcat",
            "gzcat",
            "bunzip2",
            "bzcat",
            "unxz",
            "xzcat",
            "unzstd",
            "zstdcat",
            "uudecode",
            "uncompress",
        ),
        frozenset(),
    ),
}
# Programs that copy from stores of other hosts, and the addresses there.
_STORES = frozenset(("aws", "gsutil", "gcloud", "rclone", "s3cmd", "s5cmd", "mc", "azcopy"))
_STORED = later(r"(?:s3|gs|https?|az|b2|oss|cos)://", re.IGNORECASE)
_STDOUT = frozenset(("-", "/dev/stdout", "/dev/fd/1"))


def origin(name: str, simple: Simple) -> str | None:
    """The mark of where the output of a program comes from, where it says so itself."""
    words = [certain(word.value) for word in simple.words[1:]]
    called = posixpath.basename(simple.words[0].value) if simple.words else ""
    name = called if called in _DECODERS else name
    if name in FETCHERS or not frozenset(words[:3]).isdisjoint(_SENT.get(name, ())):
        return NETWORK
    wanted = _DECODERS.get(name)
    return DECODED if wanted is not None and (not wanted or not wanted.isdisjoint(words)) else None


def carried(stdin: Text | None) -> str | None:
    """The mark of where a text comes from that a program reads, and so passes on."""
    marks = {mark for text in stdin or () if not text.isascii() for mark in ORIGINS if mark in text}
    return min(marks) if marks else None


def saved(walk: Walk, simple: Simple, name: str) -> bool:
    """Note the files that a download is saved to, and tell whether nothing of it is printed."""
    if name in _STORES:
        _copied(walk, simple)
    if name not in ("curl", "wget", "aria2c", "axel"):
        return False
    bound = bind(spec(name).options, simple.words[1:])
    targets = _targets(name, bound)
    if targets is None:
        return False
    for target in targets:
        write(walk, target, (NETWORK,), ">")
    return True


def _copied(walk: Walk, simple: Simple) -> None:
    """Note the file that is copied from a store: the last word, where the one before it is an address."""
    words = [word.value for word in simple.words[1:] if not word.value.startswith("-")]
    for source, target in pairwise(words):
        if _STORED.match(source) and not _STORED.match(target) and target not in _STDOUT:
            base = posixpath.basename(certain(source))
            name = posixpath.join(target, base) if target.endswith((".", "/")) else target
            write(walk, name, (NETWORK,), ">")


def _targets(name: str, bound: Bound) -> list[str] | None:
    """Where a download goes; None where it is printed."""
    named = [
        word.value for option in ("output", "output-document", "out") for word in bound.flags.get(option, ())
    ]
    if named:
        return None if any(target in _STDOUT for target in named) else named
    if name == "curl" and not {"remote-name", "remote-name-all"} & bound.flags.keys():
        return None
    folder = bound.value("output-dir", "directory-prefix", "dir")
    bases = [posixpath.basename(certain(word.value).partition("?")[0]) for word in bound.operands]
    return [posixpath.join(folder.value, base) if folder is not None else base for base in bases if base]
