"""Pictures, sound and files in data: encoded texts that mean nothing in part, so that they are never cut in two."""

from __future__ import annotations

from typing import Any

_BLOCKS = frozenset(
    (
        "image", "audio", "video", "document", "file", "media", "resource", "image_url", "input_image",
        "input_audio", "input_file",
    )
)  # fmt: skip
"""The kinds of content that models' interfaces take as pictures, sound or files."""

_ENCODED = frozenset(("base64", "b64", "b64_json"))
_DATA = frozenset(("data", "blob", "bytes", "content", "file_data", "body"))
_URL = frozenset(("url", "uri", "src", "href", "image_url", "file_data", "data"))
_TYPES = frozenset(
    (
        "type", "mimetype", "mime_type", "mime", "media_type", "mediatype", "content_type", "contenttype",
        "format", "encoding",
    )
)  # fmt: skip
"""Fields that say what the data next to them is."""

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_\r\n"
_SHORT = 100
"""An encoded text of so many characters is a text like others."""
_MOST_FIELDS = 100


def carried(value: dict[str, Any]) -> dict[str, Any] | None:
    """A block of content with words in place of the data that it carries; None for every other object."""
    kind = value.get("type") if len(value) <= _MOST_FIELDS else None
    if type(kind) is not str or kind not in _BLOCKS:
        return None
    own = described(value)
    if own is not None:
        return own
    for key, item in value.items():
        if type(item) is dict:
            inner = described(item)
            if inner is not None:
                return {**value, key: inner}
    return None


def described(value: dict[str, Any]) -> dict[str, Any] | None:
    """An object with words in place of the encoded data in it; None if it holds none."""
    made: dict[str, Any] | None = None
    if len(value) > _MOST_FIELDS:
        return None
    for key, item in value.items():
        if type(item) is str and len(item) > _SHORT and _carries(value, key.lower(), item):
            made = dict(value) if made is None else made
            made[key] = f"({len(item)} characters of encoded data that can't be shown as text)"
    return made


def spoken(value: Any) -> Any:
    """Data with words in place of all that blocks of content carry."""
    if type(value) is dict:
        value = carried(value) or value
        return {key: spoken(item) for key, item in value.items()}
    return [spoken(item) for item in value] if type(value) is list else value


def _carries(value: dict[str, Any], key: str, text: str) -> bool:
    if key in _URL and text.startswith("data:"):
        head, _, data = text.partition(",")
        return len(head) <= _SHORT and head.endswith(";base64") and _is_encoded(data)
    if key not in _ENCODED and (key not in _DATA or not any(name.lower() in _TYPES for name in value)):
        return False
    return _is_encoded(text)


def _is_encoded(text: str) -> bool:
    return text.isascii() and not text.encode("ascii").translate(None, _ALPHABET)
