"""The names and paths that settings protect or let go: what each can be, and what to write instead of what it can't."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema

from gateway.malformed import Malformed
from gateway.policy.words import Name

_VARIABLE = re.compile(r"\$(\{\w+\}|[A-Z_][A-Z0-9_]*)(?=/|\Z)|%\w+%")
_OTHER_HOME = re.compile(r"~[^/]+")
_NOT_IN_BRANCHES = re.compile(r"[\x00-\x20~^:?\[\\]")


def _plain(text: str, what: str) -> None:
    """Refuse what is read literally, and so fits nothing, in all of them."""
    if not text.strip():
        raise Malformed("the text is empty", "write the text, or remove the key")
    if text != text.strip():
        raise Malformed(f"`{text}` begins or ends with a blank", f"write `{text.strip()}`")
    if text.startswith("!"):
        raise Malformed(f"`!` takes nothing away here: each entry is {what}", "list what is meant")


def _protected_path(text: str) -> str:
    _plain(text, "a path that is protected")
    if "\\" in text:
        raise Malformed(
            f"`{text}` holds `\\`, which no path here does", f"write `{text.replace(chr(92), '/')}`"
        )
    if (found := _VARIABLE.match(text)) is not None:
        rest = text[found.end() :]
        help_ = f"write `~{rest}`" if found[0].strip("${}%") == "HOME" else "write the path itself"
        raise Malformed(f"`{found[0]}` is no variable here", help_, end=found.end())
    if (found := _OTHER_HOME.match(text)) is not None:
        raise Malformed(
            f"`{found[0]}` is nobody's home here: `~` is that of the session",
            "write the absolute path",
            end=found.end(),
        )
    wild = False
    for part in text.split("/"):
        if "**" in part and part != "**":
            name = re.sub(r"\*+", "*", part)
            help_ = f"write `{text.replace(part, f'**/{name}')}`, or `*` for any characters of one name"
            raise Malformed(f"`**` stands for directories, so not inside `{part}`", help_)
        if part == ".." and wild:
            raise Malformed("`..` leads nowhere behind `*`", "write the path without it")
        wild = wild or "*" in part
    return text


def _artifact(text: str) -> str:
    _plain(text, "a name that builds make")
    name = text.strip("/").rpartition("/")[2]
    if "/" in text:
        help_ = f"write `{name}`, which is that name wherever it stands below the workspace"
        raise Malformed(
            f"`{text}` is a path, and no name holds `/`", help_ if name.strip("*.") else "write a name"
        )
    if not text.strip("*"):
        raise Malformed(
            f"`{text}` is every name, so that nothing would be asked about",
            "write the names that builds make",
        )
    if text in (".", "..", ".git"):
        why = "no build makes it again" if text == ".git" else "it is no name"
        raise Malformed(f"`{text}` is no artifact: {why}", "write the names that builds make")
    return text


def _protected_branch(text: str) -> str:
    _plain(text, "a branch that is protected")
    name = text.removeprefix("refs/").removeprefix("heads/").removeprefix("tags/")
    if name != text and text.startswith("refs/"):
        raise Malformed(f"`{text}` is compared with the name alone", f"write `{name}`")
    if (found := _NOT_IN_BRANCHES.search(text)) is not None:
        raise Malformed(
            f"no branch has `{found[0]}` in its name",
            "`*` stands for any characters, and is the only wildcard",
            start=found.start(),
            end=found.end(),
        )
    return text


def _pack(value: object) -> object:
    if isinstance(value, str) and value.lower() in _EVERY:
        raise Malformed(f"no pack is called `{value}`", "leave `packs` out for all of them")
    return value


_EVERY = frozenset(("*", "all", "any", "every"))


_SCHEMA = WithJsonSchema({"type": "string", "minLength": 1})
ProtectedPath = Annotated[str, AfterValidator(_protected_path), _SCHEMA]
ProtectedBranch = Annotated[str, AfterValidator(_protected_branch), _SCHEMA]
Artifact = Annotated[str, AfterValidator(_artifact), _SCHEMA]
Pack = Annotated[Name, BeforeValidator(_pack)]
