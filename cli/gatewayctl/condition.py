"""A condition's text together with the values that its parts had."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gateway.decision import Observed

_LONGEST = 60
_MISFIT = "false: "
_MOST = 12
_TOKEN = re.compile(
    r"""r?"(?:\\.|[^"\\])*"|r?'(?:\\.|[^'\\])*'|(?P<path>[A-Za-z_]\w*(?:\.\??[A-Za-z_]\w*|\[\w+\])*)(?!\s*\(|\w)"""
)
_BOUND = re.compile(r"\.\w+\(\s*([A-Za-z_]\w*)\s*,(?:\s*([A-Za-z_]\w*)\s*,)?")
_FACTS = re.compile(r"inspect\.\w+")
_CONSTANT = re.compile(r"-?[\d.]+(e[-+]?\d+)?u?|true|false|null", re.IGNORECASE)


def one_line(text: str) -> str:
    """A text that was written over several lines, on one."""
    return " ".join(text.split())


def cut(text: str) -> str:
    """A value, shortened so that the condition round it can still be read."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def names(observed: Sequence[Observed]) -> dict[str, str]:
    """The values of plain names, such as `args.amount`; of names that a macro binds there is more than one.

    All facts of an inspected argument together are too long to be read.
    """
    found = {
        seen.text: cut(seen.value)
        for seen in observed
        if _is_name(seen.text) and not (_FACTS.fullmatch(seen.text) and len(seen.value) > _LONGEST)
    }
    bound = {
        name for seen in observed for match in _BOUND.finditer(seen.text) for name in match.groups() if name
    }
    return {text: value for text, value in found.items() if re.split(r"[.\[]", text)[0] not in bound}


def with_values(text: str, observed: Sequence[Observed]) -> str:
    """A condition's text with the value of each name behind it: `args.amount (1500) > 1000`."""
    values = names(observed)

    def token(match: re.Match[str]) -> str:
        path = match["path"]
        return match[0] if path is None or path not in values else f"{path} ({values[path]})"

    return _TOKEN.sub(token, one_line(text))


def parts(observed: Sequence[Observed]) -> dict[str, str]:
    """The values of comparisons and calls; a part that ran for several elements has several."""
    found: dict[str, dict[str, None]] = {}
    for seen in observed:
        if not _is_name(seen.text) and seen.text != seen.value and not _CONSTANT.fullmatch(seen.text):
            told = seen.value if seen.value.startswith(_MISFIT) else cut(seen.value)
            found.setdefault(one_line(seen.text), {})[told] = None
    return {text: ", then ".join(values) for text, values in list(found.items())[:_MOST]}


def misfits(observed: Sequence[Observed]) -> dict[str, str]:
    """The calls that do not hold, with what kept them from it."""
    return {
        one_line(seen.text): seen.value.removeprefix(_MISFIT)
        for seen in observed
        if seen.value.startswith(_MISFIT)
    }


def _is_name(text: str) -> bool:
    match = _TOKEN.fullmatch(text)
    return match is not None and match["path"] is not None and not _CONSTANT.fullmatch(text)
