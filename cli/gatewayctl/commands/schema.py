"""`gatewayctl schema`: print the JSON Schema of policy files, for editors."""

from __future__ import annotations

import json

import click

from gatewayctl.options import format_option
from gatewayctl.output import Format, say


@click.command()
@format_option
def command(form: Format) -> None:
    """Print the JSON Schema of policy files.

    Editors check and complete a file whose first line is
    `# yaml-language-server: $schema=PATH`.
    """
    from gateway.load import policy_schema

    say(json.dumps(policy_schema(), indent=2 if form is Format.TEXT else None))
