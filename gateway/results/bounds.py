"""Bounds: how much of a result the model reads; what is cut says so, and data stays data of the same shape."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from typing import Any

from gateway.results.form import is_mcp, says, structured
from gateway.results.measure import field_size, fitting, size, width
from gateway.results.media import carried, described, spoken

HARD_LIMIT = 1_000_000
"""What no tool's declaration goes beyond; all pictures and sounds of one result together have a bound as high."""

_STARTS = frozenset(("offset", "start", "start_index", "start_line", "skip"))
"""Arguments that say behind how much a piece begins: the next one can begin wherever this one was cut."""
_SIZES = frozenset(
    (
        "page_size", "pagesize", "per_page", "perpage", "limit", "size", "top", "max_results", "head", "tail",
    )
)  # fmt: skip
"""Arguments that say how large a piece is."""
_PAGES = frozenset(("page", "page_number", "page_no", "pageno", "page_token", "pagetoken", "cursor", "after"))
"""Arguments that ask for another piece: what was cut off this one is in none of them."""
PAGING = _STARTS | _SIZES | _PAGES
"""Names of arguments with which tools give a result piece by piece."""


def paging_arguments(names: Any) -> tuple[str, ...]:
    """Those of a tool's arguments that page, in the order in which the tool declares them."""
    return tuple(name for name in names if name.lower() in PAGING)


def advice(paging: tuple[str, ...] | None) -> str:
    """How to get what was cut; None stands for a tool that must not be called again for that."""
    if paging is None:
        return "what is left out can't be had by calling it again"
    starts, sizes = (
        next((name for name in paging if name.lower() in names), None) for names in (_STARTS, _SIZES)
    )
    if starts is not None:
        return f"call it again with `{starts}` set behind what is shown for the rest"
    if sizes is not None:
        return f"call it again with a smaller `{sizes}`, for as much at a time as is shown whole"
    if paging:
        return (
            f"the rest is on no other page; call it again with other arguments than `{paging[0]}`, for less"
        )
    return "call it again with narrower arguments for the rest"


_LEAST = 3
"""What any text, list or object can be cut to: `"…"`, `[]`, `{}`."""
_USEFUL = 24
"""What a field is worth showing with, where not all fields can be shown anyway."""
_FEW = 8
"""The items of a list that is no longer get their shares, as fields do; of a longer one the first ones are shown."""
_ROUNDS = 4
_MOST_SAID = 3


class Bound:
    """Cuts one result to a limit; `cut` says afterwards whether anything is missing."""

    def __init__(self, limit: int, paging: tuple[str, ...] | None = ()) -> None:
        self.limit = min(limit, HARD_LIMIT)
        self._advice = advice(paging)
        self._pictures = HARD_LIMIT
        self._said = False
        self._missing: dict[str, None] = {}
        self.cut = False

    @property
    def missing(self) -> tuple[str, ...]:
        """What is shown of lists and objects that have no place to say so themselves; in our own words only."""
        return tuple(self._missing)

    def sentence(self) -> str:
        """What is said of a result that was cut."""
        said = [*self.missing[:_MOST_SAID], *(["others"] if len(self._missing) > _MOST_SAID else [])]
        what = f" ({', '.join(said)})" if said else ""
        return f"not all of the result is shown{what}; {self._advice}"

    def text(self, text: str) -> str:
        """As much of a text as fits, and a sentence about the rest; one that is JSON stays JSON."""
        return self._text(text, self.limit)

    def whole(self, value: Any) -> Any:
        """Plain data within the limit: the very same object where nothing has to be cut."""
        if type(value) is str:
            return self.text(value)
        made = self._mcp(value) if is_mcp(value) else self._data(value, self.limit)
        return self._with_pictures(made)

    def _text(self, text: str, limit: int, more: str = "") -> str:
        if width(text, limit) <= limit:
            return text
        data = self._json(text, limit)
        if data is not None:
            return data
        self.cut = self._said = True
        shown = fitting(text, limit, width)
        return f"{text[:shown]}… (cut: {shown} of {len(text)} characters are shown{more}; {self._advice})"

    def _json(self, text: str, limit: int) -> str | None:
        """The JSON of a text within a limit; None for a text that is none."""
        if text[:1] not in ("{", "[") or len(text) > HARD_LIMIT or limit < _LEAST:
            return None
        try:
            value = json.loads(text)
            if type(value) not in (dict, list):
                return None
            words = spoken(value)  # a picture inside of a text is read as text
            made = json.dumps(self._data(words, limit), ensure_ascii=False)
            made.encode()
            self.cut = self.cut or words != value
        except (ValueError, RecursionError):
            return None
        return made

    # --- data ------------------------------------------------------------------------------------------------------

    def _data(self, value: Any, budget: int) -> Any:
        """Data in at most so many characters, of the same shape."""
        if size(value, budget) <= budget:
            return value
        kind = type(value)
        if kind is str:
            return self._word(value, budget)
        if kind is list:
            return self._list(value, budget)
        if kind is not dict:
            return value
        return self._object(value, budget) if carried(value) is None else self._no_picture(value, budget)

    def _word(self, text: str, budget: int) -> str:
        """A text inside of data."""
        self.cut = True
        end = f"… ({len(text)} of {len(text)} characters)"
        room = budget - len(end)
        if room <= _LEAST:
            return f"{text[: fitting(text, budget - _LEAST, _inside)]}…"
        shown = fitting(text, room - 2, _inside)
        return f"{text[:shown]}… ({shown} of {len(text)} characters)"

    def _list(self, value: list[Any], budget: int) -> list[Any]:
        if len(value) <= _FEW and _needed(value, _LEAST) <= budget - 2 * len(value):
            return self._shared(value, budget - 2 * len(value))
        self.cut = True
        words = type(value[0]) is str
        left = budget - (len(_more(len(value), len(value), "items")) + 4 if words else 0)
        made: list[Any] = []
        for item in value:
            needed = size(item, left) + 2
            if needed > left:
                break
            made.append(item)
            left -= needed
        if not made and left >= _USEFUL and type(value[0]) in (str, list, dict):
            made = [self._data(value[0], left - 2)]
        rest = len(value) - len(made)
        if words and rest and all(type(item) is str for item in made) and left >= 0:
            return [*made, _more(rest, len(value), "items")]
        if rest:
            self._missing[f"{len(made)} of {len(value)} items of a list"] = None
        return made

    def _object(self, value: dict[str, Any], budget: int) -> dict[str, Any]:
        """An object keeps its fields as long as there is room for them all, and the values share what is left."""
        self.cut = True
        value = described(value) or value
        shown, left = _with_room(value, budget, _LEAST)
        rest = len(value) - len(shown)
        if rest:
            end = _more(len(value), len(value), "fields")[:-1]
            shown, left = _with_room(value, budget - len(end) - 9, _USEFUL)
            rest = len(value) - len(shown)
        made = dict(zip(shown, self._shared([value[key] for key in shown], left), strict=True))
        if rest and left >= 0:
            made["…"] = f"{rest} more of {len(value)} fields"
        elif rest:
            self._missing[f"{len(made)} of {len(value)} fields of an object"] = None
        return made

    def _shared(self, items: list[Any], left: int) -> list[Any]:
        """Each item in its share; what a short one does not need is for the others."""
        made = list(items)
        waiting: list[int] = []
        for at, item in enumerate(items):
            if type(item) in (str, list, dict):
                waiting.append(at)
            else:
                left -= size(item, left)
        for _ in range(_ROUNDS):
            if not waiting:
                return made
            share = left // len(waiting)
            sizes = [(at, size(items[at], share)) for at in waiting]
            waiting = [at for at, needed in sizes if needed > share]
            left -= sum(needed for _, needed in sizes if needed <= share)
            if len(waiting) == len(sizes):
                break
        for number, at in enumerate(waiting):
            share = left // (len(waiting) - number)
            made[at] = self._data(items[at], share)
            left -= size(made[at], share)
        return made

    # --- MCP's form ------------------------------------------------------------------------------------------------

    def _mcp(self, value: dict[str, Any]) -> dict[str, Any]:
        """One limit for all parts: content comes first, and leaves up to half of it to the others."""
        content: list[dict[str, Any]] = value.get("content") or []
        others = {
            key: item for key, item in value.items() if key != "content" and type(item) in (str, list, dict)
        }
        data = structured(value)
        same = next((at for at, block in enumerate(content) if _said_by(block, data)), None)
        if same is not None:  # the model reads it once
            others = {key: item for key, item in others.items() if item is not data}
        needed = sum(size(item, self.limit) for item in others.values())
        blocks, left = self._content(content, self.limit - min(needed, self.limit // 2))
        left += min(needed, self.limit // 2)
        made = dict(value)
        if needed > left:
            frames = sum(field_size(key, HARD_LIMIT) + 2 for key in others)
            fits = self._object(others, left + frames)
            made = {
                key: fits.get(key, item) for key, item in value.items() if key in fits or key not in others
            }
        if self.cut and same is not None and (same >= len(blocks) or blocks[same] is not content[same]):
            key = next(key for key, item in value.items() if item is data)
            made[key] = self._as_shown(blocks[same]["text"] if same < len(blocks) else "", data, left)
        if self.cut and not self._said:
            blocks = [*blocks, {"type": "text", "text": f"(cut: {self.sentence()})"}]
        if len(blocks) != len(content) or any(a is not b for a, b in zip(blocks, content, strict=True)):
            made["content"] = blocks
        return value if all(made.get(key) is item for key, item in value.items()) and not self.cut else made

    def _as_shown(self, text: str, data: Any, left: int) -> Any:
        """The data that a text stands for which was cut, so that both still say the same."""
        try:
            shown = json.loads(text)
        except (ValueError, RecursionError):
            shown = None
        return shown if type(shown) is type(data) else self._data(data, left)

    def _content(self, content: Sequence[dict[str, Any]], left: int) -> tuple[list[dict[str, Any]], int]:
        """The blocks that fit; the first text that does not is cut, and what comes after is left out."""
        made: list[dict[str, Any]] = []
        for at, block in enumerate(content):
            left -= 1 if made else 0
            needed = _block_size(block, left)
            if needed <= left:
                made.append(block)
                left -= needed
                continue
            self.cut = True
            rest = len(content) - at - 1
            short = self._block(block, left, f", and {rest} blocks are left out" if rest else "")
            if short is not None:
                made.append(short)
            if short is None or rest:
                self._missing[f"{len(made)} of {len(content)} blocks"] = None
            return made, 0
        return made, left

    def _block(self, block: dict[str, Any], left: int, more: str) -> dict[str, Any] | None:
        """A block with its text cut to what is left; None if there is nothing to show of it."""
        kind = block["type"]
        if kind == "text" and type(block.get("text")) is str:
            rest = {key: item for key, item in block.items() if key not in ("type", "text")}
            needed = size(rest, left) if rest else 0
            kept = block if needed <= left // 4 else {"type": kind, "text": block["text"]}
            left -= needed if kept is block else 0
            return {**kept, "text": self._text(block["text"], max(left, 0), more)}
        resource = block.get("resource")
        if kind == "resource" and type(resource) is dict and type(resource.get("text")) is str:
            fixed = {key: item for key, item in resource.items() if key in ("uri", "mimeType")}
            needed = size(fixed, left)
            if needed < left:
                return {
                    "type": kind,
                    "resource": {**fixed, "text": self._text(resource["text"], left - needed, more)},
                }
        return None

    # --- pictures --------------------------------------------------------------------------------------------------

    def _with_pictures(self, value: Any) -> Any:
        """The data with pictures as far as all of them together keep within their bound, and words for the others."""
        kind = type(value)
        if kind is list:
            items = [self._with_pictures(item) for item in value]
            return value if all(a is b for a, b in zip(items, value, strict=True)) else items
        if kind is not dict:
            return value
        words = carried(value)
        if words is None:
            made = {key: self._with_pictures(item) for key, item in value.items()}
            return value if all(made[key] is value[key] for key in made) else made
        needed = len(json.dumps(value))
        if needed <= self._pictures:
            self._pictures -= needed
            return value
        return self._no_picture(value, self.limit)

    def _no_picture(self, block: dict[str, Any], budget: int) -> dict[str, Any]:
        self.cut = True
        words = f"(cut: a block of the kind `{block['type']}` is not shown; {self._advice})"
        made = {"type": "text", "text": words}
        if size(made, budget) <= budget:
            return made
        self._missing["a picture or a file is left out"] = None
        return {}


def _inside(text: str, most: int) -> int:
    """How many characters a text takes inside the quotes of JSON."""
    return size(text, most + 2) - 2


def _more(rest: int, whole: int, of: str) -> str:
    return f"… ({rest} more of {whole} {of})"


def _needed(items: Sequence[Any], least: int) -> int:
    """What the items take at least: a number is never cut."""
    return sum(_at_least(item, least) for item in items)


def _at_least(item: Any, least: int) -> int:
    return min(size(item, least), least) if type(item) in (str, list, dict) else size(item, least)


def _with_room(value: dict[str, Any], budget: int, least: int) -> tuple[list[str], int]:
    """The first fields for which there is room with so little in each, and what is left for their values."""
    shown: list[str] = []
    room = left = budget
    for key, item in islice(value.items(), max(budget, 0)):
        frame = field_size(key, budget) + 2
        needed = frame + _at_least(item, least)
        if needed > room:
            if needed - frame > budget:
                continue  # a number that is too long for the whole
            break
        room -= needed
        left -= frame
        shown.append(key)
    return shown, left


def _said_by(block: dict[str, Any], data: Any) -> bool:
    return (
        data is not None
        and block["type"] == "text"
        and type(block.get("text")) is str
        and says(block["text"], data)
    )


def _block_size(block: dict[str, Any], most: int) -> int:
    """How many characters the model reads of a block: of a text without its quotes."""
    text = block.get("text")
    if block["type"] != "text" or type(text) is not str:
        return size(block, most)
    rest = {key: item for key, item in block.items() if key not in ("type", "text")}
    return width(text, most) + (size(rest, most) if rest else 0)
