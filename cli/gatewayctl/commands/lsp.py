"""`gatewayctl lsp`: tell an editor about policies while they are written."""

from __future__ import annotations

from pathlib import Path

import click

from gatewayctl.output import Failure


@click.command()
@click.option(
    "--policies",
    type=click.Path(path_type=Path),
    envvar="GATEWAY_POLICIES",
    help="The policy file or directory that files below it belong to. [default: $GATEWAY_POLICIES, else each file's "
    "own directory, and those above it that hold policy files, too]",
)
def command(policies: Path | None) -> None:
    """Serve an editor with the Language Server Protocol, on stdin and stdout.

    The editor starts this itself; README.md says what to write into the settings of some. It needs the extra
    `editor`.
    """
    try:
        from gatewayctl.editor.server import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise Failure(
            "the language server is not installed", "write `pip install 'gatewayctl[editor]'`"
        ) from None
    serve(policies)
