"""`gatewayctl inspect`: say what a command, a query, a path or an address would do, without rules and sessions."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.inputs import load_policies, read_bytes, unique
from gatewayctl.inspected import KINDS, effect, inspect, inspection_json, inspector, place_at
from gatewayctl.options import format_option
from gatewayctl.output import Exit, Failure, Format, ink_for, say, say_json
from gatewayctl.wording import EFFECT_INK, wrapped

if TYPE_CHECKING:
    from gateway.inspect.inspection import Inspection, Match
    from gateway.inspect.inspector import Inspector

_WIDTH = 100
_ANALYSES = {
    "exact": "all of it was read",
    "folded": "what was found stands in it only after the shell has put it together",
    "partial": "parts of it are only known when it runs",
    "unparsed": "it could not be read to its end",
}


@click.command()
@click.argument("text", required=False)
@click.option(
    "--kind", type=click.Choice(KINDS), default="shell", show_default=True, help="What the text is."
)
@click.option("--write", "writes", is_flag=True, help="Judge a path as one that is written, not only read.")
@click.option("--cwd", metavar="DIR", help="Where it runs, which is the workspace. [default: here]")
@click.option("--home", metavar="DIR", help="The home directory. [default: $HOME]")
@click.option(
    "--batch", type=click.Path(path_type=Path), help="Lines of {id, text, kind?, cwd?}; - is stdin."
)
@click.option(
    "--policies",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Judge by the packs, effects and protected names of these policies. [default: all packs as they are shipped]",
)
@format_option
def command(
    text: str | None,
    kind: str,
    writes: bool,
    cwd: str | None,
    home: str | None,
    batch: Path | None,
    policies: Path | None,
    form: Format,
) -> None:
    """Say what TEXT would do under the patterns alone, with a person there to be asked; - is stdin.

    Rules are not asked, and neither is who asks: `gatewayctl explain TOOL JSON` decides a whole call.
    With `--format json` the answer holds `facts` too, as conditions read them. Exit code 0 means that nothing speaks
    against it. A batch is answered line by line, in order, as JSON; a line that can't be read is refused, and the exit
    code is 0 when every line got its answer.
    """
    if batch is not None:
        if text is not None:
            raise Failure("`--batch` takes no TEXT", "put it into the lines")
        _batch(_using(policies, form), batch, kind, cwd, home, writes=writes)
        return
    if text is None:
        raise Failure("no text is given", "write `gatewayctl inspect 'rm -rf build'`, or `--batch FILE`")
    if text == "-":
        text = sys.stdin.read()
    using = _using(policies, form)
    place = place_at(cwd, home, using.conventions)
    found = inspect(using, kind, text, place, writes=writes)
    if form is Format.JSON:
        say_json(inspection_json(found, kind, place))
    else:
        _say(found, text)
    raise click.exceptions.Exit(Exit.FOUND if found.matches else Exit.FINE)


def _using(policies: Path | None, form: Format) -> Inspector:
    """The inspector of a policy, or one with every pack as it is shipped."""
    return inspector() if policies is None else load_policies(policies, form).compiled.engine.inspector()


def _say(found: Inspection, text: str) -> None:
    ink = ink_for(sys.stdout)
    word = effect(found)
    say(f"{ink(EFFECT_INK[word], word)}  analysis: {found.analysis} ({_ANALYSES[found.analysis]})")
    for match in found.matches:
        say()
        for line in _match_lines(match, text):
            say(line)


def _match_lines(match: Match, text: str) -> Iterator[str]:
    """A match as a diagnostic, its characters underlined."""
    from gateway.diagnostic import Diagnostic, Severity, Source, Span, render

    severity = Severity.ERROR if match.effect.value == "deny" else Severity.WARNING
    span = Span(Source("<text>", text), match.start, match.end)
    reason = match.reason[:1].lower() + match.reason[1:]
    code = match.pattern or match.kind
    yield render(Diagnostic(code, reason, span, severity=severity), ink_for(sys.stdout))
    yield from wrapped(f"instead: {match.alternative}", _WIDTH, "  ")


def _batch(
    using: Inspector, path: Path, kind: str, cwd: str | None, home: str | None, *, writes: bool
) -> None:
    lines = sys.stdin.buffer if str(path) == "-" else read_bytes(path).splitlines()
    for line in lines:
        say_json(_answered(using, line, kind, cwd, home, writes=writes))


def _answered(
    using: Inspector, line: bytes, kind: str, cwd: str | None, home: str | None, *, writes: bool
) -> dict[str, Any]:
    """The answer to one line; one that can't be read is refused."""
    fields: dict[str, Any] = {}
    try:
        value = json.loads(line.decode("utf-8"), object_pairs_hook=unique)
        if not isinstance(value, dict):
            raise ValueError("the line is no object")
        fields = value
        text = fields.get("text")
        if not isinstance(text, str):
            raise ValueError("the line has no `text`")
        chosen, where = fields.get("kind", kind), fields.get("cwd", cwd)
        if chosen not in KINDS:
            raise ValueError(f"`{chosen}` is no kind (known: {', '.join(KINDS)})")
        if where is not None and not isinstance(where, str):
            raise ValueError("`cwd` is a directory")
    except RecursionError:
        return _refused(fields, "the line is nested too deep")
    except ValueError as error:
        return _refused(fields, str(error) or "the line can't be read")
    place = place_at(where, home, using.conventions)
    found = inspect(using, chosen, text, place, writes=writes)
    return {"id": fields.get("id"), **inspection_json(found, chosen, place)}


def _refused(fields: dict[str, Any], why: str) -> dict[str, Any]:
    return {"id": fields.get("id"), "effect": "deny", "patterns": [], "analysis": "unparsed", "error": why}
