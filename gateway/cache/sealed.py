"""Files that only this user's gateway can have written: each is authenticated with a key that lies beside it."""

from __future__ import annotations

import hmac
import os

from gateway.cache.private import Private, Refused

MOST_FILES = 64
"""How many forms are kept; each policy, and each version of this program, has its own."""
LARGEST = 64 * 1024 * 1024
_KEY = "key"
_KEY_BYTES = 32
_SEAL_BYTES = 32
_ENDING = ".form"


class Sealed:
    """Contents by name in a private directory, which is looked at when something is read or written."""

    def __init__(self, path: str) -> None:
        self._path = path

    def read(self, name: str) -> bytes | None:
        """The content of a name, None where there is none; `Refused` where it is not what was written there."""
        with Private(self._path) as directory:
            sealed = directory.read(name + _ENDING, LARGEST)
            if sealed is None:
                return None
            key = directory.read(_KEY, _KEY_BYTES)
        if key is None or len(key) != _KEY_BYTES:
            raise Refused(f"the key of `{self._path}` is missing or cut short")
        seal, content = sealed[:_SEAL_BYTES], sealed[_SEAL_BYTES:]
        if not hmac.compare_digest(seal, _seal(key, name, content)):
            raise Refused(
                f"`{self._path}/{name}{_ENDING}` was not written by this gateway, or was changed since"
            )
        return content

    def write(self, name: str, content: bytes) -> None:
        """Keep a content under a name; of many, those that were written last."""
        if len(content) + _SEAL_BYTES > LARGEST:
            return
        with Private(self._path) as directory:
            key = _key(directory)
            directory.write(name + _ENDING, _seal(key, name, content) + content)
            directory.prune(_ENDING, MOST_FILES)


def _seal(key: bytes, name: str, content: bytes) -> bytes:
    """The name belongs to it, or the form of one policy could be put in the place of another's."""
    sealing = hmac.new(key, name.encode("ascii"), "sha256")
    sealing.update(content)
    return sealing.digest()


def _key(directory: Private) -> bytes:
    """The user's key, which is made when it is first needed, and anew where what is there is none."""
    key = _usable(directory)
    if key is None:
        directory.create(_KEY, os.urandom(_KEY_BYTES))
        key = _usable(directory)
    if key is None:
        directory.write(_KEY, os.urandom(_KEY_BYTES))
        key = _usable(directory)
    if key is None:
        raise Refused("the key of the cache can't be written")
    return key


def _usable(directory: Private) -> bytes | None:
    try:
        key = directory.read(_KEY, _KEY_BYTES)
    except Refused:
        return None
    return key if key is not None and len(key) == _KEY_BYTES else None
