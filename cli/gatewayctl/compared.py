"""A comparison of two policies as people read it."""

from __future__ import annotations

import json
import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.output import ink_for, say, say_diagnostics
from gatewayctl.placed import place_in
from gatewayctl.wording import counted

if TYPE_CHECKING:
    from datetime import datetime

    from gateway.decision import Decision
    from gateway.diagnostic import Ink
    from gateway.diff import Comparison, Shown
    from gateway.policy import Policy
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


def say_comparison(
    compared: Comparison,
    differing: Differing,
    matched: Matched,
    policies: tuple[Policy, Policy],
    failing: int,
) -> None:
    """Each difference, the calls that show what is relaxed, then the verdict and how much nobody confirmed."""
    from gateway.diagnostic import printable

    ink = ink_for(sys.stdout)
    found = compared.changes
    for change in found:
        direction = _word(change)
        say(f"{ink(_INK[direction], direction)}  {ink('bold', printable(change.item))}{_note(change)}")
        say(f"  {printable(change.meaning)}")
        place = place_in(change, *policies)
        if place is not None:
            say(f"  at {printable(place)}")
        if matched.confirms(change):
            say("  confirmed")
        elif change.relaxed or change.unproved:
            say(f"  digest: {change.digest}")
    for shown in compared.calls:
        _say_call(shown, compared.now, ink)
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
    left = f", {failing} not confirmed" if failing else ""
    if differing.asked:
        say(
            f"of {counted(differing.asked, 'call')} of the corpus {len(differing.listed)} are decided otherwise"
        )
    if count["looser"] or count["unproved"]:
        say(f"of what is looser or unproved {counted(compared.tried, 'call')} showed nothing")
    if compared.untried:
        say(
            f"{counted(len(compared.untried), 'part')} more may be shown by calls; these were enough to look at"
        )
    said = compared.verdict.value
    say(f"{ink(_INK[said], said)}: {listed or 'nothing differs'}{confirmed}{left}")


def say_next(failing: Iterable[Change], confirm: Path | None, ctx: click.Context, *, empty: bool) -> None:
    """What to write where the changes are meant, and the command that looks again."""
    from gateway.diagnostic import printable
    from gatewayctl.confirmed import entry_lines

    file = "confirmations.yaml" if confirm is None else str(confirm)
    how = "write this into" if empty else "add this to"
    say()
    say(f"if that is meant, {how} {printable(shlex.quote(file))}, with who agreed and why:")
    for change in failing:
        for line in entry_lines(change):
            say(line)
    words = ["gatewayctl", "diff", f"--confirm={file}", *_options(ctx)]
    say(f"to check again: {printable(shlex.join([*words, '--', ctx.params['old'], ctx.params['new']]))}")


def _options(ctx: click.Context) -> Iterator[str]:
    """The other options that the command was given."""
    given = ctx.params
    yield from ["--strict"] if given["strict"] else []
    for name in ("tries", "user", "project"):
        yield from [f"--{name}={given[name]}"] if given[name] is not None else []
    yield from [f"--corpus={path}" for path in given["corpora"]]
    yield from [f"--now={given['now'].isoformat()}"] if given["now"] is not None else []


def _word(change: Change) -> str:
    """What a change is called in text: `unproved` asks for a look, `other` is a matter of words."""
    return "unproved" if change.unproved else change.direction.value


def _note(change: Change) -> str:
    """What is to be said of a difference by which no decision differs."""
    if change.enforced:
        return ""
    weaker = "a protection is weaker; no decision changes today"
    return f"  ({weaker if change.relaxed else 'no decision changes'})"


def _say_call(shown: Shown, now: datetime, ink: Ink) -> None:
    """A call, who makes it, both answers and what is to blame."""
    from gateway.diagnostic import printable

    say()
    say(f"{ink('red', 'shown by')}  {ink('bold', printable(shown.tool))}  {printable(shown.how)}")
    say_request(shown.request, now, result="blanked" in shown.how)
    say_answer("before", shown.before)
    say_answer("after", shown.after)
    say(f"  cause      {', '.join(map(printable, shown.causes)) or 'nothing that is known to relax'}")


def say_request(request: Request, now: datetime, *, result: bool = False) -> None:
    """Who calls with which arguments, without what goes without saying; and when, where that is not `now`."""
    who = {key: value for key, value in request.session.items() if value not in _PLAIN.get(key, _NOTHING)}
    subject = who.pop("subject", {})
    told = {key: value for key, value in subject.items() if value not in _PLAIN.get(key, _NOTHING)}
    say(f"  arguments  {_text(request.arguments)}")
    say(f"  subject    {_text(told)}")
    say(f"  session    {_text(who)}")
    if request.now != now:
        say(f"  at         {request.now.isoformat()}")
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
