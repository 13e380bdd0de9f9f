"""`gatewayctl patterns`: list the patterns of dangerous commands, or tell all about one."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.inputs import load_policies
from gatewayctl.options import format_option
from gatewayctl.output import Failure, Format, ink_for, say, say_json
from gatewayctl.wording import EFFECT_INK, columns, counted, wrapped

if TYPE_CHECKING:
    from gateway.decision import Effect
    from gateway.inspect.pattern import Example, Pattern

_WIDTH = 100


@click.command()
@click.argument("name", metavar="[ID]", required=False)
@click.option(
    "--policies",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Only the patterns that are on in these policies, with the effects that they set.",
)
@format_option
def command(name: str | None, policies: Path | None, form: Format) -> None:
    """List the patterns by pack, those of the pack ID, or tell all about the pattern ID.

    Without --policies they are told as they are shipped.
    """
    from gateway.patterns import PACKS, load_packs

    known: Sequence[Pattern] = load_packs(PACKS)
    shipped = {pattern.id: pattern.effect for pattern in known}
    if policies is not None:
        known = load_policies(policies, form).compiled.patterns
    found = [pattern for pattern in known if name in (None, pattern.id, pattern.pack)]
    if not found:
        if name in shipped or name in PACKS:
            raise Failure(f"`{name}` is off in these policies", "leave `--policies` away to read about it")
        raise _lost(name or "", [*PACKS, *(pattern.id for pattern in known)])
    if form is Format.JSON:
        say_json({"patterns": [pattern_json(pattern) for pattern in found]})
    elif len(found) == 1 and found[0].id == name:
        for line in pattern_lines(found[0], shipped.get(found[0].id)):
            say(line)
    else:
        for line in _listed(found):
            say(line)


def _listed(found: Sequence[Pattern]) -> Iterator[str]:
    ink = ink_for(sys.stdout)
    for pack in dict.fromkeys(pattern.pack for pattern in found):
        own = [pattern for pattern in found if pattern.pack == pack]
        yield f"{ink('bold', pack)}  {counted(len(own), 'pattern')}"
        for cells in columns([p.id, p.effect.value, p.severity.value, p.title] for p in own):
            name, effect, severity, title = cells
            yield f"  {ink('cyan', name)}  {ink(EFFECT_INK[effect.strip()], effect)}  {severity}  {title}"
        yield ""
    yield "`gatewayctl patterns ID` tells all about one. The guard, which protects the gateway itself, is always on."


def pattern_lines(pattern: Pattern, shipped: Effect | None = None) -> Iterator[str]:
    """All about a pattern; `shipped` is the effect that it has where no settings change it."""
    ink = ink_for(sys.stdout)
    effect = pattern.effect.value
    yield f"{ink('bold', pattern.id)}  {ink(EFFECT_INK[effect], effect)}  {pattern.severity.value}  pack {pattern.pack}"
    yield from wrapped(pattern.title + ".", _WIDTH, "")
    if shipped not in (None, pattern.effect):
        yield f"Shipped as {shipped.value}; `settings.patterns` of this policy sets it to {effect}."
    yield ""
    yield from wrapped("Why: " + pattern.reason.replace("{what}", "…"), _WIDTH, "  ")
    yield from wrapped("Instead: " + pattern.alternative.replace("{what}", "…"), _WIDTH, "  ")
    for head, examples in (("Held against", pattern.matches), ("Left alone", pattern.misses)):
        yield ""
        yield f"{head}:"
        for example in examples:
            yield f"  {_shown(example)}"


def _shown(example: Example) -> str:
    from gateway.diagnostic import printable
    from gateway.inspect.kind import Kind

    text = " ⏎ ".join(map(printable, example.text.splitlines()))
    if example.kind is Kind.PATH:
        return f"{'write' if example.writes else 'read'} {text}"
    return text if example.kind is Kind.SHELL else f"{example.kind.value}: {text}"


def pattern_json(pattern: Pattern) -> dict[str, Any]:
    """A pattern for scripts."""
    return {
        "id": pattern.id,
        "pack": pattern.pack,
        "title": pattern.title,
        "severity": pattern.severity.value,
        "effect": pattern.effect.value,
        "reason": pattern.reason,
        "alternative": pattern.alternative,
        "match": [_shown(example) for example in pattern.matches],
        "no_match": [_shown(example) for example in pattern.misses],
    }


def _lost(name: str, known: list[str]) -> Failure:
    from gateway.diagnostic import suggest

    near = suggest(name, known)
    return Failure(
        f"there is no pattern and no pack `{name}`",
        f"did you mean `{near[0]}`?" if near else "`gatewayctl patterns` lists all",
    )
