"""Asks the person at the terminal itself: no program that starts this one can answer for them."""

from __future__ import annotations

from collections.abc import Iterable

from gatewayctl.output import Failure


def copied_word(lines: Iterable[str], what: str, otherwise: str) -> bool:
    """Show lines at the terminal, and whether the word was copied that stands nowhere else.

    Neither the input nor the output of the process is used: a program that starts this one holds those. `what` is
    what the word does; without a terminal a failure says `otherwise`.
    """
    from secrets import choice

    word = "".join(choice("abcdefghjkmnpqrstuvwxyz") for _ in range(5))
    try:
        with open("/dev/tty", "r+b", buffering=0) as terminal:  # noqa: PTH123
            text = "\n".join([*lines, "", f"To {what}, type {word} and press Enter: "])
            terminal.write(text.encode("utf-8", "replace"))
            typed = terminal.readline(200).decode("utf-8", "replace").strip()
    except OSError:
        raise Failure("there is no terminal, and only a person may answer", otherwise) from None
    return typed == word
