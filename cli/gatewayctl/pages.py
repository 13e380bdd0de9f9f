"""The pages that explain a name: a decision's code, a check of the linter, a pattern."""

from __future__ import annotations

import inspect
import re
import sys
from typing import TYPE_CHECKING

from gatewayctl.decided import page_json
from gatewayctl.output import Failure, Format, ink_for, say, say_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType


def checks() -> tuple[ModuleType, ...]:
    """All that has a page among what `gatewayctl lint` finds."""
    from gateway import second_opinion
    from gateway.checks import CHECKS

    return (*CHECKS, second_opinion)


def say_page(name: str, form: Format) -> bool:
    """Print the page of a name; whether there is one."""
    return _say_code(name, form) or _say_check(name, form) or _say_pattern(name, form)


def no_page(name: str, ids: Sequence[str] = ()) -> Failure:
    """What to say of a name that has no page, with the one that was probably meant; `ids` are a policy's."""
    from gateway.checks import check_id
    from gateway.decision import Code
    from gateway.diagnostic import suggest

    codes = list(Code.__members__)
    near = [name.upper()] if name.upper() in codes else suggest(name, [*codes, *map(check_id, checks())])
    listed = "`gatewayctl explain` lists the codes and the checks"
    own = [] if near else suggest(name, ids)
    meant = f"did you mean `{near[0]}`? {listed}" if near else listed
    meant = f"did you mean `{own[0]}` of the policy? {listed}" if own else meant
    if name.isupper():
        return Failure(f"there is no code `{name}`", meant)
    if re.fullmatch(r"[a-z]+(?:-[a-z]+)+", name):
        help = f"did you mean the check `{near[0]}`? " if near else ""
        help += f"did you mean `{own[0]}` of the policy? " if own else ""
        help += "an error of loading has none: its message and help say all"
        help += "" if ids else "; a rule, limit or entry of a policy is shown with `--policies PATH`"
        return Failure(f"`{name}` has no page", f"{help}; {listed}")
    return Failure(f"`{name}` is no code and no check", meant)


def _say_code(name: str, form: Format) -> bool:
    from gateway.decision import Code

    if name not in Code.__members__:
        return False
    if form is Format.JSON:
        say_json(page_json(name))
        return True
    from gatewayctl.explanation import page_lines

    ink = ink_for(sys.stdout)
    say(ink("bold", name))
    for line in page_lines(Code(name), ink):
        say(line)
    return True


def _say_check(name: str, form: Format) -> bool:
    from gateway.checks import check_id, confidence_of, severity_of

    for module in checks():
        if check_id(module) == name:
            page = inspect.cleandoc(module.__doc__ or "")
            severity, confidence = severity_of(module).value, confidence_of(module).value
            if form is Format.JSON:
                say_json({"check": name, "severity": severity, "confidence": confidence, "page": page})
            else:
                say(f"{page}\n\nSeverity: {severity}. Confidence: {confidence}.")
            return True
    return False


def _say_pattern(name: str, form: Format) -> bool:
    """The page of a pattern as it is shipped."""
    if "." not in name:
        return False
    from gateway.patterns import PACKS, load_packs
    from gatewayctl.commands.patterns import pattern_json, pattern_lines

    for pattern in load_packs(PACKS):
        if pattern.id == name:
            if form is Format.JSON:
                say_json(pattern_json(pattern))
            else:
                for line in pattern_lines(pattern):
                    say(line)
            return True
    return False
