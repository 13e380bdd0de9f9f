"""`gatewayctl log`: read the decision log, look whether it is whole, and count."""

from __future__ import annotations

import sys
from collections import deque
from pathlib import Path
from typing import Any

import click

from gatewayctl.logs import (
    Row,
    log_lines,
    log_option,
    milliseconds,
    record_line,
    record_lines,
    rows,
    tenant_of,
)
from gatewayctl.options import format_option
from gatewayctl.output import Exit, Failure, Format, ink_for, say, say_json


@click.group()
def command() -> None:
    """Read the decision log: each decision, result, answer of a person and reload."""


@command.command()
@click.option("--lines", "-n", type=click.IntRange(min=1), default=20, show_default=True, help="How many.")
@click.option(
    "--where",
    "wanted",
    metavar="KEY=VALUE",
    multiple=True,
    help="Only records with this value, such as `tool=send_mail` or `effect=deny`; may be given again.",
)
@log_option
@format_option
def tail(lines: int, wanted: tuple[str, ...], log: str | None, form: Format) -> None:
    """Print the last records, the newest last; with --format json a line each, as it stands in the log."""
    pairs = [_pair(each) for each in wanted]
    absent = {name for name, _ in pairs}
    last: deque[Row] = deque(maxlen=lines)
    with log_lines(log) as found:
        for row in rows(found):
            absent -= row.keys()
            if _is(row, pairs):
                last.append(row)
    for name in sorted(absent):
        click.echo(f"no record has the key `{name}`", err=True)
    ink = ink_for(sys.stdout)
    for row in last:
        if form is Format.JSON:
            say_json(row)
        else:
            say(record_line(row, ink))


@command.command()
@click.argument("name", metavar="ID")
@click.option(
    "--session", help="Only of the conversation with this id: calls of others may have the same id."
)
@log_option
@format_option
def show(name: str, session: str | None, log: str | None, form: Format) -> None:
    """Print every record about ID: a decision's, a result's, a request's or a call's."""
    with log_lines(log) as found:
        about = [row for row in rows(found) if name in (row.get(key) for key in _IDS)]
    if session is not None:
        about = [row for row in about if row.get("session") == session]
    if not about:
        raise Failure(f"the log has nothing about `{name}`", "`gatewayctl log tail` shows the last records")
    if form is Format.JSON:
        say_json({"records": about})
        return
    ink = ink_for(sys.stdout)
    for row in about:
        for line in record_lines(row, ink):
            say(line)
    sessions = dict.fromkeys(str(row.get("session", "")) for row in about if row.get("call") == name)
    if len(sessions) > 1:
        from gateway.diagnostic import printable

        listed = ", ".join(f"`{printable(one)}`" for one in sessions)
        say(f"these are calls of several conversations: {listed}; `--session ID` shows those of one")


@command.command()
@click.option(
    "--anchors",
    type=click.Path(path_type=Path),
    help="The file of anchors: without it nobody can tell whether the end is missing, or all was written anew.",
)
@log_option
@format_option
def verify(anchors: Path | None, log: str | None, form: Format) -> None:
    """Look whether each record follows the one before it, and is as it was anchored.

    Exit code 1 means that records were edited, removed, added or put in another order, or that there are none.
    """
    from gateway.chain import Anchor, verified
    from gateway.recorders.anchors import read_anchors

    known: tuple[Anchor, ...] = ()
    if anchors is not None:
        try:
            known = tuple(read_anchors(anchors, tenant_of(log)))
        except OSError as error:
            raise Failure(f"the anchors `{anchors}` can't be read: {error.strerror}") from None
    with log_lines(log) as found:
        told = verified(found, known)
    ok = told.ok and told.records > 0
    if form is Format.JSON:
        say_json(
            {
                "ok": ok,
                "records": told.records,
                "first": told.first,
                "last": told.head.number,
                "hash": told.head.hash,
                "anchored": told.anchored,
                "found": [
                    {"fault": one.fault, "wrong": one.wrong, "place": one.place, "message": one.message}
                    for one in told.found
                ],
            }
        )
    else:
        ink = ink_for(sys.stdout)
        for one in told.found:
            what = ink("red", one.fault.value) if one.wrong else ink("yellow", one.fault.value)
            say(f"{what}: {f'{one.place}: ' if one.place else ''}{one.message}")
        if told.ok and not ok:
            say(f"NOTHING THERE: the log `{log}` has no records; is it the one that is written?")
            raise click.exceptions.Exit(Exit.FOUND)
        say(f"{'whole' if told.ok else 'NOT WHOLE'}: {told.records} records, the last is {told.head.number}")
        end = f"up to record {told.anchored}" if told.anchored else "nothing"
        say(f"anchors bear out {end}" if known else "no anchors: the end may be missing")
    raise click.exceptions.Exit(Exit.FINE if ok else Exit.FOUND)


@command.command()
@log_option
@format_option
def stats(log: str | None, form: Format) -> None:
    """Print for each tool how often it was called, what was decided, its errors, and how long it took."""
    from gateway.statistics import MOVING, statistics

    with log_lines(log) as found:
        tools = statistics(rows(found))
    if form is Format.JSON:
        say_json(
            {
                "tools": [
                    {
                        "tool": one.tool,
                        "calls": one.calls,
                        "effects": one.effects,
                        "codes": one.codes,
                        "results": one.results,
                        "errors": one.errors,
                        "withheld": one.withheld,
                        "deciding_us": one.deciding,
                        "running_us": one.running,
                    }
                    for one in tools
                ]
            }
        )
        return
    from gateway.diagnostic import printable
    from gatewayctl.wording import columns

    heads = (
        "tool",
        "calls",
        "allow",
        "ask",
        "respond",
        "deny",
        "results",
        "errors",
        "withheld",
        "runs",
        "decided in",
    )
    table = [
        (
            printable(one.tool),
            str(one.calls),
            *(str(one.effects.get(effect, 0)) for effect in heads[2:6]),
            str(one.results),
            str(one.errors),
            str(one.withheld),
            _time(one.running),
            _time(one.deciding),
        )
        for one in tools
    ]
    for cells in columns([heads, *table]):
        say("  ".join(cells).rstrip())
    say(f"times are averages of the last {MOVING}")


_IDS = ("id", "decision", "request", "call")


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.BadParameter(f"`{text}` is no KEY=VALUE", param_hint="--where")
    return name, value


def _is(row: Row, pairs: list[tuple[str, str]]) -> bool:
    return all(name in row and value in _texts(row[name]) for name, value in pairs)


def _texts(value: Any) -> list[str]:
    """A value as somebody writes it who looks for it; of a list any one."""
    import json

    if isinstance(value, list):
        return [text for one in value for text in _texts(one)]
    return [value if isinstance(value, str) else json.dumps(value)]


def _time(microseconds: float | None) -> str:
    return "-" if microseconds is None else milliseconds(microseconds)
