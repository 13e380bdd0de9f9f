"""The contract of a result: which keys hold lists, and the table of them for prompts that plan several calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gateway.frozen import frozen
from gateway.results.returns import Returns
from gateway.results.review import Problem

MAIN_LISTS = ("items", "list", "models")
"""Keys under which tools return the rows that a question is about."""
WRAPPERS = (*MAIN_LISTS, "rows", "records")
"""Keys that only wrap rows. `data` is deliberately none of them: it holds a single object as often as rows, and a plan
that takes it for rows loops over the keys of that object."""


def problems(returns: Returns, data: Any) -> Iterator[Problem]:
    """How a result breaks its tool's contract; nothing is said of what is open, or of what is no object."""
    if not returns.known:
        return
    if type(data) is list:
        yield Problem("shape", "the result is a list, and the tool declares an object with lists in it")
    if type(data) is not dict:
        return
    for key in returns.arrays:
        if key in data and type(data[key]) is not list:
            yield Problem("shape", f"`{key}` is declared as a list, and holds something else")
    undeclared = [key for key, value in data.items() if type(value) is list and key not in returns.arrays]
    for key in undeclared[:_MOST_NAMED]:
        yield Problem("shape", f"`{_shortened(str(key))}` holds a list that `result.arrays` does not declare")


_MOST_NAMED = 10


def _shortened(key: str) -> str:
    from gateway.diagnostic import printable, shortened

    return printable(shortened(key))


@frozen
class Shape:
    """A line of the table: a tool and the keys under which it returns lists."""

    tool: str
    arrays: tuple[str, ...]
    known: bool

    @property
    def main(self) -> str | None:
        """The list that holds the rows, if the tool has one that is called so; a mere wrapper comes second."""
        found = [key for names in (MAIN_LISTS, WRAPPERS) for key in self.arrays if key in names]
        return found[0] if found else None


def rendered(shapes: Iterable[Shape]) -> str:
    """The table as a planning prompt shows it: what returns which lists, what returns none, what is not known."""
    listed = list(shapes)
    known = [shape for shape in listed if shape.known]
    groups = (
        ("These tools return lists under these keys (the main list is marked with *):", [
            f"- {shape.tool}: {', '.join(_key(shape, key) for key in shape.arrays)}" for shape in known if shape.arrays
        ]),
        ("These tools return no list; do not pick rows from their results:", [
            f"- {shape.tool}" for shape in known if not shape.arrays
        ]),
        ("The keys of these results are not known; print the keys first, then decide what to read:", [
            f"- {shape.tool}" + (f" (sometimes: {', '.join(shape.arrays)})" if shape.arrays else "")
            for shape in listed if not shape.known
        ]),
    )  # fmt: skip
    return "\n\n".join("\n".join((head, *lines)) for head, lines in groups if lines)


def _key(shape: Shape, key: str) -> str:
    return f"{key}*" if key == shape.main else key
