"""`gatewayctl schema`: print the JSON Schema of policy files, or of test files, for editors."""

from __future__ import annotations

import json

import click

from gatewayctl.options import format_option
from gatewayctl.output import Format, say


@click.command()
@click.option("--tests", is_flag=True, help="The schema of `*.test.yaml` files.")
@format_option
def command(*, tests: bool, form: Format) -> None:
    """Print the JSON Schema of policy files, or of test files.

    Editors check and complete a file whose first line is
    `# yaml-language-server: $schema=PATH`.
    """
    if tests:
        from gateway.policy.editor import schema_of
        from gateway.testing.form import CaseFile

        schema = schema_of(CaseFile)
    else:
        from gateway.load import policy_schema

        schema = policy_schema()
    say(json.dumps(schema, indent=2 if form is Format.TEXT else None))
