"""`gatewayctl demo`: decide some calls with a policy that is built in."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.decided import background, decision_json, explanation_json
from gatewayctl.inputs import read_mapping
from gatewayctl.options import format_option
from gatewayctl.output import Format, ink_for, say, say_json
from gatewayctl.wording import EFFECT_INK, columns

if TYPE_CHECKING:
    from gateway.decision import Decision

_LONGEST_CALL = 56
_LONGEST_REASON = 72


@click.command()
@format_option
def command(form: Format) -> None:
    """Load a policy that comes with gatewayctl, decide its calls, and explain the last one."""
    from gateway.call import ToolCall
    from gateway.session import Session
    from gateway.testing import load

    with as_file(files("gatewayctl") / "demo") as folder:
        loaded = load(folder / "policy.yaml")
        told = read_mapping(Path(folder) / "calls.yaml", form)
    sessions, calls = told["sessions"], told["calls"]
    decisions = [loaded.gateway.anew().before(_call(each), sessions[each["session"]]) for each in calls]
    call, session = ToolCall.of(_call(calls[-1])), Session.of(sessions[calls[-1]["session"]])
    explanation = loaded.gateway.anew().explain(call, session)
    about = background(loaded, call, session, explanation.decision)
    if form is Format.JSON:
        last = explanation_json(explanation, about)
        say_json({"decisions": [decision_json(decision) for decision in decisions], "explained": last})
        return
    manifest = loaded.gateway.manifest
    say(
        f"policy: {manifest.tools} tools, {manifest.rules} rules, {manifest.patterns} patterns of dangerous commands"
    )
    say()
    _say_table(calls, decisions)
    say()
    say(
        "The last call explained, as `gatewayctl explain TOOL JSON --session FILE` does it with files of yours:"
    )
    say()
    from gatewayctl.explanation import explanation_lines

    for line in explanation_lines(explanation, about, ink_for(sys.stdout)):
        say(line)


def _call(each: Mapping[str, Any]) -> dict[str, Any]:
    return {"tool": each["tool"], "arguments": each["arguments"]}


def _say_table(calls: list[Mapping[str, Any]], decisions: list[Decision]) -> None:
    from gateway.diagnostic import printable

    ink = ink_for(sys.stdout)
    rows = [("who", "call", "effect", "code", "why")]
    for each, decision in zip(calls, decisions, strict=True):
        arguments = ", ".join(f"{key}: {json.dumps(value)}" for key, value in each["arguments"].items())
        rows.append(
            (
                each["session"],
                _cut(printable(f"{each['tool']}({arguments})"), _LONGEST_CALL),
                decision.effect.value,
                decision.code.value,
                _cut(printable(decision.detail), _LONGEST_REASON),
            )
        )
    for number, (who, call, effect, code, why) in enumerate(columns(rows)):
        if number == 0:
            say(ink("bold", f"{who}  {call}  {effect}  {code}  {why}"))
        else:
            say(f"{who}  {call}  {ink(EFFECT_INK[effect.strip()], effect)}  {code}  {why}")


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
