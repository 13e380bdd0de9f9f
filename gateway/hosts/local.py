"""The session of an agent program that runs on somebody's own machine."""

from __future__ import annotations

from gateway.session import Channel, Session, Subject

AGENT = "coding-agent"
TENANT = "local"


def local_session(*, id: str, user: str, cwd: str, home: str | None) -> Session:
    """The agent asks for the operating system's user, who is there to be asked, and works where it runs."""
    return Session(
        id=id,
        tenant=TENANT,
        agent=AGENT,
        channel=Channel.INTERNAL,
        subject=Subject(id=user, tenant=TENANT, authenticated=True),
        modes={"web_search": "auto"},
        can_ask=True,
        cwd=cwd,
        roots=(cwd,),
        home=home,
    )
