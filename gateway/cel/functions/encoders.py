"""Bytes as text and back."""

from __future__ import annotations

import binascii
from typing import Any

from gateway.cel.access import quoted
from gateway.cel.budget import length, made
from gateway.cel.functions.signature import Fails, Function, Overload, Style
from gateway.cel.types import BYTES, STRING
from gateway.cel.values import CelError, ErrorKind


def _encode(value: bytes) -> str:
    return binascii.b2a_base64(value, newline=False).decode("ascii")


def _decode(text: str) -> bytes:
    """Standard base64, whose padding may be left out."""
    bare = text.replace("\n", "").replace("\r", "")
    padded = bare if "=" in bare else bare + "=" * (-len(bare) % 4)
    try:
        return binascii.a2b_base64(padded, strict_mode=True)
    except ValueError:
        raise CelError(ErrorKind.INVALID, f"{quoted(text)} is not base64") from None


def _cost(value: Any) -> int:
    return made(3 * length(value))


FUNCTIONS = (
    Function(
        "base64.encode",
        Style.GLOBAL,
        (Overload((BYTES,), STRING, _encode, Fails.NEVER),),
        "Bytes as base64 text.",
        "base64.encode(b'hello') == 'aGVsbG8='",
        cost=_cost,
    ),
    Function(
        "base64.decode",
        Style.GLOBAL,
        (Overload((STRING,), BYTES, _decode),),
        "The bytes that base64 text stands for; its padding may be left out.",
        "base64.decode('aGVsbG8=') == b'hello'",
        cost=_cost,
    ),
)
