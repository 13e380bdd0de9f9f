"""`gatewayctl hook`: answer an agent program's hook, on stdin and stdout."""

from __future__ import annotations

import click

from gateway.hosts import HOSTS
from gatewayctl.supervisor import DEADLINE, Hook, supervise


@click.command()
@click.argument("host", type=click.Choice(list(HOSTS)))
@click.option(
    "--policies", metavar="PATH", envvar="GATEWAY_POLICIES", required=True, help="A policy file or directory."
)
@click.option(
    "--user", metavar="PATH", help="The user's own policies, which may only make the others stricter."
)
@click.option(
    "--project", metavar="PATH", help="The project's own policies, which may only make them stricter."
)
@click.option("--audit", metavar="PATH", help="Where a row is kept for each confirmed relaxation.")
@click.option("--log", metavar="PATH", help="The file that each decision and each result is recorded in.")
@click.option(
    "--deadline", metavar="SECONDS", default=DEADLINE, help="Refuse after this time.", show_default=True
)
def command(
    host: str,
    policies: str,
    user: str | None,
    project: str | None,
    audit: str | None,
    log: str | None,
    deadline: float,
) -> None:
    """Answer the message of HOST on stdin, in the host's own words on stdout.

    Whatever goes wrong is a refusal: policies with an error, a message that can't be read, a crash, a hang.
    Nothing is taken from the directory that the agent works in: the policies are named here or in
    GATEWAY_POLICIES.

    Claude Code, in settings.json:

    \b
      {"hooks": {EVENT: [{"hooks": [{"type": "command", "timeout": 10, "onFailure": "block",
        "command": "/opt/gateway/bin/python -I -m gatewayctl hook claude-code
        --policies /etc/gateway/policies || exit 2"}]}]}}

    EVENT is each of PreToolUse, PostToolUse (what is redacted in results) and UserPromptSubmit (files that a prompt
    mentions with `@`, which are read without a PreToolUse).

    `-I` keeps Python from running files of the directory that the agent works in, and `|| exit 2` makes a
    refusal of what happens before this program starts, such as a Python that is missing.

    Compiled policies are kept in $XDG_CACHE_HOME/gatewayctl or ~/.cache/gatewayctl, unless GATEWAY_CACHE is `off`, `0`,
    `false` or `no`.
    """
    supervise(Hook(host, policies, deadline, user, project, audit, log))
