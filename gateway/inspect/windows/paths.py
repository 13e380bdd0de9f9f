"""Paths of Windows as deeds name them."""

from __future__ import annotations

import re

from gateway.inspect.python.folding import pattern
from gateway.later import later

_DRIVE = later(r"[A-Za-z]:")
_PROVIDER = later(r"(?:Microsoft\.PowerShell\.Core\\)?FileSystem::", re.IGNORECASE)


def path(spelled: str) -> str:
    """A path with its patterns as marks; one without a drive has the other slashes, as elsewhere."""
    made = pattern(_PROVIDER.sub("", spelled))
    if _DRIVE.match(made):
        return made.replace("/", "\\")
    return made.replace("\\", "/")


def beneath(root: str, name: str) -> str:
    """What lies in a directory."""
    separator = "\\" if _DRIVE.match(root) else "/"
    return root.rstrip("\\/") + separator + name
