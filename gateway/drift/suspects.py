"""What in a tool's texts speaks to the model rather than about the tool, and names that pass for another tool's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gateway.checks.hidden_text import hidden_at
from gateway.drift.sides import Stated
from gateway.later import later
from gateway.results.folding import folded

BUILT_IN = ("bash", "edit", "fetch", "glob", "grep", "read", "shell", "task", "write")
"""The tools that agent programs bring along."""

_SIGNS = (
    (
        later(
            r"(?i)\b(?:ignore|disregard|forget|override)\s+(?:\w+\s+){0,3}"
            r"(?:instructions?|prompts?|rules?|polic(?:y|ies)|messages?)\b"
        ),
        "tells the model to leave its instructions",
    ),
    (
        later(
            r"(?i)\b(?:do\s+not|don'?t|never|without)\s+(?:\w+\s+){0,2}?"
            r"(?:tell|telling|mention|mentioning|inform|informing|notify|notifying|ask|asking|show|showing|reveal)"
            r"\b(?:\s+\w+){0,3}?\s+users?\b"
        ),
        "asks to keep something from the user",
    ),
    (
        later(
            r"(?i)<\s*/?\s*(?:important|system|instructions?|secret|admin|assistant|human|user)\b[^>]{0,80}>"
        ),
        "holds a mark that sets a text apart as instructions",
    ),
    (later(r"(?i)\b(?:system|developer)\s+prompt\b"), "speaks of the model's own prompt"),
    (
        later(
            r"(?i)\b(?:before|after|instead\s+of|whenever|each\s+time|every\s+time)\s+(?:you\s+)?"
            r"(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing)|run(?:ning)?)\s+(?:any|all|every|other|another|the\s+other)\b"
        ),
        "says what to do when other tools are called",
    ),
    (
        later(
            r"(?i)(?:~|\$HOME|/home/\w+|/root)/\.(?:ssh|aws|config|gnupg|netrc|cursor|claude|kube)"
            r"|\bid_(?:rsa|ed25519)\b|/etc/(?:passwd|shadow)|\bmcp\.json\b"
        ),
        "names files that hold secrets or settings",
    ),
)
_WORD = later(r"[A-Za-z0-9_.-]+")
_PLAIN = later(r"[A-Za-z]?[a-z0-9]*")
"""A name that is a word of the language as well."""


def suspects(tool: Stated, known: Iterable[str]) -> dict[str, str]:
    """What to look at before a tool is trusted, by the place of the text; `known` are the names of all tools."""
    server, slash, bare = tool.name.partition("/")
    others = [name for name in known if not name.startswith(f"{server}/")] if slash else []
    found: dict[str, str] = {}
    same = next((name for name in others if _alike(name.rpartition("/")[2]) == _alike(bare)), None)
    if same is not None:
        found["name"] = f"it passes for the tool `{same}`"
    elif slash and _alike(bare) in BUILT_IN:
        found["name"] = f"it passes for `{_alike(bare)}`, which agent programs bring along"
    named = {one for one in (name.rpartition("/")[2] for name in others) if not _PLAIN.fullmatch(one)}
    for place, text in _texts(tool):
        why = _why(text, named - {bare})
        if why is not None and place not in found:
            found[place] = why
    return found


def _alike(name: str) -> str:
    """A name as somebody reads it in passing."""
    return folded(name).replace("_", "").replace("-", "").replace(".", "")


def _why(text: str, named: set[str]) -> str | None:
    at = hidden_at(text)
    found = [] if at is None else [f"holds U+{ord(text[at]):04X}, which nobody sees"]
    found += [why for sign, why in _SIGNS if sign.search(text)]
    words = (match[0].strip(".-") for match in _WORD.finditer(text))
    other = next((word for word in words if word in named), None)
    if other is not None:
        found.append(f"speaks of the tool `{other}`, which is not this server's")
    return f"it {', '.join(found)}" if found else None


def _texts(tool: Stated) -> Iterator[tuple[str, str]]:
    """Every text that a model may be shown, with its place."""
    waiting: list[tuple[str, Any]] = [
        ("annotations", tool.annotations),
        ("output", tool.output),
        ("input", tool.input),
        ("description", tool.description),
        ("title", tool.title),
    ]
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, str):
            yield place, value
        elif isinstance(value, Mapping):
            yield from ((place, key) for key in value if isinstance(key, str))
            waiting.extend((f"{place}.{key}"[:200], below) for key, below in value.items())
        elif isinstance(value, list | tuple):
            waiting.extend((f"{place}[{index}]"[:200], below) for index, below in enumerate(value))
