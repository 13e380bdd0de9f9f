"""Bounds: how much of a result the model reads; what is cut says so, and data stays data of the same shape."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

from gateway.results.form import is_mcp

DEFAULT_LIMIT = 4_000
HARD_LIMIT = 1_000_000
"""What no tool's declaration goes beyond."""

PAGING = frozenset(
    (
        "page", "page_number", "page_no", "pageno", "page_size", "pagesize", "per_page", "perpage",
        "page_token", "pagetoken", "offset", "limit", "cursor", "start", "start_index", "start_line",
        "after", "skip", "top", "size", "max_results", "tail", "head",
    )
)  # fmt: skip
"""Names of arguments with which tools give a result piece by piece."""


def paging_arguments(names: Any) -> tuple[str, ...]:
    """Those of a tool's arguments that page, in the order in which the tool declares them."""
    return tuple(name for name in names if name.lower() in PAGING)


def advice(paging: tuple[str, ...] | None) -> str:
    """How to get what was cut; None stands for a tool that must not be called again for that."""
    if paging is None:
        return "what is left out can't be had by calling it again"
    if paging:
        return f"call it again with {' and '.join(f'`{name}`' for name in paging[:3])} for the rest"
    return "call it again with narrower arguments for the rest"


class Bound:
    """Cuts one result to a limit; `cut` says afterwards whether anything is missing."""

    def __init__(self, limit: int, paging: tuple[str, ...] | None = ()) -> None:
        self.limit = min(limit, HARD_LIMIT)
        self._advice = advice(paging)
        self.cut = False

    def text(self, text: str, limit: int | None = None) -> str:
        """As much of a text as fits, and a sentence about the rest; one that is JSON stays JSON."""
        limit = max(self.limit if limit is None else limit, 0)
        if len(text) <= limit:
            return text
        data = self._json(text, limit)
        if data is not None:
            return data
        self.cut = True
        return f"{text[:limit]}… (cut: {limit} of {len(text)} characters are shown; {self._advice})"

    def whole(self, value: Any) -> Any:
        """Plain data within the limit: the very same object where nothing has to be cut."""
        if is_mcp(value):
            return self._mcp(value)
        return self._data(value)

    def _data(self, value: Any) -> Any:
        return self.text(value) if type(value) is str else self._shrunk(value, self.limit)

    def _shrunk(self, value: Any, most: int) -> Any:
        """Data in at most so many characters, of the same shape."""
        if _size(value, most) <= most:
            return value
        self.cut = True
        limit = most
        for _ in range(8):
            made = _shrunk(value, limit)
            if _size(made, most) <= most:
                return made
            limit = limit * 3 // 4
        return type(value)() if type(value) in (list, dict) else value

    def _json(self, text: str, limit: int) -> str | None:
        """The JSON of a text within a limit; None for a text that is none."""
        if text[:1] not in ("{", "[") or len(text) > HARD_LIMIT:
            return None
        try:
            value = json.loads(text)
            if type(value) not in (dict, list):
                return None
            return json.dumps(self._shrunk(value, limit), ensure_ascii=False)
        except (ValueError, RecursionError):
            return None

    def _mcp(self, value: dict[str, Any]) -> dict[str, Any]:
        left = self.limit
        made = dict(value)
        content = value.get("content")
        if content:
            blocks: list[Any] = []
            for block in content:
                fits, left = self._block(block, left)
                blocks.append(fits)
            if any(a is not b for a, b in zip(blocks, content, strict=True)):
                made["content"] = blocks
        for key, item in value.items():
            if key != "content":
                made[key] = self._data(item)
        if self.cut and not any(
            "(cut: " in str(block.get("text", "")) for block in made.get("content") or ()
        ):
            note = {"type": "text", "text": f"(cut: not all of the result is shown; {self._advice})"}
            made["content"] = [*(made.get("content") or ()), note]
        return value if all(made[key] is value.get(key) for key in made) else made

    def _block(self, block: dict[str, Any], left: int) -> tuple[dict[str, Any], int]:
        """A block of content within what is left; pictures and sound only count against the hard limit."""
        kind = block["type"]
        if kind == "text" and type(block.get("text")) is str:
            text = block["text"]
            new = self.text(text, left) if len(text) > left else text
            rest = {key: item for key, item in block.items() if key not in ("type", "text")}
            if rest and _size(rest, self.limit) > self.limit:
                self.cut = True
                return {"type": kind, "text": new}, max(left - len(text), 0)
            return (block if new is text else {**block, "text": new}), max(left - len(text), 0)
        most = HARD_LIMIT if kind in ("image", "audio") else left
        size = _size(block, most)
        if size <= most:
            return block, left if kind in ("image", "audio") else left - size
        self.cut = True
        resource = block.get("resource")
        if kind == "resource" and type(resource) is dict and type(resource.get("text")) is str:
            fixed = {key: item for key, item in resource.items() if key in ("uri", "mimeType")}
            if _size(fixed, left) < left:
                return {"type": kind, "resource": {**fixed, "text": self.text(resource["text"], left)}}, 0
        return {
            "type": "text",
            "text": f"(cut: a block of the kind `{kind}` is not shown; {self._advice})",
        }, left


def _size(value: Any, most: int) -> int:
    """How many characters a value takes as JSON; stops counting beyond `most`, so that it costs no more."""
    if isinstance(value, str):
        return len(value) + 2 + value.count('"') + value.count("\\") + value.count("\n")
    if isinstance(value, dict):
        total = 2
        for key, item in value.items():
            total += len(key) + 6 + _size(item, most - total)
            if total > most:
                return total
        return total
    if isinstance(value, list):
        total = 2
        for item in value:
            total += 2 + _size(item, most - total)
            if total > most:
                return total
        return total
    return 5 if value is None else len(str(value))


_LEAST = 24


def _shrunk(value: Any, budget: int) -> Any:
    """The value in about so many characters: each part gets its share, what it does not need goes to the next."""
    kind = type(value)
    if _size(value, budget) <= budget:
        return value
    if kind is str:
        shown = max(budget - 40, 0)
        return f"{value[:shown]}… ({shown} of {len(value)} characters)"
    if kind is list:
        return _shrunk_list(value, budget)
    if kind is dict:
        return _shrunk_object(value, budget)
    return value


def _shrunk_list(value: list[Any], budget: int) -> list[Any]:
    made: list[Any] = []
    left = budget - 44  # the sentence about the rest
    for item in value:
        size = _size(item, left) + 2
        if size > left:
            if not made and left > 2 * _LEAST and type(item) in (dict, list, str):
                made.append(_shrunk(item, left))
            break
        made.append(item)
        left -= size
    rest = len(value) - len(made)
    return [*made, f"… ({rest} more of {len(value)} items)"] if rest else made


def _shrunk_object(value: dict[str, Any], budget: int) -> dict[str, Any]:
    left = budget - 44
    most = max(left // _LEAST, 1)
    shown = list(islice(value.items(), most))
    share = left // len(shown)
    sizes = [len(key) + 6 + _size(item, share) for key, item in shown]
    small = [size for size in sizes if size <= share]
    # What the small fields leave is for the others, the same for each.
    wide = (left - sum(small)) // max(len(sizes) - len(small), 1)
    made: dict[str, Any] = {}
    for (key, item), size in zip(shown, sizes, strict=True):
        new = item if size <= share else _shrunk(item, max(wide - len(key) - 6, 0))
        left -= size if new is item else len(key) + 6 + _size(new, wide)
        if left < 0:
            break
        made[key] = new
    if len(made) < len(value):
        made["…"] = f"{len(value) - len(made)} more of {len(value)} fields"
    return made
