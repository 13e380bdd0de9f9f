"""A comment that silences a check where that finds nothing.

What it was written for has gone, or stands elsewhere now. Left there it silences the next finding, which nobody has
looked at.

Bad:

    rules:
      - {id: large, tools: [pay], effect: ask, message: Why?} # gateway: ignore[missing-message] soon

Good:

    rules:
      - {id: large, tools: [pay], effect: ask, message: Why?}

A name that no check has is found as well. Comments for `second-opinion` are not, as that runs only when it is asked
for. To keep one that is needed now and then, add `# gateway: ignore[unused-ignore] …` to its line, and why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gateway.checks.ignores import Ignores
from gateway.diagnostic import Diagnostic, suggest

_ASKED_FOR = frozenset({"second-opinion"})
_OWN = "unused-ignore"


def check_ignores(ignores: Ignores, known: Sequence[str]) -> Iterator[Diagnostic]:
    """Each name in a comment that silenced nothing; those of this check come last, as it is what they silence."""
    for ignore in ignores.every:
        for name, span in ignore.unused:
            if name in _ASKED_FOR or name == _OWN:
                continue
            if name in known:
                text = f"`{name}` finds nothing here, so the comment silences nothing"
                yield Diagnostic(_OWN, text, span, "remove it")
            else:
                near = suggest(name, known)
                help_ = (
                    f"did you mean `{near[0]}`?"
                    if near
                    else "`gatewayctl lint` prints the name of each check"
                )
                yield Diagnostic(_OWN, f"there is no check `{name}`", span, help_)
