"""A server's answer to `tools/list`, read as what an attacker may have written."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NoReturn

from gateway.diagnostic import Diagnostic, PolicyError, printable, shortened
from gateway.files import MAX_BYTES
from gateway.fingerprint import Listed
from gateway.frozen import frozen
from gateway.later import later
from gateway.schema import SchemaError, check_schema
from gateway.schema.resolve import bounded

MAX_TOOLS = 1_000
MAX_TEXT = 256 * 1024
"""How many characters the texts of one tool may have together."""
_NAME = later(r"[A-Za-z0-9_.-]{1,100}")
_SERVER = later(r"[A-Za-z][A-Za-z0-9_.-]{0,99}")
_MOST_DIGITS = 20


@frozen
class ServerList:
    """The tools of one server by their names in policies, and why others of its list can't be used."""

    server: str
    tools: Mapping[str, Listed]
    refused: Mapping[str, str]

    @property
    def digests(self) -> Mapping[str, str]:
        """The digest of each tool; one that can't be used has an empty one, which no pin has."""
        found = {name: tool.digest for name, tool in self.tools.items()}
        return MappingProxyType({**found, **dict.fromkeys(self.refused, "")})


class _Unusable(ValueError):
    """Why one tool of a list can't be used."""


def read_list(answer: bytes | str | Mapping[str, Any], server: str) -> ServerList:
    """The tools in a result of MCP's `tools/list`, or in the whole answer that holds one.

    `PolicyError` where the list as a whole can't be used; one tool that can't be is refused by itself.
    """
    if _SERVER.fullmatch(server) is None:
        _refuse("list-server", f"`{_shown(server)}` is no name of a server", "name it as `servers` does")
    value = _parsed(answer) if isinstance(answer, bytes | str) else answer
    tools = _tools(value)
    found: dict[str, Listed] = {}
    refused: dict[str, str] = {}
    for index, tool in enumerate(tools):
        given = tool.get("name") if isinstance(tool, Mapping) else None
        if not isinstance(given, str) or _NAME.fullmatch(given) is None:
            said = (
                "it has no name" if given is None else f"`{_shown(given)}` is no name that a policy can write"
            )
            refused[f"{server}/[{index}]"] = said
            continue
        name = f"{server}/{given}"
        if name in found or name in refused:
            found.pop(name, None)
            refused[name] = "it is listed twice, and nobody knows which one is called"
            continue
        try:
            found[name] = _listed(name, tool)
        except _Unusable as error:
            refused[name] = str(error)
    return ServerList(server, MappingProxyType(found), MappingProxyType(refused))


def _refuse(code: str, message: str, help: str = "") -> NoReturn:
    raise PolicyError([Diagnostic(code, message, help=help)])


def _shown(text: object) -> str:
    return printable(shortened(str(text)[:200]))


def _parsed(answer: bytes | str) -> Any:
    if len(answer) > MAX_BYTES:
        _refuse("list-too-large", f"the list is larger than {MAX_BYTES} bytes")
    try:
        text = answer.decode("utf-8") if isinstance(answer, bytes) else answer
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number, parse_int=_integer)
    except RecursionError:
        _refuse("list-too-deep", "the list is nested too deep")
    except ValueError as error:
        _refuse("list-not-json", f"the list is not JSON: {_shown(error)}")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key `{key[:40]}` stands twice in the same object")
        found[key] = value
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"`{name}` is no number")


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError("an integer has too many digits")
    return int(digits)


def _tools(value: Any) -> list[Any]:
    """The entries of a result, be it by itself or in an answer of JSON-RPC."""
    if isinstance(value, Mapping) and "jsonrpc" in value:
        if "error" in value:
            _refuse("list-error", f"the server answered with an error: {_shown(value['error'])}")
        value = value.get("result")
    tools = value.get("tools") if isinstance(value, Mapping) else None
    if not isinstance(tools, list):
        _refuse(
            "list-without-tools",
            "there is no list of tools",
            "save what the server answers to `tools/list`: `{tools: […]}`",
        )
    if value.get("nextCursor"):
        _refuse("list-not-whole", "the list goes on on another page (`nextCursor`)", "put all pages into one")
    if len(tools) > MAX_TOOLS:
        _refuse("list-too-large", f"the list holds more than {MAX_TOOLS} tools")
    return tools


def _listed(name: str, tool: Mapping[str, Any]) -> Listed:
    """One tool of a list in normal form: no two spellings of the same have two digests."""
    texts = {key: _optional_text(tool, key) for key in ("title", "description")}
    parts = {key: _object(tool, key) for key in ("inputSchema", "outputSchema", "annotations")}
    normal = _Normal()
    found: dict[str, Any] = {key: normal.of(value) for key, value in {**texts, **parts}.items()}
    schema = found["inputSchema"]
    if schema is None:
        raise _Unusable("it has no `inputSchema`")
    problems = check_schema(schema, None)
    if problems:
        raise _Unusable(f"its `inputSchema` can't be used: {_shown(problems[0].message)}")
    return Listed(
        name, found["title"], found["description"], schema, found["outputSchema"], found["annotations"]
    )


def _optional_text(tool: Mapping[str, Any], key: str) -> str | None:
    value = tool.get(key)
    if value is not None and not isinstance(value, str):
        raise _Unusable(f"its `{key}` is no text")
    return value


def _object(tool: Mapping[str, Any], key: str) -> Mapping[str, Any] | None:
    value = tool.get(key)
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise _Unusable(f"its `{key}` is no object")
    try:
        bounded(value)
    except SchemaError as error:
        raise _Unusable(f"its `{key}` can't be used: {_shown(error)}") from None
    return value


class _Normal:
    """Copies values of one tool into normal form, as long as their texts are not too long together."""

    def __init__(self) -> None:
        self._left = MAX_TEXT

    def of(self, value: Any) -> Any:
        """The value; how deep it goes was looked at before."""
        if isinstance(value, str):
            return self._text(value)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int | float):
            return _number(value)
        if isinstance(value, Mapping):
            return {self._text(key): self.of(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.of(item) for item in value]
        raise _Unusable(f"it holds what is no JSON value ({type(value).__name__})")

    def _text(self, text: Any) -> str:
        if not isinstance(text, str):
            raise _Unusable("a key of it is no text")
        self._left -= len(text)
        if self._left < 0:
            raise _Unusable(f"its texts are longer than {MAX_TEXT} characters together")
        if "\0" in text:
            raise _Unusable("a text of it holds a NUL character")
        try:
            text.encode()
        except UnicodeEncodeError:
            raise _Unusable("a text of it holds half a surrogate pair") from None
        return text


def _number(value: float) -> int | float:
    if not math.isfinite(value):
        raise _Unusable("it holds a number that is not finite")
    whole = int(value) if value == int(value) else None
    if whole is not None and not -(2**63) <= whole < 2**63:
        raise _Unusable("it holds an integer that does not fit into 64 bits")
    return value if whole is None else whole
