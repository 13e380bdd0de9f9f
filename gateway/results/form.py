"""Results in MCP's form: what of them is content, what the model reads of it, and the data that it stands for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

_CONTENT = "content"
_STRUCTURED = ("structuredContent", "structured_content")
_ERROR = ("isError", "is_error")
_META = frozenset(("_meta", "meta"))
_SAYING = frozenset((*_STRUCTURED, *_ERROR))
_KEYS = frozenset((_CONTENT, *_STRUCTURED, *_ERROR, *_META))
_BLOCKS = frozenset(("text", "image", "audio", "resource", "resource_link"))
_OWN = frozenset(
    (
        "text", "data", "mimeType", "resource", "annotations", "_meta", "uri", "name", "title", "description",
        "size", "icons",
    )
)  # fmt: skip
"""What MCP itself names in a block; a field of any other name is part of the result."""


def is_mcp(value: Any) -> bool:
    """Whether a value is a result in MCP's form: `content` with blocks, and none but MCP's keys.

    Looks at nothing but Python's own dicts, lists and texts, so that no foreign code runs here.
    """
    if type(value) is not dict or not 0 < len(value) <= len(_KEYS):
        return False
    if not all(type(key) is str and key in _KEYS for key in value):
        return False
    content = value.get(_CONTENT)
    if content is None:
        return any(key in value for key in _STRUCTURED)
    if type(content) is not list or not all(map(_is_block, content)):
        return False
    # Without any block the rest has to be MCP's: other programs write `meta` beside `content` as well.
    return bool(content) or _META.isdisjoint(value) or not _SAYING.isdisjoint(value)


def _is_block(value: Any) -> bool:
    if type(value) is not dict or not all(type(key) is str for key in value):
        return False
    kind = value.get("type")
    if kind == "text":
        return type(value.get("text")) is str
    return type(kind) is str and kind in _BLOCKS


def is_error(value: Any) -> bool:
    """Whether a result in MCP's form says that the tool failed."""
    return any(value.get(key) not in (None, False) for key in _ERROR)


def structured(value: dict[str, Any]) -> Any:
    """The structured content of a result in MCP's form, or None."""
    return next((value[key] for key in _STRUCTURED if value.get(key) is not None), None)


def mapped(value: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    """The result with each part changed that carries data: what MCP itself names stays as it is."""
    made: dict[str, Any] = {}
    for key, item in value.items():
        if key == _CONTENT and item is not None:
            blocks = [_block(block, change) for block in item]
            made[key] = item if all(new is old for new, old in zip(blocks, item, strict=True)) else blocks
        else:
            made[key] = item if key in _ERROR and type(item) is bool else change(item)
    return value if all(made[key] is value[key] for key in value) else made


def _block(block: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    own = {
        key: item if key == "type" else change(item)
        for key, item in block.items()
        if key in _OWN or key == "type"
    }
    more = {key: item for key, item in block.items() if key not in own}
    changed = change(more)
    if changed is more and all(new is block[key] for key, new in own.items()):
        return block
    return {**own, **changed}


def text_of(value: Any) -> str:
    """What the model reads of plain data: a text as it is, MCP's content block by block, all else as JSON."""
    if type(value) is str:
        return value
    if not is_mcp(value):
        return written(value)
    texts = list(_block_texts(value.get(_CONTENT) or ()))
    data = structured(value)
    if data is not None and not any(says(text, data) for text in texts):
        texts.append(written(data))
    return "\n".join(texts)


def data_of(value: Any) -> Any:
    """The data that a result stands for: structured content, else the JSON that its text holds, else itself."""
    if is_mcp(value):
        data = structured(value)
        if data is not None:
            return data
        value = "\n".join(_block_texts(value.get(_CONTENT) or ()))
    return _read(value) if type(value) is str else value


def written(value: Any) -> str:
    """Plain data as JSON."""
    return _encode(value)


_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


def _block_texts(content: Any) -> Iterator[str]:
    for block in content:
        kind = block["type"]
        resource = block.get("resource")
        if kind == "text":
            yield block["text"]
        elif kind == "resource" and type(resource) is dict and type(resource.get("text")) is str:
            yield f"{resource.get('uri', 'a resource')}:\n{resource['text']}"
        elif kind == "resource_link":
            yield written({key: block[key] for key in block if key not in ("type", "icons")})
        else:
            kind = {"image": "an image", "audio": "a recording"}.get(kind, "a file")
            yield f"({kind} that can't be shown as text)"


def says(text: str, data: Any) -> bool:
    """Whether a text is the JSON of some data."""
    return text[:1] in ("{", "[") and _read(text) == data


def _read(text: str) -> Any:
    if text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
