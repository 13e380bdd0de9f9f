"""`gatewayctl hook`: answer an agent program's hook, on stdin and stdout."""

from __future__ import annotations

import os

import click

from gateway.hosts import HOSTS
from gatewayctl.supervisor import DEADLINE, Hook, supervise


@click.command()
@click.argument("host", type=click.Choice(list(HOSTS)))
@click.option(
    "--policies", metavar="PATH", envvar="GATEWAY_POLICIES", required=True, help="A policy file or directory."
)
@click.option(
    "--deadline", metavar="SECONDS", default=DEADLINE, help="Refuse after this time.", show_default=True
)
def command(host: str, policies: str, deadline: float) -> None:
    """Answer the message of HOST on stdin, in the host's own words on stdout.

    Whatever goes wrong is a refusal: policies with an error, a message that can't be read, a crash, a hang.
    Nothing is taken from the directory that the agent works in: the policies are named here or in
    GATEWAY_POLICIES.

    Claude Code, in settings.json:

    \b
      {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "timeout": 10, "onFailure": "block",
        "command": "/opt/gateway/bin/python -I -m gatewayctl hook claude-code
        --policies /etc/gateway/policies || exit 2"}]}]}}

    `-I` keeps Python from running files of the directory that the agent works in, and `|| exit 2` makes a
    refusal of what happens before this program starts, such as a Python that is missing.
    """
    supervise(Hook(host, os.fspath(policies), deadline))
