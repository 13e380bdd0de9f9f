"""What the commands read: policies, sessions and calls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gatewayctl.options import chosen_policies
from gatewayctl.output import Failure, Format, refuse_policies

if TYPE_CHECKING:
    from gateway.call import ToolCall
    from gateway.session import Session
    from gateway.testing import Loaded


def load_policies(
    given: Path | None,
    form: Format,
    now: datetime | None = None,
    *,
    lower: tuple[Path | None, ...] = (),
    store: str | None = None,
) -> Loaded:
    """The chosen policies, asked as of a moment; what is wrong with them is said, and ends the command.

    `store` is the address of one whose tenants' tools may differ.
    """
    from gateway.diagnostic import PolicyError
    from gateway.testing import load
    from gatewayctl.stored import opened

    try:
        loaded = load(chosen_policies(given), *lower, store=opened(store) if store else None)
    except PolicyError as error:
        refuse_policies(error, form)
    loaded.clock.now = now
    return loaded


def read_session(path: Path | None, form: Format) -> Session:
    """The session in a file."""
    from gateway.session import Session, SessionError

    if path is None:
        raise Failure(
            "no session is given",
            "write `--session FILE`; the file says who asks: `{id, tenant, agent, channel, subject: {…}}`",
        )
    try:
        return Session.of(read_mapping(path, form))
    except SessionError as error:
        raise Failure(f"`{path}` is no session: {error}") from None


def read_mapping(path: Path, form: Format) -> Mapping[str, Any]:
    """The mapping in a YAML or JSON file."""
    if path.exists() and not path.is_file():
        # A pipe without a writer would never end.
        raise Failure(f"`{path}` is no regular file")
    content = read_bytes(path)
    if path.suffix == ".json":
        try:
            value = json.loads(content, object_pairs_hook=unique)
        except RecursionError:
            raise Failure(f"`{path}` is nested too deep") from None
        except ValueError as error:
            raise Failure(f"`{path}` is not JSON: {error}") from None
    else:
        from gateway.diagnostic import PolicyError
        from gateway.document import read_document, source_of

        try:
            value = read_document(source_of(str(path), content)).data
        except PolicyError as error:
            refuse_policies(error, form)
    if not isinstance(value, Mapping):
        raise Failure(f"`{path}` holds no mapping")
    return value


def read_bytes(path: Path) -> bytes:
    """A file's content, or a message that says why there is none."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise Failure(f"`{path}` can't be read: {(error.strerror or 'unknown reason').lower()}") from None


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON in which no key stands twice."""
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key `{twice[:40]}` stands twice in the same object")
    return result


def call_of(tool: str, arguments: str | None) -> ToolCall:
    """The call of a tool, `server/tool` for a server's, with its arguments as JSON text."""
    from gateway.call import ToolCall, new_id

    server, slash, name = tool.partition("/")
    text = arguments if arguments is not None else "{}"
    if not slash:
        return ToolCall(tool, text, new_id("call-"))
    return ToolCall(name, text, new_id("call-"), server)
