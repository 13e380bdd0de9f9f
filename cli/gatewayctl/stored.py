"""What commands about a store share: which store, whose things in it, and who sits at the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.output import Failure

if TYPE_CHECKING:
    from gateway.plan import AgentPlan
    from gateway.session import Subject
    from gateway.state import Store


def store_options(command: Any) -> Any:
    """`--store URL` and `--tenant NAME`."""
    command = click.option(
        "--tenant", default="local", show_default=True, help="Whose; a hook's calls are those of `local`."
    )(command)
    return store_option(command)


def store_option(command: Any) -> Any:
    """`--store URL`, passed as `url`."""
    return click.option(
        "--store",
        "url",
        envvar="GATEWAY_STORE",
        callback=_given,
        help="Where it is remembered, such as `sqlite:///var/lib/agent/gateway.db`. [default: $GATEWAY_STORE]",
    )(command)


def _given(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    if not value:
        raise Failure("no store is given", "write `--store URL`, or set `GATEWAY_STORE`")
    return value


def tenants_option(command: Any) -> Any:
    """`--store URL`, of which only tenants' tools are looked at."""
    return click.option(
        "--store",
        envvar="GATEWAY_STORE",
        help="Where tenants' overrides and custom tools are kept; nothing else of it is looked at."
        " [default: $GATEWAY_STORE]",
    )(command)


def opened(url: str) -> Store:
    """The store at an address; one that is not there is not made."""
    from gateway.malformed import Malformed
    from gateway.state import Unavailable
    from gateway.stores import open_store

    path = url.removeprefix("sqlite://").partition("?")[0]
    if path != url and path.startswith("/") and not Path(path).exists():
        raise Failure(f"there is no store `{url}`", "write the address that your gateway's store has")
    try:
        return open_store(url)
    except Malformed as error:
        raise Failure(error.message, error.help) from None
    except Unavailable as error:
        raise Failure(str(error)) from None


def check_tenant(agents: Iterable[AgentPlan], tenant: str) -> None:
    """Refuse a tenant for which no agent is on that calls tools, as one that is mistyped."""
    from gateway.call import PREFIX

    calling = [agent for agent in agents if not all(name.startswith(PREFIX) for name in agent.tools)]
    if not any(agent.on_for(tenant) for agent in calling):
        known = sorted({name for agent in calling for name in agent.tenants})
        listed = ", ".join(f"`{name}`" for name in known) or "none by name"
        raise Failure(
            f"no agent is on for the tenant `{tenant}`, but for such as only manage",
            f"tenants in `agents`: {listed}",
        )


def person(tenant: str, roles: tuple[str, ...], permissions: tuple[str, ...] = ()) -> Subject:
    """Who runs the command: the operating system says so, not the environment."""
    import os
    import pwd

    from gateway.session import Subject

    return Subject(
        pwd.getpwuid(os.getuid()).pw_name,
        tenant=tenant,
        authenticated=True,
        roles=frozenset(roles),
        permissions=frozenset(permissions),
    )
