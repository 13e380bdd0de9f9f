"""Files that hold secrets since this script ran: copies and archives of them, and who sends or shows those."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.inspect.deed import Deed, Does
from gateway.inspect.operands import READERS
from gateway.inspect.options import bind, options
from gateway.inspect.path.trait import PathTrait
from gateway.inspect.path.traits import named
from gateway.inspect.place import Place, absolute
from gateway.inspect.shell.files import contents, write
from gateway.inspect.shell.invocation import Simple, Text
from gateway.inspect.word import SECRET, Word, plain
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

# Programs that write what they read to the last operand, to the first, or where an option says.
_LAST = frozenset(("cp", "mv", "ln", "install", "ditto"))
_FIRST = frozenset(("zip", "7z", "7za", "7zz", "rar", "ar", "jar"))
_NAMED = {
    "tar": "-f= --file=",
    "bsdtar": "-f= --file=",
    "gpg": "-o= --output=",
    "age": "-o= --output=",
    "openssl": "-out= --output=",
    "sort": "-o= --output=",
    "base64": "-o= --output=",
}
_BUNDLED = later(r"-?[A-Za-z]*c[A-Za-z]*f|-?[A-Za-z]*f[A-Za-z]*c", re.ASCII)
_MAKERS = _LAST | _FIRST | _NAMED.keys()
_SENDERS = frozenset(
    """
    curl wget http https xh xhs scp rsync sftp aws gsutil gcloud rclone s3cmd s5cmd mc az azcopy b2 gh glab nc socat
    mail mutt ftp lftp croc wormhole transfer pastebinit kubectl
    """.split()  # noqa: SIM905
)
_SHOW = READERS - frozenset(
    ("[", "test", "ls", "wc", "stat", "file", "du", "sha256sum", "md5sum", "cd", "dirname", "cksum")
)
# Programs that publish their words.
_POSTING = {
    "gh": ("issue", "pr", "gist", "release", "discussion"),
    "glab": ("issue", "mr", "snippet", "release"),
    "git": ("commit", "tag", "notes"),
}
_TOLD = _SENDERS | _SHOW
_BEFORE = later(r"[\w.:-]*=?[@<]")


def kept(walk: Walk, simple: Simple, name: str) -> None:
    """Note which files hold secrets after a command, and record those that it sends or shows."""
    if name in _POSTING and len(simple.words) > 2 and simple.words[1].value in _POSTING[name]:
        for word in simple.words[2:]:
            if SECRET in word.value:
                deed = Deed(Does.NET, word.value, word.start, word.end, walk.scope.cwd, secret=True)
                walk.reading.deeds.append(deed)
    if walk.reading.files and (name in _TOLD or (name in ("tar", "bsdtar") and _prints(simple))):
        _told(walk, simple, name)
    if name in _MAKERS and any(_secret(walk, word.value) for word in simple.words[1:]):
        for target in _targets(name, simple):
            write(walk, target, (SECRET,), ">")


def told_from_copies(walk: Walk, simple: Simple) -> bool:
    """Whether a command names a file that holds secrets since this script ran."""
    return bool(walk.reading.files) and any(
        _holds(walk, word.value) for word in simple.words[1:] if not word.value.startswith("-")
    )


def held(walk: Walk, name: str) -> Text | None:
    """What a file holds that this script wrote, or secrets where it is a file of those."""
    return contents(walk, name) or ((SECRET,) if _secret(walk, name) else None)


def _prints(simple: Simple) -> bool:
    """Whether what an archive holds is printed."""
    words = [word.value for word in simple.words[1:]]
    return "--to-stdout" in words or any("O" in word and "x" in word for word in words[:1])


def _told(walk: Walk, simple: Simple, name: str) -> None:
    for word in simple.words[1:]:
        path = _BEFORE.sub("", word.value, count=1) if name in _SENDERS else word.value
        if _holds(walk, path.partition(";")[0]):
            does = Does.NET if name in _SENDERS else Does.READ
            walk.reading.deeds.append(Deed(does, path, word.start, word.end, walk.scope.cwd, secret=True))


def _secret(walk: Walk, value: str) -> bool:
    """Whether a path is one of secrets, or one that holds some by now."""
    if not value or value.startswith("-") or len(value) > 4096:
        return False
    if PathTrait.SECRET in named(plain(value), Place(walk.scope.cwd, walk.scope.home, (), str)):
        return True
    return _holds(walk, value)


def _holds(walk: Walk, value: str) -> bool:
    """Whether a file, or a directory that it lies in, holds secrets since this script ran."""
    path = absolute(value, walk.scope.cwd, walk.scope.home) if walk.reading.files and value else None
    while path is not None and path.strip("/"):
        if any(SECRET in text for text in contents(walk, path) or ()):
            return True
        path = posixpath.dirname(path)
    return False


def _targets(name: str, simple: Simple) -> Iterator[str]:
    words = simple.words[1:]
    operands = [word.value for word in words if not word.value.startswith("-")]
    if name in _LAST:
        yield from operands[-1:] if len(operands) > 1 else ()
        return
    if name in _FIRST:
        yield next((value for value in operands if len(value) > 1), "")
        return
    if name in ("tar", "bsdtar"):
        at = next((i for i, word in enumerate(words) if _BUNDLED.fullmatch(word.value)), None)
        if at is not None:
            words = (Word("-f", simple.start, simple.end), *words[at + 1 :])
        elif not any(word.value.startswith(("-c", "--create")) for word in words):
            return
    bound = bind(options(_NAMED[name]), words)
    target = bound.value("file", "output")
    if target is not None and target.value != "-":
        yield target.value
