"""`gatewayctl init`: write a small policy, its test and a session to start from."""

from __future__ import annotations

import shlex
from importlib.resources import files
from pathlib import Path

import click

from gatewayctl.options import format_option
from gatewayctl.output import Failure, Format, say, say_json

_FILES = ("policy.yaml", "policy.test.yaml", "session.json")
_CALL = """pay_invoice '{"amount": 1500, "iban": "X"}'"""


@click.command()
@click.argument("directory", metavar="[DIR]", default="policies", type=click.Path(path_type=Path))
@format_option
def command(directory: Path, form: Format) -> None:
    """Write a commented policy, cases that test it, and a session into DIR (./policies).

    The session is JSON, so that it can lie there: only *.yaml and *.yml files are read as policies.
    Nothing is overwritten.
    """
    written = [directory / name for name in _FILES]
    for path in written:
        if path.exists() or path.is_symlink():
            raise Failure(f"`{path}` is there already", "choose another directory, or move the file away")
    starter = files("gatewayctl") / "starter"
    try:
        for name, path in zip(_FILES, written, strict=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as stream:
                stream.write((starter / name).read_text(encoding="utf-8"))
    except OSError as error:
        raise Failure(
            f"`{directory}` can't be written: {(error.strerror or 'unknown reason').lower()}"
        ) from None
    if form is Format.JSON:
        say_json({"written": [str(path) for path in written]})
        return
    for path in written:
        say(f"wrote {path}")
    place = shlex.quote(str(directory))
    say("next:")
    say(f"  gatewayctl lint {place}")
    say(f"  gatewayctl test {place}")
    say(f"  gatewayctl explain {_CALL} --policies {place} --session {shlex.quote(str(written[-1]))}")
