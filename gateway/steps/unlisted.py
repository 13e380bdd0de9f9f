"""What can be held against a tool that the catalogue lacks: its arguments are read by their names alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gateway.later import later
from gateway.risk import RiskLevel
from gateway.steps.deciding import Deciding
from gateway.steps.inspection import GUARD_ALONE, hold_against, inspected_texts, texts_of

_COMMANDS = frozenset(("cmd", "command", "commands", "script", "shell", "shell_command"))
_LOOKS = frozenset(
    ("cat", "find", "get", "glob", "grep", "info", "list", "ls", "read", "search", "show", "stat", "view")
)
_WORDS = later(r"[a-z]+")
_LONGEST_PATH = 4096


def inspect_unlisted(ctx: Deciding) -> None:
    """Judge commands by every pattern and the guard, and any short text that names a guarded file by the guard."""
    looks = not _LOOKS.isdisjoint(_WORDS.findall(ctx.call.name.lower()))
    risk = RiskLevel.READ_ONLY if looks else RiskLevel.HIGH
    for key, value in _named("", ctx.arguments):
        if key.lower() in _COMMANDS:
            _hold(ctx, key, "shell", texts_of([value], "shell"), risk)
        else:
            paths = [
                text.removeprefix("file://")
                for text in texts_of([value], "path")
                if len(text) <= _LONGEST_PATH and "\n" not in text
            ]
            _hold(ctx, key, GUARD_ALONE, paths, risk)


def _hold(ctx: Deciding, key: str, kind: str, texts: list[str], risk: RiskLevel) -> None:
    made = inspected_texts(ctx, kind, texts, risk)
    hold_against(ctx, key, [match for one in made for match in one.matches])


def _named(key: str, value: object) -> Iterator[tuple[str, object]]:
    """Every value that is no object, with the key that it stands under."""
    if isinstance(value, Mapping):
        for inner, item in value.items():
            yield from _named(inner, item)
    elif isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
        for item in value:
            yield from _named(key, item)
    else:
        yield key, value
