"""A comparison of two policies as people read it."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from gatewayctl.output import ink_for, say, say_diagnostics
from gatewayctl.wording import counted

if TYPE_CHECKING:
    from gateway.decision import Decision
    from gateway.diagnostic import Ink
    from gateway.diff import Comparison, Shown
    from gateway.relaxation import Change
    from gateway.search import Request
    from gatewayctl.confirmed import Matched
    from gatewayctl.corpus import Differing

_INK = {
    "relaxed": "red",
    "looser": "yellow",
    "unproved": "yellow",
    "other": "yellow",
    "proved": "green",
    "tightened": "green",
}
_MOST_SHOWN = 20


def say_comparison(compared: Comparison, differing: Differing, matched: Matched) -> None:
    """Each difference, the calls that show what is relaxed, then the verdict."""
    from gateway.diagnostic import printable

    ink = ink_for(sys.stdout)
    found = compared.changes
    for change in found:
        direction = _word(change)
        note = "" if change.enforced else "  (no decision changes)"
        say(f"{ink(_INK[direction], direction)}  {ink('bold', printable(change.item))}{note}")
        say(f"  {printable(change.meaning)}")
        if matched.confirms(change):
            say("  confirmed")
        elif change.relaxed or change.unproved:
            say(f"  digest: {change.digest}")
    for shown in compared.calls:
        _say_call(shown, ink)
    for one in differing.listed[:_MOST_SHOWN]:
        say(
            f"{ink('red' if one.how else 'green', 'decided otherwise')}  {printable(one.name)}: {printable(one.said)}"
        )
    if len(differing.listed) > _MOST_SHOWN:
        say(f"  and {counted(len(differing.listed) - _MOST_SHOWN, 'more call')}; --format json lists all")
    if found:
        say()
    say_diagnostics(matched.unused)
    count = Counter(map(_word, found))
    listed = ", ".join(f"{number} {direction}" for direction, number in count.items())
    confirmed = f", {counted(len(matched.keys), 'item')} confirmed" if matched.keys else ""
    if differing.asked:
        say(
            f"of {counted(differing.asked, 'call')} of the corpus {len(differing.listed)} are decided otherwise"
        )
    if count["looser"] or count["unproved"]:
        say(f"of what is looser or unproved {counted(compared.tried, 'call')} showed nothing")
    said = compared.verdict.value
    say(f"{ink(_INK[said], said)}: {listed or 'nothing differs'}{confirmed}")


def _word(change: Change) -> str:
    """What a change is called in text: `unproved` asks for a look, `other` is a matter of words."""
    return "unproved" if change.unproved else change.direction.value


def _say_call(shown: Shown, ink: Ink) -> None:
    """A call, who makes it, both answers and what is to blame."""
    from gateway.diagnostic import printable

    say()
    say(f"{ink('red', 'shown by')}  {ink('bold', printable(shown.tool))}  {printable(shown.how)}")
    say_request(shown.request, result="blanked" in shown.how)
    say_answer("before", shown.before)
    say_answer("after", shown.after)
    say(f"  cause      {', '.join(map(printable, shown.causes)) or 'nothing that is known to relax'}")


def say_request(request: Request, *, result: bool = False) -> None:
    """Who calls with which arguments, without what goes without saying."""
    who = {key: value for key, value in request.session.items() if value not in _PLAIN.get(key, _NOTHING)}
    subject = who.pop("subject", {})
    told = {key: value for key, value in subject.items() if value not in _PLAIN.get(key, _NOTHING)}
    say(f"  arguments  {_text(request.arguments)}")
    say(f"  subject    {_text(told)}")
    say(f"  session    {_text(who)}")
    if result:
        say(f"  result     {_text(request.result)}")


def say_answer(name: str, answer: Decision) -> None:
    """A decision in a line."""
    from gateway.diagnostic import printable

    rule = f" {answer.rule}" if answer.rule else ""
    say(f"  {name:<9}  {answer.effect.value} {answer.code}{printable(rule)}: {printable(answer.detail)}")


_NOTHING: tuple[Any, ...] = ([], {}, None)
_PLAIN: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("id", "cwd", "home"), ("s-1", "/srv/app", "/home/user", *_NOTHING)),
    "roots": (["/srv/app"],),
    "can_ask": (True,),
    "dry_run": (False,),
    "authenticated": (True,),
    "kind": ("user",),
}
"""What of a session goes without saying."""


def _text(value: Any) -> str:
    from gateway.diagnostic import printable

    return printable(json.dumps(value, ensure_ascii=False))
